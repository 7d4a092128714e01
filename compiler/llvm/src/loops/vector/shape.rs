//! The lanes of a vector, the vectors of a step, and the non-temporal stores.
//!
//! Invariant: a vector of the widest elements fills a register, with two exceptions. If elements are compacted, it has
//! no more lanes than the machine can move together. If steps have loops, it fills two or four registers, so that one
//! operation need not wait for the other.
//!
//! ```text
//! AVX2, f64 and i32, a filter   ⇒   4 lanes, 2 vectors a step        AVX-512, a filter of i32   ⇒   16 lanes
//! ```

use arrc_loops::concrete::Function;
use arrc_syntax::ids::{AccId, VarId};

use super::lanes_of_steps;
use super::plan::{LoopFacts, Plan, Role};
use super::profitability::{folds_neighbours, folds_row, is_row};
use crate::loops::nesting::Level;
use crate::note::Obstacle;
use crate::target::isa::Isa;

/// The most elements that a table of permutations can move.
const TABLE_LANES: u32 = 8;
/// The fewest bytes of a store past the caches.
const LEAST_STREAMED: u32 = 16;
/// The most vectors of a step or, for a `cross`, the most elements of the left array. `scripts/bench closest_pairs` and
/// `scripts/bench min_max_f64` show the effect of another number. Not measured by itself.
const MAX_PARTS: u32 = 4;
/// A step with this many operations takes longer than the folds of the vectors before it, so one vector need not wait
/// for another. The values of several would not fit the registers. No benchmark shows it alone.
const MANY_OPERATIONS: u32 = 32;
/// The registers of a value in the loops of steps. `scripts/bench escape_f32` has such a loop. In a prototype in C, it
/// took 0.145, 0.082 and 0.12 of the time of scalar code with one, two and four registers (AVX2).
const LEAST_REGISTERS: u32 = 2;
/// The registers of a value in loops with short iterations: the latency of an operation is that of several of its kind.
/// `scripts/bench horner_f64` has such a loop. A polynomial of degree 11 takes 1.02 of the time of C, and 1.35 with two
/// registers (least times, AVX2, loaded machine).
const MOST_REGISTERS: u32 = 4;
/// The most steps that run across lanes: a wider value outside of the loops takes several registers.
/// `scripts/bench escape_f32` runs as many with AVX-512. Not measured by itself.
const MAX_IN_LOOPS: u32 = 32;
/// The most elements of a vector. No benchmark shows it alone.
const MAX_LANES: u32 = 16;
/// The most elements of a vector where a step of another pass makes a row, or flags are counted: fewer steps have no
/// vector. `scripts/bench life_step` makes rows of truth values: 0.65 of the time of C, and 2.6 in vectors of 16.
const MAX_IN_ROW: u32 = 32;

/// The most bytes of a vector where a step of another pass adds up a row. Rows are often short, and the lanes of a
/// wider vector take longer to combine than the elements to add. `scripts/bench means_step` adds up rows of 8: 0.98 of
/// the time of C, before 1.2 (least times, AVX-512, together with last vectors that overlap and fewer comparisons).
const MOST_IN_SUM: u32 = 32;
/// The most operations of a step that adds to such a sum: more of them take longer in twice as many vectors than the
/// lanes to combine. No benchmark shows it alone.
const MOST_OPERATIONS_IN_SUM: u32 = 12;

/// The fewest elements of a vector in which a scan that begins anew pays. With fewer, the two operations for which a
/// scalar step waits take no longer than the shifts of elements and flags. A sum of segments of `u8` takes 0.18 ns an
/// element, before 1.0, and of `f32` 0.62, before 0.80; of `i64` and `f64`, it took as long (AVX2, medians on a loaded
/// machine). Half of it counts in front of a strip: `scripts/bench word_lengths_i64` takes 1.62 of the time of C at
/// 32,768 numbers, before 2.06.
const LEAST_SEGMENTED: u32 = 8;

/// How many times fewer lanes the vectors for few steps have. `scripts/bench space_boxes_f64` takes 1.39 to 1.67 of the
/// time of C at 1,000 steps, before 1.94 to 1.96, and `scripts/bench distances` 0.93 at 20,000, before 1.15 (least
/// times, AVX-512, other work on the machine). Other numbers were not measured.
const SHORTER: u32 = 4;
/// The fewest lanes of such a vector. No benchmark shows it alone.
pub(super) const LEAST_LANES: u32 = 4;

