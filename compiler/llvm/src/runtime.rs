//! The functions of the runtime that compiled code calls.
//!
//! Invariant: names and signatures are those of the crate `arr_runtime`; [`ABI`] counts their changes.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Linkage;
use inkwell::types::{BasicType, FunctionType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue};

use crate::code::Code;
use crate::types::Types;
use crate::unit::{Unit, built};

/// The symbol that only a runtime of this ABI has.
pub(crate) const ABI: &str = "arr_runtime_abi_4";
/// What every name of the runtime starts with.
pub(crate) const PREFIXES: [&str; 2] = ["arr_rt_", "arr_runtime_"];
/// Bytes from a buffer to its first element.
pub(crate) const HEADER_BYTES: u64 = 64;
/// Bytes from a buffer to how many bytes of elements it may hold.
pub(crate) const CAPACITY_BYTES: u64 = 8;
/// What a buffer and its first element are aligned to.
pub(crate) const BUFFER_ALIGN: u32 = 64;

/// A function of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RuntimeFn {
    /// `i32 enter(ctx)`: begins a call.
    Enter,
    /// `i32 leave(ctx, code)`: ends it; releases everything unless it was detached.
    Leave,
    /// `buf alloc(ctx, count, elem_bytes, site)`: null on failure.
    Alloc,
    /// `buf reserve(ctx, count, elem_bytes, site)`: as `alloc`, for an upper bound that `slice` will lower.
    Reserve,
    /// `buf extend(ctx, owner, data, used_bytes, more_bytes, site)`: takes over the owner; a buffer of one owner that
    /// begins with the data and has room for more; null on failure.
    Extend,
    /// `retain(buf)`: one owner more.
    Retain,
    /// `release(buf)`: one owner less.
    Release,
    /// `buf slice(buf, used_bytes)`: gives back what is not used; may move.
    Slice,
    /// `buf detach(buf, used_bytes)`: outlives the call; as `slice`.
    Detach,
    /// `i32 fail(ctx, code, site, a, b)`: notes the error and returns its code.
    Fail,
    /// `i32 fail_with(ctx, code, site, values)`: the same, in the site's words.
    FailWith,
    /// `i32 pass(ctx, code, site)`: notes a call that the error passes through.
    Pass,
    /// `i32 code(ctx)`: the error that was noted.
    Code,
    /// `i32 external_failed(ctx, code, site)`: notes that a C function failed, and returns the call's code.
    ExternalFailed,
    /// `i32 take(ctx, array, rank, elem_bytes, site)`: makes what a C function gave dense and owned.
    Take,
    /// `buf dense(ctx, data, shape, stride, rank, elem_bytes)`: a row-major copy; null on failure.
    Dense,
}

