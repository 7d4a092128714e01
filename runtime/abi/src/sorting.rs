//! The order of numbers that compiled code asks the runtime to sort.
//!
//! Invariant: an order is a sum of these numbers.
//!
//! ```text
//! u32, the highest number first ⇒ UNSIGNED + DOWN
//! ```

/// The highest number comes first.
pub const DOWN: i32 = 1;

/// The numbers are integers without a sign.
pub const UNSIGNED: i32 = 2;

/// The numbers are floats.
pub const FLOAT: i32 = 4;
