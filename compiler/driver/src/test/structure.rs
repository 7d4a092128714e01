//! Counts of a compiled block.
//!
//! Invariant: clusters, arrays, reads and writes are counted in the block alone, as in the papers. Loops and
//! allocations are counted in all code of the block, inner blocks included. `allocated` is about a call of the
//! function.
//!
//! ```text
//! structure normalize2 { clusters 2 arrays 0 reads 2 writes 2 loops 2 allocations 2 }
//! ```

use arrc_loops::concrete::Program;
use arrc_pipeline::Plan;
use arrc_pipeline::explain;

use super::block::Count;

/// The count for this counter.
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
            let demand = explain::allocation_bound(program, &plan.block.graph.name);
            return demand.map_or_else(|| "unknown".to_owned(), |demand| demand.to_string());
        }
    };
    number.to_string()
}

/// The number of clusters that are passes over data: no barriers, and none that only fills accumulators.
fn passes(plan: &Plan) -> u32 {
    let is_pass = |nodes: &&Vec<_>| plan.block.graph.is_pass(nodes);
    let count = plan.block.clusters.clusters.values().filter(is_pass).count();
    u32::try_from(count).expect("a block has less than 2^32 clusters")
}
