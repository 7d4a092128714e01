//! Choices by the value of one integer: the cases of a `match`, and chains of `if x == 1 then … else if x == 2 …`.
//!
//! With few cases, each one asks for its number in turn. From [`MIN_ARMS`] on, the numbers are searched: values that
//! are constants become a table, and other ones a binary tree of comparisons. So a choice among n cases takes log n
//! steps or one, and its normal form is log n deep, however long the chain in the text is.
//!
//! Invariant: a dispatch computes the value of the first case with the number, and evaluates the text of each case
//! once.
//!
//! ```text
//! match x case 0 -> 5 case 1 -> 7 … case 9 -> 1 case _ -> y
//! ⇒ c = x >= 0 && x <= 9; i = if c then x else 0; t = [5, 7, …, 1][i]; if c then t else y
//! ```

use super::Specialiser;
use super::branch::Branch;
use super::check::{number, number_of};
use super::error::Eval;
use super::matching::tag_of;
use super::value::{Env, Leaf, Value};
use crate::cnf::{Atom, Block, Extent, Op, Type};
use crate::specialise::value_tree::Tree;
use arrc_front::core::{Case, Expr, ExprKind, Pat};
use arrc_front::data::Data;
use arrc_syntax::ids::{LocalId, VarId};
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

/// Fewer cases than these are asked for in turn. With 8 cases, a search among computed values takes 0.38 of the time of
/// a `switch` in C, and a table of constants 2.31 (20,000 numbers in no order, medians, AVX2).
/// `scripts/bench compile cases` shows the time of the compiler. No benchmark shows the time of the program alone.
const MIN_ARMS: usize = 8;

/// A table has at most this many places for each case, so that it is not much larger than the text. No benchmark shows
/// it alone.
const MAX_SPREAD: i128 = 4;

/// A case that one number selects.
#[derive(Clone, Copy)]
pub(super) struct Arm<'a> {
    key: i128,
    body: Body<'a>,
}

/// The value of a case.
#[derive(Clone, Copy)]
enum Body<'a> {
    /// A case of a `match`, whose pattern may bind the parts of the value.
    Case(&'a Case),
    /// A branch of an `if`.
    Branch(&'a Expr),
}

impl<'a> Body<'a> {
    fn expr(self) -> &'a Expr {
        match self {
            Self::Case(case) => &case.body,
            Self::Branch(expr) => expr,
        }
    }
}

/// A choice by one number: the number and its cases.
pub(super) struct Dispatch<'d, 'a> {
    /// The whole expression.
    pub(super) expr: &'a Expr,
    /// The number.
    pub(super) number: Atom,
    /// The cases, in the order of the text.
    pub(super) arms: Vec<Arm<'a>>,
    /// The value of a `match`, and where its variables begin.
    pub(super) value: Option<(&'d Value<'a>, VarId)>,
}

/// The number that a pattern asks for, where nothing else decides whether a value fits.
fn key(pat: &Pat, value: &Value<'_>) -> Option<(Atom, i128)> {
    match (pat, value) {
        (Pat::Const(constant, _), Tree::Leaf(Leaf::Scalar(number))) if constant.ty.is_integer() => {
            Some((*number, constant.as_i128()))
        }
        (Pat::Constructor(name, pats), Tree::Sum(sum))
            if pats.iter().all(|pat| matches!(pat, Pat::Wild | Pat::Var(..))) =>
        {
            let Leaf::Scalar(tag) = sum.tag else { return None };
            Some((tag, tag_of(&sum.cases, name).as_i128()))
        }
        _ => None,
    }
}

/// The variable and the constant that a condition compares by `==`.
fn equality(cond: &Expr) -> Option<(LocalId, Const)> {
    let ExprKind::App(operator, args) = &cond.kind else { return None };
    let (ExprKind::BinOp(BinOp::Eq), [left, right]) = (&operator.kind, args.as_slice()) else {
        return None;
    };
    match (&left.kind, &right.kind) {
        (ExprKind::Var(var), ExprKind::Const(value))
        | (ExprKind::Const(value), ExprKind::Var(var))
            if value.ty.is_integer() =>
        {
            Some((*var, *value))
        }
        _ => None,
    }
}

/// The cases of a chain of conditions that compare one variable, and the rest of the chain.
fn chain<'a>(mut expr: &'a Expr) -> Option<(LocalId, Vec<Arm<'a>>, &'a Expr)> {
    let ExprKind::If(cond, ..) = &expr.kind else { return None };
    let (var, _) = equality(cond)?;
    let mut arms = Vec::new();
    while let ExprKind::If(cond, then, otherwise) = &expr.kind
        && let Some((other, value)) = equality(cond)
        && other == var
    {
        arms.push(Arm { key: value.as_i128(), body: Body::Branch(then) });
        expr = otherwise;
    }
    (arms.len() >= MIN_ARMS).then_some((var, arms, expr))
}

