//! Checks that all forms of a random program agree.
//!
//! Invariant: if the reference interpreter gives results, all forms give the same bits, except the bits of NaN. If it
//! fails, other forms may give results, since they need not compute unused values.

use std::path::{Path, PathBuf};
use std::process::Command;

use arr_runtime::host::{Library, Session, SessionOptions, Value, ValueType};
use arrc::interpret;
use arrc_front::core;
use arrc_front::eval::core as core_eval;
use arrc_front::eval::core::Component;
use arrc_front::load::NoFiles;
use arrc_fusion::clusters::{Method, Strategy};
use arrc_fusion::cnf;
use arrc_fusion::eval::array::Array;
use arrc_fusion::eval::cnf as cnf_eval;
use arrc_fusion::specialise::{Traces, specialise};
use arrc_loops::concrete::eval as concrete_eval;
use arrc_pipeline as pipeline;
use arrc_pipeline::{Compiled, Options};
use arrc_syntax::diagnostics::{Diagnostic, RenderOptions, render};
use arrc_syntax::ids::DefId;
use arrc_syntax::source::Sources;
use libtest_mimic::Failed;

use super::{Recipe, write};
use crate::tools::{BASELINE, arrc, call_twice, succeed};

/// The lengths of the arrays that a program is called with.
const LENGTHS: [(i64, i64); 4] = [(5, 3), (0, 2), (1, 0), (4, 4)];

/// The outcome of a call.
type Outcome = Result<Vec<Component>, String>;

/// A program, and its meaning.
pub(super) struct Subject {
    text: String,
    entry: String,
    core: core::Program,
    expected: Vec<Outcome>,
}

impl Subject {
    /// Compiles a program to core and runs that. Gives nothing if the compiler rejects it for an index that is
    /// certainly out of bounds.
    ///
    /// # Errors
    /// If the compiler rejects the program for another reason, which is a bug.
    pub(super) fn new(recipe: &Recipe, entry: &str) -> Result<Option<Self>, String> {
        let text = format!("{}{}", write::HELPERS, write::entry(entry, &recipe.0));
        let core = match compile(&text, Strategy::None) {
            Ok(compiled) => compiled.core,
            Err(errors) if errors.contains("error[A0350]") => return Ok(None),
            Err(errors) => return Err(errors),
        };
        let expected = meaning(&core, entry);
        Ok(Some(Self { text, entry: entry.to_string(), core, expected }))
    }

    /// How many calls of it do not fail.
    pub(super) fn results(&self) -> usize {
        self.expected.iter().filter(|outcome| outcome.is_ok()).count()
    }

    /// Checks every form that has an interpreter, and that core reads back.
    pub(super) fn forms(&self) -> Result<(), String> {
        let plain = specialise(&self.core, Traces::Removed)
            .map_err(|_| "it was specialised before".to_string())?;
        self.agrees("cnf before simplification", |args| run_cnf(&plain, &self.entry, args))?;
        let mut sources = Sources::default();
        let file = sources.add("random.arr", self.text.as_str());
        let simple = pipeline::normal_form(&mut sources, file, &NoFiles);
        let simple = simple.map_err(|errors| rendered(&errors, &sources))?;
        self.agrees("cnf", |args| run_cnf(&simple, &self.entry, args))?;
        for strategy in Strategy::ALL {
            let concrete = compile(&self.text, strategy)?.program;
            self.agrees(strategy.name(), |args| {
                let entry = concrete.entries.iter().find(|entry| entry.name == self.entry);
                let entry = entry.expect("the entry is compiled");
                let args = args.iter().map(to_cnf).collect();
                let results = concrete_eval::run(&concrete, entry.function, args);
                let results = results.map_err(|error| error.to_string())?;
                Ok(results.iter().map(from_cnf).collect())
            })?;
        }
        self.reads_back()
    }

    fn reads_back(&self) -> Result<(), String> {
        let printed = self.core.to_string();
        let again = compile(&printed, Strategy::None)
            .map_err(|errors| format!("core does not read back:\n{errors}\n{printed}"))?;
        let reprinted = again.core.to_string();
        if reprinted != printed {
            return Err(format!("core reads back differently:\n{printed}\n{reprinted}"));
        }
        self.compare("core, read back,", &meaning(&again.core, &self.entry))
    }

    fn agrees(&self, form: &str, run: impl Fn(&[Component]) -> Outcome) -> Result<(), String> {
        let found: Vec<Outcome> = inputs().map(|args| run(&args)).collect();
        self.compare(form, &found)
    }

    fn compare(&self, form: &str, found: &[Outcome]) -> Result<(), String> {
        for ((expected, found), lengths) in self.expected.iter().zip(found).zip(LENGTHS) {
            let Ok(expected) = expected else { continue };
            match found {
                Ok(found) if same(expected, found) => {}
                Ok(found) => {
                    return Err(format!(
                        "{form} gives {}\nnot {}\nfor arrays of {lengths:?}",
                        shown(found),
                        shown(expected)
                    ));
                }
                Err(error) => return Err(format!("{form} fails: {error}, with {lengths:?}")),
            }
        }
        Ok(())
    }
}

