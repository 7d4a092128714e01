//! Text in lines of a bounded length.
//!
//! Invariant: no line is longer than the width, except for a single long word. Code in backquotes is one word.

/// A text in lines. The first line keeps the spaces that the text begins with. The others begin with `hang`.
#[must_use]
pub fn wrapped(text: &str, width: usize, hang: &str) -> String {
    let body = text.trim_start_matches(' ');
    let mut lines = text[..text.len() - body.len()].to_owned();
    let mut column = lines.len();
    for (at, word) in words(body).iter().enumerate() {
        let length = word.chars().count();
        if at > 0 && column + 1 + length > width {
            lines.push('\n');
            lines.push_str(hang);
            column = hang.len();
        } else if at > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

/// The words of a text. Code is one word, so that no line breaks in it.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_code = false;
    for word in text.split(' ') {
        match words.last_mut().filter(|_| is_code) {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
            }
            None => words.push(word.to_string()),
        }
        is_code ^= word.matches('`').count() % 2 == 1;
    }
    words
}
