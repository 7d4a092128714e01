//! Exact values of operations on constants.
//!
//! Invariant: a value is exact, or there is none: no result here wraps.
//!
//! ```text
//! 10 ** 10 of i32   ⇒   10,000,000,000, and 1,410,065,408 after wrapping
//! ```

use crate::eval::scalar;
use arrc_syntax::prim::{BinOp, Const};

/// A value that its type may not have.
#[derive(Clone, Copy)]
pub(super) struct Overflow {
    /// The value by arithmetic.
    pub(super) exact: i128,
    /// The value in the type.
    pub(super) value: Const,
}

impl Overflow {
    /// Whether the type has the value.
    pub(super) fn is_exact(self) -> bool {
        self.exact == self.value.as_i128()
    }
}

/// The operation, if its result is not in the range of the type.
pub(super) fn overflow(op: BinOp, left: Const, right: Const) -> Option<Overflow> {
    let exact = exact(op, left.as_i128(), right.as_i128())?;
    let overflow = Overflow { exact, value: scalar::bin(op, left, right).ok()? };
    (!overflow.is_exact()).then_some(overflow)
}

fn exact(op: BinOp, left: i128, right: i128) -> Option<i128> {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "other operations do not wrap, or are on bits"
    )]
    match op {
        BinOp::Add => left.checked_add(right),
        BinOp::Sub => left.checked_sub(right),
        BinOp::Mul => left.checked_mul(right),
        BinOp::Pow => left.checked_pow(u32::try_from(right).ok()?),
        _ => None,
    }
}
