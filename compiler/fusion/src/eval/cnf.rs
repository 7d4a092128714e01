//! An interpreter of `cnf`. It runs the result of specialisation, one binding after the other. Tests compare the
//! later passes with it.
//!
//! Invariant: the result is the result of compiled code for every program and every argument, except for the order in
//! which reductions of floats are added up. An error is that of the first failing binding in the order of the
//! program.
//!
//! ```text
//! { ys = filter (\x -> x > 0) xs; s = reduce (+) 0 ys; s } of xs = [1, -2, 3]   ⇒ 4
//! ```

mod blocks;

use std::rc::Rc;

use arr_abi::ErrorCode;

pub use self::blocks::{DetachedWorker, run_in_blocks};
use crate::cnf::{
    Atom, Bind, Block, Callee, External, FoldOrder, Function, LoopForm, Op, Program, ScanKind,
    Worker,
};
use crate::eval::array::{Array, position};
use crate::eval::check_arguments::Signature;
use crate::eval::store::{Store, const_to_usize};
use arrc_front::eval::run_error::{MAX_DEPTH, RunError, check_array_size};
use arrc_syntax::ids::{FuncId, VarId};
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

/// If less stack than this is left, a call runs on a new segment of the stack.
const RED_ZONE: usize = 128 * 1024;
const STACK_PIECE: usize = 4 * 1024 * 1024;

/// A scalar, or an array of scalars.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A scalar.
    Scalar(Const),
    /// An array.
    Array(Array),
}

impl Value {
    /// An array of these scalars, of one dimension.
    #[must_use]
    pub fn array(elem: Scalar, scalars: impl IntoIterator<Item = Const>) -> Self {
        let scalars: Rc<[Const]> = scalars.into_iter().collect();
        Self::Array(Array::new(elem, vec![scalars.len()], scalars))
    }

    /// The scalar.
    ///
    /// # Panics
    /// If it is an array: forms are verified before they run.
    #[must_use]
    pub fn scalar(&self) -> Const {
        match self {
            Self::Scalar(value) => *value,
            Self::Array(_) => panic!("cnf is verified: a scalar stands here"),
        }
    }

    /// The array.
    ///
    /// # Panics
    /// If it is a scalar: forms are verified before they run.
    #[must_use]
    pub fn as_array(&self) -> &Array {
        match self {
            Self::Array(array) => array,
            Self::Scalar(_) => panic!("cnf is verified: an array stands here"),
        }
    }
}

/// Calls a function.
///
/// # Errors
/// The run-time error, if there is one.
///
/// # Panics
/// If the arguments do not have the parameters' types, or the program does not verify.
pub fn run(program: &Program, function: FuncId, args: Vec<Value>) -> Result<Vec<Value>, RunError> {
    let data = &program.functions[function];
    let Function { params, tables, span, .. } = data;
    Signature { params, tables, span: *span }.check(&args)?;
    Machine::new(program).call(function, args, data.span)
}

/// Runs a call, unless it is too deep. The depth is the number of active calls, this one included.
pub fn with_call_depth<T>(
    depth: u32,
    span: Span,
    call: impl FnOnce() -> Result<T, RunError>,
) -> Result<T, RunError> {
    if depth > MAX_DEPTH {
        return Err(RunError::new(ErrorCode::Stack, [0, 0], span));
    }
    stacker::maybe_grow(RED_ZONE, STACK_PIECE, call)
}

