//! The names in scope, and whether they were used.
//!
//! Invariant: leaving a scope forgets exactly the bindings that were made since it was entered.
//!
//! ```text
//! bind x; bind x; use x; leave   ⇒   the first x is unused
//! ```

use indexmap::{IndexMap, IndexSet};

use arrc_syntax::ast::bound_names::BinderKind;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// A name that was bound.
#[derive(Debug)]
pub(super) struct Binding {
    /// The name.
    pub(super) name: Name,
    /// Where it was bound.
    pub(super) span: Span,
    /// The construct that bound it.
    pub(super) kind: BinderKind,
    /// Whether it was used.
    pub(super) is_used: bool,
    /// The first `let` that hides it, if it is a parameter.
    pub(super) hidden_by: Option<Span>,
}

/// The names in scope.
#[derive(Default, Debug)]
pub(super) struct NameScope {
    bindings: Vec<Binding>,
    of_name: IndexMap<Name, Vec<usize>>,
    /// Names that were used where no scope binds them.
    outside: IndexSet<Name>,
}

/// The beginning of a scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScopeMark(usize);

impl NameScope {
    /// Begins a scope.
    pub(super) fn mark(&self) -> ScopeMark {
        ScopeMark(self.bindings.len())
    }

    /// Binds a name, which hides an earlier binding.
    pub(super) fn bind(&mut self, name: &Name, span: Span, kind: BinderKind) {
        let of_name = self.of_name.entry(name.clone()).or_default();
        if let Some(&last) = of_name.last()
            && let hidden = &mut self.bindings[last]
            && hidden.kind == BinderKind::Parameter
            && kind.is_local()
        {
            hidden.hidden_by.get_or_insert(span);
        }
        of_name.push(self.bindings.len());
        let (name, is_used, hidden_by) = (name.clone(), false, None);
        self.bindings.push(Binding { name, span, kind, is_used, hidden_by });
    }

    /// Uses a name, if it is bound here.
    pub(super) fn use_name(&mut self, name: &Name) {
        if let Some(&last) = self.of_name.get(name).and_then(|bindings| bindings.last()) {
            self.bindings[last].is_used = true;
        } else if !self.outside.contains(name) {
            self.outside.insert(name.clone());
        }
    }

    /// Whether a name was used where no scope binds it, so that it means a definition.
    pub(super) fn is_used_outside(&self, name: &Name) -> bool {
        self.outside.contains(name)
    }

    /// Ends a scope, and returns its bindings.
    pub(super) fn leave(&mut self, mark: ScopeMark) -> Vec<Binding> {
        let ended = self.bindings.split_off(mark.0);
        for binding in &ended {
            let of_name = self.of_name.get_mut(&binding.name).and_then(Vec::pop);
            of_name.expect("what was bound is there");
        }
        ended
    }
}
