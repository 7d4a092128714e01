//! One program for several processors: its functions once for each level of x86-64, and entries that choose.
//!
//! Invariant: each function that the outside calls runs the code of the highest level in the program that the processor has, or
//! of the lowest level. The levels share no functions: a function is inlined into functions of its own level only.
//!
//! ```text
//! dot(ctx, …):   %level = call @arr_rt.level()     which asks the processor at the first call
//!                %level >= 4 ? musttail arr_v4_dot(ctx, …) : %level >= 3 ? musttail arr_v3_dot(ctx, …) : musttail arr_v1_dot(ctx, …)
//! ```

use std::thread;

use arr_abi::function::RuntimeFn;
use arrc_loops::concrete::Program;
use arrc_syntax::source::Sources;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMTailCallKind;
use inkwell::module::{Linkage, Module as LlvmModule};
use inkwell::values::{BasicMetadataValueEnum, FunctionValue, IntValue};
use inkwell::{AtomicOrdering, IntPredicate};

use crate::emit::{self, Module, parsed};
use crate::entry;
use crate::error::Error;
use crate::note::Note;
use crate::options::{Cpu, Names, Options};
use crate::target::Target;
use crate::unit::{UNWIND_TABLES, built};

/// A level of x86-64, from 1 to 4. The number is that of `arr_rt_cpu_level`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Level(u8);

impl Level {
    fn new(name: &str) -> Result<Self, Error> {
        let all = (1..=4).map(Self);
        all.into_iter()
            .find(|level| level.cpu() == name)
            .ok_or_else(|| Error::NoLevel { cpu: name.to_owned() })
    }

    /// LLVM's name of the processor.
    fn cpu(self) -> String {
        match self.0 {
            1 => "x86-64".to_owned(),
            level => format!("x86-64-v{level}"),
        }
    }

    /// What the names of its functions begin with.
    fn before(self, names: &Names) -> String {
        format!("{}arr_v{}_", names.before(), self.0)
    }
}

/// Compiles a program for each of some levels.
pub(crate) fn compile(
    program: &Program,
    sources: &Sources,
    options: &Options,
    levels: &[String],
) -> Result<Module, Error> {
    let mut levels = levels.iter().map(|name| Level::new(name)).collect::<Result<Vec<_>, _>>()?;
    levels.sort_unstable();
    levels.dedup();
    let public: Vec<_> = entry::symbols(program, &options.names)?
        .into_iter()
        .flat_map(entry::Symbols::all)
        .collect();
    let target = Target::new(&of_level(levels[0], options))?;
    let (parts, mut notes): (Vec<_>, Vec<_>) =
        compile_all(program, sources, options, &levels).into_iter().unzip();
    let context = Context::create();
    let mut modules = parts.iter().map(|part| parsed(part, &context));
    let module = modules.next().expect("there is a level");
    for other in modules {
        module.link_in_module(other).unwrap_or_else(|error| {
            panic!("modules of one program have no names in common: {error}");
        });
    }
    let choice = Choice { context: &context, module: &module };
    for symbol in public {
        choice.define(&symbol, &levels, &options.names);
    }
    if let Names::Both(before) = &options.names {
        module.set_inline_assembly(&entry::jumps::assembly(program, before, target.arch));
    }
    emit::verify(&module);
    // The module has the notes of the highest level.
    Ok(emit::unchanged(&module, target, notes.pop().unwrap_or_default()))
}

/// The options for one level.
fn of_level(level: Level, options: &Options) -> Options {
    let names = Names::Unique(level.before(&options.names));
    Options { cpu: Cpu::Named(level.cpu()), names, ..options.clone() }
}

/// The optimised modules of the levels, as bitcode, and how their passes were lowered. Each is compiled in a thread of its
/// own.
fn compile_all(
    program: &Program,
    sources: &Sources,
    options: &Options,
    levels: &[Level],
) -> Vec<(Vec<u8>, Vec<Note>)> {
    thread::scope(|scope| {
        let compile = |&level: &Level| {
            let options = of_level(level, options);
            let work = move || {
                let module = crate::compile(program, sources, &options);
                module.expect("the options are valid for one level").into_parts()
            };
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            thread.expect("the system gives a thread")
        };
        let threads: Vec<_> = levels.iter().map(compile).collect();
        threads.into_iter().map(|thread| thread.join().expect("a panic ends the program")).collect()
    })
}

/// The stack of a thread, as the one that the passes before have. Pages that are not used are never touched.
const STACK: usize = 1 << 28;

/// The functions that choose.
struct Choice<'a, 'ctx> {
    context: &'ctx Context,
    module: &'a LlvmModule<'ctx>,
}

