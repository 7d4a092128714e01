//! Compaction: the kept elements of a guard are moved together.
//!
//! The store that follows writes a whole vector. The lanes behind the kept elements are overwritten by the next store,
//! or lie behind the result's end. The store is inside the memory of the vector under construction, since at most as
//! many elements were kept as steps have run.
//!
//! Invariant: kept elements stay in order. `masked.compressstore` is never used: without AVX-512 it is
//! one branch an element, and with it slow microcode.
//!
//! ```text
//! flags 0 1 1 0, elements a b c d   ⇒   entry 0b0110 of the table is 1 2 - -   ⇒   b c ? ?
//! ```

use inkwell::AddressSpace;
use inkwell::module::Linkage;
use inkwell::types::BasicType;
use inkwell::values::{BasicValue, InstructionOpcode, IntValue, PointerValue, VectorValue};

use crate::code::FunctionBuilder;
use crate::note::CompactionKind;
use crate::target::isa::Isa;
use crate::unit::{Unit, built};

/// The lanes of the vectors that are permuted two at a time.
pub(super) const LANES: u32 = 8;

/// A byte index for which both `pshufb` and `tbl` give a byte of 0.
const NO_BYTE: u8 = 0x80;

/// The units of a table's entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TableUnit {
    /// Words of 4 bytes, 8 in an entry.
    Words,
    /// Bytes, 16 in an entry.
    Bytes,
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// Moves the lanes whose flags hold to the front; `bits` are the flags as an `i64`.
    pub(super) fn kept(
        &mut self,
        isa: Isa,
        lanes: VectorValue<'ctx>,
        flags: VectorValue<'ctx>,
        bits: IntValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let ty = lanes.get_type();
        let bytes = bytes_of(lanes);
        match mover(isa, bytes) {
            CompactionKind::Compress => self.kept_by_compress(lanes, flags),
            CompactionKind::Words => {
                let words = self.types.i32.vec_type(8);
                let from = built(self.b.build_bit_cast(lanes, words, "")).into_vector_value();
                let entry = self.entry(TableUnit::Words, ty.get_size(), bytes, bits);
                let entry = built(self.b.build_load(words, entry, ""));
                let moved = self.call_intrinsic("llvm.x86.avx2.permd", &[], &[from.into(), entry]);
                built(self.b.build_bit_cast(moved, ty, "")).into_vector_value()
            }
            CompactionKind::Bytes => self.kept_by_bytes(isa, lanes, bits),
        }
    }

    fn kept_by_compress(
        &self,
        lanes: VectorValue<'ctx>,
        flags: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        use InstructionOpcode as I;
        let ty = lanes.get_type();
        let narrow = bytes_of(lanes) / ty.get_size() < 4;
        let words = self.types.i32.vec_type(ty.get_size());
        let from = if narrow {
            built(self.b.build_cast(I::ZExt, lanes, words, "")).into_vector_value()
        } else {
            lanes
        };
        // The lanes behind the kept ones may have any value. With the input as the pass-through operand, the result
        // takes the input's register. Without one, LLVM takes any register, and the instruction waits for its previous
        // value (Zen 4: 5 cycles instead of 1.3).
        let args = [from.into(), flags.into(), from.into()];
        let name = "llvm.experimental.vector.compress";
        let moved = self.call_intrinsic(name, &[from.get_type().into()], &args);
        if narrow {
            return built(self.b.build_cast(I::Trunc, moved, ty, "")).into_vector_value();
        }
        moved.into_vector_value()
    }

    /// Moves kept lanes by a permutation of at most 16 bytes.
    fn kept_by_bytes(
        &mut self,
        isa: Isa,
        lanes: VectorValue<'ctx>,
        bits: IntValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let (ty, bytes) = (lanes.get_type(), bytes_of(lanes));
        assert!(bytes <= 16, "a vector fits a register of the machine");
        let few = self.types.i8.vec_type(bytes);
        let few = built(self.b.build_bit_cast(lanes, few, "")).into_vector_value();
        // Beyond the last byte, any byte will do.
        let all = self.shuffle(few, few, (0..16).map(|at| at.min(bytes - 1)));
        let sixteen = self.types.i8.vec_type(16);
        let entry = self.entry(TableUnit::Bytes, ty.get_size(), bytes, bits);
        let entry = built(self.b.build_load(sixteen, entry, ""));
        let moved = if isa == Isa::Neon {
            let name = "llvm.aarch64.neon.tbl1";
            self.call_intrinsic(name, &[sixteen.into()], &[all.into(), entry])
        } else {
            self.call_intrinsic("llvm.x86.ssse3.pshuf.b.128", &[], &[all.into(), entry])
        };
        let moved = moved.into_vector_value();
        let few = self.shuffle(moved, moved, 0..bytes);
        built(self.b.build_bit_cast(few, ty, "")).into_vector_value()
    }

    /// The entry of a table for flags.
    fn entry(
        &mut self,
        of: TableUnit,
        lanes: u32,
        bytes: u32,
        bits: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        let table = table(self.unit, of, lanes, bytes / lanes);
        let entry = match of {
            TableUnit::Words => self.types.i32.vec_type(8),
            TableUnit::Bytes => self.types.i8.vec_type(16),
        };
        // SAFETY: the table has an entry for each value of the bits.
        built(unsafe { self.b.build_in_bounds_gep(entry, table, &[bits], "") })
    }
}

