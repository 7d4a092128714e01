//! The messages of repairs.
//!
//! Invariant: the code is that of the error that the repair is for, and the message shows the user's own text
//! where it is short.
//!
//! ```text
//! A0101: expected an operator, found `?`
//! ⇒ A0101: `x > 0 ? x : 0` is written `if x > 0 then x else 0`
//! ```

use super::CandidateEdit;
use super::lexed_text::{LexedText, PatternMatch};
use super::rules::Rule;
use crate::repair::token_pattern::{Pattern, fill, meant_shape};
use arrc_syntax::ast;
use arrc_syntax::ast::{Decl, Pat, PatKind, Type, TypeKind};
use arrc_syntax::diagnostics::{Change, Diagnostic};
use arrc_syntax::source::{Sources, Span};

/// The longest text that is shown in a sentence.
const SHORT: usize = 40;

/// The error that a repair is for, as the rule tells it.
pub(super) fn repaired(
    page: &LexedText<'_>,
    rule: &Rule,
    pattern: &Pattern,
    CandidateEdit { matched, meant, better, .. }: &CandidateEdit,
    error: &Diagnostic,
) -> Diagnostic {
    let (written, better) = texts(page, pattern, matched, (better, meant));
    let headline = headline(page, rule, matched, &written, &better);
    Diagnostic::error(error.code, place(page, pattern, matched), headline)
}

/// The change of a repair, in words too.
pub(super) fn change(
    page: &LexedText<'_>,
    rule: &Rule,
    pattern: &Pattern,
    CandidateEdit { edits, matched, meant, better, import, .. }: &CandidateEdit,
) -> Change {
    let (_, better) = texts(page, pattern, matched, (better, meant));
    let help = match (rule.help, better.as_str()) {
        ("", "") => "leave it out".to_owned(),
        ("", better) => format!("write `{better}`"),
        (help, _) => fill(help, page, matched),
    };
    let help = match import {
        Some(import) => format!("{help}, with `{import}`"),
        None => help,
    };
    Change { text: help, edits: edits.clone() }
}

/// A rule that is surely meant, without a change of the text that could be tried. The message has forms only, and nothing that
/// is made of the user's text.
pub(super) fn advised(
    page: &LexedText<'_>,
    rule: &Rule,
    pattern: &Pattern,
    matched: &PatternMatch,
    error: &Diagnostic,
) -> Diagnostic {
    let meant = rule.meant.first().copied().unwrap_or_default();
    let better = meant_shape(meant);
    let headline = headline(page, rule, matched, &pattern.shape(), better.trim());
    let told = Diagnostic::error(error.code, place(page, pattern, matched), headline);
    match rule.help {
        "" if better.is_empty() => told.help("leave it out"),
        // A part of the user's text is in the words, or the headline says it.
        help if help.is_empty() || help.contains('$') => told,
        help => told.help(help),
    }
}

fn headline(
    page: &LexedText<'_>,
    rule: &Rule,
    matched: &PatternMatch,
    written: &str,
    better: &str,
) -> String {
    match (rule.says, better) {
        ("", "") => format!("`{written}` has no meaning in Arr"),
        ("", better) => format!("`{written}` is written `{better}` in Arr"),
        (says, _) => fill(says, page, matched),
    }
}

/// The written text and its meaning: in the user's own words if both are short.
fn texts(
    page: &LexedText<'_>,
    pattern: &Pattern,
    matched: &PatternMatch,
    (better, meant): (&str, &str),
) -> (String, String) {
    let written = page.slice(matched.whole.clone());
    let is_short = |text: &str| text.chars().count() <= SHORT && !text.contains(['\n', '\r']);
    if is_short(written) && is_short(better) {
        return (written.trim().to_owned(), better.trim().to_owned());
    }
    (pattern.shape(), meant_shape(meant).trim().to_owned())
}

/// The words of a match; all of it if there are none.
fn place(page: &LexedText<'_>, pattern: &Pattern, matched: &PatternMatch) -> Span {
    let words = pattern.anchor().and_then(|_| page.span_of(matched.words.clone()));
    words.unwrap_or_else(|| page.span(matched))
}

/// The types of the functions of the prelude that a text names.
pub(super) fn signatures(text: &str, prelude: &ast::File, sources: &Sources) -> Vec<String> {
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '.');
    let mut names: Vec<&str> = text.split(|c| !is_in_name(c)).collect();
    names.sort_unstable();
    names.dedup();
    let signature = |name: &&str| {
        let mut defs = prelude.decls.iter().filter_map(Decl::as_def);
        let def = defs.find(|def| def.name.name == **name)?;
        let mut parts: Vec<String> =
            def.params.iter().map(|param| parameter(param, sources)).collect::<Option<_>>()?;
        if parts.is_empty() {
            return None;
        }
        parts.push(type_text(def.result.as_ref()?, sources));
        Some(format!("`{name}` is `{}`", parts.join(" -> ")))
    };
    names.iter().filter_map(signature).collect()
}

fn parameter(param: &Pat, sources: &Sources) -> Option<String> {
    let PatKind::Typed(_, ty) = &param.kind else { return None };
    let text = type_text(ty, sources);
    Some(if matches!(ty.kind, TypeKind::Fun(..)) { format!("({text})") } else { text })
}

/// A type as the prelude has it, without marks of uniqueness.
fn type_text(ty: &Type, sources: &Sources) -> String {
    sources.text(ty.span).replace('*', "")
}
