//! The variables whose types the text contains, since their operations do not determine the types.
//!
//! Invariant: a reader from top to bottom knows the type of each variable, from its operation or from the text. A
//! size in a written type has been named where it comes from.
//!
//! ```text
//! let ys = filter (\x -> x > 0i64) xs            -- a new size
//! let (k, zs: [n]i64) = f ys                     -- not the size that `f` says
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::cnf::types::{Dim, PartialType, Types};
use crate::cnf::{Block, Extent, Function, Program, SizeDef, Type};
use arrc_syntax::ids::{SizeId, VarId};

/// The variables whose types are written.
pub(super) fn annotated(program: &Program, function: &Function) -> BTreeSet<VarId> {
    let mut named = BTreeSet::new();
    loop {
        let mut walk = Annotator {
            types: Types { program, vars: &function.tables.vars },
            function,
            named: &named,
            seen: BTreeSet::new(),
            annotated: BTreeSet::new(),
        };
        for &param in &function.params {
            walk.note_sizes(&function.tables.vars[param].ty);
        }
        walk.block(&function.body);
        let annotated = walk.annotated;
        let mut more = BTreeSet::new();
        for &var in &annotated {
            mention(function, &function.tables.vars[var].ty, &mut more);
        }
        if more.is_subset(&named) {
            return annotated;
        }
        named.extend(more);
    }
}

struct Annotator<'a> {
    types: Types<'a>,
    function: &'a Function,
    /// The sizes that written types name.
    named: &'a BTreeSet<SizeId>,
    /// The sizes in the types of the variables that are bound so far.
    seen: BTreeSet<SizeId>,
    annotated: BTreeSet<VarId>,
}

impl Annotator<'_> {
    fn block(&mut self, block: &Block) {
        for bind in &block.binds {
            let params = self.types.params(&bind.op).unwrap_or_default();
            for (place, inner) in bind.op.inner().into_iter().enumerate() {
                self.check(inner.params, params.get(place).map_or(&[], |told| &told[..]));
                self.block(inner.block);
            }
            self.check(&bind.vars, &self.types.results(&bind.op).unwrap_or_default());
        }
    }

    fn check(&mut self, vars: &[VarId], told: &[PartialType]) {
        let mut new = BTreeMap::new();
        for (place, &var) in vars.iter().enumerate() {
            let ty = &self.function.tables.vars[var].ty;
            if !told.get(place).is_some_and(|told| self.determines(told, ty, &mut new)) {
                self.annotated.insert(var);
            }
        }
        for &var in vars {
            self.note_sizes(&self.function.tables.vars[var].ty);
        }
    }

    fn determines(&self, told: &PartialType, ty: &Type, new: &mut BTreeMap<usize, SizeId>) -> bool {
        let dims = told.shape.iter().zip(ty.shape());
        told.agrees(ty) && dims.into_iter().all(|(dim, &extent)| self.is(dim, extent, new))
    }

    fn is(&self, dim: &Dim, extent: Extent, new: &mut BTreeMap<usize, SizeId>) -> bool {
        let def = |size: SizeId| &self.function.tables.sizes[size].def;
        match (dim, extent) {
            (Dim::Known(known), extent) => *known == extent,
            (Dim::Defined(wanted), Extent::Size(size)) => def(size) == wanted,
            (Dim::New(number), Extent::Size(size)) => {
                let comes = *def(size) == SizeDef::Exists
                    && !self.seen.contains(&size)
                    && !self.named.contains(&size)
                    && new.iter().all(|(other, &taken)| other == number || taken != size);
                comes && *new.entry(*number).or_insert(size) == size
            }
            (Dim::Defined(_) | Dim::New(_), Extent::Const(_)) => false,
        }
    }

    fn note_sizes(&mut self, ty: &Type) {
        mention(self.function, ty, &mut self.seen);
    }
}

/// Adds the sizes that a type names.
fn mention(function: &Function, ty: &Type, sizes: &mut BTreeSet<SizeId>) {
    let mut left = ty.shape().to_vec();
    while let Some(extent) = left.pop() {
        let Extent::Size(size) = extent else { continue };
        if sizes.insert(size) {
            match function.tables.sizes[size].def {
                SizeDef::Sum(one, two) | SizeDef::Product(one, two) => left.extend([one, two]),
                SizeDef::Param | SizeDef::Value(_) | SizeDef::Exists => {}
            }
        }
    }
}
