//! Errors of names, as diagnostics.
//!
//! Invariant: each similar name is proposed as an edit. The phase of repairs leaves out those that do not fit.
//!
//! ```text
//! UnknownName { name: "lenght", near: ["length"] }   ⇒   error[A0201]: `lenght` is not defined; is `length` meant?
//! ```

use super::Error;
use arrc_syntax::ast::operators::is_word;
use arrc_syntax::diagnostics::{Code, Diagnostic, Help};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Something wrong with a name.
#[derive(Clone, Debug)]
pub(crate) enum NameError {
    /// A name that means nothing here.
    UnknownName { name: Name, span: Span, near: Vec<Name>, hints: Vec<Help> },
    /// A name that a scalar type's module does not have.
    UnknownMember { module: Name, name: Name, span: Span, near: Vec<Name> },
    /// The name of no module: not in the module `of`, or not in scope. `declared` is the value that has the name.
    UnknownModule {
        name: Name,
        span: Span,
        of: Option<Name>,
        declared: Option<Span>,
        near: Vec<Name>,
    },
    /// A module where a value is needed.
    ModuleAsValue { name: Name, span: Span, members: Vec<Name> },
    /// `???`, with the type that it should have, and names of that type.
    Hole { span: Span, ty: String, fits: Vec<Name> },
    /// The name of no type.
    UnknownType { name: Name, span: Span, near: Vec<Name> },
    /// Two definitions of one name.
    DuplicateDefinition { name: Name, span: Span, first: Span },
    /// Two parameters, two variables of a pattern, or two fields of one name.
    DuplicateName { what: &'static str, name: Name, span: Span, first: Span },
    /// A field that the type does not have.
    UnknownField { name: Name, span: Span, ty: String, near: Vec<Name>, fields: Vec<Name> },
}

impl From<NameError> for Error {
    fn from(error: NameError) -> Self {
        Self::Name(error)
    }
}

impl From<NameError> for Diagnostic {
    fn from(error: NameError) -> Self {
        match error {
            NameError::UnknownName { name, span, near, hints } => {
                unknown_name(&name, span, &near, hints)
            }
            NameError::UnknownMember { module, name, span, near } => {
                let message = format!("the module `{module}` has no `{name}`");
                suggest(
                    Self::error(Code::UNDEFINED_NAME, span, message).label("unknown here"),
                    &near,
                )
            }
            NameError::UnknownModule { name, span, of, declared, near } => {
                unknown_module(&name, span, of, declared, &near)
            }
            NameError::ModuleAsValue { name, span, members } => {
                module_as_value(&name, span, members.first())
            }
            NameError::Hole { span, ty, fits } => hole(span, &ty, &fits),
            NameError::UnknownType { name, span, near } => unknown_type(&name, span, &near),
            NameError::DuplicateDefinition { name, span, first } => {
                Self::error(Code::DUPLICATE_DEFINITION, span, format!("`{name}` is defined twice"))
                    .label("defined again here")
                    .also(first, "first defined here")
                    .help("rename one of them")
            }
            NameError::DuplicateName { what, name, span, first } => {
                Self::error(Code::DUPLICATE_NAME, span, format!("two {what} are named `{name}`"))
                    .label("named again here")
                    .also(first, "first named here")
                    .help("rename one of them, or write `_` for an unused one")
            }
            NameError::UnknownField { name, span, ty, near, fields } => {
                unknown_field(&name, span, &ty, &near, &fields)
            }
        }
    }
}

fn unknown_name(name: &Name, span: Span, near: &[Name], hints: Vec<Help>) -> Diagnostic {
    let message = format!("`{name}` is not defined");
    let error = Diagnostic::error(Code::UNDEFINED_NAME, span, message).label("unknown here");
    if hints.is_empty() && near.is_empty() && !is_word(name) {
        return error.help("an operator is defined by `def (+++) x y = …`");
    }
    suggest(hints.into_iter().fold(error, Diagnostic::advise), near)
}

fn module_as_value(name: &Name, span: Span, member: Option<&Name>) -> Diagnostic {
    let message = format!("`{name}` is a module, not a value");
    let error = Diagnostic::error(Code::MODULE_AS_VALUE, span, message);
    let error = error.label("a value is needed here");
    match member {
        Some(member) => {
            let value = format!("{name}.{member}");
            error.fix(format!("take a value of it, such as `{value}`"), [(span, value)])
        }
        None => error.help("take a value of it by its name, behind a dot"),
    }
}

fn unknown_type(name: &Name, span: Span, near: &[Name]) -> Diagnostic {
    let message = format!("there is no type `{name}`");
    let error = Diagnostic::error(Code::UNDEFINED_TYPE, span, message).label("unknown here");
    if near.is_empty() && name.len() == 1 {
        return error.help("a type parameter is declared with a quote: `def f 'a …`");
    }
    match widths(name) {
        Some(help) if near.is_empty() => error.help(help),
        Some(_) | None => suggest(error, near),
    }
}

/// Adds the names that were probably meant.
pub(super) fn suggest(error: Diagnostic, near: &[Name]) -> Diagnostic {
    let Some(place) = error.primary.as_ref().map(|label| label.span) else { return error };
    let meant = |error: Diagnostic, name: &Name| {
        error.fix(format!("is `{name}` meant?"), [(place, name.as_str())])
    };
    near.iter().fold(error, meant)
}

/// The scalar types, for a name that has the letter and the number of one, but a width that no type has.
pub(crate) fn widths(name: &str) -> Option<&'static str> {
    let is_sized = |letter: char| {
        let bits = name.strip_prefix(letter).unwrap_or_default();
        !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if is_sized('f') {
        return Some("floats are `f32` and `f64`");
    }
    (is_sized('i') || is_sized('u')).then_some(
        "whole numbers are `i8`, `i16`, `i32` and `i64`, or without a sign `u8` to `u64`",
    )
}

fn unknown_field(name: &Name, span: Span, ty: &str, near: &[Name], fields: &[Name]) -> Diagnostic {
    let error =
        Diagnostic::error(Code::UNDEFINED_FIELD, span, format!("`{ty}` has no field `{name}`"))
            .label("no such field");
    if !near.is_empty() {
        return suggest(error, near);
    }
    if fields.is_empty() {
        return error.help("only records and tuples have fields");
    }
    error.advise(Help::naming("it has {}", fields))
}

fn unknown_module(
    name: &Name,
    span: Span,
    of: Option<Name>,
    declared: Option<Span>,
    near: &[Name],
) -> Diagnostic {
    let message = match (&of, declared) {
        (Some(module), _) => format!("the module `{module}` has no module `{name}`"),
        (None, Some(_)) => format!("`{name}` is a value, not a module"),
        (None, None) => format!("there is no module `{name}` here"),
    };
    let error = Diagnostic::error(Code::UNDEFINED_MODULE, span, message);
    match declared {
        Some(declared) => error
            .label("a module is needed here")
            .also(declared, "declared here")
            .help("a module is declared by `module m = { … }`"),
        None if near.is_empty() => error.label("unknown here").help(widths(name).unwrap_or(
            "a module is declared by `module m = { … }` or `module m = import \"file\"`, before it is used",
        )),
        None => suggest(error.label("unknown here"), near),
    }
}

fn hole(span: Span, ty: &str, fits: &[Name]) -> Diagnostic {
    let message = format!("something of type `{ty}` is still to be written here");
    let error = Diagnostic::error(Code::HOLE, span, message).label(format!("should be `{ty}`"));
    match fits {
        [] => error.help("write an expression of this type"),
        [one] => error.advise(Help::naming("{} has this type", [one])),
        all => error.advise(Help::naming("of this type are {}", all)),
    }
}
