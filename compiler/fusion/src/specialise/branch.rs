//! `if`, `&&` and `||`.
//!
//! Invariant: the operations of a branch are emitted in the branch's block, unless they are cheap and cannot fail, and
//! a plain operator serves as well.
//!
//! ```text
//! if c then (x + 1, xs) else (x, ys)   ⇒ t, a = if c then { u = x + 1; u, xs } else { x, ys }
//! x > 0 && y > 0                       ⇒ t = x > 0; u = y > 0; v = t & u
//! ```

use super::carried_sizes::told_sizes;
use super::error::{Error, Eval};
use super::value::{Array, Callable, Closure, Column, Env, Leaf, TyLeaf, Value};
use super::{Specialiser, atoms};
use crate::cnf::{Atom, Block, Extent, Op, SizeDef, Type};
use crate::specialise::value_tree::Tree;
use arrc_front::core;
use arrc_front::core::Expr;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The results of an `if` while its branches are compared.
#[derive(Default)]
struct BranchJoin {
    then: Vec<Atom>,
    otherwise: Vec<Atom>,
    types: Vec<Type>,
    /// The sizes of the results so far, by their sizes in core: equal ones there are equal here.
    sizes: Vec<(core::Size, Extent)>,
}

/// Evaluates a branch.
pub(super) type Branch<'b, 'a> =
    &'b mut dyn FnMut(&mut Specialiser<'a>, &mut Env<'a>) -> Eval<Value<'a>>;

/// A leaf of the joined value: a value that both branches agree on, or results of the `if`.
enum MergedLeaf<'a> {
    Same(Leaf<'a>),
    Scalar(usize),
    Array(Array, Vec<usize>),
}

