//! Checks of finished expressions: no function is stored or chosen, and each size is known where it is needed.
//!
//! Invariant: an expression is checked after its parts.
//!
//! ```text
//! [f, g]   ⇒   error[A0313]: an array cannot hold functions
//! ```

use crate::core;
use crate::core::{Size, SizeInfo, SizeOrigin, Type};
use crate::infer::Checker;
use crate::infer::error::{EscapingUse, FunctionError, SizeError};
use arrc_syntax::ids::{SizeVar, TypeVar};
use arrc_syntax::source::Span;

use super::IdTables;

impl Checker<'_> {
    /// Checks that a size is determined where its value is needed.
    pub(super) fn check_determined(&mut self, size: &Size, span: Span) {
        if let Some(&id) = size.symbols().iter().find(|&&id| self.u.is_free_size(id)) {
            let SizeInfo { name, span: declared, .. } = self.u.sizes[id].info.clone();
            if !self.is_untold(declared) {
                self.report(SizeError::UntoldSize { span, name, declared });
            }
        }
    }

    /// The sizes that the parameters of a function determine. They are known in the function, even if they are made
    /// later, by another argument of the call that takes the function.
    pub(super) fn param_sizes(&mut self, params: &[core::Param]) -> Vec<SizeVar> {
        let mut found = Vec::new();
        params.iter().for_each(|param| sizes_in(&param.ty, &mut found));
        found.into_iter().filter(|&id| self.ids.made.insert(id)).collect()
    }

    /// Checks that no function is stored or chosen.
    pub(super) fn check_data(&mut self, expr: &core::Expr) {
        let is_stored = |ty: &Type| match ty {
            Type::Array(_, element) => has_function(element),
            Type::Sum(constructors) => constructors.values().flatten().any(has_function),
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Record(_)
            | Type::Fun(..)
            | Type::Var(_)
            | Type::Exists(..)
            | Type::Hidden(_) => false,
        };
        let (span, ty) = (expr.span, &expr.ty);
        let makes = if let core::ExprKind::App(_, args) = &expr.kind {
            !args.iter().any(|arg| is_stored(&arg.ty))
        } else {
            matches!(expr.kind, core::ExprKind::Array(_) | core::ExprKind::Constructor(..))
        };
        if makes && is_stored(ty) {
            let holder = if matches!(ty, Type::Sum(_)) { "a constructor" } else { "an array" };
            let ty = self.u_shown(ty);
            self.report(FunctionError::StoredFunction { span, holder, ty });
        } else if matches!(expr.kind, core::ExprKind::If(..) | core::ExprKind::Match(..))
            && has_function(ty)
        {
            let ty = self.u_shown(ty);
            let word =
                if matches!(expr.kind, core::ExprKind::If(..)) { "an `if`" } else { "a `match`" };
            self.report(FunctionError::ChosenFunction { span, word, ty });
        } else if matches!(expr.kind, core::ExprKind::Loop(_)) && has_function(ty) {
            let ty = self.u_shown(ty);
            self.report(FunctionError::FunctionFromLoop { span, ty });
        }
    }

    /// A finished type as text, for a message.
    pub(super) fn u_shown(&self, ty: &Type) -> String {
        struct FinishedNames<'i>(&'i IdTables);
        impl crate::core::TypeNames for FinishedNames<'_> {
            fn size(&mut self, id: SizeVar) -> String {
                self.0.sizes[id].name.to_string()
            }
            fn type_var(&mut self, var: TypeVar) -> String {
                self.0.types[var].to_string()
            }
        }
        crate::core::type_text(ty, &mut FinishedNames(&self.ids))
    }

    /// Remembers the sizes that a call, an `if`, a loop, a range or a slice makes.
    pub(super) fn record_sizes(&mut self, expr: &core::Expr) {
        if matches!(
            expr.kind,
            core::ExprKind::App(..)
                | core::ExprKind::Global(..)
                | core::ExprKind::If(..)
                | core::ExprKind::Match(..)
                | core::ExprKind::Loop(_)
                | core::ExprKind::With(_)
                | core::ExprKind::Range(_)
                | core::ExprKind::Slice(..)
        ) {
            self.record_type_sizes(&expr.ty, expr.span);
        }
    }

    /// Remembers the sizes of a type that are made at this place.
    pub(super) fn record_type_sizes(&mut self, ty: &Type, span: Span) {
        let mut found = Vec::new();
        sizes_in(ty, &mut found);
        let ids = &mut self.ids;
        ids.made.extend(found.into_iter().filter(|&id| ids.sizes[id].span == span));
    }

    /// Checks that a binding does not need sizes that are made later.
    pub(super) fn check_made(&mut self, value: &core::Expr) {
        let mut found = Vec::new();
        sizes_in(&value.ty, &mut found);
        let later = |id: &SizeVar| {
            matches!(self.ids.sizes[*id].origin, SizeOrigin::Exists { .. })
                && !self.ids.made.contains(id)
        };
        if let Some(id) = found.into_iter().find(later) {
            let info = self.ids.sizes[id].clone();
            let SizeOrigin::Exists { maker } = info.origin else { return };
            let (size, made) = (info.name.to_string(), info.span);
            self.report(SizeError::SizeEscape {
                span: value.span,
                size,
                maker: Some(maker),
                made,
                of: EscapingUse::Early(Vec::new()),
            });
        }
    }
}

/// Whether a finished type has a function in it.
pub(crate) fn has_function(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Var(_) => false,
        Type::Hidden(hidden) => hidden.may_be_function,
        Type::Tuple(items) => items.iter().any(has_function),
        Type::Record(fields) => fields.values().any(has_function),
        Type::Sum(constructors) => constructors.values().flatten().any(has_function),
        Type::Array(_, element) => has_function(element),
        Type::Fun(..) => true,
        Type::Exists(_, body) => has_function(body),
    }
}

/// The sizes in a finished type, except those in the types of functions.
fn sizes_in(ty: &Type, found: &mut Vec<SizeVar>) {
    match ty {
        Type::Scalar(_) | Type::Var(_) | Type::Fun(..) | Type::Exists(..) | Type::Hidden(_) => {}
        Type::Tuple(items) => items.iter().for_each(|ty| sizes_in(ty, found)),
        Type::Record(fields) => fields.values().for_each(|ty| sizes_in(ty, found)),
        Type::Sum(constructors) => {
            constructors.values().flatten().for_each(|ty| sizes_in(ty, found));
        }
        Type::Array(size, element) => {
            found.extend(size.symbols());
            sizes_in(element, found);
        }
    }
}
