//! The limits within which operations keep a float.
//!
//! A float that becomes an integer is brought into the range of the integers first, unless the program has done that.
//!
//! Invariant: a float that has limits is not NaN.
//!
//! ```text
//! x' = min 255 x; y = max 0 x'     x': from -inf to 255; y: from 0 to 255
//! ```

use inkwell::values::{
    BasicValue, BasicValueEnum, CallSiteValue, FloatValue, InstructionOpcode, InstructionValue,
    Operand,
};

/// The most operations that are followed backwards. It bounds the time of the compiler.
const MAX_DEPTH: u32 = 6;

/// The least and the greatest value of a float.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct FloatLimits {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl FloatLimits {
    /// The limits of a scalar, or of each lane of a vector, as far as the operations that compute it tell.
    pub(super) fn of(value: BasicValueEnum<'_>) -> Option<Self> {
        Self::within(value, MAX_DEPTH)
    }

    fn within(value: BasicValueEnum<'_>, depth: u32) -> Option<Self> {
        if let Some(value) = constant(value) {
            return (!value.is_nan()).then_some(Self { low: value, high: value });
        }
        let depth = depth.checked_sub(1)?;
        let instruction = value.as_instruction_value()?;
        let operand = |at| match instruction.get_operand(at) {
            Some(Operand::Value(operand)) => Self::within(operand, depth),
            Some(Operand::Block(_)) | None => None,
        };
        if instruction.get_opcode() == InstructionOpcode::Select {
            return operand(1)
                .zip(operand(2))
                .map(|(yes, no)| Self { low: yes.low.min(no.low), high: yes.high.max(no.high) });
        }
        let name = called(instruction)?;
        if name.starts_with("llvm.minimumnum.") {
            Self::smaller(operand(0), operand(1))
        } else if name.starts_with("llvm.maximumnum.") {
            let negated = |side: Option<Self>| side.map(Self::negated);
            negated(Self::smaller(negated(operand(0)), negated(operand(1))))
        } else {
            None
        }
    }

    /// The limits of the smaller one of two floats. If one of them may be NaN, the other one is not exceeded.
    fn smaller(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let low = a.zip(b).map_or(f64::NEG_INFINITY, |(a, b)| a.low.min(b.low));
        let highs = [a, b].into_iter().flatten().map(|side| side.high);
        Some(Self { low, high: highs.reduce(f64::min)? })
    }

    fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

/// The float that a constant is, in each lane.
pub(super) fn constant(value: BasicValueEnum<'_>) -> Option<f64> {
    let number = |value: FloatValue<'_>| value.get_constant().map(|(number, _)| number);
    match value {
        BasicValueEnum::FloatValue(value) => number(value),
        BasicValueEnum::VectorValue(lanes) if lanes.is_constant_data_vector() => {
            let lane = |at| match lanes.get_element_as_constant(at) {
                BasicValueEnum::FloatValue(lane) => number(lane),
                BasicValueEnum::ArrayValue(_)
                | BasicValueEnum::IntValue(_)
                | BasicValueEnum::PointerValue(_)
                | BasicValueEnum::StructValue(_)
                | BasicValueEnum::VectorValue(_)
                | BasicValueEnum::ScalableVectorValue(_) => None,
            };
            let first = lane(0)?;
            let same = |at| lane(at) == Some(first);
            (1..lanes.get_type().get_size()).all(same).then_some(first)
        }
        BasicValueEnum::VectorValue(_)
        | BasicValueEnum::ArrayValue(_)
        | BasicValueEnum::IntValue(_)
        | BasicValueEnum::PointerValue(_)
        | BasicValueEnum::StructValue(_)
        | BasicValueEnum::ScalableVectorValue(_) => None,
    }
}

/// The name of the function that an instruction calls.
fn called(instruction: InstructionValue<'_>) -> Option<String> {
    let called = CallSiteValue::try_from(instruction).ok()?.get_called_fn_value()?;
    Some(called.get_name().to_string_lossy().into_owned())
}
