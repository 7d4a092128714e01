//! The combinators: each becomes one binding over the scalar components of its arrays.
//!
//! Invariant: `zip`, `unzip` and projections of components emit nothing; every other combinator of
//! the program is exactly one combinator of `cnf`.
//!
//! ```text
//! map (\(p, d) -> (p.x, d > 0)) (zip ps ds)   ⇒ x, t = map (\x d -> { t = d > 0.0; x, t }) ps_x ds
//! ```

use super::Specialiser;
use super::error::{Error, Eval};
use super::tree::Tree;
use super::value::{Array, Leaf, TyLeaf, Value};
use crate::ids::VarId;
use crate::ir::cnf::{Atom, Extent, Op, Order, Prefix, SizeDef, Type, Worker};
use crate::ir::core::Intrinsic;
use crate::prim::Scalar;
use crate::source::Span;

/// The arrays that a worker reads, and the parameters that stand for their elements.
#[derive(Default)]
struct Streams {
    inputs: Vec<VarId>,
    params: Vec<VarId>,
}

/// The parts of a fold: the initial value as a tree, the accumulators' types, and those of the binding.
struct Folded {
    shape: Tree<Atom>,
    types: Vec<Type>,
    worker: Worker,
    init: Vec<Atom>,
    inputs: Vec<VarId>,
}

