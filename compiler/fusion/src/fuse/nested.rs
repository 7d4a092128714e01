//! A `flatmap` whose worker ends in a `flatmap` becomes two, the second one of the results of the first one.
//!
//! The inner arrays are no parts of the outer one any more, so they need not exist. Maps and filters of the inner
//! result move to the second worker. The first worker also yields the scalars of its body that the second one needs,
//! once for each element.
//!
//! Invariant: the arrays of the second worker have sizes that are known there.
//!
//! ```text
//! \x -> { k = x + 1; a = iota k; b = flatmap (\y -> { c = generate y (\i -> i * k); c }) a; b }
//! ⇒ \x -> { k = x + 1; a = iota k; ks = map (\y -> k) a; a, ks }    and    \y k -> { c = generate y (\i -> i * k); c }
//! ```

use indexmap::{IndexMap, IndexSet};

use super::split_worker::{bound, fresh_like};
use crate::cnf::{Atom, Bind, Block, Extent, Op, SizeDef, SizeInfo, Type, Var, Worker};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The workers of the two flatmaps, if a worker ends in a flatmap.
pub(super) fn nested(
    worker: &Worker,
    vars: &mut PrimaryMap<VarId, Var>,
    sizes: &mut PrimaryMap<SizeId, SizeInfo>,
) -> Option<(Worker, Worker)> {
    let binds = &worker.body.binds;
    let at = binds.iter().rposition(|bind| matches!(bind.op, Op::FlatMap { .. }))?;
    let Op::FlatMap { worker: last, inputs } = &binds[at].op else { return None };
    if worker.body.has_effect() || !ends_behind(&worker.body, at) {
        return None;
    }
    let mut second =
        Block { binds: binds[at + 1..].to_vec(), results: worker.body.results.clone() };
    let results = last.body.results.iter().copied();
    second.substitute(&binds[at].vars.iter().copied().zip(results).collect::<IndexMap<_, _>>());
    second.binds.splice(0..0, last.body.binds.iter().cloned());
    let mut first = Block {
        binds: binds[..at].to_vec(),
        results: inputs.iter().copied().map(Atom::Var).collect(),
    };
    let mut moved = WorkerHoister {
        inside: bound(&first, &worker.params),
        captured: IndexMap::new(),
        resized: IndexMap::new(),
        vars,
        sizes,
    };
    moved.block(&last.params, &mut second)?;
    let captured = moved.captured;
    for &var in captured.keys() {
        let all = repeated(var, inputs[0], &mut first, binds[at].span, vars);
        first.results.push(Atom::Var(all));
    }
    let params = last.params.iter().copied().chain(captured.into_values()).collect();
    let first = Worker { params: worker.params.clone(), body: first };
    Some((first, Worker { params, body: second }))
}

/// Whether only maps and filters of the results of a flatmap come behind it, and make the results of its block.
fn ends_behind(body: &Block, flatmap: usize) -> bool {
    let mut made: IndexSet<VarId> = body.binds[flatmap].vars.iter().copied().collect();
    for bind in &body.binds[flatmap + 1..] {
        let (Op::Map { inputs, .. } | Op::Filter { inputs, .. }) = &bind.op else { return false };
        let kept: &[VarId] = if let Op::Filter { keep, .. } = &bind.op { keep } else { &[] };
        if !inputs.iter().chain(kept).all(|input| made.contains(input)) {
            return false;
        }
        made.extend(&bind.vars);
    }
    body.results.iter().all(|result| result.as_var().is_some_and(|var| made.contains(&var)))
}

/// Binds an array of the length of another one, with a scalar in each place.
fn repeated(
    var: VarId,
    like: VarId,
    into: &mut Block,
    span: Span,
    vars: &mut PrimaryMap<VarId, Var>,
) -> VarId {
    let Type::Array { shape, .. } = &vars[like].ty else { panic!("a flatmap reads arrays") };
    let size = shape[0];
    let elem = vars[like].ty.element().expect("arrays have elements");
    let ignored = vars.push(Var { name: Name::new_static("y"), ty: elem });
    let Var { name, ty } = vars[var].clone();
    let all = vars.push(Var { name, ty: ty.array_of(size) });
    let body = Block { binds: Vec::new(), results: vec![Atom::Var(var)] };
    let op = Op::Map { worker: Worker { params: vec![ignored], body }, inputs: vec![like] };
    into.binds.push(Bind { vars: vec![all], op, span });
    all
}

/// Code motion: bindings that are hoisted out of a worker.
struct WorkerHoister<'a> {
    /// The variables of the worker.
    inside: IndexSet<VarId>,
    /// For each variable of the worker that the bindings need, the variable that stands for it.
    captured: IndexMap<VarId, VarId>,
    /// For each size of their arrays that depends on such a variable, the size that stands for it.
    resized: IndexMap<SizeId, SizeId>,
    vars: &'a mut PrimaryMap<VarId, Var>,
    sizes: &'a mut PrimaryMap<SizeId, SizeInfo>,
}

impl WorkerHoister<'_> {
    /// Moves the block of a worker with these parameters. `None` if it needs an array of the outer worker.
    fn block(&mut self, params: &[VarId], block: &mut Block) -> Option<()> {
        for var in params.iter().copied().chain(all_bound_vars(block)) {
            let Type::Array { elem, shape } = self.vars[var].ty.clone() else { continue };
            let shape = shape.into_iter().map(|extent| self.extent(extent));
            let shape = shape.collect::<Option<Vec<_>>>()?;
            self.vars[var].ty = Type::Array { elem, shape };
        }
        block.replace_uses(&mut |atom| match atom {
            Atom::Var(var) if self.inside.contains(&var) => Atom::Var(self.var(var)),
            Atom::Var(_) | Atom::Const(_) => atom,
        });
        let is_scalar = |&var: &VarId| !self.vars[var].ty.is_array();
        self.captured.keys().all(is_scalar).then_some(())
    }

    fn var(&mut self, var: VarId) -> VarId {
        *self.captured.entry(var).or_insert_with(|| fresh_like(var, self.vars))
    }

    /// The extent that stands for one, if it is known outside of the worker.
    fn extent(&mut self, extent: Extent) -> Option<Extent> {
        let Extent::Size(size) = extent else { return Some(extent) };
        if let Some(&known) = self.resized.get(&size) {
            return Some(Extent::Size(known));
        }
        let SizeInfo { name, def } = self.sizes[size].clone();
        let new = match def {
            SizeDef::Value(var) if self.inside.contains(&var) => SizeDef::Value(self.var(var)),
            SizeDef::Sum(a, b) => SizeDef::Sum(self.extent(a)?, self.extent(b)?),
            SizeDef::Product(a, b) => SizeDef::Product(self.extent(a)?, self.extent(b)?),
            SizeDef::Value(_) => return Some(extent),
            SizeDef::Param | SizeDef::Exists => {
                let has = |var: &VarId| self.vars[*var].ty.shape().contains(&extent);
                return (!self.inside.iter().any(has)).then_some(extent);
            }
        };
        if new == def {
            return Some(extent);
        }
        let new = self.sizes.push(SizeInfo { name, def: new });
        self.resized.insert(size, new);
        Some(Extent::Size(new))
    }
}

/// The variables that a block and the blocks in it bind, with the parameters of workers.
fn all_bound_vars(block: &Block) -> Vec<VarId> {
    let mut all = Vec::new();
    for bind in &block.binds {
        all.extend(&bind.vars);
        for inner in bind.op.inner() {
            all.extend(inner.params);
            all.extend(all_bound_vars(inner.block));
        }
    }
    all
}
