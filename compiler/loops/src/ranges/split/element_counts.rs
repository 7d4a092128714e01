//! Numbers of steps and elements that are equal at run time: what a function's analysis of counters knows of them.
//!
//! Invariant: two equal counts have the same value wherever both are known.
//!
//! ```text
//! n = length xs; loopI i (n)      length of the loop: the size of xs
//! ```

use std::collections::BTreeMap;

use indexmap::IndexSet;

use crate::concrete::Length;
use arrc_fusion::cnf::{Atom, Extent, SizeDef, SizeInfo, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};

/// A number of steps or elements. Equal ones are equal at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ElementCount {
    Const(i64),
    Size(SizeId),
    /// The value of a variable; a negative one counts as 0.
    Value(VarId),
}

/// The counters of a function that are below an extent, as far as it has been looked at.
pub(super) struct CounterAnalysis<'a> {
    pub(super) vars: &'a PrimaryMap<VarId, Var>,
    pub(super) sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// The variables that are lengths of arrays.
    pub(super) lengths: BTreeMap<VarId, ElementCount>,
    /// The variables that are natural and below a count.
    pub(super) below: BTreeMap<VarId, ElementCount>,
    /// The elements whose indices are natural and below the extents.
    pub(super) inside: IndexSet<VarId>,
    /// The variables that are bound at the current place.
    pub(super) scope: IndexSet<VarId>,
}

impl CounterAnalysis<'_> {
    pub(super) fn extent(&self, array: VarId, dim: usize) -> Option<ElementCount> {
        let Type::Array { shape, .. } = &self.vars[array].ty else { return None };
        Some(match shape[dim] {
            Extent::Const(count) => ElementCount::Const(count),
            Extent::Size(size) => match self.sizes[size].def {
                SizeDef::Value(var) => self.value(var),
                SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => {
                    ElementCount::Size(size)
                }
            },
        })
    }

    pub(super) fn value(&self, var: VarId) -> ElementCount {
        self.lengths.get(&var).copied().unwrap_or(ElementCount::Value(var))
    }

    pub(super) fn count(&self, count: Atom) -> ElementCount {
        match count {
            Atom::Const(count) => ElementCount::Const(count.bits.cast_signed()),
            Atom::Var(var) => self.value(var),
        }
    }

    pub(super) fn length(&self, length: &Length) -> Option<ElementCount> {
        match length {
            Length::Array(array) => self.extent(*array, 0),
            Length::Value(count) => Some(self.count(*count)),
            Length::Product(..) => None,
        }
    }
}
