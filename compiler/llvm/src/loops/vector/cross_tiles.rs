//! A `cross` that is folded: some elements of the left array at once against vectors of the right one.
//!
//! LLVM runs the inner loop in vectors, but loads the right array anew for each element of the left one, and
//! combines the lanes at the end of each inner loop. Here the parts of a step are elements of the left array,
//! the same in all lanes; a load of the right one is for all of them, and the accumulators stay vectors
//! from the first pair to the last.
//!
//! Invariant: nothing in the loops can fail, and the order of the pairs does not matter; the legality check has found
//! this. The right array has at least as many elements as a vector has lanes: the last vector of each inner loop ends
//! where the array does, and lanes that the vector before has already covered are masked.
//!
//! ```text
//! for i in steps of 4       x0, x1, x2, x3 = xs[i], …, xs[i + 3], each in all lanes
//!   for j in steps of 8       y = load <8 x f64> at j;  s0 = min(s0, f(x0, y)); …; s3 = min(s3, f(x3, y))
//!   the rest of the row       y = load <8 x f64> at m - 8, under a mask
//! ```

use arrc_loops::concrete::{Loop, Nest, Stmt};
use inkwell::IntPredicate;
use inkwell::values::{IntValue, VectorValue};

use super::lanes::Lanes;
use super::state::phis;
use super::vector_loop::VectorLoop;
use crate::loops::pass::Steps;
use crate::unit::built;
use crate::value::LoweredValue;

/// The loop in a loop.
pub(super) fn inner<'p>(run: Steps<'_, 'p>) -> Option<&'p Loop> {
    run.inner.iter().find_map(|nest| match nest {
        Nest::Loop(inner) => Some(inner),
        Nest::Guard(_) => None,
    })
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// The outer loop, up to step `end`, and the accumulators after it. Returns the first step that is left.
    pub(super) fn tiles(
        &mut self,
        run: Steps<'ctx, 'p>,
        inner: &'p Loop,
        end: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        let mut first = self.first_state();
        let length = self.pass.length(&inner.length);
        let code = &self.pass.body.code;
        let (rows, done) = (code.block("tile"), code.block("tile.done"));
        let enter = code.current_block();
        code.jump(rows);
        code.b.position_at_end(rows);
        let counter = built(code.b.build_phi(code.types.i64, "i"));
        counter.add_incoming(&[(&run.from, enter)]);
        let row = counter.as_basic_value().into_int_value();
        let mut state = first.clone();
        let accs = phis(&self.pass.body.code, &mut state, [(&mut first, enter)]);
        self.state = state;
        self.left(run.body, row);
        self.against_all(inner, length);
        let code = &self.pass.body.code;
        let next = code.add_index(row, code.size(u64::from(self.plan.parts)));
        let latch = code.current_block();
        counter.add_incoming(&[(&next, latch)]);
        let mut last = self.state.clone();
        for (phi, value) in accs.iter().zip(last.values()) {
            phi.add_incoming(&[(value, latch)]);
        }
        let more = code.compare(IntPredicate::ULT, next, end);
        code.branch(more, rows, done);
        code.b.position_at_end(done);
        self.finish(&last);
        end
    }

    /// The statements that run once for each element of the left array: each part has one.
    fn left(&mut self, body: &'p [Stmt], first: IntValue<'ctx>) {
        for part in 0..self.plan.parts as usize {
            self.part = part;
            let code = &self.pass.body.code;
            let at = code.add_index(first, code.size(part as u64));
            for stmt in body {
                #[allow(clippy::wildcard_enum_match_arm, reason = "a plan is checked")]
                match stmt {
                    Stmt::Next { elem, array, .. } => {
                        let LoweredValue::Scalar(value) = self.pass.body.read(*array, at) else {
                            panic!("the plan has elements that are scalars")
                        };
                        self.bind(*elem, Lanes::Same(value));
                    }
                    Stmt::Position { elem, .. } => self.bind(*elem, Lanes::Same(at.into())),
                    Stmt::Copy { .. } | Stmt::Apply { .. } => self.stmt_where(stmt, None),
                    _ => panic!("the plan has no such statement: {stmt:?}"),
                }
            }
        }
    }

    /// The inner loop, in whole vectors, and its remaining steps.
    fn against_all(&mut self, inner: &'p Loop, length: IntValue<'ctx>) {
        let code = &self.pass.body.code;
        let lanes = u64::from(self.plan.lanes);
        let mask = code.types.i64.const_int(!(lanes - 1), false);
        let whole = built(code.b.build_and(length, mask, ""));
        let [row, rest, next] = ["row", "row.rest", "row.next"].map(|name| code.block(name));
        let enter = code.current_block();
        code.jump(row);
        code.b.position_at_end(row);
        let counter = built(code.b.build_phi(code.types.i64, "j"));
        counter.add_incoming(&[(&code.size(0), enter)]);
        let at = counter.as_basic_value().into_int_value();
        let (mut first, mut state) = (self.state.clone(), self.state.clone());
        let accs = phis(&self.pass.body.code, &mut state, [(&mut first, enter)]);
        self.state = state;
        self.right(inner, at, None);
        let code = &self.pass.body.code;
        let after = code.add_index(at, code.size(lanes));
        let latch = code.current_block();
        counter.add_incoming(&[(&after, latch)]);
        let mut last = self.state.clone();
        for (phi, value) in accs.iter().zip(last.values()) {
            phi.add_incoming(&[(value, latch)]);
        }
        let more = code.compare(IntPredicate::ULT, after, whole);
        let end = code.block("row.end");
        code.branch(more, row, end);
        code.b.position_at_end(end);
        let is_whole = code.compare(IntPredicate::EQ, whole, length);
        code.branch(is_whole, next, rest);
        code.b.position_at_end(rest);
        let flags = self.not_yet(length, whole);
        let code = &self.pass.body.code;
        let at = built(code.b.build_int_sub(length, code.size(lanes), ""));
        self.right(inner, at, Some(flags));
        let code = &self.pass.body.code;
        let from = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let mut rest = self.state.clone();
        let mut state = last.clone();
        phis(&self.pass.body.code, &mut state, [(&mut last, end), (&mut rest, from)]);
        self.state = state;
    }

    /// Flags for the lanes of a row's last vector that no whole vector has covered.
    fn not_yet(&self, length: IntValue<'ctx>, whole: IntValue<'ctx>) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        let lanes = code.size(u64::from(self.plan.lanes));
        let rest = built(code.b.build_int_sub(length, whole, ""));
        let before = built(code.b.build_int_sub(lanes, rest, ""));
        let before = code.splat(before.into(), self.plan.lanes);
        code.lanes_compare(IntPredicate::UGE, code.count_up(self.plan.lanes), before)
    }

    /// One vector of the right array against each part, where the flags hold.
    fn right(&mut self, inner: &'p Loop, at: IntValue<'ctx>, flags: Option<VectorValue<'ctx>>) {
        self.all_at(at);
        for part in 0..self.plan.parts as usize {
            self.part = part;
            for stmt in &inner.body {
                self.stmt_where(stmt, flags);
            }
        }
    }
}
