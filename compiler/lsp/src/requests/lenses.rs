//! Commands beside entries and tests. The editor runs them: each has the words of a command line.
//!
//! Invariant: the arguments are a command line that can be run as it is.
//!
//! ```text
//! entry f   ⇒   explain: arrc explain /tmp/a.arr f
//! ```

use arrc_syntax::ast::DefKind;
use arrc_syntax::json::json;
use gen_lsp_types as lsp;

use crate::analysis::Analysis;
use crate::paths::path_of;
use crate::positions::number;
use crate::server::{Refusal, Server};

/// The commands of a text.
pub(crate) fn lenses(
    server: &mut Server,
    params: lsp::CodeLensParams,
) -> Result<Option<Vec<lsp::CodeLens>>, Refusal> {
    let path = path_of(&params.text_document.uri);
    let Some(analysis) = server.workspace.analysis(&path) else { return Ok(None) };
    let mut found = tests(&analysis);
    let defs = analysis.tree().decls.iter().filter_map(|decl| decl.as_def());
    for entry in defs.filter(|def| def.kind == DefKind::Entry) {
        let (range, name) = (analysis.range(entry.name.span), entry.name.name.as_str());
        found.push(lens(range, "explain", &["arrc", "explain", &path, name]));
        found.push(lens(range, "bench", &["arrc", "bench", &path]));
    }
    Ok(Some(found))
}

/// The command beside each test block.
fn tests(analysis: &Analysis) -> Vec<lsp::CodeLens> {
    let (text, lines) = (analysis.text(), analysis.lines(analysis.root));
    let is_block = |line: &usize| {
        let line = lines.line(text, *line).trim();
        line.strip_prefix("--").is_some_and(|rest| rest.trim() == "==")
    };
    let blocks = (0..lines.count()).filter(is_block);
    let lens = |line| {
        let start = lsp::Position { line: number(line), character: 0 };
        let end = lines.position(text, lines.start(line) + lines.line(text, line).len());
        lens(lsp::Range { start, end }, "run the tests", &["arrc", "test", &analysis.path])
    };
    blocks.map(lens).collect()
}

fn lens(range: lsp::Range, title: &str, words: &[&str]) -> lsp::CodeLens {
    let command = lsp::Command {
        title: title.to_owned(),
        tooltip: Some(words.join(" ")),
        command: format!("arrc.{}", words[1]),
        arguments: Some(words.iter().map(|word| json!(word)).collect()),
    };
    lsp::CodeLens { range, command: Some(command), data: None }
}
