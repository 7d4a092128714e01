//! A call from outside, from beginning to end.
//!
//! Invariant: a call that has begun always ends by `arr_rt_leave`, also when something fails; this releases all that
//! the call allocated. Outputs are detached only when nothing can fail any more.
//!
//! ```text
//! read inputs; zero outputs; enter; check outputs and inputs; make these dense
//! code = @arr.f(…); copy outputs that are the caller's own memory
//! detach and write outputs; release the dense copies; leave
//! ```

use arr_abi::function::RuntimeFn;
use arr_abi::layout::ArrayField;
use arrc_fusion::cnf::{Entry, Extent, Type};
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::values::{FunctionValue, IntValue, PointerValue};

use super::check;
use super::check::{Argument, ArrayInput};
use super::signature::{Symbols, input_types, params};
use crate::code::{FunctionBuilder, OnFailure};
use crate::function::record_fields::HandedValue;
use crate::unit::types::rank;
use crate::unit::{FASTCC, Unit, built};
use crate::value::{Array, LoweredValue};

/// Defines the function that an entry's C functions call.
pub(super) fn define<'ctx>(
    unit: &mut Unit<'ctx, '_>,
    entry: &Entry,
    symbols: &Symbols,
) -> FunctionValue<'ctx> {
    let function = &unit.program.functions[entry.function];
    let signature = unit.types.i32.fn_type(&params(unit, function), false);
    let name = format!("{}.call", symbols.c);
    let defined = unit.module.add_function(&name, signature, Some(Linkage::Internal));
    defined.set_call_conventions(FASTCC);
    unit.describe(defined);
    // Else the whole program would be in the object twice.
    defined.add_attribute(AttributeLoc::Function, unit.attribute("noinline", 0));
    let call = EntryCall {
        code: FunctionBuilder::new(unit, defined, OnFailure::Leave),
        entry,
        span: function.span,
    };
    call.define();
    defined
}

/// Begins the call, or returns the code of the error that prevents it.
pub(super) fn enter(code: &FunctionBuilder<'_, '_, '_>) {
    let why = code.call_runtime(RuntimeFn::Enter, &[code.context.into()]).into_int_value();
    let [refused, entered] = ["refused", "entered"].map(|name| code.block(name));
    let ok = code.compare(IntPredicate::EQ, why, code.types.i32.const_zero());
    code.branch(ok, entered, refused);
    code.b.position_at_end(refused);
    built(code.b.build_return(Some(&why)));
    code.b.position_at_end(entered);
}

struct EntryCall<'u, 'ctx, 'p> {
    code: FunctionBuilder<'u, 'ctx, 'p>,
    entry: &'u Entry,
    span: Span,
}

impl<'ctx> EntryCall<'_, 'ctx, '_> {
    fn define(mut self) {
        let function = &self.code.unit.program.functions[self.entry.function];
        let given: Vec<_> = self.code.function.get_param_iter().skip(1).collect();
        let (outs, ins) = given.split_at(function.results.len());
        // Before outputs are zeroed: a caller may use one struct for both.
        let arguments: Vec<_> = self
            .entry
            .inputs
            .iter()
            .zip(input_types(function))
            .zip(ins)
            .map(|((name, ty), &param)| self.argument(name, ty, param))
            .collect();
        let outs: Vec<_> = outs.iter().map(|out| out.into_pointer_value()).collect();
        for (ty, &out) in function.results.iter().zip(&outs) {
            self.clear(ty, out);
        }
        enter(&self.code);
        check::outputs(&mut self.code, self.span, self.entry.outputs.iter().zip(outs.iter()));
        check::inputs(&mut self.code, self.span, function, &arguments);
        let gathered = self.code.unit.gathered(function);
        let is_gathered = function.params.iter().map(|param| gathered.contains(param));
        let args: Vec<_> = arguments
            .iter()
            .zip(is_gathered)
            .map(|(argument, gathers)| {
                if gathers { (self.strided(argument), true) } else { (self.dense(argument), false) }
            })
            .collect();
        let given = args.iter().cloned().map(|(arg, _)| HandedValue::Value(arg)).collect();
        let results = self.code.call_function(self.entry.function, given, None);
        let results = function.results.iter().zip(results).map(|(ty, result)| {
            let value = result.value(&self.code);
            self.own(ty, value)
        });
        let results: Vec<_> = results.collect();
        for ((ty, result), &out) in function.results.iter().zip(&results).zip(&outs) {
            self.give_result(ty, result, out);
        }
        for arg in &args {
            if let (LoweredValue::Array(copy), false) = arg {
                self.code.release(copy);
            }
        }
        let ok = self.code.types.i32.const_zero();
        let leave = [self.code.context.into(), ok.into()];
        let code = self.code.call_runtime(RuntimeFn::Leave, &leave);
        built(self.code.b.build_return(Some(&code)));
        self.code.finish();
    }

