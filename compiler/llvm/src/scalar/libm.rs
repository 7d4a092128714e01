//! Functions of floats that the C library has.
//!
//! Invariant: LLVM may neither evaluate these functions itself nor replace them by others, except exact ones. Its
//! results differ from the library's in the last bit, and depend on what it can see at compile time.
//!
//! ```text
//! f32.exp x   ⇒   call float @llvm.exp.f32(float %x) nobuiltin
//! f64.erf x   ⇒   call double @erf(double %x) nobuiltin
//! ```

use arrc_syntax::prim::Scalar;
use inkwell::attributes::AttributeLoc;
use inkwell::values::{BasicValueEnum, FunctionValue};

use crate::code::FunctionBuilder;
use crate::unit::built;

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// A function that LLVM has an intrinsic for, by the intrinsic's name.
    pub(super) fn math(
        &self,
        name: &str,
        ty: Scalar,
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        self.call_library(self.unit.intrinsic(name, &[self.types.scalar(ty)]), args)
    }

    /// A function by its name for `double`.
    pub(super) fn library(
        &self,
        name: &str,
        ty: Scalar,
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        self.call_library(self.declared(name, ty, args.len()), args)
    }

    fn call_library(
        &self,
        function: FunctionValue<'ctx>,
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let args: Vec<_> = args.iter().map(|&arg| arg.into()).collect();
        let call = built(self.b.build_call(function, &args, ""));
        call.add_attribute(AttributeLoc::Function, self.unit.attribute("nobuiltin", 0));
        call.try_as_basic_value().expect_basic("a function of floats gives one")
    }

    fn declared(&self, name: &str, ty: Scalar, arity: usize) -> FunctionValue<'ctx> {
        let name = if ty == Scalar::F32 { format!("{name}f") } else { name.to_owned() };
        if let Some(known) = self.unit.module.get_function(&name) {
            return known;
        }
        let float = self.types.float(ty);
        let signature = float.fn_type(&vec![float.into(); arity], false);
        let function = self.unit.module.add_function(&name, signature, None);
        // They set `errno`, which is not read.
        for attribute in ["nounwind", "willreturn", "memory"] {
            function.add_attribute(AttributeLoc::Function, self.unit.attribute(attribute, 0));
        }
        function
    }
}
