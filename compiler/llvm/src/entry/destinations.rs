//! The memory that the caller gives for the arrays among the results.
//!
//! Invariant: the memory is dense, has the extents that are known before the call, and shares nothing with the memory for
//! other results. If it shares memory with an input, no pass writes there: the result is copied at the end.
//!
//! ```text
//! ctx.destinations = [{xs.data, n, 8 n}, …]
//! ```

use std::mem::offset_of;

use arr_abi::ErrorCode;
use arr_abi::function::RuntimeFn;
use arr_abi::layout::{ArrayField, DESTINATIONS, Destination};
use arrc_fusion::cnf::Type;
use arrc_syntax::prim::Scalar;
use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::call::{EntryCall, Output};
use super::check::{self, Argument, ArrayInput, SizeBindings};
use crate::unit::types::rank;
use crate::value::Array;

/// The words of a destination.
const WORDS: usize = size_of::<Destination>() / size_of::<u64>();

impl<'ctx> EntryCall<'_, 'ctx, '_> {
    /// Notes the memory for the results in the context, or fails if it does not fit them.
    pub(super) fn offer_destinations(
        &mut self,
        outputs: &[Output<'_, 'ctx>],
        arguments: &[Argument<'ctx>],
        sizes: &SizeBindings<'ctx>,
    ) {
        let list = self.destinations(outputs.len());
        for (at, output) in outputs.iter().enumerate() {
            let array =
                output.ty.is_array().then(|| self.array_at(output.name, output.ty, output.place));
            if let Some(array) = &array {
                self.check_destination(array, (list, at), sizes);
            }
            self.note_destination(
                array.as_ref(),
                self.code.byte_offset(list, at * size_of::<Destination>()),
            );
        }
        for input in arguments.iter().filter_map(Argument::as_array) {
            self.overlaps((list, outputs.len()), input);
        }
        self.code.store(self.code.byte_offset(self.code.context, DESTINATIONS), list);
    }

    /// The list of destinations, in the frame.
    fn destinations(&mut self, outputs: usize) -> PointerValue<'ctx> {
        let words = u32::try_from(outputs * WORDS).expect("a function has few results");
        let ty = self.code.types.i64.array_type(words).into();
        *self.destinations.get_or_insert_with(|| self.code.alloca(ty, "destinations"))
    }

    /// Notes that nothing will be written to a destination.
    pub(super) fn forget_destination(&self, at: usize) {
        let list = self.destinations.expect("destinations were noted before the call");
        let place = at * size_of::<Destination>() + offset_of!(Destination, bytes);
        self.code.store(self.code.byte_offset(list, place), self.code.size(0));
    }

    /// Whether a result shares memory with a destination.
    pub(super) fn overlaps_destinations(
        &self,
        outputs: usize,
        ty: &Type,
        array: &Array<'ctx>,
    ) -> IntValue<'ctx> {
        let list = self.destinations.expect("destinations were noted before the call");
        let (code, dims) = (&self.code, rank(&array.shape));
        let sizes = [array.shape.clone(), code.strides(&array.shape)].map(|sizes| {
            let place = code.alloca(code.types.i64.array_type(dims).into(), "sizes");
            code.store(place, code.sizes(&sizes));
            place
        });
        let count = self.overlap((list, outputs), array.data, sizes, (dims, ty.scalars()));
        code.compare(IntPredicate::NE, count, code.types.i32.const_zero())
    }

    /// Fails unless the memory can have the result. `before`: the memory for results before this one.
    fn check_destination(
        &mut self,
        array: &ArrayInput<'ctx>,
        before: (PointerValue<'ctx>, usize),
        sizes: &SizeBindings<'ctx>,
    ) {
        let span = self.span;
        check::presence(&mut self.code, span, array);
        let name = &array.name;
        let text =
            format!("the memory of {name} is not dense: its strides are not those of its shape");
        let dense = check::is_dense(&self.code, &array.shape, &array.stride);
        self.check_argument(dense, &text);
        sizes.check_array(&mut self.code, array, span);
        let overlaps = self.overlaps(before, array);
        let alone = self.code.compare(IntPredicate::EQ, overlaps, self.code.types.i32.const_zero());
        self.check_argument(alone, &format!("the memory of {name} is that of another result, too"));
    }

    fn check_argument(&mut self, ok: IntValue<'ctx>, text: &str) {
        let site = self.code.unit.site(self.span, text);
        self.code.check_with(ok, ErrorCode::Argument, site, &[]);
    }

    /// How many destinations share memory with an array.
    fn overlaps(
        &self,
        destinations: (PointerValue<'ctx>, usize),
        array: &ArrayInput<'ctx>,
    ) -> IntValue<'ctx> {
        let sizes = [ArrayField::Shape, ArrayField::Stride];
        let sizes = sizes.map(|sizes| self.field(array.place, &array.extents, sizes));
        self.overlap(destinations, array.data, sizes, (rank(&array.extents), array.elem))
    }

    fn overlap(
        &self,
        (list, count): (PointerValue<'ctx>, usize),
        data: PointerValue<'ctx>,
        [shape, stride]: [PointerValue<'ctx>; 2],
        (dims, elem): (u32, Scalar),
    ) -> IntValue<'ctx> {
        let code = &self.code;
        let [count, dims, bytes] = [count as u64, u64::from(dims), u64::from(elem.bytes())]
            .map(|number| code.size(number));
        let args = [list.into(), count.into(), data.into(), shape.into(), stride.into()];
        let args = [args.as_slice(), &[dims.into(), bytes.into()]].concat();
        code.call_runtime(RuntimeFn::Overlap, &args).into_int_value()
    }

    /// Writes a destination; a scalar has none.
    fn note_destination(&self, array: Option<&ArrayInput<'ctx>>, place: PointerValue<'ctx>) {
        let code = &self.code;
        let (data, count, bytes) = match array {
            Some(array) => {
                let count = code.count(&array.shape);
                (array.data, count, code.byte_count(array.elem, count))
            }
            None => (code.types.ptr.const_null(), code.size(0), code.size(0)),
        };
        code.store(code.byte_offset(place, offset_of!(Destination, data)), data);
        code.store(code.byte_offset(place, offset_of!(Destination, count)), count);
        code.store(code.byte_offset(place, offset_of!(Destination, bytes)), bytes);
        code.store(code.byte_offset(place, offset_of!(Destination, inputs)), code.size(0));
    }
}
