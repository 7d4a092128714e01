//! Flags of float arithmetic: which operations LLVM may reassociate, and which products it may fuse with an addition.
//!
//! Invariant: an operation without flags has the bits that IEEE 754 prescribes.
//!
//! ```text
//! s + a * b        contract: fma(a, b, s) is allowed
//! ```

use inkwell::values::{BasicValue, BasicValueEnum, FastMathFlags};

/// Lets LLVM reassociate a sum or product and, if `contracts` says so, contract a product and the addition to a fused
/// multiply-add. NaN, infinities and the signs of zeros are those of the order that LLVM chooses.
pub(crate) fn reassociate(value: BasicValueEnum<'_>, contracts: bool) {
    let reassociates = FastMathFlags::AllowReassoc;
    set(value, if contracts { reassociates | FastMathFlags::AllowContract } else { reassociates });
}

/// Lets LLVM fuse a product with the addition that uses it, without rounding the product, if that sum may be
/// reassociated.
pub(crate) fn contract(value: BasicValueEnum<'_>) {
    set(value, FastMathFlags::AllowContract);
}

fn set(value: BasicValueEnum<'_>, flags: FastMathFlags) {
    // A constant has been folded.
    if let Some(instruction) = value.as_instruction_value() {
        instruction.set_fast_math_flags(flags).expect("float arithmetic has the flags");
    }
}
