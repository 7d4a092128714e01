//! What can fail when a program runs (language.md, section 7), as every interpreter reports it.
//!
//! Invariant: the codes are those of compiled code, and so is the wording, but where an interpreter has a limit
//! of its own.
//!
//! ```text
//! RunError::new(Index, [5, 2], span)   ⇒   index 5 is out of bounds for an array of length 2
//! ```

use std::fmt::{self, Display};

use arr_abi::ErrorCode;
use arr_abi::reason::{self, Words};

use crate::diagnostics::Failure;
use crate::ir::check;
use crate::names::Name;
use crate::prim::{Const, Trap};
use crate::source::Span;

/// How deep calls may nest.
pub const MAX_DEPTH: u32 = 100_000;

/// The most elements of one array. Compiled code has all of the machine's memory; the interpreter, which
/// keeps each element as a constant of its own, stops before it takes that.
const MAX_ELEMENTS: usize = 1 << 24;

/// A failed run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunError {
    /// What failed.
    pub code: ErrorCode,
    /// The same in words.
    pub message: String,
    /// Where.
    pub span: Span,
    /// The functions of the library that it failed in, the innermost first.
    pub inside: Vec<Inside>,
}

/// A function of the library that a run failed in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inside {
    /// Its name.
    pub name: Name,
    /// Where in it.
    pub at: Span,
    /// Where it is called.
    pub call: Span,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl RunError {
    /// A failure whose message names nothing but numbers.
    pub(super) fn new(code: ErrorCode, numbers: [i128; 2], span: Span) -> Self {
        Self::about(code, "", numbers, span)
    }

    /// A failure with the message that [`reason::write`] makes of these names and numbers.
    pub(super) fn about(code: ErrorCode, what: &str, numbers: [i128; 2], span: Span) -> Self {
        let mut text = Text::default();
        reason::write(&mut text, code, what.as_bytes(), numbers);
        let message = String::from_utf8(text.0).expect("reasons and names are UTF-8");
        Self { code, message, span, inside: Vec::new() }
    }

    /// A call of a function of C.
    pub(super) fn external(name: &Name, span: Span) -> Self {
        let message = format!("the interpreter cannot call `{name}`, which is a function of C");
        Self::check(ErrorCode::External, message, span)
    }

    /// A check that does not hold.
    pub(super) fn failed(failure: &Failure<impl Display>, span: Span) -> Self {
        let message = check::render(&failure.message, ToString::to_string);
        Self::check(failure.code, message, span)
    }

    /// A check that does not hold, with what it says.
    pub(super) fn check(code: ErrorCode, message: String, span: Span) -> Self {
        Self { code, message, span, inside: Vec::new() }
    }

    /// The error of an operation without a result; `operand` is its second.
    pub(super) fn trapped(trap: Trap, operand: Const, span: Span) -> Self {
        Self::new(trap.code(), [operand.as_i128(), 0], span)
    }
}

/// A message under construction.
#[derive(Default)]
struct Text(Vec<u8>);

impl Words for Text {
    fn text(&mut self, text: &[u8]) {
        self.0.extend(text);
    }

    fn number(&mut self, number: i128) {
        self.0.extend(number.to_string().bytes());
    }
}

/// Whether the interpreter keeps an array of `count` elements, if they can be counted.
pub(super) fn affordable(count: Option<usize>, span: Span) -> Result<(), RunError> {
    match count {
        Some(count) if count <= MAX_ELEMENTS => Ok(()),
        Some(_) | None => {
            let count = count.and_then(|count| i64::try_from(count).ok()).unwrap_or(i64::MAX);
            let message = format!("out of memory: an array of {count} elements");
            Err(RunError::check(ErrorCode::Memory, message, span))
        }
    }
}
