//! The C ABI runtime.
