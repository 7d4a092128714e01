//! Marks of uniqueness as they are written.
//!
//! Invariant: a mark stands in the type of a parameter, of a result, or of a name that `let` or `loop` binds. It
//! marks a whole value there: the elements of an array and the payloads of a sum have no marks of their own.
//!
//! ```text
//! def f [n] (xs: *[n]i64): (*[n]i64, i64)   ⇒   xs: Unique; the result: Tuple([Unique, None])
//! ```

use super::Checker;
use super::error::DefinitionError;
use super::typed::Pat;
use crate::core::UniquenessMarks;
use arrc_syntax::ast;
use arrc_syntax::ast::TypeKind;
use arrc_syntax::source::Span;

impl Checker<'_> {
    /// The marks of a type. Marks at places that cannot have one are reported.
    pub(super) fn marks(&mut self, ty: &ast::Type) -> UniquenessMarks {
        match &ty.kind {
            TypeKind::Unique(marked) => {
                self.unmarked(marked);
                UniquenessMarks::Unique
            }
            TypeKind::Tuple(items) => {
                UniquenessMarks::tuple(items.iter().map(|item| self.marks(item)).collect())
            }
            TypeKind::Record(fields) => UniquenessMarks::record(
                fields.iter().map(|(name, ty)| (name.name.clone(), self.marks(ty))).collect(),
            ),
            TypeKind::Fun(_, param, result) => {
                UniquenessMarks::function(self.marks(param), self.marks(result))
            }
            TypeKind::Exists(_, body) => self.marks(body),
            TypeKind::Name(..) | TypeKind::Sum(_) | TypeKind::Array(..) | TypeKind::Error => {
                self.unmarked(ty);
                UniquenessMarks::None
            }
        }
    }

    /// Reports the marks in a type that cannot have any.
    pub(super) fn unmarked(&mut self, ty: &ast::Type) {
        match &ty.kind {
            TypeKind::Unique(marked) => {
                // In parentheses, the type begins before its mark.
                let is_bare = ty.span.end == marked.span.end;
                let start = if is_bare { ty.span.start } else { marked.span.start - 1 };
                let span = Span { start, end: marked.span.start, ..ty.span };
                self.report(DefinitionError::MisplacedMark { span });
            }
            TypeKind::Tuple(items) => items.iter().for_each(|ty| self.unmarked(ty)),
            TypeKind::Record(fields) => fields.iter().for_each(|(_, ty)| self.unmarked(ty)),
            TypeKind::Sum(constructors) => {
                constructors.iter().flat_map(|(_, types)| types).for_each(|ty| self.unmarked(ty));
            }
            TypeKind::Array(_, ty) | TypeKind::Exists(_, ty) => self.unmarked(ty),
            TypeKind::Fun(_, param, result) => {
                self.unmarked(param);
                self.unmarked(result);
            }
            TypeKind::Name(_, args) => {
                for arg in args {
                    match arg {
                        ast::TypeArg::Type(ty) => self.unmarked(ty),
                        ast::TypeArg::Size(_) => {}
                    }
                }
            }
            TypeKind::Error => {}
        }
    }

    /// Gives the names of a pattern the marks of its type.
    pub(super) fn mark(&mut self, pat: &Pat, marks: &UniquenessMarks) {
        if marks.is_none() {
            return;
        }
        match pat {
            Pat::Var(var, _) => self.vars[*var].marks = marks.clone(),
            Pat::Tuple(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.mark(item, marks.item(at));
                }
            }
            Pat::Record(fields) => {
                fields.iter().for_each(|(name, pat)| self.mark(pat, marks.field(name)));
            }
            // A mark of a sum applies to its payloads.
            Pat::Constructor(_, pats) => pats.iter().for_each(|pat| self.mark(pat, marks)),
            Pat::Wild | Pat::Const(..) => {}
        }
    }
}
