//! Loops.
//!
//! The carried values are the components of the loop's pattern, each a scalar or an array. A loop over an array is a
//! fold, and so fuses with the array's producer, unless it carries an array that changes its length.
//!
//! Invariant: `carried` gives the sizes of the carried values.
//!
//! ```text
//! loop (s, xs) = (0, a) for i < n do (s + xs[i], map f xs)
//! ⇒ s', xs' = loop (s, xs) = (0, a) for i < n do { t = xs[i]; u = s + t; ys = map f xs; u, ys }
//! loop s = 0 for x in xs do s + x   ⇒   s' = fold (\s x -> { t = s + x; t }) 0 xs
//! ```

use super::error::{Error, Eval};
use super::intrinsic::with_vars;
use super::value::{Array, Env, Leaf, Value};
use super::{Specialiser, atoms};
use crate::cnf;
use crate::cnf::{Atom, FoldOrder, Op, Type, Worker};
use arrc_front::core;
use arrc_front::core::{Expr, Loop, Pat};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

/// The largest count.
const LARGEST: i128 = i64::MAX as i128;

impl<'a> Specialiser<'a> {
    /// `loop p = e for i < n do e`, and its other forms.
    pub(super) fn eval_loop(
        &mut self,
        env: &mut Env<'a>,
        data: &'a Loop,
        span: Span,
    ) -> Eval<Value<'a>> {
        let init = self.eval(env, &data.init)?;
        if init.leaves().iter().any(|leaf| matches!(leaf, Leaf::Fun(_))) {
            return Err(Box::new(Error::FunctionResult { span, what: "this loop carries".into() }));
        }
        match &data.form {
            core::LoopForm::For(counter, bound) => {
                let bound = self.eval(env, bound)?.expect_scalar();
                let ty = self.build.scalar_of(bound);
                let count = self.count(bound, ty, span);
                self.counted(env, data, &init, (count, span), |this, env, index| {
                    let mark = this.build.next_var();
                    let index = Value::scalar(this.build.un(UnOp::To(ty), index.into(), span));
                    this.name(counter, &index, mark);
                    this.bind(env, counter, index);
                })
            }
            core::LoopForm::In(each, array) => {
                let array = self.eval(env, array)?.expect_array().clone();
                if self.keeps_sizes(env, &data.ty, &init) {
                    return self.fold_loop(env, data, &init, (each, &array), span);
                }
                let count = self.build.size_value(array.size, span);
                let count = count.expect("an array in scope tells its size");
                self.counted(env, data, &init, (count, span), |this, env, index| {
                    let mark = this.build.next_var();
                    let element = this.element_at(&array, &[index.into()], span);
                    this.name(each, &element, mark);
                    this.bind(env, each, element);
                })
            }
            core::LoopForm::While(condition) => {
                let step = self.loop_step(env, data, &init, |_, _| {})?;
                let cond = self.condition(env, data, &init, condition)?;
                Ok(self.emit_loop(cnf::LoopForm::While { cond }, &init, step, span))
            }
        }
    }

    /// The number of steps that a bound of type `ty` gives.
    fn count(&mut self, bound: Atom, ty: Scalar, span: Span) -> Atom {
        let bound = if ty == Scalar::U64 {
            let largest = Const::int(ty, LARGEST).into();
            self.build.bin(BinOp::Min, bound, largest, span)
        } else {
            bound
        };
        self.build.un(UnOp::To(Scalar::I64), bound, span)
    }

    /// A counted loop; `bind` binds what depends on the counter.
    fn counted(
        &mut self,
        env: &Env<'a>,
        data: &'a Loop,
        init: &Value<'a>,
        (count, span): (Atom, Span),
        bind: impl FnOnce(&mut Self, &mut Env<'a>, VarId),
    ) -> Eval<Value<'a>> {
        let mut counter = None;
        let (carried, mut worker) = self.loop_step(env, data, init, |this, env| {
            let index = this.build.variable(Type::Scalar(Scalar::I64), "i".into());
            counter = Some(index);
            bind(this, env, index);
        })?;
        worker.params.extend(counter);
        Ok(self.emit_loop(cnf::LoopForm::For { count }, init, (carried, worker), span))
    }

    /// A loop over an array that carries scalars, and arrays that keep their lengths.
    fn fold_loop(
        &mut self,
        env: &Env<'a>,
        data: &'a Loop,
        init: &Value<'a>,
        (each, array): (&'a Pat, &Array),
        span: Span,
    ) -> Eval<Value<'a>> {
        let inputs = array.vars();
        let mut elems = Vec::new();
        let (_, mut worker) = self.loop_step(env, data, init, |this, env| {
            elems = inputs.iter().map(|&input| this.parameter(input)).collect();
            let element = array.element(&mut elems.iter().copied());
            let mark = this.build.next_var();
            this.name(each, &element, mark);
            this.bind(env, each, element);
        })?;
        worker.params.extend(elems);
        let mut atoms: Vec<Atom> = init.leaves().into_iter().flat_map(atoms).collect();
        if atoms.is_empty() && !worker.body.stays() {
            return Ok(init.clone());
        }
        if atoms.is_empty() {
            // The loop carries nothing and runs for its effects. A fold needs an accumulator, so it gets one.
            let (none, ty) = (Atom::Const(Const::bool(false)), Type::Scalar(Scalar::Bool));
            worker.params.insert(0, self.build.variable(ty, "t".into()));
            worker.body.results.push(none);
            atoms.push(none);
        }
        let types: Vec<Type> = atoms.iter().map(|&atom| self.build.type_of(atom)).collect();
        let op = Op::Fold { order: FoldOrder::Strict, worker, init: atoms, inputs };
        let outs = self.build.emit(op, types, span);
        Ok(with_vars(init, &outs))
    }

    /// One step of a loop: the carried values, and the worker that takes them and makes the next ones. Sizes that the
    /// step determines are known only in this step.
    fn loop_step(
        &mut self,
        env: &Env<'a>,
        data: &'a Loop,
        init: &Value<'a>,
        bind: impl FnOnce(&mut Self, &mut Env<'a>),
    ) -> Eval<(Value<'a>, Worker)> {
        let mut env = env.clone();
        self.build.open();
        let carried = self.carry(&mut env, data, init);
        bind(self, &mut env);
        let result = self.eval(&mut env, &data.body)?;
        let params = parameters(&carried);
        let results = result.leaves().into_iter().flat_map(atoms).zip(&params);
        let results =
            results.map(|(next, &param)| self.with_kept_sizes(next, param, data.body.span));
        let results = results.collect();
        let body = self.build.close(results);
        Ok((carried, Worker { params, body }))
    }

    /// The result of a step, with the sizes of the carried array that are computed from numbers: those are kept, and
    /// the step may have computed the same numbers again.
    fn with_kept_sizes(&mut self, next: Atom, param: VarId, span: Span) -> Atom {
        let Some(array) = next.as_var().filter(|&next| self.build.vars[next].ty.is_array()) else {
            return next;
        };
        let [made, kept] = [array, param].map(|var| self.build.vars[var].ty.shape().to_vec());
        let shape = made.into_iter().zip(kept);
        let shape =
            shape.map(|(made, kept)| if self.build.is_computed(kept) { kept } else { made });
        let shape: Vec<_> = shape.collect();
        self.build.reshaped(array, &shape, span).into()
    }

    /// The condition of a `while`, with parameters of its own.
    fn condition(
        &mut self,
        env: &Env<'a>,
        data: &'a Loop,
        init: &Value<'a>,
        condition: &'a Expr,
    ) -> Eval<Worker> {
        let mut env = env.clone();
        self.build.open();
        let carried = self.carry(&mut env, data, init);
        let flag = self.eval(&mut env, condition)?.expect_scalar();
        let params = parameters(&carried);
        Ok(Worker { params, body: self.build.close(vec![flag]) })
    }

    /// Binds the pattern to parameters of the present block.
    fn carry(&mut self, env: &mut Env<'a>, data: &'a Loop, init: &Value<'a>) -> Value<'a> {
        let mark = self.build.next_var();
        let value = self.carried(env, &data.ty, init);
        self.name(&data.pat, &value, mark);
        self.bind(env, &data.pat, value.clone());
        value
    }

    /// Emits the loop. Its results have the types of the carried values, with the sizes that they have after the loop.
    fn emit_loop(
        &mut self,
        form: cnf::LoopForm,
        init: &Value<'a>,
        (carried, worker): (Value<'a>, Worker),
        span: Span,
    ) -> Value<'a> {
        let after = self.after(&carried);
        let types = after.leaves().into_iter().flat_map(|leaf| self.leaf_types(leaf));
        let types: Vec<_> = types.collect();
        let cond_stays = match &form {
            cnf::LoopForm::For { .. } => false,
            cnf::LoopForm::While { cond } => cond.body.stays(),
        };
        if types.is_empty() && !worker.body.stays() && !cond_stays {
            return init.clone();
        }
        let init = init.leaves().into_iter().flat_map(atoms).collect();
        let outs = self.build.emit(Op::Loop { form, init, worker }, types, span);
        with_vars(&after, &outs)
    }

    /// The types of the variables that a leaf consists of.
    fn leaf_types(&self, leaf: &Leaf<'a>) -> Vec<Type> {
        match leaf {
            Leaf::Scalar(atom) => vec![self.build.type_of(*atom)],
            Leaf::Array(array) => {
                let parts = array.parts().into_iter();
                let of = |(_, var, shape)| Type::Array { elem: self.build.elem_of(var), shape };
                parts.map(of).collect()
            }
            Leaf::Fun(_) => panic!("functions are not carried"),
        }
    }
}

/// The variables that a carried value consists of.
fn parameters(carried: &Value<'_>) -> Vec<VarId> {
    let atoms = carried.leaves().into_iter().flat_map(atoms);
    let of = |atom| match atom {
        Atom::Var(var) => var,
        Atom::Const(_) => unreachable!("each component of a carried value is a parameter"),
    };
    atoms.map(of).collect()
}
