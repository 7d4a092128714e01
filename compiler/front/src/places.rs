//! What inference knows of the places of a text: what each name means, the types of expressions, and what can be
//! named at a place. Editors ask for it.
//!
//! Invariant: a name that is in the table means what inference took it for. A text that inference did not walk, such
//! as one that could not be read, has no places.
//!
//! ```text
//! def f (x: i64) = x + 1   ⇒   x ↦ the `x` at 7, of type `i64`; `x + 1`: `i64`
//! ```

use std::collections::BTreeMap;

use crate::core::{Size, SizeOrigin, Type, TypeNames, type_text};
use arrc_syntax::ids::{FileId, SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The table of a program.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// What the name at each place means.
    pub uses: BTreeMap<Span, Meaning>,
    /// The declarations, by the places of their names.
    pub declarations: BTreeMap<Span, Declaration>,
    /// The types of expressions and patterns.
    pub types: BTreeMap<Span, Type>,
    /// What can be named at the place that was asked for, if inference came there.
    pub sight: Option<Sight>,
    /// The names of the sizes in the types.
    pub sizes: BTreeMap<SizeVar, SymbolName>,
    /// The names of the type variables in the types. A type that is not known has none.
    pub variables: BTreeMap<TypeVar, Name>,
}

/// The name of a size.
#[derive(Clone, Debug)]
pub struct SymbolName {
    /// The name. It may be empty.
    pub name: Name,
    /// The function or construct that gave the size, if it is known only when it is computed.
    pub maker: Option<Name>,
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// What is declared by the name at this place.
    Declared(Span),
    /// The module of a scalar type, or the type itself.
    Scalar(Scalar),
    /// A member of the module of a scalar type that the compiler knows by itself.
    Member(Scalar),
    /// A function that the compiler knows by itself, such as `sum` and `shape`.
    Known,
}

/// What a declaration declares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DeclarationKind {
    /// A definition of a file or a module.
    Definition,
    /// A variable of a definition.
    Variable,
    /// A size.
    Size,
    /// A type.
    Type,
    /// A type parameter.
    TypeParameter,
    /// A module.
    Module,
    /// A module type.
    ModuleType,
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What it declares.
    pub kind: DeclarationKind,
    /// The type of the value, if inference found it.
    pub ty: Option<Type>,
    /// The sizes and types over which that type is quantified.
    pub quantified: (Vec<SizeVar>, Vec<TypeVar>),
}

/// What can be named at a place.
#[derive(Clone, Debug)]
pub enum Sight {
    /// Names without a qualifier, inner ones before outer ones.
    Names(Vec<Visible>),
    /// The members of a module.
    Members(Vec<Visible>),
    /// The fields of a value of this type.
    Fields(Type),
    /// Names of types.
    Types(Vec<Visible>),
}

/// A name that can be seen.
#[derive(Clone, Debug)]
pub struct Visible {
    /// The name.
    pub name: Name,
    /// What it means, if the program uses the definition or it is one of the program.
    pub meaning: Option<Meaning>,
    /// Its kind.
    pub kind: DeclarationKind,
    /// The type, if it is a local variable or a definition that was walked.
    pub ty: Option<Type>,
}

impl Places {
    /// The smallest place around a byte of a file that has a meaning, with the meaning.
    #[must_use]
    pub fn use_at(&self, file: FileId, byte: u32) -> Option<(Span, Meaning)> {
        let around = around(&self.uses, file, byte);
        around
            .min_by_key(|(span, _)| span.end - span.start)
            .map(|(span, meaning)| (*span, *meaning))
    }

    /// The declaration whose name is at a byte of a file.
    #[must_use]
    pub fn declaration_at(&self, file: FileId, byte: u32) -> Option<(Span, &Declaration)> {
        let mut around = around(&self.declarations, file, byte);
        around.next().map(|(span, declaration)| (*span, declaration))
    }

