//! Whether it is worth running a loop in vectors of ours, or LLVM would do as well.
//!
//! Invariant: this decides about time, not about results. A loop that gains nothing may still write its results past
//! the caches, see [`super::shape`].
//!
//! ```text
//! a filter, a scan, an argmin, x / n of integers   ⇒   gains        map (+ 1), sum   ⇒   LLVM's own loop is as good
//! ```

use super::divide::divides_lanes;
use super::plan::{LoopFacts, Role};
use crate::loops::nesting::Level;
use crate::loops::pass::Steps;
use crate::target::isa::Isa;

/// Whether LLVM would run the loop one step at a time, or take many more instructions.
pub(super) fn gains(facts: &LoopFacts, isa: Isa, level: Level) -> bool {
    // LLVM does not vectorise a loop with a check in it, which arbitrary indices need, and positions that wrap around.
    // If positions are only shifted, LLVM can often prove that they are in bounds. A loop in a step of another pass may
    // have too few steps to pay for entering and leaving the vector loop.
    let scattered = facts.scattered && isa.compares_indices() && level == Level::Outermost;
    // LLVM takes many instructions for the minimum of floats, but is better at reads at shifted positions.
    let extremes = facts.extremes && facts.gathered.is_empty();
    // A sum in the steps of another pass keeps the order that lanes of that pass give it.
    let halves = facts.halves && facts.gathered.is_empty() && level == Level::Outermost;
    facts.tiled
        || facts.columns
        || halves
        || facts.loops
        || facts.compacts
        || facts.has(|role| role.is_scan() || matches!(role, Role::Choice | Role::Count))
        || !facts.divisors.is_empty()
        || facts.divides && divides_lanes(isa)
        || facts.jumps
        || scattered
        || extremes
        || folds_neighbours(facts, isa, level)
        || is_row(facts, level)
        || folds_row(facts, level)
}

/// Whether a pass only folds elements and their neighbours. LLVM keeps the elements of the step before in registers,
/// and moves lanes from one vector to the next. With vectors of two halves, that takes two instructions where a read
/// takes one. In passes that store a result, the stores take longer.
pub(super) fn folds_neighbours(facts: &LoopFacts, isa: Isa, level: Level) -> bool {
    let is_each = |role: &Option<Role>| matches!(role, None | Some(Role::Each(_)));
    facts.neighbours
        && isa == Isa::Avx2
        && level == Level::Outermost
        && facts.written.is_empty()
        && !facts.compacts
        && facts.has(|role| matches!(role, Role::Each(_)))
        && facts.roles.values().all(is_each)
}

/// Whether a pass makes a row in the step of another pass, and perhaps folds it. Rows are often short. LLVM makes the
/// elements behind the last whole vector one at a time; our last vector overlaps the one before.
pub(super) fn is_row(facts: &LoopFacts, level: Level) -> bool {
    facts.repeats && !facts.is_slow && level == Level::Inner
}

/// Whether a pass makes such a row in the place of another one.
pub(super) fn changes_row(facts: &LoopFacts, run: Steps<'_, '_>, level: Level) -> bool {
    is_row(facts, level) && run.procedure.overwrites().next().is_some()
}

/// Whether a pass in the step of another pass only folds elements at its own position. LLVM takes four elements at a
/// time behind the last whole iteration, and then one; ours are whole vectors, and a last one that overlaps the one
/// before.
pub(super) fn folds_row(facts: &LoopFacts, level: Level) -> bool {
    let is_each = |role: &Option<Role>| matches!(role, None | Some(Role::Each(_)));
    level == Level::Inner
        && facts.written.is_empty()
        && facts.gathered.is_empty()
        && !facts.compacts
        && !facts.loops
        && !facts.may_fail
        && facts.has(|role| matches!(role, Role::Each(_)))
        && facts.roles.values().all(is_each)
}
