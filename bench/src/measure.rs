//! Interleaved calls, medians and spread.

use std::error::Error;

use arr_runtime::host::{ArrayData, Library, Session, SessionOptions, Value};

use crate::kernels::Kernel;

/// Elements that one timed figure covers at least: small inputs are called again and again.
const WORK: usize = 1 << 21;

/// Checks that every library returns the same: floats up to reassociation.
pub(crate) fn agree(
    kernel: &Kernel,
    libraries: &[Library],
    inputs: &[Value],
) -> Result<(), Box<dyn Error>> {
    let results: Vec<Vec<Value>> = libraries
        .iter()
        .map(|library| library.call(kernel.name, inputs, kernel.outputs))
        .collect::<Result<_, _>>()?;
    for (place, result) in results.iter().enumerate() {
        if !result.iter().zip(&results[0]).all(|(left, right)| close(left, right)) {
            return Err(
                format!("{}: result {place} differs from the baseline's", kernel.name).into()
            );
        }
    }
    Ok(())
}

fn close(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => match (left.data(), right.data()) {
            (ArrayData::F64(left), ArrayData::F64(right)) => {
                left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| near(*left, *right))
            }
            (left, right) => left == right,
        },
        (left, right) => match (as_f64(left), as_f64(right)) {
            (Some(left), Some(right)) => near(left, right),
            (_, _) => left == right,
        },
    }
}

fn as_f64(value: &Value) -> Option<f64> {
    match value {
        Value::Scalar(arr_runtime::host::ScalarValue::F64(value)) => Some(*value),
        Value::Scalar(_) | Value::Array(_) => None,
    }
}

fn near(left: f64, right: f64) -> bool {
    let scale = left.abs().max(right.abs()).max(1.0);
    left == right || (left - right).abs() <= 1e-9 * scale
}

/// Times of one call in seconds, a list for each library: round by round, each library in turn.
pub(crate) fn interleave(
    kernel: &Kernel,
    libraries: &[Library],
    inputs: &[Value],
    size: usize,
    rounds: usize,
) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let sessions: Vec<Session<'_>> = libraries
        .iter()
        .map(|library| Session::new(library, &SessionOptions::default()))
        .collect::<Result<_, _>>()?;
    let mut calls = Vec::new();
    for session in &sessions {
        calls.push(session.prepare(kernel.name, inputs, kernel.outputs)?);
    }
    let repeats = u32::try_from((WORK / size.max(1)).max(1))?;
    let mut times = vec![Vec::with_capacity(rounds); libraries.len()];
    for round in 0..=rounds {
        for (call, times) in calls.iter_mut().zip(&mut times) {
            let mut total = 0.0;
            for _ in 0..repeats {
                total += call.run()?.as_secs_f64();
            }
            // The first round warms caches and pages.
            if round > 0 {
                times.push(total / f64::from(repeats));
            }
        }
    }
    Ok(times)
}

/// The middle of the times.
pub(crate) fn median(times: &[f64]) -> f64 {
    sorted(times)[times.len() / 2]
}

/// The distance of the quartiles, as a part of the median.
pub(crate) fn spread(times: &[f64]) -> f64 {
    let sorted = sorted(times);
    (sorted[times.len() * 3 / 4] - sorted[times.len() / 4]) / median(times)
}

fn sorted(times: &[f64]) -> Vec<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}
