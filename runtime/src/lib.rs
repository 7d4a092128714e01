//! What surrounds the runtime: its C declarations, where its library is, and a Rust caller.
//!
//! The runtime itself is [`arr_rt`], a crate of its own, because C programs link all of its static
//! library and should not get the parts here that only Rust programs need.
//!
//! Invariant: nothing here takes part when a compiled library runs; it has its own runtime inside.
//!
//! ```text
//! header::runtime_part(), header::array_part(…)    the text of generated headers
//! locate::static_library()                         libarr_rt.a, which programs link
//! host::Library::open(…)?.call(…)                  a compiled entry, called from Rust
//! ```

pub mod header;
pub mod host;
pub mod locate;
