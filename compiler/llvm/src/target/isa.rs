//! Which vector instructions the machine has.
//!
//! LLVM's interface for other languages does not tell: a processor's name and a list of features imply
//! more features. So it is asked in a way that cannot disagree with it: by what it makes of four small
//! functions.
//!
//! Invariant: [`Isa`] names only instructions that every processor compiled for has.
//!
//! ```text
//! compress <16 x i32>   ⇒ vpcompressd zmm   AVX-512, if also
//! mul <8 x i64>         ⇒ vpmullq zmm
//! add <8 x i32>         ⇒ … ymm             AVX2
//! shuffle <16 x i8>     ⇒ pshufb            SSSE3
//! ```

use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::targets::{FileType, TargetMachine};
use inkwell::types::{BasicTypeEnum, VectorType};
use inkwell::values::BasicMetadataValueEnum;

use crate::unit::built;

/// A set of vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Isa {
    /// 16 bytes, without a permutation by a table.
    Sse2,
    /// 16 bytes.
    Ssse3,
    /// 32 bytes.
    Avx2,
    /// 64 bytes, and compaction in one instruction: AVX512F with DQ.
    Avx512,
    /// 16 bytes, on ARM.
    Neon,
}

impl Isa {
    /// What a 64-bit x86 processor has.
    pub(crate) fn of_x86(machine: &TargetMachine) -> Self {
        let assembly = probe(machine);
        let has = |words: &[&str]| {
            assembly.lines().any(|line| words.iter().all(|word| line.contains(word)))
        };
        if has(&["vpcompressd", "zmm"]) && has(&["vpmullq", "zmm"]) {
            Self::Avx512
        } else if has(&["vpaddd", "ymm"]) {
            Self::Avx2
        } else if has(&["pshufb", "xmm"]) {
            Self::Ssse3
        } else {
            Self::Sse2
        }
    }

    /// Bytes in a vector register.
    pub(crate) fn register(self) -> u32 {
        match self {
            Self::Sse2 | Self::Ssse3 | Self::Neon => 16,
            Self::Avx2 => 32,
            Self::Avx512 => 64,
        }
    }

    /// Whether stores of whole vectors can go past the caches. On ARM that is a hint of which processors
    /// make nothing.
    pub(crate) fn streams(self) -> bool {
        match self {
            Self::Sse2 | Self::Ssse3 | Self::Avx2 | Self::Avx512 => true,
            Self::Neon => false,
        }
    }

    /// Whether comparing a vector of indices with a length is an instruction, or two.
    pub(crate) fn compares_indices(self) -> bool {
        match self {
            Self::Sse2 | Self::Ssse3 => false,
            Self::Avx2 | Self::Avx512 | Self::Neon => true,
        }
    }

    /// Whether rounding a vector of floats is an instruction.
    pub(crate) fn rounds(self) -> bool {
        match self {
            Self::Sse2 | Self::Ssse3 => false,
            Self::Avx2 | Self::Avx512 | Self::Neon => true,
        }
    }
}

/// The assembly of the four functions.
fn probe(machine: &TargetMachine) -> String {
    let context = Context::create();
    let module = context.create_module("probe");
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    compress(&context, &module);
    multiply(&context, &module);
    add(&context, &module);
    shuffle(&context, &module);
    let assembly = machine.write_to_memory_buffer(&module, FileType::Assembly);
    let assembly = assembly.unwrap_or_else(|error| panic!("the machine emits assembly: {error}"));
    String::from_utf8_lossy(assembly.as_slice()).into_owned()
}

fn compress<'ctx>(context: &'ctx Context, module: &Module<'ctx>) {
    let lanes = context.i32_type().vec_type(16);
    let intrinsic = Intrinsic::find("llvm.experimental.vector.compress")
        .and_then(|intrinsic| intrinsic.get_declaration(module, &[lanes.into()]))
        .expect("LLVM has the intrinsic");
    define(context, module, ("compress", lanes), &[context.bool_type().vec_type(16)], |b, args| {
        let args: Vec<BasicMetadataValueEnum<'ctx>> =
            [args[0], args[1], lanes.get_poison()].map(Into::into).to_vec();
        let call = built(b.build_call(intrinsic, &args, ""));
        call.try_as_basic_value().expect_basic("a vector").into_vector_value()
    });
}

fn multiply<'ctx>(context: &'ctx Context, module: &Module<'ctx>) {
    let lanes = context.i64_type().vec_type(8);
    define(context, module, ("multiply", lanes), &[lanes], |b, args| {
        built(b.build_int_mul(args[0], args[1], ""))
    });
}

fn add<'ctx>(context: &'ctx Context, module: &Module<'ctx>) {
    let lanes = context.i32_type().vec_type(8);
    define(context, module, ("add", lanes), &[lanes], |b, args| {
        built(b.build_int_add(args[0], args[1], ""))
    });
}

fn shuffle<'ctx>(context: &'ctx Context, module: &Module<'ctx>) {
    let lanes = context.i8_type().vec_type(16);
    define(context, module, ("shuffle", lanes), &[], |b, args| {
        let order = [3, 14, 7, 0, 9, 1, 12, 5, 8, 15, 2, 11, 4, 13, 6, 10];
        let order = order.map(|at| context.i32_type().const_int(at, false));
        let order = VectorType::const_vector(&order);
        built(b.build_shuffle_vector(args[0], lanes.get_poison(), order, ""))
    });
}

/// A function from one vector, and others, to one like the first.
fn define<'ctx>(
    context: &'ctx Context,
    module: &Module<'ctx>,
    (name, lanes): (&str, VectorType<'ctx>),
    others: &[VectorType<'ctx>],
    body: impl FnOnce(
        &inkwell::builder::Builder<'ctx>,
        &[inkwell::values::VectorValue<'ctx>],
    ) -> inkwell::values::VectorValue<'ctx>,
) {
    let params: Vec<_> =
        [lanes].iter().chain(others).map(|&ty| BasicTypeEnum::from(ty).into()).collect();
    let function = module.add_function(name, lanes.fn_type(&params, false), None);
    let b = context.create_builder();
    b.position_at_end(context.append_basic_block(function, ""));
    let args: Vec<_> = function.get_param_iter().map(|param| param.into_vector_value()).collect();
    let result = body(&b, &args);
    built(b.build_return(Some(&result)));
}
