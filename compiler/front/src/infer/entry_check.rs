//! The conditions on an entry: its types must be those of C functions.
//!
//! Invariant: each part of an entry that has no equivalent in C is reported, at its place.
//!
//! ```text
//! entry apply (f: i64 -> i64) = f 1   ⇒   a parameter of an entry cannot be a function
//! ```

use super::Checker;
use super::decl::is_annotated;
use super::error::{DefinitionError, EntryProblem};
use super::solve::Scheme;
use super::typed::Param;
use crate::core::{SizeOrigin, Type};
use arrc_syntax::ast;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;

impl Checker<'_> {
    /// Reports what prevents an entry from being a C function.
    pub(super) fn check_entry(
        &mut self,
        def: &ast::Def,
        scheme: &Scheme,
        params: &[Param],
        result: &Type,
    ) {
        let mut problems = Vec::new();
        for name in &def.types {
            problems.push((name.span, EntryProblem::TypeParameter { name: name.name.clone() }));
        }
        for (at, param) in params.iter().enumerate() {
            let span = def.params.get(at).map_or(def.name.span, |written| written.span);
            if self.u.has_function(&param.ty) {
                let ty = self.show(&param.ty);
                problems.push((span, EntryProblem::FunctionParameter { ty }));
            } else if def.types.is_empty()
                && !def.params.get(at).is_some_and(is_annotated)
                && self.u.has_variable(&param.ty)
            {
                let ty = self.show(&param.ty);
                problems.push((span, EntryProblem::UnknownParameter { ty }));
            } else if let Some((name, scalar)) = self.odd_size(&param.ty) {
                let ty = scalar.name().to_owned();
                problems.push((span, EntryProblem::SizeType { name, ty }));
            }
        }
        let span = def.result.as_ref().map_or(def.name.span, |result| result.span);
        if self.u.has_function(result) {
            let ty = self.show(result);
            problems.push((span, EntryProblem::FunctionResult { ty }));
        } else if problems.is_empty() && !scheme.types.is_empty() && self.u.has_variable(result) {
            let ty = self.show(result);
            problems.push((span, EntryProblem::UnknownResult { ty }));
        }
        for (part, problem) in problems {
            let (name, span) = (def.name.name.clone(), def.name.span);
            self.report(DefinitionError::Entry { name, span, part, problem });
        }
    }

    /// A size in a type that is the value of a variable of a type other than `i64`. An entry may have no such size,
    /// since the sizes of an entry are compared with the arrays before anything is computed.
    fn odd_size(&self, ty: &Type) -> Option<(Name, Scalar)> {
        let mut sizes = Vec::new();
        self.u.sizes_of(ty, &mut sizes);
        sizes.into_iter().find_map(|size| {
            let info = &self.u.sizes[size].info;
            let SizeOrigin::Value(var) = info.origin else { return None };
            let (_, ty) = self.walk.params.iter().find(|(param, _)| *param == var)?;
            let scalar = self.u.as_scalar(ty).filter(|&scalar| scalar != Scalar::I64)?;
            Some((info.name.clone(), scalar))
        })
    }
}