impl<'a> Specialiser<'a> {
    /// A chain of conditions on the value of one variable, if `expr` is a long one.
    pub(super) fn eval_chain(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
    ) -> Option<Eval<Value<'a>>> {
        let (var, arms, rest) = chain(expr)?;
        let number = env.vars.get(&var)?.expect_scalar();
        if matches!(number, Atom::Const(_)) {
            return None;
        }
        let dispatch = Dispatch { expr, number, arms, value: None };
        Some(self.dispatch(
            env,
            dispatch,
            Some((&mut |this, env| this.eval(env, rest), Some(rest))),
        ))
    }

    /// The first cases of a `match`, if they are many that ask for one number; and how many they are.
    pub(super) fn leading_dispatch<'d>(
        expr: &'a Expr,
        (value, mark): (&'d Value<'a>, VarId),
        cases: &'a [Case],
    ) -> Option<(Dispatch<'d, 'a>, usize)> {
        let (number, _) = key(&cases.first()?.pat, value)?;
        if matches!(number, Atom::Const(_)) {
            return None;
        }
        let keys = cases.iter().map_while(|case| {
            let (other, key) = key(&case.pat, value)?;
            (other == number).then_some(Arm { key, body: Body::Case(case) })
        });
        let arms: Vec<Arm<'a>> = keys.collect();
        let count = arms.len();
        let dispatch = Dispatch { expr, number, arms, value: Some((value, mark)) };
        (count >= MIN_ARMS).then_some((dispatch, count))
    }

    /// The value of the case with the number, or of `rest`, whose text is there if it is one expression. Without
    /// `rest`, the number is that of a case.
    pub(super) fn dispatch(
        &mut self,
        env: &mut Env<'a>,
        mut of: Dispatch<'_, 'a>,
        rest: Option<(Branch<'_, 'a>, Option<&'a Expr>)>,
    ) -> Eval<Value<'a>> {
        of.arms.sort_by_key(|arm| arm.key);
        of.arms.dedup_by_key(|arm| arm.key);
        let default = rest.as_ref().and_then(|(_, text)| *text).and_then(constant);
        if let Some(table) = Table::new(&of.arms, default, rest.is_none()) {
            return self.table_lookup(env, &of, table, rest.map(|(rest, _)| rest));
        }
        let ty = self.build.scalar_of(of.number);
        let keys: Vec<Atom> = of.arms.iter().map(|arm| number_of(ty, arm.key)).collect();
        let Some((rest, _)) = rest else { return self.searched(env, &of, (of.number, &keys), 0) };
        let (number, keys, found) = if is_dense(&of.arms) {
            let found = self.is_between(&of, [keys[0], keys[keys.len() - 1]]);
            (of.number, keys, found)
        } else {
            let place = self.place(of.number, &keys, 0, of.expr.span);
            let count = i64::try_from(keys.len()).expect("a program has fewer cases");
            let found = self.build.bin(BinOp::Lt, place, number(count), of.expr.span);
            (place, (0..count).map(number).collect(), found)
        };
        let expr = of.expr;
        self.choose(
            env,
            expr,
            found,
            &mut |this, env| this.searched(env, &of, (number, &keys), 0),
            rest,
        )
    }

    /// Whether the number lies between two others, inclusive.
    fn is_between(&mut self, of: &Dispatch<'_, 'a>, [least, most]: [Atom; 2]) -> Atom {
        let span = of.expr.span;
        let above = self.build.bin(BinOp::Ge, of.number, least, span);
        let below = self.build.bin(BinOp::Le, of.number, most, span);
        self.and_conditions(above, below, span)
    }

    /// The value of the case whose key the number is. `keys` are those of the cases from `first` on, and one of them is
    /// the number.
    fn searched(
        &mut self,
        env: &mut Env<'a>,
        of: &Dispatch<'_, 'a>,
        (number, keys): (Atom, &[Atom]),
        first: usize,
    ) -> Eval<Value<'a>> {
        if keys.len() == 1 {
            return self.eval_arm(env, of, first);
        }
        let (low, high) = keys.split_at(keys.len() / 2);
        let is_low = self.build.bin(BinOp::Lt, number, high[0], of.expr.span);
        self.choose(
            env,
            of.expr,
            is_low,
            &mut |this, env| this.searched(env, of, (number, low), first),
            &mut |this, env| this.searched(env, of, (number, high), first + low.len()),
        )
    }

    fn eval_arm(&mut self, env: &mut Env<'a>, of: &Dispatch<'_, 'a>, at: usize) -> Eval<Value<'a>> {
        match of.arms[at].body {
            Body::Branch(expr) => self.eval(env, expr),
            Body::Case(case) => {
                let (value, mark) = of.value.expect("a case has a value");
                self.eval_case(env, case, value, mark)
            }
        }
    }

    /// The place of the number among sorted keys, counted from `first`; the number of all keys if it is none of them.
    fn place(&mut self, this: Atom, keys: &[Atom], first: i64, span: Span) -> Atom {
        self.place_in(this, keys, (first, first + length(keys)), span)
    }

    fn place_in(
        &mut self,
        this: Atom,
        keys: &[Atom],
        (first, none): (i64, i64),
        span: Span,
    ) -> Atom {
        if let [key] = keys {
            let is_it = self.build.bin(BinOp::Eq, this, *key, span);
            return self.select(is_it, number(first), number(none), span);
        }
        let (low, high) = keys.split_at(keys.len() / 2);
        let is_low = self.build.bin(BinOp::Lt, this, high[0], span);
        let mut half = |keys: &[Atom], first| -> Block {
            self.build.open();
            let place = self.place_in(this, keys, (first, none), span);
            self.build.close(vec![place])
        };
        let (then, otherwise) = (half(low, first), half(high, first + length(low)));
        let op = Op::If { cond: is_low, then, otherwise };
        self.build.emit_one(op, Type::Scalar(Scalar::I64), span).into()
    }

    /// The value of the case in a table.
    fn table_lookup(
        &mut self,
        env: &mut Env<'a>,
        of: &Dispatch<'_, 'a>,
        table: Table,
        rest: Option<Branch<'_, 'a>>,
    ) -> Eval<Value<'a>> {
        let (span, ty) = (of.expr.span, self.build.scalar_of(of.number));
        let bounds = [table.least, table.greatest].map(|key| number_of(ty, key));
        let shift = i64::try_from(table.least).expect("a table begins at an `i64`");
        let found = rest.is_some().then(|| self.is_between(of, bounds));
        let key = self.build.un(UnOp::To(Scalar::I64), of.number, span);
        let place = self.build.bin(BinOp::Sub, key, number(shift), span);
        // The element is read whether or not it is asked for, so that nothing branches.
        let place = match found {
            Some(found) => self.select(found, place, number(0), span),
            None => place,
        };
        let extent = i64::try_from(table.values.len()).expect("a table fits into memory");
        let elem = table.values[0].ty;
        let array = Type::Array { elem, shape: vec![Extent::Const(extent)] };
        let array = self.build.constants(array, Data::new(elem, table.values), span);
        let read = Op::Index { array, indices: vec![place], inside: true };
        let value = Value::scalar(self.build.emit_one(read, Type::Scalar(elem), span));
        match (found, rest) {
            (Some(found), Some(rest)) => {
                self.choose(env, of.expr, found, &mut |_, _| Ok(value.clone()), rest)
            }
            _ => Ok(value),
        }
    }
}

