//! A `flatmap` whose parts are results of calls becomes a loop that appends each part, so that the function writes its
//! result in its place: see [`arrc_loops::memory::accumulate`].
//!
//! A pass would need each part as an array. This is a rewrite of normal form, which needs no comparison of traffic: the
//! result is in memory in any case. The loop computes the elements of inputs that a `map` or `generate` makes for
//! nothing else, and reads other inputs from memory.
//!
//! Invariant: the steps run in the same order. No combinator consumes the result in the pass of the `flatmap`.
//!
//! ```text
//! ys = flatmap (\x -> { a = f x; a }) xs
//! ⇒ n = length xs; ys = loop all = [] for i < n do { x = xs[i]; a = f x; more = all ++ a; more }
//! ```

use crate::cnf::{
    Atom, Bind, Block, Callee, Extent, LoopForm, Op, SizeDef, SizeInfo, Type, Var, Worker,
};
use crate::copy::Copier;
use crate::process::uses;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Scalar, UnOp};
use arrc_syntax::source::Span;

/// The block in which such `flatmap`s are loops, if there are any.
pub(super) fn rewrite(block: &Block, tables: &mut Tables) -> Option<Block> {
    let mut rewritten = None;
    loop {
        let block = rewritten.as_ref().unwrap_or(block);
        let is_next =
            |bind: &Bind| has_called_parts(bind, tables) && !is_streamed(block, &bind.vars);
        let Some(at) = block.binds.iter().position(is_next) else { return rewritten };
        rewritten = Some(appended(block, at, tables)?);
    }
}

/// Whether a binding is a `flatmap` whose parts are, or append, results of calls of functions of the program.
fn has_called_parts(bind: &Bind, tables: &Tables) -> bool {
    let Op::FlatMap { worker, .. } = &bind.op else { return false };
    let is_flat = |var: &VarId| tables.vars[*var].ty.rank() == 1;
    let of = |result: &Atom| matches!(result, Atom::Var(var) if is_called(&worker.body, *var));
    bind.vars.iter().all(is_flat) && worker.body.results.iter().all(of)
}

fn is_called(body: &Block, array: VarId) -> bool {
    let Some(bind) = body.binds.iter().find(|bind| bind.vars.contains(&array)) else {
        return false;
    };
    if let Op::Append { left, right } = &bind.op {
        let place = bind.vars.iter().position(|&var| var == array);
        let sides = place.map(|place| [left[place], right[place]]);
        return sides.is_some_and(|sides| sides.into_iter().any(|side| is_called(body, side)));
    }
    matches!(&bind.op, Op::Call { callee: Callee::Function(_), .. })
}

/// Whether a combinator of the block reads one of the arrays element by element.
fn is_streamed(block: &Block, arrays: &[VarId]) -> bool {
    let streams = block.binds.iter().flat_map(|bind| bind.op.streams());
    streams.into_iter().any(|var| arrays.contains(&var))
}

/// The `map` or `generate` that makes an array of scalars for one use only.
fn inlined<'b>(block: &'b Block, array: VarId, tables: &Tables) -> Option<&'b Op> {
    let bind = block.binds.iter().find(|bind| bind.vars.contains(&array))?;
    let used = block.binds.iter().filter(|of| uses::free(of).contains(&array)).count();
    let is_alone = bind.vars.len() == 1 && used == 1;
    let is_one = matches!(bind.op, Op::Map { .. } | Op::Generate { .. })
        && is_alone
        && tables.vars[array].ty.rank() == 1
        && !block.results.contains(&Atom::Var(array))
        && !bind.op.has_effect();
    is_one.then_some(&bind.op)
}

