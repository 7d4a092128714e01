//! The LLVM module under construction, and the state that all of its functions share.
//!
//! Invariant: globals that are made on demand (strings, sites, helpers) are made in the order of first use, so
//! the module's text depends on the program alone.

pub(crate) mod lines;
mod place;
mod runtime;
mod site;
pub(crate) mod types;
pub(crate) mod variables;

use std::collections::BTreeMap;

use arrc_loops::concrete::{self, Destination};
use arrc_syntax::ids::{FuncId, PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::Sources;
use elsa::FrozenVec;
use inkwell::attributes::AttributeLoc;
use inkwell::builder::BuilderError;
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{FunctionValue, PointerValue};

use self::place::ErrorPlace;
use crate::function::aliasing::ArrayNames;
use crate::note::Note;
use crate::target::isa::Isa;
use crate::target::{StructPassing, Target};
use crate::unit::lines::Lines;
use crate::unit::types::Types;

/// LLVM's number for the calling convention of functions that only compiled code calls.
pub(crate) const FASTCC: u32 = 8;

/// Tables of frames that are right at each instruction.
pub(crate) const UNWIND_TABLES: u64 = 2;

/// The types of the combined values, and the operations.
pub(crate) type Operations = Vec<(Scalar, BinOp)>;

/// A module under construction.
pub(crate) struct Unit<'ctx, 'p> {
    /// LLVM's context.
    pub(crate) context: &'ctx Context,
    /// LLVM's module.
    pub(crate) module: Module<'ctx>,
    /// The program.
    pub(crate) program: &'p concrete::Program,
    /// The passes that lowering derived from those of the program.
    pub(crate) made: &'p FrozenVec<Box<concrete::Procedure>>,
    /// Where errors point to.
    pub(crate) sources: &'p Sources,
    /// The types.
    pub(crate) types: Types<'ctx>,
    /// How C passes structs.
    pub(crate) structs: StructPassing,
    /// The functions, declared before the first is defined.
    pub(crate) functions: PrimaryMap<FuncId, FunctionValue<'ctx>>,
    /// The parameters of entries' functions whose arguments may have strides, by the functions' names.
    gathered: BTreeMap<Name, Vec<VarId>>,
    /// The arrays of entries' functions that may have the memory of a result, by the functions' names.
    destinations: BTreeMap<Name, Vec<Destination>>,
    /// Constants for the runtime.
    pub(crate) sites: BTreeMap<ErrorPlace, PointerValue<'ctx>>,
    /// Texts for the runtime.
    pub(crate) strings: BTreeMap<String, PointerValue<'ctx>>,
    /// The functions that combine accumulators of blocks by operations alone.
    pub(crate) joins: BTreeMap<Operations, FunctionValue<'ctx>>,
    /// The functions that fill and merge arrays of threads.
    pub(crate) bins: BTreeMap<Operations, [FunctionValue<'ctx>; 2]>,
    /// The functions that make listed changes of bins.
    pub(crate) makes: BTreeMap<(Scalar, BinOp), FunctionValue<'ctx>>,
    /// How many passes have been lowered: names their alias scopes.
    pub(crate) passes: u32,
    /// For each function with vectors in the memory of arrays: the names of arrays, each with the array or name that it
    /// comes from.
    pub(crate) names: BTreeMap<Name, ArrayNames>,
    /// The vector instructions of the processor.
    pub(crate) isa: Isa,
    /// Whether passes run in vectors of ours.
    pub(crate) vectors: bool,
    /// The assumed size of the last cache, in bytes.
    pub(crate) cache: u64,
    /// Whether loops are marked with the numbers of their notes.
    pub(crate) remarks: bool,
    /// How each pass was lowered.
    pub(crate) notes: Vec<Note>,
    /// The lines of the source, if the code has them.
    pub(crate) lines: Option<Lines<'ctx>>,
    cpu: String,
    features: String,
}

impl<'ctx, 'p> Unit<'ctx, 'p> {
    /// The parameters of a function whose arguments may have strides.
    pub(crate) fn gathered(&self, function: &concrete::Function) -> &[VarId] {
        self.gathered.get(&function.name).map_or(&[], Vec::as_slice)
    }

    /// The arrays of a function that may have the memory of a result.
    pub(crate) fn destinations(&self, function: &concrete::Function) -> &[Destination] {
        self.destinations.get(&function.name).map_or(&[], Vec::as_slice)
    }

    /// An empty module.
    pub(crate) fn new(
        context: &'ctx Context,
        (program, made): (&'p concrete::Program, &'p FrozenVec<Box<concrete::Procedure>>),
        sources: &'p Sources,
        target: &Target,
    ) -> Self {
        let module = context.create_module("arr");
        module.set_triple(&target.machine.get_triple());
        module.set_data_layout(&target.machine.get_target_data().get_data_layout());
        let gathered = program.gathered().into_iter();
        let gathered = gathered.map(|(id, params)| (program.functions[id].name.clone(), params));
        let destinations = program
            .destinations()
            .into_iter()
            .map(|(id, arrays)| (program.functions[id].name.clone(), arrays.into_iter().collect()));
        Self {
            context,
            module,
            program,
            made,
            sources,
            gathered: gathered.collect(),
            destinations: destinations.collect(),
            types: Types::new(context),
            structs: target.structs,
            functions: PrimaryMap::new(),
            sites: BTreeMap::new(),
            strings: BTreeMap::new(),
            joins: BTreeMap::new(),
            bins: BTreeMap::new(),
            makes: BTreeMap::new(),
            passes: 0,
            names: BTreeMap::new(),
            isa: target.isa,
            vectors: target.vectors,
            cache: target.cache,
            remarks: false,
            notes: Vec::new(),
            lines: None,
            cpu: target.cpu.clone(),
            features: target.features.clone(),
        }
    }

    /// Adds lines of the source to the functions that follow.
    pub(crate) fn add_lines(&mut self, is_optimised: bool) {
        let functions = self.program.entries.iter().map(|entry| entry.function);
        let files = functions.map(|id| self.program.functions[id].span.file);
        let path =
            files.map(|file| self.sources.get(file).path.as_str()).next().unwrap_or_default();
        let (file, folder) = lines::split(path);
        self.lines = Some(Lines::new(&self.module, (&file, &folder), is_optimised));
    }

    /// Adds the attributes that all functions of ours have.
    pub(crate) fn describe(&self, function: FunctionValue<'ctx>) {
        function.add_attribute(AttributeLoc::Function, self.attribute("nounwind", 0));
        // Debuggers and profilers walk the frames of calls by tables.
        function.add_attribute(AttributeLoc::Function, self.attribute("uwtable", UNWIND_TABLES));
        for (key, value) in [("target-cpu", &self.cpu), ("target-features", &self.features)] {
            if !value.is_empty() {
                let attribute = self.context.create_string_attribute(key, value);
                function.add_attribute(AttributeLoc::Function, attribute);
            }
        }
    }

    /// The declaration of an intrinsic, overloaded on `types`.
    pub(crate) fn intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'ctx>],
    ) -> FunctionValue<'ctx> {
        Intrinsic::find(name)
            .and_then(|intrinsic| intrinsic.get_declaration(&self.module, types))
            .unwrap_or_else(|| panic!("LLVM has the intrinsic {name}"))
    }
}

/// Unwraps an instruction. Builders fail only without a position, and ours always have one.
pub(crate) fn built<T>(result: Result<T, BuilderError>) -> T {
    result.unwrap_or_else(|error| panic!("instructions are well-formed and have a place: {error}"))
}
