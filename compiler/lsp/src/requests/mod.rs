//! The kinds of requests, each in a module of its own.
//!
//! Invariant: a handler changes no text and no analysis. It asks the server for the analysis of a text, and puts what it
//! finds there into the forms of the protocol.
//!
//! ```text
//! textDocument/hover   ⇒   hover::hover
//! ```

mod code_actions;
mod completion;
mod definition;
pub(crate) mod diagnostics;
mod folding;
mod formatting;
mod hover;
mod inlay_hints;
mod lenses;
mod names;
mod program_files;
mod references;
mod rename;
mod selection;
mod semantic_tokens;
mod signature_help;
mod signatures;
mod symbols;

use arrc_syntax::json::Value;
use gen_lsp_types as lsp;
use lsp_server::Request;

use crate::paths::path_of;
use crate::server::{Refusal, Server, answered};

/// The answer to a request; none if there is no such request.
pub(crate) fn answer(server: &mut Server, request: &Request) -> Option<Result<Value, Refusal>> {
    match request.method.as_str() {
        "textDocument/hover" => answered::<lsp::HoverRequest>(server, request, hover::hover),
        "textDocument/definition" => {
            answered::<lsp::DefinitionRequest>(server, request, definition::definition)
        }
        "textDocument/references" => {
            answered::<lsp::ReferencesRequest>(server, request, references::references)
        }
        "textDocument/documentHighlight" => {
            answered::<lsp::DocumentHighlightRequest>(server, request, references::highlights)
        }
        "textDocument/prepareRename" => {
            answered::<lsp::PrepareRenameRequest>(server, request, rename::prepare)
        }
        "textDocument/rename" => answered::<lsp::RenameRequest>(server, request, rename::rename),
        "textDocument/documentSymbol" => {
            answered::<lsp::DocumentSymbolRequest>(server, request, symbols::of_document)
        }
        "workspace/symbol" => {
            answered::<lsp::WorkspaceSymbolRequest>(server, request, symbols::of_workspace)
        }
        "textDocument/codeAction" => {
            answered::<lsp::CodeActionRequest>(server, request, code_actions::code_actions)
        }
        "textDocument/completion" => {
            answered::<lsp::CompletionRequest>(server, request, completion::completion)
        }
        "textDocument/signatureHelp" => {
            answered::<lsp::SignatureHelpRequest>(server, request, signature_help::signature_help)
        }
        "textDocument/inlayHint" => {
            answered::<lsp::InlayHintRequest>(server, request, inlay_hints::inlay_hints)
        }
        "textDocument/semanticTokens/full" => {
            answered::<lsp::SemanticTokensRequest>(server, request, semantic_tokens::full)
        }
        "textDocument/foldingRange" => {
            answered::<lsp::FoldingRangeRequest>(server, request, folding::folding_ranges)
        }
        "textDocument/selectionRange" => {
            answered::<lsp::SelectionRangeRequest>(server, request, selection::selection_ranges)
        }
        "textDocument/formatting" => {
            answered::<lsp::DocumentFormattingRequest>(server, request, formatting::formatting)
        }
        "textDocument/codeLens" => {
            answered::<lsp::CodeLensRequest>(server, request, lenses::lenses)
        }
        "arrc/settled" => Some(settled(server, request)),
        _ => None,
    }
}

/// Waits until all is told of a text. Tests ask for it, and for the numbers of things that the server keeps.
fn settled(server: &mut Server, request: &Request) -> Result<Value, Refusal> {
    server.tell();
    let uri = request.params["textDocument"]["uri"].as_str().unwrap_or_default();
    if let Some(analysis) = server.workspace.analysis(&path_of(&uri.into())) {
        server.checked_or_later(&analysis)?;
    }
    Ok(server.kept())
}

/// What the server can do.
pub(crate) fn capabilities() -> lsp::ServerCapabilities {
    let sync = lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::Incremental),
        ..lsp::TextDocumentSyncOptions::default()
    };
    let folders = lsp::WorkspaceFoldersServerCapabilities {
        supported: Some(true),
        change_notifications: Some(true.into()),
    };
    lsp::ServerCapabilities {
        position_encoding: Some(lsp::PositionEncodingKind::UTF16),
        text_document_sync: Some(sync.into()),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        rename_provider: Some(
            lsp::RenameOptions { prepare_provider: Some(true), ..Default::default() }.into(),
        ),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        code_action_provider: Some(
            lsp::CodeActionOptions {
                code_action_kinds: Some(vec![lsp::CodeActionKind::QuickFix]),
                ..Default::default()
            }
            .into(),
        ),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(vec![".".into(), "\"".into(), "/".into()]),
            ..Default::default()
        }),
        signature_help_provider: Some(lsp::SignatureHelpOptions {
            trigger_characters: Some(vec![" ".into(), "(".into()]),
            ..Default::default()
        }),
        inlay_hint_provider: Some(true.into()),
        semantic_tokens_provider: Some(semantic_tokens::options().into()),
        document_formatting_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        code_lens_provider: Some(lsp::CodeLensOptions::default()),
        workspace: Some(lsp::WorkspaceOptions {
            workspace_folders: Some(folders),
            ..Default::default()
        }),
        ..lsp::ServerCapabilities::default()
    }
}

/// A range of the protocol.
pub(crate) fn is_before_or_at(left: lsp::Position, right: lsp::Position) -> bool {
    (left.line, left.character) <= (right.line, right.character)
}

/// Whether two ranges share a place.
pub(crate) fn meet(left: lsp::Range, right: lsp::Range) -> bool {
    is_before_or_at(left.start, right.end) && is_before_or_at(right.start, left.end)
}

/// Text in Markdown.
pub(crate) fn markdown(value: String) -> lsp::MarkupContent {
    lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value }
}

/// Code in Markdown.
pub(crate) fn code(text: &str) -> String {
    format!("```arr\n{text}\n```")
}