struct Machine<'a> {
    program: &'a Program,
    depth: u32,
    /// How many more operations may run.
    left: u64,
    /// The number of elements in a block of a reduction or a scan; none if each is one block.
    block: Option<usize>,
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program) -> Self {
        Self { program, depth: 0, left: u64::MAX, block: None }
    }

    fn call(
        &mut self,
        function: FuncId,
        args: Vec<Value>,
        span: Span,
    ) -> Result<Vec<Value>, RunError> {
        self.depth += 1;
        let function = &self.program.functions[function];
        let mut frame = Store::new(&function.tables);
        for (&param, arg) in function.params.iter().zip(args) {
            frame.set(param, arg);
        }
        let results = with_call_depth(self.depth, span, || self.block(&mut frame, &function.body));
        self.depth -= 1;
        results
    }

    /// Counts operations, and fails when the limit is reached.
    fn spend(&mut self, count: u64, span: Span) -> Result<(), RunError> {
        let left = self.left.checked_sub(count);
        self.left = left.unwrap_or(0);
        left.map(|_| ()).ok_or_else(|| RunError::new(ErrorCode::Cancelled, [0, 0], span))
    }

    fn block(&mut self, frame: &mut Store<'a>, block: &Block) -> Result<Vec<Value>, RunError> {
        for bind in &block.binds {
            self.spend(blocks::copied(frame, &bind.op).saturating_add(1), bind.span)?;
            let values = self.op(frame, bind)?;
            for (&var, value) in bind.vars.iter().zip(values) {
                frame.set(var, value);
            }
        }
        Ok(block.results.iter().map(|&result| frame.get(result)).collect())
    }

    fn op(&mut self, frame: &mut Store<'a>, bind: &Bind) -> Result<Vec<Value>, RunError> {
        let span = bind.span;
        let one = |value| Ok(vec![Value::Scalar(value)]);
        match &bind.op {
            Op::Scalar(operation) => one(operation.value(|arg| frame.scalar(arg), span)?),
            Op::Index { array, indices, inside } => {
                let indices = indices.iter().map(|&index| frame.scalar(index));
                let read = index(frame.var(*array).clone(), indices, span);
                assert!(read.is_ok() || !inside, "an element that is known to be there is there");
                Ok(vec![read?])
            }
            Op::Length { array, dim } => one(position(frame.array(*array).shape()[*dim])),
            Op::Assert(check) => check.hold(|value| frame.scalar(value), span).map(|()| Vec::new()),
            Op::If { cond, then, otherwise } => {
                let holds = frame.scalar(*cond).bits != 0;
                self.block(frame, if holds { then } else { otherwise })
            }
            Op::Call { callee: Callee::Function(function), args, .. } => {
                let args = args.iter().map(|&arg| frame.get(arg)).collect();
                self.call(*function, args, span)
            }
            Op::Call { callee: Callee::External(external), .. } => {
                let External { name, trace, .. } = &self.program.externals[*external];
                // A trace changes no value.
                if trace.is_some() { Ok(Vec::new()) } else { Err(RunError::external(name, span)) }
            }
            Op::Array { elems, .. } => {
                let elems: Vec<_> = elems.iter().map(|&each| frame.get(each)).collect();
                Ok(vec![frame.collect(bind.vars[0], &elems)])
            }
            Op::Sort { sorting, array, .. } => {
                Ok(vec![Value::Array(frame.array(*array).sorted(*sorting))])
            }
            Op::Constant { data, .. } => Ok(vec![frame.constant(bind.vars[0], data)]),
            Op::Loop { form, init, worker } => self.eval_loop(frame, form, (init, worker), span),
            Op::Replace { array, indices, value, .. } => {
                let indices: Vec<_> = indices.iter().map(|&index| frame.scalar(index)).collect();
                let array = frame.array(*array);
                Ok(vec![Value::Array(replace(array, &indices, &frame.get(*value), span)?)])
            }
            Op::Append { left, right } => {
                let pairs = left.iter().zip(right);
                let append = |(&left, &right): (&VarId, &VarId)| {
                    Ok(Value::Array(frame.array(left).append(frame.array(right), span)?))
                };
                pairs.map(append).collect()
            }
            Op::Reshape { array, shape } => {
                let shape =
                    shape.iter().map(|&extent| const_to_usize(frame.scalar(extent))).collect();
                Ok(vec![Value::Array(frame.array(*array).reshape(shape))])
            }
            Op::Map { .. }
            | Op::Filter { .. }
            | Op::FlatMap { .. }
            | Op::Fold { .. }
            | Op::Scan { .. }
            | Op::Generate { .. }
            | Op::Gather { .. }
            | Op::Cross { .. } => self.combinator(frame, bind),
        }
    }

    fn combinator(&mut self, frame: &mut Store<'a>, bind: &Bind) -> Result<Vec<Value>, RunError> {
        let span = bind.span;
        #[allow(clippy::wildcard_enum_match_arm, reason = "the other operations run in `op`")]
        match &bind.op {
            Op::Map { worker, inputs } => {
                let columns = self.map(frame, worker, inputs, span)?;
                Ok(collected(frame, &bind.vars, &columns))
            }
            Op::Generate { size, worker } => {
                let columns = self.generate(frame, *size, worker, span)?;
                Ok(collected(frame, &bind.vars, &columns))
            }
            Op::FlatMap { worker, inputs } => {
                let columns = self.map(frame, worker, inputs, span)?;
                let joined = bind.vars.iter().zip(columns);
                joined.map(|(&var, parts)| joined_parts(frame, var, &parts, span)).collect()
            }
            Op::Filter { worker, inputs, keep } => {
                let flags = self.map(frame, worker, inputs, span)?;
                let flags = Array::collect(Scalar::Bool, &[], &flags[0]);
                let kept = keep.iter().map(|&kept| frame.array(kept).select(&flags));
                Ok(kept.map(Value::Array).collect())
            }
            Op::Fold { order, worker, init, inputs } if self.is_grouped(*order, worker, init) => {
                self.fold_blocks(frame, worker, (init, inputs))
            }
            Op::Fold { worker, init, inputs, .. } => self.fold(frame, worker, (init, inputs), span),
            Op::Scan { prefix, worker, init, inputs }
                if self.is_grouped(FoldOrder::Associative, worker, init) =>
            {
                let columns = self.scan_blocks(frame, *prefix, worker, (init, inputs))?;
                Ok(collected(frame, &bind.vars, &columns))
            }
            Op::Scan { prefix, worker, init, inputs } => {
                let columns = self.scan(frame, *prefix, worker, (init, inputs), span)?;
                Ok(collected(frame, &bind.vars, &columns))
            }
            Op::Gather { data, indices } => {
                let indices = frame.array(*indices).scalars();
                let gather = |(&data, &var): (&VarId, &VarId)| {
                    let elements = indices.iter().map(|&at| frame.array(data).element(at, span));
                    Ok(frame.collect(var, &elements.collect::<Result<Vec<_>, _>>()?))
                };
                data.iter().zip(&bind.vars).map(gather).collect()
            }
            Op::Cross { left, right } => cross(frame, left, right, span),
            _ => unreachable!("run where all operations are"),
        }
    }

    /// The results of a worker that is applied to the elements of the inputs, by column.
    fn map(
        &mut self,
        frame: &mut Store<'a>,
        worker: &Worker,
        inputs: &[VarId],
        span: Span,
    ) -> Result<Vec<Vec<Value>>, RunError> {
        let inputs = frame.arrays(inputs);
        self.columns(frame, worker, (inputs[0].count(), span), |place, args| {
            args.extend(inputs.iter().map(|input| input.at(place)));
        })
    }

    /// The results of a worker that is applied to each position below `size`, by column.
    fn generate(
        &mut self,
        frame: &mut Store<'a>,
        size: Atom,
        worker: &Worker,
        span: Span,
    ) -> Result<Vec<Vec<Value>>, RunError> {
        let size = frame.scalar(size);
        let Ok(count) = usize::try_from(size.as_i128()) else {
            return Err(RunError::new(ErrorCode::Size, [size.as_i128(), 0], span));
        };
        self.columns(frame, worker, (count, span), |place, args| {
            args.push(Value::Scalar(position(place)));
        })
    }

    /// The last accumulators of a fold.
    fn fold(
        &mut self,
        frame: &mut Store<'a>,
        worker: &Worker,
        (init, inputs): (&[Atom], &[VarId]),
        span: Span,
    ) -> Result<Vec<Value>, RunError> {
        let inputs = frame.arrays(inputs);
        let count = inputs.first().map_or(0, Array::count);
        check_array_size(Some(count), span)?;
        self.spend(count as u64, span)?;
        let mut accs: Vec<_> = init.iter().map(|&init| frame.get(init)).collect();
        for place in 0..count {
            accs.extend(inputs.iter().map(|input| input.at(place)));
            accs = self.worker(frame, worker, &accs)?;
        }
        Ok(accs)
    }

    /// The accumulators of each step of a scan, by column.
    fn scan(
        &mut self,
        frame: &mut Store<'a>,
        prefix: ScanKind,
        worker: &Worker,
        (init, inputs): (&[Atom], &[VarId]),
        span: Span,
    ) -> Result<Vec<Vec<Value>>, RunError> {
        let inputs = frame.arrays(inputs);
        let mut accs: Vec<_> = init.iter().map(|&init| frame.get(init)).collect();
        let mut columns = vec![Vec::new(); accs.len()];
        check_array_size(Some(inputs[0].count()), span)?;
        self.spend(inputs[0].count() as u64, span)?;
        for place in 0..inputs[0].count() {
            let before = accs.clone();
            accs.extend(inputs.iter().map(|input| input.at(place)));
            accs = self.worker(frame, worker, &accs)?;
            let seen = match prefix {
                ScanKind::Inclusive => &accs,
                ScanKind::Exclusive => &before,
            };
            columns.iter_mut().zip(seen).for_each(|(column, acc)| column.push(acc.clone()));
        }
        Ok(columns)
    }

    fn eval_loop(
        &mut self,
        frame: &mut Store<'a>,
        form: &LoopForm,
        (init, worker): (&[Atom], &Worker),
        span: Span,
    ) -> Result<Vec<Value>, RunError> {
        let mut carried: Vec<Value> = init.iter().map(|&init| frame.get(init)).collect();
        match form {
            LoopForm::For { count } => {
                for step in 0..frame.scalar(*count).as_i128() {
                    self.spend(1, span)?;
                    let step = i64::try_from(step).expect("a count is an i64");
                    carried.push(Value::Scalar(Const::i64(step)));
                    carried = self.worker(frame, worker, &carried)?;
                }
            }
            LoopForm::While { cond } => {
                while self.worker(frame, cond, &carried)?[0].scalar().bits != 0 {
                    self.spend(1, span)?;
                    carried = self.worker(frame, worker, &carried)?;
                }
            }
        }
        Ok(carried)
    }

    /// Runs the worker once for each place, and collects its results by column.
    fn columns(
        &mut self,
        frame: &mut Store<'a>,
        worker: &Worker,
        (count, span): (usize, Span),
        mut args_of: impl FnMut(usize, &mut Vec<Value>),
    ) -> Result<Vec<Vec<Value>>, RunError> {
        check_array_size(Some(count), span)?;
        self.spend(count as u64, span)?;
        let mut columns = vec![Vec::new(); worker.body.results.len()];
        let mut args = Vec::new();
        for place in 0..count {
            args.clear();
            args_of(place, &mut args);
            for (column, value) in columns.iter_mut().zip(self.worker(frame, worker, &args)?) {
                column.push(value);
            }
        }
        Ok(columns)
    }

    fn worker(
        &mut self,
        frame: &mut Store<'a>,
        worker: &Worker,
        args: &[Value],
    ) -> Result<Vec<Value>, RunError> {
        for (&param, arg) in worker.params.iter().zip(args) {
            frame.set(param, arg.clone());
        }
        self.block(frame, &worker.body)
    }
}

