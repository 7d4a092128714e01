//! How the accumulators of two neighbouring blocks of a pass are combined.
//!
//! Each block of a sliced pass begins with neutral accumulators, unless they are carried. The results of blocks are
//! combined in a binary tree whose form depends on the number of blocks alone: `((b0 b1) (b2 b3)) (b4 b5)` for six.
//! So the result has the same bits on any number of threads.
//!
//! ```text
//! s_acc := s_acc + x                      s_acc joins by +
//! (a_acc, b_acc) := f a_acc b_acc x y     both join by f, if the fold is a reduce
//! a_acc := a_acc with [i] = a_acc[i] + x  a_acc joins by +, element by element, if the elements are integers
//! guardI (i) k_acc with p                 k_acc, which counts, joins by +, if the end of the pass reads it
//!   writeVecI i ys x                      … and is carried: a block's elements go behind those of the block before it
//! ```

use std::collections::BTreeSet;

use super::bins::{Bins, operations};
use super::fold_operations::{FoldOperation, fold_operations_outside_loops};
use super::phase::Phase;
use super::program::{End, Guard, Memory, Nest, Procedure, Start, Stmt, Worker, WrittenCount};
use super::scans::{ReadAccumulators, Scan};
use super::stmt::{VisitPlace, VisitStmt};
use arrc_fusion::cnf::{Atom, FoldOrder, Var, in_any_order};
use arrc_syntax::ids::{AccId, PrimaryMap, VarId};
use arrc_syntax::prim::BinOp;

/// The combiner of some accumulators: how those of two blocks become one.
#[derive(Clone, Debug)]
pub enum Combiner<'a, P: Phase> {
    /// One accumulator is combined by an operation.
    By(AccId, BinOp),
    /// Several accumulators are combined by the worker of their update. It takes the accumulators of the first block
    /// and then those of the second block.
    Worker(&'a [AccId], &'a Worker<P>),
}

impl<P: Phase> Combiner<'_, P> {
    /// The accumulators.
    #[must_use]
    pub fn accs(&self) -> &[AccId] {
        match self {
            Self::By(acc, _) => std::slice::from_ref(acc),
            Self::Worker(accs, _) => accs,
        }
    }
}

/// How the accumulators of all blocks are combined into those of the pass.
#[derive(Clone, Debug)]
pub struct Combiners<'a, P: Phase> {
    /// The accumulators that start with neutral values in each block, and how they are combined.
    pub joins: Vec<Combiner<'a, P>>,
    /// The vectors that guards fill without gaps. The counters of these guards are carried from block to block.
    pub filled: Vec<FilledVector>,
    /// The accumulators whose values the steps use. They are carried as well.
    pub scans: Vec<Scan>,
    /// The accumulators that are arrays. Their elements join, in any order.
    pub bins: Vec<Bins>,
}

/// A vector that a guard of the outermost loop fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilledVector {
    /// The vector.
    pub vec: VarId,
    /// The counter of its elements.
    pub counter: AccId,
}

impl<P: Phase> Default for Combiners<'_, P> {
    fn default() -> Self {
        Self { joins: Vec::new(), filled: Vec::new(), scans: Vec::new(), bins: Vec::new() }
    }
}

impl<P: Phase> Combiners<'_, P> {
    /// The counters that are carried from block to block, each once.
    #[must_use]
    pub fn counters(&self) -> Vec<AccId> {
        let counters: BTreeSet<AccId> = self.filled.iter().map(|filled| filled.counter).collect();
        counters.into_iter().collect()
    }
}

impl<P: Phase> Procedure<P> {
    /// How the accumulators are combined. There is no answer if a step depends on accumulators of earlier steps in
    /// another way, or if an accumulator cannot be regrouped.
    #[must_use]
    pub fn combiners<'a>(&'a self, vars: &'a PrimaryMap<VarId, Var>) -> Option<Combiners<'a, P>> {
        let (combiners, seen) = (Combiners::default(), ReadAccumulators::of(self));
        let mut joins = CombinerAnalysis { pass: self, vars, seen, combiners, is_ordered: false };
        self.nest.for_each_stmt(&mut |stmt| joins.stmt(stmt));
        self.nest.variants().for_each(|(_, inner)| joins.nests(inner, GuardDepth::Outermost));
        joins.scans();
        (!joins.is_ordered).then_some(joins.combiners)
    }

    /// Whether the last value of a counter is a result, or the length of one.
    fn is_read(&self, of: AccId) -> bool {
        self.end.iter().any(|end| match end {
            End::Read { acc, .. } => *acc == of,
            End::Slice { length, .. } => counter(length) == Some(of),
        })
    }

