//! Calls of C functions: `external` in Arr. And traces, which are calls of the runtime with values in C's form.
//!
//! Invariant: a C function is called as the header declares it, with arrays that are dense and lent. Its results are
//! dense, and the caller owns them. LLVM knows nothing of the function's effects, so it neither moves nor merges such
//! calls.
//!
//! ```text
//! external median [n] (xs: [n]f64): f64
//! ⇒ i32 @median(ctx, ptr out, ptr byval({ptr, [1 x i64], [1 x i64], ptr}) xs)
//!   %code = call @median(…)   not 0: fail with arr_rt_external_failed(ctx, %code, site)
//! ```

use arr_abi::function::RuntimeFn;
use arr_abi::layout::ArrayField;
use arrc_fusion::cnf::{Component, External};
use arrc_syntax::ids::ExternalId;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;
use inkwell::IntPredicate;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Linkage;
use inkwell::types::{AnyType, BasicMetadataTypeEnum, BasicTypeEnum, StructType};
use inkwell::values::{
    BasicMetadataValueEnum, CallSiteValue, FunctionValue, IntValue, PointerValue,
};

use crate::code::FunctionBuilder;
use crate::target::StructPassing;
use crate::unit::types::Types;
use crate::unit::{Unit, built};
use crate::value::{Array, LoweredValue};

impl<'ctx> Types<'ctx> {
    /// The C type of a component.
    fn component(&self, component: &Component) -> BasicTypeEnum<'ctx> {
        match component.rank {
            0 => self.memory(component.elem),
            _ => self.array_of(component).into(),
        }
    }

    /// The struct of a component that is an array.
    fn array_of(&self, component: &Component) -> StructType<'ctx> {
        self.c_array(u32::try_from(component.rank).expect("arrays have few dimensions"))
    }
}

impl<'ctx> Unit<'ctx, '_> {
    /// The C function, declared when first called.
    fn external(&self, external: &External) -> FunctionValue<'ctx> {
        if let Some(declared) = self.module.get_function(&external.name) {
            return declared;
        }
        let ptr = BasicMetadataTypeEnum::from(self.types.ptr);
        let outs = external.outputs.iter().map(|_| ptr);
        let ins = external.inputs.iter().map(|input| match input.rank {
            0 => self.types.memory(input.elem).into(),
            _ => ptr,
        });
        let params: Vec<_> = std::iter::once(ptr).chain(outs).chain(ins).collect();
        let signature = self.types.i32.fn_type(&params, false);
        let declared = self.module.add_function(&external.name, signature, Some(Linkage::External));
        for (at, attribute) in self.passing(external) {
            declared.add_attribute(AttributeLoc::Param(at), attribute);
        }
        declared
    }

    /// How C passes the inputs, by their places among the parameters.
    fn passing(&self, external: &External) -> Vec<(u32, Attribute)> {
        let mut found = Vec::new();
        for (at, input) in (1 + external.outputs.len()..).zip(&external.inputs) {
            let at = u32::try_from(at).expect("functions have few parameters");
            if input.rank > 0 && self.structs == StructPassing::OnStack {
                let array = self.types.array_of(input).as_any_type_enum();
                let kind = Attribute::get_named_enum_kind_id("byval");
                found.push((at, self.context.create_type_attribute(kind, array)));
                found.push((at, self.alignment(8)));
            }
            if let (0, Some(extended)) = (input.rank, extension(input.elem)) {
                found.push((at, self.attribute(extended, 0)));
            }
        }
        found
    }
}

