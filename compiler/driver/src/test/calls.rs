//! The calls in a program's test blocks, for measurements.
//!
//! Invariant: a call is not measured if it is expected to fail, if it has `nobench` before its input, or if its block
//! has the tag `disable`.

use std::path::{Path, PathBuf};

use arr_runtime::host::Value;

use super::block::{Call, Expected, Input, Kind, Test, TestError};
use super::ready::ready;
use super::{DISABLE, suite};
use crate::error::Failure;
use crate::native::Signature;

/// A call to measure.
pub(crate) struct Measured {
    /// The entry's name.
    pub(crate) entry: String,
    /// The test's name, or its arguments as written.
    pub(crate) label: String,
    /// The arguments.
    pub(crate) inputs: Vec<Value>,
}

/// The calls of an entry, or of all of them.
///
/// # Errors
/// The errors in the blocks.
pub(crate) fn calls(
    path: &Path,
    entry: Option<&str>,
    signatures: &[Signature<'_>],
) -> Result<Vec<Measured>, Failure> {
    let suite = suite(path.to_path_buf())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut calls = Vec::new();
    let mut errors = Vec::new();
    for test in &suite.tests {
        let Kind::Call(call) = &test.kind else { continue };
        if !is_measured(test, call) || entry.is_some_and(|entry| entry != call.entry.text) {
            continue;
        }
        match ready(call, signatures, folder) {
            Ok((_, ready)) => calls.push(Measured {
                entry: call.entry.text.clone(),
                label: label(test, &call.input),
                inputs: ready.inputs,
            }),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        return Ok(calls);
    }
    let diagnostics = errors.iter().map(TestError::diagnostic).collect();
    Err(Failure::Diagnostics { sources: suite.sources, diagnostics })
}

/// The files that the test blocks link the program with.
///
/// # Errors
/// The errors in the blocks.
pub(crate) fn links(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let suite = suite(path.to_path_buf())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let links = suite.tests.first().map_or(&[][..], |test| &test.links);
    Ok(links.iter().map(|file| folder.join(&file.text)).collect())
}

fn is_measured(test: &Test, call: &Call) -> bool {
    let fails = matches!(call.expected, Expected::Error(_));
    !fails && !call.tested_only && !test.tags.iter().any(|tag| tag == DISABLE)
}

fn label(test: &Test, input: &Input) -> String {
    let (Input::Values(values) | Input::Random(values)) = input;
    let words: Vec<&str> = values.words.iter().map(|word| word.text.as_str()).collect();
    test.name.clone().unwrap_or_else(|| words.join(" "))
}
