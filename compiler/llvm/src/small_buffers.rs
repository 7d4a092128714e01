//! Small buffers in compiled code: a few instructions take them from the context and give them back.
//!
//! Invariant: each of these functions handles the common case, with the effect of a function of the runtime, and calls
//! that function in all other cases. LLVM's passes see calls, so they know that a new buffer shares memory with no
//! other. After the passes, the functions are inlined into recursive callers. Other callers make few arrays, and stay
//! short.
//!
//! ```text
//! arr.alloc.8(ctx, n, site)      list = min(n >> 3, 16) + 1                     8 doubles in each 64 bytes
//!                                first = ctx.lists[list]                        null: arr_rt_alloc(ctx, n, 8, site)
//!                                ctx.lists[list] = first.next, and count it
//! arr.release(ctx, buffer)       buffer.list == 0, or buffer is null: arr_rt_release(buffer)
//!                                buffer.count > 1: one less, else the first of ctx.lists[buffer.list]
//! ```

use std::mem::offset_of;

use arr_abi::function::RuntimeFn;
use arr_abi::layout::{
    BUFFER_ALIGN, CAPACITY, COUNT, HEADER, LIST, NEXT, SIZES, SLACK, SMALL, STEP_SHIFT, Small,
};
use arrc_syntax::prim::Scalar;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{BasicMetadataValueEnum, FunctionValue, IntValue, PointerValue};
use inkwell::{AtomicOrdering, IntPredicate};

use crate::code::FunctionBuilder;
use crate::unit::{FASTCC, Unit, built};
use crate::value::Array;

/// The attribute of functions that are inlined after LLVM's passes.
const LATE: &str = "arr-inline-late";

/// The counters and lists of a context.
type SmallLists = Small<()>;

/// A function of the module.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SmallBufferFunction {
    /// `(ctx, count, site)`: a buffer for `count` elements of this many bytes.
    Alloc(u32),
    /// The same for at most `count` elements.
    Reserve(u32),
    /// `(ctx, buffer)`: one reference less.
    Release,
    /// `(buffer)`: one reference more.
    Retain,
    /// `(buffer, bytes)`: the buffer; only `bytes` of it are used from now on.
    Slice,
}

/// The sizes of elements, in bytes.
const ELEMENTS: [u32; 4] = [1, 2, 4, 8];

impl SmallBufferFunction {
    fn all() -> impl Iterator<Item = Self> {
        let sized =
            ELEMENTS.into_iter().flat_map(|bytes| [Self::Alloc(bytes), Self::Reserve(bytes)]);
        sized.chain([Self::Release, Self::Retain, Self::Slice])
    }

    fn symbol(self) -> String {
        match self {
            Self::Alloc(bytes) => format!("arr_rt.alloc.{bytes}"),
            Self::Reserve(bytes) => format!("arr_rt.reserve.{bytes}"),
            Self::Release => "arr_rt.release".to_owned(),
            Self::Retain => "arr_rt.retain".to_owned(),
            Self::Slice => "arr_rt.slice".to_owned(),
        }
    }

    fn makes_a_buffer(self) -> bool {
        match self {
            Self::Alloc(_) | Self::Reserve(_) => true,
            Self::Release | Self::Retain | Self::Slice => false,
        }
    }

