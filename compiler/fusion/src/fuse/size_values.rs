//! The values of sizes, computed without the arrays that have these sizes.
//!
//! A length is known as soon as its size is, and rating relies on this. The size of a parameter is known from the
//! start, even if the array with that length is made late, or in the pass that uses the length.
//!
//! Invariant: the variables that the bindings use are known when the size is.
//!
//! ```text
//! zs : [n]i64, made by a call;  l = length zs      ⇒ l = length xs, for a parameter xs : [n]i64
//! ps : [n * m]i64;              l = length ps      ⇒ f = length xs; g = length ys; l = f * g
//! ```

use crate::cnf::{Atom, Bind, Extent, Op, SizeDef, SizeInfo, Type, Var};
use crate::graph::Graph;
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

/// The known sizes in a block.
pub(super) struct KnownExtents<'a> {
    pub(super) graph: &'a Graph,
    pub(super) vars: &'a mut PrimaryMap<VarId, Var>,
    pub(super) sizes: &'a PrimaryMap<SizeId, SizeInfo>,
}

impl KnownExtents<'_> {
    /// Bindings that make `var` the length of an array that the block makes, if its size determines it.
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

    /// Adds bindings that make `var` the extent's value. Returns whether it could.
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
        let [left, right] = SizeDef::both(parts, |part| {
            let var = new_length(self.vars);
            self.extent(var, part, span, binds).then_some(Atom::Var(var))
        });
        Some(Op::bin(op, left?, right?))
    }

    /// The first array that has the size. It is an array from outside the block, a parameter of the function, or an
    /// array that the block makes. A size parameter belongs to a parameter, the first variable of that size.
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

/// An operation that gives an `i64` another name: converting it to its own type does not change it.
pub(super) fn copy(value: Atom) -> Op {
    Op::un(UnOp::To(Scalar::I64), value)
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
