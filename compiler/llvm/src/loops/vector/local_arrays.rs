//! Arrays that a step has for itself, and rows that it reads or makes, for several steps at once.
//!
//! A local array has a vector for each element, one lane a step, in a buffer of the frame. Elements of a row are read
//! lane by lane, since the rows of consecutive steps lie one behind the other. A short row that a loop of the step
//! reads is copied to a local array first. The elements of a row that a literal makes in its place are stored lane by
//! lane.
//!
//! Invariant: the buffer has room for all local arrays of a step; otherwise the vector loop is not entered. An index
//! that is out of bounds is replaced, and its lane is noted as one that would fail.
//!
//! ```text
//! cp[i], i the same in all lanes      load <16 x f64> at cp + 16 i
//! row[k]                              load f64 at a + m (s + lane) + k, for each lane
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::Step;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use inkwell::IntPredicate;
use inkwell::values::{BasicValue, InstructionOpcode, IntValue, PointerValue, VectorValue};

use super::lanes::Lanes;
use super::plan::{ArrayPart, LocalArrayType, LocalLength, Plan, StepArray};
use super::vector_loop::{LocalArray, VectorLoop};
use crate::function::function_body::ROOM;
use crate::loops::pass::Pass;
use crate::scalar::vector_of;
use crate::unit::built;

/// How many bytes the local arrays of the lanes take, and whether there is room for them.
pub(super) fn has_room<'ctx>(pass: &Pass<'_, '_, 'ctx, '_>, plan: &Plan) -> IntValue<'ctx> {
    let code = &pass.body.code;
    let room = code.size(ROOM.into());
    let mut fits = code.types.i1.const_all_ones();
    let mut all = code.size(0);
    for local in &plan.facts.locals {
        let length = length_of(pass, local);
        let short = code.compare(IntPredicate::ULE, length, room);
        fits = built(code.b.build_and(fits, short, ""));
        let bytes = code.size(u64::from(local.elem.bytes() * plan.lanes));
        let bytes = built(code.b.build_int_mul(length, bytes, ""));
        all = built(code.b.build_int_add(all, bytes, ""));
    }
    let enough = code.compare(IntPredicate::ULE, all, room);
    built(code.b.build_and(fits, enough, ""))
}

/// Where the local arrays are.
pub(super) fn places<'ctx>(
    pass: &mut Pass<'_, '_, 'ctx, '_>,
    plan: &Plan,
) -> Vec<LocalArray<'ctx>> {
    if plan.facts.locals.is_empty() {
        return Vec::new();
    }
    let buffer = pass.body.buffer();
    let code = &pass.body.code;
    let mut at = code.size(0);
    let place = |local: &LocalArrayType| {
        let length = length_of(pass, local);
        let data = code.element(Scalar::U8, buffer, at);
        let bytes = code.size(u64::from(local.elem.bytes() * plan.lanes));
        at = code.add_index(at, code.mul_index(length, bytes));
        LocalArray { data, length }
    };
    plan.facts.locals.iter().map(place).collect()
}

fn length_of<'ctx>(pass: &Pass<'_, '_, 'ctx, '_>, local: &LocalArrayType) -> IntValue<'ctx> {
    match &local.length {
        LocalLength::Known(length) => pass.body.code.at_least_zero(pass.length(length)),
        LocalLength::Row(matrix) => pass.body.var(*matrix).array(*matrix).shape[1],
        LocalLength::Constant(length) => pass.body.code.size((*length).into()),
    }
}

impl<'ctx> VectorLoop<'_, '_, '_, 'ctx, '_> {
    /// The array of the step that a variable stands for.
    pub(super) fn held(&self, var: VarId) -> Option<StepArray> {
        self.plan.facts.arrays.get(&var).copied()
    }

    /// The scalars among the variables.
    pub(super) fn scalars(&self, vars: &[VarId]) -> Vec<VarId> {
        vars.iter().copied().filter(|&var| self.held(var).is_none()).collect()
    }

