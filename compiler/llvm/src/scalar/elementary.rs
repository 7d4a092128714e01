//! Elementary functions, as functions of the module: arithmetic that [`arrc_syntax::prim::elementary`] describes.
//!
//! Invariant: no operation here has a flag that relaxes it, and the function of a vector gives in each lane what that
//! of one value gives. A function without branches is inlined before loops are vectorised. One with a branch is called.
//! LLVM knows its vector functions and calls them in loops that it vectorises; they are inlined afterwards.
//!
//! ```text
//! f64.exp x   ⇒   call double @arr.math.exp.f64(double %x)          <4 x double> @arr.math.exp.v4f64 in lanes
//! ```

use arrc_syntax::prim::elementary;
use arrc_syntax::prim::elementary::{
    Bits, Element, Elementary, Float, Machine, Number, Table, Term,
};
use arrc_syntax::prim::{BinOp, Const, Scalar};
use inkwell::attributes::AttributeLoc;
use inkwell::module::{Linkage, Module};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{
    BasicValue, BasicValueEnum, CallSiteValue, FunctionValue, InstructionOpcode as I, VectorValue,
};

use super::shaped::vector_of;
use crate::code::FunctionBuilder;
use crate::unit::{Unit, built};

/// A function that is arithmetic, of one operand or two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ElementaryFunction {
    /// Of one operand.
    Unary(Elementary),
    /// The power of an `f32`.
    Pow,
}

/// The lanes that a vector function may have.
const LANES: [u32; 6] = [2, 4, 8, 16, 32, 64];
/// The lanes that LLVM may choose.
const OFFERED: [u32; 4] = [2, 4, 8, 16];
/// The attribute that names the vector functions of a function.
const VARIANTS: &str = "vector-function-abi-variant";
/// The list of functions that stay, although nothing calls them yet.
const KEPT: &str = "llvm.compiler.used";

impl ElementaryFunction {
    fn all() -> impl Iterator<Item = Self> {
        Elementary::ALL.into_iter().map(Self::Unary).chain([Self::Pow])
    }

    fn name(self) -> &'static str {
        match self {
            Self::Unary(function) => function.name(),
            Self::Pow => "pow",
        }
    }

    fn arity(self) -> usize {
        match self {
            Self::Unary(_) => 1,
            Self::Pow => 2,
        }
    }

    fn branches(self) -> bool {
        match self {
            Self::Unary(function) => function.branches(),
            Self::Pow => false,
        }
    }

    /// The name of the function of one value, or of `lanes` values.
    fn symbol(self, ty: Scalar, lanes: Option<u32>) -> String {
        let lanes = lanes.map_or_else(String::new, |lanes| format!("v{lanes}"));
        format!("arr.math.{}.{lanes}{ty}", self.name())
    }

    /// The vector functions, as LLVM's attribute has them.
    fn variants(self, ty: Scalar) -> String {
        let one = self.symbol(ty, None);
        let many = |lanes| self.symbol(ty, Some(lanes));
        OFFERED.map(|lanes| format!("_ZGV_LLVM_N{lanes}v_{one}({})", many(lanes))).join(",")
    }

    fn declare<'ctx>(
        self,
        unit: &Unit<'ctx, '_>,
        ty: Scalar,
        lanes: Option<u32>,
    ) -> FunctionValue<'ctx> {
        let name = self.symbol(ty, lanes);
        if let Some(known) = unit.module.get_function(&name) {
            return known;
        }
        let one = unit.types.scalar(ty);
        let signature = match lanes {
            None => unit.types.float(ty).fn_type(&vec![one.into(); self.arity()], false),
            Some(lanes) => {
                let vector = vector_of(one, lanes);
                vector.fn_type(&vec![vector.into(); self.arity()], false)
            }
        };
        let function = unit.module.add_function(&name, signature, Some(Linkage::Internal));
        unit.describe(function);
        let inlined = if self.branches() { "noinline" } else { "alwaysinline" };
        for attribute in ["willreturn", "memory", inlined] {
            function.add_attribute(AttributeLoc::Function, unit.attribute(attribute, 0));
        }
        function
    }
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// A function of values, or of lanes.
    pub(super) fn elementary(
        &self,
        function: ElementaryFunction,
        ty: Scalar,
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let lanes = args[0].is_vector_value().then(|| lanes_of(args[0]).get_type().get_size());
        let call = self.call_arithmetic(function.declare(self.unit, ty, lanes), args);
        if function.branches() && lanes.is_none() && self.unit.vectors {
            // The attribute is on the call, not on the function, so that the scalar calls inside vector functions are
            // not vectorised.
            let variants =
                self.unit.context.create_string_attribute(VARIANTS, &function.variants(ty));
            call.add_attribute(AttributeLoc::Function, variants);
        }
        value_of(call)
    }

    fn call_arithmetic(
        &self,
        function: FunctionValue<'ctx>,
        args: &[BasicValueEnum<'ctx>],
    ) -> CallSiteValue<'ctx> {
        let args: Vec<_> = args.iter().map(|&arg| arg.into()).collect();
        built(self.b.build_call(function, &args, ""))
    }
}

