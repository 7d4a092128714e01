//! What stands between quotes: texts and characters, with their escapes.
//!
//! Invariant: a quote ends in the line it begins in.
//!
//! ```text
//! "a\tb"   ⇒   a, a tab, b        '\x41'   ⇒   A
//! ```

use crate::names::Name;

/// How many bytes at the start of `text`, which begins with `quote`, are up to the closing one.
pub(super) fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' | '\r' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The meaning of a text; errors in it stand for nothing.
pub fn unescaped(content: &str) -> Name {
    let mut out = String::new();
    let mut rest = content;
    while let Some(c) = rest.chars().next() {
        let (meaning, length) = if c == '\\' { escape(rest) } else { (Some(c), c.len_utf8()) };
        out.extend(meaning);
        rest = &rest[length..];
    }
    Name::from(out)
}

/// The escapes that mean nothing, and their places.
pub(super) fn bad_escapes(content: &str) -> Vec<(usize, &str)> {
    let mut bad = Vec::new();
    let mut at = 0;
    while let Some(c) = content[at..].chars().next() {
        let rest = &content[at..];
        let (meaning, length) = if c == '\\' { escape(rest) } else { (Some(c), c.len_utf8()) };
        if meaning.is_none() {
            bad.push((at, &rest[..length]));
        }
        at += length;
    }
    bad
}

/// A text with escapes where it needs them, so that it reads back as itself.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if arr_printable::steers(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// What the escape at the start of `text` means, and its length.
fn escape(text: &str) -> (Option<char>, usize) {
    let Some(kind) = text[1..].chars().next() else { return (None, 1) };
    let simple = match kind {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '0' => Some('\0'),
        '\\' | '"' | '\'' => Some(kind),
        _ => None,
    };
    if simple.is_some() {
        return (simple, 2);
    }
    let digits = |text: &str| u32::from_str_radix(text, 16).ok().and_then(char::from_u32);
    match kind {
        'x' if text.get(2..4).is_some_and(is_hexadecimal) => (digits(&text[2..4]), 4),
        'u' if text[2..].starts_with('{') => match text.find('}') {
            Some(end) if is_hexadecimal(&text[3..end]) => (digits(&text[3..end]), end + 1),
            Some(_) | None => (None, 2),
        },
        _ => (None, 1 + kind.len_utf8()),
    }
}

fn is_hexadecimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Characters that look like signs of the language, each with its sign.
const LOOK_ALIKES: [(char, &str); 12] = [
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('×', "*"),
    ('÷', "/"),
    ('−', "-"),
    ('–', "-"),
    ('→', "->"),
    ('“', "\""),
    ('”', "\""),
    ('‘', "'"),
    ('’', "'"),
];

/// The sign of the language that looks like `c`.
pub(super) fn lookalike(c: char) -> Option<&'static str> {
    LOOK_ALIKES.into_iter().find(|(other, _)| *other == c).map(|(_, sign)| sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_and_written() {
        assert_eq!(unescaped(r#"a\tb\\\"\x41\u{e9}\0"#), "a\tb\\\"A\u{e9}\0");
        let text = "tab\t, quote \", backslash \\, line\n, bell \u{7}, é";
        assert_eq!(unescaped(&escaped(text)), text);
    }

    #[test]
    fn a_quote_ends_in_its_line() {
        assert_eq!(quoted(r#""a\"b" c"#, '"'), Some(6));
        assert_eq!(quoted("\"a\n\"", '"'), None);
        assert_eq!(quoted("'", '\''), None);
    }

    #[test]
    fn escapes_that_mean_nothing_are_found() {
        assert_eq!(bad_escapes(r"a\qb\x4\u{110000}"), [(1, r"\q"), (4, r"\x"), (7, r"\u{110000}")]);
    }
}
