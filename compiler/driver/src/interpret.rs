//! The reference interpreter on the host's values. `arrc run --interpret` calls it, and the tests compare compiled
//! code with it.
//!
//! Invariant: an error has the place and the code that compiled code would report.

use arr_runtime::host::{ArrayData, ArrayValue, RunError, ScalarValue, Value, ValueType};
use arrc_front::eval::core as eval;
use arrc_front::eval::core::{Component, ComponentType, Trace};
use arrc_front::eval::run_error::LibraryFrame;
use arrc_fusion::cnf;
use arrc_fusion::eval::array::Array;
use arrc_fusion::eval::cnf as normal;
use arrc_pipeline::Compiled;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::{Sources, Span};

/// Calls the entry with this name. The inputs have its types.
///
/// # Errors
/// The run-time error, if there is one.
pub(crate) fn call(
    compiled: &Compiled,
    sources: &Sources,
    entry: &str,
    inputs: &[Value],
) -> Result<Vec<Value>, RunError> {
    let program = &compiled.core;
    let entry = program.entries.iter().copied().find(|&id| program.defs[id].name == entry);
    let entry = entry.expect("an entry of the loop nests is one of the typed program");
    let (wanted, _) = eval::signature(program, entry);
    let types: Vec<ValueType> = wanted.into_iter().map(value_type).collect();
    assert!(
        types.iter().copied().eq(inputs.iter().map(Value::ty)),
        "the loop nests take what the typed program takes: {types:?}"
    );
    let inputs: Vec<Component> = inputs.iter().map(to_component).collect();
    let tracer = |trace: Trace| eprintln!("[{}] {}", place(sources, trace.span), trace.text);
    match eval::run_traced(program, entry, &inputs, &tracer) {
        Ok(outputs) => Ok(outputs.into_iter().map(from_component).collect()),
        Err(error) => {
            let mut message = format!("{}: {error}", place(sources, error.span));
            for (depth, LibraryFrame { name, at, call }) in error.inside.iter().enumerate() {
                let at =
                    if depth == 0 { format!(" ({})", place(sources, *at)) } else { String::new() };
                message += &format!("\n  in {name}{at}, called at {}", place(sources, *call));
            }
            Err(RunError { code: Some(error.code), message })
        }
    }
}

/// Calls the entry of a program that was kept before it was simplified; reductions and scans run in blocks of this many
/// elements. `None` if the call fails or takes too long.
pub(crate) fn call_in_blocks(
    program: &cnf::Program,
    entry: &str,
    inputs: &[Value],
    block: Option<usize>,
) -> Option<Vec<Value>> {
    const MOST: u64 = 2_000_000;
    let entry = program.entries.iter().find(|found| found.name == entry)?;
    let args = inputs.iter().map(|input| {
        let Component { elem, shape, data } = to_component(input);
        if shape.is_empty() {
            return normal::Value::Scalar(data[0]);
        }
        let shape = shape.iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect();
        normal::Value::Array(Array::new(elem, shape, data.into()))
    });
    let args = args.collect();
    let found = normal::run_in_blocks(program, entry.function, args, block, MOST).ok()?;
    let value = |value: normal::Value| match value {
        normal::Value::Scalar(value) => Value::Scalar(from_const(value)),
        normal::Value::Array(array) => {
            let shape = array.shape().iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX));
            let data = array.scalars().to_vec();
            from_component(Component { elem: array.elem(), shape: shape.collect(), data })
        }
    };
    Some(found.into_iter().map(value).collect())
}

/// `file:line:column`.
fn place(sources: &Sources, span: Span) -> String {
    let at = sources.line_col(span);
    format!("{}:{}:{}", arr_printable::line(&sources.get(span.file).path), at.line, at.column)
}

/// The host's name for the type of a component.
///
/// # Panics
/// If it has more than 2^32 dimensions.
#[must_use]
pub fn value_type(ty: ComponentType) -> ValueType {
    match u32::try_from(ty.rank).expect("ranks are small") {
        0 => ValueType::Scalar(ty.elem),
        rank => ValueType::Array { scalar: ty.elem, rank },
    }
}

/// The value in the interpreter's representation.
///
/// # Panics
/// Never: the compiler knows the host's scalar types.
#[must_use]
pub fn to_component(value: &Value) -> Component {
    match value {
        Value::Scalar(scalar) => {
            let value = to_const(*scalar);
            Component { elem: value.ty, shape: Vec::new(), data: vec![value] }
        }
        Value::Array(array) => {
            let data = array.data();
            let scalars = (0..data.len()).map(|at| data.get(at).expect("within the length"));
            Component {
                elem: data.ty(),
                shape: array.shape().to_vec(),
                data: scalars.map(to_const).collect(),
            }
        }
    }
}

/// A result of the interpreter as a value of the host.
///
/// # Panics
/// If the number of scalars does not match the shape.
#[must_use]
pub fn from_component(component: Component) -> Value {
    let Component { elem, shape, data } = component;
    if shape.is_empty() {
        return Value::Scalar(from_const(data[0]));
    }
    let scalars = data.into_iter().map(from_const);
    let data = ArrayData::collect(elem, scalars).expect("of the element type");
    Value::Array(ArrayValue::new(shape, data).expect("as many scalars as the shape says"))
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

/// A constant as a value of the host.
pub(crate) fn from_const(value: Const) -> ScalarValue {
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
