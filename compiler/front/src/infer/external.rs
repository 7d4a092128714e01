//! `external` declarations: the types that a C function can have, and the effect of a call.
//!
//! Invariant: an external that is accepted declares the types of all its parameters and of its result. It has no type
//! parameters, and none of its types is a function or contains one.
//!
//! ```text
//! #[effect(io)] external report (step: i32) (err: f64): ()   ⇒   Effect::Io
//! external apply (f: f64 -> f64): f64                        ⇒   Err(FunctionParameter)
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::decl::is_annotated;
use super::error::{ExternalError, ExternalProblem};
use super::typed::Param;
use crate::core::Type;
use crate::effect::Effect;
use arrc_syntax::ast;
use arrc_syntax::ids::{DefId, FileId};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

impl Checker<'_> {
    /// Whether a definition is an external that declares all its types. Then each `[]` in them is a size of its own.
    pub(super) fn is_complete_external(&self, def: &ast::Def) -> bool {
        let is_external = def.kind == ast::DefKind::External;
        is_external && def.result.is_some() && def.params.iter().all(is_annotated)
    }

    /// Reports the parts of an external that a C function cannot have.
    pub(super) fn check_external(&mut self, def: &ast::Def, params: &[Param], result: &Type) {
        let mut problems = Vec::new();
        for ast::Ident { name, span } in &def.types {
            problems.push((*span, ExternalProblem::TypeParameter { name: name.clone() }));
        }
        for (written, param) in def.params.iter().zip(params) {
            if !is_annotated(written) {
                problems.push((written.span, ExternalProblem::Unannotated));
            } else if self.u.has_function(&param.ty) {
                let ty = self.show(&param.ty);
                problems.push((written.span, ExternalProblem::FunctionParameter { ty }));
            }
        }
        match &def.result {
            None => problems.push((def.name.span, ExternalProblem::NoResult)),
            Some(written) if self.u.has_function(result) => {
                let ty = self.show(result);
                problems.push((written.span, ExternalProblem::FunctionResult { ty }));
            }
            Some(_) => {}
        }
        for (part, problem) in problems {
            self.external_problem(def, part, problem);
        }
    }

    /// The effect of a call that the attributes declare, or none if an attribute is wrong.
    pub(super) fn effect(&mut self, def: &ast::Def) -> Option<Effect> {
        let told = self.reports.mark();
        let mut effect = Effect::Pure;
        for attr in &def.attrs {
            let name = &attr.name.name;
            if name != "effect" {
                let problem = ExternalProblem::Attribute { name: name.clone() };
                self.external_problem(def, attr.span, problem);
            } else if attr.args.is_empty() {
                self.external_problem(def, attr.span, ExternalProblem::NoEffect);
            }
            for arg in attr.args.iter().filter(|_| name == "effect") {
                match Effect::from_name(&arg.name.name).filter(|_| arg.args.is_empty()) {
                    Some(named) => effect = named,
                    None => {
                        let problem = ExternalProblem::Effect { name: arg.name.name.clone() };
                        self.external_problem(def, arg.span, problem);
                    }
                }
            }
        }
        (self.reports.is_clean_since(told)).then_some(effect)
    }

    /// Reports externals with the same C name as another external or an entry.
    pub(super) fn distinct_symbols(&mut self, root: FileId) {
        let mut symbols: IndexMap<Name, (Span, bool)> = IndexMap::new();
        let mut errors = Vec::new();
        let kind = |(id, def): (DefId, &&ast::Def)| match def.kind {
            ast::DefKind::External => Some((def.name.clone(), false)),
            ast::DefKind::Def
            | ast::DefKind::Entry
            | ast::DefKind::Intrinsic
            | ast::DefKind::Value => {
                self.names.globals.is_entry(id, root).then(|| (def.name.clone(), true))
            }
        };
        let mut found: Vec<_> = self.names.globals.defs.iter().filter_map(kind).collect();
        // Entries come first, so that an error is reported at the external.
        found.sort_by_key(|(_, is_entry)| !is_entry);
        for (ast::Ident { name, span }, is_entry) in found {
            match symbols.get(&name) {
                Some(&(first, is_entry)) if first != span => {
                    errors.push(ExternalError::SameSymbol { name, span, first, is_entry });
                }
                Some(_) => {}
                None => {
                    symbols.insert(name, (span, is_entry));
                }
            }
        }
        self.reports.extend(errors);
    }

    fn external_problem(&mut self, def: &ast::Def, part: Span, problem: ExternalProblem) {
        let (name, span) = (def.name.name.clone(), def.name.span);
        self.report(ExternalError::External { name, span, part, problem });
    }
}