fn value_of(call: CallSiteValue<'_>) -> BasicValueEnum<'_> {
    call.try_as_basic_value().expect_basic("a function of floats gives one")
}

fn lanes_of(value: BasicValueEnum<'_>) -> VectorValue<'_> {
    value.into_vector_value()
}

/// Defines the functions that the program uses.
pub(crate) fn define_all(unit: &mut Unit<'_, '_>) {
    let types = [Scalar::F32, Scalar::F64];
    let each =
        || ElementaryFunction::all().flat_map(move |function| types.map(|ty| (function, ty)));
    for (function, ty) in each() {
        // The vector functions of a function with a branch fall back on the function of one value.
        let used =
            |&lanes: &u32| unit.module.get_function(&function.symbol(ty, Some(lanes))).is_some();
        if function.branches() && LANES.iter().any(used) {
            function.declare(unit, ty, None);
        }
    }
    if unit.vectors {
        offer(unit, each().filter(|(function, _)| function.branches()));
    }
    for (function, ty) in each() {
        for lanes in [None].into_iter().chain(LANES.map(Some)) {
            if let Some(declared) = unit.module.get_function(&function.symbol(ty, lanes)) {
                define(unit, function, ty, declared);
            }
        }
    }
}

/// Declares the vector functions of functions that are called, and keeps them for LLVM to call.
fn offer(unit: &Unit<'_, '_>, functions: impl Iterator<Item = (ElementaryFunction, Scalar)>) {
    let mut kept = Vec::new();
    for (function, ty) in functions {
        if unit.module.get_function(&function.symbol(ty, None)).is_none() {
            continue;
        }
        kept.extend(OFFERED.map(|lanes| {
            function.declare(unit, ty, Some(lanes)).as_global_value().as_pointer_value()
        }));
    }
    if !kept.is_empty() {
        let list = unit.types.ptr.const_array(&kept);
        let global = unit.module.add_global(list.get_type(), None, KEPT);
        global.set_linkage(Linkage::Appending);
        global.set_section(Some("llvm.metadata"));
        global.set_initializer(&list);
    }
}

/// After vectorisation, inlines the vector functions that are called and drops the others. Says whether there are any.
pub(crate) fn inline_offered(module: &Module<'_>) -> bool {
    let Some(kept) = module.get_global(KEPT) else { return false };
    // SAFETY: nothing refers to the list, and it is not used afterwards.
    unsafe { kept.delete() };
    let kind = |name| inkwell::attributes::Attribute::get_named_enum_kind_id(name);
    for function in module.get_functions() {
        let name = function.get_name().to_string_lossy().into_owned();
        let is_vector = name.starts_with("arr.math.")
            && function.get_type().get_return_type().is_some_and(BasicTypeEnum::is_vector_type);
        if is_vector {
            function.remove_enum_attribute(AttributeLoc::Function, kind("noinline"));
            let inline = module.get_context().create_enum_attribute(kind("alwaysinline"), 0);
            function.add_attribute(AttributeLoc::Function, inline);
        }
    }
    true
}

fn define<'ctx>(
    unit: &mut Unit<'ctx, '_>,
    function: ElementaryFunction,
    ty: Scalar,
    of: FunctionValue<'ctx>,
) {
    let one = function.branches().then(|| function.declare(unit, ty, None));
    let code = FunctionBuilder::without_context(unit, of);
    let args: Vec<BasicValueEnum<'ctx>> = of.get_param_iter().collect();
    let lanes = LaneArithmetic { code: &code, like: args[0], one };
    let result = match (function, ty == Scalar::F32) {
        (ElementaryFunction::Unary(function), true) => {
            function.of_f32(Term::new(&lanes, args[0])).of
        }
        (ElementaryFunction::Unary(function), false) => {
            function.of_f64(Term::new(&lanes, args[0])).of
        }
        (ElementaryFunction::Pow, _) => {
            let [x, y] = [args[0], args[1]].map(|arg| Term::new(&lanes, arg));
            elementary::pow(x, y).of
        }
    };
    built(code.b.build_return(Some(&result as &dyn BasicValue<'ctx>)));
    code.finish();
}

/// The arithmetic of elementary functions, as LLVM's instructions on one value or on lanes.
struct LaneArithmetic<'c, 'u, 'ctx, 'p> {
    code: &'c FunctionBuilder<'u, 'ctx, 'p>,
    /// A value whose shape all values have.
    like: BasicValueEnum<'ctx>,
    /// The function of one value, if the function branches.
    one: Option<FunctionValue<'ctx>>,
}

impl<'ctx> Machine for LaneArithmetic<'_, '_, 'ctx, '_> {
    type Of<T: Element> = BasicValueEnum<'ctx>;

    fn constant<T: Element>(&self, value: T) -> BasicValueEnum<'ctx> {
        let constant: Const = value.into();
        self.code.constant_like(constant, self.like)
    }
    fn add<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T> {
        self.code.apply(BinOp::Add, T::TYPE, [a, b])
    }
    fn sub<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T> {
        self.code.apply(BinOp::Sub, T::TYPE, [a, b])
    }
    fn mul<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T> {
        self.code.apply(BinOp::Mul, T::TYPE, [a, b])
    }
    fn div<T: Float>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T> {
        self.code.apply(BinOp::Div, T::TYPE, [a, b])
    }
    fn less<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<bool> {
        self.code.apply(BinOp::Lt, T::TYPE, [a, b])
    }
    fn equal<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<bool> {
        self.code.apply(BinOp::Eq, T::TYPE, [a, b])
    }
    fn all(&self, a: Self::Of<bool>, b: Self::Of<bool>) -> Self::Of<bool> {
        self.code.apply(BinOp::And, Scalar::Bool, [a, b])
    }
    fn any(&self, a: Self::Of<bool>, b: Self::Of<bool>) -> Self::Of<bool> {
        self.code.apply(BinOp::Or, Scalar::Bool, [a, b])
    }
    fn and<T: Bits>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T> {
        self.code.apply(BinOp::And, T::TYPE, [a, b])
    }
    fn or<T: Bits>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T> {
        self.code.apply(BinOp::Or, T::TYPE, [a, b])
    }
    fn xor<T: Bits>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T> {
        self.code.apply(BinOp::Xor, T::TYPE, [a, b])
    }
    fn shl<T: Bits>(&self, a: Self::Of<T>, by: Self::Of<T>) -> Self::Of<T> {
        self.code.apply(BinOp::Shl, T::TYPE, [a, by])
    }
    fn shr<T: Bits>(&self, a: Self::Of<T>, by: Self::Of<T>) -> Self::Of<T> {
        self.code.apply(BinOp::Shr, T::TYPE, [a, by])
    }
    fn mul_hi(&self, a: Self::Of<u64>, b: Self::Of<u64>) -> Self::Of<u64> {
        self.code.apply(BinOp::MulHi, Scalar::U64, [a, b])
    }
    fn select<T: Element>(
        &self,
        cond: Self::Of<bool>,
        a: Self::Of<T>,
        b: Self::Of<T>,
    ) -> Self::Of<T> {
        self.code.select(cond, a, b)
    }
    fn bits<T: Float>(&self, x: Self::Of<T>) -> Self::Of<T::Bits> {
        self.code.cast(I::BitCast, x, T::Bits::TYPE)
    }
    fn of_bits<T: Float>(&self, bits: Self::Of<T::Bits>) -> Self::Of<T> {
        self.code.cast(I::BitCast, bits, T::TYPE)
    }
    fn widen(&self, x: Self::Of<f32>) -> Self::Of<f64> {
        self.code.cast(I::FPExt, x, Scalar::F64)
    }
    fn narrow(&self, x: Self::Of<f64>) -> Self::Of<f32> {
        self.code.cast(I::FPTrunc, x, Scalar::F32)
    }
    fn low(&self, x: Self::Of<u64>) -> Self::Of<u32> {
        self.code.cast(I::Trunc, x, Scalar::U32)
    }
    fn entry(&self, table: &'static Table, at: Self::Of<u64>) -> Self::Of<u64> {
        let module = &self.code.unit.module;
        let name = format!("arr.math.{}", table.name);
        let global = module.get_global(&name).unwrap_or_else(|| {
            let ty = self.code.types.i64;
            let entries: Vec<_> =
                table.entries.iter().map(|&bits| ty.const_int(bits, false)).collect();
            let entries = ty.const_array(&entries);
            let global = module.add_global(entries.get_type(), None, &name);
            global.set_linkage(Linkage::Internal);
            global.set_constant(true);
            global.set_initializer(&entries);
            global
        });
        let place = self.code.element(Scalar::U64, global.as_pointer_value(), at.into_int_value());
        self.code.load_scalar(Scalar::U64, place)
    }
    fn fast_path<T: Float>(
        &self,
        cond: Self::Of<bool>,
        quick: impl FnOnce() -> Self::Of<T>,
        slow: impl FnOnce() -> Self::Of<T>,
    ) -> Self::Of<T> {
        let code = self.code;
        let [near, far, done] = ["near", "far", "done"].map(|name| code.block(name));
        let all = if cond.is_vector_value() {
            code.call_intrinsic("llvm.vector.reduce.and", &[cond.get_type()], &[cond])
        } else {
            cond
        };
        code.branch(all.into_int_value(), near, far);
        code.b.position_at_end(near);
        let quick = quick();
        let from_near = code.current_block();
        code.jump(done);
        code.b.position_at_end(far);
        let slow = if cond.is_vector_value() { self.one_by_one() } else { slow() };
        let from_far = code.current_block();
        code.jump(done);
        code.b.position_at_end(done);
        let phi = built(code.b.build_phi(quick.get_type(), ""));
        phi.add_incoming(&[(&quick, from_near), (&slow, from_far)]);
        phi.as_basic_value()
    }
}

impl<'ctx> LaneArithmetic<'_, '_, 'ctx, '_> {
    /// The function of one value, for each lane.
    fn one_by_one(&self) -> BasicValueEnum<'ctx> {
        let one = self.one.expect("a function that branches has one of one value");
        let lanes = lanes_of(self.like);
        let mut values = lanes.get_type().get_poison();
        for lane in 0..lanes.get_type().get_size() {
            let lane = self.code.types.i32.const_int(u64::from(lane), false);
            let x = built(self.code.b.build_extract_element(lanes, lane, ""));
            let y = value_of(self.code.call_arithmetic(one, &[x]));
            values = built(self.code.b.build_insert_element(values, y, lane, ""));
        }
        values.into()
    }
}
