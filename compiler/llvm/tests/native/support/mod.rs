//! Programs as text, compiled, linked with a runtime for tests, and called.

pub(crate) mod native;
pub(crate) mod source;
