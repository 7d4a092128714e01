//! Evaluation of expressions.
//!
//! Invariant: parts are evaluated in the order of [`Expr::for_each_child`], each once; a branch that is
//! not taken is not evaluated.
//!
//! ```text
//! let p = {x = 1 + 2, y = 5} in p.x * p.y   ⇒   15
//! ```

use std::rc::Rc;

use arr_abi::ErrorCode;

use super::intrinsic::sized;
use super::{Machine, Run};
use crate::core::{Body, Case, Expr, ExprKind, Pat, Type};
use crate::eval::core::eval_scope::Env;
use crate::eval::core::eval_value::{Callable, Shape, Value};
use crate::eval::run_error::{LibraryFrame, RunError};
use crate::eval::scalar;
use arrc_syntax::ids::DefId;
use arrc_syntax::prim::{BinOp, Const};
use arrc_syntax::source::Span;
use arrc_syntax::stack::with_enough_stack;

/// An error message lists at most this many calls inside the library.
const MAX_CALLS: usize = 8;

impl<'a> Machine<'a> {
    /// Evaluates an expression.
    pub(super) fn eval(&mut self, scope: &mut Env<'a>, expr: &'a Expr) -> Run<Value<'a>> {
        with_enough_stack(|| self.lets(scope, expr))
    }

    /// Evaluates a chain of `let`s in a loop, since it may be long. The variables may stay in scope after it, since
    /// each variable is bound once.
    fn lets(&mut self, scope: &mut Env<'a>, mut expr: &'a Expr) -> Run<Value<'a>> {
        while let ExprKind::Let(pat, value, body) = &expr.kind {
            let value = self.eval(scope, value)?;
            scope.bind(self.program, pat, &value);
            expr = body;
        }
        let value = self.kind(scope, expr)?;
        scope.learn(self.program, &expr.ty, &value);
        Ok(value)
    }

    fn kind(&mut self, scope: &mut Env<'a>, expr: &'a Expr) -> Run<Value<'a>> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(Value::Scalar(*value)),
            ExprKind::Var(var) => Ok(scope.var(*var).clone()),
            ExprKind::Size(size) => {
                let value = scope.exact_size(self.program, size);
                let value = value.expect("core is well-typed: a size is told");
                let value = value.map_err(|large| RunError::failed(&large, expr.span))?;
                Ok(Value::Scalar(Const::i64(value)))
            }
            ExprKind::Global(def, types) => self.global(scope, *def, types, expr),
            ExprKind::BinOp(op) => Ok(Value::code(Callable::Bin(*op))),
            ExprKind::UnOp(op) => Ok(Value::code(Callable::Un(*op))),
            ExprKind::Fma => Ok(Value::code(Callable::Fma)),
            ExprKind::AndAlso(left, right) => {
                let holds = self.eval(scope, left)?.expect_bool();
                if holds { self.eval(scope, right) } else { Ok(Value::bool(false)) }
            }
            ExprKind::OrElse(left, right) => {
                let holds = self.eval(scope, left)?.expect_bool();
                if holds { Ok(Value::bool(true)) } else { self.eval(scope, right) }
            }
            ExprKind::App(function, args) => self.app(scope, expr, function, args),
            ExprKind::Lambda(params, body) => {
                Ok(Value::code(Callable::Lambda(params, body, scope.clone())))
            }
            ExprKind::Let(..) => unreachable!("chains of let are evaluated before"),
            ExprKind::If(condition, then, otherwise) => {
                let holds = self.eval(scope, condition)?.expect_bool();
                self.eval(scope, if holds { then } else { otherwise })
            }
            ExprKind::Loop(data) => self.eval_loop(scope, data),
            ExprKind::With(data) => self.with_loop(scope, expr, data),
            ExprKind::Match(value, cases) => self.matching(scope, value, cases),
            ExprKind::Constructor(..)
            | ExprKind::Tuple(_)
            | ExprKind::Record(_)
            | ExprKind::Item(..)
            | ExprKind::Field(..)
            | ExprKind::Update(..)
            | ExprKind::Array(_)
            | ExprKind::Text(_)
            | ExprKind::Index(..)
            | ExprKind::Slice(..)
            | ExprKind::Range(_)
            | ExprKind::Coerce(_)
            | ExprKind::Assert(_) => self.data(scope, expr),
        }
    }

    /// The first case that the value fits. The last case is not tested, since every value fits some case.
    fn matching(
        &mut self,
        scope: &mut Env<'a>,
        value: &'a Expr,
        cases: &'a [Case],
    ) -> Run<Value<'a>> {
        let value = self.eval(scope, value)?;
        let (last, others) = cases.split_last().expect("a match has a case");
        let case = others.iter().find(|case| fits(&case.pat, &value)).unwrap_or(last);
        scope.bind(self.program, &case.pat, &value);
        self.eval(scope, &case.body)
    }

    /// Evaluates expressions that make or take apart data. This is a function of its own, so that recursive programs
    /// need less stack.
    fn data(&mut self, scope: &mut Env<'a>, expr: &'a Expr) -> Run<Value<'a>> {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are evaluated before")]
        match &expr.kind {
            ExprKind::Constructor(name, args) => {
                let args = self.all(scope, args)?;
                let Type::Sum(types) = &expr.ty else {
                    panic!("core is well-typed: a constructor makes a value of a sum");
                };
                for (ty, arg) in types[name].iter().zip(&args) {
                    scope.learn(self.program, ty, arg);
                }
                Ok(Value::sum(scope.cases(self.program, types), name, args))
            }
            ExprKind::Tuple(items) => Ok(Value::tuple(self.all(scope, items)?)),
            ExprKind::Record(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, field)| Ok((name.clone(), self.eval(scope, field)?)))
                    .collect::<Run<_>>()?;
                Ok(Value::Record(Rc::new(fields)))
            }
            ExprKind::Item(tuple, at) => {
                Ok(self.eval(scope, tuple)?.field(&at.to_string()).clone())
            }
            ExprKind::Field(record, name) => Ok(self.eval(scope, record)?.field(name).clone()),
            ExprKind::Update(whole, steps, value) => {
                self.update(scope, (whole, steps, value), expr.span)
            }
            ExprKind::Array(items) => {
                let elems = self.all(scope, items)?;
                let program = self.program;
                let array = Value::array(elems, || scope.shape(program, element_type(&expr.ty)));
                sized(&array, expr.span)?;
                Ok(array)
            }
            ExprKind::Text(data) => {
                let elems = data.values().map(Value::Scalar).collect();
                Ok(Value::array(elems, || Shape::Scalar(data.elem())))
            }
            ExprKind::Index(array, indices) => {
                let mut found = self.eval(scope, array)?;
                for index in self.all(scope, indices)? {
                    found = element(&found, index.expect_scalar(), expr.span)?;
                }
                Ok(found)
            }
            ExprKind::Slice(array, dims) => self.slice(scope, array, dims, expr.span),
            ExprKind::Range(range) => self.range(scope, range, expr.span),
            ExprKind::Coerce(inner) => {
                let value = self.eval(scope, inner)?;
                self.coerce(scope, &expr.ty, &value, expr.span)?;
                Ok(value)
            }
            ExprKind::Assert(assert) => self.assert(scope, assert, expr.span),
            _ => unreachable!("evaluated where all expressions are"),
        }
    }

    /// Evaluates expressions from left to right.
    pub(super) fn all(&mut self, scope: &mut Env<'a>, exprs: &'a [Expr]) -> Run<Vec<Value<'a>>> {
        exprs.iter().map(|expr| self.eval(scope, expr)).collect()
    }

    /// A call. The types at which a definition is used may mention sizes that only its arguments determine, as in `id
    /// (filter p xs)`. So the types are evaluated after the arguments.
    fn app(
        &mut self,
        scope: &mut Env<'a>,
        expr: &'a Expr,
        function: &'a Expr,
        args: &'a [Expr],
    ) -> Run<Value<'a>> {
        let (program, span) = (self.program, expr.span);
        if let ExprKind::Global(def, types) = &function.kind {
            let args = self.all(scope, args)?;
            let function = self.global(scope, *def, types, function)?;
            let wanted = || Some(scope.shape(program, &expr.ty));
            let result = self.apply_for(&function, args, &wanted, span);
            return result.map_err(|error| self.at_call(error, span));
        }
        let function = self.eval(scope, function)?;
        let args = self.all(scope, args)?;
        let result =
            self.apply_for(&function, args, &|| Some(scope.shape(program, &expr.ty)), span);
        result.map_err(|error| self.at_call(error, span))
    }

    fn is_library(&self, span: Span) -> bool {
        self.program.library.contains(&span.file)
    }

    /// Adds a function of the library to the error, if the error is in it.
    pub(super) fn in_definition(&self, mut error: RunError, def: DefId, call: Span) -> RunError {
        let data = &self.program.defs[def];
        let is_deep = error.inside.len() == MAX_CALLS;
        if is_deep || !self.is_library(error.span) || !matches!(data.body, Body::Expr(_)) {
            return error;
        }
        let at = error.inside.last().map_or(error.span, |inside| inside.call);
        error.inside.push(LibraryFrame { name: data.name.clone(), at, call });
        error
    }

    /// Moves an error in the library to the user's call of the library.
    fn at_call(&self, error: RunError, call: Span) -> RunError {
        if self.is_library(error.span) && !self.is_library(call) {
            RunError { span: call, ..error }
        } else {
            error
        }
    }

    /// A definition: a function, or its value if it has no parameters.
    fn global(
        &mut self,
        scope: &Env<'a>,
        def: DefId,
        types: &[Type],
        expr: &Expr,
    ) -> Run<Value<'a>> {
        let types = types.iter().map(|ty| scope.shape(self.program, ty)).collect();
        let sizes = scope.size_arguments(self.program, &self.program.defs[def], &expr.ty);
        let code = Callable::Global(def, Rc::new(types), Rc::new(sizes));
        if self.arity(&code) == 0 {
            self.call(&code, Vec::new(), &|| None, expr.span)
        } else {
            Ok(Value::code(code))
        }
    }
}

