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
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use inkwell::IntPredicate;
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
        match self.code.unit.destination(self.function, var) {
            Some(at) => self.code.in_destination(at, is_exact, (elem, shape), site),
            None => self.code.allocate_by(is_exact, elem, shape, site),
        }
    }
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// A new array in the memory for result `at`, if that has room for it.
    fn in_destination(
        &self,
        at: usize,
        is_exact: bool,
        (elem, shape): (Scalar, Vec<IntValue<'ctx>>),
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        let names = ["given", "there", "own", "made"];
        let [given, there, own, made] = names.map(|name| self.block(name));
        let none = self.types.ptr.const_null();
        let list = self.load(self.types.ptr, self.byte_offset(self.context, DESTINATIONS), "given");
        let list = list.into_pointer_value();
        self.branch(built(self.b.build_is_null(list, "")), own, given);
        self.b.position_at_end(given);
        let place = self.byte_offset(list, at * size_of::<Destination>());
        let count = self.byte_offset(place, offset_of!(Destination, count));
        let count = self.load(self.types.i64, count, "count").into_int_value();
        let fits = self.compare(IntPredicate::ULE, self.room(&shape), count);
        self.branch(fits, there, own);
        self.b.position_at_end(there);
        let data = self.byte_offset(place, offset_of!(Destination, data));
        let data = self.load(self.types.ptr, data, "data").into_pointer_value();
        let theirs = Array { data, owner: none, shape: shape.clone() };
        self.jump(made);
        self.b.position_at_end(own);
        let ours = self.allocate_by(is_exact, elem, shape.clone(), site);
        let from_own = self.current_block();
        self.jump(made);
        self.b.position_at_end(made);
        Array { shape, ..self.merge_arrays([(&theirs, there), (&ours, from_own)]) }
    }
}
