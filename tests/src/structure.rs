//! Structure assertions, which survive changes of printing: how many clusters a block has under which
//! strategy.
//!
//! ```text
//! -- structure normalize2: none 5, stream 4, megiddo 3, ilp 2
//! ```
//! in a program of `emit/` or of the examples counts the clusters with combinators (barriers not
//! included) of the block of that name.

use std::path::Path;

use arrc::loader::Files;
use arrc_core::ids::FileId;
use arrc_core::ir::clusters::Strategy;
use arrc_core::ir::graph::Kind;
use arrc_core::pipeline::{self, Options, Plan};
use arrc_core::source::Sources;
use libtest_mimic::{Failed, Trial};

use crate::tools::{files, project, read, stem};

/// One trial for each line.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let folders = [project().join("tests/emit"), project().join("examples")];
    let programs = folders.iter().flat_map(|folder| files(folder, "arr"));
    programs.flat_map(|path| program(&path)).collect()
}

fn program(path: &Path) -> Vec<Trial> {
    let text = read(path).unwrap_or_default();
    let lines: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("-- structure "))
        .map(ToString::to_string)
        .collect();
    lines
        .into_iter()
        .map(|line| {
            let text = text.clone();
            Trial::test(format!("structure::{}::{line}", stem(path)), move || {
                assertion(&text, &line)
            })
        })
        .collect()
}

fn assertion(text: &str, line: &str) -> Result<(), Failed> {
    let (block, expectations) =
        line.split_once(':').ok_or("a structure line is `BLOCK: STRATEGY COUNT, …`")?;
    for expectation in expectations.split(',') {
        let (name, count) =
            expectation.trim().split_once(' ').ok_or("an expectation is `STRATEGY COUNT`")?;
        let strategy = Strategy::ALL
            .into_iter()
            .find(|strategy| strategy.name() == name)
            .ok_or_else(|| format!("there is no strategy `{name}`"))?;
        let expected: usize = count.parse().map_err(|_| format!("`{count}` is no count"))?;
        let found = clusters(text, block.trim(), strategy)?;
        if found != expected {
            return Err(format!("{block} has {found} clusters under {name}, not {expected}").into());
        }
    }
    Ok(())
}

fn clusters(text: &str, block: &str, strategy: Strategy) -> Result<usize, Failed> {
    let mut sources = Sources::default();
    let file: FileId = sources.add("structure.arr", text);
    let options = Options { strategy, ..Options::default() };
    let compiled = pipeline::compile(&mut sources, file, &Files, &options)
        .map_err(|errors| format!("{errors:?}"))?;
    let plan = compiled.plans.iter().find(|plan| plan.graph.name == block).ok_or_else(|| {
        let names: Vec<_> = compiled.plans.iter().map(|plan| plan.graph.name.as_str()).collect();
        format!("there is no block {block}, only {}", names.join(", "))
    })?;
    Ok(passes(plan))
}

/// The clusters that are passes: those that are no barrier.
fn passes(plan: &Plan) -> usize {
    let is_pass =
        |nodes: &Vec<_>| nodes.iter().any(|&node| plan.graph.nodes[node].kind != Kind::Barrier);
    plan.clusters.clusters.values().filter(|nodes| is_pass(nodes)).count()
}
