//! Diagnostics as text: the only place that knows ariadne.

use super::Diagnostic;
use crate::source::Sources;

/// How to render.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderOptions {
    /// Whether to colour with ANSI escapes.
    pub color: bool,
}

/// Renders one diagnostic as the user sees it.
#[must_use]
pub fn render(_diagnostic: &Diagnostic, _sources: &Sources, _options: RenderOptions) -> String {
    String::new()
}
