//! The two C functions of an entry, which pass on what they get.
//!
//! Invariant: arguments arrive as the C compilers of the target pass them. Integers below 32 bits and
//! `bool` are taken without saying that they were extended: not every C compiler does that, and to
//! extend them once more costs nothing.

use arrc_core::ir::cnf::{Entry, Type};
use arrc_core::ir::procedure::concrete::Function;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Linkage;
use inkwell::types::{AnyType, BasicMetadataTypeEnum};
use inkwell::values::{BasicMetadataValueEnum, FunctionValue, PointerValue};

use super::{Symbols, input_types};
use crate::target::StructPassing;
use crate::types::rank;
use crate::unit::{FASTCC, Unit, built};

/// The signature of the function that both call: arrays by pointer, scalars by value as in memory.
pub(super) fn params<'ctx>(
    unit: &Unit<'ctx, '_>,
    function: &Function,
) -> Vec<BasicMetadataTypeEnum<'ctx>> {
    let ptr = unit.types.ptr;
    let outs = function.results.iter().map(|_| ptr.into());
    let ins = input_types(function).map(|ty| match ty {
        Type::Scalar(scalar) => unit.types.memory(*scalar).into(),
        Type::Array { .. } => ptr.into(),
    });
    std::iter::once(ptr.into()).chain(outs).chain(ins).collect()
}

/// `int NAME(arr_context *ctx, OUT *out…, IN in…)`.
pub(super) fn define_c<'ctx>(
    unit: &mut Unit<'ctx, '_>,
    entry: &Entry,
    symbols: &Symbols,
    inner: FunctionValue<'ctx>,
) {
    let function = &unit.program.functions[entry.function];
    let signature = unit.types.i32.fn_type(&params(unit, function), false);
    let defined = unit.module.add_function(&symbols.c, signature, Some(Linkage::External));
    unit.describe(defined);
    for (at, ty) in (1 + rank(&function.results)..).zip(input_types(function)) {
        if let (Type::Array { shape, .. }, StructPassing::OnStack) = (ty, unit.structs) {
            let array = unit.types.c_array(rank(shape)).as_any_type_enum();
            let kind = Attribute::get_named_enum_kind_id("byval");
            let byval = unit.context.create_type_attribute(kind, array);
            defined.add_attribute(AttributeLoc::Param(at), byval);
            defined.add_attribute(AttributeLoc::Param(at), unit.alignment(8));
        }
    }
    let args: Vec<_> = defined.get_param_iter().map(BasicMetadataValueEnum::from).collect();
    forward(unit, defined, inner, |_| args);
}

/// `int NAME__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs)`.
pub(super) fn define_uniform<'ctx>(
    unit: &mut Unit<'ctx, '_>,
    entry: &Entry,
    symbols: &Symbols,
    inner: FunctionValue<'ctx>,
) {
    let function = &unit.program.functions[entry.function];
    let types = unit.types;
    let ptr = BasicMetadataTypeEnum::from(types.ptr);
    let signature = types.i32.fn_type(&[ptr, ptr, ptr], false);
    let defined = unit.module.add_function(&symbols.uniform, signature, Some(Linkage::External));
    unit.describe(defined);
    let param =
        |at| defined.get_nth_param(at).expect("there are three parameters").into_pointer_value();
    forward(unit, defined, inner, |b| {
        let nth = |list: PointerValue<'ctx>, at: u64| {
            let index = types.i64.const_int(at, false);
            // SAFETY: by contract of the C function, the list has one pointer for each component.
            let place = built(unsafe { b.build_in_bounds_gep(types.ptr, list, &[index], "") });
            built(b.build_load(types.ptr, place, "")).into_pointer_value()
        };
        let mut args: Vec<BasicMetadataValueEnum<'ctx>> = vec![param(0).into()];
        args.extend(
            (0..)
                .zip(&function.results)
                .map(|(at, _)| BasicMetadataValueEnum::from(nth(param(1), at))),
        );
        for (at, ty) in (0..).zip(input_types(function)) {
            let input = nth(param(2), at);
            args.push(match ty {
                Type::Scalar(scalar) => {
                    built(b.build_load(types.memory(*scalar), input, "")).into()
                }
                Type::Array { .. } => input.into(),
            });
        }
        args
    });
}

/// Makes `defined` call `inner` with what `args` makes, and return its code.
fn forward<'ctx>(
    unit: &Unit<'ctx, '_>,
    defined: FunctionValue<'ctx>,
    inner: FunctionValue<'ctx>,
    args: impl FnOnce(&inkwell::builder::Builder<'ctx>) -> Vec<BasicMetadataValueEnum<'ctx>>,
) {
    let b = unit.context.create_builder();
    b.position_at_end(unit.context.append_basic_block(defined, "entry"));
    let args = args(&b);
    let call = built(b.build_call(inner, &args, "code"));
    call.set_call_convention(FASTCC);
    let code = call.try_as_basic_value().expect_basic("an entry returns a code");
    built(b.build_return(Some(&code)));
}
