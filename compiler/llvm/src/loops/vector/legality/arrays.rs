//! Arrays that a step has for itself, and rows that it reads: see [`crate::loops::vector::local_arrays`].
//!
//! Invariant: a variable of [`LoopFacts::arrays`](super::super::plan::LoopFacts::arrays) is one array in every step,
//! even if it has several names in the step. Nothing else in the program uses a local array.
//!
//! ```text
//! zero = newVecI m; cp = loop zero for m do (\c i -> c with [i] = …)   ⇒   zero, c and cp: local array 0, as long as m
//! nextI i a, a: [n][m]f64                                               ⇒   row i of a
//! ```

use arrc_fusion::cnf::{Atom, Extent, Type};
use arrc_loops::concrete::{Length, Memory, Start, Step};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Const;

use super::super::plan::{ArrayPart, LocalArrayType, LocalLength, StepArray, Stride};
use super::super::row_reductions;
use super::LegalityChecker;
use crate::note::Obstacle;

/// The most elements of a row that is copied: more would take much of the frame's buffer, and of the first-level cache.
/// `scripts/bench sha256_u32` copies rows of 16. The limit was not measured by itself.
const MAX_COPIED: u32 = 32;

impl LegalityChecker<'_> {
    /// The array of the step that an atom stands for.
    pub(super) fn held(&self, atom: Atom) -> Option<StepArray> {
        let Atom::Var(var) = atom else { return None };
        self.facts.arrays.get(&var).copied()
    }

    /// Makes a variable stand for the array of the step that an atom stands for; says whether it is such an array.
    pub(super) fn same_array(&mut self, var: VarId, from: Atom) -> bool {
        let held = self.held(from);
        self.facts.arrays.extend(held.map(|held| (var, held)));
        held.is_some()
    }

    /// Makes the variables stand for the arrays of the step that the atoms stand for.
    pub(super) fn same_arrays(&mut self, vars: &[VarId], from: &[Atom]) {
        for (&var, &from) in vars.iter().zip(from) {
            self.same_array(var, from);
        }
    }

    /// Checks that loops and branches yield the same arrays of the step that they were given.
    pub(super) fn keeps_arrays(&self, vars: &[VarId], results: &[Atom]) -> Result<(), Obstacle> {
        let kept =
            |(&var, &result): (&VarId, &Atom)| self.held(Atom::Var(var)) == self.held(result);
        if vars.iter().zip(results).all(kept) { Ok(()) } else { Err(Obstacle::Control) }
    }

    /// A new array of the step. Its length must be known before the loop.
    pub(super) fn local(&mut self, var: VarId, length: Length) -> Result<(), Obstacle> {
        let known = |atom: &Atom| !matches!(atom, Atom::Var(var) if self.inside.contains(var));
        let is_known = match &length {
            Length::Array(array) => !self.facts.arrays.contains_key(array),
            Length::Value(count) => known(count),
            Length::Product(..) => false,
        };
        if is_known {
            self.new_local(var, LocalLength::Known(length))
        } else {
            Err(Obstacle::Control)
        }
    }

    fn new_local(&mut self, var: VarId, length: LocalLength) -> Result<(), Obstacle> {
        if self.inner_counter.is_some() || self.masked > 0 {
            return Err(Obstacle::Control);
        }
        let Type::Array { elem, shape } = &self.function.tables.vars[var].ty else {
            return Err(Obstacle::Control);
        };
        if shape.len() != 1 {
            return Err(Obstacle::Control);
        }
        self.facts.loops = true;
        self.facts.widest_carried = self.facts.widest_carried.max(elem.bytes());
        // A loop in the step is looked at several times.
        if !self.facts.arrays.contains_key(&var) {
            self.facts.arrays.insert(var, StepArray::Local(self.facts.locals.len()));
            self.facts.locals.push(LocalArrayType { elem: *elem, length });
        }
        Ok(())
    }

    /// A vector that a pass in a step makes.
    pub(super) fn new_vec(&mut self, start: &Start) -> Result<(), Obstacle> {
        let Start::NewVec { vec, capacity, memory, .. } = start else { return Ok(()) };
        match memory {
            Memory::New | Memory::Scratch | Memory::DoubleBuffer => {
                self.local(*vec, capacity.clone())
            }
            Memory::Over(array) => self.over(*vec, *array),
            Memory::Row(_) | Memory::Behind(_) | Memory::Part(_) => Err(Obstacle::Rows),
        }
    }

    /// A vector over a local array. One with another type of elements has a buffer of its own: lanes have a type.
    fn over(&mut self, vec: VarId, array: VarId) -> Result<(), Obstacle> {
        let Some(held @ StepArray::Local(local)) = self.held(Atom::Var(array)) else {
            return Err(Obstacle::Control);
        };
        let LocalArrayType { elem, length } = self.facts.locals[local].clone();
        if self.function.tables.vars[vec].ty.scalars() == elem {
            self.facts.arrays.insert(vec, held);
            Ok(())
        } else {
            self.new_local(vec, length)
        }
    }

    /// `var = copy array`, of an array of the step.
    pub(super) fn copied(&mut self, var: VarId, array: VarId) -> Result<(), Obstacle> {
        match self.held(Atom::Var(array)) {
            Some(StepArray::Local(local)) => {
                let length = self.facts.locals[local].length.clone();
                self.new_local(var, length)
            }
            Some(StepArray::Row(matrix)) => self.new_local(var, LocalLength::Row(matrix)),
            Some(StepArray::Part(_)) | None => Err(Obstacle::Control),
        }
    }

    /// `var = parts[0] ++ parts[1] ++ …`, of arrays of the step, and of arrays that all steps share.
    fn appended(&mut self, var: VarId, parts: &[VarId]) -> Result<(), Obstacle> {
        let is_read = |part: &VarId| match self.held(Atom::Var(*part)) {
            Some(StepArray::Local(_) | StepArray::Row(_)) => true,
            Some(StepArray::Part(_)) => false,
            None => !self.inside.contains(part) && self.constant_length(*part).is_some(),
        };
        match self.constant_length(var).filter(|_| parts.iter().all(is_read)) {
            Some(length) => self.new_local(var, LocalLength::Constant(length)),
            None => Err(Obstacle::Control),
        }
    }

    /// The number of elements of an array, if it is a constant.
    fn constant_length(&self, array: VarId) -> Option<u32> {
        match self.function.tables.vars[array].ty.shape() {
            &[Extent::Const(length)] => u32::try_from(length).ok(),
            _ => None,
        }
    }

    /// Takes note of a read of an element of an array in a loop of the step. A loop may read each element of a row
    /// often, and each time lane by lane; so a short row is copied first.
    fn reads_in_loop(&mut self, array: VarId) {
        if let Some(StepArray::Row(matrix)) = self.held(Atom::Var(array))
            && self.inner > 0
            && !self.in_rows
            && let Some(length) = self.constant_length(array)
            && length <= MAX_COPIED
            && !self.facts.copies.contains_key(&matrix)
        {
            self.facts.copies.insert(matrix, self.facts.locals.len());
            let elem = self.function.tables.vars[matrix].ty.scalars();
            self.facts.locals.push(LocalArrayType { elem, length: LocalLength::Row(matrix) });
        }
    }

    /// A row of a matrix, or a part of an array with more dimensions.
    pub(super) fn row(&mut self, elem: VarId, array: VarId) -> Result<(), Obstacle> {
        if self.function.tables.vars[array].ty.rank() > 2 {
            self.moves(self.counter, Some(Stride::Straight));
            return self.part_of(elem, array, &[Atom::Var(self.counter)]);
        }
        self.dimensions(array, 2)?;
        self.facts.loops = true;
        self.facts.gathered.insert(array);
        self.facts.arrays.insert(elem, StepArray::Row(array));
        Ok(())
    }

    /// Makes a variable stand for a part of an array: of one that all steps share, or of a part.
    pub(super) fn part_of(
        &mut self,
        var: VarId,
        array: VarId,
        at: &[Atom],
    ) -> Result<(), Obstacle> {
        if self.in_rows || self.inner_counter.is_some() {
            return Err(Obstacle::Rows);
        }
        let part = match self.held(Atom::Var(array)) {
            None => ArrayPart { array, at: at.to_vec() },
            Some(StepArray::Part(part)) => self.facts.array_parts[part].part(at),
            Some(StepArray::Local(_) | StepArray::Row(_)) => return Err(Obstacle::Rows),
        };
        self.facts.arrays.insert(var, StepArray::Part(self.facts.array_parts.len()));
        self.facts.array_parts.push(part);
        Ok(())
    }

    /// Whether a variable is an array.
    pub(super) fn is_array(&self, var: VarId) -> bool {
        self.function.tables.vars[var].ty.is_array()
    }

    /// Reads an element of a part of an array. If the part differs between lanes, lanes are read one by one, as those
    /// of a row.
    fn part_element(
        &mut self,
        part: usize,
        indices: &[Atom],
        inside: bool,
    ) -> Result<bool, Obstacle> {
        let ArrayPart { array, at } = self.facts.array_parts[part].part(indices);
        let rows = at.len() - indices.len();
        if !at[..rows].iter().any(|&index| self.varies(index)) {
            return self.gather(array, &at, inside);
        }
        self.dimensions(array, at.len())?;
        self.reads_lane(array, inside);
        Ok(true)
    }

    /// An element of another row in each lane. In a loop of the step it is an element of the step's row, and otherwise one
    /// of a column. Lanes are read one by one, which pays for a column where the step has a loop that does not do so, or
    /// an operation that takes as long for all lanes as for one.
    pub(super) fn columns(&mut self, array: VarId, inside: bool) -> Result<bool, Obstacle> {
        if self.inner > 0 {
            self.reads_lane(array, inside);
            return Ok(true);
        }
        self.reads_column = true;
        if !inside || self.masked > 0 {
            self.facts.may_fail = true;
            self.facts.gathered.insert(array);
        }
        Ok(true)
    }

    /// Takes note of a read in which each lane has a row of its own.
    pub(super) fn reads_lane(&mut self, array: VarId, inside: bool) {
        self.reads_row = true;
        self.lane_reads += 1;
        self.facts.may_fail |= !inside || self.masked > 0;
        self.facts.gathered.insert(array);
    }

    /// Takes note of what reading an element of an array of the step needs.
    pub(super) fn held_element(&mut self, array: VarId, inside: bool) {
        let is_row = matches!(self.held(Atom::Var(array)), Some(StepArray::Row(_)));
        self.reads_row |= is_row;
        self.lane_reads += u32::from(is_row);
        self.facts.may_fail |= !inside || self.masked > 0;
        self.facts.widest =
            self.facts.widest.max(self.function.tables.vars[array].ty.scalars().bytes());
    }

    /// Looks at a step that is a part of a reduction of rows, or gives its result; nothing if it is another step.
    pub(super) fn row_reduction_step(&mut self, step: &Step) -> Option<Result<(), Obstacle>> {
        let var = row_reductions::combines(step)?;
        if self.facts.row_reductions.has_inside(var) {
            return Some(Ok(()));
        }
        let reduction = self.facts.row_reductions.reduction(var)?;
        let elem = self.scalar_type(Atom::Var(var))?;
        self.facts.widest = self.facts.widest.max(elem.bytes());
        self.facts.operations += reduction.operations();
        Some(self.define(var, true))
    }

    /// Looks at a step on an array that the step of the loop made; nothing if it is another step.
    pub(super) fn array_step(&mut self, step: &Step) -> Option<Result<(), Obstacle>> {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others work on no array of the step"
        )]
        match step {
            Step::Index { var, array, indices, inside, .. } => {
                self.held(Atom::Var(*array))?;
                Some(self.indexed(*var, *array, indices, *inside))
            }
            Step::Replace { var, array, indices, value, .. } => {
                Some(self.replaced(*var, *array, indices, *value))
            }
            Step::Array {
                var,
                elems,
                memory:
                    memory @ (Memory::New | Memory::Scratch | Memory::DoubleBuffer | Memory::Row(_)),
                ..
            } => {
                // The row is a local array, whose elements are stored in their place at the end of the step.
                self.places_row |= matches!(memory, Memory::Row(_));
                Some(self.literal(*var, elems))
            }
            Step::Append { var, extends: None, parts, room, .. } if room.is_empty() => {
                Some(self.appended(*var, parts))
            }
            Step::Copy {
                var,
                array,
                memory: Memory::New | Memory::Scratch | Memory::DoubleBuffer,
                ..
            } => Some(self.copied(*var, *array)),
            Step::Unique { var, array, .. } => {
                let is_own = self.same_array(*var, Atom::Var(*array));
                Some(if is_own { Ok(()) } else { Err(Obstacle::Control) })
            }
            Step::Release { array } => {
                let is_own = self.held(Atom::Var(*array)).is_some();
                Some(if is_own { Ok(()) } else { Err(Obstacle::Control) })
            }
            _ => None,
        }
    }

    /// Reads an element of an array of the step.
    pub(super) fn indexed(
        &mut self,
        var: VarId,
        array: VarId,
        indices: &[Atom],
        inside: bool,
    ) -> Result<(), Obstacle> {
        if let Some(StepArray::Part(part)) = self.held(Atom::Var(array)) {
            let varies = self.part_element(part, indices, inside)?;
            return self.define(var, varies);
        }
        if indices.len() != 1 {
            return Err(Obstacle::Rows);
        }
        self.reads_in_loop(array);
        self.held_element(array, inside);
        self.define(var, true)
    }

    /// Reads the element of an array of the step at the position of its loop.
    pub(super) fn next_held(
        &mut self,
        elem: VarId,
        array: VarId,
        counter: VarId,
    ) -> Result<(), Obstacle> {
        if let Some(StepArray::Part(_)) = self.held(Atom::Var(array)) {
            return self.indexed(elem, array, &[Atom::Var(counter)], true);
        }
        self.held_element(array, true);
        self.define(elem, true)
    }

    fn replaced(
        &mut self,
        var: VarId,
        array: VarId,
        indices: &[Atom],
        value: Atom,
    ) -> Result<(), Obstacle> {
        let is_scalar = self.scalar_type(value).is_some() && indices.len() == 1;
        let is_local = matches!(self.held(Atom::Var(array)), Some(StepArray::Local(_)));
        if !is_scalar || !is_local {
            return Err(Obstacle::Control);
        }
        self.facts.may_fail = true;
        self.facts.inner_loops.stores += u32::from(self.inner > 0 && self.varies(indices[0]));
        self.same_array(var, Atom::Var(array));
        Ok(())
    }

    fn literal(&mut self, var: VarId, elems: &[Atom]) -> Result<(), Obstacle> {
        if elems.iter().any(|&elem| self.scalar_type(elem).is_none()) {
            return Err(Obstacle::Rows);
        }
        let count = i64::try_from(elems.len()).map_err(|_| Obstacle::Control)?;
        self.local(var, Length::Value(Atom::Const(Const::i64(count))))
    }
}
