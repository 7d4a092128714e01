//! The memory that is consumed, used, and may be used.
//!
//! Invariant: memory is numbered in the order of the walk, so memory outside of a scope was made before the
//! scope began.
//!
//! ```text
//! consume {xs}; use {xs, ys}   ⇒   error: `ys` may be the array that was consumed as `xs`
//! ```

use std::collections::BTreeMap;

use super::UniquenessChecker;
use super::memory::{Aliases, AllocSite, PointsTo, SiteInfo, SiteKind};
use crate::core::{Expr, ExprKind, Type, UniquenessMarks};
use crate::unique::uniqueness_error::{Error, Reason};
use arrc_syntax::ids::EntityRef;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Where something was consumed.
#[derive(Clone, Debug)]
pub(super) struct Consumption {
    pub(super) span: Span,
    pub(super) by: Consumer,
    /// Its name there.
    pub(super) name: Option<String>,
}

/// The construct that consumes.
#[derive(Clone, Debug)]
pub(super) enum Consumer {
    /// A call of this function.
    Call(Name),
    /// `with` on a marked array, or a function of the prelude that updates as `with` does.
    Update,
    /// A `let` that names it with a mark.
    Let(Name),
    /// A `loop` that owns what it carries.
    Loop,
}

/// A function or a loop around the place of the walk.
#[derive(Debug)]
pub(super) struct EnclosingScope {
    pub(super) kind: ScopeKind,
    pub(super) span: Span,
    /// Memory that is made from here on is inside.
    pub(super) first: AllocSite,
    /// The outer memory that is used inside, and the place of its first use.
    pub(super) seen: BTreeMap<AllocSite, Span>,
}

/// What kind of scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScopeKind {
    /// A definition's body.
    Definition,
    /// A local function or a lambda.
    Function,
    /// The steps of a loop.
    Loop,
}

impl UniquenessChecker<'_> {
    /// Begins a scope.
    pub(super) fn enter(&mut self, kind: ScopeKind, span: Span) {
        let first = self.memories.next_key();
        self.scopes.push(EnclosingScope { kind, span, first, seen: BTreeMap::new() });
    }

    /// Ends a scope.
    pub(super) fn leave(&mut self) -> EnclosingScope {
        self.scopes.pop().expect("a scope ends that has begun")
    }

    /// New memory.
    pub(super) fn new_site(&mut self, name: Option<Name>, span: Span, kind: SiteKind) -> AllocSite {
        self.memories.push(SiteInfo { name, span, kind })
    }

    /// A value of a type in memory of its own.
    pub(super) fn fresh_value(&mut self, ty: &Type, span: Span, kind: SiteKind) -> Aliases {
        Aliases::of(ty, &UniquenessMarks::None, &mut |_| {
            PointsTo::from([self.new_site(None, span, kind)])
        })
    }

    /// Uses a value: no part of it may have been consumed.
    pub(super) fn check_use(&mut self, value: &Aliases, expr: &Expr) {
        for memory in value.all() {
            for scope in self.scopes.iter_mut().filter(|scope| memory < scope.first) {
                scope.seen.entry(memory).or_insert(expr.span);
            }
            if let Some(how) = self.consumed.get(&memory).cloned() {
                self.used(memory, name_of(self, expr), expr.span, how);
            }
        }
    }

    /// Reports a use of consumed memory, but only the first one, since later uses have the same cause.
    pub(super) fn used(
        &mut self,
        memory: AllocSite,
        name: Option<String>,
        span: Span,
        how: Consumption,
    ) {
        if self.told.insert(memory) {
            self.errors.push(Error::Consumed { name, span, how });
        }
    }

    /// Consumes an array, or reports why that is not allowed.
    pub(super) fn consume(&mut self, places: &PointsTo, how: &Consumption) {
        for &memory in places {
            match self.reason(memory) {
                Some(reason) if self.told.insert(memory) => {
                    self.errors.push(Error::NotConsumable { how: how.clone(), reason });
                }
                Some(_) => {}
                None => {
                    self.consumed.insert(memory, how.clone());
                }
            }
        }
    }

    /// Consumes the marked memory of an array, as an update does; says whether there was any.
    pub(super) fn update(&mut self, places: &PointsTo, how: &Consumption) -> bool {
        let is_marked = |memory: &&AllocSite| self.memories[**memory].kind == SiteKind::Marked;
        let marked: PointsTo = places.iter().filter(is_marked).copied().collect();
        self.consume(&marked, how);
        !marked.is_empty()
    }

    /// Why memory may not be consumed here, if it may not.
    fn reason(&self, memory: AllocSite) -> Option<Reason> {
        let SiteInfo { name, span, kind } = self.memories[memory].clone();
        match kind {
            SiteKind::Parameter => return Some(Reason::Parameter { name, span }),
            SiteKind::Constant => return Some(Reason::Constant { name, span }),
            SiteKind::Fresh | SiteKind::Marked => {}
        }
        let scope = self.scopes.iter().rev().find(|scope| memory < scope.first)?;
        Some(Reason::Outside { name, span, kind: scope.kind, scope: scope.span })
    }

    /// Whether memory was made before the innermost scope.
    pub(super) fn is_outside(&self, memory: AllocSite) -> bool {
        self.scopes.last().is_some_and(|scope| memory.index() < scope.first.index())
    }

    /// Names memory that has no name yet by the variable that it is bound to.
    pub(super) fn name_sites(&mut self, value: &Aliases, name: &Name) {
        for memory in value.all() {
            let info = &mut self.memories[memory];
            if info.kind == SiteKind::Fresh && info.name.is_none() {
                info.name = Some(name.clone());
            }
        }
    }
}

/// The name of an expression, if it is a name or a part of a named value.
pub(super) fn name_of(walk: &UniquenessChecker<'_>, expr: &Expr) -> Option<String> {
    if let ExprKind::Var(var) = &expr.kind {
        Some(walk.program.vars[*var].name.to_string())
    } else if let ExprKind::Global(def, _) = &expr.kind {
        Some(walk.program.defs[*def].name.to_string())
    } else if let ExprKind::Item(tuple, at) = &expr.kind {
        Some(format!("{}.{at}", name_of(walk, tuple)?))
    } else if let ExprKind::Field(record, name) = &expr.kind {
        Some(format!("{}.{name}", name_of(walk, record)?))
    } else {
        None
    }
}
