//! An estimate of the time that a step of a loop takes.
//!
//! The estimate decides when a pass is worth several threads, so a factor of two in either direction does little harm.
//!
//! ```text
//! y = nextI i ys; z = x * y + 1; writeI i zs z      500 ps
//! s = sum of a row with m elements                  … + m * 250 ps
//! ```

use super::{
    Block, Guard, Length, Loop, LoopForm, Nest, Phase, Procedure, Start, Step, Stmt, Worker,
};
use crate::ir::cnf::Operation;
use crate::prim;

/// The time of a load or a store at the position of the step, in picoseconds.
const STREAMED: u64 = 150;
/// The time of a load at another position.
const GATHERED: u64 = 600;
/// The time to allocate, copy or change an array.
const ARRAY: u64 = 50_000;
/// The time of a call of a function.
const CALL: u64 = 50_000;
/// The assumed trip count of a loop that has no counter.
const TURNS: u64 = 64;

/// The time of a step: the time of its own operations, and its inner loops.
#[derive(Clone, Default, Debug)]
pub struct Cost {
    /// Picoseconds.
    pub own: u64,
    /// The loops in the step: the trip count of each, and the cost of one step.
    pub loops: Vec<(Length, Cost)>,
}

impl Cost {
    /// The cost of a step that is in no range of its loop.
    #[must_use]
    pub fn of_step<P: Phase>(nest: &Loop<P>) -> Self {
        let mut cost = Self::default();
        cost.inside(&nest.body, &nest.inner);
        cost
    }

    fn inside<P: Phase>(&mut self, body: &[Stmt<P>], inner: &[Nest<P>]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
        for nest in inner {
            match nest {
                Nest::Loop(nest) => self.nested(nest),
                Nest::Guard(Guard { body, inner, .. }) => self.inside(body, inner),
            }
        }
    }

    fn nested<P: Phase>(&mut self, nest: &Loop<P>) {
        self.loops.push((nest.length.clone(), Self::of_step(nest)));
    }

    fn stmt<P: Phase>(&mut self, stmt: &Stmt<P>) {
        match stmt {
            Stmt::Next { .. } | Stmt::Write { placed: false, .. } => self.own += STREAMED,
            Stmt::Read { .. } => self.own += GATHERED,
            Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => self.worker(worker),
            Stmt::Reserve { .. } => self.own += ARRAY,
            Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Current { .. }
            | Stmt::Write { placed: true, .. } => {}
        }
    }

    fn worker<P: Phase>(&mut self, worker: &Worker<P>) {
        self.block(&worker.body);
    }

    fn block<P: Phase>(&mut self, block: &Block<P>) {
        block.steps.iter().for_each(|step| self.step(step));
    }

    fn step<P: Phase>(&mut self, step: &Step<P>) {
        if let Some((_, operation)) = step.operation() {
            self.own += of_operation(&operation);
            return;
        }
        match step {
            Step::Un { .. } | Step::Bin { .. } | Step::Fma { .. } => {
                unreachable!("operations have been counted")
            }
            Step::Index { .. } => self.own += GATHERED,
            Step::If { then, otherwise, .. } => {
                self.block(then);
                self.block(otherwise);
            }
            Step::Call { .. } => self.own += CALL,
            Step::Loop { form, worker, .. } => self.repeated(form, worker),
            Step::Append { .. } | Step::Array { .. } | Step::Copy { .. } | Step::Unique { .. } => {
                self.own += ARRAY;
            }
            Step::Replace { .. } => self.own += GATHERED,
            Step::Pass(pass) => self.pass(pass),
            Step::Row { .. }
            | Step::Slice { .. }
            | Step::Length { .. }
            | Step::Assert { .. }
            | Step::Constant { .. }
            | Step::Reshape { .. }
            | Step::Share { .. }
            | Step::Release { .. } => {}
        }
    }

    fn repeated<P: Phase>(&mut self, form: &LoopForm<P>, worker: &Worker<P>) {
        let mut turn = Self::default();
        turn.worker(worker);
        let count = match form {
            LoopForm::For { count } => *count,
            LoopForm::While { cond } => {
                turn.worker(cond);
                prim::Const::i64(TURNS.cast_signed()).into()
            }
        };
        self.loops.push((Length::Value(count), turn));
    }

    fn pass<P: Phase>(&mut self, pass: &Procedure<P>) {
        let makes = |start: &&Start<P>| matches!(start, Start::NewVec { .. });
        self.own += STREAMED * u64::try_from(pass.start.iter().filter(makes).count()).unwrap_or(0);
        self.nested(&pass.nest);
    }
}

fn of_operation(operation: &Operation) -> u64 {
    let cost = match operation {
        Operation::Un(op, _) => op.greatest_cost(),
        Operation::Bin(op, _) => op.greatest_cost(),
        Operation::Fma(_) => prim::Cost::Quick,
    };
    match cost {
        prim::Cost::Quick => 100,
        prim::Cost::QuickAlone | prim::Cost::Rounding => 300,
        prim::Cost::Slow => 1_500,
        prim::Cost::Elementary => 3_000,
        prim::Cost::Call => 10_000,
    }
}
