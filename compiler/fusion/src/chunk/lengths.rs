//! Lengths of arrays, computed from their sizes.
//!
//! A pass makes an array chunk by chunk, so the length of the array itself is known only after the pass. The value of its
//! size is known before. A pass may need such a value: the last part of `map f xs ++ ys ++ map g xs` begins at
//! `length (map f xs) + length ys`, and one pass makes the first part and the last one.
//!
//! Invariant: the new computation of a length depends only on what the array itself depends on, so every order of steps
//! that was legal stays legal.
//!
//! ```text
//! a = map f xs; l = length a                   ⇒   l = length xs       xs is an array from outside of the block
//! a = generate n f; b = map g a; l = length b  ⇒   l = n + 0           the size is the value of n
//! c = a ++ b; d = map f c; l = length d        ⇒   l = length a + length b
//! ```

use crate::chunk::block_uses::SizeSources;
use crate::cnf::{Atom, Bind, Extent, Op, Operation, SizeDef, Type, Var};
use crate::graph::Graph;
use crate::tables::Tables;
use arrc_syntax::ids::SizeId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// Computes the lengths in a block from sizes. `around` has the arrays and the variables from outside of the block.
pub(super) fn from_sizes(graph: &mut Graph, around: &SizeSources, tables: &mut Tables) {
    let mut lengths = Lengths { around, before: around.clone(), tables, binds: Vec::new() };
    let mut places = Vec::with_capacity(graph.block.binds.len());
    for mut bind in std::mem::take(&mut graph.block.binds) {
        if let Op::Length { array, dim } = bind.op
            && !around.has(array)
            && let Some(Extent::Size(size)) = lengths.tables.vars[array].ty.shape().get(dim)
            && let Some(op) = lengths.of_size(*size, bind.span)
        {
            bind.op = op;
        }
        places.push(lengths.binds.len());
        lengths.before.add(&bind.vars, lengths.tables);
        lengths.binds.push(bind);
    }
    graph.block.binds = lengths.binds;
    for node in graph.nodes.values_mut() {
        node.bind = places[node.bind];
    }
}

/// The lengths of a block.
struct Lengths<'a> {
    around: &'a SizeSources,
    /// The arrays and the variables from outside, and those that the block has bound so far.
    before: SizeSources,
    tables: &'a mut Tables,
    /// The new bindings of the block.
    binds: Vec<Bind>,
}

impl Lengths<'_> {
    /// The operation that computes a size, if its value can be computed here.
    fn of_size(&mut self, size: SizeId, span: Span) -> Option<Op> {
        if let Some((array, dim)) = self.around.owner(size) {
            return Some(Op::Length { array, dim });
        }
        let bin = |op, [left, right]: [Option<Atom>; 2]| {
            Some(Op::Scalar(Operation::Bin(op, [left?, right?])))
        };
        match self.tables.sizes[size].def {
            SizeDef::Value(var) if self.before.has(var) => {
                bin(BinOp::Add, [Some(Atom::Var(var)), Some(Atom::Const(Const::i64(0)))])
            }
            SizeDef::Sum(left, right) => {
                bin(BinOp::Add, SizeDef::both([left, right], |part| self.value(part, span)))
            }
            SizeDef::Product(left, right) => {
                bin(BinOp::Mul, SizeDef::both([left, right], |part| self.value(part, span)))
            }
            // All other arrays of the size are made from the first one.
            SizeDef::Param | SizeDef::Exists | SizeDef::Value(_) => {
                let (array, dim) = self.before.owner(size)?;
                Some(Op::Length { array, dim })
            }
        }
    }

    /// The value of an extent, by a new binding if need be.
    fn value(&mut self, extent: Extent, span: Span) -> Option<Atom> {
        let size = match extent {
            Extent::Const(length) => return Some(Atom::Const(Const::i64(length))),
            Extent::Size(size) => size,
        };
        let op = self.of_size(size, span)?;
        let ty = Type::Scalar(Scalar::I64);
        let var = self.tables.vars.push(Var { name: Name::new_static("length"), ty });
        self.before.add(&[var], self.tables);
        self.binds.push(Bind { vars: vec![var], op, span });
        Some(Atom::Var(var))
    }
}
