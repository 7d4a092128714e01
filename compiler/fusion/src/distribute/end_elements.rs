//! The first or the last element of an array that a filter, a flatmap or a scan makes, of an append or a choice, or of
//! a map whose steps have loops, computed by a fold of the array.
//!
//! To index the array, it must be in memory. The fold needs only its series. The last element of a scan is a
//! reduction. A fold in order may begin with the first element of its own input, as `argmin` does. Then it takes the
//! element in its first step.
//!
//! Invariant: reading an end of an array without elements is an error, as before.
//!
//! ```text
//! ys = filter p xs; h = ys[0]; m = fold f h ys
//! ⇒ ys = filter p xs
//!   m, b = fold (\acc b y -> { a = if b then acc else y; r = f a y; r, true }) (0, false) ys
//!   assert length ys > 0
//! ```

use super::position;
use crate::cnf::{
    Assertion, Atom, Bind, Block, Extent, FoldOrder, Kind, Op, ScanKind, SizeDef, Type, Var, Worker,
};
use crate::copy::Copier;
use crate::tables::Tables;
use arr_abi::ErrorCode;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// An element at an end of an array.
#[derive(Clone, Copy)]
pub(super) struct EndElement {
    array: VarId,
    index: Atom,
    is_first: bool,
    /// What the combinator binds first that makes the series: the array is of its rate.
    series: VarId,
}

/// The end of an array that a binding reads, if the array is a series of the block whose elements cannot be computed
/// by index, or are not computed twice.
pub(super) fn of(block: &Block, bind: &Bind, tables: &Tables) -> Option<EndElement> {
    let Op::Index { array, indices, .. } = &bind.op else { return None };
    let (&[index], 1) = (&indices[..], tables.vars[*array].ty.rank()) else { return None };
    let maker = |var: VarId| block.binds.iter().find(|bind| bind.vars.contains(&var));
    let mut open = vec![*array];
    let series = loop {
        let Some(Bind { vars, op: made, .. }) = maker(open.pop()?) else { continue };
        let Some(kind) = made.kind() else { continue };
        let is_choice = is_choice_of_made(made) || matches!(made, Op::Append { .. });
        let is_source = kind.makes_size() || matches!(kind, Kind::Scan | Kind::Gather);
        if is_source || is_choice || is_costly(made) {
            break *vars.first()?;
        }
        open.extend(made.streams().into_iter().filter(|_| made.makes_each()));
    };
    if index == Atom::Const(Const::i64(0)) {
        return Some(EndElement { array: *array, index, is_first: true, series });
    }
    let Atom::Var(at) = index else { return None };
    let (BinOp::Sub, [length, one]) = maker(at)?.op.binary()? else { return None };
    let extent = *tables.vars[*array].ty.shape().first()?;
    let is_last = one == Atom::Const(Const::i64(1)) && is_extent(block, length, extent, tables);
    is_last.then_some(EndElement { array: *array, index, is_first: false, series })
}

/// Whether a combinator has a loop or a call in each step. Computing an element where it is read would repeat that.
fn is_costly(made: &Op) -> bool {
    let is_elementwise = matches!(made.kind(), Some(Kind::Map | Kind::Generate));
    is_elementwise
        && made
            .inner()
            .iter()
            .any(|inner| inner.block.binds.iter().any(|bind| !bind.op.is_scalar()))
}

/// Whether combinators make the results of both branches of a choice. Other results are in memory, where reading one
/// element costs nothing.
fn is_choice_of_made(op: &Op) -> bool {
    let is_made = |block: &&Block| {
        let mut arrays = block.results.iter().filter_map(Atom::as_var);
        arrays.all(|array| {
            let maker = block.binds.iter().find(|bind| bind.vars.contains(&array));
            maker.is_some_and(|Bind { op, .. }| {
                let is_literal = matches!(op, Op::Array { .. } | Op::Constant { .. });
                op.is_combinator()
                    || is_literal
                    || op.operation().is_some()
                    || is_choice_of_made(op)
            })
        })
    };
    op.branches().is_some_and(|branches| branches.iter().all(is_made))
}

