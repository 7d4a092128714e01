//! Index arithmetic in types narrower than `i64`.
//!
//! Index arithmetic is often in `i32`, with conversions there and back. Where no result wraps, the same arithmetic in
//! `i64` has the same results. So a range demands that no result wraps, and its copy computes indices in `i64`. LLVM
//! can analyse such indices, but not those with a conversion in each step.
//!
//! Invariant: a narrow variable has a form only if the range demands that its value is that of the form.
//!
//! ```text
//! k = i32.i64 i; l = k - 1; j = i64.i32 l; x = xs[j]   ⇒   from 1 to min n 2³¹: j = i - 1; x = inside xs[j]
//! ```

use super::bounds::CodeBuilder;
use super::version_state::Version;
use crate::concrete::{Plain, Step};
use crate::ranges::facts::Arithmetic;
use crate::ranges::split::grids::CurrentVariant;
use crate::ranges::sums::{Sum, is_followed};
use arrc_fusion::cnf::{Atom, Operation, Type, Var};
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

impl Version<'_> {
    /// Notes the value of an operation on integers, if it is a sum in the range.
    pub(super) fn operation(&mut self, var: VarId, op: BinOp, args: [Atom; 2], span: Span) {
        let Some(ty) = self.vars[var].ty.as_scalar().filter(|&ty| is_followed(ty)) else { return };
        let (Some(a), Some(b)) = (self.form(args[0]), self.form(args[1])) else { return };
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are no sums")]
        let form = match op {
            BinOp::Add => Some(a.plus(1, &b)),
            BinOp::Sub => Some(a.plus(-1, &b)),
            BinOp::Mul => self.product(&a, &b, span),
            _ => None,
        };
        if let Some(form) = form.filter(|form| self.fits(form, ty)) {
            self.forms.insert(var, form);
            if args.iter().any(|&arg| self.is_narrowed(arg)) {
                self.narrowed.insert(var);
            }
        }
    }

    /// The value of a variable from outside the loop, if it is a sum of numbers that are wider.
    pub(super) fn wide_value(&mut self, var: VarId) -> Option<Sum> {
        let ty = self.vars[var].ty.as_scalar()?;
        let form = match self.known.facts.arithmetic(var)? {
            Arithmetic::To(arg) => self.form(arg)?,
            Arithmetic::Bin(BinOp::Add, [a, b]) => self.form(a)?.plus(1, &self.form(b)?),
            Arithmetic::Bin(BinOp::Sub, [a, b]) => self.form(a)?.plus(-1, &self.form(b)?),
            Arithmetic::Bin(..) => return None,
        };
        let form = Some(form).filter(|form| self.fits(form, ty))?;
        self.forms.insert(var, form.clone());
        Some(form)
    }

    /// The product of two sums. One factor is a constant, or both are loop-invariant; then the product is computed
    /// before the loop.
    fn product(&mut self, a: &Sum, b: &Sum, span: Span) -> Option<Sum> {
        let zero = Sum::constant(0);
        if let Some(factor) = a.as_constant() {
            return Some(zero.plus(factor, b));
        }
        if let Some(factor) = b.as_constant() {
            return Some(zero.plus(factor, a));
        }
        if [a, b].into_iter().any(|sum| sum.terms.contains_key(&self.counter)) {
            return None;
        }
        let mut code = CodeBuilder::new(std::mem::take(&mut self.before), span, self.vars);
        let args = [a, b].map(|sum| code.sum(sum));
        let Atom::Var(product) = code.binary(BinOp::Mul, args[0], args[1]) else {
            panic!("a product of variables is a variable")
        };
        self.before = code.steps;
        Some(Sum::symbol(product))
    }

    /// Demands that a type can represent a sum; says whether that can be demanded.
    fn fits(&mut self, form: &Sum, ty: Scalar) -> bool {
        if ty == Scalar::I64 {
            return true;
        }
        let [lowest, highest] = [Const::lowest(ty), Const::highest(ty)]
            .map(|number| i64::try_from(number.as_i128()).expect("a narrow number is an i64"));
        match form.as_constant() {
            Some(number) => (lowest..=highest).contains(&number),
            None => self.lies_within(&form.shifted(-lowest), highest - lowest + 1),
        }
    }

    /// A conversion between integers, whose result is the same number.
    pub(super) fn converted(
        &mut self,
        var: VarId,
        (to, arg): (Scalar, Atom),
        span: Span,
    ) -> Step<Plain> {
        let form = self.form(arg).filter(|form| self.fits(form, to));
        if let Some(form) = form {
            self.forms.insert(var, form);
            self.narrowed.insert(var);
        }
        let (arg, var) = (self.atom(arg), self.fresh(var));
        Step::Scalar { var, op: Operation::Un(UnOp::To(to), arg), span }
    }

    /// Whether an atom is computed from a narrow number.
    pub(super) fn is_narrowed(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.narrowed.contains(&var))
    }

    /// An index that is in bounds in the range, for the copy. It is computed in `i64` alone.
    pub(super) fn index(&mut self, index: Atom, span: Span, done: &mut Vec<Step<Plain>>) -> Atom {
        let form = self.form(index).filter(|_| self.flat && self.is_narrowed(index));
        let Some(form) = form else { return self.atom(index) };
        let (factor, rest) = form.without(self.counter);
        let behind = self.current_variant.as_ref().map_or(0, CurrentVariant::offset_in_period);
        let rest = rest.shifted(-factor * behind);
        let sum =
            if factor == 0 { rest } else { rest.plus(factor, &Sum::symbol(self.counter_value())) };
        let mut code = CodeBuilder::new(std::mem::take(done), span, self.vars);
        let index = code.sum(&sum);
        *done = code.steps;
        index
    }

    /// A variable in the loop that has the value of its counter.
    fn counter_value(&mut self) -> VarId {
        let vars = &mut *self.vars;
        *self.here.get_or_insert_with(|| {
            vars.push(Var { name: Name::new("here"), ty: Type::Scalar(Scalar::I64) })
        })
    }
}
