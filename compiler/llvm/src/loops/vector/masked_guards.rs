//! Guards: masks for the kept lanes, and a branch around steps that keep nothing.
//!
//! Compaction costs the same whether one element is kept or all are, and most of it is a store
//! that crosses cache lines. Where few elements are kept, a branch around it is better. A mispredicted branch costs
//! more than it saves, so the test only counts while few elements have been kept; otherwise the branch always goes one
//! way. And it saves nothing where the loop waits for memory.
//!
//! For a guard in a guard, few means few of the elements that the outer guard kept: steps that keep nothing there
//! have been skipped already.
//!
//! Invariant: a guard changes nothing if no flag holds, so it may be skipped.
//!
//! ```text
//! x, y = two vectors              none = no bit of p, q      few = 64 c <= i
//! p, q = x > k, y > k      ⇒      branch (none & few) next, inside
//! guard (j) c with p, q           inside: c0 = c, c1 = c + popcount p, …
//! ```

use arrc_loops::concrete::{Block, Guard, Nest, Step, Stmt};
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{InstructionOpcode, IntValue, VectorValue};

use super::plan::Plan;
use super::state::{AccumulatorState, KeptLanes};
use super::vector_loop::VectorLoop;
use crate::unit::built;

/// A branch pays if fewer than one in 2^FEW elements is kept: with more, it is mispredicted too often.
/// `scripts/bench filter_sum_i32` keeps 1 %, among others: filters that keep as few took half of the time with the
/// branch (AVX-512, in the cache).
const FEW: u64 = 6;
/// The same beyond the caches. `scripts/bench filter_sum_i32` shows the effect of another value where 1 % of many
/// elements is kept. Not measured by itself.
const NEXT_TO_NONE: u64 = 16;

/// A branch around a guard that has been begun.
struct GuardBranch<'ctx> {
    /// The block of the branch, and the state there.
    from: BasicBlock<'ctx>,
    state: AccumulatorState<'ctx>,
    bad: Option<VectorValue<'ctx>>,
    next: BasicBlock<'ctx>,
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// A guard, in all parts. It may be inside another one, whose kept lanes are `outer`.
    pub(super) fn guard(&mut self, guard: &'p Guard, outer: Option<&[KeptLanes<'ctx>]>) {
        let flags: Vec<_> = (0..self.plan.parts as usize)
            .map(|part| {
                self.part = part;
                let flag = self.each(guard.flag);
                let and = |kept: &[KeptLanes<'ctx>]| {
                    let code = &self.pass.body.code;
                    code.lanes_op(InstructionOpcode::And, kept[part].flags, flag)
                };
                outer.map_or(flag, and)
            })
            .collect();
        let bits: Vec<_> =
            flags.iter().map(|&flags| self.pass.body.code.wide_bits(flags)).collect();
        let deferred = self.plan.facts.deferred.clone();
        let deferred = deferred.filter(|deferred| deferred.counter == guard.counter);
        let around = (deferred.is_some() || is_worth_a_branch(guard, &self.plan)).then(|| {
            let of = outer.map_or_else(|| self.counted_steps(), |outer| outer[0].position);
            self.branch_around_guard(guard, &bits, of)
        });
        let mut position = self.state.accs[guard.counter][0].into_int_value();
        let mut kept = Vec::new();
        for (flags, bits) in flags.into_iter().zip(bits) {
            kept.push(KeptLanes { flags, bits, position, index: Some(guard.index) });
            let code = &self.pass.body.code;
            position = code.add_index(position, code.count_of(bits));
        }
        self.state.accs[guard.counter][0] = position.into();
        match self.plan.facts.behind.get(&guard.counter).cloned() {
            None if let Some(deferred) = &deferred => self.defer(deferred, &kept),
            None => self.inside(&guard.body, &guard.inner, Some(&kept)),
            Some(behind) => {
                self.inside(&guard.body, &[], Some(&kept));
                self.run_lagging_guards(guard, &behind);
            }
        }
        if let Some(around) = around {
            self.merge_paths(around);
        }
    }

    /// Branches around a guard if nothing is kept, and few elements have been kept so far.
    fn branch_around_guard(
        &self,
        guard: &Guard,
        bits: &[IntValue<'ctx>],
        of: IntValue<'ctx>,
    ) -> GuardBranch<'ctx> {
        let code = &self.pass.body.code;
        let or = |a, b| built(code.b.build_or(a, b, ""));
        let any = bits.iter().copied().reduce(or).expect("a loop has a part");
        let none = code.compare(IntPredicate::EQ, any, code.size(0));
        let count = self.state.accs[guard.counter][0].into_int_value();
        let [next_to_none, few] = [NEXT_TO_NONE, FEW].map(|shift| code.size(shift).into());
        let shift = code.select(self.beyond_cache, next_to_none, few).into_int_value();
        let scaled = built(code.b.build_left_shift(count, shift, ""));
        let few = code.compare(IntPredicate::ULE, scaled, of);
        let around = built(code.b.build_and(none, few, ""));
        let [inside, next] = ["vector.kept", "vector.none"].map(|name| code.block(name));
        let from = code.current_block();
        code.branch(around, next, inside);
        code.b.position_at_end(inside);
        GuardBranch { from, state: self.state.clone(), bad: self.bad, next }
    }

    /// Merges both paths at the end of a guard.
    fn merge_paths(&mut self, around: GuardBranch<'ctx>) {
        let GuardBranch { from, state: mut before, bad, next } = around;
        let code = &self.pass.body.code;
        let inside = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let mut after = self.state.clone();
        self.meet([(&mut before, from), (&mut after, inside)]);
        if self.bad != bad
            && let Some(after) = self.bad
        {
            let none = after.get_type().const_zero();
            let phi = built(self.pass.body.code.b.build_phi(after.get_type(), ""));
            phi.add_incoming(&[(&bad.unwrap_or(none), from), (&after, inside)]);
            self.bad = Some(phi.as_basic_value().into_vector_value());
        }
    }
}

/// Whether the body costs more than a test: it stores elements, or reads them one by one. A guard that runs behind
/// strips has a branch of its own.
pub(super) fn is_worth_a_branch(guard: &Guard, plan: &Plan) -> bool {
    let is_behind = |guard: &Guard| {
        plan.facts.deferred.as_ref().is_some_and(|deferred| deferred.counter == guard.counter)
    };
    guard.body.iter().any(is_dear)
        || guard.inner.iter().any(|nest| match nest {
            Nest::Guard(guard) => !is_behind(guard) && is_worth_a_branch(guard, plan),
            Nest::Loop(_) => panic!("the plan has no loop in a loop"),
        })
}

fn is_dear(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Write { .. }) || reads_elements(stmt)
}

/// Whether a statement reads elements of arrays at indices.
pub(super) fn reads_elements(stmt: &Stmt) -> bool {
    if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
        return reads(&worker.body);
    }
    matches!(stmt, Stmt::Read { .. })
}

fn reads(block: &Block) -> bool {
    block.steps.iter().any(|step| {
        if let Step::If { then, otherwise, .. } = step {
            return reads(then) || reads(otherwise);
        }
        matches!(step, Step::Index { .. })
    })
}
