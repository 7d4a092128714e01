//! Scratch buffers: the memory of arrays that end with the step of a loop that makes them.
//!
//! Arrays that the steps of an inner loop make alternately have two buffers, which are exchanged when an array is made.
//!
//! Invariant: a buffer belongs to the outermost pass or loop, and is released when that ends, unless the result is in
//! it. An array in it has no owner. The slices of a pass take the buffers from the frame of the pass, and put them
//! back: only slices that run at the same time have buffers of their own.
//!
//! ```text
//! for i < n { t = newVecI k scratch; … }
//! ⇒ %owner = null, %capacity = -1
//!   for i < n { if 8 * k > %capacity { %owner = extend(%owner, 0, 8 * k) }; %t = %owner + header; … }
//!   release %owner
//! ```

use arrc_loops::concrete::def_use;
use arrc_loops::concrete::{
    Block, Complete, Loop, Memory, Procedure, Start, Step, Stmt, Visit, Worker,
};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, IntPredicate};

use crate::array::scratch_buffers::{BufferSlot, ScratchBuffer, ScratchBuffers, SharedPlaces};
use crate::code::FunctionBuilder;
use crate::function::function_body::Body;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// Takes the buffer from a place that other threads use too, if there is one.
fn take<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    room: BufferSlot<'ctx>,
    place: PointerValue<'ctx>,
) {
    let none = code.types.i64.const_zero();
    let order = AtomicOrdering::Acquire;
    let taken = built(code.b.build_atomicrmw(AtomicRMWBinOp::Xchg, place, none, order));
    let owner = built(code.b.build_int_to_ptr(taken, code.types.ptr, "scratch"));
    let [some, next] = ["taken", "begun"].map(|name| code.block(name));
    code.branch(code.compare(IntPredicate::EQ, taken, none), next, some);
    code.b.position_at_end(some);
    code.store(room.owner, owner);
    code.store(room.capacity, code.capacity(owner));
    code.jump(next);
    code.b.position_at_end(next);
}

/// Puts a buffer into a place that other threads use too. The result is null, or the buffer if there is one already.
fn give<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    owner: PointerValue<'ctx>,
    place: PointerValue<'ctx>,
) -> PointerValue<'ctx> {
    let none = code.types.ptr.const_null();
    let orders = (AtomicOrdering::Release, AtomicOrdering::Monotonic);
    let given = built(code.b.build_cmpxchg(place, none, owner, orders.0, orders.1));
    let is_given = built(code.b.build_extract_value(given, 1, "given")).into_int_value();
    code.select(is_given, none.into(), owner.into()).into_pointer_value()
}

/// The arrays that are made in scratch buffers.
#[derive(Default)]
struct ScratchArrays {
    /// Each array, and whether it is made alternately.
    arrays: Vec<(VarId, bool)>,
}

impl ScratchArrays {
    fn array(&mut self, array: VarId, memory: &Memory) {
        match memory {
            Memory::Scratch => self.arrays.push((array, false)),
            Memory::DoubleBuffer => self.arrays.push((array, true)),
            Memory::New
            | Memory::Row(_)
            | Memory::Over(_)
            | Memory::Behind(_)
            | Memory::Part(_) => {}
        }
    }

    fn block(&mut self, block: &Block) {
        block.steps.iter().for_each(|step| self.step(step));
    }

    fn nest(&mut self, nest: &Loop) {
        nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        });
    }

    fn step(&mut self, step: &Step) {
        if let Step::Array { var, memory, .. }
        | Step::Sort { var, memory, .. }
        | Step::Copy { var, memory, .. }
        | Step::Append { var, memory, .. } = step
        {
            self.array(*var, memory);
        }
        step.visit(self);
    }
}

