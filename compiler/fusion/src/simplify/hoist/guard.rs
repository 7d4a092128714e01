//! Operations that can fail move out of a worker behind the question whether the worker runs at all (loop inversion).
//!
//! Invariant: where there is no step, nothing of what moved runs, and the results are those of no steps.
//!
//! ```text
//! loop s = 0 for i < k do { assert c; ys = scan (+) 0 (…); r = s + ys[i]; r }
//! ⇒ if k > 0 then { assert c; ys = scan (+) 0 (…); s = loop s = 0 for i < k do { r = s + ys[i]; r }; s } else { 0 }
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Bind, Block, LoopForm, Op, TripCount, Type, UNNAMED_SCALAR, Var, Worker};
use crate::copy::Copier;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};

/// Whether [`guard`] can be applied to an operation: what it gives without a step can be written down.
pub(super) fn has_guard(bind: &Bind, tables: &Tables) -> bool {
    if let Op::Loop { form: LoopForm::While { cond }, .. } = &bind.op {
        return !cond.body.has_effect();
    }
    let has_count = bind.op.steps().is_some() || matches!(bind.op, Op::Loop { .. });
    let makes_scalars = || bind.vars.iter().all(|&var| tables.vars[var].ty.rank() == 1);
    has_count
        && (matches!(bind.op, Op::Fold { .. } | Op::Loop { .. })
            || matches!(bind.op, Op::Map { .. } | Op::Generate { .. }) && makes_scalars())
}

/// The bindings that run the moved bindings and then an operation, or neither if the operation has no step.
pub(super) fn guard(bind: Bind, moved: Vec<Bind>, tables: &mut Tables) -> Vec<Bind> {
    let span = bind.span;
    let mut binds = Vec::new();
    let runs = runs(&bind, tables, &mut binds);
    let otherwise = without_steps(&bind, tables);
    let Bind { vars, op, .. } = bind;
    let inner = copies(&vars, tables);
    let results = inner.iter().copied().map(Atom::Var).collect();
    let then = moved.into_iter().chain([Bind { vars: inner, op, span }]).collect();
    let then = Block { binds: then, results };
    binds.push(Bind { vars, op: Op::If { cond: runs, then, otherwise }, span });
    binds
}

/// Whether an operation has a step.
fn runs(bind: &Bind, tables: &mut Tables, binds: &mut Vec<Bind>) -> Atom {
    let span = bind.span;
    let mut scalar = |ty, op, binds: &mut Vec<Bind>| {
        let var = Var { name: Name::new_static(UNNAMED_SCALAR), ty: Type::Scalar(ty) };
        let var = tables.vars.push(var);
        binds.push(Bind { vars: vec![var], op, span });
        Atom::Var(var)
    };
    if let Op::Loop { form: LoopForm::While { cond }, init, .. } = &bind.op {
        let asked = Copier::new(tables).applied(cond, init);
        binds.extend(asked.binds);
        return asked.results[0];
    }
    let count = if let Op::Loop { form: LoopForm::For { count }, .. } = &bind.op {
        *count
    } else {
        match bind.op.steps() {
            Some(TripCount::Count(count)) => count,
            Some(TripCount::Of(array)) => scalar(Scalar::I64, Op::Length { array, dim: 0 }, binds),
            Some(TripCount::Pairs(..)) | None => {
                panic!("a guard is asked for before `{}`", bind.op.name())
            }
        }
    };
    scalar(Scalar::Bool, Op::bin(BinOp::Gt, count, Const::i64(0).into()), binds)
}

/// What an operation gives if it has no step.
fn without_steps(bind: &Bind, tables: &mut Tables) -> Block {
    if let Some(init) = bind.op.carried() {
        return Block { binds: Vec::new(), results: init.clone() };
    }
    let zeros = bind.vars.iter().map(|&var| Const::zero(tables.vars[var].ty.scalars()).into());
    let zeros = Block { binds: Vec::new(), results: zeros.collect() };
    let vars = copies(&bind.vars, tables);
    let mut op = bind.op.clone();
    for worker in op.workers_mut() {
        *worker = Worker { params: copies(&worker.params, tables), body: zeros.clone() };
    }
    let results = vars.iter().copied().map(Atom::Var).collect();
    Block { binds: vec![Bind { vars, op, span: bind.span }], results }
}

/// New variables like others. Scalars come first, since sizes of arrays may be their values.
fn copies(vars: &[VarId], tables: &mut Tables) -> Vec<VarId> {
    let (arrays, scalars): (Vec<_>, Vec<_>) =
        vars.iter().partition(|&&var| tables.vars[var].ty.is_array());
    let mut copier = Copier::new(tables);
    let new = scalars.into_iter().chain(arrays).map(|&var| (var, copier.fresh(var)));
    let new = new.collect::<IndexMap<_, _>>();
    vars.iter().map(|var| new[var]).collect()
}
