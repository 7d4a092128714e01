//! The bounds of generators: the conditions on an index, and the checks at run time.
//!
//! Invariant: no condition is emitted that the index space implies, and no check that sizes prove.
//!
//! ```text
//! ([1, 0] <= [i, j] < [n, m]) in the space [n, m]   ⇒   1 <= i
//! ```

use super::super::Specialiser;
use super::super::check::number;
use super::super::expected_result::CallSite;
use super::super::value::{Callable, Value};
use super::Axis;
use crate::cnf::{Atom, FoldOrder, Type};
use arrc_front::core::With;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

/// The bounds of a generator: the first index, the index behind the last one, and steps and widths.
pub(super) struct GeneratorBounds {
    pub(super) lower: Vec<Atom>,
    pub(super) upper: Vec<Atom>,
    pub(super) grid: Option<[Vec<Atom>; 2]>,
}

impl GeneratorBounds {
    fn rank(&self) -> usize {
        self.lower.len()
    }

    /// The step and the width in a dimension, unless every index is taken.
    fn grid_at(&self, at: usize) -> Option<(Atom, Atom)> {
        let [step, width] = self.grid.as_ref()?;
        (step[at] != width[at]).then(|| (step[at], width[at]))
    }
}

impl<'a> Specialiser<'a> {
    /// Whether an index of the space belongs to a generator; nothing if every index does.
    pub(super) fn belongs(
        &mut self,
        own: &GeneratorBounds,
        space: &[Axis],
        index: &[Atom],
        span: Span,
    ) -> Option<Atom> {
        let mut all: Option<Atom> = None;
        let mut conditions = Vec::new();
        for (at, axis) in space.iter().enumerate() {
            if axis.stride.is_some() {
                continue;
            }
            if !axis.is_own && !self.is_same(own.lower[at], axis.first) {
                conditions.push((BinOp::Le, own.lower[at], index[at]));
            }
            let is_end = axis.first == number(0) && self.is_same(own.upper[at], axis.size);
            if !axis.is_own && !is_end {
                conditions.push((BinOp::Lt, index[at], own.upper[at]));
            }
            if let Some((step, width)) = own.grid_at(at) {
                let offset = self.build.bin(BinOp::Sub, index[at], own.lower[at], span);
                let place = self.build.bin(BinOp::Mod, offset, step, span);
                conditions.push((BinOp::Lt, place, width));
            }
        }
        for (op, left, right) in conditions {
            let holds = self.build.bin(op, left, right, span);
            all = Some(match all {
                Some(all) => self.and_conditions(all, holds, span),
                None => holds,
            });
        }
        all
    }

    /// Whether two numbers are known to be equal.
    fn is_same(&self, left: Atom, right: Atom) -> bool {
        left == right
            || match (left, right) {
                (Atom::Var(left), Atom::Var(right)) => {
                    let [left, right] = [left, right].map(|var| self.build.extents[var]);
                    left.is_some() && left == right
                }
                (Atom::Var(_) | Atom::Const(_), _) => false,
            }
    }

    /// The index space of folds: the box of the only generator, or the smallest one around all.
    pub(super) fn fold_space(&mut self, all: &[GeneratorBounds], span: Span) -> Vec<Axis> {
        if let [only] = all {
            return (0..only.rank()).map(|at| self.own_axis(only, at, span)).collect();
        }
        let empty: Vec<Atom> = all.iter().map(|own| self.is_empty(own, span)).collect();
        let axis = |at: usize| {
            // An empty generator must not widen the box: its bounds become the largest and the smallest number.
            let mut end = |of: fn(&GeneratorBounds, usize) -> Atom, none: Const, pick: BinOp| {
                let ends = all
                    .iter()
                    .zip(&empty)
                    .map(|(own, &empty)| self.select(empty, none.into(), of(own, at), span));
                let ends: Vec<Atom> = ends.collect();
                let (&first, rest) = ends.split_first().expect("a with-loop has a generator");
                rest.iter().fold(first, |all, &end| self.build.bin(pick, all, end, span))
            };
            let (lowest, highest) = (Const::lowest(Scalar::I64), Const::highest(Scalar::I64));
            let first = end(|own, at| own.lower[at], highest, BinOp::Min);
            let behind = end(|own, at| own.upper[at], lowest, BinOp::Max);
            let is_some = self.build.bin(BinOp::Lt, first, behind, span);
            let length = self.build.bin(BinOp::Sub, behind, first, span);
            let size = self.select(is_some, length, number(0), span);
            Axis { first, stride: None, size, extent: None, is_own: false }
        };
        (0..all[0].rank()).map(axis).collect()
    }

