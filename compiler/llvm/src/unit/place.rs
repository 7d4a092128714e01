//! The places of which the program has constants.
//!
//! Invariant: equal places are one constant.

use arrc_core::source::CallId;

/// A place, and what is there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    /// The file as the user gave it, printable.
    pub(super) file: String,
    /// What the message names; its meaning depends on the error.
    pub(super) what: String,
    pub(super) line: u32,
    pub(super) column: u32,
    /// The calls that led there.
    pub(super) calls: CallId,
    /// Where in the library it is, for what is told of where the user calls it.
    pub(super) inside: Option<String>,
}
