//! Functions where only data can be, as diagnostics.
//!
//! Invariant: the help says how the function is used instead.
//!
//! ```text
//! [f, g]   ⇒   error[A0313]: an array cannot hold functions
//! ```

use super::Error;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::source::Span;

/// A function where only data can be.
#[derive(Clone, Debug)]
pub(crate) enum FunctionError {
    /// Functions as elements of an array, or in a constructor.
    StoredFunction { span: Span, holder: &'static str, ty: String },
    /// An `if` or a `match` between functions.
    ChosenFunction { span: Span, word: &'static str, ty: String },
    /// A loop that carries functions.
    FunctionFromLoop { span: Span, ty: String },
}

impl From<FunctionError> for Error {
    fn from(error: FunctionError) -> Self {
        Self::Function(error)
    }
}

impl From<FunctionError> for Diagnostic {
    fn from(error: FunctionError) -> Self {
        match error {
            FunctionError::StoredFunction { span, holder, ty } => Self::error(
                Code::FUNCTION_IN_DATA,
                span,
                format!("{holder} cannot hold functions"),
            )
            .label(format!("this is `{ty}`"))
            .help("is an argument missing? Functions can be passed as arguments, but not stored"),
            FunctionError::ChosenFunction { span, word, ty } => Self::error(
                Code::FUNCTION_IN_DATA,
                span,
                format!("{word} cannot choose between functions"),
            )
            .label(format!("this is `{ty}`"))
            .help(if word == "an `if`" {
                "choose inside the function: `\\x -> if c then f x else g x`"
            } else {
                "choose inside the function: `\\x -> match e case p -> f x case _ -> g x`"
            }),
            FunctionError::FunctionFromLoop { span, ty } => {
                Self::error(Code::FUNCTION_IN_DATA, span, "a loop cannot carry functions")
                    .label(format!("this is `{ty}`"))
                    .help("carry what the function is made of, and make the function in the body")
            }
        }
    }
}
