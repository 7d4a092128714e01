//! The names that can be seen at a place, and whether they were used.
//!
//! Invariant: leaving a scope forgets exactly what was bound since it was entered.
//!
//! ```text
//! bind x; bind x; use x; leave   ⇒   the first x is unused
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::names::Name;
use crate::source::Span;

/// How a name was bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// As a parameter, or as a size: part of what a function is to others.
    Parameter,
    /// By a `let` that updates what had the name before.
    Updated,
    /// By a `let`, alone.
    Let,
    /// By a `let`, as a part of a pattern.
    Part,
    /// By a `let`, as a field of the same name.
    Pun,
    /// By a loop, as what it carries.
    Carried,
    /// By a loop, as its counter or an element.
    Step,
}

impl Kind {
    /// The kind of a part of a pattern of this kind.
    pub(super) fn in_pattern(self) -> Self {
        match self {
            Self::Let | Self::Part | Self::Pun => Self::Part,
            Self::Parameter | Self::Updated | Self::Carried | Self::Step => self,
        }
    }

    /// Whether it is a binding inside of an expression, and so may hide a parameter.
    fn is_local(self) -> bool {
        match self {
            Self::Let | Self::Part | Self::Pun => true,
            Self::Parameter | Self::Updated | Self::Carried | Self::Step => false,
        }
    }
}

/// A name that was bound.
#[derive(Debug)]
pub(super) struct Binding {
    /// The name.
    pub(super) name: Name,
    /// Where it was bound.
    pub(super) span: Span,
    /// How.
    pub(super) kind: Kind,
    /// Whether it was used.
    pub(super) is_used: bool,
    /// Where a `let` hides it first, if it is a parameter.
    pub(super) hidden_by: Option<Span>,
}

/// The names that can be seen.
#[derive(Default, Debug)]
pub(super) struct Names {
    bindings: Vec<Binding>,
    of_name: IndexMap<Name, Vec<usize>>,
    /// Names that were used where they were not bound.
    outside: IndexSet<Name>,
}

/// The beginning of a scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl Names {
    /// Begins a scope.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.bindings.len())
    }

    /// Binds a name, in front of what it meant before.
    pub(super) fn bind(&mut self, name: &Name, span: Span, kind: Kind) {
        let of_name = self.of_name.entry(name.clone()).or_default();
        if let Some(&last) = of_name.last()
            && let hidden = &mut self.bindings[last]
            && hidden.kind == Kind::Parameter
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

    /// Whether a name was used where it was not bound, so as a definition.
    pub(super) fn is_used_outside(&self, name: &Name) -> bool {
        self.outside.contains(name)
    }

    /// Ends a scope, and gives what was bound in it.
    pub(super) fn leave(&mut self, mark: Mark) -> Vec<Binding> {
        let ended = self.bindings.split_off(mark.0);
        for binding in &ended {
            let of_name = self.of_name.get_mut(&binding.name).and_then(Vec::pop);
            of_name.expect("what was bound is there");
        }
        ended
    }
}
