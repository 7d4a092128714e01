//! Steps on whole arrays, and reading one element.
//!
//! Invariant: an element is read only after its index was checked, or is in bounds by construction.

use arrc_core::ids::VarId;
use arrc_core::ir::cnf::Atom;
use arrc_core::prim::Scalar;
use arrc_core::source::Span;
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use crate::function::Body;
use crate::runtime::Failure;
use crate::value::{Array, Value};

impl<'ctx> Body<'_, 'ctx, '_> {
    /// `array[i, …]`, checked: an element, or with fewer indices than dimensions the rest of them.
    pub(crate) fn index(&mut self, array: VarId, indices: &[Atom], span: Span) -> Value<'ctx> {
        let name = self.function.vars[array].name.clone();
        let site = self.code.unit.site(span, &name);
        let mut value = Value::Array(self.array(array));
        for &index in indices {
            let whole = value.array(array);
            let (index, extent) = (self.int(index), whole.shape[0]);
            // Unsigned: a negative index is a large one.
            let ok = self.code.compare(IntPredicate::ULT, index, extent);
            self.code.check(ok, Failure::Index, site, [index, extent]);
            value = self.read_element(array, whole, index);
        }
        value
    }

    /// `array[i, …]` where every index is in bounds.
    pub(crate) fn index_inside(&mut self, array: VarId, indices: &[Atom]) -> Value<'ctx> {
        indices.iter().fold(Value::Array(self.array(array)), |value, &index| {
            self.read_element(array, value.array(array), self.int(index))
        })
    }

    /// The element of an array at `index`, which is in bounds.
    pub(crate) fn read(&self, array: VarId, index: IntValue<'ctx>) -> Value<'ctx> {
        self.read_element(array, self.var(array).array(array), index)
    }

    /// A scalar of the array that `var` is, or a view of a row.
    fn read_element(&self, var: VarId, array: &Array<'ctx>, index: IntValue<'ctx>) -> Value<'ctx> {
        let (elem, _) = self.array_type(var);
        let at = self.code.element(elem, array.data, self.scaled(array, index));
        if let [_, row @ ..] = array.shape.as_slice()
            && !row.is_empty()
        {
            return Value::Array(Array { data: at, owner: array.owner, shape: row.to_vec() });
        }
        let loaded = self.code.load(self.code.types.memory(elem), at, "");
        if let Some(aliasing) = &self.aliasing {
            aliasing.describe_load(&self.code, loaded, var);
        }
        Value::Scalar(self.code.in_register(elem, loaded))
    }

    /// How many scalars lie before the element at `index`.
    pub(crate) fn scaled(&self, array: &Array<'ctx>, index: IntValue<'ctx>) -> IntValue<'ctx> {
        array.shape.iter().skip(1).fold(index, |index, &extent| self.code.mul_index(index, extent))
    }

    /// `var = [e, …]`.
    pub(crate) fn array_literal(&mut self, var: VarId, elem: Scalar, elems: &[Atom], span: Span) {
        if elems.is_empty() {
            // Nobody reads it, and nobody owns it; functions of C may want some address.
            let (data, owner) = (self.code.context, self.code.types.ptr.const_null());
            let shape = vec![self.code.size(0)];
            return self.bind(var, Value::Array(Array { data, owner, shape }));
        }
        let name = self.function.vars[var].name.clone();
        let site = self.code.unit.site(span, &name);
        let length = self.code.size(u64::try_from(elems.len()).expect("64 bits count elements"));
        let elements: Vec<_> = elems.iter().map(|&element| self.atom(element)).collect();
        let mut shape = vec![length];
        if let Some(Value::Array(row)) = elements.first() {
            shape.extend(&row.shape);
        }
        let array = self.code.allocate(elem, shape, site);
        for (at, element) in (0..).zip(elements) {
            let index = self.scaled(&array, self.code.size(at));
            let place = self.code.element(elem, array.data, index);
            match element {
                Value::Scalar(value) => self.code.store(place, self.code.in_memory(elem, value)),
                Value::Array(row) => self.code.copy_elements(elem, &row, place),
                Value::Vector(_) => panic!("an element of {var} is no vector under construction"),
            }
        }
        self.bind(var, Value::Array(array));
    }
}