    /// The counter of the elements of a vector that has memory of its own. There is none if the whole vector is
    /// written.
    fn counter_of(&self, vec: VarId) -> Option<AccId> {
        let is_new = |start: &Start<P>| matches!(start, Start::NewVec { vec: new, memory: Memory::New, .. } if *new == vec);
        let length = self.end.iter().find_map(|end| match end {
            End::Slice { vec: cut, length } => (*cut == vec).then_some(length),
            End::Read { .. } => None,
        });
        self.start.iter().any(is_new).then(|| counter(length?))?
    }
}

/// The counter of the written elements or rows.
fn counter(written: &WrittenCount) -> Option<AccId> {
    match written {
        WrittenCount::All => None,
        WrittenCount::Counted(counter) => Some(*counter),
        WrittenCount::Rows(rows, _) => counter(rows),
    }
}

/// The place of a guard.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GuardDepth {
    /// In the outermost loop: a step enters it once at most.
    Outermost,
    /// In a loop of a step.
    Inner,
}

/// The accumulators of a pass that were found so far.
struct CombinerAnalysis<'a, P: Phase> {
    pass: &'a Procedure<P>,
    vars: &'a PrimaryMap<VarId, Var>,
    /// The accumulators whose values the steps use.
    seen: ReadAccumulators,
    combiners: Combiners<'a, P>,
    /// Whether an accumulator cannot be combined.
    is_ordered: bool,
}

impl<'a, P: Phase> CombinerAnalysis<'a, P> {
    fn stmt(&mut self, stmt: &'a Stmt<P>) {
        match stmt {
            Stmt::Update { accs, order, worker, .. } => {
                if accs.iter().any(|&acc| self.pass.accs[acc].ty.is_array()) {
                    return self.bins(accs, *order, worker);
                }
                match self.update(accs, *order, worker) {
                    Some(joins) => joins.into_iter().for_each(|join| self.add(join)),
                    None => self.is_ordered = true,
                }
            }
            Stmt::Reserve { .. } => self.is_ordered = true,
            Stmt::Current { .. }
            | Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Apply { .. }
            | Stmt::Read { .. }
            | Stmt::Write { .. } => {}
        }
    }

    /// Makes scans of the accumulators whose values the steps use. One operation must change each of them.
    fn scans(&mut self) {
        self.is_ordered |= self.seen.is_ordered;
        for &acc in &self.seen.accs {
            let joins = &mut self.combiners.joins;
            let by = |join: &Combiner<'_, P>| matches!(join, Combiner::By(of, _) if *of == acc);
            let Some(at) = joins.iter().position(by) else {
                self.is_ordered = true;
                return;
            };
            let (Combiner::By(_, op), Some(ty)) =
                (joins.remove(at), self.pass.accs[acc].ty.as_scalar())
            else {
                unreachable!("an accumulator that joins by an operation is a scalar");
            };
            let is_exact = in_any_order(op, ty, FoldOrder::Strict);
            self.combiners.scans.push(Scan { acc, op, is_exact });
        }
    }

