//! What can be written at a place.
//!
//! Invariant: what is offered means something there: inference is asked for the names that it would look for. To ask, a
//! word that means nothing takes the place of the word that is written.
//!
//! ```text
//! let ys = ma|   ⇒   map, map2, max, … with their types
//! xs.|           ⇒   the fields of xs
//! ```

use arrc_front::core::Type;
use arrc_front::places::{DeclarationKind, Meaning, Sight, Visible};
use arrc_pipeline::typed::Wish;
use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse::{LexemeKind, keywords, lexemes};
use arrc_syntax::source::Span;
use arrc_syntax::stdlib;
use gen_lsp_types as lsp;

use super::{markdown, signatures};
use crate::analysis::Analysis;
use crate::paths::path_of;
use crate::positions::{Lines, number};
use crate::server::{Refusal, Server};
use crate::workspace::Workspace;

/// A word that no program has.
const WORD: &str = "arrc_completes_this";

/// The words for a place.
pub(crate) fn completion(
    server: &mut Server,
    params: lsp::CompletionParams,
) -> Result<Option<lsp::CompletionResponse>, Refusal> {
    let place = &params.text_document_position_params;
    let path = path_of(&place.text_document.uri);
    let Some(text) = server.workspace.text(&path) else { return Ok(None) };
    let byte = Lines::new(&text).byte(&text, place.position);
    let workspace = &mut server.workspace;
    if let Some(written) = import_before(&text[..byte]) {
        let items = files(workspace, &path, written);
        return Ok(Some(items.into()));
    }
    if is_comment_or_text(&text, byte) {
        return Ok(None);
    }
    let word = word_around(&text, byte);
    let Some((analysis, sight)) = looked(workspace, &path, &text, word) else {
        return Ok(Some(words().into()));
    };
    Ok(Some(items(&analysis, &sight).into()))
}

/// The start and the end of the word around a byte.
fn word_around(text: &str, byte: usize) -> (usize, usize) {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '\'';
    let before = text[..byte].trim_end_matches(is_part).len();
    let after = text[byte..].trim_start_matches(is_part);
    (before, text.len() - after.len())
}

/// Whether a byte is in a comment, in a text or in a number.
fn is_comment_or_text(text: &str, byte: usize) -> bool {
    let line = text[..byte].rfind('\n').map_or(0, |at| at + 1);
    let at = number(byte);
    let pieces = lexemes(text, FileId::new(0));
    let inside = pieces.iter().find(|piece| piece.span.start < at && at <= piece.span.end);
    match inside {
        Some(piece) => {
            piece.kind == LexemeKind::Number
                || (piece.kind == LexemeKind::Value
                    && text[piece.span.start as usize..].starts_with('"'))
        }
        None => text[line..byte].contains("--"),
    }
}

/// What is written of the path of an import, if an import ends there.
fn import_before(before: &str) -> Option<&str> {
    let line = before.rsplit('\n').next()?;
    let (head, written) = line.rsplit_once('"')?;
    head.trim_end().ends_with("import").then_some(written)
}

/// The files that an import can name.
fn files(workspace: &Workspace, path: &str, written: &str) -> Vec<lsp::CompletionItem> {
    let here = path.rfind('/').map_or("", |slash| &path[..=slash]);
    let folder = written.rfind('/').map_or("", |slash| &written[..=slash]);
    let around = format!("{here}{folder}");
    let own = path.rsplit('/').next().unwrap_or_default();
    let names = workspace.host.files.files(&around).into_iter();
    let names = names.filter(|name| !(folder.is_empty() && name == own));
    let stems = names.filter_map(|name| Some(name.rsplit_once('.')?.0.to_owned()));
    let mut found: Vec<lsp::CompletionItem> =
        stems.map(|stem| item(stem, lsp::CompletionItemKind::File, None)).collect();
    let folders = std::fs::read_dir(&around).into_iter().flatten().filter_map(Result::ok);
    let folders = folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let folders = folders.filter_map(|entry| entry.file_name().into_string().ok());
    let mut folders: Vec<String> = folders.filter(|name| !name.starts_with('.')).collect();
    folders.sort();
    found.extend(folders.into_iter().map(|name| item(name, lsp::CompletionItemKind::Folder, None)));
    if folder.is_empty() {
        let library = stdlib::names().map(|name| {
            let detail = Some("library".to_owned());
            item(name.to_owned(), lsp::CompletionItemKind::Module, detail)
        });
        found.extend(library);
    }
    found
}

