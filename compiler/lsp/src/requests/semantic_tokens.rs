//! The pieces of a text with what they are, for colours.
//!
//! Invariant: tokens ascend, do not overlap, and have no line break in them.
//!
//! ```text
//! map f xs   ⇒   function (of the library), function, variable
//! ```

use arrc_front::core::Type;
use arrc_front::places::{DeclarationKind, Meaning};
use arrc_syntax::parse::{Lexeme, LexemeKind, lexemes};
use arrc_syntax::source::Span;
use gen_lsp_types as lsp;

use crate::analysis::Analysis;
use crate::paths::path_of;
use crate::server::{Refusal, Server};

/// The kinds of tokens, in the order of the legend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TokenKind {
    Comment,
    Keyword,
    Text,
    Number,
    Operator,
    Function,
    Variable,
    Type,
    TypeParameter,
    Module,
    Property,
    Constructor,
}

const LEGEND: [&str; 12] = [
    "comment",
    "keyword",
    "string",
    "number",
    "operator",
    "function",
    "variable",
    "type",
    "typeParameter",
    "namespace",
    "property",
    "enumMember",
];

/// The bit of a declaration, and that of a name of the library.
const DECLARATION: u32 = 1;
const LIBRARY: u32 = 2;

/// What the editor has to know about the numbers.
pub(crate) fn options() -> lsp::SemanticTokensOptions {
    let legend = lsp::SemanticTokensLegend {
        token_types: LEGEND.map(str::to_owned).to_vec(),
        token_modifiers: vec!["declaration".to_owned(), "defaultLibrary".to_owned()],
    };
    lsp::SemanticTokensOptions { legend, full: Some(true.into()), ..Default::default() }
}

/// The tokens of a text.
pub(crate) fn full(
    server: &mut Server,
    params: lsp::SemanticTokensParams,
) -> Result<Option<lsp::SemanticTokens>, Refusal> {
    let path = path_of(&params.text_document.uri);
    let Some(analysis) = server.workspace.analysis(&path) else { return Ok(None) };
    let text = analysis.text();
    let pieces = lexemes(text, analysis.root);
    let mut found: Vec<(Span, TokenKind, u32)> = Vec::new();
    let mut end = 0;
    for (at, piece) in pieces.iter().enumerate() {
        comments(&analysis, end, piece.span.start, &mut found);
        end = piece.span.end;
        if let Some((kind, modifiers)) = kind_of(&analysis, &pieces, at) {
            found.push((piece.span, kind, modifiers));
        }
    }
    comments(&analysis, end, crate::positions::number(text.len()), &mut found);
    Ok(Some(lsp::SemanticTokens { result_id: None, data: encoded(&analysis, &found) }))
}

/// Adds the comments between two pieces.
fn comments(analysis: &Analysis, start: u32, end: u32, found: &mut Vec<(Span, TokenKind, u32)>) {
    let mut at = start;
    let Some(between) = analysis.text().get(start as usize..end as usize) else { return };
    for line in between.split_inclusive('\n') {
        if let Some(dashes) = line.find("--") {
            let length = line.trim_end().len();
            let from = at + crate::positions::number(dashes);
            let to = at + crate::positions::number(length);
            found.push((Span::new(analysis.root, from, to), TokenKind::Comment, 0));
        }
        at += crate::positions::number(line.len());
    }
}

fn kind_of(analysis: &Analysis, pieces: &[Lexeme], at: usize) -> Option<(TokenKind, u32)> {
    let piece = pieces[at];
    let text = analysis.sources.text(piece.span);
    match piece.kind {
        LexemeKind::Keyword => Some((TokenKind::Keyword, 0)),
        LexemeKind::Number => Some((TokenKind::Number, 0)),
        LexemeKind::Operator => Some((TokenKind::Operator, 0)),
        LexemeKind::Value if text.starts_with('"') => {
            (!text.contains('\n')).then_some((TokenKind::Text, 0))
        }
        LexemeKind::Value if text.starts_with('#') => Some((TokenKind::Constructor, 0)),
        LexemeKind::Value => Some((TokenKind::Keyword, 0)),
        LexemeKind::Name => Some(of_name(analysis, pieces, at)),
        LexemeKind::Open | LexemeKind::OpenIndex | LexemeKind::Close | LexemeKind::Other => None,
    }
}

fn of_name(analysis: &Analysis, pieces: &[Lexeme], at: usize) -> (TokenKind, u32) {
    let span = pieces[at].span;
    let places = analysis.places();
    if let Some(declared) = places.declarations.get(&span) {
        return (of_declaration(declared.kind, declared.ty.as_ref()), DECLARATION);
    }
    match places.uses.get(&span) {
        Some(Meaning::Declared(name)) => {
            let is_library = analysis.sources.get(name.file).is_library;
            let modifiers = if is_library { LIBRARY } else { 0 };
            match places.declarations.get(name) {
                Some(declared) => (of_declaration(declared.kind, declared.ty.as_ref()), modifiers),
                None => (TokenKind::Function, modifiers),
            }
        }
        Some(Meaning::Scalar(_)) => (TokenKind::Type, LIBRARY),
        Some(Meaning::Member(_) | Meaning::Known) => (TokenKind::Function, LIBRARY),
        None => {
            let before = at.checked_sub(1).map(|before| pieces[before].span);
            let is_field = before.is_some_and(|dot| analysis.sources.text(dot) == ".");
            (if is_field { TokenKind::Property } else { TokenKind::Variable }, 0)
        }
    }
}

fn of_declaration(kind: DeclarationKind, ty: Option<&Type>) -> TokenKind {
    match kind {
        DeclarationKind::Definition | DeclarationKind::Variable => match ty {
            Some(Type::Fun(..)) => TokenKind::Function,
            _ => TokenKind::Variable,
        },
        DeclarationKind::Size => TokenKind::Variable,
        DeclarationKind::Type => TokenKind::Type,
        DeclarationKind::TypeParameter => TokenKind::TypeParameter,
        DeclarationKind::Module => TokenKind::Module,
        DeclarationKind::ModuleType => TokenKind::Type,
    }
}

/// Tokens as the differences of their positions.
fn encoded(analysis: &Analysis, found: &[(Span, TokenKind, u32)]) -> Vec<lsp::SemanticToken> {
    let mut last = lsp::Position { line: 0, character: 0 };
    let tokens = found.iter().map(|&(span, kind, token_modifiers_bitset)| {
        let lsp::Range { start, end } = analysis.range(span);
        let is_same = start.line == last.line;
        let token = lsp::SemanticToken {
            delta_line: start.line - last.line,
            delta_start: if is_same { start.character - last.character } else { start.character },
            length: end.character - start.character,
            token_type: kind as u32,
            token_modifiers_bitset,
        };
        last = start;
        token
    });
    tokens.collect()
}
