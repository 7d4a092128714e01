//! Remainders of a loop's counter by a constant: the steps of a range take several ways by turns, and in each way the
//! remainder is a constant.
//!
//! A generator with a step tests in each step of a loop whether the index is in the grid. A range of unrolled steps tests
//! nothing: where the grid has a step of three and the width is 1, the first of three steps is in the grid and the
//! other two are not.
//!
//! Invariant: the range begins where the remainder is 0, and has whole turns only.
//!
//! ```text
//! t = (i - 1) % 3; c = t < 1; x = if c then … else 0   ⇒   from 1, by turns:   x = …   then   x = 0   then   x = 0
//! ```

use indexmap::IndexMap;

use super::bounds::Sum;
use super::dead;
use super::versions::{Inside, Version};
use crate::ids::VarId;
use crate::ir::cnf::Atom;
use crate::ir::procedure::concrete::{Loop, Plain, Stmt};
use crate::prim::{BinOp, Const, Scalar};
use crate::source::Span;

/// The most ways of a range.
const MAX_WAYS: i64 = 8;

/// The most steps that all ways have together.
const MAX_STEPS: usize = 120;

/// The numbers `i` whose sum with `rest` is a multiple of `by`.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) rest: Sum,
    pub(super) by: i64,
}

/// A remainder that depends on the counter, and its variable in the copy.
pub(super) struct Found {
    grid: Grid,
    place: VarId,
}

/// The way of a range that is being copied.
#[derive(Clone)]
pub(super) struct Turn {
    pub(super) grid: Grid,
    pub(super) number: i64,
}

impl Version<'_> {
    /// The value of a remainder, if the way that is being copied determines it.
    pub(super) fn place(&mut self, op: BinOp, args: [Atom; 2]) -> Option<Atom> {
        let grid = self.turn.as_ref()?.grid.clone();
        let Grid { rest, by } = self.grid_of(op, args).filter(|own| own.by == grid.by)?;
        let apart = rest.plus(-1, &grid.rest).as_constant()?;
        self.bounds.sane(rest);
        Some(Atom::Const(Const::i64(apart.rem_euclid(by))))
    }

    /// Notes a remainder that ways could determine.
    pub(super) fn note_place(&mut self, op: BinOp, args: [Atom; 2], place: VarId, span: Span) {
        if self.found.is_none()
            && self.turn.is_none()
            && let Some(grid) = self.grid_of(op, args)
        {
            self.found = Some(Found { grid, place });
            self.span.get_or_insert(span);
        }
    }

    fn grid_of(&mut self, op: BinOp, [number, by]: [Atom; 2]) -> Option<Grid> {
        let Atom::Const(by) = by else { return None };
        let by = (op == BinOp::Mod && by.ty == Scalar::I64).then_some(by.bits.cast_signed())?;
        let (factor, rest) = self.form(number)?.without(self.counter);
        (factor == 1 && (2..=MAX_WAYS).contains(&by)).then_some(Grid { rest, by })
    }

    /// The ways of a range, which determine the remainder that the copied body needs. Gives nothing if the body needs
    /// none, or if the ways would be too long.
    pub(super) fn ways(&mut self, nest: &Loop<Plain>, body: &[Stmt<Plain>]) -> Option<Vec<Inside>> {
        let Found { grid, place } = self.found.take()?;
        let steps = self.copied * usize::try_from(grid.by).expect("few ways");
        let is_needed = body.iter().any(|stmt| dead::needs(stmt, place, self.vars));
        let is_wanted = is_needed && self.flat && !self.sums_floats(nest);
        if !is_wanted || steps > MAX_STEPS {
            return None;
        }
        let copied = self.copied;
        self.gains = true;
        self.bounds = super::bounds::Bounds::default();
        self.bounds.turns(grid.clone());
        let ways = (0..grid.by).map(|number| {
            self.turn = Some(Turn { grid: grid.clone(), number });
            self.names = IndexMap::new();
            self.narrowed.clear();
            self.inside.clear();
            let here = Sum::symbol(self.counter).shifted(number);
            self.forms = IndexMap::from([(self.counter, here)]);
            self.inside(nest)
        });
        let ways = ways.collect();
        self.copied = copied;
        Some(ways)
    }

    /// Whether the loop sums floats: a loop in vectors adds several at a time, and a range with ways does not run in vectors.
    fn sums_floats(&self, nest: &Loop<Plain>) -> bool {
        nest.body.iter().any(|stmt| match stmt {
            Stmt::Update { accs, worker, .. } => worker.params[..accs.len()]
                .iter()
                .any(|&acc| matches!(self.vars[acc].ty.scalars(), Scalar::F32 | Scalar::F64)),
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Apply { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Reserve { .. }
            | Stmt::Write { .. } => false,
        })
    }
}
