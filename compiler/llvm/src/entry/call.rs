//! A call from outside, from beginning to end.
//!
//! Invariant: a call that has begun always ends by `arr_rt_leave`, also when something fails; this releases all that
//! the call allocated.
//!
//! ```text
//! read inputs; zero outputs; enter; check outputs and inputs; note the caller's memory for results; make inputs dense
//! code = @arr.f(…); give the results; release the dense copies; leave
//! ```

use arr_abi::function::RuntimeFn;
use arr_abi::layout::ArrayField;
use arrc_fusion::cnf::{Entry, Extent, Type};
use arrc_loops::concrete::Function;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::BasicMetadataTypeEnum;
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
    let mut params = params(unit, function);
    params.extend(symbols.into.is_some().then(|| BasicMetadataTypeEnum::from(unit.types.i1)));
    let signature = unit.types.i32.fn_type(&params, false);
    let name = format!("{}.call", symbols.c);
    let defined = unit.module.add_function(&name, signature, Some(Linkage::Internal));
    defined.set_call_conventions(FASTCC);
    unit.describe(defined);
    // Else the whole program would be in the object twice.
    defined.add_attribute(AttributeLoc::Function, unit.attribute("noinline", 0));
    let last = defined.get_last_param().filter(|_| symbols.into.is_some());
    let mut code = FunctionBuilder::new(unit, defined, OnFailure::Leave);
    code.begin_lines(&entry.name, function.span);
    let call = EntryCall {
        code,
        entry,
        span: function.span,
        into: last.map(|flag| flag.into_int_value()),
        destinations: None,
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

/// A call under construction.
pub(super) struct EntryCall<'u, 'ctx, 'p> {
    pub(super) code: FunctionBuilder<'u, 'ctx, 'p>,
    entry: &'u Entry,
    pub(super) span: Span,
    /// Whether the caller gives the memory for arrays. None if there is no array among the results.
    into: Option<IntValue<'ctx>>,
    /// The list of destinations, once it is in the frame.
    pub(super) destinations: Option<PointerValue<'ctx>>,
}

/// The place of a result.
pub(super) struct Output<'a, 'ctx> {
    /// Its name, for messages.
    pub(super) name: &'a str,
    /// Its type.
    pub(super) ty: &'a Type,
    /// Where the scalar or the struct of the array is.
    pub(super) place: PointerValue<'ctx>,
    /// Whether all extents are known before the call.
    pub(super) is_exact: bool,
}

impl<'ctx> EntryCall<'_, 'ctx, '_> {
    fn define(mut self) {
        let function = &self.code.unit.program.functions[self.entry.function];
        let given: Vec<_> = self.code.function.get_param_iter().skip(1).collect();
        let (outs, ins) = given.split_at(function.results.len());
        let outs: Vec<_> = outs.iter().map(|out| out.into_pointer_value()).collect();
        // Before outputs are zeroed: a caller may use one struct for both.
        let arguments: Vec<_> = self
            .entry
            .inputs
            .iter()
            .zip(input_types(function))
            .zip(ins)
            .map(|((name, ty), &param)| self.argument(name, ty, param))
            .collect();
        for (ty, &out) in function.results.iter().zip(&outs) {
            self.clear(ty, out);
        }
        enter(&self.code);
        check::outputs(&mut self.code, self.span, self.entry.outputs.iter().zip(outs.iter()));
        let sizes = check::inputs(&mut self.code, self.span, function, &arguments);
        let outputs = self.entry.outputs.iter().zip(&function.results).zip(&outs);
        let outputs: Vec<_> = outputs
            .map(|((name, ty), &place)| {
                let is_exact = ty.shape().iter().all(|&extent| sizes.is_known(extent));
                Output { name, ty, place, is_exact }
            })
            .collect();
        if let Some(into) = self.into {
            self.when(into, |this| this.offer_destinations(&outputs, &arguments, &sizes));
        }
        let args = self.args(function, &arguments);
        let given = args.iter().cloned().map(|(arg, _)| HandedValue::Value(arg)).collect();
        let results = self.code.call_function(self.entry.function, given, None);
        let results: Vec<_> = results.into_iter().map(|result| result.value(&self.code)).collect();
        self.give(&outputs, &results);
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

    /// The arguments of the function, each with whether its elements are gathered.
    fn args(
        &self,
        function: &Function,
        arguments: &[Argument<'ctx>],
    ) -> Vec<(LoweredValue<'ctx>, bool)> {
        let gathered = self.code.unit.gathered(function);
        let is_gathered = function.params.iter().map(|param| gathered.contains(param));
        let args = arguments.iter().zip(is_gathered).map(|(argument, gathers)| {
            (if gathers { self.strided(argument) } else { self.dense(argument) }, gathers)
        });
        args.collect()
    }

    /// Gives the results to the caller.
    fn give(&mut self, outputs: &[Output<'_, 'ctx>], results: &[LoweredValue<'ctx>]) {
        if let Some(into) = self.into {
            let [new, theirs, given] = ["new", "theirs", "given"].map(|name| self.code.block(name));
            self.code.branch(into, theirs, new);
            self.code.b.position_at_end(theirs);
            self.give_into(outputs, results);
            self.code.jump(given);
            self.code.b.position_at_end(new);
            self.give_new(outputs, results);
            self.code.jump(given);
            self.code.b.position_at_end(given);
        }
        for (output, result) in outputs.iter().zip(results) {
            if let (Type::Scalar(scalar), LoweredValue::Scalar(value)) = (output.ty, result) {
                self.code.store(output.place, self.code.in_memory(*scalar, *value));
            }
        }
    }

    /// Adds steps that run under a condition.
    pub(super) fn when(&mut self, cond: IntValue<'ctx>, add: impl FnOnce(&mut Self)) {
        let [then, next] = ["then", "next"].map(|name| self.code.block(name));
        self.code.branch(cond, then, next);
        self.code.b.position_at_end(then);
        add(self);
        self.code.jump(next);
        self.code.b.position_at_end(next);
    }

    fn c_type(&self, ty: &Type) -> inkwell::types::BasicTypeEnum<'ctx> {
        match ty {
            Type::Scalar(scalar) => self.code.types.memory(*scalar),
            Type::Array { shape, .. } => self.code.types.c_array(rank(shape)).into(),
        }
    }

    /// Zeros an output, unless there is no place for it, or its struct says where the caller's memory is.
    fn clear(&self, ty: &Type, out: PointerValue<'ctx>) {
        let code = &self.code;
        let [there, next] = ["there", "cleared"].map(|name| code.block(name));
        let mut is_kept = built(code.b.build_is_null(out, ""));
        if let (Some(into), true) = (self.into, ty.is_array()) {
            is_kept = built(code.b.build_or(is_kept, into, ""));
        }
        code.branch(is_kept, next, there);
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
            Type::Array { .. } => {
                Argument::Array(self.array_at(name, ty, param.into_pointer_value()))
            }
        }
    }

    /// Reads the struct of an array.
    pub(super) fn array_at(
        &self,
        name: &str,
        ty: &Type,
        place: PointerValue<'ctx>,
    ) -> ArrayInput<'ctx> {
        let shape = ty.shape();
        let data = self.code.load(self.code.types.ptr, place, "data").into_pointer_value();
        ArrayInput {
            name: name.to_owned(),
            elem: ty.scalars(),
            extents: shape.to_vec(),
            place,
            data,
            shape: self.load_sizes(place, shape, ArrayField::Shape),
            stride: self.load_sizes(place, shape, ArrayField::Stride),
        }
    }

    pub(super) fn load_sizes(
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

    pub(super) fn field(
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
}
