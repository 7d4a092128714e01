//! The checks at run time: sizes, `:>` and `assert`.
//!
//! Invariant: a check is emitted before the code that relies on it. A check that is known to hold is not emitted.
//!
//! ```text
//! iota n          ⇒ t = n >= 0; assert t "negative size " n " in iota"; …
//! xs :> [n]i64    ⇒ t = length xs; u = t == n; assert u …; ys = xs with the size n
//! ```

use indexmap::IndexMap;

use super::Specialiser;
use super::error::Eval;
use super::value::{Array, Column, Elem, Env, Leaf, Value};
use crate::cnf::{Atom, Block, Extent, Op, Type};
use crate::specialise::value_tree::{Sum, Tree};
use arrc_front::core;
use arrc_front::core::{Assert, Expr, ExprKind, Size, SourceNames, size_text, type_text};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

impl<'a> Specialiser<'a> {
    /// The call fails with that message unless the condition holds.
    pub(super) fn check(&mut self, cond: Atom, failure: Failure<Atom>, span: Span) {
        self.build.check(cond, failure, span);
    }

    /// The text of a size with its value, unless the size is a constant.
    pub(super) fn valued(&self, size: &Size, value: Atom) -> Option<(String, Atom)> {
        let is_told = size.as_constant().is_some();
        (!is_told).then(|| (size_text(size, &mut self.size_names()), value))
    }

    /// One of two scalars.
    pub(super) fn select(&mut self, cond: Atom, then: Atom, otherwise: Atom, span: Span) -> Atom {
        if let Atom::Const(cond) = cond {
            return if cond.bits == 0 { otherwise } else { then };
        }
        let ty = Type::Scalar(self.build.scalar_of(then));
        let [then, otherwise] =
            [then, otherwise].map(|result| Block { binds: Vec::new(), results: vec![result] });
        self.build.emit_one(Op::If { cond, then, otherwise }, ty, span).into()
    }