/// Whether a value fits a pattern.
fn fits(pat: &Pat, value: &Value<'_>) -> bool {
    match (pat, value) {
        (Pat::Wild | Pat::Var(..), _) => true,
        (Pat::Const(constant, _), value) => {
            let same = scalar::bin(BinOp::Eq, value.expect_scalar(), *constant);
            same.expect("a comparison does not fail").bits != 0
        }
        (Pat::Tuple(pats), Value::Tuple(items)) => {
            pats.iter().zip(items.iter()).all(|(pat, item)| fits(pat, item))
        }
        (Pat::Record(pats), value) => pats.iter().all(|(name, pat)| fits(pat, value.field(name))),
        (Pat::Constructor(name, pats), Value::Sum(sum)) => {
            sum.is_made_by(name)
                && pats.iter().zip(&sum.cases[name]).all(|(pat, payload)| fits(pat, payload))
        }
        (Pat::Tuple(_) | Pat::Constructor(..), value) => {
            panic!("core is well-typed: {value:?} may fit its pattern")
        }
    }
}

/// The type of an array's elements.
pub(super) fn element_type(mut ty: &Type) -> &Type {
    while let Type::Exists(_, body) = ty {
        ty = body;
    }
    let Type::Array(_, elem) = ty else { panic!("core is well-typed: an array is of {ty:?}") };
    elem
}

/// The element at a position.
pub(super) fn element<'a>(array: &Value<'a>, index: Const, span: Span) -> Run<Value<'a>> {
    let array = array.expect_array();
    let found = usize::try_from(index.as_i128()).ok().and_then(|at| array.elems.get(at));
    found
        .cloned()
        .ok_or_else(|| RunError::new(ErrorCode::Index, [index.as_i128(), array.len().into()], span))
}