/// The arrays with these columns.
fn collected(frame: &Store<'_>, vars: &[VarId], columns: &[Vec<Value>]) -> Vec<Value> {
    vars.iter().zip(columns).map(|(&var, column)| frame.collect(var, column)).collect()
}

/// All pairs of an element of the left arrays and one of the right ones.
fn cross(
    frame: &Store<'_>,
    left: &[VarId],
    right: &[VarId],
    span: Span,
) -> Result<Vec<Value>, RunError> {
    let count = |side: &[VarId]| frame.array(side[0]).count();
    let (rows, columns) = (count(left), count(right));
    check_array_size(rows.checked_mul(columns), span)?;
    let places = 0..rows * columns;
    let left = left
        .iter()
        .map(|&array| frame.array(array).pick(places.clone().map(|place| place / columns)));
    let right = right
        .iter()
        .map(|&array| frame.array(array).pick(places.clone().map(|place| place % columns)));
    Ok(left.chain(right).map(Value::Array).collect())
}

/// The arrays that the steps of a flatmap gave for one result, one after the other.
fn joined_parts(
    frame: &Store<'_>,
    var: VarId,
    parts: &[Value],
    span: Span,
) -> Result<Value, RunError> {
    let counts = parts.iter().map(|part| part.as_array().count());
    check_array_size(counts.into_iter().try_fold(0, usize::checked_add), span)?;
    let elements = parts.iter().flat_map(|part| {
        let part = part.as_array();
        (0..part.count()).map(|place| part.at(place))
    });
    Ok(frame.collect(var, &elements.collect::<Vec<Value>>()))
}

