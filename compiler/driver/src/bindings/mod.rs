//! Functions of entries in languages that are safer than C: `--bindings=cpp,rust`.
//!
//! Invariant: the text needs no other file, except that C++ needs the C header. Parameters and results are the
//! components of the C functions, in the same order. Calls go through the functions with a uniform signature,
//! `NAME__uniform`, by their unique names. The functions of two programs have different names for the linker.
//!
//! ```text
//! entry above [n] (xs: [n]f64) (bound: f64): ?[k].[k]f64
//! ⇒ arr::array<double> arr::call::above(arr::context &ctx, arr::view<double> xs, double bound)
//!   std::array<std::size_t, 1> arr::call::above_into(arr::context &ctx, arr::destination<double> out0, …)
//! ⇒ fn above<'a>(&mut self, xs: impl Into<View<'a, f64, 1>>, bound: f64) -> Result<Array<f64, 1>, Error>
//!   fn above_into<'a>(&mut self, out0: impl Into<Destination<'a, f64, 1>>, …) -> Result<[usize; 1], Error>
//! ```

mod cpp;
mod rust;
mod rust_doc;

use std::path::Path;

use arr_abi::layout::{INTO, SUFFIXES};
use arrc_fusion::cnf::{Component, Entry};
use arrc_loops::concrete::Program;

use crate::cli::Language;
use crate::error::DriverError;
use crate::header::signature;
use crate::link::write;
use crate::unique::Unique;

/// Where a function writes the arrays among the results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
    /// To memory of the runtime.
    Own,
    /// To memory of the caller.
    Into,
}

impl Results {
    /// Whether the caller gives the memory of an output.
    fn are_given(self, output: &Component) -> bool {
        self == Self::Into && output.rank > 0
    }
}

/// The first words of the documentation of a function that writes to memory of the caller.
const INTO_TOLD: &str =
    "Writes arrays to the memory that is given first, and returns their extents.";

/// An entry with the signature of its C function.
struct Call<'a> {
    entry: &'a Entry,
    inputs: Vec<Component>,
    outputs: Vec<Component>,
}

impl<'a> Call<'a> {
    fn all(program: &'a Program) -> Vec<Self> {
        let call = |entry: &'a Entry| {
            let (inputs, outputs) = signature(entry, &program.functions[entry.function]);
            Self { entry, inputs, outputs }
        };
        program.entries.iter().map(call).collect()
    }

    /// The symbols of the functions with a uniform signature. The second one, for results in memory of the caller, is there
    /// if the entry gives arrays.
    fn uniform_symbols(&self, unique: &Unique) -> impl Iterator<Item = String> {
        let gives_arrays = self.outputs.iter().any(|output| output.rank > 0);
        let symbols =
            SUFFIXES.map(|[_, uniform]| unique.symbol(&format!("{}{uniform}", self.entry.name)));
        symbols.into_iter().take(if gives_arrays { 2 } else { 1 })
    }

    /// The name of a function.
    fn name(&self, results: Results) -> String {
        let suffix = if results == Results::Into { INTO } else { "" };
        format!("{}{suffix}", self.entry.name)
    }

    /// The names of the inputs in a language. They differ from each other and from the reserved names.
    fn names(&self, reserved: &[&str], name: fn(&str) -> String) -> Vec<String> {
        let mut taken: Vec<String> = reserved.iter().map(|&name| name.to_owned()).collect();
        for input in &self.inputs {
            let mut name = name(&input.name);
            while taken.contains(&name) {
                name.push('_');
            }
            taken.push(name);
        }
        taken.split_off(reserved.len())
    }

    /// The lines of the program's text about the entry, without the tests.
    fn told(&self) -> Vec<String> {
        let doc = self.entry.doc.as_deref().unwrap_or_default().trim().lines().map(str::trim);
        let mut lines: Vec<String> =
            doc.take_while(|&line| line != "==").map(str::to_owned).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    /// The lines of the documentation: the program's text and the type in Arr.
    fn doc(&self, results: Results) -> Vec<String> {
        let mut lines = self.told();
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(self.entry.signature.clone());
        if results == Results::Into {
            lines.splice(0..0, [INTO_TOLD.to_owned(), String::new()]);
        }
        lines
    }
}

/// Writes the files beside the header, with the same name.
pub(crate) fn write_all(
    languages: &[Language],
    source: &str,
    program: &Program,
    unique: &Unique,
    header: &Path,
) -> Result<(), DriverError> {
    for language in languages {
        let text = match language {
            Language::Cpp => {
                let name = header.file_name().unwrap_or_default().to_string_lossy();
                cpp::text(source, &name, program, unique)
            }
            Language::Rust => rust::text(source, program, unique),
        };
        write(&header.with_extension(language.extension()), text.as_bytes())?;
    }
    Ok(())
}

/// A comment that says from which source the file was made.
fn made(source: &str) -> String {
    let source = source.escape_default().to_string().replace('*', "\\*");
    format!("Made by arrc {} from {source}: do not edit.", env!("CARGO_PKG_VERSION"))
}
