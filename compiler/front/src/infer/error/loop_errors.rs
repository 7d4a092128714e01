//! Errors of loops, as diagnostics.
//!
//! Invariant: an error of a carried value has a label where the value begins, and one where a step ends.
//!
//! ```text
//! loop xs = [1] for i < n do xs ++ xs   ⇒   error[A0323]: … needs size `1` in each step
//! ```

use super::Error;
use arrc_syntax::diagnostics::{Code, Diagnostic, Help};
use arrc_syntax::source::Span;

/// Something wrong with a loop.
#[derive(Clone, Debug)]
pub(crate) enum LoopError {
    /// A loop whose bound is no integer.
    LoopBound { span: Span, ty: String },
    /// A loop without an initial value, whose pattern has a part that is no value.
    NoInitialValue { span: Span, part: Span, what: &'static str },
    /// A carried value whose size the body relies on, but does not keep.
    LoopSize { init: Span, body: Span, needed: String, first: String, next: String },
    /// Carried arrays that have one size in a step, but not before the first step or after a step.
    LoopSizesDiffer { place: Span, when: LoopMoment, one: String, other: String },
}

/// When carried arrays have their sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoopMoment {
    BeforeTheFirstStep,
    AfterAStep,
}

impl From<LoopError> for Error {
    fn from(error: LoopError) -> Self {
        Self::Loop(error)
    }
}

impl From<LoopError> for Diagnostic {
    fn from(error: LoopError) -> Self {
        match error {
            LoopError::LoopBound { span, ty } => {
                Self::error(Code::LOOP_BOUND, span, "a loop counts to an integer")
                    .label(format!("this is `{ty}`"))
                    .help("to go through the elements of an array, write `for x in xs do`")
            }
            LoopError::NoInitialValue { span, part, what } => {
                let message = "this loop has no initial value";
                Self::error(Code::LOOP_INIT, part, message)
                    .label(format!("{what} stands for no value"))
                    .also(span, "the carried values start with the values of these names")
                    .help("write the initial value: `loop p = e for …`")
            }
            LoopError::LoopSize { init, body, needed, first, next } => {
                let message = format!(
                    "the body of this loop needs size `{needed}` in each step, which is not kept"
                );
                Self::error(Code::LOOP_SIZE, body, message)
                    .label(format!("after a step, the size is `{next}`"))
                    .also(init, format!("before the first step, the size is `{first}`"))
                    .advise(Help::naming(
                        "if the size is always {}, write `e :> [n]t` in the body, with this size as `n`",
                        [needed],
                    ))
            }
            LoopError::LoopSizesDiffer { place, when, one, other } => {
                let when = match when {
                    LoopMoment::BeforeTheFirstStep => "before the first step",
                    LoopMoment::AfterAStep => "after a step",
                };
                let message =
                    format!("this loop carries arrays of one size, which have two sizes {when}");
                Self::error(Code::LOOP_SIZE, place, message)
                    .label(format!("the sizes are `{one}` and `{other}`"))
                    .advise(Help::naming(
                        "if both are equal, write `e :> [n]t` for the second array, with {} as `n`",
                        [one],
                    ))
            }
        }
    }
}
