//! Counts of the work in a block, for the tests of structure.
//!
//! Invariant: everything inside the block is counted once, however often it runs.

use super::phase::Phase;
use super::program::{Block, Guard, Loop, Memory, Nest, Procedure, Start, Stmt, Worker};
use super::step::Step;
use super::visit::Visit;

/// The contents of a block, inner blocks included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BlockCounts {
    /// Loops.
    pub loops: u32,
    /// Allocations of memory for arrays.
    pub allocations: u32,
}

impl<P: Phase> Block<P> {
    /// The number of steps in the block and its branches. None if there is a step that is neither a choice nor one of
    /// those that count.
    pub fn number_of_steps(&self, counts: &impl Fn(&Step<P>) -> bool) -> Option<usize> {
        let number = |step: &Step<P>| match step.branches() {
            Some([then, otherwise]) => {
                Some(1 + then.number_of_steps(counts)? + otherwise.number_of_steps(counts)?)
            }
            None => counts(step).then_some(1),
        };
        self.steps.iter().map(number).sum()
    }

    /// The counts of the block.
    #[must_use]
    pub fn counts(&self) -> BlockCounts {
        let mut work = BlockCounts::default();
        work.block(self);
        work
    }
}

impl<P: Phase> Step<P> {
    /// The counts of the step.
    #[must_use]
    pub fn counts(&self) -> BlockCounts {
        let mut work = BlockCounts::default();
        work.step(self);
        work
    }
}

impl BlockCounts {
    fn block<P: Phase>(&mut self, block: &Block<P>) {
        block.steps.iter().for_each(|step| self.step(step));
    }

    fn step<P: Phase>(&mut self, step: &Step<P>) {
        self.loops += u32::from(matches!(step, Step::Loop { .. }));
        let allocates = matches!(
            step,
            Step::Append { placed: false, .. }
                | Step::Array { memory: Memory::New | Memory::Scratch | Memory::DoubleBuffer, .. }
                | Step::Sort { memory: Memory::New | Memory::Scratch | Memory::DoubleBuffer, .. }
                | Step::Copy { .. }
                | Step::Unique { .. }
        );
        self.allocations += u32::from(allocates);
        step.visit(self);
    }

    fn in_pass<P: Phase>(&mut self, procedure: &Procedure<P>) {
        for start in &procedure.start {
            match start {
                Start::NewVec {
                    memory: Memory::New | Memory::Scratch | Memory::DoubleBuffer,
                    ..
                } => self.allocations += 1,
                Start::NewVec {
                    memory: Memory::Over(_) | Memory::Row(_) | Memory::Behind(_) | Memory::Part(_),
                    ..
                }
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
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        }
    }
}

impl<P: Phase> Visit<'_, P> for BlockCounts {
    fn branch(&mut self, block: &Block<P>) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker<P>) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure<P>) {
        self.in_pass(pass);
    }
}
