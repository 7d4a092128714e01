//! The order in which folds in the steps of a loop combine floats.
//!
//! LLVM may vectorise the loop of a `reduce` in a step, which changes the order of its additions. If several steps run
//! at once, each lane keeps the order of its step. So the bits of a result would depend on whether its step runs in a
//! vector.

use arrc_fusion::cnf::FoldOrder;
use arrc_loops::concrete::{Block, Complete, Procedure, Stmt, Visit, Worker};

use crate::loops::pass::Steps;
use crate::loops::pass::stmts;

/// Whether the steps of a loop contain folds of floats whose order is free.
pub(in crate::loops) fn reassociates(run: Steps<'_, '_>) -> bool {
    let mut folds = FreeFolds { are_free: false };
    stmts(run).into_iter().for_each(|stmt| folds.stmt(stmt));
    folds.are_free
}

/// Looks for such folds in blocks.
struct FreeFolds {
    are_free: bool,
}

impl FreeFolds {
    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
            self.block(&worker.body);
        }
    }

    fn block(&mut self, block: &Block) {
        block.steps.iter().for_each(|step| step.visit(self));
    }
}

impl Visit<'_, Complete> for FreeFolds {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Update { accs, order, .. } = stmt {
                let mut types = accs.iter().map(|&acc| &pass.accs[acc].ty);
                let has_floats = types.any(|ty| ty.as_scalar().is_some_and(|ty| ty.is_float()));
                self.are_free |= *order != FoldOrder::Strict && has_floats;
            }
            self.stmt(stmt);
        });
    }
}
