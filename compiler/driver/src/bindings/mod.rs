//! Functions of entries in languages that are safer than C: `--bindings=cpp,rust`.
//!
//! Invariant: the text needs no other file, except that C++ needs the C header. Parameters and results are the
//! components of the C functions, in the same order. Calls go through the functions with a uniform signature,
//! `NAME__uniform`, by their unique names. The functions of two programs have different names for the linker.
//!
//! ```text
//! entry above [n] (xs: [n]f64) (bound: f64): ?[k].[k]f64
//! ⇒ arr::array<double> arr::call::above(arr::context &ctx, arr::view<double> xs, double bound)
//! ⇒ fn above<'a>(&mut self, xs: impl Into<View<'a, f64, 1>>, bound: f64) -> Result<Array<f64, 1>, Error>
//! ```

mod cpp;
mod rust;

use std::path::Path;

use arrc_fusion::cnf::{Component, Entry};
use arrc_loops::concrete::Program;

use crate::cli::Language;
use crate::error::DriverError;
use crate::header::signature;
use crate::link::write;
use crate::unique::Unique;

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

    /// The lines of the documentation, without the tests, and the type in Arr.
    fn doc(&self) -> Vec<String> {
        let doc = self.entry.doc.as_deref().unwrap_or_default().trim().lines().map(str::trim);
        let mut lines: Vec<String> =
            doc.take_while(|&line| line != "==").map(str::to_owned).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(self.entry.signature.clone());
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
