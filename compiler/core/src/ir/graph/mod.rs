//! The dependency graph of one block (001, figures 1.6, 1.7 and 1.10): its combinators as nodes with
//! iteration sizes, and edges that are fusible or fusion-preventing.
//!
//! Scalar bindings are no nodes: what they depend on they pass on to who uses them.
//!
//! Invariant (`verify`): acyclic; every stream of a node has the node's iteration size, or the node is a
//! `cross`; a fusible edge carries an array that the consumer streams.

use indexmap::IndexMap;

use crate::ids::{NodeId, PrimaryMap, SizeId, VarId};
use crate::ir::cnf::{self, Extent};
use crate::names::Name;

/// The graph of one block.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where the block is: the function's name, and the path in it, such as `side.else`.
    pub name: String,
    /// The block.
    pub block: cnf::Block,
    /// The combinators, in the block's order.
    pub nodes: PrimaryMap<NodeId, Node>,
    /// From producers to consumers, at most one for each pair and variable, ordered.
    pub edges: Vec<Edge>,
    /// Every array that a node of the block reads or writes, in order of appearance.
    pub arrays: IndexMap<VarId, Array>,
}

/// One combinator.
#[derive(Clone, Debug)]
pub struct Node {
    /// A name for people: that of the first variable it binds.
    pub name: Name,
    /// What it is.
    pub kind: Kind,
    /// Which binding of the block it is.
    pub bind: usize,
    /// How many steps it takes; unknown (⊥) for a barrier.
    pub iteration: Option<Iteration>,
    /// Arrays that it reads one element a step.
    pub streams: Vec<VarId>,
    /// Arrays that it needs whole: read at random, or by nested blocks.
    pub whole: Vec<VarId>,
    /// Arrays that it produces.
    pub writes: Vec<VarId>,
}

/// The kinds of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `map`.
    Map,
    /// `filter`: a transducer.
    Filter,
    /// `fold` and `reduce`.
    Fold,
    /// `generate`.
    Generate,
    /// `gather`.
    Gather,
    /// `cross`.
    Cross,
    /// An external in the papers' sense: an `if` with arrays, a call, `++`, a literal.
    Barrier,
}

/// The iteration size of a node (001, section 1.3.5).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Iteration {
    /// A loop over an extent.
    Extent(Extent),
    /// A loop over the first with a loop over the second inside.
    Cross(Box<Iteration>, Box<Iteration>),
}

/// An array of the block.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name for people.
    pub name: Name,
    /// The node that makes it; none for a parameter or a variable of a block around.
    pub producer: Option<NodeId>,
    /// Its size, resolved by size inference.
    pub size: Iteration,
    /// Whether the block yields it: then it is written in any case.
    pub output: bool,
}

/// A dependency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The producer.
    pub from: NodeId,
    /// The consumer.
    pub to: NodeId,
    /// What is passed: an array, or the scalar that depends on the producer.
    pub via: VarId,
    /// Whether both may be in one pass.
    pub kind: EdgeKind,
}

/// Whether an edge may be inside a cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// The consumer streams what the producer yields.
    Fusible,
    /// The producer must have finished.
    Preventing(Reason),
}

/// Why an edge prevents fusion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// A scalar that is known only when the producing fold has finished.
    Scalar,
    /// The consumer reads the array at random, or needs it whole.
    Whole,
    /// One of the two is a barrier.
    Barrier,
    /// The length of the producer's result is needed, and known only at its end.
    Length,
}

/// How a size relates to a transducer: see [`Graph::parent`].
pub type Parent = Option<NodeId>;

impl Graph {
    /// Whether the node gives arrays of another size than it iterates over (001, section 1.3.6).
    #[must_use]
    pub fn is_transducer(&self, node: NodeId) -> bool {
        self.nodes[node].kind == Kind::Filter
    }

    /// The node's parent transducer (001, figure 1.7): the one whose output the node iterates over.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Parent {
        let data = &self.nodes[node];
        if data.kind == Kind::Cross {
            return None;
        }
        data.streams.iter().find_map(|array| {
            let producer = self.arrays[array].producer?;
            if self.is_transducer(producer) {
                Some(producer)
            } else if self.nodes[producer].iteration.is_some() {
                self.parent(producer)
            } else {
                None
            }
        })
    }
}

/// Sizes by symbol that size inference found equal: each to its representative.
pub type SizeClasses = IndexMap<SizeId, Iteration>;
