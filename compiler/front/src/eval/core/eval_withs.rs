//! With-loops.
//!
//! Invariant: all bounds are checked before an element is computed. Indices are visited in row-major order, and each
//! belongs to at most one generator.
//!
//! ```text
//! with { ([1] <= [i] < [3]) : i } : (genarray ([4], 9), fold (+, 0))   ⇒   ([9, 1, 2, 9], 3)
//! ```

use super::intrinsic::sized;
use super::{Machine, Run};
use crate::core::{Expr, Generator, Operator, Type, With};
use crate::eval::core::eval_expr::element;
use crate::eval::core::eval_scope::Env;
use crate::eval::core::eval_value::Value;
use crate::eval::run_error::{RunError, check_array_size};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::prim::Const;
use arrc_syntax::source::Span;

/// The indices of a generator.
struct GeneratorIndices<'a> {
    generator: &'a Generator,
    lower: Vec<i64>,
    upper: Vec<i64>,
    /// Steps and widths.
    grid: Option<[Vec<i64>; 2]>,
}

/// The result of an operator while elements are added to it.
enum PartialResult<'a> {
    /// A new array, and the default of its elements.
    Array(Option<Value<'a>>),
    /// A changed array.
    Changed(Value<'a>),
    /// A fold: the operator and the accumulator.
    Fold(Value<'a>, Value<'a>),
}

impl<'a> Machine<'a> {
    /// A with-loop.
    pub(super) fn with_loop(
        &mut self,
        scope: &mut Env<'a>,
        expr: &'a Expr,
        data: &'a With,
    ) -> Run<Value<'a>> {
        let shape = match &data.shape {
            Some(shape) => Some(self.numbers(scope, shape)?),
            None => None,
        };
        let mut made = Vec::new();
        for operator in &data.operators {
            made.push(match operator {
                Operator::Genarray(None) => PartialResult::Array(None),
                Operator::Genarray(Some(default)) => {
                    PartialResult::Array(Some(self.eval(scope, default)?))
                }
                Operator::Modarray(array) => PartialResult::Changed(self.eval(scope, array)?),
                Operator::Fold(op, neutral) => {
                    let op = self.eval(scope, op)?;
                    PartialResult::Fold(op, self.eval(scope, neutral)?)
                }
            });
        }
        let mut all = Vec::new();
        for generator in &data.generators {
            all.push(self.indices(scope, generator)?);
        }
        if let Some(shape) = &shape {
            for &size in shape {
                if size < 0 {
                    let failure = Failure::negative_size(size, "genarray");
                    return Err(RunError::failed(&failure, expr.span));
                }
            }
            let count = shape
                .iter()
                .try_fold(1_usize, |count, &size| count.checked_mul(usize::try_from(size).ok()?));
            check_array_size(count, expr.span)?;
        }
        check(&all, shape.as_deref(), &made, expr.span)?;
        let space = shape.map_or_else(|| bounding_box(&all), |shape| (vec![0; shape.len()], shape));
        let mut sweep = IndexSpaceWalk { scope, all, made, several: data.operators.len() > 1 };
        let results: Vec<&Type> = data.results(&expr.ty).iter().collect();
        let mut parts = self.sweep(&mut sweep, &space, &mut Vec::new(), &results, expr.span)?;
        for (part, made) in parts.iter_mut().zip(sweep.made) {
            match made {
                PartialResult::Fold(_, total) => *part = total,
                PartialResult::Array(_) | PartialResult::Changed(_) => sized(part, expr.span)?,
            }
        }
        if data.operators.len() > 1 {
            return Ok(Value::tuple(parts));
        }
        Ok(parts.swap_remove(0))
    }

    fn numbers(&mut self, scope: &mut Env<'a>, exprs: &'a [Expr]) -> Run<Vec<i64>> {
        let number = |value: Value<'a>| {
            i64::try_from(value.expect_scalar().as_i128()).expect("core is well-typed: an i64")
        };
        exprs.iter().map(|expr| Ok(number(self.eval(scope, expr)?))).collect()
    }

    fn indices(
        &mut self,
        scope: &mut Env<'a>,
        generator: &'a Generator,
    ) -> Run<GeneratorIndices<'a>> {
        let lower = self.numbers(scope, &generator.lower)?;
        let upper = self.numbers(scope, &generator.upper)?;
        let grid = match &generator.grid {
            Some([step, width]) => Some([self.numbers(scope, step)?, self.numbers(scope, width)?]),
            None => None,
        };
        Ok(GeneratorIndices { generator, lower, upper, grid })
    }

    /// Evaluates the generators at all indices that begin with `index`.
    fn sweep(
        &mut self,
        sweep: &mut IndexSpaceWalk<'_, 'a>,
        space: &(Vec<i64>, Vec<i64>),
        index: &mut Vec<i64>,
        results: &[&Type],
        span: Span,
    ) -> Run<Vec<Value<'a>>> {
        let depth = index.len();
        if depth == space.0.len() {
            return self.at(sweep, index, span);
        }
        let inner = results.iter().map(|&ty| if let Type::Array(_, elem) = ty { elem } else { ty });
        let inner: Vec<&Type> = inner.collect();
        let mut columns = vec![Vec::new(); results.len()];
        for at in space.0[depth]..space.1[depth] {
            index.push(at);
            let parts = self.sweep(sweep, space, index, &inner, span)?;
            index.pop();
            columns.iter_mut().zip(parts).for_each(|(column, part)| column.push(part));
        }
        let program = self.program;
        let columns = columns.into_iter().zip(inner);
        let scope = &sweep.scope;
        let array = |(column, ty)| Value::array(column, || scope.shape(program, ty));
        Ok(columns.map(array).collect())
    }

    /// The elements at an index: the elements of its generator, or the defaults.
    fn at(
        &mut self,
        sweep: &mut IndexSpaceWalk<'_, 'a>,
        index: &[i64],
        span: Span,
    ) -> Run<Vec<Value<'a>>> {
        let Some(own) = sweep.all.iter().find(|own| own.has(index)) else {
            return sweep.made.iter().map(|made| made.default_element(index, span)).collect();
        };
        let mut scope = sweep.scope.clone();
        for (pat, &at) in own.generator.index.iter().zip(index) {
            scope.bind(self.program, pat, &Value::Scalar(Const::i64(at)));
        }
        let given = self.eval(&mut scope, &own.generator.body)?;
        let parts = if let Value::Tuple(parts) = &given
            && sweep.several
        {
            parts.to_vec()
        } else {
            vec![given]
        };
        for (made, part) in sweep.made.iter_mut().zip(&parts) {
            if let PartialResult::Fold(op, total) = made {
                *total = self.apply(op, vec![total.clone(), part.clone()], span)?;
            }
        }
        Ok(parts)
    }
}

