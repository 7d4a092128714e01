//! The variables of enclosing blocks that a binding uses.
//!
//! Invariant: a variable is bound once in its function. So a variable that a binding uses and does not bind itself,
//! at any depth, is free in it.
//!
//! ```text
//! ys = map (\x -> { s = reduce (+) c zs; t = x + s; t }) xs     uses c, zs, xs
//! ```

use indexmap::IndexSet;

use crate::cnf::{Atom, Bind, Block, Usage, Visit, Worker};
use arrc_syntax::ids::VarId;

/// The free variables of a binding, in order of appearance.
pub fn free(bind: &Bind) -> IndexSet<VarId> {
    let mut seen = FreeVars::default();
    bind.op.visit(&mut seen);
    seen.free()
}

/// The free variables that a binding needs whole, by index, or for their length. A stream is among them only if the
/// binding also uses it in such a way.
pub(crate) fn beside_streams(bind: &Bind) -> IndexSet<VarId> {
    let mut beside = BesideStreams::default();
    bind.op.visit(&mut beside);
    beside.0.free()
}

/// The free variables of a worker, in order of appearance.
pub(crate) fn free_in(worker: &Worker) -> IndexSet<VarId> {
    let mut seen = FreeVars::default();
    seen.worker(worker);
    seen.free()
}

/// The variables that are used so far, and those that are bound. The free ones are used and not bound.
#[derive(Default)]
struct FreeVars {
    used: IndexSet<VarId>,
    bound: IndexSet<VarId>,
}

impl FreeVars {
    fn free(self) -> IndexSet<VarId> {
        let Self { used, bound } = self;
        used.into_iter().filter(|var| !bound.contains(var)).collect()
    }

    fn block(&mut self, block: &Block) {
        for bind in &block.binds {
            bind.op.visit(self);
            self.bound.extend(&bind.vars);
        }
        self.used.extend(block.results.iter().filter_map(Atom::as_var));
    }
}

impl Visit<'_> for FreeVars {
    fn atom(&mut self, atom: &Atom) {
        self.used.extend(atom.as_var());
    }

    fn array(&mut self, array: &VarId, _: Usage) {
        self.used.insert(*array);
    }

    fn worker(&mut self, worker: &Worker) {
        self.bound.extend(&worker.params);
        self.block(&worker.body);
    }

    fn branch(&mut self, block: &Block) {
        self.block(block);
    }
}

/// Collects the variables that an operation uses, and ignores its uses of streams.
#[derive(Default)]
struct BesideStreams(FreeVars);

impl Visit<'_> for BesideStreams {
    fn atom(&mut self, atom: &Atom) {
        self.0.atom(atom);
    }

    fn array(&mut self, array: &VarId, usage: Usage) {
        if usage != Usage::Stream {
            self.0.array(array, usage);
        }
    }

    fn worker(&mut self, worker: &Worker) {
        self.0.worker(worker);
    }

    fn branch(&mut self, block: &Block) {
        self.0.branch(block);
    }
}
