//! Where declarations begin in a list of tokens.
//!
//! Invariant: a look at a place goes only a bounded way ahead, so that looking at every token takes
//! time linear in their number.
//!
//! ```text
//! #[noinline] local def f …   begins a declaration; the word `def` is its fourth token
//! module m = import "x"       does not begin one at `import`
//! ```

use super::token::{Bracket, Keyword, Opening, Token};
use crate::source::Span;

/// How far ahead to look for the end of attributes.
const FAR: usize = 64;

/// How far ahead to look for the end of a module's head, which may have a long type.
const FAR_HEAD: usize = 4096;

/// The index of the word, such as `def`, of the declaration that begins at token `at`; none if no declaration begins
/// there.
pub(super) fn begin(tokens: &[(Token<'_>, Span)], at: usize) -> Option<usize> {
    let first = attributes(tokens, at);
    let mut word = first;
    if keyword(tokens, word) == Some(Keyword::Local) {
        word += 1;
    }
    match keyword(tokens, word) {
        Some(keyword) if keyword.begins_declaration() => Some(word),
        // A definition may also begin with `let`. By itself, it may be a part of an expression.
        Some(Keyword::Let) if word > at => Some(word),
        // A lonely `local` is read as a declaration, and reported as one without its word.
        Some(_) | None => (word > first).then_some(first),
    }
}

/// Whether the declaration that begins at token `at` is a `let` behind attributes.
pub(super) fn is_let(tokens: &[(Token<'_>, Span)], at: usize) -> bool {
    keyword(tokens, attributes(tokens, at)) == Some(Keyword::Let)
}

/// Where the attributes that begin at token `at` end; `at` itself if there are none.
pub(super) fn attributes(tokens: &[(Token<'_>, Span)], at: usize) -> usize {
    let is_open = |at: usize| matches!(tokens.get(at), Some((Token::Open(Opening::Attribute), _)));
    let mut end = at;
    while is_open(end) {
        let inside = tokens[end + 1..].iter().take(FAR);
        let is_end = |(token, _): &(Token<'_>, Span)| {
            matches!(token, Token::Close(Bracket::Square) | Token::Open(Opening::Attribute))
        };
        match inside.clone().position(is_end) {
            Some(length) if !is_open(end + 1 + length) && end - at < FAR => end += length + 2,
            Some(_) | None => return at,
        }
    }
    end
}

/// Whether token `at` goes on with the declaration before it: `import` in `open import "x"`.
pub(super) fn continues(tokens: &[(Token<'_>, Span)], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| tokens[before].0) else { return false };
    match keyword(tokens, at) {
        Some(Keyword::Import) => {
            matches!(
                before,
                Token::Equals | Token::Arrow | Token::Keyword(Keyword::Open) | Token::Open(_)
            )
        }
        Some(Keyword::Type) if before == Token::Keyword(Keyword::Module) => true,
        Some(_) | None => false,
    }
}

/// The opening brace of the declaration with its word at `word`, if that is a module in braces.
pub(super) fn module_brace(tokens: &[(Token<'_>, Span)], word: usize) -> Option<usize> {
    let is_named = matches!(tokens.get(word + 1), Some((Token::Name(_), _)));
    if keyword(tokens, word) != Some(Keyword::Module) || !is_named {
        return None;
    }
    let brace = word + 2 + head_length(&tokens[word + 2..])?;
    matches!(tokens.get(brace), Some((Token::Open(Opening::Curly), _))).then_some(brace)
}

/// The number of tokens up to the `=` of a module, that one included. The module may have a type: an `=` in brackets,
/// or one that belongs to a `with` in that type, does not count.
fn head_length(tokens: &[(Token<'_>, Span)]) -> Option<usize> {
    let (mut depth, mut replaced) = (0_usize, 0_usize);
    for (at, (token, _)) in tokens.iter().take(FAR_HEAD).enumerate() {
        if let Token::Open(_) = token {
            depth += 1;
        } else if let Token::Close(_) = token {
            depth = depth.checked_sub(1)?;
        } else if depth > 0 {
            continue;
        } else if *token == Token::Keyword(Keyword::With) {
            replaced += 1;
        } else if let Token::Keyword(_) = token {
            return None;
        } else if *token == Token::Equals {
            if replaced == 0 {
                return Some(at + 1);
            }
            replaced -= 1;
        }
    }
    None
}

/// Whether the declaration with its word at `word` gives a module to another one, which may stand in braces.
pub(super) fn applies_module(tokens: &[(Token<'_>, Span)], word: usize) -> bool {
    matches!(keyword(tokens, word), Some(Keyword::Module | Keyword::Open))
}

/// Whether the declaration with its word at `word` is `module type …`.
pub(super) fn module_type(tokens: &[(Token<'_>, Span)], word: usize) -> bool {
    keyword(tokens, word) == Some(Keyword::Module)
        && keyword(tokens, word + 1) == Some(Keyword::Type)
}

/// The bodies whose definitions have lost their heads.
#[derive(Default)]
pub(super) struct Bodies {
    /// Up to where it is known that no such body begins at a `let`.
    none_before: usize,
}

impl Bodies {
    /// Whether the `let` at token `first`, in the place of a declaration, has an `in` before the next declaration, so
    /// that it is an expression. A definition that is written with `let` has none for this word.
    pub(super) fn is_body(&mut self, tokens: &[(Token<'_>, Span)], first: usize) -> bool {
        if first < self.none_before {
            return false;
        }
        let mut open: Vec<Keyword> = Vec::new();
        let mut at = first;
        while at < tokens.len() && (begin(tokens, at).is_none() || continues(tokens, at)) {
            match keyword(tokens, at) {
                Some(Keyword::Let) => {
                    // Of `let`s in a row, only the last one has an `in`.
                    let is_next = at > first && tokens[at - 1].0.ends_operand();
                    if !(is_next && open.last() == Some(&Keyword::Let)) {
                        open.push(Keyword::Let);
                    }
                }
                Some(Keyword::For) => open.push(Keyword::For),
                Some(Keyword::In) => drop(open.pop()),
                // `for i < n do` has no `in`.
                Some(Keyword::Do) if open.last() == Some(&Keyword::For) => drop(open.pop()),
                Some(_) | None => {}
            }
            at += 1;
        }
        if !open.is_empty() {
            self.none_before = at;
        }
        open.is_empty()
    }
}

fn keyword(tokens: &[(Token<'_>, Span)], at: usize) -> Option<Keyword> {
    match tokens.get(at) {
        Some((Token::Keyword(keyword), _)) => Some(*keyword),
        Some(_) | None => None,
    }
}