/// Whether a number is an extent of arrays.
pub(super) fn is_extent(block: &Block, number: Atom, extent: Extent, tables: &Tables) -> bool {
    let size = match (extent, number) {
        (Extent::Const(size), Atom::Const(number)) => return number == Const::i64(size),
        (Extent::Size(size), Atom::Var(_)) => size,
        (Extent::Const(_), Atom::Var(_)) | (Extent::Size(_), Atom::Const(_)) => return false,
    };
    let op = block.binds.iter().find(|bind| bind.vars.iter().any(|&var| Atom::Var(var) == number));
    let op = op.map(|bind| &bind.op);
    if let Some((array, dim)) = op.and_then(Op::length)
        && tables.vars[array].ty.shape().get(dim) == Some(&extent)
    {
        return true;
    }
    let of = |wanted: BinOp, extents: [Extent; 2]| {
        let Some((op, args)) = op.and_then(Op::binary) else { return false };
        op == wanted
            && args.into_iter().zip(extents).all(|(arg, of)| is_extent(block, arg, of, tables))
    };
    match tables.sizes[size].def {
        SizeDef::Param | SizeDef::Exists => false,
        SizeDef::Value(var) => number == Atom::Var(var),
        SizeDef::Sum(left, right) => of(BinOp::Add, [left, right]),
        SizeDef::Product(left, right) => of(BinOp::Mul, [left, right]),
    }
}

/// The block in which folds give the elements at the ends of a choice or an append, if something reads these.
pub(super) fn of_barrier(block: &Block, root: usize, tables: &mut Tables) -> Option<Block> {
    let series = block.binds[root].vars.first().copied();
    let is_end = |bind: &Bind| of(block, bind, tables).map(|end| end.series) == series;
    let at = block.binds.iter().position(|bind| series.is_some() && is_end(bind))?;
    rewrite(block, at, tables)
}

/// The block in which folds give the elements at the ends of the series: one that is read by index needs the series in
/// memory.
pub(super) fn rewrite(block: &Block, at: usize, tables: &mut Tables) -> Option<Block> {
    let EndElement { series, .. } = of(block, &block.binds[at], tables)?;
    let mut binds = Vec::new();
    let mut firsts = Vec::new();
    for bind in &block.binds {
        let end = of(block, bind, tables).filter(|end| end.series == series);
        let Some(end) = end else {
            let begun = init_in_first_step(bind, &firsts, tables);
            binds.push(begun.unwrap_or_else(|| bind.clone()));
            continue;
        };
        let element = *bind.vars.first()?;
        let maker = block.binds.iter().find(|bind| bind.vars.contains(&end.array))?;
        let reduced =
            if end.is_first { None } else { reduction(maker, end.array, element, tables) };
        binds.push(reduced.unwrap_or_else(|| fold_of_end(end, element, bind.span, tables)));
        check(end, bind.span, &mut binds, tables);
        if end.is_first {
            firsts.push((end.array, element));
        }
    }
    let block = Block { binds, results: block.results.clone() };
    // Positions in the array wait for it as the index does.
    Some(position::rewrite_all(block, tables))
}

/// The last element of an inclusive scan is the reduction of its input.
fn reduction(maker: &Bind, array: VarId, element: VarId, tables: &mut Tables) -> Option<Bind> {
    let Op::Scan { prefix: ScanKind::Inclusive, worker, init, inputs } = &maker.op else {
        return None;
    };
    let mut copier = Copier::new(tables);
    let params = worker.params.iter().map(|&param| copier.fresh(param)).collect();
    let worker = Worker { params, body: copier.block(&worker.body) };
    let mut result = |&var: &VarId| {
        let mut total = copier.tables.vars[var].clone();
        total.ty = total.ty.element().expect("a scan makes arrays");
        if var == array { element } else { copier.tables.vars.push(total) }
    };
    let vars = maker.vars.iter().map(&mut result).collect();
    let (init, inputs) = (init.clone(), inputs.clone());
    let op = Op::Fold { order: FoldOrder::Associative, worker, init, inputs };
    Some(Bind { vars, op, span: maker.span })
}

/// The fold that returns the element. If the array has no elements, it returns any value.
fn fold_of_end(end: EndElement, element: VarId, span: Span, tables: &mut Tables) -> Bind {
    let Var { name, ty } = tables.vars[element].clone();
    let mut new = |name: &Name, ty: Type| tables.vars.push(Var { name: name.clone(), ty });
    let [acc, elem] = [(); 2].map(|()| new(&name, ty.clone()));
    let init = Const::zero(ty.scalars()).into();
    let inputs = vec![end.array];
    let order = FoldOrder::Strict;
    if !end.is_first {
        let body = Block { binds: Vec::new(), results: vec![Atom::Var(elem)] };
        let worker = Worker { params: vec![acc, elem], body };
        let op = Op::Fold { order, worker, init: vec![init], inputs };
        return Bind { vars: vec![element], op, span };
    }
    let flag = Name::new_static("begun");
    let [begun, ended] = [(); 2].map(|()| new(&flag, Type::Scalar(Scalar::Bool)));
    let next = new(&name, ty);
    let choose = choice(next, begun, [acc, elem], span);
    let results = vec![Atom::Var(next), Const::bool(true).into()];
    let body = Block { binds: vec![choose], results };
    let worker = Worker { params: vec![acc, begun, elem], body };
    let op = Op::Fold { order, worker, init: vec![init, Const::bool(false).into()], inputs };
    Bind { vars: vec![element, ended], op, span }
}