impl<'ctx> Choice<'_, 'ctx> {
    /// Defines a function that calls that of a level, and hides the functions of the levels.
    fn define(&self, symbol: &str, levels: &[Level], names: &Names) {
        let plain = symbol.strip_prefix(names.before()).expect("all names have the same beginning");
        let variants = levels.iter().map(|level| {
            let name = format!("{}{plain}", level.before(names));
            let variant = self.module.get_function(&name).expect("each level has each function");
            variant.set_linkage(Linkage::Internal);
            (*level, variant)
        });
        let variants: Vec<_> = variants.collect();
        let (_, lowest) = variants[0];
        let chooser = self.module.add_function(symbol, lowest.get_type(), Some(Linkage::External));
        for (name, value) in [("nounwind", 0), ("uwtable", UNWIND_TABLES)] {
            let kind = Attribute::get_named_enum_kind_id(name);
            let attribute = self.context.create_enum_attribute(kind, value);
            chooser.add_attribute(AttributeLoc::Function, attribute);
        }
        for at in (0..chooser.count_params()).map(AttributeLoc::Param) {
            lowest.attributes(at).into_iter().for_each(|passed| chooser.add_attribute(at, passed));
        }
        let b = self.context.create_builder();
        b.position_at_end(self.context.append_basic_block(chooser, "entry"));
        let level = self.level(&b);
        for (at, variant) in variants.iter().skip(1).rev() {
            let [call, next] =
                ["call", "next"].map(|name| self.context.append_basic_block(chooser, name));
            let least = self.context.i32_type().const_int(u64::from(at.0), false);
            let has = built(b.build_int_compare(IntPredicate::UGE, level, least, ""));
            built(b.build_conditional_branch(has, call, next));
            b.position_at_end(call);
            forward(&b, chooser, *variant);
            b.position_at_end(next);
        }
        forward(&b, chooser, lowest);
    }

    /// The level of the processor, which a call finds and notes if none did before.
    fn level(&self, b: &Builder<'ctx>) -> IntValue<'ctx> {
        let find = self.finder();
        let call = built(b.build_call(find, &[], "level"));
        call.try_as_basic_value().expect_basic("the function returns a level").into_int_value()
    }

    /// The function that gives the level of the processor.
    fn finder(&self) -> FunctionValue<'ctx> {
        // Functions of the program are called `arr.NAME`.
        const NAME: &str = "arr_rt.level";
        if let Some(known) = self.module.get_function(NAME) {
            return known;
        }
        let i32 = self.context.i32_type();
        let noted = self.module.add_global(i32, None, "arr_rt.level.noted");
        noted.set_linkage(Linkage::Internal);
        noted.set_initializer(&i32.const_zero());
        let signature = i32.fn_type(&[], false);
        let ask = RuntimeFn::CpuLevel.function().name;
        let ask = self.module.add_function(ask, signature, Some(Linkage::External));
        let function = self.module.add_function(NAME, signature, Some(Linkage::Internal));
        let b = self.context.create_builder();
        let [entry, first, known] =
            ["entry", "first", "known"].map(|name| self.context.append_basic_block(function, name));
        b.position_at_end(entry);
        let place = noted.as_pointer_value();
        let level = built(b.build_load(i32, place, "level")).into_int_value();
        let load = level.as_instruction().expect("a load is an instruction");
        load.set_atomic_ordering(AtomicOrdering::Monotonic).expect("loads may be atomic");
        let is_first = built(b.build_int_compare(IntPredicate::EQ, level, i32.const_zero(), ""));
        built(b.build_conditional_branch(is_first, first, known));
        b.position_at_end(first);
        let call = built(b.build_call(ask, &[], "level"));
        let found = call.try_as_basic_value().expect_basic("the function returns a level");
        let store = built(b.build_store(place, found));
        store.set_atomic_ordering(AtomicOrdering::Monotonic).expect("stores may be atomic");
        built(b.build_return(Some(&found)));
        b.position_at_end(known);
        built(b.build_return(Some(&level)));
        function
    }
}

/// Ends a function with the call of another one, with the same arguments in their places.
fn forward<'ctx>(b: &Builder<'ctx>, from: FunctionValue<'ctx>, to: FunctionValue<'ctx>) {
    let args: Vec<_> = from.get_param_iter().map(BasicMetadataValueEnum::from).collect();
    let call = built(b.build_call(to, &args, ""));
    for at in (0..to.count_params()).map(AttributeLoc::Param) {
        to.attributes(at).into_iter().for_each(|passed| call.add_attribute(at, passed));
    }
    call.set_tail_call_kind(LLVMTailCallKind::LLVMTailCallKindMustTail);
    let code = call.try_as_basic_value().expect_basic("an entry returns a code");
    built(b.build_return(Some(&code)));
}
