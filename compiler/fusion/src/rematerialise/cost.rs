//! The cost of an element's expression, in simple operations.
//!
//! Invariant: the cost of code that has a loop or a call is so high that it is never computed twice.
//!
//! ```text
//! x = xs[j]; t = x * x; u = t + 1   ⇒   3
//! ```

use crate::cnf::{Op, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::Cost;

/// Reading an element from memory. `scripts/bench smoothed_f64` shows the decisions that these costs make. Not measured
/// by itself.
pub(super) const LOAD: u64 = 1;

/// Checking an index by itself. No benchmark shows it alone.
pub(super) const CHECK: u64 = 3;

/// An expression with this many operations is not moved into a branch, where its vectors would need masks. No benchmark
/// shows it alone.
pub(super) const LONG: u64 = 16;

/// A loop, a call, or an array: more than any array saves.
pub(super) const HEAVY: u64 = 1_000_000;

/// The cost of an element.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ElementCost {
    /// For each element.
    pub(super) inner: u64,
    /// Operations that the producer runs once for each row. The expression of an element runs them for each element.
    pub(super) outer: u64,
}

/// The cost of an operation, without the blocks in it.
pub(super) fn of(op: &Op, vars: &PrimaryMap<VarId, Var>) -> u64 {
    let Some(operation) = op.operation() else {
        return if op.is_scalar() && !op.stays() { LOAD } else { HEAVY };
    };
    // `scripts/bench ratios_i64` and `scripts/bench exp_f64` show the times of a division and of an elementary function.
    // These ratios were not measured by themselves.
    match operation.cost(vars) {
        Cost::Quick => 1,
        Cost::QuickAlone | Cost::Rounding => 2,
        Cost::Slow => 8,
        Cost::Elementary => 24,
        Cost::Call => 48,
    }
}
