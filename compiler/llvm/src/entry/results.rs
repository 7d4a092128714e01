//! The results of a call from outside.
//!
//! Invariant: results are given to the caller only when nothing can fail any more.
//!
//! ```text
//! f        own: a copy if the result has no owner     detach, write the struct
//! f_into   fail unless it has room     copy what another copy would overwrite
//!          copy, unless it is there already     write the struct, release
//! ```

use arr_abi::ErrorCode;
use arr_abi::function::RuntimeFn;
use arr_abi::layout::ArrayField;
use arrc_fusion::cnf::Type;
use arrc_syntax::prim::Scalar;
use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::call::{EntryCall, Output};
use crate::unit::built;
use crate::value::{Array, LoweredValue};

impl<'ctx> EntryCall<'_, 'ctx, '_> {
    /// Gives the arrays among the results, in memory of their own.
    pub(super) fn give_new(
        &mut self,
        outputs: &[Output<'_, 'ctx>],
        results: &[LoweredValue<'ctx>],
    ) {
        let own: Vec<_> = arrays(outputs, results)
            .map(|(output, result)| (output, self.own(output.ty, result)))
            .collect();
        for (output, array) in own {
            let (data, owner) = self.detach(output.ty, &array);
            self.code.store(output.place, data);
            self.write_sizes(output, &array);
            self.code.store(self.field(output.place, output.ty.shape(), ArrayField::Owner), owner);
        }
    }

    /// Gives the arrays among the results, in memory of the caller.
    pub(super) fn give_into(
        &mut self,
        outputs: &[Output<'_, 'ctx>],
        results: &[LoweredValue<'ctx>],
    ) {
        for (output, array) in arrays(outputs, results) {
            self.check_fits(output, array);
        }
        for (output, array) in self.apart(outputs, results) {
            let code = &self.code;
            let [elsewhere, next] = ["elsewhere", "given"].map(|name| code.block(name));
            let (place, is_there) = self.is_there(output, &array);
            code.branch(is_there, next, elsewhere);
            code.b.position_at_end(elsewhere);
            // It may be a part of an argument, in this memory.
            let bytes = code.byte_count(output.ty.scalars(), code.count(&array.shape));
            let align = output.ty.scalars().bytes();
            built(code.b.build_memmove(place, align, array.data, align, bytes));
            code.release(&array);
            code.jump(next);
            code.b.position_at_end(next);
            self.write_sizes(output, &array);
        }
    }

    /// The caller's memory for a result, and whether the result is there.
    fn is_there(
        &self,
        output: &Output<'_, 'ctx>,
        array: &Array<'ctx>,
    ) -> (PointerValue<'ctx>, IntValue<'ctx>) {
        let code = &self.code;
        let place = code.load(code.types.ptr, output.place, "place").into_pointer_value();
        (place, code.same_place(place, array.data))
    }

    /// The arrays among the results, each apart from the memory to which the other ones are copied later. A result that is in
    /// such memory is copied to new memory first. For example, it may be an argument in the memory for another result.
    fn apart<'a>(
        &mut self,
        outputs: &'a [Output<'a, 'ctx>],
        results: &[LoweredValue<'ctx>],
    ) -> Vec<(&'a Output<'a, 'ctx>, Array<'ctx>)> {
        let all: Vec<_> = outputs.iter().zip(results).enumerate().collect();
        let all = all.into_iter().filter_map(|(at, (output, result))| match result {
            LoweredValue::Array(array) => Some((at, output, array.clone())),
            LoweredValue::Scalar(_) | LoweredValue::Vector(_) => None,
        });
        let all: Vec<_> = all.collect();
        if all.len() > 1 {
            // Nothing is copied to where the result is already.
            for (at, output, array) in &all {
                let (_, is_there) = self.is_there(output, array);
                self.when(is_there, |this| this.forget_destination(*at));
            }
        }
        let is_single = all.len() == 1;
        let mut separate = |output: &'a Output<'a, 'ctx>, array: Array<'ctx>| {
            if is_single {
                return array;
            }
            let is_there = self.is_there(output, &array).1;
            let is_owned = built(self.code.b.build_is_not_null(array.owner, ""));
            let is_safe = built(self.code.b.build_or(is_there, is_owned, ""));
            self.copied_unless(is_safe, output.ty, &array, |this| {
                this.overlaps_destinations(outputs.len(), output.ty, &array)
            })
        };
        all.into_iter().map(|(_, output, array)| (output, separate(output, array))).collect()
    }

    /// Fails unless the caller's memory has room for a result. Extents that the type names were checked before the call.
    fn check_fits(&mut self, output: &Output<'_, 'ctx>, array: &Array<'ctx>) {
        if output.is_exact {
            return;
        }
        let name = output.name;
        let text = format!(
            "the result has {VALUE} elements, but the memory of {name} has room for {VALUE} only"
        );
        let site = self.code.unit.site(self.span, &text);
        let shape = self.load_sizes(output.place, output.ty.shape(), ArrayField::Shape);
        let [count, room] = [&array.shape, &shape].map(|shape| self.code.count(shape));
        let ok = self.code.compare(IntPredicate::SLE, count, room);
        self.code.check_with(ok, ErrorCode::Shape, site, &[count, room]);
    }

    fn write_sizes(&self, output: &Output<'_, 'ctx>, array: &Array<'ctx>) {
        let (code, shape) = (&self.code, output.ty.shape());
        let strides = code.sizes(&code.strides(&array.shape));
        code.store(self.field(output.place, shape, ArrayField::Shape), code.sizes(&array.shape));
        code.store(self.field(output.place, shape, ArrayField::Stride), strides);
    }

    /// A result in memory of its own. It is copied if it has no owner, since it is in the caller's memory then.
    fn own(&mut self, ty: &Type, array: &Array<'ctx>) -> Array<'ctx> {
        let is_owned = built(self.code.b.build_is_not_null(array.owner, ""));
        self.copied_unless(is_owned, ty, array, |this| this.code.types.i1.const_all_ones())
    }

    /// A copy of an array if the first condition does not hold, and then the second one does. Otherwise the array itself.
    fn copied_unless(
        &mut self,
        is_safe: IntValue<'ctx>,
        ty: &Type,
        array: &Array<'ctx>,
        needs_copy: impl FnOnce(&Self) -> IntValue<'ctx>,
    ) -> Array<'ctx> {
        let elem = ty.scalars();
        let site = self.code.unit.site(self.span, "a result");
        let code = &self.code;
        let [doubtful, borrowed, next] =
            ["doubtful", "borrowed", "owned"].map(|name| code.block(name));
        let before = code.current_block();
        code.branch(is_safe, next, doubtful);
        code.b.position_at_end(doubtful);
        let needs_copy = needs_copy(self);
        let doubted = code.current_block();
        code.branch(needs_copy, borrowed, next);
        code.b.position_at_end(borrowed);
        let copy = code.allocate(elem, array.shape.clone(), site);
        code.copy_array(elem, array, copy.data);
        let from_copy = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let merged = code.merge_arrays([(array, before), (array, doubted), (&copy, from_copy)]);
        Array { shape: array.shape.clone(), ..merged }
    }

    /// An array that outlives the call: its first element and its owner. The unused end of the buffer is given back if
    /// the buffer is not shared.
    fn detach(&self, ty: &Type, array: &Array<'ctx>) -> (PointerValue<'ctx>, PointerValue<'ctx>) {
        let (code, i8) = (&self.code, self.code.types.i8);
        // The array may be a part of the elements in the buffer.
        let from = code.elements(array.owner);
        let before = built(code.b.build_ptr_diff(i8, array.data, from, "before"));
        let bytes = code.byte_count(ty.scalars(), code.count(&array.shape));
        let used = [array.owner.into(), code.add_index(before, bytes).into()];
        let owner = code.call_runtime(RuntimeFn::Detach, &used).into_pointer_value();
        (code.element(Scalar::I8, code.elements(owner), before), owner)
    }
}

/// The place for an integer in the text of a message: see `arr_rt_fail_with`.
const VALUE: char = '\u{1}';

/// The arrays among results, with their outputs.
fn arrays<'a, 'ctx>(
    outputs: &'a [Output<'a, 'ctx>],
    results: &'a [LoweredValue<'ctx>],
) -> impl Iterator<Item = (&'a Output<'a, 'ctx>, &'a Array<'ctx>)> {
    outputs.iter().zip(results).filter_map(|(output, result)| match result {
        LoweredValue::Array(array) => Some((output, array)),
        LoweredValue::Scalar(_) | LoweredValue::Vector(_) => None,
    })
}
