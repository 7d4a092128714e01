//! What every graph must satisfy, checked after `rate` in debug builds and tests.
//!
//! Invariant: the error names the node or edge and the rule, so that a failure reads as a bug report.
//!
//! ```text
//! a fusible edge out of a barrier   ⇒   Err("the edge calls -> ys is fusible, but calls is a barrier")
//! ```

use super::{Concestors, Edge, EdgeKind, Graph, Kind};
use arrc_syntax::ids::NodeId;

impl Graph {
    /// Checks the form's invariants.
    ///
    /// # Errors
    /// The first broken invariant.
    pub fn verify(&self) -> Result<(), String> {
        for (id, _) in &self.nodes {
            self.verify_node(id)?;
        }
        let concestors = self.concestors();
        for edge in &self.edges {
            self.verify_edge(edge, &concestors)?;
        }
        let sorted = self
            .edges
            .windows(2)
            .all(|two| (two[0].from, two[0].to, two[0].via) < (two[1].from, two[1].to, two[1].via));
        if !sorted {
            return Err("the edges are not in order, or one occurs twice".to_owned());
        }
        self.verify_effects()?;
        self.verify_arrays()
    }

    fn verify_node(&self, id: NodeId) -> Result<(), String> {
        let node = &self.nodes[id];
        let label = self.label(id);
        if (node.kind == Kind::Barrier) != node.iteration.is_none() {
            return Err(format!("{label} has an iteration size and is a barrier, or neither"));
        }
        if node.bind >= self.block.binds.len() {
            return Err(format!("{label} is no binding of the block"));
        }
        for array in node.streams.iter().chain(&node.whole).chain(&node.writes) {
            if !self.arrays.contains_key(array) {
                return Err(format!("{label} uses {array}, which is not among the arrays"));
            }
        }
        for array in &node.streams {
            if node.kind != Kind::Cross && Some(&self.arrays[array].size) != node.iteration.as_ref()
            {
                return Err(format!("{label} streams {array}, which has another size than it"));
            }
        }
        if let Some(parent) = node.parent
            && (!self.is_transducer(parent) || parent >= id)
        {
            return Err(format!("the parent of {label} is no transducer before it"));
        }
        Ok(())
    }

    fn verify_edge(&self, edge: &Edge, concestors: &Concestors) -> Result<(), String> {
        let edge_label = format!("the edge {} -> {}", self.label(edge.from), self.label(edge.to));
        if edge.from >= edge.to {
            return Err(format!("{edge_label} goes backwards"));
        }
        if edge.kind != EdgeKind::Fusible {
            return Ok(());
        }
        let Some(via) = edge.via else {
            return Err(format!("{edge_label} is fusible, but carries nothing"));
        };
        let (from, to) = (&self.nodes[edge.from], &self.nodes[edge.to]);
        if from.kind == Kind::Barrier || to.kind == Kind::Barrier {
            return Err(format!("{edge_label} is fusible, but touches a barrier"));
        }
        if !from.writes.contains(&via) || !to.streams.contains(&via) {
            return Err(format!("{edge_label} is fusible, but carries no stream"));
        }
        if to.whole.contains(&via) {
            return Err(format!("{edge_label} is fusible, but the array is needed whole"));
        }
        if concestors.of(edge.from, edge.to).is_none() {
            return Err(format!("{edge_label} is fusible, but the sizes are unrelated"));
        }
        Ok(())
    }

    /// Each node with an effect waits for the one before it.
    fn verify_effects(&self) -> Result<(), String> {
        let effectful = self.nodes.iter().filter(|(_, node)| node.effect.is_some());
        let effectful: Vec<NodeId> = effectful.map(|(id, _)| id).collect();
        for two in effectful.windows(2) {
            let waits = self.edges.iter().any(|edge| {
                (edge.from, edge.to) == (two[0], two[1]) && edge.kind != EdgeKind::Fusible
            });
            if !waits {
                let (first, second) = (self.label(two[0]), self.label(two[1]));
                return Err(format!("nothing keeps the effects of {first} and {second} in order"));
            }
        }
        Ok(())
    }

    /// Every array is written by its producer, and every use of an array has its edge.
    fn verify_arrays(&self) -> Result<(), String> {
        for (var, array) in &self.arrays {
            let Some(producer) = array.producer else { continue };
            if !self.nodes[producer].writes.contains(var) {
                return Err(format!("{} does not write {}", self.label(producer), array.name));
            }
        }
        for (id, node) in &self.nodes {
            for var in node.streams.iter().chain(&node.whole) {
                let Some(producer) = self.arrays[var].producer else { continue };
                let edge = (producer, id, Some(*var));
                if self.edges.binary_search_by_key(&edge, |e| (e.from, e.to, e.via)).is_err() {
                    let name = &self.arrays[var].name;
                    return Err(format!("{} uses {name} without an edge", self.label(id)));
                }
            }
        }
        Ok(())
    }
}
