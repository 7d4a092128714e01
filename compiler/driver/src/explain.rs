//! `arrc explain`: the page of a diagnostic, or the reasons for the passes of a program.
//!
//! Invariant: its standard output depends on the program and the options only, and on a terminal on its width.

use std::path::Path;

use arrc_llvm::{Cpu, Note, Outcome};
use arrc_pipeline as pipeline;
use arrc_pipeline::Compiled;
use arrc_pipeline::explain;
use arrc_pipeline::explain::{
    Explanation, Outline, ParallelBlock, Separation, VectorState, Vectors,
};
use arrc_syntax::diagnostics::{Label, REGISTRY, RenderOptions, render, render_remark};
use arrc_syntax::json::{Value, extended, json};
use arrc_syntax::source::Sources;

use crate::artifact;
use crate::cli::Explain;
use crate::error::{DriverError, Failure};
use crate::explain_html;
use crate::page::Look;
use crate::report::{Reporter, output};
use crate::source;

/// Explains a code or a program.
pub(crate) fn explain(options: &Explain, reporter: &Reporter) -> Result<(), Failure> {
    if options.html {
        return explain_html::write(options, reporter);
    }
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
            output(&Look::new(reporter.output()).page(entry.page));
            Ok(())
        }
        None => Err(DriverError::UnknownCode { code: code.to_string() }.into()),
    }
}

/// Explains a program.
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
    if options.dot {
        let drawings = plans.iter().enumerate();
        let drawings = drawings.map(|(index, plan)| explain::dot(plan, &format!("{index}.")));
        output(&format!("digraph {{\n{}}}\n", drawings.collect::<String>()));
        return Ok(());
    }
    let blocks = explain::explain(plans, &compiled.program, &sources);
    let text = if options.parallel {
        parallel(options, &blocks, &compiled)
    } else {
        let outlines = outlines(&sources, &compiled, &blocks, &back_end_of(options))?;
        if options.json {
            let functions: Vec<_> = outlines.iter().map(|outline| outline.json(&sources)).collect();
            let blocks: Vec<_> = blocks.iter().map(|block| block.json(&sources)).collect();
            as_json(options, json!({"functions": functions, "blocks": blocks}))
        } else {
            let asks_for_all = (!options.verbose).then_some("--verbose");
            human(&outlines, &sources, asks_for_all, reporter.output())
        }
    };
    output(&text);
    Ok(())
}

/// How the cores of a machine share the passes of blocks.
fn parallel(options: &Explain, blocks: &[Explanation], compiled: &Compiled) -> String {
    let shares = explain::parallel(&compiled.program);
    let blocks: Vec<_> =
        blocks.iter().filter_map(|block| ParallelBlock::new(block, &shares)).collect();
    if options.json {
        let blocks: Vec<_> = blocks.iter().map(ParallelBlock::json).collect();
        as_json(options, json!({ "blocks": blocks }))
    } else {
        blocks.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }
}

/// One object about the program, in a line.
fn as_json(options: &Explain, parts: Value) -> String {
    let program = json!({"file": options.subject, "entry": options.entry});
    format!("{}\n", extended(program, parts))
}

/// The options of the code generator that say which passes run in vectors.
pub(crate) fn back_end() -> arrc_llvm::Options {
    arrc_llvm::Options { remarks: true, ..arrc_llvm::Options::default() }
}

/// The same for the processor that is asked for.
pub(crate) fn back_end_of(options: &Explain) -> arrc_llvm::Options {
    let cpu = options.target_cpu.as_deref().map_or(Cpu::Baseline, Cpu::from_argument);
    arrc_llvm::Options { cpu, ..back_end() }
}

/// The outlines of the functions with these blocks. Code is generated for it, since only then is known which passes run
/// in vectors.
pub(crate) fn outlines<'a>(
    sources: &Sources,
    compiled: &Compiled,
    blocks: &'a [Explanation],
    options: &arrc_llvm::Options,
) -> Result<Vec<Outline<'a>>, Failure> {
    let module = artifact::compile(compiled, sources, options)?;
    // Without LLVM's passes, nothing is known of the loops that are left to LLVM.
    let notes = module.notes().iter().filter(|note| !options.only_lowered || note.shape.is_ok());
    let lowering = notes.map(|note| (note.name.clone(), vectors(note))).collect();
    Ok(explain::outlines(compiled, sources, blocks, &lowering))
}

/// Whether a pass runs in vectors.
fn vectors(note: &Note) -> Vectors {
    let text = note.how().to_string();
    let state = match (&note.shape, note.outcome) {
        (&Ok([lanes, parts]), _) => VectorState::Vectors { lanes, parts },
        (Err(_), Some(Outcome::Vectorised)) => VectorState::ByLlvm,
        (Err(_), Some(Outcome::NoLoop)) => VectorState::NoLoop,
        (Err(_), Some(Outcome::OneByOne) | None) => VectorState::Scalar,
    };
    Vectors { state, text }
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
    Ok(compiled.plans.iter().filter(|plan| plan.function == entry).collect())
}

/// The explanations as text. The short form is an outline of each function, and says at its end how to ask for all. The
/// long form also has each block, and each reason on the source.
pub(crate) fn human(
    outlines: &[Outline<'_>],
    sources: &Sources,
    asks_for_all: Option<&str>,
    options: RenderOptions,
) -> String {
    let pages = explain::page(outlines, sources, asks_for_all.is_none());
    if asks_for_all.is_none() {
        let texts = pages.into_iter().zip(outlines).flat_map(|(page, outline)| {
            let blocks = outline.blocks.iter().map(|of| block(of, sources, options));
            std::iter::once(page).chain(blocks.collect::<Vec<_>>())
        });
        return texts.collect::<Vec<_>>().join("\n");
    }
    let is_empty = pages.is_empty();
    let texts = pages.into_iter();
    let more =
        asks_for_all.map(|words| format!("{words}: each block, and each reason on the source\n"));
    texts.chain(more.filter(|_| !is_empty)).collect::<Vec<_>>().join("\n")
}

/// The explanation of a block, with a remark on the source for each cut, and the hints.
fn block(block: &Explanation, sources: &Sources, options: RenderOptions) -> String {
    let mut text = block.to_string();
    for cut in &block.cuts {
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
