//! The plan of a loop in vectors: legality, then profitability, then shape.
//!
//! Invariant: a loop has a plan only if it is legal, and gains or stores past the caches.
//!
//! ```text
//! facts: s: Each(Max)        gains: yes        shape: 8 lanes, 2 parts
//! ```

use arrc_loops::concrete::Function;

use super::last_vector_first::computes_last_first;
use super::plan::Plan;
use super::{legality, profitability, shape};
use crate::loops::nesting::Level;
use crate::loops::pass::Steps;
use crate::note::Obstacle;
use crate::target::isa::Isa;

/// The plan, from legality, profitability and shape.
pub(super) fn planned(
    run: Steps<'_, '_>,
    function: &Function,
    isa: Isa,
    level: Level,
) -> Result<Plan, Obstacle> {
    let facts = legality::facts(run, function, isa)?;
    let gains = profitability::gains(&facts, isa, level);
    let mut plan = shape::plan(facts, gains, function, isa, level)?;
    if computes_last_first(&plan.facts, run, level) {
        plan.parts = 1;
    }
    if plan.gains || !plan.streams.is_empty() { Ok(plan) } else { Err(Obstacle::Plain) }
}
