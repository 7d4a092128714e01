//! An interpreter of concrete programs: it runs the result of fusion and scheduling without LLVM. Tests compare it
//! with the interpreter of `cnf`.
//!
//! Invariant: the program verifies. Each variable has the one value that its binding made, until its release. Each
//! vector is written only at places that it has.
//!
//! ```text
//! loopI k1_ix (length xs) body { s1_elem = nextI k1_ix xs; m_acc := max m_acc s1_elem } …
//! of xs = [1, 3, 2]   ⇒ 3
//! ```

mod eval_accesses;
mod eval_blocks;
mod eval_passes;

use crate::concrete::{
    Block, ChainedAppend, Function, LoopForm, Phase, Program, ReplacedPart, Step, Worker,
};
use arrc_front::eval::run_error::RunError;
use arrc_fusion::cnf::{Atom, Callee, External};
use arrc_fusion::eval::array::{Array, position};
use arrc_fusion::eval::check_arguments::Signature;
use arrc_fusion::eval::cnf::{Value, index, replace, window, with_call_depth};
use arrc_fusion::eval::store::{Store, const_to_usize};
use arrc_syntax::ids::{AccId, FuncId, PrimaryMap, SecondaryMap, VarId};
use indexmap::IndexMap;

use self::eval_accesses::{InPlace, ReadPlaces};
use arrc_syntax::prim::{BinOp, Const};
use arrc_syntax::source::Span;

/// Calls a function. In phases without ends of arrays, no array ends.
///
/// # Errors
/// The run-time error, if there is one.
///
/// # Panics
/// If the arguments do not have the parameters' types, or the program does not verify.
pub fn run<P: Phase>(
    program: &Program<P>,
    function: FuncId,
    args: Vec<Value>,
) -> Result<Vec<Value>, RunError> {
    let Function { params, tables, span, .. } = &program.functions[function];
    Signature { params, tables, span: *span }.check(&args)?;
    let places = program.functions.values().map(ReadPlaces::of).collect();
    call(&CheckedProgram { program, places }, function, args, (1, *span))
}

/// A program, with the places of the elements that its passes read, as the access maps say.
struct CheckedProgram<'a, P: Phase> {
    program: &'a Program<P>,
    places: PrimaryMap<FuncId, ReadPlaces>,
}

/// A call at a place. Its depth is the number of active calls, this one included.
fn call<P: Phase>(
    checked: &CheckedProgram<'_, P>,
    function: FuncId,
    args: Vec<Value>,
    (depth, at): (u32, Span),
) -> Result<Vec<Value>, RunError> {
    let program = checked.program;
    let Function { params, body, tables, span, .. } = &program.functions[function];
    let mut frame = Frame {
        checked,
        program,
        store: Store::new(tables),
        vecs: SecondaryMap::new(),
        under: SecondaryMap::new(),
        accs: SecondaryMap::new(),
        carries: SecondaryMap::new(),
        places: &checked.places[function],
        in_place: Vec::new(),
        rows: IndexMap::new(),
        depth,
        span: *span,
    };
    frame.store.set_all(params, args);
    with_call_depth(depth, at, || frame.block(body))
}

/// The state of one call: its variables, vectors and accumulators.
struct Frame<'a, P: Phase> {
    checked: &'a CheckedProgram<'a, P>,
    program: &'a Program<P>,
    store: Store<'a>,
    /// Vectors under construction. A place has a value once it has been written.
    vecs: SecondaryMap<VarId, Vec<Option<Value>>>,
    /// The arrays in whose memory vectors are made.
    under: SecondaryMap<VarId, Option<Array>>,
    accs: SecondaryMap<AccId, Option<Value>>,
    /// In a block of a sliced pass: the carries of accumulators that begin with neutral elements, with their
    /// operations.
    carries: SecondaryMap<AccId, Option<(BinOp, Const)>>,
    /// The places of the elements that passes of the function read.
    places: &'a ReadPlaces,
    /// The vectors under construction in the memory of arrays.
    in_place: Vec<InPlace>,
    /// For each vector of rows, the row that is made now or was made last, with its position.
    rows: IndexMap<VarId, (VarId, usize)>,
    /// The number of active calls, this one included.
    depth: u32,
    /// The place of the function.
    span: Span,
}

