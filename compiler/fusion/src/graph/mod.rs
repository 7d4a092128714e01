//! The dependency graph of one block (001, figures 1.6, 1.7 and 1.10): its combinators as nodes with
//! iteration sizes, and edges that are fusible or fusion-preventing.
//!
//! A scalar binding is no node: its users have its dependencies instead.
//!
//! Invariant (`verify`): edges go from earlier to later nodes; every stream of a node has the node's
//! iteration size, or the node is a `cross`; a fusible edge carries an array that the consumer streams
//! and the producer makes, at a rate that the two can share; a fusion-preventing edge leads from each node
//! with an effect to the next.
//!
//! ```text
//! normalize2 : ∀n. (xs : n) → (ys1 : n, ys2 : n)
//!   sum1 = fold xs : n
//!   gts = filter xs : n
//!   sum2 = fold gts : k in gts
//!   …
//!   sum1 -> ys1 preventing: scalar sum1
//!   gts -> sum2 fusible: gts
//! ```

mod concestors;
mod print_graph;
mod verify_graph;

pub use concestors::Concestors;

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::cnf;
pub use crate::cnf::Kind;
use crate::cnf::{Atom, Bind, Block, Extent, Op};
use arrc_front::effect::Effect;
use arrc_syntax::ids::{NodeId, PrimaryMap, SizeId, VarId};
use arrc_syntax::names::Name;

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
    pub arrays: IndexMap<VarId, ArrayInfo>,
    /// The sizes that the iteration sizes mention, for people.
    pub sizes: IndexMap<SizeId, Size>,
    /// The variables that the user named, among the nodes' variables and the arrays.
    pub given: BTreeSet<VarId>,
}

/// The printed form of a size.
#[derive(Clone, Debug)]
pub struct Size {
    /// Its name.
    pub name: Name,
    /// Whether it is known only when computed: existential in the size scheme.
    pub rigid: bool,
}

/// One combinator.
#[derive(Clone, Debug)]
pub struct Node {
    /// A name for people: the name of the first variable that the node binds.
    pub name: Name,
    /// Its kind.
    pub kind: Kind,
    /// The index of its binding in the block.
    pub bind: usize,
    /// How many steps it takes; unknown (⊥) for a barrier.
    pub iteration: Option<Iteration>,
    /// Its parent transducer (001, figure 1.7): the transducer over whose output it iterates, directly or through
    /// maps.
    pub parent: Option<NodeId>,
    /// Arrays that it reads one element a step, each once.
    pub streams: Vec<VarId>,
    /// Arrays that it needs whole, each once: it reads them at random, or its nested blocks use them.
    pub whole: Vec<VarId>,
    /// Arrays that it produces.
    pub writes: Vec<VarId>,
    /// Its side effect. Two nodes with an effect are never in one pass, and keep their order.
    pub effect: Effect,
}

/// The iteration size of a node (001, section 1.3.5).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Iteration {
    /// A loop over an extent.
    Extent(Extent),
    /// A loop over the first size, with a loop over the second size inside.
    Cross(Box<Iteration>, Box<Iteration>),
}

/// An array of the block.
#[derive(Clone, Debug)]
pub struct ArrayInfo {
    /// Its name for people.
    pub name: Name,
    /// The node that makes it; none for a parameter, and for a variable of an outer block.
    pub producer: Option<NodeId>,
    /// Its size, resolved by size inference: that of its outermost dimension.
    pub size: Iteration,
    /// The sizes of its other dimensions.
    pub rows: Vec<Iteration>,
    /// Whether the block yields the array. Then it is written in any case.
    pub output: bool,
    /// Whether a scalar binding of the block reads single elements. Then it is written as well.
    pub indexed: bool,
}

/// A dependency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The producer.
    pub from: NodeId,
    /// The consumer.
    pub to: NodeId,
    /// The value on the edge: an array, or the scalar that depends on the producer; none where the edge only
    /// keeps two effects in their order.
    pub via: Option<VarId>,
    /// Whether both may be in one pass.
    pub kind: EdgeKind,
}

/// Whether an edge may be inside a cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// The consumer streams the array that the producer yields.
    Fusible,
    /// The producer must have finished before the consumer starts.
    Preventing(PreventReason),
}

/// Why an edge prevents fusion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PreventReason {
    /// A scalar that is known only when the producing fold has finished.
    Scalar,
    /// An array that is known only when the producing fold has finished, such as the result of a fold of rows.
    Fold,
    /// The consumer reads the array at random, or needs it whole.
    Whole,
    /// One of the two is a barrier.
    Barrier,
    /// The consumer needs the length of the producer's result, which is known only at its end.
    Length,
    /// The consumer streams the array, but at a rate that no pass could share with the producer.
    Size,
    /// Both have an effect, and the consumer is next in the program's order.
    Effect,
}

impl Graph {
    /// Whether the results of the node have another size than its iteration (001, section 1.3.6).
    #[must_use]
    pub fn is_transducer(&self, node: NodeId) -> bool {
        self.nodes[node].kind.is_transducer()
    }

