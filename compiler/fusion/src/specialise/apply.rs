//! Applying functions: lambdas and definitions by evaluating their bodies, operators by emitting.
//!
//! Invariant: a function runs when it has as many arguments as it takes; with fewer it waits, and
//! further arguments are applied to its result.
//!
//! ```text
//! (\x y -> x + y) 1     waits        (\x y -> x + y) 1 z   ⇒ t = 1 + z
//! ```

use std::rc::Rc;

use super::Specialiser;
use super::error::Eval;
use super::expected_result::CallSite;
use super::value::{Callable, Closure, Env, Leaf, Ty, TyLeaf, Value};
use crate::specialise::value_tree::Tree;
use arrc_front::core::{Body, Def, Intrinsic};
use arrc_syntax::source::{Call, Span};

impl<'a> Specialiser<'a> {
    /// Applies a function to arguments.
    pub(super) fn apply(
        &mut self,
        fun: &Value<'a>,
        args: Vec<Value<'a>>,
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let fun = fun.expect_fun().clone();
        let mut all = fun.args.clone();
        all.extend(args);
        let arity = self.arity(&fun.code);
        if all.len() < arity {
            let fun = Closure { code: fun.code.clone(), args: all };
            return Ok(Tree::Leaf(Leaf::Fun(Rc::new(fun))));
        }
        let rest = all.split_off(arity);
        if rest.is_empty() {
            return self.run(&fun.code, all, at);
        }
        let function = self.run(&fun.code, all, CallSite::span(at.span))?;
        self.apply(&function, rest, at)
    }

    /// How many arguments a function takes before it runs.
    pub(super) fn arity(&self, code: &Callable<'a>) -> usize {
        match code {
            Callable::Lambda { params, .. } => params.len(),
            Callable::Global(def, ..) => {
                let def = &self.core.defs[*def];
                match def.body {
                    Body::Expr(_) | Body::External(_) => def.params.len(),
                    Body::Intrinsic(intrinsic) => intrinsic.arity(),
                }
            }
            Callable::Bin(_) => 2,
            Callable::Un(_) => 1,
            Callable::Fma => 3,
        }
    }

    /// Runs a function that has all its arguments.
    pub(super) fn run(
        &mut self,
        code: &Callable<'a>,
        args: Vec<Value<'a>>,
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let (core, span) = (self.core, at.span);
        self.step(span)?;
        match code {
            Callable::Lambda { params, body, env, .. } => {
                let mut env = Env::clone(env);
                self.bind_params(&mut env, params, args);
                self.eval(&mut env, body)
            }
            Callable::Global(id, types, sizes) => {
                let def = &core.defs[*id];
                let body = match &def.body {
                    Body::Intrinsic(Intrinsic::Unflatten) => {
                        return self.unflatten(args[0].expect_array(), (def, sizes), at);
                    }
                    Body::Intrinsic(intrinsic) => return self.intrinsic(*intrinsic, &args, at),
                    Body::External(effect) => return self.external(*id, *effect, args, span),
                    Body::Expr(_) if is_called(def, types) => {
                        return self.call(*id, types, args, span);
                    }
                    Body::Expr(body) => body,
                };
                let mut env = Env::default();
                env.types.extend(def.types.iter().copied().zip(types.iter().cloned()));
                self.bind_params(&mut env, &def.params, args);
                env.sizes.extend(sizes.iter().copied());
                self.learn_result(&mut env, def, at);
                self.check_nonnegative_sizes(&env, def, span);
                if def.params.is_empty() {
                    return self.eval(&mut env, body);
                }
                let outer = self.build.calls;
                let place = Span { calls: outer, ..at.span };
                self.build.calls = self.calls.add(Call { name: def.name.clone(), at: place });
                let result = self.eval(&mut env, body);
                self.build.calls = outer;
                result
            }
            Callable::Bin(op) => self.operator(*op, &args[0], &args[1], span),
            Callable::Un(op) => {
                Ok(Value::scalar(self.build.un(*op, args[0].expect_scalar(), span)))
            }
            Callable::Fma => {
                let args = [0, 1, 2].map(|at: usize| args[at].expect_scalar());
                Ok(Value::scalar(self.build.fma(args, span)))
            }
        }
    }

    /// Checks that no size parameter is negative. One that no array argument determines could be negative.
    fn check_nonnegative_sizes(&mut self, env: &Env<'a>, def: &Def, span: Span) {
        for size in def.undetermined_sizes() {
            let extent = env.sizes.get(&size).copied();
            if let Some(value) = extent.and_then(|extent| self.build.size_value(extent, span)) {
                self.build.check_size(value, &def.name, span);
            }
        }
    }

    /// Binds the sizes that only the type of the result tells, as with `unflatten_3d`, `split` and `rep`.
    fn learn_result(&mut self, env: &mut Env<'a>, def: &'a Def, at: CallSite<'_, 'a>) {
        if def.sizes.iter().any(|size| !env.sizes.contains_key(size))
            && let Some(wanted) = self.expected_type(at)
        {
            self.learn_type(env, &def.result, &wanted);
        }
    }

    fn bind_params(
        &mut self,
        env: &mut Env<'a>,
        params: &'a [arrc_front::core::Param],
        args: Vec<Value<'a>>,
    ) {
        let mark = self.build.next_var();
        for (param, arg) in params.iter().zip(args) {
            self.learn(env, &param.ty, &arg);
            self.name(&param.pat, &arg, mark);
            self.bind(env, &param.pat, arg);
        }
    }
}

/// Whether calls of a definition at these types stay calls. A definition whose result may be a function is inlined.
pub(super) fn is_called(def: &Def, types: &[Ty]) -> bool {
    let no_functions = || types.iter().all(|ty| !ty.leaves().contains(&&TyLeaf::Fun));
    def.recursive || (def.noinline && no_functions())
}
