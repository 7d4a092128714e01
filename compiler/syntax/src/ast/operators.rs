//! How tightly infix operators bind.
//!
//! Invariant: an operator that the user makes up binds as its longest known prefix does, so the
//! reading of a program does not depend on where the operator is defined.
//!
//! ```text
//! a + b * c |> f   ⇒   (a + (b * c)) |> f
//! a <+> b          ⇒   binds as `<` does
//! ```

/// Which of two operators of the same level takes the operand between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assoc {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `f <| g <| x` is `f <| (g <| x)`.
    Right,
}

/// How an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixity {
    /// A higher level binds tighter.
    pub level: u8,
    /// How operators of one level group.
    pub assoc: Assoc,
}

/// The known operators from loose to tight; names in backquotes bind looser than all of them.
const LEVELS: [(&[&str], Assoc); 10] = [
    (&["|>"], Assoc::Left),
    (&["<|"], Assoc::Right),
    (&["||"], Assoc::Left),
    (&["&&"], Assoc::Left),
    // The last two are no operators, only prefixes.
    (&["<=", ">=", ">", "<", "==", "!=", "=", "!"], Assoc::Left),
    (&["&", "^", "|"], Assoc::Left),
    (&["<<", ">>", ">>>"], Assoc::Left),
    (&["+", "-"], Assoc::Left),
    (&["*", "/", "%", "//", "%%"], Assoc::Left),
    (&["**"], Assoc::Left),
];

/// Whether an infix operator with this name stands between backquotes. Letters of other alphabets count as well: the
/// lexer reports them and goes on.
#[must_use]
pub fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '\'')
}

/// The fixity of `operator`, which is a sign or a name.
///
/// # Panics
/// If `operator` is neither a sign nor a name: every sign begins with the sign of a known operator.
#[must_use]
pub fn fixity(operator: &str) -> Fixity {
    if is_word(operator) {
        return Fixity { level: 0, assoc: Assoc::Left };
    }
    let mut longest: Option<(usize, Fixity)> = None;
    for (level, (signs, assoc)) in (1..).zip(LEVELS) {
        for sign in signs.iter().filter(|sign| operator.starts_with(**sign)) {
            if longest.is_none_or(|(length, _)| length < sign.len()) {
                longest = Some((sign.len(), Fixity { level, assoc }));
            }
        }
    }
    longest.map(|(_, fixity)| fixity).expect("an operator begins with the sign of a known one")
}
