//! Errors of `external` declarations, as diagnostics.
//!
//! Invariant: the first label is at the part that is wrong, and another one at the name of the external.
//!
//! ```text
//! External { part: f: f64 -> f64, problem: FunctionParameter, … }
//! ⇒ error[A0214]: the external `apply` takes a function
//! ```

use super::Error;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// An error in the declaration of a C function.
#[derive(Clone, Debug)]
pub(crate) enum ExternalError {
    /// An external that cannot be a C function.
    External { name: Name, span: Span, part: Span, problem: ExternalProblem },
    /// Two C functions of one name.
    SameSymbol { name: Name, span: Span, first: Span, is_entry: bool },
}

/// Why an external cannot be a C function.
#[derive(Clone, Debug)]
pub(crate) enum ExternalProblem {
    /// It has a type parameter.
    TypeParameter { name: Name },
    /// A parameter's type is not written.
    Unannotated,
    /// The result's type is not written.
    NoResult,
    /// A parameter is a function.
    FunctionParameter { ty: String },
    /// The result is a function.
    FunctionResult { ty: String },
    /// An attribute that is not known for externals.
    Attribute { name: Name },
    /// `#[effect]` without the name of an effect.
    NoEffect,
    /// `#[effect]` with a name that is no effect.
    Effect { name: Name },
}

impl From<ExternalError> for Error {
    fn from(error: ExternalError) -> Self {
        Self::External(error)
    }
}

impl From<ExternalError> for Diagnostic {
    fn from(error: ExternalError) -> Self {
        match error {
            ExternalError::External { name, span, part, problem } => {
                no_function(&name, span, part, problem)
            }
            ExternalError::SameSymbol { name, span, first, is_entry } => {
                same(&name, span, first, is_entry)
            }
        }
    }
}

/// The diagnostic of an external that cannot be a C function.
pub(super) fn no_function(
    name: &Name,
    span: Span,
    part: Span,
    problem: ExternalProblem,
) -> Diagnostic {
    let (code, what, label, help) = described(problem);
    let error = Diagnostic::error(code, part, format!("the external `{name}` {what}")).label(label);
    let is_whole = part == span;
    let error = if is_whole { error } else { error.also(span, "an external is a C function") };
    error.help(help)
}

/// The code, the message, the part's label, and the help.
fn described(problem: ExternalProblem) -> (Code, String, String, &'static str) {
    let ty = |what: &str, label: String, help| (Code::EXTERNAL_TYPE, what.to_owned(), label, help);
    let attribute =
        |what: String, label: &str, help| (Code::EXTERNAL_ATTRIBUTE, what, label.to_owned(), help);
    match problem {
        ExternalProblem::TypeParameter { name } => ty(
            "has a type parameter",
            format!("the type parameter `{name}` stands for any type"),
            "write the type that the C function takes; declare another external for another type",
        ),
        ExternalProblem::Unannotated => ty(
            "has a parameter without a type",
            "the type of this is not written".to_owned(),
            "write the parameter with its type: `(xs: [n]f64)`",
        ),
        ExternalProblem::NoResult => ty(
            "has no type of its result",
            "nothing tells what this gives".to_owned(),
            "write the type behind the parameters, as in `(x: f64): f64`, or `(x: f64): ()` if it gives nothing",
        ),
        ExternalProblem::FunctionParameter { ty: found } => ty(
            "takes a function",
            format!("this is `{found}`"),
            "a C function takes scalars and arrays; apply the function in Arr, and pass what it gives",
        ),
        ExternalProblem::FunctionResult { ty: found } => ty(
            "gives a function",
            format!("the result is `{found}`"),
            "a C function gives scalars and arrays; make what is missing a parameter",
        ),
        ExternalProblem::Attribute { name } => attribute(
            format!("has the attribute `{name}`, which means nothing here"),
            "this is not known",
            "an external may have `#[effect(io)]`: then its calls are kept, and kept in order",
        ),
        ExternalProblem::NoEffect => attribute(
            "has an effect that is not named".to_owned(),
            "which effect?",
            "write `#[effect(io)]`, or leave the attribute out if the function only computes its result",
        ),
        ExternalProblem::Effect { name } => attribute(
            format!("has the effect `{name}`, which there is not"),
            "there is no such effect",
            "`io` is the one effect: write `#[effect(io)]`, or leave the attribute out if the function only \
             computes its result",
        ),
    }
}

/// Two functions of C with one name.
pub(super) fn same(name: &Name, span: Span, first: Span, is_entry: bool) -> Diagnostic {
    let message = format!("two functions of C would be called `{name}`");
    let what = if is_entry { "this entry is a function" } else { "this external is a function" };
    Diagnostic::error(Code::SAME_SYMBOL, span, message)
        .label("an external is the C function of its name")
        .also(first, format!("{what} of that name already"))
        .note("C has no modules: each function of a program needs a name of its own")
        .help("declare the C function once, and use that declaration; or rename one of the two")
}
