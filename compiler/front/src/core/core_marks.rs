//! The marks `*` in declared types: arrays that are not shared.
//!
//! Marks are no part of types: they change neither what a program means nor what fits together. They say
//! what a function does with the arrays that it is given ([`unique`](crate::unique)).
//!
//! Invariant: a type without a mark has [`UniquenessMarks::None`].
//!
//! ```text
//! (p: (*[n]f64, i64))   ⇒   p: Tuple([Unique, None])
//! ```

use indexmap::IndexMap;

use super::{Pat, Phase, VarInfo};
use arrc_syntax::ids::{LocalId, PrimaryMap};
use arrc_syntax::names::Name;

/// Where a type is marked.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum UniquenessMarks {
    /// Nowhere.
    #[default]
    None,
    /// As a whole.
    Unique,
    /// In components of a tuple.
    Tuple(Vec<UniquenessMarks>),
    /// In fields of a record.
    Record(IndexMap<Name, UniquenessMarks>),
    /// In the parameter or the result of a function.
    Fun(Box<UniquenessMarks>, Box<UniquenessMarks>),
}

/// The marks of a type without marks.
static NONE: UniquenessMarks = UniquenessMarks::None;

impl UniquenessMarks {
    /// The marks of a tuple.
    #[must_use]
    pub fn tuple(items: Vec<Self>) -> Self {
        if items.iter().all(Self::is_none) { Self::None } else { Self::Tuple(items) }
    }

    /// The marks of a record.
    #[must_use]
    pub fn record(fields: IndexMap<Name, Self>) -> Self {
        if fields.values().all(Self::is_none) { Self::None } else { Self::Record(fields) }
    }

    /// The marks of a function.
    #[must_use]
    pub fn function(param: Self, result: Self) -> Self {
        if param.is_none() && result.is_none() {
            Self::None
        } else {
            Self::Fun(Box::new(param), Box::new(result))
        }
    }

    /// The marks of a function of several parameters.
    #[must_use]
    pub fn functions(params: Vec<Self>, result: Self) -> Self {
        params.into_iter().rev().fold(result, |result, param| Self::function(param, result))
    }

    /// The marks of the variables in a pattern.
    #[must_use]
    pub fn of_pattern<P: Phase>(pat: &Pat<P>, vars: &PrimaryMap<LocalId, VarInfo>) -> Self {
        let of = |pat| Self::of_pattern(pat, vars);
        match pat {
            Pat::Var(var, _) => vars[*var].marks.clone(),
            Pat::Tuple(items) => Self::tuple(items.iter().map(of).collect()),
            Pat::Record(fields) => {
                Self::record(fields.iter().map(|(name, pat)| (name.clone(), of(pat))).collect())
            }
            Pat::Wild | Pat::Constructor(..) | Pat::Const(..) => Self::None,
        }
    }

    /// Whether nothing is marked.
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// The marks of a component of a tuple.
    #[must_use]
    pub fn item(&self, at: usize) -> &Self {
        match self {
            Self::Unique => self,
            Self::Tuple(items) => items.get(at).unwrap_or(&NONE),
            Self::None | Self::Record(_) | Self::Fun(..) => &NONE,
        }
    }

    /// The marks of a field of a record.
    #[must_use]
    pub fn field(&self, name: &Name) -> &Self {
        match self {
            Self::Unique => self,
            Self::Record(fields) => fields.get(name).unwrap_or(&NONE),
            Self::None | Self::Tuple(_) | Self::Fun(..) => &NONE,
        }
    }

    /// The marks of a function's parameter and of its result.
    #[must_use]
    pub fn parts(&self) -> (&Self, &Self) {
        match self {
            Self::Fun(param, result) => (param, result),
            Self::None | Self::Unique | Self::Tuple(_) | Self::Record(_) => (&NONE, &NONE),
        }
    }
}
