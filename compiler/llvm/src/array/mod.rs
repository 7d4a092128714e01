//! Steps on whole arrays, and reading one element.
//!
//! Invariant: an element is read only after its index was checked, or is in bounds by construction.

mod append;
mod destinations;
pub(crate) mod scratch;
pub(crate) mod scratch_buffers;
mod sort;
mod update;

use arr_abi::ErrorCode;
use arrc_front::data::Data;
use arrc_fusion::cnf::{Atom, Extent};
use arrc_loops::concrete::{Length, Memory, Position, RowLocation};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, PointerValue};

use crate::code::FunctionBuilder;
use crate::function::function_body::Body;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// A literal with at most this many constants is stored element by element. No benchmark shows it alone.
const STORED: usize = 16;

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// `array[i, …]`, checked: an element or, with fewer indices than dimensions, an array of the other dimensions.
    pub(crate) fn index(
        &mut self,
        array: VarId,
        indices: &[Atom],
        span: Span,
    ) -> LoweredValue<'ctx> {
        let name = self.function.tables.vars[array].name.clone();
        let site = self.code.unit.site(span, &name);
        if self.is_strided(array) {
            for (&index, extent) in indices.iter().zip(self.array(array).shape) {
                let index = self.int(index);
                let ok = self.code.compare(IntPredicate::ULT, index, extent);
                self.code.check(ok, ErrorCode::Index, site, [index, extent]);
            }
            return self.strided_element(array, indices);
        }
        let mut value = LoweredValue::Array(self.array(array));
        for &index in indices {
            let whole = value.array(array);
            let (index, extent) = (self.int(index), whole.shape[0]);
            // Unsigned: a negative index is a large one.
            let ok = self.code.compare(IntPredicate::ULT, index, extent);
            self.code.check(ok, ErrorCode::Index, site, [index, extent]);
            value = self.read_element(array, whole, index);
        }
        value
    }

    /// `array[i, …]` where every index is in bounds.
    pub(crate) fn index_inside(&self, array: VarId, indices: &[Atom]) -> LoweredValue<'ctx> {
        if self.is_strided(array) {
            return self.strided_element(array, indices);
        }
        indices.iter().fold(LoweredValue::Array(self.array(array)), |value, &index| {
            self.read_element(array, value.array(array), self.int(index))
        })
    }

    /// Whether an array may have strides, whose address is in the place of its owner.
    pub(crate) fn is_strided(&self, array: VarId) -> bool {
        self.code.unit.gathered(self.function).contains(&array)
    }

    /// The strides of such an array, in elements.
    pub(crate) fn strides(&self, array: VarId) -> Vec<IntValue<'ctx>> {
        let Array { owner, shape, .. } = self.array(array);
        let code = &self.code;
        let dims = (0..).zip(&shape).map(|(dim, _)| {
            let place = code.element(Scalar::I64, owner, code.size(dim));
            code.load(code.types.i64, place, "stride").into_int_value()
        });
        dims.collect()
    }

    /// A scalar of an array that may have strides. All indices are in bounds.
    fn strided_element(&self, array: VarId, indices: &[Atom]) -> LoweredValue<'ctx> {
        let code = &self.code;
        let offsets = indices.iter().zip(self.strides(array));
        let offsets = offsets.map(|(&index, stride)| code.mul_index(self.int(index), stride));
        let offset = offsets.reduce(|sum, offset| code.add_index(sum, offset));
        let (elem, _) = self.array_type(array);
        let at = code.element(elem, self.array(array).data, offset.unwrap_or(code.size(0)));
        let loaded = code.load(code.types.memory(elem), at, "");
        LoweredValue::Scalar(code.in_register(elem, loaded))
    }

    /// The view of `count` elements of an array, or of a row of it: the last index is the first position. All are in
    /// bounds.
    pub(crate) fn slice(
        &mut self,
        array: VarId,
        indices: &[Atom],
        count: Atom,
    ) -> LoweredValue<'ctx> {
        let (from, row) = indices.split_last().expect("a slice begins somewhere");
        let row = self.index_inside(array, row);
        let row = row.array(array);
        let (from, count) = (self.int(*from), self.int(count));
        // A slice without elements may begin anywhere.
        let some = self.code.compare(IntPredicate::NE, count, self.code.size(0));
        let from = built(self.code.b.build_select(some, from, self.code.size(0), ""));
        let (elem, _) = self.array_type(array);
        let data = self.code.element(elem, row.data, self.scaled(row, from.into_int_value()));
        let shape = std::iter::once(count).chain(row.shape.iter().skip(1).copied()).collect();
        LoweredValue::Array(Array { data, owner: row.owner, shape })
    }

    /// The element of an array at `index`, which is in bounds.
    pub(crate) fn read(&self, array: VarId, index: IntValue<'ctx>) -> LoweredValue<'ctx> {
        self.read_element(array, self.var(array).array(array), index)
    }

    /// A scalar of the array `var`, or a view of a row.
    fn read_element(
        &self,
        var: VarId,
        array: &Array<'ctx>,
        index: IntValue<'ctx>,
    ) -> LoweredValue<'ctx> {
        let (elem, _) = self.array_type(var);
        let at = self.code.element(elem, array.data, self.scaled(array, index));
        if let [_, row @ ..] = array.shape.as_slice()
            && !row.is_empty()
        {
            return LoweredValue::Array(Array {
                data: at,
                owner: array.owner,
                shape: row.to_vec(),
            });
        }
        let loaded = self.code.load(self.code.types.memory(elem), at, "");
        if let Some(aliasing) = &self.aliasing {
            aliasing.describe_load(&self.code, loaded, var);
        }
        LoweredValue::Scalar(self.code.in_register(elem, loaded))
    }

    /// How many scalars lie before the element at `index`.
    pub(crate) fn scaled(&self, array: &Array<'ctx>, index: IntValue<'ctx>) -> IntValue<'ctx> {
        array.shape.iter().skip(1).fold(index, |index, &extent| self.code.mul_index(index, extent))
    }

    /// `var = [c, …]`: constant memory of the program, without an owner.
    pub(crate) fn constant_array(&mut self, var: VarId, data: &Data) {
        let extents = self.type_of(var).shape().iter();
        let shape = extents.map(|&extent| self.extent(extent).expect("a constant's size is known"));
        let shape = shape.collect();
        let owner = self.code.types.ptr.const_null();
        let data = self.code.unit.data(data);
        self.bind(var, LoweredValue::Array(Array { data, owner, shape }));
    }

    /// `var = [e, …]`, in memory of its own or in the place of a row.
    pub(crate) fn array_literal(
        &mut self,
        var: VarId,
        (elem, elems): (Scalar, &[Atom]),
        memory: &Memory,
        span: Span,
    ) {
        if elems.is_empty() {
            // The array is empty and has no owner. But functions of C may require an address that is not null.
            let (data, owner) = (self.code.context, self.code.types.ptr.const_null());
            let shape = vec![self.code.size(0)];
            return self.bind(var, LoweredValue::Array(Array { data, owner, shape }));
        }
        let name = self.function.tables.vars[var].name.clone();
        let site = self.code.unit.site(span, &name);
        let length = self.code.size(u64::try_from(elems.len()).expect("64 bits count elements"));
        let shape = [vec![length], self.row_shape(elems[0])].concat();
        let array = self.memory_of(var, memory, (elem, shape), site);
        let is_copied = self.copy_constants(elem, elems, array.data);
        let is_stored = |each: &Atom| !is_copied || matches!(each, Atom::Var(_));
        let row = if let Memory::Row(place) = memory { Some(place.vec) } else { None };
        for (number, &each) in (0..).zip(elems).filter(|(_, each)| is_stored(each)) {
            let index = self.scaled(&array, self.code.size(number));
            self.store_element((elem, each), (array.data, index), row);
        }
        self.bind(var, LoweredValue::Array(array));
    }

    /// The shape of an element of a literal.
    fn row_shape(&self, element: Atom) -> Vec<IntValue<'ctx>> {
        if let Some(elems) = self.literal(element) {
            return vec![
                self.code.size(u64::try_from(elems.len()).expect("64 bits count elements")),
            ];
        }
        if let LoweredValue::Array(row) = self.atom(element) { row.shape } else { Vec::new() }
    }

    /// The elements of a literal that needs no memory.
    fn literal(&self, atom: Atom) -> Option<&'p [Atom]> {
        if let Atom::Var(var) = atom { self.literals[var] } else { None }
    }

    /// Stores an element of a literal, which may be an array, at a position. If the literal is made in the place of a
    /// row, `row` is the vector of rows.
    fn store_element(
        &self,
        (elem, element): (Scalar, Atom),
        (data, index): (PointerValue<'ctx>, IntValue<'ctx>),
        row: Option<VarId>,
    ) {
        if let Some(elems) = self.literal(element) {
            for (number, &each) in (0..).zip(elems) {
                let at = self.code.add_index(index, self.code.size(number));
                self.store_element((elem, each), (data, at), row);
            }
            return;
        }
        let at = self.code.element(elem, data, index);
        match self.atom(element) {
            LoweredValue::Scalar(value) => {
                let value = self.code.in_memory(elem, value);
                let store = built(self.code.b.build_store(at, value));
                if let (Some(aliasing), Some(row)) = (&self.aliasing, row) {
                    aliasing.describe_own(&self.code, store, row);
                }
            }
            LoweredValue::Array(row) => self.code.copy_elements(elem, &row, at),
            LoweredValue::Vector(_) => panic!("an element is no vector under construction"),
        }
    }

    /// The memory of an array that a step of one operation makes.
    pub(crate) fn memory_of(
        &self,
        var: VarId,
        memory: &Memory,
        (elem, shape): (Scalar, Vec<IntValue<'ctx>>),
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        match memory {
            Memory::New => self.new_array(var, true, (elem, shape), site),
            Memory::Scratch | Memory::DoubleBuffer => self.scratch_array(var, elem, shape, site),
            Memory::Row(place) => self.row_at(place, shape),
            Memory::Over(_) | Memory::Behind(_) | Memory::Part(_) => {
                panic!("only a pass makes {var} in another array")
            }
        }
    }

    /// The place of a row of that shape. The row has no owner, since the vector around owns its memory.
    pub(crate) fn row_at(&self, place: &RowLocation, shape: Vec<IntValue<'ctx>>) -> Array<'ctx> {
        let data = self.place(place.vec, &place.index);
        let owner = self.code.types.ptr.const_null();
        Array { data, owner, shape }
    }

    /// Where an element of a vector under construction is.
    pub(crate) fn place(&self, vec: VarId, index: &Position) -> PointerValue<'ctx> {
        let (scalar, _) = self.array_type(vec);
        let vector = self.var(vec).vector(vec);
        let index = self.scaled(vector, self.position(index));
        self.code.element(scalar, vector.data, index)
    }

    /// A position in a rate.
    pub(crate) fn position(&self, position: &Position) -> IntValue<'ctx> {
        match position {
            Position::Var(var) => self.int(Atom::Var(*var)),
            Position::Product { outer, length, inner } => {
                let row = self.code.mul_index(self.position(outer), self.length(length));
                self.code.add_index(row, self.int(Atom::Var(*inner)))
            }
        }
    }

    /// A number of elements that is known before a pass.
    pub(crate) fn length(&self, length: &Length) -> IntValue<'ctx> {
        match length {
            Length::Array(array) => {
                let known = match self.type_of(*array).shape()[0] {
                    Extent::Size(size) => self.sizes[size].filter(|size| size.is_const()),
                    Extent::Const(_) => None,
                };
                known.unwrap_or_else(|| self.var(*array).array(*array).shape[0])
            }
            Length::Value(size) => self.int(*size),
            Length::Product(a, b) => self.code.product(self.length(a), self.length(b)),
        }
    }

    /// Copies the constants of a literal to its memory, if there are many; says whether it did. The places of the other
    /// scalars get zeros, which are overwritten.
    fn copy_constants(&self, elem: Scalar, elems: &[Atom], to: PointerValue<'ctx>) -> bool {
        let constants = elems.iter().filter(|each| matches!(each, Atom::Const(_))).count();
        if constants <= STORED {
            return false;
        }
        let nothing = Const { ty: elem, bits: 0 };
        let values = elems.iter().map(|each| match each {
            Atom::Const(value) => *value,
            Atom::Var(_) => nothing,
        });
        let from = self.code.unit.data(&Data::new(elem, values));
        let shape =
            vec![self.code.size(u64::try_from(elems.len()).expect("64 bits count elements"))];
        let from = Array { data: from, owner: self.code.types.ptr.const_null(), shape };
        self.code.copy_elements(elem, &from, to);
        true
    }
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// The array that comes from one of several blocks.
    pub(crate) fn merge_arrays<const N: usize>(
        &self,
        incoming: [(&Array<'ctx>, BasicBlock<'ctx>); N],
    ) -> Array<'ctx> {
        let extent =
            |dim: usize| self.phi_of(incoming.map(|(array, from)| (array.shape[dim], from)));
        let dims = incoming[0].0.shape.len();
        Array {
            data: self.phi_of(incoming.map(|(array, from)| (array.data, from))),
            owner: self.phi_of(incoming.map(|(array, from)| (array.owner, from))),
            shape: (0..dims).map(extent).collect(),
        }
    }
}
