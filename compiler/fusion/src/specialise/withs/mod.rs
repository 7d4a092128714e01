//! With-loops: an index space becomes a `generate` in a `generate`, one for each dimension.
//!
//! The generators become conditions on the indices, which are decided for whole ranges of the loops later
//! ([`arrc_loops::ranges::split`]). So a with-loop is clustered as the combinators are, and shares its passes with
//! them. A fold by itself runs only over the box of its generator.
//!
//! Invariant: all operators of a with-loop are one `generate`; bounds are checked before it.
//!
//! ```text
//! with { ([1] <= [i] < [n]) : f i } : genarray ([n], 0)   ⇒   a = generate n (\i -> if 1 <= i then f i else 0)
//! with { ([1] <= [i] < [n]) : f i } : fold (+, 0)         ⇒   a = generate (n - 1) (\k -> f (k + 1)); t = fold (+) 0 a
//! ```

mod bounds;
mod slabs;

use self::bounds::GeneratorBounds;
use super::Specialiser;
use super::check::number;
use super::error::Eval;
use super::expected_result::{CallSite, ExpectedResult};
use super::value::{Array, Column, Env, Value};
use crate::cnf::{Atom, Extent, FoldOrder, Type};
use crate::specialise::value_tree::Tree;
use arrc_front::core;
use arrc_front::core::{Expr, Generator, Operator, Pat, With};
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// A dimension of an index space: the counter's first index, the distance to the next one, and how many there are.
struct Axis {
    first: Atom,
    stride: Option<Atom>,
    size: Atom,
    extent: Option<Extent>,
    /// Whether the dimension is that of the only generator.
    is_own: bool,
}

/// An operator, evaluated.
enum EvaluatedOperator<'a> {
    /// A new array, and the default of its elements.
    Array(Option<Value<'a>>),
    /// A changed array.
    Changed(Array),
    /// A fold: the operator, and its neutral element.
    Fold(Value<'a>, Value<'a>),
}

/// A with-loop, evaluated up to its bodies.
struct EvaluatedWith<'e, 'a> {
    data: &'a With,
    expr: &'a Expr,
    env: &'e Env<'a>,
    made: Vec<EvaluatedOperator<'a>>,
    all: Vec<GeneratorBounds>,
    space: Vec<Axis>,
}

