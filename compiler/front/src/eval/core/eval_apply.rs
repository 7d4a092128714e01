//! Application of functions.
//!
//! Invariant: a function runs when it has all its arguments. With fewer arguments it waits. Additional arguments are
//! applied to its result.
//!
//! ```text
//! (\x y -> x + y) 1   waits        (\x y -> x + y) 1 2   ⇒   3
//! ```

use std::rc::Rc;

use arr_abi::ErrorCode;

use super::intrinsic::unflatten;
use super::{Machine, Run};
use crate::core::{Body, Expr, Intrinsic, Param, Size};
use crate::eval::core::eval_expr::element_type;
use crate::eval::core::eval_scope::Env;
use crate::eval::core::eval_value::{Array, Callable, Closure, Shape, Value};
use crate::eval::run_error::RunError;
use crate::eval::scalar;
use arrc_syntax::ids::{DefId, SizeVar};
use arrc_syntax::prim::{BinOp, Relation};
use arrc_syntax::source::Span;

/// The maximum depth of calls of recursive definitions. Each needs much more stack than in compiled code.
const MAX_DEPTH: u32 = 20_000;

/// The expected shape of a result, if it is known before the computation.
pub(super) type ExpectedShape<'w> = &'w dyn Fn() -> Option<Shape>;

impl<'a> Machine<'a> {
    /// Applies a function to arguments.
    pub(super) fn apply(
        &mut self,
        function: &Value<'a>,
        args: Vec<Value<'a>>,
        span: Span,
    ) -> Run<Value<'a>> {
        self.apply_for(function, args, &|| None, span)
    }

    /// Applies a function to arguments. `wanted` is the shape of the result, as far as it is known. Only `unflatten`
    /// needs it.
    pub(super) fn apply_for(
        &mut self,
        function: &Value<'a>,
        args: Vec<Value<'a>>,
        wanted: ExpectedShape<'_>,
        span: Span,
    ) -> Run<Value<'a>> {
        let function = function.expect_fun();
        let mut all = function.args.clone();
        all.extend(args);
        let arity = self.arity(&function.code);
        if all.len() < arity {
            let waiting = Closure { code: function.code.clone(), args: all };
            return Ok(Value::Fun(Rc::new(waiting)));
        }
        let rest = all.split_off(arity);
        if rest.is_empty() {
            return self.call(&function.code, all, wanted, span);
        }
        let function = self.call(&function.code, all, &|| None, span)?;
        self.apply_for(&function, rest, wanted, span)
    }

    /// The number of arguments that a function needs to run.
    pub(super) fn arity(&self, code: &Callable<'a>) -> usize {
        match code {
            Callable::Lambda(params, ..) => params.len(),
            Callable::Global(def, ..) => self.program.defs[*def].params.len(),
            Callable::Bin(_) => 2,
            Callable::Un(_) => 1,
            Callable::Fma => 3,
        }
    }

    /// Runs a function that has all its arguments.
    pub(super) fn call(
        &mut self,
        code: &Callable<'a>,
        args: Vec<Value<'a>>,
        wanted: ExpectedShape<'_>,
        span: Span,
    ) -> Run<Value<'a>> {
        match code {
            Callable::Lambda(params, body, scope) => self.body(scope.clone(), params, body, &args),
            Callable::Global(def, types, sizes) => {
                let result = self.definition((*def, types, sizes), &args, wanted, span);
                result.map_err(|error| self.in_definition(error, *def, span))
            }
            Callable::Bin(op) => operator(*op, &args[0], &args[1], span),
            Callable::Un(op) => Ok(Value::Scalar(scalar::un(*op, args[0].expect_scalar()))),
            Callable::Fma => {
                let [a, b, c] = [0, 1, 2].map(|at: usize| args[at].expect_scalar());
                Ok(Value::Scalar(scalar::fma(a, b, c)))
            }
        }
    }

    fn definition(
        &mut self,
        (def, types, sizes): (DefId, &[Shape], &[(SizeVar, i64)]),
        args: &[Value<'a>],
        wanted: ExpectedShape<'_>,
        span: Span,
    ) -> Run<Value<'a>> {
        let program = self.program;
        let data = &program.defs[def];
        let mut scope = Env::of_types(data.types.iter().copied().zip(types.iter().cloned()));
        let body = match &data.body {
            Body::Intrinsic(intrinsic) => {
                if *intrinsic == Intrinsic::Unflatten {
                    let array = args[0].expect_array();
                    let told = shape_of(array, &data.sizes, sizes);
                    return unflatten(array, told.or_else(wanted), span);
                }
                let elem = || scope.shape(program, element_type(&data.result));
                return self.intrinsic(*intrinsic, args, &elem, span);
            }
            Body::External(_) => return Err(RunError::external(&data.name, span)),
            Body::Expr(body) => body,
        };
        for (param, arg) in data.params.iter().zip(args) {
            scope.learn(program, &param.ty, arg);
        }
        scope.learn_arguments(sizes);
        if data.sizes.iter().any(|&size| !scope.knows(size))
            && let Some(shape) = wanted()
        {
            scope.learn_sizes(program, &data.result, &shape);
        }
        let untold = data.undetermined_sizes().into_iter();
        let values = untold.filter_map(|size| scope.size(program, &Size::symbol(size)));
        if let Some(size) = values.into_iter().find(|&size| size < 0) {
            return Err(RunError::about(ErrorCode::Size, &data.name, [size.into(), 0], span));
        }
        if !data.recursive {
            return self.body(scope, &data.params, body, args);
        }
        if self.depth >= MAX_DEPTH {
            return Err(RunError::new(ErrorCode::Stack, [0, 0], data.span));
        }
        self.depth += 1;
        let result = self.body(scope, &data.params, body, args);
        self.depth -= 1;
        result
    }

    fn body(
        &mut self,
        mut scope: Env<'a>,
        params: &'a [Param],
        body: &'a Expr,
        args: &[Value<'a>],
    ) -> Run<Value<'a>> {
        for (param, arg) in params.iter().zip(args) {
            scope.learn(self.program, &param.ty, arg);
            scope.bind(self.program, &param.pat, arg);
        }
        self.eval(&mut scope, body)
    }
}

