//! The tests of what users see: rendered diagnostics, printed forms, results of programs and the memory
//! that they take, the examples from C, the documentation, improbable programs, and calls with
//! improbable sizes.
//!
//! Invariant: a test that needs a tool (a C compiler, valgrind) fails without it; nothing is skipped
//! silently.

pub mod aarch64;
pub mod abi;
pub mod arguments;
pub mod bindings;
pub mod chunks;
pub mod crates;
pub mod cross;
pub mod docs;
pub mod edits;
pub mod endless;
pub mod examples;
pub mod explorer;
pub mod formatter;
pub mod forms;
pub mod fusion;
pub mod fuzz;
pub mod golden;
pub mod hostile;
pub mod install;
pub mod large;
pub mod levels;
pub mod lines;
pub mod lsp;
pub mod memory;
pub mod oracle;
pub mod partition;
pub mod python;
pub mod random;
pub mod run;
pub mod server;
pub mod shapes;
pub mod soak;
pub mod spellings;
pub mod tidy;
pub mod together;
pub mod tools;
pub mod traces;
