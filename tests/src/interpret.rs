//! The reference interpreter behind the host's values.

use arr_runtime::host::{ArrayData, ArrayValue, ScalarType, ScalarValue, Value, ValueType};
use arrc_core::eval::array::Array;
use arrc_core::eval::cnf as eval;
use arrc_core::ir::cnf::{self, Type};
use arrc_core::pipeline;
use arrc_core::prim::{Const, Scalar};
use arrc_core::source::Sources;

/// A program in combinator normal form.
pub struct Program {
    cnf: cnf::Program,
    sources: Sources,
}

impl Program {
    /// Takes a text as far as the interpreter needs it.
    ///
    /// # Errors
    /// Its diagnostics, as one text.
    pub fn new(text: &str) -> Result<Self, String> {
        let mut sources = Sources::default();
        let file = sources.add("program.arr", text);
        let cnf =
            pipeline::normal_form(&mut sources, file).map_err(|errors| format!("{errors:?}"))?;
        Ok(Self { cnf, sources })
    }

    /// The types of an entry's inputs and outputs.
    ///
    /// # Errors
    /// If there is no such entry.
    pub fn types(&self, entry: &str) -> Result<(Vec<ValueType>, Vec<ValueType>), String> {
        let function = &self.cnf.functions[self.function(entry)?];
        let inputs = function.params.iter().map(|&param| value_type(&function.vars[param].ty));
        Ok((inputs.collect(), function.results.iter().map(value_type).collect()))
    }

    fn function(&self, entry: &str) -> Result<arrc_core::ids::FuncId, String> {
        let found = self.cnf.entries.iter().find(|candidate| candidate.name == entry);
        found.map(|entry| entry.function).ok_or_else(|| format!("there is no entry {entry}"))
    }
}

fn value_type(ty: &Type) -> ValueType {
    let scalar = |name| ScalarType::from_name(name).expect("the host knows every scalar type");
    match ty {
        Type::Scalar(ty) => ValueType::Scalar(scalar(ty.name())),
        Type::Array { elem, shape } => ValueType::Array {
            scalar: scalar(elem.name()),
            rank: u32::try_from(shape.len()).expect("ranks are small"),
        },
    }
}

/// Calls an entry.
///
/// # Errors
/// The run-time error's message, as compiled code words it.
pub fn call(program: &Program, entry: &str, inputs: &[Value]) -> Result<Vec<Value>, String> {
    let function = program.function(entry)?;
    let arguments = inputs.iter().map(to_eval).collect();
    match eval::run(&program.cnf, function, arguments) {
        Ok(results) => Ok(results.iter().map(from_eval).collect()),
        Err(error) => {
            let place = program.sources.line_col(error.span);
            Err(format!("program.arr:{}:{}: {error}", place.line, place.column))
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
            let scalars =
                (0..data.len()).map(|at| to_const(data.get(at).expect("within the length")));
            let shape = array
                .shape()
                .iter()
                .map(|&extent| usize::try_from(extent).expect("no extent of an array is negative"));
            eval::Value::Array(Array::new(elem, shape.collect(), scalars.collect()))
        }
    }
}

fn from_eval(value: &eval::Value) -> Value {
    match value {
        eval::Value::Scalar(value) => Value::Scalar(from_const(*value)),
        eval::Value::Array(array) => {
            let name = array.elem().name();
            let ty = ScalarType::from_name(name).expect("the host knows every scalar type");
            let scalars = array.scalars().iter().map(|&value| from_const(value));
            let data = ArrayData::collect(ty, scalars).expect("of the element type");
            let shape = array
                .shape()
                .iter()
                .map(|&extent| i64::try_from(extent).expect("an extent is an i64"));
            Value::Array(ArrayValue::new(shape.collect(), data).expect("a shape fits its scalars"))
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

/// The shape and the elements of a value of floats.
#[must_use]
pub fn floats(value: &Value) -> Option<(Vec<i64>, Vec<f64>)> {
    let (shape, data) = match value {
        Value::Scalar(scalar) => (Vec::new(), ArrayData::collect(scalar.ty(), [*scalar]).ok()?),
        Value::Array(array) => (array.shape().to_vec(), array.data().clone()),
    };
    let floats = (0..data.len()).map(|at| match data.get(at)? {
        ScalarValue::F32(value) => Some(f64::from(value)),
        ScalarValue::F64(value) => Some(value),
        ScalarValue::Bool(_)
        | ScalarValue::I8(_)
        | ScalarValue::I16(_)
        | ScalarValue::I32(_)
        | ScalarValue::I64(_)
        | ScalarValue::U8(_)
        | ScalarValue::U16(_)
        | ScalarValue::U32(_)
        | ScalarValue::U64(_) => None,
    });
    Some((shape, floats.collect::<Option<Vec<f64>>>()?))
}
