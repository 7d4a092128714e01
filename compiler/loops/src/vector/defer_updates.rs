//! Updates of arrays that wait for expensive operations go into a guard that always holds.
//!
//! The lowering runs a guard behind a strip of steps. So the expensive operations run in vectors, and only the updates
//! run one after the other (loop distribution). Where an update computes such an operation itself, and needs no
//! accumulator for it, a statement of its own does so before the update.
//!
//! Invariant: the updates stay in their order, and no statement of a step reads the arrays that they change. Of the
//! operations of a step that can fail, the first that fails stays the first.
//!
//! ```text
//! x = next i xs; k = x % n; bins := bins with [k] …
//! ⇒ x = next i xs; k = x % n; guard (j) c with true { bins := bins with [k] … }
//! ```

use std::collections::BTreeMap;

use crate::concrete::def_use::{defines, uses, uses_in};
use crate::concrete::{
    Block, Complete, Guard, Loop, Names, Nest, Procedure, Program, Start, Step, Stmt, Worker,
};
use crate::procedure::Acc;
use arrc_fusion::cnf::{Atom, Operation, Type, Var};
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Cost, Scalar, Trap};

/// Defers the updates of all passes that are in no step of another one.
#[must_use]
pub fn defer(mut program: Program) -> Program {
    for function in program.functions.values_mut() {
        let tables = &mut function.tables;
        defer_in(&mut function.body, tables);
    }
    program
}

fn defer_in(block: &mut Block, tables: &mut Tables) {
    for step in &mut block.steps {
        if let Step::Pass(pass) = step {
            defer_updates(pass, tables);
        } else if let Step::Loop { worker, .. } = step {
            defer_in(&mut worker.body, tables);
        } else if let Step::If { then, otherwise, .. } = step {
            defer_in(then, tables);
            defer_in(otherwise, tables);
        }
    }
}

/// Moves the updates of a pass behind a guard, if they change arrays that no step reads, and the rest of a step is
/// expensive.
fn defer_updates(pass: &mut Procedure, tables: &mut Tables) {
    let Some(nest) = innermost(&mut pass.nest) else { return };
    let is_deferred = |stmt: &Stmt| matches!(stmt, Stmt::Update { accs, .. } if accs.iter().all(|acc| pass.accs[*acc].ty.is_array()));
    let is_read =
        |stmt: &Stmt| matches!(stmt, Stmt::Current { acc, .. } if pass.accs[*acc].ty.is_array());
    if !nest.body.iter().any(is_deferred) || nest.body.iter().any(is_read) {
        return;
    }
    let computes =
        |stmt: &Stmt| is_deferred(stmt) && !expensive_part(stmt, &tables.vars).is_empty();
    if !nest.body.iter().any(|stmt| is_expensive(stmt, &tables.vars) || computes(stmt)) {
        return;
    }
    let (body, rest) = std::mem::take(&mut nest.body)
        .into_iter()
        .flat_map(|stmt| if is_deferred(&stmt) { split_update(stmt, tables) } else { vec![stmt] })
        .partition(is_deferred);
    nest.body = rest;
    let number = Type::Scalar(Scalar::I64);
    let index = tables.vars.push(Var { name: Name::new_static("update_ix"), ty: number.clone() });
    let counter = pass.accs.push(Acc { name: Name::new_static("updates_acc"), ty: number });
    let init = Atom::Const(Const::i64(0));
    pass.start.push(Start::NewAcc { acc: counter, init });
    let flag = Atom::Const(Const::bool(true));
    let guard = Guard { index, counter, flag, body, inner: Vec::new(), release: Vec::new() };
    nest.inner.push(Nest::Guard(guard));
}

/// The innermost loop, if each loop has no ranges and nothing but the next one inside it. The updates of a step of a
/// loop around it come before those of the inner loop, as they did.
fn innermost(nest: &mut Loop) -> Option<&mut Loop> {
    if !nest.ranges.is_empty() || !nest.release.is_empty() {
        return None;
    }
    match nest.inner.as_slice() {
        [] => Some(nest),
        [Nest::Loop(_)] => {
            let Some(Nest::Loop(inner)) = nest.inner.first_mut() else { return None };
            innermost(inner)
        }
        [_, ..] => None,
    }
}

/// The operations of an update that are expensive and need no accumulator, and those on which they depend. An operation
/// that can fail is among them only if no other step that can fail comes before it.
fn expensive_part(stmt: &Stmt, vars: &PrimaryMap<VarId, Var>) -> Vec<VarId> {
    let Stmt::Update { accs, worker, .. } = stmt else { return Vec::new() };
    let (carried, elems) = worker.params.split_at(accs.len());
    let mut own = elems.to_vec();
    own.extend(worker.body.steps.iter().flat_map(defines));
    let mut stays = carried.to_vec();
    let mut may_fail_before = false;
    // The operations that can be computed before, each with the variables that it needs and whether it is expensive.
    let mut early = Vec::new();
    for step in &worker.body.steps {
        let needs = uses(step);
        let operation = step.operation().filter(|_| !needs.iter().any(|var| stays.contains(var)));
        let operation = operation.filter(|(_, op)| !op.fails(vars) || !may_fail_before);
        if let Some((var, operation)) = operation {
            early.push((var, needs, is_expensive_operation(operation, &own, vars)));
        } else {
            may_fail_before |= !step.is_total(vars);
            stays.extend(defines(step));
        }
    }
    let mut part = Vec::new();
    let mut needed = Vec::new();
    for (var, needs, is_dear) in early.into_iter().rev() {
        if is_dear || needed.contains(&var) {
            part.push(var);
            needed.extend(needs);
        }
    }
    part
}

