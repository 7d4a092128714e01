//! Functions of floats that the C library has.
//!
//! Invariant: but for those that are exact, LLVM may neither compute them itself nor put others in their
//! place: its results differ from the library's in the last bit, and depend on what it happens to see.
//!
//! ```text
//! f32.exp x   ⇒   call float @llvm.exp.f32(float %x) nobuiltin
//! f64.erf x   ⇒   call double @erf(double %x) nobuiltin
//! ```

use arrc_core::prim::{Math, Scalar};
use inkwell::attributes::AttributeLoc;
use inkwell::values::{FloatValue, FunctionValue};

use crate::code::Code;
use crate::unit::built;

/// How a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    /// LLVM's, which stands for the library's and exists for vectors.
    Intrinsic(&'static str),
    /// The library's, by its name for `double`.
    C(&'static str),
}

impl<'ctx> Code<'_, 'ctx, '_> {
    /// A function of one float.
    pub(super) fn math(&self, math: Math, ty: Scalar, x: FloatValue<'ctx>) -> FloatValue<'ctx> {
        let function = function(math);
        match function {
            Function::Intrinsic(name) if math.is_exact() => self.float_intrinsic(name, &[x]),
            Function::Intrinsic(_) | Function::C(_) => self.libm(function, ty, &[x]),
        }
    }

    /// A function that is not exact.
    pub(super) fn libm(
        &self,
        function: Function,
        ty: Scalar,
        args: &[FloatValue<'ctx>],
    ) -> FloatValue<'ctx> {
        let called = match function {
            Function::Intrinsic(name) => self.unit.intrinsic(name, &[self.types.scalar(ty)]),
            Function::C(name) => self.declared(name, ty, args.len()),
        };
        let args: Vec<_> = args.iter().map(|&arg| arg.into()).collect();
        let call = built(self.b.build_call(called, &args, ""));
        call.add_attribute(AttributeLoc::Function, self.unit.attribute("nobuiltin", 0));
        call.try_as_basic_value().expect_basic("a function of floats gives one").into_float_value()
    }

    fn declared(&self, name: &str, ty: Scalar, arity: usize) -> FunctionValue<'ctx> {
        let name = if ty == Scalar::F32 { format!("{name}f") } else { name.to_owned() };
        if let Some(known) = self.unit.module.get_function(&name) {
            return known;
        }
        let float = self.types.float(ty);
        let signature = float.fn_type(&vec![float.into(); arity], false);
        let function = self.unit.module.add_function(&name, signature, None);
        // They set `errno`, which nobody reads.
        for attribute in ["nounwind", "willreturn", "memory"] {
            function.add_attribute(AttributeLoc::Function, self.unit.attribute(attribute, 0));
        }
        function
    }
}

fn function(math: Math) -> Function {
    use Function::{C, Intrinsic};
    match math {
        Math::Sqrt => Intrinsic("llvm.sqrt"),
        Math::Exp => Intrinsic("llvm.exp"),
        Math::Exp2 => Intrinsic("llvm.exp2"),
        Math::Expm1 => C("expm1"),
        Math::Log => Intrinsic("llvm.log"),
        Math::Log2 => Intrinsic("llvm.log2"),
        Math::Log10 => Intrinsic("llvm.log10"),
        Math::Log1p => C("log1p"),
        Math::Sin => Intrinsic("llvm.sin"),
        Math::Cos => Intrinsic("llvm.cos"),
        Math::Tan => Intrinsic("llvm.tan"),
        Math::Asin => Intrinsic("llvm.asin"),
        Math::Acos => Intrinsic("llvm.acos"),
        Math::Atan => Intrinsic("llvm.atan"),
        Math::Sinh => Intrinsic("llvm.sinh"),
        Math::Cosh => Intrinsic("llvm.cosh"),
        Math::Tanh => Intrinsic("llvm.tanh"),
        Math::Asinh => C("asinh"),
        Math::Acosh => C("acosh"),
        Math::Atanh => C("atanh"),
        Math::Gamma => C("tgamma"),
        Math::Lgamma => C("lgamma"),
        Math::Erf => C("erf"),
        Math::Erfc => C("erfc"),
        Math::Floor => Intrinsic("llvm.floor"),
        Math::Ceil => Intrinsic("llvm.ceil"),
        // In the default environment, which LLVM assumes, that is to nearest and halves to even.
        Math::Round => Intrinsic("llvm.rint"),
        Math::Trunc => Intrinsic("llvm.trunc"),
    }
}
