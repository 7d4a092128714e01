//! Copies of code under other names.
//!
//! Invariant: each use in the copy has the name that stands for the variable at that place, and each variable that the
//! copy binds has the name that [`Names::bound`] gives it. Passes inside steps are left alone.
//!
//! ```text
//! x = nextI i xs; y = x + n, i ↦ j   ⇒   x' = nextI j xs; y' = x' + n
//! ```

use super::length::Length;
use super::phase::Phase;
use super::program::{Block, Position, Stmt, Worker, WrittenCount};
use super::step::Step;
use super::stmt::{VisitPlaceMut, VisitStmtMut};
use super::visit::VisitMut;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::{AccId, VarId};

/// What stands for variables in a copy.
pub trait Names<P: Phase> {
    /// What stands for a variable that the code uses.
    fn var(&self, var: VarId) -> VarId;

    /// What stands for a scalar that the code uses.
    fn atom(&self, atom: Atom) -> Atom {
        match atom {
            Atom::Const(_) => atom,
            Atom::Var(var) => self.var(var).into(),
        }
    }

    /// What stands for an accumulator.
    fn acc(&self, acc: AccId) -> AccId {
        acc
    }

    /// The variable that the copy binds where the code binds this one.
    fn bound(&mut self, var: VarId) -> VarId;

    /// Renames a worker. By default, its parameters and its body are copied.
    fn worker(&mut self, worker: &mut Worker<P>)
    where
        Self: Sized,
    {
        worker.params.iter_mut().for_each(|param| *param = self.bound(*param));
        worker.body.rename(self);
    }

    /// Renames a branch. By default, it is copied.
    fn branch(&mut self, block: &mut Block<P>)
    where
        Self: Sized,
    {
        block.rename(self);
    }
}

/// Gives the names to the parts of statements and steps.
struct Renamer<'n, N, P>(&'n mut N, std::marker::PhantomData<P>);

impl<N: Names<P>, P: Phase> VisitPlaceMut<'_> for Renamer<'_, N, P> {
    fn atom(&mut self, atom: &mut Atom) {
        *atom = self.0.atom(*atom);
    }

    fn array(&mut self, array: &mut VarId) {
        *array = self.0.var(*array);
    }

    fn index(&mut self, index: &mut VarId) {
        *index = self.0.var(*index);
    }

    fn acc(&mut self, acc: &mut AccId) {
        *acc = self.0.acc(*acc);
    }
}

impl<N: Names<P>, P: Phase> VisitStmtMut<'_, P> for Renamer<'_, N, P> {
    fn vec(&mut self, vec: &mut VarId) {
        *vec = self.0.var(*vec);
    }

    fn change(&mut self, acc: &mut AccId) {
        *acc = self.0.acc(*acc);
    }

    fn worker(&mut self, worker: &mut Worker<P>) {
        self.0.worker(worker);
    }

    fn define(&mut self, elem: &mut VarId) {
        *elem = self.0.bound(*elem);
    }
}

impl<N: Names<P>, P: Phase> VisitMut<'_, P> for Renamer<'_, N, P> {
    fn atom(&mut self, atom: &mut Atom) {
        *atom = self.0.atom(*atom);
    }

    fn array(&mut self, array: &mut VarId) {
        *array = self.0.var(*array);
    }

    fn define(&mut self, var: &mut VarId) {
        *var = self.0.bound(*var);
    }

    fn branch(&mut self, block: &mut Block<P>) {
        self.0.branch(block);
    }

    fn worker(&mut self, worker: &mut Worker<P>) {
        self.0.worker(worker);
    }
}

impl<P: Phase> Block<P> {
    /// Renames the variables that the block uses and binds.
    pub fn rename(&mut self, names: &mut impl Names<P>) {
        self.steps.iter_mut().for_each(|step| step.rename(names));
        self.results.iter_mut().for_each(|result| *result = names.atom(*result));
    }
}

impl<P: Phase> Step<P> {
    /// Renames the variables that the step uses and binds.
    pub fn rename(&mut self, names: &mut impl Names<P>) {
        self.visit_mut(&mut Renamer(names, std::marker::PhantomData));
    }
}

impl<P: Phase> Stmt<P> {
    /// Renames the variables that the statement uses and binds.
    pub fn rename(&mut self, names: &mut impl Names<P>) {
        self.visit_mut(&mut Renamer(names, std::marker::PhantomData));
    }
}

/// A copy of a place or a number of elements under other names.
macro_rules! renamed {
    ($($of:ident),*) => {
        $(impl $of {
            /// The same under other names.
            #[must_use]
            pub fn renamed<P: Phase>(&self, names: &mut impl Names<P>) -> Self {
                let mut new = self.clone();
                new.visit_mut(&mut Renamer(names, std::marker::PhantomData));
                new
            }
        })*
    };
}

renamed!(Position, Length, WrittenCount);
