//! The position of generators in the index space, and relative to one another.
//!
//! Invariant: an error is reported only if the with-loop is wrong for all arrays except a few small ones. A check at
//! run time is left out only if the sizes prove that it succeeds.
//!
//! ```text
//! ([0] <= i < [n - 1]) and ([n - 1] <= i < [n])   ⇒   both inside, and disjoint
//! ```

use std::collections::BTreeSet;

use super::super::Checker;
use super::super::error::{OutOfShape, WithError};
use super::super::typed::{Expr, Generator, Operator, With};
use crate::core::{Size, SizeOrigin};
use arrc_syntax::ids::SizeVar;
use arrc_syntax::source::Span;

/// The bounds of a generator as sizes. A bound that is no size is none.
struct GeneratorBounds {
    lower: Vec<Option<Size>>,
    upper: Vec<Option<Size>>,
    grid: Option<[Vec<Option<Size>>; 2]>,
}

/// A truth value of three: whether a property holds, as far as the sizes prove it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Yes,
    No,
    Maybe,
}

impl Checker<'_> {
    /// Compares the generators with the shape and with each other. Certain errors are reported.
    pub(super) fn places(&mut self, with: &mut With, span: Span) {
        let shape = with.shape.as_ref().map(|shape| self.sizes_of_vector(shape));
        let boxes: Vec<GeneratorBounds> =
            with.generators.iter().map(|generator| self.box_of(generator)).collect();
        // A bound with an error that is reported elsewhere may have other components.
        let ranks = shape.iter().map(Vec::len).chain(boxes.iter().flat_map(GeneratorBounds::ranks));
        if ranks.collect::<BTreeSet<_>>().len() > 1 {
            return;
        }
        for (generator, own) in with.generators.iter().zip(&boxes) {
            self.check_grid(generator, own);
        }
        for (generator, own) in with.generators.iter_mut().zip(&boxes) {
            generator.is_single = own.singles();
        }
        if let Some(shape) = &shape {
            for (generator, own) in with.generators.iter_mut().zip(&boxes) {
                let places = with.shape.iter().flatten().map(|size| size.span).collect::<Vec<_>>();
                generator.is_inside = self.check_inside(generator, own, (shape, &places));
            }
        }
        for second in 0..boxes.len() {
            for first in 0..second {
                let is_dimension = |id| matches!(self.u.sizes[id].info.origin, SizeOrigin::Param);
                match boxes[first].overlaps(&boxes[second], &is_dimension) {
                    Verdict::No => {}
                    Verdict::Maybe => with.may_overlap.push((first, second)),
                    Verdict::Yes => {
                        let [first, second] = [first, second].map(|at| with.generators[at].span);
                        self.report(WithError::Overlap { span: second, first });
                    }
                }
            }
        }
        let lacks = |operator: &Operator| matches!(operator, Operator::Genarray(None));
        if let Some(shape) = &shape
            && with.operators.iter().any(lacks)
        {
            self.check_whole(with, &boxes, shape, span);
        }
    }

    /// Reports generators that certainly do not give all elements.
    fn check_whole(
        &mut self,
        with: &With,
        boxes: &[GeneratorBounds],
        shape: &[Option<Size>],
        span: Span,
    ) {
        let is_dimension = |id| matches!(self.u.sizes[id].info.origin, SizeOrigin::Param);
        if let [only] = boxes {
            if only.misses(shape, &is_dimension) {
                let generators = vec![(with.generators[0].span, None)];
                self.report(WithError::NoDefault { span, generators });
            }
            return;
        }
        let counts: Option<Vec<Size>> =
            boxes.iter().map(|own| own.max_index_count(&is_dimension)).collect();
        let (Some(counts), Some(wanted)) = (counts, volume(shape.iter().cloned())) else { return };
        let missing = counts.iter().fold(wanted, |rest, count| rest.minus(count));
        if is_positive(&missing, &is_dimension) == Verdict::Yes {
            let mut shown = self.shown();
            let counts = counts.iter().map(|count| Some(shown.size(count)));
            let generators = with.generators.iter().map(|generator| generator.span).zip(counts);
            let generators = generators.collect();
            self.report(WithError::NoDefault { span, generators });
        }
    }

    fn sizes_of_vector(&mut self, vector: &[Expr]) -> Vec<Option<Size>> {
        let size = |number: &Expr| {
            let size = self.size_of(number)?;
            Some(self.u.resolve_size(&size))
        };
        vector.iter().map(size).collect()
    }

    fn box_of(&mut self, generator: &Generator) -> GeneratorBounds {
        GeneratorBounds {
            lower: self.sizes_of_vector(&generator.lower),
            upper: self.sizes_of_vector(&generator.upper),
            grid: generator
                .grid
                .as_ref()
                .map(|grid| [&grid[0], &grid[1]].map(|part| self.sizes_of_vector(part))),
        }
    }

    /// Checks that steps are positive, and widths between 1 and the step.
    fn check_grid(&mut self, generator: &Generator, own: &GeneratorBounds) {
        let (Some(grid), Some(parts)) = (&own.grid, &generator.grid) else { return };
        for (at, (step, width)) in grid[0].iter().zip(&grid[1]).enumerate() {
            let [step, width] = [step, width].map(|size| size.as_ref()?.as_constant());
            if let Some(step) = step.filter(|&step| step < 1) {
                self.report(WithError::Grid { span: parts[0][at].span, step, width: None });
                return;
            }
            if let Some(width) = width
                && (width < 1 || step.is_some_and(|step| width > step))
            {
                let step = step.unwrap_or(1);
                self.report(WithError::Grid { span: parts[1][at].span, step, width: Some(width) });
                return;
            }
        }
    }

    /// Whether the generator certainly lies in the shape. If it certainly does not, that is reported.
    fn check_inside(
        &mut self,
        generator: &Generator,
        own: &GeneratorBounds,
        (shape, places): (&[Option<Size>], &[Span]),
    ) -> bool {
        let mut is_inside = true;
        for (at, size) in shape.iter().enumerate() {
            let (lower, upper) = (&own.lower[at], &own.upper[at]);
            let is_below = verdict(lower, |lower| lower.as_constant().map(|lower| lower < 0));
            let over = match (upper, size) {
                (Some(upper), Some(size)) => upper.minus(size).as_constant(),
                _ => None,
            };
            let is_above = over.map_or(Verdict::Maybe, |over| Verdict::of(over > 0));
            if (is_below == Verdict::Yes || is_above == Verdict::Yes) && own.has_elements(shape, at)
            {
                let bound =
                    if is_below == Verdict::Yes { &generator.lower } else { &generator.upper };
                let mut shown = self.shown();
                let sizes = [if is_below == Verdict::Yes { lower } else { upper }, size];
                let sizes = sizes.map(|size| size.as_ref().map(|size| shown.size(size)));
                let (is_below, shape) = (is_below == Verdict::Yes, places[at]);
                let outside = OutOfShape { is_below, dimension: at, sizes, shape };
                self.report(WithError::OutsideShape { span: bound[at].span, outside });
                continue;
            }
            is_inside &= is_below == Verdict::No && is_above == Verdict::No;
        }
        is_inside
    }
}