impl RuntimeFn {
    fn name(self) -> &'static str {
        match self {
            Self::Enter => "arr_rt_enter",
            Self::Leave => "arr_rt_leave",
            Self::Alloc => "arr_rt_alloc",
            Self::Reserve => "arr_rt_reserve",
            Self::Extend => "arr_rt_extend",
            Self::Retain => "arr_rt_retain",
            Self::Release => "arr_rt_release",
            Self::Slice => "arr_rt_slice",
            Self::Detach => "arr_rt_detach",
            Self::Fail => "arr_rt_fail",
            Self::FailWith => "arr_rt_fail_with",
            Self::Pass => "arr_rt_pass",
            Self::Code => "arr_rt_code",
            Self::ExternalFailed => "arr_rt_external_failed",
            Self::Take => "arr_rt_take",
            Self::Dense => "arr_rt_dense",
        }
    }

    fn signature<'ctx>(self, types: &Types<'ctx>) -> FunctionType<'ctx> {
        let (ptr, i32, i64) = (types.ptr.into(), types.i32.into(), types.i64.into());
        let void = types.i32.get_context().void_type();
        match self {
            Self::Enter | Self::Code => types.i32.fn_type(&[ptr], false),
            Self::Leave => types.i32.fn_type(&[ptr, i32], false),
            Self::Alloc | Self::Reserve => types.ptr.fn_type(&[ptr, i64, i64, ptr], false),
            Self::Extend => types.ptr.fn_type(&[ptr, ptr, ptr, i64, i64, ptr], false),
            Self::Retain | Self::Release => void.fn_type(&[ptr], false),
            Self::Slice | Self::Detach => types.ptr.fn_type(&[ptr, i64], false),
            Self::Fail => types.i32.fn_type(&[ptr, i32, ptr, i64, i64], false),
            Self::FailWith => types.i32.fn_type(&[ptr, i32, ptr, ptr], false),
            Self::Pass | Self::ExternalFailed => types.i32.fn_type(&[ptr, i32, ptr], false),
            Self::Take => types.i32.fn_type(&[ptr, ptr, i64, i64, ptr], false),
            Self::Dense => types.ptr.fn_type(&[ptr, ptr, ptr, ptr, i64, i64], false),
        }
    }

    /// What LLVM may know beyond `nounwind willreturn`.
    fn describe(self, unit: &Unit<'_, '_>, function: FunctionValue<'_>) {
        match self {
            Self::Alloc | Self::Reserve | Self::Dense => {
                // Memory that nothing else points to: stores to it change no other array.
                function.add_attribute(AttributeLoc::Return, unit.attribute("noalias", 0));
                function.add_attribute(AttributeLoc::Return, unit.alignment(BUFFER_ALIGN));
            }
            Self::Slice | Self::Extend | Self::Detach => {
                function.add_attribute(AttributeLoc::Return, unit.alignment(BUFFER_ALIGN));
            }
            Self::Fail | Self::FailWith | Self::Pass | Self::Code | Self::ExternalFailed => {
                function.add_attribute(AttributeLoc::Function, unit.attribute("cold", 0));
            }
            Self::Enter | Self::Leave | Self::Retain | Self::Release | Self::Take => {}
        }
    }
}

impl<'ctx> Unit<'ctx, '_> {
    /// The function, declared when first needed.
    pub(crate) fn runtime(&self, function: RuntimeFn) -> FunctionValue<'ctx> {
        if let Some(declared) = self.module.get_function(function.name()) {
            return declared;
        }
        let signature = function.signature(&self.types);
        let declared =
            self.module.add_function(function.name(), signature, Some(Linkage::External));
        for name in ["nounwind", "willreturn"] {
            declared.add_attribute(AttributeLoc::Function, self.attribute(name, 0));
        }
        function.describe(self, declared);
        declared
    }

    /// An attribute without a value (0), or with an integer.
    pub(crate) fn attribute(&self, name: &str, value: u64) -> Attribute {
        let kind = Attribute::get_named_enum_kind_id(name);
        assert_ne!(kind, 0, "LLVM has the attribute {name}");
        self.context.create_enum_attribute(kind, value)
    }

    /// That a pointer is aligned to so many bytes.
    pub(crate) fn alignment(&self, bytes: u32) -> Attribute {
        self.attribute("align", u64::from(bytes))
    }

    /// Makes the module refer to [`ABI`], so that it does not link with another runtime. The
    /// reference is kept even where the linker drops what nothing refers to.
    pub(crate) fn require_runtime(&self) {
        let abi = self.module.add_global(self.types.i8, None, ABI);
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

impl<'ctx> Code<'_, 'ctx, '_> {
    /// Calls a function of the runtime that returns a value.
    pub(crate) fn call_runtime(
        &self,
        function: RuntimeFn,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let call = built(self.b.build_call(self.unit.runtime(function), args, ""));
        call.try_as_basic_value().expect_basic("the function returns a value")
    }

    /// Calls a function of the runtime for what it does.
    pub(crate) fn run_runtime(&self, function: RuntimeFn, args: &[BasicMetadataValueEnum<'ctx>]) {
        built(self.b.build_call(self.unit.runtime(function), args, ""));
    }
}
