//! The errors that make a well-typed program impossible to compile, and their messages.

use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The result of a step that can fail with such an error.
pub(super) type Eval<T> = Result<T, Box<Error>>;

/// An error.
#[derive(Clone, Debug)]
pub(super) enum Error {
    /// An array whose elements are functions.
    FunctionElement {
        /// The expression that makes it.
        span: Span,
        /// The binding that it is in.
        binding: Option<Name>,
    },
    /// An array whose elements are `()`.
    UnitElement {
        /// The expression that makes it.
        span: Span,
        /// The binding that it is in.
        binding: Option<Name>,
    },
    /// A function that is known at run time only.
    FunctionResult {
        /// The expression or definition.
        span: Span,
        /// What yields or takes the function: "this `if` gives", "the entry `f` takes".
        what: String,
    },
    /// Specialising a recursive definition needs ever new specialisations.
    Endless {
        /// The call at which the chain became too long.
        span: Span,
        /// The definition.
        name: Name,
        /// The definition's place.
        def: Span,
    },
    /// The value of a size is needed, and nothing determines it.
    UntoldSize {
        /// Where it is needed.
        span: Span,
        /// Its name.
        name: Name,
        /// Where it is declared, or made.
        declared: Span,
    },
    /// The program is too large when everything is inlined.
    TooLarge {
        /// Where the limit was reached.
        span: Span,
        /// The entry.
        entry: Name,
    },
}

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Self {
        match error {
            Error::FunctionElement { span, binding } => function_element(span, binding),
            Error::UnitElement { span, binding } => unit_element(span, binding),
            Error::FunctionResult { span, what } => function_result(span, &what),
            Error::Endless { span, name, def } => endless(span, &name, def),
            Error::UntoldSize { span, name, declared } => undetermined_size(span, &name, declared),
            Error::TooLarge { span, entry } => too_large(span, &entry),
        }
    }
}

/// "`rows` is" or "this is": the subject of a message about a binding.
fn subject(binding: Option<Name>, verb: &str) -> String {
    binding.map_or_else(|| format!("this {verb}"), |name| format!("`{name}` {verb}"))
}

fn function_element(span: Span, binding: Option<Name>) -> Diagnostic {
    let message = format!("{} an array whose elements are functions", subject(binding, "needs"));
    Diagnostic::error(Code::FUNCTION_VALUE, span, message)
        .label("each element of this array is a function")
        .help(
            "keep the numbers that tell the functions apart in the array, and choose by them where \
             the function is applied",
        )
}

fn unit_element(span: Span, binding: Option<Name>) -> Diagnostic {
    let message = format!("{} an array whose elements are `()`", subject(binding, "needs"));
    Diagnostic::error(Code::UNIT_ELEMENT, span, message)
        .label("the elements of this array have no component")
        .help("pass the array's size instead: it is all that such an array tells")
}

fn function_result(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(Code::FUNCTION_VALUE, span, format!("{what} a function"))
        .label("functions exist only when compiling")
        .help("move the choice into the function: let it take what tells the cases apart")
}

fn endless(span: Span, name: &Name, def: Span) -> Diagnostic {
    let message = format!("specialising the recursive function `{name}` does not come to an end");
    Diagnostic::error(Code::ENDLESS_SPECIALISATION, span, message)
        .label("this call needs yet another specialisation")
        .also(def, format!("`{name}` is defined here"))
        .note(
            "a recursive function is compiled once for each combination of types and of functions \
             that it is called with; here each call makes a new combination",
        )
        .help("pass the same function on in each call, and let data change instead")
}

fn undetermined_size(span: Span, name: &Name, declared: Span) -> Diagnostic {
    let message = format!("nothing says what the size `{name}` is");
    let error =
        Diagnostic::error(Code::UNDETERMINED_SIZE, span, message).label("its value is needed here");
    let error =
        if declared == span { error } else { error.also(declared, "the size is named here") };
    error.help(
        "name what makes the array by `let`, with the size in its type, before the size is needed",
    )
}

fn too_large(span: Span, entry: &Name) -> Diagnostic {
    let message = format!("`{entry}` becomes too large when its calls are inlined");
    Diagnostic::error(Code::TOO_LARGE, span, message).label("the limit was reached here").help(
        "a function that calls another twice doubles it at each level: bind results with `let`",
    )
}
