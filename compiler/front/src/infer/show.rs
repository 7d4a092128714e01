//! Types and sizes as messages name them.
//!
//! Invariant: within one message, different sizes and types have different names. A size keeps its own name if the
//! name means it at the place of the mistake. Any other size gets a name that means nothing there. A number whose
//! type is not determined is shown with its default type.
//!
//! ```text
//! def f [n] (xs: [n]i64) = g (map h xs) (iota 3)   ⇒   [n]a -> [m]i64, where g has a size n too
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::annotation::Abbreviation;
use super::environment::scope::{Local, Scope};
use super::solve::{TypeState, Unifier};
use crate::core::{Size, SizeOrigin, Type, TypeNames, size_text, type_text};
use arrc_syntax::ids::{PrimaryMap, SizeVar, TypeId, TypeVar};
use arrc_syntax::names::Name;

/// The names of one message.
pub(super) struct MessageNames<'u> {
    unifier: &'u Unifier,
    abbreviations: &'u PrimaryMap<TypeId, Abbreviation<'u>>,
    scope: &'u Scope,
    sizes: IndexMap<SizeVar, String>,
    types: IndexMap<TypeVar, String>,
}

impl Checker<'_> {
    /// The names of a new message, before any is chosen.
    pub(super) fn shown(&self) -> MessageNames<'_> {
        MessageNames {
            unifier: &self.u,
            abbreviations: &self.names.abbreviations,
            scope: &self.names.scope,
            sizes: IndexMap::new(),
            types: IndexMap::new(),
        }
    }

    /// A single type, for a message that shows no other type.
    pub(super) fn show(&self, ty: &Type) -> String {
        self.shown().ty(ty)
    }
}

impl MessageNames<'_> {
    /// A type as far as it is known.
    pub(super) fn ty(&mut self, ty: &Type) -> String {
        let ty = self.unifier.resolve(ty);
        type_text(&ty, self)
    }

    /// A size as far as it is known.
    pub(super) fn size(&mut self, size: &Size) -> String {
        let size = self.unifier.resolve_size(size);
        size_text(&size, self)
    }

    /// A name that the message does not use yet. Preferred is the name that means the size at the place of the
    /// mistake, then the size's own name if it means nothing else there, then another letter, then a name with a
    /// number.
    fn unique(&self, id: SizeVar) -> String {
        let own = &self.unifier.sizes[id].info.name;
        let own = if own.is_empty() { "n" } else { own.as_str() };
        let is_free = |text: &String| {
            let is_used = self.sizes.values().any(|used| used == text);
            !is_used && self.scope.get(&Name::new(text)).is_none_or(|local| self.is_size(id, local))
        };
        let known = self.scope.names().filter(|name| {
            matches!(self.scope.get(name), Some(local @ Local::Size(..)) if self.is_size(id, local))
        });
        let letters = ["n", "m", "k", "l"].map(str::to_owned);
        let numbered = (1..).map(|number| format!("{own}{number}"));
        known
            .map(ToString::to_string)
            .chain([own.to_owned()])
            .chain(letters)
            .chain(numbered)
            .find(is_free)
            .expect("there is always a further number")
    }

    /// Whether a local name means this size.
    fn is_size(&self, id: SizeVar, local: &Local) -> bool {
        match local {
            Local::Size(size, _) => self.unifier.resolve_size(size).as_symbol() == Some(id),
            Local::Var(var, _) => {
                matches!(self.unifier.sizes[id].info.origin, SizeOrigin::Value(of) if of == *var)
            }
            Local::Opened(_) => true,
        }
    }

    /// A letter for an unknown type. The message does not use it yet, and it is no type's name at the place of the
    /// mistake.
    fn letter(&self) -> String {
        let is_free = |text: &String| {
            let is_used = self.types.values().any(|used| used == text);
            !is_used && self.scope.get_type(&Name::new(text)).is_none()
        };
        let letters = ('a'..='z').map(String::from);
        let numbered = (1..).map(|number| format!("a{number}"));
        letters.chain(numbered).find(is_free).expect("there is always a further number")
    }
}

impl TypeNames for MessageNames<'_> {
    fn whole(&mut self, ty: &Type) -> Option<String> {
        if !matches!(ty, Type::Record(_) | Type::Tuple(_) | Type::Sum(_)) {
            return None;
        }
        let stands_for = |one: &&Abbreviation<'_>| one.plain() == Some(ty);
        self.abbreviations.values().find(stands_for).map(|one| one.name().to_string())
    }

    fn size(&mut self, id: SizeVar) -> String {
        if let Some(name) = self.sizes.get(&id) {
            return name.clone();
        }
        let name = self.unique(id);
        self.sizes.insert(id, name.clone());
        name
    }

    fn type_var(&mut self, var: TypeVar) -> String {
        match &self.unifier.types[var].state {
            TypeState::Rigid(_) => {
                let name = &self.unifier.types[var].name;
                let others = self
                    .types
                    .iter()
                    .filter(|(other, text)| **other != var && text.as_str() == name);
                let text = if others.count() == 0 { name.to_string() } else { format!("{name}'") };
                self.types.insert(var, text.clone());
                text
            }
            TypeState::Free(_, bounds) => match bounds.literal() {
                Some(scalar) => scalar.name().to_owned(),
                None if !bounds.constructors.is_empty() => {
                    let all = bounds.constructors.iter().map(|one| format!("#{} …", one.name));
                    format!("({} | …)", all.collect::<Vec<_>>().join(" | "))
                }
                None => {
                    if let Some(letter) = self.types.get(&var) {
                        return letter.clone();
                    }
                    let letter = self.letter();
                    self.types.insert(var, letter.clone());
                    letter
                }
            },
            TypeState::Bound(_) | TypeState::Error => "_".to_owned(),
        }
    }
}
