//! Metavariables of sizes, and when two sizes are one.
//!
//! Invariant: a metavariable is bound to a size of symbols that are known in its own scope; a rigid
//! symbol is only equal to itself.
//!
//! ```text
//! unify [?m + 1] with [n]   ⇒   ?m = n - 1
//! ```

use super::unify::{Clash, Level, Unifier};
use crate::ids::{DefId, SizeId};
use crate::ir::core::{Size, SizeInfo, SizeOrigin, Type};
use crate::names::Name;
use crate::source::Span;

/// What is known of a size.
#[derive(Clone, Debug)]
pub(super) struct SizeEntry {
    /// Its name and origin; for a metavariable the name to give it if it becomes a parameter.
    pub(super) info: SizeInfo,
    /// What it stands for.
    pub(super) state: SizeState,
}

/// What a size stands for.
#[derive(Clone, Debug)]
pub(super) enum SizeState {
    /// Itself, known from this level on.
    Rigid(Level),
    /// A size that is still to be found.
    Free(Level),
    /// That size.
    Bound(Size),
}

/// A size of a call's result that no argument tells.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// What is called.
    pub(super) def: DefId,
    /// The size in its type.
    pub(super) own: SizeId,
    /// The size at this place.
    pub(super) size: Size,
    /// The place.
    pub(super) span: Span,
}

/// Two sizes that must be equal, but mention metavariables in a way that is not solved yet.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    /// The one.
    pub(super) expected: Size,
    /// The other.
    pub(super) found: Size,
    /// What they were met at.
    pub(super) at: Span,
}

impl Unifier {
    /// A size of its own.
    pub(super) fn rigid_size(&mut self, name: Name, origin: SizeOrigin, span: Span) -> SizeId {
        let info = SizeInfo { name, origin, span };
        self.sizes.push(SizeEntry { info, state: SizeState::Rigid(self.level) })
    }

    /// A size that is still to be found; `name` is what it is called if it becomes a parameter.
    pub(super) fn fresh_size(&mut self, name: Name, span: Span) -> Size {
        let info = SizeInfo { name, origin: SizeOrigin::Param, span };
        Size::symbol(self.sizes.push(SizeEntry { info, state: SizeState::Free(self.level) }))
    }

    /// A size that is still to be found, called as `model` is.
    pub(super) fn fresh_size_like(&mut self, model: SizeId) -> Size {
        let info = &self.sizes[model].info;
        self.fresh_size(info.name.clone(), info.span)
    }

    /// A rigid size that nothing outside knows, called as `model` is.
    pub(super) fn inner_copy(&mut self, model: SizeId) -> SizeId {
        let info = self.sizes[model].info.clone();
        let level = self.level.inner();
        self.sizes.push(SizeEntry { info, state: SizeState::Rigid(level) })
    }

    /// A size with every metavariable that is bound replaced.
    pub(super) fn resolve_size(&self, size: &Size) -> Size {
        let bound = |id: &SizeId| matches!(self.sizes[*id].state, SizeState::Bound(_));
        if !size.terms.keys().flatten().any(bound) {
            return size.clone();
        }
        size.substitute(|id| match &self.sizes[id].state {
            SizeState::Bound(size) => Some(self.resolve_size(size)),
            SizeState::Rigid(_) | SizeState::Free(_) => None,
        })
    }

    /// Makes two sizes one.
    pub(super) fn unify_sizes(&mut self, expected: &Size, found: &Size) -> Result<(), Clash> {
        let (expected, found) = (self.resolve_size(expected), self.resolve_size(found));
        if expected == found {
            return Ok(());
        }
        let difference = expected.minus(&found);
        let mut candidates = self.candidates(&difference);
        candidates.sort_by_key(|&(id, _)| (std::cmp::Reverse(self.size_level(id)), id));
        let mut escape = None;
        for (id, coefficient) in candidates {
            let others = difference.minus(&Size::symbol(id).times_constant(coefficient));
            let solution = others.times_constant(-coefficient);
            match self.lower_size(self.size_level(id), &solution) {
                Ok(()) => {
                    self.sizes[id].state = SizeState::Bound(solution);
                    return Ok(());
                }
                Err(clash) => escape = escape.or(Some(clash)),
            }
        }
        if let Some(clash) = escape {
            return Err(clash);
        }
        if difference.symbols().into_iter().any(|id| self.is_free_size(id)) {
            self.waiting.push(Equation { expected, found, at: self.at });
            return Ok(());
        }
        Err(Clash::Sizes { expected, found })
    }

