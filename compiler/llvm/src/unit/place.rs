//! The places in the source for which the module has constants.
//!
//! Invariant: equal places are one constant.

use arrc_syntax::source::CallId;

/// A place, and the text of a message about it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ErrorPlace {
    /// The file as the user gave it, printable.
    pub(super) file: String,
    /// A name for the message. Its meaning depends on the error.
    pub(super) what: String,
    pub(super) line: u32,
    pub(super) column: u32,
    /// The calls that led there.
    pub(super) calls: CallId,
    /// The place in the library, for a message that points at the user's call of it.
    pub(super) inside: Option<String>,
}