    /// The place of the declaration that the name at a byte of a file means, or that the name belongs to.
    #[must_use]
    pub fn declared_at(&self, file: FileId, byte: u32) -> Option<(Span, Span)> {
        let declaration = self.declaration_at(file, byte).map(|(span, _)| (span, span));
        declaration.or_else(|| match self.use_at(file, byte)? {
            (span, Meaning::Declared(declared)) => Some((span, declared)),
            _ => None,
        })
    }

    /// The smallest expression or pattern around a byte of a file, with its type.
    #[must_use]
    pub fn type_at(&self, file: FileId, byte: u32) -> Option<(Span, &Type)> {
        let around = around(&self.types, file, byte);
        around.min_by_key(|(span, _)| span.end - span.start).map(|(span, ty)| (*span, ty))
    }

    /// The uses of a declaration, in order.
    pub fn uses_of(&self, declared: Span) -> impl Iterator<Item = Span> {
        let is_use =
            move |(_, meaning): &(&Span, &Meaning)| **meaning == Meaning::Declared(declared);
        self.uses.iter().filter(is_use).map(|(span, _)| *span)
    }

    /// A type as text.
    #[must_use]
    pub fn text(&self, ty: &Type) -> String {
        type_text(ty, &mut PlaceNames::new(self))
    }

    /// The names of one text, in which different sizes have different names.
    #[must_use]
    pub fn names(&self) -> PlaceNames<'_> {
        PlaceNames::new(self)
    }

    /// The sizes that functions gave, among those of a type, with the functions.
    #[must_use]
    pub fn makers(&self, ty: &Type) -> Vec<(SizeVar, Name)> {
        let mut sizes: Vec<Size> = Vec::new();
        ty.dimensions(&mut sizes);
        let mut found: Vec<(SizeVar, Name)> = Vec::new();
        for id in sizes.iter().flat_map(Size::symbols) {
            let maker = self.sizes.get(&id).and_then(|size| size.maker.clone());
            if let Some(maker) = maker.filter(|_| found.iter().all(|(known, _)| *known != id)) {
                found.push((id, maker));
            }
        }
        found
    }
}

/// The places of a table that have a byte of a file in them or end there.
fn around<T>(
    table: &BTreeMap<Span, T>,
    file: FileId,
    byte: u32,
) -> impl Iterator<Item = (&Span, &T)> {
    let from = Span::new(file, 0, 0);
    let to = Span::new(file, byte, u32::MAX);
    table.range(from..=to).filter(move |(span, _)| span.end >= byte)
}

/// The names of one text.
pub struct PlaceNames<'p> {
    places: &'p Places,
    sizes: BTreeMap<SizeVar, String>,
}

impl<'p> PlaceNames<'p> {
    fn new(places: &'p Places) -> Self {
        Self { places, sizes: BTreeMap::new() }
    }
}

impl TypeNames for PlaceNames<'_> {
    fn size(&mut self, id: SizeVar) -> String {
        if let Some(name) = self.sizes.get(&id) {
            return name.clone();
        }
        let own = self.places.sizes.get(&id).map_or("", |size| size.name.as_str());
        let own = if own.is_empty() { "n" } else { own };
        let letters = ["m", "k", "l"].map(str::to_owned);
        let numbered = (1..).map(|number| format!("{own}{number}"));
        let mut candidates = std::iter::once(own.to_owned()).chain(letters).chain(numbered);
        let is_free = |text: &String| self.sizes.values().all(|used| used != text);
        let name = candidates.find(is_free).expect("there is always a further number");
        self.sizes.insert(id, name.clone());
        name
    }

    fn type_var(&mut self, var: TypeVar) -> String {
        self.places.variables.get(&var).map_or_else(|| "_".to_owned(), ToString::to_string)
    }
}

/// The function or construct that gave a size.
pub(crate) fn maker_of(origin: &SizeOrigin) -> Option<Name> {
    match origin {
        SizeOrigin::Exists { maker } => Some(maker.clone()),
        SizeOrigin::Param | SizeOrigin::Value(_) => None,
    }
}
