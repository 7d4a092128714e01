//! Loops.
//!
//! The carried values are the components of the loop's pattern, each a scalar or an array. A loop over an array is a
//! fold, and so fuses with the array's producer, unless it carries an array that changes its length.
//!
//! Invariant: an array that is carried has the extent of core's type, if that is known around the loop. Otherwise it
//! has an extent of its own in each step, and another one after the loop.
//!
//! ```text
//! loop (s, xs) = (0, a) for i < n do (s + xs[i], map f xs)
//! ⇒ s', xs' = loop (s, xs) = (0, a) for i < n do { t = xs[i]; u = s + t; ys = map f xs; u, ys }
//! loop s = 0 for x in xs do s + x   ⇒   s' = fold (\s x -> { t = s + x; t }) 0 xs
//! ```

use super::error::{Error, Eval};
use super::intrinsic::with_vars;
use super::tree::Tree;
use super::value::{Array, Env, Leaf, Value};
use super::{Specialiser, atoms};
use crate::ids::VarId;
use crate::ir::cnf::{self, Atom, Extent, Op, Order, SizeDef, Type, Worker};
use crate::ir::core::{self, Expr, Loop, Pat};
use crate::prim::{BinOp, Const, Scalar, UnOp};
use crate::source::Span;

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
                    let mark = this.build.mark();
                    let index = Value::scalar(this.build.un(UnOp::To(ty), index.into(), span));
                    this.name(counter, &index, mark);
                    this.bind(env, counter, index);
                })
            }
            core::LoopForm::In(each, array) => {
                let array = self.eval(env, array)?.expect_array().clone();
                if self.keeps_lengths(env, &data.ty, &init) {
                    return self.fold_loop(env, data, &init, (each, &array), span);
                }
                let count = self.build.size_value(array.size, span);
                let count = count.expect("an array in scope tells its size");
                self.counted(env, data, &init, (count, span), |this, env, index| {
                    let mark = this.build.mark();
                    let element = this.element_at(&array, &[index.into()], span);
                    this.name(each, &element, mark);
                    this.bind(env, each, element);
                })
            }
            core::LoopForm::While(condition) => {
                let (params, body) = self.loop_step(env, data, &init, |_, _| {})?;
                let (cond_params, cond) = self.condition(env, data, &init, condition)?;
                let cond = Worker { params: cond_params, body: cond };
                let form = cnf::LoopForm::While { cond };
                Ok(self.emit_loop(form, &init, Worker { params: params.vars, body }, span))
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
        let (mut params, body) = self.loop_step(env, data, init, |this, env| {
            let index = this.build.variable(Type::Scalar(Scalar::I64), "i".into());
            counter = Some(index);
            bind(this, env, index);
        })?;
        params.vars.extend(counter);
        let form = cnf::LoopForm::For { count };
        Ok(self.emit_loop(form, init, Worker { params: params.vars, body }, span))
    }

    /// Whether each array that a loop carries is as long in every step as at first.
    fn keeps_lengths(&mut self, env: &Env<'a>, ty: &core::Type, init: &Value<'a>) -> bool {
        match (ty, init) {
            (core::Type::Array(size, _), Tree::Leaf(Leaf::Array(array))) => {
                self.extent_of_size(env, size) == Some(array.size)
            }
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                types.iter().zip(items).all(|(ty, item)| self.keeps_lengths(env, ty, item))
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                fields.iter().all(|(name, field)| self.keeps_lengths(env, &types[name], field))
            }
            // Of a type parameter's type: nothing about it changes.
            (_, _) => true,
        }
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
        let (params, body) = self.loop_step(env, data, init, |this, env| {
            elems = inputs.iter().map(|&input| this.parameter(input)).collect();
            let element = array.element(&mut elems.iter().copied());
            let mark = this.build.mark();
            this.name(each, &element, mark);
            this.bind(env, each, element);
        })?;
        let mut worker = Worker { params: [params.vars, elems].concat(), body };
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
        let op = Op::Fold { order: Order::Strict, worker, init: atoms, inputs };
        let outs = self.build.emit(op, types, span);
        Ok(with_vars(init, &outs))
    }

    /// One step of a loop: the carried values and the body. Sizes that the step determines are known only in this step.
    fn loop_step(
        &mut self,
        env: &Env<'a>,
        data: &'a Loop,
        init: &Value<'a>,
        bind: impl FnOnce(&mut Self, &mut Env<'a>),
    ) -> Eval<(Params, cnf::Block)> {
        let mut env = env.clone();
        self.build.open();
        let params = self.carry(&mut env, data, init);
        bind(self, &mut env);
        let result = self.eval(&mut env, &data.body)?;
        let results = result.leaves().into_iter().flat_map(atoms).collect();
        Ok((params, self.build.close(results)))
    }

    /// The condition of a `while`, with parameters of its own.
    fn condition(
        &mut self,
        env: &Env<'a>,
        data: &'a Loop,
        init: &Value<'a>,
        condition: &'a Expr,
    ) -> Eval<(Vec<VarId>, cnf::Block)> {
        let mut env = env.clone();
        self.build.open();
        let params = self.carry(&mut env, data, init);
        let flag = self.eval(&mut env, condition)?.expect_scalar();
        Ok((params.vars, self.build.close(vec![flag])))
    }

    /// Binds the pattern to parameters of the present block.
    fn carry(&mut self, env: &mut Env<'a>, data: &'a Loop, init: &Value<'a>) -> Params {
        let mark = self.build.mark();
        let mut params = Params::default();
        let value = self.carried(env, &data.ty, init, &mut params);
        self.name(&data.pat, &value, mark);
        self.bind(env, &data.pat, value);
        params
    }

    /// Parameters of the form of the initial value.
    fn carried(
        &mut self,
        env: &mut Env<'a>,
        ty: &core::Type,
        init: &Value<'a>,
        params: &mut Params,
    ) -> Value<'a> {
        match (ty, init) {
            (core::Type::Array(size, _), Tree::Leaf(Leaf::Array(array))) => {
                let extent = self.extent_of_size(env, size);
                let extent = extent.unwrap_or_else(|| {
                    let fresh = self.build.fresh_size("m", SizeDef::Exists);
                    self.learn_size(env, size, Extent::Size(fresh));
                    Extent::Size(fresh)
                });
                self.carried_array(array, extent, params)
            }
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                let parts = types.iter().zip(items);
                let parts = parts.map(|(ty, item)| self.carried(env, ty, item, params));
                Tree::Tuple(parts.collect())
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                let parts = fields.iter().map(|(name, field)| {
                    (name.clone(), self.carried(env, &types[name], field, params))
                });
                Tree::Record(parts.collect())
            }
            // Of a type parameter's type: nothing about it changes.
            (_, value) => {
                let leaves: Vec<_> = value.leaves().into_iter().cloned().collect();
                let leaves = leaves.iter().map(|leaf| self.carried_leaf(leaf, params));
                value.refill(leaves.collect::<Vec<_>>())
            }
        }
    }

    fn carried_leaf(&mut self, leaf: &Leaf<'a>, params: &mut Params) -> Leaf<'a> {
        match leaf {
            Leaf::Scalar(atom) => {
                let ty = self.build.type_of(*atom);
                Leaf::Scalar(params.push(self.build.variable(ty, "x".into())).into())
            }
            Leaf::Array(array) => match self.carried_array(array, array.size, params) {
                Tree::Leaf(leaf) => leaf,
                Tree::Tuple(_) | Tree::Record(_) | Tree::Sum(_) => {
                    unreachable!("an array is a leaf")
                }
            },
            Leaf::Fun(_) => panic!("functions are not carried"),
        }
    }

    fn carried_array(&mut self, array: &Array, extent: Extent, params: &mut Params) -> Value<'a> {
        let carried = array.resized(extent, array.vars());
        let vars = carried.parts().into_iter().map(|(_, var, shape)| {
            let ty = Type::Array { elem: self.build.elem_of(var), shape };
            params.push(self.build.variable(ty, "a".into()))
        });
        let vars: Vec<_> = vars.collect();
        Tree::Leaf(Leaf::Array(carried.resized(extent, vars)))
    }

    /// Emits the loop. Its results have the types of the carried values; of a size that only the body
    /// knows, there is a new one.
    fn emit_loop(
        &mut self,
        form: cnf::LoopForm,
        init: &Value<'a>,
        worker: Worker,
        span: Span,
    ) -> Value<'a> {
        let mut params = worker.params.iter().copied();
        let mut types = Vec::new();
        let sized = init.map(&mut |leaf| match leaf {
            Leaf::Scalar(atom) => {
                types.push(self.build.type_of(*atom));
                params.next();
                None
            }
            Leaf::Array(array) => {
                let mut size = None;
                for _ in array.vars() {
                    let param = params.next().expect("each component is carried");
                    let Type::Array { elem, mut shape } = self.build.vars[param].ty.clone() else {
                        panic!("{param} is an array as its initial value is");
                    };
                    let known = shape[0];
                    let after = *size.get_or_insert_with(|| {
                        if self.build.extent_in_scope(known) {
                            return known;
                        }
                        Extent::Size(self.build.fresh_size("m", SizeDef::Exists))
                    });
                    shape[0] = after;
                    types.push(Type::Array { elem, shape });
                }
                size
            }
            Leaf::Fun(_) => panic!("functions are not carried"),
        });
        let cond_stays = match &form {
            cnf::LoopForm::For { .. } => false,
            cnf::LoopForm::While { cond } => cond.body.stays(),
        };
        if types.is_empty() && !worker.body.stays() && !cond_stays {
            return init.clone();
        }
        let atoms = init.leaves().into_iter().flat_map(atoms).collect();
        let mut outs =
            self.build.emit(Op::Loop { form, init: atoms, worker }, types, span).into_iter();
        let mut next = || outs.next().expect("a loop gives what it carries");
        let leaves =
            init.leaves().into_iter().zip(sized.leaves()).map(|(leaf, size)| match (leaf, size) {
                (Leaf::Array(array), Some(size)) => {
                    let vars: Vec<_> = array.vars().iter().map(|_| next()).collect();
                    Leaf::Array(array.resized(*size, vars))
                }
                (Leaf::Scalar(_) | Leaf::Array(_) | Leaf::Fun(_), _) => Leaf::Scalar(next().into()),
            });
        init.refill(leaves.collect::<Vec<_>>())
    }
}

/// The parameters of a step.
#[derive(Default)]
struct Params {
    vars: Vec<VarId>,
}

impl Params {
    fn push(&mut self, var: VarId) -> VarId {
        self.vars.push(var);
        var
    }
}
