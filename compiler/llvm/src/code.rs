//! The code of one LLVM function under construction: blocks, checks, loops, memory.
//!
//! Invariant: between two calls the builder is at the end of a block without a terminator.
//!
//! ```text
//! code.check(ok, ErrorCode::Index, site, [i, n]):      br ok, next, fail
//!                                              fail: %code = call @arr_rt_fail(…)   ret %code
//!                                              next:
//! ```

use arr_abi::ErrorCode;
use arr_abi::function::RuntimeFn;
use arr_abi::layout::{CANCELLED, CAPACITY, COUNT, HEADER, STACK_LIMIT};
use arrc_core::prim::{Const, Scalar};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::types::{BasicType, BasicTypeEnum, IntType};
use inkwell::values::{
    BasicMetadataValueEnum, BasicValueEnum, FunctionValue, InstructionValue, IntValue, PhiValue,
    PointerValue,
};
use inkwell::{AtomicOrdering, IntPredicate, values::BasicValue};

use crate::unit::types::{Types, rank};
use crate::unit::{Unit, built};
use crate::value::Array;

/// A function under construction.
pub(crate) struct Code<'u, 'ctx, 'p> {
    /// The module.
    pub(crate) unit: &'u mut Unit<'ctx, 'p>,
    /// The types.
    pub(crate) types: Types<'ctx>,
    /// The function.
    pub(crate) function: FunctionValue<'ctx>,
    /// Where instructions go.
    pub(crate) b: Builder<'ctx>,
    /// The runtime's context: the function's first parameter.
    pub(crate) context: PointerValue<'ctx>,
    /// The behaviour of a failing function.
    pub(crate) on_failure: OnFailure,
    /// Whether it calls itself. Then the code that takes and gives back small buffers is inlined.
    pub(crate) is_recursive: bool,
    /// The first block, which has the allocas only.
    entry: BasicBlock<'ctx>,
    /// The second block, where the instructions begin.
    start: BasicBlock<'ctx>,
}

/// The behaviour of a failing function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnFailure {
    /// Returns the code.
    Return,
    /// Ends the call, which releases everything, and returns the code.
    Leave,
}

/// A counted loop whose body is being built.
#[derive(Debug)]
pub(crate) struct CountedLoop<'ctx> {
    /// The counter, `i64`.
    pub(crate) counter: IntValue<'ctx>,
    phi: PhiValue<'ctx>,
    header: BasicBlock<'ctx>,
    exit: BasicBlock<'ctx>,
}

impl<'u, 'ctx, 'p> Code<'u, 'ctx, 'p> {
    /// A function without instructions yet.
    pub(crate) fn new(
        unit: &'u mut Unit<'ctx, 'p>,
        function: FunctionValue<'ctx>,
        on_failure: OnFailure,
    ) -> Self {
        let context = function.get_first_param().expect("the first parameter is the context");
        let context = context.into_pointer_value();
        context.set_name("ctx");
        Self::with_context(unit, function, (context, on_failure))
    }

    /// The same for a function that neither fails nor allocates.
    pub(crate) fn without_context(
        unit: &'u mut Unit<'ctx, 'p>,
        function: FunctionValue<'ctx>,
    ) -> Self {
        let none = unit.types.ptr.const_null();
        Self::with_context(unit, function, (none, OnFailure::Return))
    }

    fn with_context(
        unit: &'u mut Unit<'ctx, 'p>,
        function: FunctionValue<'ctx>,
        (context, on_failure): (PointerValue<'ctx>, OnFailure),
    ) -> Self {
        let entry = unit.context.append_basic_block(function, "entry");
        let start = unit.context.append_basic_block(function, "start");
        let b = unit.context.create_builder();
        b.position_at_end(start);
        let types = unit.types;
        let is_recursive = false;
        Self { unit, types, function, b, context, on_failure, is_recursive, entry, start }
    }

    /// Ends the function. Nothing may be added afterwards.
    pub(crate) fn finish(self) {
        self.b.position_at_end(self.entry);
        built(self.b.build_unconditional_branch(self.start));
    }

    /// A new block at the end of the function.
    pub(crate) fn block(&self, name: &str) -> BasicBlock<'ctx> {
        self.unit.context.append_basic_block(self.function, name)
    }

