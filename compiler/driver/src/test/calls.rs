//! The calls in a program's test blocks, for measurements.
//!
//! Invariant: a call is not measured if it is expected to fail, if it has `nobench` before its input, or if its block
//! has the tag `disable`.

use std::path::{Path, PathBuf};

use arr_runtime::host::Value;
use arrc_pipeline::Compiled;
use arrc_syntax::source::Sources;

use super::block::{Call, Expected, Input, Kind, Test, TestError};
use super::ready::{Unready, ready};
use super::script::{Call as CallEntry, Caller};
use super::{DISABLED, suite};
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
    (compiled, call): (&Compiled, &CallEntry<'_>),
) -> Result<Vec<Measured>, Failure> {
    let suite = suite(path.to_path_buf())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let caller = Caller { compiled, call, folder };
    let mut calls = Vec::new();
    let mut errors = Vec::new();
    for test in &suite.tests {
        let Kind::Call(tested) = &test.kind else { continue };
        if !is_measured(test, tested) || entry.is_some_and(|entry| entry != tested.entry.text) {
            continue;
        }
        match ready(tested, signatures, folder) {
            Ok((_, ready)) => {
                let inputs = ready.inputs.values(&tested.entry.text, &caller);
                match inputs {
                    Ok(inputs) => calls.push(Measured {
                        entry: tested.entry.text.clone(),
                        label: label(test, &tested.input, &suite.sources),
                        inputs: inputs.into_owned(),
                    }),
                    Err(problem) => {
                        errors.push(TestError::Script { span: tested.input.span(), problem });
                    }
                }
            }
            Err(Unready::Mistakes(found)) => errors.extend(found),
            Err(Unready::File(found)) => errors.push(found),
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
    !fails && !call.tested_only && !test.tags.iter().any(|tag| DISABLED.contains(&&**tag))
}

fn label(test: &Test, input: &Input, sources: &Sources) -> String {
    let (Input::Values(values) | Input::Random(values) | Input::ScriptFile(values)) = input else {
        let text = sources.text(input.span()).split_whitespace().collect::<Vec<_>>().join(" ");
        return test.name.clone().unwrap_or(text);
    };
    let words: Vec<&str> = values.words.iter().map(|word| word.text.as_str()).collect();
    test.name.clone().unwrap_or_else(|| words.join(" "))
}
