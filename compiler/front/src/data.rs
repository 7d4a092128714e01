//! Constant arrays: the scalars of a literal, as they lie in memory.
//!
//! Invariant: the bytes are those of whole scalars of one type, each with its lowest byte first, as on every
//! processor that we compile for.
//!
//! ```text
//! [1i16, -2i16]   ⇒   01 00 fe ff
//! ```

use std::sync::Arc;

use arrc_syntax::prim::{Const, Scalar};

/// Constant scalars of one type. A clone shares the bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Data {
    elem: Scalar,
    bytes: Arc<[u8]>,
}

impl Data {
    /// The bytes of a text, as `u8`s.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self { elem: Scalar::U8, bytes: text.as_bytes().into() }
    }

    /// Scalars of that type.
    pub fn new(elem: Scalar, values: impl IntoIterator<Item = Const>) -> Self {
        let width = width(elem);
        let mut bytes = Vec::new();
        for value in values {
            bytes.extend_from_slice(&value.bits.to_le_bytes()[..width]);
        }
        Self { elem, bytes: bytes.into() }
    }

    /// The parts one behind the other. They have one type. There is none if there are no parts.
    #[must_use]
    pub fn concat(parts: &[Self]) -> Option<Self> {
        let elem = parts.first()?.elem;
        let bytes: Vec<u8> = parts.iter().flat_map(|part| part.bytes.iter().copied()).collect();
        Some(Self { elem, bytes: bytes.into() })
    }

    /// The scalars' type.
    #[must_use]
    pub fn elem(&self) -> Scalar {
        self.elem
    }

    /// How many scalars.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / width(self.elem)
    }

    /// Whether there are no scalars.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The scalars as they lie in memory.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The scalars, in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Const> {
        let elem = self.elem;
        self.bytes.chunks_exact(width(elem)).map(move |bytes| {
            let sign = elem.is_signed() && bytes.last().is_some_and(|&last| last >= 0x80);
            let mut bits = if sign { [0xff; 8] } else { [0; 8] };
            bits[..bytes.len()].copy_from_slice(bytes);
            Const { ty: elem, bits: u64::from_le_bytes(bits) }
        })
    }
}

fn width(elem: Scalar) -> usize {
    usize::try_from(elem.bytes()).expect("a scalar has few bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_come_back_as_they_were() {
        for elem in Scalar::ALL {
            let values = if elem == Scalar::Bool {
                [false, true, true].map(Const::bool)
            } else if elem.is_float() {
                [0.0, -1.5, f64::INFINITY].map(|value| Const::float(elem, value))
            } else if elem.is_signed() {
                [0, -1, 127].map(|value| Const::int(elem, value))
            } else {
                [0, 1, 1].map(|value| Const::int(elem, value))
            };
            let data = Data::new(elem, values);
            assert_eq!(data.values().collect::<Vec<_>>(), values, "{elem}");
            assert_eq!((data.len(), data.elem()), (3, elem));
        }
    }

    #[test]
    fn a_text_is_its_bytes() {
        let data = Data::text("é");
        assert_eq!(data.values().map(|value| value.bits).collect::<Vec<_>>(), [0xc3, 0xa9]);
        assert_eq!(Data::concat(&[data.clone(), data]).map(|both| both.len()), Some(4));
        assert_eq!(Data::concat(&[]), None);
    }
}
