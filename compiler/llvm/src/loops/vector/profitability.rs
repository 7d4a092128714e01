//! Whether it is worth running a loop in vectors of ours, or LLVM would do as well.
//!
//! Invariant: this decides about time, not about results. A loop that gains nothing may still write its results past
//! the caches, see [`super::shape`].
//!
//! ```text
//! a filter, a scan, an argmin, x / n of integers   ⇒   gains        map (+ 1), sum   ⇒   LLVM's own loop is as good
//! ```

use super::divide::divides_lanes;
use super::plan::{Facts, Role};
use crate::loops::pass::Level;
use crate::target::isa::Isa;

/// Whether LLVM would run the loop one step at a time, or take many more instructions.
pub(super) fn gains(facts: &Facts, isa: Isa, level: Level) -> bool {
    // LLVM does not vectorise a loop with a check in it, which arbitrary indices need, and positions that wrap around.
    // If positions are only shifted, LLVM can often prove that they are in bounds. A loop in a step of another pass may
    // have too few steps to pay for entering and leaving the vector loop.
    let scattered = facts.scattered && isa.compares_indices() && level == Level::Outermost;
    // LLVM takes many instructions for the minimum of floats, but is better at reads at shifted positions.
    let extremes = facts.extremes && facts.gathered.is_empty();
    facts.tiled
        || facts.loops
        || facts.compacts
        || facts.has(|role| matches!(role, Role::Scan(_) | Role::Exscan(_) | Role::Choice))
        || !facts.divisors.is_empty()
        || facts.divides && divides_lanes(isa)
        || facts.jumps
        || scattered
        || extremes
        || is_row(facts, level)
}

/// Whether a pass makes a row in the step of another pass, and perhaps folds it. Rows are often short. LLVM makes the elements behind the last whole
/// vector one at a time; our last vector overlaps the one before.
pub(super) fn is_row(facts: &Facts, level: Level) -> bool {
    facts.repeats && !facts.is_slow && level == Level::Inner
}
