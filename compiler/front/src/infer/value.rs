//! Expressions whose values are sizes.
//!
//! Invariant: if an expression counts as a size, its value is that polynomial whenever it has a value.
//!
//! ```text
//! let m = length xs + 1 in iota m   ⇒   [n+1]i64, where xs: [n]t
//! ```

use super::Checker;
use super::operator::is_atomic;
use super::solve::{Level, SizeEntry, SizeState};
use super::typed::{Expr, ExprKind, Literal, Pat, Unsolved, VarUse};
use crate::core::polynomial::{SizeContext, polynomial};
use crate::core::{Intrinsic, Size, SizeInfo, SizeOrigin, Type};
use arrc_syntax::ids::{DefId, LocalId};
use arrc_syntax::prim::Scalar;

/// The facts on the value of a variable as a size.
#[derive(Clone, Default, Debug)]
pub(super) struct SizeValue {
    /// The scope in which it is known.
    pub(super) level: Level,
    /// The size that it is the value of. It is found on demand.
    pub(super) size: Option<Size>,
    /// The components of an index vector, if computing them again costs nothing.
    pub(super) components: Option<Vec<Expr>>,
}

impl Checker<'_> {
    /// The size that a variable is the value of.
    pub(super) fn size_of_var(&mut self, var: LocalId) -> Size {
        if let Some(size) = &self.vars.values[var].size {
            return size.clone();
        }
        self.own_size_of_var(var)
    }

    /// The size that is the value of a variable of an integer type other than `i64`. Arithmetic on that type may
    /// wrap, so the size is known only if the variable is another name for a size, or a number.
    pub(super) fn size_of_integer(&mut self, var: LocalId) -> Size {
        let known = self.vars.values[var].size.clone();
        let is_plain = |size: &Size| size.as_symbol().is_some() || size.as_constant().is_some();
        known.filter(is_plain).unwrap_or_else(|| self.own_size_of_var(var))
    }

    fn own_size_of_var(&mut self, var: LocalId) -> Size {
        let info = SizeInfo {
            name: self.vars[var].name.clone(),
            origin: SizeOrigin::Value(var),
            span: self.vars[var].span,
        };
        let state = SizeState::Rigid(self.vars.values[var].level);
        let size = Size::symbol(self.u.sizes.push(SizeEntry::new(info, state)));
        self.vars.values[var].size = Some(size.clone());
        size
    }

    /// Remembers that a variable is another name for a size.
    pub(super) fn alias(&mut self, pat: &Pat, value: &Expr) {
        let Pat::Var(var, ty) = pat else { return };
        if let ExprKind::Array(items) = &value.kind
            && items.iter().all(is_atomic)
        {
            self.vars.values[*var].components = Some(items.clone());
        }
        if self.u.as_free(ty).is_some() || self.u.as_scalar(ty) == Some(Scalar::I64) {
            self.vars.values[*var].size = self.size_of(value);
        } else if self.u.as_scalar(ty).is_some_and(Scalar::is_integer) {
            self.vars.values[*var].size = self.size_of_operand(value);
        }
    }

    /// The size that a number of any type of integers is.
    pub(super) fn size_of_number(&mut self, expr: &Expr) -> Option<Size> {
        match self.u.as_scalar(&expr.ty) {
            Some(Scalar::I64) | None => self.size_of(expr),
            Some(_) => self.size_of_operand(expr),
        }
    }

    /// The size that a number of any type of integers is, if it is a literal or a variable.
    fn size_of_operand(&mut self, expr: &Expr) -> Option<Size> {
        if let ExprKind::Var(used) = &expr.kind {
            return Some(self.size_of_integer(used.var));
        }
        matches!(expr.kind, ExprKind::Const(_)).then(|| self.size_of(expr)).flatten()
    }

    /// The size that an expression is the value of, if that is known. Its type must be `i64`.
    pub(super) fn size_of(&mut self, expr: &Expr) -> Option<Size> {
        polynomial(self, expr)
    }
}

impl SizeContext<Unsolved> for Checker<'_> {
    fn is_number(&self, _: &Expr) -> bool {
        true
    }

    fn constant(&self, literal: &Literal) -> Option<Size> {
        match literal {
            Literal::Int(value, negative) => {
                let value = i64::try_from(*value).ok()?;
                Some(Size::constant(if *negative { -value } else { value }))
            }
            Literal::Const(constant) if constant.ty == Scalar::I64 => {
                i64::try_from(constant.as_i128()).ok().map(Size::constant)
            }
            Literal::Const(_) | Literal::Neutral(_) | Literal::Float(..) => None,
        }
    }

    fn var(&mut self, used: &VarUse) -> Option<Size> {
        Some(self.size_of_var(used.var))
    }

    fn global(&mut self, def: DefId) -> Option<Size> {
        self.names.interface(def).and_then(|known| known.constant.clone())
    }

    fn converted(&mut self, operand: &Expr) -> Option<Size> {
        let is_integer = self.u.as_scalar(&operand.ty).is_some_and(Scalar::is_integer);
        is_integer.then(|| self.size_of_operand(operand)).flatten()
    }

    fn length(&self, def: DefId, array: &Expr) -> Option<Size> {
        let known = self.names.interface(def)?;
        if !matches!(known.intrinsic, Some(Intrinsic::Length)) {
            return None;
        }
        let Type::Array(size, _) = self.u.head(&array.ty) else { return None };
        Some(self.u.resolve_size(&size))
    }

    fn is_small(&self, size: &Size) -> bool {
        is_small(size)
    }
}

/// Whether a size is small enough to calculate with it exactly: products of products grow without bound.
fn is_small(size: &Size) -> bool {
    !size.is_too_large()
        && size.terms.len() <= MAX_TERMS
        && size.terms.keys().all(|factors| factors.len() <= MAX_FACTORS)
}

/// The most terms of a size that is derived from an expression.
const MAX_TERMS: usize = 16;
/// The most factors of a term in such a size.
const MAX_FACTORS: usize = 4;
