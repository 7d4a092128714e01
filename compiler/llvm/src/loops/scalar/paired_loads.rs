//! Loops whose steps change elements of arrays, and read narrow elements: one load has those of two steps.
//!
//! Such a step loads its own elements and the one that it changes, and stores that. The number of accesses of memory
//! that a processor starts in a cycle is limited: a sum by groups of 32-bit keys and values has four of them in a step,
//! and three with pairs.
//!
//! Invariant: each element is loaded before the steps of its iteration, so nothing that the steps change is in the
//! array.
//!
//! ```text
//! for i < n { k = keys[i]; counts[k] += 1 }
//! ⇒ for i < n - 7 by 8 { two = load i64 keys[i]; k = low half of two; counts[k] += 1; k = high half of two; counts[k] += 1; … }
//!   for i < n { k = keys[i]; counts[k] += 1 }
//! ```

use arrc_loops::concrete::{Position, Stmt};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use inkwell::values::{BasicValue, BasicValueEnum, InstructionValue, IntValue};

use crate::loops::pass::{Pass, Steps};
use crate::unit::built;

/// The steps of an iteration. Steps that can fail, and change elements of a small array, are half as many: counts in an
/// array of ten took 1.3 of the time of C with 8 of them in an iteration, and 1.1 with 4 (AMD's Zen 3). In arrays of
/// 128 and more, 8 were better. `scripts/bench count_by_updates` has such an array of ten, and
/// `scripts/bench group_sum_i32` one of 1,000.
const TOGETHER: u64 = 8;
/// The most operations of a step. The time of longer steps does not depend on their loads.
/// `scripts/bench group_sum_i32` has short ones. The limit was not measured by itself.
const SHORT: usize = 24;

/// The elements that the steps of a loop read at their own position.
pub(in crate::loops) struct NarrowRead {
    pub(in crate::loops) elem: VarId,
    array: VarId,
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Steps in pairs, if that pays; gives the branch that repeats them.
    pub(super) fn in_pairs(
        &mut self,
        run: Steps<'ctx, 'p>,
        counter: VarId,
    ) -> Option<InstructionValue<'ctx>> {
        let narrow = self.narrow(run, counter);
        if narrow.is_empty() || !self.updates_within(run, SHORT) {
            return None;
        }
        let together = if self.may_fail_in_few(run) { TOGETHER / 2 } else { TOGETHER };
        Some(self.steps_together(run, counter, (together, &narrow)))
    }

    /// What each step reads of arrays of 32-bit integers at its own position.
    fn narrow(&self, run: Steps<'ctx, 'p>, counter: VarId) -> Vec<NarrowRead> {
        let narrow = run.body.iter().filter_map(|stmt| match stmt {
            Stmt::Next { elem, index: Position::Var(index), array } if *index == counter => {
                let ty = self.body.type_of(*elem).as_scalar();
                let is_narrow = matches!(ty, Some(Scalar::I32 | Scalar::U32));
                is_narrow.then_some(NarrowRead { elem: *elem, array: *array })
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Apply { .. }
            | Stmt::Read { .. }
            | Stmt::Update { .. }
            | Stmt::Current { .. }
            | Stmt::Reserve { .. }
            | Stmt::Write { .. } => None,
        });
        narrow.collect()
    }

    /// The elements at a position and behind it.
    pub(in crate::loops) fn pair(
        &self,
        of: &NarrowRead,
        at: IntValue<'ctx>,
    ) -> [BasicValueEnum<'ctx>; 2] {
        let (code, types) = (&self.body.code, self.body.code.types);
        let array = self.body.array(of.array);
        let (elem, _) = self.body.array_type(of.array);
        let both = code.load(types.i64, code.element(elem, array.data, at), "pair");
        let load = both.as_instruction_value().expect("a load is an instruction");
        load.set_alignment(elem.bytes()).expect("loads have an alignment");
        if let Some(aliasing) = &self.body.aliasing {
            aliasing.describe_load(code, both, of.array);
        }
        let both = both.into_int_value();
        let bits = code.size(u64::from(8 * elem.bytes()));
        let high = built(code.b.build_right_shift(both, bits, false, ""));
        [both, high].map(|half| built(code.b.build_int_truncate(half, types.i32, "")).into())
    }
}
