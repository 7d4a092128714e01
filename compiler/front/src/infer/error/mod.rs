//! All errors in the names, types and sizes of a program.
//!
//! Invariant: an error keeps types and sizes as the text that they had when it was found, since two different types
//! could look alike later.
//!
//! ```text
//! Mismatch { place: Argument 1 of f, expected: "f64", found: "i32", … }
//! ⇒ error[A0302]: argument 1 of `f` should be `f64`, but is `i32`
//! ```

mod constraint_site;
mod defaulted;
mod definition;
mod external_errors;
mod functions;
mod loop_errors;
mod module_errors;
mod name_errors;
mod size_errors;
mod sums;
mod type_errors;
mod with_errors;
mod written;

pub(super) use constraint_site::{Callee, CalleeParam, ConstraintSite};
pub(super) use defaulted::AnnotationPlace;
pub(super) use definition::{DefinitionError, EntryProblem};
pub(super) use external_errors::{ExternalError, ExternalProblem};
pub(super) use functions::FunctionError;
pub(super) use loop_errors::{LoopError, LoopMoment};
pub(super) use module_errors::{DifferentItem, MissingItem, ModuleError, TypeProblem};
pub(super) use name_errors::{NameError, widths};
pub(super) use size_errors::{EscapingUse, Remedy, SizeError};
pub(super) use sums::{MissingPatterns, Sum, SumError};
pub(super) use type_errors::TypeError;
pub(super) use with_errors::{NotAVector, OutOfShape, WithError};
pub(super) use written::{QuotedOperand, around};

use arrc_syntax::diagnostics::{Diagnostic, Subject};
use arrc_syntax::source::Span;

/// A place that the message shows, and the reason.
pub(super) type Origin = (Span, String);

/// A type as it is shown.
#[derive(Clone, Debug)]
pub(crate) struct ShownType {
    pub(crate) text: String,
    pub(crate) is_array: bool,
}

impl ShownType {
    /// The error says that it is about an array, if this type is one.
    fn marks(&self, error: Diagnostic) -> Diagnostic {
        if self.is_array { error.about(Subject::Array) } else { error }
    }
}

/// An error. Each family has a file, with its messages.
#[derive(Clone, Debug)]
pub(super) enum Error {
    /// In a name.
    Name(NameError),
    /// In types.
    Type(TypeError),
    /// In a size.
    Size(SizeError),
    /// A function in data.
    Function(FunctionError),
    /// In a loop.
    Loop(LoopError),
    /// In a declaration.
    Definition(DefinitionError),
    /// In the declaration of a C function.
    External(ExternalError),
    /// In a sum type or a `match`.
    Sum(SumError),
    /// In a with-loop or an index vector.
    With(WithError),
    /// In a module or a module type.
    Module(ModuleError),
}

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Self {
        match error {
            Error::Name(error) => error.into(),
            Error::Type(error) => error.into(),
            Error::Size(error) => error.into(),
            Error::Function(error) => error.into(),
            Error::Loop(error) => error.into(),
            Error::Definition(error) => error.into(),
            Error::External(error) => error.into(),
            Error::Sum(error) => error.into(),
            Error::With(error) => error.into(),
            Error::Module(error) => error.into(),
        }
    }
}

impl Error {
    /// Whether it is a warning: the program can be compiled nevertheless.
    pub(super) fn is_warning(&self) -> bool {
        matches!(self, Self::Sum(SumError::Unreachable { .. }))
    }
}