    /// The node's parent transducer (001, figure 1.7): the transducer over whose output it iterates.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].parent
    }

    /// Whether the node is a view: it only says where an array is, in another array or in the program's data. It
    /// reads and writes no elements.
    #[must_use]
    pub fn is_view(&self, node: NodeId) -> bool {
        self.block.binds[self.nodes[node].bind].op.is_view()
    }

    /// Whether the node is an append all of whose parts are made in their place in the result.
    #[must_use]
    pub fn is_joint(&self, node: NodeId) -> bool {
        let Node { bind, whole, .. } = &self.nodes[node];
        matches!(self.block.binds[*bind].op, Op::Append { .. })
            && whole.iter().all(|&part| self.is_placed(part, node))
    }

    /// Whether an array is made in its place in the result of an append: a combinator or another append makes it, and
    /// no other node needs it in memory.
    #[must_use]
    pub fn is_placed(&self, array: VarId, append: NodeId) -> bool {
        let Op::Append { left, right } = &self.block.binds[self.nodes[append].bind].op else {
            return false;
        };
        let sides = left.iter().chain(right).filter(|side| **side == array).count();
        let ArrayInfo { producer: Some(producer), output: false, .. } = self.arrays[&array] else {
            return false;
        };
        let made = &self.block.binds[self.nodes[producer].bind].op;
        let alone = |(id, node): (NodeId, &Node)| id == append || !node.whole.contains(&array);
        (made.is_combinator() || matches!(made, Op::Append { .. }))
            && sides == 1
            && self.nodes.iter().all(alone)
    }

    /// Whether the node only fills arrays with scalars, each for one accumulator that takes it over, as that of a
    /// histogram. It reads no data, and the accumulator has no other initial value in memory.
    #[must_use]
    pub fn is_fill(&self, node: NodeId) -> bool {
        let Node { bind, writes, .. } = &self.nodes[node];
        repeats(&self.block.binds[*bind].op)
            && writes.iter().all(|&array| self.is_taken_over(array))
    }

    /// Whether the only use of an array is that an accumulator begins with it, or consists of rows like it.
    fn is_taken_over(&self, array: VarId) -> bool {
        let ArrayInfo { output, indexed, .. } = self.arrays[&array];
        let reads = |(_, node): &(NodeId, &Node)| {
            node.whole.contains(&array) || node.streams.contains(&array)
        };
        let mut readers = self.nodes.iter().filter(reads);
        let (Some((id, reader)), None) = (readers.next(), readers.next()) else { return false };
        if self.is_fill(id) {
            return !output && !indexed;
        }
        let op = &self.block.binds[reader.bind].op;
        if op.branches().is_some() {
            return begins_in_branches(op, array) && !output && !indexed;
        }
        let begins = op.carried().is_some_and(|init| init.contains(&Atom::Var(array)));
        let uses = uses_of(op, array);
        begins && uses == 1 && !output && !indexed
    }

    /// Whether the cluster of these nodes is a pass over data: one of them iterates, and not only to fill an
    /// accumulator.
    #[must_use]
    pub fn is_pass(&self, nodes: &[NodeId]) -> bool {
        nodes.iter().any(|&node| self.nodes[node].kind != Kind::Barrier && !self.is_fill(node))
    }

    /// Whether the two nodes have the same, known iteration size.
    #[must_use]
    pub fn same_iteration(&self, a: NodeId, b: NodeId) -> bool {
        let iteration = &self.nodes[a].iteration;
        iteration.is_some() && *iteration == self.nodes[b].iteration
    }
}

/// How often an operation and its blocks use an array.
fn uses_of(op: &Op, array: VarId) -> usize {
    let mut uses = 0;
    let mut count = |atom| uses += usize::from(atom == Atom::Var(array));
    op.operands().into_iter().for_each(&mut count);
    op.inner().iter().for_each(|inner| inner.block.for_each_use(&mut count));
    uses
}

/// Whether the only use of an array in each branch is that an accumulator begins with it, or that it is a result.
fn begins_in_branches(choice: &Op, array: VarId) -> bool {
    let takes = |bind: &&Bind| {
        let init = bind.op.carried();
        let begins = init.is_some_and(|init| init.contains(&Atom::Var(array)));
        (begins && uses_of(&bind.op, array) == 1) || begins_in_branches(&bind.op, array)
    };
    let begins = |block: &&Block| {
        let users = block.binds.iter().filter(|bind| uses_of(&bind.op, array) > 0);
        let results = block.results.iter().filter(|result| **result == Atom::Var(array)).count();
        users.clone().count() + results <= 1 && users.into_iter().all(|bind| takes(&bind))
    };
    choice.branches().is_some_and(|branches| branches.iter().all(begins))
}

/// Whether an operation only fills arrays, each with one scalar that is known before.
pub(crate) fn repeats(op: &Op) -> bool {
    let Op::Generate { worker, .. } = op else { return false };
    let of_rows = worker.body.binds.iter().all(|bind| repeats(&bind.op));
    let mut uses_index = false;
    let index = worker.params.first().map(|&index| Atom::Var(index));
    worker.body.for_each_use(&mut |atom| uses_index |= Some(atom) == index);
    of_rows && !uses_index
}

impl Iteration {
    /// Adds the size symbols in the iteration size, in order.
    pub fn mentions(&self, into: &mut impl Extend<SizeId>) {
        match self {
            Self::Extent(Extent::Const(_)) => {}
            Self::Extent(Extent::Size(id)) => into.extend([*id]),
            Self::Cross(left, right) => {
                left.mentions(into);
                right.mentions(into);
            }
        }
    }
}

impl PreventReason {
    /// The name in the printed form.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Fold => "fold",
            Self::Whole => "whole",
            Self::Barrier => "barrier",
            Self::Length => "length",
            Self::Size => "size",
            Self::Effect => "effect",
        }
    }
}
