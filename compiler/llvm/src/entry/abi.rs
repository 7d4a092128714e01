//! The C functions of an entry, which pass their arguments on.
//!
//! Invariant: arguments arrive as the C compilers of the target pass them. Integers below 32 bits and
//! `bool` are not assumed to be extended: not every C compiler extends them, and to extend them again costs nothing.

use arr_abi::ErrorCode;
use arrc_fusion::cnf::{Entry, Type};
use arrc_syntax::source::Span;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::Builder;
use inkwell::module::Linkage;
use inkwell::types::{AnyType, BasicMetadataTypeEnum};
use inkwell::values::{BasicMetadataValueEnum, FunctionValue, PointerValue};

use super::call::enter;
use super::signature::{input_types, params};
use crate::code::{FunctionBuilder, OnFailure};
use crate::target::StructPassing;
use crate::unit::types::rank;
use crate::unit::{FASTCC, Unit, built};

/// `int NAME(arr_context *ctx, OUT *out…, IN in…)`. `into`: whether the caller gives the memory for arrays.
pub(super) fn define_c<'ctx>(
    unit: &mut Unit<'ctx, '_>,
    entry: &Entry,
    name: &str,
    (inner, into): (FunctionValue<'ctx>, bool),
) -> FunctionValue<'ctx> {
    let function = &unit.program.functions[entry.function];
    let signature = unit.types.i32.fn_type(&params(unit, function), false);
    let defined = unit.module.add_function(name, signature, Some(Linkage::External));
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
    let b = unit.context.create_builder();
    b.position_at_end(unit.context.append_basic_block(defined, "entry"));
    let lines = unit.begin_lines(defined, &entry.name, function.span);
    if let Some(line) = lines.and_then(|lines| unit.line(lines, function.span)) {
        b.set_current_debug_location(line);
    }
    forward(&b, (inner, into), args);
    defined
}

/// `int NAME__uniform(arr_context *ctx, void *const *outputs, const void *const *inputs)`.
pub(super) fn define_uniform<'ctx>(
    unit: &mut Unit<'ctx, '_>,
    entry: &Entry,
    name: &str,
    (inner, into): (FunctionValue<'ctx>, bool),
) -> FunctionValue<'ctx> {
    let function = &unit.program.functions[entry.function];
    let types = unit.types;
    let ptr = BasicMetadataTypeEnum::from(types.ptr);
    let signature = types.i32.fn_type(&[ptr, ptr, ptr], false);
    let defined = unit.module.add_function(name, signature, Some(Linkage::External));
    unit.describe(defined);
    let list =
        |at| defined.get_nth_param(at).expect("there are three parameters").into_pointer_value();
    let (outputs, inputs) = (list(1), list(2));
    let mut code = FunctionBuilder::new(unit, defined, OnFailure::Leave);
    code.begin_lines(name, function.span);
    let mut args: Vec<BasicMetadataValueEnum<'ctx>> = vec![code.context.into()];
    if !function.results.is_empty() {
        check_there(&mut code, function.span, "outputs", outputs);
    }
    // The called function checks that there is a place for each.
    args.extend(
        (0..)
            .zip(&function.results)
            .map(|(at, _)| BasicMetadataValueEnum::from(nth(&code, outputs, at))),
    );
    if !entry.inputs.is_empty() {
        check_there(&mut code, function.span, "inputs", inputs);
    }
    for ((at, name), ty) in (0..).zip(&entry.inputs).zip(input_types(function)) {
        let input = nth(&code, inputs, at);
        check_there(&mut code, function.span, name, input);
        args.push(match ty {
            Type::Scalar(scalar) => code.load(types.memory(*scalar), input, "").into(),
            Type::Array { .. } => input.into(),
        });
    }
    forward(&code.b, (inner, into), args);
    code.finish();
    defined
}

/// An element of a list of pointers.
fn nth<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    list: PointerValue<'ctx>,
    at: u64,
) -> PointerValue<'ctx> {
    let (ptr, index) = (code.types.ptr, code.size(at));
    // SAFETY: by contract of the C function, the list has one pointer for each component.
    let place = built(unsafe { code.b.build_in_bounds_gep(ptr, list, &[index], "") });
    code.load(ptr, place, "").into_pointer_value()
}

/// Fails if a pointer is NULL. The call has not begun yet.
fn check_there<'ctx>(
    code: &mut FunctionBuilder<'_, 'ctx, '_>,
    span: Span,
    what: &str,
    pointer: PointerValue<'ctx>,
) {
    let site = code.unit.site(span, what);
    let [missing, there] = ["missing", "there"].map(|name| code.block(name));
    code.branch(built(code.b.build_is_null(pointer, "")), missing, there);
    code.b.position_at_end(missing);
    enter(code);
    let (never, zero) = (code.types.i1.const_zero(), code.size(0));
    code.check(never, ErrorCode::Argument, site, [zero, zero]);
    code.jump(there);
    code.b.position_at_end(there);
}

/// Calls `inner`, and returns its code.
fn forward<'ctx>(
    b: &Builder<'ctx>,
    (inner, into): (FunctionValue<'ctx>, bool),
    mut args: Vec<BasicMetadataValueEnum<'ctx>>,
) {
    // The last parameter, if there is an array among the results.
    if inner.count_params() > rank(&args) {
        let flag = inner.get_type().get_context().bool_type();
        args.push(flag.const_int(u64::from(into), false).into());
    }
    let call = built(b.build_call(inner, &args, "code"));
    call.set_call_convention(FASTCC);
    let code = call.try_as_basic_value().expect_basic("an entry returns a code");
    built(b.build_return(Some(&code)));
}
