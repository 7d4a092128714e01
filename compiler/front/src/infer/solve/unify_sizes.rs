//! Metavariables of sizes, and their unification.
//!
//! Invariant: a metavariable is bound only to a size whose symbols are known in its own scope. A rigid symbol equals
//! only itself.
//!
//! ```text
//! unify [?m + 1] with [n]   ⇒   ?m = n - 1
//! ```

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{Level, Unifier, UnifyError};
use crate::core::{Size, SizeInfo, SizeOrigin, Type};
use arrc_syntax::ids::SizeVar;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The facts on a size.
#[derive(Clone, Debug)]
pub(crate) struct SizeEntry {
    /// Its name and origin. A metavariable gets this name if it becomes a parameter.
    pub(crate) info: SizeInfo,
    /// What it stands for.
    pub(crate) state: SizeState,
    /// The size with the bound metavariables replaced, as it was last computed. So a chain of them is followed once.
    resolved: RefCell<Option<Size>>,
}

impl SizeEntry {
    /// A size.
    pub(crate) fn new(info: SizeInfo, state: SizeState) -> Self {
        Self { info, state, resolved: RefCell::new(None) }
    }

    /// Lets it stand for a size.
    pub(crate) fn bind(&mut self, size: Size) {
        self.state = SizeState::Bound(size);
        self.resolved.take();
    }
}

/// What a size stands for.
#[derive(Clone, Debug)]
pub(crate) enum SizeState {
    /// Itself: it is rigid, and known from this level on.
    Rigid(Level),
    /// A size that is still to be found.
    Free(Level),
    /// That size.
    Bound(Size),
}

/// Two sizes that must be equal, but that cannot be solved for their metavariables yet.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    /// The expected size.
    pub(crate) expected: Size,
    /// The found size.
    pub(crate) found: Size,
    /// The place where they met.
    pub(crate) at: Span,
}

/// A metavariable that occurs once in a size.
struct SolvableVar<'s> {
    id: SizeVar,
    /// Whether it is a term by itself, without a coefficient.
    is_alone: bool,
    /// The factors of its term.
    term: &'s Vec<SizeVar>,
}

impl Unifier {
    /// A new rigid size.
    pub(crate) fn rigid_size(&mut self, name: Name, origin: SizeOrigin, span: Span) -> SizeVar {
        let info = SizeInfo { name, origin, span };
        self.sizes.push(SizeEntry::new(info, SizeState::Rigid(self.level)))
    }

    /// A size that is still to be found. If it becomes a parameter, `name` is its name.
    pub(crate) fn fresh_size(&mut self, name: Name, span: Span) -> Size {
        let info = SizeInfo { name, origin: SizeOrigin::Param, span };
        Size::symbol(self.sizes.push(SizeEntry::new(info, SizeState::Free(self.level))))
    }

    /// A size that is still to be found, with the name of `model`.
    pub(crate) fn fresh_size_like(&mut self, model: SizeVar) -> Size {
        let info = &self.sizes[model].info;
        self.fresh_size(info.name.clone(), info.span)
    }

    /// A rigid size of the next scope inwards, with the name of `model`.
    pub(crate) fn inner_copy(&mut self, model: SizeVar) -> SizeVar {
        let info = self.sizes[model].info.clone();
        let level = self.level.inner();
        self.sizes.push(SizeEntry::new(info, SizeState::Rigid(level)))
    }

    /// A size with every metavariable that is bound replaced.
    pub(crate) fn resolve_size(&self, size: &Size) -> Size {
        if size.is_too_large() {
            return size.clone();
        }
        let bound = |id: &SizeVar| matches!(self.sizes[*id].state, SizeState::Bound(_));
        if !size.terms.keys().flatten().any(bound) {
            return size.clone();
        }
        self.substitute_in_size(size, |id| self.resolved(id))
    }

    /// The size that a metavariable stands for, if it is bound.
    fn resolved(&self, id: SizeVar) -> Option<Size> {
        let SizeEntry { state: SizeState::Bound(made), resolved, .. } = &self.sizes[id] else {
            return None;
        };
        let before = resolved.take();
        let size = self.resolve_size(before.as_ref().unwrap_or(made));
        resolved.replace(Some(size.clone()));
        Some(size)
    }

    /// A metavariable that stands for a size.
    pub(crate) fn alias_size(&mut self, size: Size) -> Size {
        let info = size.as_symbol().map(|id| self.sizes[id].info.clone());
        let info = info.expect("only a symbol gets another name");
        Size::symbol(self.sizes.push(SizeEntry::new(info, SizeState::Bound(size))))
    }