/// What can be named in place of a word. The text around it is often not finished, so it is completed in several ways.
fn looked(
    workspace: &mut Workspace,
    path: &str,
    text: &str,
    (start, end): (usize, usize),
) -> Option<(Analysis, Sight)> {
    let (before, after) = (&text[..start], &text[end..]);
    let rest = next_declaration(after);
    let closed = closers(before);
    let tries = [
        format!("{before}{WORD}{after}"),
        format!("{before}{WORD} in 0{after}"),
        format!("{before}{WORD}{closed}{rest}"),
        format!("{before}{WORD}{closed} in 0{rest}"),
        format!("{before}{WORD} = 0{rest}"),
    ];
    let texts = workspace.texts();
    for text in tries {
        let asked = Span::new(FileId::new(0), number(start), number(start + WORD.len()));
        let analysis = workspace.analysed((path, &text), &texts, Wish::Sight(asked))?;
        if let Some(sight) = analysis.places().sight.clone() {
            return Some((analysis, sight));
        }
    }
    None
}

/// The text from the next declaration on: a line that begins with its word.
fn next_declaration(after: &str) -> &str {
    const WORDS: [&str; 10] = [
        "def ",
        "entry ",
        "type ",
        "module ",
        "open ",
        "local ",
        "import ",
        "external ",
        "let ",
        "#[",
    ];
    let begins = |(at, _): &(usize, &str)| {
        let line = &after[at + 1..];
        WORDS.iter().any(|word| line.starts_with(word))
    };
    after.match_indices('\n').find(begins).map_or("", |(at, _)| &after[at..])
}