/// How a small integer is extended to a register. C compilers rely on the caller to do so.
fn extension(scalar: Scalar) -> Option<&'static str> {
    if scalar.is_float() || scalar.bytes() >= 4 {
        return None;
    }
    Some(if scalar.is_signed() { "signext" } else { "zeroext" })
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// Calls a C function; fails if it does.
    pub(crate) fn call_external(
        &mut self,
        id: ExternalId,
        args: &[LoweredValue<'ctx>],
        span: Span,
    ) -> Vec<LoweredValue<'ctx>> {
        let external = &self.unit.program.externals[id];
        if let Some(described) = &external.trace {
            self.trace(external, described, args, span);
            return Vec::new();
        }
        let site = self.unit.site(span, &external.name);
        let declared = self.unit.external(external);
        let outs: Vec<_> =
            external.outputs.iter().map(|output| self.place_for_output(output)).collect();
        let mut values: Vec<BasicMetadataValueEnum<'ctx>> = vec![self.context.into()];
        values.extend(outs.iter().map(|&out| BasicMetadataValueEnum::from(out)));
        for (input, arg) in external.inputs.iter().zip(args) {
            values.push(match arg {
                LoweredValue::Scalar(scalar) => self.in_memory(input.elem, *scalar).into(),
                LoweredValue::Array(array) | LoweredValue::Vector(array) => {
                    self.lend(input, array).into()
                }
            });
        }
        let call = built(self.b.build_call(declared, &values, "code"));
        self.describe_call(external, call);
        let code = call.try_as_basic_value().expect_basic("a C function returns a code");
        self.check_external(code.into_int_value(), site);
        let outputs = external.outputs.iter().zip(outs);
        outputs.map(|(output, out)| self.take(output, out, site)).collect()
    }

    /// Lets the runtime print a value.
    fn trace(
        &mut self,
        external: &External,
        described: &str,
        args: &[LoweredValue<'ctx>],
        span: Span,
    ) {
        let site = self.unit.site(span, described);
        let count = u32::try_from(args.len()).expect("a value has few components");
        let values_type = self.types.ptr.array_type(count);
        let values = self.alloca(values_type.into(), "values");
        for (at, (input, arg)) in external.inputs.iter().zip(args).enumerate() {
            let place = match arg {
                LoweredValue::Scalar(scalar) => {
                    let place = self.alloca(self.types.component(input), &input.name);
                    self.store(place, self.in_memory(input.elem, *scalar));
                    place
                }
                LoweredValue::Array(array) | LoweredValue::Vector(array) => self.lend(input, array),
            };
            let at = self.size(u64::try_from(at).expect("a value has few components"));
            // SAFETY: there is an element for each component.
            let element =
                built(unsafe { self.b.build_in_bounds_gep(self.types.ptr, values, &[at], "") });
            self.store(element, place);
        }
        self.run_runtime(RuntimeFn::Trace, &[site.into(), values.into()]);
    }

    fn describe_call(&self, external: &External, call: CallSiteValue<'ctx>) {
        for (at, attribute) in self.unit.passing(external) {
            call.add_attribute(AttributeLoc::Param(at), attribute);
        }
        for name in ["nounwind", "nobuiltin"] {
            call.add_attribute(AttributeLoc::Function, self.unit.attribute(name, 0));
        }
    }

    /// Memory for an output, zeroed.
    fn place_for_output(&self, output: &Component) -> PointerValue<'ctx> {
        let ty = self.types.component(output);
        let place = self.alloca(ty, &output.name);
        self.store(place, ty.const_zero());
        place
    }

    /// An array in C's form, which the function may read but not free.
    fn lend(&self, input: &Component, array: &Array<'ctx>) -> PointerValue<'ctx> {
        let ty = self.types.array_of(input);
        let place = self.alloca(ty.into(), &input.name);
        let field = |at: ArrayField| built(self.b.build_struct_gep(ty, place, at as u32, ""));
        self.store(place, array.data);
        self.store(field(ArrayField::Shape), self.sizes(&array.shape));
        self.store(field(ArrayField::Stride), self.sizes(&self.strides(&array.shape)));
        self.store(field(ArrayField::Owner), self.types.ptr.const_null());
        place
    }

    /// Fails unless a C function returned 0.
    fn check_external(&self, code: IntValue<'ctx>, site: PointerValue<'ctx>) {
        let (next, fail) = (self.block("ok"), self.block("fail"));
        let ok = self.compare(IntPredicate::EQ, code, self.types.i32.const_zero());
        self.branch(ok, next, fail);
        self.b.position_at_end(fail);
        let args = [self.context.into(), code.into(), site.into()];
        let code = self.call_runtime(RuntimeFn::ExternalFailed, &args).into_int_value();
        self.fail_with(code);
        self.b.position_at_end(next);
    }

    /// Takes over an output of a C function as a value of the program.
    fn take(
        &self,
        output: &Component,
        out: PointerValue<'ctx>,
        site: PointerValue<'ctx>,
    ) -> LoweredValue<'ctx> {
        if output.rank == 0 {
            return LoweredValue::Scalar(self.load_scalar(output.elem, out));
        }
        let rank = u32::try_from(output.rank).expect("arrays have few dimensions");
        let (dimensions, bytes) =
            (self.size(u64::from(rank)), self.size(u64::from(output.elem.bytes())));
        let args = [self.context.into(), out.into(), dimensions.into(), bytes.into(), site.into()];
        let code = self.call_runtime(RuntimeFn::Take, &args).into_int_value();
        self.check_code(code, None);
        let ty = self.types.array_of(output);
        let field = |at: ArrayField| built(self.b.build_struct_gep(ty, out, at as u32, ""));
        let data = self.load(self.types.ptr, out, "data").into_pointer_value();
        let owner =
            self.load(self.types.ptr, field(ArrayField::Owner), "owner").into_pointer_value();
        let sizes = self
            .load(self.types.i64.array_type(rank), field(ArrayField::Shape), "")
            .into_array_value();
        let shape = (0..rank)
            .map(|at| built(self.b.build_extract_value(sizes, at, "")).into_int_value())
            .collect();
        LoweredValue::Array(Array { data, owner, shape })
    }
}
