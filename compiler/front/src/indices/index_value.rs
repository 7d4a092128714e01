//! Known values of numbers: sums and products of sizes.
//!
//! Invariant: an expression has the value of its polynomial whenever it has a value, since numbers and polynomials
//! wrap in the same way.
//!
//! ```text
//! let k = length xs + 1, xs: [n]t   ⇒   k is n+1
//! ```

use indexmap::IndexMap;

use crate::core::polynomial::{SizeContext, polynomial};
use crate::core::{Body, Expr, ExprKind, Intrinsic, Pat, Program, Size, SizeOrigin, Type};
use arrc_syntax::ids::{DefId, LocalId, SizeVar};
use arrc_syntax::prim::{Const, Scalar};

/// The known values of variables.
pub(super) struct KnownValues<'p> {
    program: &'p Program,
    /// Variables that are bound to a known value.
    bound: IndexMap<LocalId, Size>,
    /// Variables that are sizes themselves.
    own: IndexMap<LocalId, SizeVar>,
}

impl<'p> KnownValues<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut own = IndexMap::new();
        for (id, size) in program.sizes.iter() {
            if let SizeOrigin::Value(var) = size.origin {
                own.entry(var).or_insert(id);
            }
        }
        Self { program, bound: IndexMap::new(), own }
    }

    /// Remembers the value that a variable is bound to.
    pub(super) fn bind(&mut self, pat: &Pat, value: &Expr) {
        if let Pat::Var(var, _) = pat
            && let Some(value) = self.of_expr(value)
        {
            self.bound.insert(*var, value);
        }
    }

    /// The value of a number, if it is known.
    pub(super) fn of_expr(&self, expr: &Expr) -> Option<Size> {
        polynomial(&mut &*self, expr).filter(|value| !value.is_too_large())
    }
}

impl SizeContext for &KnownValues<'_> {
    fn is_number(&self, expr: &Expr) -> bool {
        let Type::Scalar(scalar) = expr.ty else { return false };
        // Sums of other integer types wrap where sizes do not.
        let is_sum = matches!(expr.kind, ExprKind::App(..));
        if is_sum { scalar == Scalar::I64 } else { scalar.is_integer() }
    }

    fn constant(&self, constant: &Const) -> Option<Size> {
        i64::try_from(constant.as_i128()).ok().map(Size::constant)
    }

    fn var(&mut self, var: &LocalId) -> Option<Size> {
        let own = || self.own.get(var).map(|&id| Size::symbol(id));
        self.bound.get(var).cloned().or_else(own)
    }

    fn global(&mut self, def: DefId) -> Option<Size> {
        match &self.program.defs[def].body {
            // A definition that is a constant, and no function.
            Body::Expr(body @ Expr { kind: ExprKind::Const(_), .. }) => self.of_expr(body),
            Body::Expr(_) | Body::Intrinsic(_) | Body::External(_) => None,
        }
    }

    fn converted(&mut self, operand: &Expr) -> Option<Size> {
        self.of_expr(operand)
    }

    fn length(&self, def: DefId, array: &Expr) -> Option<Size> {
        let Body::Intrinsic(Intrinsic::Length) = self.program.defs[def].body else { return None };
        let Type::Array(size, _) = &array.ty else { return None };
        Some(size.clone())
    }

    fn is_small(&self, size: &Size) -> bool {
        !size.is_too_large()
    }
}
