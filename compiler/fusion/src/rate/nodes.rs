//! The nodes of the graph and the arrays between them: kinds, iteration sizes (001, figure 1.6), parent
//! transducers (figure 1.7).
//!
//! Invariant: nodes are in the block's order; a producer is added before its consumers.
//!
//! ```text
//! gts = filter (> 0) xs; s = fold gts   ⇒   gts : n; s : k in gts; arrays xs, gts
//! ```

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::sizes::SolvedSizes;
use crate::cnf;
use crate::cnf::{Atom, Bind, TripCount};
use crate::graph::{ArrayInfo, Iteration, Kind, Node};
use crate::rate::operation_uses::{OuterUse, uses};
use arrc_front::effect::Effect;
use arrc_syntax::ids::{NodeId, PrimaryMap, VarId};
use arrc_syntax::names::Name;

/// Nodes and arrays while they are found.
pub(super) struct Nodes<'a> {
    vars: &'a PrimaryMap<VarId, cnf::Var>,
    sizes: &'a SolvedSizes<'a>,
    nodes: PrimaryMap<NodeId, Node>,
    arrays: IndexMap<VarId, ArrayInfo>,
}

impl<'a> Nodes<'a> {
    /// None yet.
    pub(super) fn new(vars: &'a PrimaryMap<VarId, cnf::Var>, sizes: &'a SolvedSizes<'a>) -> Self {
        Self { vars, sizes, nodes: PrimaryMap::new(), arrays: IndexMap::new() }
    }

    /// Adds the combinator of a binding.
    pub(super) fn add(&mut self, index: usize, bind: &Bind) -> NodeId {
        let kind = bind.op.kind().expect("a scalar binding is no node");
        let uses = uses(&bind.op);
        let mut whole: Vec<VarId> = Vec::new();
        for used in uses.others {
            let (OuterUse::Atom(var) | OuterUse::Elements(var)) = used else { continue };
            if self.vars[var].ty.is_array() && !whole.contains(&var) {
                whole.push(var);
            }
        }
        let mut streams: Vec<VarId> = Vec::new();
        for var in uses.streams {
            if !streams.contains(&var) {
                streams.push(var);
            }
        }
        let is_array = |var: &VarId| self.vars[*var].ty.is_array();
        let writes: Vec<VarId> = bind.vars.iter().copied().filter(is_array).collect();
        for &array in streams.iter().chain(&whole) {
            self.array(array, None);
        }
        let parent = self.parent(kind, &streams);
        let id = self.nodes.push(Node {
            name: self.name(bind, kind),
            kind,
            bind: index,
            iteration: self.iteration(bind),
            parent,
            streams,
            whole,
            writes,
            effect: if bind.op.has_effect() { Effect::Io } else { Effect::Pure },
        });
        for &array in &self.nodes[id].writes.clone() {
            self.array(array, Some(id));
        }
        id
    }

    /// The kind of a node.
    pub(super) fn kind(&self, node: NodeId) -> Kind {
        self.nodes[node].kind
    }

    /// The nodes and arrays, given what the block yields and which arrays scalar bindings index.
    pub(super) fn finish(
        mut self,
        results: &[Atom],
        indexed: &BTreeSet<VarId>,
    ) -> (PrimaryMap<NodeId, Node>, IndexMap<VarId, ArrayInfo>) {
        for (&var, array) in &mut self.arrays {
            array.output = results.contains(&Atom::Var(var));
            array.indexed = indexed.contains(&var);
        }
        (self.nodes, self.arrays)
    }

    fn array(&mut self, array: VarId, producer: Option<NodeId>) {
        if self.arrays.contains_key(&array) {
            return;
        }
        let mut shape = self.sizes.shape(array).into_iter();
        let size = shape.next().expect("an array has a dimension");
        let name = self.vars[array].name.clone();
        let rows = shape.collect();
        let array_data = ArrayInfo { name, producer, size, rows, output: false, indexed: false };
        self.arrays.insert(array, array_data);
    }

    /// The name of the first variable that the binding binds, or the kind's.
    fn name(&self, bind: &Bind, kind: Kind) -> Name {
        match bind.vars.first() {
            Some(&var) if !self.vars[var].name.is_empty() => self.vars[var].name.clone(),
            Some(_) | None => Name::new(kind.name()),
        }
    }

    /// How many steps the combinator takes (001, figure 1.6).
    fn iteration(&self, bind: &Bind) -> Option<Iteration> {
        let outer = |array: VarId| self.sizes.outer(array);
        match bind.op.steps() {
            Some(TripCount::Of(array)) => Some(outer(array)),
            Some(TripCount::Pairs(left, right)) => {
                Some(Iteration::Cross(Box::new(outer(left)), Box::new(outer(right))))
            }
            Some(TripCount::Count(_)) | None if bind.op.makes_each() => {
                bind.vars.first().copied().map(outer)
            }
            Some(TripCount::Count(_)) | None => None,
        }
    }

    /// The transducer whose output the node iterates over, itself or through maps (001, figure 1.7).
    /// A valid program has at most one; where a checked coercion has made two sizes equal there may be
    /// more, and then none of them drives the node.
    fn parent(&self, kind: Kind, streams: &[VarId]) -> Option<NodeId> {
        if kind == Kind::Cross {
            return None;
        }
        let mut parents = streams.iter().filter_map(|array| {
            let producer = self.arrays[array].producer?;
            let node = &self.nodes[producer];
            if node.kind.is_transducer() { Some(producer) } else { node.parent }
        });
        let first = parents.next()?;
        parents.all(|other| other == first).then_some(first)
    }
}
