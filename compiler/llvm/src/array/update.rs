//! Arrays that are changed in place, and the copies that are made where that is not allowed.
//!
//! Invariant: only memory that has one owner is written.
//!
//! ```text
//! ys = unique xs; zs = ys with [i] = v   ⇒   a copy unless xs.owner counts one; check i; store v
//! ```

use arr_abi::ErrorCode;
use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::Subarray;
use arrc_syntax::ids::VarId;
use arrc_syntax::source::Span;
use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use crate::function::function_body::Body;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

impl<'ctx> Body<'_, 'ctx, '_> {
    /// `array with [i, …] = value`, in place; checked if there is a place for the message.
    pub(crate) fn replace(
        &mut self,
        array: VarId,
        indices: &[Atom],
        value: Atom,
        checked: Option<Span>,
    ) {
        let (elem, _) = self.array_type(array);
        let part = self.part_at(array, indices, checked);
        match self.atom(value) {
            LoweredValue::Scalar(value) => {
                self.code.store(part.data, self.code.in_memory(elem, value))
            }
            LoweredValue::Array(row) => self.move_elements(array, &row, part.data),
            LoweredValue::Vector(_) => panic!("a vector under construction is no element"),
        }
    }

    /// The memory of a vector of that shape which a pass makes in a part of an array. The rows of a window are as far
    /// apart as those of the array.
    pub(crate) fn part_for(
        &mut self,
        part: &Subarray,
        mut shape: Vec<IntValue<'ctx>>,
    ) -> Array<'ctx> {
        let whole = self.array(part.array);
        let is_window = part.indices.len() == whole.shape.len();
        let at = self.part_at(part.array, &part.indices, (!is_window).then_some(part.span));
        if is_window {
            let apart = whole.shape.len() - shape.len() + 1;
            shape.splice(1.., whole.shape[apart..].iter().copied());
        }
        Array { data: at.data, owner: self.code.types.ptr.const_null(), shape }
    }

    /// The part of an array at these indices, which are checked if there is a place for the message.
    pub(crate) fn part_at(
        &mut self,
        array: VarId,
        indices: &[Atom],
        checked: Option<Span>,
    ) -> Array<'ctx> {
        let name = self.function.tables.vars[array].name.clone();
        let (elem, _) = self.array_type(array);
        let mut part = self.array(array);
        for &index in indices {
            let (index, extent) = (self.int(index), part.shape[0]);
            if let Some(span) = checked {
                let site = self.code.unit.site(span, &name);
                // Unsigned: a negative index is a large one.
                let ok = self.code.compare(IntPredicate::ULT, index, extent);
                self.code.check(ok, ErrorCode::Index, site, [index, extent]);
            }
            part.data = self.code.element(elem, part.data, self.scaled(&part, index));
            part.shape.remove(0);
        }
        part
    }

    /// Copies elements to a place that may be their own.
    fn move_elements(&self, array: VarId, from: &Array<'ctx>, to: PointerValue<'ctx>) {
        let (elem, _) = self.array_type(array);
        let bytes = self.code.byte_count(elem, self.code.count(&from.shape));
        built(self.code.b.build_memmove(to, elem.bytes(), from.data, elem.bytes(), bytes));
    }

    /// The array in memory of its own, as `var`.
    pub(crate) fn copy(&mut self, var: VarId, array: VarId, span: Span) -> Array<'ctx> {
        let name = self.function.tables.vars[array].name.clone();
        let site = self.code.unit.site(span, &name);
        let (elem, _) = self.array_type(array);
        let from = self.array(array);
        let copy = self.new_array(var, true, (elem, from.shape.clone()), site);
        self.code.copy_array(elem, &from, copy.data);
        copy
    }

    /// The array in memory with a single owner, as `var`.
    pub(crate) fn unique(&mut self, var: VarId, array: VarId, span: Span) -> Array<'ctx> {
        let [owned, shared, done] = ["owned", "shared", "own"].map(|name| self.code.block(name));
        let whole = self.array(array);
        let foreign = built(self.code.b.build_is_null(whole.owner, ""));
        self.code.branch(foreign, shared, owned);
        self.code.b.position_at_end(owned);
        let alone = self.code.has_one_owner(whole.owner);
        self.code.branch(alone, done, shared);
        self.code.b.position_at_end(shared);
        let copy = self.copy(var, array, span);
        self.code.release(&whole);
        let copied = self.code.current_block();
        self.code.jump(done);
        self.code.b.position_at_end(done);
        let phi = |old: PointerValue<'ctx>, new: PointerValue<'ctx>| {
            let phi = built(self.code.b.build_phi(self.code.types.ptr, ""));
            phi.add_incoming(&[(&old, owned), (&new, copied)]);
            phi.as_basic_value().into_pointer_value()
        };
        let data = phi(whole.data, copy.data);
        let owner = phi(whole.owner, copy.owner);
        Array { data, owner, shape: whole.shape }
    }
}