    /// A size with its symbols replaced by other sizes. If it becomes too large, that is noted.
    pub(crate) fn substitute_in_size(
        &self,
        size: &Size,
        with: impl FnMut(SizeVar) -> Option<Size>,
    ) -> Size {
        let made = size.substitute(with);
        if made.is_too_large() && !size.is_too_large() {
            self.has_too_large.set(true);
        }
        made
    }

    /// Unifies two sizes.
    pub(crate) fn unify_sizes(&mut self, expected: &Size, found: &Size) -> Result<(), UnifyError> {
        let written = (expected, found);
        let (expected, found) = (self.resolve_size(expected), self.resolve_size(found));
        // A size that is too large is reported where it was made.
        if expected == found || expected.is_too_large() || found.is_too_large() {
            return Ok(());
        }
        let difference = expected.minus(&found);
        if difference.is_too_large() {
            return Err(UnifyError::Sizes { expected, found });
        }
        let mut candidates = self.candidates(&difference);
        candidates.sort_by_key(|candidate| {
            let SolvableVar { id, is_alone, .. } = *candidate;
            (!is_alone, std::cmp::Reverse(self.size_level(id)), id)
        });
        let mut escape = None;
        for SolvableVar { id, term, .. } in candidates {
            let Some(solution) = self.solution(&difference, id, term) else { continue };
            match self.lower_size(self.size_level(id), &solution) {
                Ok(()) => {
                    if solution.symbols().iter().any(|&id| self.is_free_size(id)) {
                        let (expected, found) = (written.0.clone(), written.1.clone());
                        self.sums.push(Equation { expected, found, at: self.at });
                    }
                    // The size is kept as it was made, since that determines the order of its parts. It cannot be kept
                    // if it contains the metavariable: `m = m + m` lets it be 0.
                    let is_apart = |size: &Size| !size.symbols().contains(&id);
                    let made = match (written.0.as_symbol(), written.1.as_symbol()) {
                        (Some(symbol), _) if symbol == id && is_apart(&found) => written.1.clone(),
                        (_, Some(symbol)) if symbol == id && is_apart(&expected) => {
                            written.0.clone()
                        }
                        _ => solution,
                    };
                    self.sizes[id].bind(made);
                    return Ok(());
                }
                Err(clash) => escape = escape.or(Some(clash)),
            }
        }
        if let Some(clash) = escape {
            return Err(clash);
        }
        if difference.symbols().into_iter().any(|id| self.is_free_size(id)) {
            let (expected, found) = (written.0.clone(), written.1.clone());
            self.waiting.push(Equation { expected, found, at: self.at });
            return Ok(());
        }
        Err(UnifyError::Sizes { expected, found })
    }

    /// Whether the sizes of two branches are equal, or are two symbols that can be unified. Other sizes are not
    /// unified: the branches `n` and `n + m` do not require that `m` is 0.
    pub(crate) fn join_sizes(&mut self, left: &Size, right: &Size) -> bool {
        let (left, right) = (self.resolve_size(left), self.resolve_size(right));
        let symbols = left.as_symbol().is_some() && right.as_symbol().is_some();
        left == right || symbols && self.unify_sizes(&left, &right).is_ok()
    }