/// A walk through an index space.
struct IndexSpaceWalk<'s, 'a> {
    scope: &'s mut Env<'a>,
    all: Vec<GeneratorIndices<'a>>,
    made: Vec<PartialResult<'a>>,
    several: bool,
}

impl<'a> PartialResult<'a> {
    /// The default element at an index that is in no generator. A fold skips the index.
    fn default_element(&self, index: &[i64], span: Span) -> Run<Value<'a>> {
        match self {
            Self::Array(default) => {
                Ok(default.clone().expect("without a default, generators give all elements"))
            }
            Self::Fold(_, total) => Ok(total.clone()),
            Self::Changed(array) => {
                let mut found = array.clone();
                for &at in index {
                    found = element(&found, Const::i64(at), span)?;
                }
                Ok(found)
            }
        }
    }
}

impl GeneratorIndices<'_> {
    /// Whether the generator has an index.
    fn has(&self, index: &[i64]) -> bool {
        (0..index.len()).all(|depth| self.has_at(depth, index[depth]))
    }

    fn has_at(&self, depth: usize, at: i64) -> bool {
        let is_between = self.lower[depth] <= at && at < self.upper[depth];
        let in_grid = |[step, width]: &[Vec<i64>; 2]| {
            (i128::from(at) - i128::from(self.lower[depth])) % i128::from(step[depth])
                < i128::from(width[depth])
        };
        is_between && self.grid.as_ref().is_none_or(in_grid)
    }

    fn is_empty(&self) -> bool {
        self.lower.iter().zip(&self.upper).any(|(lower, upper)| lower >= upper)
    }

    /// Whether a last index is the largest number, so that the number behind it is the smallest one.
    fn has_wrapped(&self) -> bool {
        self.generator.is_inclusive && self.upper.contains(&i64::MIN)
    }

    /// The number of indices, if the generator lies in the shape.
    fn count(&self) -> i64 {
        (0..self.lower.len()).map(|depth| self.count_at(depth)).product()
    }

    fn count_at(&self, depth: usize) -> i64 {
        let length = (self.upper[depth] - self.lower[depth]).max(0);
        match &self.grid {
            None => length,
            Some([step, width]) => {
                let (step, width) = (step[depth], width[depth]);
                length / step * width + (length % step).min(width)
            }
        }
    }

    /// Whether some index is in both.
    fn overlaps(&self, other: &Self) -> bool {
        (0..self.lower.len()).all(|depth| {
            let first = self.lower[depth].max(other.lower[depth]);
            let last = self.upper[depth].min(other.upper[depth]);
            (first..last).any(|at| self.has_at(depth, at) && other.has_at(depth, at))
        })
    }
}

