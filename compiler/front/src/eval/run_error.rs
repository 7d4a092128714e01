//! Errors of a running program (`docs/src/reference.md`), as all interpreters report them.
//!
//! Invariant: the codes and the wording are those of compiled code, except where an interpreter has a limit of its
//! own.
//!
//! ```text
//! RunError::new(Index, [5, 2], span)   ⇒   index 5 is out of bounds for an array of length 2
//! ```

use std::fmt::{self, Display};

use arr_abi::ErrorCode;
use arr_abi::reason::{self, Words};

use arrc_syntax::check;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Trap};
use arrc_syntax::source::Span;

/// The maximum depth of calls.
pub const MAX_DEPTH: u32 = 100_000;

/// The maximum number of elements of one array. Compiled code may use all memory of the machine. The interpreter
/// keeps each element as a constant, so it stops earlier.
const MAX_ELEMENTS: usize = 1 << 24;

/// The error of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunError {
    /// The error code.
    pub code: ErrorCode,
    /// The message.
    pub message: String,
    /// The place of the error.
    pub span: Span,
    /// The functions of the library in which it failed, the innermost first.
    pub inside: Vec<LibraryFrame>,
}

/// A function of the library in which a run failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryFrame {
    /// Its name.
    pub name: Name,
    /// The place in the function.
    pub at: Span,
    /// The place of its call.
    pub call: Span,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl RunError {
    /// An error whose message contains only numbers.
    pub fn new(code: ErrorCode, numbers: [i128; 2], span: Span) -> Self {
        Self::about(code, "", numbers, span)
    }

    /// An error with the message that [`reason::write`] makes of these names and numbers.
    pub fn about(code: ErrorCode, what: &str, numbers: [i128; 2], span: Span) -> Self {
        let mut text = MessageBuilder::default();
        reason::write(&mut text, code, what.as_bytes(), numbers);
        let message = String::from_utf8(text.0).expect("reasons and names are UTF-8");
        Self { code, message, span, inside: Vec::new() }
    }

    /// A call of a function of C.
    pub fn external(name: &Name, span: Span) -> Self {
        let message = format!("the interpreter cannot call `{name}`, which is a function of C");
        Self::check(ErrorCode::External, message, span)
    }

    /// A check that does not hold.
    pub(super) fn failed(failure: &Failure<impl Display>, span: Span) -> Self {
        let message = check::render(&failure.message, ToString::to_string);
        Self::check(failure.code, message, span)
    }

    /// A check that does not hold, with its message.
    pub fn check(code: ErrorCode, message: String, span: Span) -> Self {
        Self { code, message, span, inside: Vec::new() }
    }

    /// The error of an operation that traps; `operand` is its second operand.
    pub fn trapped(trap: Trap, operand: Const, span: Span) -> Self {
        Self::new(trap.code(), [operand.as_i128(), 0], span)
    }
}

/// A message under construction.
#[derive(Default)]
struct MessageBuilder(Vec<u8>);

impl Words for MessageBuilder {
    fn text(&mut self, text: &[u8]) {
        self.0.extend(text);
    }

    fn number(&mut self, number: i128) {
        self.0.extend(number.to_string().bytes());
    }
}

/// Fails if an array of `count` elements is too large for the interpreter, or if the elements cannot be counted.
pub fn check_array_size(count: Option<usize>, span: Span) -> Result<(), RunError> {
    match count {
        Some(count) if count <= MAX_ELEMENTS => Ok(()),
        Some(_) | None => {
            let count = count.and_then(|count| i64::try_from(count).ok()).unwrap_or(i64::MAX);
            let message = format!("out of memory: an array of {count} elements");
            Err(RunError::check(ErrorCode::Memory, message, span))
        }
    }
}