impl<'a> Specialiser<'a> {
    /// `with { … } : …`.
    pub(super) fn eval_with(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        data: &'a With,
    ) -> Eval<Value<'a>> {
        let shape = match &data.shape {
            Some(shape) => Some(self.numbers(env, shape)?),
            None => None,
        };
        let mut made = Vec::new();
        for operator in &data.operators {
            made.push(self.eval_operator(env, operator)?);
        }
        let mut all = Vec::new();
        for generator in &data.generators {
            all.push(self.indices(env, generator)?);
        }
        for &size in shape.iter().flatten() {
            self.build.check_size(size, "genarray", expr.span);
        }
        let lacks = made.iter().any(|made| matches!(made, EvaluatedOperator::Array(None)));
        self.check_generators(data, &all, (shape.as_deref(), lacks), expr.span);
        if let Some(array) = slabs::changed(data, &made) {
            return self.slabs(env, data, (array, &all), expr.span);
        }
        let space = match &shape {
            Some(shape) => self.array_space(env, (expr, data), shape),
            None => self.fold_space(&all, expr.span),
        };
        let env = env.clone();
        let sweep = EvaluatedWith { data, expr, env: &env, made, all, space };
        let at = CallSite { span: expr.span, wanted: ExpectedResult::Unknown };
        let at = match data.operators.as_slice() {
            [Operator::Genarray(_) | Operator::Modarray(_)] => {
                CallSite { wanted: ExpectedResult::Core(&env, &expr.ty), ..at }
            }
            _ => at,
        };
        let mut parts = self.sweep(&sweep, &mut Vec::new(), at)?;
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Tree::Tuple(parts) })
    }

    fn numbers(&mut self, env: &mut Env<'a>, exprs: &'a [Expr]) -> Eval<Vec<Atom>> {
        exprs.iter().map(|expr| Ok(self.eval(env, expr)?.expect_scalar())).collect()
    }

    fn eval_operator(
        &mut self,
        env: &mut Env<'a>,
        operator: &'a Operator,
    ) -> Eval<EvaluatedOperator<'a>> {
        Ok(match operator {
            Operator::Genarray(None) => EvaluatedOperator::Array(None),
            Operator::Genarray(Some(default)) => {
                EvaluatedOperator::Array(Some(self.eval(env, default)?))
            }
            Operator::Modarray(array) => {
                EvaluatedOperator::Changed(self.eval(env, array)?.expect_array().clone())
            }
            Operator::Fold(op, neutral) => {
                let op = self.eval(env, op)?;
                EvaluatedOperator::Fold(op, self.eval(env, neutral)?)
            }
        })
    }

    fn indices(&mut self, env: &mut Env<'a>, generator: &'a Generator) -> Eval<GeneratorBounds> {
        let lower = self.numbers(env, &generator.lower)?;
        let upper = self.numbers(env, &generator.upper)?;
        let grid = match &generator.grid {
            Some([step, width]) => Some([self.numbers(env, step)?, self.numbers(env, width)?]),
            None => None,
        };
        Ok(GeneratorBounds { lower, upper, grid })
    }

    /// The index space of an array, with the extents that its type tells.
    fn array_space(
        &mut self,
        env: &Env<'a>,
        (expr, data): (&Expr, &With),
        shape: &[Atom],
    ) -> Vec<Axis> {
        let mut operators = data.operators.iter().zip(data.results(&expr.ty));
        let array = operators.find(|(operator, _)| !matches!(operator, Operator::Fold(..)));
        let mut ty = array.expect("the index space is that of an array").1;
        let axis = |&size: &Atom| {
            let core::Type::Array(own, element) = ty else {
                panic!("core is well-typed: an array has a dimension for each index");
            };
            let extent = self.extent_of_size(env, own);
            ty = element;
            Axis { first: number(0), stride: None, size, extent, is_own: false }
        };
        shape.iter().map(axis).collect()
    }

    /// The results of the operators for the indices that begin with `index`.
    fn sweep(
        &mut self,
        sweep: &EvaluatedWith<'_, 'a>,
        index: &mut Vec<Atom>,
        at: CallSite<'_, 'a>,
    ) -> Eval<Vec<Value<'a>>> {
        let Some(axis) = sweep.space.get(index.len()) else {
            let value = self.elements_from(sweep, &mut sweep.env.clone(), index, 0)?;
            return Ok(if sweep.made.len() > 1 { items(value) } else { vec![value] });
        };
        let span = at.span;
        self.build.open();
        let counter = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        let name = sweep.data.generators[0].index.get(index.len());
        if let Some(Pat::Var(var, _)) = name {
            self.build.rename(counter, &self.core.vars[*var].name, counter);
        }
        let mut place = Atom::from(counter);
        if let Some(stride) = axis.stride {
            place = self.times(place, stride, span);
        }
        index.push(self.plus(axis.first, place, span));
        let parts = self.sweep(sweep, index, at.element())?;
        index.pop();
        let whole = if let [one] = parts.as_slice() { one.clone() } else { Tree::Tuple(parts) };
        let made = self.finish_generate((axis.size, axis.extent), counter, &whole, at)?;
        let array = made.expect_array();
        let elem = array.elem.clone();
        let parts = if sweep.made.len() > 1 { items(elem) } else { vec![elem] };
        let parts = parts.into_iter().zip(&sweep.made).map(|(part, made)| {
            let array = Value::array(array.size, part);
            match made {
                EvaluatedOperator::Array(_) | EvaluatedOperator::Changed(_) => Ok(array),
                EvaluatedOperator::Fold(op, neutral) => {
                    self.fold(FoldOrder::Associative, &[op.clone(), neutral.clone(), array], span)
                }
            }
        });
        parts.collect()
    }

    /// The elements at an index that the generators from `number` on give.
    fn elements_from(
        &mut self,
        sweep: &EvaluatedWith<'_, 'a>,
        env: &mut Env<'a>,
        index: &[Atom],
        number: usize,
    ) -> Eval<Value<'a>> {
        let Some(generator) = sweep.data.generators.get(number) else {
            let parts =
                sweep.made.iter().map(|made| self.default_element(made, index, sweep.expr.span));
            let mut parts: Vec<_> = parts.collect();
            return Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Tree::Tuple(parts) });
        };
        let is_last = number + 1 == sweep.data.generators.len();
        let has_rest =
            sweep.made.iter().all(|made| !matches!(made, EvaluatedOperator::Array(None)));
        let condition = if is_last && !has_rest {
            None
        } else {
            self.belongs(&sweep.all[number], &sweep.space, index, generator.span)
        };
        let Some(condition) = condition else {
            return self.body(env, generator, index);
        };
        if let Atom::Const(value) = condition {
            return match value.bits {
                0 => self.elements_from(sweep, env, index, number + 1),
                _ => self.body(env, generator, index),
            };
        }
        self.choose(
            env,
            &generator.body,
            condition,
            &mut |this, env| this.body(env, generator, index),
            &mut |this, env| this.elements_from(sweep, env, index, number + 1),
        )
    }

    /// The elements of a generator at an index.
    fn body(&mut self, env: &Env<'a>, generator: &'a Generator, index: &[Atom]) -> Eval<Value<'a>> {
        let mut env = env.clone();
        let mark = self.build.next_var();
        for (pat, &at) in generator.index.iter().zip(index) {
            let value = Value::scalar(at);
            self.name(pat, &value, mark);
            self.bind(&mut env, pat, value);
        }
        self.eval(&mut env, &generator.body)
    }

    /// The default elements at an index without a generator.
    fn default_element(
        &mut self,
        made: &EvaluatedOperator<'a>,
        index: &[Atom],
        span: Span,
    ) -> Value<'a> {
        match made {
            EvaluatedOperator::Array(default) => {
                default.clone().expect("without a default, the last generator has the rest")
            }
            EvaluatedOperator::Fold(_, neutral) => neutral.clone(),
            EvaluatedOperator::Changed(array) => {
                let mut rows = array;
                for _ in 1..index.len() {
                    let Tree::Leaf(Column::Rows(inner)) = &rows.elem else {
                        panic!("core is well-typed: an array has a dimension for each index");
                    };
                    rows = inner;
                }
                self.element_at(rows, index, span)
            }
        }
    }
}

/// The components of a tuple.
fn items<T>(tuple: Tree<T>) -> Vec<Tree<T>> {
    let Tree::Tuple(items) = tuple else {
        panic!("core is well-typed: several operators take a tuple");
    };
    items
}
