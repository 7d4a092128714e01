//! Another name for a declaration, at all its places.
//!
//! Invariant: the new program means the same as the old one. It is analysed before the answer: each name has to mean
//! what it meant, and nothing may be wrong that was not wrong before. Otherwise the change is refused.
//!
//! ```text
//! x ⇒ y in \x -> x + y   ⇒   refused: `y` would mean another declaration
//! ```

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use arrc_front::places::Meaning;
use arrc_pipeline::typed::Wish;
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Expr, ExprKind, Pat, PatKind};
use arrc_syntax::diagnostics::Severity;
use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse::{LexemeKind, lexemes};
use arrc_syntax::source::Span;
use gen_lsp_types as lsp;

use super::names::Target;
use super::program_files;
use crate::analysis::Analysis;
use crate::documents::Texts;
use crate::server::{Refusal, Server};
use crate::workspace::Workspace;

/// The edits of each file: the bytes that are replaced, and the new text.
type Edits = BTreeMap<String, BTreeMap<(u32, u32), String>>;

/// The name at a place, if it can be renamed.
pub(crate) fn prepare(
    server: &mut Server,
    params: lsp::PrepareRenameParams,
) -> Result<Option<lsp::PrepareRenameResult>, Refusal> {
    let place = &params.text_document_position_params;
    let Some((analysis, byte)) = server.at(place) else { return Ok(None) };
    let Some(target) = Target::at(&analysis, byte) else { return Ok(None) };
    refuse_foreign(&target)?;
    let range = analysis.range(target.place);
    Ok(Some(lsp::PrepareRenamePlaceholder { range, placeholder: target.name }.into()))
}

/// The edits that give a declaration another name.
pub(crate) fn rename(
    server: &mut Server,
    params: lsp::RenameParams,
) -> Result<Option<lsp::WorkspaceEdit>, Refusal> {
    let place = &params.text_document_position_params;
    let Some((analysis, byte)) = server.at(place) else { return Ok(None) };
    let Some(target) = Target::at(&analysis, byte) else {
        return Err(wrong("there is no name here that can be changed"));
    };
    refuse_foreign(&target)?;
    let new = params.new_name.trim();
    if !is_name(new) {
        return Err(wrong(&format!("`{new}` cannot be a name")));
    }
    let workspace = &mut server.workspace;
    let programs = match target.is_local {
        true => vec![analysis],
        false => program_files::with(workspace, &analysis, &target.path),
    };
    let mut edits = Edits::new();
    for program in &programs {
        add_edits(program, &target, new, &mut edits)?;
    }
    let texts = changed_texts(workspace, &edits);
    for program in &programs {
        check(workspace, program, &texts, &edits, new)?;
    }
    let mut changes = HashMap::new();
    for (path, edits) in edits {
        let Some(text) = workspace.text(&path) else { continue };
        let lines = crate::positions::Lines::new(&text);
        let edits = edits.into_iter().map(|((start, end), new_text)| lsp::TextEdit {
            range: lines.range(&text, start as usize, end as usize),
            new_text,
        });
        changes.insert(workspace.uri_of(&path), edits.collect());
    }
    Ok(Some(lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() }))
}

fn wrong(why: &str) -> Refusal {
    Refusal::Wrong(why.to_owned())
}

/// Refuses names that cannot be changed at all.
fn refuse_foreign(target: &Target) -> Result<(), Refusal> {
    if target.is_library {
        return Err(wrong(&format!("`{}` is a part of the library", target.name)));
    }
    if !is_name(target.name.trim_start_matches('\'')) {
        return Err(wrong("an operator cannot be renamed"));
    }
    Ok(())
}

/// Whether a text is a name.
fn is_name(text: &str) -> bool {
    let pieces = lexemes(text, FileId::new(0));
    let is_whole = |end: u32| end as usize == text.len();
    matches!(&pieces[..], [one] if one.kind == LexemeKind::Name && one.span.start == 0 && is_whole(one.span.end))
}

/// Adds the edits of a program.
fn add_edits(
    program: &Analysis,
    target: &Target,
    new: &str,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    refuse_unread(program, target)?;
    for span in target.places_in(program, true) {
        let source = program.sources.get(span.file);
        if program.sources.text(span) != target.name {
            let line = program.range(span).start.line + 1;
            let why = format!("`{}` has another name in line {line}", target.name);
            return Err(wrong(&why));
        }
        let replacement = match is_punned(program, span) {
            true => format!("{} = {new}", target.name),
            false => new.to_owned(),
        };
        let of_file = edits.entry(source.path.clone()).or_default();
        of_file.insert((span.start, span.end), replacement);
    }
    Ok(())
}

