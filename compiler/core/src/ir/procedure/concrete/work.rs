//! How much there is to do in a block, counted: what tests of structure look at.
//!
//! Invariant: everything inside the block counts, each place once, however often it runs.

use super::{Block, Guard, Loop, LoopForm, Memory, Nest, Phase, Procedure, Start, Step, Stmt};

/// What a block contains, the blocks inside it included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Loops.
    pub loops: u32,
    /// Places that ask for memory for an array.
    pub allocations: u32,
}

impl<P: Phase> Block<P> {
    /// What is in the block.
    #[must_use]
    pub fn work(&self) -> Work {
        let mut work = Work::default();
        work.block(self);
        work
    }
}

impl<P: Phase> Step<P> {
    /// Counts the loops and the other work of the step.
    #[must_use]
    pub fn work(&self) -> Work {
        let mut work = Work::default();
        work.step(self);
        work
    }
}

impl Work {
    fn block<P: Phase>(&mut self, block: &Block<P>) {
        block.steps.iter().for_each(|step| self.step(step));
    }

    fn step<P: Phase>(&mut self, step: &Step<P>) {
        match step {
            Step::If { then, otherwise, .. } => {
                self.block(then);
                self.block(otherwise);
            }
            Step::Loop { form, worker, .. } => {
                self.loops += 1;
                match form {
                    LoopForm::For { .. } => {}
                    LoopForm::While { cond } => self.block(&cond.body),
                }
                self.block(&worker.body);
            }
            Step::Append { .. } | Step::Array { .. } | Step::Copy { .. } | Step::Unique { .. } => {
                self.allocations += 1;
            }
            Step::Pass(procedure) => self.pass(procedure),
            Step::Un { .. }
            | Step::Bin { .. }
            | Step::Fma { .. }
            | Step::Index { .. }
            | Step::Constant { .. }
            | Step::Row { .. }
            | Step::Reshape { .. }
            | Step::Length { .. }
            | Step::Assert { .. }
            | Step::Call { .. }
            | Step::Replace { .. }
            | Step::Share { .. }
            | Step::Release { .. } => {}
        }
    }

    fn pass<P: Phase>(&mut self, procedure: &Procedure<P>) {
        for start in &procedure.start {
            match start {
                Start::NewVec { memory: Memory::New | Memory::Row(_), .. } => self.allocations += 1,
                Start::NewVec { memory: Memory::Over(_), .. }
                | Start::CheckSize { .. }
                | Start::NewAcc { .. } => {}
            }
        }
        self.nested(&procedure.nest);
    }

    fn nested<P: Phase>(&mut self, Loop { body, inner, .. }: &Loop<P>) {
        self.loops += 1;
        self.stmts(body);
        self.inner(inner);
    }

    fn inner<P: Phase>(&mut self, nests: &[Nest<P>]) {
        for nest in nests {
            match nest {
                Nest::Loop(nested) => self.nested(nested),
                Nest::Guard(Guard { body, inner, .. }) => {
                    self.stmts(body);
                    self.inner(inner);
                }
            }
        }
    }

    fn stmts<P: Phase>(&mut self, stmts: &[Stmt<P>]) {
        for stmt in stmts {
            match stmt {
                Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => {
                    self.block(&worker.body);
                }
                Stmt::Next { .. }
                | Stmt::Position { .. }
                | Stmt::Copy { .. }
                | Stmt::Read { .. }
                | Stmt::Current { .. }
                | Stmt::Reserve { .. }
                | Stmt::Write { .. } => {}
            }
        }
    }
}
