//! The surroundings of the runtime: its C declarations, and a Rust caller.
//!
//! The runtime itself is [`arr_rt`], a crate of its own. C programs contain only that one, and neither this crate nor
//! Rust's library, which this crate needs.
//!
//! Invariant: a compiled library uses nothing of this crate when it runs; it contains a runtime of its own.
//!
//! ```text
//! header::runtime_part(), header::array_part(…)    the text of generated headers
//! host::Library::open(…)?.call(…)                  a compiled entry, called from Rust
//! text::Reading        , text::print(…)                values on the command line
//! ```

pub mod header;
pub mod host;
pub mod program;
pub mod server;
pub mod text;
