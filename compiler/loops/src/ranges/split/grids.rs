//! Grids of a loop's counter: the steps at which the counter plus a number is a multiple of another number, and the
//! remainders at the other steps.
//!
//! Invariant: the numbers of a grid are known before the loop. A comparison of a remainder changes its outcome at few
//! remainders, its edges.
//!
//! ```text
//! (i - 1) % 3 < 1      grid: rest -1, by 3      edge: 1
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::ranges::sums::Sum;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::BinOp;

/// The numbers `i` whose sum with `rest` is a multiple of `by`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Grid {
    pub(super) rest: Sum,
    pub(super) by: Sum,
}

impl Grid {
    /// The number of steps of a period that has a variant for each of them.
    pub(super) fn steps(&self) -> i64 {
        self.by.as_constant().expect("such turns have a constant number of steps")
    }

    /// The remainder by this grid where the remainder by another one is 0, if it is always the same.
    pub(super) fn remainder_distance(&self, from: &Self) -> Option<i64> {
        if self == from {
            return Some(0);
        }
        let apart = self.rest.plus(-1, &from.rest).as_constant()?;
        let by = self.by.as_constant().filter(|_| self.by == from.by)?;
        Some(apart.rem_euclid(by))
    }
}

/// A comparison of a remainder with a number that is known before the loop.
#[derive(Clone)]
pub(super) struct RemainderTest {
    pub(super) grid: Grid,
    pub(super) op: BinOp,
    pub(super) with: Sum,
}

impl RemainderTest {
    /// The remainders at which the outcome changes.
    pub(super) fn edges(&self) -> Vec<Sum> {
        let [at, next] = [0, 1].map(|by| self.with.shifted(by));
        if matches!(self.op, BinOp::Lt | BinOp::Ge) {
            vec![at]
        } else if matches!(self.op, BinOp::Le | BinOp::Gt) {
            vec![next]
        } else {
            vec![at, next]
        }
    }

    /// The outcome where the remainder is between these two, if it is the same for all of them.
    pub(super) fn holds(&self, [from, to]: &[Sum; 2]) -> Option<bool> {
        let is_before = |edge: &Sum| {
            let is_none = |sum: Sum| sum.as_constant().is_some_and(|count| count <= 0);
            let (behind, before) = (to.plus(-1, edge), edge.plus(-1, from));
            is_none(behind).then_some(true).or(is_none(before).then_some(false))
        };
        let before = self.edges().iter().map(is_before).collect::<Option<Vec<_>>>()?;
        let is_below = before.last() == Some(&true) && before.iter().filter(|&&is| is).count() == 1;
        Some(is_below != matches!(self.op, BinOp::Ge | BinOp::Gt | BinOp::Ne))
    }
}

/// The remainders of a body that depend on the counter.
#[derive(Default)]
pub(super) struct Remainders {
    /// The grid of each remainder. A remainder is 0 where the counter is in its grid.
    pub(super) known: IndexMap<VarId, Grid>,
    /// The remainders by small numbers, and their variables in the copy. It may need only some of them.
    pub(super) small: Vec<(Grid, VarId)>,
    /// The comparisons of remainders that stay in a copy without variants.
    pub(super) tests: Vec<RemainderTest>,
    /// The variables in the copy of remainders that cannot fail in the steps of the range.
    pub(super) total: IndexSet<VarId>,
}

impl Remainders {
    pub(super) fn total(&self) -> &IndexSet<VarId> {
        &self.total
    }
}

/// The variant of a range that is being copied.
#[derive(Clone)]
pub(super) enum CurrentVariant {
    /// It is one step of a period, in which the counter is this number behind one in the grid.
    Step(Grid, i64),
    /// It is a loop, in which the remainder by the grid is between these two: not below the first, and below the
    /// second.
    Loop(Grid, [Sum; 2]),
}

impl CurrentVariant {
    /// The distance of the counter from the first step of the period. Forms are written in terms of that first step.
    pub(super) fn offset_in_period(&self) -> i64 {
        match self {
            Self::Step(_, number) => *number,
            // Forms are in terms of the counter.
            Self::Loop(..) => 0,
        }
    }
}