    /// `assert c e`.
    pub(super) fn eval_assert(
        &mut self,
        env: &mut Env<'a>,
        assert: &'a Assert,
        span: Span,
    ) -> Eval<Value<'a>> {
        let cond = self.eval(env, &assert.condition)?.expect_scalar();
        let vars = self.mentioned(env, &assert.condition)?;
        self.check(cond, Failure::assertion(&assert.text, vars), span);
        self.eval(env, &assert.value)
    }

    /// The scalar variables in an expression, with their values.
    fn mentioned(&mut self, env: &Env<'a>, expr: &'a Expr) -> Eval<IndexMap<Name, Atom>> {
        let mut found = IndexMap::new();
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            if let ExprKind::Var(var) = &expr.kind {
                if let Some(Tree::Leaf(Leaf::Scalar(value))) = env.vars.get(var) {
                    found.entry(self.core.vars[*var].name.clone()).or_insert(*value);
                }
            } else if let ExprKind::Size(size) = &expr.kind
                && size.as_symbol().is_some()
            {
                let value = self.value_of_size(env, size, expr.span)?;
                found.entry(size_text(size, &mut self.size_names()).into()).or_insert(value);
            }
            let mut children = Vec::new();
            expr.for_each_child(&mut |child| children.push(child));
            work.extend(children.into_iter().rev());
        }
        Ok(found)
    }

    /// `e :> t`.
    pub(super) fn eval_coerce(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        inner: &'a Expr,
    ) -> Eval<Value<'a>> {
        let value = self.eval(env, inner)?;
        self.check_claim(
            env,
            &expr.ty,
            value,
            SizeClaim { by: SizeRequirement::Coercion, span: expr.span },
        )
    }

    /// The value with the sizes of a type, after checking that it has them.
    pub(super) fn check_claim(
        &mut self,
        env: &Env<'a>,
        ty: &core::Type,
        value: Value<'a>,
        claim: SizeClaim<'_>,
    ) -> Eval<Value<'a>> {
        Ok(match (ty, value) {
            (core::Type::Array(..), Tree::Leaf(Leaf::Array(array))) => {
                let shaped = self.shaped(env, ty, &array, (claim, 0))?;
                Tree::Leaf(Leaf::Array(self.build.aligned(&array, &shaped, claim.span)))
            }
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                let items = types.iter().zip(items);
                let items = items.map(|(ty, item)| self.check_claim(env, ty, item, claim));
                Tree::Tuple(items.collect::<Eval<_>>()?)
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                let fields = fields.into_iter().map(|(name, field)| {
                    let field = self.check_claim(env, &types[&name], field, claim)?;
                    Ok((name, field))
                });
                Tree::Record(fields.collect::<Eval<_>>()?)
            }
            (core::Type::Sum(types), Tree::Sum(sum)) if claim.is_argument() => {
                let Sum { tag, cases } = *sum;
                let cases = cases.into_iter().map(|(name, payloads)| {
                    let payloads = types[&name].iter().zip(payloads);
                    let payloads =
                        payloads.map(|(ty, part)| self.check_claim(env, ty, part, claim));
                    let payloads = payloads.collect::<Eval<_>>()?;
                    Ok((name, payloads))
                });
                let cases = cases.collect::<Eval<_>>()?;
                Tree::Sum(Box::new(Sum { tag, cases }))
            }
            (_, value) => value,
        })
    }

    /// The array with the sizes of a type, after checking that it has them; it is the element of `depth` enclosing
    /// arrays.
    fn shaped(
        &mut self,
        env: &Env<'a>,
        ty: &core::Type,
        array: &Array,
        (claim, depth): (SizeClaim<'_>, usize),
    ) -> Eval<Array> {
        let core::Type::Array(size, element) = ty else { return Ok(array.clone()) };
        let extent = self.extent_of_size(env, size).unwrap_or(array.size);
        if extent != array.size {
            match claim.by {
                SizeRequirement::Coercion => {
                    self.check_coercion(env, (ty, size), array.size, claim.span)?
                }
                SizeRequirement::Argument(def) => {
                    self.check_argument((env, def), size, (array, depth))?
                }
            }
        }
        let elem = self.shaped_elem(env, element, &array.elem, (claim, depth + 1))?;
        Ok(Array { size: extent, elem })
    }

    fn shaped_elem(
        &mut self,
        env: &Env<'a>,
        ty: &core::Type,
        elem: &Elem,
        at: (SizeClaim<'_>, usize),
    ) -> Eval<Elem> {
        Ok(match (ty, elem) {
            (core::Type::Array(..), Tree::Leaf(Column::Rows(rows))) => {
                Tree::Leaf(Column::Rows(Box::new(self.shaped(env, ty, rows, at)?)))
            }
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                let items = types.iter().zip(items);
                let items = items.map(|(ty, e)| self.shaped_elem(env, ty, e, at));
                Tree::Tuple(items.collect::<Eval<_>>()?)
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                let fields = fields.iter().map(|(name, field)| {
                    Ok((name.clone(), self.shaped_elem(env, &types[name], field, at)?))
                });
                Tree::Record(fields.collect::<Eval<_>>()?)
            }
            (core::Type::Sum(types), Tree::Sum(sum)) if at.0.is_argument() => {
                let cases = sum.cases.iter().map(|(name, payloads)| {
                    let payloads = types[name].iter().zip(payloads);
                    let payloads = payloads.map(|(ty, part)| self.shaped_elem(env, ty, part, at));
                    Ok((name.clone(), payloads.collect::<Eval<_>>()?))
                });
                let cases = cases.collect::<Eval<_>>()?;
                Tree::Sum(Box::new(Sum { tag: sum.tag.clone(), cases }))
            }
            (_, elem) => elem.clone(),
        })
    }

    /// Checks that an extent is the size that `:>` says.
    fn check_coercion(
        &mut self,
        env: &Env<'a>,
        (ty, size): (&core::Type, &Size),
        extent: Extent,
        span: Span,
    ) -> Eval<()> {
        let found = self.build.size_value(extent, span).expect("an array tells its sizes");
        let wanted = self.value_of_size(env, size, span)?;
        let holds = self.build.bin(BinOp::Eq, found, wanted, span);
        let ty = type_text(ty, &mut self.size_names());
        let wanted = self.valued(size, wanted);
        self.check(holds, Failure::coercion(&ty, found, wanted), span);
        Ok(())
    }

    /// The names of sizes as the source has them.
    pub(super) fn size_names(&self) -> SourceNames<'a> {
        SourceNames(self.core)
    }
}

/// The source of sizes that are to be checked.
#[derive(Clone, Copy)]
pub(super) struct SizeClaim<'c> {
    /// What demands them.
    pub(super) by: SizeRequirement<'c>,
    /// The place of that.
    pub(super) span: Span,
}

/// What demands that an array has a size.
#[derive(Clone, Copy)]
pub(super) enum SizeRequirement<'c> {
    /// `:>`.
    Coercion,
    /// The type of a parameter of this entry.
    Argument(&'c core::Def),
}

impl SizeClaim<'_> {
    fn is_argument(&self) -> bool {
        matches!(self.by, SizeRequirement::Argument(_))
    }
}

/// An `i64`.
pub(super) fn number(value: i64) -> Atom {
    Const::i64(value).into()
}

/// A number of a type of integers.
pub(super) fn number_of(ty: Scalar, value: i128) -> Atom {
    Const::int(ty, value).into()
}
