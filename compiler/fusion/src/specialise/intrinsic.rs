//! The combinators: each becomes one binding over the scalar components of its arrays.
//!
//! Invariant: `zip`, `unzip` and projections of components emit nothing; every other combinator of
//! the program is exactly one combinator of `cnf`.
//!
//! ```text
//! map (\(p, d) -> (p.x, d > 0)) (zip ps ds)   ⇒ x, t = map (\x d -> { t = d > 0.0; x, t }) ps_x ds
//! ```

use arr_abi::ErrorCode;

use super::check::number;
use super::error::{Error, Eval};
use super::expected_result::CallSite;
use super::value::{Array, Column, Leaf, TyLeaf, Value};
use super::{Specialiser, atoms};
use crate::cnf::{Assertion, Atom, Bind, Extent, FoldOrder, Op, ScanKind, SizeDef, Type, Worker};
use crate::specialise::value_tree::Tree;
use arrc_front::core::{Def, Intrinsic};
use arrc_syntax::ids::{SizeVar, VarId};
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The arrays that a worker reads, and the parameters that stand for their elements.
#[derive(Default)]
pub(super) struct WorkerStreams {
    pub(super) inputs: Vec<VarId>,
    pub(super) params: Vec<VarId>,
}

/// The parts of a fold: the accumulators' types, and those of the binding.
struct FoldParts {
    types: Vec<Type>,
    worker: Worker,
    init: Vec<Atom>,
    inputs: Vec<VarId>,
}

