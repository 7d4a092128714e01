//! The functions that a program calls itself.
//!
//! Invariant: an entry that is none of them is called from outside only.
//!
//! ```text
//! entry f x = g x; entry g x = x + 1   ⇒   {g}
//! ```

use std::collections::BTreeSet;

use super::phase::Complete;
use super::program::{Block, Procedure, Program, Stmt, Worker};
use super::step::Step;
use super::visit::Visit;
use arrc_fusion::cnf::Callee;
use arrc_syntax::ids::FuncId;

impl Program {
    /// The functions that functions of the program call.
    pub(super) fn called_functions(&self) -> BTreeSet<FuncId> {
        let mut called = CalledFunctions::default();
        self.functions.values().for_each(|function| called.block(&function.body));
        called.0
    }
}

/// The functions that blocks call.
#[derive(Default)]
struct CalledFunctions(BTreeSet<FuncId>);

impl CalledFunctions {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            if let Step::Call { callee: Callee::Function(id), .. } = step {
                self.0.insert(*id);
            }
            step.visit(self);
        }
    }
}

impl Visit<'_, Complete> for CalledFunctions {
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
