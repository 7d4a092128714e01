//! Scratch buffers: the memory of arrays that end with the step of a loop that makes them.
//!
//! Arrays that the steps of an inner loop make by turns have two buffers, which are exchanged when an array is made.
//!
//! Invariant: a buffer belongs to the outermost pass or loop, and is released when that ends. An array in it has no owner.
//!
//! ```text
//! for i < n { t = newVecI k scratch; … }
//! ⇒ %owner = null, %capacity = -1
//!   for i < n { if 8 * k > %capacity { %owner = extend(%owner, 0, 8 * k) }; %t = %owner + header; … }
//!   release %owner
//! ```

use arrc_core::ids::VarId;
use arrc_core::ir::procedure::concrete::{
    Block, Complete, Loop, Memory, Procedure, Start, Step, Stmt, Visit, Worker,
};
use arrc_core::prim::Scalar;
use indexmap::IndexMap;
use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{IntValue, PointerValue};

use crate::function::Body;
use crate::value::Array;

/// The scratch buffers of a pass or loop, by the arrays that are made in them.
pub(crate) type Buffers<'ctx> = IndexMap<VarId, Buffer<'ctx>>;

/// The scratch buffer of an array.
#[derive(Clone, Copy)]
pub(crate) struct Buffer<'ctx> {
    /// The buffer that the array is made in.
    this: Room<'ctx>,
    /// The buffer that the next one is made in, where arrays are made by turns.
    other: Option<Room<'ctx>>,
}

/// A buffer.
#[derive(Clone, Copy)]
struct Room<'ctx> {
    /// Its owner, or null.
    owner: PointerValue<'ctx>,
    /// The bytes of elements that there is room for; -1 without memory. An array without elements has memory as well, since vectors
    /// are stored behind its end.
    capacity: PointerValue<'ctx>,
}

/// The arrays that are made in scratch buffers.
#[derive(Default)]
struct Found {
    /// Each array, and whether it is made by turns.
    arrays: Vec<(VarId, bool)>,
}

impl Found {
    fn array(&mut self, array: VarId, memory: &Memory) {
        match memory {
            Memory::Scratch => self.arrays.push((array, false)),
            Memory::Turns => self.arrays.push((array, true)),
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
        if let Step::Array { var, memory, .. } | Step::Copy { var, memory, .. } = step {
            self.array(*var, memory);
        }
        step.visit(self);
    }
}

impl Visit<'_, Complete> for Found {
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
        let mut found = Found::default();
        found.step(step);
        self.begin_scratch(found);
        self.step(step);
        self.end_scratch();
    }

    /// Begins the steps of a loop in a function of its own, which has scratch buffers of its own.
    pub(crate) fn begin_scratch_of(&mut self, nest: &'p Loop) {
        let mut found = Found::default();
        found.nest(nest);
        self.begin_scratch(found);
    }

    fn begin_scratch(&mut self, found: Found) {
        let mut buffers = Buffers::new();
        for (array, turns) in found.arrays {
            let other = turns.then(|| self.no_room());
            buffers.insert(array, Buffer { this: self.no_room(), other });
        }
        self.scratch = Some(buffers);
    }

    /// Releases the scratch buffers.
    pub(crate) fn end_scratch(&mut self) {
        let buffers = self.scratch.take().unwrap_or_default();
        for room in buffers.values().flat_map(|buffer| [Some(buffer.this), buffer.other]).flatten()
        {
            let owner = self.code.load(self.code.types.ptr, room.owner, "scratch");
            self.code.release_owner(owner.into_pointer_value());
        }
    }

    /// A buffer without memory.
    fn no_room(&self) -> Room<'ctx> {
        let code = &self.code;
        let owner = code.alloca(code.types.ptr.into(), "scratch");
        let capacity = code.alloca(code.types.i64.into(), "capacity");
        code.store(owner, code.types.ptr.const_null());
        code.store(capacity, code.types.i64.const_all_ones());
        Room { owner, capacity }
    }

    /// Exchanges the two buffers.
    fn exchange(&self, this: Room<'ctx>, other: Room<'ctx>) {
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

    /// An array of that shape in its scratch buffer, which grows where there is too little room.
    pub(crate) fn scratch_array(
        &self,
        array: VarId,
        elem: Scalar,
        shape: Vec<IntValue<'ctx>>,
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        let buffer = self.scratch.as_ref().and_then(|buffers| buffers.get(&array));
        let &Buffer { this, other } =
            buffer.unwrap_or_else(|| panic!("{array} has a scratch buffer around"));
        if let Some(other) = other {
            self.exchange(this, other);
        }
        let Room { owner, capacity } = this;
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
}