/// Checks programs in one compiled library.
pub(super) fn natively(recipes: &[Recipe], strategy: &str, level: u8) -> Result<(), String> {
    let mut text = write::HELPERS.to_string();
    let mut subjects = Vec::new();
    for (number, recipe) in recipes.iter().enumerate() {
        let name = format!("random{number}");
        if let Some(subject) = Subject::new(recipe, &name)? {
            text.push_str(&write::entry(&name, &recipe.0));
            subjects.push(subject);
        }
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("random.arr");
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let library = library(&path, strategy, level, folder.path());
    let library = library.map_err(|failed| failed.message().unwrap_or_default().to_string())?;
    let library = Library::open(&library).map_err(|error| error.to_string())?;
    let session = Session::new(&library, &SessionOptions::default());
    let session = session.map_err(|error| error.to_string())?;
    for subject in &subjects {
        let outputs = outputs(&subject.core, &subject.entry);
        subject.agrees("compiled code", |args| {
            let args: Vec<Value> = args.iter().cloned().map(interpret::from_component).collect();
            let results = call_twice(&session, &subject.entry, &args, &outputs);
            let results = results.map_err(|error| error.message)?;
            Ok(results.iter().map(interpret::to_component).collect())
        })?;
    }
    Ok(())
}

/// Compiles a program to a shared library in a folder, under a strategy at a level.
pub(crate) fn library(
    path: &Path,
    strategy: &str,
    level: u8,
    folder: &Path,
) -> Result<PathBuf, Failed> {
    built(path, &[BASELINE, &format!("--fusion={strategy}"), &format!("-O{level}")], folder)
}

/// Compiles a program to a shared library in a folder, with further options.
pub(crate) fn built(path: &Path, options: &[&str], folder: &Path) -> Result<PathBuf, Failed> {
    let output = folder.join("librandom.so");
    let mut build = Command::new(arrc());
    build.args(["build", "--lib=shared"]).args(options).arg(path).arg("-o").arg(&output);
    succeed(&mut build)?;
    Ok(output)
}

pub(crate) fn compile(text: &str, strategy: Strategy) -> Result<Compiled, String> {
    let method = Method { strategy, ..Method::default() };
    compile_as(text, &Options { method, ..Options::default() })
}

/// Compiles a program to loop nests.
pub(crate) fn compile_as(text: &str, options: &Options) -> Result<Compiled, String> {
    let mut sources = Sources::default();
    let file = sources.add("random.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, options);
    compiled.map_err(|errors| rendered(&errors, &sources))
}

fn rendered(errors: &[Diagnostic], sources: &Sources) -> String {
    errors.iter().map(|error| render(error, sources, RenderOptions::default())).collect()
}

pub(crate) fn entry(program: &core::Program, name: &str) -> DefId {
    let entry = program.entries.iter().copied().find(|&entry| program.defs[entry].name == name);
    entry.expect("the program has its entry")
}

/// The types of an entry's results, in the form of the host.
pub(crate) fn outputs(program: &core::Program, name: &str) -> Vec<ValueType> {
    let (_, outputs) = core_eval::signature(program, entry(program, name));
    outputs.into_iter().map(interpret::value_type).collect()
}

/// The outcome of the program for each of the inputs.
fn meaning(program: &core::Program, name: &str) -> Vec<Outcome> {
    let entry = entry(program, name);
    let run = |args: Vec<Component>| core_eval::run(program, entry, &args);
    inputs().map(|args| run(args).map_err(|error| error.to_string())).collect()
}

fn run_cnf(program: &cnf::Program, name: &str, args: &[Component]) -> Outcome {
    let entry = program.entries.iter().find(|entry| entry.name == name);
    let entry = entry.expect("the program has its entry");
    let args = args.iter().map(to_cnf).collect();
    let results =
        cnf_eval::run(program, entry.function, args).map_err(|error| error.to_string())?;
    Ok(results.iter().map(from_cnf).collect())
}

fn inputs() -> impl Iterator<Item = Vec<Component>> {
    LENGTHS.into_iter().map(|(n, m)| write::arguments(n, m))
}

pub(crate) fn same(left: &[Component], right: &[Component]) -> bool {
    let bits = |component: &Component| -> Vec<u64> {
        let bits = component.data.iter().map(|value| {
            if value.ty.is_float() && value.as_f64().is_nan() { u64::MAX } else { value.bits }
        });
        bits.collect()
    };
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| {
            (left.elem, &left.shape, bits(left)) == (right.elem, &right.shape, bits(right))
        })
}

pub(crate) fn shown(components: &[Component]) -> String {
    let values = components
        .iter()
        .map(|component| arr_runtime::text::print(&interpret::from_component(component.clone())));
    values.collect::<Vec<_>>().join(" ")
}

pub(crate) fn to_cnf(component: &Component) -> cnf_eval::Value {
    match component.shape.len() {
        0 => cnf_eval::Value::Scalar(component.data[0]),
        _ => {
            let shape = component
                .shape
                .iter()
                .map(|&extent| usize::try_from(extent).expect("no extent of an array is negative"));
            let scalars = component.data.iter().copied().collect();
            cnf_eval::Value::Array(Array::new(component.elem, shape.collect(), scalars))
        }
    }
}

pub(crate) fn from_cnf(value: &cnf_eval::Value) -> Component {
    match value {
        cnf_eval::Value::Scalar(value) => {
            Component { elem: value.ty, shape: Vec::new(), data: vec![*value] }
        }
        cnf_eval::Value::Array(array) => {
            let shape = array
                .shape()
                .iter()
                .map(|&extent| i64::try_from(extent).expect("an array is shorter than 2^63"));
            let (elem, data) = (array.elem(), array.scalars().to_vec());
            Component { elem, shape: shape.collect(), data }
        }
    }
}
