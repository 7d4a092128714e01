//! The signatures of functions that only compiled code calls.
//!
//! Invariant: the first parameter is the context. An array is its data, its owner and its extents; a result is the
//! address of a place, behind the parameters.
//!
//! ```text
//! (x: f64, ps: [n]f64) -> i64        ⇒        fastcc i32 @f(ptr ctx, double x, ptr ps, ptr ps.owner, i64 n, ptr out)
//! ```

use arrc_fusion::cnf::Type;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::FunctionValue;

use crate::unit::types::rank;
use crate::unit::{FASTCC, Unit};

/// Declares a function that takes values of types, and gives values of types.
pub(crate) fn declare_as<'ctx>(
    unit: &Unit<'ctx, '_>,
    name: &str,
    params: &[&Type],
    results: &[&Type],
) -> FunctionValue<'ctx> {
    declare_with(unit, name, params, false, results)
}

/// The same for a function that may append to the arrays of a record.
pub(super) fn declare_with<'ctx>(
    unit: &Unit<'ctx, '_>,
    name: &str,
    params: &[&Type],
    has_record: bool,
    results: &[&Type],
) -> FunctionValue<'ctx> {
    let types = unit.types;
    let mut words: Vec<BasicMetadataTypeEnum<'ctx>> = vec![types.ptr.into()];
    for ty in params {
        match ty {
            Type::Scalar(scalar) => words.push(types.scalar(*scalar).into()),
            Type::Array { shape, .. } => {
                words.extend([BasicMetadataTypeEnum::from(types.ptr); 2]);
                words.extend(shape.iter().map(|_| BasicMetadataTypeEnum::from(types.i64)));
            }
        }
    }
    let record = rank(&words);
    words.extend(has_record.then(|| BasicMetadataTypeEnum::from(types.ptr)));
    let first_out = rank(&words);
    words.extend(results.iter().map(|_| BasicMetadataTypeEnum::from(types.ptr)));
    let signature = types.i32.fn_type(&words, false);
    let declared = unit.module.add_function(name, signature, Some(Linkage::Internal));
    declared.set_call_conventions(FASTCC);
    unit.describe(declared);
    for name in if has_record { ["noalias", "nonnull"].as_slice() } else { &[] } {
        declared.add_attribute(AttributeLoc::Param(record), unit.attribute(name, 0));
    }
    for at in first_out..rank(&words) {
        for name in ["noalias", "writeonly", "nonnull"] {
            declared.add_attribute(AttributeLoc::Param(at), unit.attribute(name, 0));
        }
    }
    declared
}

/// How many parameters of LLVM stand for a parameter of a type.
pub(super) fn words(ty: &Type) -> u32 {
    match ty {
        Type::Scalar(_) => 1,
        Type::Array { shape, .. } => 2 + rank(shape),
    }
}
