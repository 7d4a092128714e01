//! The files that a program is linked with: those of `--link`, and those of `-- link:` in test blocks.
//!
//! Invariant: C sources are compiled before anything is linked, and find the program's header by the program's name. All files have
//! code for the target, which no linker would see in a static library.
//! If nothing defines an external, the error has the external's declaration and its C prototype, and not the linker's
//! message.
//!
//! ```text
//! arrc run --link median.c stats.arr   ⇒   cc -I FOLDER -c median.c, where FOLDER has stats.h
//! ```

use std::path::{Path, PathBuf};

use arr_runtime::text::reason;
use arrc_fusion::cnf::External;
use arrc_loops::concrete::Program;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::source::Sources;

use crate::archive::foreign_member;
use crate::cli::Sanitizer;
use crate::error::{DriverError, Failure};
use crate::header::{external_prototype, header};
use crate::link::{compiler, write};
use crate::target::Target;
use crate::unique::Unique;

/// Files to link with, as the user named them, and the program that they are linked with.
#[derive(Clone, Copy)]
pub(crate) struct Linked<'a> {
    /// The target that files are compiled for.
    pub(crate) target: Target,
    /// The program's file.
    pub(crate) source: &'a Path,
    /// The files.
    pub(crate) files: &'a [PathBuf],
    /// The sanitizer whose checks compiled files get.
    pub(crate) sanitizer: Option<Sanitizer>,
    /// The names by which the linker knows the program's functions, if they are not those of the entries.
    pub(crate) unique: Option<&'a Unique>,
}

impl Linked<'_> {
    /// The files for the linker. Compiled files go to `folder`.
    pub(crate) fn objects(
        &self,
        program: &Program,
        folder: &Path,
    ) -> Result<Vec<PathBuf>, DriverError> {
        let is_source = |file: &PathBuf| file.extension().is_some_and(|of| of == "c");
        if self.files.iter().any(is_source) {
            let name = |what: Option<&std::ffi::OsStr>| {
                what.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            };
            let text = header(&name(self.source.file_name()), program, self.unique);
            let path = folder.join(format!("{}.h", name(self.source.file_stem())));
            write(&path, text.as_bytes())?;
        }
        let numbered = self.files.iter().enumerate();
        numbered.map(|(number, file)| self.object(file, number, folder)).collect()
    }

    /// The failure that the user sees when linking fails. If externals are undefined, it is about them.
    pub(crate) fn explained(
        &self,
        error: DriverError,
        program: &Program,
        sources: &Sources,
    ) -> Failure {
        let DriverError::Link { problem, .. } = &error else { return error.into() };
        let missing = |external: &&External| {
            let mut lines = problem.lines().filter(|line| line.contains("undefined"));
            lines.any(|line| mentions(line, &external.name))
        };
        let missing: Vec<&External> = program.c_functions().filter(missing).collect();
        if missing.is_empty() { error.into() } else { self.undefined(&missing, sources) }
    }

    /// The error that these externals are not defined.
    fn undefined(&self, missing: &[&External], sources: &Sources) -> Failure {
        let diagnostics = missing.iter().map(|external| {
            let name = &external.name;
            let message = format!("nothing defines the external `{name}`");
            let error = Diagnostic::error(Code::UNDEFINED_EXTERNAL, external.span, message)
                .label("this C function is called")
                .note(format!("its prototype is `{}`", external_prototype(external)));
            if self.files.is_empty() {
                return error.instruct(format!(
                    "write it in C, and name the file: `--link {name}.c`, or in a test block a line \
                     `-- link: {name}.c`"
                ));
            }
            let files: Vec<String> =
                self.files.iter().map(|file| format!("`{}`", file.display())).collect();
            error.instruct(format!(
                "define it in {}, or name the file that does with another `--link`",
                files.join(" or ")
            ))
        });
        let diagnostics = diagnostics.collect();
        Failure::Diagnostics { sources: sources.clone(), diagnostics }
    }

    /// One file for the linker.
    fn object(&self, file: &Path, number: usize, folder: &Path) -> Result<PathBuf, DriverError> {
        let wrong = |problem: String| DriverError::Linked { path: file.to_path_buf(), problem };
        match std::fs::metadata(file) {
            Err(error) => return Err(wrong(reason(&error))),
            // Tools would read a device without end.
            Ok(data) if !data.is_file() => return Err(wrong("it is no plain file".to_string())),
            Ok(_) => {}
        }
        match file.extension().and_then(|of| of.to_str()) {
            Some("o" | "a") => {
                return match foreign_member(self.target, file)? {
                    None => Ok(file.to_path_buf()),
                    Some(member) => Err(wrong(format!(
                        "the code of `{member}` is not for {}",
                        self.target.triple()
                    ))),
                };
            }
            Some("c") => {}
            Some(_) | None => {
                return Err(wrong(
                    "it is no C source (.c), object file (.o) or static library (.a)".to_string(),
                ));
            }
        }
        let object = folder.join(format!("linked{number}.o"));
        let mut command = compiler(self.target, self.sanitizer);
        // Sanitizers tell lines.
        command.args(self.sanitizer.map(|_| "-g"));
        command.args(["-O2", "-fPIC", "-I"]).arg(folder).arg("-c").arg(file).arg("-o").arg(&object);
        let program = command.get_program().to_string_lossy().into_owned();
        match command.output() {
            Ok(output) if output.status.success() => match foreign_member(self.target, &object)? {
                None => Ok(object),
                Some(_) => Err(wrong(format!(
                    "`{program}` does not compile for {}: name a C compiler for it in the environment variable CC",
                    self.target.triple()
                ))),
            },
            Ok(output) => Err(wrong(format!(
                "`{program}` says: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            ))),
            Err(error) => Err(wrong(format!("`{program}` cannot be run: {}", reason(&error)))),
        }
    }
}

/// Whether a line contains the word.
fn mentions(line: &str, word: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    line.split(|character| !is_part(character)).any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn words_are_whole() {
        let line = "program.c:(.text+0x1f): undefined reference to `median_of'";
        assert!(mentions(line, "median_of"));
        assert!(!mentions(line, "median"));
        assert!(mentions("ld.lld: error: undefined symbol: median", "median"));
    }
}