impl<'a> Specialiser<'a> {
    /// Applies an intrinsic to all its arguments.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        args: &[Value<'a>],
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let span = at.span;
        match intrinsic {
            Intrinsic::Map(_) => self.map(&args[0], &args[1..], at),
            Intrinsic::Zip(_) => Ok(self.zip(args, span)),
            Intrinsic::Unzip(_) => Ok(unzip(args[0].expect_array())),
            Intrinsic::Filter => self.filter(&args[0], args[1].expect_array(), span),
            Intrinsic::FlatMap => self.flatmap(&args[0], args[1].expect_array(), at),
            Intrinsic::Partition(_) => {
                let (array, predicates) = args.split_last().expect("predicates and an array");
                self.partition(predicates, array.expect_array(), span)
            }
            Intrinsic::Reduce => self.fold(FoldOrder::Associative, args, span),
            Intrinsic::ReduceComm => self.fold(FoldOrder::Commutative, args, span),
            Intrinsic::Fold => self.fold(FoldOrder::Strict, args, span),
            Intrinsic::Scan => self.scan(ScanKind::Inclusive, args, at),
            Intrinsic::Exscan => self.scan(ScanKind::Exclusive, args, at),
            Intrinsic::Iota => self.generate(&args[0], None, "iota", at),
            Intrinsic::Replicate => self.replicate(&args[0], &args[1], at),
            Intrinsic::Generate => self.generate(&args[0], Some(&args[1]), "generate", at),
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
            Intrinsic::Flatten => Ok(self.flatten(args[0].expect_array(), span)),
            Intrinsic::Unflatten => panic!("`unflatten` is applied with its sizes"),
            Intrinsic::OrderBits => Ok(self.order_bits(&args[0], &args[1])),
            Intrinsic::IsFew => Ok(self.is_few(&args[0], &args[1])),
            Intrinsic::IsNumbers => Ok(self.is_numbers(&args[0], &args[1])),
            Intrinsic::Between => Ok(self.between(args, span)),
            Intrinsic::Positions => Ok(self.positions(&args[0], &args[1], span)),
            Intrinsic::IsConstant => {
                let is_constant = matches!(args[0].expect_scalar(), Atom::Const(_));
                Ok(Value::scalar(Const::bool(is_constant)))
            }
            Intrinsic::Exchanged => Ok(self.exchanged(&args[0], &args[1], span)),
            Intrinsic::NanPlace => Ok(self.nan_place(&args[0], &args[1])),
            Intrinsic::Trace => self.trace(&args[0], &args[1], span),
            Intrinsic::OrderKey => Ok(self.order_key(&args[0], &args[1], span)),
        }
    }

    /// Arrays with the size of the first.
    fn align(&mut self, args: &[Value<'a>], span: Span) -> Vec<Array> {
        let size = args[0].expect_array().size;
        let align = |arg: &Value<'a>| {
            let array = arg.expect_array();
            let sized = array.resized(size, array.vars());
            self.build.aligned(array, &sized, span)
        };
        args.iter().map(align).collect()
    }

    fn map(&mut self, f: &Value<'a>, args: &[Value<'a>], at: CallSite<'_, 'a>) -> Eval<Value<'a>> {
        let arrays = self.align(args, at.span);
        let size = arrays[0].size;
        self.build.open();
        let mut streams = WorkerStreams::default();
        let elems = arrays.iter().map(|array| self.element(&mut streams, array)).collect();
        let result = self.apply(f, elems, at.element())?;
        let worker = self.worker(streams.params, &result, at.span)?;
        let op = Op::Map { worker, inputs: streams.inputs };
        self.emit_arrays(op, size, &result, at)
    }

    fn zip(&mut self, args: &[Value<'a>], span: Span) -> Value<'a> {
        let arrays = self.align(args, span);
        let size = arrays[0].size;
        Value::array(size, Tree::Tuple(arrays.into_iter().map(|array| array.elem).collect()))
    }

    fn filter(&mut self, predicate: &Value<'a>, array: &Array, span: Span) -> Eval<Value<'a>> {
        self.build.open();
        let mut streams = WorkerStreams::default();
        let elem = self.element(&mut streams, array);
        let flag = self.apply(predicate, vec![elem], CallSite::span(span))?;
        let worker = self.worker(streams.params, &flag, span)?;
        Ok(self.build_filter((worker, streams.inputs), array, span))
    }

    /// The elements of an array for which a predicate of other arrays, or of the same, holds.
    pub(super) fn build_filter(
        &mut self,
        (worker, inputs): (Worker, Vec<VarId>),
        array: &Array,
        span: Span,
    ) -> Value<'a> {
        let mut keep = Vec::new();
        for var in array.vars() {
            if !keep.contains(&var) {
                keep.push(var);
            }
        }
        let size = Extent::Size(self.build.fresh_size("k", SizeDef::Exists));
        let types = self.types(&keep, size);
        let op = Op::Filter { worker, inputs, keep: keep.clone() };
        let outs = self.build.emit(op, types, span);
        let vars = array.vars().into_iter().map(|var| {
            let place = keep.iter().position(|&kept| kept == var);
            outs[place.expect("each component of the array is kept")]
        });
        Tree::Leaf(Leaf::Array(array.resized(size, vars)))
    }

    /// `reduce` and `fold`: the accumulators are the components of the initial value.
    ///
    /// Each component of the elements is its own input, even if two are one array: a reduction that
    /// is reassociated applies its worker to accumulators in the place of elements.
    pub(super) fn fold(
        &mut self,
        order: FoldOrder,
        args: &[Value<'a>],
        span: Span,
    ) -> Eval<Value<'a>> {
        let FoldParts { types, worker, init, inputs } = self.folded(args, span)?;
        let outs = self.build.emit(Op::Fold { order, worker, init, inputs }, types, span);
        Ok(with_vars(&args[1], &outs))
    }

    fn scan(
        &mut self,
        prefix: ScanKind,
        args: &[Value<'a>],
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let size = args[2].expect_array().size;
        let FoldParts { worker, init, inputs, .. } = self.folded(args, at.span)?;
        self.emit_arrays(Op::Scan { prefix, worker, init, inputs }, size, &args[1], at)
    }

    /// The steps that a fold and a scan share.
    fn folded(&mut self, args: &[Value<'a>], span: Span) -> Eval<FoldParts> {
        let [f, init, array] = args else {
            panic!("core is well-typed: a fold has three arguments");
        };
        let array = array.expect_array();
        let accs_of = self.type_of_value(init);
        if accs_of.leaves().contains(&&TyLeaf::Fun) {
            let what = "this fold carries".into();
            return Err(Box::new(Error::FunctionResult { span, what }));
        }
        let first: Vec<Atom> = init.leaves().into_iter().flat_map(atoms).collect();
        let types: Vec<Type> = first.iter().map(|&atom| self.build.type_of(atom)).collect();
        self.build.open();
        let accs: Vec<VarId> =
            types.iter().map(|ty| self.build.variable(ty.clone(), "acc".into())).collect();
        if init.has_sum() {
            self.build.in_sums.extend(&accs);
        }
        let inputs = array.vars();
        let elems: Vec<VarId> = inputs.iter().map(|&input| self.parameter(input)).collect();
        let acc = with_vars(init, &accs);
        let elem = array.element(&mut elems.iter().copied());
        let next = self.apply(f, vec![acc, elem], CallSite::span(span))?;
        let worker = self.worker([accs, elems].concat(), &next, span)?;
        Ok(FoldParts { types, worker, init: first, inputs })
    }

    /// `generate`, or `iota` if there is no function.
    fn generate(
        &mut self,
        size: &Value<'a>,
        f: Option<&Value<'a>>,
        name: &str,
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let size = size.expect_scalar();
        self.build.check_size(size, name, at.span);
        self.build.open();
        let index = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        let result = match f {
            Some(f) => self.apply(f, vec![Value::scalar(index)], at.element())?,
            None => Value::scalar(index),
        };
        self.finish_generate((size, None), index, &result, at)
    }

    fn replicate(
        &mut self,
        size: &Value<'a>,
        value: &Value<'a>,
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let size = size.expect_scalar();
        self.build.check_size(size, "replicate", at.span);
        self.build.open();
        let index = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        self.finish_generate((size, None), index, value, at)
    }

    /// Closes the present block as the worker of a `generate`; the size is the array's extent too, if
    /// that is not known otherwise.
    pub(super) fn finish_generate(
        &mut self,
        (size, extent): (Atom, Option<Extent>),
        index: VarId,
        result: &Value<'a>,
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let worker = self.worker(vec![index], result, at.span)?;
        let extent = extent.unwrap_or_else(|| self.build.extent_of(size));
        self.emit_arrays(Op::Generate { size, worker }, extent, result, at)
    }

    fn gather(&mut self, array: &Array, indices: &Array, span: Span) -> Value<'a> {
        let data = array.vars();
        let index = indices.vars()[0];
        let types = self.types(&data, indices.size);
        let outs = self.build.emit(Op::Gather { data, indices: index }, types, span);
        Tree::Leaf(Leaf::Array(array.resized(indices.size, outs)))
    }

    fn cross(&mut self, xs: &Array, ys: &Array, span: Span) -> Value<'a> {
        let (left, right) = (xs.vars(), ys.vars());
        let size = self.build.product(xs.size, ys.size);
        let types = self.types(&[left.clone(), right.clone()].concat(), size);
        let mut outs = self.build.emit(Op::Cross { left, right }, types, span).into_iter();
        let [xs, ys] = [xs, ys].map(|side| side.refill(&mut outs).elem);
        Value::array(size, Tree::Tuple(vec![xs, ys]))
    }

    fn append(&mut self, xs: &Array, ys: &Array, span: Span) -> Value<'a> {
        if xs.size == Extent::Const(0) {
            return Tree::Leaf(Leaf::Array(ys.clone()));
        }
        if ys.size == Extent::Const(0) {
            return Tree::Leaf(Leaf::Array(xs.clone()));
        }
        let (left, right) = (xs.vars(), ys.vars());
        let size = self.build.sum(xs.size, ys.size);
        let types = self.types(&left, size);
        let outs = self.build.emit(Op::Append { left, right }, types, span);
        Tree::Leaf(Leaf::Array(xs.resized(size, outs)))
    }

    /// The rows, one after the other: another name for the same elements.
    fn flatten(&mut self, array: &Array, span: Span) -> Value<'a> {
        let Tree::Leaf(Column::Rows(rows)) = &array.elem else {
            panic!("core is well-typed: the elements of what is flattened are arrays");
        };
        let size = match (array.size, rows.size) {
            (Extent::Const(left), Extent::Const(right))
                if let Some(product) = left.checked_mul(right) =>
            {
                Extent::Const(product)
            }
            (left, right) => self.build.product(left, right),
        };
        let flat = rows.resized(size, rows.vars());
        Tree::Leaf(Leaf::Array(self.build.aligned(rows, &flat, span)))
    }

    /// An array cut into rows: another name for the same elements. Only the type of the result tells their number and
    /// length: the type at the name, or else that at the application.
    pub(super) fn unflatten(
        &mut self,
        array: &Array,
        (def, sizes): (&Def, &[(SizeVar, Extent)]),
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let wanted = self.expected_type(at).map(|ty| extents(ty.leaves()[0])).unwrap_or_default();
        let mut shape = Vec::new();
        for (dim, &size) in def.sizes.iter().enumerate() {
            let told = sizes.iter().find(|(told, _)| *told == size).map(|(_, extent)| *extent);
            let told = told.or_else(|| wanted.get(dim).copied().flatten());
            shape.push(told.ok_or_else(|| self.undetermined_size(size, at.span))?);
        }
        // Inference compares the numbers of elements in arithmetic that wraps, so an overflow is checked here.
        let [rows_of, row] =
            [shape[0], shape[1]].map(|size| self.build.checked_extent(size, "unflatten", at.span));
        self.build.size_product(rows_of, row, at.span);
        let rows = array.resized(shape[1], array.vars());
        let wanted = Array { size: shape[0], elem: Tree::Leaf(Column::Rows(Box::new(rows))) };
        Ok(Tree::Leaf(Leaf::Array(self.build.aligned(array, &wanted, at.span))))
    }

    /// An element of the array, as parameters of the present block's worker; components that are one
    /// array share a parameter.
    pub(super) fn element(&mut self, streams: &mut WorkerStreams, array: &Array) -> Value<'a> {
        let mut params = Vec::new();
        for input in array.vars() {
            let known = streams.inputs.iter().position(|&other| other == input);
            params.push(match known {
                Some(place) => streams.params[place],
                None => {
                    let param = self.parameter(input);
                    streams.inputs.push(input);
                    streams.params.push(param);
                    param
                }
            });
        }
        array.element(&mut params.into_iter())
    }

    pub(super) fn parameter(&mut self, array: VarId) -> VarId {
        let ty = self.build.vars[array].ty.element().expect("core is well-typed: an array");
        self.build.variable(ty, "x".into())
    }

    /// Closes the present block as a worker that yields the value, if that can be an element.
    fn worker(&mut self, params: Vec<VarId>, result: &Value<'a>, span: Span) -> Eval<Worker> {
        let ty = self.type_of_value(result);
        if ty.leaves().contains(&&TyLeaf::Fun) {
            let binding = self.binding();
            return Err(Box::new(Error::FunctionElement { span, binding }));
        }
        let results = result.leaves().into_iter().flat_map(atoms).collect();
        Ok(Worker { params, body: self.build.close(results) })
    }

    /// Emits a combinator that gives an array for each scalar of the elements.
    pub(super) fn emit_arrays(
        &mut self,
        mut op: Op,
        size: Extent,
        element: &Value<'a>,
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        if element.leaves().is_empty() {
            let binding = self.binding();
            return Err(Box::new(Error::UnitElement { span: at.span, binding }));
        }
        let element = self.outside(element, at.element());
        let types = self.array_types(size, &element);
        for ty in &types {
            self.check_rows(ty, &mut op, at.span);
        }
        let outs = self.build.emit(op, types, at.span);
        Ok(Tree::Leaf(Leaf::Array(Array::of(size, &element, outs))))
    }

    /// Checks that the rows' sizes are not negative, even if there are no rows. If the worker has the same check, it
    /// moves here.
    fn check_rows(&mut self, ty: &Type, op: &mut Op, span: Span) {
        let Type::Array { shape, .. } = ty else { return };
        for &size in &shape[1..] {
            if self.build.is_size(size) {
                continue;
            }
            let value = self.build.size_value(size, span);
            let moved = value.and_then(|value| taken_check(op, value));
            match moved {
                Some(binds) => {
                    binds.into_iter().for_each(|bind| self.build.append_to_current(bind))
                }
                None => {
                    self.build.checked_extent(size, "an array's element", span);
                }
            }
        }
    }

    /// The result of a worker, whose rows get sizes that are known outside of the worker.
    fn outside(&mut self, element: &Value<'a>, at: CallSite<'_, 'a>) -> Value<'a> {
        let known_outside = |leaf: &Leaf<'a>| match leaf {
            Leaf::Array(rows) => {
                let mut shapes = rows.parts().into_iter().map(|(_, _, shape)| shape);
                shapes.all(|shape| shape.iter().all(|&size| self.build.extent_in_scope(size)))
            }
            Leaf::Scalar(_) | Leaf::Fun(_) => true,
        };
        if element.leaves().into_iter().all(known_outside) {
            return element.clone();
        }
        let known = match self.expected_type(at) {
            Some(ty) => ty.leaves().into_iter().map(extents).collect(),
            None => vec![Vec::new(); element.leaves().len()],
        };
        let leaves = element.leaves().into_iter().zip(known).map(|(leaf, known)| match leaf {
            Leaf::Array(rows) => {
                let mut known = known.into_iter();
                Leaf::Array(rows.map_sizes(&mut |size| {
                    let known = known.next().flatten();
                    if self.build.extent_in_scope(size) {
                        return size;
                    }
                    known.expect("core is well-typed: the size of rows is known outside of them")
                }))
            }
            Leaf::Scalar(_) | Leaf::Fun(_) => leaf.clone(),
        });
        let leaves: Vec<_> = leaves.collect();
        element.refill(leaves)
    }

    /// The types of the arrays of that size with such elements.
    pub(super) fn array_types(&self, size: Extent, element: &Value<'a>) -> Vec<Type> {
        let mut types = Vec::new();
        for leaf in element.leaves() {
            match leaf {
                Leaf::Scalar(atom) => types.push(self.build.type_of(*atom).array_of(size)),
                Leaf::Array(rows) => types.extend(rows.parts().into_iter().map(|(_, var, row)| {
                    Type::Array { elem: self.build.elem_of(var), shape: row }.array_of(size)
                })),
                Leaf::Fun(_) => panic!("elements were checked to be data"),
            }
        }
        types
    }

    /// The types of the arrays with another size.
    fn types(&self, arrays: &[VarId], size: Extent) -> Vec<Type> {
        let element = |&array: &VarId| self.build.vars[array].ty.element();
        arrays
            .iter()
            .map(|array| element(array).expect("core is well-typed: an array").array_of(size))
            .collect()
    }
}

