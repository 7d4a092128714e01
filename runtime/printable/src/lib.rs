//! Foreign text in a form that is safe to show: nothing in it controls a terminal.
//!
//! Invariant: the results of these functions have no control characters, except the line breaks that [`paragraph`]
//! keeps and the tabs that [`sign`] keeps. They have no characters that change the direction of the text around them.
//!
//! ```text
//! "red\u{1b}[31m"   ⇒   red\u{1b}[31m     as text: [`line`]
//!                   ⇒   red␛[31m          one sign a character, as places are counted: [`sign`]
//! ```

use std::borrow::Cow;

/// A text in one line. Control characters are escaped as in a string literal.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, steers)
}

/// A text that may have line breaks. All other control characters are escaped.
#[must_use]
pub fn paragraph(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c != '\n' && steers(c))
}

/// A character, or a visible replacement if it is a control character. Tabs stay.
#[must_use]
pub fn sign(c: char) -> char {
    match c {
        '\t' => c,
        // Unicode has a picture for each control character of ASCII.
        '\0'..='\u{1f}' => {
            char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\u{7f}' => '\u{2421}',
        _ if steers(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

fn escaped(text: &str, escape: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&escape) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if escape(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// Whether a character controls the output: it moves the cursor, ends a line, begins an escape sequence of a terminal,
/// or changes the direction of text, so that a program looks different from what it is.
#[must_use]
pub fn steers(c: char) -> bool {
    let breaks = matches!(c, '\u{2028}' | '\u{2029}');
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || breaks || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_escaped() {
        assert_eq!(line("a\u{1b}[31m\r\n\tb\u{9b}c"), r"a\u{1b}[31m\r\n\tb\u{9b}c");
        assert_eq!(line("\u{202e}evil\u{2066}\u{200f}"), r"\u{202e}evil\u{2066}\u{200f}");
        assert_eq!(paragraph("one\ntwo\u{7}"), "one\ntwo\\u{7}");
    }

    #[test]
    fn other_text_is_as_it_was() {
        for text in ["", "naïve ☃ 日本語 e\u{301} 🦀", "עברית", r"\u{1b}"] {
            assert_eq!(line(text), text);
            assert_eq!(text.chars().map(sign).collect::<String>(), text);
        }
    }

    #[test]
    fn a_sign_stands_for_one_character() {
        let signs: String = "\u{1b}\0\u{7f}\t\u{202e}\u{85}".chars().map(sign).collect();
        assert_eq!(signs, "␛␀␡\t\u{fffd}\u{fffd}");
    }
}
