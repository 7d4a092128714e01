//! Evaluating expressions.
//!
//! Invariant: an expression is evaluated once for each time that the text is reached, so each binding
//! of the program is emitted once.
//!
//! ```text
//! let p = {x = a + 1, y = b} in p.x * p.y   ⇒ t = a + 1; u = t * b
//! ```

use std::rc::Rc;

use arr_abi::ErrorCode;

use super::Specialiser;
use super::build::Builder;
use super::error::Eval;
use super::expected_result::{CallSite, ExpectedResult};
use super::value::{Array, Callable, Column, Elem, Env, Leaf, Ty, TyLeaf, Value};
use crate::cnf::{Atom, Extent};
use crate::specialise::value_tree::Tree;
use arrc_front::core;
use arrc_front::core::{Expr, ExprKind};
use arrc_front::data::Data;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::DefId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar, UnOp};
use arrc_syntax::source::Span;

/// When less stack than this is left, evaluation goes on on a new piece of this size.
const RED_ZONE: usize = 256 * 1024;
const STACK_PIECE: usize = 8 * 1024 * 1024;

impl<'a> Specialiser<'a> {
    /// Evaluates an expression, on a stack that grows.
    pub(super) fn eval(&mut self, env: &mut Env<'a>, expr: &'a Expr) -> Eval<Value<'a>> {
        with_enough_stack(|| self.eval_lets(env, expr))
    }

    /// Chains of `let` are evaluated in a loop: programs nest them deeply.
    fn eval_lets(&mut self, env: &mut Env<'a>, expr: &'a Expr) -> Eval<Value<'a>> {
        let mut expr = expr;
        while let ExprKind::Let(pat, value, body) = &expr.kind {
            self.step(expr.span)?;
            let mark = self.build.next_var();
            self.present.lets.push(self.pattern_name(pat));
            let value = self.eval(env, value)?;
            self.present.lets.pop();
            self.name(pat, &value, mark);
            self.bind(env, pat, value);
            expr = body;
        }
        self.step(expr.span)?;
        let value = self.eval_kind(env, expr)?;
        self.learn(env, &expr.ty, &value);
        Ok(value)
    }

    fn eval_kind(&mut self, env: &mut Env<'a>, expr: &'a Expr) -> Eval<Value<'a>> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Const(value) => Ok(Value::scalar(*value)),
            ExprKind::Var(var) => Ok(env
                .vars
                .get(var)
                .unwrap_or_else(|| panic!("core is resolved: {var} is bound"))
                .clone()),
            ExprKind::Size(size) => Ok(Value::scalar(self.value_of_size(env, size, span)?)),
            ExprKind::Global(def, types) => self.eval_global(env, *def, types, expr),
            ExprKind::BinOp(op) => Ok(Value::code(Callable::Bin(*op))),
            ExprKind::UnOp(op) => Ok(Value::code(Callable::Un(*op))),
            ExprKind::Fma => Ok(Value::code(Callable::Fma)),
            ExprKind::AndAlso(left, right) => self.eval_and(env, left, right, span),
            ExprKind::OrElse(left, right) => self.eval_or(env, left, right, span),
            ExprKind::App(fun, args) => {
                // The arguments may determine a size that is passed to the definition.
                let told =
                    self.is_given_sizes(fun).then(|| self.eval_all(env, args)).transpose()?;
                let fun = self.eval(env, fun)?;
                let args = told.map_or_else(|| self.eval_all(env, args), Ok)?;
                self.apply(
                    &fun,
                    args,
                    CallSite { span, wanted: ExpectedResult::Core(env, &expr.ty) },
                )
            }
            ExprKind::Lambda(params, body) => Ok(self.lambda(env, expr, params, body)),
            ExprKind::Let(..) => unreachable!("chains of let are evaluated before"),
            ExprKind::If(cond, then, otherwise) => self.eval_if(env, expr, (cond, then, otherwise)),
            ExprKind::Match(value, cases) => self.eval_match(env, expr, (value, cases)),
            ExprKind::Constructor(name, args) => self.eval_constructor(env, expr, name, args),
            ExprKind::Tuple(items) => {
                let value = Tree::Tuple(self.eval_all(env, items)?);
                self.not_too_large(&value, span)?;
                Ok(value)
            }
            ExprKind::Record(fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, field)| Ok((name.clone(), self.eval(env, field)?)));
                let value = Tree::Record(fields.collect::<Eval<_>>()?);
                self.not_too_large(&value, span)?;
                Ok(value)
            }
            ExprKind::Item(tuple, index) => Ok(item(self.eval(env, tuple)?, *index)),
            ExprKind::Field(record, name) => Ok(field(self.eval(env, record)?, name)),
            ExprKind::Update(whole, steps, value) => {
                self.eval_update(env, (whole, steps, value), span)
            }
            ExprKind::Loop(data) => self.eval_loop(env, data, span),
            ExprKind::With(data) => self.eval_with(env, expr, data),
            ExprKind::Array(elems) => self.eval_array(env, expr, elems),
            ExprKind::Text(data) => Ok(self.eval_text(data, span)),
            ExprKind::Index(array, indices) => self.eval_index(env, array, indices, span),
            ExprKind::Slice(array, dims) => self.eval_slice(env, expr, (array, dims)),
            ExprKind::Range(range) => self.eval_range(env, expr, range),
            ExprKind::Coerce(inner) => self.eval_coerce(env, expr, inner),
            ExprKind::Assert(assert) => self.eval_assert(env, assert, span),
        }
    }

    /// Whether a function is a definition with sizes that no argument determines.
    fn is_given_sizes(&self, function: &Expr) -> bool {
        let ExprKind::Global(def, _) = &function.kind else { return false };
        !self.core.defs[*def].undetermined_sizes().is_empty()
    }

    /// Evaluates expressions from left to right.
    pub(super) fn eval_all(
        &mut self,
        env: &mut Env<'a>,
        exprs: &'a [Expr],
    ) -> Eval<Vec<Value<'a>>> {
        exprs.iter().map(|expr| self.eval(env, expr)).collect()
    }

    fn eval_global(
        &mut self,
        env: &Env<'a>,
        def: DefId,
        types: &[core::Type],
        expr: &'a Expr,
    ) -> Eval<Value<'a>> {
        let span = expr.span;
        let types =
            types.iter().map(|ty| self.eval_type(env, ty, span)).collect::<Eval<Vec<_>>>()?;
        let sizes = self.size_arguments(env, &self.core.defs[def], &expr.ty);
        let code = Callable::Global(def, types, sizes);
        if self.arity(&code) == 0 {
            return self.run(&code, Vec::new(), CallSite::span(span));
        }
        Ok(Value::code(code))
    }

    fn lambda(
        &mut self,
        env: &Env<'a>,
        lambda: &'a Expr,
        params: &'a [core::Param],
        body: &'a Expr,
    ) -> Value<'a> {
        let free = self.free(lambda);
        let env = Env {
            vars: free
                .vars
                .iter()
                .filter_map(|var| Some((*var, env.vars.get(var)?.clone())))
                .collect(),
            sizes: free
                .sizes
                .iter()
                .filter_map(|(size, _)| Some((*size, *env.sizes.get(size)?)))
                .collect(),
            types: env.types.clone(),
        };
        Value::code(Callable::Lambda { lambda, params, body, env: Rc::new(env) })
    }

    /// An array literal: it becomes one literal for each scalar of the elements.
    fn eval_array(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        elems: &'a [Expr],
    ) -> Eval<Value<'a>> {
        let values = self.eval_all(env, elems)?;
        let Some(first) = values.first() else {
            return self.empty_array(env, expr);
        };
        let ty = self.type_of_value(first);
        self.check_element(&ty, expr.span)?;
        let size = Extent::Const(
            i64::try_from(elems.len()).expect("an array literal has fewer than 2^63 elements"),
        );
        let columns: Vec<Vec<Atom>> = values
            .iter()
            .map(|value| value.leaves().into_iter().flat_map(super::atoms).collect())
            .collect();
        let types = self.array_types(size, first);
        let arrays = types.into_iter().enumerate().map(|(column, ty)| {
            let elems = columns.iter().map(|row| row[column]).collect();
            self.build.literal(ty, elems, expr.span)
        });
        let arrays = arrays.collect();
        Ok(Tree::Leaf(Leaf::Array(Array::of(size, first, arrays))))
    }

    /// The bytes of a text.
    fn eval_text(&mut self, data: &Data, span: Span) -> Value<'a> {
        let size =
            Extent::Const(i64::try_from(data.len()).expect("a text is shorter than 2^63 bytes"));
        let ty = Builder::array_type(data.elem(), size);
        let bytes = self.build.constants(ty, data.clone(), span);
        Value::array(size, Tree::Leaf(Column::Scalar(bytes)))
    }

    /// The empty literal. Only the type knows the size of its rows, since there are none.
    fn empty_array(&mut self, env: &Env<'a>, expr: &Expr) -> Eval<Value<'a>> {
        let ty = self.eval_type(env, &expr.ty, expr.span)?;
        let Tree::Leaf(TyLeaf::Array(_, elem)) = ty else {
            panic!("core is well-typed: an array literal is an array, not {ty:?}");
        };
        let nothing = Extent::Const(0);
        Ok(Value::array(nothing, self.empty_elem(&elem, &[nothing], expr.span)))
    }

    /// The components of an array of no elements of this type, in an array of that shape.
    pub(super) fn empty_elem(&mut self, ty: &Ty, shape: &[Extent], span: Span) -> Elem {
        ty.map(&mut |leaf| match leaf {
            TyLeaf::Scalar(elem) => {
                let flat = self.build.empty(*elem, shape[0], span);
                Column::Scalar(self.build.reshaped(flat, shape, span))
            }
            TyLeaf::Array(size, elem) => {
                // A size that nothing determines is not used.
                let size = size.unwrap_or(Extent::Const(0));
                self.build.checked_extent(size, "an array's element", span);
                let elem = self.empty_elem(elem, &[shape, &[size]].concat(), span);
                Column::Rows(Box::new(Array { size, elem }))
            }
            TyLeaf::Fun => panic!("elements were checked to be data"),
        })
    }

    /// `a[i, j]`: each index goes one array further in.
    fn eval_index(
        &mut self,
        env: &mut Env<'a>,
        array: &'a Expr,
        indices: &'a [Expr],
        span: Span,
    ) -> Eval<Value<'a>> {
        let mut array = self.eval(env, array)?.expect_array().clone();
        let indices = self.eval_indices(env, &array, indices, span)?;
        for _ in &indices[1..] {
            let Tree::Leaf(Column::Rows(rows)) = array.elem else {
                panic!("core is well-typed: an array has no more indices than dimensions");
            };
            array = *rows;
        }
        Ok(self.element_at(&array, &indices, span))
    }

    /// An element of an array, checked; the array's components may have more dimensions around.
    pub(super) fn element_at(&mut self, array: &Array, indices: &[Atom], span: Span) -> Value<'a> {
        self.read_at(array, indices, false, span)
    }

    /// An element of an array at indices that were checked before.
    pub(super) fn element_inside(
        &mut self,
        array: &Array,
        indices: &[Atom],
        span: Span,
    ) -> Value<'a> {
        self.read_at(array, indices, true, span)
    }

    fn read_at(&mut self, array: &Array, indices: &[Atom], inside: bool, span: Span) -> Value<'a> {
        let vars = array.vars().into_iter();
        let elements: Vec<_> =
            vars.map(|var| self.build.index(var, indices, inside, span)).collect();
        array.element(&mut elements.into_iter())
    }

    fn eval_indices(
        &mut self,
        env: &mut Env<'a>,
        array: &Array,
        indices: &'a [Expr],
        span: Span,
    ) -> Eval<Vec<Atom>> {
        let values = self.eval_all(env, indices)?;
        let (mut rows, mut indices) = (Some(array), Vec::new());
        for value in values {
            let index = value.expect_scalar();
            if self.build.scalar_of(index) == Scalar::U64
                && let Some(rows) = rows
            {
                self.check_unsigned(index, rows.size, span);
            }
            indices.push(self.build.un(UnOp::To(Scalar::I64), index, span));
            rows = match rows.map(|rows| &rows.elem) {
                Some(Tree::Leaf(Column::Rows(rows))) => Some(rows),
                Some(Tree::Leaf(_) | Tree::Tuple(_) | Tree::Record(_) | Tree::Sum(_)) | None => {
                    None
                }
            };
        }
        Ok(indices)
    }

    /// Checks that an unsigned index is not beyond the signed ones.
    fn check_unsigned(&mut self, index: Atom, size: Extent, span: Span) {
        let highest = super::check::number_of(Scalar::U64, i128::from(i64::MAX));
        let holds = self.build.bin(BinOp::Le, index, highest, span);
        let length = self.build.size_value(size, span).expect("an array tells its sizes");
        self.check(holds, Failure::index(ErrorCode::Size, index, length), span);
    }

    /// The name of a pattern in messages.
    fn pattern_name(&self, pat: &core::Pat) -> Name {
        match pat {
            core::Pat::Wild => "_".into(),
            core::Pat::Var(var, _) => self.core.vars[*var].name.clone(),
            core::Pat::Tuple(pats) => {
                let names: Vec<_> = pats.iter().map(|pat| self.pattern_name(pat)).collect();
                format!("({})", names.join(", ")).into()
            }
            core::Pat::Record(pats) => {
                let names: Vec<_> = pats.iter().map(|(name, _)| name.as_str()).collect();
                format!("{{{}}}", names.join(", ")).into()
            }
            core::Pat::Constructor(name, _) => format!("#{name}").into(),
            core::Pat::Const(..) => "_".into(),
        }
    }
}

/// Runs `step` on a stack that grows.
pub(super) fn with_enough_stack<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, STACK_PIECE, step)
}

fn item(tuple: Value<'_>, index: usize) -> Value<'_> {
    match tuple {
        Tree::Tuple(mut items) => items.swap_remove(index),
        Tree::Leaf(_) | Tree::Record(_) | Tree::Sum(_) => {
            panic!("core is well-typed: {tuple:?} has a component {index}")
        }
    }
}

fn field<'a>(record: Value<'a>, name: &Name) -> Value<'a> {
    match record {
        Tree::Record(mut fields) => {
            fields.remove(name).expect("core is well-typed: the record has the field")
        }
        Tree::Leaf(_) | Tree::Tuple(_) | Tree::Sum(_) => {
            panic!("core is well-typed: {record:?} has a field {name}")
        }
    }
}
