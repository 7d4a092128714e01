//! An interpreter of `cnf`: what specialisation has made of a program, one binding after the other. The
//! passes that come after it are compared with it.
//!
//! Invariant: the result is that of compiled code for every program and every argument, up to the
//! order in which reductions of floats are added up; errors are those of the first failing binding
//! in the order of the program.
//!
//! ```text
//! { ys = filter (\x -> x > 0) xs; s = reduce (+) 0 ys; s } of xs = [1, -2, 3]   ⇒ 4
//! ```

use std::rc::Rc;

use crate::eval::error::{ErrorKind, MAX_DEPTH, RunError, affordable};
use crate::eval::scalar;
use crate::ids::{FuncId, SecondaryMap, SizeId, VarId};
use crate::ir::cnf::{
    Atom, Block, Extent, Function, LoopForm, Op, Prefix, Program, SizeDef, Type, Worker,
};
use crate::prim::{Const, Scalar};
use crate::source::Span;

/// When less stack than this is left, a call runs on a new piece of this size.
const RED_ZONE: usize = 128 * 1024;
const STACK_PIECE: usize = 4 * 1024 * 1024;

/// A scalar, or an array of scalars.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A scalar.
    Scalar(Const),
    /// An array of rank one; the type is for the empty one.
    Array(Scalar, Rc<[Const]>),
}

impl Value {
    /// An array of these elements.
    #[must_use]
    pub fn array(elem: Scalar, elems: impl IntoIterator<Item = Const>) -> Self {
        Self::Array(elem, elems.into_iter().collect())
    }

    pub(super) fn scalar(&self) -> Const {
        match self {
            Self::Scalar(value) => *value,
            Self::Array(..) => panic!("cnf is verified: a scalar stands here"),
        }
    }

    pub(super) fn elems(&self) -> &Rc<[Const]> {
        match self {
            Self::Array(_, elems) => elems,
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
/// If the arguments are not of the parameters' types, or the program does not verify.
pub fn run(program: &Program, function: FuncId, args: Vec<Value>) -> Result<Vec<Value>, RunError> {
    let data = &program.functions[function];
    check_args(data, &args)?;
    Machine { program, depth: 0 }.call(function, args, data.span)
}

/// Checks that the sizes of arguments agree with the parameters' types, and with each other.
fn check_args(function: &Function, args: &[Value]) -> Result<(), RunError> {
    assert_eq!(args.len(), function.params.len(), "there is one argument for each parameter");
    let mut sizes = Sizes { function, args, known: SecondaryMap::new() };
    for (&param, arg) in function.params.iter().zip(args) {
        let found = match arg {
            Value::Scalar(value) => Type::Scalar(value.ty),
            Value::Array(elem, _) => Type::Array { elem: *elem, shape: Vec::new() },
        };
        let (Type::Array { elem, shape }, Value::Array(_, elems)) = (&function.vars[param].ty, arg)
        else {
            assert_eq!(found, function.vars[param].ty, "an argument has its parameter's type");
            continue;
        };
        assert_eq!(Type::Array { elem: *elem, shape: Vec::new() }, found, "elements' types agree");
        let found = i64::try_from(elems.len()).expect("an array's length is an i64");
        if let Some(wanted) = sizes.learn(shape[0], found)
            && wanted != found
        {
            let values = vec![Const::i64(found), Const::i64(wanted)];
            return Err(RunError { kind: ErrorKind::Shape, span: function.span, values });
        }
    }
    Ok(())
}

/// The values of the sizes of parameters.
struct Sizes<'a> {
    function: &'a Function,
    args: &'a [Value],
    known: SecondaryMap<SizeId, Option<i64>>,
}

impl Sizes<'_> {
    /// The value that the extent must have, if anything but this array tells; else it is learnt.
    fn learn(&mut self, extent: Extent, found: i64) -> Option<i64> {
        let value = self.value(extent);
        if let (None, Extent::Size(size)) = (value, extent) {
            self.known[size] = Some(found);
        }
        value
    }

    fn value(&self, extent: Extent) -> Option<i64> {
        let size = match extent {
            Extent::Const(value) => return Some(value),
            Extent::Size(size) => size,
        };
        match self.function.sizes[size].def {
            SizeDef::Param | SizeDef::Exists => self.known[size],
            SizeDef::Value(var) => {
                let place = self.function.params.iter().position(|&param| param == var)?;
                i64::try_from(self.args[place].scalar().as_i128()).ok()
            }
            SizeDef::Sum(left, right) => Some(self.value(left)?.wrapping_add(self.value(right)?)),
            SizeDef::Product(left, right) => {
                Some(self.value(left)?.wrapping_mul(self.value(right)?))
            }
        }
    }
}

struct Machine<'a> {
    program: &'a Program,
    depth: u32,
}

