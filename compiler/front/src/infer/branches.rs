//! The common type of the branches of an `if` or a `match`.
//!
//! Invariant: a size that a branch makes is known in this branch only. Where the branches differ, or where a branch has
//! such a size, the whole has a size of its own.
//!
//! ```text
//! if c then iota n else iota m               ⇒   [k]i64, k made by `if`
//! if c then [filter p xs] else []            ⇒   [k][l]i64, k and l made by `if`
//! if c then unzip (filter p xs) else ([], []) ⇒   ([k]i64, [k]i64)
//! ```

use std::ops::Range;

use indexmap::IndexMap;

use super::Checker;
use super::solve::{UnifyError, have_same_constructors};
use crate::core::{Hidden, Size, SizeOrigin, Type};
use arrc_syntax::ids::{LocalId, SizeVar};
use arrc_syntax::source::Span;

/// The branches of an expression.
pub(super) struct Branches {
    /// `if` or `match`.
    maker: &'static str,
    span: Span,
    /// The sizes that were made while the branches were typed.
    sizes: Vec<Range<SizeVar>>,
    /// The variables that were bound in the branches.
    vars: Vec<Range<LocalId>>,
    /// Pairs of sizes of two branches, with the size that the whole has for them.
    joined: Vec<([Size; 2], Size)>,
}

impl Branches {
    pub(super) fn new(maker: &'static str, span: Span) -> Self {
        let (sizes, vars, joined) = (Vec::new(), Vec::new(), Vec::new());
        Self { maker, span, sizes, vars, joined }
    }

    /// A branch was typed in which everything from `first` on was made.
    pub(super) fn add(&mut self, first: (SizeVar, LocalId), checker: &Checker<'_>) {
        let next = checker.next_ids();
        self.sizes.push(first.0..next.0);
        self.vars.push(first.1..next.1);
    }
}