    /// The function, declared when first needed.
    fn declare<'ctx>(self, unit: &Unit<'ctx, '_>) -> FunctionValue<'ctx> {
        let symbol = self.symbol();
        if let Some(declared) = unit.module.get_function(&symbol) {
            return declared;
        }
        let (ptr, i64): (BasicMetadataTypeEnum<'ctx>, BasicMetadataTypeEnum<'ctx>) =
            (unit.types.ptr.into(), unit.types.i64.into());
        let void = unit.context.void_type();
        let signature = match self {
            Self::Alloc(_) | Self::Reserve(_) => unit.types.ptr.fn_type(&[ptr, i64, ptr], false),
            Self::Release => void.fn_type(&[ptr, ptr], false),
            Self::Retain => void.fn_type(&[ptr], false),
            Self::Slice => unit.types.ptr.fn_type(&[ptr, i64], false),
        };
        let function = unit.module.add_function(&symbol, signature, Some(Linkage::Internal));
        function.set_call_conventions(FASTCC);
        unit.describe(function);
        for name in ["willreturn", "noinline"] {
            function.add_attribute(AttributeLoc::Function, unit.attribute(name, 0));
        }
        let late = unit.context.create_string_attribute(LATE, "");
        function.add_attribute(AttributeLoc::Function, late);
        if self.makes_a_buffer() {
            let align = u32::try_from(BUFFER_ALIGN).expect("an alignment is small");
            function.add_attribute(AttributeLoc::Return, unit.attribute("noalias", 0));
            function.add_attribute(AttributeLoc::Return, unit.alignment(align));
        }
        function
    }
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// A buffer for `count` elements, or for at most `count`; null if there is no memory.
    pub(crate) fn new_buffer(
        &self,
        is_exact: bool,
        elem: Scalar,
        count: IntValue<'ctx>,
        site: PointerValue<'ctx>,
    ) -> PointerValue<'ctx> {
        let bytes = elem.bytes();
        let short = if is_exact {
            SmallBufferFunction::Alloc(bytes)
        } else {
            SmallBufferFunction::Reserve(bytes)
        };
        self.call_small_buffer_function(short, &[self.context.into(), count.into(), site.into()])
            .expect("the function returns a buffer")
    }

    /// One reference more to a buffer, or to null.
    pub(crate) fn retain_owner(&self, owner: PointerValue<'ctx>) {
        self.call_small_buffer_function(SmallBufferFunction::Retain, &[owner.into()]);
    }

    /// One reference less to a buffer, or to null.
    pub(crate) fn release_owner(&self, owner: PointerValue<'ctx>) {
        self.call_small_buffer_function(
            SmallBufferFunction::Release,
            &[self.context.into(), owner.into()],
        );
    }

    /// A buffer, or null, cut to `bytes` of elements. It may move.
    pub(crate) fn slice_owner(
        &self,
        owner: PointerValue<'ctx>,
        bytes: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        self.call_small_buffer_function(SmallBufferFunction::Slice, &[owner.into(), bytes.into()])
            .expect("the function returns a buffer")
    }

    /// Shortens an array to `count` elements. The elements may move to other memory.
    pub(crate) fn shorten(
        &self,
        elem: Scalar,
        array: &Array<'ctx>,
        count: IntValue<'ctx>,
    ) -> Array<'ctx> {
        let mut shape = array.shape.clone();
        shape[0] = count;
        let bytes = self.byte_count(elem, self.count(&shape));
        let owner = self.slice_owner(array.owner, bytes);
        // An empty array has no owner.
        let is_owned = built(self.b.build_is_not_null(owner, ""));
        let data = self.select(is_owned, self.elements(owner).into(), array.data.into());
        Array { data: data.into_pointer_value(), owner, shape }
    }

    fn call_small_buffer_function(
        &self,
        short: SmallBufferFunction,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Option<PointerValue<'ctx>> {
        let call = built(self.b.build_call(short.declare(self.unit), args, ""));
        call.set_call_convention(FASTCC);
        if !self.is_recursive {
            call.add_attribute(AttributeLoc::Function, self.unit.attribute("noinline", 0));
        }
        call.try_as_basic_value().basic().map(|value| value.into_pointer_value())
    }
}

/// Defines the functions that the program uses.
pub(crate) fn define_all(unit: &mut Unit<'_, '_>) {
    for short in SmallBufferFunction::all() {
        if let Some(declared) = unit.module.get_function(&short.symbol()) {
            let code = FunctionBuilder::without_context(unit, declared);
            HelperBuilder { code: &code, function: declared }.define(short);
            code.finish();
        }
    }
}

/// After LLVM's passes, inlines the functions into their callers. Says whether there are any.
pub(crate) fn inline_late(module: &Module<'_>) -> bool {
    let kind = Attribute::get_named_enum_kind_id;
    let mut any = false;
    for function in module.get_functions() {
        if function.get_string_attribute(AttributeLoc::Function, LATE).is_some() {
            function.remove_enum_attribute(AttributeLoc::Function, kind("noinline"));
            let inline = module.get_context().create_enum_attribute(kind("alwaysinline"), 0);
            function.add_attribute(AttributeLoc::Function, inline);
            any = true;
        }
    }
    any
}