/// `array[i, …]`, checked.
pub fn index(
    array: Value,
    indices: impl IntoIterator<Item = Const>,
    span: Span,
) -> Result<Value, RunError> {
    indices.into_iter().try_fold(array, |array, index| array.as_array().element(index, span))
}

/// The array with a window replaced, which begins at the indices and has the extents of the value in the last
/// dimensions.
pub fn window(
    array: &Array,
    indices: &[Const],
    value: &Value,
    span: Span,
) -> Result<Array, RunError> {
    let Some((&first, rest)) = indices.split_first() else {
        return Ok(value.as_array().clone());
    };
    let new = value.as_array();
    if new.shape().len() <= rest.len() {
        let row = array.element(first, span)?;
        let row = window(row.as_array(), rest, value, span)?;
        return Ok(array.with(const_to_usize(first), &Value::Array(row)));
    }
    let mut array = array.clone();
    for at in 0..new.count() {
        let place = const_to_usize(first) + at;
        let elem = match rest {
            [] => new.at(at),
            rest => {
                let row = array.element(position(place), span)?;
                Value::Array(window(row.as_array(), rest, &new.at(at), span)?)
            }
        };
        array = array.with(place, &elem);
    }
    Ok(array)
}

/// `array with [i, …] = value`, checked.
pub fn replace(
    array: &Array,
    indices: &[Const],
    value: &Value,
    span: Span,
) -> Result<Array, RunError> {
    let Some((&index, rest)) = indices.split_first() else {
        return Ok(value.as_array().clone());
    };
    let old = array.element(index, span)?;
    let new = if rest.is_empty() {
        value.clone()
    } else {
        Value::Array(replace(old.as_array(), rest, value, span)?)
    };
    Ok(array.with(const_to_usize(index), &new))
}
