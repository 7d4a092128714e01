//! Which vector instructions the machine has.
//!
//! A processor's name and a list of features imply more features, according to LLVM's tables. LLVM's C interface does
//! not expose these tables, but its inliner uses them: it inlines a function into another one only if it needs no
//! feature that the other lacks. So we let a function without a feature call one that needs it. If the call is inlined,
//! the machine has the feature.
//!
//! Invariant: [`Isa`] names only instructions that every processor compiled for has.
//!
//! ```text
//! skylake-avx512   has avx512f, avx512dq, avx512vl   ⇒   Avx512        znver1   has avx2   ⇒   Avx2
//! ```

use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::module::Linkage;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;

/// A set of vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Isa {
    /// 16 bytes, without a permutation by a table.
    Sse2,
    /// 16 bytes.
    Ssse3,
    /// 32 bytes.
    Avx2,
    /// 64 bytes, and compaction in one instruction: AVX512F with DQ and VL.
    Avx512,
    /// 16 bytes, on ARM.
    Neon,
}

impl Isa {
    /// The instructions of a 64-bit x86 processor, by its name and additional features.
    pub(crate) fn of_x86(machine: &TargetMachine, cpu: &str, features: &str) -> Self {
        let sets = [
            (Self::Avx512, "+avx512f,+avx512dq,+avx512vl"),
            (Self::Avx2, "+avx2"),
            (Self::Ssse3, "+ssse3"),
        ];
        let has = |(_, more): &(Self, &str)| implies(machine, cpu, features, more);
        sets.into_iter().find(has).map_or(Self::Sse2, |(isa, _)| isa)
    }

    /// Bytes in a vector register.
    pub(crate) fn register(self) -> u32 {
        match self {
            Self::Sse2 | Self::Ssse3 | Self::Neon => 16,
            Self::Avx2 => 32,
            Self::Avx512 => 64,
        }
    }

    /// How many rows of two vectors are accumulators at once. They take at most half of the registers.
    /// `scripts/bench product_f64` shows the effect of another number. Not measured by itself.
    pub(crate) fn tile_rows(self) -> u32 {
        match self {
            Self::Sse2 | Self::Ssse3 | Self::Avx2 => 4,
            Self::Avx512 | Self::Neon => 8,
        }
    }

    /// Whether stores of whole vectors can go past the caches. On ARM that is a hint that processors
    /// ignore.
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

    /// Whether the arithmetic shift of vectors of 64-bit integers by a constant is an instruction, or a few.
    pub(crate) fn shifts_wide_by_constants(self) -> bool {
        match self {
            Self::Sse2 | Self::Ssse3 | Self::Neon => false,
            Self::Avx2 | Self::Avx512 => true,
        }
    }

    /// Whether a product of vectors of 64-bit integers, and their arithmetic shift, is an instruction.
    pub(crate) fn multiplies_wide(self) -> bool {
        match self {
            Self::Sse2 | Self::Ssse3 | Self::Avx2 | Self::Neon => false,
            Self::Avx512 => true,
        }
    }

    /// Whether vectors of doubles become 64-bit integers, and the reverse, by their 32-bit halves. The processor has an
    /// instruction that rounds vectors, and none that converts 64 bits.
    pub(crate) fn converts_by_halves(self) -> bool {
        match self {
            Self::Sse2 | Self::Ssse3 | Self::Avx512 | Self::Neon => false,
            Self::Avx2 => true,
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

/// Whether a processor with these features also has others, since LLVM treats both as the same set.
fn implies(machine: &TargetMachine, cpu: &str, features: &str, more: &str) -> bool {
    const OURS: &str = "LLVM takes a module of two functions";
    let context = Context::create();
    let module = context.create_module("features");
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let b = context.create_builder();
    let function = |name, linkage, features: &str| {
        let ty = context.void_type().fn_type(&[], false);
        let function = module.add_function(name, ty, Some(linkage));
        for (key, value) in [("target-cpu", cpu), ("target-features", features)] {
            let attribute = context.create_string_attribute(key, value);
            function.add_attribute(AttributeLoc::Function, attribute);
        }
        b.position_at_end(context.append_basic_block(function, ""));
        function
    };
    let all = [features, more].into_iter().filter(|list| !list.is_empty()).collect::<Vec<_>>();
    let needs = function("needs", Linkage::Internal, &all.join(","));
    b.build_return(None).expect(OURS);
    let has = function("has", Linkage::External, features);
    b.build_call(needs, &[], "").expect(OURS);
    b.build_return(None).expect(OURS);
    module.run_passes("inline", machine, PassBuilderOptions::create()).expect(OURS);
    let first = has.get_first_basic_block().and_then(|block| block.get_first_instruction());
    first.expect(OURS).get_next_instruction().is_none()
}