/// The brackets that are open at the end of the last declaration of a text, closed.
fn closers(before: &str) -> String {
    let mut open = Vec::new();
    for piece in lexemes(before, FileId::new(0)) {
        let text = &before[piece.span.start as usize..piece.span.end as usize];
        let is_first = piece.span.start == 0 || before[..piece.span.start as usize].ends_with('\n');
        if is_first && piece.kind == LexemeKind::Keyword {
            open.clear();
        }
        match text {
            "(" => open.push(')'),
            "[" | "#[" => open.push(']'),
            "{" => open.push('}'),
            ")" | "]" | "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    open.into_iter().rev().collect()
}

/// The items for what can be named.
fn items(analysis: &Analysis, sight: &Sight) -> Vec<lsp::CompletionItem> {
    let named = |names: &[Visible]| -> Vec<lsp::CompletionItem> {
        let words = names.iter().filter(|visible| is_word(&visible.name) && visible.name != WORD);
        let words = words.filter(|visible| !is_hidden(analysis, visible));
        words.map(|visible| of_visible(analysis, visible)).collect()
    };
    match sight {
        Sight::Names(names) => named(names).into_iter().chain(words()).collect(),
        Sight::Members(names) | Sight::Types(names) => named(names),
        Sight::Fields(Type::Record(fields)) => {
            let detail = |ty| Some(analysis.places().text(ty));
            let field = |(name, ty): (&arrc_syntax::names::Name, _)| {
                item(name.to_string(), lsp::CompletionItemKind::Field, detail(ty))
            };
            fields.iter().map(field).collect()
        }
        Sight::Fields(Type::Tuple(types)) => {
            let detail = |ty| Some(analysis.places().text(ty));
            let of_item = |(at, ty): (usize, _)| {
                item(at.to_string(), lsp::CompletionItemKind::Field, detail(ty))
            };
            types.iter().enumerate().map(of_item).collect()
        }
        Sight::Fields(_) => Vec::new(),
    }
}

fn is_word(name: &str) -> bool {
    name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
}

fn of_visible(analysis: &Analysis, visible: &Visible) -> lsp::CompletionItem {
    let declared = match visible.meaning {
        Some(Meaning::Declared(declared)) => Some(declared),
        Some(Meaning::Scalar(_) | Meaning::Member(_) | Meaning::Known) => None,
        None => in_prelude(analysis, &visible.name),
    };
    let is_local = matches!(visible.kind, DeclarationKind::Variable | DeclarationKind::Size);
    let definition = declared.filter(|_| !is_local);
    let signature = definition.and_then(|declared| signatures::signature(analysis, declared));
    let ty = visible.ty.as_ref().map(|ty| analysis.places().text(ty));
    let is_function = matches!(visible.ty, Some(Type::Fun(..)))
        || signature.as_ref().is_some_and(|signature| !signature.params.is_empty());
    let kind = match visible.kind {
        DeclarationKind::Definition | DeclarationKind::Variable if is_function => {
            lsp::CompletionItemKind::Function
        }
        DeclarationKind::Definition => lsp::CompletionItemKind::Constant,
        DeclarationKind::Variable | DeclarationKind::Size => lsp::CompletionItemKind::Variable,
        DeclarationKind::Type => lsp::CompletionItemKind::Struct,
        DeclarationKind::TypeParameter => lsp::CompletionItemKind::TypeParameter,
        DeclarationKind::Module => lsp::CompletionItemKind::Module,
        DeclarationKind::ModuleType => lsp::CompletionItemKind::Interface,
    };
    let detail = signature.map(|signature| signature.label).or(ty);
    // The word that takes the place of what is written is not shown.
    let detail = detail.filter(|detail| !detail.contains(WORD));
    let mut found = item(visible.name.to_string(), kind, detail);
    let doc = definition.and_then(|declared| analysis.written(declared)?.doc().map(str::to_owned));
    found.documentation = doc.map(|doc| markdown(doc.trim().to_owned()).into());
    // What is nearer comes first.
    let rank = match (is_local, definition) {
        (true, _) => 0,
        (false, Some(declared)) if !analysis.sources.get(declared.file).is_library => 1,
        (false, _) => 2,
    };
    found.sort_text = Some(format!("{rank}{}", visible.name));
    found
}

/// Whether a name is one that the prelude has for itself.
fn is_hidden(analysis: &Analysis, visible: &Visible) -> bool {
    let prelude = analysis.typed.prelude.id;
    let is_of_prelude = match visible.meaning {
        Some(Meaning::Declared(declared)) => declared.file == prelude,
        Some(Meaning::Scalar(_) | Meaning::Member(_) | Meaning::Known) => false,
        None => visible.kind == DeclarationKind::Definition,
    };
    is_of_prelude && in_prelude(analysis, &visible.name).is_none()
}

/// The definition of the prelude with this name that programs can use.
fn in_prelude(analysis: &Analysis, name: &str) -> Option<Span> {
    let mut defs = analysis.typed.prelude.decls.iter().filter_map(|decl| decl.as_def());
    defs.find(|def| def.name.name == name).map(|def| def.name.span)
}

/// The words of the language.
fn words() -> Vec<lsp::CompletionItem> {
    let words = keywords().map(|word| {
        let kind = lsp::CompletionItemKind::Keyword;
        lsp::CompletionItem {
            sort_text: Some(format!("3{word}")),
            ..item(word.to_owned(), kind, None)
        }
    });
    words.collect()
}

fn item(
    label: String,
    kind: lsp::CompletionItemKind,
    detail: Option<String>,
) -> lsp::CompletionItem {
    lsp::CompletionItem { label, kind: Some(kind), detail, ..Default::default() }
}
