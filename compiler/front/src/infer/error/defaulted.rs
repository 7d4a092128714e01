//! The diagnostic of a type that was chosen by default, where uses need other types.
//!
//! Invariant: the diagnostic is at the definition. It proposes a type only if all uses need that type.
//!
//! ```text
//! def scale k x = k * x   ⇒   write the type that is needed: `(k: f64)`
//! ```

use arrc_syntax::diagnostics::{Code, Diagnostic, Help};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The place where the type of a definition, or of the elements of an array of some rank, can be written.
#[derive(Clone, Debug)]
pub(crate) enum AnnotationPlace {
    /// At a parameter.
    Parameter { name: Name, span: Span, rank: usize },
    /// At the result.
    Result { at: Span, rank: usize },
    /// In a part of a pattern, or of a type.
    Elsewhere,
}

pub(super) fn defaulted(
    (name, span): (&Name, Span),
    default: Scalar,
    place: AnnotationPlace,
    uses: &[(Scalar, Span)],
) -> Diagnostic {
    let (what, at) = match &place {
        AnnotationPlace::Parameter { name, span, .. } => (format!("`{name}`"), *span),
        AnnotationPlace::Result { .. } => (format!("the result of `{name}`"), span),
        AnnotationPlace::Elsewhere => (format!("what `{name}` works on"), span),
    };
    let message = format!("nothing says of what type {what} is");
    let error = Diagnostic::error(Code::DEFAULTED, at, message)
        .label(format!("nothing says otherwise, so it is `{default}`"));
    let error = uses.iter().fold(error, |error, (scalar, span)| {
        error.also(*span, format!("it should be `{scalar}` here"))
    });
    let &[(scalar, _)] = uses else {
        return error.advise(Help::naming(
            "a definition works on one type of numbers: write one for each, or let {} take what it does with \
             them as parameters",
            [name],
        ));
    };
    let ty = |rank: usize| format!("{}{scalar}", "[]".repeat(rank));
    match place {
        AnnotationPlace::Parameter { name, span, rank } => {
            let ty = ty(rank);
            let end = Span { start: span.end, ..span };
            let edits = [(span.before(), "(".to_owned()), (end, format!(": {ty})"))];
            error.fix(format!("write its type: `({name}: {ty})`"), edits)
        }
        AnnotationPlace::Result { at, rank } => {
            let ty = ty(rank);
            error.fix("write the type of the result", [(at, format!(": {ty}"))])
        }
        AnnotationPlace::Elsewhere => {
            error.advise(Help::naming("write its type, with {} in it", [scalar]))
        }
    }
}
