//! `rate`: one block to its dependency graph (001, sections 1.3 and 1.4.1).
//!
//! Size inference gives every array a size and every combinator an iteration size (figure 1.6); the
//! edges follow figure 1.10, with its reading of `cross` and `gather`: `cross xs ys` streams `xs` and
//! needs `ys` whole, `gather xs is` streams `is` and needs `xs` whole. A scalar binding is no node; its
//! users have its dependencies instead.
//!
//! Invariant: an edge is fusible only if the consumer can run at the producer's rate, or at the one that
//! the producer, a transducer, makes; every other dependency is fusion-preventing, with its reason.
//!
//! ```text
//! s = fold xs; t = s + 1; ys = map {t} xs; zs = map ys
//! ⇒ nodes s : n, ys : n, zs : n; edges s -> ys preventing, ys -> zs fusible
//! ```

mod depend;
mod nodes;
mod operation_uses;
mod sizes;
#[cfg(test)]
mod tests;

use indexmap::{IndexMap, IndexSet};

use crate::cnf;
use crate::graph::{ArrayInfo, Graph, Node, Size};
use crate::tables::Tables;
use arrc_syntax::ids::{NodeId, PrimaryMap, SizeId, VarId};
use depend::Dependencies;
use nodes::Nodes;
use sizes::SolvedSizes;

/// The dependency graph of a block of the function with these tables.
#[must_use]
pub fn rate(name: String, block: cnf::Block, tables: &Tables) -> Graph {
    let Tables { vars, sizes, named: _, in_sums: _ } = tables;
    let inferred = SolvedSizes::infer(&block, vars, sizes);
    let mut dependencies = Dependencies::new(vars, sizes);
    let mut nodes = Nodes::new(vars, &inferred);
    for (index, bind) in block.binds.iter().enumerate() {
        // An `if` that only chooses between arrays binds none in its branches, but is a barrier; and so
        // is an index that gives a row.
        let scalar = bind.op.is_scalar() && bind.vars.iter().all(|&var| !vars[var].ty.is_array());
        if scalar {
            dependencies.scalar(bind);
        } else {
            let node = nodes.add(index, bind);
            dependencies.combinator(node, bind, nodes.kind(node));
        }
    }
    let (nodes, arrays) = nodes.finish(&block.results, dependencies.indexed());
    let edges = dependencies.edges(&nodes, &arrays);
    let sizes = shown(&nodes, &arrays, sizes);
    let bound = nodes.values().flat_map(|node| &block.binds[node.bind].vars);
    let given = bound.chain(arrays.keys()).filter(|&&var| tables.user_name(var).is_some());
    let given = given.copied().collect();
    Graph { name, block, nodes, edges, arrays, sizes, given }
}

/// The printed forms of the sizes that occur in a graph.
fn shown(
    nodes: &PrimaryMap<NodeId, Node>,
    arrays: &IndexMap<VarId, ArrayInfo>,
    sizes: &PrimaryMap<SizeId, cnf::SizeInfo>,
) -> IndexMap<SizeId, Size> {
    let mut mentioned: IndexSet<SizeId> = IndexSet::new();
    let iterations = nodes.values().filter_map(|node| node.iteration.as_ref());
    for size in iterations.chain(arrays.values().map(|array| &array.size)) {
        size.mentions(&mut mentioned);
    }
    let show = |id: SizeId| Size {
        name: sizes[id].name.clone(),
        rigid: sizes[id].def != cnf::SizeDef::Param,
    };
    mentioned.into_iter().map(|id| (id, show(id))).collect()
}
