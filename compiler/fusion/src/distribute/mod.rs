//! Producers that are barriers. The consumers of `xs ++ ys` become consumers of each part, and the consumers of an
//! `if` move into its branches (001, section 1.7; 003, sections 6.10 and 7).
//!
//! An append copies its parts, so it shares no pass with its producers and consumers, and neither does an `if` over
//! arrays. Here the consumers become consumers of the parts, or of the results of the branches. This is a rewrite of
//! normal form, and needs no new kinds of nodes. The integer linear program decides its profitability: clusters are
//! chosen with and without the rewrite, and the block with the lower traffic stays. The consumers of one producer
//! move together, and the consumers of their results with them.
//!
//! Invariant: the results of a block do not change, and neither does the set of its steps that run. For one append or
//! `if`, the copies of its consumers have at most [`MAX_CODE`] additional operations.
//!
//! ```text
//! l = map f a; r = filter p b; c = l ++ r; s = reduce (+) 0 c                           {l} {r} {s}
//! ⇒ l = map f a; s1 = reduce (+) 0 l; r = filter p b; s2 = reduce (+) 0 r; s = s1 + s2  {l s1} {r s2}
//! ```

mod append;
mod calls;
mod end_elements;
mod groups;
mod into_branches;
mod neighbours;
mod position;
mod reversal;
mod selector;
mod series_slice;

pub(crate) use position::counts;

use indexmap::IndexSet;

use crate::cluster::{cluster, traffic};
use crate::clusters::Clustered;
use crate::cnf::{Bind, Block, Op};
use crate::graph::Graph;
use crate::rate::rate;
use crate::rematerialise::{belongs_to, remove_unused};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::source::Span;

/// The most operations that the copies of consumers may add in one rewrite. It bounds the size of the code and the time
/// of the compiler: `scripts/bench compile append` shows the latter. Not measured by itself.
const MAX_CODE: usize = 400;

/// One rewrite splits no array into more parts. `scripts/bench compile '++'` has appends of many parts: `arrc check`
/// of 18 `x ++ x` takes 0.12 s, before 1.44 s (debug build, together with sizes that are made by doubling).
const MAX_PARTS: usize = 8;

/// A bound on the nodes of all blocks that are clustered for one block, to keep compile time low.
/// `scripts/bench clustering` has the times of blocks of 10 to 200 nodes.
const MAX_NODES: usize = 250;

/// The new block, and the graph of the old one.
#[derive(Clone, Debug)]
pub struct Distributed {
    /// The block with its clusters.
    pub block: Clustered,
    /// The graph before the rewrite, if there was one.
    pub before: Option<Graph>,
}

/// Moves consumers to the parts of the arrays that they consume, if that lowers the traffic.
#[must_use]
pub fn distribute(clustered: Clustered, tables: &mut Tables) -> Distributed {
    let mut nodes = clustered.graph.nodes.len();
    RewriteSearch { tables, nodes: &mut nodes }.best(clustered).distributed
}

/// The search for the cheapest block.
struct RewriteSearch<'a> {
    tables: &'a mut Tables,
    /// The nodes of all blocks that were clustered.
    nodes: &'a mut usize,
}

/// The cheapest block that was found.
struct Candidate {
    distributed: Distributed,
    /// Its cost, if blocks were compared.
    cost: Option<BlockCost>,
}

/// The cost of a block: traffic, intermediate arrays, and passes. If the traffic is equal, fewer intermediate arrays
/// and passes decide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct BlockCost {
    traffic: u64,
    intermediates: u32,
    passes: usize,
}

impl RewriteSearch<'_> {
    fn best(&mut self, clustered: Clustered) -> Candidate {
        let mut best = clustered;
        let (mut before, mut cost) = (None, None);
        if !belongs_to(best.clusters.report.method.strategy) {
            return Candidate { distributed: Distributed { block: best, before }, cost };
        }
        if let Some(block) = calls::rewrite(&best.graph.block, self.tables) {
            let after = with_clusters(&best, block, self.tables);
            before = Some(std::mem::replace(&mut best, after).graph);
        }
        // What had no rewrite may have one in another block.
        let (mut compared, mut without) = (IndexSet::new(), IndexSet::new());
        while *self.nodes <= MAX_NODES
            && let Some((at, var)) = candidate(
                &best.graph.block,
                |var| compared.contains(var) || without.contains(var),
                self.tables,
            )
        {
            let rewrites = rewrites(&best.graph.block, at, self.tables);
            if rewrites.is_empty() {
                without.insert(var);
                continue;
            }
            compared.insert(var);
            let mut least = cost.unwrap_or_else(|| self.cost(&best));
            for block in rewrites {
                let after = with_clusters(&best, block, self.tables);
                *self.nodes += after.graph.nodes.len();
                let new = self.cost(&after);
                if new < least {
                    least = new;
                    let stored = std::mem::replace(&mut best, after);
                    before.get_or_insert(stored.graph);
                    without.clear();
                    break;
                }
            }
            cost = Some(least);
        }
        Candidate { distributed: Distributed { block: best, before }, cost }
    }

    /// The cost of a block, with its branches.
    fn cost(&mut self, of: &Clustered) -> BlockCost {
        let report = &of.clusters.report;
        let mut cost = BlockCost {
            traffic: traffic(of).total,
            intermediates: report.intermediates,
            passes: of.clusters.clusters.len(),
        };
        // One branch of each `if` runs, so the dearer one counts.
        for bind in of.graph.block.binds.iter().filter(|bind| !bind.op.is_scalar()) {
            let Some(blocks) = bind.op.branches() else { continue };
            let [then, otherwise] = blocks.map(|block| self.branch(of, block));
            cost.traffic += then.traffic.max(otherwise.traffic);
            cost.passes += then.passes.max(otherwise.passes);
        }
        cost
    }

    /// The cost of a branch, whose choices are distributed too.
    fn branch(&mut self, of: &Clustered, block: &Block) -> BlockCost {
        let Candidate { distributed, cost } =
            self.best(with_clusters(of, block.clone(), self.tables));
        cost.unwrap_or_else(|| self.cost(&distributed.block))
    }
}