/// The block in which the `flatmap` at a place is a loop.
fn appended(block: &Block, at: usize, tables: &mut Tables) -> Option<Block> {
    let Bind { vars, op: Op::FlatMap { worker, inputs }, span } = &block.binds[at] else {
        return None;
    };
    let mut number = |name| {
        tables.vars.push(Var { name: Name::new_static(name), ty: Type::Scalar(Scalar::I64) })
    };
    let [count, index] = [number("n"), number("i")];
    let mut body = Block::default();
    let mut args = Vec::new();
    for &input in inputs {
        args.push(element(block, input, index, *span, &mut body, tables));
    }
    let Block { binds, results } = Copier::new(tables).applied(worker, &args);
    body.binds.extend(binds);
    let right: Vec<VarId> = results.iter().filter_map(Atom::as_var).collect();

    let elems: Vec<Scalar> = vars.iter().map(|&var| tables.vars[var].ty.scalars()).collect();
    let part = *tables.vars[*right.first()?].ty.shape().first()?;
    let carried = size(SizeDef::Exists, tables);
    let both = size(SizeDef::Sum(carried, part), tables);
    let [nothing, all, more] =
        [Extent::Const(0), carried, both].map(|extent| arrays(&elems, extent, tables));
    let op = Op::Append { left: all.clone(), right };
    body.binds.push(Bind { vars: more.clone(), op, span: *span });
    body.results = more.into_iter().map(Atom::Var).collect();

    let mut binds = block.binds[..at].to_vec();
    let op = length(block, *inputs.first()?, tables);
    binds.push(Bind { vars: vec![count], op, span: *span });
    for (&var, &elem) in nothing.iter().zip(&elems) {
        let op = Op::Array { elem, elems: Vec::new() };
        binds.push(Bind { vars: vec![var], op, span: *span });
    }
    let params = all.into_iter().chain([index]).collect();
    let form = LoopForm::For { count: Atom::Var(count) };
    let init = nothing.into_iter().map(Atom::Var).collect();
    let op = Op::Loop { form, init, worker: Worker { params, body } };
    binds.push(Bind { vars: vars.clone(), op, span: *span });
    binds.extend(block.binds[at + 1..].iter().cloned());
    Some(Block { binds, results: block.results.clone() })
}

/// The length of an array.
fn length(block: &Block, array: VarId, tables: &Tables) -> Op {
    match inlined(block, array, tables) {
        Some(Op::Map { inputs, .. }) => length(block, inputs[0], tables),
        Some(Op::Generate { size, .. }) => Op::un(UnOp::To(Scalar::I64), *size),
        Some(_) | None => Op::Length { array, dim: 0 },
    }
}

/// The element of an array at an index. The bindings that compute it are added to a block.
fn element(
    block: &Block,
    array: VarId,
    index: VarId,
    span: Span,
    into: &mut Block,
    tables: &mut Tables,
) -> Atom {
    let (worker, args) = match inlined(block, array, tables) {
        Some(Op::Map { worker, inputs }) => {
            let elements =
                inputs.iter().map(|&input| element(block, input, index, span, into, tables));
            (worker, elements.collect())
        }
        Some(Op::Generate { worker, .. }) => (worker, vec![Atom::Var(index)]),
        Some(_) | None => {
            let Var { name, ty } = tables.vars[array].clone();
            let ty = ty.element().expect("a flatmap reads arrays");
            let element = tables.vars.push(Var { name, ty });
            let op = Op::Index { array, indices: vec![Atom::Var(index)], inside: true };
            into.binds.push(Bind { vars: vec![element], op, span });
            return Atom::Var(element);
        }
    };
    let Block { binds, results } = Copier::new(tables).applied(worker, &args);
    into.binds.extend(binds);
    results[0]
}

fn size(def: SizeDef, tables: &mut Tables) -> Extent {
    Extent::Size(tables.sizes.push(SizeInfo { name: Name::new_static("m"), def }))
}

fn arrays(elems: &[Scalar], extent: Extent, tables: &mut Tables) -> Vec<VarId> {
    let ty = |elem| Type::Array { elem, shape: vec![extent] };
    let array =
        |&elem: &Scalar| tables.vars.push(Var { name: Name::new_static("a"), ty: ty(elem) });
    elems.iter().map(array).collect()
}
