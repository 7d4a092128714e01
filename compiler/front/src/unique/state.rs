//! The memory that is consumed, used, and may be used.
//!
//! Invariant: memory is numbered in the order of the walk, so memory outside of a scope was made before the
//! scope began.
//!
//! ```text
//! consume {xs}; use {xs, ys}   ⇒   error: `ys` may be the array that was consumed as `xs`
//! ```

use std::collections::BTreeMap;

use super::Walk;
use super::error::{Error, Reason};
use super::memory::{Aliases, Info, Kind, Memory, Places};
use crate::core::{Expr, ExprKind, Marks, Type};
use arrc_syntax::ids::EntityRef;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Where something was consumed.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) span: Span,
    pub(super) by: By,
    /// Its name there.
    pub(super) name: Option<String>,
}

/// The construct that consumes.
#[derive(Clone, Debug)]
pub(super) enum By {
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
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    pub(super) span: Span,
    /// Memory that is made from here on is inside.
    pub(super) first: Memory,
    /// The outer memory that is used inside, and the place of its first use.
    pub(super) seen: BTreeMap<Memory, Span>,
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

impl Walk<'_> {
    /// Begins a scope.
    pub(super) fn enter(&mut self, kind: ScopeKind, span: Span) {
        let first = self.memories.next_key();
        self.scopes.push(Scope { kind, span, first, seen: BTreeMap::new() });
    }

    /// Ends a scope.
    pub(super) fn leave(&mut self) -> Scope {
        self.scopes.pop().expect("a scope ends that has begun")
    }

    /// New memory.
    pub(super) fn make(&mut self, name: Option<Name>, span: Span, kind: Kind) -> Memory {
        self.memories.push(Info { name, span, kind })
    }

    /// A value of a type in memory of its own.
    pub(super) fn made(&mut self, ty: &Type, span: Span, kind: Kind) -> Aliases {
        Aliases::of(ty, &Marks::None, &mut |_| Places::from([self.make(None, span, kind)]))
    }

    /// Uses a value: no part of it may have been consumed.
    pub(super) fn observe(&mut self, value: &Aliases, expr: &Expr) {
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
    pub(super) fn used(&mut self, memory: Memory, name: Option<String>, span: Span, how: Use) {
        if self.told.insert(memory) {
            self.errors.push(Error::Consumed { name, span, how });
        }
    }

    /// Consumes an array, or reports why that is not allowed.
    pub(super) fn consume(&mut self, places: &Places, how: &Use) {
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
    pub(super) fn update(&mut self, places: &Places, how: &Use) -> bool {
        let is_marked = |memory: &&Memory| self.memories[**memory].kind == Kind::Marked;
        let marked: Places = places.iter().filter(is_marked).copied().collect();
        self.consume(&marked, how);
        !marked.is_empty()
    }

    /// Why memory may not be consumed here, if it may not.
    fn reason(&self, memory: Memory) -> Option<Reason> {
        let Info { name, span, kind } = self.memories[memory].clone();
        match kind {
            Kind::Parameter => return Some(Reason::Parameter { name, span }),
            Kind::Constant => return Some(Reason::Constant { name, span }),
            Kind::Fresh | Kind::Marked => {}
        }
        let scope = self.scopes.iter().rev().find(|scope| memory < scope.first)?;
        Some(Reason::Outside { name, span, kind: scope.kind, scope: scope.span })
    }

    /// Whether memory was made before the innermost scope.
    pub(super) fn is_outside(&self, memory: Memory) -> bool {
        self.scopes.last().is_some_and(|scope| memory.index() < scope.first.index())
    }

    /// Names memory that has no name yet by the variable that it is bound to.
    pub(super) fn call_it(&mut self, value: &Aliases, name: &Name) {
        for memory in value.all() {
            let info = &mut self.memories[memory];
            if info.kind == Kind::Fresh && info.name.is_none() {
                info.name = Some(name.clone());
            }
        }
    }
}

/// The name of an expression, if it is a name or a part of a named value.
pub(super) fn name_of(walk: &Walk<'_>, expr: &Expr) -> Option<String> {
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
