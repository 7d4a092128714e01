//! Definitions that reach each other.
//!
//! Invariant: the type of each is known before any of them is walked. A result that is not written is inferred first, in a
//! walk of its own in which the calls have one type (monomorphic recursion). It must be a type without sizes.
//!
//! ```text
//! def fact (n: i64) = if n == 0 then 1 else n * fact (n - 1)   ⇒   fact: i64 -> ?a, ?a = i64
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::decl::is_annotated;
use super::environment::order::Group;
use super::error::{DefinitionError, Origin};
use crate::core;
use crate::core::Type;
use arrc_syntax::ids::DefId;

impl Checker<'_> {
    /// Definitions that reach each other: the annotations of each are read before any of them is walked.
    pub(super) fn recursive(&mut self, group: &Group, defs: &mut IndexMap<DefId, core::Def>) {
        let mut results = self.inferred_results(group);
        let mut signatures = Vec::new();
        for &id in &group.defs {
            if self.was_wrong(id) {
                continue;
            }
            let result = results.swap_remove(&id);
            let def = self.begin(id);
            let annotated = result.is_some() || self.annotated(id, group);
            let mut signature = self.signature(def, annotated, true);
            if let Some(ty) = result {
                signature.result = Some((def.name.span, ty));
            }
            if annotated {
                self.know(id, &signature);
            }
            signatures.push((id, signature, annotated));
        }
        let mut guessed = Vec::new();
        for (id, signature, annotated) in signatures {
            self.begin(id);
            defs.extend(self.define(id, signature, true).map(|def| (id, def)));
            if !annotated {
                guessed.push(id);
            }
        }
        // A type that was inferred without the annotations may be wrong, so no use relies on it.
        for id in guessed {
            self.names.know(id, None);
        }
    }

    /// The results of those definitions whose parameters have types and whose results have none, as their bodies tell
    /// them. Nothing is reported.
    fn inferred_results(&mut self, group: &Group) -> IndexMap<DefId, Type> {
        let told = self.reports.mark();
        let mut signatures = Vec::new();
        for &id in &group.defs {
            if self.was_wrong(id) || self.is_guess(id) || !self.has_typed_params(id) {
                continue;
            }
            let def = self.begin(id);
            let open = def.result.is_none().then(|| self.u.fresh());
            let mut signature = self.signature(def, true, true);
            if let Some(ty) = &open {
                signature.result = Some((def.name.span, ty.clone()));
            }
            self.know(id, &signature);
            signatures.extend(open.map(|ty| (id, signature, ty)));
        }
        let mut found = IndexMap::new();
        for (id, signature, ty) in signatures {
            self.begin(id);
            self.define(id, signature, true);
            found.insert(id, ty);
        }
        group.defs.iter().for_each(|&id| self.names.know(id, None));
        if !self.reports.take_since(told).is_empty() {
            return IndexMap::new();
        }
        let resolved = found.into_iter().map(|(id, ty)| (id, self.u.resolve(&ty)));
        resolved.filter(|(_, ty)| is_plain(ty)).collect()
    }

    fn has_typed_params(&self, id: DefId) -> bool {
        let params = &self.names.def(id).params;
        !params.is_empty() && params.iter().all(is_annotated)
    }

    /// Whether a recursive definition has all its types. Missing ones are reported.
    fn annotated(&mut self, id: DefId, group: &Group) -> bool {
        let def = self.names.def(id);
        let mut missing: Vec<Origin> = Vec::new();
        for param in def.params.iter().filter(|param| !is_annotated(param)) {
            missing.push((param.span, "this parameter has no type".to_owned()));
        }
        if missing.is_empty() && def.result.is_some() {
            return true;
        }
        if def.params.is_empty() || self.is_guess(id) {
            // A later check reports that it is recursive at all.
            return false;
        }
        let others = group.defs.iter().map(|&id| &self.names.def(id).name);
        let others = others.filter(|other| other.name != def.name.name);
        let cycle = others.map(|other| (other.name.clone(), other.span)).collect();
        let (name, span) = (def.name.name.clone(), def.name.span);
        let result = def.result.is_some();
        self.report(DefinitionError::Unannotated { name, span, missing, result, cycle });
        false
    }
}

/// Whether a type has no sizes, functions and type parameters: scalars, and tuples, records and sums of them.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Tuple(items) => items.iter().all(is_plain),
        Type::Record(fields) => fields.values().all(is_plain),
        Type::Sum(constructors) => constructors.values().flatten().all(is_plain),
        Type::Array(..) | Type::Fun(..) | Type::Exists(..) | Type::Var(_) | Type::Hidden(_) => {
            false
        }
    }
}