/// A function under construction.
struct HelperBuilder<'c, 'u, 'ctx, 'p> {
    code: &'c FunctionBuilder<'u, 'ctx, 'p>,
    function: FunctionValue<'ctx>,
}

impl<'ctx> HelperBuilder<'_, '_, 'ctx, '_> {
    fn define(&self, short: SmallBufferFunction) {
        match short {
            SmallBufferFunction::Alloc(bytes) => self.alloc(RuntimeFn::Alloc, bytes),
            SmallBufferFunction::Reserve(bytes) => self.alloc(RuntimeFn::Reserve, bytes),
            SmallBufferFunction::Release => self.release(),
            SmallBufferFunction::Retain => self.retain(),
            SmallBufferFunction::Slice => self.slice(),
        }
    }

    fn alloc(&self, slow: RuntimeFn, elem_bytes: u32) {
        let code = self.code;
        let [context, site] = [0, 2].map(|at| self.pointer(at));
        let count = self.int(1);
        // The list is computed from the number of elements: a negative number is a large unsigned one, and nothing
        // overflows.
        let shift = code.size(u64::from(STEP_SHIFT - elem_bytes.ilog2()));
        let step = built(code.b.build_right_shift(count, shift, false, "step"));
        let last = code.size(u64::try_from(SIZES).expect("sizes are few"));
        let args = [step.into(), last.into()];
        let step =
            code.call_intrinsic("llvm.umin", &[code.types.i64.into()], &args).into_int_value();
        let head = self.head(context, code.add_index(step, code.size(1)));
        let first = code.load(code.types.ptr, head, "first").into_pointer_value();
        let none = built(code.b.build_is_null(first, "none"));
        let [fast, slower] = ["fast", "slow"].map(|name| code.block(name));
        code.branch_likely(built(code.b.build_not(none, "")), fast, slower);
        code.b.position_at_end(fast);
        code.store(head, code.load(code.types.ptr, code.byte_offset(first, NEXT), "next"));
        self.add(context, offset_of!(SmallLists, allocations), code.size(1));
        let taken = self.add(context, offset_of!(SmallLists, taken), self.size_of(first));
        let returned = self.counter(context, offset_of!(SmallLists, returned));
        let returned = code.load(code.types.i64, returned, "returned").into_int_value();
        let live = built(code.b.build_int_sub(taken, returned, "live"));
        let place = self.counter(context, offset_of!(SmallLists, peak));
        let peak = code.load_shared(code.types.i64, place, AtomicOrdering::Monotonic);
        let args = [live.into(), peak.into()];
        let most = code.call_intrinsic("llvm.umax", &[code.types.i64.into()], &args);
        code.store_shared(place, most.into_int_value(), AtomicOrdering::Monotonic);
        built(code.b.build_return(Some(&first)));
        code.b.position_at_end(slower);
        let bytes = code.size(u64::from(elem_bytes));
        let args = [context.into(), count.into(), bytes.into(), site.into()];
        let buffer = code.call_runtime(slow, &args);
        built(code.b.build_return(Some(&buffer)));
    }

    fn release(&self) {
        let code = self.code;
        let [context, buffer] = [0, 1].map(|at| self.pointer(at));
        let list =
            self.small(buffer, |code| code.run_runtime(RuntimeFn::Release, &[buffer.into()]));
        let [last, shared] = ["last", "shared"].map(|name| code.block(name));
        code.branch_likely(code.has_one_owner(buffer), last, shared);
        code.b.position_at_end(shared);
        self.add_references(buffer, u64::from(u32::MAX));
        built(code.b.build_return(None));
        code.b.position_at_end(last);
        let list = built(code.b.build_int_z_extend(list, code.types.i64, ""));
        let head = self.head(context, list);
        code.store(code.byte_offset(buffer, NEXT), code.load(code.types.ptr, head, "first"));
        code.store(head, buffer);
        self.add(context, offset_of!(SmallLists, returned), self.size_of(buffer));
        built(code.b.build_return(None));
    }

    fn retain(&self) {
        let buffer = self.pointer(0);
        self.small(buffer, |code| code.run_runtime(RuntimeFn::Retain, &[buffer.into()]));
        self.add_references(buffer, 1);
        built(self.code.b.build_return(None));
    }

    /// Small buffers are not cut.
    fn slice(&self) {
        let (code, buffer) = (self.code, self.pointer(0));
        let [there, slower, done] = ["there", "slow", "done"].map(|name| code.block(name));
        let none = built(code.b.build_is_null(buffer, "none"));
        code.branch(none, done, there);
        code.b.position_at_end(there);
        let is_small =
            code.compare(IntPredicate::NE, self.list(buffer), code.types.i32.const_zero());
        code.branch_likely(is_small, done, slower);
        code.b.position_at_end(done);
        built(code.b.build_return(Some(&buffer)));
        code.b.position_at_end(slower);
        let cut = code.call_runtime(RuntimeFn::Slice, &[buffer.into(), self.int(1).into()]);
        built(code.b.build_return(Some(&cut)));
    }

    /// If the buffer is a small one of the call, goes on with the number of its list. Otherwise emits `otherwise` and
    /// returns.
    fn small(
        &self,
        buffer: PointerValue<'ctx>,
        otherwise: impl FnOnce(&FunctionBuilder<'_, 'ctx, '_>),
    ) -> IntValue<'ctx> {
        let code = self.code;
        let blocks = ["there", "small", "slow", "done"];
        let [there, small, slower, done] = blocks.map(|name| code.block(name));
        let none = built(code.b.build_is_null(buffer, "none"));
        code.branch(none, done, there);
        code.b.position_at_end(slower);
        otherwise(code);
        code.jump(done);
        code.b.position_at_end(done);
        built(code.b.build_return(None));
        code.b.position_at_end(there);
        let list = self.list(buffer);
        let is_small = code.compare(IntPredicate::NE, list, code.types.i32.const_zero());
        code.branch_likely(is_small, small, slower);
        code.b.position_at_end(small);
        list
    }

    /// Changes the number of references to a buffer that only this thread uses.
    fn add_references(&self, buffer: PointerValue<'ctx>, more: u64) {
        let code = self.code;
        let place = code.byte_offset(buffer, COUNT);
        let count = code.load(code.types.i32, place, "count").into_int_value();
        let more = code.types.i32.const_int(more, false);
        code.store(place, built(code.b.build_int_add(count, more, "")));
    }

    fn list(&self, buffer: PointerValue<'ctx>) -> IntValue<'ctx> {
        let code = self.code;
        code.load(code.types.i32, code.byte_offset(buffer, LIST), "list").into_int_value()
    }

    /// The place of the first buffer of a list.
    fn head(&self, context: PointerValue<'ctx>, list: IntValue<'ctx>) -> PointerValue<'ctx> {
        let lists = self.code.byte_offset(context, SMALL + offset_of!(SmallLists, lists));
        self.code.element(Scalar::I64, lists, list)
    }

    fn counter(&self, context: PointerValue<'ctx>, offset: usize) -> PointerValue<'ctx> {
        self.code.byte_offset(context, SMALL + offset)
    }

    /// Adds to a counter, which may wrap. Gives the new value.
    fn add(
        &self,
        context: PointerValue<'ctx>,
        offset: usize,
        more: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        let (code, place) = (self.code, self.counter(context, offset));
        // Other threads read it, and no other writes it.
        let before = code.load_shared(code.types.i64, place, AtomicOrdering::Monotonic);
        let after = built(code.b.build_int_add(before, more, ""));
        code.store_shared(place, after, AtomicOrdering::Monotonic);
        after
    }

    /// The bytes that a small buffer takes.
    fn size_of(&self, buffer: PointerValue<'ctx>) -> IntValue<'ctx> {
        let code = self.code;
        let capacity =
            code.load(code.types.i64, code.byte_offset(buffer, CAPACITY), "").into_int_value();
        let overhead = u64::try_from(HEADER + SLACK).expect("headers are small");
        built(code.b.build_int_add(capacity, code.size(overhead), "size"))
    }

    fn pointer(&self, param: u32) -> PointerValue<'ctx> {
        self.param(param).into_pointer_value()
    }

    fn int(&self, param: u32) -> IntValue<'ctx> {
        self.param(param).into_int_value()
    }

    fn param(&self, param: u32) -> inkwell::values::BasicValueEnum<'ctx> {
        self.function.get_nth_param(param).expect("the function has so many parameters")
    }
}
