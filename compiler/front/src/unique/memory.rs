//! The memory that arrays may be in, and values with the memory that they may share.
//!
//! Invariant: a value has the tuples and records of its type; a part without arrays is in no memory.
//!
//! ```text
//! let (a, b) = (xs, if c then xs else ys)   ⇒   a: {xs}; b: {xs, ys}
//! ```

use std::collections::BTreeSet;

use arrc_syntax::ids::entity_impl;
use indexmap::IndexMap;

use crate::core::{Accessor, Type, UniquenessMarks};
use arrc_syntax::ids::PrimaryMap;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// An allocation site: a place in the program that makes arrays, or receives them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct AllocSite(u32);
entity_impl!(AllocSite, "m");

/// The allocation sites, in the order of the walk.
pub(super) type AllocSites = PrimaryMap<AllocSite, SiteInfo>;

/// The facts about an allocation site.
#[derive(Clone, Debug)]
pub(super) struct SiteInfo {
    /// The first name that the array gets.
    pub(super) name: Option<Name>,
    /// The place where it is made or declared.
    pub(super) span: Span,
    /// Its owner.
    pub(super) kind: SiteKind,
}

/// What an allocation site is, which decides who owns its memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SiteKind {
    /// Not shared: an array that is made.
    Fresh,
    /// Not shared, as a mark says.
    Marked,
    /// The caller's: a parameter without a mark.
    Parameter,
    /// The program's: a definition without parameters.
    Constant,
}

/// A points-to set: the allocation sites whose memory a value may be in.
pub(super) type PointsTo = BTreeSet<AllocSite>;

/// A value, as the memory that it may share.
#[derive(Clone, Debug)]
pub(super) enum Aliases {
    /// An array, a sum, a function with the memory that it uses, or a scalar, which is in no memory.
    Data(PointsTo),
    /// A tuple.
    Tuple(Vec<Aliases>),
    /// A record.
    Record(IndexMap<Name, Aliases>),
}

impl Aliases {
    /// A scalar.
    pub(super) fn scalar() -> Self {
        Self::Data(PointsTo::new())
    }

    /// A value of a type; `leaf` gives the memory of each part that may contain arrays.
    pub(super) fn of(
        ty: &Type,
        marks: &UniquenessMarks,
        leaf: &mut dyn FnMut(bool) -> PointsTo,
    ) -> Self {
        match ty {
            Type::Tuple(items) => {
                let items = items.iter().enumerate();
                Self::Tuple(items.map(|(at, ty)| Self::of(ty, marks.item(at), leaf)).collect())
            }
            Type::Record(fields) => {
                let fields = fields.iter();
                let field = |(name, ty): (&Name, &Type)| {
                    (name.clone(), Self::of(ty, marks.field(name), leaf))
                };
                Self::Record(fields.map(field).collect())
            }
            Type::Exists(_, body) => Self::of(body, marks, leaf),
            Type::Hidden(hidden) => hidden.gone(),
            Type::Scalar(_) | Type::Sum(_) | Type::Array(..) | Type::Fun(..) | Type::Var(_) => {
                Self::Data(if holds(ty) {
                    leaf(*marks == UniquenessMarks::Unique)
                } else {
                    PointsTo::new()
                })
            }
        }
    }

    /// All memory that it may be in.
    pub(super) fn all(&self) -> PointsTo {
        self.leaves().into_iter().flatten().copied().collect()
    }

    /// Its parts, in order.
    pub(super) fn leaves(&self) -> Vec<&PointsTo> {
        match self {
            Self::Data(memory) => vec![memory],
            Self::Tuple(items) => items.iter().flat_map(Self::leaves).collect(),
            Self::Record(fields) => fields.values().flat_map(Self::leaves).collect(),
        }
    }

    /// Its parts, each with whether it is marked.
    pub(super) fn marked(&self, marks: &UniquenessMarks) -> Vec<(&PointsTo, bool)> {
        match self {
            Self::Data(memory) => vec![(memory, *marks == UniquenessMarks::Unique)],
            Self::Tuple(items) => {
                let items = items.iter().enumerate();
                items.flat_map(|(at, item)| item.marked(marks.item(at))).collect()
            }
            Self::Record(fields) => {
                fields.iter().flat_map(|(name, item)| item.marked(marks.field(name))).collect()
            }
        }
    }

