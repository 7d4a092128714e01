//! Which node runs in which pass: a graph with a partition of its nodes, in an order (001, section 1.4).
//!
//! Invariant (`verify`): every node is in one cluster; the order respects every edge; a barrier is alone;
//! no fusion-preventing edge is inside a cluster; nodes of different iteration sizes are together only
//! with their compatible concestors.
//!
//! ```text
//! sum1 = fold xs; gts = filter xs; sum2 = fold gts; ys1 = map {sum1} xs; ys2 = map {sum2} xs
//! ⇒ {sum1 gts sum2} {ys1 ys2}
//! ```

mod print_clusters;
mod verify_clusters;

pub use verify_clusters::{Violation, legality, verify};

use crate::graph::Graph;
use arrc_syntax::ids::{ClusterId, NodeId, PrimaryMap};

/// One block with its clusters.
#[derive(Clone, Debug)]
pub struct Clustered {
    /// The block's graph.
    pub graph: Graph,
    /// The clusters of its nodes.
    pub clusters: Clusters,
}

/// A choice of clusters for one graph.
#[derive(Clone, PartialEq, Debug)]
pub struct Clusters {
    /// The clusters in the order in which they run. The nodes of each cluster are in the graph's order.
    pub clusters: PrimaryMap<ClusterId, Vec<NodeId>>,
    /// How the clusters were found, and their cost.
    pub report: Report,
}

/// How a clustering was found, and its cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// How it was chosen.
    pub method: Method,
    /// The criteria in which it is proven to be optimal.
    pub proof: Proof,
    /// The value of the papers' objective, if that is the cost model.
    pub objective: Option<i64>,
    /// The number of arrays that are read. A streamed array counts once for each cluster, and an array that is needed
    /// whole counts once for each node.
    pub reads: u32,
    /// The number of arrays that are written, outputs included.
    pub writes: u32,
    /// The number of arrays that are written and no outputs.
    pub intermediates: u32,
    /// Reads and writes weighted by the known sizes of the arrays: the first criterion.
    pub traffic: u64,
}

/// The criteria in which a clustering is proven to be optimal among those that its strategy admits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Proof {
    /// No criterion.
    None,
    /// No other clustering has less traffic, or fewer intermediates at the same traffic.
    Cost,
    /// As [`Self::Cost`], and no other clustering of the same cost has fewer passes. In the papers' model, no other
    /// clustering has a lower objective.
    Passes,
}

/// The method that chooses clusters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Method {
    /// The strategy.
    pub strategy: Strategy,
    /// The cost model, for strategies that minimise a cost.
    pub cost: CostModel,
    /// The solver of the integer linear programs.
    pub solver: Solver,
}

/// Solvers of integer linear programs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Solver {
    /// microlp, which is part of the compiler.
    #[default]
    Microlp,
    /// CBC of COIN-OR, a library of the system.
    #[cfg(feature = "coin_cbc")]
    CoinCbc,
}

impl Solver {
    /// All solvers that this compiler was built with.
    pub const ALL: &'static [Self] = &[
        Self::Microlp,
        #[cfg(feature = "coin_cbc")]
        Self::CoinCbc,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Microlp => "microlp",
            #[cfg(feature = "coin_cbc")]
            Self::CoinCbc => "coin-cbc",
        }
    }
}

/// Strategies that choose clusters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Strategy {
    /// Each combinator by itself.
    None,
    /// Pull-based stream fusion: a producer joins its only consumer.
    Stream,
    /// Equal iteration sizes only (Megiddo and Sarkar).
    Megiddo,
    /// Vertical, then horizontal (003).
    Greedy,
    /// The optimum of the cost model.
    #[default]
    Ilp,
}

/// The cost of a clustering, for the strategies that minimise it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum CostModel {
    /// Arrays read and written, each once for a pass, then intermediate arrays.
    #[default]
    Traffic,
    /// The papers' objective (001, figure 1.14): weights on pairs of nodes.
    Paper,
}

impl CostModel {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Traffic => "traffic",
            Self::Paper => "paper",
        }
    }
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Self; 5] = [Self::None, Self::Stream, Self::Megiddo, Self::Greedy, Self::Ilp];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Stream => "stream",
            Self::Megiddo => "megiddo",
            Self::Greedy => "greedy",
            Self::Ilp => "ilp",
        }
    }
}
