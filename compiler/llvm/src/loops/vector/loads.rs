//! Reading arrays for several steps at once.
//!
//! Invariant: reads are in bounds. At the steps' own positions they are so by construction. Elsewhere an index out of
//! bounds is replaced, and its lane is noted as one that would fail.
//!
//! ```text
//! xs[i - 1]     run:  load <8 x i32> at i - 1            if the indices are one after the other
//! xs[n - i]     run:  load <8 x i32> at n - i - 7, and reverse it
//!               each: load i32, eight times              where they jump
//! ```

use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use inkwell::IntPredicate;
use inkwell::values::{
    BasicValue, BasicValueEnum, InstructionOpcode, IntValue, PointerValue, VectorValue,
};

use super::lanes::Lanes;
use super::plan::Stride;
use super::vector_loop::VectorLoop;
use crate::scalar::vector_of;
use crate::unit::built;
use crate::value::Array;

impl<'ctx> VectorLoop<'_, '_, '_, 'ctx, '_> {
    /// The elements of an array at the lanes' positions.
    pub(super) fn load(&self, array: VarId) -> VectorValue<'ctx> {
        let (elem, _) = self.pass.body.array_type(array);
        let data = self.pass.body.var(array).array(array).data;
        let steps = self.plan.lanes / self.plan.facts.spread();
        self.prefetch_next_strip(elem, data, steps);
        self.repeat_in_lanes(self.in_registers(elem, self.load_some(array, data, self.at(), steps)))
    }

    pub(super) fn in_registers(
        &self,
        elem: Scalar,
        loaded: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        if elem != Scalar::Bool {
            return loaded;
        }
        let zero = loaded.get_type().const_zero();
        self.pass.body.code.lanes_compare(IntPredicate::NE, loaded, zero)
    }

    /// The elements of an array at the lanes' indices. With `inside`, the indices are in bounds. Otherwise the array is
    /// not empty, and a lane whose index is out of bounds is noted and gets any element.
    pub(super) fn gather(
        &mut self,
        array: VarId,
        indices: &[Atom],
        inside: bool,
        flags: Option<VectorValue<'ctx>>,
    ) -> Lanes<'ctx> {
        if let Some(same) = self.same_indices(indices) {
            return Lanes::Same(self.read_one(array, &same, inside, flags));
        }
        let (_, rows) = indices.split_last().expect("an element has an index");
        Lanes::Each(if self.same_indices(rows).is_some() {
            self.gather_each(array, indices, inside, flags)
        } else {
            self.gather_rows(array, indices, inside, flags)
        })
    }

    /// The indices, if they are the same in all lanes.
    fn same_indices(&self, indices: &[Atom]) -> Option<Vec<IntValue<'ctx>>> {
        let same = |&index: &Atom| match self.lanes(index) {
            Lanes::Same(index) => Some(index.into_int_value()),
            Lanes::Each(_) => None,
        };
        indices.iter().map(same).collect()
    }

    /// The element that all lanes read.
    fn read_one(
        &mut self,
        array: VarId,
        indices: &[IntValue<'ctx>],
        inside: bool,
        flags: Option<VectorValue<'ctx>>,
    ) -> BasicValueEnum<'ctx> {
        let shape = self.pass.body.var(array).array(array).shape.clone();
        let mut at = self.pass.body.code.size(0);
        for (&index, &extent) in indices.iter().zip(&shape) {
            let index = if inside && flags.is_none() {
                index
            } else {
                self.safe_index(index, extent, flags)
            };
            let code = &self.pass.body.code;
            at = code.add_index(code.mul_index(at, extent), index);
        }
        self.load_one(array, at)
    }

    /// The element at a position.
    pub(super) fn load_one(&self, array: VarId, at: IntValue<'ctx>) -> BasicValueEnum<'ctx> {
        let body = &self.pass.body;
        let (elem, _) = body.array_type(array);
        let at = body.code.element(elem, body.var(array).array(array).data, at);
        let loaded = built(body.code.b.build_load(body.code.types.memory(elem), at, ""));
        if let Some(aliasing) = &body.aliasing {
            aliasing.describe_load(&body.code, loaded, array);
        }
        body.code.in_register(elem, loaded)
    }

    fn gather_each(
        &mut self,
        array: VarId,
        indices: &[Atom],
        inside: bool,
        flags: Option<VectorValue<'ctx>>,
    ) -> VectorValue<'ctx> {
        let (elem, _) = self.pass.body.array_type(array);
        let Array { data, shape, .. } = self.pass.body.var(array).array(array).clone();
        let (&last, rows) = indices.split_last().expect("an element has an index");
        let (&length, extents) = shape.split_last().expect("arrays have a dimension");
        let moves = self.plan.facts.moves(last);
        let is_run =
            inside && flags.is_none() && matches!(moves, Some(Stride::Straight | Stride::Backward));
        let mut row = self.pass.body.code.size(0);
        for (&index, &extent) in rows.iter().zip(extents) {
            let index = if is_run {
                self.row_index(index)
            } else {
                self.safe_index(self.row_index(index), extent, flags)
            };
            let code = &self.pass.body.code;
            row = code.add_index(code.mul_index(row, extent), index);
        }
        let index = self.each(last);
        let code = &self.pass.body.code;
        let data = code.element(elem, data, code.mul_index(row, length));
        if is_run {
            let loaded = if moves == Some(Stride::Backward) {
                self.load_backwards(array, data, index)
            } else {
                self.load_run(array, data, code.lane(index, 0).into_int_value())
            };
            return self.in_registers(elem, loaded);
        }
        let (loaded, outside) = if moves == Some(Stride::Clamped) {
            self.load_clamped(array, data, (index, length))
        } else {
            self.load_checked(array, data, (index, length), (moves, flags))
        };
        self.fails_where(outside, flags);
        self.in_registers(elem, loaded)
    }

    /// The elements at indices, and the lanes whose index is out of bounds, which get any element.
    fn load_checked(
        &self,
        array: VarId,
        data: PointerValue<'ctx>,
        (index, length): (VectorValue<'ctx>, IntValue<'ctx>),
        (moves, flags): (Option<Stride>, Option<VectorValue<'ctx>>),
    ) -> (VectorValue<'ctx>, VectorValue<'ctx>) {
        let code = &self.pass.body.code;
        let extent = code.splat(length.into(), self.plan.lanes);
        let outside = code.lanes_compare(IntPredicate::UGE, index, extent);
        let safe = |off| code.blend(off, index.get_type().const_zero(), index);
        let loaded = if moves.is_some() {
            self.load_run_or_each(array, data, safe(outside))
        } else {
            // Lanes that do not count read element 0, so that they wait for no memory.
            let off = flags.map_or(outside, |flags| {
                let out = built(code.b.build_not(flags, ""));
                code.lanes_op(InstructionOpcode::Or, outside, out)
            });
            self.load_each(array, data, safe(off))
        };
        (loaded, outside)
    }

    /// The same for indices that are consecutive but for those beyond a limit, which are the limit. So the first and
    /// the last one tell whether all are consecutive and in bounds.
    fn load_clamped(
        &self,
        array: VarId,
        data: PointerValue<'ctx>,
        (index, length): (VectorValue<'ctx>, IntValue<'ctx>),
    ) -> (VectorValue<'ctx>, VectorValue<'ctx>) {
        let (code, lanes) = (&self.pass.body.code, self.plan.lanes);
        let [first, last] = [0, lanes - 1].map(|lane| code.lane(index, lane).into_int_value());
        let [apart, beyond] = [last, first].map(|at| code.compare(IntPredicate::UGE, at, length));
        // An index that is out of bounds may be any number.
        let end = built(code.b.build_int_add(first, code.size(u64::from(lanes - 1)), ""));
        let apart = [beyond, code.compare(IntPredicate::NE, last, end)]
            .into_iter()
            .fold(apart, |any, one| built(code.b.build_or(any, one, "")));
        let [each, together, next] =
            ["vector.each", "vector.run", "vector.read"].map(|name| code.block(name));
        code.branch(apart, each, together);
        code.b.position_at_end(together);
        let run = self.load_run(array, data, first);
        code.jump(next);
        code.b.position_at_end(each);
        let extent = code.splat(length.into(), lanes);
        let outside = code.lanes_compare(IntPredicate::UGE, index, extent);
        let safe = code.blend(outside, index.get_type().const_zero(), index);
        let single = self.load_each(array, data, safe);
        let from = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let join = |value: VectorValue<'ctx>, other: VectorValue<'ctx>| {
            let phi = built(code.b.build_phi(value.get_type(), ""));
            phi.add_incoming(&[(&value, together), (&other, from)]);
            phi.as_basic_value().into_vector_value()
        };
        (join(run, single), join(outside.get_type().const_zero(), outside))
    }

    /// The elements of rows that differ between lanes.
    fn gather_rows(
        &mut self,
        array: VarId,
        indices: &[Atom],
        inside: bool,
        flags: Option<VectorValue<'ctx>>,
    ) -> VectorValue<'ctx> {
        let (elem, _) = self.pass.body.array_type(array);
        let Array { data, shape, .. } = self.pass.body.var(array).array(array).clone();
        if inside
            && flags.is_none()
            && let Some(loaded) = self.load_apart(array, data, indices.iter().copied().zip(&shape))
        {
            return self.in_registers(elem, loaded);
        }
        let lanes = self.plan.lanes;
        let mut at = self.pass.body.code.splat(self.pass.body.code.size(0).into(), lanes);
        for (&index, &extent) in indices.iter().zip(&shape) {
            let mut index = self.each(index);
            let code = &self.pass.body.code;
            let extent = code.splat(extent.into(), lanes);
            if !inside || flags.is_some() {
                let outside = code.lanes_compare(IntPredicate::UGE, index, extent);
                index = code.blend(outside, index.get_type().const_zero(), index);
                self.fails_where(outside, flags);
            }
            let code = &self.pass.body.code;
            let row = code.lanes_op(InstructionOpcode::Mul, at, extent);
            at = code.lanes_op(InstructionOpcode::Add, row, index);
        }
        let loaded = self.load_each(array, data, at);
        self.in_registers(elem, loaded)
    }

    /// Loads an element for each lane. Each index is either the same in all lanes, or it increases by one from lane to
    /// lane. The distance between the elements of two neighbouring lanes is therefore constant.
    fn load_apart<'e>(
        &self,
        array: VarId,
        data: PointerValue<'ctx>,
        indices: impl Iterator<Item = (Atom, &'e IntValue<'ctx>)>,
    ) -> Option<VectorValue<'ctx>>
    where
        'ctx: 'e,
    {
        let code = &self.pass.body.code;
        let (mut first, mut apart) = (code.size(0), code.size(0));
        for (index, &extent) in indices {
            let (index, step) = match self.lanes(index) {
                Lanes::Same(index) => (index.into_int_value(), 0),
                Lanes::Each(_) if self.plan.facts.moves(index) != Some(Stride::Straight) => {
                    return None;
                }
                Lanes::Each(index) => (code.lane(index, 0).into_int_value(), 1),
            };
            first = code.add_index(code.mul_index(first, extent), index);
            apart = code.add_index(code.mul_index(apart, extent), code.size(step));
        }
        Some(self.load_lanes(array, data, |lane| {
            let distance = code.mul_index(apart, code.size(lane.into()));
            code.add_index(first, distance)
        }))
    }

    /// An index of a row, which is the same in all lanes.
    fn row_index(&self, index: Atom) -> IntValue<'ctx> {
        let Lanes::Same(index) = self.lanes(index) else {
            panic!("the plan has one row for all lanes")
        };
        index.into_int_value()
    }

    /// An index that is the same in all lanes. If it is out of bounds, it is noted and becomes 0.
    pub(super) fn safe_index(
        &mut self,
        index: IntValue<'ctx>,
        extent: IntValue<'ctx>,
        flags: Option<VectorValue<'ctx>>,
    ) -> IntValue<'ctx> {
        let code = &self.pass.body.code;
        let outside = code.compare(IntPredicate::UGE, index, extent);
        let safe = code.select(outside, code.size(0).into(), index.into()).into_int_value();
        let outside = code.splat(outside.into(), self.plan.lanes);
        self.fails_where(outside, flags);
        safe
    }

    /// The elements at these indices: by one load if the indices are consecutive.
    fn load_run_or_each(
        &self,
        array: VarId,
        data: PointerValue<'ctx>,
        indices: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        let first = code.lane(indices, 0).into_int_value();
        let lanes = code.count_up(self.plan.lanes);
        let run = code.splat(first.into(), self.plan.lanes);
        let run = code.lanes_op(InstructionOpcode::Add, run, lanes);
        let apart = code.any(code.lanes_compare(IntPredicate::NE, indices, run));
        let [each, together, next] =
            ["vector.each", "vector.run", "vector.read"].map(|name| code.block(name));
        code.branch(apart, each, together);
        let mut incoming = Vec::new();
        for (block, is_run) in [(each, false), (together, true)] {
            code.b.position_at_end(block);
            let loaded = if is_run {
                self.load_run(array, data, first)
            } else {
                self.load_each(array, data, indices)
            };
            incoming.push((loaded, code.current_block()));
            code.jump(next);
        }
        code.b.position_at_end(next);
        let phi = built(code.b.build_phi(incoming[0].0.get_type(), ""));
        for (value, from) in &incoming {
            phi.add_incoming(&[(value, *from)]);
        }
        phi.as_basic_value().into_vector_value()
    }

    /// The elements from a position on, in memory's form.
    fn load_run(
        &self,
        array: VarId,
        data: PointerValue<'ctx>,
        first: IntValue<'ctx>,
    ) -> VectorValue<'ctx> {
        self.load_some(array, data, first, self.plan.lanes)
    }

    /// The elements at consecutive descending indices: one load from the index of the last lane on, and a shuffle that
    /// reverses it.
    fn load_backwards(
        &self,
        array: VarId,
        data: PointerValue<'ctx>,
        indices: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let (code, lanes) = (&self.pass.body.code, self.plan.lanes);
        let least = code.lane(indices, lanes - 1).into_int_value();
        let run = self.load_run(array, data, least);
        code.shuffle(run, run, (0..lanes).rev())
    }

    /// The elements from a position on, `count` of them.
    pub(super) fn load_some(
        &self,
        array: VarId,
        data: PointerValue<'ctx>,
        first: IntValue<'ctx>,
        count: u32,
    ) -> VectorValue<'ctx> {
        let body = &self.pass.body;
        let code = &body.code;
        let (elem, _) = body.array_type(array);
        let ty = vector_of(code.types.memory(elem), count);
        let loaded = built(code.b.build_load(ty, code.element(elem, data, first), ""));
        align(loaded, elem);
        if let Some(aliasing) = &body.aliasing {
            aliasing.describe_load(code, loaded, array);
        }
        loaded.into_vector_value()
    }

    /// The elements at any indices.
    fn load_each(
        &self,
        array: VarId,
        data: PointerValue<'ctx>,
        indices: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        self.load_lanes(array, data, |lane| code.lane(indices, lane).into_int_value())
    }

    /// The elements at the positions of the lanes.
    fn load_lanes(
        &self,
        array: VarId,
        data: PointerValue<'ctx>,
        position: impl Fn(u32) -> IntValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let body = &self.pass.body;
        let code = &body.code;
        let (elem, _) = body.array_type(array);
        let mut lanes = vector_of(code.types.memory(elem), self.plan.lanes).get_poison();
        for lane in 0..self.plan.lanes {
            let at = code.element(elem, data, position(lane));
            let loaded = built(code.b.build_load(code.types.memory(elem), at, ""));
            if let Some(aliasing) = &body.aliasing {
                aliasing.describe_load(code, loaded, array);
            }
            let lane = code.types.i32.const_int(u64::from(lane), false);
            lanes = built(code.b.build_insert_element(lanes, loaded, lane, ""));
        }
        lanes
    }
}

/// An element's alignment for a vector of them.
fn align(loaded: BasicValueEnum<'_>, elem: Scalar) {
    let load = loaded.as_instruction_value().expect("a load is an instruction");
    load.set_alignment(elem.bytes()).expect("loads have an alignment");
}
