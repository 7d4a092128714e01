//! Corrects the last step of vectorised maxima and minima.
//!
//! LLVM vectorises a loop of `llvm.maximumnum`, which orders -0 below 0, but combines the lanes in the
//! end by `llvm.vector.reduce.fmax`, which does not. We never emit that intrinsic, so each one that is there after
//! optimisation must be replaced by `maximumnum`.
//!
//! Invariant: afterwards no such reduction of a vector of known length is left.
//!
//! ```text
//! %m = reduce.fmax <4 x double> %v   ⇒   %w = maximumnum.v2f64 (lanes 0, 1 of %v) (lanes 2, 3 of %v)
//!                                        %m = maximumnum.f64 (lane 0 of %w) (lane 1 of %w)
//! ```

use inkwell::builder::Builder;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::VectorType;
use inkwell::values::{
    BasicValue, BasicValueEnum, CallSiteValue, FloatValue, InstructionValue, Operand, VectorValue,
};

use crate::unit::built;

/// Replaces each reduction that does not order zeros.
pub(crate) fn order_zeros(module: &Module<'_>) {
    let instructions = module
        .get_functions()
        .flat_map(|function| function.get_basic_blocks())
        .flat_map(|block| block.get_instructions());
    let found: Vec<_> =
        instructions.filter_map(|instruction| Reduction::of(module, instruction)).collect();
    for reduction in found {
        reduction.replace();
    }
}

/// A reduction of a vector of known length.
struct Reduction<'m, 'ctx> {
    module: &'m Module<'ctx>,
    /// The call.
    call: InstructionValue<'ctx>,
    lanes: VectorValue<'ctx>,
    /// The operation that combines two lanes.
    combine: Intrinsic,
    b: Builder<'ctx>,
}

impl<'m, 'ctx> Reduction<'m, 'ctx> {
    fn of(module: &'m Module<'ctx>, call: InstructionValue<'ctx>) -> Option<Self> {
        let called = CallSiteValue::try_from(call).ok()?.get_called_fn_value()?;
        let name = called.get_name().to_string_lossy();
        let combine = if name.starts_with("llvm.vector.reduce.fmax.") {
            "llvm.maximumnum"
        } else if name.starts_with("llvm.vector.reduce.fmin.") {
            "llvm.minimumnum"
        } else {
            return None;
        };
        let Some(Operand::Value(BasicValueEnum::VectorValue(lanes))) = call.get_operand(0) else {
            // The processor decides the length of this vector, and its instruction orders zeros.
            return None;
        };
        let combine = Intrinsic::find(combine).expect("LLVM has the intrinsic");
        Some(Self { module, call, lanes, combine, b: module.get_context().create_builder() })
    }

    fn replace(&self) {
        self.b.position_before(&self.call);
        let result = self.all(self.lanes).as_instruction_value().expect("a call is an instruction");
        self.call.replace_all_uses_with(&result);
        self.call.erase_from_basic_block();
    }

    /// All lanes combined: by halves while their number is even, then one by one.
    fn all(&self, lanes: VectorValue<'ctx>) -> FloatValue<'ctx> {
        let count = lanes.get_type().get_size();
        if count > 2 && count.is_multiple_of(2) {
            let [low, high] = [0, count / 2].map(|from| self.part(lanes, from, count / 2));
            return self.all(self.two(low.into(), high.into()).into_vector_value());
        }
        let index = |at: u32| self.module.get_context().i32_type().const_int(u64::from(at), false);
        let lane = |at| built(self.b.build_extract_element(lanes, index(at), ""));
        (1..count).map(lane).fold(lane(0), |all, lane| self.two(all, lane)).into_float_value()
    }

    /// `count` lanes from `from`.
    fn part(&self, lanes: VectorValue<'ctx>, from: u32, count: u32) -> VectorValue<'ctx> {
        let i32 = self.module.get_context().i32_type();
        let mask: Vec<_> =
            (from..from + count).map(|at| i32.const_int(u64::from(at), false)).collect();
        let mask = VectorType::const_vector(&mask);
        built(self.b.build_shuffle_vector(lanes, lanes.get_type().get_poison(), mask, ""))
    }

    fn two(&self, a: BasicValueEnum<'ctx>, b: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        let combine = self.combine.get_declaration(self.module, &[a.get_type()]);
        let combine = combine.expect("it is defined on floats and vectors of them");
        let call = built(self.b.build_call(combine, &[a.into(), b.into()], ""));
        call.try_as_basic_value().expect_basic("it returns a value")
    }
}
