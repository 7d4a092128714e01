//! Messages about modules: what a module lacks, and what differs from its type.
//!
//! Invariant: a message names the module and the item, and shows where both are written.
//!
//! ```text
//! module m : {val x: i64} = {}   ⇒   error[A0219]: the module `m` has no value `x`, which its type asks for
//! ```

use super::Error;
use super::name_errors::suggest;
use arrc_syntax::ast;
use arrc_syntax::diagnostics::{Code, Diagnostic, Help};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Something wrong with a module or a module type.
#[derive(Clone, Debug)]
pub(crate) enum ModuleError {
    /// The name of no module type.
    UnknownType { name: Name, span: Span, near: Vec<Name> },
    /// A module that is given another one, or has the type of such a module, but has no parameter.
    NoParameter { span: Span, given: Span },
    /// A parametric module where a module is needed.
    NoArgument { span: Span, param: Span },
    /// A parametric module that applies itself.
    AppliesItself { span: Span },
    /// A module without some items of its type.
    Missing { module: Name, span: Span, missing: Vec<MissingItem> },
    /// A type behind `with` that the module type does not leave open.
    Refinement { name: Name, span: Span, ty: Span },
    /// A value of another type than the module type says.
    ValueType { item: DifferentItem, expected: String, found: String },
    /// A type that is another one than the module type says.
    DifferentType { item: DifferentItem, problem: TypeProblem },
}

/// An item that a module does not have.
#[derive(Clone, Debug)]
pub(crate) struct MissingItem {
    what: &'static str,
    name: Name,
    span: Option<Span>,
}

impl MissingItem {
    /// `name` stands in the module type, where the user may see it.
    pub(crate) fn new(what: &'static str, name: &ast::Ident, is_seen: bool) -> Self {
        Self { what, name: name.name.clone(), span: is_seen.then_some(name.span) }
    }
}

/// An item of a module that differs from the one that the module type asks for.
#[derive(Clone, Debug)]
pub(crate) struct DifferentItem {
    pub(crate) module: Name,
    pub(crate) name: Name,
    /// Where the module gets its type.
    pub(crate) span: Span,
    /// The item of the module type, if the user can see it.
    pub(crate) asked: Option<Span>,
    /// The item of the module, if the user can see it.
    pub(crate) given: Option<Span>,
}

/// The way in which a type differs.
#[derive(Clone, Debug)]
pub(crate) enum TypeProblem {
    /// It is another type.
    Other { expected: String, found: String },
    /// It has other numbers of size and type parameters.
    Parameters { expected: (usize, usize), found: (usize, usize) },
    /// Its values have sizes of their own.
    OwnSizes,
    /// Its values are functions.
    Functions,
    /// A size parameter is no dimension of it.
    UnusedSize { size: Name },
}

impl From<ModuleError> for Error {
    fn from(error: ModuleError) -> Self {
        Self::Module(error)
    }
}

impl From<ModuleError> for Diagnostic {
    fn from(error: ModuleError) -> Self {
        match error {
            ModuleError::UnknownType { name, span, near } => {
                let message = format!("there is no module type `{name}` here");
                let error = Self::error(Code::UNDEFINED_MODULE_TYPE, span, message);
                let error = error.label("unknown here");
                if near.is_empty() {
                    return error.help(
                        "a module type is declared by `module type t = { … }`, before it is used",
                    );
                }
                suggest(error, &near)
            }
            ModuleError::NoParameter { span, given } => {
                Self::error(Code::PARAMETRIC_MODULE, span, "this module takes no other module")
                    .label("has no parameter")
                    .also(given, "is given to it")
                    .help("a parametric module is declared by `module f (P: t) = { … }`")
            }
            ModuleError::NoArgument { span, param } => Self::error(
                Code::PARAMETRIC_MODULE,
                span,
                "this parametric module is not given its module",
            )
            .label("has names only when it is applied")
            .also(param, "its parameter")
            .help("apply it, and name the result: `module m = f n`"),
            ModuleError::AppliesItself { span } => {
                Self::error(Code::PARAMETRIC_MODULE, span, "this parametric module applies itself")
                    .label("leads to the application around it")
                    .help("a parametric module can only apply those before it")
            }
            ModuleError::Missing { module, span, missing } => lacks(&module, span, &missing),
            ModuleError::Refinement { name, span, ty } => {
                let message = format!("the module type leaves no type `{name}` open");
                Self::error(Code::REFINEMENT, span, message)
                    .label("nothing to fix")
                    .also(ty, "this module type")
                    .help("`with` says what a type is that the module type only names: `type t`")
            }
            ModuleError::ValueType { item, expected, found } => {
                let DifferentItem { module, name, .. } = &item;
                let message = format!(
                    "`{name}` of the module `{module}` should be `{expected}`, but is `{found}`"
                );
                item.shown(Self::error(Code::MODULE_VALUE_TYPE, item.span, message))
                    .help("change one of the two types")
            }
            ModuleError::DifferentType { item, problem } => different_type(&item, problem),
        }
    }
}

