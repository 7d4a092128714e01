//! Messages about the part of a definition before its body: types that are missing, types that no entry can have, and
//! types that are too large.
//!
//! Invariant: the first label is at the text that has to change.
//!
//! ```text
//! def f x = … f (x - 1)   ⇒   the recursive `f` needs all its types
//! ```

use super::super::type_limits::{DEEPEST_TYPE, LARGEST_TYPE};
use super::{Error, Origin};
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Something wrong with a declaration.
#[derive(Clone, Debug)]
pub(crate) enum DefinitionError {
    /// An intrinsic outside the prelude, or one that the compiler does not know.
    Intrinsic { name: Name, span: Span },
    /// A recursive definition without all its types.
    Unannotated {
        name: Name,
        span: Span,
        missing: Vec<Origin>,
        result: bool,
        cycle: Vec<(Name, Span)>,
    },
    /// A recursive definition without parameters.
    RecursiveValue { name: Name, span: Span },
    /// An entry that cannot be a C function.
    Entry { name: Name, span: Span, part: Span, problem: EntryProblem },
    /// A type abbreviation with too many or too few arguments.
    TypeArguments {
        name: Name,
        span: Span,
        declared: Option<Span>,
        takes: (usize, usize),
        given: (usize, usize),
    },
    /// `*` where it means nothing.
    MisplacedMark { span: Span },
    /// A type abbreviation that is made of itself.
    RecursiveType { name: Name, span: Span },
}

/// Why an entry cannot be a C function.
#[derive(Clone, Debug)]
pub(crate) enum EntryProblem {
    /// It has a type parameter.
    TypeParameter { name: Name },
    /// A parameter's type is not known.
    UnknownParameter { ty: String },
    /// A parameter is a function.
    FunctionParameter { ty: String },
    /// The result is a function.
    FunctionResult { ty: String },
    /// A size in a parameter's type is a number of this type instead of `i64`.
    SizeType { name: Name, ty: String },
    /// The result's type is not known.
    UnknownResult { ty: String },
}

impl From<DefinitionError> for Error {
    fn from(error: DefinitionError) -> Self {
        Self::Definition(error)
    }
}

impl From<DefinitionError> for Diagnostic {
    fn from(error: DefinitionError) -> Self {
        match error {
            DefinitionError::Intrinsic { name, span } => {
                Self::error(Code::MISPLACED_INTRINSIC, span, format!("the compiler knows no intrinsic `{name}` here"))
                    .label("declared here")
                    .help("only the prelude declares intrinsics; write a `def` with a body")
            }
            DefinitionError::Unannotated { name, span, missing, result, cycle } => {
                unannotated(&name, span, missing, result, &cycle)
            }
            DefinitionError::RecursiveValue { name, span } => {
                Self::error(Code::RECURSION, span, format!("the value `{name}` is defined by itself"))
                    .label("has no parameters, so it could never be computed")
                    .help("give it a parameter that gets smaller at each call")
            }
            DefinitionError::Entry { name, span, part, problem } => entry(&name, span, part, problem),
            DefinitionError::TypeArguments { name, span, declared, takes, given } => {
                type_arguments(&name, span, declared, takes, given)
            }
            DefinitionError::MisplacedMark { span } => {
                Self::error(Code::MISPLACED_MARK, span, "`*` means nothing here")
                    .label("not the type of a whole parameter, result or name")
                    .note("`*` marks a parameter, a result, or a name of `let` or `loop`: nothing else uses its arrays")
                    .fix("remove it", [(span, "")])
            }
            DefinitionError::RecursiveType { name, span } => {
                Self::error(Code::RECURSIVE_TYPE, span, format!("the type `{name}` is made of itself"))
                    .label("refers back to itself")
                    .help("hold a tree in flat arrays, with positions in the place of the parts")
            }
        }
    }
}

