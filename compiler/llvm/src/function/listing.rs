//! Steps that list their changes of bins instead of making them, so that the runtime can make them in another order.
//!
//! A change has the number of a bin, and the operand that the bin is combined with. Bins are read as neutral elements
//! meanwhile. So what a step would store in a bin is the operand.
//!
//! Invariant: the operation is exact. The runtime lists changes of arrays with fewer than 2^32 elements only.
//!
//! ```text
//! t = bins[k]; u = t + x; bins with [k] = u   ⇒   places[count] = k; values[count] = 0 + x; count = count + 1
//! ```

use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

use super::function_body::Body;
use crate::unit::built;
use crate::value::LoweredValue;

impl<'ctx> Body<'_, 'ctx, '_> {
    /// Whether changes of that array are listed.
    pub(crate) fn lists(&self, array: VarId) -> bool {
        self.listing.as_ref().is_some_and(|listing| listing.arrays.contains(&array))
    }

    /// The value of a bin in the steps. If there is a place for the message, the index is checked.
    pub(super) fn listed_element(
        &mut self,
        array: VarId,
        indices: &[Atom],
        checked: Option<Span>,
    ) -> LoweredValue<'ctx> {
        self.part_at(array, indices, checked);
        let listing = self.listing.as_ref().expect("changes of the array are listed");
        LoweredValue::Scalar(listing.neutral)
    }

    /// Lists a change. If there is a place for the message, the index is checked.
    pub(super) fn list_change(
        &mut self,
        array: VarId,
        indices: &[Atom],
        value: Atom,
        checked: Option<Span>,
    ) {
        self.part_at(array, indices, checked);
        let &[index] = indices else { panic!("bins have one dimension") };
        let (elem, _) = self.array_type(array);
        let listing = self.listing.as_ref().expect("changes of the array are listed");
        let code = &self.code;
        let count = code.load(code.types.i64, listing.count, "changes").into_int_value();
        let place = built(code.b.build_int_truncate(self.int(index), code.types.i32, ""));
        code.store(code.element(Scalar::U32, listing.places, count), place);
        let value = code.in_memory(elem, self.scalar(value));
        code.store(code.element(elem, listing.values, count), value);
        code.store(listing.count, code.add_index(count, code.size(1)));
    }
}
