//! The graph as text: the size scheme (001, section 1.3.1), a line for each node, a line for each edge.
//!
//! Invariant: deterministic, and two nodes never print under one name.
//!
//! ```text
//! filter_left : ∀n. ∃k. (xs : n) → (ys1 : n, ys2 : k)
//!   ys1 = map xs : n
//!   ys2 = filter xs : n
//! ```

use std::fmt;

use indexmap::IndexSet;

use super::{ArrayInfo, EdgeKind, Graph, Iteration, Node};
use crate::cnf::{Atom, Extent};
use arrc_syntax::ids::{NodeId, SizeId, VarId};
use arrc_syntax::names::Name;

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = self.scheme(&|var| self.variable(var), &|id| self.size_name(id));
        writeln!(f, "{} : {scheme}", self.name)?;
        for (id, node) in &self.nodes {
            writeln!(f, "  {}", self.show_node(id, node))?;
        }
        for edge in &self.edges {
            let (from, to) = (self.label(edge.from), self.label(edge.to));
            let via = edge.via.map(|via| format!(" {}", self.variable(via))).unwrap_or_default();
            match edge.kind {
                EdgeKind::Fusible => writeln!(f, "  {from} -> {to} fusible:{via}")?,
                EdgeKind::Preventing(reason) => {
                    writeln!(f, "  {from} -> {to} preventing: {}{via}", reason.name())?;
                }
            }
        }
        Ok(())
    }
}

impl Graph {
    /// The node's name for people, with its id where the name alone would be ambiguous.
    #[must_use]
    pub fn label(&self, node: NodeId) -> String {
        let name = &self.nodes[node].name;
        if self.nodes.values().filter(|other| other.name == *name).count() > 1 {
            format!("{name}.{node}")
        } else {
            name.to_string()
        }
    }

    /// The iteration size as text, such as `n × m`; `name` gives the names of sizes.
    #[must_use]
    pub fn show_size(&self, size: &Iteration, name: &dyn Fn(SizeId) -> String) -> String {
        match size {
            Iteration::Extent(Extent::Const(value)) => value.to_string(),
            Iteration::Extent(Extent::Size(id)) => name(*id),
            Iteration::Cross(left, right) => {
                let [left, right_text] = [left, right].map(|side| self.show_size(side, name));
                match **right {
                    Iteration::Extent(_) => format!("{left} × {right_text}"),
                    Iteration::Cross(..) => format!("{left} × ({right_text})"),
                }
            }
        }
    }

    /// The size scheme: the sizes of the input arrays and of the results. The arguments give the names of arrays and
    /// sizes.
    #[must_use]
    pub fn scheme(
        &self,
        array: &dyn Fn(VarId) -> String,
        size: &dyn Fn(SizeId) -> String,
    ) -> String {
        let inputs: Vec<VarId> = (self.arrays.iter())
            .filter(|(_, array)| array.producer.is_none())
            .map(|(&var, _)| var)
            .collect();
        let outputs: Vec<VarId> = (self.block.results.iter())
            .filter_map(|atom| match atom {
                Atom::Const(_) => None,
                Atom::Var(var) => Some(*var),
            })
            .filter(|var| self.arrays.contains_key(var))
            .collect();
        let mut given = IndexSet::new();
        inputs.iter().for_each(|var| self.arrays[var].size.mentions(&mut given));
        let mut all = given.clone();
        outputs.iter().for_each(|var| self.arrays[var].size.mentions(&mut all));
        let (exists, for_all): (Vec<SizeId>, Vec<SizeId>) = (all.into_iter()).partition(|size| {
            !given.contains(size) && self.sizes.get(size).is_some_and(|s| s.rigid)
        });
        let quantifier = |sign: char, sizes: &[SizeId]| {
            let names: Vec<String> = sizes.iter().map(|&id| size(id)).collect();
            if names.is_empty() { String::new() } else { format!("{sign}{}. ", names.join(" ")) }
        };
        let typed = |arrays: &[VarId]| {
            let one = |var: &VarId| {
                format!("{} : {}", array(*var), self.show_size(&self.arrays[var].size, size))
            };
            arrays.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        format!(
            "{}{}({}) → ({})",
            quantifier('∀', &for_all),
            quantifier('∃', &exists),
            typed(&inputs),
            typed(&outputs)
        )
    }

    fn show_node(&self, id: NodeId, node: &Node) -> String {
        let mut text = format!("{} = {}", self.label(id), node.kind.name());
        for &array in &node.streams {
            text += &format!(" {}", self.variable(array));
        }
        if !node.whole.is_empty() {
            let whole: Vec<String> = node.whole.iter().map(|&array| self.variable(array)).collect();
            text += &format!(" [{}]", whole.join(" "));
        }
        if node.writes.len() > 1
            || node.writes.first().is_some_and(|&w| self.name_of(w) != &node.name)
        {
            let writes: Vec<String> =
                node.writes.iter().map(|&array| self.variable(array)).collect();
            text += &format!(" → {}", writes.join(" "));
        }
        if let Some(size) = &node.iteration {
            text += &format!(" : {}", self.show_size(size, &|id| self.size_name(id)));
        }
        if let Some(parent) = node.parent {
            text += &format!(" in {}", self.label(parent));
        }
        if node.effect.is_some() {
            text += " with an effect";
        }
        text
    }

    /// An array's or a scalar's name, with its id where the name alone would be ambiguous.
    #[must_use]
    pub fn variable(&self, var: VarId) -> String {
        let Some(array) = self.arrays.get(&var) else {
            // A scalar has the name of the node that makes it, or is known by its id alone.
            let of = self
                .nodes
                .values()
                .find(|node| self.block.binds[node.bind].vars.first() == Some(&var));
            return of.map_or_else(|| var.to_string(), |node| node.name.to_string());
        };
        self.label_of(array, var)
    }

    /// The name of an array, with its id where several arrays have the name.
    ///
    /// # Panics
    /// If the variable is no array of the graph.
    #[must_use]
    pub fn array_label(&self, var: VarId) -> String {
        self.label_of(&self.arrays[&var], var)
    }

    fn label_of(&self, array: &ArrayInfo, var: VarId) -> String {
        if self.arrays.values().filter(|other| other.name == array.name).count() > 1 {
            format!("{}.{var}", array.name)
        } else {
            array.name.to_string()
        }
    }

    fn name_of(&self, array: VarId) -> &Name {
        &self.arrays[&array].name
    }

    fn size_name(&self, id: SizeId) -> String {
        let Some(size) = self.sizes.get(&id) else { return id.to_string() };
        if self.sizes.values().filter(|other| other.name == size.name).count() > 1 {
            format!("{}.{id}", size.name)
        } else {
            size.name.to_string()
        }
    }
}
