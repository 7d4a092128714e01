//! What each scalar depends on, and the edges that follow (001, figure 1.10).
//!
//! Invariant: dependencies are transitive through scalar bindings, and only through them; the length of
//! an array depends on a node only if that node makes the size; each node with an effect depends on the one
//! before it; and a node behind an assertion depends on the effects in front of that assertion, since a pass runs after
//! the assertions in front of its nodes (`fuse`).
//!
//! ```text
//! gts = filter (> 0) xs; n = length gts; m = n * 2; ys = map {m} xs
//! ⇒ gts -> ys preventing: length
//! ```

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use indexmap::IndexMap;

use crate::cnf;
use crate::cnf::{Bind, Extent, SizeDef, SizeInfo, Type};
use crate::graph::{ArrayInfo, Edge, EdgeKind, Kind, Node, PreventReason};
use crate::rate::operation_uses::{OuterUse, uses};
use arrc_syntax::ids::{NodeId, PrimaryMap, SecondaryMap, SizeId, VarId};

/// The nodes that a value waits for, each with the variable that it passes on, and the reason why the node must have
/// finished.
type Waits = BTreeMap<(NodeId, VarId), PreventReason>;

/// The direct dependencies of a value.
#[derive(Default)]
struct DirectDependencies {
    waits: Waits,
    /// The scalars whose dependencies it inherits.
    scalars: Vec<VarId>,
}

/// Dependencies while they are found.
pub(super) struct Dependencies<'a> {
    vars: &'a PrimaryMap<VarId, cnf::Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// What the scalars of the block wait for.
    scalars: BTreeMap<VarId, Rc<DirectDependencies>>,
    /// The nodes that make the arrays of the block.
    makers: BTreeMap<VarId, (NodeId, Kind)>,
    /// The nodes that make the sizes that are known only when computed.
    size_makers: BTreeMap<SizeId, (NodeId, Kind)>,
    /// What the nodes wait for, streams left out.
    nodes: SecondaryMap<NodeId, Waits>,
    /// Arrays that scalar bindings index.
    indexed: BTreeSet<VarId>,
    /// The last node with an effect, and the last one in front of an assertion.
    effect: Option<NodeId>,
    checked_effect: Option<NodeId>,
    /// Nodes behind an assertion, each with the last effect in front of the assertion.
    behind_effects: Vec<(NodeId, NodeId)>,
}

impl<'a> Dependencies<'a> {
    /// None yet.
    pub(super) fn new(
        vars: &'a PrimaryMap<VarId, cnf::Var>,
        sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    ) -> Self {
        Self {
            vars,
            sizes,
            scalars: BTreeMap::new(),
            makers: BTreeMap::new(),
            size_makers: BTreeMap::new(),
            nodes: SecondaryMap::new(),
            indexed: BTreeSet::new(),
            effect: None,
            checked_effect: None,
            behind_effects: Vec::new(),
        }
    }

    /// Notes a scalar binding: its variables wait for everything that its operation uses.
    pub(super) fn scalar(&mut self, bind: &Bind) {
        if bind.op.asserts() {
            self.checked_effect = self.effect;
        }
        let others = uses(&bind.op).others;
        for used in &others {
            if let OuterUse::Elements(array) = used {
                self.indexed.insert(*array);
            }
        }
        let direct = Rc::new(self.direct(&others));
        for &var in &bind.vars {
            self.scalars.insert(var, Rc::clone(&direct));
        }
    }

    /// Notes a combinator: it waits for everything that its operation uses, and the variables that it binds wait for
    /// it.
    pub(super) fn combinator(&mut self, node: NodeId, bind: &Bind, kind: Kind) {
        self.nodes[node] = self.waits(self.direct(&uses(&bind.op).others));
        self.behind_effects.extend(self.checked_effect.map(|effect| (effect, node)));
        if bind.op.has_effect() {
            self.effect = Some(node);
        }
        for &var in &bind.vars {
            match &self.vars[var].ty {
                Type::Scalar(_) => {
                    let reason = barrier_or(kind, PreventReason::Scalar);
                    let waits = BTreeMap::from([((node, var), reason)]);
                    self.scalars
                        .insert(var, Rc::new(DirectDependencies { waits, scalars: Vec::new() }));
                }
                Type::Array { shape, .. } => {
                    self.makers.insert(var, (node, kind));
                    for &extent in shape {
                        self.record_maker(extent, node, kind);
                    }
                }
            }
        }
    }

    /// Arrays that scalar bindings index.
    pub(super) fn indexed(&self) -> &BTreeSet<VarId> {
        &self.indexed
    }

