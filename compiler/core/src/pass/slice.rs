//! Marks the passes whose steps may run in slices at the same time.
//!
//! A pass is sliced if its steps do not depend on each other: each writes elements of its own, and the accumulators of
//! blocks of steps join ([`Procedure::joins`]). The size of a block is a constant of the pass. So slices, and the tree in
//! which blocks are combined, depend on the number of steps and on nothing else.
//!
//! Invariant: only passes of function bodies, branches and bodies of loops are sliced; a pass in the step of another runs
//! in the thread of that step. A sliced pass calls no function of C, which may have effects.
//!
//! ```text
//! loopI (i : i64) (length xs) start { s_acc = newAcc 0.0 } body { …; s_acc := s_acc + x } …
//! ⇒ loopI (i : i64) (length xs) sliced 4096 …
//! ```

use crate::ids::{FuncId, PrimaryMap, SecondaryMap, VarId};
use crate::ir::cnf::{Atom, Callee, Order, Var};
use crate::ir::procedure::concrete::{
    Block, Complete, Cost, Join, Length, Procedure, Program, Slices, Step, Stmt, Visit, Worker,
    in_any_order,
};

/// The steps of a block in which accumulators are combined in the order of the pass. More steps make the result of a sum no
/// faster, and fewer make it slower: 0.91 of the speed for 1024.
const COMBINED: u32 = 4096;
/// The same where the order makes no difference to the result, as for integers. A short block would cost more than its steps.
const EXACT: u32 = 32_768;
/// The same where a step has loops of its own.
const NESTED: u32 = 64;
/// The steps of a block without accumulators: whole cache lines of elements.
const LINES: u32 = 64;
/// Accumulators of a sliced pass: those of all levels of the tree are in the frame of the caller.
const ACCS: usize = 16;
/// Passes that take less time, in picoseconds, are not worth a second thread.
const LEAST: u64 = 10_000_000;

/// Marks the passes.
#[must_use]
pub fn slice(mut program: Program) -> Program {
    let effects = effects(&program);
    for function in program.functions.values_mut() {
        Marks { vars: &function.tables.vars, effects: &effects }.block(&mut function.body);
    }
    program
}

/// The functions that call functions of C, themselves or through others.
fn effects(program: &Program) -> SecondaryMap<FuncId, bool> {
    let mut effects = SecondaryMap::new();
    loop {
        let before = effects.clone();
        for (id, function) in program.functions.iter() {
            effects[id] = has_effects(&function.body, &before);
        }
        if effects == before {
            return effects;
        }
    }
}

fn has_effects(block: &Block, effects: &SecondaryMap<FuncId, bool>) -> bool {
    let mut calls = Calls { effects, found: false };
    calls.block(block);
    calls.found
}

/// Looks for calls of functions of C.
struct Calls<'a> {
    effects: &'a SecondaryMap<FuncId, bool>,
    found: bool,
}

impl Calls<'_> {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            if let Step::Call { callee, .. } = step {
                self.found |= match callee {
                    Callee::External(_) => true,
                    Callee::Function(function) => self.effects[*function],
                };
            }
            step.visit(self);
        }
    }

    fn steps(&mut self, pass: &Procedure) {
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        });
    }
}

impl Visit<'_, Complete> for Calls<'_> {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        self.steps(pass);
    }
}

/// The passes of one function.
struct Marks<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    effects: &'a SecondaryMap<FuncId, bool>,
}

impl Marks<'_> {
    fn block(&self, block: &mut Block) {
        for step in &mut block.steps {
            if let Step::Pass(pass) = step {
                pass.slices = self.slices(pass);
                continue;
            }
            if let Step::Loop { worker, .. } = step {
                self.block(&mut worker.body);
            } else if let Step::If { then, otherwise, .. } = step {
                self.block(then);
                self.block(otherwise);
            }
        }
    }

    fn slices(&self, pass: &Procedure) -> Option<Slices> {
        let joins = pass.joins(self.vars)?;
        let mut calls = Calls { effects: self.effects, found: false };
        calls.steps(pass);
        let cost = Cost::of_step(&pass.nest);
        let is_little =
            pass.nest.most.is_some() || time(pass, &cost).is_some_and(|time| time < LEAST);
        if calls.found || is_little || pass.accs.len() > ACCS {
            return None;
        }
        let block = match (joins.is_empty(), cost.loops.is_empty()) {
            (true, true) => LINES,
            (true, false) => 1,
            (false, true) if joins.iter().all(|join| self.is_exact(pass, join)) => EXACT,
            (false, true) => COMBINED,
            (false, false) => NESTED,
        };
        Some(Slices { block })
    }

    /// Whether a join gives the same in every order.
    fn is_exact(&self, pass: &Procedure, join: &Join<'_, Complete>) -> bool {
        match *join {
            Join::By(acc, op) => {
                pass.accs[acc].ty.as_scalar().is_some_and(|ty| in_any_order(op, ty, Order::Strict))
            }
            Join::Worker(..) => false,
        }
    }
}

/// The time of the whole pass in picoseconds, if that is constant.
fn time(pass: &Procedure, cost: &Cost) -> Option<u64> {
    Some(steps(&pass.nest.length)?.saturating_mul(time_of_step(cost)?))
}

fn time_of_step(cost: &Cost) -> Option<u64> {
    cost.loops.iter().try_fold(cost.own, |sum, (length, step)| {
        Some(sum.saturating_add(steps(length)?.saturating_mul(time_of_step(step)?)))
    })
}

/// A length that is constant.
fn steps(length: &Length) -> Option<u64> {
    match length {
        Length::Value(Atom::Const(value)) => u64::try_from(value.as_i128()).ok(),
        Length::Value(Atom::Var(_)) | Length::Array(_) => None,
        Length::Product(left, right) => steps(left)?.checked_mul(steps(right)?),
    }
}
