//! Loops with a small bounded trip count, lowered without a branch: the parts of a `flatmap`.
//!
//! All possible steps run, whatever the trip count: the surplus elements are written behind the part,
//! where the next part goes. So there is no branch on an unpredictable trip count, and the stores of the steps become
//! one of a vector.
//!
//! Invariant: a surplus step changes nothing that is read later, writes within the vector's memory or the
//! slack behind it, and cannot fail.
//!
//! ```text
//! loopI (j) k at most 3                 store x + 0, ys[c + 0]; store x + 1, ys[c + 1]
//!   guardI (i) c with true       ⇒      store x + 2, ys[c + 2]; store x + 3, ys[c + 3]
//!     writeVecI i ys (x + j)            c = c + k
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Guard, Loop, Nest, Stmt};
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use crate::loops::pass::Pass;
use crate::loops::scalar::guards;
use crate::unit::built;
use crate::value::LoweredValue;

/// The most operations of all steps together. `scripts/bench flatmap_i32` has parts of up to three elements. Not
/// measured by itself.
const CHEAP: usize = 256;

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// The bound on the trip count of a loop that can be lowered without a branch, and the guard in it.
    pub(in crate::loops) fn bounded_trips<'n>(&self, nest: &'n Loop) -> Option<(u32, &'n Guard)> {
        let (Some(most), [Nest::Guard(part)]) = (nest.most, nest.inner.as_slice()) else {
            return None;
        };
        let counts = matches!(part.flag, Atom::Const(flag) if flag.bits == 1);
        let only = nest.body.is_empty() && nest.release.is_empty() && nest.ranges.is_empty();
        let is_cheap = self.cost_of(part).is_some_and(|cost| cost * most as usize <= CHEAP);
        (counts && only && is_cheap).then_some((most, part))
    }

    /// Lowers all steps of a loop with a small bounded trip count; says whether it could.
    pub(in crate::loops) fn lower_bounded_trips(&mut self, nest: &'p Loop) -> bool {
        let Some((most, part)) = self.bounded_trips(nest) else { return false };
        let length = self.length(&nest.length);
        let base = self.acc(part.counter).into_int_value();
        // Vectors have a power of two of lanes, and behind each vector is slack.
        let stores = part.body.iter().any(|stmt| matches!(stmt, Stmt::Write { .. }));
        let steps = if stores { most.next_power_of_two() } else { most };
        for step in 0..u64::from(steps) {
            let code = &self.body.code;
            let at = code.size(step);
            let flag = code.compare(IntPredicate::SLT, at, length);
            let index = code.add_index(base, at);
            self.body.bind(nest.counter, LoweredValue::Scalar(at.into()));
            self.body.bind_same(part.index, LoweredValue::Scalar(index.into()));
            let is_step = step < u64::from(most);
            for stmt in &part.body {
                if is_step || !matches!(stmt, Stmt::Update { .. }) {
                    self.flat_stmt(stmt, flag);
                }
            }
            if is_step {
                self.flat_guards(&part.inner, flag);
            }
        }
        let code = &self.body.code;
        self.set_acc(part.counter, code.add_index(base, length).into());
        true
    }

    /// Guards in a step that may be surplus.
    fn flat_guards(&mut self, nests: &'p [Nest], step: IntValue<'ctx>) {
        for nest in nests {
            let Nest::Guard(guard) = nest else { panic!("what costs little has no loops") };
            let flag = built(self.body.code.b.build_and(step, self.body.int(guard.flag), ""));
            let index = self.acc(guard.counter);
            self.body.bind_same(guard.index, LoweredValue::Scalar(index));
            for stmt in &guard.body {
                self.flat_stmt(stmt, flag);
            }
            let code = &self.body.code;
            let entered = built(code.b.build_int_z_extend(flag, code.types.i64, ""));
            self.set_acc(guard.counter, code.add_index(index.into_int_value(), entered).into());
            self.flat_guards(&guard.inner, flag);
        }
    }

    /// How many operations a guard has; none if it contains anything that may not run where its flag does not hold.
    fn cost_of(&self, guard: &Guard) -> Option<usize> {
        let (flat, rest) = guards::split(guard, |var| self.body.type_of(var).is_array());
        if !rest.is_empty() || !guard.release.is_empty() {
            return None;
        }
        let own: usize = flat.into_iter().map(guards::cost_of).sum();
        guard.inner.iter().try_fold(own, |sum, nest| match nest {
            Nest::Guard(guard) => Some(sum + self.cost_of(guard)?),
            Nest::Loop(_) => None,
        })
    }
}
