//! The compiler inside of another program. Its input is a text or a file; its output is an object file or
//! diagnostics.
//!
//! Invariant: nothing is printed, and no process is started. The passes recurse as deep as programs nest, so the
//! caller must run this on a thread with [`STACK`](crate::STACK) bytes of stack.

mod signature;
mod stub;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use arrc_front::load::Loader;
use arrc_fusion::chunked;
use arrc_fusion::clusters::{Method, Strategy};
use arrc_fusion::specialise::Traces;
use arrc_llvm::{Cpu, OptLevel};
use arrc_pipeline as pipeline;
use arrc_pipeline::Compiled;
use arrc_pipeline::explain;
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::{Code, Diagnostic, REGISTRY, RenderOptions};
use arrc_syntax::source::Sources;

pub(crate) use signature::describe;
pub use signature::{Param, Shape, Signature, signatures};
pub use stub::{python_name, stub};

use crate::artifact::{compile, form, stage};
use crate::cli::Emit;
use crate::error::{DriverError, Failure};
use crate::header::{external_prototype, header};
use crate::loader::{Files, Noting};
use crate::{explain as explaining, names, program, source};

/// The prefix of the function names in object files.
pub const PREFIX: &str = program::PREFIX;

/// The source of a program.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// A text. Messages use the name for it, and its imports are relative to the name's folder.
    Text {
        /// The name.
        name: String,
        /// The text.
        text: String,
        /// The files that it may import, by path; none: those of the disk.
        files: Option<BTreeMap<String, String>>,
    },
}

/// Options of the compiler.
#[derive(Clone, Debug)]
pub struct Options {
    /// How clusters are chosen.
    pub fusion: Strategy,
    /// How much LLVM optimises.
    pub level: OptLevel,
    /// The processor to compile for.
    pub cpu: Cpu,
    /// Whether to add the functions of passes over chunks, as further entries.
    pub passes: bool,
    /// What becomes of the program's traces.
    pub traces: Traces,
}

/// The diagnostics on a program: errors, or warnings.
#[derive(Clone, Debug)]
pub struct Told {
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
}

/// A compiled program.
#[derive(Debug)]
pub struct Program {
    sources: Sources,
    compiled: Compiled,
    options: Options,
    absent: Vec<String>,
}

impl Options {
    /// The options, given by their names on the command line.
    ///
    /// # Errors
    /// The valid names, if a name is not one of them.
    pub fn new(fusion: &str, level: u8, cpu: &str, passes: bool) -> Result<Self, String> {
        let named = Strategy::ALL.into_iter().find(|strategy| strategy.name() == fusion);
        let fusion = named.ok_or_else(|| {
            let names = Strategy::ALL.map(|strategy| format!("\"{}\"", strategy.name()));
            format!("fusion is one of {}, not \"{fusion}\"", names.join(", "))
        })?;
        let level = match level {
            0 => OptLevel::O0,
            1 => OptLevel::O1,
            2 => OptLevel::O2,
            3 => OptLevel::O3,
            other => return Err(format!("opt_level is 0, 1, 2 or 3, not {other}")),
        };
        Ok(Self { fusion, level, cpu: Cpu::from_argument(cpu), passes, traces: Traces::Removed })
    }

    /// The same, where the program's traces are printed or not.
    #[must_use]
    pub fn traced(self, are_printed: bool) -> Self {
        Self { traces: Traces::asked(are_printed), ..self }
    }

    fn pipeline(&self) -> pipeline::Options {
        let method = Method { strategy: self.fusion, ..Method::default() };
        let (passes, traces) = (self.passes, self.traces);
        pipeline::Options { method, passes, traces, ..pipeline::Options::default() }
    }

    fn llvm(&self) -> arrc_llvm::Options {
        arrc_llvm::Options {
            opt_level: self.level,
            cpu: self.cpu.clone(),
            ..arrc_llvm::Options::default()
        }
    }
}

impl Told {
    /// The diagnostics, each as the user sees it.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        let options = RenderOptions { color, width: None };
        let texts: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostics::render(diagnostic, &self.sources, options))
            .collect();
        texts.concat()
    }

    /// The diagnostics, each as a JSON object on one line.
    #[must_use]
    pub fn json(&self) -> Vec<String> {
        let json = |diagnostic| diagnostics::json(diagnostic, &self.sources);
        self.diagnostics.iter().map(json).collect()
    }

    /// Whether there are no diagnostics.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }
}

impl From<Failure> for Told {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Diagnostics { sources, diagnostics } => Self { sources, diagnostics },
            Failure::Driver(error) => {
                Self { sources: Sources::default(), diagnostics: vec![error.diagnostic()] }
            }
            Failure::Shown => Self { sources: Sources::default(), diagnostics: Vec::new() },
        }
    }
}

impl Program {
    /// Compiles a program to loop nests.
    ///
    /// # Errors
    /// The errors in the program, also if it cannot be read or has no entry.
    pub fn new(input: &Input, options: &Options) -> Result<Self, Told> {
        let program = Self::of_any(input, options, &options.pipeline())?;
        if program.compiled.program.entries.is_empty() {
            let path = match input {
                Input::File(path) => path.clone(),
                Input::Text { name, .. } => PathBuf::from(name),
            };
            return Err(Failure::from(DriverError::NoEntries { path }).into());
        }
        Ok(program)
    }

    fn of_any(
        input: &Input,
        options: &Options,
        pipeline: &pipeline::Options,
    ) -> Result<Self, Failure> {
        let (name, text, files) = match input {
            Input::File(path) => (path.display().to_string(), source::text(path)?, None),
            Input::Text { name, text, files } => (name.clone(), text.clone(), files.as_ref()),
        };
        let files = files.map_or(&Files as &dyn Loader, |files| files);
        let loader = Noting::new(files);
        let (sources, compiled) = source::compile_text(&name, text, &loader, pipeline)?;
        let diagnostics = names::check_externals(&compiled.program);
        if !diagnostics.is_empty() {
            return Err(Failure::Diagnostics { sources, diagnostics });
        }
        Ok(Self { sources, compiled, options: options.clone(), absent: loader.absent() })
    }

