//! The declarations of functions that the runtime calls for slices.
//!
//! Invariant: such a function has the context, the frame of the pass, and then parameters of its own.
//!
//! ```text
//! i32 @arr.f.slice(ctx, frame, from, to, totals)
//! ```

use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{BasicValueEnum, FunctionValue};

use crate::function::function_body::Body;
use crate::unit::types::rank;

/// Declares a function that the runtime calls. It reads its second parameter only, and nothing else points to its last
/// one.
pub(in crate::loops) fn declare<'ctx>(
    body: &Body<'_, 'ctx, '_>,
    what: &str,
    params: &[BasicMetadataTypeEnum<'ctx>],
) -> FunctionValue<'ctx> {
    let unit = &*body.code.unit;
    let signature = unit.types.i32.fn_type(params, false);
    let name = format!("arr.{}.{what}", body.function.name);
    let llvm = unit.module.add_function(&name, signature, Some(Linkage::Internal));
    unit.describe(llvm);
    for name in ["noalias", "readonly", "nonnull"] {
        llvm.add_attribute(AttributeLoc::Param(1), unit.attribute(name, 0));
    }
    llvm.add_attribute(AttributeLoc::Param(rank(params) - 1), unit.attribute("noalias", 0));
    llvm
}

pub(in crate::loops) fn param(function: FunctionValue<'_>, at: u32) -> BasicValueEnum<'_> {
    function.get_nth_param(at).expect("the function has the parameter")
}
