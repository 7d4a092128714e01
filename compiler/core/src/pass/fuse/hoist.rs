//! Lengths that nested blocks ask for become scalars of the block.
//!
//! A length needs no array in memory, so a worker may ask for that of an array that its own pass
//! makes. Hoisted, it comes from where the length of any array of a pass comes from.
//!
//! Invariant: no block nested in a binding asks for the length of an array that a pass of this block
//! makes.
//!
//! ```text
//! zs = map (\y -> { n = length ys; z = y / n; z }) ys
//! ⇒ l = length ys; zs = map (\y -> { n = to_i64 l; z = y / n; z }) ys
//! ```

use indexmap::IndexMap;

use crate::ids::{PrimaryMap, VarId};
use crate::ir::cnf::{Atom, Bind, Block, Op, Type, Var};
use crate::ir::graph::{Graph, Kind};
use crate::names::Name;
use crate::prim::{Scalar, UnOp};
use crate::source::Span;

/// Hoists the lengths out of the blocks nested in the graph's block.
pub(super) fn hoist(graph: &mut Graph, vars: &mut PrimaryMap<VarId, Var>) {
    let made = graph.arrays.iter().filter_map(|(&array, data)| {
        let by_pass = graph.nodes[data.producer?].kind != Kind::Barrier;
        by_pass.then_some(array)
    });
    let mut hoist = Hoist { made: made.collect(), lengths: IndexMap::new(), vars };
    for bind in &mut graph.block.binds {
        hoist.inside(&mut bind.op);
    }
    let lengths = hoist.lengths.into_iter().map(|(array, (var, span))| Bind {
        vars: vec![var],
        op: Op::Length { array, dim: 0 },
        span,
    });
    graph.block.binds.extend(lengths);
}

struct Hoist<'a> {
    /// The arrays that passes of the block make.
    made: Vec<VarId>,
    /// The lengths so far, and where they are first asked for.
    lengths: IndexMap<VarId, (VarId, Span)>,
    vars: &'a mut PrimaryMap<VarId, Var>,
}

impl Hoist<'_> {
    fn inside(&mut self, op: &mut Op) {
        match op {
            Op::Map { worker, .. }
            | Op::Filter { worker, .. }
            | Op::Fold { worker, .. }
            | Op::Generate { worker, .. } => self.block(&mut worker.body),
            Op::If { then, otherwise, .. } => {
                self.block(then);
                self.block(otherwise);
            }
            Op::Un(..)
            | Op::Bin(..)
            | Op::Index { .. }
            | Op::Length { .. }
            | Op::Gather { .. }
            | Op::Cross { .. }
            | Op::Call { .. }
            | Op::Append { .. }
            | Op::Array { .. } => {}
        }
    }

    fn block(&mut self, block: &mut Block) {
        for bind in &mut block.binds {
            self.inside(&mut bind.op);
            if let Op::Length { array, dim: 0 } = bind.op
                && self.made.contains(&array)
            {
                let (length, _) =
                    *self.lengths.entry(array).or_insert_with(|| (new_var(self.vars), bind.span));
                bind.op = Op::Un(UnOp::To(Scalar::I64), Atom::Var(length));
            }
        }
    }
}

fn new_var(vars: &mut PrimaryMap<VarId, Var>) -> VarId {
    vars.push(Var { name: Name::new_static("length"), ty: Type::Scalar(Scalar::I64) })
}
