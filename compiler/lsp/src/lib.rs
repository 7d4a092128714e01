//! A language server for Arr: what editors ask of the compiler while somebody writes.
//!
//! In: messages of the Language Server Protocol, and texts from a [`Host`]. Out: messages. Negative invariant: nothing
//! here decides what a name means, what type it has or which pass it runs in. The front end and the pipeline say so, and
//! the modules in [`requests`] put it into the forms of the protocol. No code is generated.
//!
//! ```text
//! textDocument/hover at `gts`   ⇒   gts: [k]i64; pass 1 of `normalize2`, fused: its elements stay in registers
//! ```
//!
//! How it works. [`server`] has the loop over messages: it takes all that wait, handles them in order, and then analyses
//! what they changed, so that the first diagnostics come soon. [`workspace`] has the open texts and an [`analysis`] of each.
//! When the editor is silent, a thread of its own takes programs through the whole compiler ([`plans`]): the loop never
//! waits for it. Each kind of request is a function from an
//! analysis and a place to an answer.
#![forbid(unsafe_code)]

mod analysis;
mod documents;
mod paths;
mod plans;
mod positions;
mod requests;
mod server;
mod shelf;
mod workspace;

use arrc_front::load::Loader;
use arrc_loops::concrete;
use arrc_syntax::diagnostics::Diagnostic;

pub use server::{Served, serve, serve_on};

/// What the server asks of the program around it.
#[derive(Clone, Copy)]
pub struct Host {
    /// The files of the system.
    pub files: &'static (dyn Loader + Sync),
    /// What is wrong with the names of the entries of a compiled program.
    pub names: fn(&concrete::Program) -> Vec<Diagnostic>,
    /// The folder for the texts that are part of the compiler, if there is one.
    pub shelf: fn() -> Option<std::path::PathBuf>,
    /// The version of the compiler.
    pub version: &'static str,
}
