//! Properties of a fold's operator.
//!
//! Invariant: an answer here follows from the worker's code alone, and holds for all arguments.
//!
//! ```text
//! \l.0 l.1 r.0 r.1 -> if l.1 > r.1 then l else r     chooses
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Block, Step, Worker};
use arrc_syntax::ids::VarId;

/// Whether the result is always all of the accumulators, or all of the elements.
///
/// An associative operator with this property orders its arguments and takes the greatest. Among equal arguments it
/// takes always the first, or always the last. So the choices from two groups of elements can be combined by the
/// operator, if the choice that comes first is the first argument.
pub(in crate::loops) fn chooses(worker: &Worker, count: usize) -> bool {
    worker.params.len() == 2 * count && chooses_in(&worker.body, worker.params.split_at(count))
}

fn chooses_in(block: &Block, (left, right): (&[VarId], &[VarId])) -> bool {
    match choice(block, (left, right)) {
        Some(Choice::Left | Choice::Right) => true,
        Some(Choice::If { then, otherwise, .. }) => {
            chooses_in(then, (left, right)) && chooses_in(otherwise, (left, right))
        }
        None => false,
    }
}

/// How a block of such an operator chooses.
#[derive(Clone, Copy, Debug)]
pub(in crate::loops) enum Choice<'p> {
    /// It yields the accumulators.
    Left,
    /// It yields the elements.
    Right,
    /// It yields the results of its last step, an `if`.
    If {
        /// The condition.
        cond: Atom,
        /// If it holds.
        then: &'p Block,
        /// If it does not.
        otherwise: &'p Block,
    },
}

/// How a block chooses, if it does.
pub(in crate::loops) fn choice<'p>(
    block: &'p Block,
    (left, right): (&[VarId], &[VarId]),
) -> Option<Choice<'p>> {
    let yields = |vars: &[VarId]| {
        let same = |(result, &var): (&Atom, &VarId)| *result == Atom::Var(var);
        block.results.len() == vars.len() && block.results.iter().zip(vars).all(same)
    };
    if yields(left) {
        return Some(Choice::Left);
    }
    if yields(right) {
        return Some(Choice::Right);
    }
    match block.steps.last() {
        Some(Step::If { vars, cond, then, otherwise, .. }) if yields(vars) => {
            Some(Choice::If { cond: *cond, then, otherwise })
        }
        Some(_) | None => None,
    }
}