    /// The edges, ordered; where a node both streams an array and waits for it, it waits.
    pub(super) fn edges(
        self,
        nodes: &PrimaryMap<NodeId, Node>,
        arrays: &IndexMap<VarId, ArrayInfo>,
    ) -> Vec<Edge> {
        let mut edges: BTreeMap<(NodeId, NodeId, Option<VarId>), EdgeKind> = BTreeMap::new();
        for (to, node) in nodes {
            for &via in &node.streams {
                if let Some(from) = arrays[&via].producer {
                    edges.insert((from, to, Some(via)), stream(nodes, from, to));
                }
            }
            for (&(from, via), &reason) in &self.nodes[to] {
                let reason = barrier_or(node.kind, reason);
                edges.insert((from, to, Some(via)), EdgeKind::Preventing(reason));
            }
        }
        for &(from, to) in &self.behind_effects {
            edges.insert((from, to, None), EdgeKind::Preventing(PreventReason::Effect));
        }
        let mut last = None;
        for (to, _) in nodes.iter().filter(|(_, node)| node.effect.is_some()) {
            if let Some(from) = last.replace(to) {
                edges.insert((from, to, None), EdgeKind::Preventing(PreventReason::Effect));
            }
        }
        (edges.into_iter()).map(|((from, to, via), kind)| Edge { from, to, via, kind }).collect()
    }

    /// All that a value waits for.
    fn waits(&self, direct: DirectDependencies) -> Waits {
        let DirectDependencies { mut waits, scalars: mut open } = direct;
        let mut met = HashSet::new();
        while let Some(var) = open.pop() {
            if met.insert(var)
                && let Some(scalar) = self.scalars.get(&var)
            {
                extend(&mut waits, &scalar.waits);
                open.extend(&scalar.scalars);
            }
        }
        waits
    }

    fn direct(&self, used: &[OuterUse]) -> DirectDependencies {
        let mut direct = DirectDependencies::default();
        for &used in used {
            match used {
                OuterUse::Atom(var) | OuterUse::Elements(var) => {
                    if let Some(&(node, kind)) = self.makers.get(&var) {
                        wait(&mut direct.waits, node, var, barrier_or(kind, PreventReason::Whole));
                    } else {
                        direct.scalars.push(var);
                    }
                }
                OuterUse::Length(array, dim) => match &self.vars[array].ty {
                    Type::Scalar(_) => panic!("the length of {array}, which is a scalar"),
                    Type::Array { shape, .. } => self.wait_extent(shape[dim], array, &mut direct),
                },
            }
        }
        direct
    }

    /// The extent of an array waits for the node that makes it; that of a parameter is known from the start.
    fn wait_extent(&self, extent: Extent, array: VarId, direct: &mut DirectDependencies) {
        let Extent::Size(size) = extent else { return };
        match self.sizes[size].def {
            SizeDef::Param => {}
            SizeDef::Exists => {
                if let Some(&(node, kind)) = self.size_makers.get(&size) {
                    wait(&mut direct.waits, node, array, barrier_or(kind, PreventReason::Length));
                }
            }
            SizeDef::Value(var) => direct.scalars.push(var),
            ref def @ (SizeDef::Sum(..) | SizeDef::Product(..)) => {
                def.parts().for_each(|part| self.wait_extent(part, array, direct));
            }
        }
    }

    /// The first node with a result of that size is the one that makes it.
    fn record_maker(&mut self, extent: Extent, node: NodeId, kind: Kind) {
        let Extent::Size(size) = extent else { return };
        match self.sizes[size].def {
            SizeDef::Exists => {
                self.size_makers.entry(size).or_insert((node, kind));
            }
            SizeDef::Param | SizeDef::Value(_) | SizeDef::Sum(..) | SizeDef::Product(..) => {}
        }
    }
}

fn barrier_or(kind: Kind, reason: PreventReason) -> PreventReason {
    if kind == Kind::Barrier { PreventReason::Barrier } else { reason }
}

fn wait(waits: &mut Waits, node: NodeId, via: VarId, reason: PreventReason) {
    waits.entry((node, via)).and_modify(|known| *known = (*known).min(reason)).or_insert(reason);
}

fn extend(waits: &mut Waits, more: &Waits) {
    for (&(node, via), &reason) in more {
        wait(waits, node, via, reason);
    }
}

/// An edge along which the consumer streams: fusible if it can run at the rate at which the producer
/// yields.
fn stream(nodes: &PrimaryMap<NodeId, Node>, from: NodeId, to: NodeId) -> EdgeKind {
    let (producer, consumer) = (&nodes[from], &nodes[to]);
    if producer.kind == Kind::Barrier {
        return EdgeKind::Preventing(PreventReason::Barrier);
    }
    // A fold of rows may have a result with as many elements as the fold has steps, but all of them come at the end.
    if producer.kind == Kind::Fold {
        return EdgeKind::Preventing(PreventReason::Fold);
    }
    let same = producer.iteration == consumer.iteration;
    // A consumer that runs at the producer's own rate would read the filtered array too early, and one
    // that several transducers feed follows none of them.
    let fusible = if producer.kind.is_transducer() {
        !same && consumer.parent == Some(from)
    } else {
        same && (producer.parent.is_none() || producer.parent == consumer.parent)
    };
    if fusible { EdgeKind::Fusible } else { EdgeKind::Preventing(PreventReason::Size) }
}
