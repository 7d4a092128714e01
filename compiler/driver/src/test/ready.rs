//! Tests with the values of their arguments and results. Reading them needs the types of the entry.
//!
//! Invariant: every error in a test is reported, at the word that is wrong.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use arr_runtime::host::{Value, ValueType};
use arr_runtime::text::{self, ArgumentError, DataFile, Reading, reason};
use arrc_syntax::source::Span;

use super::block::{Arity, Call, Expected, Input, TestError, Values, Word};
use super::random;
use super::script::{self, Caller, Exp};
use crate::native::Signature;

/// A call that is ready to run.
#[derive(Debug)]
pub(super) struct Ready {
    /// The arguments.
    pub(super) inputs: Inputs,
    /// The expected results, if the test has them.
    pub(super) outputs: Option<Vec<Value>>,
}

/// The arguments of a call.
#[derive(Clone, Debug)]
pub(super) enum Inputs {
    /// Their values.
    Values(Vec<Value>),
    /// An expression that makes them.
    Script(Exp),
}

/// The reasons why a call is not ready.
pub(super) enum Unready {
    /// There are mistakes in the test.
    Mistakes(Vec<TestError>),
    /// The test has no mistakes, but a file of it cannot be read. Other tests can run.
    File(TestError),
}

impl Inputs {
    /// The values. A script is run for them.
    ///
    /// # Errors
    /// A sentence that says why the script gives none.
    pub(super) fn values(
        &self,
        entry: &str,
        caller: &Caller<'_>,
    ) -> Result<Cow<'_, [Value]>, String> {
        match self {
            Self::Values(values) => Ok(Cow::Borrowed(values)),
            Self::Script(script) => script::arguments(script, entry, caller).map(Cow::Owned),
        }
    }
}

/// Finds a call's entry and reads its values. Files are in `folder`.
pub(super) fn ready<'s, 'e>(
    call: &Call,
    signatures: &'s [Signature<'e>],
    folder: &Path,
) -> Result<(&'s Signature<'e>, Ready), Unready> {
    let signature = signatures.iter().find(|signature| signature.entry.name == call.entry.text);
    let Some(signature) = signature else {
        let entries = signatures.iter().map(|signature| signature.entry.name.clone()).collect();
        let error = TestError::Entry { entry: call.entry.clone(), entries };
        return Err(Unready::Mistakes(vec![error]));
    };
    let of = |what, names, types| Side { entry: &call.entry.text, what, names, types, folder };
    let inputs = of(Arity::Inputs, &signature.entry.inputs, &signature.inputs);
    let inputs = match &call.input {
        Input::Values(values) => inputs.values(values).map(Inputs::Values),
        Input::Random(types) => inputs.random(types).map(Inputs::Values),
        Input::Script(script) => Ok(Inputs::Script(script.exp.clone())),
        Input::ScriptFile(values) => inputs.script(values).map(Inputs::Script),
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
            let errors = [inputs.err(), outputs.err()].into_iter().flatten().flatten();
            let (files, mistakes): (Vec<Problem>, Vec<Problem>) =
                errors.partition(|problem| problem.is_of_file);
            let mut files = files.into_iter().map(|problem| problem.error);
            Err(match files.next().filter(|_| mistakes.is_empty()) {
                Some(file) => Unready::File(file),
                None => {
                    Unready::Mistakes(mistakes.into_iter().map(|problem| problem.error).collect())
                }
            })
        }
    }
}

/// A value that cannot be read.
#[derive(Debug)]
struct Problem {
    error: TestError,
    /// Whether the value is in a file.
    is_of_file: bool,
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
    fn values(&self, values: &Values) -> Result<Vec<Value>, Vec<Problem>> {
        if let [word] = values.words.as_slice()
            && let Some(file) = word.text.strip_prefix('@')
            && !file.ends_with(".npy")
            && ![".csv", ".npz:", ".in:", ".out:", ".in.gz:", ".out.gz:"]
                .iter()
                .any(|end| file.contains(end))
        {
            return self.file(word, file);
        }
        self.count(values.span, values.words.len())?;
        self.each(&values.words, |_, word, ty| self.value(word, ty))
    }

    fn random(&self, values: &Values) -> Result<Vec<Value>, Vec<Problem>> {
        self.count(values.span, values.words.len())?;
        self.each(&values.words, |place, word, ty| {
            random::value(&word.text, place, ty).map_err(|problem| (problem, word.span))
        })
    }

    /// A file of values, one after the other.
    fn file(&self, word: &Word, file: &str) -> Result<Vec<Value>, Vec<Problem>> {
        let of_file = |place: usize, problem: ArgumentError| {
            let error = self.error(place, word.span, format!("{file}: {}", problem.problem));
            Problem { error, is_of_file: true }
        };
        let data =
            DataFile::open(&self.folder.join(file)).map_err(|error| vec![of_file(0, error)])?;
        if data.len() != self.types.len() {
            let (wanted, found) = (self.types.len(), data.len());
            let problem = format!("it has {found} values, but {wanted} are wanted");
            return Err(vec![of_file(0, ArgumentError::new(problem))]);
        }
        let value = |(place, &ty): (usize, &ValueType)| {
            data.get(place, ty).map_err(|error| vec![of_file(place, error)])
        };
        self.types.iter().enumerate().map(value).collect()
    }

    /// A file with a script.
    fn script(&self, values: &Values) -> Result<Exp, Vec<Problem>> {
        let word = &values.words[0];
        let file = word.text.trim_start_matches('@');
        let problem = |problem: String| {
            let error = self.error(0, word.span, format!("{file}: {problem}"));
            vec![Problem { error, is_of_file: true }]
        };
        let text =
            text::read_text(&self.folder.join(file)).map_err(|error| problem(reason(&error)))?;
        script::parse(&text).map_err(|error| problem(error.problem))
    }

    fn count(&self, span: Span, found: usize) -> Result<(), Vec<Problem>> {
        if found == self.types.len() {
            return Ok(());
        }
        let named = self.names.iter().zip(self.types);
        let error = TestError::Arity {
            span,
            entry: self.entry.to_string(),
            what: self.what,
            wanted: named.map(|(name, ty)| format!("{name}: {ty}")).collect(),
            found,
        };
        Err(vec![Problem { error, is_of_file: false }])
    }

    fn each(
        &self,
        words: &[Word],
        read: impl Fn(usize, &Word, ValueType) -> Result<Value, (String, Span)>,
    ) -> Result<Vec<Value>, Vec<Problem>> {
        let mut values = Vec::new();
        let mut errors = Vec::new();
        for (place, (word, &ty)) in words.iter().zip(self.types).enumerate() {
            match read(place, word, ty) {
                Ok(value) => values.push(value),
                Err((problem, span)) => errors.push(Problem {
                    error: self.error(place, span, problem),
                    is_of_file: word.text.starts_with('@'),
                }),
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
