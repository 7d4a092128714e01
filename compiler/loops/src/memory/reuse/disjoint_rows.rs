//! Rows of an array that certainly differ from the row at an index.
//!
//! Invariant: two indices whose difference is a constant other than 0 are different numbers, also where sums wrap.
//! Nothing else is certain.
//!
//! ```text
//! row at j; k = j + 1; t = k - 2        ⇒   xs[k] and xs[t] are disjoint from it, xs[j] and xs[m] may not be
//! ```

use crate::affine::AffineForms;
use crate::concrete::def_use;
use crate::concrete::{Block, Guard, Memory, Nest, Procedure, Start, Step, Stmt};
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;

/// The rows of an array in a block.
pub(super) struct DisjointRows<'a> {
    /// The steps of the block so far.
    steps: &'a [Step],
    array: VarId,
    /// The index of the row that the others are compared with.
    index: Atom,
    forms: AffineForms,
}

impl<'a> DisjointRows<'a> {
    /// Collects what the steps before a pass determine about the rows of an array, to compare them with the row at
    /// the index.
    pub(super) fn new(steps: &'a [Step], array: VarId, index: Atom) -> Self {
        let mut forms = AffineForms::default();
        steps.iter().for_each(|step| forms.note_step(step));
        Self { steps, array, index, forms }
    }

    /// Whether a pass reads only rows other than the one at the index, through a view of the array, or from the array
    /// itself.
    pub(super) fn has(&self, view: VarId, pass: &Procedure) -> bool {
        if view != self.array {
            return self.steps.iter().any(|step| {
                matches!(
                    step,
                    Step::Row { var, array, indices, .. }
                        if *var == view && *array == self.array && self.is_other(&self.forms, indices)
                )
            });
        }
        !self.in_start(pass) && pass.nest.variants().all(|(body, inner)| self.in_stmts(body, inner))
    }

    /// Whether the whole array is an initial value or the memory of a vector of the pass.
    fn in_start(&self, pass: &Procedure) -> bool {
        pass.start.iter().any(|start| match start {
            Start::CheckSize { .. } => false,
            Start::NewAcc { init, .. } => *init == Atom::Var(self.array),
            Start::NewVec { memory, .. } => match memory {
                Memory::New | Memory::Scratch | Memory::DoubleBuffer | Memory::Row(_) => false,
                Memory::Over(array) | Memory::Behind(array) => *array == self.array,
                Memory::Part(part) => part.array == self.array,
            },
        })
    }

    fn is_other(&self, forms: &AffineForms, indices: &[Atom]) -> bool {
        let Some(first) = indices.first() else { return false };
        let (Some(here), Some(there)) = (forms.of(self.index), forms.of(*first)) else {
            return false;
        };
        there.plus(-1, &here).as_constant().is_some_and(|distance| distance != 0)
    }

    fn in_stmts(&self, body: &[Stmt], inner: &[Nest]) -> bool {
        let is_apart = |stmt: &Stmt| match stmt {
            Stmt::Apply { worker, .. } => {
                // The arguments of the worker are elements of the arrays that other statements read.
                self.in_block(&worker.body, &mut self.forms.clone())
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Reserve { .. }
            | Stmt::Update { .. }
            | Stmt::Current { .. }
            | Stmt::Write { .. } => !def_use::uses_of(stmt).contains(&self.array),
        };
        let is_apart_inside = |nest: &Nest| match nest {
            Nest::Guard(Guard { body, inner, .. }) => self.in_stmts(body, inner),
            Nest::Loop(_) => false,
        };
        body.iter().all(is_apart) && inner.iter().all(is_apart_inside)
    }

    fn in_block(&self, block: &Block, forms: &mut AffineForms) -> bool {
        let is_apart = |step: &Step| {
            forms.note_step(step);
            if let Step::Index { array, indices, .. } = step
                && *array == self.array
            {
                return self.is_other(forms, indices);
            }
            if let Some(branches) = step.branches() {
                return branches
                    .into_iter()
                    .all(|branch| self.in_block(branch, &mut forms.clone()));
            }
            let asks = matches!(step, Step::Length { .. });
            asks || !def_use::uses(step).contains(&self.array)
        };
        let is_result = block.results.contains(&Atom::Var(self.array));
        block.steps.iter().all(is_apart) && !is_result
    }
}