/// One call: the function, and the values of its variables so far.
struct Frame<'a> {
    function: &'a Function,
    vars: SecondaryMap<VarId, Option<Value>>,
}

impl<'a> Machine<'a> {
    fn call(
        &mut self,
        function: FuncId,
        args: Vec<Value>,
        span: Span,
    ) -> Result<Vec<Value>, RunError> {
        if self.depth >= MAX_DEPTH {
            return Err(RunError { kind: ErrorKind::Stack, span, values: Vec::new() });
        }
        self.depth += 1;
        let function = &self.program.functions[function];
        let mut frame = Frame { function, vars: SecondaryMap::new() };
        for (&param, arg) in function.params.iter().zip(args) {
            frame.vars[param] = Some(arg);
        }
        let results =
            stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.block(&mut frame, &function.body));
        self.depth -= 1;
        results
    }

    fn block(&mut self, frame: &mut Frame<'a>, block: &Block) -> Result<Vec<Value>, RunError> {
        for bind in &block.binds {
            let values = self.op(frame, &bind.op, bind.span)?;
            for (&var, value) in bind.vars.iter().zip(values) {
                frame.vars[var] = Some(value);
            }
        }
        Ok(block.results.iter().map(|&result| get(frame, result)).collect())
    }

    fn op(&mut self, frame: &mut Frame<'a>, op: &Op, span: Span) -> Result<Vec<Value>, RunError> {
        let one = |value| Ok(vec![Value::Scalar(value)]);
        match op {
            Op::Un(op, x) => one(scalar::un(*op, get(frame, *x).scalar())),
            Op::Bin(op, x, y) => {
                let (x, y) = (get(frame, *x).scalar(), get(frame, *y).scalar());
                one(scalar::bin(*op, x, y).map_err(|trap| RunError::trapped(trap, y, span))?)
            }
            Op::Index { array, indices } => {
                let index = get(frame, indices[0]).scalar();
                one(element(array_of(frame, *array).elems(), index, span)?)
            }
            Op::Length { array, .. } => one(length(array_of(frame, *array))),
            Op::If { cond, then, otherwise } => {
                let holds = get(frame, *cond).scalar().bits != 0;
                self.block(frame, if holds { then } else { otherwise })
            }
            Op::Call { function, args } => {
                let args = args.iter().map(|&arg| get(frame, arg)).collect();
                self.call(*function, args, span)
            }
            Op::Array { elem, elems } => {
                let elems = elems.iter().map(|&each| get(frame, each).scalar());
                Ok(vec![Value::array(*elem, elems)])
            }
            Op::Loop { form, init, worker } => self.repeated(frame, form, init, worker),
            Op::Replace { array, indices, value } => {
                let index = get(frame, indices[0]).scalar();
                let value = get(frame, *value).scalar();
                Ok(vec![replace(array_of(frame, *array), index, value, span)?])
            }
            Op::Append { left, right } => {
                let pairs = left.iter().zip(right);
                pairs
                    .map(|(&left, &right)| {
                        append(array_of(frame, left), array_of(frame, right), span)
                    })
                    .collect()
            }
            Op::Map { .. }
            | Op::Filter { .. }
            | Op::Fold { .. }
            | Op::Scan { .. }
            | Op::Generate { .. }
            | Op::Gather { .. }
            | Op::Cross { .. } => self.combinator(frame, op, span),
        }
    }

    fn combinator(
        &mut self,
        frame: &mut Frame<'a>,
        op: &Op,
        span: Span,
    ) -> Result<Vec<Value>, RunError> {
        match op {
            Op::Map { worker, inputs } => {
                let inputs = arrays_of(frame, inputs);
                self.rows(frame, worker, inputs[0].len(), |row, args| {
                    args.extend(inputs.iter().map(|input| input[row]));
                })
            }
            Op::Generate { size, worker } => {
                let size = get(frame, *size).scalar();
                let Ok(count) = usize::try_from(size.as_i128()) else {
                    return Err(RunError { kind: ErrorKind::Size, span, values: vec![size] });
                };
                affordable(Some(count), span)?;
                self.rows(frame, worker, count, |row, args| args.push(position(row)))
            }
            Op::Filter { worker, inputs, keep } => {
                let inputs = arrays_of(frame, inputs);
                let flags = self.rows(frame, worker, inputs[0].len(), |row, args| {
                    args.extend(inputs.iter().map(|input| input[row]));
                })?;
                Ok(keep.iter().map(|&kept| select(array_of(frame, kept), &flags[0])).collect())
            }
            Op::Fold { worker, init, inputs, .. } => {
                let inputs = arrays_of(frame, inputs);
                let count = inputs.first().map_or(0, |input| input.len());
                let mut accs: Vec<_> = init.iter().map(|&init| get(frame, init).scalar()).collect();
                for row in 0..count {
                    accs.extend(inputs.iter().map(|input| input[row]));
                    accs = self.worker(frame, worker, &accs)?;
                }
                Ok(accs.into_iter().map(Value::Scalar).collect())
            }
            Op::Scan { prefix, worker, init, inputs } => {
                let inputs = arrays_of(frame, inputs);
                let mut accs: Vec<_> = init.iter().map(|&init| get(frame, init).scalar()).collect();
                let mut columns = vec![Vec::new(); accs.len()];
                for row in 0..inputs[0].len() {
                    let before = accs.clone();
                    accs.extend(inputs.iter().map(|input| input[row]));
                    accs = self.worker(frame, worker, &accs)?;
                    let seen = match prefix {
                        Prefix::Inclusive => &accs,
                        Prefix::Exclusive => &before,
                    };
                    columns.iter_mut().zip(seen).for_each(|(column, &acc)| column.push(acc));
                }
                let elems = init.iter().map(|&init| get(frame, init).scalar().ty);
                Ok(elems.zip(columns).map(|(elem, column)| Value::array(elem, column)).collect())
            }
            Op::Gather { data, indices } => {
                let indices = array_of(frame, *indices).elems().clone();
                data.iter().map(|&data| gather(array_of(frame, data), &indices, span)).collect()
            }
            Op::Cross { left, right } => {
                let count = |side: &[VarId]| array_of(frame, side[0]).elems().len();
                let (rows, columns) = (count(left), count(right));
                affordable(rows.checked_mul(columns), span)?;
                let index = |pick: fn(usize, usize) -> usize| {
                    (0..rows * columns).map(move |place| pick(place, columns)).collect::<Vec<_>>()
                };
                let sides = [
                    (left, index(|place, columns| place / columns)),
                    (right, index(|place, columns| place % columns)),
                ];
                let arrays = sides.iter().flat_map(|(side, places)| {
                    side.iter().map(|&array| pick(array_of(frame, array), places))
                });
                Ok(arrays.collect())
            }
            Op::Un(..)
            | Op::Bin(..)
            | Op::Index { .. }
            | Op::Length { .. }
            | Op::If { .. }
            | Op::Call { .. }
            | Op::Append { .. }
            | Op::Array { .. }
            | Op::Loop { .. }
            | Op::Replace { .. } => unreachable!("run where all operations are"),
        }
    }

    fn repeated(
        &mut self,
        frame: &mut Frame<'a>,
        form: &LoopForm,
        init: &[Atom],
        worker: &Worker,
    ) -> Result<Vec<Value>, RunError> {
        let mut carried: Vec<Value> = init.iter().map(|&init| get(frame, init)).collect();
        match form {
            LoopForm::For { count } => {
                for step in 0..get(frame, *count).scalar().as_i128() {
                    let step = i64::try_from(step).expect("a count is an i64");
                    carried.push(Value::Scalar(Const::i64(step)));
                    carried = self.step(frame, worker, carried)?;
                }
            }
            LoopForm::While { cond } => {
                while self.step(frame, cond, carried.clone())?[0].scalar().bits != 0 {
                    carried = self.step(frame, worker, carried)?;
                }
            }
        }
        Ok(carried)
    }

    /// Runs a worker of a loop.
    fn step(
        &mut self,
        frame: &mut Frame<'a>,
        worker: &Worker,
        args: Vec<Value>,
    ) -> Result<Vec<Value>, RunError> {
        for (&param, arg) in worker.params.iter().zip(args) {
            frame.vars[param] = Some(arg);
        }
        self.block(frame, &worker.body)
    }

    /// Runs the worker once for each row, and collects its results by column.
    fn rows(
        &mut self,
        frame: &mut Frame<'a>,
        worker: &Worker,
        count: usize,
        mut args_of: impl FnMut(usize, &mut Vec<Const>),
    ) -> Result<Vec<Value>, RunError> {
        let mut columns = vec![Vec::new(); worker.body.results.len()];
        let mut args = Vec::new();
        for row in 0..count {
            args.clear();
            args_of(row, &mut args);
            for (column, value) in columns.iter_mut().zip(self.worker(frame, worker, &args)?) {
                column.push(value);
            }
        }
        let elems: Vec<Scalar> = worker
            .body
            .results
            .iter()
            .map(|&result| frame.function.type_of(result).as_scalar())
            .map(|elem| elem.expect("cnf is verified: a worker yields scalars"))
            .collect();
        let arrays = elems.into_iter().zip(columns);
        Ok(arrays.map(|(elem, column)| Value::array(elem, column)).collect())
    }

    fn worker(
        &mut self,
        frame: &mut Frame<'a>,
        worker: &Worker,
        args: &[Const],
    ) -> Result<Vec<Const>, RunError> {
        for (&param, &arg) in worker.params.iter().zip(args) {
            frame.vars[param] = Some(Value::Scalar(arg));
        }
        let results = self.block(frame, &worker.body)?;
        Ok(results.iter().map(Value::scalar).collect())
    }
}