impl<'a> Specialiser<'a> {
    /// Applies what the compiler knows by itself to all its arguments.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        args: &[Value<'a>],
        span: Span,
    ) -> Eval<Value<'a>> {
        match intrinsic {
            Intrinsic::Map(_) => self.map(&args[0], &args[1..], span),
            Intrinsic::Zip(_) => Ok(self.zip(args, span)),
            Intrinsic::Unzip(_) => Ok(unzip(args[0].expect_array())),
            Intrinsic::Filter => self.filter(&args[0], args[1].expect_array(), span),
            Intrinsic::Reduce => self.fold(Order::Associative, args, span),
            Intrinsic::ReduceComm => self.fold(Order::Commutative, args, span),
            Intrinsic::Fold => self.fold(Order::Strict, args, span),
            Intrinsic::Scan => self.scan(Prefix::Inclusive, args, span),
            Intrinsic::Exscan => self.scan(Prefix::Exclusive, args, span),
            Intrinsic::Iota => self.generate(&args[0], None, span),
            Intrinsic::Replicate => self.replicate(&args[0], &args[1], span),
            Intrinsic::Generate => self.generate(&args[0], Some(&args[1]), span),
            Intrinsic::Gather => {
                Ok(self.gather(args[0].expect_array(), args[1].expect_array(), span))
            }
            Intrinsic::Cross => {
                Ok(self.cross(args[0].expect_array(), args[1].expect_array(), span))
            }
            Intrinsic::Append => {
                Ok(self.append(args[0].expect_array(), args[1].expect_array(), span))
            }
            Intrinsic::Length => {
                let size = args[0].expect_array().size;
                let value = self.build.size_value(size, span);
                Ok(Value::scalar(value.expect("an array in scope tells its size")))
            }
        }
    }

    /// Arrays with the size of the first.
    fn align(&mut self, args: &[Value<'a>], span: Span) -> Vec<Array> {
        let size = args[0].expect_array().size;
        args.iter().map(|arg| self.build.aligned(arg.expect_array(), size, span)).collect()
    }

    fn map(&mut self, f: &Value<'a>, args: &[Value<'a>], span: Span) -> Eval<Value<'a>> {
        let arrays = self.align(args, span);
        let size = arrays[0].size;
        self.build.open();
        let mut streams = Streams::default();
        let elems = arrays.iter().map(|array| self.element(&mut streams, array)).collect();
        let result = self.apply(f, elems, span)?;
        let elem = self.scalars(&result, span)?;
        let worker = self.worker(streams.params, &elem);
        let op = Op::Map { worker, inputs: streams.inputs };
        self.emit_arrays(op, size, &elem, span)
    }

    fn zip(&mut self, args: &[Value<'a>], span: Span) -> Value<'a> {
        let arrays = self.align(args, span);
        let size = arrays[0].size;
        Value::array(size, Tree::Tuple(arrays.into_iter().map(|array| array.elem).collect()))
    }

    fn filter(&mut self, predicate: &Value<'a>, array: &Array, span: Span) -> Eval<Value<'a>> {
        self.build.open();
        let mut streams = Streams::default();
        let elem = self.element(&mut streams, array);
        let flag = self.apply(predicate, vec![elem], span)?;
        let worker = self.worker(streams.params, &Tree::Leaf(flag.expect_scalar()));
        let mut keep = streams.inputs.clone();
        keep.dedup();
        let size = Extent::Size(self.build.fresh_size("k", SizeDef::Exists));
        let types = self.types(&keep, size);
        let op = Op::Filter { worker, inputs: streams.inputs, keep: keep.clone() };
        let outs = self.build.emit(op, types, span);
        let elem = array.elem.map(&mut |leaf| {
            let place = keep.iter().position(|kept| kept == leaf);
            outs[place.expect("each component of the array is kept")]
        });
        Ok(Value::array(size, elem))
    }

    /// `reduce` and `fold`: the accumulators are the components of the initial value.
    ///
    /// Each component of the elements is its own input, even if two are one array: a reduction that
    /// is reassociated applies its worker to accumulators in the place of elements.
    fn fold(&mut self, order: Order, args: &[Value<'a>], span: Span) -> Eval<Value<'a>> {
        let Folded { shape, types, worker, init, inputs } = self.folded(args, span)?;
        let outs = self.build.emit(Op::Fold { order, worker, init, inputs }, types, span);
        Ok(shape.refill(outs.into_iter().map(leaf)))
    }

    fn scan(&mut self, prefix: Prefix, args: &[Value<'a>], span: Span) -> Eval<Value<'a>> {
        let size = args[2].expect_array().size;
        let Folded { shape, worker, init, inputs, .. } = self.folded(args, span)?;
        let elem = shape.refill(worker.body.results.iter().copied());
        self.emit_arrays(Op::Scan { prefix, worker, init, inputs }, size, &elem, span)
    }

    /// What a fold and a scan have in common.
    fn folded(&mut self, args: &[Value<'a>], span: Span) -> Eval<Folded> {
        let [f, init, array] = args else {
            panic!("core is well-typed: a fold has three arguments");
        };
        let array = array.expect_array();
        let binding = self.binding();
        let init = init.try_map(&mut |leaf| match leaf {
            Leaf::Scalar(atom) => Ok(*atom),
            Leaf::Array(_) | Leaf::Fun(_) => {
                Err(Box::new(Error::ArrayAccumulator { span, binding: binding.clone() }))
            }
        })?;
        let types: Vec<Type> =
            init.leaves().into_iter().map(|atom| self.build.type_of(*atom)).collect();
        self.build.open();
        let accs: Vec<VarId> =
            types.iter().map(|ty| self.build.variable(ty.clone(), "acc".into())).collect();
        let inputs: Vec<VarId> = array.elem.leaves().into_iter().copied().collect();
        let elems: Vec<VarId> = inputs.iter().map(|&input| self.parameter(input)).collect();
        let acc = init.refill(accs.iter().copied().map(leaf));
        let elem = array.elem.refill(elems.iter().copied().map(leaf));
        let next = self.apply(f, vec![acc, elem], span)?;
        let next = self.scalars(&next, span)?;
        let worker = self.worker([accs, elems].concat(), &next);
        let shape = init.clone();
        let init = init.leaves().into_iter().copied().collect();
        Ok(Folded { shape, types, worker, init, inputs })
    }

    /// `generate`, or `iota` if there is no function.
    fn generate(&mut self, size: &Value<'a>, f: Option<&Value<'a>>, span: Span) -> Eval<Value<'a>> {
        let size = size.expect_scalar();
        self.build.open();
        let index = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        let result = match f {
            Some(f) => self.apply(f, vec![Value::scalar(index)], span)?,
            None => Value::scalar(index),
        };
        self.finish_generate(size, index, &result, span)
    }

    fn replicate(&mut self, size: &Value<'a>, value: &Value<'a>, span: Span) -> Eval<Value<'a>> {
        self.build.open();
        let index = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        self.finish_generate(size.expect_scalar(), index, value, span)
    }

    fn finish_generate(
        &mut self,
        size: Atom,
        index: VarId,
        result: &Value<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let elem = self.scalars(result, span)?;
        let worker = self.worker(vec![index], &elem);
        let extent = self.build.extent_of(size);
        self.emit_arrays(Op::Generate { size, worker }, extent, &elem, span)
    }

    fn gather(&mut self, array: &Array, indices: &Array, span: Span) -> Value<'a> {
        let data: Vec<VarId> = array.elem.leaves().into_iter().copied().collect();
        let index = *indices.elem.leaves()[0];
        let types = self.types(&data, indices.size);
        let outs = self.build.emit(Op::Gather { data, indices: index }, types, span);
        Value::array(indices.size, array.elem.refill(outs))
    }

    fn cross(&mut self, xs: &Array, ys: &Array, span: Span) -> Value<'a> {
        let left: Vec<VarId> = xs.elem.leaves().into_iter().copied().collect();
        let right: Vec<VarId> = ys.elem.leaves().into_iter().copied().collect();
        let size = self.build.product(xs.size, ys.size);
        let types = self.types(&[left.clone(), right.clone()].concat(), size);
        let outs = self.build.emit(Op::Cross { left, right }, types, span);
        let elem = Tree::Tuple(vec![xs.elem.clone(), ys.elem.clone()]);
        Value::array(size, elem.refill(outs))
    }

    fn append(&mut self, xs: &Array, ys: &Array, span: Span) -> Value<'a> {
        if xs.size == Extent::Const(0) {
            return Tree::Leaf(Leaf::Array(ys.clone()));
        }
        if ys.size == Extent::Const(0) {
            return Tree::Leaf(Leaf::Array(xs.clone()));
        }
        let left: Vec<VarId> = xs.elem.leaves().into_iter().copied().collect();
        let right: Vec<VarId> = ys.elem.leaves().into_iter().copied().collect();
        let size = self.build.sum(xs.size, ys.size);
        let types = self.types(&left, size);
        let outs = self.build.emit(Op::Append { left, right }, types, span);
        Value::array(size, xs.elem.refill(outs))
    }

    /// An element of the array, as parameters of the present block's worker; components that are one
    /// array share a parameter.
    fn element(&mut self, streams: &mut Streams, array: &Array) -> Value<'a> {
        array.elem.map(&mut |&input| {
            let known = streams.inputs.iter().position(|&other| other == input);
            let param = match known {
                Some(place) => streams.params[place],
                None => {
                    let param = self.parameter(input);
                    streams.inputs.push(input);
                    streams.params.push(param);
                    param
                }
            };
            leaf(param)
        })
    }

    pub(super) fn parameter(&mut self, array: VarId) -> VarId {
        let ty = Type::Scalar(self.build.elem_of(array));
        self.build.variable(ty, "x".into())
    }

    /// The scalars of what a worker yields, if it can be an element.
    fn scalars(&mut self, value: &Value<'a>, span: Span) -> Eval<Tree<Atom>> {
        let binding = self.binding();
        let ty = self.type_of_value(value);
        if ty.leaves().iter().all(|leaf| matches!(leaf, TyLeaf::Scalar(_))) {
            return Ok(value.map(&mut |leaf| match leaf {
                Leaf::Scalar(atom) => *atom,
                Leaf::Array(_) | Leaf::Fun(_) => unreachable!("every leaf is a scalar"),
            }));
        }
        let nested = ty.leaves().iter().any(|leaf| matches!(leaf, TyLeaf::Array(..)));
        Err(Box::new(if nested {
            Error::NestedArray { span, binding }
        } else {
            Error::FunctionElement { span, binding }
        }))
    }

    /// Closes the present block as a worker.
    fn worker(&mut self, params: Vec<VarId>, result: &Tree<Atom>) -> Worker {
        let results = result.leaves().into_iter().copied().collect();
        Worker { params, body: self.build.close(results) }
    }

    /// Emits a combinator that gives an array for each leaf of the elements.
    fn emit_arrays(
        &mut self,
        op: Op,
        size: Extent,
        elem: &Tree<Atom>,
        span: Span,
    ) -> Eval<Value<'a>> {
        if elem.leaves().is_empty() {
            let binding = self.binding();
            return Err(Box::new(Error::UnitElement { span, binding }));
        }
        let types = elem
            .leaves()
            .into_iter()
            .map(|&atom| Type::Array { elem: self.build.scalar_of(atom), shape: vec![size] })
            .collect();
        let outs = self.build.emit(op, types, span);
        Ok(Value::array(size, elem.refill(outs)))
    }

    fn types(&self, arrays: &[VarId], size: Extent) -> Vec<Type> {
        arrays
            .iter()
            .map(|&array| Type::Array { elem: self.build.elem_of(array), shape: vec![size] })
            .collect()
    }
}

fn leaf<'a>(var: VarId) -> Leaf<'a> {
    Leaf::Scalar(var.into())
}

fn unzip<'a>(array: &Array) -> Value<'a> {
    match &array.elem {
        Tree::Tuple(items) => {
            Tree::Tuple(items.iter().map(|item| Value::array(array.size, item.clone())).collect())
        }
        Tree::Leaf(_) | Tree::Record(_) | Tree::Sum(_) => {
            panic!("core is well-typed: the elements of what is unzipped are tuples")
        }
    }
}
