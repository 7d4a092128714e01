//! Memory: slots of the stack, buffers of the runtime, and the elements in them.
//!
//! Invariant: an address is computed from the type in memory, which is a byte for a `bool`.
//!
//! ```text
//! code.allocate(f64, [n])      %xs.buffer = call @arr_rt_alloc(%ctx, %n, 8, …)
//!                              %xs = getelementptr i8, %xs.buffer, HEADER
//! ```

use arr_abi::function::RuntimeFn;
use arr_abi::layout::{CAPACITY, COUNT, HEADER};
use arrc_syntax::prim::Scalar;
use inkwell::types::{BasicType, BasicTypeEnum, IntType};
use inkwell::values::{BasicValue, BasicValueEnum, IntValue, PointerValue};
use inkwell::{AtomicOrdering, IntPredicate};

use super::FunctionBuilder;
use crate::unit::built;
use crate::value::Array;

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
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

    /// Ends the use of a slot. Does nothing if the pointer is null.
    pub(crate) fn end_slot(&self, slot: PointerValue<'ctx>) {
        if !slot.is_null() {
            self.mark_slot("llvm.lifetime.end", slot);
        }
    }

    fn mark_slot(&self, intrinsic: &str, slot: PointerValue<'ctx>) {
        let mark = self.unit.intrinsic(intrinsic, &[self.types.ptr.into()]);
        built(self.b.build_call(mark, &[slot.into()], ""));
    }

    /// The number of elements to allocate memory for. Rows without elements count as one element each. So no array
    /// has more rows than memory has bytes: to make such an array would take for ever.
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

    /// A new array, its elements not initialised.
    pub(crate) fn allocate(
        &self,
        elem: Scalar,
        shape: Vec<IntValue<'ctx>>,
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        self.allocate_by(true, elem, shape, site)
    }

    /// The same. If the number of elements is not exact, a later slice says how many are used.
    pub(crate) fn allocate_by(
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

    /// A buffer with a single owner that begins with the first `used` bytes of an array, and has room for more. The
    /// call takes over the reference to the array's buffer.
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
        self.byte_offset(buffer, HEADER)
    }

    /// The address `bytes` bytes behind a pointer that the runtime gave.
    pub(crate) fn byte_offset(
        &self,
        pointer: PointerValue<'ctx>,
        bytes: usize,
    ) -> PointerValue<'ctx> {
        match u64::try_from(bytes).expect("headers are small") {
            0 => pointer,
            bytes => self.offset(self.types.i8.into(), pointer, self.size(bytes)),
        }
    }

    /// The address of element `index`.
    pub(crate) fn element(
        &self,
        elem: Scalar,
        data: PointerValue<'ctx>,
        index: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        self.offset(self.types.memory(elem), data, index)
    }

    /// The address of element `index`, which need not be in an allocation.
    pub(crate) fn outside(
        &self,
        elem: Scalar,
        data: PointerValue<'ctx>,
        index: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        // SAFETY: without `inbounds`, any address may be computed.
        built(unsafe { self.b.build_gep(self.types.memory(elem), data, &[index], "") })
    }

    /// Asks for the line of memory some bytes behind an address, in all caches. The line need not be in the array, or
    /// exist.
    pub(crate) fn prefetch(&self, from: PointerValue<'ctx>, bytes: u64) {
        let (i8, by) = (self.types.i8, self.size(bytes));
        // SAFETY: without `inbounds`, the address of any byte may be computed, and a prefetch of it never fails.
        let address = built(unsafe { self.b.build_gep(i8, from, &[by], "") });
        let number = |value| self.types.i32.const_int(value, false).into();
        let [for_reading, in_all_caches, of_data] = [0, 3, 1].map(number);
        let prefetch = self.unit.intrinsic("llvm.prefetch", &[self.types.ptr.into()]);
        let args = [address.into(), for_reading, in_all_caches, of_data];
        built(self.b.build_call(prefetch, &args, ""));
    }

    /// The address of element `by` of an array of `ty` that begins at a pointer.
    pub(super) fn offset(
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

    /// Loads a number or a pointer that was stored shortly before, with an instruction of its own. LLVM would load
    /// neighbours as one vector, which waits until all of their stores have reached the cache. It does not join loads
    /// that are atomic.
    pub(crate) fn load_forwarded(
        &self,
        (ty, bytes): (BasicTypeEnum<'ctx>, u32),
        at: PointerValue<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let loaded = built(self.b.build_load(ty, at, ""));
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        load.set_atomic_ordering(AtomicOrdering::Unordered).expect("loads may be atomic");
        load.set_alignment(bytes).expect("the size is a power of two");
        loaded
    }

    /// Tells LLVM that a loaded `i64` is not negative.
    pub(crate) fn is_not_negative(&self, loaded: BasicValueEnum<'ctx>) {
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        let [zero, end] = [0, 1 << 63].map(|bound| self.size(bound).into());
        let context = self.unit.context;
        let range = context.metadata_node(&[zero, end]);
        load.set_metadata(range, context.get_kind_id("range")).expect("the bounds are a node");
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

    /// Copies the elements of an array of any size to memory of its own, some at a time. Fails between them if the call is
    /// cancelled.
    pub(crate) fn copy_array(&self, elem: Scalar, from: &Array<'ctx>, to: PointerValue<'ctx>) {
        /// The most bytes between two checks: about half a millisecond, if they are new memory.
        const MOST: u64 = 1 << 20;
        let bytes = self.byte_count(elem, self.count(&from.shape));
        let [copy, more, done] = ["copy", "copy.more", "copied"].map(|name| self.block(name));
        let before = self.current_block();
        self.jump(copy);
        self.b.position_at_end(copy);
        let at = built(self.b.build_phi(self.types.i64, "copied"));
        let first = at.as_basic_value().into_int_value();
        let left = built(self.b.build_int_sub(bytes, first, ""));
        let is_last = self.compare(IntPredicate::ULE, left, self.size(MOST));
        let some = self.select(is_last, left.into(), self.size(MOST).into()).into_int_value();
        let [from, to] = [from.data, to].map(|data| self.offset(self.types.i8.into(), data, first));
        built(self.b.build_memcpy(to, elem.bytes(), from, elem.bytes(), some));
        self.branch(is_last, done, more);
        self.b.position_at_end(more);
        self.check_cancelled();
        let next = self.add_index(first, some);
        at.add_incoming(&[(&self.size(0), before), (&next, self.current_block())]);
        self.jump(copy);
        self.b.position_at_end(done);
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
        self.load(self.types.i64, self.byte_offset(buffer, CAPACITY), "capacity").into_int_value()
    }

    /// Whether a buffer has one reference. Another thread may have given its reference up just before. The load is
    /// ordered after the reads and writes of that thread.
    pub(crate) fn has_one_owner(&self, owner: PointerValue<'ctx>) -> IntValue<'ctx> {
        let i32 = self.types.i32;
        let owners = self.load_shared(i32, self.byte_offset(owner, COUNT), AtomicOrdering::Acquire);
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
}
