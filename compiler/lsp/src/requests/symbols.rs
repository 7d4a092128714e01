//! The declarations of a text, and those of all programs in the open folders.
//!
//! Invariant: the symbols of a text are in its order, and those of a module are inside it.
//!
//! ```text
//! type point = …   module m = {def f x = x}   ⇒   point, m {f}
//! ```

use arrc_syntax::ast::{Decl, DefKind, ModuleExpr};
use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse::parse_text;
use arrc_syntax::source::Span;
use gen_lsp_types as lsp;

use crate::paths::path_of;
use crate::positions::Lines;
use crate::server::{Refusal, Server};

/// The most symbols of an answer.
const MOST: usize = 500;

/// A declaration with a name.
struct Symbol {
    name: String,
    kind: lsp::SymbolKind,
    detail: Option<String>,
    span: Span,
    name_span: Span,
    inside: Vec<Symbol>,
}

/// The symbols of an open text.
pub(crate) fn of_document(
    server: &mut Server,
    params: lsp::DocumentSymbolParams,
) -> Result<Option<lsp::DocumentSymbolResponse>, Refusal> {
    let path = path_of(&params.text_document.uri);
    let Some(text) = server.workspace.text(&path) else { return Ok(None) };
    let lines = Lines::new(&text);
    let (file, _) = parse_text(&text, FileId::new(0));
    let shown = symbols(&file.decls).into_iter().map(|symbol| symbol.shown(&text, &lines));
    Ok(Some(shown.collect::<Vec<_>>().into()))
}

/// The symbols of all programs whose names have the letters of the query in their order.
pub(crate) fn of_workspace(
    server: &mut Server,
    params: lsp::WorkspaceSymbolParams,
) -> Result<Option<lsp::WorkspaceSymbolResponse>, Refusal> {
    let mut found = Vec::new();
    for path in server.workspace.programs() {
        let Some(text) = server.workspace.text(&path) else { continue };
        let lines = Lines::new(&text);
        let (file, _) = parse_text(&text, FileId::new(0));
        let uri = server.workspace.uri_of(&path);
        let mut open: Vec<(Option<String>, Symbol)> =
            symbols(&file.decls).into_iter().rev().map(|symbol| (None, symbol)).collect();
        while let Some((around, symbol)) = open.pop() {
            if fits(&symbol.name, &params.query) && found.len() < MOST {
                let range = symbol.range(&text, &lines, symbol.name_span);
                found.push(lsp::WorkspaceSymbol {
                    location: lsp::Location { uri: uri.clone(), range }.into(),
                    data: None,
                    base_symbol_information: lsp::BaseSymbolInformation {
                        name: symbol.name.clone(),
                        kind: symbol.kind,
                        tags: None,
                        container_name: around,
                    },
                });
            }
            let inside = symbol.inside.into_iter().rev();
            open.extend(inside.map(|inner| (Some(symbol.name.clone()), inner)));
        }
    }
    Ok(Some(found.into()))
}

/// Whether a name has the letters of a query in their order.
fn fits(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

impl Symbol {
    fn range(&self, text: &str, lines: &Lines, span: Span) -> lsp::Range {
        lines.range(text, span.start as usize, span.end as usize)
    }

    fn shown(self, text: &str, lines: &Lines) -> lsp::DocumentSymbol {
        let range = self.range(text, lines, self.span);
        let selection_range = self.range(text, lines, self.name_span);
        let inside: Vec<_> =
            self.inside.into_iter().map(|symbol| symbol.shown(text, lines)).collect();
        #[allow(deprecated, reason = "the field is a part of the struct")]
        lsp::DocumentSymbol {
            name: self.name,
            detail: self.detail,
            kind: self.kind,
            tags: None,
            deprecated: None,
            range,
            selection_range,
            children: (!inside.is_empty()).then_some(inside),
        }
    }
}

fn symbols(decls: &[Decl]) -> Vec<Symbol> {
    decls.iter().filter_map(symbol).collect()
}

fn symbol(decl: &Decl) -> Option<Symbol> {
    let (name, kind, detail, inside) = match decl {
        Decl::Def(def) => {
            let is_function = !def.params.is_empty();
            let kind = match def.kind {
                _ if !def
                    .name
                    .name
                    .starts_with(|sign: char| sign.is_alphabetic() || sign == '_') =>
                {
                    lsp::SymbolKind::Operator
                }
                DefKind::Entry | DefKind::External => lsp::SymbolKind::Function,
                DefKind::Def | DefKind::Intrinsic | DefKind::Value if is_function => {
                    lsp::SymbolKind::Function
                }
                DefKind::Def | DefKind::Intrinsic | DefKind::Value => lsp::SymbolKind::Constant,
            };
            let detail = (def.kind == DefKind::Entry).then(|| "entry".to_owned());
            (&def.name, kind, detail, Vec::new())
        }
        Decl::Type(def) => (&def.name, lsp::SymbolKind::Struct, None, Vec::new()),
        Decl::Module(def) => (&def.name, lsp::SymbolKind::Module, None, in_module(&def.body)),
        Decl::ModuleType(def) => (&def.name, lsp::SymbolKind::Interface, None, Vec::new()),
        Decl::Local(local) => return symbol(&local.decl),
        Decl::Open(_) | Decl::Import(_) => return None,
    };
    let (span, name_span) = (decl.span(), name.span);
    Some(Symbol { name: name.name.to_string(), kind, detail, span, name_span, inside })
}

fn in_module(module: &ModuleExpr) -> Vec<Symbol> {
    match module {
        ModuleExpr::Body(decls, _) => symbols(decls),
        ModuleExpr::Ascribe(module, ..) | ModuleExpr::Function(_, _, module, _) => {
            in_module(module)
        }
        ModuleExpr::Name(_)
        | ModuleExpr::Import(_)
        | ModuleExpr::Apply(..)
        | ModuleExpr::Error(_) => Vec::new(),
    }
}
