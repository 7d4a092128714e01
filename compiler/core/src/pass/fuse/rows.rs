//! Sizes of rows that only the arrays of one cluster have.
//!
//! A vector of rows is made before its first row, so the rows' extent must be known then. The extent of a filtered
//! array is known as the length of that array, if the array is in memory.
//!
//! Invariant: if rows made in the block have a size that is known only when computed, it is the size of an array
//! which is made.
//!
//! ```text
//! ys = filter p xs; k = length ys; zss = generate n (\i -> replicate k 0)    zss: [n][k]i64
//! ⇒ ys is made, though its elements are not read
//! ```

use indexmap::IndexSet;

use crate::ids::{PrimaryMap, SizeId, VarId};
use crate::ir::cnf::{Block, Extent, SizeDef, SizeInfo, Type, Var};
use crate::ir::graph::{Graph, Kind};

/// The arrays that must be made because their sizes are needed.
pub(super) fn witnesses(
    graph: &Graph,
    vars: &PrimaryMap<VarId, Var>,
    sizes: &PrimaryMap<SizeId, SizeInfo>,
    needed: &IndexSet<VarId>,
) -> Vec<VarId> {
    let mut rows = Rows { vars, sizes, rigid: IndexSet::new() };
    rows.block(&graph.block);
    // The size is the length of a combinator's result. The results of barriers are made in any case.
    let lengths = graph.arrays.iter().filter_map(|(&var, array)| {
        let by_pass = graph.nodes[array.producer?].kind != Kind::Barrier;
        by_pass.then(|| (var, shape(&vars[var].ty).first().copied()))
    });
    let lengths: Vec<_> = lengths.collect();
    let hidden = rows.rigid.iter().filter_map(|&size| {
        let with = lengths.iter().filter(|(_, length)| *length == Some(Extent::Size(size)));
        let mut with = with.map(|&(var, _)| var);
        let first = with.clone().next()?;
        (!with.any(|array| needed.contains(&array))).then_some(first)
    });
    hidden.collect()
}

/// The sizes of rows.
struct Rows<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// The sizes that are known only when computed.
    rigid: IndexSet<SizeId>,
}

impl Rows<'_> {
    fn block(&mut self, block: &Block) {
        for bind in &block.binds {
            for &var in &bind.vars {
                for &extent in shape(&self.vars[var].ty).iter().skip(1) {
                    self.extent(extent);
                }
            }
            for inner in bind.op.inner() {
                self.block(inner.block);
            }
        }
    }

    fn extent(&mut self, extent: Extent) {
        let Extent::Size(size) = extent else { return };
        match self.sizes[size].def {
            SizeDef::Exists => {
                self.rigid.insert(size);
            }
            SizeDef::Sum(left, right) | SizeDef::Product(left, right) => {
                self.extent(left);
                self.extent(right);
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
