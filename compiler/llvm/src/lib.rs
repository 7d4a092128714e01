//! From concrete procedures to object files: the only crate that knows LLVM.
//!
//! In: a complete [`Program`] of loop nests, and its [`Sources`]. Out: a [`Module`], which writes its files. Negative
//! invariant: nothing here knows a program of an earlier form, a diagnostic, or a pass of another crate. The form says
//! which arrays are released, and which passes and calls may run at the same time; nothing here decides that.
//!
//! Invariant: the same program and options give the same bytes, whatever the machine's speed. An unsupported option is
//! an [`Error`]; LLVM itself prints nothing and never aborts.
//!
//! ```text
//! concrete::Program ─▶ one LLVM function a function ─▶ two C functions an entry ─▶ O3 ─▶ object file
//! ```
//!
//! `function` and `entry` are the two kinds of LLVM functions; in them, `loops` lowers the loops,
//! `array` and `scalar` the operations, `external` the calls of C functions. `unit` is the module that they
//! build, `code` the builder; `target` is the machine, `passes` mends LLVM's IR, `emit` has the optimiser and the
//! files. `note` has the words for what became of each loop.

mod array;
mod code;
mod emit;
mod entry;
mod error;
mod external;
mod function;
mod levels;
mod loops;
mod note;
mod options;
mod passes;
mod scalar;
mod small_buffers;
mod target;
mod unit;
mod value;

pub use emit::Module;
pub use error::Error;
pub use note::{Note, Obstacle, Outcome};
pub use options::{Cpu, Names, OptLevel, Options, Sanitizer, Vectors};

use arrc_loops::concrete::Program;
use arrc_syntax::source::Sources;
use elsa::FrozenVec;
use inkwell::context::Context;
use inkwell::targets::TargetMachine;

/// The version of LLVM.
#[must_use]
pub fn version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

/// The target that is compiled for if none is named.
#[must_use]
pub fn default_target() -> String {
    TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned()
}

/// The whole name of a target: `aarch64-unknown-linux-gnu` for `aarch64-linux-gnu`.
///
/// # Errors
/// If there is no code for it.
pub fn target(triple: &str) -> Result<String, Error> {
    target::whole_name(triple)
}

/// The names of the processors that code can be for, of each architecture.
#[must_use]
pub fn processors() -> [(&'static str, &'static [&'static str]); 2] {
    target::processors()
}

/// This machine's processor: LLVM's name of it, and its features. Code for it may run on no other.
#[must_use]
pub fn native_cpu() -> String {
    let [name, features] =
        [TargetMachine::get_host_cpu_name(), TargetMachine::get_host_cpu_features()]
            .map(|text| text.to_string_lossy().into_owned());
    format!("{name} {features}")
}

/// Compiles a program for the machine that the options name.
///
/// # Errors
/// If there is no such machine, or the names of entries cannot be those of C functions.
///
/// # Panics
/// If the program breaks an invariant of [`concrete`](arrc_loops::concrete): that is a
/// bug of the compiler.
pub fn compile(program: &Program, sources: &Sources, options: &Options) -> Result<Module, Error> {
    if let Cpu::Levels(levels) = &options.cpu {
        return levels::compile(program, sources, options, levels);
    }
    let target = target::Target::new(options)?;
    let symbols = entry::symbols(program, &options.names)?;
    let context = Context::create();
    let made = FrozenVec::new();
    let mut unit = unit::Unit::new(&context, (program, &made), sources, &target);
    unit.remarks = options.remarks;
    if options.debug {
        unit.add_lines(options.opt_level != OptLevel::O0);
    }
    function::define_all(&mut unit);
    for (entry, symbols) in program.entries.iter().zip(&symbols) {
        entry::define(&mut unit, entry, symbols);
    }
    scalar::define_all(&mut unit);
    small_buffers::define_all(&mut unit);
    unit.require_runtime();
    if let Names::Both(before) = &options.names {
        unit.module.set_inline_assembly(&entry::jumps::assembly(program, before, target.arch));
    }
    unit.lines.iter().for_each(|lines| lines.finish());
    emit::verify(&unit.module);
    let notes = std::mem::take(&mut unit.notes);
    if options.only_lowered {
        return Ok(emit::unchanged(&unit.module, target, notes));
    }
    Ok(emit::optimise(unit.module, target, options, notes))
}

/// The plain names of a program's entries, as a module of its own: functions that jump to those of a module whose names
/// are unique and begin with `before`.
///
/// # Errors
/// As [`compile`].
pub fn plain_names(program: &Program, before: &str, options: &Options) -> Result<Module, Error> {
    // A jump is the same on all processors.
    let target = target::Target::new(&Options { cpu: Cpu::Baseline, ..options.clone() })?;
    let context = Context::create();
    let module = context.create_module("names");
    module.set_triple(&target.machine.get_triple());
    module.set_inline_assembly(&entry::jumps::assembly(program, before, target.arch));
    Ok(emit::unchanged(&module, target, Vec::new()))
}
