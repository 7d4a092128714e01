//! What is checked when the program runs: sizes, `:>` and `assert`.
//!
//! Invariant: a check is emitted before what relies on it, and none that is known to hold.
//!
//! ```text
//! iota n          ⇒ t = n >= 0; assert t "negative size " n " in iota"; …
//! xs :> [n]i64    ⇒ t = length xs; u = t == n; assert u …; ys = xs with the size n
//! ```

use indexmap::IndexMap;

use super::Specialiser;
use super::error::Eval;
use super::tree::Tree;
use super::value::{Array, Elem, Env, Leaf, Part, Value};
use crate::ids::{SizeId, TypeVar};
use crate::ir::check::{Fault, Piece};
use crate::ir::cnf::{Atom, Block, Extent, Op, SizeDef, Type};
use crate::ir::core::{self, Assert, Expr, ExprKind, Size, TypeNames, size_text, type_text};
use crate::names::Name;
use crate::prim::{BinOp, Const, Scalar};
use crate::source::Span;

impl<'a> Specialiser<'a> {
    /// The call fails with that message unless the condition holds.
    pub(super) fn check(
        &mut self,
        cond: Atom,
        fault: Fault,
        message: Vec<Piece<Atom>>,
        span: Span,
    ) {
        if cond != Const::bool(true).into() {
            self.build.emit(Op::Assert { cond, fault, message }, Vec::new(), span);
        }
    }

    /// Checks that a size is not negative; `what` has it.
    pub(super) fn check_size(&mut self, size: Atom, what: &str, span: Span) {
        if self.is_natural(size) {
            return;
        }
        let holds = self.build.bin(BinOp::Ge, size, Const::i64(0).into(), span);
        let message = vec![
            Piece::text("negative size "),
            Piece::Value(size),
            Piece::text(format!(" in {what}")),
        ];
        self.check(holds, Fault::Size, message, span);
    }

    /// Whether an `i64` is known not to be negative: it is the size of an array.
    fn is_natural(&self, size: Atom) -> bool {
        match size {
            Atom::Const(value) => value.as_i128() >= 0,
            Atom::Var(var) => self.build.extents[var].is_some_and(|extent| self.is_size(extent)),
        }
    }

    fn is_size(&self, extent: Extent) -> bool {
        match extent {
            Extent::Const(value) => value >= 0,
            Extent::Size(size) => match self.build.sizes[size].def {
                SizeDef::Param | SizeDef::Exists => true,
                SizeDef::Value(_) => {
                    self.build.witnesses[size].iter().any(|&(array, _)| self.build.in_scope(array))
                }
                SizeDef::Sum(left, right) => self.is_size(left) && self.is_size(right),
                SizeDef::Product(..) => false,
            },
        }
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
        let mut message = vec![Piece::text(format!("assertion failed: {}", assert.text))];
        let mut before = ", where ";
        for (name, value) in self.mentioned(env, &assert.condition) {
            message.extend([Piece::text(format!("{before}{name} is ")), Piece::Value(value)]);
            before = " and ";
        }
        self.check(cond, Fault::Assertion, message, span);
        self.eval(env, &assert.value)
    }

    /// The scalar variables in an expression, and what they are.
    fn mentioned(&mut self, env: &Env<'a>, expr: &'a Expr) -> IndexMap<Name, Atom> {
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
                let value = self.value_of_size(env, size, expr.span);
                found.entry(size_text(size, &mut self.size_names()).into()).or_insert(value);
            }
            let mut children = Vec::new();
            expr.for_each_child(&mut |child| children.push(child));
            work.extend(children.into_iter().rev());
        }
        found
    }

    /// `e :> t`.
    pub(super) fn eval_coerce(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        inner: &'a Expr,
    ) -> Eval<Value<'a>> {
        let value = self.eval(env, inner)?;
        Ok(self.coerced(env, &expr.ty, value, expr.span))
    }

    fn coerced(
        &mut self,
        env: &Env<'a>,
        ty: &core::Type,
        value: Value<'a>,
        span: Span,
    ) -> Value<'a> {
        match (ty, value) {
            (core::Type::Array(..), Tree::Leaf(Leaf::Array(array))) => {
                let shaped = self.shaped(env, ty, &array, span);
                Tree::Leaf(Leaf::Array(self.build.aligned(&array, &shaped, span)))
            }
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                let items = types.iter().zip(items);
                Tree::Tuple(items.map(|(ty, item)| self.coerced(env, ty, item, span)).collect())
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                let fields = fields.into_iter().map(|(name, field)| {
                    let field = self.coerced(env, &types[&name], field, span);
                    (name, field)
                });
                Tree::Record(fields.collect())
            }
            (_, value) => value,
        }
    }

    /// The array with the sizes of a type, after checking that it has them.
    fn shaped(&mut self, env: &Env<'a>, ty: &core::Type, array: &Array, span: Span) -> Array {
        let core::Type::Array(size, element) = ty else { return array.clone() };
        let extent = self.extent_of_size(env, size).unwrap_or(array.size);
        if extent != array.size {
            self.check_extent(env, (ty, size), array.size, span);
        }
        let elem = self.shaped_elem(env, element, &array.elem, span);
        Array { size: extent, elem }
    }

    fn shaped_elem(&mut self, env: &Env<'a>, ty: &core::Type, elem: &Elem, span: Span) -> Elem {
        match (ty, elem) {
            (core::Type::Array(..), Tree::Leaf(Part::Rows(rows))) => {
                Tree::Leaf(Part::Rows(Box::new(self.shaped(env, ty, rows, span))))
            }
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                let items = types.iter().zip(items);
                Tree::Tuple(items.map(|(ty, e)| self.shaped_elem(env, ty, e, span)).collect())
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                let fields = fields.iter().map(|(name, field)| {
                    (name.clone(), self.shaped_elem(env, &types[name], field, span))
                });
                Tree::Record(fields.collect())
            }
            (_, elem) => elem.clone(),
        }
    }

    /// Checks that an extent is the size that a type says.
    fn check_extent(
        &mut self,
        env: &Env<'a>,
        (ty, size): (&core::Type, &Size),
        extent: Extent,
        span: Span,
    ) {
        let found = self.build.size_value(extent, span).expect("an array tells its sizes");
        let wanted = self.value_of_size(env, size, span);
        let holds = self.build.bin(BinOp::Eq, found, wanted, span);
        let text =
            format!("cannot be {}: the array's length is ", type_text(ty, &mut self.size_names()));
        let mut message = vec![Piece::text(text), Piece::Value(found)];
        if size.as_constant().is_none() {
            let size = size_text(size, &mut self.size_names());
            message.push(Piece::text(format!(" and {size} is ")));
            message.push(Piece::Value(wanted));
        }
        self.check(holds, Fault::Coercion, message, span);
    }

    /// The names of sizes as the source has them.
    pub(super) fn size_names(&self) -> Names<'a> {
        Names(self.core)
    }
}

/// Types as the source has them.
pub(super) struct Names<'a>(&'a core::Program);

impl TypeNames for Names<'_> {
    fn size(&mut self, id: SizeId) -> String {
        self.0.sizes[id].name.to_string()
    }

    fn type_var(&mut self, var: TypeVar) -> String {
        self.0.types[var].to_string()
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