    fn update(
        &self,
        accs: &'a [AccId],
        order: FoldOrder,
        worker: &'a Worker<P>,
    ) -> Option<Vec<Combiner<'a, P>>> {
        let types: Option<Vec<_>> =
            accs.iter().map(|&acc| self.pass.accs[acc].ty.as_scalar()).collect();
        let types = types?;
        if let Some(folds) = fold_operations_outside_loops(worker, accs.len()) {
            let each = accs.iter().zip(&types).zip(&folds);
            let join = |((&acc, &ty), fold): ((&AccId, _), &FoldOperation)| {
                in_any_order(fold.op, ty, order).then_some(Combiner::By(acc, fold.op))
            };
            return each.map(join).collect();
        }
        let type_of = |&param: &VarId| self.vars[param].ty.as_scalar();
        let of_elems = worker.params[accs.len()..].iter().map(type_of);
        let is_alike = of_elems.eq(types.iter().map(|&ty| Some(ty)));
        (order != FoldOrder::Strict && is_alike).then(|| vec![Combiner::Worker(accs, worker)])
    }

    /// An update of several accumulators. At least one of them is an array.
    fn bins(&mut self, accs: &'a [AccId], order: FoldOrder, worker: &Worker<P>) {
        let Some(ops) = operations(worker, accs.len()) else {
            self.is_ordered = true;
            return;
        };
        for (&acc, op) in accs.iter().zip(ops) {
            let ty = &self.pass.accs[acc].ty;
            if !ty.is_array() && in_any_order(op, ty.scalars(), order) {
                self.add(Combiner::By(acc, op));
            } else if in_any_order(op, ty.scalars(), FoldOrder::Strict) {
                self.add_bins(Bins { acc, op });
            } else {
                self.is_ordered = true;
            }
        }
    }

    fn add_bins(&mut self, bins: Bins) {
        let found = &mut self.combiners.bins;
        match found.iter().find(|other| other.acc == bins.acc) {
            None => found.push(bins),
            Some(other) => self.is_ordered |= *other != bins,
        }
    }

    /// Adds a way to combine accumulators. Several ranges of a loop may update the same accumulators.
    fn add(&mut self, join: Combiner<'a, P>) {
        let same = |other: &Combiner<'_, P>| match (&join, other) {
            (Combiner::By(acc, op), Combiner::By(other, of_other)) => {
                acc == other && op == of_other
            }
            (Combiner::Worker(accs, _), Combiner::Worker(others, _)) => accs == others,
            (Combiner::By(..), Combiner::Worker(..)) | (Combiner::Worker(..), Combiner::By(..)) => {
                false
            }
        };
        let found = &mut self.combiners.joins;
        if found.iter().any(same) {
            return;
        }
        let meets =
            |other: &Combiner<'_, P>| other.accs().iter().any(|acc| join.accs().contains(acc));
        self.is_ordered |= found.iter().any(meets);
        found.push(join);
    }

    fn nests(&mut self, inner: &'a [Nest<P>], depth: GuardDepth) {
        for nest in inner {
            match nest {
                Nest::Loop(nest) => {
                    nest.variants().for_each(|(_, inner)| self.nests(inner, GuardDepth::Inner));
                }
                Nest::Guard(guard) => {
                    self.guard(guard, depth);
                    self.nests(&guard.inner, depth);
                }
            }
        }
    }

    fn guard(&mut self, guard: &'a Guard<P>, depth: GuardDepth) {
        let mut uses = IndexUses { index: guard.index, vecs: BTreeSet::new(), is_value: false };
        uses.guard(guard);
        if !uses.is_value && uses.vecs.is_empty() {
            if self.pass.is_read(guard.counter) || self.seen.accs.contains(&guard.counter) {
                self.add(Combiner::By(guard.counter, BinOp::Add));
            }
            return;
        }
        let is_filled = |vec: &VarId| self.pass.counter_of(*vec) == Some(guard.counter);
        self.is_ordered |=
            depth == GuardDepth::Inner || uses.is_value || !uses.vecs.iter().all(is_filled);
        for vec in uses.vecs {
            let filled = FilledVector { vec, counter: guard.counter };
            if !self.combiners.filled.contains(&filled) {
                self.combiners.filled.push(filled);
            }
        }
    }
}

/// The uses of the position in a guard's rate.
struct IndexUses {
    index: VarId,
    /// The vectors that are written at the position.
    vecs: BTreeSet<VarId>,
    /// Whether the position is used as a value, or for a read.
    is_value: bool,
}

impl IndexUses {
    fn guard<P: Phase>(&mut self, guard: &Guard<P>) {
        guard.body.iter().for_each(|stmt| self.stmt(stmt));
        guard.inner.iter().for_each(|nest| self.nest(nest));
    }

    fn nest<P: Phase>(&mut self, nest: &Nest<P>) {
        match nest {
            Nest::Loop(nest) => {
                nest.for_each_stmt(&mut |stmt| self.stmt(stmt));
                nest.variants().flat_map(|(_, inner)| inner).for_each(|nest| self.nest(nest));
            }
            Nest::Guard(guard) => self.guard(guard),
        }
    }

    fn stmt<P: Phase>(&mut self, stmt: &Stmt<P>) {
        let mut mentions = MentionsIndex { index: self.index, is_found: false };
        stmt.visit(&mut mentions);
        if !mentions.is_found {
            return;
        }
        if let Stmt::Write { vec, elem, .. } = stmt
            && *elem != Atom::Var(self.index)
        {
            self.vecs.insert(*vec);
        } else {
            self.is_value = true;
        }
    }
}

/// Whether a statement mentions a position.
struct MentionsIndex {
    index: VarId,
    is_found: bool,
}

impl VisitPlace<'_> for MentionsIndex {
    fn index(&mut self, index: &VarId) {
        self.is_found |= *index == self.index;
    }

    fn atom(&mut self, atom: &Atom) {
        self.is_found |= *atom == Atom::Var(self.index);
    }
}

impl<P: Phase> VisitStmt<'_, P> for MentionsIndex {
    fn worker(&mut self, worker: &Worker<P>) {
        worker.body.for_each_atom(&mut |atom| self.atom(atom));
    }
}