fn get(frame: &Frame<'_>, atom: Atom) -> Value {
    match atom {
        Atom::Const(value) => Value::Scalar(value),
        Atom::Var(var) => array_of(frame, var).clone(),
    }
}

fn array_of<'f>(frame: &'f Frame<'_>, var: VarId) -> &'f Value {
    let value = frame.vars[var].as_ref();
    value.unwrap_or_else(|| panic!("cnf is verified: {var} is bound before its use"))
}

fn arrays_of(frame: &Frame<'_>, arrays: &[VarId]) -> Vec<Rc<[Const]>> {
    arrays.iter().map(|&array| array_of(frame, array).elems().clone()).collect()
}

pub(super) fn length(array: &Value) -> Const {
    position(array.elems().len())
}

pub(super) fn position(place: usize) -> Const {
    Const::i64(i64::try_from(place).expect("a position is an i64"))
}

pub(super) fn element(elems: &[Const], index: Const, span: Span) -> Result<Const, RunError> {
    let found = usize::try_from(index.as_i128()).ok().and_then(|place| elems.get(place));
    found.copied().ok_or_else(|| {
        let values = vec![index, position(elems.len())];
        RunError { kind: ErrorKind::Index, span, values }
    })
}

/// The array with one element replaced.
pub(super) fn replace(
    array: &Value,
    index: Const,
    value: Const,
    span: Span,
) -> Result<Value, RunError> {
    let mut elems = array.elems().to_vec();
    element(&elems, index, span)?;
    let place = usize::try_from(index.as_i128()).expect("the index was checked");
    elems[place] = value;
    Ok(Value::array(elem_type(array), elems))
}

fn elem_type(array: &Value) -> Scalar {
    match array {
        Value::Array(elem, _) => *elem,
        Value::Scalar(_) => panic!("cnf is verified: an array stands here"),
    }
}

pub(super) fn append(left: &Value, right: &Value, span: Span) -> Result<Value, RunError> {
    affordable(left.elems().len().checked_add(right.elems().len()), span)?;
    Ok(Value::array(elem_type(left), left.elems().iter().chain(right.elems().iter()).copied()))
}

fn select(array: &Value, flags: &Value) -> Value {
    let pairs = array.elems().iter().zip(flags.elems().iter());
    let kept = pairs.filter(|(_, flag)| flag.bits != 0).map(|(&value, _)| value);
    Value::array(elem_type(array), kept)
}

fn gather(array: &Value, indices: &[Const], span: Span) -> Result<Value, RunError> {
    let elems = indices.iter().map(|&index| element(array.elems(), index, span));
    Ok(Value::Array(elem_type(array), elems.collect::<Result<_, _>>()?))
}

fn pick(array: &Value, places: &[usize]) -> Value {
    Value::array(elem_type(array), places.iter().map(|&place| array.elems()[place]))
}