/// The instructions that compact a vector of `bytes` bytes.
pub(super) fn mover(isa: Isa, bytes: u32) -> CompactionKind {
    match isa {
        Isa::Avx512 => CompactionKind::Compress,
        Isa::Avx2 if bytes == 32 => CompactionKind::Words,
        Isa::Ssse3 | Isa::Avx2 | Isa::Neon => CompactionKind::Bytes,
        Isa::Sse2 => panic!("the plan does not ask for what the machine has not"),
    }
}

/// The size of a vector.
fn bytes_of(lanes: VectorValue<'_>) -> u32 {
    let ty = lanes.get_type();
    let elem = ty.get_element_type();
    let width = if elem.is_float_type() {
        elem.into_float_type().get_bit_width()
    } else {
        elem.into_int_type().get_bit_width()
    };
    ty.get_size() * width / 8
}

/// The table of permutations for vectors of that shape: for each set of flags, the source of each element.
fn table<'ctx>(unit: &Unit<'ctx, '_>, of: TableUnit, lanes: u32, bytes: u32) -> PointerValue<'ctx> {
    let entry = |flags: u32| match of {
        TableUnit::Words => words(flags, bytes / 4),
        TableUnit::Bytes => bytes_of_entry(flags, bytes),
    };
    let name = format!("arr.kept.{lanes}x{}", 8 * bytes);
    constant(unit, &name, || (0..1_u32 << lanes).flat_map(entry).collect())
}

/// Constant bytes, which the program contains once.
fn constant<'ctx>(
    unit: &Unit<'ctx, '_>,
    name: &str,
    bytes: impl FnOnce() -> Vec<u8>,
) -> PointerValue<'ctx> {
    if let Some(known) = unit.module.get_global(name) {
        return known.as_pointer_value();
    }
    let value = unit.context.const_string(&bytes(), false);
    let ty = value.get_type().as_basic_type_enum();
    let global = unit.module.add_global(ty, Some(AddressSpace::default()), name);
    global.set_linkage(Linkage::Private);
    global.set_constant(true);
    global.set_alignment(64);
    global.set_initializer(&value.as_basic_value_enum());
    global.as_pointer_value()
}

/// Which of two vectors is permuted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Half {
    First,
    Second,
}

/// The table of source lanes for each set of eight flags: a byte for each kept lane, and 0 behind them. The lanes of
/// the second vector are numbered behind those of the first.
pub(super) fn order<'ctx>(unit: &Unit<'ctx, '_>, half: Half) -> PointerValue<'ctx> {
    let (name, from) = match half {
        Half::First => ("arr.kept.first", 0),
        Half::Second => ("arr.kept.second", LANES),
    };
    let entry = |flags: u32| {
        let kept = (0..LANES).filter(move |lane| flags >> lane & 1 == 1);
        let places = kept.map(move |lane| u8::try_from(lane + from).expect("one of sixteen"));
        places.chain(std::iter::repeat(0)).take(LANES as usize)
    };
    constant(unit, name, || (0..1_u32 << LANES).flat_map(entry).collect())
}

/// Eight words of an entry, in memory's order. An element has `size` words.
fn words(flags: u32, size: u32) -> Vec<u8> {
    let kept = (0..8 / size).filter(|lane| flags >> lane & 1 == 1);
    let mut words: Vec<u32> = kept.flat_map(|lane| lane * size..(lane + 1) * size).collect();
    words.resize(8, 0);
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Sixteen bytes of an entry. An element has `size` bytes.
fn bytes_of_entry(flags: u32, size: u32) -> Vec<u8> {
    let kept = (0..16 / size).filter(|lane| flags >> lane & 1 == 1);
    let mut bytes: Vec<u8> = kept
        .flat_map(|lane| lane * size..(lane + 1) * size)
        .map(|byte| u8::try_from(byte).expect("one of sixteen"))
        .collect();
    bytes.resize(16, NO_BYTE);
    bytes
}
