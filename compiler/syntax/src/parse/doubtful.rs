//! The phrases whose reading is doubtful because of a syntax error in them.
//!
//! Invariant: phrases without a syntax error are not doubtful, so mistakes of other kinds in them are still reported.
//!
//! ```text
//! f (x, , y) + true   ⇒   doubtful: `(x, , y)`
//! ```

use super::error::{SyntaxError, UnclosedEvidence};
use super::lexer::{is_line_end, is_operator_char};
use super::text as signs;
use super::token::Token;
use crate::source::Span;

/// Adds the doubtful places of a part of a file with these errors.
pub(super) fn mark_doubtful<'e>(
    errors: impl Iterator<Item = &'e SyntaxError>,
    tokens: &[(Token<'_>, Span)],
    doubts: &mut Vec<Span>,
) {
    let Some((_, last)) = tokens.last() else { return };
    let mut places = Vec::new();
    for error in errors {
        match error {
            SyntaxError::Unclosed {
                open,
                by: UnclosedEvidence::Word(_),
                close: Some(close),
                ..
            } => {
                doubts.push(phrase(*open, tokens).to(*close));
            }
            SyntaxError::Unclosed { open: start, .. } | SyntaxError::Unopened { at: start, .. } => {
                doubts.push(phrase(*start, tokens).to(*last));
            }
            SyntaxError::LetWithoutBody { binding: start, at }
            | SyntaxError::IncompleteIf { condition: start, at, .. } => doubts.push(start.to(*at)),
            SyntaxError::Unexpected { at, .. } | SyntaxError::MissingEquals { at, .. } => {
                places.push(at.start);
            }
            SyntaxError::MissingWord { .. }
            | SyntaxError::DefinitionWithoutWord { .. }
            | SyntaxError::BodyAlone { .. }
            | SyntaxError::Conflict { .. }
            | SyntaxError::Number { .. }
            | SyntaxError::Stray { .. }
            | SyntaxError::OpenText { .. }
            | SyntaxError::ThreeQuotes { .. }
            | SyntaxError::Escape { .. }
            | SyntaxError::TooDeep { .. } => {}
        }
    }
    places.sort_unstable();
    around(&places, tokens, doubts);
}

/// The beginning of the phrase that contains a bracket. A bracket that is not closed may have swallowed the rest of the
/// phrase.
fn phrase(bracket: Span, tokens: &[(Token<'_>, Span)]) -> Span {
    /// How far to look back.
    const FAR: usize = 256;
    let at = tokens.partition_point(|(_, span)| span.start < bracket.start);
    let mut begin = bracket;
    let mut depth = 0_usize;
    for (token, span) in tokens[..at].iter().rev().take(FAR) {
        let is_open = matches!(token, Token::Open(_));
        let ends = matches!(
            token,
            Token::Open(_)
                | Token::Comma
                | Token::Semicolon
                | Token::Equals
                | Token::Arrow
                | Token::Keyword(_)
        );
        if depth == 0 && ends {
            break;
        }
        depth += usize::from(matches!(token, Token::Close(_)));
        depth -= usize::from(is_open);
        begin = *span;
    }
    begin
}

/// The innermost brackets around each place, or what stands before it if there are none.
fn around(places: &[u32], tokens: &[(Token<'_>, Span)], doubts: &mut Vec<Span>) {
    let mut places = places.iter().peekable();
    let mut open: Vec<(Span, bool)> = Vec::new();
    let mut before = None;
    for (token, span) in tokens {
        while places.next_if(|place| **place <= span.start).is_some() {
            match open.last_mut() {
                Some((_, is_doubtful)) => *is_doubtful = true,
                None => doubts.push(before.unwrap_or(*span).to(*span)),
            }
        }
        if let Token::Open(_) = token {
            open.push((*span, false));
        } else if let Token::Close(_) = token
            && let Some((begin, true)) = open.pop()
        {
            doubts.push(begin.to(*span));
        }
        before = Some(*span);
    }
    doubts.extend(before.filter(|_| places.peek().is_some()));
}

/// The lines with characters that mean nothing, unless these are at their end and look like the end of a
/// statement.
pub(super) fn mark_stray_lines(errors: &[SyntaxError], text: &str, doubts: &mut Vec<Span>) {
    let mut seen = 0;
    for error in errors {
        let SyntaxError::Stray { at, found } = error else { continue };
        let (start, end) = (at.start as usize, at.end as usize);
        let rest = text[end..].find(is_line_end).map_or(text.len(), |length| end + length);
        let is_end = *found == ';' && text[end..rest].trim().is_empty();
        // An operator was read for it.
        let is_end = is_end
            || signs::lookalike(*found).is_some_and(|sign| sign.starts_with(is_operator_char));
        if start < seen || is_end {
            continue;
        }
        let line = text[seen..start].rfind(is_line_end).map_or(seen, |at| seen + at + 1);
        let byte = |at: usize| u32::try_from(at).expect("spans are 32 bits, so texts are");
        doubts.push(Span { start: byte(line), end: byte(rest), ..*at });
        seen = rest;
    }
}