impl DifferentItem {
    /// The error with the places of both items.
    fn shown(&self, error: Diagnostic) -> Diagnostic {
        let error = error.label(format!("the module `{}` gets its type here", self.module));
        let error = match self.asked {
            Some(span) => error.also(span, "asked for here"),
            None => error.note("the module type is one of the library"),
        };
        match self.given {
            Some(span) => error.also(span, "declared here"),
            None => error,
        }
    }
}

/// How many missing items a message names.
const MOST: usize = 3;

fn lacks(module: &Name, span: Span, missing: &[MissingItem]) -> Diagnostic {
    let named = &missing[..missing.len().min(MOST)];
    let mut words: Vec<String> =
        named.iter().map(|MissingItem { what, name, .. }| format!("{what} `{name}`")).collect();
    if missing.len() > MOST {
        words.push(format!("{} more items", missing.len() - MOST));
    }
    let message = match words.split_last() {
        None => panic!("something is missing"),
        Some((one, [])) => format!("the module `{module}` has no {one}, which its type asks for"),
        Some((last, others)) => format!(
            "the module `{module}` has no {} and {last}, which its type asks for",
            others.join(", ")
        ),
    };
    let error = Diagnostic::error(Code::MISSING_ITEM, span, message)
        .label(format!("the module `{module}` gets its type here"));
    let places = named.iter().filter_map(|item| Some((item.what, item.span?)));
    let error = places
        .fold(error, |error, (what, span)| error.also(span, format!("this {what} is asked for")));
    error.help("declare it in the module, or leave it out of the module type")
}

fn different_type(item: &DifferentItem, problem: TypeProblem) -> Diagnostic {
    let DifferentItem { module, name, .. } = item;
    let what = format!("the type `{name}` of the module `{module}`");
    let (message, help) = match problem {
        TypeProblem::Other { expected, found } => (
            format!("{what} should be `{expected}`, but is `{found}`"),
            Help::words("change one of the two types"),
        ),
        TypeProblem::Parameters { expected, found } => (
            format!("{what} should take {}, but takes {}", parameters(expected), parameters(found)),
            Help::words("give both the same parameters: `type t [n] 'a`"),
        ),
        TypeProblem::OwnSizes => (
            format!("the values of {what} have sizes of their own"),
            Help::naming("write {} in the module type", [&format!("type~ {name}")]),
        ),
        TypeProblem::Functions => (
            format!("the values of {what} are functions"),
            Help::naming("write {} in the module type", [&format!("type^ {name}")]),
        ),
        TypeProblem::UnusedSize { size } => (
            format!("no array in {what} has the size `{size}`"),
            Help::words("a size parameter of a hidden type must be a dimension of it"),
        ),
    };
    item.shown(Diagnostic::error(Code::MODULE_TYPE_DIFFERS, item.span, message)).advise(help)
}

/// Numbers of size and type parameters in words.
fn parameters((sizes, types): (usize, usize)) -> String {
    let count = |count: usize, what: &str| match count {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        _ => format!("{count} {what}s"),
    };
    format!("{} and {}", count(sizes, "size"), count(types, "type"))
}
