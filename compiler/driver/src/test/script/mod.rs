//! Expressions that make the arguments of a test: FutharkScript, the language of `script input`.
//!
//! Invariant: a value keeps the structure of its type, so that tuples are taken apart as they were made. A literal has no
//! type before it is an argument.
//!
//! ```text
//! let (xs, n) = made 10i64 in (filled xs, n)      calls the entries `made` and `filled`
//! ```

mod parse;
mod run;

pub(crate) use parse::{closed, parse};
pub(crate) use run::{Call, Caller, arguments};

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Exp {
    /// A variable, or a call of an entry or of a builtin, whose name begins with `$`.
    Call(String, Vec<Exp>),
    /// A literal as written.
    Literal(String),
    /// A text in quotes.
    Text(String),
    /// A tuple; the empty one is `()`.
    Tuple(Vec<Exp>),
    /// A record.
    Record(Vec<(String, Exp)>),
    /// An array.
    Array(Vec<Exp>),
    /// `let x = e in e`, or with several names in parentheses.
    Let(Vec<String>, Box<Exp>, Box<Exp>),
}