impl Checker<'_> {
    /// The next size and variable that are made.
    pub(super) fn next_ids(&self) -> (SizeVar, LocalId) {
        (self.u.sizes.next_key(), self.vars.next_key())
    }

    /// Whether a size is known in one branch only.
    fn is_inside(&self, size: &Size, branches: &Branches) -> bool {
        self.u.resolve_size(size).symbols().into_iter().any(|id| {
            match self.u.sizes[id].info.origin {
                SizeOrigin::Value(var) => branches.vars.iter().any(|made| made.contains(&var)),
                SizeOrigin::Param | SizeOrigin::Exists { .. } => {
                    self.u.is_rigid_size(id) && branches.sizes.iter().any(|made| made.contains(&id))
                }
            }
        })
    }

    /// The type of both branches of an `if`, or of two cases. Where their sizes differ, the result has a size of its
    /// own.
    pub(super) fn join(
        &mut self,
        then: &Type,
        otherwise: &Type,
        branches: &mut Branches,
    ) -> Result<Type, UnifyError> {
        let (then, otherwise) = (self.u.head(then), self.u.head(otherwise));
        match (&then, &otherwise) {
            (Type::Array(n, a), Type::Array(m, b)) => {
                let element = self.join(a, b, branches)?;
                Ok(Type::Array(self.joined_size(n, m, branches), Box::new(element)))
            }
            (Type::Hidden(a), Type::Hidden(b)) if a.id == b.id => {
                let types = a.types.iter().zip(&b.types);
                let types = types.map(|(a, b)| self.join(a, b, branches));
                let types = types.collect::<Result<_, _>>()?;
                let sizes = a.sizes.iter().zip(&b.sizes);
                let sizes = sizes.map(|(n, m)| self.joined_size(n, m, branches)).collect();
                Ok(Type::Hidden(Box::new(Hidden { sizes, types, ..(**a).clone() })))
            }
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                let items = a.iter().zip(b).map(|(a, b)| self.join(a, b, branches));
                Ok(Type::Tuple(items.collect::<Result<_, _>>()?))
            }
            (Type::Record(a), Type::Record(b))
                if a.len() == b.len() && a.keys().all(|name| b.contains_key(name)) =>
            {
                let mut fields = IndexMap::new();
                for (name, field) in a {
                    fields.insert(name.clone(), self.join(field, &b[name], branches)?);
                }
                Ok(Type::Record(fields))
            }
            (Type::Sum(a), Type::Sum(b)) if have_same_constructors(a, b) => {
                let mut constructors = IndexMap::new();
                for (name, payloads) in a {
                    let pairs = payloads.iter().zip(&b[name]);
                    let joined = pairs.map(|(a, b)| self.join(a, b, branches));
                    constructors.insert(name.clone(), joined.collect::<Result<_, _>>()?);
                }
                Ok(Type::Sum(constructors))
            }
            _ => {
                // The type that the other branch determines has its own sizes.
                for (open, known) in [(&then, &otherwise), (&otherwise, &then)] {
                    if self.u.as_free(open).is_some() && self.has_inside(known, branches) {
                        let like = self.without_branch_sizes(known, branches);
                        self.u.unify(open, &like)?;
                        return self.join(&then, &otherwise, branches);
                    }
                }
                self.u.unify(&then, &otherwise)?;
                Ok(then)
            }
        }
    }

    /// The size of the whole for a size of each of two branches.
    fn joined_size(&mut self, left: &Size, right: &Size, branches: &mut Branches) -> Size {
        let is_inside = self.is_inside(left, branches) || self.is_inside(right, branches);
        if !is_inside && (self.determines_wanted(left, right) || self.u.join_sizes(left, right)) {
            return left.clone();
        }
        let pair = [left, right].map(|size| self.u.resolve_size(size));
        if let Some((_, known)) = branches.joined.iter().find(|(other, _)| *other == pair) {
            return known.clone();
        }
        let origin = SizeOrigin::Exists { maker: branches.maker.into() };
        let size = Size::symbol(self.u.rigid_size("k".into(), origin, branches.span));
        branches.joined.push((pair, size.clone()));
        size
    }

    fn has_inside(&self, ty: &Type, branches: &Branches) -> bool {
        let mut sizes = Vec::new();
        self.u.sizes_of(ty, &mut sizes);
        sizes.into_iter().any(|id| self.is_inside(&Size::symbol(id), branches))
    }

    /// A type with open sizes where a branch made a size.
    fn without_branch_sizes(&mut self, ty: &Type, branches: &Branches) -> Type {
        match self.u.head(ty) {
            Type::Array(size, element) => {
                let size = match self.is_inside(&size, branches) {
                    true => self.u.fresh_size(arrc_syntax::names::Name::default(), self.u.at),
                    false => size,
                };
                Type::Array(size, Box::new(self.without_branch_sizes(&element, branches)))
            }
            Type::Tuple(items) => Type::Tuple(
                items.iter().map(|item| self.without_branch_sizes(item, branches)).collect(),
            ),
            Type::Record(fields) => {
                let fields = fields.iter();
                let open = fields
                    .map(|(name, ty)| (name.clone(), self.without_branch_sizes(ty, branches)));
                Type::Record(open.collect())
            }
            Type::Sum(constructors) => {
                let open = constructors.iter().map(|(name, types)| {
                    let types = types.iter().map(|ty| self.without_branch_sizes(ty, branches));
                    (name.clone(), types.collect())
                });
                Type::Sum(open.collect())
            }
            Type::Hidden(hidden) => {
                let sizes = hidden.sizes.iter().map(|size| match self.is_inside(size, branches) {
                    true => self.u.fresh_size(arrc_syntax::names::Name::default(), self.u.at),
                    false => size.clone(),
                });
                let sizes = sizes.collect();
                let types =
                    hidden.types.iter().map(|ty| self.without_branch_sizes(ty, branches)).collect();
                Type::Hidden(Box::new(Hidden { sizes, types, ..*hidden }))
            }
            ty @ (Type::Scalar(_) | Type::Fun(..) | Type::Var(_) | Type::Exists(..)) => ty,
        }
    }
}
