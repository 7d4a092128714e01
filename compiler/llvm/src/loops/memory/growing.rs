//! Vectors whose length is not known beforehand: those that a `flatmap` makes.
//!
//! The frame holds their addresses. Before a step writes its elements, it reserves room for all of them. If there is
//! too little, the runtime extends the vector to at least twice its size, so that each element is moved once on
//! average.
//!
//! Invariant: between a reserve and its writes, the vector's variable is bound to the current address.
//!
//! ```text
//! reserveI ys (k2_acc + k)     %need = 8 * (k2_acc + k)      %little = %need > load capacity
//!                              br %little: %new = extend(ys, 8 * k2_acc, 8 * k)
//! ```

use arrc_loops::concrete::{Length, WrittenCount};
use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use crate::loops::pass::{GrowingVector, Pass};
use crate::value::{Array, LoweredValue};

impl<'ctx> Pass<'_, '_, 'ctx, '_> {
    /// A vector that was just made, and will grow.
    pub(in crate::loops) fn begin_growing(
        &self,
        made: &Array<'ctx>,
        site: PointerValue<'ctx>,
    ) -> GrowingVector<'ctx> {
        let code = &self.body.code;
        let owner = code.alloca(code.types.ptr.into(), "owner");
        let capacity = code.alloca(code.types.i64.into(), "capacity");
        code.store(owner, made.owner);
        code.store(capacity, code.capacity(made.owner));
        GrowingVector { owner, capacity, is_scratch: false, site }
    }

    /// The vector at its current address. A vector in a scratch buffer has no owner.
    pub(in crate::loops) fn grown(&self, vec: VarId, growing: GrowingVector<'ctx>) -> Array<'ctx> {
        let Array { data, owner, shape } = self.in_its_memory(vec, growing);
        let owner = if growing.is_scratch { self.body.code.types.ptr.const_null() } else { owner };
        Array { data, owner, shape }
    }

    /// The vector with the owner of the memory.
    fn in_its_memory(&self, vec: VarId, growing: GrowingVector<'ctx>) -> Array<'ctx> {
        let code = &self.body.code;
        let owner = code.load(code.types.ptr, growing.owner, "owner").into_pointer_value();
        let shape = self.body.var(vec).vector(vec).shape.clone();
        Array { data: code.elements(owner), owner, shape }
    }

    /// Makes room for more elements than were written.
    pub(in crate::loops) fn reserve(&mut self, vec: VarId, written: &WrittenCount, more: &Length) {
        let growing = self.growing[vec].unwrap_or_else(|| panic!("{vec} grows"));
        let written = self.written(written).expect("what grows is counted");
        let (elem, _) = self.body.array_type(vec);
        let code = &self.body.code;
        let rows = &self.body.var(vec).vector(vec).shape[1..];
        if !rows.is_empty() {
            // Rows without elements take no memory, however many they are.
            code.check_room(code.sum(written, self.length(more)), growing.site);
        }
        let of = |count: IntValue<'ctx>| [&[count], rows].concat();
        let used = code.byte_count(elem, code.count(&of(written)));
        let row = code.size(u64::from(elem.bytes()));
        let more = code.product(code.count(&of(self.length(more))), row);
        let capacity = code.load(code.types.i64, growing.capacity, "capacity").into_int_value();
        let little = code.compare(IntPredicate::SGT, code.sum(used, more), capacity);
        let [grow, room] = ["grow", "room"].map(|name| code.block(name));
        code.branch(little, grow, room);
        code.b.position_at_end(grow);
        let longer = code.extend(&self.in_its_memory(vec, growing), [used, more], growing.site);
        code.store(growing.owner, longer);
        code.store(growing.capacity, code.capacity(longer));
        code.jump(room);
        code.b.position_at_end(room);
        let vector = self.grown(vec, growing);
        self.body.bind(vec, LoweredValue::Vector(vector));
    }
}