impl<P: Phase> Frame<'_, P> {
    fn block(&mut self, block: &Block<P>) -> Result<Vec<Value>, RunError> {
        for group in block.groups() {
            match group {
                [step] => self.step(step)?,
                calls => self.forked(calls)?,
            }
        }
        Ok(block.results.iter().map(|&result| self.get(result)).collect())
    }

    /// Calls that may run at the same time. A call that appends to a result of the call before it appends to an empty
    /// array first, and the result is appended to that array afterwards.
    fn forked(&mut self, calls: &[Step<P>]) -> Result<(), RunError> {
        let mut before: Option<&Step<P>> = None;
        for call in calls {
            let chained = before.map_or_else(Vec::new, |of| self.program.chained(of, call));
            let arrays = chained.iter().map(|of| self.store.array(of.array).clone());
            let arrays = arrays.collect::<Vec<_>>();
            for ChainedAppend { array, .. } in &chained {
                let nothing = self.store.collect(*array, &[]);
                self.set(*array, nothing);
            }
            self.step(call)?;
            let Step::Call { vars, span, .. } = call else { panic!("a fork has calls only") };
            for (ChainedAppend { result, array, .. }, start) in chained.iter().zip(arrays) {
                let whole = start.append(self.store.array(vars[*result]), *span)?;
                self.set(vars[*result], Value::Array(whole));
                self.set(*array, Value::Array(start));
            }
            before = Some(call);
        }
        Ok(())
    }

    fn step(&mut self, step: &Step<P>) -> Result<(), RunError> {
        match step {
            Step::Scalar { var, op, span } => {
                let value = op.value(|arg| self.scalar(arg), *span)?;
                self.set(*var, Value::Scalar(value));
            }
            Step::Index { var, array, indices, inside, span }
            | Step::Row { var, array, indices, inside, span } => {
                let read = self.read(*var, *array, indices, *span);
                assert!(read.is_ok() || !inside, "what is known to be inside is there");
                read?;
                self.check_read(*var);
            }
            Step::Slice { var, array, indices, count } => {
                let slice = self.slice_view(*array, indices, *count);
                self.set(*var, Value::Array(slice));
            }
            Step::Reshape { var, array, shape } => {
                let shape =
                    shape.iter().map(|&extent| const_to_usize(self.scalar(extent))).collect();
                let array = self.store.array(*array).reshape(shape);
                self.set(*var, Value::Array(array));
            }
            Step::Length { var, array, dim } => {
                let value = position(self.store.array(*array).shape()[*dim]);
                self.set(*var, Value::Scalar(value));
            }
            Step::Assert { check, span } => check.hold(|value| self.scalar(value), *span)?,
            Step::If { vars, cond, then, otherwise, .. } => {
                let holds = self.scalar(*cond).bits != 0;
                let values = self.block(if holds { then } else { otherwise })?;
                self.store.set_all(vars, values);
            }
            Step::Call { callee: Callee::External(external), span, .. } => {
                let External { name, trace, .. } = &self.program.externals[*external];
                // A trace changes no value.
                if trace.is_none() {
                    return Err(RunError::external(name, *span));
                }
            }
            Step::Call { vars, callee: Callee::Function(function), args, span, .. } => {
                let args = args.iter().map(|&arg| self.get(arg)).collect();
                let values = call(self.checked, *function, args, (self.depth + 1, *span))?;
                self.store.set_all(vars, values);
            }
            Step::Append { var, extends, parts, span, .. } => {
                let parts = extends.map(Into::into).into_iter().chain(parts.iter().copied());
                let whole = self.append(*var, parts, *span)?;
                self.set(*var, whole);
            }
            Step::Array { var, elems, .. } => {
                let elems = elems.iter().map(|&each| self.get(each)).collect::<Vec<_>>();
                self.set(*var, self.store.collect(*var, &elems));
            }
            Step::Sort { var, sorting, array, .. } => {
                let sorted = self.store.array(*array).sorted(*sorting);
                self.set(*var, Value::Array(sorted));
            }
            Step::Constant { var, data } => {
                let value = self.store.constant(*var, data);
                self.set(*var, value);
            }
            Step::Share { var, array } => {
                let value = self.get(Atom::Var(*array));
                self.set(*var, value);
            }
            Step::Loop { vars, form, init, worker, .. } => {
                let values = self.repeated(form, init, worker)?;
                self.store.set_all(vars, values);
            }
            Step::Replace { var, array, indices, target, value, placed: _, span } => {
                let indices = indices.iter().map(|&index| self.scalar(index)).collect::<Vec<_>>();
                let value = self.get(*value);
                let old = self.store.array(*array);
                let replaced = match target {
                    ReplacedPart::Checked | ReplacedPart::Inside => {
                        replace(old, &indices, &value, *span)?
                    }
                    ReplacedPart::Window => window(old, &indices, &value, *span)?,
                };
                self.end(*array);
                self.set(*var, Value::Array(replaced));
            }
            Step::Copy { var, array, .. } => {
                let value = self.get(Atom::Var((*array).into()));
                self.set(*var, value);
            }
            Step::Unique { var, array, .. } => {
                let array = (*array).into();
                let value = self.get(Atom::Var(array));
                self.end(array);
                self.set(*var, value);
            }
            Step::Release { array } => self.end((*array).into()),
            Step::Pass(pass) => self.pass(pass)?,
        }
        Ok(())
    }

    /// Consecutive elements of an array: the last index is the position of the first of them.
    fn slice_view(&self, array: VarId, indices: &[Atom], count: Atom) -> Array {
        let (from, row) = indices.split_last().expect("a slice begins somewhere");
        let array = Value::Array(self.store.array(array).clone());
        let row = row
            .iter()
            .fold(array, |array, &index| array.as_array().at(const_to_usize(self.scalar(index))));
        let count = const_to_usize(self.scalar(count));
        let from = if count == 0 { 0 } else { const_to_usize(self.scalar(*from)) };
        row.as_array().pick(from..from + count)
    }

    /// One array behind the other. Without any, the array is empty and has the type of `var`.
    fn append(
        &self,
        var: VarId,
        mut parts: impl Iterator<Item = VarId>,
        span: Span,
    ) -> Result<Value, RunError> {
        let first = match parts.next() {
            Some(first) => Value::Array(self.store.array(first).clone()),
            None => self.store.collect(var, &[]),
        };
        parts.try_fold(first, |whole, part| {
            let Value::Array(whole) = whole else { panic!("the parts are arrays") };
            whole.append(self.store.array(part), span).map(Value::Array)
        })
    }

    fn repeated(
        &mut self,
        form: &LoopForm<P>,
        init: &[Atom],
        worker: &Worker<P>,
    ) -> Result<Vec<Value>, RunError> {
        let mut carried = init.iter().map(|&init| self.get(init)).collect::<Vec<_>>();
        for &init in init {
            if let Atom::Var(var) = init
                && self.store.is_array(var)
            {
                self.end(var);
            }
        }
        match form {
            LoopForm::For { count } => {
                for step in 0..self.scalar(*count).as_i128() {
                    let step = usize::try_from(step).expect("a step is not negative");
                    carried.push(Value::Scalar(position(step)));
                    carried = self.worker(worker, carried)?;
                }
            }
            LoopForm::While { cond } => {
                while self.worker(cond, carried.clone())?[0].scalar().bits != 0 {
                    carried = self.worker(worker, carried)?;
                }
            }
        }
        Ok(carried)
    }

    /// An array ends here, if the phase has ends of arrays.
    fn end(&mut self, array: VarId) {
        if P::OWNS {
            self.store.remove(array);
        }
    }

    fn worker(&mut self, worker: &Worker<P>, args: Vec<Value>) -> Result<Vec<Value>, RunError> {
        self.store.set_all(&worker.params, args);
        // A pass inside the worker has accumulators of its own.
        let around = self.accs.clone();
        let values = self.block(&worker.body)?;
        self.accs = around;
        Ok(values)
    }

    fn read(
        &mut self,
        elem: VarId,
        array: VarId,
        indices: &[Atom],
        span: Span,
    ) -> Result<(), RunError> {
        let indices = indices.iter().map(|&index| self.scalar(index)).collect::<Vec<_>>();
        let value = index(self.store.var(array).clone(), indices, span)?;
        self.set(elem, value);
        Ok(())
    }

    fn get(&self, atom: Atom) -> Value {
        self.store.get(atom)
    }

    fn scalar(&self, atom: Atom) -> Const {
        self.store.scalar(atom)
    }

    fn set(&mut self, var: VarId, value: Value) {
        self.store.set(var, value);
    }
}

#[cfg(test)]
mod tests {
    use arr_abi::ErrorCode;

    use super::*;
    use crate::concrete::{Plain, parse};
    use arrc_front::eval::run_error::MAX_DEPTH;
    use arrc_syntax::ids::EntityRef;

    /// A function that calls itself `n` times.
    const DOWN: &str = "function down (n : i64) : i64
= { more = n > 0i64
  ; last = if more
      then { less = n - 1i64; last = call down less; yield (last) }
      else { yield (n) }
  ; yield (last) }
";

    #[test]
    fn calls_nest_as_deep_as_the_limit_says() {
        let program = parse::<Plain>(DOWN).expect("it is a program");
        assert_eq!(program.verify(), Ok(()));
        let call = |calls: u32| {
            let args = vec![Value::Scalar(Const::i64(i64::from(calls)))];
            run(&program, FuncId::new(0), args)
        };
        assert_eq!(call(MAX_DEPTH - 1), Ok(vec![Value::Scalar(Const::i64(0))]));
        let error = call(MAX_DEPTH).expect_err("it is too deep");
        assert_eq!(error.code, ErrorCode::Stack);
        assert!(DOWN[error.span.start as usize..].starts_with("last = call"));
    }
}
