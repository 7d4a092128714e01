//! Inner loops with a small bounded trip count, as lanes: the parts of a `flatmap`.
//!
//! Each step of the pass has as many lanes as its loop has steps at most, or the next power of two. An element that is
//! read once for the step is in all of its lanes. Lanes beyond the loop's length are masked, as by a guard. So the
//! parts of several steps are moved together, and are stored as one vector.
//!
//! Invariant: a lane beyond the length has no effect; the lanes are in the order of the steps.
//!
//! ```text
//! x = nextI i xs                        x = a a a a b b b b c c c c d d d d of four elements
//! k = f x                        ⇒      j = 0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3
//! loopI (j) k at most 3                 p = j < f x
//!   guardI (l) c with true              guard (l) c with p
//!     writeVecI l ys (x + j)              kept lanes of x + j, stored at l
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Length, Loop, Nest};
use inkwell::IntPredicate;
use inkwell::values::VectorValue;

use super::lanes::Lanes;
use super::state::KeptLanes;
use super::vector_loop::VectorLoop;
use crate::loops::pass::Steps;

/// The fewest steps that a vector covers: for fewer, one store a step is faster. `scripts/bench flatmap_i32` covers
/// four steps with AVX-512: 0.7 of the time of one store a step in the cache.
pub(super) const LEAST: u32 = 4;

/// The inner loop with a small bounded trip count, if the steps of the pass contain no other nest, and only its trip
/// count decides how many elements it stores.
pub(super) fn inner<'p>(run: Steps<'_, 'p>) -> Option<&'p Loop> {
    let [Nest::Loop(inner)] = run.inner else { return None };
    let [Nest::Guard(part)] = inner.inner.as_slice() else { return None };
    let only = inner.body.is_empty() && inner.release.is_empty() && inner.ranges.is_empty();
    let counts = matches!(part.flag, Atom::Const(flag) if flag.bits == 1);
    let is_few = inner.most.is_some() && matches!(inner.length, Length::Value(_));
    (only && counts && is_few).then_some(inner)
}

/// The lanes that each step has for a loop.
pub(super) fn lanes_of(inner: &Loop) -> u32 {
    inner.most.expect("the loop has few steps").next_power_of_two()
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// Repeats the value of each step in all its lanes.
    pub(super) fn repeat_in_lanes(&self, steps: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let (lanes, spread) = (self.plan.lanes, self.plan.facts.spread());
        if spread == 1 {
            return steps;
        }
        self.pass.body.code.shuffle(steps, steps, (0..lanes).map(|lane| lane / spread))
    }

    /// All steps of a loop, in lanes.
    pub(super) fn inner_loop(&mut self, inner: &'p Loop) {
        let Length::Value(length) = inner.length else {
            panic!("the plan has a length that is a number")
        };
        let kept: Vec<_> = (0..self.plan.parts as usize)
            .map(|part| {
                self.part = part;
                let code = &self.pass.body.code;
                let step = code.lanes_of(self.plan.lanes, |lane| lane % self.plan.facts.spread());
                let flags = code.lanes_compare(IntPredicate::SLT, step, self.each(length));
                let bits = code.wide_bits(flags);
                self.bind(inner.counter, Lanes::Each(step));
                KeptLanes { flags, bits, position: self.step_at(), index: None }
            })
            .collect();
        self.inside(&[], &inner.inner, Some(&kept));
    }
}
