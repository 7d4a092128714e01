//! Remainders of a loop's counter: the steps of a range take several variants cyclically, and each variant knows the
//! remainder, or the result of its comparisons.
//!
//! A generator with a step tests in each step of a loop whether the index is in the grid. The steps of a range with
//! variants do not test it. If the grid has a small constant step, each step of a period has a variant of its own, so
//! the range is unrolled. If the step is large, or known only at run time, each variant is a loop: where the step is s
//! and the width w, w steps are in the grid and the next s - w are not.
//!
//! Invariant: a range with variants of one step each begins where the remainder is 0, and has whole periods only. Any
//! other range says where its first period begins.
//!
//! ```text
//! t = (i - 1) % 3; c = t < 1; x = if c then … else 0   ⇒   from 1, by turns:   x = …   then   x = 0   then   x = 0
//! t = (i - 1) % s; c = t < w; x = if c then … else 0   ⇒   turns of w, s - w from 1:   x = …   then   x = 0
//! ```

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::bounds::Bounds;
use super::version_state::{CopiedBody, Version};
use crate::concrete::{Loop, Plain, Stmt};
use crate::ranges::split::dead_scalars;
use crate::ranges::split::grids::{CurrentVariant, Grid, RemainderTest, Remainders};
use crate::ranges::sums::Sum;
use arrc_fusion::cnf::{Atom, Type};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The most steps of a period that are variants of their own. `scripts/bench space_grid_f64` has a period of 3, which
/// is unrolled, and `scripts/bench space_bands_f64` one of 16. The first takes 1.08 of the time of C at 32,768 steps
/// (other work on the machine), the second 0.94 with AVX2 and 1.6 with AVX-512. The limit was not measured by itself.
const MAX_STEPS_OF_PERIOD: i64 = 8;

/// The most variants of a range. It bounds the size of the code. No benchmark shows it alone.
const MAX_VARIANTS: usize = 8;

/// The most steps of blocks that all variants have together if each of them is one step of a period. It bounds the size
/// of the code: `scripts/bench compile 'with-loop with steps'` shows the time of the compiler.
const MAX_STEPS: usize = 120;

/// The most steps of blocks that all variants have together if they are loops. It bounds the size of the code:
/// `scripts/bench compile 'with-loop with steps'` shows the time of the compiler.
const MAX_STEPS_OF_LOOPS: usize = 240;

/// The largest power of two whose remainders are tested in a loop that sums floats. LLVM makes them masks of vectors
/// that add several floats at a time, and short variants add one float after the other. No benchmark shows it alone.
const MAX_MASKED: i64 = 64;

/// The largest constant step of a grid.
const MAX_STEP: i64 = 1 << 60;

/// The ends of the variants that decide the comparisons, as remainders by the first grid: from 0 to the number of steps
/// of a period. Gives nothing if they are too many.
fn variant_ends(tests: &[RemainderTest]) -> Option<(Grid, Vec<Sum>)> {
    let first = tests.first()?;
    let grid = first.grid.clone();
    let mut ends = vec![Sum::constant(0)];
    match grid.by.as_constant() {
        Some(by) if first.with.as_constant().is_some() => {
            let inside =
                tests.iter().filter_map(|test| Some((test, test.grid.remainder_distance(&grid)?)));
            let edges = inside.flat_map(|(test, apart)| {
                let edges = test.edges().into_iter().filter_map(|edge| edge.as_constant());
                let edges = edges.filter(|edge| (0..by).contains(edge)).chain([0]);
                edges.map(move |edge| (edge - apart).rem_euclid(by))
            });
            let edges: BTreeSet<i64> = edges.filter(|&edge| edge > 0).collect();
            ends.extend(edges.into_iter().map(Sum::constant));
        }
        Some(_) | None => ends.extend(first.edges()),
    }
    ends.push(grid.by.clone());
    ends.dedup();
    (ends.len() <= MAX_VARIANTS + 1).then_some((grid, ends))
}

