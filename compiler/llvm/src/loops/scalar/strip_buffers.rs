//! A guard that runs behind a strip of steps, and the buffers of its inputs.
//!
//! Invariant: the guard needs only the inputs, and variables from outside of the loop.
//!
//! ```text
//! guard (j) c with x > 0 { hist := hist with [x % 64] … }        inputs: x
//! ```

use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::Scalar;
use inkwell::values::PointerValue;

/// A guard that runs behind the vectors of a strip.
#[derive(Clone, Debug)]
pub(in crate::loops) struct DeferredGuard {
    /// The guard's counter, by which it is known.
    pub(in crate::loops) counter: AccId,
    /// The counter of the loop whose steps the guard is in.
    pub(in crate::loops) step: VarId,
    /// Whether the guard runs for all steps, so that nothing is moved together.
    pub(in crate::loops) keeps_all: bool,
    /// The guard's inputs from a step.
    pub(in crate::loops) inputs: Vec<(VarId, Scalar)>,
}

/// The guard behind the strip that is being lowered.
#[derive(Clone)]
pub(in crate::loops) struct StripGuard<'ctx> {
    pub(super) deferred: DeferredGuard,
    /// The buffers of its inputs.
    pub(super) buffers: Vec<PointerValue<'ctx>>,
    /// The place that holds the number of kept steps.
    pub(super) kept: PointerValue<'ctx>,
}