/// Adds the check that fails if the array has no elements.
fn check(end: EndElement, span: Span, binds: &mut Vec<Bind>, tables: &mut Tables) {
    let mut bind = |name, ty, op| {
        let var = Var { name: Name::new_static(name), ty: Type::Scalar(ty) };
        let var = tables.vars.push(var);
        binds.push(Bind { vars: vec![var], op, span });
        Atom::Var(var)
    };
    let length = bind("length", Scalar::I64, Op::Length { array: end.array, dim: 0 });
    let zero = Atom::Const(Const::i64(0));
    let cond = bind("t", Scalar::Bool, Op::bin(BinOp::Gt, length, zero));
    let failure = Failure::index(ErrorCode::Index, end.index, length);
    let op = Op::Assert(Assertion { cond, failure });
    binds.push(Bind { vars: Vec::new(), op, span });
}

/// A fold in order that begins with the first elements of arrays that it goes over: it takes those in its first step.
fn init_in_first_step(bind: &Bind, firsts: &[(VarId, VarId)], tables: &mut Tables) -> Option<Bind> {
    let Op::Fold { order: FoldOrder::Strict, worker, init, inputs } = &bind.op else { return None };
    let extent = |array: VarId| tables.vars[array].ty.shape().first().copied();
    let goes_over = |array| inputs.iter().any(|&input| extent(input) == extent(array));
    let begins_with = |(_, first): &(_, VarId)| init.contains(&Atom::Var(*first));
    let firsts: Vec<_> = firsts.iter().copied().filter(begins_with).collect();
    if firsts.is_empty() || !firsts.iter().all(|&(array, _)| goes_over(array)) {
        return None;
    }
    let (accs, elems) = worker.params.split_at(init.len());
    let mut copier = Copier::new(tables);
    let mut fresh = |vars: &[VarId]| vars.iter().map(|&var| copier.fresh(var)).collect::<Vec<_>>();
    let (accs, elems) = (fresh(accs), fresh(elems));
    let mut like = |var: VarId| {
        let like = copier.tables.vars[var].clone();
        copier.tables.vars.push(like)
    };
    let own: Vec<VarId> = firsts.iter().map(|&(_, first)| like(first)).collect();
    let own_of = |init: &Atom| {
        let at = firsts.iter().position(|&(_, first)| Atom::Var(first) == *init)?;
        Some(own[at])
    };
    let chosen: Vec<VarId> = accs.iter().map(|&acc| like(acc)).collect();
    let flag = Var { name: Name::new_static("begun"), ty: Type::Scalar(Scalar::Bool) };
    let [begun, ended] = [(); 2].map(|()| copier.tables.vars.push(flag.clone()));
    let mut binds = Vec::new();
    let mut args = Vec::new();
    for ((&acc, &chosen), init) in accs.iter().zip(&chosen).zip(init) {
        args.push(Atom::Var(match own_of(init) {
            Some(elem) => {
                binds.push(choice(chosen, begun, [acc, elem], bind.span));
                chosen
            }
            None => acc,
        }));
    }
    args.extend(elems.iter().map(|&elem| Atom::Var(elem)));
    let Block { binds: rest, mut results } = copier.applied(worker, &args);
    binds.extend(rest);
    results.push(Const::bool(true).into());
    let begins = |init: &Atom| match own_of(init) {
        Some(elem) => Const::zero(copier.tables.vars[elem].ty.scalars()).into(),
        None => *init,
    };
    let init = init.iter().map(begins).chain([Const::bool(false).into()]).collect();
    let params = [accs, vec![begun], elems, own.clone()].concat();
    let inputs = inputs.iter().copied().chain(firsts.iter().map(|&(array, _)| array)).collect();
    let worker = Worker { params, body: Block { binds, results } };
    let vars = bind.vars.iter().copied().chain([ended]).collect();
    let op = Op::Fold { order: FoldOrder::Strict, worker, init, inputs };
    Some(Bind { vars, op, span: bind.span })
}

/// `chosen = if begun then acc else elem`.
fn choice(chosen: VarId, begun: VarId, [acc, elem]: [VarId; 2], span: Span) -> Bind {
    let yields = |var| Block { binds: Vec::new(), results: vec![Atom::Var(var)] };
    let (then, otherwise) = (yields(acc), yields(elem));
    let op = Op::If { cond: Atom::Var(begun), then, otherwise };
    Bind { vars: vec![chosen], op, span }
}