/// Checks the steps and widths, and then that the generators lie in the shape, do not overlap, and give all elements
/// that need one.
fn check(
    all: &[GeneratorIndices<'_>],
    shape: Option<&[i64]>,
    made: &[PartialResult<'_>],
    span: Span,
) -> Run<()> {
    for own in all {
        let Some([steps, widths]) = &own.grid else { continue };
        for (&step, &width) in steps.iter().zip(widths) {
            let fail = |failure: Failure<i64>| Err(RunError::failed(&failure, own.generator.span));
            if step < 1 {
                return fail(Failure::generator_step(step));
            }
            if width < 1 || width > step {
                return fail(Failure::generator_width(width, step));
            }
        }
    }
    for own in all.iter().filter(|own| !own.is_empty() || own.has_wrapped()) {
        let Some(shape) = shape else { continue };
        let is_inside = own.lower.iter().all(|&lower| lower >= 0)
            && own.upper.iter().zip(shape).all(|(upper, size)| upper <= size)
            && !own.has_wrapped();
        if !is_inside {
            let bounds = [own.lower.clone(), own.upper.clone()];
            let failure = Failure::generator_outside(bounds, shape.to_vec());
            return Err(RunError::failed(&failure, own.generator.span));
        }
    }
    for (second, own) in all.iter().enumerate() {
        for (first, other) in all[..second].iter().enumerate() {
            if own.overlaps(other) {
                let failure = Failure::<i64>::generators_overlap(first + 1);
                return Err(RunError::failed(&failure, own.generator.span));
            }
        }
    }
    if let Some(shape) = shape
        && made.iter().any(|made| matches!(made, PartialResult::Array(None)))
    {
        let found: i64 = all.iter().map(GeneratorIndices::count).sum();
        let wanted = shape.iter().product();
        if found != wanted {
            return Err(RunError::failed(&Failure::generators_miss(found, wanted), span));
        }
    }
    Ok(())
}

/// The smallest box that contains all indices.
fn bounding_box(all: &[GeneratorIndices<'_>]) -> (Vec<i64>, Vec<i64>) {
    let rank = all.first().map_or(0, |own| own.lower.len());
    let some = || all.iter().filter(|own| !own.is_empty());
    let end = |of: fn(&GeneratorIndices<'_>, usize) -> i64, pick: fn(i64, i64) -> i64| {
        let ends = |depth| some().map(|own| of(own, depth)).reduce(pick).unwrap_or(0);
        (0..rank).map(ends).collect()
    };
    (end(|own, depth| own.lower[depth], i64::min), end(|own, depth| own.upper[depth], i64::max))
}