    /// The warnings on the program.
    #[must_use]
    pub fn warnings(&self) -> Told {
        Told { sources: self.sources.clone(), diagnostics: self.compiled.warnings.clone() }
    }

    /// The entries as text, which [`signatures`] reads.
    #[must_use]
    pub fn description(&self) -> String {
        describe(&self.compiled)
    }

    /// The plans of the entries over chunks, as JSON. They are there if the program was compiled with its passes.
    #[must_use]
    pub fn passes(&self) -> String {
        chunked::json(&self.compiled.passes).to_string()
    }

    /// The C functions that the program calls, and that it does not define.
    #[must_use]
    pub fn externals(&self) -> Vec<String> {
        let externals = self.compiled.program.c_functions();
        externals.map(|external| external.name.to_string()).collect()
    }

    /// The error that nothing defines these [`externals`](Self::externals).
    #[must_use]
    pub fn undefined(&self, names: &[String]) -> Told {
        let externals = self.compiled.program.c_functions();
        let missing = externals.filter(|external| names.iter().any(|name| *name == *external.name));
        let diagnostics = missing.map(|external| {
            let name = &external.name;
            let message = format!("nothing defines the external `{name}`");
            Diagnostic::error(Code::UNDEFINED_EXTERNAL, external.span, message)
                .label("this C function is called")
                .note(format!("its prototype is `{}`", external_prototype(external)))
                .instruct(format!(
                    "write it in C with the header that `arrc.header` gives, compile it by `cc -O2 -fPIC -c {name}.c`, and \
                     name the object file: `link=[\"{name}.o\"]`"
                ))
        });
        Told { sources: self.sources.clone(), diagnostics: diagnostics.collect() }
    }

    /// The C header with the functions that the program calls.
    #[must_use]
    pub fn header(mut self) -> String {
        self.compiled.program.entries.clear();
        let path = self.files().next().map_or_else(String::new, |(path, _)| path.to_owned());
        let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy();
        header(&name, &self.compiled.program, None)
    }

    /// The object file. It refers to functions of the runtime and to C functions. The names of its functions are
    /// those of the entries, with the prefix [`PREFIX`], so an entry may have any name.
    ///
    /// # Errors
    /// If the processor does not exist.
    pub fn object(mut self) -> Result<Vec<u8>, Told> {
        for entry in &mut self.compiled.program.entries {
            entry.name = format!("{PREFIX}{}", entry.name).into();
        }
        let module = compile(&self.compiled, &self.sources, &self.options.llvm())?;
        Ok(module.object())
    }

    /// The program's files, each with its text. The first is its own file, and the others are imported.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = self.sources.iter().filter(|(_, source)| !source.is_library);
        own.map(|(_, source)| (source.path.as_str(), source.text.as_str()))
    }

    /// The paths at which an import looked for a file, and there is none.
    #[must_use]
    pub fn absent(&self) -> &[String] {
        &self.absent
    }
}

/// The reasons for the passes of a program, for the blocks of one entry or for all.
///
/// # Errors
/// As [`Program::new`].
pub fn explain(
    input: &Input,
    options: &Options,
    entry: Option<&str>,
    is_verbose: bool,
    color: bool,
) -> Result<String, Told> {
    let pipeline = pipeline::Options { hints: true, ..options.pipeline() };
    let Program { sources, compiled, .. } = Program::of_any(input, options, &pipeline)?;
    let plans = explaining::wanted(entry, &compiled)?;
    let blocks = explain::explain(plans, &compiled.program, &sources);
    let llvm = arrc_llvm::Options { remarks: true, ..options.llvm() };
    let outlines = explaining::outlines(&sources, &compiled, &blocks, &llvm)?;
    let asks_for_all = (!is_verbose).then_some("`explain(verbose=True)`");
    Ok(explaining::human(&outlines, &sources, asks_for_all, RenderOptions { color, width: None }))
}

/// A form of a program, by its name on the command line, such as `procedure`. `None` if there is no such form.
///
/// # Errors
/// As [`Program::new`].
pub fn emit(input: &Input, options: &Options, name: &str) -> Result<Option<String>, Told> {
    let Some(wanted) = Emit::named(name) else { return Ok(None) };
    let emit = stage(wanted).into_iter().collect();
    let pipeline = pipeline::Options { emit, ..options.pipeline() };
    let program = Program::of_any(input, options, &pipeline)?;
    let llvm = arrc_llvm::Options { remarks: wanted == Emit::Vectors, ..options.llvm() };
    let code = || compile(&program.compiled, &program.sources, &llvm);
    Ok(Some(form(wanted, &program.compiled, code)?))
}

/// The names of all forms for [`emit`].
#[must_use]
pub fn forms() -> Vec<String> {
    Emit::names()
}

/// This machine's processor. Code for it may not run on other machines.
#[must_use]
pub fn native_cpu() -> String {
    arrc_llvm::native_cpu()
}

/// The page about a diagnostic's code, such as `A0301`.
#[must_use]
pub fn page(code: &str) -> Option<&'static str> {
    REGISTRY.iter().find(|entry| entry.code.0 == code).map(|entry| entry.page)
}

/// The diagnostic code of a run-time error.
#[must_use]
pub fn run_time_code(code: arr_runtime::host::ErrorCode) -> Option<&'static str> {
    crate::error::run_time_code(code.number()).map(|code| code.0)
}