    /// The axis of a generator's dimension. A grid of width 1 has only the indices of the grid.
    fn own_axis(&mut self, own: &GeneratorBounds, at: usize, span: Span) -> Axis {
        let (first, length) = (own.lower[at], self.length_at(own, at, span));
        match own.grid_at(at) {
            Some((stride, width)) if width == number(1) => {
                let whole = self.build.bin(BinOp::Div, length, stride, span);
                let rest = self.build.bin(BinOp::Mod, length, stride, span);
                let more = self.build.bin(BinOp::Min, rest, number(1), span);
                let size = self.build.bin(BinOp::Add, whole, more, span);
                Axis { first, stride: Some(stride), size, extent: None, is_own: true }
            }
            Some(_) | None => {
                Axis { first, stride: None, size: length, extent: None, is_own: true }
            }
        }
    }

    /// How many numbers there are between the bounds.
    pub(super) fn length_at(&mut self, own: &GeneratorBounds, at: usize, span: Span) -> Atom {
        let (lower, upper) = (own.lower[at], own.upper[at]);
        if lower == number(0) && self.build.bits(upper).is_some() {
            return upper;
        }
        let length = self.build.bin(BinOp::Sub, upper, lower, span);
        self.build.bin(BinOp::Max, length, number(0), span)
    }

    /// Whether a generator has no index.
    fn is_empty(&mut self, own: &GeneratorBounds, span: Span) -> Atom {
        let mut any = Const::bool(false).into();
        for (&lower, &upper) in own.lower.iter().zip(&own.upper) {
            let is_empty = self.build.bin(BinOp::Ge, lower, upper, span);
            any = self.or_conditions(any, is_empty, span);
        }
        any
    }

    /// Emits the checks that sizes do not prove: steps and widths, then that the generators lie in the shape, do not
    /// overlap and, if there is no default, cover the shape.
    pub(super) fn check_generators(
        &mut self,
        data: &With,
        all: &[GeneratorBounds],
        (shape, lacks_default): (Option<&[Atom]>, bool),
        span: Span,
    ) {
        let places = || data.generators.iter().map(|generator| generator.span);
        for (own, span) in all.iter().zip(places()) {
            self.check_grid(own, span);
        }
        for ((own, generator), span) in all.iter().zip(&data.generators).zip(places()) {
            if let Some(shape) = shape
                && !generator.is_inside
            {
                self.check_inside((own, generator.is_inclusive), shape, span);
            }
        }
        for &(first, second) in &data.may_overlap {
            let span = data.generators[second].span;
            let overlap = self.overlap(&all[first], &all[second], span);
            let apart = self.build.un(UnOp::Not, overlap, span);
            self.check(apart, Failure::generators_overlap(first + 1), span);
        }
        if let Some(shape) = shape.filter(|_| lacks_default) {
            self.check_whole(all, shape, span);
        }
    }

    fn check_grid(&mut self, own: &GeneratorBounds, span: Span) {
        let Some([steps, widths]) = &own.grid else { return };
        for (&step, &width) in steps.iter().zip(widths) {
            let is_positive = self.build.bin(BinOp::Ge, step, number(1), span);
            self.check(is_positive, Failure::generator_step(step), span);
            let is_some = self.build.bin(BinOp::Ge, width, number(1), span);
            let fits = self.build.bin(BinOp::Le, width, step, span);
            let holds = self.and_conditions(is_some, fits, span);
            self.check(holds, Failure::generator_width(width, step), span);
        }
    }

