//! The sizes of a function that is being read, from their names and from the operations.
//!
//! Invariant: a name is one size of its function, and sizes with the same definition are one size.
//!
//! ```text
//! (xs: [n]i64) … [n + m]   ⇒   Size(k0) … Size(k2), k2 = Sum(k0, k1)
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::tree::{Size, Type};
use super::{ReadResult, error_at};
use crate::cnf;
use crate::cnf::{Dim, Extent, PartialType, SizeDef, SizeInfo};
use crate::tables::Tables;
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::names::Name;

type SizeTable = PrimaryMap<SizeId, SizeInfo>;

/// The sizes of a function, as far as they are known.
pub struct Extents {
    /// The name of sizes that have no name in the text.
    hidden: Name,
    named: BTreeMap<Name, SizeId>,
    /// The `i64` variables that can be named: a size may be called as one.
    pub(super) values: BTreeMap<Name, VarId>,
    defined: HashMap<SizeDef, SizeId>,
    /// The sizes that have no name in the text.
    unnamed: BTreeSet<SizeId>,
}

impl Extents {
    /// No sizes yet. Those that have no name in the text are called `hidden`.
    pub(super) fn new(hidden: Name) -> Self {
        let (named, values) = (BTreeMap::new(), BTreeMap::new());
        Self { hidden, named, values, defined: HashMap::new(), unnamed: BTreeSet::new() }
    }

    /// A type as it is written. Names that were not there before are new sizes with that definition.
    pub(super) fn ty(
        &mut self,
        to: &mut SizeTable,
        ty: &Type,
        new: &SizeDef,
    ) -> ReadResult<cnf::Type> {
        let mut shape = Vec::new();
        for size in &ty.shape {
            let Some(extent) = self.extent(to, size, new) else {
                return error_at(ty.at, "a dimension has a size");
            };
            shape.push(extent);
        }
        Ok(match shape.is_empty() {
            true => cnf::Type::Scalar(ty.elem),
            false => cnf::Type::Array { elem: ty.elem, shape },
        })
    }

    fn extent(&mut self, to: &mut SizeTable, size: &Size, new: &SizeDef) -> Option<Extent> {
        Some(match size {
            Size::Any => return None,
            Size::Const(value) => Extent::Const(*value),
            Size::Name(name) => self.name(to, &name.name, new),
            Size::Sum(left, right) => {
                let def = SizeDef::Sum(self.extent(to, left, new)?, self.extent(to, right, new)?);
                self.defined(to, def)
            }
            Size::Shifted(size, doublings) => {
                let size = self.extent(to, size, new)?;
                (0..*doublings).fold(size, |half, _| self.defined(to, SizeDef::Sum(half, half)))
            }
            Size::Product(left, right) => {
                let both = (self.extent(to, left, new)?, self.extent(to, right, new)?);
                self.defined(to, SizeDef::Product(both.0, both.1))
            }
        })
    }

    /// The size of that name.
    pub(super) fn name(&mut self, to: &mut SizeTable, name: &Name, new: &SizeDef) -> Extent {
        if let Some(&var) = self.values.get(name) {
            return self.defined(to, SizeDef::Value(var));
        }
        let size = *self
            .named
            .entry(name.clone())
            .or_insert_with(|| to.push(SizeInfo { name: name.clone(), def: new.clone() }));
        Extent::Size(size)
    }

    /// Notes that a name is an `i64` variable's: so is the size of that name.
    pub(super) fn value(&mut self, to: &mut SizeTable, name: &Name, var: VarId) {
        self.values.insert(name.clone(), var);
        if let Some(&size) = self.named.get(name) {
            to[size].def = SizeDef::Value(var);
            self.defined.insert(SizeDef::Value(var), size);
        }
    }

    fn defined(&mut self, to: &mut SizeTable, def: SizeDef) -> Extent {
        let info = SizeInfo { name: self.hidden.clone(), def: def.clone() };
        let size = *self.defined.entry(def).or_insert_with(|| to.push(info));
        Extent::Size(size)
    }

    /// The types of an operation's results, from the properties that the operation tells.
    pub fn result_types(&mut self, to: &mut SizeTable, told: Vec<PartialType>) -> Vec<cnf::Type> {
        let mut new: BTreeMap<usize, SizeId> = BTreeMap::new();
        let mut extent = |dim: Dim| match dim {
            Dim::Known(extent) => extent,
            Dim::Defined(def) => self.defined(to, def),
            Dim::New(number) => Extent::Size(*new.entry(number).or_insert_with(|| {
                let info = SizeInfo { name: self.hidden.clone(), def: SizeDef::Exists };
                let size = to.push(info);
                self.unnamed.insert(size);
                size
            })),
        };
        let types = told.into_iter().map(|PartialType { elem, shape }| match shape.is_empty() {
            true => cnf::Type::Scalar(elem),
            false => cnf::Type::Array { elem, shape: shape.into_iter().map(&mut extent).collect() },
        });
        types.collect()
    }

    /// Makes the types of the body's results those that the function declares: a size without a name becomes the
    /// declared size in its place.
    pub fn yielded(
        &self,
        to: &mut Tables,
        found: &[cnf::Type],
        declared: &[cnf::Type],
    ) -> Result<(), String> {
        let mut same = BTreeMap::new();
        let fits = found.len() == declared.len()
            && found.iter().zip(declared).all(|(found, declared)| {
                let mut shapes = found.shape().iter().zip(declared.shape());
                found.agrees(declared)
                    && shapes.all(|(&found, &declared)| {
                        self.unify(&to.sizes, found, declared, &mut same)
                    })
            });
        if !fits {
            return Err("the body yields what the function declares".into());
        }
        let renamed = |extent: &mut Extent| {
            if let Extent::Size(size) = extent {
                *size = same.get(size).copied().unwrap_or(*size);
            }
        };
        for var in to.vars.values_mut() {
            if let cnf::Type::Array { shape, .. } = &mut var.ty {
                shape.iter_mut().for_each(renamed);
            }
        }
        for size in to.sizes.values_mut() {
            if let SizeDef::Sum(left, right) | SizeDef::Product(left, right) = &mut size.def {
                [left, right].into_iter().for_each(renamed);
            }
        }
        Ok(())
    }

    fn unify(
        &self,
        to: &SizeTable,
        found: Extent,
        declared: Extent,
        same: &mut BTreeMap<SizeId, SizeId>,
    ) -> bool {
        let (Extent::Size(left), Extent::Size(right)) = (found, declared) else {
            return found == declared;
        };
        let parts = match (&to[left].def, &to[right].def) {
            _ if left == right => return true,
            (SizeDef::Exists, SizeDef::Exists) => {
                return self.unnamed.contains(&left) && *same.entry(left).or_insert(right) == right;
            }
            (SizeDef::Sum(x, y), SizeDef::Sum(v, w))
            | (SizeDef::Product(x, y), SizeDef::Product(v, w)) => [(*x, *v), (*y, *w)],
            (
                SizeDef::Param
                | SizeDef::Value(_)
                | SizeDef::Exists
                | SizeDef::Sum(..)
                | SizeDef::Product(..),
                _,
            ) => return false,
        };
        let all = parts.into_iter().all(|(found, declared)| self.unify(to, found, declared, same));
        all && *same.entry(left).or_insert(right) == right
    }
}
