//! What can fail when a program runs (language.md, section 7), as every interpreter reports it.
//!
//! Invariant: the wording is that of compiled code.
//!
//! ```text
//! RunError { kind: Index, values: [5, 2], .. }   ⇒   index 5 is out of bounds for an array of length 2
//! ```

use std::fmt;

use crate::ir::check::Fault;
use crate::names::Name;
use crate::prim::Const;
use crate::prim::Trap;
use crate::source::Span;

/// How deep calls may nest.
pub const MAX_DEPTH: u32 = 100_000;

/// The most elements of one array. Compiled code has all of the machine's memory; the interpreter, which
/// keeps each element as a constant of its own, stops before it takes that.
const MOST_ELEMENTS: usize = 1 << 24;

/// What failed (language.md, section 7).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// An index is not below the length: the index and the length.
    Index,
    /// An integer was divided by zero.
    Division,
    /// An integer was raised to a negative power: the exponent.
    Power,
    /// An array would have a negative size: the size.
    Size,
    /// An argument's size is not that of the type: the size and the one that is wanted.
    Shape,
    /// Calls nest too deeply.
    Stack,
    /// An array has more elements than the interpreter keeps: their number.
    Memory,
    /// A function of C is called, which no interpreter can run: its name.
    External(Name),
    /// What is checked does not hold: what is wrong, and the whole message.
    Check(Fault, String),
}

/// A failed run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunError {
    /// What failed.
    pub kind: ErrorKind,
    /// Where.
    pub span: Span,
    /// The values involved.
    pub values: Vec<Const>,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |index: usize| self.values.get(index).map_or(0, |value| value.as_i128());
        match &self.kind {
            ErrorKind::Index => {
                let (index, length) = (value(0), value(1));
                write!(f, "index {index} is out of bounds for an array of length {length}")
            }
            ErrorKind::Division => f.write_str("division by zero"),
            ErrorKind::Power => write!(f, "negative exponent {}", value(0)),
            ErrorKind::Size => write!(f, "negative size {}", value(0)),
            ErrorKind::Shape => {
                let (size, other) = (value(0), value(1));
                write!(f, "an argument has size {size} but another has size {other}; ")?;
                f.write_str("they must be equal")
            }
            ErrorKind::Check(_, message) => f.write_str(message),
            ErrorKind::External(name) => {
                write!(f, "the interpreter cannot call `{name}`, which is a function of C")
            }
            ErrorKind::Stack => f.write_str("the recursion is too deep for the stack"),
            ErrorKind::Memory => write!(f, "out of memory: an array of {} elements", value(0)),
        }
    }
}

impl RunError {
    /// A call of a function of C.
    pub(super) fn external(name: &Name, span: Span) -> Self {
        Self { kind: ErrorKind::External(name.clone()), span, values: Vec::new() }
    }

    /// A check that does not hold.
    pub(super) fn check(fault: Fault, message: String, span: Span) -> Self {
        Self { kind: ErrorKind::Check(fault, message), span, values: Vec::new() }
    }

    /// The error of an operation without a result; `operand` is its second.
    pub(super) fn trapped(trap: Trap, operand: Const, span: Span) -> Self {
        match trap {
            Trap::DivisionByZero => Self { kind: ErrorKind::Division, span, values: Vec::new() },
            Trap::NegativeExponent => Self { kind: ErrorKind::Power, span, values: vec![operand] },
        }
    }
}

/// Whether the interpreter keeps an array of so many elements, if they can be counted.
pub(super) fn affordable(count: Option<usize>, span: Span) -> Result<(), RunError> {
    match count {
        Some(count) if count <= MOST_ELEMENTS => Ok(()),
        Some(_) | None => {
            let count = count.and_then(|count| i64::try_from(count).ok()).unwrap_or(i64::MAX);
            Err(RunError { kind: ErrorKind::Memory, span, values: vec![Const::i64(count)] })
        }
    }
}
