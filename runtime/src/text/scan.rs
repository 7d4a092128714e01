//! Where values begin and end in a text.
//!
//! Invariant: a comment goes from `--` to the end of its line, and is nowhere part of a value.
//!
//! ```text
//! [1, 2] -- two numbers
//!  3.5   empty([0]f64)        has the values [1, 2] and 3.5 and empty([0]f64)
//! ```

use std::borrow::Cow;

/// The rest of a text without the blanks and the comments at its beginning.
pub(super) fn skip_space(mut rest: &[u8]) -> &[u8] {
    loop {
        rest = rest.trim_ascii_start();
        if !rest.starts_with(b"--") {
            return rest;
        }
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        rest = &rest[end..];
    }
}

/// The end of the value at the beginning of a text: at a blank outside of brackets and quotes.
pub(super) fn end_of_value(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let rest = skip_space(&text[at..]);
        if text.len() - rest.len() > at {
            if depth == 0 {
                return at;
            }
            at = text.len() - rest.len();
            continue;
        }
        match rest[0] {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.saturating_sub(1),
            b'"' => at += rest[1..].iter().position(|&byte| byte == b'"').unwrap_or(0) + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// A text of one value, with blanks for the comments inside of it.
pub(super) fn uncommented(text: &str) -> Cow<'_, str> {
    if !text.contains("--") {
        return Cow::Borrowed(text);
    }
    let (mut kept, mut quoted) = (String::new(), false);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        quoted ^= character == '"';
        if !quoted && rest.starts_with("--") {
            let end = rest.find('\n').unwrap_or(rest.len());
            rest = &rest[end..];
            kept.push(' ');
            continue;
        }
        kept.push(character);
        rest = &rest[character.len_utf8()..];
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    /// The places of the values in a text.
    fn pieces(text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let (mut found, mut at) = (Vec::new(), 0);
        loop {
            at = bytes.len() - skip_space(&bytes[at..]).len();
            if at == bytes.len() {
                return found;
            }
            let end = at + end_of_value(&bytes[at..]);
            found.push(at..end);
            at = end;
        }
    }

    #[test]
    fn values_end_at_blanks() {
        let words = |text: &str| {
            pieces(text).into_iter().map(|piece| text[piece].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(
            words(" [1, 2]\t-3.5e-1\nempty([0] f64) "),
            ["[1, 2]", "-3.5e-1", "empty([0] f64)"]
        );
        assert_eq!(words("-- no value\n1 -- two\n2--three"), ["1", "2"]);
        assert_eq!(words("[1, -- ]\n2] 3"), ["[1, -- ]\n2]", "3"]);
        assert_eq!(words("\"a b\" 1 \"\""), ["\"a b\"", "1", "\"\""]);
        assert_eq!(words("[1, 2"), ["[1, 2"]);
        assert_eq!(uncommented("[1, -- ]\n2] \"--\""), "[1,  \n2] \"--\"");
    }
}
