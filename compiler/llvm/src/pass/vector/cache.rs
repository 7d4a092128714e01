//! Which passes go through more memory than caches hold.
//!
//! Invariant: the answer changes how fast a pass is, and nothing else.
//!
//! ```text
//! x = nextI i xs; writeI i ys y      both i32: beyond the caches from 8 Mi steps on
//! ```

use inkwell::IntPredicate;
use inkwell::values::IntValue;

use crate::code::Code;

/// From so many bytes on, arrays are taken to be beyond the last cache. Those of today have 8 to 64 MiB,
/// and what the system tells of them is not to be relied upon: of a virtual machine it may be the whole
/// host's, for all of its processors.
pub(super) const CACHE: u64 = 64 << 20;

/// Whether so many steps go through more memory than that; of `traffic` bytes a step.
pub(super) fn is_beyond<'ctx>(
    code: &Code<'_, 'ctx, '_>,
    steps: IntValue<'ctx>,
    traffic: u32,
) -> IntValue<'ctx> {
    let most = CACHE / u64::from(traffic.max(1));
    code.compare(IntPredicate::UGT, steps, code.size(most))
}
