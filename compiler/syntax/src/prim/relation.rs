//! Comparisons: the orders of two values that each of them accepts.
//!
//! Invariant: a relation with NaN on one side holds only if it is `!=`.
//!
//! ```text
//! a < b   swapped: b > a   negated: a >= b
//! ```

use std::cmp::Ordering;

/// A comparison of two scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

impl Relation {
    /// Whether it holds for values in this order. NaN has no order with any value.
    #[must_use]
    pub fn holds(self, order: Option<Ordering>) -> bool {
        let is = |test: fn(Ordering) -> bool| order.is_some_and(test);
        match self {
            Self::Eq => is(Ordering::is_eq),
            Self::Ne => !is(Ordering::is_eq),
            Self::Lt => is(Ordering::is_lt),
            Self::Le => is(Ordering::is_le),
            Self::Gt => is(Ordering::is_gt),
            Self::Ge => is(Ordering::is_ge),
        }
    }
}
