//! What formatting must not change.
//!
//! Invariant: a text that is given to the user has passed this check, so a mistake of ours can never change a program.
//!
//! ```text
//! f [1]   ⇒   `f[1]` has other tokens, so it would be a mistake
//! ```

use arrc_syntax::ids::FileId;
use arrc_syntax::parse::{self, LexemeKind};

use crate::source::Tokens;

/// Checks that two texts have the same tokens and the same comments.
///
/// # Panics
/// If they have not.
pub(crate) fn same_tokens(before: &str, after: &str, file: FileId) {
    let (old, new) = (tokens(before, file), tokens(after, file));
    for (at, (old, new)) in old.iter().zip(&new).enumerate() {
        assert_eq!(old, new, "formatting keeps the tokens: number {at}");
    }
    assert_eq!(old.len(), new.len(), "formatting keeps the tokens");
    assert_eq!(comments(before, file), comments(after, file), "formatting keeps the comments");
}

/// The texts of the tokens. A bracket that indexes is told from others; but in a type `[n][m]` and `[n] [m]` are the
/// same, so brackets behind brackets are not told apart.
fn tokens(text: &str, file: FileId) -> Vec<(&str, bool)> {
    let mut was_close = false;
    let lexemes = parse::lexemes(text, file).into_iter();
    let token = |lexeme: parse::Lexeme| {
        let text = &text[lexeme.span.start as usize..lexeme.span.end as usize];
        let indexes = lexeme.kind == LexemeKind::OpenIndex && !was_close;
        was_close = text == "]";
        (text, indexes)
    };
    lexemes.map(token).collect()
}

fn comments(text: &str, file: FileId) -> Vec<&str> {
    let tokens = Tokens::new(text, file);
    tokens.all().iter().flat_map(|token| &token.before.comments).map(|one| one.text).collect()
}
