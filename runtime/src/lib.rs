//! What surrounds the runtime: its C declarations, where its library is, and a Rust caller.
//!
//! The runtime itself is [`arr_rt`], a crate of its own, and so an object of its own in the static
//! library that is built from both. Linkers take from a library the objects that are asked for: a C
//! program gets that one, and neither this crate nor Rust's library, which this crate needs.
//!
//! Invariant: nothing here takes part when a compiled library runs; it has its own runtime inside.
//!
//! ```text
//! header::runtime_part(), header::array_part(…)    the text of generated headers
//! locate::static_library(Library::Runtime)       libarr_runtime.a, which programs link
//! host::Library::open(…)?.call(…)                  a compiled entry, called from Rust
//! text::Reading        , text::print(…)                values on the command line
//! ```

pub mod header;
pub mod host;
pub mod locate;
pub mod program;
pub mod text;
