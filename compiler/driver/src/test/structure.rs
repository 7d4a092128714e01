//! What the compiler makes of a block, counted.
//!
//! Invariant: clusters, arrays, reads and writes are those of the block alone, as the papers count them;
//! loops and allocations are of all code of the block, the blocks inside it included; `allocated` counts a call of the
//! function.
//!
//! ```text
//! structure normalize2 { clusters 2 arrays 0 reads 2 writes 2 loops 2 allocations 2 }
//! ```

use arrc_core::ir::procedure::concrete::Program;
use arrc_core::pipeline::Plan;

use super::block::Count;

/// How many there are.
pub(super) fn count(plan: &Plan, program: &Program, what: Count) -> String {
    let report = &plan.block.clusters.report;
    let number = match what {
        Count::Clusters => passes(plan),
        Count::Arrays => report.intermediates,
        Count::Reads => report.reads,
        Count::Writes => report.writes,
        Count::Loops => plan.work.loops,
        Count::Allocations => plan.work.allocations,
        Count::Allocated => {
            let demand = program.demand(&plan.block.graph.name);
            return demand.map_or_else(|| "unknown".to_owned(), |demand| demand.to_string());
        }
    };
    number.to_string()
}

/// The clusters that are passes over data: those that are no barrier, and do not only fill accumulators.
fn passes(plan: &Plan) -> u32 {
    let is_pass = |nodes: &&Vec<_>| plan.block.graph.is_pass(nodes);
    let count = plan.block.clusters.clusters.values().filter(is_pass).count();
    u32::try_from(count).expect("a block has less than 2^32 clusters")
}
