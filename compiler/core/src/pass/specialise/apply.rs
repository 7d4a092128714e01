//! Applying functions: lambdas and definitions by evaluating their bodies, operators by emitting.
//!
//! Invariant: a function runs when it has as many arguments as it takes; with fewer it waits, and
//! what is left over is applied to its result.
//!
//! ```text
//! (\x y -> x + y) 1     waits        (\x y -> x + y) 1 z   ⇒ t = 1 + z
//! ```

use std::rc::Rc;

use super::Specialiser;
use super::error::{Error, Eval};
use super::tree::Tree;
use super::value::{Array, Code, Env, Fun, Leaf, Value};
use crate::ir::cnf::{Atom, Block, Op, Order, Type, Worker};
use crate::ir::core::{Body, Intrinsic};
use crate::prim::{BinOp, Const, Scalar};
use crate::source::Span;

impl<'a> Specialiser<'a> {
    /// Applies a function to arguments.
    pub(super) fn apply(
        &mut self,
        fun: &Value<'a>,
        args: Vec<Value<'a>>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let fun = fun.expect_fun().clone();
        let mut all = fun.args.clone();
        all.extend(args);
        let arity = self.arity(&fun.code);
        if all.len() < arity {
            let fun = Fun { code: fun.code.clone(), args: all };
            return Ok(Tree::Leaf(Leaf::Fun(Rc::new(fun))));
        }
        let rest = all.split_off(arity);
        let result = self.run(&fun.code, all, span)?;
        if rest.is_empty() { Ok(result) } else { self.apply(&result, rest, span) }
    }

    /// How many arguments a function takes before it runs.
    pub(super) fn arity(&self, code: &Code<'a>) -> usize {
        match code {
            Code::Lambda { params, .. } => params.len(),
            Code::Global(def, _) => {
                let def = &self.core.defs[*def];
                match def.body {
                    Body::Expr(_) => def.params.len(),
                    Body::Intrinsic(intrinsic) => intrinsic_arity(intrinsic),
                }
            }
            Code::Bin(_) => 2,
            Code::Un(_) => 1,
        }
    }

    /// Runs a function that has all its arguments.
    pub(super) fn run(
        &mut self,
        code: &Code<'a>,
        args: Vec<Value<'a>>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let core = self.core;
        self.step(span)?;
        match code {
            Code::Lambda { params, body, env, .. } => {
                let mut env = Env::clone(env);
                self.bind_params(&mut env, params, args);
                self.eval(&mut env, body)
            }
            Code::Global(id, types) => {
                let def = &core.defs[*id];
                let body = match &def.body {
                    Body::Intrinsic(intrinsic) => return self.intrinsic(*intrinsic, &args, span),
                    Body::Expr(_) if def.recursive => return self.call(*id, types, args, span),
                    Body::Expr(body) => body,
                };
                let mut env = Env::default();
                env.types.extend(def.types.iter().copied().zip(types.iter().cloned()));
                self.bind_params(&mut env, &def.params, args);
                self.eval(&mut env, body)
            }
            Code::Bin(op) => self.operator(*op, &args[0], &args[1], span),
            Code::Un(op) => Ok(Value::scalar(self.build.un(*op, args[0].expect_scalar(), span))),
        }
    }

    fn bind_params(
        &mut self,
        env: &mut Env<'a>,
        params: &'a [crate::ir::core::Param],
        args: Vec<Value<'a>>,
    ) {
        let mark = self.build.mark();
        for (param, arg) in params.iter().zip(args) {
            self.learn(env, &param.ty, &arg);
            self.name(&param.pat, &arg, mark);
            self.bind(env, &param.pat, arg);
        }
    }