    fn check_inside(
        &mut self,
        (own, is_inclusive): (&GeneratorBounds, bool),
        shape: &[Atom],
        span: Span,
    ) {
        let mut inside = Const::bool(true).into();
        for (at, &size) in shape.iter().enumerate() {
            let begins = self.build.bin(BinOp::Ge, own.lower[at], number(0), span);
            let ends = self.build.bin(BinOp::Le, own.upper[at], size, span);
            inside = self.and_conditions(inside, begins, span);
            inside = self.and_conditions(inside, ends, span);
        }
        let empty = self.is_empty(own, span);
        let mut holds = self.or_conditions(empty, inside, span);
        for &upper in own.upper.iter().filter(|_| is_inclusive) {
            let lowest = Const::lowest(Scalar::I64);
            let has_number = self.build.bin(BinOp::Ne, upper, lowest.into(), span);
            holds = self.and_conditions(holds, has_number, span);
        }
        let bounds = [own.lower.clone(), own.upper.clone()];
        self.check(holds, Failure::generator_outside(bounds, shape.to_vec()), span);
    }

    /// Whether some index is in both generators.
    fn overlap(&mut self, first: &GeneratorBounds, second: &GeneratorBounds, span: Span) -> Atom {
        let mut all = Const::bool(true).into();
        for at in 0..first.rank() {
            let low = self.build.bin(BinOp::Max, first.lower[at], second.lower[at], span);
            let high = self.build.bin(BinOp::Min, first.upper[at], second.upper[at], span);
            let meet = if first.grid_at(at).or(second.grid_at(at)).is_some() {
                self.grids_meet([first, second], at, (low, high), span)
            } else {
                self.build.bin(BinOp::Lt, low, high, span)
            };
            all = self.and_conditions(all, meet, span);
        }
        all
    }

    /// Whether some number from `low` to below `high` is in both grids.
    fn grids_meet(
        &mut self,
        both: [&GeneratorBounds; 2],
        at: usize,
        (low, high): (Atom, Atom),
        span: Span,
    ) -> Atom {
        let length = self.build.bin(BinOp::Sub, high, low, span);
        let length = self.build.bin(BinOp::Max, length, number(0), span);
        self.build.open();
        let counter = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        let place = self.plus(low, counter.into(), span);
        let mut holds = Const::bool(true).into();
        for own in both {
            if let Some((step, width)) = own.grid_at(at) {
                let offset = self.build.bin(BinOp::Sub, place, own.lower[at], span);
                let offset = self.build.bin(BinOp::Mod, offset, step, span);
                let is_in = self.build.bin(BinOp::Lt, offset, width, span);
                holds = self.and_conditions(holds, is_in, span);
            }
        }
        let flags = Value::scalar(holds);
        let made = self.finish_generate((length, None), counter, &flags, CallSite::span(span));
        let Ok(flags) = made else { panic!("truth values can be elements") };
        let (or, none) = (Value::code(Callable::Bin(BinOp::Or)), Value::scalar(Const::bool(false)));
        let Ok(any) = self.fold(FoldOrder::Associative, &[or, none, flags], span) else {
            panic!("truth values can be folded")
        };
        any.expect_scalar()
    }

    /// Checks that the generators, which do not overlap, have as many indices as the shape.
    fn check_whole(&mut self, all: &[GeneratorBounds], shape: &[Atom], span: Span) {
        if let [only] = all {
            let is_whole = |at: usize| {
                let ends = self.is_same(only.upper[at], shape[at]);
                only.lower[at] == number(0) && ends && only.grid_at(at).is_none()
            };
            if (0..shape.len()).all(is_whole) {
                return;
            }
        }
        let mut found = number(0);
        for own in all {
            let mut count = number(1);
            for at in 0..shape.len() {
                let own = self.count_at(own, at, span);
                count = self.build.bin(BinOp::Mul, count, own, span);
            }
            found = self.build.bin(BinOp::Add, found, count, span);
        }
        let mut wanted = number(1);
        for &size in shape {
            wanted = self.build.bin(BinOp::Mul, wanted, size, span);
        }
        let holds = self.build.bin(BinOp::Eq, found, wanted, span);
        self.check(holds, Failure::generators_miss(found, wanted), span);
    }

    /// How many indices a generator has in a dimension.
    fn count_at(&mut self, own: &GeneratorBounds, at: usize, span: Span) -> Atom {
        let length = self.length_at(own, at, span);
        let Some((step, width)) = own.grid_at(at) else { return length };
        let whole = self.build.bin(BinOp::Div, length, step, span);
        let whole = self.build.bin(BinOp::Mul, whole, width, span);
        let rest = self.build.bin(BinOp::Mod, length, step, span);
        let rest = self.build.bin(BinOp::Min, rest, width, span);
        self.build.bin(BinOp::Add, whole, rest, span)
    }
}
