//! Vectors of which nobody knows beforehand how long they will be: those that a `flatmap` makes.
//!
//! Where they are is in the frame. Before the elements of a step there is made room for all of them: where there
//! is too little, the vector moves to memory for twice as many elements at least, so that each element is moved
//! once on average.
//!
//! Invariant: between a reserve and the writes that it is for, the variable of the vector is where it is now.
//!
//! ```text
//! reserveI ys (k2_acc + k)     %need = k2_acc + k      %little = %need > load capacity
//!                              br %little: %new = alloc(max(%need, 2 * capacity)); memcpy; release
//! ```

use arrc_core::ids::VarId;
use arrc_core::ir::procedure::concrete::{Length, Nest, Procedure, Stmt, Written};
use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::scalar::Pass;
use crate::value::{Array, Value};

/// A vector that grows.
#[derive(Clone, Copy)]
pub(super) struct Growing<'ctx> {
    /// Where its buffer is kept.
    owner: PointerValue<'ctx>,
    /// Where it is kept how many elements there is room for.
    capacity: PointerValue<'ctx>,
    /// What an allocation that fails points at.
    site: PointerValue<'ctx>,
}

/// Whether there is room to be made for elements of a vector.
pub(super) fn grows(procedure: &Procedure, vec: VarId) -> bool {
    fn inside(body: &[Stmt], inner: &[Nest], vec: VarId) -> bool {
        let reserves = |stmt: &Stmt| matches!(stmt, Stmt::Reserve { vec: of, .. } if *of == vec);
        body.iter().any(reserves)
            || inner.iter().any(|nest| match nest {
                Nest::Loop(nest) => inside(&nest.body, &nest.inner, vec),
                Nest::Guard(guard) => inside(&guard.body, &guard.inner, vec),
            })
    }
    inside(&procedure.nest.body, &procedure.nest.inner, vec)
}

impl<'ctx> Pass<'_, '_, 'ctx, '_> {
    /// A vector that was just made, and will grow.
    pub(super) fn begin_growing(
        &self,
        made: &Array<'ctx>,
        site: PointerValue<'ctx>,
    ) -> Growing<'ctx> {
        let code = &self.body.code;
        let owner = code.alloca(code.types.ptr.into(), "owner");
        let capacity = code.alloca(code.types.i64.into(), "capacity");
        code.store(owner, made.owner);
        code.store(capacity, made.shape[0]);
        Growing { owner, capacity, site }
    }

    /// The vector where it is now.
    pub(super) fn grown(&self, vec: VarId, growing: Growing<'ctx>) -> Array<'ctx> {
        let code = &self.body.code;
        let owner = code.load(code.types.ptr, growing.owner, "owner").into_pointer_value();
        let shape = self.body.var(vec).vector(vec).shape.clone();
        Array { data: code.elements(owner), owner, shape }
    }

    /// Makes room for more elements than were written.
    pub(super) fn reserve(&mut self, vec: VarId, written: &Written, more: &Length) {
        let growing = self.growing[vec].unwrap_or_else(|| panic!("{vec} grows"));
        let written = self.written(written).expect("what grows is counted");
        let need = self.body.code.sum(written, self.length(more));
        let code = &self.body.code;
        let capacity = self.capacity(growing);
        let little = code.compare(IntPredicate::SGT, need, capacity);
        let [grow, room] = ["grow", "room"].map(|name| code.block(name));
        code.branch(little, grow, room);
        code.b.position_at_end(grow);
        self.move_to(vec, growing, written, need);
        self.body.code.jump(room);
        self.body.code.b.position_at_end(room);
        let vector = self.grown(vec, growing);
        self.body.bind(vec, Value::Vector(vector));
    }

    /// Moves a vector to memory for that many elements or more.
    fn move_to(
        &self,
        vec: VarId,
        growing: Growing<'ctx>,
        written: IntValue<'ctx>,
        need: IntValue<'ctx>,
    ) {
        let (elem, _) = self.body.array_type(vec);
        let code = &self.body.code;
        let old = self.grown(vec, growing);
        let capacity = self.capacity(growing);
        let twice = code.sum(capacity, capacity);
        let enough = code.greater(need, twice);
        let shaped = |count: IntValue<'ctx>| {
            let mut shape = old.shape.clone();
            shape[0] = count;
            shape
        };
        let new = code.allocate(elem, shaped(enough), growing.site);
        let kept = Array { data: old.data, owner: old.owner, shape: shaped(written) };
        code.copy_elements(elem, &kept, new.data);
        code.release(&old);
        code.store(growing.owner, new.owner);
        code.store(growing.capacity, enough);
    }

    fn capacity(&self, growing: Growing<'ctx>) -> IntValue<'ctx> {
        let code = &self.body.code;
        code.load(code.types.i64, growing.capacity, "capacity").into_int_value()
    }
}