impl Version<'_> {
    /// The value of a remainder, if the variant that is being copied determines it.
    pub(super) fn remainder_value(&mut self, op: BinOp, args: [Atom; 2]) -> Option<Atom> {
        let Some(CurrentVariant::Step(grid, _)) = self.current_variant.clone() else { return None };
        let Grid { rest, by } = self.grid_of(op, args).filter(|own| own.by == grid.by)?;
        let apart = rest.plus(-1, &grid.rest).as_constant()?;
        let place = apart.rem_euclid(by.as_constant()?);
        self.bounds.require_sane(rest);
        Some(Atom::Const(Const::i64(place)))
    }

    /// The outcome of a comparison of a remainder, if the variant that is being copied determines it.
    pub(super) fn decided_test(&mut self, op: BinOp, args: [Atom; 2]) -> Option<bool> {
        let Some(CurrentVariant::Loop(grid, [from, to])) = self.current_variant.clone() else {
            return None;
        };
        let test = self.test_of(op, args)?;
        let apart = test.grid.remainder_distance(&grid)?;
        let from_here = match grid.by.as_constant() {
            Some(by) if apart != 0 => {
                let from_here = from.as_constant()?.checked_add(apart)?.rem_euclid(by);
                Sum::constant(from_here)
            }
            Some(_) | None => from.clone(),
        };
        let to_here = to.plus(-1, &from).plus(1, &from_here);
        let holds = test.holds(&[from_here, to_here])?;
        self.bounds.require_sane(test.grid.rest);
        Some(holds)
    }

    /// Notes a remainder, whose variable in the copy is `new`.
    pub(super) fn note_place(
        &mut self,
        (op, args): (BinOp, [Atom; 2]),
        [var, new]: [VarId; 2],
        span: Span,
    ) {
        let by = if op == BinOp::Mod { self.form(args[1]) } else { None };
        if let Some(CurrentVariant::Loop(grid, _)) = &self.current_variant
            && by.is_some_and(|by| by == grid.by)
        {
            self.grids.total.insert(new);
        }
        let Some(grid) = self.grid_of(op, args) else { return };
        if self.current_variant.is_none()
            && grid.by.as_constant().is_some_and(|by| by <= MAX_STEPS_OF_PERIOD)
        {
            self.grids.small.push((grid.clone(), new));
            self.span.get_or_insert(span);
        }
        self.grids.known.insert(var, grid);
    }

    /// Notes a comparison that variants could decide.
    pub(super) fn note_test(&mut self, op: BinOp, args: [Atom; 2], span: Span) {
        if self.current_variant.is_none()
            && let Some(test) = self.test_of(op, args)
        {
            self.grids.tests.push(test);
            self.span.get_or_insert(span);
        }
    }

    fn grid_of(&mut self, op: BinOp, [number, by]: [Atom; 2]) -> Option<Grid> {
        if op != BinOp::Mod || by.ty(self.vars) != Type::Scalar(Scalar::I64) {
            return None;
        }
        let (factor, rest) = self.form(number)?.without(self.counter);
        let (moves, by) = self.form(by)?.without(self.counter);
        let is_step = by.as_constant().is_none_or(|by| (2..=MAX_STEP).contains(&by));
        (factor == 1 && moves == 0 && is_step).then_some(Grid { rest, by })
    }

    fn test_of(&mut self, op: BinOp, [left, right]: [Atom; 2]) -> Option<RemainderTest> {
        let place = |atom| match atom {
            Atom::Var(var) => self.grids.known.get(&var),
            Atom::Const(_) => None,
        };
        let (grid, op, with) = match (place(left), place(right)) {
            (Some(grid), None) => (grid.clone(), op, right),
            (None, Some(grid)) => (grid.clone(), op.mirrored(), left),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let (moves, with) = self.form(with)?.without(self.counter);
        (op.is_comparison() && moves == 0).then_some(RemainderTest { grid, op, with })
    }

    /// The variants of a range that decide the remainders which the copied body needs. Gives nothing if the body needs
    /// none, or if the variants would be too long.
    pub(super) fn variants(
        &mut self,
        nest: &Loop<Plain>,
        body: &[Stmt<Plain>],
    ) -> Option<Vec<CopiedBody>> {
        let Remainders { small, tests, .. } = std::mem::take(&mut self.grids);
        if !self.flat {
            return None;
        }
        let copied = self.copied;
        let sums_floats = self.sums_floats(nest);
        let needed = |&(_, place): &(Grid, VarId)| {
            body.iter().any(|stmt| dead_scalars::needs(stmt, place, self.vars))
        };
        let small = if sums_floats { None } else { small.into_iter().find(needed) };
        let steps = small.and_then(|(grid, _)| self.unrolled_variants(grid, nest));
        let is_masked = |test: &RemainderTest| {
            let by = test.grid.by.as_constant();
            by.is_some_and(|by| by <= MAX_MASKED && by.count_ones() == 1)
        };
        let variants = steps.or_else(|| {
            let is_masked = sums_floats && tests.iter().all(is_masked);
            if is_masked { None } else { self.loop_variants(&tests, nest) }
        });
        self.copied = copied;
        variants
    }

    /// The variants that are one step of a period each.
    fn unrolled_variants(&mut self, grid: Grid, nest: &Loop<Plain>) -> Option<Vec<CopiedBody>> {
        let by = grid.by.as_constant()?;
        let steps = self.copied * usize::try_from(by).expect("few ways");
        if steps > MAX_STEPS {
            return None;
        }
        let mut bounds = Bounds::default();
        bounds.require_whole_periods(grid.clone());
        self.begin_variants(bounds);
        Some(
            (0..by)
                .map(|number| self.copy_variant(CurrentVariant::Step(grid.clone(), number), nest))
                .collect(),
        )
    }

    /// The variants that are loops.
    fn loop_variants(
        &mut self,
        tests: &[RemainderTest],
        nest: &Loop<Plain>,
    ) -> Option<Vec<CopiedBody>> {
        let (grid, ends) = variant_ends(tests)?;
        if self.copied * (ends.len() - 1) > MAX_STEPS_OF_LOOPS {
            return None;
        }
        let mut bounds = Bounds::default();
        bounds.require_period_order(grid.clone(), ends.clone());
        self.begin_variants(bounds);
        let variants = ends.windows(2).map(|ends| {
            let places = [ends[0].clone(), ends[1].clone()];
            self.copy_variant(CurrentVariant::Loop(grid.clone(), places), nest)
        });
        Some(variants.collect())
    }

    fn begin_variants(&mut self, bounds: Bounds) {
        self.gains = true;
        self.bounds = bounds;
    }

    /// A copy for a variant.
    fn copy_variant(&mut self, current_variant: CurrentVariant, nest: &Loop<Plain>) -> CopiedBody {
        let here = Sum::symbol(self.counter).shifted(current_variant.offset_in_period());
        self.current_variant = Some(current_variant);
        self.grids = Remainders::default();
        self.names = IndexMap::new();
        self.narrowed.clear();
        self.inside.clear();
        self.forms = IndexMap::from([(self.counter, here)]);
        self.inside(nest)
    }

    /// Whether the loop sums floats: a loop in vectors adds several at a time, and a range that is unrolled does not
    /// run in vectors.
    fn sums_floats(&self, nest: &Loop<Plain>) -> bool {
        let is_float =
            |acc: &VarId| matches!(self.vars[*acc].ty.scalars(), Scalar::F32 | Scalar::F64);
        nest.body.iter().flat_map(Stmt::carried).any(is_float)
    }
}
