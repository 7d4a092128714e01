//! The back end: verification, optimisation and the emitted files.
//!
//! Invariant: a [`Module`] is verified IR; the emitted files depend on nothing but the module and its target.

pub(crate) mod loop_metadata;
mod remarks;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module as LlvmModule;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::FileType;

use crate::note::Note;
use crate::options::{OptLevel, Options, Sanitizer};
use crate::scalar::inline_offered;
use crate::small_buffers::inline_late;
use crate::target::Target;

/// A compiled program.
///
/// It is kept as bitcode, so that it does not borrow from the context that it was made in.
#[derive(Debug)]
pub struct Module {
    optimised: Vec<u8>,
    target: Target,
    notes: Vec<Note>,
}

impl Module {
    /// The object file.
    #[must_use]
    pub fn object(&self) -> Vec<u8> {
        self.emit(FileType::Object)
    }

    /// The assembly text.
    #[must_use]
    pub fn assembly(&self) -> String {
        String::from_utf8_lossy(&self.emit(FileType::Assembly)).into_owned()
    }

    /// LLVM's text of the program after optimisation.
    #[must_use]
    pub fn ir(&self) -> String {
        with_module(&self.optimised, |module| module.print_to_string().to_string())
    }

    /// How each pass was lowered, in the order of the program.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// How each pass was lowered, in the order of the program, one line a pass.
    #[must_use]
    pub fn vectors(&self) -> String {
        self.notes.iter().map(|note| format!("{note}\n")).collect()
    }

    /// LLVM's bitcode, and how each pass was lowered.
    pub(crate) fn into_parts(self) -> (Vec<u8>, Vec<Note>) {
        (self.optimised, self.notes)
    }

    fn emit(&self, file_type: FileType) -> Vec<u8> {
        with_module(&self.optimised, |module| {
            let buffer = self.target.emitter().write_to_memory_buffer(module, file_type);
            let buffer = buffer.unwrap_or_else(|error| {
                panic!("the target emits objects and assembly: {error}");
            });
            buffer.as_slice().to_vec()
        })
    }
}

/// Panics if LLVM finds the module wrong, naming the function: that is a bug of ours.
///
/// It runs only in debug builds, as the verifiers of the other forms do.
pub(crate) fn verify(module: &LlvmModule<'_>) {
    if !cfg!(debug_assertions) {
        return;
    }
    if let Err(message) = module.verify() {
        let wrong = module.get_functions().find(|function| !function.verify(false));
        let name = wrong.map_or_else(String::new, |function| {
            format!("function `{}`: ", function.get_name().to_string_lossy())
        });
        panic!("lowering makes correct LLVM IR; {name}{message}");
    }
}

/// Runs LLVM's passes.
pub(crate) fn optimise(
    module: LlvmModule<'_>,
    target: Target,
    options: &Options,
    mut notes: Vec<Note>,
) -> Module {
    let passes = match options.opt_level {
        OptLevel::O0 => "default<O0>",
        OptLevel::O1 => "default<O1>",
        OptLevel::O2 => "default<O2>",
        OptLevel::O3 => "default<O3>",
    };
    let pipeline = PassBuilderOptions::create();
    let vectorise = matches!(options.opt_level, OptLevel::O2 | OptLevel::O3);
    pipeline.set_loop_vectorization(vectorise);
    pipeline.set_loop_slp_vectorization(vectorise);
    pipeline.set_loop_interleaving(vectorise);
    pipeline.set_loop_unrolling(options.opt_level != OptLevel::O0);
    if let Err(message) = module.run_passes(passes, &target.machine, pipeline) {
        panic!("LLVM has the pipeline {passes}: {message}");
    }
    let is_optimised = options.opt_level != OptLevel::O0;
    if inline_offered(&module) | (is_optimised && inline_late(&module)) {
        let passes = "always-inline,globaldce";
        if let Err(message) =
            module.run_passes(passes, &target.machine, PassBuilderOptions::create())
        {
            panic!("LLVM has the passes {passes}: {message}");
        }
    }
    if options.remarks {
        remarks::read(&module, &mut notes);
    }
    crate::passes::reduction_zeros::order_zeros(&module);
    crate::passes::masked_stores::keep_stores_whole(&module, target.isa);
    if is_optimised {
        crate::passes::overlapping_loads::reuse_overlapping_loads(&module, target.isa);
        crate::passes::row_addresses::hide_rows(&module, target.isa);
    }
    if let Some(sanitizer) = options.sanitizer {
        sanitise(&module, &target, sanitizer);
    }
    verify(&module);
    let optimised = module.write_bitcode_to_memory().as_slice().to_vec();
    Module { optimised, target, notes }
}

/// A module as it is.
pub(crate) fn unchanged(module: &LlvmModule<'_>, target: Target, notes: Vec<Note>) -> Module {
    let optimised = module.write_bitcode_to_memory().as_slice().to_vec();
    Module { optimised, target, notes }
}

/// Adds a sanitizer's checks to all functions, as their last pass.
fn sanitise(module: &LlvmModule<'_>, target: &Target, sanitizer: Sanitizer) {
    let (attribute, passes) = match sanitizer {
        Sanitizer::Address => ("sanitize_address", "asan"),
        Sanitizer::Thread => ("sanitize_thread", "tsan-module,function(tsan)"),
    };
    let kind = Attribute::get_named_enum_kind_id(attribute);
    let attribute = module.get_context().create_enum_attribute(kind, 0);
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        function.add_attribute(AttributeLoc::Function, attribute);
    }
    if let Err(message) = module.run_passes(passes, &target.machine, PassBuilderOptions::create()) {
        panic!("LLVM has the passes {passes}: {message}");
    }
}

fn with_module<T>(bitcode: &[u8], then: impl FnOnce(&LlvmModule<'_>) -> T) -> T {
    let context = Context::create();
    then(&parsed(bitcode, &context))
}

/// A module from its bitcode.
pub(crate) fn parsed<'ctx>(bitcode: &[u8], context: &'ctx Context) -> LlvmModule<'ctx> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "arr");
    LlvmModule::parse_bitcode_from_buffer(&buffer, context)
        .unwrap_or_else(|error| panic!("LLVM reads the bitcode that it wrote: {error}"))
}
