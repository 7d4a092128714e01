//! Replacing variables, and the sizes that become known to be equal with them.
//!
//! Invariant: a variable is replaced by an atom that is in scope wherever the variable is; after
//! [`Substitution::finish`] no type mentions a size that was replaced.
//!
//! ```text
//! n := 3 where xs: [n]i64   ⇒ xs: [3]i64
//! ```

use crate::cnf::{Atom, Extent, Function, SizeDef, Type};
use arrc_syntax::ids::{SecondaryMap, SizeId, VarId};

/// The variables and sizes to replace, with their replacements.
#[derive(Clone, Default)]
pub(super) struct Substitution {
    vars: SecondaryMap<VarId, Option<Atom>>,
    sizes: SecondaryMap<SizeId, Option<Extent>>,
    changed: bool,
}

impl Substitution {
    /// The final replacement of the atom.
    pub(super) fn atom(&self, atom: Atom) -> Atom {
        let mut atom = atom;
        while let Atom::Var(var) = atom
            && let Some(next) = self.vars[var]
        {
            atom = next;
        }
        atom
    }

    /// Replaces a variable, if the types allow it: by an atom of the same scalars and rank. An array is replaced only
    /// by one whose sizes are the same, or can be made the same. Says whether it was replaced.
    pub(super) fn replace(&mut self, function: &Function, var: VarId, atom: Atom) -> bool {
        let (old, new) = (&function.tables.vars[var].ty, function.type_of(atom));
        if !old.agrees(&new) {
            return false;
        }
        let mut extents = old.shape().iter().zip(new.shape());
        if !extents.all(|(&old, &new)| self.unify(function, old, new)) {
            return false;
        }
        self.vars[var] = Some(atom);
        self.changed = true;
        true
    }

    /// Makes two extents that are equal at run time one, if one of them has no definition of its own.
    fn unify(&mut self, function: &Function, old: Extent, new: Extent) -> bool {
        let (old, new) = (self.extent(old), self.extent(new));
        if old == new {
            return true;
        }
        for (from, to) in [(old, new), (new, old)] {
            if let Extent::Size(size) = from
                && function.tables.sizes[size].def == SizeDef::Exists
            {
                self.sizes[size] = Some(to);
                return true;
            }
        }
        false
    }

    fn extent(&self, extent: Extent) -> Extent {
        let mut extent = extent;
        while let Extent::Size(size) = extent
            && let Some(next) = self.sizes[size]
        {
            extent = next;
        }
        extent
    }

    /// Replaces the remaining uses in the body, and in all types and sizes. Returns whether anything changed.
    pub(super) fn finish(mut self, function: &mut Function) -> bool {
        if !self.changed {
            return false;
        }
        let mut body = std::mem::take(&mut function.body);
        body.replace_uses(&mut |atom| self.atom(atom));
        function.body = body;
        while self.define(function) {}
        for var in function.tables.vars.values_mut() {
            self.retype(&mut var.ty);
        }
        for result in &mut function.results {
            self.retype(result);
        }
        // A result may have become a variable with a more precise type.
        let results: Vec<Type> =
            function.body.results.iter().map(|&result| function.type_of(result)).collect();
        function.results = results;
        true
    }

    /// Rewrites the definitions of sizes; says whether sizes became equal by that.
    fn define(&mut self, function: &mut Function) -> bool {
        let mut known = indexmap::IndexMap::new();
        let mut found = false;
        let sizes: Vec<SizeId> = function.tables.sizes.keys().collect();
        for size in sizes {
            if self.sizes[size].is_some() {
                continue;
            }
            let extent = match self.definition(&function.tables.sizes[size].def) {
                SizeDefReplacement::Extent(extent) => extent,
                SizeDefReplacement::Def(def @ (SizeDef::Param | SizeDef::Exists)) => {
                    function.tables.sizes[size].def = def;
                    continue;
                }
                SizeDefReplacement::Def(def) => {
                    function.tables.sizes[size].def = def.clone();
                    *known.entry(def).or_insert(Extent::Size(size))
                }
            };
            if extent != Extent::Size(size) {
                self.sizes[size] = Some(extent);
                found = true;
            }
        }
        found
    }

    fn definition(&self, def: &SizeDef) -> SizeDefReplacement {
        match def {
            SizeDef::Param | SizeDef::Exists => SizeDefReplacement::Def(def.clone()),
            SizeDef::Value(var) => match self.atom(Atom::Var(*var)) {
                Atom::Var(var) => SizeDefReplacement::Def(SizeDef::Value(var)),
                Atom::Const(value) => match i64::try_from(value.as_i128()) {
                    Ok(value) if value >= 0 => SizeDefReplacement::Extent(Extent::Const(value)),
                    // It fails at run time: no array ever has this size.
                    Ok(_) | Err(_) => SizeDefReplacement::Def(SizeDef::Exists),
                },
            },
            SizeDef::Sum(left, right) => match (self.extent(*left), self.extent(*right)) {
                (Extent::Const(left), Extent::Const(right)) => match left.checked_add(right) {
                    Some(sum) => SizeDefReplacement::Extent(Extent::Const(sum)),
                    // It fails at run time: no array ever has this size.
                    None => SizeDefReplacement::Def(SizeDef::Exists),
                },
                (left, right) => SizeDefReplacement::Def(SizeDef::Sum(left, right)),
            },
            SizeDef::Product(left, right) => {
                SizeDefReplacement::Def(SizeDef::Product(self.extent(*left), self.extent(*right)))
            }
        }
    }

    fn retype(&self, ty: &mut Type) {
        if let Type::Array { shape, .. } = ty {
            for dim in shape {
                *dim = self.extent(*dim);
            }
        }
    }
}

/// The replacement of a definition.
enum SizeDefReplacement {
    Extent(Extent),
    Def(SizeDef),
}
