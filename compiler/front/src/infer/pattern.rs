//! Patterns: the variables that they bind, and the types of the variables.
//!
//! Invariant: a pattern binds each of its names once. A pattern that does not fit binds its names nevertheless, so
//! that only the pattern is reported. It stands for any value from there on.
//!
//! ```text
//! let (far, d) = e, where e: (point, f64)   ⇒   far: point, d: f64
//! ```

use std::rc::Rc;

use super::Checker;
use super::annotation::AnonymousSizes;
use super::environment::scope::Local;
use super::error::{ConstraintSite, SizeError, TypeError};
use super::solve::{Scheme, UnifyError};
use super::typed::{ExprKind, Pat};
use super::value::SizeValue;
use crate::core::{Type, UniquenessMarks, VarInfo};
use crate::places::DeclarationKind;
use arrc_syntax::ast;
use arrc_syntax::ids::LocalId;
use arrc_syntax::source::Span;

impl Checker<'_> {
    /// Binds the names of a pattern for values of type `ty`.
    pub(super) fn pattern(&mut self, pat: &ast::Pat, ty: &Type, holes: &mut AnonymousSizes) -> Pat {
        self.note_type(pat.span, ty);
        match &pat.kind {
            ast::PatKind::Wild | ast::PatKind::Error => Pat::Wild,
            ast::PatKind::Name(name) => {
                let var = self.bind_var(name, Scheme::mono(ty.clone()));
                Pat::Var(var, ty.clone())
            }
            ast::PatKind::Tuple(items) => {
                let types = self.components(pat, items.len(), ty);
                let fits = types.is_some();
                let types = types.unwrap_or_else(|| vec![self.u.error_type(); items.len()]);
                let items = items.iter().zip(&types);
                let pats = items.map(|(item, ty)| self.pattern(item, ty, holes)).collect();
                if fits { Pat::Tuple(pats) } else { Pat::Wild }
            }
            ast::PatKind::Record(fields) => self.record_pattern(pat, fields, ty, holes),
            ast::PatKind::Sized(names, inner) => self.sized_pattern(names, inner, ty, holes),
            ast::PatKind::Constructor(name, pats) => {
                self.constructor_pattern(name, pats, ty, holes)
            }
            ast::PatKind::Literal(literal, sign) => {
                self.literal_pattern(*literal, *sign, ty, pat.span)
            }
            ast::PatKind::Typed(inner, annotation) => {
                let annotated = self.annotation(annotation, holes);
                self.u.at = pat.span;
                let unified = self.u.unify(&annotated, ty);
                let fits = unified.is_ok();
                if let Err(clash) = unified {
                    let place =
                        ConstraintSite::Annotation { span: inner.span, ty: annotation.span };
                    self.clash(place, &annotated, ty, clash);
                }
                // Either the written or the found type may be the error, so consequences of it are not reported.
                let is_whole = matches!(inner.kind, ast::PatKind::Name(_));
                let bound = if is_whole && !fits { self.u.error_type() } else { annotated };
                let pat = self.pattern(inner, &bound, holes);
                let marks = self.marks(annotation);
                self.mark(&pat, &marks);
                if fits { pat } else { Pat::Wild }
            }
        }
    }

    /// `[n] p`. The names stand for sizes in the type of the bound value.
    fn sized_pattern(
        &mut self,
        names: &[ast::Ident],
        inner: &ast::Pat,
        ty: &Type,
        holes: &mut AnonymousSizes,
    ) -> Pat {
        let mut sizes = Vec::new();
        for name in names {
            let size = self.u.fresh_size(name.name.clone(), name.span);
            self.note_parameter(name.span, DeclarationKind::Size);
            self.names.scope.bind(name.name.clone(), Local::Size(size.clone(), name.span));
            sizes.push(size);
        }
        let pat = self.pattern(inner, ty, holes);
        if self.u.is_error(ty) {
            return pat;
        }
        let mut found = Vec::new();
        self.u.sizes_of(ty, &mut found);
        for (name, size) in names.iter().zip(sizes) {
            let told = self.u.resolve_size(&size).as_symbol();
            if told.is_some_and(|id| self.u.is_free_size(id) && !found.contains(&id)) {
                let (name, span) = (name.name.clone(), name.span);
                self.report(SizeError::UnboundSize { name, span, pattern: inner.span });
            }
        }
        pat
    }

    /// A pattern that is a literal.
    fn literal_pattern(
        &mut self,
        literal: ast::Literal,
        sign: ast::Sign,
        ty: &Type,
        span: Span,
    ) -> Pat {
        let negative = sign == ast::Sign::Minus;
        if negative && matches!(literal, ast::Literal::Bool(_)) {
            let pattern = "a number".to_owned();
            let ty = self.show(ty);
            self.report(TypeError::Pattern { span, pattern, ty });
            return Pat::Wild;
        }
        let value = self.literal_expr(literal, negative, span);
        let ExprKind::Const(written) = value.kind else {
            panic!("a literal is a constant, not {value:?}");
        };
        self.u.at = span;
        if self.u.unify(ty, &value.ty).is_err() {
            let pattern = match literal {
                ast::Literal::Bool(_) => "`true` or `false`".to_owned(),
                ast::Literal::Int(_, None) => "a number".to_owned(),
                ast::Literal::Float(_, None) => "a float".to_owned(),
                ast::Literal::Int(_, Some(scalar)) | ast::Literal::Float(_, Some(scalar)) => {
                    format!("a value of type `{scalar}`")
                }
            };
            let ty = self.show(ty);
            self.report(TypeError::Pattern { span, pattern, ty });
            return Pat::Wild;
        }
        self.walk.patterns.literals.push((written, value.ty.clone(), span));
        Pat::Const(written, value.ty)
    }

    /// Reports names that are bound twice in these patterns.
    pub(super) fn distinct_pattern(&mut self, pats: &[&ast::Pat]) {
        let mut names = Vec::new();
        for pat in pats {
            names_of(pat, &mut names);
        }
        let what = if pats.len() > 1 { "parameters" } else { "variables of this pattern" };
        self.distinct(what, names.into_iter());
    }

    /// A new variable, bound to its name.
    pub(super) fn bind_var(&mut self, name: &ast::Ident, scheme: Scheme) -> LocalId {
        let (name, span, marks) = (name.name.clone(), name.span, UniquenessMarks::None);
        let var = self.vars.push(VarInfo { name: name.clone(), span, marks });
        self.vars.values[var] = SizeValue { level: self.u.level, ..SizeValue::default() };
        self.note_variable(span, &scheme);
        self.names.scope.bind(name, Local::Var(var, Rc::new(scheme)));
        var
    }

    /// The type of a field that a pattern or an expression names.
    pub(super) fn field_type(&mut self, ty: &Type, name: &ast::Ident) -> Type {
        self.note_field(ty, name.span);
        match self.u.field(ty, &name.name, name.span) {
            Ok(ty) => ty,
            Err(clash) => {
                self.field_clash(clash);
                self.u.error_type()
            }
        }
    }

    /// The types of the components of `ty`, for a pattern of `count` components. None if `ty` is no such tuple.
    fn components(&mut self, pat: &ast::Pat, count: usize, ty: &Type) -> Option<Vec<Type>> {
        if let Type::Tuple(types) = self.u.head(ty)
            && types.len() == count
        {
            return Some(types);
        }
        if self.u.as_free(ty).is_some() {
            let types: Vec<Type> = (0..count).map(|_| self.u.fresh()).collect();
            self.u.at = pat.span;
            match self.u.unify(&Type::Tuple(types.clone()), ty) {
                Ok(()) => return Some(types),
                Err(clash @ UnifyError::Field { .. }) => self.field_clash(clash),
                Err(_) => self.wrong_pattern(pat, count, ty),
            }
        } else if !self.u.is_error(ty) {
            self.wrong_pattern(pat, count, ty);
        }
        None
    }

    fn wrong_pattern(&mut self, pat: &ast::Pat, count: usize, ty: &Type) {
        let pattern = match count {
            0 => "the empty tuple".to_owned(),
            _ => format!("a tuple of {count}"),
        };
        self.misfit(pat, pattern, ty);
    }

    /// `{x, y = p}`: a record with exactly these fields. `{}` is the record without fields.
    fn record_pattern(
        &mut self,
        pat: &ast::Pat,
        fields: &[(ast::Ident, ast::Pat)],
        ty: &Type,
        holes: &mut AnonymousSizes,
    ) -> Pat {
        self.distinct("fields", fields.iter().map(|(name, _)| name));
        let record = self.whole_record(pat, fields, ty);
        let fits = record.is_some();
        let record = record.unwrap_or_else(|| self.u.error_type());
        let mut pats = Vec::new();
        for (name, field) in fields {
            let ty = self.field_type(&record, name);
            pats.push((name.name.clone(), self.pattern(field, &ty, holes)));
        }
        if fits { Pat::Record(pats) } else { Pat::Wild }
    }

    /// The record type with exactly the fields that a pattern names. None if `ty` is not this type.
    fn whole_record(
        &mut self,
        pat: &ast::Pat,
        fields: &[(ast::Ident, ast::Pat)],
        ty: &Type,
    ) -> Option<Type> {
        if let Type::Record(known) = self.u.head(ty)
            && let Some((name, _)) = fields.iter().find(|(name, _)| !known.contains_key(&name.name))
        {
            // The message is at the missing field, and lists the fields that exist.
            self.field_type(ty, name);
            return None;
        }
        let names =
            fields.iter().map(|(name, _)| name.name.as_str()).collect::<Vec<_>>().join(", ");
        let fields = fields.iter().map(|(name, _)| (name.name.clone(), self.u.fresh()));
        let record = Type::Record(fields.collect());
        self.u.at = pat.span;
        match self.u.unify(&record, ty) {
            Ok(()) => return Some(record),
            Err(clash @ UnifyError::Field { .. }) => self.field_clash(clash),
            Err(_) => self.misfit(pat, format!("the record `{{{names}}}`"), ty),
        }
        None
    }

    /// Reports a pattern that does not fit values of type `ty`.
    fn misfit(&mut self, pat: &ast::Pat, pattern: String, ty: &Type) {
        let ty = self.show(ty);
        self.report(TypeError::Pattern { span: pat.span, pattern, ty });
    }
}

/// The names that a pattern binds, in order.
pub(super) fn names_of<'p>(pat: &'p ast::Pat, names: &mut Vec<&'p ast::Ident>) {
    match &pat.kind {
        ast::PatKind::Wild | ast::PatKind::Literal(..) | ast::PatKind::Error => {}
        ast::PatKind::Constructor(_, pats) => pats.iter().for_each(|pat| names_of(pat, names)),
        ast::PatKind::Name(name) => names.push(name),
        ast::PatKind::Tuple(items) => items.iter().for_each(|item| names_of(item, names)),
        ast::PatKind::Record(fields) => fields.iter().for_each(|(_, field)| names_of(field, names)),
        ast::PatKind::Sized(sizes, inner) => {
            names.extend(sizes);
            names_of(inner, names);
        }
        ast::PatKind::Typed(inner, _) => names_of(inner, names),
    }
}
