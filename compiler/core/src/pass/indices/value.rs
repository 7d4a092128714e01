//! What numbers are known to be: sums and products of sizes.
//!
//! Invariant: an expression has the value of its polynomial whenever it has a value, as numbers and polynomials
//! wrap alike.
//!
//! ```text
//! let k = length xs + 1, xs: [n]t   ⇒   k is n+1
//! ```

use indexmap::IndexMap;

use crate::ids::{LocalId, SizeVar};
use crate::ir::core::{Body, Expr, ExprKind, Intrinsic, Pat, Program, Size, SizeOrigin, Type};
use crate::prim::{BinOp, Scalar, UnOp};

/// What variables are known to be.
pub(super) struct Values<'p> {
    program: &'p Program,
    /// Variables that are bound to something known.
    bound: IndexMap<LocalId, Size>,
    /// Variables that are sizes themselves.
    own: IndexMap<LocalId, SizeVar>,
}

impl<'p> Values<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut own = IndexMap::new();
        for (id, size) in program.sizes.iter() {
            if let SizeOrigin::Value(var) = size.origin {
                own.entry(var).or_insert(id);
            }
        }
        Self { program, bound: IndexMap::new(), own }
    }

    /// Remembers what a variable is bound to.
    pub(super) fn bind(&mut self, pat: &Pat, value: &Expr) {
        if let Pat::Var(var, _) = pat
            && let Some(value) = self.of_expr(value)
        {
            self.bound.insert(*var, value);
        }
    }

    /// What a number is, if that is known.
    pub(super) fn of_expr(&self, expr: &Expr) -> Option<Size> {
        let Type::Scalar(scalar) = expr.ty else { return None };
        if !scalar.is_integer() {
            return None;
        }
        let value = match &expr.kind {
            ExprKind::Const(constant) => i64::try_from(constant.as_i128()).ok().map(Size::constant),
            ExprKind::Var(var) => {
                let own = || self.own.get(var).map(|&id| Size::symbol(id));
                self.bound.get(var).cloned().or_else(own)
            }
            ExprKind::Size(size) => Some(size.clone()),
            ExprKind::Global(def, _) => match &self.program.defs[*def].body {
                // A definition that is a number, and no function.
                Body::Expr(body @ Expr { kind: ExprKind::Const(_), .. }) => self.of_expr(body),
                Body::Expr(_) | Body::Intrinsic(_) | Body::External(_) => None,
            },
            // Of other types, sums wrap where sizes do not.
            ExprKind::App(function, args) if scalar == Scalar::I64 => self.of_call(function, args),
            ExprKind::Assert(assert) => self.of_expr(&assert.value),
            ExprKind::App(..)
            | ExprKind::BinOp(_)
            | ExprKind::UnOp(_)
            | ExprKind::Fma
            | ExprKind::AndAlso(..)
            | ExprKind::OrElse(..)
            | ExprKind::Lambda(..)
            | ExprKind::Let(..)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::Constructor(..)
            | ExprKind::Tuple(_)
            | ExprKind::Record(_)
            | ExprKind::Item(..)
            | ExprKind::Field(..)
            | ExprKind::Update(..)
            | ExprKind::Array(_)
            | ExprKind::Text(_)
            | ExprKind::Slice(..)
            | ExprKind::Range(_)
            | ExprKind::Coerce(_)
            | ExprKind::Loop(_)
            | ExprKind::Index(..) => None,
        };
        value.filter(|value| !value.is_too_large())
    }

    fn of_call(&self, function: &Expr, args: &[Expr]) -> Option<Size> {
        match (&function.kind, args) {
            (ExprKind::BinOp(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul)), [left, right]) => {
                let (left, right) = (self.of_expr(left)?, self.of_expr(right)?);
                Some(if *op == BinOp::Add {
                    left.plus(&right)
                } else if *op == BinOp::Sub {
                    left.minus(&right)
                } else {
                    left.times(&right)
                })
            }
            (ExprKind::UnOp(UnOp::Neg), [operand]) => {
                Some(self.of_expr(operand)?.times_constant(-1))
            }
            (ExprKind::UnOp(UnOp::To(Scalar::I64)), [operand]) => self.of_expr(operand),
            (ExprKind::Global(def, _), [array]) => {
                let Body::Intrinsic(Intrinsic::Length) = self.program.defs[*def].body else {
                    return None;
                };
                let Type::Array(size, _) = &array.ty else { return None };
                Some(size.clone())
            }
            _ => None,
        }
    }
}