/// An update whose expensive part is a statement of its own before it.
///
/// ```text
/// bins := (\bins x -> { k = x % n; bins with [k] … }) bins x   ⇒   k = (\x -> { k = x % n }) x; bins := (\bins k -> …) bins k
/// ```
fn split_update(mut stmt: Stmt, tables: &mut Tables) -> Vec<Stmt> {
    let part = expensive_part(&stmt, &tables.vars);
    let Stmt::Update { accs, worker, args, .. } = &mut stmt else { return vec![stmt] };
    if part.is_empty() {
        return vec![stmt];
    }
    let is_early = |step: &Step| step.operation().is_some_and(|(var, _)| part.contains(&var));
    let (mut early, late): (Vec<Step>, Vec<Step>) =
        std::mem::take(&mut worker.body.steps).into_iter().partition(is_early);
    worker.body.steps = late;
    let used = uses_in(worker);
    let results: Vec<VarId> =
        early.iter().flat_map(defines).filter(|var| used.contains(var)).collect();
    let needed: Vec<VarId> = early.iter().flat_map(uses).collect();
    let given = worker.params[accs.len()..].iter().zip(&*args);
    let given: Vec<(VarId, Atom)> =
        given.filter(|(param, _)| needed.contains(param)).map(|(var, arg)| (*var, *arg)).collect();
    // The update keeps its names, so that the statement before it has new ones.
    let mut copies = BTreeMap::new();
    let own = given.iter().map(|(param, _)| *param).chain(part);
    for var in own {
        copies.insert(var, tables.vars.push(tables.vars[var].clone()));
    }
    early.iter_mut().for_each(|step| step.rename(&mut copies));
    let body = Block {
        steps: early,
        results: results.iter().map(|result| Atom::Var(copies[result])).collect(),
    };
    let params = given.iter().map(|(param, _)| copies[param]).collect();
    let elems: Vec<VarId> =
        results.iter().map(|result| tables.vars.push(tables.vars[*result].clone())).collect();
    let (carried, own) = worker.params.split_at(accs.len());
    let kept = own.iter().zip(&*args).filter(|(param, _)| used.contains(*param));
    let (kept, kept_args): (Vec<VarId>, Vec<Atom>) = kept.map(|(var, arg)| (*var, *arg)).unzip();
    worker.params = [carried, &kept, &results].concat();
    *args = kept_args.into_iter().chain(elems.iter().map(|elem| Atom::Var(*elem))).collect();
    let before = Stmt::Apply {
        elems,
        worker: Worker { params, body },
        args: given.into_iter().map(|(_, arg)| arg).collect(),
    };
    vec![before, stmt]
}

/// Operations have new names for some of the variables that they use and bind.
impl Names<Complete> for BTreeMap<VarId, VarId> {
    fn var(&self, var: VarId) -> VarId {
        self.get(&var).copied().unwrap_or(var)
    }

    fn bound(&mut self, var: VarId) -> VarId {
        Names::var(self, var)
    }
}

/// Whether a statement computes with an operation that takes less time for several steps together, or has a loop, whose
/// iterations the lanes of several steps run together.
fn is_expensive(stmt: &Stmt, vars: &PrimaryMap<VarId, Var>) -> bool {
    let Stmt::Apply { worker, .. } = stmt else { return false };
    let mut own = worker.params.clone();
    own.extend(worker.body.steps.iter().flat_map(defines));
    worker.body.steps.iter().any(|step| {
        let is_loop = matches!(step, Step::Loop { vars: made, .. } if made.iter().all(|var| !vars[*var].ty.is_array()));
        let expensive = |(_, operation)| is_expensive_operation(operation, &own, vars);
        is_loop || step.operation().is_some_and(expensive)
    })
}

/// Whether an operation is elementary, or a division of integers by a number that is the same in all steps.
fn is_expensive_operation(
    operation: Operation,
    own: &[VarId],
    vars: &PrimaryMap<VarId, Var>,
) -> bool {
    let divides_by_same = operation.binary().is_some_and(|(op, [left, right])| {
        let divides = op.trap(left.ty(vars).scalars()) == Some(Trap::DivisionByZero);
        divides && matches!(right, Atom::Var(by) if !own.contains(&by))
    });
    divides_by_same || operation.cost(vars) == Cost::Elementary
}
