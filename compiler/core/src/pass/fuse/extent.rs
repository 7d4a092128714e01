//! The values of sizes, without the arrays that have them.
//!
//! A length is known as soon as its size is (rating relies on it): that of a parameter from the start,
//! even where the array is made late, or in the very pass that asks.
//!
//! Invariant: what the bindings use is known when the size is.
//!
//! ```text
//! zs : [n]i64, made by a call;  l = length zs      ⇒ l = length xs, for a parameter xs : [n]i64
//! ps : [n * m]i64;              l = length ps      ⇒ f = length xs; g = length ys; l = f * g
//! ```

use crate::ids::{PrimaryMap, SizeId, VarId};
use crate::ir::cnf::{Atom, Bind, Extent, Op, SizeDef, SizeInfo, Type, Var};
use crate::ir::graph::Graph;
use crate::names::Name;
use crate::prim::{BinOp, Const, Scalar, UnOp};
use crate::source::Span;

/// The known sizes in a block.
pub(super) struct Extents<'a> {
    pub(super) graph: &'a Graph,
    pub(super) vars: &'a mut PrimaryMap<VarId, Var>,
    pub(super) sizes: &'a PrimaryMap<SizeId, SizeInfo>,
}

impl Extents<'_> {
    /// Bindings that make `var` the length of an array that the block makes, if its size tells.
    pub(super) fn length(
        &mut self,
        var: VarId,
        array: VarId,
        dim: usize,
        span: Span,
    ) -> Option<Vec<Bind>> {
        self.graph.arrays.get(&array)?.producer?;
        let extent = extent(self.vars, array, dim)?;
        let mut binds = Vec::new();
        self.extent(var, extent, span, &mut binds).then_some(binds)
    }

    /// Adds bindings that make `var` the extent's value; whether there are any.
    fn extent(&mut self, var: VarId, extent: Extent, span: Span, binds: &mut Vec<Bind>) -> bool {
        let op = match extent {
            Extent::Const(value) => copy(Atom::Const(Const::i64(value))),
            Extent::Size(size) => match self.sizes[size].def {
                SizeDef::Param | SizeDef::Exists => match self.first_of(size) {
                    Some((array, dim)) => Op::Length { array, dim },
                    None => return false,
                },
                SizeDef::Value(value) => copy(Atom::Var(value)),
                SizeDef::Sum(left, right) => {
                    let Some(op) = self.both(BinOp::Add, [left, right], span, binds) else {
                        return false;
                    };
                    op
                }
                SizeDef::Product(left, right) => {
                    let Some(op) = self.both(BinOp::Mul, [left, right], span, binds) else {
                        return false;
                    };
                    op
                }
            },
        };
        binds.push(Bind { vars: vec![var], op, span });
        true
    }

    fn both(
        &mut self,
        op: BinOp,
        parts: [Extent; 2],
        span: Span,
        binds: &mut Vec<Bind>,
    ) -> Option<Op> {
        let [left, right] = parts.map(|part| {
            let var = new_length(self.vars);
            self.extent(var, part, span, binds).then_some(Atom::Var(var))
        });
        Some(Op::Bin(op, left?, right?))
    }

    /// The array that has the size first: one from outside the block, the parameter of the function
    /// that brings it (which is its first variable of that size), or the one that is made with it.
    fn first_of(&self, size: SizeId) -> Option<(VarId, usize)> {
        let dimension = |array: VarId| Some((array, dimension(&self.vars[array].ty, size)?));
        let arrays = self.graph.arrays.iter();
        let (made, outside) = arrays.partition::<Vec<_>, _>(|(_, array)| array.producer.is_some());
        let is_param = self.sizes[size].def == SizeDef::Param;
        let params = self.vars.keys().filter(|_| is_param);
        let outside = outside.into_iter().map(|(&array, _)| array);
        let made = made.into_iter().map(|(&array, _)| array);
        outside.chain(params).chain(made).find_map(dimension)
    }
}

/// A new variable for a length.
pub(super) fn new_length(vars: &mut PrimaryMap<VarId, Var>) -> VarId {
    vars.push(Var { name: Name::new_static("length"), ty: Type::Scalar(Scalar::I64) })
}

/// An operation that gives an `i64` another name: converting it to its own type changes nothing.
pub(super) fn copy(value: Atom) -> Op {
    Op::Un(UnOp::To(Scalar::I64), value)
}

fn extent(vars: &PrimaryMap<VarId, Var>, array: VarId, dim: usize) -> Option<Extent> {
    match &vars[array].ty {
        Type::Scalar(_) => None,
        Type::Array { shape, .. } => shape.get(dim).copied(),
    }
}

fn dimension(ty: &Type, size: SizeId) -> Option<usize> {
    match ty {
        Type::Scalar(_) => None,
        Type::Array { shape, .. } => shape.iter().position(|&each| each == Extent::Size(size)),
    }
}
