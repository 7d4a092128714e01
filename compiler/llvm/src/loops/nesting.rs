//! How a pass is nested in the passes and loops around it: its level, the loops that run as one with its own, and the
//! strip of columns that it makes.
//!
//! Invariant: loops that run as one have the steps of one loop over all elements, in order.
//!
//! ```text
//! loopI i (n) collapsed 1 { loopI j (m) … }        steps: 0 to n * m
//! ```

use arrc_syntax::ids::VarId;
use inkwell::values::IntValue;

/// The nesting of a loop in its pass, or of a pass in a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// It is not nested.
    Outermost,
    /// It is in the steps of another loop or pass.
    Inner,
}

/// Loops that run as one with a loop inside them. Their own counters stay at 0: an element is addressed as if the first
/// row contained all elements in order.
#[derive(Clone, Copy)]
pub(crate) struct Collapsed<'ctx> {
    /// The number of loops between here and the innermost one.
    pub(super) loops: u32,
    /// The first step of the loops so far, taken together, and the first step after the last one.
    pub(super) steps: [IntValue<'ctx>; 2],
    /// The level of the outermost of them.
    pub(super) level: Level,
}

/// The strip of columns that the loop over rows makes, see [`super::memory::column_tiling`].
#[derive(Clone, Copy)]
pub(crate) struct Strip<'ctx> {
    /// The row that each step of the loop makes.
    pub(super) row: VarId,
    /// The first column, and the first column after the last one; the row may end before it.
    pub(super) steps: [IntValue<'ctx>; 2],
}
