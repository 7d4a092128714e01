//! Bounds of a type before the type itself is known.
//!
//! Invariant: a bound only ever narrows; it is checked when its metavariable is bound to a type.
//!
//! ```text
//! \l r -> l.1 > r.1   ⇒   l: ?a with field 1: ?c, r: ?b with field 1: ?c, ?c: any scalar
//! ```

use crate::core::Type;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar, UnOp};
use arrc_syntax::source::Span;

/// The requirements on a metavariable's type.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bounds {
    /// It must be one of these scalars; each bound is narrower than those before it.
    pub(crate) scalars: Vec<ScalarBound>,
    /// It is the type of an index: `i64`, unless another integer type is found for it.
    pub(crate) is_index: bool,
    /// It must be comparable by `==`.
    pub(crate) equality: Option<OperatorSite>,
    /// It must have these fields or components.
    pub(crate) fields: Vec<FieldBound>,
    /// It must be a sum with these constructors.
    pub(crate) constructors: Vec<ConstructorBound>,
}

/// A set of scalars, and the operator or literal that requires it.
#[derive(Clone, Debug)]
pub(crate) struct ScalarBound {
    /// The scalars that this bound and the earlier ones allow.
    pub(crate) set: ScalarSet,
    /// The scalars that this bound alone allows.
    pub(crate) own: ScalarSet,
    /// The reason for the bound.
    pub(crate) why: BoundReason,
}

/// The reason why a type must be one of some scalars.
#[derive(Clone, Debug)]
pub(crate) enum BoundReason {
    /// An operator.
    Operator(OperatorSite),
    /// A number without a suffix.
    Literal,
}

/// An operator at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OperatorSite {
    /// The sign, or the name.
    pub(crate) sign: Name,
    /// Where it stands.
    pub(crate) span: Span,
}

/// `e.name`, where the type of `e` is not known yet.
#[derive(Clone, Debug)]
pub(crate) struct FieldBound {
    /// The field's name, or the component's number.
    pub(crate) name: Name,
    /// Where the field is named.
    pub(crate) span: Span,
    /// Its type.
    pub(crate) ty: Type,
}

impl ScalarBound {
    /// A bound by itself, before it is combined with earlier ones.
    pub(crate) fn new(set: ScalarSet, why: BoundReason) -> Self {
        Self { set, own: set, why }
    }
}

/// `#name e …`, or a pattern of it, where the sum type is not known yet.
#[derive(Clone, Debug)]
pub(crate) struct ConstructorBound {
    /// The constructor's name.
    pub(crate) name: Name,
    /// Where it is named.
    pub(crate) span: Span,
    /// The types of its payloads.
    pub(crate) payloads: Vec<Type>,
}

impl Bounds {
    /// Whether there is no requirement.
    pub(crate) fn is_empty(&self) -> bool {
        self.scalars.is_empty()
            && self.equality.is_none()
            && self.fields.is_empty()
            && self.constructors.is_empty()
    }

    /// The scalars that are allowed, if the type must be a scalar.
    pub(crate) fn scalars(&self) -> Option<ScalarSet> {
        self.scalars.last().map(|bound| bound.set)
    }

    /// The default type of a number without a suffix.
    pub(crate) fn literal(&self) -> Option<Scalar> {
        let is_literal = |bound: &ScalarBound| bound.why.operator().is_none();
        self.scalars.iter().any(is_literal).then(|| self.scalars().map(ScalarSet::default))?
    }

    /// Narrows to the scalars of `bound`. If none is left, returns the operator that prevents it.
    pub(crate) fn narrow(&mut self, bound: &ScalarBound) -> Result<(), Option<OperatorSite>> {
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

impl BoundReason {
    /// The operator, if the reason is one.
    pub(crate) fn operator(&self) -> Option<&OperatorSite> {
        match self {
            Self::Operator(operator) => Some(operator),
            Self::Literal => None,
        }
    }
}

/// A set of scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScalarSet(u16);

impl ScalarSet {
    /// Every scalar type.
    pub(crate) const ALL: Self = Self((1 << Scalar::ALL.len()) - 1);

    /// The scalars that `keep` accepts.
    pub(crate) fn of(keep: impl Fn(Scalar) -> bool) -> Self {
        let mut bits = 0;
        for (position, &scalar) in Scalar::ALL.iter().enumerate() {
            if keep(scalar) {
                bits |= 1 << position;
            }
        }
        Self(bits)
    }

    /// The operand types of a binary operator.
    pub(crate) fn of_bin(op: BinOp) -> Self {
        Self::of(|scalar| op.accepts(scalar))
    }

    /// The operand types of a unary operator.
    pub(crate) fn of_un(op: UnOp) -> Self {
        Self::of(|scalar| op.accepts(scalar))
    }

    /// The scalars of both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the set is empty.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `scalar` is one of them.
    pub(crate) fn has(self, scalar: Scalar) -> bool {
        Scalar::ALL.iter().position(|&one| one == scalar).is_some_and(|at| self.0 >> at & 1 == 1)
    }

    /// The default type of an expression that could have any of these types: `i32`, else `f64`, else the first.
    pub(crate) fn default(self) -> Scalar {
        [Scalar::I32, Scalar::F64]
            .into_iter()
            .chain(Scalar::ALL)
            .find(|&scalar| self.has(scalar))
            .expect("a bound leaves at least one scalar")
    }
}

/// The number of a component, if `name` is one: `0` in `p.0`.
pub(crate) fn component(name: &Name) -> Option<usize> {
    name.parse().ok()
}