    /// The block that instructions go to.
    pub(crate) fn here(&self) -> BasicBlock<'ctx> {
        self.b.get_insert_block().expect("the builder is in a block")
    }

    /// Ends the block with a jump.
    pub(crate) fn jump(&self, to: BasicBlock<'ctx>) {
        built(self.b.build_unconditional_branch(to));
    }

    /// Ends the block with a choice.
    pub(crate) fn branch(
        &self,
        cond: IntValue<'ctx>,
        then: BasicBlock<'ctx>,
        otherwise: BasicBlock<'ctx>,
    ) {
        built(self.b.build_conditional_branch(cond, then, otherwise));
    }

    /// Memory of the function's frame. Such memory becomes registers when LLVM optimises.
    pub(crate) fn alloca(&self, ty: BasicTypeEnum<'ctx>, name: &str) -> PointerValue<'ctx> {
        let b = self.unit.context.create_builder();
        b.position_at_end(self.entry);
        built(b.build_alloca(ty, name))
    }

    /// A stack slot that is used until [`Self::end_slot`]: slots that are used at different times share their memory.
    pub(crate) fn slot(&self, ty: BasicTypeEnum<'ctx>, name: &str) -> PointerValue<'ctx> {
        let slot = self.alloca(ty, name);
        self.mark_slot("llvm.lifetime.start", slot);
        slot
    }

    /// The slot is not used any more. Null is no slot.
    pub(crate) fn end_slot(&self, slot: PointerValue<'ctx>) {
        if !slot.is_null() {
            self.mark_slot("llvm.lifetime.end", slot);
        }
    }

    fn mark_slot(&self, intrinsic: &str, slot: PointerValue<'ctx>) {
        let mark = self.unit.intrinsic(intrinsic, &[self.types.ptr.into()]);
        built(self.b.build_call(mark, &[slot.into()], ""));
    }

    /// An `i64`.
    pub(crate) fn size(&self, value: u64) -> IntValue<'ctx> {
        self.types.i64.const_int(value, false)
    }

    /// A constant.
    pub(crate) fn constant(&self, value: Const) -> BasicValueEnum<'ctx> {
        let bits = match value.ty.bytes() {
            8 => value.bits,
            bytes => value.bits & ((1 << (8 * bytes)) - 1),
        };
        match value.ty {
            // It is made from its bits, since a float literal would lose the payload of a NaN.
            Scalar::F32 => {
                let bits = self.types.i32.const_int(bits, false);
                built(self.b.build_bit_cast(bits, self.types.float(value.ty), ""))
            }
            Scalar::F64 => {
                let bits = self.types.i64.const_int(bits, false);
                built(self.b.build_bit_cast(bits, self.types.float(value.ty), ""))
            }
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64 => self.types.int(value.ty).const_int(bits, false).into(),
        }
    }

    /// Whether two pointers are the same.
    pub(crate) fn same_place(
        &self,
        a: PointerValue<'ctx>,
        b: PointerValue<'ctx>,
    ) -> IntValue<'ctx> {
        built(self.b.build_int_compare(IntPredicate::EQ, a, b, ""))
    }

    /// One of several values: a phi, by the block that control comes from.
    pub(crate) fn either<V, const N: usize>(&self, ways: [(V, BasicBlock<'ctx>); N]) -> V
    where
        V: BasicValue<'ctx> + TryFrom<BasicValueEnum<'ctx>>,
    {
        let phi = built(self.b.build_phi(ways[0].0.as_basic_value_enum().get_type(), ""));
        for (value, block) in &ways {
            phi.add_incoming(&[(value, *block)]);
        }
        V::try_from(phi.as_basic_value())
            .unwrap_or_else(|_| panic!("a phi is of the type of its values"))
    }

    /// `a < b` and the like.
    pub(crate) fn compare(
        &self,
        how: IntPredicate,
        a: IntValue<'ctx>,
        b: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        built(self.b.build_int_compare(how, a, b, ""))
    }

    /// Calls an intrinsic.
    pub(crate) fn call_intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'ctx>],
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let args: Vec<BasicMetadataValueEnum<'ctx>> = args.iter().map(|&arg| arg.into()).collect();
        let call = built(self.b.build_call(self.unit.intrinsic(name, types), &args, ""));
        call.try_as_basic_value().expect_basic("the intrinsic returns a value")
    }

    /// `a * b` of two sizes. On overflow it is the largest size, which no memory has.
    pub(crate) fn product(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let i64 = self.types.i64;
        let both =
            self.call_intrinsic("llvm.smul.with.overflow", &[i64.into()], &[a.into(), b.into()]);
        let both = both.into_struct_value();
        let product = built(self.b.build_extract_value(both, 0, ""));
        let overflow = built(self.b.build_extract_value(both, 1, "")).into_int_value();
        let largest = i64.const_int(i64::MAX.unsigned_abs(), false).into();
        built(self.b.build_select(overflow, largest, product, "")).into_int_value()
    }

    /// `a + b` of two sizes. On overflow it is the largest size, which no memory has.
    pub(crate) fn sum(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let (i64, args) = (self.types.i64.into(), [a.into(), b.into()]);
        self.call_intrinsic("llvm.sadd.sat", &[i64], &args).into_int_value()
    }

    /// Fails if a sum or product of sizes is the largest size: an array without data may have that number of rows.
    pub(crate) fn check_room(&self, size: IntValue<'ctx>, site: PointerValue<'ctx>) {
        let largest = self.size(i64::MAX.unsigned_abs());
        let ok = self.compare(IntPredicate::NE, size, largest);
        self.check(ok, ErrorCode::Size, site, [size, largest]);
    }

    /// The value, or 0 if it is negative.
    pub(crate) fn at_least_zero(&self, value: IntValue<'ctx>) -> IntValue<'ctx> {
        self.at_least(value, self.types.i64.const_zero())
    }

    /// The greater one of two sizes.
    pub(crate) fn at_least(&self, value: IntValue<'ctx>, least: IntValue<'ctx>) -> IntValue<'ctx> {
        let i64 = self.types.i64.into();
        self.call_intrinsic("llvm.smax", &[i64], &[value.into(), least.into()]).into_int_value()
    }

    /// The number of elements of a shape.
    pub(crate) fn count(&self, shape: &[IntValue<'ctx>]) -> IntValue<'ctx> {
        shape.iter().copied().reduce(|a, b| self.product(a, b)).expect("arrays have a dimension")
    }

    /// The number of elements to allocate memory for. Rows without elements count as one element each. So no array has
    /// more rows than memory has bytes: it would take for ever to make.
    pub(crate) fn room(&self, shape: &[IntValue<'ctx>]) -> IntValue<'ctx> {
        let one = self.size(1);
        let (&first, rows) = shape.split_first().expect("arrays have a dimension");
        let row = rows.iter().rev().fold(one, |row, &extent| {
            let row = self.product(extent, row);
            if extent.is_const() && !extent.is_null() {
                return row;
            }
            let is_empty = self.compare(IntPredicate::EQ, extent, self.size(0));
            built(self.b.build_select(is_empty, one, row, "")).into_int_value()
        });
        self.product(first, row)
    }

    /// Fails unless `ok`. The meaning of `what` and of the numbers depends on the failure.
    pub(crate) fn check(
        &self,
        ok: IntValue<'ctx>,
        failure: ErrorCode,
        site: PointerValue<'ctx>,
        numbers: [IntValue<'ctx>; 2],
    ) {
        let (next, fail) = (self.block("ok"), self.block("fail"));
        self.branch(ok, next, fail);
        self.b.position_at_end(fail);
        let number = self.types.i32.const_int(u64::from(failure.number().cast_unsigned()), false);
        let [a, b] = numbers;
        let args = [self.context.into(), number.into(), site.into(), a.into(), b.into()];
        let code = self.call_runtime(RuntimeFn::Fail, &args).into_int_value();
        self.fail_with(code);
        self.b.position_at_end(next);
    }

    /// Fails if the call has been cancelled.
    pub(crate) fn check_cancelled(&self) {
        let limit = self.behind(self.context, STACK_LIMIT);
        let limit = self.load_shared(self.types.i64, limit, AtomicOrdering::Monotonic);
        // The load is volatile, so that each turn of a loop repeats it.
        let load = limit.as_instruction().expect("a load is an instruction");
        load.set_volatile(true).expect("a load can be volatile");
        let cancelled = self.types.i64.const_int(CANCELLED as u64, false);
        let ok = self.compare(IntPredicate::NE, limit, cancelled);
        let numbers = [self.size(0); 2];
        self.check(ok, ErrorCode::Cancelled, self.types.ptr.const_null(), numbers);
    }

    /// Fails unless `ok`, in the words of the site, which has places for these values.
    pub(crate) fn check_with(
        &self,
        ok: IntValue<'ctx>,
        failure: ErrorCode,
        site: PointerValue<'ctx>,
        values: &[IntValue<'ctx>],
    ) {
        let (next, fail) = (self.block("ok"), self.block("fail"));
        self.branch(ok, next, fail);
        self.b.position_at_end(fail);
        let ty = self.types.i64.array_type(rank(values));
        let memory = self.alloca(ty.into(), "values");
        for (place, &value) in (0..).zip(values) {
            let at = self.offset(self.types.i64.into(), memory, self.size(place));
            self.store(at, value);
        }
        let number = self.types.i32.const_int(u64::from(failure.number().cast_unsigned()), false);
        let args = [self.context.into(), number.into(), site.into(), memory.into()];
        let code = self.call_runtime(RuntimeFn::FailWith, &args).into_int_value();
        self.fail_with(code);
        self.b.position_at_end(next);
    }

    /// Fails with `code` unless it is 0. `site` is the place of the call that returned it.
    pub(crate) fn check_code(&self, code: IntValue<'ctx>, site: Option<PointerValue<'ctx>>) {
        let (next, fail) = (self.block("ok"), self.block("fail"));
        let ok = self.compare(IntPredicate::EQ, code, self.types.i32.const_zero());
        self.branch(ok, next, fail);
        self.b.position_at_end(fail);
        let code = match site {
            None => code,
            Some(site) => {
                let args = [self.context.into(), code.into(), site.into()];
                self.call_runtime(RuntimeFn::Pass, &args).into_int_value()
            }
        };
        self.fail_with(code);
        self.b.position_at_end(next);
    }

    /// If `buffer` is null, fails with the error that the runtime has noted.
    pub(crate) fn check_buffer(&self, buffer: PointerValue<'ctx>) {
        let (next, fail) = (self.block("ok"), self.block("fail"));
        let absent = built(self.b.build_is_null(buffer, ""));
        self.branch(absent, fail, next);
        self.b.position_at_end(fail);
        let code = self.call_runtime(RuntimeFn::Code, &[self.context.into()]);
        self.fail_with(code.into_int_value());
        self.b.position_at_end(next);
    }

    pub(crate) fn fail_with(&self, code: IntValue<'ctx>) {
        let code = match self.on_failure {
            OnFailure::Return => code,
            OnFailure::Leave => {
                let args = [self.context.into(), code.into()];
                self.call_runtime(RuntimeFn::Leave, &args).into_int_value()
            }
        };
        built(self.b.build_return(Some(&code)));
    }

    /// A new array, its elements not initialised.
    pub(crate) fn allocate(
        &self,
        elem: Scalar,
        shape: Vec<IntValue<'ctx>>,
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        self.allocate_by(true, elem, shape, site)
    }

    /// A new array. A later slice says how many of its elements are used.
    pub(crate) fn reserve(
        &self,
        elem: Scalar,
        shape: Vec<IntValue<'ctx>>,
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        self.allocate_by(false, elem, shape, site)
    }

    fn allocate_by(
        &self,
        is_exact: bool,
        elem: Scalar,
        shape: Vec<IntValue<'ctx>>,
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        let owner = self.new_buffer(is_exact, elem, self.room(&shape), site);
        self.check_buffer(owner);
        Array { data: self.elements(owner), owner, shape }
    }

    /// A buffer with a single owner that begins with `bytes` bytes of an array and has room for more. It takes over the
    /// array's owner.
    pub(crate) fn extend(
        &self,
        array: &Array<'ctx>,
        [used, more]: [IntValue<'ctx>; 2],
        site: PointerValue<'ctx>,
    ) -> PointerValue<'ctx> {
        let args = [self.context.into(), array.owner.into(), array.data.into()];
        let args = [args.as_slice(), &[used.into(), more.into(), site.into()]].concat();
        let owner = self.call_runtime(RuntimeFn::Extend, &args).into_pointer_value();
        self.check_buffer(owner);
        owner
    }

    /// The first element of a buffer.
    pub(crate) fn elements(&self, buffer: PointerValue<'ctx>) -> PointerValue<'ctx> {
        self.behind(buffer, HEADER)
    }

    /// The address `bytes` bytes behind a pointer that the runtime gave.
    pub(crate) fn behind(&self, pointer: PointerValue<'ctx>, bytes: usize) -> PointerValue<'ctx> {
        match u64::try_from(bytes).expect("headers are small") {
            0 => pointer,
            bytes => self.offset(self.types.i8.into(), pointer, self.size(bytes)),
        }
    }

    /// Where element `index` is.
    pub(crate) fn element(
        &self,
        elem: Scalar,
        data: PointerValue<'ctx>,
        index: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        self.offset(self.types.memory(elem), data, index)
    }

    /// The address of element `by` of an array of `ty` that begins at a pointer.
    fn offset(
        &self,
        ty: BasicTypeEnum<'ctx>,
        at: PointerValue<'ctx>,
        by: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        // SAFETY: the instruction is only run where the offset is in bounds: indices are checked, or
        // in bounds by construction, and every buffer has its header.
        built(unsafe { self.b.build_in_bounds_gep(ty, at, &[by], "") })
    }

    /// Reads a scalar from memory.
    pub(crate) fn load_scalar(
        &self,
        scalar: Scalar,
        at: PointerValue<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let loaded = built(self.b.build_load(self.types.memory(scalar), at, ""));
        self.in_register(scalar, loaded)
    }

    /// The value of a scalar that was read from memory.
    pub(crate) fn in_register(
        &self,
        scalar: Scalar,
        loaded: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        if scalar != Scalar::Bool {
            return loaded;
        }
        let byte = loaded.into_int_value();
        self.compare(IntPredicate::NE, byte, self.types.i8.const_zero()).into()
    }

    /// The form of a scalar in memory.
    pub(crate) fn in_memory(
        &self,
        scalar: Scalar,
        value: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        if scalar != Scalar::Bool {
            return value;
        }
        built(self.b.build_int_z_extend(value.into_int_value(), self.types.i8, "")).into()
    }

    /// Reads a value of a type.
    pub(crate) fn load(
        &self,
        ty: impl BasicType<'ctx>,
        at: PointerValue<'ctx>,
        name: &str,
    ) -> BasicValueEnum<'ctx> {
        built(self.b.build_load(ty, at, name))
    }

    /// Writes a value.
    pub(crate) fn store(&self, at: PointerValue<'ctx>, value: impl BasicValue<'ctx>) {
        built(self.b.build_store(at, value));
    }

    /// Adds a reference to the buffer.
    pub(crate) fn retain(&self, array: &Array<'ctx>) {
        if !array.owner.is_null() {
            self.retain_owner(array.owner);
        }
    }

    /// Removes a reference to the buffer.
    pub(crate) fn release(&self, array: &Array<'ctx>) {
        if !array.owner.is_null() {
            self.release_owner(array.owner);
        }
    }

    /// Copies the elements of an array to memory of its own.
    pub(crate) fn copy_elements(&self, elem: Scalar, from: &Array<'ctx>, to: PointerValue<'ctx>) {
        let bytes = self.byte_count(elem, self.count(&from.shape));
        built(self.b.build_memcpy(to, elem.bytes(), from.data, elem.bytes(), bytes));
    }

    /// The bytes that `count` elements take in memory.
    pub(crate) fn byte_count(&self, elem: Scalar, count: IntValue<'ctx>) -> IntValue<'ctx> {
        self.mul_index(count, self.size(u64::from(elem.bytes())))
    }

    /// How many bytes of elements a buffer may hold.
    pub(crate) fn capacity(&self, buffer: PointerValue<'ctx>) -> IntValue<'ctx> {
        self.load(self.types.i64, self.behind(buffer, CAPACITY), "capacity").into_int_value()
    }

    /// Whether a buffer has one reference. Another thread may have given its reference up just before. The load is
    /// ordered after the reads and writes of that thread.
    pub(crate) fn is_alone(&self, owner: PointerValue<'ctx>) -> IntValue<'ctx> {
        let i32 = self.types.i32;
        let owners = self.load_shared(i32, self.behind(owner, COUNT), AtomicOrdering::Acquire);
        self.compare(IntPredicate::EQ, owners, i32.const_int(1, false))
    }

    /// Loads an integer that other threads may change meanwhile.
    pub(crate) fn load_shared(
        &self,
        ty: IntType<'ctx>,
        place: PointerValue<'ctx>,
        ordering: AtomicOrdering,
    ) -> IntValue<'ctx> {
        let value = built(self.b.build_load(ty, place, "shared")).into_int_value();
        let load = value.as_instruction().expect("a load is an instruction");
        load.set_atomic_ordering(ordering).expect("loads may be atomic");
        load.set_alignment(ty.get_bit_width() / 8).expect("it is aligned");
        value
    }

    /// Stores an integer that other threads may load meanwhile.
    pub(crate) fn store_shared(
        &self,
        place: PointerValue<'ctx>,
        value: IntValue<'ctx>,
        ordering: AtomicOrdering,
    ) {
        let store = built(self.b.build_store(place, value));
        store.set_atomic_ordering(ordering).expect("stores may be atomic");
        store.set_alignment(value.get_type().get_bit_width() / 8).expect("it is aligned");
    }

    /// Begins a loop from step `first` to `length`; the builder is then in its body.
    pub(crate) fn begin_loop(
        &self,
        first: IntValue<'ctx>,
        length: IntValue<'ctx>,
    ) -> CountedLoop<'ctx> {
        let (header, inside, exit) = (self.block("loop"), self.block("body"), self.block("done"));
        let before = self.here();
        self.jump(header);
        self.b.position_at_end(header);
        let phi = built(self.b.build_phi(self.types.i64, "i"));
        phi.add_incoming(&[(&first, before)]);
        let counter = phi.as_basic_value().into_int_value();
        let more = self.compare(IntPredicate::SLT, counter, length);
        self.branch(more, inside, exit);
        self.b.position_at_end(inside);
        CountedLoop { counter, phi, header, exit }
    }

    /// Ends the body of a loop; the builder is then behind the loop. Returns the branch back.
    pub(crate) fn end_loop(&self, counted: &CountedLoop<'ctx>) -> InstructionValue<'ctx> {
        self.end_loop_by(counted, 1)
    }

    /// The same for a loop whose counter grows by more than one.
    pub(crate) fn end_loop_by(
        &self,
        counted: &CountedLoop<'ctx>,
        step: u64,
    ) -> InstructionValue<'ctx> {
        let next = self.add_index(counted.counter, self.size(step));
        counted.phi.add_incoming(&[(&next, self.here())]);
        let back = built(self.b.build_unconditional_branch(counted.header));
        self.b.position_at_end(counted.exit);
        back
    }

    /// `a + b` of positions, which never overflows: memory ends before.
    pub(crate) fn add_index(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let sum = built(self.b.build_int_nuw_add(a, b, ""));
        never_wraps(sum);
        sum
    }

    /// `a * b` of positions, which never overflows: memory ends before.
    pub(crate) fn mul_index(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let product = built(self.b.build_int_nuw_mul(a, b, ""));
        never_wraps(product);
        product
    }
}

fn never_wraps(value: IntValue<'_>) {
    // A constant has been computed already.
    if let Some(instruction) = value.as_instruction() {
        instruction.set_no_signed_wrap_flag(true).expect("sums and products have the flag");
    }
}
