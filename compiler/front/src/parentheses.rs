//! Parentheses in texts of expressions, whose places include them.
//!
//! Invariant: parentheses are removed only in pairs that are around all of the text.
//!
//! ```text
//! ((a + b))   ⇒   a + b        (a) + (b)   ⇒   (a) + (b)
//! ```

/// A text without the parentheses around all of it.
pub(crate) fn bare(text: &str) -> &str {
    let Some(inside) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_usize;
    for sign in inside.chars() {
        depth = match sign {
            '(' => depth + 1,
            ')' if depth == 0 => return text,
            ')' => depth - 1,
            _ => depth,
        };
    }
    bare(inside.trim())
}
