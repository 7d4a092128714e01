//! The last vector of a row that changes in its place, computed before the others.
//!
//! Steps that change a row in its place cannot run twice: the second time they would read what they stored. So a vector
//! that ends with the last step, and overlaps the vector before, reads its elements before all others, and stores the
//! results behind all others. The elements of the overlap are stored twice, with the same bits. Rows are often short,
//! and their lengths differ: so a loop over vectors and no rest take less time than several loops over shorter and
//! shorter vectors.
//!
//! Invariant: a step reads no element that another step stores, as elsewhere in passes that overwrite an array.
//!
//! ```text
//! x = x - l * u, 13 elements, 8 lanes      last = x[5 .. 13] - l * u[5 .. 13]
//!                                          x[0 .. 8] = x[0 .. 8] - l * u[0 .. 8]
//!                                          x[5 .. 13] = last
//! ```

use arrc_loops::concrete::{Memory, Start, Stmt};
use arrc_syntax::ids::VarId;
use inkwell::values::{IntValue, VectorValue};

use super::plan::LoopFacts;
use super::profitability::changes_row;
use super::vector_iterations::{AfterLoop, vector_loop_if_any};
use super::vector_loop::VectorLoop;
use crate::loops::nesting::Level;
use crate::loops::pass::Steps;
use crate::unit::built;

/// Whether the last vector is computed before the others: the steps change a row of a matrix in its place, and fold
/// nothing. An array that each step of the pass around changes again is no such row: a load that overlaps two stores
/// waits until both are in the cache.
pub(super) fn computes_last_first(facts: &LoopFacts, run: Steps<'_, '_>, level: Level) -> bool {
    let folds = |stmt: &Stmt| matches!(stmt, Stmt::Update { .. });
    let again = |start: &Start| matches!(start, Start::NewVec { memory: Memory::Over(_), .. });
    let is_again = run.procedure.start.iter().any(again);
    changes_row(facts, run, level) && !is_again && !run.body.iter().any(folds)
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// Runs all steps, which fill a vector at least. Returns the step after the last one.
    pub(super) fn last_vector_first(&mut self, run: Steps<'ctx, 'p>) -> IntValue<'ctx> {
        let lanes = self.pass.body.code.size(self.plan.lanes.into());
        let last = built(self.pass.body.code.b.build_int_sub(run.to, lanes, ""));
        let stores = self.computed_at(run, last);
        vector_loop_if_any(self, run, last, AfterLoop::Keep);
        for (vec, lanes) in stores {
            self.store(vec, lanes, last);
        }
        run.to
    }

    /// The elements that a vector of steps stores.
    fn computed_at(
        &mut self,
        run: Steps<'ctx, 'p>,
        at: IntValue<'ctx>,
    ) -> Vec<(VarId, VectorValue<'ctx>)> {
        let mut stores = Vec::new();
        (self.part, self.place) = (0, self.place_at(at));
        for stmt in run.body {
            if let Stmt::Write { vec, elem, .. } = stmt {
                stores.push((*vec, self.in_memory(*vec, *elem)));
            } else {
                self.stmt(stmt, None);
            }
        }
        stores
    }
}
