//! The words of the message of a failed call.
//!
//! Invariant: compiled programs and interpreters use the same words. A text is written piece by piece, since the
//! runtime allocates no memory for it.
//!
//! ```text
//! Index, "", [7, 5]          index 7 is out of bounds for an array of length 5
//! Shape, "xs\nys", [3, 4]    xs has size 3 but ys has size 4; they must be equal
//! ```

use crate::ErrorCode;

/// Where a message is written.
pub trait Words {
    /// Adds a text: UTF-8, if the names in the program are.
    fn text(&mut self, text: &[u8]);
    /// Adds a number in decimal digits.
    fn number(&mut self, number: i128);
}

/// Writes why a call fails. What the text and the numbers mean:
///
/// | code | `what` | `a` | `b` |
/// | --- | --- | --- | --- |
/// | Index | | the index | the length |
/// | Division, Busy, Cancelled | | | |
/// | Size | the combinator | the size; too large if it is not negative | |
/// | Shape | both names, `\n` between | size of the first | size of the second |
/// | Memory | what it is for | bytes | |
/// | Stack | the function | | |
/// | Argument | the parameter | below 0: its size, else its data is NULL and this its size | |
/// | Power | | the exponent | |
/// | all others | the whole message | | |
pub fn write(to: &mut impl Words, code: ErrorCode, what: &[u8], [a, b]: [i128; 2]) {
    match code {
        ErrorCode::Index => {
            with(to, "index ", a);
            with(to, " is out of bounds for an array of length ", b);
        }
        ErrorCode::Division => to.text(b"division by zero"),
        ErrorCode::Size => {
            match a {
                0.. => to.text(b"too many elements"),
                ..0 => with(to, "negative size ", a),
            }
            after(to, " in ", what);
        }
        ErrorCode::Shape => {
            let mut names = what.splitn(2, |&byte| byte == b'\n');
            name(to, names.next().unwrap_or_default());
            with(to, " has size ", a);
            to.text(b" but ");
            name(to, names.next().unwrap_or_default());
            with(to, " has size ", b);
            to.text(b"; they must be equal");
        }
        ErrorCode::Memory => {
            with(to, "out of memory: ", a.max(0));
            to.text(b" bytes");
            after(to, " for ", what);
        }
        ErrorCode::Stack => {
            to.text(b"the recursion");
            after(to, " in ", what);
            to.text(b" is too deep for the stack");
        }
        // A negative size is wrong in itself; otherwise the pointer is.
        ErrorCode::Argument => {
            if a >= 0 {
                to.text(b"the pointer for ");
            }
            name(to, what);
            match a {
                ..0 => with(to, " has the negative size ", a),
                0 => to.text(b" is NULL"),
                1.. => with(to, " is NULL, but its size is ", a),
            }
        }
        ErrorCode::Busy => to.text(b"the context is in use by another call"),
        ErrorCode::Cancelled => to.text(b"the call was cancelled"),
        ErrorCode::Power => with(to, "negative exponent ", a),
        ErrorCode::Slice
        | ErrorCode::Range
        | ErrorCode::Coercion
        | ErrorCode::Assertion
        | ErrorCode::External
        | ErrorCode::Generator => to.text(what),
    }
}

fn with(to: &mut impl Words, before: &str, number: i128) {
    to.text(before.as_bytes());
    to.number(number);
}

fn after(to: &mut impl Words, before: &str, what: &[u8]) {
    if !what.is_empty() {
        to.text(before.as_bytes());
        to.text(what);
    }
}

fn name(to: &mut impl Words, name: &[u8]) {
    to.text(if name.is_empty() { b"an argument" } else { name });
}
