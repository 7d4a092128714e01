//! Scalar operators, and comparisons of values that are made of scalars.
//!
//! Invariant: `==` of arrays is a reduction over both, so it fuses with the passes that make them.
//!
//! ```text
//! (a, [b, c]) == (d, ys)   ⇒   t = a == d; u = reduce (\acc x y -> acc && x == y) true [b, c] ys; t && u
//! ```

use super::Specialiser;
use super::error::Eval;
use super::matching::tag_of;
use super::value::{Array, Leaf, Value};
use crate::cnf::{Atom, FoldOrder, Op, Type, Worker};
use crate::specialise::value_tree::{Sum, Tree};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

impl<'a> Specialiser<'a> {
    /// A scalar operator; `==` and `!=` compare every component, and every element.
    pub(super) fn operator(
        &mut self,
        op: BinOp,
        left: &Value<'a>,
        right: &Value<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        if let (Tree::Leaf(Leaf::Scalar(x)), Tree::Leaf(Leaf::Scalar(y))) = (left, right) {
            return Ok(Value::scalar(self.build.bin(op, *x, *y, span)));
        }
        Ok(Value::scalar(self.compare(op, left, right, span)?))
    }

    /// `==` or `!=` of two values of one type.
    fn compare(
        &mut self,
        op: BinOp,
        left: &Value<'a>,
        right: &Value<'a>,
        span: Span,
    ) -> Eval<Atom> {
        match (left, right) {
            (Tree::Leaf(x), Tree::Leaf(y)) => self.compare_leaves(op, x, y, span),
            (Tree::Tuple(xs), Tree::Tuple(ys)) => self.compare_all(op, xs.iter().zip(ys), span),
            (Tree::Record(xs), Tree::Record(ys)) => {
                self.compare_all(op, xs.iter().map(|(name, x)| (x, &ys[name])), span)
            }
            (Tree::Sum(xs), Tree::Sum(ys)) => self.compare_sums(op, xs, ys, span),
            (Tree::Leaf(_) | Tree::Tuple(_) | Tree::Record(_) | Tree::Sum(_), _) => {
                panic!("core is well-typed: both sides of a comparison have one type")
            }
        }
    }

    fn compare_leaves(&mut self, op: BinOp, x: &Leaf<'a>, y: &Leaf<'a>, span: Span) -> Eval<Atom> {
        match (x, y) {
            (Leaf::Scalar(x), Leaf::Scalar(y)) => Ok(self.build.bin(op, *x, *y, span)),
            (Leaf::Array(x), Leaf::Array(y)) => self.compare_arrays(op, x, y, span),
            (Leaf::Scalar(_) | Leaf::Array(_) | Leaf::Fun(_), _) => {
                panic!("core is well-typed: functions do not compare")
            }
        }
    }

    /// Compares the elements of two arrays of one size, by a reduction.
    fn compare_arrays(&mut self, op: BinOp, left: &Array, right: &Array, span: Span) -> Eval<Atom> {
        let right = self.build.aligned(right, left, span);
        let initial = Const::bool(op == BinOp::Eq).into();
        let inputs = [left.vars(), right.vars()].concat();
        if inputs.is_empty() {
            return Ok(initial);
        }
        let ty = Type::Scalar(Scalar::Bool);
        self.build.open();
        let so_far = self.build.variable(ty.clone(), "acc".into());
        let elems: Vec<VarId> = inputs.iter().map(|&input| self.parameter(input)).collect();
        let mut parts = elems.iter().copied();
        let (x, y) = (left.element(&mut parts), right.element(&mut parts));
        let element = self.compare(op, &x, &y, span)?;
        let next = self.join_comparisons(op, so_far.into(), element, span);
        let params = std::iter::once(so_far).chain(elems).collect();
        let worker = Worker { params, body: self.build.close(vec![next]) };
        let order = FoldOrder::Commutative;
        let fold = Op::Fold { order, worker, init: vec![initial], inputs };
        Ok(self.build.emit_one(fold, ty, span).into())
    }

    fn compare_all<'v>(
        &mut self,
        op: BinOp,
        pairs: impl Iterator<Item = (&'v Value<'a>, &'v Value<'a>)>,
        span: Span,
    ) -> Eval<Atom>
    where
        'a: 'v,
    {
        let mut all = Const::bool(op == BinOp::Eq).into();
        for (x, y) in pairs {
            let one = self.compare(op, x, y, span)?;
            all = self.join_comparisons(op, all, one, span);
        }
        Ok(all)
    }

    /// Values are equal if all their parts are, and differ if one of their parts does.
    fn join_comparisons(&mut self, op: BinOp, left: Atom, right: Atom, span: Span) -> Atom {
        if op == BinOp::Eq {
            self.and_conditions(left, right, span)
        } else {
            self.or_conditions(left, right, span)
        }
    }

    /// Two values of a sum are equal if their constructors are equal, and the payloads of these. The payloads of other
    /// constructors are not compared: values from outside may have anything there.
    fn compare_sums(
        &mut self,
        op: BinOp,
        left: &Sum<Leaf<'a>>,
        right: &Sum<Leaf<'a>>,
        span: Span,
    ) -> Eval<Atom> {
        let Leaf::Scalar(tag) = left.tag else { panic!("a tag is a scalar") };
        let mut all = self.compare_leaves(op, &left.tag, &right.tag, span)?;
        for (name, payloads) in &left.cases {
            if payloads.is_empty() {
                continue;
            }
            let parts = self.compare_all(op, payloads.iter().zip(&right.cases[name]), span)?;
            let own = tag_of(&left.cases, name).into();
            // Payloads of another constructor do not decide.
            let part = if op == BinOp::Eq {
                let is_other = self.build.bin(BinOp::Ne, tag, own, span);
                self.or_conditions(is_other, parts, span)
            } else {
                let is_own = self.build.bin(BinOp::Eq, tag, own, span);
                self.and_conditions(is_own, parts, span)
            };
            all = self.join_comparisons(op, all, part, span);
        }
        Ok(all)
    }
}