/// The plan for fewer steps than a vector of another plan has lanes, if the steps contain loops, which take long one
/// step at a time, or change a row in its place, where no vector may overlap the one before. It also makes the steps
/// that the other plan leaves over.
pub(super) fn shorter(plan: &Plan, in_place: bool) -> Option<Plan> {
    if in_place {
        let lanes = (plan.lanes / SHORTER).max(LEAST_LANES);
        return (lanes < plan.lanes).then(|| Plan { lanes, parts: 1, ..plan.clone() });
    }
    let lanes = plan.lanes / SHORTER;
    let is_worth_it = plan.facts.loops && !plan.facts.tiled;
    (is_worth_it && lanes >= LEAST_LANES).then(|| Plan { lanes, ..plan.clone() })
}

/// Whether a pass in the step of another pass adds up a row, with few operations on each element.
pub(super) fn adds_row(facts: &LoopFacts, level: Level) -> bool {
    folds_row(facts, level) && !facts.extremes && facts.operations <= MOST_OPERATIONS_IN_SUM
}

/// The plan for a loop of a function.
pub(super) fn plan(
    facts: LoopFacts,
    gains: bool,
    function: &Function,
    isa: Isa,
    level: Level,
) -> Result<Plan, Obstacle> {
    let most = if facts.compacts && isa != Isa::Avx512 { TABLE_LANES } else { MAX_LANES };
    // The counter of a guard behind a strip needs no lanes.
    let behind = facts.deferred.as_ref().map(|deferred| deferred.counter);
    let simple = |(acc, role): (AccId, &Option<Role>)| {
        matches!(role, None | Some(Role::Each(_))) || behind == Some(acc)
    };
    let is_row = gains && is_row(&facts, level);
    let in_loops = facts.loops && facts.roles.iter().all(simple);
    let lanes = if in_loops {
        // A wider value before or after the loops takes several registers there.
        let may_wait = facts.inner_loops.are_short() && !facts.in_rows;
        let registers = if may_wait { MOST_REGISTERS } else { LEAST_REGISTERS };
        let keeps_all = facts.deferred.as_ref().is_some_and(|deferred| deferred.keeps_all);
        let most = match facts.compacts {
            false => MAX_IN_LOOPS,
            true if keeps_all => MAX_LANES,
            true => (isa.register() / facts.widest).min(most),
        };
        match facts.widest_carried {
            // The steps read rows, and have no loops.
            0 => isa.register() / facts.widest,
            carried => (registers * isa.register() / carried).min(most),
        }
    } else if is_row || facts.has(|role| role == Role::Count) {
        (isa.register() / facts.widest_value).min(MAX_IN_ROW)
    } else if gains && adds_row(&facts, level) {
        isa.register().min(MOST_IN_SUM) / facts.widest
    } else {
        (isa.register() / facts.widest).min(most)
    };
    if facts.inner_lanes.is_some_and(|inner| lanes < inner * lanes_of_steps::LEAST) {
        return Err(Obstacle::InnerLoop);
    }
    // In front of a strip's guard, scalar steps would also store its inputs one by one.
    let least = if facts.deferred.is_some() { LEAST_SEGMENTED / 2 } else { LEAST_SEGMENTED };
    if facts.segmented && lanes < least {
        return Err(Obstacle::Segments);
    }
    // Folds of floats wait for each other; vectors that are stored do not. Stores past the caches are best made some
    // lines at a time.
    let folds = folds_row(&facts, level) || folds_neighbours(&facts, isa, level);
    let waits = !facts.compacts && (facts.extremes || folds);
    let parts = if in_loops || waits && facts.operations >= MANY_OPERATIONS {
        1
    } else if facts.tiled || waits || !gains {
        MAX_PARTS
    } else {
        2
    };
    // A scalar step waits for the one before. A choice remembers steps of one size.
    let chooses = facts.has(|role| role == Role::Choice);
    let waits = waits || facts.has(|role| role == Role::Count);
    let in_rest = waits && gains && !facts.loops && !facts.tiled && !chooses && !facts.may_fail;
    let has_rest = (in_rest && parts > 1 || is_row) && facts.deferred.is_none();
    // A pass inside a step makes arrays that are small, or read soon.
    let may_stream = isa.streams()
        && !facts.loops
        && !facts.compacts
        && !facts.tiled
        && level == Level::Outermost;
    let is_whole =
        |vec: &VarId| lanes * function.tables.vars[*vec].ty.scalars().bytes() >= LEAST_STREAMED;
    let streams = facts.written.iter().copied().filter(|vec| may_stream && is_whole(vec)).collect();
    Ok(Plan { facts, lanes, parts, has_rest, gains, streams })
}
