//! The loop over vectors: its counter, its accumulators, and its exits.
//!
//! Invariant: the loop runs at least once. It ends with the state of the last vector of steps in which no lane would
//! fail.
//!
//! ```text
//! vector: i = phi from, i + 16; s = phi …; … branch i + 16 < end, vector, done
//! ```

use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::state::phis;
use super::vector_loop::{SideExit, VectorLoop};
use crate::emit;
use crate::loops::pass::Steps;
use crate::unit::built;

/// What becomes of the accumulators of several vectors after a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterLoop {
    /// They are combined: the rest has one vector in a step. So rows with no whole step do not combine them.
    Join,
    /// They stay.
    Keep,
}

/// The loop over vectors, if there is a step to make.
pub(super) fn vector_loop_if_any<'ctx, 'p>(
    vectors: &mut VectorLoop<'_, '_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    end: IntValue<'ctx>,
    then: AfterLoop,
) -> IntValue<'ctx> {
    let code = &vectors.pass.body.code;
    let [some, next] = ["vector.some", "vector.rest"].map(|name| code.block(name));
    let before = code.current_block();
    code.branch(code.compare(IntPredicate::NE, run.from, end), some, next);
    code.b.position_at_end(some);
    let mut none = vectors.state.clone();
    let made = vector_loop(vectors, run, end);
    if then == AfterLoop::Join {
        vectors.join_parts();
        vectors.drop_parts(&mut none);
    }
    let code = &vectors.pass.body.code;
    let after = code.current_block();
    code.jump(next);
    code.b.position_at_end(next);
    let mut last = vectors.state.clone();
    vectors.meet([(&mut none, before), (&mut last, after)]);
    let phi = built(vectors.pass.body.code.b.build_phi(made.get_type(), "made"));
    phi.add_incoming(&[(&run.from, before), (&made, after)]);
    phi.as_basic_value().into_int_value()
}

/// The loop over vectors up to step `end`, which runs at least once. Returns the first step that is left. If steps may
/// be repeated, the last vector ends with the last step, and overlaps the vector before.
pub(super) fn vector_loop<'ctx, 'p>(
    vectors: &mut VectorLoop<'_, '_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    end: IntValue<'ctx>,
) -> IntValue<'ctx> {
    let mut first = vectors.state.clone();
    let code = &vectors.pass.body.code;
    let name = if vectors.plan.parts == 1 { "vector.single" } else { "vector" };
    let (header, done) = (code.block(name), code.block("vector.done"));
    let enter = code.current_block();
    code.jump(header);
    code.b.position_at_end(header);
    let counter = built(code.b.build_phi(code.types.i64, "i"));
    counter.add_incoming(&[(&run.from, enter)]);
    let at = counter.as_basic_value().into_int_value();
    let mut state = first.clone();
    let begun = phis(&vectors.pass.body.code, &mut state, [(&mut first, enter)]);
    let mut begin = state.clone();
    vectors.state = state;
    let around = vectors.exit.replace(SideExit { to: done, from: Vec::new() });
    let repeats = vectors.may_repeat(run);
    let end = if repeats { run.to } else { end };
    if repeats {
        vectors.ends_with(run, at);
    } else {
        vectors.all_parts(run, at);
    }
    let mut left = vectors.leave_if_bad(done).into_iter().collect::<Vec<_>>();
    let exit = std::mem::replace(&mut vectors.exit, around);
    left.extend(exit.into_iter().flat_map(|exit| exit.from));
    let code = &vectors.pass.body.code;
    let step = code.size(u64::from(vectors.plan.steps(vectors.plan.parts)));
    let next = code.add_index(at, step);
    let latch = code.current_block();
    counter.add_incoming(&[(&next, latch)]);
    let mut last = vectors.state.clone();
    for (phi, value) in begun.iter().zip(last.values()) {
        phi.add_incoming(&[(value, latch)]);
    }
    let more = code.compare(IntPredicate::ULT, next, end);
    let back = built(code.b.build_conditional_branch(more, header, done));
    // The plan decides how many vectors an iteration makes. Rows are often shorter than what LLVM would unroll to.
    emit::loop_metadata::keep_rolled(code.unit.context, back);
    code.b.position_at_end(done);
    let made = built(code.b.build_phi(code.types.i64, "made"));
    made.add_incoming(&[(if repeats { &end } else { &next }, latch)]);
    let mut result = last.clone();
    let found = phis(&vectors.pass.body.code, &mut result, [(&mut last, latch)]);
    for left in left {
        made.add_incoming(&[(&at, left)]);
        for (phi, value) in found.iter().zip(begin.values()) {
            phi.add_incoming(&[(value, left)]);
        }
    }
    vectors.state = result;
    made.as_basic_value().into_int_value()
}
