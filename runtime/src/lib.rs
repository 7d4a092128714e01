//! What surrounds the runtime: its C declarations, and a Rust caller.
//!
//! The runtime itself is [`arr_rt`], a crate of its own: C programs have that one, and neither this crate nor Rust's library,
//! which this crate needs.
//!
//! Invariant: nothing here takes part when a compiled library runs; it has its own runtime inside.
//!
//! ```text
//! header::runtime_part(), header::array_part(…)    the text of generated headers
//! host::Library::open(…)?.call(…)                  a compiled entry, called from Rust
//! text::Reading        , text::print(…)                values on the command line
//! ```

pub mod header;
pub mod host;
pub mod program;
pub mod text;
