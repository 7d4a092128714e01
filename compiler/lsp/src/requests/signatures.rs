//! Declarations as one reads them: a definition with all its types, a variable with its type.
//!
//! Invariant: within one text, different sizes have different names.
//!
//! ```text
//! def f xs = filter (> 0) xs   ⇒   def f [n] (xs: [n]i32): ?[k].[k]i32
//! ```

use arrc_front::core::{Type, TypeNames, type_text};
use arrc_front::places::{Declaration, DeclarationKind};
use arrc_syntax::ast;
use arrc_syntax::ast::{Def, DefKind, PatKind};
use arrc_syntax::source::Span;

use crate::analysis::{Analysis, Written};

/// The most lines of a declaration that are shown.
const MOST_LINES: usize = 12;

/// A declaration in words.
pub(crate) struct Signature {
    /// The text.
    pub(crate) label: String,
    /// The texts of the parameters, which are parts of it in their order.
    pub(crate) params: Vec<String>,
}

/// What is declared by the name at a place.
pub(crate) fn signature(analysis: &Analysis, name: Span) -> Option<Signature> {
    let declared = analysis.places().declarations.get(&name);
    match analysis.written(name) {
        Some(Written::Def(def)) => Some(of_def(analysis, def, declared)),
        Some(Written::Type(def)) => Some(plain(shortened(analysis, def.span))),
        Some(Written::Module(def)) => {
            let ty = def.ascription.as_ref().map(|ty| shortened(analysis, ty.span()));
            let ty = ty.map(|ty| format!(": {ty}")).unwrap_or_default();
            Some(plain(format!("module {}{ty}", def.name.name)))
        }
        Some(Written::ModuleType(def)) => Some(plain(shortened(analysis, def.span))),
        Some(Written::Spec(spec)) => {
            let span = arrc_syntax::ast::visit::Node::Spec(spec).span();
            Some(plain(shortened(analysis, span)))
        }
        None => of_local(analysis, name, declared?),
    }
}

fn plain(label: String) -> Signature {
    Signature { label, params: Vec::new() }
}

fn of_local(analysis: &Analysis, name: Span, declared: &Declaration) -> Option<Signature> {
    let own = analysis.sources.text(name);
    let places = analysis.places();
    let mut names = places.names();
    match (declared.kind, &declared.ty) {
        (DeclarationKind::Size, _) => Some(plain(format!("[{own}]"))),
        (DeclarationKind::TypeParameter, _) => {
            Some(plain(format!("'{}", own.trim_start_matches('\''))))
        }
        (_, Some(ty)) => {
            let (sizes, types) = &declared.quantified;
            let sizes: String = sizes.iter().map(|id| format!(" [{}]", names.size(*id))).collect();
            let types: String =
                types.iter().map(|var| format!(" '{}", names.type_var(*var))).collect();
            Some(plain(format!("{own}{sizes}{types}: {}", type_text(ty, &mut names))))
        }
        (_, None) => Some(plain(own.to_owned())),
    }
}

/// A definition, with the types that inference has found where none are written.
fn of_def(analysis: &Analysis, def: &Def, declared: Option<&Declaration>) -> Signature {
    let ty = declared.and_then(|declared| Some((declared, declared.ty.as_ref()?)));
    let Some((declared, ty)) = ty else { return as_written(analysis, def) };
    let places = analysis.places();
    let mut names = places.names();
    let mut label = format!("{} {}", word(def.kind), shown_name(&def.name.name));
    let (sizes, types) = &declared.quantified;
    for id in sizes {
        label += &format!(" [{}]", names.size(*id));
    }
    for var in types {
        label += &format!(" '{}", names.type_var(*var));
    }
    let mut params = Vec::new();
    let mut rest = ty;
    for pat in &def.params {
        let Type::Fun(_, from, to) = rest else { break };
        let text = analysis.slice(pat.span.file, pat.span.start, pat.span.end);
        let param = match is_typed(pat) {
            true => in_parentheses(text),
            false => format!("({text}: {})", type_text(from, &mut names)),
        };
        label += &format!(" {param}");
        params.push(param);
        rest = to;
    }
    let result = match &def.result {
        Some(ty) => analysis.slice(ty.span.file, ty.span.start, ty.span.end).to_owned(),
        None => type_text(rest, &mut names),
    };
    label += &format!(": {result}");
    Signature { label, params }
}

/// The head of a definition as it is written.
fn as_written(analysis: &Analysis, def: &Def) -> Signature {
    let file = def.span.file;
    let start = def.attrs.last().map_or(def.span.start, |attr| attr.span.end + 1);
    let last = def.params.last().map_or(def.name.span, |pat| pat.span);
    let end = def.result.as_ref().map_or(last, |ty| ty.span).end;
    let head = analysis.slice(file, start, end);
    let params = def.params.iter().map(|pat| {
        let text = analysis.slice(file, pat.span.start, pat.span.end);
        one_line(&if is_typed(pat) { in_parentheses(text) } else { text.to_owned() })
    });
    let head = head.trim_start_matches("intrinsic ");
    let is_bare = head.starts_with(def.name.name.as_str());
    let word = if is_bare { "def " } else { "" };
    Signature { label: format!("{word}{}", one_line(head)), params: params.collect() }
}

/// A pattern with its type, in parentheses.
fn in_parentheses(text: &str) -> String {
    if text.starts_with('(') { text.to_owned() } else { format!("({text})") }
}

/// A text with single blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn word(kind: DefKind) -> &'static str {
    match kind {
        DefKind::Def | DefKind::Intrinsic => "def",
        DefKind::Entry => "entry",
        DefKind::External => "external",
        DefKind::Value => "val",
    }
}

/// The name of a definition: an operator stands in parentheses.
fn shown_name(name: &str) -> String {
    let is_word = name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
    if is_word { name.to_owned() } else { format!("({name})") }
}

/// A declaration as it is written, or its first lines.
fn shortened(analysis: &Analysis, span: Span) -> String {
    let text = analysis.slice(span.file, span.start, span.end);
    let lines: Vec<&str> = text.lines().collect();
    match lines.get(..MOST_LINES) {
        Some(first) if lines.len() > MOST_LINES => format!("{}\n…", first.join("\n")),
        _ => text.to_owned(),
    }
}

/// Whether a pattern has its type beside it.
pub(crate) fn is_typed(pat: &ast::Pat) -> bool {
    match &pat.kind {
        PatKind::Typed(..) | PatKind::Error => true,
        PatKind::Sized(_, inner) => is_typed(inner),
        PatKind::Wild
        | PatKind::Name(_)
        | PatKind::Tuple(_)
        | PatKind::Record(_)
        | PatKind::Constructor(..)
        | PatKind::Literal(..) => false,
    }
}

/// The names that a pattern binds and that have no type beside them.
pub(crate) fn untyped_names(pat: &ast::Pat) -> Vec<&ast::Ident> {
    match &pat.kind {
        PatKind::Name(name) => vec![name],
        PatKind::Tuple(items) | PatKind::Constructor(_, items) => {
            items.iter().flat_map(untyped_names).collect()
        }
        PatKind::Record(fields) => fields.iter().flat_map(|(_, pat)| untyped_names(pat)).collect(),
        PatKind::Sized(_, inner) => untyped_names(inner),
        PatKind::Typed(..) | PatKind::Wild | PatKind::Literal(..) | PatKind::Error => Vec::new(),
    }
}