    /// A scalar operator; `==` and `!=` compare every component.
    fn operator(
        &mut self,
        op: BinOp,
        left: &Value<'a>,
        right: &Value<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        if let (Tree::Leaf(Leaf::Scalar(x)), Tree::Leaf(Leaf::Scalar(y))) = (left, right) {
            return Ok(Value::scalar(self.build.bin(op, *x, *y, span)));
        }
        let equal = op == BinOp::Eq;
        let combine = if equal { BinOp::And } else { BinOp::Or };
        let mut all = None;
        for (x, y) in left.leaves().into_iter().zip(right.leaves()) {
            let one = match (x, y) {
                (Leaf::Scalar(x), Leaf::Scalar(y)) => self.build.bin(op, *x, *y, span),
                (Leaf::Array(x), Leaf::Array(y)) => self.compare_arrays(op, x, y, span),
                (Leaf::Scalar(_) | Leaf::Array(_) | Leaf::Fun(_), _) => {
                    let what = "this comparison is of".into();
                    return Err(Box::new(Error::FunctionResult { span, what }));
                }
            };
            all = Some(match all {
                None => one,
                Some(all) => self.build.bin(combine, all, one, span),
            });
        }
        Ok(Value::scalar(all.unwrap_or(Const::bool(equal).into())))
    }

    /// Arrays are equal if their sizes are and all their elements are.
    fn compare_arrays(&mut self, op: BinOp, xs: &Array, ys: &Array, span: Span) -> Atom {
        if xs.size == ys.size {
            return self.compare_elements(op, xs, ys, span);
        }
        let known = "an array that is compared is in scope, and so tells its size";
        let left = self.build.size_value(xs.size, span).expect(known);
        let right = self.build.size_value(ys.size, span).expect(known);
        let cond = self.build.bin(BinOp::Eq, left, right, span);
        self.build.open();
        let ys = self.build.aligned(ys, xs.size, span);
        let result = self.compare_elements(op, xs, &ys, span);
        let then = self.build.close(vec![result]);
        let unequal = Const::bool(op == BinOp::Ne).into();
        let otherwise = Block { binds: Vec::new(), results: vec![unequal] };
        let op = Op::If { cond, then, otherwise };
        self.build.emit_one(op, Type::Scalar(Scalar::Bool), span).into()
    }

    fn compare_elements(&mut self, op: BinOp, xs: &Array, ys: &Array, span: Span) -> Atom {
        let combine = if op == BinOp::Eq { BinOp::And } else { BinOp::Or };
        let init: Atom = Const::bool(op == BinOp::Eq).into();
        let mut all = init;
        for (&x, &y) in xs.elem.leaves().into_iter().zip(ys.elem.leaves()) {
            let ty = Type::Scalar(self.build.elem_of(x));
            self.build.open();
            let acc = self.build.variable(Type::Scalar(Scalar::Bool), "t".into());
            let left = self.build.variable(ty.clone(), "x".into());
            let right = self.build.variable(ty, "y".into());
            let one = self.build.bin(op, left.into(), right.into(), span);
            let next = self.build.bin(combine, acc.into(), one, span);
            let body = self.build.close(vec![next]);
            let worker = Worker { params: vec![acc, left, right], body };
            let (order, init) = (Order::Strict, vec![init]);
            let fold = Op::Fold { order, worker, init, inputs: vec![x, y] };
            let result = self.build.emit_one(fold, Type::Scalar(Scalar::Bool), span);
            all = self.build.bin(combine, all, result.into(), span);
        }
        all
    }
}

fn intrinsic_arity(intrinsic: Intrinsic) -> usize {
    match intrinsic {
        Intrinsic::Map(arrays) => usize::from(arrays) + 1,
        Intrinsic::Zip(arrays) => usize::from(arrays),
        Intrinsic::Unzip(_) | Intrinsic::Iota | Intrinsic::Length => 1,
        Intrinsic::Filter
        | Intrinsic::Replicate
        | Intrinsic::Generate
        | Intrinsic::Gather
        | Intrinsic::Cross
        | Intrinsic::Append => 2,
        Intrinsic::Reduce | Intrinsic::ReduceComm | Intrinsic::Fold => 3,
    }
}
