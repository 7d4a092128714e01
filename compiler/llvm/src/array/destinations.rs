//! New arrays in memory that the caller of an entry gives for a result.
//!
//! Invariant: such an array has no owner, since its memory belongs to the caller. It has memory of its own if the caller
//! gives none, or gives too little.
//!
//! ```text
//! ys = newVecI n     ⇒   %given = load ctx.destinations     br %given == null, own, given
//!                        given: br %given[0].count >= n, there, own
//!                        own:   %new = call @arr_rt.alloc.8(ctx, n)
//! ```

use std::mem::offset_of;

use arr_abi::layout::{DESTINATIONS, Destination};
use arrc_loops::concrete;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, PointerValue};

use crate::code::FunctionBuilder;
use crate::function::function_body::Body;
use crate::unit::built;
use crate::value::Array;

impl<'ctx> Body<'_, 'ctx, '_> {
    /// A new array for a variable. If its number of elements is not exact, a later slice says how many are used.
    pub(crate) fn new_array(
        &self,
        var: VarId,
        is_exact: bool,
        (elem, shape): (Scalar, Vec<IntValue<'ctx>>),
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        let code = &self.code;
        let Some(destination) = self.destination(var) else {
            return code.allocate_by(is_exact, elem, shape, site);
        };
        let [there, own, made] = ["there", "own", "made"].map(|name| code.block(name));
        let place = code.given_memory(destination.result, own);
        let fits = code.compare(
            IntPredicate::ULE,
            code.room(&shape),
            code.field_of(place, offset_of!(Destination, count)),
        );
        code.branch(fits, there, own);
        code.b.position_at_end(there);
        let theirs = code.caller_array(place, shape.clone());
        code.jump(made);
        code.b.position_at_end(own);
        let ours = code.allocate_by(is_exact, elem, shape.clone(), site);
        let from_own = code.current_block();
        code.jump(made);
        code.b.position_at_end(made);
        Array { shape, ..code.merge_arrays([(&theirs, there), (&ours, from_own)]) }
    }

    /// A copy of an array, for `var`. If the caller gives the memory of the array for the result, and no later step reads the
    /// array, the copy is the array itself.
    pub(crate) fn copy_or_replace(
        &self,
        var: VarId,
        array: VarId,
        copy: impl FnOnce() -> Array<'ctx>,
    ) -> Array<'ctx> {
        let replaced = self.destination(var).filter(|found| found.replaced == Some(array));
        let Some(destination) = replaced else { return copy() };
        let (code, from) = (&self.code, self.array(array));
        let (elem, _) = self.array_type(array);
        let [there, own, made] = ["there", "own", "made"].map(|name| code.block(name));
        let place = code.given_memory(destination.result, own);
        // One argument is in this memory. It is the array if both have the same address. The memory must have room for all
        // elements.
        let is_only = code.compare(
            IntPredicate::EQ,
            code.field_of(place, offset_of!(Destination, inputs)),
            code.size(1),
        );
        let bytes = code.byte_count(elem, code.count(&from.shape));
        let room = code.field_of(place, offset_of!(Destination, bytes));
        let fits = code.compare(IntPredicate::ULE, bytes, room);
        let theirs = code.caller_array(place, from.shape.clone());
        let is_here = code.same_place(theirs.data, from.data);
        let and = |a, b| built(code.b.build_and(a, b, ""));
        code.branch(and(and(is_only, fits), is_here), there, own);
        code.b.position_at_end(there);
        code.jump(made);
        code.b.position_at_end(own);
        let ours = copy();
        let from_own = code.current_block();
        code.jump(made);
        code.b.position_at_end(made);
        let merged = code.merge_arrays([(&theirs, there), (&ours, from_own)]);
        Array { shape: from.shape, ..merged }
    }

    fn destination(&self, var: VarId) -> Option<&concrete::Destination> {
        let mut all = self.code.unit.destinations(self.function).iter();
        all.find(|destination| destination.array == var)
    }
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// The description of the memory that the caller gives for a result. Jumps to `none` if it gives none.
    fn given_memory(&self, result: usize, none: BasicBlock<'ctx>) -> PointerValue<'ctx> {
        let given = self.block("given");
        let list = self.byte_offset(self.context, DESTINATIONS);
        let list = self.load(self.types.ptr, list, "given").into_pointer_value();
        self.branch(built(self.b.build_is_null(list, "")), none, given);
        self.b.position_at_end(given);
        self.byte_offset(list, result * size_of::<Destination>())
    }

    /// A number in the description.
    fn field_of(&self, place: PointerValue<'ctx>, offset: usize) -> IntValue<'ctx> {
        let place = self.byte_offset(place, offset);
        self.load(self.types.i64, place, "").into_int_value()
    }

    /// An array in the memory of the caller.
    fn caller_array(&self, place: PointerValue<'ctx>, shape: Vec<IntValue<'ctx>>) -> Array<'ctx> {
        let data = self.byte_offset(place, offset_of!(Destination, data));
        let data = self.load(self.types.ptr, data, "data").into_pointer_value();
        Array { data, owner: self.types.ptr.const_null(), shape }
    }
}