/// The blocks in which what consumes the binding, or what it reads, is rewritten. The first that gains is taken.
fn rewrites(block: &Block, at: usize, tables: &mut Tables) -> Vec<Block> {
    let var = block.binds[at].vars.first().copied();
    let ended = if is_barrier(&block.binds[at]) {
        end_elements::of_barrier(block, at, tables)
    } else {
        None
    };
    let mut all = Vec::new();
    for block in ended.iter().chain([block]) {
        let at = block.binds.iter().position(|bind| bind.vars.first().copied() == var);
        let Some(alone) = at.and_then(|at| rewrite(block, at, tables)) else { continue };
        // A series stays in memory until nothing needs it there, so all that can be rewritten is. What does not gain
        // then may gain alone.
        all.extend(rewrite_series(&alone, tables));
        all.push(alone);
    }
    all.retain(|new| effects(new) == effects(block));
    all
}

/// The effects of a block, in their order.
fn effects(block: &Block) -> Vec<Span> {
    let effects = block.binds.iter().filter(|bind| bind.op.has_effect());
    effects.map(|bind| bind.span).collect()
}

/// The block in which what consumes the binding, or what it reads, is rewritten.
fn rewrite(block: &Block, at: usize, tables: &mut Tables) -> Option<Block> {
    if reads_series(block, &block.binds[at], tables) {
        return of_series(block, at, tables);
    }
    let op = &block.binds[at].op;
    if matches!(op, Op::Append { .. }) {
        append::rewrite(block, at, tables).map(|block| position::rewrite_all(block, tables))
    } else if op.branches().is_some() {
        into_branches::rewrite(block, at, tables)
    } else if groups::is_reduced(block, &block.binds[at], tables) {
        groups::rewrite(block, tables)
    } else {
        selector::rewrite(block, at, tables)
    }
}

/// Whether a binding is an append, or a choice of arrays.
fn is_barrier(bind: &Bind) -> bool {
    let choice = bind.op.branches().is_some() && !bind.op.is_scalar();
    matches!(bind.op, Op::Append { .. }) || choice
}

/// Whether a binding needs a series of the block in memory, or waits for its length.
fn reads_series(block: &Block, bind: &Bind, tables: &Tables) -> bool {
    position::of(block, bind).is_some()
        || series_slice::is_cut(block, bind, tables)
        || reversal::is_backwards(block, bind, tables)
        || end_elements::of(block, bind, tables).is_some()
        || neighbours::reads_before(block, bind, tables)
}

fn of_series(block: &Block, at: usize, tables: &mut Tables) -> Option<Block> {
    let bind = &block.binds[at];
    if series_slice::is_cut(block, bind, tables) {
        series_slice::rewrite(block, at, tables)
    } else if reversal::is_backwards(block, bind, tables) {
        reversal::rewrite(block, at, tables)
    } else if position::of(block, bind).is_some() {
        position::rewrite(block, at, tables)
    } else if neighbours::reads_before(block, bind, tables) {
        neighbours::rewrite(block, at, tables)
    } else {
        end_elements::rewrite(block, at, tables)
    }
}

/// The block in which no series is needed in memory by a binding that can be rewritten; nothing if there is none.
fn rewrite_series(block: &Block, tables: &mut Tables) -> Option<Block> {
    let mut rewritten = None;
    let mut tried = IndexSet::new();
    loop {
        let block = rewritten.as_ref().unwrap_or(block);
        let is_next = |bind: &Bind| {
            let first = bind.vars.first();
            first.is_some_and(|var| !tried.contains(var)) && reads_series(block, bind, tables)
        };
        let Some(at) = block.binds.iter().position(is_next) else { return rewritten };
        tried.extend(block.binds[at].vars.first().copied());
        if let Some(next) = of_series(block, at, tables) {
            rewritten = Some(next);
        }
    }
}

/// A block with its clusters, as another one is clustered.
fn with_clusters(like: &Clustered, mut block: Block, tables: &Tables) -> Clustered {
    remove_unused(&mut block);
    let graph = rate(like.graph.name.clone(), block, tables);
    let clusters = cluster(&graph, like.clusters.report.method);
    Clustered { graph, clusters }
}

/// The next binding to try: an append or a choice, whose consumers may then be consumers of a series, or one that needs
/// a series or elements of two sides.
fn candidate(
    block: &Block,
    tried: impl Fn(&VarId) -> bool,
    tables: &Tables,
) -> Option<(usize, VarId)> {
    let is_other = |bind: &Bind| {
        reads_series(block, bind, tables)
            || selector::is_selector(block, bind, tables)
            || groups::is_reduced(block, bind, tables)
    };
    let next = |is_next: &dyn Fn(&Bind) -> bool| {
        let mut binds = block.binds.iter().enumerate();
        binds.find_map(|(at, bind)| {
            let var = *bind.vars.first()?;
            (!tried(&var) && is_next(bind)).then_some((at, var))
        })
    };
    next(&is_barrier).or_else(|| next(&is_other))
}

/// The number of operations in an operation and its blocks.
fn operations(op: &Op) -> usize {
    let inner = op.inner().into_iter().flat_map(|inner| &inner.block.binds);
    1 + inner.map(|bind| operations(&bind.op)).sum::<usize>()
}
