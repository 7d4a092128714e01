//! Lengths that nested blocks use become scalars of the block.
//!
//! A length needs no array in memory, so a worker may use the length of an array that its own pass makes. After
//! hoisting, it is computed like any other length of the block.
//!
//! Invariant: no nested block computes the length of an array that this block makes.
//!
//! ```text
//! zs = map (\y -> { n = length ys; z = y / n; z }) ys
//! ⇒ l = length ys; zs = map (\y -> { n = to_i64 l; z = y / n; z }) ys
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Bind, Block, Op, Var};
use crate::fuse::size_values::{copy, new_length};
use crate::graph::Graph;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::source::Span;

/// Hoists the lengths out of the blocks nested in the graph's block.
pub(super) fn hoist(graph: &mut Graph, vars: &mut PrimaryMap<VarId, Var>) {
    let made = graph.arrays.iter().filter(|(_, array)| array.producer.is_some());
    let made = made.map(|(&array, _)| array);
    let mut hoist = LengthHoister { made: made.collect(), lengths: IndexMap::new(), vars };
    for bind in &mut graph.block.binds {
        hoist.inside(&mut bind.op);
    }
    let lengths = hoist.lengths.into_iter().map(|((array, dim), (var, span))| Bind {
        vars: vec![var],
        op: Op::Length { array, dim },
        span,
    });
    graph.block.binds.extend(lengths);
}

struct LengthHoister<'a> {
    /// The arrays that the block makes.
    made: Vec<VarId>,
    /// The hoisted lengths so far, each with the place of its first use.
    lengths: IndexMap<(VarId, usize), (VarId, Span)>,
    vars: &'a mut PrimaryMap<VarId, Var>,
}

impl LengthHoister<'_> {
    fn inside(&mut self, op: &mut Op) {
        op.blocks_mut().into_iter().for_each(|block| self.block(block));
    }

    fn block(&mut self, block: &mut Block) {
        for bind in &mut block.binds {
            self.inside(&mut bind.op);
            if let Op::Length { array, dim } = bind.op
                && self.made.contains(&array)
            {
                let hoisted = self.lengths.entry((array, dim));
                let (length, _) = *hoisted.or_insert_with(|| (new_length(self.vars), bind.span));
                bind.op = copy(Atom::Var(length));
            }
        }
    }
}