    /// Emits a step on an array that the step of the loop made. False if it is another step.
    pub(super) fn array_step(&mut self, step: &Step, flags: Option<VectorValue<'ctx>>) -> bool {
        const PLANNED: &str = "the plan has no other arrays in steps";
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others work on no array of the step"
        )]
        match step {
            Step::Index { var, array, indices, inside, .. } => {
                let Some(held) = self.held(*array) else { return false };
                let value = self.read_held(held, indices, *inside, flags);
                self.bind(*var, value);
            }
            Step::Length { var, array, dim } => {
                let Some(held) = self.held(*array) else { return false };
                self.bind(*var, Lanes::Same(self.held_extent(held, *dim).into()));
            }
            Step::Replace { array, indices, value, .. } => {
                let held = self.held(*array).expect(PLANNED);
                self.replace_held(held, indices[0], *value, flags);
            }
            Step::Array { var, elems, .. } => {
                let held = self.held(*var).expect(PLANNED);
                for (at, &elem) in (0..).zip(elems) {
                    let at = Lanes::Same(self.pass.body.code.size(at).into());
                    self.store_held(held, at, self.each(elem), None);
                }
            }
            Step::Copy { var, array, .. } => {
                let [from, to] = [array, var].map(|array| self.held(*array).expect(PLANNED));
                self.copy_held(from, to, self.pass.body.code.size(0));
            }
            Step::Append { var, parts, .. } => {
                let to = self.held(*var).expect(PLANNED);
                let mut at = self.pass.body.code.size(0);
                for &part in parts {
                    let length = match self.held(part) {
                        Some(from) => {
                            self.copy_held(from, to, at);
                            self.held_length(from)
                        }
                        None => self.copy_shared(part, to, at),
                    };
                    at = self.pass.body.code.add_index(at, length);
                }
            }
            // A local array has no other owner, and its memory is the frame's.
            Step::Unique { .. } | Step::Release { .. } => {}
            _ => return false,
        }
        true
    }

    /// How many elements an array of the step has.
    pub(super) fn held_length(&self, held: StepArray) -> IntValue<'ctx> {
        self.held_extent(held, 0)
    }

    /// How many elements an array of the step has in a dimension.
    fn held_extent(&self, held: StepArray, dim: usize) -> IntValue<'ctx> {
        let extent = |array: VarId, dim: usize| self.pass.body.var(array).array(array).shape[dim];
        match held {
            StepArray::Local(local) => self.locals[local].length,
            StepArray::Row(array) => extent(array, 1),
            StepArray::Part(part) => {
                let ArrayPart { array, at } = &self.plan.facts.array_parts[part];
                extent(*array, at.len() + dim)
            }
        }
    }

    /// Binds the position of the lanes, if the element of a step is a part of an array.
    pub(super) fn begin_part(&mut self, elem: VarId) {
        if let Some(StepArray::Part(part)) = self.held(elem)
            && let [Atom::Var(counter)] = self.plan.facts.array_parts[part].at[..]
        {
            let positions = self.positions_here();
            self.bind(counter, Lanes::Each(positions));
        }
    }

    /// Copies the elements of a row to a local array, if the plan has one for it.
    pub(super) fn copy_row(&self, row: VarId) {
        if let Some(held @ StepArray::Row(matrix)) = self.held(row)
            && let Some(&local) = self.plan.facts.copies.get(&matrix)
        {
            self.copy_held(held, StepArray::Local(local), self.pass.body.code.size(0));
        }
    }

    /// Where the elements of an array of the step are read in its loops.
    fn copied(&self, held: StepArray) -> StepArray {
        let StepArray::Row(matrix) = held else { return held };
        self.plan.facts.copies.get(&matrix).map_or(held, |&local| StepArray::Local(local))
    }

    /// An element of an array of the step.
    pub(super) fn read_held(
        &mut self,
        held: StepArray,
        indices: &[Atom],
        inside: bool,
        flags: Option<VectorValue<'ctx>>,
    ) -> Lanes<'ctx> {
        if let StepArray::Part(part) = held {
            let ArrayPart { array, at } = self.plan.facts.array_parts[part].part(indices);
            return self.gather(array, &at, inside, flags);
        }
        let length = self.held_length(held);
        let index = self.safe_lanes(indices[0], length, inside && flags.is_none(), flags);
        Lanes::Each(self.load_held(self.copied(held), index))
    }

    /// Changes an element of a local array, where the flags hold.
    pub(super) fn replace_held(
        &mut self,
        held: StepArray,
        index: Atom,
        value: Atom,
        flags: Option<VectorValue<'ctx>>,
    ) {
        let length = self.held_length(held);
        let index = self.safe_lanes(index, length, false, flags);
        // A lane that fails must change nothing: its replaced index may be that of an element which is read again.
        self.store_held(held, index, self.each(value), flags);
    }

    /// An index for each lane, or one for all. An index out of bounds becomes 0, and is noted.
    fn safe_lanes(
        &mut self,
        index: Atom,
        length: IntValue<'ctx>,
        inside: bool,
        flags: Option<VectorValue<'ctx>>,
    ) -> Lanes<'ctx> {
        match self.lanes(index) {
            same_or_each if inside => same_or_each,
            Lanes::Same(index) => {
                Lanes::Same(self.safe_index(index.into_int_value(), length, flags).into())
            }
            Lanes::Each(index) => {
                let code = &self.pass.body.code;
                let extent = code.splat(length.into(), self.plan.lanes);
                let outside = code.lanes_compare(IntPredicate::UGE, index, extent);
                let safe = code.blend(outside, index.get_type().const_zero(), index);
                self.fails_where(outside, flags);
                Lanes::Each(safe)
            }
        }
    }

    /// An element at an index that is in bounds.
    pub(super) fn load_held(&self, held: StepArray, index: Lanes<'ctx>) -> VectorValue<'ctx> {
        let elem = self.held_type(held);
        let code = &self.pass.body.code;
        if let (StepArray::Local(local), Lanes::Same(index)) = (held, index) {
            let ty = vector_of(code.types.memory(elem), self.plan.lanes);
            let at = self.vector_at(local, index.into_int_value());
            let loaded = built(code.b.build_load(ty, at, ""));
            let load = loaded.as_instruction_value().expect("a load is an instruction");
            load.set_alignment(elem.bytes()).expect("loads have an alignment");
            return self.in_registers(elem, loaded.into_vector_value());
        }
        let mut lanes = vector_of(code.types.memory(elem), self.plan.lanes).get_poison();
        for lane in 0..self.plan.lanes {
            let at = self.lane_at(held, index, lane);
            let loaded = built(code.b.build_load(code.types.memory(elem), at, ""));
            if let (StepArray::Row(array), Some(aliasing)) = (held, &self.pass.body.aliasing) {
                aliasing.describe_load(code, loaded, array);
            }
            let lane = code.types.i32.const_int(u64::from(lane), false);
            lanes = built(code.b.build_insert_element(lanes, loaded, lane, ""));
        }
        self.in_registers(elem, lanes)
    }

    /// Stores an element at an index that is in bounds, where the flags hold.
    pub(super) fn store_held(
        &self,
        held: StepArray,
        index: Lanes<'ctx>,
        value: VectorValue<'ctx>,
        flags: Option<VectorValue<'ctx>>,
    ) {
        let elem = self.held_type(held);
        let before = flags.map(|flags| (flags, self.load_held(held, index)));
        let code = &self.pass.body.code;
        let value = before.map_or(value, |(flags, before)| code.blend(flags, value, before));
        let value = self.lanes_in_memory(elem, value);
        if let (StepArray::Local(local), Lanes::Same(index)) = (held, index) {
            let at = self.vector_at(local, index.into_int_value());
            let store = built(code.b.build_store(at, value));
            store.set_alignment(elem.bytes()).expect("stores have an alignment");
            return;
        }
        for lane in 0..self.plan.lanes {
            let at = self.lane_at(held, index, lane);
            built(code.b.build_store(at, code.lane(value, lane)));
        }
    }

    /// Copies an array of the step to a place in a local one.
    fn copy_held(&self, from: StepArray, to: StepArray, place: IntValue<'ctx>) {
        let code = &self.pass.body.code;
        let counted = code.begin_loop(code.size(0), self.held_length(from));
        let value = self.load_held(from, Lanes::Same(counted.counter.into()));
        let at = code.add_index(counted.counter, place);
        self.store_held(to, Lanes::Same(at.into()), value, None);
        code.end_loop(&counted);
    }

    /// Copies an array that all steps share to a place in a local one. Returns the number of elements.
    fn copy_shared(&self, from: VarId, to: StepArray, place: IntValue<'ctx>) -> IntValue<'ctx> {
        let code = &self.pass.body.code;
        let length = self.pass.body.var(from).array(from).shape[0];
        let counted = code.begin_loop(code.size(0), length);
        let value = self.in_each(Lanes::Same(self.load_one(from, counted.counter)));
        let at = code.add_index(counted.counter, place);
        self.store_held(to, Lanes::Same(at.into()), value, None);
        code.end_loop(&counted);
        length
    }

    /// Stores local arrays as rows of a vector, from the step's position on.
    pub(super) fn write_rows(&self, vec: VarId, held: StepArray) {
        let body = &self.pass.body;
        let (elem, _) = body.array_type(vec);
        let to = body.var(vec).vector(vec).clone();
        let code = &body.code;
        let counted = code.begin_loop(code.size(0), self.held_length(held));
        let value = self.load_held(held, Lanes::Same(counted.counter.into()));
        let value = self.lanes_in_memory(elem, value);
        for lane in 0..self.plan.lanes {
            let row = code.add_index(self.at(), code.size(lane.into()));
            let at = code.add_index(code.mul_index(row, to.shape[1]), counted.counter);
            let store =
                built(code.b.build_store(code.element(elem, to.data, at), code.lane(value, lane)));
            if let Some(aliasing) = &body.aliasing {
                aliasing.describe_own(code, store, vec);
            }
        }
        code.end_loop(&counted);
    }

    fn held_type(&self, held: StepArray) -> Scalar {
        match held {
            StepArray::Local(local) => self.plan.facts.locals[local].elem,
            StepArray::Row(array) => self.pass.body.array_type(array).0,
            StepArray::Part(part) => {
                self.pass.body.array_type(self.plan.facts.array_parts[part].array).0
            }
        }
    }

    /// Where the vector of an element of a local array is.
    fn vector_at(&self, local: usize, index: IntValue<'ctx>) -> PointerValue<'ctx> {
        let code = &self.pass.body.code;
        let elem = self.plan.facts.locals[local].elem;
        let at = code.mul_index(index, code.size(self.plan.lanes.into()));
        code.element(elem, self.locals[local].data, at)
    }

    /// Where the element of a lane is.
    fn lane_at(&self, held: StepArray, index: Lanes<'ctx>, lane: u32) -> PointerValue<'ctx> {
        let code = &self.pass.body.code;
        let index = match index {
            Lanes::Same(index) => index.into_int_value(),
            Lanes::Each(indices) => code.lane(indices, lane).into_int_value(),
        };
        let lane = code.size(lane.into());
        match held {
            StepArray::Local(local) => {
                let at = code.mul_index(index, code.size(self.plan.lanes.into()));
                let elem = self.plan.facts.locals[local].elem;
                code.element(elem, self.locals[local].data, code.add_index(at, lane))
            }
            StepArray::Row(array) => {
                let from = self.pass.body.var(array).array(array);
                let row = code.mul_index(code.add_index(self.at(), lane), from.shape[1]);
                let (elem, _) = self.pass.body.array_type(array);
                code.element(elem, from.data, code.add_index(row, index))
            }
            StepArray::Part(_) => panic!("an element of a part is read by its indices"),
        }
    }

    /// A vector of elements as they are in memory.
    pub(super) fn lanes_in_memory(
        &self,
        elem: Scalar,
        lanes: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        if elem != Scalar::Bool {
            return lanes;
        }
        let bytes = vector_of(code.types.memory(elem), self.plan.lanes);
        built(code.b.build_cast(InstructionOpcode::ZExt, lanes, bytes, "")).into_vector_value()
    }
}
