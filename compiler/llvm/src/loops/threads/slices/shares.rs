//! Whether the steps of a pass may change the reference counts of arrays that all of its slices read.
//!
//! Invariant: only one thread changes the reference count of a small buffer. So if steps share an array, or a call may
//! do so, and an array of the frame is in a small buffer, one thread runs all slices.
//!
//! ```text
//! loop v = ws for i < k do …, in each step   ⇒   ws is in a small buffer ? one thread : several
//! ```

use arrc_loops::concrete::{Block, Complete, Procedure, Step, Stmt, Visit, Worker};

/// Whether a step of a pass shares an array, or calls a function, which may do so.
pub(super) fn shares(pass: &Procedure) -> bool {
    let mut shares = ShareSearch { found: false };
    shares.pass(pass);
    shares.found
}

/// Looks for shares and calls.
struct ShareSearch {
    found: bool,
}

impl ShareSearch {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            self.found |= matches!(step, Step::Share { .. } | Step::Call { .. });
            step.visit(self);
        }
    }
}

impl Visit<'_, Complete> for ShareSearch {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        });
    }
}