/// Takes the check that a size is not negative out of the workers of a combinator, if it is there.
fn taken_check(op: &mut Op, size: Atom) -> Option<[Bind; 2]> {
    op.workers_mut().into_iter().find_map(|worker| {
        let binds = &mut worker.body.binds;
        let is_condition =
            |bind: &Bind| bind.op.binary().is_some_and(|is| is == (BinOp::Ge, [size, number(0)]));
        let condition = binds.iter().position(is_condition)?;
        let holds = Atom::Var(binds[condition].vars[0]);
        let is_check = |bind: &Bind| {
            let Op::Assert(Assertion { cond, failure }) = &bind.op else { return false };
            failure.code == ErrorCode::Size && *cond == holds
        };
        let check = binds.iter().position(is_check)?;
        let check = binds.remove(check);
        Some([binds.remove(condition), check])
    })
}

/// The value with these variables in the place of its scalars and arrays.
pub(super) fn with_vars<'a>(value: &Value<'a>, vars: &[VarId]) -> Value<'a> {
    let mut vars = vars.iter().copied();
    value.map(&mut |leaf| match leaf {
        Leaf::Scalar(_) => {
            Leaf::Scalar(vars.next().expect("one variable for each component").into())
        }
        Leaf::Array(array) => Leaf::Array(array.refill(&mut vars)),
        Leaf::Fun(_) => panic!("the value was checked to be data"),
    })
}

/// The extents of an array's type at all depths, as far as they are known.
fn extents(leaf: &TyLeaf) -> Vec<Option<Extent>> {
    match leaf {
        TyLeaf::Array(size, elem) => {
            let inner = elem.leaves().into_iter().flat_map(extents);
            std::iter::once(*size).chain(inner).collect()
        }
        TyLeaf::Scalar(_) | TyLeaf::Fun => Vec::new(),
    }
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
