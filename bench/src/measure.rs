//! One kernel in every way: results that agree, and their times.

use std::error::Error;

use arr_runtime::host::{
    ArrayData, Call, Library, ScalarValue, Session, SessionOptions, Value, ValueType,
};
use arrc::bench::measure::{Times, interleave};

/// Rounds of interleaved calls; odd, so that there is a median.
pub(crate) const ROUNDS: usize = 9;

/// A way to compute: an entry of a library.
pub(crate) struct Way<'lib> {
    /// Its name in the table.
    pub(crate) name: String,
    /// The library that contains it.
    pub(crate) library: &'lib Library,
    /// The entry's name.
    pub(crate) entry: String,
    /// The most threads that it uses; 0: all.
    pub(crate) threads: usize,
}

/// Times every way on the same inputs. Before that, checks that all of them give the same results, up to reassociation
/// of floats.
pub(crate) fn measure(
    ways: &[Way<'_>],
    inputs: &[Value],
    outputs: &[ValueType],
) -> Result<Vec<Times>, Box<dyn Error>> {
    let sessions: Vec<Session<'_>> = ways
        .iter()
        .map(|way| {
            let options = SessionOptions { threads: way.threads, ..SessionOptions::default() };
            Session::new(way.library, &options)
        })
        .collect::<Result<_, _>>()?;
    let mut calls = Vec::new();
    for (way, session) in ways.iter().zip(&sessions) {
        calls.push(session.prepare(&way.entry, inputs, outputs)?);
    }
    agree(ways, &mut calls)?;
    Ok(interleave(&mut calls, ROUNDS)?)
}

/// Frees the buffers that a library in C keeps from call to call. All programs together may need more than the machine has.
pub(crate) fn release(library: &Library) -> Result<(), Box<dyn Error>> {
    let session = Session::new(library, &SessionOptions::default())?;
    session.prepare("release_buffers", &[], &[])?.run()?;
    Ok(())
}

/// Calls each way once, which also warms caches and pages, and compares its results with those of the first way.
fn agree(ways: &[Way<'_>], calls: &mut [Call<'_>]) -> Result<(), Box<dyn Error>> {
    let mut expected = None;
    for (way, call) in ways.iter().zip(calls) {
        call.run().map_err(|error| format!("{}, {}: {error}", way.entry, way.name))?;
        let result = call.outputs();
        let expected = expected.get_or_insert_with(|| result.clone());
        if !result.iter().zip(expected.iter()).all(|(left, right)| close(left, right)) {
            return Err(format!("{}: {} differs from {}", way.entry, way.name, ways[0].name).into());
        }
    }
    Ok(())
}

fn close(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => match (left.data(), right.data()) {
            (ArrayData::F64(left), ArrayData::F64(right)) => {
                left.len() == right.len()
                    && left.iter().zip(&right[..]).all(|(left, right)| near(*left, *right))
            }
            (ArrayData::F32(left), ArrayData::F32(right)) => {
                left.len() == right.len()
                    && left.iter().zip(&right[..]).all(|(&left, &right)| near_f32(left, right))
            }
            (left, right) => left == right,
        },
        (Value::Scalar(ScalarValue::F64(left)), Value::Scalar(ScalarValue::F64(right))) => {
            near(*left, *right)
        }
        (left, right) => left == right,
    }
}

fn near_f32(left: f32, right: f32) -> bool {
    let scale = left.abs().max(right.abs()).max(1.0);
    left == right || (left - right).abs() <= 1e-6 * scale
}

fn near(left: f64, right: f64) -> bool {
    let scale = left.abs().max(right.abs()).max(1.0);
    left == right || (left - right).abs() <= 1e-9 * scale
}