    /// Whether the sizes of two branches are one: equal, or two symbols that can be made one. Any
    /// other two are better left apart: `n` and `n + m` do not ask that `m` is 0.
    pub(super) fn join_sizes(&mut self, left: &Size, right: &Size) -> bool {
        let (left, right) = (self.resolve_size(left), self.resolve_size(right));
        let symbols = left.as_symbol().is_some() && right.as_symbol().is_some();
        left == right || symbols && self.unify_sizes(&left, &right).is_ok()
    }

    /// Solves what equations can be solved now; gives those that cannot hold.
    pub(super) fn settle(&mut self) -> Vec<(Equation, Clash)> {
        let mut failed = Vec::new();
        loop {
            let equations = std::mem::take(&mut self.waiting);
            let before = equations.len();
            for equation in equations {
                self.at = equation.at;
                if let Err(clash) = self.unify_sizes(&equation.expected, &equation.found) {
                    failed.push((equation, clash));
                }
            }
            if self.waiting.is_empty() || self.waiting.len() == before {
                return failed;
            }
        }
    }

    /// Lets a size be known at `level`: its metavariables move there, and nothing in it may be made
    /// deeper.
    pub(super) fn lower_size(&mut self, level: Level, size: &Size) -> Result<(), Clash> {
        let symbols = self.resolve_size(size).symbols();
        let deeper =
            |id: &&SizeId| matches!(self.sizes[**id].state, SizeState::Rigid(made) if made > level);
        if let Some(&size) = symbols.iter().find(deeper) {
            return Err(Clash::Escape { size });
        }
        for id in symbols {
            if let SizeState::Free(old) = &mut self.sizes[id].state {
                *old = level.min(*old);
            }
        }
        Ok(())
    }

    /// The level of a size that is not bound.
    pub(super) fn size_level(&self, id: SizeId) -> Level {
        match self.sizes[id].state {
            SizeState::Rigid(level) | SizeState::Free(level) => level,
            SizeState::Bound(_) => panic!("a resolved size has no bound metavariable"),
        }
    }

    /// Whether the size is a metavariable that is not bound.
    pub(super) fn is_free_size(&self, id: SizeId) -> bool {
        matches!(self.sizes[id].state, SizeState::Free(_))
    }

    /// A type where each `?[k]` at its top has become a size of its own, made by `maker` here.
    pub(super) fn open(&mut self, ty: &Type, maker: &Name, span: Span) -> Type {
        let Type::Exists(sizes, body) = self.head(ty) else { return ty.clone() };
        let mut opened = Vec::new();
        for size in sizes {
            let name = self.sizes[size].info.name.clone();
            let origin = SizeOrigin::Exists { maker: maker.clone() };
            opened.push((size, Size::symbol(self.rigid_size(name, origin, span))));
        }
        self.substitute(&body, &[], &opened)
    }

    /// The metavariables that `difference = 0` gives: those that occur once, by themselves, with
    /// their coefficients 1 or -1.
    fn candidates(&self, difference: &Size) -> Vec<(SizeId, i64)> {
        let lone = difference.terms.iter().filter_map(|(factors, &coefficient)| {
            match factors.as_slice() {
                [id] if coefficient.abs() == 1 && self.is_free_size(*id) => {
                    Some((*id, coefficient))
                }
                _ => None,
            }
        });
        lone.filter(|(id, _)| {
            difference.terms.keys().filter(|factors| factors.contains(id)).count() == 1
        })
        .collect()
    }
}
