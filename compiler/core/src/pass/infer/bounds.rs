//! Bounds of a type before the type itself is known.
//!
//! Invariant: a bound only ever narrows; it is checked when its metavariable is bound to a type.
//!
//! ```text
//! \l r -> l.1 > r.1   ⇒   l: ?a with field 1: ?c, r: ?b with field 1: ?c, ?c: any scalar
//! ```

use crate::ir::core::Type;
use crate::names::Name;
use crate::prim::{BinOp, Scalar, UnOp};
use crate::source::Span;

/// What a metavariable's type must be able to do.
#[derive(Clone, Default, Debug)]
pub(super) struct Bounds {
    /// It must be one of these scalars; each bound is narrower than those before it.
    pub(super) scalars: Vec<ScalarBound>,
    /// It is that of an index: `i64`, unless it turns out to be another integer.
    pub(super) is_index: bool,
    /// It must be comparable by `==`.
    pub(super) equality: Option<Operator>,
    /// It must have these fields or components.
    pub(super) fields: Vec<FieldBound>,
    /// It must be a sum with these constructors.
    pub(super) constructors: Vec<ConstructorBound>,
}

/// A set of scalars, and what asked for it.
#[derive(Clone, Debug)]
pub(super) struct ScalarBound {
    /// The scalars that are allowed, by this and what asked before.
    pub(super) set: ScalarSet,
    /// The scalars that are allowed by this alone.
    pub(super) own: ScalarSet,
    /// What asked.
    pub(super) why: Why,
}

/// What narrows a type to some scalars.
#[derive(Clone, Debug)]
pub(super) enum Why {
    /// An operator.
    Operator(Operator),
    /// A number without a suffix.
    Literal,
}

/// An operator at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Operator {
    /// The sign, or the name.
    pub(super) sign: Name,
    /// Where it stands.
    pub(super) span: Span,
}

/// `e.name`, where the type of `e` is not known yet.
#[derive(Clone, Debug)]
pub(super) struct FieldBound {
    /// The field's name, or the component's number.
    pub(super) name: Name,
    /// Where the field is named.
    pub(super) span: Span,
    /// Its type.
    pub(super) ty: Type,
}

impl ScalarBound {
    /// What something asks by itself.
    pub(super) fn new(set: ScalarSet, why: Why) -> Self {
        Self { set, own: set, why }
    }
}

/// `#name e …`, or a pattern of it, where the sum type is not known yet.
#[derive(Clone, Debug)]
pub(super) struct ConstructorBound {
    /// The constructor's name.
    pub(super) name: Name,
    /// Where it is named.
    pub(super) span: Span,
    /// The types of its payloads.
    pub(super) payloads: Vec<Type>,
}

impl Bounds {
    /// Whether nothing is asked.
    pub(super) fn is_empty(&self) -> bool {
        self.scalars.is_empty()
            && self.equality.is_none()
            && self.fields.is_empty()
            && self.constructors.is_empty()
    }

    /// The scalars that are allowed, if only scalars are.
    pub(super) fn scalars(&self) -> Option<ScalarSet> {
        self.scalars.last().map(|bound| bound.set)
    }

    /// The scalar that a number without a suffix has if nothing else says what it is.
    pub(super) fn literal(&self) -> Option<Scalar> {
        let is_literal = |bound: &ScalarBound| bound.why.operator().is_none();
        self.scalars.iter().any(is_literal).then(|| self.scalars().map(ScalarSet::default))?
    }

    /// Narrows to the scalars of `bound`; returns the operator in the way if none is left.
    pub(super) fn narrow(&mut self, bound: &ScalarBound) -> Result<(), Option<Operator>> {
        let old = self.scalars().unwrap_or(ScalarSet::ALL);
        let set = old.and(bound.set);
        if set.is_empty() {
            let before = self.scalars.iter().find_map(|bound| bound.why.operator());
            return Err(bound.why.operator().or(before).cloned());
        }
        // An operator explains more than a literal does.
        let explains = bound.why.operator().is_some()
            && self.scalars.iter().all(|known| known.why.operator().is_none());
        if set != old || self.scalars.is_empty() || explains {
            self.scalars.push(ScalarBound { set, ..bound.clone() });
        }
        Ok(())
    }
}

impl Why {
    /// The operator, if it was one.
    pub(super) fn operator(&self) -> Option<&Operator> {
        match self {
            Self::Operator(operator) => Some(operator),
            Self::Literal => None,
        }
    }
}

/// A set of scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScalarSet(u16);

impl ScalarSet {
    /// Every scalar type.
    pub(super) const ALL: Self = Self((1 << Scalar::ALL.len()) - 1);

    /// The scalars that `keep` accepts.
    pub(super) fn of(keep: impl Fn(Scalar) -> bool) -> Self {
        let mut bits = 0;
        for (position, &scalar) in Scalar::ALL.iter().enumerate() {
            if keep(scalar) {
                bits |= 1 << position;
            }
        }
        Self(bits)
    }

    /// The operands of a binary operator.
    pub(super) fn of_bin(op: BinOp) -> Self {
        Self::of(|scalar| op.accepts(scalar))
    }

    /// The operands of a unary operator.
    pub(super) fn of_un(op: UnOp) -> Self {
        Self::of(|scalar| op.accepts(scalar))
    }

    /// The scalars of both.
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether there is none.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `scalar` is one of them.
    pub(super) fn has(self, scalar: Scalar) -> bool {
        Scalar::ALL.iter().position(|&one| one == scalar).is_some_and(|at| self.0 >> at & 1 == 1)
    }

    /// What an expression is that could be any of them: `i32`, else `f64`, else the first.
    pub(super) fn default(self) -> Scalar {
        [Scalar::I32, Scalar::F64]
            .into_iter()
            .chain(Scalar::ALL)
            .find(|&scalar| self.has(scalar))
            .expect("a bound leaves at least one scalar")
    }
}

/// The number of a component, if `name` is one: `0` in `p.0`.
pub(super) fn component(name: &Name) -> Option<usize> {
    name.parse().ok()
}