    /// The value with other memory in its parts, in order.
    pub(super) fn with(&self, parts: &mut dyn Iterator<Item = PointsTo>) -> Self {
        match self {
            Self::Data(_) => Self::Data(parts.next().unwrap_or_default()),
            Self::Tuple(items) => Self::Tuple(items.iter().map(|item| item.with(parts)).collect()),
            Self::Record(fields) => {
                let fields = fields.iter();
                Self::Record(fields.map(|(name, item)| (name.clone(), item.with(parts))).collect())
            }
        }
    }

    /// A component of a tuple.
    pub(super) fn item(&self, at: usize) -> Self {
        match self {
            Self::Tuple(items) => items[at].clone(),
            Self::Data(_) | Self::Record(_) => Self::Data(self.all()),
        }
    }

    /// A field of a record.
    pub(super) fn field(&self, name: &Name) -> Self {
        match self {
            Self::Record(fields) => fields[name].clone(),
            Self::Data(_) | Self::Tuple(_) => Self::Data(self.all()),
        }
    }

    /// The part that a step of a path leads to. A part of an array may be in the memory of the array.
    pub(super) fn part(&self, step: &Accessor) -> Self {
        match step {
            Accessor::Item(at) => self.item(*at),
            Accessor::Field(name) => self.field(name),
            Accessor::At(_) => Self::Data(self.all()),
        }
    }

    /// The value with another one at the end of a path of fields.
    pub(super) fn updated(self, path: &[Accessor], value: Self) -> Self {
        let Some((first, rest)) = path.split_first() else { return value };
        match (self, first) {
            (Self::Record(mut fields), Accessor::Field(name)) => {
                if let Some(field) = fields.get_mut(name) {
                    *field = std::mem::replace(field, Self::scalar()).updated(rest, value);
                }
                Self::Record(fields)
            }
            (Self::Tuple(mut items), Accessor::Item(at)) => {
                items[*at] =
                    std::mem::replace(&mut items[*at], Self::scalar()).updated(rest, value);
                Self::Tuple(items)
            }
            (whole, Accessor::Item(_) | Accessor::Field(_) | Accessor::At(_)) => whole,
        }
    }

    /// A value that is one of the two.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Tuple(a), Self::Tuple(b)) => {
                Self::Tuple(a.into_iter().zip(b).map(|(a, b)| a.or(b)).collect())
            }
            (Self::Record(a), Self::Record(mut b)) => {
                let join = |(name, value): (Name, Self)| {
                    let other = b.swap_remove(&name).unwrap_or_else(Self::scalar);
                    (name, value.or(other))
                };
                Self::Record(a.into_iter().map(join).collect())
            }
            (a, b) => Self::Data(a.all().union(&b.all()).copied().collect()),
        }
    }

    /// The value in the form of its type.
    pub(super) fn shaped(self, ty: &Type) -> Self {
        match (self, ty) {
            (value, Type::Exists(_, body)) => value.shaped(body),
            (Self::Tuple(items), Type::Tuple(types)) => Self::Tuple(
                items.into_iter().zip(types).map(|(item, ty)| item.shaped(ty)).collect(),
            ),
            (Self::Record(fields), Type::Record(types)) => {
                let fields = fields.into_iter();
                Self::Record(
                    fields
                        .map(|(name, field)| (name.clone(), field.shaped(&types[&name])))
                        .collect(),
                )
            }
            (value, ty) => {
                let all = value.all();
                Self::of(ty, &UniquenessMarks::None, &mut |_| all.clone())
            }
        }
    }
}

/// Whether values of a type may hold arrays.
pub(super) fn holds(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => false,
        Type::Tuple(items) => items.iter().any(holds),
        Type::Record(fields) => fields.values().any(holds),
        Type::Sum(constructors) => constructors.values().flatten().any(holds),
        Type::Array(..) | Type::Fun(..) | Type::Var(_) => true,
        Type::Exists(_, body) => holds(body),
        Type::Hidden(hidden) => hidden.gone(),
    }
}
