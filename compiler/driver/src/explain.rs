//! `arrc explain`: the page of a diagnostic, or the reasons for the passes of a program.
//!
//! Invariant: its standard output depends on the program and the options only.

use std::collections::BTreeSet;
use std::path::Path;

use arrc_pipeline as pipeline;
use arrc_pipeline::Compiled;
use arrc_pipeline::explain;
use arrc_pipeline::explain::{Explanation, ParallelBlock, Separation};
use arrc_syntax::diagnostics::{Label, REGISTRY, RenderOptions, render, render_remark};
use arrc_syntax::json::{Value, json};
use arrc_syntax::source::{CallId, Sources, Span};

use crate::cli::Explain;
use crate::error::{DriverError, Failure};
use crate::page::Look;
use crate::report::{Reporter, output};
use crate::source;

/// Explains a code or a program.
pub(crate) fn explain(options: &Explain, reporter: &Reporter) -> Result<(), Failure> {
    let subject = options.subject.trim();
    if is_code(subject) && !Path::new(subject).exists() {
        return page(subject, reporter);
    }
    program(options, reporter)
}

/// Whether the text has the form of a code: a letter and four digits.
fn is_code(text: &str) -> bool {
    let mut chars = text.chars();
    let digits = |rest: &str| rest.len() == 4 && rest.bytes().all(|byte| byte.is_ascii_digit());
    chars.next().is_some_and(|first| first.is_ascii_alphabetic()) && digits(chars.as_str())
}

/// Prints the page of a code.
fn page(code: &str, reporter: &Reporter) -> Result<(), Failure> {
    let wanted = code.to_ascii_uppercase();
    match REGISTRY.iter().find(|entry| entry.code.0 == wanted) {
        Some(entry) => {
            output(&Look::new(reporter.colors_output()).page(entry.page));
            Ok(())
        }
        None => Err(DriverError::UnknownCode { code: code.to_string() }.into()),
    }
}

/// Explains the blocks of a program.
fn program(options: &Explain, reporter: &Reporter) -> Result<(), Failure> {
    let pipeline_options = pipeline::Options {
        method: options.options.method(),
        hints: true,
        ..pipeline::Options::default()
    };
    let path = Path::new(&options.subject);
    let (sources, compiled) = source::compile(path, &pipeline_options)?;
    reporter.warn(&sources, &compiled.warnings)?;
    let plans = wanted(options.entry.as_deref(), &compiled)?;
    let text = if options.dot {
        let drawings = plans.iter().enumerate();
        let drawings = drawings.map(|(index, plan)| explain::dot(plan, &format!("{index}.")));
        format!("digraph {{\n{}}}\n", drawings.collect::<String>())
    } else {
        let explanations: Vec<Explanation> =
            plans.iter().map(|plan| explain::explain(plan, &compiled.program, &sources)).collect();
        let as_json = |blocks: Vec<Value>| {
            let file = options.subject.as_str();
            format!("{}\n", json!({"file": file, "entry": options.entry, "blocks": blocks}))
        };
        if options.parallel {
            let shares = explain::parallel(&compiled.program);
            let blocks: Vec<_> = explanations
                .iter()
                .filter_map(|block| ParallelBlock::new(block, &shares))
                .collect();
            if options.json {
                as_json(blocks.iter().map(ParallelBlock::json).collect())
            } else {
                blocks.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
            }
        } else if options.json {
            as_json(explanations.iter().map(|block| block.json(&sources)).collect())
        } else {
            let asks_for_all = (!options.verbose).then_some("--verbose");
            human(&explanations, &sources, asks_for_all, reporter.colors())
        }
    };
    output(&text);
    Ok(())
}

/// The requested blocks: all blocks, or those of one function.
pub(crate) fn wanted<'a>(
    entry: Option<&str>,
    compiled: &'a Compiled,
) -> Result<Vec<&'a pipeline::Plan>, Failure> {
    let Some(entry) = entry else { return Ok(compiled.plans.iter().collect()) };
    let program = &compiled.program;
    let named = program.functions.iter().filter(|(id, _)| !program.is_part(*id));
    let functions: Vec<&str> = named.map(|(_, function)| function.name.as_str()).collect();
    if !functions.contains(&entry) {
        let entries = functions.iter().map(|name| (*name).to_owned()).collect();
        return Err(DriverError::UnknownEntry { name: Some(entry.to_owned()), entries }.into());
    }
    let of_entry = |plan: &&pipeline::Plan| {
        let rest = plan.block.graph.name.strip_prefix(entry);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    Ok(compiled.plans.iter().filter(of_entry).collect())
}

/// The explanations as text: all of them, or those that a reader needs first. In the second case the text ends with
/// the number of the others, and says how to ask for all.
pub(crate) fn human(
    blocks: &[Explanation],
    sources: &Sources,
    asks_for_all: Option<&str>,
    color: bool,
) -> String {
    let is_verbose = asks_for_all.is_none();
    let options = RenderOptions { color };
    let mut told = BTreeSet::new();
    let mut texts = Vec::new();
    let (mut more_blocks, mut more_notes) = (0, 0);
    for block in blocks {
        if !is_verbose && !block.is_notable() {
            more_blocks += 1;
            continue;
        }
        let cuts =
            if is_verbose { block.cuts.iter().collect() } else { first_told(block, &mut told) };
        more_notes += block.cuts.len() - cuts.len();
        texts.push(self::block(block, &cuts, sources, options));
    }
    let left_out = asks_for_all.and_then(|words| left_out(more_blocks, more_notes, words));
    texts.extend(left_out);
    texts.join("\n")
}

/// The notes on a block that no earlier block has with the same reason and places. So code that is inlined several
/// times has one note.
fn first_told<'a>(
    block: &'a Explanation,
    told: &mut BTreeSet<(&'static str, [Span; 2])>,
) -> Vec<&'a Separation> {
    let place = |node: usize| Span { calls: CallId::NONE, ..block.nodes[node].span };
    let key = |cut: &Separation| (cut.why.name(), [place(cut.nodes.0), place(cut.nodes.1)]);
    block.notes().into_iter().filter(|cut| told.insert(key(cut))).collect()
}

/// The line that counts what the short form leaves out, if it leaves out anything.
fn left_out(blocks: usize, notes: usize, asks_for_all: &str) -> Option<String> {
    let count = |number: usize, one: &str| {
        (number > 0).then(|| format!("{number} more {one}{}", if number == 1 { "" } else { "s" }))
    };
    let counts: Vec<String> =
        [count(blocks, "inner block"), count(notes, "note")].into_iter().flatten().collect();
    (!counts.is_empty()).then(|| format!("{}: {asks_for_all} shows all\n", counts.join(" and ")))
}

/// The explanation of a block, with a remark on the source for each cut, and the hints.
fn block(
    block: &Explanation,
    cuts: &[&Separation],
    sources: &Sources,
    options: RenderOptions,
) -> String {
    let mut text = block.to_string();
    for cut in cuts {
        text.push('\n');
        text.push_str(&remark(block, cut, sources, options));
    }
    for hint in &block.hints {
        text.push('\n');
        text.push_str(&render(hint, sources, options));
    }
    text
}

fn remark(
    block: &Explanation,
    cut: &Separation,
    sources: &Sources,
    options: RenderOptions,
) -> String {
    let label = |node: usize| {
        let node = &block.nodes[node];
        Label { span: node.span, text: format!("`{}`", node.name) }
    };
    let (first, second) = cut.nodes;
    render_remark(&block.sentence(cut), &[label(second), label(first)], sources, options)
}
