//! Passes that go through more memory than caches hold.
//!
//! The elements that such a pass stores are no longer in a cache when they are read. So non-temporal stores write them
//! past the caches, which saves reading every line before it is overwritten. They must write a whole line at a time, or
//! they cost more than they save. The kept elements of a guard fill lines only in part, so they are never stored so.
//!
//! Invariant: whether arrays are beyond the caches decides how fast a pass is, and nothing else.
//!
//! ```text
//! x = nextI i xs; writeI i ys y      both i32, 64 MiB of cache: beyond from 8 Mi steps on
//!                                    store <8 x i32> %y, align 32, !nontemporal
//! ```

use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::{InstructionValue, IntValue};

use super::plan::Plan;
use crate::code::FunctionBuilder;
use crate::loops::pass::{Pass, Steps};
use crate::unit::built;

/// How the elements of a pass's own steps are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stores {
    /// Into the caches.
    Cached,
    /// Past them.
    Streamed,
}

/// Whether a number of steps goes through more memory than the caches hold.
pub(super) fn is_beyond<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    plan: &Plan,
    steps: IntValue<'ctx>,
) -> IntValue<'ctx> {
    let most = code.unit.cache / u64::from(plan.facts.traffic.max(1));
    code.compare(IntPredicate::UGT, steps, code.size(most))
}

/// The same for steps of a pass, which also requires that the addresses of their stores are aligned to whole vectors.
pub(super) fn may_stream<'ctx>(
    pass: &Pass<'_, '_, 'ctx, '_>,
    plan: &Plan,
    run: Steps<'ctx, '_>,
) -> IntValue<'ctx> {
    let code = &pass.body.code;
    let steps = pass.length(&run.procedure.nest.length);
    let address = |&vec: &VarId| {
        let (elem, _) = pass.body.array_type(vec);
        let data = code.element(elem, pass.body.var(vec).vector(vec).data, run.from);
        built(code.b.build_ptr_to_int(data, code.types.i64, ""))
    };
    let or = |a, b| built(code.b.build_or(a, b, ""));
    let addresses = plan.streams.iter().map(address).reduce(or).expect("something is stored");
    let below = code.size(u64::from(code.unit.isa.register()) - 1);
    let rest = built(code.b.build_and(addresses, below, ""));
    let whole = code.compare(IntPredicate::EQ, rest, code.size(0));
    built(code.b.build_and(is_beyond(code, plan, steps), whole, ""))
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// Makes an aligned store of `bytes` bytes non-temporal.
    pub(super) fn stream(&self, store: InstructionValue<'ctx>, bytes: u32) {
        store.set_alignment(bytes).expect("stores have an alignment");
        let one = self.types.i32.const_int(1, false);
        let node = self.unit.context.metadata_node(&[one.into()]);
        let kind = self.unit.context.get_kind_id("nontemporal");
        store.set_metadata(node, kind).expect("the number is a node");
    }

    /// Orders non-temporal stores before the stores that follow.
    pub(super) fn end_streams(&self) {
        let fence = self.unit.intrinsic("llvm.x86.sse.sfence", &[]);
        built(self.b.build_call(fence, &[], ""));
    }
}
