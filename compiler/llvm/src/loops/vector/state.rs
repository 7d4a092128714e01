//! The state that changes from step to step of a vector loop.
//!
//! Invariant: the values of a state have an order that depends on the plan alone, so that two states of a loop meet
//! value by value.
//!
//! ```text
//! s: Each(+), 2 parts; c: Counter   ⇒   [<4 x i64> s0, <4 x i64> s1, i64 c]
//! ```

use arrc_loops::concrete::Worker;
use arrc_syntax::ids::{AccId, SecondaryMap, VarId};
use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, IntValue, PhiValue, VectorValue};

use crate::code::FunctionBuilder;
use crate::unit::built;

/// The values of the accumulators.
#[derive(Clone, Default)]
pub(super) struct AccumulatorState<'ctx> {
    /// A count, a vector for each part, or the running value of a scan in all lanes.
    pub(super) accs: SecondaryMap<AccId, Vec<BasicValueEnum<'ctx>>>,
    /// The steps in which a choice was made, for the choice's first accumulator.
    pub(super) steps: SecondaryMap<AccId, Vec<BasicValueEnum<'ctx>>>,
    /// The signs of the elements of an extreme whose zeros have none, in one vector for all parts.
    pub(super) signs: SecondaryMap<AccId, Vec<BasicValueEnum<'ctx>>>,
    /// How many elements the deferred inner guards have seen, for the outer guard's counter.
    pub(super) behind: SecondaryMap<AccId, Vec<BasicValueEnum<'ctx>>>,
}

impl<'ctx> AccumulatorState<'ctx> {
    /// Every value, in an order that depends on the roles alone.
    pub(super) fn values(&mut self) -> impl Iterator<Item = &mut BasicValueEnum<'ctx>> {
        let accs = self.accs.values_mut().flatten();
        accs.chain(self.steps.values_mut().flatten())
            .chain(self.signs.values_mut().flatten())
            .chain(self.behind.values_mut().flatten())
    }
}

/// A fold that chooses.
#[derive(Clone, Copy)]
pub(super) struct ChoiceFold<'p> {
    pub(super) accs: &'p [AccId],
    pub(super) worker: &'p Worker,
}

/// The lanes of a part that a guard keeps.
#[derive(Clone, Copy)]
pub(super) struct KeptLanes<'ctx> {
    pub(super) flags: VectorValue<'ctx>,
    /// The flags as an `i64`.
    pub(super) bits: IntValue<'ctx>,
    /// The position of the first of them.
    pub(super) position: IntValue<'ctx>,
    /// The guard's variable for the position of each kept element; none where the flags are not those of a guard.
    pub(super) index: Option<VarId>,
}

/// Makes each value of a state come from one of several blocks.
pub(super) fn phis<'ctx, const N: usize>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    state: &mut AccumulatorState<'ctx>,
    incoming: [(&mut AccumulatorState<'ctx>, BasicBlock<'ctx>); N],
) -> Vec<PhiValue<'ctx>> {
    let b = &code.b;
    let incoming =
        incoming.map(|(state, from)| (state.values().map(|&mut v| v).collect::<Vec<_>>(), from));
    let mut phis = Vec::new();
    for (at, value) in state.values().enumerate() {
        let phi = built(b.build_phi(value.get_type(), ""));
        for (values, from) in &incoming {
            phi.add_incoming(&[(&values[at] as &dyn inkwell::values::BasicValue<'ctx>, *from)]);
        }
        *value = phi.as_basic_value();
        phis.push(phi);
    }
    phis
}