impl Verdict {
    fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// The product of the sizes, if all are known.
fn volume(sizes: impl IntoIterator<Item = Option<Size>>) -> Option<Size> {
    sizes.into_iter().try_fold(Size::constant(1), |all, size| Some(all.times(&size?)))
}

/// The answer to a question about a size, or `Maybe` if there is no size.
fn verdict(size: &Option<Size>, ask: impl FnOnce(&Size) -> Option<bool>) -> Verdict {
    size.as_ref().and_then(ask).map_or(Verdict::Maybe, Verdict::of)
}

/// The most numbers of two grids that are compared.
const PERIOD: i64 = 1 << 12;
/// A reported error occurs for all arrays with at least this size in each dimension.
const SOME: i64 = 3;

/// Whether a difference is positive for arrays of all sizes, except a few small ones.
fn is_positive(size: &Size, is_dimension: &dyn Fn(SizeVar) -> bool) -> Verdict {
    if let Some(value) = size.as_constant() {
        return Verdict::of(value > 0);
    }
    if size.is_too_large() {
        return Verdict::Maybe;
    }
    let mut least = 0_i64;
    for (factors, &coefficient) in &size.terms {
        if !factors.is_empty() && coefficient < 0 || !factors.iter().all(|&id| is_dimension(id)) {
            return Verdict::Maybe;
        }
        let factors = factors.iter().fold(1_i64, |all, _| all.saturating_mul(SOME));
        least = least.saturating_add(coefficient.saturating_mul(factors));
    }
    if least > 0 { Verdict::Yes } else { Verdict::Maybe }
}

impl GeneratorBounds {
    /// The numbers of components of the vectors.
    fn ranks(&self) -> impl Iterator<Item = usize> {
        let grid = self.grid.iter().flatten();
        [&self.lower, &self.upper].into_iter().chain(grid).map(Vec::len)
    }

    /// For each dimension, whether the generator has exactly one index in it.
    fn singles(&self) -> Vec<bool> {
        let is_single = |(lower, upper): (&Option<Size>, &Option<Size>)| match (lower, upper) {
            (Some(lower), Some(upper)) => upper.minus(lower).as_constant() == Some(1),
            _ => false,
        };
        self.lower.iter().zip(&self.upper).map(is_single).collect()
    }

    /// Whether the generator has an index in every dimension, if the array has elements. In the dimension `out` it
    /// must have one even if the array has no elements.
    fn has_elements(&self, shape: &[Option<Size>], out: usize) -> bool {
        (0..shape.len()).all(|at| {
            let (Some(lower), Some(upper)) = (&self.lower[at], &self.upper[at]) else {
                return false;
            };
            let width = upper.minus(lower).as_constant();
            let is_whole = lower.as_constant().is_some_and(|lower| lower <= 0)
                && shape[at].as_ref().is_some_and(|size| {
                    upper.minus(size).as_constant().is_some_and(|over| over >= i64::from(at == out))
                });
            is_whole || width.is_some_and(|width| width > 0)
        })
    }

