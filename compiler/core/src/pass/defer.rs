//! Updates of arrays that wait for dear operations go into a guard that always holds.
//!
//! The lowering runs a guard behind a strip of steps. So the dear operations run in vectors, and only the updates run one
//! after the other (loop distribution).
//!
//! Invariant: the updates stay in their order, and no statement of a step reads the arrays that they change.
//!
//! ```text
//! x = next i xs; k = x % n; bins := bins with [k] …
//! ⇒ x = next i xs; k = x % n; guard (j) c with true { bins := bins with [k] … }
//! ```

use crate::ids::{PrimaryMap, VarId};
use crate::ir::cnf::{Atom, Operation, Type, Var};
use crate::ir::procedure::Acc;
use crate::ir::procedure::concrete::mentions::defines;
use crate::ir::procedure::concrete::{Block, Guard, Nest, Procedure, Program, Start, Step, Stmt};
use crate::ir::tables::Tables;
use crate::names::Name;
use crate::prim::{Const, Cost, Scalar, Trap};

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

/// Moves the updates of a pass behind a guard, if they change arrays that no step reads, and the rest of a step is dear.
fn defer_updates(pass: &mut Procedure, tables: &mut Tables) {
    let nest = &pass.nest;
    let is_plain = nest.inner.is_empty() && nest.ranges.is_empty() && nest.release.is_empty();
    if !is_plain || !nest.body.iter().any(|stmt| is_dear(stmt, &tables.vars)) {
        return;
    }
    let is_deferred = |stmt: &Stmt| matches!(stmt, Stmt::Update { accs, .. } if accs.iter().all(|acc| pass.accs[*acc].ty.is_array()));
    let is_read =
        |stmt: &Stmt| matches!(stmt, Stmt::Current { acc, .. } if pass.accs[*acc].ty.is_array());
    if !nest.body.iter().any(is_deferred) || nest.body.iter().any(is_read) {
        return;
    }
    let (body, rest) = std::mem::take(&mut pass.nest.body).into_iter().partition(is_deferred);
    pass.nest.body = rest;
    let number = Type::Scalar(Scalar::I64);
    let index = tables.vars.push(Var { name: Name::new_static("update_ix"), ty: number.clone() });
    let counter = pass.accs.push(Acc { name: Name::new_static("updates_acc"), ty: number });
    let init = Atom::Const(Const::i64(0));
    pass.start.push(Start::NewAcc { acc: counter, init });
    let flag = Atom::Const(Const::bool(true));
    let guard = Guard { index, counter, flag, body, inner: Vec::new(), release: Vec::new() };
    pass.nest.inner.push(Nest::Guard(guard));
}

/// Whether a statement computes with an operation that takes less time for several steps together.
fn is_dear(stmt: &Stmt, vars: &PrimaryMap<VarId, Var>) -> bool {
    let Stmt::Apply { worker, .. } = stmt else { return false };
    let mut own = worker.params.clone();
    own.extend(worker.body.steps.iter().flat_map(defines));
    let mut operations = worker.body.steps.iter().filter_map(Step::operation);
    operations.any(|(_, operation)| is_dear_operation(operation, &own, vars))
}

/// Whether an operation is elementary, or a division of integers by a number that is the same in all steps.
fn is_dear_operation(operation: Operation, own: &[VarId], vars: &PrimaryMap<VarId, Var>) -> bool {
    match operation {
        Operation::Un(op, arg) => op.cost(arg.ty(vars).scalars()) == Cost::Elementary,
        Operation::Bin(op, [left, right]) => {
            let ty = left.ty(vars).scalars();
            let divides = op.trap(ty) == Some(Trap::DivisionByZero);
            let is_same = matches!(right, Atom::Var(by) if !own.contains(&by));
            divides && is_same || op.cost(ty) == Cost::Elementary
        }
        Operation::Fma(_) => false,
    }
}
