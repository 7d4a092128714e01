//! Deep programs on a small stack.
//!
//! Invariant: a recursion over a program that goes through [`with_enough_stack`] at each level never overflows the
//! stack, however deep the parser lets a program be.
//!
//! ```text
//! fn expr(e) { with_enough_stack(|| match e { Infix(l, _, r) => (expr(l), expr(r)), … }) }
//! ```

/// Less than this much left, in bytes, and the stack grows.
const RED_ZONE: usize = 128 * 1024;
/// How much the stack grows, in bytes.
const PIECE: usize = 4 * 1024 * 1024;

/// Runs `step` with enough stack for it, and for the steps up to the next [`with_enough_stack`].
pub fn with_enough_stack<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, PIECE, step)
}
