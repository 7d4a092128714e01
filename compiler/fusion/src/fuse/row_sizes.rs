//! Sizes of rows that only the arrays of one cluster have.
//!
//! A vector of rows is made before its first row, so the rows' extent must be known then. The extent of a filtered
//! array is known as the length of that array, if the array is in memory.
//!
//! Invariant: if rows made in the block have a size that is known only when computed, it is the size of an array
//! which is made before them.
//!
//! ```text
//! ys = filter p xs; k = length ys; zss = generate n (\i -> replicate k 0)    zss: [n][k]i64
//! ⇒ ys is made, though its elements are not read
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::clusters::Clusters;
use crate::cnf::{Bind, Extent, SizeDef, SizeInfo, Type, Var};
use crate::graph::{Graph, Kind};
use arrc_syntax::ids::{ClusterId, NodeId, PrimaryMap, SecondaryMap, SizeId, VarId};

/// The arrays that must be made because their sizes are needed.
pub(super) fn witnesses(
    (graph, clusters): (&Graph, &Clusters),
    vars: &PrimaryMap<VarId, Var>,
    sizes: &PrimaryMap<SizeId, SizeInfo>,
    needed: &IndexSet<VarId>,
) -> Vec<VarId> {
    let mut rows = RowSizes { vars, sizes, rigid: IndexMap::new() };
    let mut cluster_of = SecondaryMap::<NodeId, Option<ClusterId>>::new();
    for (cluster, nodes) in &clusters.clusters {
        for &node in nodes {
            cluster_of[node] = Some(cluster);
            rows.bind(&graph.block.binds[graph.nodes[node].bind], cluster);
        }
    }
    let by_pass = |node: NodeId| graph.nodes[node].kind != Kind::Barrier;
    let has = |var: VarId, size| shape(&vars[var].ty).contains(&Extent::Size(size));
    // The results of barriers are made in any case.
    let tells = |user: ClusterId, size| {
        graph.arrays.iter().any(|(&var, array)| {
            has(var, size)
                && array.producer.is_none_or(|node| {
                    cluster_of[node] < Some(user) && (!by_pass(node) || needed.contains(&var))
                })
        })
    };
    let hidden = rows.rigid.iter().filter(|&(&size, &user)| !tells(user, size));
    // The size is the length of a combinator's result.
    let maker = |(&size, _): (&SizeId, &ClusterId)| {
        let mut arrays = graph.arrays.iter();
        let first = arrays.find(|&(&var, array)| {
            array.producer.is_some_and(by_pass)
                && shape(&vars[var].ty).first() == Some(&Extent::Size(size))
        });
        first.map(|(&var, _)| var)
    };
    hidden.filter_map(maker).collect()
}

/// The sizes of rows.
struct RowSizes<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// The sizes that are known only when computed, each with the first cluster that makes rows of that size.
    rigid: IndexMap<SizeId, ClusterId>,
}

impl RowSizes<'_> {
    fn bind(&mut self, bind: &Bind, cluster: ClusterId) {
        if bind.op.kind() != Some(Kind::Barrier) {
            for &var in &bind.vars {
                for &extent in shape(&self.vars[var].ty).iter().skip(1) {
                    self.extent(extent, cluster);
                }
            }
        }
        for inner in bind.op.inner() {
            inner.block.binds.iter().for_each(|bind| self.bind(bind, cluster));
        }
    }

    fn extent(&mut self, extent: Extent, cluster: ClusterId) {
        let Extent::Size(size) = extent else { return };
        match self.sizes[size].def {
            SizeDef::Exists => {
                self.rigid.entry(size).or_insert(cluster);
            }
            ref def @ (SizeDef::Sum(..) | SizeDef::Product(..)) => {
                def.parts().for_each(|part| self.extent(part, cluster));
            }
            SizeDef::Param | SizeDef::Value(_) => {}
        }
    }
}

fn shape(ty: &Type) -> &[Extent] {
    match ty {
        Type::Scalar(_) => &[],
        Type::Array { shape, .. } => shape,
    }
}
