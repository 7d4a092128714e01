//! The values of the variables and sizes of one call, for the interpreters.
//!
//! Invariant: a size has the extent of the array that was bound last with it. Inside a worker, that is the extent in
//! the present step.
//!
//! ```text
//! set xs: [n]i64 to [1, 2]   ⇒   n is 2; collect ys: [k][n]i64 of nothing   ⇒   an array of shape [0, 2]
//! ```

use crate::cnf::{Atom, Extent, SizeDef, Type, Var};
use crate::eval::array::Array;
use crate::eval::cnf::Value;
use crate::tables::Tables;
use arrc_front::data::Data;
use arrc_syntax::ids::{PrimaryMap, SecondaryMap, SizeId, VarId};
use arrc_syntax::prim::Const;

/// The values so far.
pub struct Store<'a> {
    tables: &'a Tables,
    values: SecondaryMap<VarId, Option<Value>>,
    extents: SecondaryMap<SizeId, Option<usize>>,
}

impl<'a> Store<'a> {
    /// An empty store for the variables and sizes of a function.
    pub fn new(tables: &'a Tables) -> Self {
        Self { tables, values: SecondaryMap::new(), extents: SecondaryMap::new() }
    }

    /// The variables of the function.
    pub fn vars(&self) -> &'a PrimaryMap<VarId, Var> {
        &self.tables.vars
    }

    /// Gives a variable its value.
    pub fn set(&mut self, var: VarId, value: Value) {
        if let (Type::Array { shape, .. }, Value::Array(array)) =
            (&self.tables.vars[var].ty, &value)
        {
            for (&extent, &found) in shape.iter().zip(array.shape()) {
                if let Extent::Size(size) = extent {
                    self.extents[size] = Some(found);
                }
            }
        }
        self.values[var] = Some(value);
    }

    /// Gives variables their values.
    pub fn set_all(&mut self, vars: &[VarId], values: Vec<Value>) {
        for (&var, value) in vars.iter().zip(values) {
            self.set(var, value);
        }
    }

    /// Whether a variable has a value.
    pub fn has(&self, var: VarId) -> bool {
        self.values[var].is_some()
    }

    /// Whether a variable has an array as its value.
    pub fn is_array(&self, var: VarId) -> bool {
        matches!(self.values[var], Some(Value::Array(_)))
    }

    /// Takes a variable's value away.
    pub fn remove(&mut self, var: VarId) {
        self.values[var] = None;
    }

    /// The value of an atom.
    pub fn get(&self, atom: Atom) -> Value {
        match atom {
            Atom::Const(value) => Value::Scalar(value),
            Atom::Var(var) => self.var(var).clone(),
        }
    }

    /// The value of a variable.
    pub fn var(&self, var: VarId) -> &Value {
        let value = self.values[var].as_ref();
        value.unwrap_or_else(|| panic!("the program is verified: {var} is bound before its use"))
    }

    /// A scalar.
    pub fn scalar(&self, atom: Atom) -> Const {
        match atom {
            Atom::Const(value) => value,
            Atom::Var(var) => self.var(var).scalar(),
        }
    }

    /// An array.
    pub fn array(&self, var: VarId) -> &Array {
        self.var(var).as_array()
    }

    /// Arrays.
    pub(super) fn arrays(&self, vars: &[VarId]) -> Vec<Array> {
        vars.iter().map(|&var| self.array(var).clone()).collect()
    }

    /// The array with these elements, as the value of this variable.
    pub fn collect(&self, var: VarId, elements: &[Value]) -> Value {
        let Type::Array { elem, shape } = &self.tables.vars[var].ty else {
            panic!("the program is verified: {var} is an array");
        };
        let row = match elements.first() {
            Some(Value::Array(row)) => row.shape().to_vec(),
            Some(Value::Scalar(_)) => Vec::new(),
            None => shape[1..].iter().map(|&extent| self.extent(extent)).collect(),
        };
        Value::Array(Array::collect(*elem, &row, elements))
    }

    /// The array with these scalars, as the value of this variable.
    pub fn constant(&self, var: VarId, data: &Data) -> Value {
        let shape =
            self.tables.vars[var].ty.shape().iter().map(|&extent| self.extent(extent)).collect();
        Value::Array(Array::new(data.elem(), shape, data.values().collect()))
    }

    /// The value of an extent that is known in scope. A negative one is 0, since no array has it.
    fn extent(&self, extent: Extent) -> usize {
        usize::try_from(self.signed(extent)).unwrap_or(0)
    }

    fn signed(&self, extent: Extent) -> i128 {
        let size = match extent {
            Extent::Const(value) => return value.into(),
            Extent::Size(size) => size,
        };
        if let Some(known) = self.extents[size] {
            return known as i128;
        }
        match self.tables.sizes[size].def {
            SizeDef::Param | SizeDef::Exists => panic!("{size} is known before it is used"),
            SizeDef::Value(var) => self.var(var).scalar().as_i128(),
            SizeDef::Sum(left, right) => {
                let [left, right] = SizeDef::both([left, right], |part| self.signed(part));
                left.saturating_add(right)
            }
            SizeDef::Product(left, right) => {
                let [left, right] = SizeDef::both([left, right], |part| self.signed(part));
                left.saturating_mul(right)
            }
        }
    }
}

/// A position or size that is not negative.
pub fn const_to_usize(value: Const) -> usize {
    usize::try_from(value.as_i128()).expect("a position or checked size is not negative")
}