/// Whether a name is a field and its value at once, as in `{x}`.
fn is_punned(program: &Analysis, span: Span) -> bool {
    if span.file != program.root {
        return false;
    }
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others have no fields")]
    program.nodes_at(span.start).into_iter().any(|node| match node {
        Node::Expr(Expr { kind: ExprKind::Record(fields), .. }) => {
            fields.iter().any(|(name, value)| name.span == span && value.span == span)
        }
        Node::Pat(Pat { kind: PatKind::Record(fields), .. }) => {
            fields.iter().any(|(name, pat)| name.span == span && pat.span.start == span.start)
        }
        _ => false,
    })
}

/// Refuses a change if the name stands where inference did not come: it may mean the declaration there.
fn refuse_unread(program: &Analysis, target: &Target) -> Result<(), Refusal> {
    let is_unread = |span: &Span| {
        program.sources.text(*span) == target.name && !program.places().uses.contains_key(span)
    };
    let mut open: Vec<Node<'_>> = program.tree().decls.iter().map(Node::Decl).collect();
    let mut unread = None;
    while let Some(node) = open.pop() {
        if let Node::Path(path) = node {
            let first = path.quals.first().unwrap_or(&path.name).span;
            unread = unread.or(Some(first).filter(is_unread));
        }
        open.extend(node.children());
    }
    let gaps = &program.tree().gaps;
    let text = program.text();
    let in_gaps = lexemes(text, program.root).into_iter().map(|lexeme| lexeme.span);
    let mut in_gaps = in_gaps.filter(|span| gaps.is_doubtful(*span)).filter(is_unread);
    match unread.or_else(|| in_gaps.next()) {
        Some(span) => {
            let line = program.range(span).start.line + 1;
            let name = &target.name;
            Err(wrong(&format!("the compiler does not know what `{name}` means in line {line}")))
        }
        None => Ok(()),
    }
}

/// The open texts after the change.
fn changed_texts(workspace: &Workspace, edits: &Edits) -> Texts {
    let mut texts = workspace.texts();
    for (path, edits) in edits {
        let Some(mut text) = workspace.text(path).map(|text| text.to_string()) else { continue };
        for ((start, end), new) in edits.iter().rev() {
            text.replace_range(*start as usize..*end as usize, new);
        }
        texts.insert(path.clone(), text.into());
    }
    texts
}

/// Refuses the change of a program that would mean something else, or have more errors.
fn check(
    workspace: &mut Workspace,
    program: &Rc<Analysis>,
    texts: &Texts,
    edits: &Edits,
    new: &str,
) -> Result<(), Refusal> {
    let text = texts.get(&program.path).map(ToString::to_string);
    let text = text.unwrap_or_else(|| program.text().to_owned());
    let after = workspace.analysed((&program.path, &text), texts, Wish::Places);
    let Some(after) = after else { return Err(wrong("the compiler has a bug there")) };
    for (span, meaning) in &program.places().uses {
        let Meaning::Declared(declared) = meaning else { continue };
        let Some(place) = moved(program, &after, edits, *span) else { continue };
        let expected = moved(program, &after, edits, *declared).map(Meaning::Declared);
        if after.places().uses.get(&place) != expected.as_ref() {
            let line = program.range(*span).start.line + 1;
            let name = program.sources.text(*span);
            let why = format!(
                "`{new}` would clash: `{name}` in line {line} would mean another declaration"
            );
            return Err(wrong(&why));
        }
    }
    let errors = |analysis: &Analysis| {
        let all = analysis.typed.diagnostics.iter();
        all.filter(|one| one.severity == Severity::Error)
            .map(|one| one.places().count())
            .sum::<usize>()
    };
    if errors(&after) > errors(program) {
        let first = after.typed.diagnostics.iter().find(|one| one.severity == Severity::Error);
        let first = first.map(|one| one.message.clone()).unwrap_or_default();
        return Err(wrong(&format!("`{new}` would clash: {first}")));
    }
    Ok(())
}

/// Where a place is after the change.
fn moved(before: &Analysis, after: &Analysis, edits: &Edits, span: Span) -> Option<Span> {
    let source = before.sources.get(span.file);
    if source.is_library {
        let mut files = after.sources.iter();
        let (file, _) = files.find(|(_, other)| other.is_library && other.path == source.path)?;
        return Some(Span::new(file, span.start, span.end));
    }
    let file = after.file(&source.path)?;
    let none = BTreeMap::new();
    let edits = edits.get(&source.path).unwrap_or(&none);
    let shift = |byte: u32, is_end: bool| {
        let mut at = i64::from(byte);
        for ((start, end), new) in edits {
            if *end < byte || (*end == byte && (is_end || start < end)) {
                at += i64::try_from(new.len()).unwrap_or(0) - i64::from(end - start);
            }
        }
        u32::try_from(at).unwrap_or(0)
    };
    let (mut start, end) = (shift(span.start, false), shift(span.end, true));
    // The value of a field that was written together with it stands at the end.
    if let Some(new) = edits.get(&(span.start, span.end)) {
        let name = new.rsplit(" = ").next().unwrap_or(new);
        start = end - u32::try_from(name.len()).unwrap_or(0);
    }
    Some(Span::new(file, start, end))
}
