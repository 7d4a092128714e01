//! Keeps stores of vectors whole.
//!
//! A loop that updates an array in place under a condition stores `if c then x else a[i]` at `a[i]`. LLVM's back end
//! makes of such a choice and store a masked store of the chosen lanes, also of a minimum of integers of 64 bits. With
//! AVX2 that takes more than ten cycles on processors of AMD, and no less than a blend and a store on others: 0.47 ns
//! an element where those take 0.16. The choice between new and old may also be a minimum, which is then one
//! instruction. So a `freeze`, which costs nothing, stands between the two. `scripts/bench distances` has such a loop.
//!
//! Invariant: values stay the same. With AVX-512, masked stores are as fast as others, and stay.
//!
//! ```text
//! %s = select <4 x i1> %c, <4 x double> %x, <4 x double> %old      %w = freeze <4 x double> %s
//! store <4 x double> %s, ptr %a                               ⇒    store <4 x double> %w, ptr %a
//! ```

use inkwell::context::ContextRef;
use inkwell::llvm_sys::core::LLVMBuildFreeze;
use inkwell::module::Module;
use inkwell::values::{
    AsValueRef, BasicValue, BasicValueEnum, CallSiteValue, InstructionOpcode, InstructionValue,
    Operand, VectorValue,
};

use crate::target::isa::Isa;

/// The intrinsics for minima and maxima of integers.
const EXTREMES: [&str; 4] = ["llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."];

/// Separates choices from the stores of their results, where a masked store is slow.
pub(crate) fn keep_stores_whole(module: &Module<'_>, isa: Isa) {
    let is_slow = match isa {
        Isa::Sse2 | Isa::Ssse3 | Isa::Avx2 => true,
        Isa::Avx512 | Isa::Neon => false,
    };
    if !is_slow {
        return;
    }
    let blocks = module.get_functions().flat_map(|function| function.get_basic_blocks());
    let stores: Vec<_> = blocks
        .flat_map(|block| block.get_instructions())
        .filter_map(|store| Some((store, updated(store)?)))
        .collect();
    for (store, chosen) in stores {
        let whole = frozen(&module.get_context(), store, chosen);
        assert!(store.set_operand(0, whole), "a store has an operand");
    }
}

/// The vector that an instruction stores, if it is a choice between elements that were read and others.
fn updated(store: InstructionValue<'_>) -> Option<VectorValue<'_>> {
    if store.get_opcode() != InstructionOpcode::Store {
        return None;
    }
    let Some(Operand::Value(BasicValueEnum::VectorValue(stored))) = store.get_operand(0) else {
        return None;
    };
    let choice = stored.as_instruction_value()?;
    let is_read = |operand| match operand {
        Operand::Value(value) => {
            let arm = value.as_instruction_value();
            arm.is_some_and(|arm| arm.get_opcode() == InstructionOpcode::Load)
        }
        Operand::Block(_) => false,
    };
    let reads = choice.get_operands().flatten().any(is_read);
    (reads && chooses(choice)).then_some(stored)
}

/// Whether each lane of an instruction's result is one of its operands' lanes.
fn chooses(instruction: InstructionValue<'_>) -> bool {
    if instruction.get_opcode() == InstructionOpcode::Select {
        return true;
    }
    let called =
        CallSiteValue::try_from(instruction).ok().and_then(|call| call.get_called_fn_value());
    called.is_some_and(|called| {
        let name = called.get_name().to_string_lossy();
        EXTREMES.iter().any(|prefix| name.starts_with(prefix))
    })
}

/// The same vector, behind an instruction that hides the choice from LLVM.
fn frozen<'ctx>(
    context: &ContextRef<'ctx>,
    store: InstructionValue<'ctx>,
    chosen: VectorValue<'ctx>,
) -> VectorValue<'ctx> {
    let b = context.create_builder();
    b.position_before(&store);
    // SAFETY: the builder is before an instruction that uses the vector, and `freeze` of a vector is a vector.
    unsafe {
        VectorValue::new(LLVMBuildFreeze(b.as_mut_ptr(), chosen.as_value_ref(), c"whole".as_ptr()))
    }
}