    /// Whether two generators share an index. `is_dimension` distinguishes sizes of arrays from other numbers.
    fn overlaps(&self, other: &Self, is_dimension: &dyn Fn(SizeVar) -> bool) -> Verdict {
        let mut all = Verdict::Yes;
        for at in 0..self.lower.len() {
            match self.overlaps_at(other, at, is_dimension) {
                Verdict::No => return Verdict::No,
                Verdict::Maybe => all = Verdict::Maybe,
                Verdict::Yes => {}
            }
        }
        all
    }

    /// Whether two generators share a number in one dimension.
    fn overlaps_at(
        &self,
        other: &Self,
        at: usize,
        is_dimension: &dyn Fn(SizeVar) -> bool,
    ) -> Verdict {
        let ends = [(self, self), (other, other), (self, other), (other, self)];
        let gaps = ends.map(|(upper, lower)| match (&upper.upper[at], &lower.lower[at]) {
            (Some(upper), Some(lower)) => is_positive(&upper.minus(lower), is_dimension),
            _ => Verdict::Maybe,
        });
        if gaps.contains(&Verdict::No) {
            return Verdict::No;
        }
        let meet = if gaps.contains(&Verdict::Maybe) { Verdict::Maybe } else { Verdict::Yes };
        if self.grid.is_none() && other.grid.is_none() {
            return meet;
        }
        self.grids_overlap(other, at)
    }

    /// The same for grids. Constant grids are compared number by number, and grids with the same step over one
    /// period.
    fn grids_overlap(&self, other: &Self, at: usize) -> Verdict {
        let (Some((step, width)), Some((same, its))) = (self.grid_at(at), other.grid_at(at)) else {
            return Verdict::Maybe;
        };
        let number = |size: &Option<Size>| size.as_ref()?.as_constant();
        let bounds = [&self.lower, &other.lower, &self.upper, &other.upper];
        let bounds = bounds.map(|bound| number(&bound[at]));
        if let [Some(first), Some(second), Some(end), Some(last)] = bounds
            && step > 0
            && same > 0
        {
            let (low, high) = (first.max(second), end.min(last));
            let meets = |at: i64| (at - first) % step < width && (at - second) % same < its;
            let some = (low..high.min(low.saturating_add(PERIOD))).any(meets);
            return if some || high.saturating_sub(low) <= PERIOD {
                Verdict::of(some)
            } else {
                Verdict::Maybe
            };
        }
        let offset = match (&self.lower[at], &other.lower[at]) {
            (Some(first), Some(second)) => second.minus(first).as_constant(),
            _ => None,
        };
        match offset {
            Some(offset) if step == same && step > 0 => {
                let offset = offset.rem_euclid(step);
                let apart = offset >= width && offset + its <= step;
                if apart { Verdict::No } else { Verdict::Maybe }
            }
            _ => Verdict::Maybe,
        }
    }

    /// The step and the width in a dimension, if they are constants.
    fn grid_at(&self, at: usize) -> Option<(i64, i64)> {
        let Some(grid) = &self.grid else { return Some((1, 1)) };
        let part = |part: &Vec<Option<Size>>| part[at].as_ref()?.as_constant();
        Some((part(&grid[0])?, part(&grid[1])?))
    }

    /// The most indices that the generator has, if no array except a few small ones lets it end before it begins.
    fn max_index_count(&self, is_dimension: &dyn Fn(SizeVar) -> bool) -> Option<Size> {
        volume((0..self.lower.len()).map(|at| {
            let length = self.upper[at].as_ref()?.minus(self.lower[at].as_ref()?);
            let in_grid = length.as_constant().zip(self.grid_at(at)).map(|(length, grid)| {
                let (step, width) = (grid.0.max(1), grid.1);
                let length = length.max(0);
                Size::constant(length / step * width + (length % step).min(width))
            });
            in_grid
                .or_else(|| (is_positive(&length, is_dimension) == Verdict::Yes).then_some(length))
        }))
    }

    /// Whether some element of the shape certainly lies outside the generator, if the shape has elements.
    fn misses(&self, shape: &[Option<Size>], is_dimension: &dyn Fn(SizeVar) -> bool) -> bool {
        (0..shape.len()).any(|at| {
            // The first index between two periods of a grid.
            if let (Some((step, width)), Some(lower), Some(size)) =
                (self.grid_at(at), &self.lower[at], &shape[at])
                && step > width
            {
                let gap = lower.plus(&Size::constant(width));
                if is_positive(&size.minus(&gap), is_dimension) == Verdict::Yes {
                    return true;
                }
            }
            let below = self.lower[at].as_ref().and_then(Size::as_constant);
            let above = match (&self.upper[at], &shape[at]) {
                (Some(upper), Some(size)) => size.minus(upper).as_constant(),
                _ => None,
            };
            below.is_some_and(|below| below > 0) || above.is_some_and(|above| above > 0)
        })
    }
}
