//! The types and sizes of a finished definition, with the ids of the program's tables.
//!
//! Invariant: each id of the walk gets one id of the program, when it is first met.
//!
//! ```text
//! [?7]f64, ?7 = n + 1, n the first size   ⇒   [s0 + 1]f64
//! ```

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::core::{Size, SizeInfo, Type};
use crate::infer::Checker;
use crate::infer::solve::Scheme;
use arrc_syntax::ids::{PrimaryMap, SizeVar, TypeVar};
use arrc_syntax::names::Name;

/// The program's tables of sizes and types, and the program's ids for the ids of the walk.
#[derive(Default, Debug)]
pub(crate) struct IdTables {
    /// Every size of every definition.
    pub(crate) sizes: PrimaryMap<SizeVar, SizeInfo>,
    /// Every quantified type parameter.
    pub(crate) types: PrimaryMap<TypeVar, Name>,
    size_ids: IndexMap<SizeVar, SizeVar>,
    type_vars: IndexMap<TypeVar, TypeVar>,
    /// The computed sizes that are known at the place that is finished.
    pub(super) made: BTreeSet<SizeVar>,
}

impl Checker<'_> {
    /// The parameters of a scheme, in order.
    pub(crate) fn finish_scheme(&mut self, scheme: &Scheme) -> (Vec<TypeVar>, Vec<SizeVar>) {
        let types = scheme.types.iter().map(|&var| self.finish_var(var)).collect();
        let sizes = scheme.sizes.iter().map(|&size| self.finish_id(size)).collect();
        (types, sizes)
    }

    /// A type.
    pub(crate) fn finish_type(&mut self, ty: &Type) -> Type {
        let mut ty = self.revealed(&self.u.defaulted(ty), None);
        self.translate(&mut ty);
        ty
    }

    /// Gives a type the program's ids.
    pub(super) fn translate(&mut self, ty: &mut Type) {
        match ty {
            Type::Scalar(_) => {}
            Type::Tuple(items) => items.iter_mut().for_each(|ty| self.translate(ty)),
            Type::Record(fields) => fields.values_mut().for_each(|ty| self.translate(ty)),
            Type::Sum(constructors) => {
                constructors.values_mut().flatten().for_each(|ty| self.translate(ty));
            }
            Type::Array(size, element) => {
                *size = self.finish_size(size);
                self.translate(element);
            }
            Type::Fun(param, from, to) => {
                if let Some(param) = param {
                    *param = self.finish_id(*param);
                }
                self.translate(from);
                self.translate(to);
            }
            Type::Var(var) => *var = self.finish_var(*var),
            Type::Hidden(hidden) => {
                for size in &mut hidden.sizes {
                    *size = self.finish_size(size);
                }
                hidden.types.iter_mut().for_each(|ty| self.translate(ty));
            }
            Type::Exists(sizes, body) => {
                for size in sizes {
                    *size = self.finish_id(*size);
                }
                self.translate(body);
            }
        }
    }

    pub(super) fn finish_size(&mut self, size: &Size) -> Size {
        size.substitute(|id| Some(Size::symbol(self.finish_id(id))))
    }

    pub(super) fn finish_id(&mut self, id: SizeVar) -> SizeVar {
        if let Some(&known) = self.ids.size_ids.get(&id) {
            return known;
        }
        let finished = self.ids.sizes.push(self.u.sizes[id].info.clone());
        self.ids.size_ids.insert(id, finished);
        finished
    }

    pub(super) fn finish_var(&mut self, var: TypeVar) -> TypeVar {
        if let Some(&known) = self.ids.type_vars.get(&var) {
            return known;
        }
        let finished = self.ids.types.push(self.u.types[var].name.clone());
        self.ids.type_vars.insert(var, finished);
        finished
    }
}