/// The shape of an array that is cut into rows: their number and their lengths, if these sizes are known.
fn shape_of(array: &Array<'_>, dims: &[SizeVar], told: &[(SizeVar, i64)]) -> Option<Shape> {
    let elem = Some(Shape::clone(&array.elem));
    dims.iter().rev().fold(elem, |elem, dim| {
        let (_, size) = told.iter().find(|(size, _)| size == dim)?;
        Some(Shape::Array(*size, Rc::new(elem?)))
    })
}

/// A scalar operator; `==` and `!=` compare every component.
fn operator<'a>(op: BinOp, left: &Value<'a>, right: &Value<'a>, span: Span) -> Run<Value<'a>> {
    if let (Value::Scalar(x), Value::Scalar(y)) = (left, right) {
        let result = scalar::bin(op, *x, *y);
        return result.map(Value::Scalar).map_err(|trap| RunError::trapped(trap, *y, span));
    }
    let same = equal(left, right);
    match op.row().relation {
        Some(Relation::Eq) => Ok(Value::bool(same)),
        Some(Relation::Ne) => Ok(Value::bool(!same)),
        Some(Relation::Lt | Relation::Le | Relation::Gt | Relation::Ge) | None => {
            panic!("core is well-typed: `{}` takes scalars", op.name())
        }
    }
}

fn equal(left: &Value<'_>, right: &Value<'_>) -> bool {
    match (left, right) {
        (Value::Scalar(x), Value::Scalar(y)) => {
            scalar::bin(BinOp::Eq, *x, *y).expect("a comparison does not fail").bits != 0
        }
        (Value::Tuple(left), Value::Tuple(right)) => {
            left.iter().zip(right.iter()).all(|(x, y)| equal(x, y))
        }
        (Value::Record(left), Value::Record(_)) => {
            left.iter().all(|(name, x)| equal(x, right.field(name)))
        }
        (Value::Sum(left), Value::Sum(right)) => {
            let payloads = left.cases.iter().find(|(name, _)| left.is_made_by(name));
            left.tag == right.tag
                && payloads.is_none_or(|(name, payloads)| {
                    payloads.iter().zip(&right.cases[name]).all(|(x, y)| equal(x, y))
                })
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left.elems.iter().zip(&right.elems).all(|(x, y)| equal(x, y))
        }
        (_, right) => panic!("core is well-typed: {left:?} and {right:?} compare"),
    }
}
