//! Tests with the values of their arguments and results. Reading them needs the types of the entry.
//!
//! Invariant: every error in a test is reported, at the word that is wrong.

use std::ops::Range;
use std::path::Path;

use arr_runtime::host::{Value, ValueType};
use arr_runtime::text::{self, Reading, reason};
use arrc_syntax::source::Span;

use super::block::{Arity, Call, Expected, Input, TestError, Values, Word, pieces};
use super::random;
use crate::native::Signature;

/// A call that is ready to run.
#[derive(Debug)]
pub(super) struct Ready {
    /// The arguments.
    pub(super) inputs: Vec<Value>,
    /// The expected results, if the test has them.
    pub(super) outputs: Option<Vec<Value>>,
}

/// Finds a call's entry and reads its values. Files are in `folder`.
pub(super) fn ready<'s, 'e>(
    call: &Call,
    signatures: &'s [Signature<'e>],
    folder: &Path,
) -> Result<(&'s Signature<'e>, Ready), Vec<TestError>> {
    let signature = signatures.iter().find(|signature| signature.entry.name == call.entry.text);
    let Some(signature) = signature else {
        let entries = signatures.iter().map(|signature| signature.entry.name.clone()).collect();
        return Err(vec![TestError::Entry { entry: call.entry.clone(), entries }]);
    };
    let of = |what, names, types| Side { entry: &call.entry.text, what, names, types, folder };
    let inputs = of(Arity::Inputs, &signature.entry.inputs, &signature.inputs);
    let inputs = match &call.input {
        Input::Values(values) => inputs.values(values),
        Input::Random(types) => inputs.random(types),
    };
    let outputs = match &call.expected {
        Expected::Output(values) => {
            let outputs = of(Arity::Outputs, &signature.entry.outputs, &signature.outputs);
            outputs.values(values).map(Some)
        }
        Expected::Success | Expected::Auto | Expected::Error(_) => Ok(None),
    };
    match (inputs, outputs) {
        (Ok(inputs), Ok(outputs)) => Ok((signature, Ready { inputs, outputs })),
        (inputs, outputs) => {
            let errors = [inputs.err(), outputs.err()];
            Err(errors.into_iter().flatten().flatten().collect())
        }
    }
}

/// One side of a call: its arguments or its results.
struct Side<'a> {
    entry: &'a str,
    what: Arity,
    names: &'a [String],
    types: &'a [ValueType],
    folder: &'a Path,
}

impl Side<'_> {
    fn values(&self, values: &Values) -> Result<Vec<Value>, Vec<TestError>> {
        if let [word] = values.words.as_slice()
            && let Some(file) = word.text.strip_prefix('@')
            && !file.ends_with(".npy")
            && ![".csv", ".npz:"].iter().any(|end| file.contains(end))
        {
            return self.file(word, file);
        }
        self.count(values.span, values.words.len())?;
        self.each(&values.words, |_, word, ty| self.value(word, ty))
    }

    fn random(&self, values: &Values) -> Result<Vec<Value>, Vec<TestError>> {
        self.count(values.span, values.words.len())?;
        self.each(&values.words, |place, word, ty| {
            random::value(&word.text, place, ty).map_err(|problem| (problem, word.span))
        })
    }

    /// A file of literals, separated by blanks, with comments as in programs.
    fn file(&self, word: &Word, file: &str) -> Result<Vec<Value>, Vec<TestError>> {
        let content = text::read_text(&self.folder.join(file));
        let content = content.map_err(|error| {
            vec![self.error(0, word.span, format!("{file}: {}", reason(&error)))]
        })?;
        let content = uncommented(&content);
        let found = pieces(&content);
        self.count(word.span, found.len())?;
        let words: Vec<Word> = found
            .into_iter()
            .map(|piece| Word { text: content[piece].to_string(), span: word.span })
            .collect();
        self.each(&words, |_, literal, ty| {
            text::literal(&literal.text, ty)
                .map_err(|error| (format!("{file}: {error}"), word.span))
        })
    }

    fn count(&self, span: Span, found: usize) -> Result<(), Vec<TestError>> {
        if found == self.types.len() {
            return Ok(());
        }
        let named = self.names.iter().zip(self.types);
        Err(vec![TestError::Arity {
            span,
            entry: self.entry.to_string(),
            what: self.what,
            wanted: named.map(|(name, ty)| format!("{name}: {ty}")).collect(),
            found,
        }])
    }

    fn each(
        &self,
        words: &[Word],
        read: impl Fn(usize, &Word, ValueType) -> Result<Value, (String, Span)>,
    ) -> Result<Vec<Value>, Vec<TestError>> {
        let mut values = Vec::new();
        let mut errors = Vec::new();
        for (place, (word, &ty)) in words.iter().zip(self.types).enumerate() {
            match read(place, word, ty) {
                Ok(value) => values.push(value),
                Err((problem, span)) => errors.push(self.error(place, span, problem)),
            }
        }
        if errors.is_empty() { Ok(values) } else { Err(errors) }
    }

    /// A literal, or a file behind `@`.
    fn value(&self, word: &Word, ty: ValueType) -> Result<Value, (String, Span)> {
        if let Some(file) = word.text.strip_prefix('@') {
            let path = self.folder.join(file);
            return Reading::default()
                .argument(&format!("@{}", path.display()), ty)
                .map_err(|error| (error.to_string(), word.span));
        }
        text::literal(&word.text, ty).map_err(|error| {
            let span = part(word.span, error.at..error.at + error.length);
            (error.problem, span)
        })
    }

    fn error(&self, place: usize, span: Span, problem: String) -> TestError {
        let name = self.names.get(place).cloned().unwrap_or_default();
        let ty = self.types.get(place).map_or_else(String::new, ToString::to_string);
        TestError::Value { span, ty, name, problem }
    }
}

/// A part of a word, or the place directly behind it.
fn part(word: Span, range: Range<usize>) -> Span {
    let at =
        |place: usize| word.start + u32::try_from(place).expect("a program has less than 4 GiB");
    Span::new(word.file, at(range.start).min(word.end), at(range.end).min(word.end))
}

/// A text of literals without its comments, which go from `--` to the end of the line.
fn uncommented(text: &str) -> String {
    let lines = text.lines();
    let kept = lines.map(|line| line.split_once("--").map_or(line, |(before, _)| before));
    kept.collect::<Vec<_>>().join("\n")
}
