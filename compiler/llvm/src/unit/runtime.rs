//! The functions of the runtime that compiled code calls.
//!
//! Invariant: each is declared with its signature in `arr_abi`.

use arr_abi::ctype::Kind;
use arr_abi::function::{Function, Promise, RuntimeFn};
use arr_abi::layout::{BUFFER_ALIGN, POOL};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Linkage;
use inkwell::types::BasicType;
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, PointerValue};

use crate::code::FunctionBuilder;
use crate::unit::types::Types;
use crate::unit::{Unit, built};

impl<'ctx> Unit<'ctx, '_> {
    /// The function, declared when first needed.
    pub(crate) fn runtime(&self, function: RuntimeFn) -> FunctionValue<'ctx> {
        let Function { name, params, result, promise } = function.function();
        if let Some(declared) = self.module.get_function(name) {
            return declared;
        }
        let params: Vec<_> =
            params.iter().filter_map(|param| self.types.of(param.kind)).map(Into::into).collect();
        let signature = match self.types.of(result.kind) {
            Some(result) => result.fn_type(&params, false),
            None => self.context.void_type().fn_type(&params, false),
        };
        let declared = self.module.add_function(name, signature, Some(Linkage::External));
        let promised: &[&str] = match promise {
            Promise::Cold => &["nounwind", "willreturn", "cold"],
            Promise::Fresh | Promise::None => &["nounwind", "willreturn"],
        };
        for name in promised {
            declared.add_attribute(AttributeLoc::Function, self.attribute(name, 0));
        }
        if promise == Promise::Fresh {
            declared.add_attribute(AttributeLoc::Return, self.attribute("noalias", 0));
        }
        if result.kind == Kind::Buffer {
            let bytes = u32::try_from(BUFFER_ALIGN).expect("an alignment is small");
            declared.add_attribute(AttributeLoc::Return, self.alignment(bytes));
        }
        declared
    }

    /// A place of four bytes that are zero.
    pub(crate) fn zero(&self) -> PointerValue<'ctx> {
        let name = "arr.zero";
        let there = self.module.get_global(name).map(|global| global.as_pointer_value());
        there
            .unwrap_or_else(|| self.constant(name, &self.types.i32.const_zero()).as_pointer_value())
    }

    /// The function that lends the pool's threads.
    pub(crate) fn pool(&self) -> FunctionValue<'ctx> {
        self.module.get_function(POOL).unwrap_or_else(|| {
            let Types { ptr, i64, .. } = self.types;
            let params = [ptr.into(), i64.into(), ptr.into(), ptr.into()];
            let signature = self.context.void_type().fn_type(&params, false);
            self.module.add_function(POOL, signature, Some(Linkage::External))
        })
    }

    /// An attribute without a value (0), or with an integer.
    pub(crate) fn attribute(&self, name: &str, value: u64) -> Attribute {
        let kind = Attribute::get_named_enum_kind_id(name);
        assert_ne!(kind, 0, "LLVM has the attribute {name}");
        self.context.create_enum_attribute(kind, value)
    }

    /// The attribute that a pointer is aligned to `bytes` bytes.
    pub(crate) fn alignment(&self, bytes: u32) -> Attribute {
        self.attribute("align", u64::from(bytes))
    }

    /// Makes the module refer to [`arr_abi::symbol`], so that it does not link with another runtime. The
    /// reference is kept even where the linker drops what nothing refers to.
    pub(crate) fn require_runtime(&self) {
        let abi = self.module.add_global(self.types.i8, None, arr_abi::symbol!());
        let used = self.module.add_global(self.types.ptr, None, "arr.runtime_abi");
        used.set_linkage(Linkage::Private);
        used.set_constant(true);
        used.set_initializer(&abi.as_pointer_value());
        let kept = self.types.ptr.const_array(&[used.as_pointer_value()]);
        let list = self.module.add_global(kept.get_type().as_basic_type_enum(), None, "llvm.used");
        list.set_linkage(Linkage::Appending);
        list.set_section(Some("llvm.metadata"));
        list.set_initializer(&kept);
    }
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// Calls a function of the runtime that returns a value.
    pub(crate) fn call_runtime(
        &self,
        function: RuntimeFn,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let call = built(self.b.build_call(self.unit.runtime(function), args, ""));
        call.try_as_basic_value().expect_basic("the function returns a value")
    }

    /// Calls a function of the runtime for its effect.
    pub(crate) fn run_runtime(&self, function: RuntimeFn, args: &[BasicMetadataValueEnum<'ctx>]) {
        built(self.b.build_call(self.unit.runtime(function), args, ""));
    }
}
