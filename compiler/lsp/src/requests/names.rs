//! What the name at a place means, in words of any analysis.
//!
//! Invariant: a target is named by the path of its file and its place there. The ids of one analysis mean nothing in
//! another one.
//!
//! ```text
//! area in main.arr, defined in lib/geometry.arr at 40   ⇒   lib/geometry.arr, 40..44
//! ```

use arrc_front::places::DeclarationKind;
use arrc_syntax::source::Span;

use crate::analysis::Analysis;

/// A declaration, and the place that it was found by.
pub(crate) struct Target {
    /// The path of its file.
    pub(crate) path: String,
    /// The place of its name there.
    pub(crate) start: u32,
    /// The end of its name.
    pub(crate) end: u32,
    /// The name.
    pub(crate) name: String,
    /// Whether only its definition can use it.
    pub(crate) is_local: bool,
    /// Whether it is a part of the compiler.
    pub(crate) is_library: bool,
    /// The name at the place.
    pub(crate) place: Span,
}

impl Target {
    /// The declaration that is meant at a byte of the file.
    pub(crate) fn at(analysis: &Analysis, byte: u32) -> Option<Self> {
        let places = analysis.places();
        let (place, declared) = places.declared_at(analysis.root, byte)?;
        let source = analysis.sources.get(declared.file);
        let kind = places.declarations.get(&declared).map(|declared| declared.kind);
        let is_local = kind.is_some_and(|kind| {
            matches!(
                kind,
                DeclarationKind::Variable | DeclarationKind::Size | DeclarationKind::TypeParameter
            )
        });
        Some(Self {
            path: source.path.clone(),
            start: declared.start,
            end: declared.end,
            name: analysis.sources.text(declared).to_owned(),
            is_local,
            is_library: source.is_library,
            place,
        })
    }

    /// The place of the declaration in an analysis.
    pub(crate) fn span_in(&self, analysis: &Analysis) -> Option<Span> {
        let mut files = analysis.sources.iter();
        let file = files
            .find(|(_, source)| source.path == self.path && source.is_library == self.is_library)?;
        Some(Span::new(file.0, self.start, self.end))
    }

    /// The places of the name in the files of an analysis: of the declaration, and of its uses.
    pub(crate) fn places_in(&self, analysis: &Analysis, with_declaration: bool) -> Vec<Span> {
        let Some(declared) = self.span_in(analysis) else { return Vec::new() };
        let own = Some(declared).filter(|_| with_declaration && !self.is_library);
        own.into_iter().chain(analysis.places().uses_of(declared)).collect()
    }
}