pub(super) fn unannotated(
    name: &Name,
    span: Span,
    missing: Vec<Origin>,
    result: bool,
    cycle: &[(Name, Span)],
) -> Diagnostic {
    let others: Vec<String> = cycle.iter().map(|(name, _)| format!("`{name}`")).collect();
    let through =
        if others.is_empty() { String::new() } else { format!(" through {}", others.join(", ")) };
    let result = if result { "" } else { ", and its result has no type" };
    let message = format!("the recursive `{name}` needs all its types");
    let error = Diagnostic::error(Code::UNANNOTATED_RECURSION, span, message)
        .label(format!("calls itself{through}{result}"));
    let error = missing.into_iter().fold(error, |error, (span, text)| error.also(span, text));
    error.help("write the types of the parameters and of the result: `def f (x: t) …: t = …`")
}

pub(super) fn entry(name: &Name, span: Span, part: Span, problem: EntryProblem) -> Diagnostic {
    let (what, label, help) = match problem {
        EntryProblem::TypeParameter { name: param } => (
            "has a type parameter".to_owned(),
            format!("the type parameter `{param}` stands for any type"),
            "write the type that it is called with; a polymorphic `def` can be used by several entries",
        ),
        EntryProblem::UnknownParameter { ty } => (
            "has a parameter that may be of any type".to_owned(),
            format!("nothing tells more of its type than `{ty}`"),
            "write the type of the parameter: `(xs: [n]f64)`; of an entry without parameters that is a function \
             write the type: `entry f [n]: [n]f64 -> [n]f64 = …`",
        ),
        EntryProblem::SizeType { name, ty } => (
            "takes an array of a size that is no `i64`".to_owned(),
            format!("the size `{name}` of this is `{ty}`"),
            "make the parameter that is the size an `i64`",
        ),
        EntryProblem::FunctionParameter { ty } => (
            "takes a function".to_owned(),
            format!("this is `{ty}`"),
            "an entry is called from C with scalars and arrays; make the function a `def`",
        ),
        EntryProblem::FunctionResult { ty } => (
            "gives a function".to_owned(),
            format!("the result is `{ty}`"),
            "an entry gives scalars and arrays to C; is an argument missing?",
        ),
        EntryProblem::UnknownResult { ty } => (
            "has a result of an unknown type".to_owned(),
            format!("the result is `{ty}`"),
            "write the type of the result",
        ),
    };
    let error = Diagnostic::error(Code::ENTRY_TYPE, part, format!("the entry `{name}` {what}"))
        .label(label);
    let error =
        if part == span { error } else { error.also(span, "an entry is also a C function") };
    error.help(help)
}

pub(super) fn type_too_large(span: Span, deep: bool) -> Diagnostic {
    let (message, help) = if deep {
        (
            format!("the parts of this type stand in one another more than {DEEPEST_TYPE} times"),
            "put values of one type into an array, instead of one into the other",
        )
    } else {
        (
            format!("this has a type of more than {LARGEST_TYPE} parts"),
            "hold each value only once: a tuple that holds one twice has a type of twice the size",
        )
    };
    Diagnostic::error(Code::TOO_LARGE, span, message)
        .label("here the type gets too large")
        .help(help)
}

pub(super) fn type_arguments(
    name: &Name,
    span: Span,
    declared: Option<Span>,
    takes: (usize, usize),
    given: (usize, usize),
) -> Diagnostic {
    let count =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let words = |(sizes, types): (usize, usize)| match (sizes, types) {
        (0, 0) => "no arguments".to_owned(),
        (0, types) => count(types, "type"),
        (sizes, 0) => count(sizes, "size"),
        (sizes, types) => format!("{} and {}", count(sizes, "size"), count(types, "type")),
    };
    let message =
        format!("the type `{name}` takes {}, but is given {}", words(takes), words(given));
    let error = Diagnostic::error(Code::TYPE_ARGUMENTS, span, message).label("used here");
    let error = match declared {
        Some(declared) => error.also(declared, "declared here"),
        None => error,
    };
    if takes == (0, 0) {
        return error.fix(format!("write just `{name}`"), [(span, name.as_str())]);
    }
    error.help("give it one argument for each parameter, sizes in brackets: `pair [n] f64`")
}