impl<'a> Specialiser<'a> {
    /// `left && right`.
    pub(super) fn eval_and(
        &mut self,
        env: &mut Env<'a>,
        left: &'a Expr,
        right: &'a Expr,
        span: Span,
    ) -> Eval<Value<'a>> {
        let left = self.eval(env, left)?.expect_scalar();
        let right = |this: &mut Self| Ok(this.eval(env, right)?.expect_scalar());
        Ok(Value::scalar(self.short_circuit(BinOp::And, left, right, span)?))
    }

    /// `left || right`.
    pub(super) fn eval_or(
        &mut self,
        env: &mut Env<'a>,
        left: &'a Expr,
        right: &'a Expr,
        span: Span,
    ) -> Eval<Value<'a>> {
        let left = self.eval(env, left)?.expect_scalar();
        let right = |this: &mut Self| Ok(this.eval(env, right)?.expect_scalar());
        Ok(Value::scalar(self.short_circuit(BinOp::Or, left, right, span)?))
    }

    /// `&&` or `||`: the left side alone if that decides; a plain operator if the right side is cheap and cannot
    /// fail, else an `if`.
    pub(super) fn short_circuit(
        &mut self,
        op: BinOp,
        left: Atom,
        right: impl FnOnce(&mut Self) -> Eval<Atom>,
        span: Span,
    ) -> Eval<Atom> {
        if let Atom::Const(value) = left {
            let decides = (value.bits != 0) == (op == BinOp::Or);
            return if decides { Ok(left) } else { right(self) };
        }
        self.build.open();
        let right = right(self)?;
        if self.build.binds().iter().all(|bind| bind.op.is_total_choice(&self.build.vars)) {
            self.build.merge();
            return Ok(self.build.bin(op, left, right, span));
        }
        let then = self.build.close(vec![right]);
        let decided = Const::bool(op == BinOp::Or);
        let otherwise = Block { binds: Vec::new(), results: vec![decided.into()] };
        let (then, otherwise) =
            if op == BinOp::And { (then, otherwise) } else { (otherwise, then) };
        let op = Op::If { cond: left, then, otherwise };
        Ok(self.build.emit_one(op, Type::Scalar(Scalar::Bool), span).into())
    }

    /// `if cond then … else …`; `expr` is the whole.
    pub(super) fn eval_if(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        (cond, then, otherwise): (&'a Expr, &'a Expr, &'a Expr),
    ) -> Eval<Value<'a>> {
        if let Some(value) = self.eval_chain(env, expr) {
            return value;
        }
        let cond = match self.eval(env, cond)?.expect_scalar() {
            Atom::Const(value) => {
                return self.eval(env, if value.bits == 0 { otherwise } else { then });
            }
            cond @ Atom::Var(_) => cond,
        };
        self.choose(env, expr, cond, &mut |this, env| this.eval(env, then), &mut |this, env| {
            this.eval(env, otherwise)
        })
    }

    /// The one value or the other, of the type of `expr`.
    pub(super) fn choose(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        cond: Atom,
        then: Branch<'_, 'a>,
        otherwise: Branch<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let (left, mut then) = self.eval_branch(env, then)?;
        let (right, mut otherwise) = self.eval_branch(env, otherwise)?;

        // Core may know a size that the branches' own symbols do not show to be equal.
        let expected = self.eval_type(env, &expr.ty, expr.span).ok();
        let mut join = BranchJoin::default();
        let told = told_sizes(&expr.ty, &left);
        let joined = self.join(&mut join, (&left, &right), (expected, told), expr.span)?;
        then.results = join.then;
        otherwise.results = join.otherwise;
        let op = Op::If { cond, then, otherwise };
        let vars = if join.types.is_empty() && !op.stays() {
            Vec::new()
        } else {
            self.build.emit(op, join.types, expr.span)
        };
        Ok(joined.map(&mut |leaf| resolve(leaf, &vars)))
    }

    /// Evaluates a branch in its own block. The sizes that it determines hold only inside it.
    fn eval_branch(
        &mut self,
        env: &mut Env<'a>,
        branch: Branch<'_, 'a>,
    ) -> Eval<(Value<'a>, Block)> {
        let known = env.sizes.len();
        self.build.open();
        let value = branch(self, env)?;
        env.sizes.truncate(known);
        Ok((value, self.build.close(Vec::new())))
    }

    fn join(
        &mut self,
        join: &mut BranchJoin,
        (left, right): (&Value<'a>, &Value<'a>),
        (expected, told): (Option<super::value::Ty>, Vec<Vec<Option<core::Size>>>),
        span: Span,
    ) -> Eval<Tree<MergedLeaf<'a>>> {
        let expected: Vec<Option<TyLeaf>> = match expected {
            Some(ty) => ty.leaves().into_iter().cloned().map(Some).collect(),
            None => vec![None; left.leaves().len()],
        };
        let pairs =
            left.leaves().into_iter().zip(right.leaves()).zip(expected.into_iter().zip(told));
        let leaves = pairs
            .map(|((left, right), expected)| self.join_leaf(join, left, right, expected, span))
            .collect::<Eval<Vec<_>>>()?;
        Ok(left.refill(leaves))
    }

    fn join_leaf(
        &mut self,
        join: &mut BranchJoin,
        left: &Leaf<'a>,
        right: &Leaf<'a>,
        (expected, told): (Option<TyLeaf>, Vec<Option<core::Size>>),
        span: Span,
    ) -> Eval<MergedLeaf<'a>> {
        match (left, right) {
            (Leaf::Scalar(x), Leaf::Scalar(y)) => {
                if x == y && self.atom_in_scope(*x) {
                    return Ok(MergedLeaf::Same(left.clone()));
                }
                let ty = Type::Scalar(self.build.scalar_of(*x));
                Ok(MergedLeaf::Scalar(join.push(*x, *y, ty)))
            }
            (Leaf::Array(xs), Leaf::Array(ys)) => {
                if xs == ys && self.array_in_scope(xs) {
                    return Ok(MergedLeaf::Same(left.clone()));
                }
                Ok(self.join_arrays(join, (xs, ys), expected.as_ref(), told))
            }
            (Leaf::Fun(f), Leaf::Fun(g)) if self.same_fun(f, g) => {
                Ok(MergedLeaf::Same(left.clone()))
            }
            (Leaf::Fun(_), Leaf::Fun(_)) => {
                Err(Box::new(Error::FunctionResult { span, what: "this `if` gives".into() }))
            }
            (Leaf::Scalar(_) | Leaf::Array(_) | Leaf::Fun(_), _) => {
                panic!("core is well-typed: both branches have one type")
            }
        }
    }

    fn join_arrays(
        &mut self,
        join: &mut BranchJoin,
        (xs, ys): (&Array, &Array),
        expected: Option<&TyLeaf>,
        told: Vec<Option<core::Size>>,
    ) -> MergedLeaf<'a> {
        let joined = self.join_sizes(join, (xs, ys), expected, &mut told.into_iter());
        let pairs = xs.vars().into_iter().zip(ys.vars()).zip(joined.parts());
        let indices = pairs.map(|((x, y), (_, _, shape))| {
            let ty = Type::Array { elem: self.build.elem_of(x), shape };
            join.push(x.into(), y.into(), ty)
        });
        let indices = indices.collect();
        MergedLeaf::Array(joined, indices)
    }

    /// The left array with sizes that both branches have. `told` are the sizes of its dimensions in core.
    fn join_sizes(
        &mut self,
        join: &mut BranchJoin,
        (xs, ys): (&Array, &Array),
        expected: Option<&TyLeaf>,
        told: &mut impl Iterator<Item = Option<core::Size>>,
    ) -> Array {
        let own = told.next().flatten();
        let (expected, elem_ty) = match expected {
            Some(TyLeaf::Array(size, elem)) => (*size, Some(elem)),
            Some(TyLeaf::Scalar(_) | TyLeaf::Fun) | None => (None, None),
        };
        let common = (xs.size == ys.size).then_some(xs.size);
        let before = join.sizes.iter().find(|(size, _)| Some(size) == own.as_ref());
        let known = [common, expected].into_iter().flatten();
        let known = before
            .map(|&(_, size)| size)
            .or_else(|| known.into_iter().find(|&size| self.build.extent_in_scope(size)));
        let size =
            known.unwrap_or_else(|| Extent::Size(self.build.fresh_size("k", SizeDef::Exists)));
        join.sizes.extend(own.map(|own| (own, size)));
        let expected: Vec<Option<&TyLeaf>> = match elem_ty {
            Some(elem) => elem.leaves().into_iter().map(Some).collect(),
            None => vec![None; xs.elem.leaves().len()],
        };
        let pairs = xs.elem.leaves().into_iter().zip(ys.elem.leaves()).zip(expected);
        let parts = pairs.map(|((x, y), expected)| match (x, y) {
            (Column::Rows(xs), Column::Rows(ys)) => {
                Column::Rows(Box::new(self.join_sizes(join, (xs, ys), expected, told)))
            }
            (Column::Scalar(x), Column::Scalar(_)) => Column::Scalar(*x),
            (Column::Rows(_) | Column::Scalar(_), _) => {
                panic!("core is well-typed: both branches have one type")
            }
        });
        let parts: Vec<_> = parts.collect();
        Array { size, elem: xs.elem.refill(parts) }
    }

    fn atom_in_scope(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(_) => true,
            Atom::Var(var) => self.build.in_scope(var),
        }
    }

    fn array_in_scope(&self, array: &Array) -> bool {
        array.vars().into_iter().all(|var| self.build.in_scope(var))
    }

    /// Whether two functions are one: the same code with the same environment, all in scope.
    fn same_fun(&mut self, left: &Closure<'a>, right: &Closure<'a>) -> bool {
        let code = match (&left.code, &right.code) {
            (
                Callable::Lambda { lambda: f, env: left, .. },
                Callable::Lambda { lambda: g, env: right, .. },
            ) => {
                std::ptr::eq(*f, *g)
                    && left.sizes == right.sizes
                    && left.types == right.types
                    && left.vars.len() == right.vars.len()
                    && left
                        .vars
                        .iter()
                        .all(|(var, x)| right.vars.get(var).is_some_and(|y| self.same(x, y)))
            }
            (Callable::Global(f, left, sizes), Callable::Global(g, right, others)) => {
                f == g && left == right && sizes == others
            }
            (Callable::Bin(f), Callable::Bin(g)) => f == g,
            (Callable::Un(f), Callable::Un(g)) => f == g,
            (Callable::Fma, Callable::Fma) => true,
            (Callable::Lambda { .. }, _)
            | (Callable::Global(..) | Callable::Bin(_) | Callable::Un(_) | Callable::Fma, _) => {
                false
            }
        };
        code && left.args.len() == right.args.len()
            && left.args.iter().zip(&right.args).all(|(x, y)| self.same(x, y))
    }

    fn same(&mut self, left: &Value<'a>, right: &Value<'a>) -> bool {
        let (left, right) = (left.leaves(), right.leaves());
        left.len() == right.len()
            && left.into_iter().zip(right).all(|(x, y)| match (x, y) {
                (Leaf::Fun(f), Leaf::Fun(g)) => self.same_fun(f, g),
                (Leaf::Fun(_), _) | (_, Leaf::Fun(_)) => false,
                (Leaf::Scalar(_) | Leaf::Array(_), _) => {
                    let atoms = (atoms(x), atoms(y));
                    atoms.0 == atoms.1 && atoms.0.into_iter().all(|atom| self.atom_in_scope(atom))
                }
            })
    }
}

impl BranchJoin {
    /// Adds a result, and says which it is; two leaves that are equal on both sides are one.
    fn push(&mut self, then: Atom, otherwise: Atom, ty: Type) -> usize {
        let pairs = self.then.iter().zip(&self.otherwise).zip(&self.types);
        for (index, ((&x, &y), known)) in pairs.enumerate() {
            if x == then && y == otherwise && *known == ty {
                return index;
            }
        }
        self.then.push(then);
        self.otherwise.push(otherwise);
        self.types.push(ty);
        self.types.len() - 1
    }
}

fn resolve<'a>(leaf: &MergedLeaf<'a>, vars: &[VarId]) -> Leaf<'a> {
    match leaf {
        MergedLeaf::Same(leaf) => leaf.clone(),
        MergedLeaf::Scalar(index) => Leaf::Scalar(vars[*index].into()),
        MergedLeaf::Array(array, indices) => {
            Leaf::Array(array.refill(&mut indices.iter().map(|&index| vars[index])))
        }
    }
}
