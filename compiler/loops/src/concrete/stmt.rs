//! The walk over statements: what each one uses, changes and binds.
//!
//! Invariant: `walk` is the only place that lists the parts of each statement, and of positions and lengths.
//!
//! ```text
//! writeVecI k1_ix ys x   ⇒   the index k1_ix, the vector ys, the atom x
//! ```

use std::collections::BTreeSet;

use super::length::Length;
use super::phase::Phase;
use super::program::{Position, Procedure, Stmt, Worker, WrittenCount};
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::{AccId, VarId};

/// Receives the parts of a position or a length.
pub trait VisitPlace<'a> {
    /// A scalar. In a statement it may also be an element that is an array.
    fn atom(&mut self, _: &'a Atom) {}
    /// An array that is read, or whose length is asked for.
    fn array(&mut self, _: &'a VarId) {}
    /// A counter of a loop, or the index of a guard.
    fn index(&mut self, _: &'a VarId) {}
    /// An accumulator that is read.
    fn acc(&mut self, _: &'a AccId) {}
}

/// As [`VisitPlace`], to change the parts.
pub trait VisitPlaceMut<'a> {
    /// A scalar. In a statement it may also be an element that is an array.
    fn atom(&mut self, _: &'a mut Atom) {}
    /// An array that is read, or whose length is asked for.
    fn array(&mut self, _: &'a mut VarId) {}
    /// A counter of a loop, or the index of a guard.
    fn index(&mut self, _: &'a mut VarId) {}
    /// An accumulator that is read.
    fn acc(&mut self, _: &'a mut AccId) {}
}

/// Receives what a statement uses, in order, and then what it binds.
pub trait VisitStmt<'a, P: Phase>: VisitPlace<'a> {
    /// A vector that is written to, or in which room is made.
    fn vec(&mut self, _: &'a VarId) {}
    /// An accumulator that is changed.
    fn change(&mut self, _: &'a AccId) {}
    /// A worker.
    fn worker(&mut self, _: &'a Worker<P>) {}
    /// An element that is bound.
    fn define(&mut self, _: &'a VarId) {}
}

/// As [`VisitStmt`], to change the parts.
pub trait VisitStmtMut<'a, P: Phase>: VisitPlaceMut<'a> {
    /// A vector that is written to, or in which room is made.
    fn vec(&mut self, _: &'a mut VarId) {}
    /// An accumulator that is changed.
    fn change(&mut self, _: &'a mut AccId) {}
    /// A worker.
    fn worker(&mut self, _: &'a mut Worker<P>) {}
    /// An element that is bound.
    fn define(&mut self, _: &'a mut VarId) {}
}

/// Gives a visitor the parts of positions, lengths and statements, for reading or for changing.
macro_rules! walk {
    ($visit:ident, $place:ident, $whole:ident, $($mut:tt)?) => {
        impl Position {
            /// Visits the parts of the position.
            pub fn $visit<'a>(&'a $($mut)? self, v: &mut impl $place<'a>) {
                match self {
                    Self::Var(index) => v.index(index),
                    Self::Product { outer, length, inner } => {
                        outer.$visit(v);
                        length.$visit(v);
                        v.index(inner);
                    }
                }
            }
        }

        impl Length {
            /// Visits the parts of the length.
            pub fn $visit<'a>(&'a $($mut)? self, v: &mut impl $place<'a>) {
                match self {
                    Self::Array(array) => v.array(array),
                    Self::Value(size) => v.atom(size),
                    Self::Product(left, right) => {
                        left.$visit(v);
                        right.$visit(v);
                    }
                }
            }
        }

        impl WrittenCount {
            /// Visits the parts of the number of elements.
            pub fn $visit<'a>(&'a $($mut)? self, v: &mut impl $place<'a>) {
                match self {
                    Self::All => {}
                    Self::Counted(acc) => v.acc(acc),
                    Self::Rows(rows, row) => {
                        rows.$visit(v);
                        row.$visit(v);
                    }
                }
            }
        }

        impl<P: Phase> Stmt<P> {
            /// Visits the parts of the statement: what it uses, changes and binds.
            pub fn $visit<'a>(&'a $($mut)? self, v: &mut impl $whole<'a, P>) {
                match self {
                    Self::Next { elem, index, array } => {
                        index.$visit(v);
                        v.array(array);
                        v.define(elem);
                    }
                    Self::Position { elem, index } => {
                        index.$visit(v);
                        v.define(elem);
                    }
                    Self::Copy { elem, from } => {
                        v.atom(from);
                        v.define(elem);
                    }
                    Self::Apply { elems, worker, args } => {
                        args.into_iter().for_each(|arg| v.atom(arg));
                        v.worker(worker);
                        elems.into_iter().for_each(|elem| v.define(elem));
                    }
                    Self::Read { elem, array, index, span: _ } => {
                        v.array(array);
                        v.atom(index);
                        v.define(elem);
                    }
                    Self::Update { accs, order: _, worker, args } => {
                        args.into_iter().for_each(|arg| v.atom(arg));
                        v.worker(worker);
                        accs.into_iter().for_each(|acc| v.change(acc));
                    }
                    Self::Current { elem, acc } => {
                        v.acc(acc);
                        v.define(elem);
                    }
                    Self::Reserve { vec, written, more } => {
                        written.$visit(v);
                        more.$visit(v);
                        v.vec(vec);
                    }
                    Self::Write { vec, index, elem, placed: _ } => {
                        index.$visit(v);
                        v.atom(elem);
                        v.vec(vec);
                    }
                }
            }
        }
    };
}

walk!(visit, VisitPlace, VisitStmt,);
walk!(visit_mut, VisitPlaceMut, VisitStmtMut, mut);

/// The elements that a statement binds.
struct BoundElements(Vec<VarId>);

impl VisitPlace<'_> for BoundElements {}

impl<P: Phase> VisitStmt<'_, P> for BoundElements {
    fn define(&mut self, elem: &VarId) {
        self.0.push(*elem);
    }
}

impl<P: Phase> Stmt<P> {
    /// The accumulators that the statement updates, as the parameters of its worker.
    #[must_use]
    pub fn carried(&self) -> &[VarId] {
        match self {
            Self::Update { accs, worker, .. } => &worker.params[..accs.len()],
            Self::Next { .. }
            | Self::Position { .. }
            | Self::Copy { .. }
            | Self::Apply { .. }
            | Self::Read { .. }
            | Self::Current { .. }
            | Self::Reserve { .. }
            | Self::Write { .. } => &[],
        }
    }

    /// The elements that the statement binds.
    #[must_use]
    pub fn defines(&self) -> Vec<VarId> {
        let mut defines = BoundElements(Vec::new());
        self.visit(&mut defines);
        defines.0
    }
}

impl<P: Phase> Procedure<P> {
    /// The vectors that grow during the pass, since their length is not known before it.
    #[must_use]
    pub fn growing(&self) -> BTreeSet<VarId> {
        let mut growing = BTreeSet::new();
        self.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Reserve { vec, .. } = stmt {
                growing.insert(*vec);
            }
        });
        growing
    }
}
