//! The messages of run-time checks that fail.
//!
//! Invariant: a message is one line, and its values are scalars.
//!
//! ```text
//! xs[i:j]   ⇒   Slice: "slice " i ":" j " is out of bounds for an array of length " n
//! ```

/// A part of a message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Piece<V> {
    /// Text that is fixed when compiling.
    Text(String),
    /// The value of a scalar.
    Value(V),
}

impl<V> Piece<V> {
    /// A piece of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The values of a message, in order.
    pub fn values(message: &[Self]) -> impl Iterator<Item = &V> {
        message.iter().filter_map(|piece| match piece {
            Self::Text(_) => None,
            Self::Value(value) => Some(value),
        })
    }

    /// The same message with other values.
    pub fn map_all<W>(message: &[Self], mut f: impl FnMut(&V) -> W) -> Vec<Piece<W>> {
        let piece = |piece: &Self| match piece {
            Self::Text(text) => Piece::Text(text.clone()),
            Self::Value(value) => Piece::Value(f(value)),
        };
        message.iter().map(piece).collect()
    }
}

/// The message as people read it.
pub fn render<V>(message: &[Piece<V>], mut show: impl FnMut(&V) -> String) -> String {
    let piece = |piece: &Piece<V>| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Value(value) => show(value),
    };
    message.iter().map(piece).collect()
}

/// The message as it prints inside programs: `"index " i`.
pub fn quoted<V>(message: &[Piece<V>], mut show: impl FnMut(&V) -> String) -> String {
    let piece = |piece: &Piece<V>| match piece {
        Piece::Text(text) => format!("{text:?}"),
        Piece::Value(value) => show(value),
    };
    message.iter().map(piece).collect::<Vec<_>>().join(" ")
}
