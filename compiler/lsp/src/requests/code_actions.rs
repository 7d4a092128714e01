//! The changes that the compiler suggests, as quick fixes.
//!
//! Invariant: a change that is offered was tried by the compiler, on this text.
//!
//! ```text
//! help: write `length` in place of `lenght`   ⇒   a quick fix with that edit
//! ```

use std::collections::HashMap;

use arrc_syntax::diagnostics::Change;
use gen_lsp_types as lsp;

use super::meet;
use crate::analysis::Analysis;
use crate::paths::path_of;
use crate::server::{Refusal, Server};
use crate::workspace::Workspace;

type Actions = Option<Vec<lsp::CodeActionResponse>>;

/// The quick fixes for the diagnostics in a range.
pub(crate) fn code_actions(
    server: &mut Server,
    params: lsp::CodeActionParams,
) -> Result<Actions, Refusal> {
    let is_wanted = |kinds: &Vec<lsp::CodeActionKind>| {
        kinds
            .iter()
            .any(|kind| matches!(kind, lsp::CodeActionKind::QuickFix | lsp::CodeActionKind::Empty))
    };
    if !params.context.only.as_ref().is_none_or(is_wanted) {
        return Ok(None);
    }
    let path = path_of(&params.text_document.uri);
    let Some(analysis) = server.workspace.analysis(&path) else { return Ok(None) };
    // Only the whole compiler tries changes.
    let plan = server.checked_or_later(&analysis)?;
    let found = plan.as_ref().and_then(|plan| plan.diagnostics.as_ref());
    let found = found.unwrap_or(&analysis.typed.diagnostics);
    let mut actions = Vec::new();
    for diagnostic in found {
        let own = |place: &_| {
            let place: &arrc_syntax::source::Span = place;
            place.file == analysis.root && meet(analysis.range(*place), params.range)
        };
        let Some(place) = diagnostic.places().find(own) else { continue };
        let range = analysis.range(place);
        let code = lsp::Code::String(diagnostic.code.0.to_owned());
        let told = params.context.diagnostics.iter();
        let told = told.filter(|told| told.range == range && told.code.as_ref() == Some(&code));
        let told: Vec<lsp::Diagnostic> = told.cloned().collect();
        let changes: Vec<&Change> =
            diagnostic.shown_helps().filter_map(|help| help.change()).collect();
        for change in &changes {
            let Some(edit) = edit(&mut server.workspace, &analysis, change) else { continue };
            let action = lsp::CodeAction {
                title: change.text.clone(),
                kind: Some(lsp::CodeActionKind::QuickFix),
                diagnostics: (!told.is_empty()).then(|| told.clone()),
                is_preferred: Some(changes.len() == 1),
                disabled: None,
                edit: Some(edit),
                command: None,
                data: None,
                tags: None,
            };
            actions.push(lsp::CodeActionResponse::CodeAction(action));
        }
    }
    Ok(Some(actions))
}

/// The edits of a change; none if one is in a file that cannot be changed.
fn edit(
    workspace: &mut Workspace,
    analysis: &Analysis,
    change: &Change,
) -> Option<lsp::WorkspaceEdit> {
    let mut changes: HashMap<lsp::Uri, Vec<lsp::TextEdit>> = HashMap::new();
    for edit in &change.edits {
        let source = analysis.sources.get(edit.span.file);
        if source.is_library {
            return None;
        }
        let uri = workspace.uri(analysis, edit.span.file)?;
        let range = analysis.range(edit.span);
        let new_text = edit.replacement.clone();
        changes.entry(uri).or_default().push(lsp::TextEdit { range, new_text });
    }
    Some(lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() })
}
