//! The diagnostics of positions that are out of bounds.
//!
//! Invariant: a position that is proposed is in bounds, unless the array has no elements.
//!
//! ```text
//! xs[n], xs: [n]t   ⇒   index `n` is out of bounds for an array of length `n`; `xs[n - 1]` is the last element
//! ```

use super::{KnownPosition, KnownSlice, array, is_slice_outside};
use crate::core::{Expr, ExprKind, Program, Size, SourceNames, Type, size_text, type_text};
use arrc_syntax::diagnostics::{Code, Diagnostic, Severity};
use arrc_syntax::source::Span;

/// A place that is out of bounds.
pub(super) struct Report<'p> {
    pub(super) program: &'p Program,
    /// The expression that is indexed or sliced.
    pub(super) array: &'p Expr,
    /// The type of the array that the position is in.
    pub(super) ty: &'p Type,
    /// Whether that array is the whole expression, and not one of its elements.
    pub(super) is_whole: bool,
    /// The condition that decides whether evaluation gets there.
    pub(super) guard: Option<Span>,
}

impl Report<'_> {
    /// The diagnostic of an index.
    pub(super) fn index(&self, index: &KnownPosition<'_>) -> Diagnostic {
        let (size, _) = array(self.ty);
        let last = size.minus(&Size::constant(1));
        let span = index.expr.span;
        let what = format!("index {}", self.quoted(&index.value));
        let error = self.error(span, &what).label(match (size.as_constant(), last.as_constant()) {
            (Some(0), _) => "an array without elements has no indices".to_owned(),
            (_, Some(0)) => "the only index is 0".to_owned(),
            (_, Some(last)) => format!("the indices are 0 to {last}"),
            (_, None) => format!("the indices are 0 to {}", self.quoted(&last)),
        });
        if let Some((at, _)) = self.counted_from_end(index, size) {
            return backwards(error, vec![(span, at)]);
        }
        // The expression may be written in any way that has the size as its value, so ` - 1` is appended to it.
        let end = Span { start: span.end, ..span };
        let last_index = match (literal(index.expr), last.as_constant()) {
            (_, Some(last)) if last < 0 => return error,
            (Some(at), Some(last)) if at > 0 => (span, last.to_string()),
            _ if index.value == *size => (end, " - 1".to_owned()),
            _ => return error,
        };
        error.fix("indices count from 0, so that this is the last one", [last_index])
    }

    /// The diagnostic of a slice.
    pub(super) fn slice(&self, slice: &KnownSlice<'_>) -> Diagnostic {
        let (size, _) = array(self.ty);
        let bounds: Vec<Span> =
            slice.first.iter().chain(&slice.last).map(|bound| bound.expr.span).collect();
        let (Some(first), Some(last)) = (bounds.first(), bounds.last()) else {
            panic!("a slice without bounds is in bounds");
        };
        let text = |bound: &Option<KnownPosition<'_>>| {
            bound.as_ref().map(|bound| self.text(&bound.value)).unwrap_or_default()
        };
        let step = if slice.is_forward { "" } else { ":-1" };
        let what = format!("slice `{}:{}{step}`", text(&slice.first), text(&slice.last));
        let error = self.error(first.to(*last), &what);
        let error = error.label(if slice.is_forward {
            format!("a slice goes from 0 at least to {} at most, upwards", self.quoted(size))
        } else {
            let highest = self.quoted(&size.minus(&Size::constant(1)));
            format!("with the step -1, a slice goes from {highest} at most to -1 at least")
        });
        match self.repaired(slice, size, |bound| self.counted_from_end(bound, size)) {
            Some(edits) => backwards(error, edits),
            None => match self.repaired(slice, size, |bound| shortened(slice, bound, size)) {
                Some(edits) => error.fix("the array ends there", edits),
                None => error,
            },
        }
    }

    /// The changes of bounds that bring a slice in bounds, if there are such changes.
    fn repaired(
        &self,
        slice: &KnownSlice<'_>,
        size: &Size,
        change: impl Fn(&KnownPosition<'_>) -> Option<(String, Size)>,
    ) -> Option<Vec<(Span, String)>> {
        let mut edits = Vec::new();
        let mut changed = |bound: &Option<KnownPosition<'_>>| {
            let KnownPosition { expr, value } = bound.as_ref()?;
            let changed = change(bound.as_ref()?);
            let value = match changed {
                Some((text, changed)) => {
                    edits.push((expr.span, text));
                    changed
                }
                None => value.clone(),
            };
            Some(value)
        };
        let (first, last) = (changed(&slice.first), changed(&slice.last));
        let is_outside = is_slice_outside(first, last, slice.is_forward, size);
        (slice.is_forward && !edits.is_empty() && !is_outside).then_some(edits)
    }

    fn error(&self, span: Span, what: &str) -> Diagnostic {
        let (size, _) = array(self.ty);
        let length = self.quoted(size);
        let message = format!("{what} is out of bounds for an array of length {length}");
        let error = Diagnostic::error(Code::OUT_OF_BOUNDS, span, message);
        let ty = type_text(self.ty, &mut SourceNames(self.program));
        let error = if self.is_whole {
            error.also(self.array.span, format!("this is `{ty}`"))
        } else {
            let whole = type_text(&self.array.ty, &mut SourceNames(self.program));
            error.also(self.array.span, format!("this is `{whole}`, and has `{ty}` there"))
        };
        match self.guard {
            None => error,
            Some(guard) => Diagnostic { severity: Severity::Warning, ..error }
                .also(guard, "whether the program gets there is decided here"),
        }
    }

    /// The probable meaning of a negative literal, which counts from the end in other languages.
    fn counted_from_end(
        &self,
        position: &KnownPosition<'_>,
        size: &Size,
    ) -> Option<(String, Size)> {
        let back = literal(position.expr).filter(|&at| at < 0)?;
        let value = size.plus(&Size::constant(back));
        let text = match value.as_constant() {
            Some(at) if at >= 0 => at.to_string(),
            Some(_) => return None,
            None => format!("length {} - {}", self.name()?, back.unsigned_abs()),
        };
        Some((text, value))
    }

    /// The name of the array, if it is written as a name.
    fn name(&self) -> Option<&str> {
        let ExprKind::Var(var) = self.array.kind else { return None };
        let name = self.program.vars[var].name.as_str();
        let span = self.array.span;
        // A variable that is made for a section has a name that is shorter than its place.
        (self.is_whole && name.len() == (span.end - span.start) as usize).then_some(name)
    }

    fn text(&self, size: &Size) -> String {
        size_text(size, &mut SourceNames(self.program))
    }

    /// A number as it is, or any other size in quotes.
    fn quoted(&self, size: &Size) -> String {
        let text = self.text(size);
        if size.as_constant().is_some() { text } else { format!("`{text}`") }
    }
}

/// Replaces the last bound of a slice by the end of the array, if the bound is a literal behind that end.
fn shortened(
    slice: &KnownSlice<'_>,
    position: &KnownPosition<'_>,
    size: &Size,
) -> Option<(String, Size)> {
    slice.last.as_ref().filter(|last| std::ptr::eq(last.expr, position.expr))?;
    let end = size.as_constant()?;
    literal(position.expr).filter(|&at| at > end)?;
    Some((end.to_string(), size.clone()))
}

/// Advice to count from the beginning.
fn backwards(error: Diagnostic, edits: Vec<(Span, String)>) -> Diagnostic {
    let written: Vec<String> = edits.iter().map(|(_, text)| format!("`{text}`")).collect();
    let written = written.join(" and ");
    error.fix(format!("positions do not count from the end: write {written}"), edits)
}

/// The value of an integer literal.
fn literal(expr: &Expr) -> Option<i64> {
    let ExprKind::Const(constant) = expr.kind else { return None };
    i64::try_from(constant.as_i128()).ok()
}
