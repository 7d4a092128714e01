//! The forms of the project's programs. Each printed form parses to the same form, and the plan of each entry over chunks
//! passes its verifier.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use arrc_front::load::{LoadError, Loader};
use arrc_fusion::clusters::Method;
use arrc_fusion::cnf;
use arrc_fusion::form::FormError;
use arrc_loops::concrete;
use arrc_loops::concrete::Phase;
use arrc_loops::ranges::split;
use arrc_loops::vector::fission;
use arrc_pipeline as pipeline;
use arrc_pipeline::Options;
use arrc_syntax::source::Sources;
use libtest_mimic::{Failed, Trial};

use crate::run::all;
use crate::tools::{files, project, read, stem};

/// The trials. The plans are tested for all programs. The forms are tested for the benchmarks and for every fourth other
/// program; at night for all programs.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let programs = |folder: &str| files(&project().join(folder), "arr");
    let others: Vec<PathBuf> =
        ["tests/emit", "tests/run", "examples"].into_iter().flat_map(programs).collect();
    let read_back = programs("bench/programs").into_iter();
    let read_back = read_back.chain(others.iter().step_by(if all() { 1 } else { 4 }).cloned());
    let plans = programs("bench/programs").into_iter().chain(others.iter().cloned());
    let trial = |kind: &str, path: PathBuf, check: fn(&Path) -> Result<(), Failed>| {
        Trial::test(format!("{kind}::{}", stem(&path)), move || check(&path))
    };
    let read_back = read_back.map(|path| trial("forms", path, forms));
    read_back.chain(plans.map(|path| trial("plans", path, plan))).collect()
}

/// The files that programs of the project import.
struct Files;

impl Loader for Files {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        std::fs::read_to_string(path).map_err(|_| LoadError::NotFound)
    }

    fn files(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

/// The normal form of the program in a file.
fn normal_form(path: &Path) -> Result<cnf::Program, Failed> {
    let mut sources = Sources::default();
    let id = sources.add(path.to_string_lossy(), read(path)?);
    pipeline::normal_form(&mut sources, id, &Files).map_err(|errors| {
        let why = errors.iter().map(|error| error.message.clone()).collect::<Vec<_>>();
        why.join("; ").into()
    })
}

/// The plans of all entries verify.
fn plan(path: &Path) -> Result<(), Failed> {
    Ok(pipeline::chunked(normal_form(path)?, Method::default()).verify()?)
}

/// Normal form, and loop nests in each phase, are read from their text, verify, and print the same text again.
fn forms(path: &Path) -> Result<(), Failed> {
    let program = normal_form(path)?;
    same(&program, cnf::parse, cnf::verify)?;
    let (plain, _) = pipeline::nests(program, &Options::default());
    same_nests(&plain)?;
    same_nests(&split::split(fission::fission(plain.clone())))?;
    same_nests(&pipeline::complete(plain))
}

fn same_nests<P: Phase>(form: &concrete::Program<P>) -> Result<(), Failed> {
    same(form, concrete::parse, concrete::Program::verify)
}

fn same<T: Display>(
    form: &T,
    read: impl Fn(&str) -> Result<T, FormError>,
    verify: impl Fn(&T) -> Result<(), String>,
) -> Result<(), Failed> {
    let text = form.to_string();
    let read = read(&text).map_err(|error| {
        let line = text.lines().nth(error.at.line as usize - 1).unwrap_or_default();
        format!("{error}: {line}")
    })?;
    verify(&read)?;
    let again = read.to_string();
    match text.lines().zip(again.lines()).find(|(one, other)| one != other) {
        None if text == again => Ok(()),
        different => Err(format!("read back and printed: {different:?}").into()),
    }
}