impl Visit<'_, Complete> for ScratchArrays {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        for start in &pass.start {
            if let Start::NewVec { vec, memory, .. } = start {
                self.array(*vec, memory);
            }
        }
        self.nest(&pass.nest);
    }
}

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Lowers an outermost pass or loop with the scratch buffers that its steps use.
    pub(crate) fn with_scratch(&mut self, step: &'p Step) {
        let mut found = ScratchArrays::default();
        found.step(step);
        self.begin_scratch(found);
        self.step(step);
        for var in def_use::defines(step) {
            self.take_over(var);
        }
        self.end_scratch();
    }

    /// Makes a result of the outermost loop the owner of the buffer that it is in, if it is in one of two which its
    /// steps use alternately.
    fn take_over(&mut self, result: VarId) {
        let LoweredValue::Array(mut array) = self.var(result).clone() else { return };
        let ty = self.array_type(result);
        let buffers = self.scratch.iter().flatten();
        let buffers = buffers
            .filter(|(made, buffer)| buffer.other.is_some() && self.array_type(**made) == ty);
        for room in buffers.flat_map(|(_, buffer)| buffer.rooms()) {
            let code = &self.code;
            let owner = code.load(code.types.ptr, room.owner, "scratch").into_pointer_value();
            let is_here = code.same_place(array.data, code.elements(owner));
            let none = code.types.ptr.const_null();
            array.owner =
                code.select(is_here, owner.into(), array.owner.into()).into_pointer_value();
            let rest = code.select(is_here, none.into(), owner.into()).into_pointer_value();
            code.store(room.owner, rest);
        }
        self.bind(result, LoweredValue::Array(array));
    }

    /// Begins the steps of a loop in a function of its own, which takes the scratch buffers from these places.
    pub(crate) fn begin_scratch_of(&mut self, nest: &'p Loop, shared: &SharedPlaces<'ctx>) {
        let mut found = ScratchArrays::default();
        found.nest(nest);
        self.begin_scratch(found);
        let buffers = self.scratch.iter_mut().flatten();
        for (&array, buffer) in buffers {
            let places = shared.iter().filter(|(of, _)| *of == array).map(|&(_, place)| place);
            for (room, place) in buffer.rooms_mut().zip(places) {
                room.shared = Some(place);
                take(&self.code, *room, place);
            }
        }
    }

    /// Begins a function of its own that runs the bodies of workers once. Its scratch buffers end with it.
    pub(crate) fn begin_scratch_of_workers(
        &mut self,
        workers: impl Iterator<Item = &'p Worker<Complete>>,
    ) {
        let mut found = ScratchArrays::default();
        workers.for_each(|worker| found.block(&worker.body));
        self.begin_scratch(found);
    }

    /// The places of the owners of the scratch buffers that the steps of a loop use.
    pub(crate) fn shared_places(&self, nest: &Loop) -> SharedPlaces<'ctx> {
        let mut found = ScratchArrays::default();
        found.nest(nest);
        let buffers = found.arrays.iter().filter_map(|(array, _)| {
            let buffer = self.scratch.as_ref().and_then(|buffers| buffers.get(array))?;
            Some(buffer.rooms().map(|room| (*array, room.owner)))
        });
        buffers.flatten().collect()
    }

    fn begin_scratch(&mut self, found: ScratchArrays) {
        let mut buffers = ScratchBuffers::new();
        for (array, alternates) in found.arrays {
            let other = alternates.then(|| self.no_room());
            buffers.insert(array, ScratchBuffer { this: self.no_room(), other });
        }
        self.scratch = Some(buffers);
    }

    /// Releases the scratch buffers, or gives them to other slices.
    pub(crate) fn end_scratch(&mut self) {
        let buffers = self.scratch.take().unwrap_or_default();
        for room in buffers.values().flat_map(ScratchBuffer::rooms) {
            let code = &self.code;
            let owner = code.load(code.types.ptr, room.owner, "scratch").into_pointer_value();
            let rest = room.shared.map_or(owner, |place| give(code, owner, place));
            code.release_owner(rest);
        }
    }

    /// A buffer without memory.
    fn no_room(&self) -> BufferSlot<'ctx> {
        let code = &self.code;
        let owner = code.alloca(code.types.ptr.into(), "scratch");
        let capacity = code.alloca(code.types.i64.into(), "capacity");
        code.store(owner, code.types.ptr.const_null());
        code.store(capacity, code.types.i64.const_all_ones());
        BufferSlot { owner, capacity, shared: None }
    }

    /// Exchanges the two buffers.
    fn exchange(&self, this: BufferSlot<'ctx>, other: BufferSlot<'ctx>) {
        let code = &self.code;
        for (ty, a, b) in [
            (code.types.ptr.into(), this.owner, other.owner),
            (code.types.i64.into(), this.capacity, other.capacity),
        ] {
            let ty: BasicTypeEnum<'ctx> = ty;
            let [first, second] = [a, b].map(|place| code.load(ty, place, "turn"));
            code.store(a, second);
            code.store(b, first);
        }
    }

    /// The addresses of the owner and of the capacity of the scratch buffer in which an array was just made.
    pub(crate) fn scratch_room(&self, array: VarId) -> [PointerValue<'ctx>; 2] {
        let BufferSlot { owner, capacity, .. } = self.scratch_buffer(array).this;
        [owner, capacity]
    }

    fn scratch_buffer(&self, array: VarId) -> ScratchBuffer<'ctx> {
        let buffer = self.scratch.as_ref().and_then(|buffers| buffers.get(&array));
        *buffer.unwrap_or_else(|| panic!("{array} has a scratch buffer around"))
    }

    /// An array of that shape in its scratch buffer, which grows where there is too little room.
    pub(crate) fn scratch_array(
        &self,
        array: VarId,
        elem: Scalar,
        shape: Vec<IntValue<'ctx>>,
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        let ScratchBuffer { this, other } = self.scratch_buffer(array);
        if let Some(other) = other {
            self.exchange(this, other);
        }
        let BufferSlot { owner, capacity, .. } = this;
        let code = &self.code;
        let bytes = code.product(code.room(&shape), code.size(u64::from(elem.bytes())));
        let room = code.load(code.types.i64, capacity, "capacity").into_int_value();
        let little = code.compare(IntPredicate::SGT, bytes, room);
        let [grow, enough] = ["grow", "room"].map(|name| code.block(name));
        code.branch(little, grow, enough);
        code.b.position_at_end(grow);
        let before = code.load(code.types.ptr, owner, "scratch").into_pointer_value();
        let nothing = Array { data: code.elements(before), owner: before, shape: Vec::new() };
        let longer = code.extend(&nothing, [code.size(0), bytes], site);
        code.store(owner, longer);
        code.store(capacity, code.capacity(longer));
        code.jump(enough);
        code.b.position_at_end(enough);
        let data = code.elements(code.load(code.types.ptr, owner, "scratch").into_pointer_value());
        Array { data, owner: code.types.ptr.const_null(), shape }
    }

    /// The scratch buffer of an array, with the bytes of an array that ends, and room for more bytes behind them.
    pub(crate) fn scratch_room_of(
        &self,
        array: VarId,
        first: &Array<'ctx>,
        [used, more]: [IntValue<'ctx>; 2],
        site: PointerValue<'ctx>,
    ) -> PointerValue<'ctx> {
        let BufferSlot { owner: place, capacity, .. } = self.scratch_buffer(array).this;
        let code = &self.code;
        let owner = code.load(code.types.ptr, place, "scratch").into_pointer_value();
        let is_here = code.same_place(first.data, code.elements(owner));
        let needed = code.sum(used, more);
        let room = code.load(code.types.i64, capacity, "capacity").into_int_value();
        let little = code.compare(IntPredicate::SGT, needed, room);
        let [grow, enough, copy, done] =
            ["grow", "room", "copy", "appended"].map(|name| code.block(name));
        code.branch(little, grow, enough);
        code.b.position_at_end(grow);
        let nothing = Array { data: code.elements(owner), owner, shape: Vec::new() };
        let kept = code.select(is_here, used.into(), code.size(0).into()).into_int_value();
        let rest = built(code.b.build_int_sub(needed, kept, ""));
        let longer = code.extend(&nothing, [kept, rest], site);
        code.store(place, longer);
        code.store(capacity, code.capacity(longer));
        code.jump(enough);
        code.b.position_at_end(enough);
        let owner = code.load(code.types.ptr, place, "scratch").into_pointer_value();
        code.branch(is_here, done, copy);
        code.b.position_at_end(copy);
        built(code.b.build_memcpy(code.elements(owner), 1, first.data, 1, used));
        code.release(first);
        code.jump(done);
        code.b.position_at_end(done);
        owner
    }
}
