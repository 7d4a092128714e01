//! The accesses of all passes of a function.
//!
//! Invariant: passes are in the order of the text. The passes in the steps of a pass belong to it.
//!
//! ```text
//! { pass p …; ys = if c then { pass q … } else { … } }      p, q
//! ```

use arrc_fusion::cnf::Var;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use indexmap::IndexMap;

use super::{Accesses, Context};
use crate::concrete::{Block, Function, LoopForm, Phase, Step, Visit, Worker};

/// The accesses of each pass of a function that is in no step of another pass, with its name.
#[must_use]
pub fn of_function<P: Phase>(function: &Function<P>) -> Vec<(Name, Accesses)> {
    let mut passes =
        Passes { vars: &function.tables.vars, context: Context::default(), found: Vec::new() };
    passes.block(&function.body);
    passes.found
}

/// The rows, views and other names of arrays of a function, each with the array or name that it comes from.
#[must_use]
pub fn names<P: Phase>(function: &Function<P>) -> IndexMap<VarId, VarId> {
    let mut names = ViewNames(IndexMap::new());
    names.block(&function.body);
    names.0.extend(of_function(function).into_iter().flat_map(|(_, accesses)| accesses.names));
    names.0
}

/// The views that blocks bind outside of passes.
struct ViewNames(IndexMap<VarId, VarId>);

impl ViewNames {
    fn block<P: Phase>(&mut self, block: &Block<P>) {
        for step in &block.steps {
            self.0.extend(step.view());
            step.visit(self);
        }
    }
}

impl<'a, P: Phase> Visit<'a, P> for ViewNames {
    fn branch(&mut self, block: &'a Block<P>) {
        self.block(block);
    }

    fn worker(&mut self, worker: &'a Worker<P>) {
        self.block(&worker.body);
    }
}

struct Passes<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    context: Context<'a>,
    found: Vec<(Name, Accesses)>,
}

impl Passes<'_> {
    fn block<P: Phase>(&mut self, block: &Block<P>) {
        block.steps.iter().for_each(|step| self.step(step));
    }

    fn step<P: Phase>(&mut self, step: &Step<P>) {
        self.context.note_step(step, self.vars);
        if let Step::Pass(pass) = step {
            let accesses = Accesses::of_pass(pass, &self.context, self.vars);
            self.found.push((pass.name.clone(), accesses));
        } else if let Step::Loop { form, worker, .. } = step {
            if let LoopForm::While { cond } = form {
                self.block(&cond.body);
            }
            self.block(&worker.body);
        } else {
            step.branches().into_iter().flatten().for_each(|branch| self.block(branch));
        }
    }
}
