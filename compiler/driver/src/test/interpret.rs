//! The reference interpreter behind the host's values.

use std::path::Path;

use arr_runtime::host::{ArrayData, ArrayValue, ScalarType, ScalarValue, Value};
use arrc_core::eval::cnf as eval;
use arrc_core::ir::cnf::{self, Entry};
use arrc_core::pipeline;
use arrc_core::prim::{Const, Scalar};
use arrc_core::source::Sources;

use crate::error::Failure;
use crate::native::{Signature, value_type};
use crate::source;

/// A program as the interpreter runs it.
pub(super) struct Program {
    cnf: cnf::Program,
    sources: Sources,
}

impl Program {
    /// Takes a file as far as the interpreter needs it.
    pub(super) fn new(path: &Path) -> Result<Self, Failure> {
        let (sources, cnf) = source::read(path, pipeline::normal_form)?;
        Ok(Self { cnf, sources })
    }

    /// The entries, with the types of their inputs and outputs.
    pub(super) fn signatures(&self) -> Vec<Signature<'_>> {
        let mut signatures = Vec::new();
        for entry in &self.cnf.entries {
            let function = &self.cnf.functions[entry.function];
            let inputs = function.params.iter().map(|&param| value_type(&function.vars[param].ty));
            let outputs = function.results.iter().map(value_type);
            signatures.push(Signature {
                entry,
                inputs: inputs.collect(),
                outputs: outputs.collect(),
            });
        }
        signatures
    }

    /// Calls an entry.
    ///
    /// # Errors
    /// The run-time error's message, as compiled code words it.
    pub(super) fn call(&self, entry: &Entry, inputs: &[Value]) -> Result<Vec<Value>, String> {
        let arguments = inputs.iter().map(to_eval).collect();
        match eval::run(&self.cnf, entry.function, arguments) {
            Ok(results) => Ok(results.iter().map(from_eval).collect()),
            Err(error) => {
                let place = self.sources.line_col(error.span);
                let path = &self.sources.get(error.span.file).path;
                Err(format!("{path}:{}:{}: {error}", place.line, place.column))
            }
        }
    }
}

fn to_eval(value: &Value) -> eval::Value {
    match value {
        Value::Scalar(scalar) => eval::Value::Scalar(to_const(*scalar)),
        Value::Array(array) => {
            let data = array.data();
            let elem =
                Scalar::from_name(data.ty().name()).expect("the compiler knows every scalar type");
            eval::Value::array(
                elem,
                (0..data.len()).map(|at| to_const(data.get(at).expect("within the length"))),
            )
        }
    }
}

fn from_eval(value: &eval::Value) -> Value {
    match value {
        eval::Value::Scalar(value) => Value::Scalar(from_const(*value)),
        eval::Value::Array(elem, values) => {
            let ty = ScalarType::from_name(elem.name()).expect("the host knows every scalar type");
            let scalars = values.iter().map(|&value| from_const(value));
            Value::Array(ArrayValue::vector(
                ArrayData::collect(ty, scalars).expect("of the element type"),
            ))
        }
    }
}

fn to_const(scalar: ScalarValue) -> Const {
    match scalar {
        ScalarValue::Bool(value) => Const::bool(value),
        ScalarValue::I8(value) => Const::int(Scalar::I8, value.into()),
        ScalarValue::I16(value) => Const::int(Scalar::I16, value.into()),
        ScalarValue::I32(value) => Const::int(Scalar::I32, value.into()),
        ScalarValue::I64(value) => Const::int(Scalar::I64, value.into()),
        ScalarValue::U8(value) => Const::int(Scalar::U8, value.into()),
        ScalarValue::U16(value) => Const::int(Scalar::U16, value.into()),
        ScalarValue::U32(value) => Const::int(Scalar::U32, value.into()),
        ScalarValue::U64(value) => Const::int(Scalar::U64, value.into()),
        ScalarValue::F32(value) => Const::float(Scalar::F32, value.into()),
        ScalarValue::F64(value) => Const::float(Scalar::F64, value),
    }
}

fn from_const(value: Const) -> ScalarValue {
    const FITS: &str = "a constant is in the range of its type";
    let int = || value.as_i128();
    match value.ty {
        Scalar::Bool => ScalarValue::Bool(value.bits != 0),
        Scalar::I8 => ScalarValue::I8(int().try_into().expect(FITS)),
        Scalar::I16 => ScalarValue::I16(int().try_into().expect(FITS)),
        Scalar::I32 => ScalarValue::I32(int().try_into().expect(FITS)),
        Scalar::I64 => ScalarValue::I64(int().try_into().expect(FITS)),
        Scalar::U8 => ScalarValue::U8(int().try_into().expect(FITS)),
        Scalar::U16 => ScalarValue::U16(int().try_into().expect(FITS)),
        Scalar::U32 => ScalarValue::U32(int().try_into().expect(FITS)),
        Scalar::U64 => ScalarValue::U64(int().try_into().expect(FITS)),
        #[allow(clippy::cast_possible_truncation, reason = "an f32 constant is an f32's value")]
        Scalar::F32 => ScalarValue::F32(value.as_f64() as f32),
        Scalar::F64 => ScalarValue::F64(value.as_f64()),
    }
}
