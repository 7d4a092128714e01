//! Removes silent stores: empties the ranges of a pass that would only store the elements that are there already. Such
//! a pass writes its result in the place of an array.
//!
//! A with-loop that changes a box of an array keeps the elements outside the box. If its result takes the place of the
//! array, the steps of these elements have nothing to do.
//!
//! Invariant: a range is emptied only if each of its steps stores the elements of the array at its own positions,
//! cannot fail, and does nothing else.
//!
//! ```text
//! range from 0 to p body { i = index k; x = (\i -> { y = inside xs[i]; yield (y) }) i; writeVecI k ys x }   ys over xs
//! ⇒ range from 0 to p
//! ```

use indexmap::IndexSet;

use crate::access::Accesses;
use crate::concrete::{
    Block, End, Loop, Nest, Procedure, Start, Step, Stmt, Variant, WrittenCount,
};
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};

/// Empties the ranges of a pass that only store the elements that are there, since a vector of the pass takes the place of
/// an array.
pub(super) fn empty_ranges(
    pass: &mut Procedure,
    (array, vector): (VarId, VarId),
    accesses: &Accesses,
    vars: &PrimaryMap<VarId, Var>,
) {
    let writes = accesses.silent_stores(array, vector);
    if !writes.is_empty() {
        SilentStores { writes, vars }.empty_in_loop(&mut pass.nest);
    }
}

/// Finds the silent stores of a vector that takes the place of an array.
struct SilentStores<'a> {
    /// The writes of elements of the array to their own positions: the vector or row, and the value.
    writes: IndexSet<(VarId, Atom)>,
    vars: &'a PrimaryMap<VarId, Var>,
}

impl SilentStores<'_> {
    fn empty_in_loop(&self, nest: &mut Loop) {
        self.empty_inside(&mut nest.body);
        for variant in nest.ranges.iter_mut().flat_map(|range| &mut range.variants) {
            if self.is_silent(&variant.body, &variant.inner) {
                *variant = Variant { body: Vec::new(), inner: Vec::new(), release: Vec::new() };
            } else {
                self.empty_inside(&mut variant.body);
            }
        }
    }

    /// Empties such ranges in the passes of the steps.
    fn empty_inside(&self, body: &mut [Stmt]) {
        for stmt in body {
            let Stmt::Apply { worker, .. } = stmt else { continue };
            for step in &mut worker.body.steps {
                if let Step::Pass(pass) = step {
                    self.empty_in_loop(&mut pass.nest);
                }
            }
        }
    }

    /// Whether a step only stores the elements that are there already.
    fn is_silent(&self, body: &[Stmt], inner: &[Nest]) -> bool {
        let mut rows = IndexSet::new();
        inner.is_empty() && body.iter().all(|stmt| self.stmt(stmt, &mut rows))
    }

    /// Whether a step with this statement still only stores the elements that are there. `rows` has the rows that the step
    /// made without a change.
    fn stmt(&self, stmt: &Stmt, rows: &mut IndexSet<VarId>) -> bool {
        match stmt {
            Stmt::Position { .. } | Stmt::Next { .. } => true,
            Stmt::Apply { elems, worker, .. } => {
                let does_nothing = self.block(&worker.body, rows);
                let results = elems.iter().zip(&worker.body.results);
                let made = results.filter(|(_, result)| is_in(rows, **result));
                let made = made.map(|(&elem, _)| elem).collect::<Vec<_>>();
                rows.extend(made);
                does_nothing
            }
            Stmt::Write { elem, placed: true, .. } => is_in(rows, *elem),
            Stmt::Write { vec, elem, placed: false, .. } => self.writes.contains(&(*vec, *elem)),
            Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Reserve { .. }
            | Stmt::Update { .. }
            | Stmt::Current { .. } => false,
        }
    }

    fn block(&self, block: &Block, rows: &mut IndexSet<VarId>) -> bool {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others only compute numbers")]
        block.steps.iter().all(|step| match step {
            Step::Index { inside: true, .. } => true,
            Step::Pass(pass) => {
                rows.extend(&pass.yields);
                self.is_silent_row(pass)
            }
            step => step.branches().is_none() && step.is_total(self.vars),
        })
    }

    /// Whether a pass only makes a row, and the row has the elements that are there already.
    fn is_silent_row(&self, pass: &Procedure) -> bool {
        let makes_one = pass.start.iter().all(|start| match start {
            // It was checked that no step fails.
            Start::NewVec { .. } | Start::CheckSize { .. } => true,
            Start::NewAcc { .. } => false,
        });
        let is_whole = matches!(pass.end[..], [End::Slice { length: WrittenCount::All, .. }]);
        let mut variants = pass.nest.variants();
        makes_one && is_whole && variants.all(|(body, inner)| self.is_silent(body, inner))
    }
}

fn is_in(names: &IndexSet<VarId>, atom: Atom) -> bool {
    atom.as_var().is_some_and(|var| names.contains(&var))
}
