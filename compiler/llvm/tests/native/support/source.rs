//! Programs from their text: Arr goes through the whole pipeline, and normal form through the passes behind it.
//!
//! Invariant: the places in messages are those of the text, in the file `test.arr`.

use arrc_front::load::{LoadError, Loader};
use arrc_fusion::cnf;
use arrc_llvm::Cpu;
use arrc_loops::concrete::Program;
use arrc_pipeline as pipeline;
use arrc_pipeline::Options;
use arrc_syntax::source::Sources;

/// A program, and its text.
pub(crate) struct Source {
    pub(crate) program: Program,
    pub(crate) sources: Sources,
}

/// There are no further files.
struct Alone;

impl Loader for Alone {
    fn load(&self, _: &str) -> Result<String, LoadError> {
        Err(LoadError::NotFound)
    }

    fn files(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

/// A program in Arr.
pub(crate) fn arr(text: &str) -> Source {
    let mut sources = Sources::default();
    let file = sources.add("test.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &Alone, &Options::default());
    let compiled = compiled.unwrap_or_else(|errors| {
        let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
        panic!("{messages:?} in\n{text}")
    });
    Source { program: compiled.program, sources }
}

/// The code of a program in Arr for a target, as LLVM has optimised it.
pub(crate) fn ir(text: &str, triple: &str, cpu: &str) -> String {
    let source = arr(text);
    let (triple, cpu) = (Some(triple.into()), Cpu::Named(cpu.into()));
    let options = arrc_llvm::Options { triple, cpu, ..arrc_llvm::Options::default() };
    let module = arrc_llvm::compile(&source.program, &source.sources, &options);
    module.expect("it compiles").ir()
}

/// A program in combinator normal form.
pub(crate) fn cnf(text: &str) -> Source {
    let program = cnf::parse(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    let (nests, _) = pipeline::nests(program, &Options::default());
    let mut sources = Sources::default();
    sources.add("test.arr", text);
    Source { program: pipeline::complete(nests), sources }
}
