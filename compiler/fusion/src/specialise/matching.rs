//! Sums and `match`: constructors make all components, cases become conditions.
//!
//! A value of a sum is a tag and the payloads of every constructor. The payloads of the constructors that did not make
//! the value are blank: zero, or arrays of zeros. A `match` becomes nested `if`s: each asks whether the value has a
//! case's tags and literals. Many cases of one number are searched instead (`dispatch`). The value is evaluated once.
//! Conditions that are known while compiling are decided while compiling, and the last case that is left needs no
//! condition, since inference has found that every value fits a case.
//!
//! Invariant: conditions only compare scalars, so no condition can fail.
//!
//! ```text
//! match x case #some 0 -> a case #some y -> f y case #none -> b
//! ⇒ c = x_tag == 1; d = x_some == 0; e = c & d
//!   if e then a else { g = x_tag == 1; if g then f x_some else b }
//! ```

use super::Specialiser;
use super::branch::Branch;
use super::error::Eval;
use super::expected_result::CallSite;
use super::value::{Env, Leaf, Ty, TyLeaf, Value};
use crate::cnf::{Atom, Extent, Type};
use crate::specialise::value_tree::{Sum, Tree};
use arrc_front::core::{Case, Expr, Pat};
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

impl<'a> Specialiser<'a> {
    /// `#name e …`; `expr` is the whole.
    pub(super) fn eval_constructor(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        name: &Name,
        args: &'a [Expr],
    ) -> Eval<Value<'a>> {
        let args = self.eval_all(env, args)?;
        for (ty, arg) in payload_types(&expr.ty, name).iter().zip(&args) {
            self.learn(env, ty, arg);
        }
        let Tree::Sum(sum) = self.eval_type(env, &expr.ty, expr.span)? else {
            panic!("core is well-typed: #{name} makes a value of a sum");
        };
        let tag = Leaf::Scalar(tag_of(&sum.cases, name).into());
        let mut cases = std::collections::BTreeMap::new();
        for (other, types) in &sum.cases {
            let payloads = if other == name {
                args.clone()
            } else {
                types.iter().map(|ty| self.blank(ty, expr.span)).collect()
            };
            cases.insert(other.clone(), payloads);
        }
        Ok(Tree::Sum(Box::new(Sum { tag, cases })))
    }

    /// A value of this type that nothing uses.
    fn blank(&mut self, ty: &Ty, span: Span) -> Value<'a> {
        ty.map(&mut |leaf| match leaf {
            TyLeaf::Scalar(scalar) => Leaf::Scalar(Const::zero(*scalar).into()),
            TyLeaf::Array(size, elem) => self.blank_array(*size, elem, span),
            TyLeaf::Fun => panic!("core is well-typed: constructors hold data"),
        })
    }

    /// Arrays of zeros. Where nothing determines their size they are empty: then no value of the type has another size
    /// here.
    fn blank_array(&mut self, size: Option<Extent>, elem: &Ty, span: Span) -> Leaf<'a> {
        let known = size.and_then(|size| self.build.size_value(size, span));
        let Some(count) = known else {
            let nothing = Extent::Const(0);
            let elem = self.empty_elem(elem, &[nothing], span);
            return Leaf::Array(super::value::Array { size: nothing, elem });
        };
        self.build.open();
        let index = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        let element = self.blank(elem, span);
        let array = self.finish_generate((count, None), index, &element, CallSite::span(span));
        let array = array.expect("the type of an array was checked");
        let size = size.expect("a size with a value is known");
        let array = array.expect_array().resized(size, array.expect_array().vars());
        Leaf::Array(array)
    }

    /// `match value case …`; `expr` is the whole.
    pub(super) fn eval_match(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        (value, cases): (&'a Expr, &'a [Case]),
    ) -> Eval<Value<'a>> {
        let mark = self.build.next_var();
        let value = self.eval(env, value)?;
        self.eval_cases(env, expr, &value, cases, mark)
    }

    /// The first of the cases that fits.
    fn eval_cases(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        value: &Value<'a>,
        cases: &'a [Case],
        mark: VarId,
    ) -> Eval<Value<'a>> {
        if let Some((dispatch, count)) = Self::leading_dispatch(expr, (value, mark), cases) {
            let rest = &cases[count..];
            let text = match rest {
                [Case { pat: Pat::Wild, body }] => Some(body),
                _ => None,
            };
            let mut evaluate =
                |this: &mut Self, env: &mut Env<'a>| this.eval_cases(env, expr, value, rest, mark);
            let rest = (!rest.is_empty()).then_some((&mut evaluate as Branch<'_, 'a>, text));
            return self.dispatch(env, dispatch, rest);
        }
        let (case, rest) =
            cases.split_first().expect("inference has found that every value fits a case");
        let fits = match rest {
            [] => Atom::Const(Const::bool(true)),
            _ => self.fits(&case.pat, value, case.body.span),
        };
        match fits {
            Atom::Const(fits) if fits.bits == 0 => self.eval_cases(env, expr, value, rest, mark),
            Atom::Const(_) => self.eval_case(env, case, value, mark),
            Atom::Var(_) => self.choose(
                env,
                expr,
                fits,
                &mut |this, env| this.eval_case(env, case, value, mark),
                &mut |this, env| {
                    super::expr::with_enough_stack(|| this.eval_cases(env, expr, value, rest, mark))
                },
            ),
        }
    }

    /// The value of a case that fits.
    pub(super) fn eval_case(
        &mut self,
        env: &mut Env<'a>,
        case: &'a Case,
        value: &Value<'a>,
        mark: VarId,
    ) -> Eval<Value<'a>> {
        self.name(&case.pat, value, mark);
        self.bind(env, &case.pat, value.clone());
        self.eval(env, &case.body)
    }

    /// Whether a value fits a pattern.
    fn fits(&mut self, pat: &Pat, value: &Value<'a>, span: Span) -> Atom {
        match (pat, value) {
            (Pat::Wild | Pat::Var(..), _) => Const::bool(true).into(),
            (Pat::Const(constant, _), value) => {
                let value = value.expect_scalar();
                self.build.bin(BinOp::Eq, value, (*constant).into(), span)
            }
            (Pat::Tuple(pats), Tree::Tuple(items)) => self.all_fit(pats.iter().zip(items), span),
            (Pat::Record(pats), Tree::Record(fields)) => {
                self.all_fit(pats.iter().map(|(name, pat)| (pat, &fields[name])), span)
            }
            (Pat::Constructor(name, pats), Tree::Sum(sum)) => {
                let Leaf::Scalar(tag) = sum.tag else { panic!("a tag is a scalar") };
                let own = tag_of(&sum.cases, name);
                let is_made_so = if sum.cases.len() == 1 {
                    Const::bool(true).into()
                } else {
                    self.build.bin(BinOp::Eq, tag, own.into(), span)
                };
                // A value that is known to have another constructor needs no comparison.
                if is_made_so == Atom::Const(Const::bool(false)) {
                    return is_made_so;
                }
                let parts = self.all_fit(pats.iter().zip(&sum.cases[name]), span);
                self.and_conditions(is_made_so, parts, span)
            }
            (Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..), value) => {
                panic!("core is well-typed: {value:?} may fit its pattern")
            }
        }
    }

    fn all_fit<'v>(
        &mut self,
        parts: impl Iterator<Item = (&'v Pat, &'v Value<'a>)>,
        span: Span,
    ) -> Atom
    where
        'a: 'v,
    {
        let mut all = Const::bool(true).into();
        for (pat, value) in parts {
            let one = self.fits(pat, value, span);
            all = self.and_conditions(all, one, span);
        }
        all
    }

    /// Whether both hold.
    pub(super) fn and_conditions(&mut self, left: Atom, right: Atom, span: Span) -> Atom {
        self.combine(BinOp::And, left, right, span)
    }

    /// Whether one holds.
    pub(super) fn or_conditions(&mut self, left: Atom, right: Atom, span: Span) -> Atom {
        self.combine(BinOp::Or, left, right, span)
    }

    fn combine(&mut self, op: BinOp, left: Atom, right: Atom, span: Span) -> Atom {
        let neutral = Atom::Const(Const::bool(op == BinOp::And));
        match (left, right) {
            (Atom::Const(_), other) | (other, Atom::Const(_)) => {
                let constant = if matches!(left, Atom::Const(_)) { left } else { right };
                if constant == neutral { other } else { constant }
            }
            (left, right) => self.build.bin(op, left, right, span),
        }
    }
}

/// The tag of a constructor: its place among the names of all.
pub(super) fn tag_of<T>(cases: &std::collections::BTreeMap<Name, T>, name: &Name) -> Const {
    let place = cases.keys().position(|other| other == name);
    let place = place.expect("core is well-typed: the sum has the constructor");
    Const::i64(i64::try_from(place).expect("a sum has fewer than 2^63 constructors"))
}

/// The types of the payloads of a constructor.
fn payload_types<'t>(ty: &'t arrc_front::core::Type, name: &Name) -> &'t [arrc_front::core::Type] {
    let arrc_front::core::Type::Sum(constructors) = ty else {
        panic!("core is well-typed: #{name} makes a value of a sum, not of {ty:?}");
    };
    &constructors[name]
}