    fn c_type(&self, ty: &Type) -> inkwell::types::BasicTypeEnum<'ctx> {
        match ty {
            Type::Scalar(scalar) => self.code.types.memory(*scalar),
            Type::Array { shape, .. } => self.code.types.c_array(rank(shape)).into(),
        }
    }

    /// Zeros an output, unless there is no place for it.
    fn clear(&self, ty: &Type, out: PointerValue<'ctx>) {
        let code = &self.code;
        let [there, next] = ["there", "cleared"].map(|name| code.block(name));
        code.branch(built(code.b.build_is_null(out, "")), next, there);
        code.b.position_at_end(there);
        code.store(out, self.c_type(ty).const_zero());
        code.jump(next);
        code.b.position_at_end(next);
    }

    /// Reads an input.
    fn argument(
        &self,
        name: &str,
        ty: &Type,
        param: inkwell::values::BasicValueEnum<'ctx>,
    ) -> Argument<'ctx> {
        param.set_name(name);
        match ty {
            Type::Scalar(scalar) => {
                Argument::Scalar(LoweredValue::Scalar(self.code.in_register(*scalar, param)))
            }
            Type::Array { elem, shape } => {
                let place = param.into_pointer_value();
                let data = self.code.load(self.code.types.ptr, place, "data").into_pointer_value();
                Argument::Array(ArrayInput {
                    name: name.to_owned(),
                    elem: *elem,
                    extents: shape.clone(),
                    place,
                    data,
                    shape: self.load_sizes(place, shape, ArrayField::Shape),
                    stride: self.load_sizes(place, shape, ArrayField::Stride),
                })
            }
        }
    }

    fn load_sizes(
        &self,
        array: PointerValue<'ctx>,
        shape: &[Extent],
        field: ArrayField,
    ) -> Vec<IntValue<'ctx>> {
        let sizes = self.field(array, shape, field);
        let sizes = self.code.load(self.code.types.i64.array_type(rank(shape)), sizes, "");
        (0..rank(shape))
            .map(|at| built(self.code.b.build_extract_value(sizes.into_array_value(), at, "")))
            .map(inkwell::values::BasicValueEnum::into_int_value)
            .collect()
    }

    fn field(
        &self,
        array: PointerValue<'ctx>,
        shape: &[Extent],
        field: ArrayField,
    ) -> PointerValue<'ctx> {
        built(self.code.b.build_struct_gep(
            self.code.types.c_array(rank(shape)),
            array,
            field as u32,
            "",
        ))
    }

    /// An input whose elements the function gathers. In the place of an owner it has the address of its strides, which
    /// lie behind its shape. They are copied, since the caller may use one struct for the input and an output.
    fn strided(&self, argument: &Argument<'ctx>) -> LoweredValue<'ctx> {
        let ArrayInput { data, shape, stride, .. } = match argument {
            Argument::Scalar(scalar) => return scalar.clone(),
            Argument::Array(input) => input,
        };
        let code = &self.code;
        let sizes: Vec<_> = shape.iter().chain(stride).collect();
        let place = code.alloca(code.types.i64.array_type(rank(&sizes)).into(), "sizes");
        for (at, &size) in (0..).zip(sizes) {
            code.store(code.element(Scalar::I64, place, code.size(at)), size);
        }
        let owner = code.element(Scalar::I64, place, code.size(u64::from(rank(shape))));
        LoweredValue::Array(Array { data: *data, owner, shape: shape.clone() })
    }

    /// An input in the form that our functions take, which is dense. A copy belongs to the call; an array that is not
    /// copied belongs to the caller.
    fn dense(&self, argument: &Argument<'ctx>) -> LoweredValue<'ctx> {
        let input = match argument {
            Argument::Scalar(scalar) => return scalar.clone(),
            Argument::Array(input) => input,
        };
        let code = &self.code;
        let [strided, next] = ["strided", "dense"].map(|name| code.block(name));
        let before = code.current_block();
        code.branch(check::is_dense(code, &input.shape, &input.stride), next, strided);
        code.b.position_at_end(strided);
        let (shape, stride) = (
            self.field(input.place, &input.extents, ArrayField::Shape),
            self.field(input.place, &input.extents, ArrayField::Stride),
        );
        let dimensions = code.size(u64::from(rank(&input.extents)));
        let bytes = code.size(u64::from(input.elem.bytes()));
        let args = [code.context.into(), input.data.into(), shape.into(), stride.into()];
        let args = [args.as_slice(), &[dimensions.into(), bytes.into()]].concat();
        let buffer = code.call_runtime(RuntimeFn::Dense, &args).into_pointer_value();
        code.check_buffer(buffer);
        let copied = code.elements(buffer);
        let from_copy = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let ptr = code.types.ptr;
        let [data, owner] = ["data", "owner"].map(|name| built(code.b.build_phi(ptr, name)));
        data.add_incoming(&[(&input.data, before), (&copied, from_copy)]);
        owner.add_incoming(&[(&ptr.const_null(), before), (&buffer, from_copy)]);
        let pointer =
            |phi: inkwell::values::PhiValue<'ctx>| phi.as_basic_value().into_pointer_value();
        LoweredValue::Array(Array {
            data: pointer(data),
            owner: pointer(owner),
            shape: input.shape.clone(),
        })
    }

    /// A result in memory of its own. It is copied if it has no owner, since it is in the caller's memory then.
    fn own(&mut self, ty: &Type, result: LoweredValue<'ctx>) -> LoweredValue<'ctx> {
        let (Type::Array { elem, .. }, LoweredValue::Array(array)) = (ty, &result) else {
            return result;
        };
        let site = self.code.unit.site(self.span, "a result");
        let code = &self.code;
        let [borrowed, next] = ["borrowed", "owned"].map(|name| code.block(name));
        let before = code.current_block();
        let is_borrowed = built(code.b.build_is_null(array.owner, ""));
        code.branch(is_borrowed, borrowed, next);
        code.b.position_at_end(borrowed);
        let copy = code.allocate(*elem, array.shape.clone(), site);
        code.copy_elements(*elem, array, copy.data);
        let from_copy = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let ptr = code.types.ptr;
        let [data, owner] = ["data", "owner"].map(|name| built(code.b.build_phi(ptr, name)));
        data.add_incoming(&[(&array.data, before), (&copy.data, from_copy)]);
        owner.add_incoming(&[(&array.owner, before), (&copy.owner, from_copy)]);
        let pointer =
            |phi: inkwell::values::PhiValue<'ctx>| phi.as_basic_value().into_pointer_value();
        LoweredValue::Array(Array {
            data: pointer(data),
            owner: pointer(owner),
            shape: array.shape.clone(),
        })
    }

    /// Writes a result for the caller, who owns it from now on.
    fn give_result(&self, ty: &Type, result: &LoweredValue<'ctx>, out: PointerValue<'ctx>) {
        let code = &self.code;
        match (ty, result) {
            (Type::Scalar(scalar), LoweredValue::Scalar(value)) => {
                code.store(out, code.in_memory(*scalar, *value));
            }
            (Type::Array { shape, .. }, LoweredValue::Array(array)) => {
                let (data, owner) = self.detach(ty, array);
                code.store(out, data);
                code.store(self.field(out, shape, ArrayField::Shape), code.sizes(&array.shape));
                code.store(
                    self.field(out, shape, ArrayField::Stride),
                    code.sizes(&code.strides(&array.shape)),
                );
                code.store(self.field(out, shape, ArrayField::Owner), owner);
            }
            (Type::Scalar(_) | Type::Array { .. }, _) => panic!("a result has its type, {ty:?}"),
        }
    }

    /// An array that outlives the call: its first element and its owner. The unused end of the buffer is given back if
    /// the buffer is not shared.
    fn detach(&self, ty: &Type, array: &Array<'ctx>) -> (PointerValue<'ctx>, PointerValue<'ctx>) {
        let Type::Array { elem, .. } = ty else { panic!("{ty:?} is an array's type") };
        let (code, i8) = (&self.code, self.code.types.i8);
        // The array may be a part of the elements in the buffer.
        let from = code.elements(array.owner);
        let before = built(code.b.build_ptr_diff(i8, array.data, from, "before"));
        let bytes = code.byte_count(*elem, code.count(&array.shape));
        let used = [array.owner.into(), code.add_index(before, bytes).into()];
        let owner = code.call_runtime(RuntimeFn::Detach, &used).into_pointer_value();
        (code.element(Scalar::I8, code.elements(owner), before), owner)
    }
}
