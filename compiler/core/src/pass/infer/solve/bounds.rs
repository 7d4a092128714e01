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

/// The requirements on a metavariable's type.
#[derive(Clone, Default, Debug)]
pub(in crate::pass::infer) struct Bounds {
    /// It must be one of these scalars; each bound is narrower than those before it.
    pub(in crate::pass::infer) scalars: Vec<ScalarBound>,
    /// It is the type of an index: `i64`, unless another integer type is found for it.
    pub(in crate::pass::infer) is_index: bool,
    /// It must be comparable by `==`.
    pub(in crate::pass::infer) equality: Option<Operator>,
    /// It must have these fields or components.
    pub(in crate::pass::infer) fields: Vec<FieldBound>,
    /// It must be a sum with these constructors.
    pub(in crate::pass::infer) constructors: Vec<ConstructorBound>,
}

/// A set of scalars, and the operator or literal that requires it.
#[derive(Clone, Debug)]
pub(in crate::pass::infer) struct ScalarBound {
    /// The scalars that this bound and the earlier ones allow.
    pub(in crate::pass::infer) set: ScalarSet,
    /// The scalars that this bound alone allows.
    pub(in crate::pass::infer) own: ScalarSet,
    /// The reason for the bound.
    pub(in crate::pass::infer) why: Why,
}

/// The reason why a type must be one of some scalars.
#[derive(Clone, Debug)]
pub(in crate::pass::infer) enum Why {
    /// An operator.
    Operator(Operator),
    /// A number without a suffix.
    Literal,
}

/// An operator at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::pass::infer) struct Operator {
    /// The sign, or the name.
    pub(in crate::pass::infer) sign: Name,
    /// Where it stands.
    pub(in crate::pass::infer) span: Span,
}

/// `e.name`, where the type of `e` is not known yet.
#[derive(Clone, Debug)]
pub(in crate::pass::infer) struct FieldBound {
    /// The field's name, or the component's number.
    pub(in crate::pass::infer) name: Name,
    /// Where the field is named.
    pub(in crate::pass::infer) span: Span,
    /// Its type.
    pub(in crate::pass::infer) ty: Type,
}

impl ScalarBound {
    /// A bound by itself, before it is combined with earlier ones.
    pub(in crate::pass::infer) fn new(set: ScalarSet, why: Why) -> Self {
        Self { set, own: set, why }
    }
}

/// `#name e …`, or a pattern of it, where the sum type is not known yet.
#[derive(Clone, Debug)]
pub(in crate::pass::infer) struct ConstructorBound {
    /// The constructor's name.
    pub(in crate::pass::infer) name: Name,
    /// Where it is named.
    pub(in crate::pass::infer) span: Span,
    /// The types of its payloads.
    pub(in crate::pass::infer) payloads: Vec<Type>,
}

impl Bounds {
    /// Whether there is no requirement.
    pub(in crate::pass::infer) fn is_empty(&self) -> bool {
        self.scalars.is_empty()
            && self.equality.is_none()
            && self.fields.is_empty()
            && self.constructors.is_empty()
    }

    /// The scalars that are allowed, if the type must be a scalar.
    pub(in crate::pass::infer) fn scalars(&self) -> Option<ScalarSet> {
        self.scalars.last().map(|bound| bound.set)
    }

    /// The default type of a number without a suffix.
    pub(in crate::pass::infer) fn literal(&self) -> Option<Scalar> {
        let is_literal = |bound: &ScalarBound| bound.why.operator().is_none();
        self.scalars.iter().any(is_literal).then(|| self.scalars().map(ScalarSet::default))?
    }

    /// Narrows to the scalars of `bound`. If none is left, returns the operator that prevents it.
    pub(in crate::pass::infer) fn narrow(
        &mut self,
        bound: &ScalarBound,
    ) -> Result<(), Option<Operator>> {
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
    /// The operator, if the reason is one.
    pub(in crate::pass::infer) fn operator(&self) -> Option<&Operator> {
        match self {
            Self::Operator(operator) => Some(operator),
            Self::Literal => None,
        }
    }
}

/// A set of scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::pass::infer) struct ScalarSet(u16);

impl ScalarSet {
    /// Every scalar type.
    pub(in crate::pass::infer) const ALL: Self = Self((1 << Scalar::ALL.len()) - 1);

    /// The scalars that `keep` accepts.
    pub(in crate::pass::infer) fn of(keep: impl Fn(Scalar) -> bool) -> Self {
        let mut bits = 0;
        for (position, &scalar) in Scalar::ALL.iter().enumerate() {
            if keep(scalar) {
                bits |= 1 << position;
            }
        }
        Self(bits)
    }

    /// The operand types of a binary operator.
    pub(in crate::pass::infer) fn of_bin(op: BinOp) -> Self {
        Self::of(|scalar| op.accepts(scalar))
    }

    /// The operand types of a unary operator.
    pub(in crate::pass::infer) fn of_un(op: UnOp) -> Self {
        Self::of(|scalar| op.accepts(scalar))
    }

    /// The scalars of both.
    pub(in crate::pass::infer) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the set is empty.
    pub(in crate::pass::infer) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `scalar` is one of them.
    pub(in crate::pass::infer) fn has(self, scalar: Scalar) -> bool {
        Scalar::ALL.iter().position(|&one| one == scalar).is_some_and(|at| self.0 >> at & 1 == 1)
    }

    /// The default type of an expression that could have any of these types: `i32`, else `f64`, else the first.
    pub(in crate::pass::infer) fn default(self) -> Scalar {
        [Scalar::I32, Scalar::F64]
            .into_iter()
            .chain(Scalar::ALL)
            .find(|&scalar| self.has(scalar))
            .expect("a bound leaves at least one scalar")
    }
}

/// The number of a component, if `name` is one: `0` in `p.0`.
pub(in crate::pass::infer) fn component(name: &Name) -> Option<usize> {
    name.parse().ok()
}
