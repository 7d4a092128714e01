//! How the accumulators of two neighbouring blocks of a pass become those of both together.
//!
//! Each block of a sliced pass begins with neutral accumulators. What blocks give is combined in a binary tree whose form
//! depends on the number of blocks alone: `((b0 b1) (b2 b3)) (b4 b5)` for six. So the result has the same bits whoever
//! runs the blocks.
//!
//! ```text
//! s_acc := s_acc + x                      s_acc joins by +
//! (a_acc, b_acc) := f a_acc b_acc x y     both join by f, if the fold is a reduce
//! guardI (i) k_acc with p                 k_acc, which counts, joins by + unless i is used
//! ```

use std::collections::BTreeSet;

use super::{
    Guard, Nest, Phase, Procedure, Separate, Stmt, VisitPlace, VisitStmt, Worker, in_any_order,
    separate,
};
use crate::ids::{AccId, PrimaryMap, VarId};
use crate::ir::cnf::{Order, Var};
use crate::prim::BinOp;

/// How some accumulators join.
#[derive(Clone, Debug)]
pub enum Join<'a, P: Phase> {
    /// One accumulator, by an operation.
    By(AccId, BinOp),
    /// Accumulators, by the worker of their update: it takes those of the first block and then those of the second.
    Worker(&'a [AccId], &'a Worker<P>),
}

impl<P: Phase> Join<'_, P> {
    /// The accumulators.
    #[must_use]
    pub fn accs(&self) -> &[AccId] {
        match self {
            Self::By(acc, _) => std::slice::from_ref(acc),
            Self::Worker(accs, _) => accs,
        }
    }
}

impl<P: Phase> Procedure<P> {
    /// How each accumulator joins; none if steps depend on accumulators of the steps before them, or cannot be
    /// regrouped.
    #[must_use]
    pub fn joins<'a>(&'a self, vars: &'a PrimaryMap<VarId, Var>) -> Option<Vec<Join<'a, P>>> {
        let mut joins = Joins { pass: self, vars, found: Vec::new(), is_ordered: false };
        self.nest.for_each_stmt(&mut |stmt| joins.stmt(stmt));
        let ranges = self.nest.ranges.iter().map(|range| &range.inner);
        std::iter::once(&self.nest.inner).chain(ranges).for_each(|inner| joins.nests(inner));
        (!joins.is_ordered).then_some(joins.found)
    }
}

/// What has been found of a pass.
struct Joins<'a, P: Phase> {
    pass: &'a Procedure<P>,
    vars: &'a PrimaryMap<VarId, Var>,
    found: Vec<Join<'a, P>>,
    /// Whether an accumulator does not join.
    is_ordered: bool,
}

impl<'a, P: Phase> Joins<'a, P> {
    fn stmt(&mut self, stmt: &'a Stmt<P>) {
        match stmt {
            Stmt::Update { accs, order, worker, .. } => match self.update(accs, *order, worker) {
                Some(joins) => joins.into_iter().for_each(|join| self.add(join)),
                None => self.is_ordered = true,
            },
            Stmt::Current { .. } | Stmt::Reserve { .. } => self.is_ordered = true,
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Apply { .. }
            | Stmt::Read { .. }
            | Stmt::Write { .. } => {}
        }
    }

    fn update(
        &self,
        accs: &'a [AccId],
        order: Order,
        worker: &'a Worker<P>,
    ) -> Option<Vec<Join<'a, P>>> {
        let types: Option<Vec<_>> =
            accs.iter().map(|&acc| self.pass.accs[acc].ty.as_scalar()).collect();
        let types = types?;
        if let Some(folds) = separate(worker, accs.len()) {
            let each = accs.iter().zip(&types).zip(&folds);
            let join = |((&acc, &ty), fold): ((&AccId, _), &Separate)| {
                in_any_order(fold.op, ty, order).then_some(Join::By(acc, fold.op))
            };
            return each.map(join).collect();
        }
        let type_of = |&param: &VarId| self.vars[param].ty.as_scalar();
        let of_elems = worker.params[accs.len()..].iter().map(type_of);
        let is_alike = of_elems.eq(types.iter().map(|&ty| Some(ty)));
        (order != Order::Strict && is_alike).then(|| vec![Join::Worker(accs, worker)])
    }

    /// Ranges of a loop may have updates of the same accumulators.
    fn add(&mut self, join: Join<'a, P>) {
        let same = |other: &Join<'_, P>| match (&join, other) {
            (Join::By(acc, op), Join::By(other, of_other)) => acc == other && op == of_other,
            (Join::Worker(accs, _), Join::Worker(others, _)) => accs == others,
            (Join::By(..), Join::Worker(..)) | (Join::Worker(..), Join::By(..)) => false,
        };
        if self.found.iter().any(same) {
            return;
        }
        let meets = |other: &Join<'_, P>| other.accs().iter().any(|acc| join.accs().contains(acc));
        self.is_ordered |= self.found.iter().any(meets);
        self.found.push(join);
    }

    fn nests(&mut self, inner: &'a [Nest<P>]) {
        for nest in inner {
            match nest {
                Nest::Loop(nest) => {
                    self.nests(&nest.inner);
                    nest.ranges.iter().for_each(|range| self.nests(&range.inner));
                }
                Nest::Guard(guard) => {
                    self.is_ordered |= is_used(guard);
                    self.add(Join::By(guard.counter, BinOp::Add));
                    self.nests(&guard.inner);
                }
            }
        }
    }
}

/// Whether the position in a guard's rate is used.
fn is_used<P: Phase>(guard: &Guard<P>) -> bool {
    let mut positions = Positions::default();
    guard.body.iter().for_each(|stmt| stmt.visit(&mut positions));
    let mut nests: Vec<&Nest<P>> = guard.inner.iter().collect();
    while let Some(nest) = nests.pop() {
        match nest {
            Nest::Loop(inner) => {
                inner.for_each_stmt(&mut |stmt| stmt.visit(&mut positions));
                nests.extend(&inner.inner);
            }
            Nest::Guard(inner) => {
                inner.body.iter().for_each(|stmt| stmt.visit(&mut positions));
                nests.extend(&inner.inner);
            }
        }
    }
    positions.0.contains(&guard.index)
}

/// The counters in positions.
#[derive(Default)]
struct Positions(BTreeSet<VarId>);

impl VisitPlace<'_> for Positions {
    fn index(&mut self, index: &VarId) {
        self.0.insert(*index);
    }
}

impl<P: Phase> VisitStmt<'_, P> for Positions {}