/// Constants by the number of their case.
struct Table {
    least: i128,
    greatest: i128,
    values: Vec<Const>,
}

impl Table {
    /// The table of sorted cases, if their values are constants and their numbers lie close together. A number between
    /// them has the value `default`, if that is a constant; `is_whole` says that there is no such number.
    fn new(arms: &[Arm<'_>], default: Option<Const>, is_whole: bool) -> Option<Self> {
        let (least, most) = (arms.first()?.key, arms.last()?.key);
        let spread = most.checked_sub(least)?.checked_add(1)?;
        let count = i128::try_from(arms.len()).ok()?;
        if spread > count.checked_mul(MAX_SPREAD)? || i64::try_from(least).is_err() {
            return None;
        }
        let mut values = Vec::new();
        let mut arms = arms.iter().peekable();
        for key in least..=most {
            match arms.next_if(|arm| arm.key == key) {
                Some(arm) => values.push(constant(arm.body.expr())?),
                None => values.push(default.or(values.first().copied().filter(|_| is_whole))?),
            }
        }
        Some(Self { least, greatest: most, values })
    }
}

/// The constant that an expression is.
fn constant(expr: &Expr) -> Option<Const> {
    if let ExprKind::Const(value) = expr.kind { Some(value) } else { None }
}

/// Whether sorted cases have all numbers between the first and the last one.
fn is_dense(arms: &[Arm<'_>]) -> bool {
    arms.windows(2).all(|pair| pair[0].key + 1 == pair[1].key)
}

fn length(keys: &[Atom]) -> i64 {
    i64::try_from(keys.len()).expect("a program has fewer cases")
}
