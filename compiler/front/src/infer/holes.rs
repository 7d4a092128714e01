//! `???`: holes, which are still to be written.
//!
//! Invariant: a hole is checked like any expression. It is reported at the end of its definition, when its type is
//! known as far as possible.
//!
//! ```text
//! def f (x: f64) (n: i64): f64 = x * ???   ⇒   error[A0213]: … of type `f64` …; `x` has this type
//! ```

use super::Checker;
use super::environment::globals::GlobalMeaning;
use super::environment::scope::Local;
use super::error::NameError;
use super::typed::Expr;
use crate::core::Type;
use arrc_syntax::ids::LocalId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The number of names that are offered at most.
const MAX_NAMES: usize = 5;

/// A `???`.
#[derive(Debug)]
pub(super) struct TypedHole {
    span: Span,
    ty: Type,
    /// The names of values in scope there, with their types, innermost first.
    names: Vec<(Name, Type)>,
}

impl Checker<'_> {
    /// A hole whose type is probably `hint`.
    pub(super) fn hole_expr(&mut self, hint: Option<&Type>, span: Span) -> Expr {
        let ty = hint.cloned().unwrap_or_else(|| self.u.fresh());
        let mut names: Vec<(Option<LocalId>, Name, Type)> = Vec::new();
        for name in self.names.scope.names() {
            match self.names.scope.get(name) {
                Some(Local::Var(var, scheme)) => {
                    names.push((Some(*var), name.clone(), scheme.ty.clone()));
                }
                Some(Local::Size(..)) => {
                    names.push((None, name.clone(), Type::Scalar(Scalar::I64)));
                }
                Some(Local::Opened(_)) | None => {}
            }
        }
        names.sort_by(|(a, ..), (b, ..)| b.cmp(a));
        let names = names.into_iter().map(|(_, name, ty)| (name, ty)).collect();
        self.walk.holes.push(TypedHole { span, ty: ty.clone(), names });
        Expr { ty, ..self.wrong(span) }
    }

    /// Reports the holes of the definition that was walked.
    pub(super) fn report_holes(&mut self) {
        for TypedHole { span, ty, names } in std::mem::take(&mut self.walk.holes) {
            if self.u.is_error(&ty) {
                continue;
            }
            let wanted = self.u.resolve(&ty);
            let local = names.into_iter().filter(|(_, ty)| self.u.resolve(ty) == wanted);
            let mut fits: Vec<Name> = local.map(|(name, _)| name).collect();
            for name in self.names.terms() {
                if self.is_global_of(&name, &wanted) && !fits.contains(&name) {
                    fits.push(name);
                }
            }
            fits.truncate(MAX_NAMES);
            let ty = self.show(&wanted);
            self.report(NameError::Hole { span, ty, fits });
        }
    }

    /// Whether a name means another definition with exactly this type.
    fn is_global_of(&self, name: &Name, wanted: &Type) -> bool {
        let Some(GlobalMeaning::Def(def)) = self.names.term(name) else { return false };
        let known = self.names.interface(def).filter(|_| def != self.walk.def);
        known.is_some_and(|known| {
            let scheme = &known.scheme;
            scheme.types.is_empty() && scheme.sizes.is_empty() && scheme.ty == *wanted
        })
    }
}
