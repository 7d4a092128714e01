//! Types and sizes as messages name them.
//!
//! Invariant: within one message, different sizes and type parameters have different names.
//!
//! ```text
//! [k7]?3 and [k9]f64, both sizes called k   ⇒   [k]_ and [k1]f64
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::annotation::Abbreviation;
use super::unify::{TypeState, Unifier};
use crate::ids::{PrimaryMap, SizeId, TypeId, TypeVar};
use crate::ir::core::{Size, Type, TypeNames, size_text, type_text};
use crate::names::Name;

/// The names of one message.
pub(super) struct Shown<'u> {
    unifier: &'u Unifier,
    abbreviations: &'u PrimaryMap<TypeId, Abbreviation<'u>>,
    /// Whether unknown types are told apart by letters.
    letters: bool,
    sizes: IndexMap<SizeId, String>,
    types: IndexMap<TypeVar, String>,
}

impl Checker<'_> {
    /// The names for a new message.
    pub(super) fn shown(&self) -> Shown<'_> {
        Shown {
            unifier: &self.u,
            abbreviations: &self.abbreviations,
            letters: false,
            sizes: IndexMap::new(),
            types: IndexMap::new(),
        }
    }

    /// A single type, for a message that has no other.
    pub(super) fn show(&self, ty: &Type) -> String {
        self.shown().ty(ty)
    }
}

impl Shown<'_> {
    /// Tells types that are not known apart by letters.
    pub(super) fn with_letters(self) -> Self {
        Self { letters: true, ..self }
    }

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

    /// A name that is not used yet: `name`, or with a number after it.
    fn unique(&self, name: &Name) -> String {
        let name = if name.is_empty() { "n" } else { name.as_str() };
        let used = |text: &String| self.sizes.values().any(|used| used == text);
        let numbered = (1..).map(|number| format!("{name}{number}"));
        std::iter::once(name.to_owned())
            .chain(numbered)
            .find(|text| !used(text))
            .expect("there is always a further number")
    }
}

impl TypeNames for Shown<'_> {
    fn whole(&mut self, ty: &Type) -> Option<String> {
        if !matches!(ty, Type::Record(_) | Type::Tuple(_) | Type::Sum(_)) {
            return None;
        }
        let stands_for = |one: &&Abbreviation<'_>| one.plain() == Some(ty);
        self.abbreviations.values().find(stands_for).map(|one| one.name().to_string())
    }

    fn size(&mut self, id: SizeId) -> String {
        if let Some(name) = self.sizes.get(&id) {
            return name.clone();
        }
        let name = self.unique(&self.unifier.sizes[id].info.name);
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
            TypeState::Free(_, bounds) => match bounds.scalars() {
                Some(scalars) => scalars.words().to_owned(),
                None if !bounds.constructors.is_empty() => {
                    let all = bounds.constructors.iter().map(|one| format!("#{} …", one.name));
                    format!("({} | …)", all.collect::<Vec<_>>().join(" | "))
                }
                None if self.letters => {
                    let letter = self.types.len() % 26;
                    let next = ('a'..='z').nth(letter).unwrap_or('z').to_string();
                    self.types.entry(var).or_insert(next).clone()
                }
                None => "_".to_owned(),
            },
            TypeState::Bound(_) | TypeState::Error => "_".to_owned(),
        }
    }
}
