//! The reads of a copy of a loop's body that may run before the branches around them.
//!
//! Invariant: such a read is of an element that is there in each step of the range. Each step reads its array, or the
//! branch is taken by a whole row.
//!
//! ```text
//! x = nextI i xs; y = if c then { z = inside xs[k]; … } else …        there: z
//! ```

use indexmap::IndexSet;

use crate::concrete::{Loop, Plain, Position, Stmt};
use arrc_syntax::ids::VarId;

/// The reads of a copy that may run early.
#[derive(Default)]
pub(super) struct SpeculativeReads {
    /// The arrays that every step reads.
    pub(super) read: IndexSet<VarId>,
    /// The arrays that every step reads at its own position.
    pub(super) streams: IndexSet<VarId>,
    /// The variables of the copy that are bound to elements that are there in each step.
    pub(super) there: IndexSet<VarId>,
}

impl SpeculativeReads {
    /// Notes the arrays that the loop reads in each step.
    pub(super) fn note_streams(&mut self, nest: &Loop<Plain>) {
        for stmt in &nest.body {
            if let Stmt::Next { array, index, .. } = stmt {
                self.read.insert(*array);
                if *index == Position::Var(nest.counter) {
                    self.streams.insert(*array);
                }
            }
        }
    }

    /// Whether each step reads the element of the array at its own position.
    pub(super) fn is_stream(&self, array: VarId) -> bool {
        self.streams.contains(&array)
    }

    /// Notes a read of an element that is there in each step of the range. At the depth 0, each step reads it. A
    /// branch that is taken by a whole row reads a row.
    pub(super) fn note(&mut self, (array, is_row): (VarId, bool), depth: usize, var: VarId) {
        if depth == 0 {
            self.read.insert(array);
        } else if is_row || self.read.contains(&array) {
            self.there.insert(var);
        }
    }
}