    /// Solves the equations that can be solved now. Returns those that cannot hold.
    pub(crate) fn solve_equations(&mut self) -> Vec<(Equation, UnifyError)> {
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

    /// Makes a size known at `level`: its metavariables move to that level. A rigid size of a deeper level in it is a
    /// clash.
    pub(crate) fn lower_size(&mut self, level: Level, size: &Size) -> Result<(), UnifyError> {
        let symbols = self.resolve_size(size).symbols();
        let deeper = |id: &&SizeVar| matches!(self.sizes[**id].state, SizeState::Rigid(made) if made > level);
        if let Some(&size) = symbols.iter().find(deeper) {
            return Err(UnifyError::Escape { size });
        }
        for id in symbols {
            if let SizeState::Free(old) = &mut self.sizes[id].state {
                *old = level.min(*old);
            }
        }
        Ok(())
    }

    /// The level of a size that is not bound.
    pub(crate) fn size_level(&self, id: SizeVar) -> Level {
        match self.sizes[id].state {
            SizeState::Rigid(level) | SizeState::Free(level) => level,
            SizeState::Bound(_) => panic!("a resolved size has no bound metavariable"),
        }
    }

    /// Whether the size is a metavariable that is not bound.
    pub(crate) fn is_free_size(&self, id: SizeVar) -> bool {
        matches!(self.sizes[id].state, SizeState::Free(_))
    }

    /// The type with each `?[k]` at its top opened: it becomes a new size that `maker` makes here.
    pub(crate) fn open(&mut self, ty: &Type, maker: &Name, span: Span) -> Type {
        let Type::Exists(sizes, body) = self.head(ty) else { return ty.clone() };
        let mut opened = Vec::new();
        for size in sizes {
            let name = self.sizes[size].info.name.clone();
            let origin = SizeOrigin::Exists { maker: maker.clone() };
            opened.push((size, Size::symbol(self.rigid_size(name, origin, span))));
        }
        self.substitute(&body, &[], &opened)
    }

    /// The metavariables that occur once in a size, for which it may be possible to solve that the size is 0.
    fn candidates<'s>(&self, difference: &'s Size) -> Vec<SolvableVar<'s>> {
        let mut counts: BTreeMap<SizeVar, usize> = BTreeMap::new();
        for &id in difference.terms.keys().flatten() {
            *counts.entry(id).or_default() += 1;
        }
        let mut found = Vec::new();
        for (term, &coefficient) in &difference.terms {
            let once = term.iter().filter(|&id| self.is_free_size(*id) && counts[id] == 1);
            let is_alone = term.len() == 1 && matches!(coefficient, 1 | -1);
            found.extend(once.map(|&id| SolvableVar { id, is_alone, term }));
        }
        found
    }

    /// The value of a metavariable for which a size is 0: the other factors of its term divide all other terms.
    fn solution(&self, difference: &Size, id: SizeVar, term: &Vec<SizeVar>) -> Option<Size> {
        let mut others = term.clone();
        others.retain(|&other| other != id);
        let mut rest = difference.clone();
        let coefficient = rest.terms.remove(term)?;
        // `n * m = 0` determines neither: either may be 0.
        let is_open = rest.terms.is_empty() && others.iter().any(|&id| self.is_free_size(id));
        let divided = rest.divided(&others, coefficient).filter(|_| !is_open)?;
        Some(divided.times_constant(-1))
    }

    /// Unifies the parts of sizes with equal sums or products, in their written order. Returns whether anything was
    /// found.
    pub(crate) fn match_parts(&mut self, level: Level) -> bool {
        let equations: Vec<Equation> = self.waiting.iter().chain(&self.sums).cloned().collect();
        for Equation { expected, found, .. } in &equations {
            let Some(parts) = self.parts(expected, found) else { continue };
            let is_inner = |id: &SizeVar| self.is_free_size(*id) && self.size_level(*id) > level;
            let resolved = parts.iter().map(|(a, b)| (self.resolve_size(a), self.resolve_size(b)));
            // Equal parts add nothing, and a later round must not find them again.
            let unequal = resolved.filter(|(a, b)| a != b);
            let symbols = unequal.flat_map(|(a, b)| [a.symbols(), b.symbols()].concat());
            if !symbols.into_iter().any(|id| is_inner(&id)) {
                continue;
            }
            let before = self.sizes.clone();
            let fits = parts.iter().all(|(a, b)| self.unify_sizes(a, b).is_ok());
            if fits && self.resolve_size(expected) == self.resolve_size(found) {
                return true;
            }
            self.sizes = before;
        }
        false
    }

    /// The parts of two sizes with the same structure: their summands, and the factors in these.
    fn parts(&self, expected: &Size, found: &Size) -> Option<Vec<(Size, Size)>> {
        let (expected, found) = (self.expand_alias(expected), self.expand_alias(found));
        if expected.terms.len() != found.terms.len() {
            return None;
        }
        let mut parts = Vec::new();
        for ((left, a), (right, b)) in expected.terms.iter().zip(&found.terms) {
            if a != b || left.len() != right.len() {
                return None;
            }
            let pairs = left.iter().zip(right);
            parts.extend(pairs.map(|(&left, &right)| (Size::symbol(left), Size::symbol(right))));
        }
        (parts.len() > 1).then_some(parts)
    }

    /// The size that a symbol was made from, if it is another name for one.
    fn expand_alias(&self, size: &Size) -> Size {
        let mut size = size.clone();
        while let Some(id) = size.as_symbol()
            && let SizeState::Bound(made) = &self.sizes[id].state
        {
            size = made.clone();
        }
        size
    }
}
