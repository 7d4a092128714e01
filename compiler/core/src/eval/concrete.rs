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

use arr_abi::ErrorCode;

use super::array::position;
use super::cnf::{Value, checked, deeper, index, replace, window};
use super::error::{RunError, affordable};
use super::scalar;
use super::signature::Signature;
use super::store::{Store, natural};
use crate::ids::{AccId, FuncId, SecondaryMap, VarId};
use crate::ir::cnf::{Atom, Callee};
use crate::ir::procedure::concrete::{
    Block, Chained, End, Function, Guard, Join, Length, Loop, LoopForm, Nest, Phase, Position,
    Procedure, Program, Range, Row, Scan, Slices, Start, Step, Stmt, Target, Way, Worker, Written,
    neutral,
};
use crate::prim::{BinOp, Const};
use crate::source::Span;

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
    call(program, function, args, (1, *span))
}

/// A call at a place. Its depth is the number of active calls, this one included.
fn call<P: Phase>(
    program: &Program<P>,
    function: FuncId,
    args: Vec<Value>,
    (depth, at): (u32, Span),
) -> Result<Vec<Value>, RunError> {
    let Function { params, body, tables, span, .. } = &program.functions[function];
    let mut frame = Frame {
        program,
        store: Store::new(tables),
        vecs: SecondaryMap::new(),
        accs: SecondaryMap::new(),
        carries: SecondaryMap::new(),
        depth,
        span: *span,
    };
    frame.store.set_all(params, args);
    deeper(depth, at, || frame.block(body))
}

/// The state of one call: its variables, vectors and accumulators.
struct Frame<'a, P: Phase> {
    program: &'a Program<P>,
    store: Store<'a>,
    /// Vectors under construction. A place has a value once it has been written.
    vecs: SecondaryMap<VarId, Vec<Option<Value>>>,
    accs: SecondaryMap<AccId, Option<Value>>,
    /// In a block of a sliced pass: the carries of accumulators that begin with neutral elements, with their
    /// operations.
    carries: SecondaryMap<AccId, Option<(BinOp, Const)>>,
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
            for Chained { array, .. } in &chained {
                let nothing = self.store.collect(*array, &[]);
                self.set(*array, nothing);
            }
            self.step(call)?;
            let Step::Call { vars, span, .. } = call else { panic!("a fork has calls only") };
            for (Chained { result, array, .. }, start) in chained.iter().zip(arrays) {
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
            Step::Un { var, op, arg } => {
                let value = scalar::un(*op, self.scalar(*arg));
                self.set(*var, Value::Scalar(value));
            }
            Step::Bin { var, op, args: [x, y], span } => {
                let (x, y) = (self.scalar(*x), self.scalar(*y));
                let value =
                    scalar::bin(*op, x, y).map_err(|trap| RunError::trapped(trap, y, *span))?;
                self.set(*var, Value::Scalar(value));
            }
            Step::Fma { var, args } => {
                let [a, b, c] = args.map(|arg| self.scalar(arg));
                self.set(*var, Value::Scalar(scalar::fma(a, b, c)));
            }
            Step::Index { var, array, indices, inside, span } => {
                let read = self.read(*var, *array, indices, *span);
                assert!(read.is_ok() || !inside, "what is known to be inside is there");
                read?;
            }
            Step::Row { var, array, indices, span } => {
                self.read(*var, *array, indices, *span)?;
            }
            Step::Slice { var, array, indices, count } => {
                let (from, row) = indices.split_last().expect("a slice begins somewhere");
                let array = Value::Array(self.store.array(*array).clone());
                let row = row
                    .iter()
                    .fold(array, |array, &index| array.as_array().at(natural(self.scalar(index))));
                let count = natural(self.scalar(*count));
                let from = if count == 0 { 0 } else { natural(self.scalar(*from)) };
                let slice = row.as_array().pick(from..from + count);
                self.set(*var, Value::Array(slice));
            }
            Step::Reshape { var, array, shape } => {
                let shape = shape.iter().map(|&extent| natural(self.scalar(extent))).collect();
                let array = self.store.array(*array).reshape(shape);
                self.set(*var, Value::Array(array));
            }
            Step::Length { var, array, dim } => {
                let value = position(self.store.array(*array).shape()[*dim]);
                self.set(*var, Value::Scalar(value));
            }
            Step::Assert { cond, fault, message, span } => {
                let holds = self.scalar(*cond).bits != 0;
                checked(holds, *fault, message, |value| self.scalar(value), *span)?;
            }
            Step::If { vars, cond, then, otherwise, .. } => {
                let holds = self.scalar(*cond).bits != 0;
                let values = self.block(if holds { then } else { otherwise })?;
                self.store.set_all(vars, values);
            }
            Step::Call { callee: Callee::External(external), span, .. } => {
                let name = &self.program.externals[*external].name;
                return Err(RunError::external(name, *span));
            }
            Step::Call { vars, callee: Callee::Function(function), args, span, .. } => {
                let args = args.iter().map(|&arg| self.get(arg)).collect();
                let values = call(self.program, *function, args, (self.depth + 1, *span))?;
                self.store.set_all(vars, values);
            }
            Step::Append { var, extends, parts, span, .. } => {
                let mut parts = extends.map(Into::into).into_iter().chain(parts.iter().copied());
                let first = match parts.next() {
                    Some(first) => Value::Array(self.store.array(first).clone()),
                    None => self.store.collect(*var, &[]),
                };
                let whole = parts.try_fold(first, |whole, part| {
                    let Value::Array(whole) = whole else { panic!("the parts are arrays") };
                    whole.append(self.store.array(part), *span).map(Value::Array)
                })?;
                self.set(*var, whole);
            }
            Step::Array { var, elems, .. } => {
                let elems = elems.iter().map(|&each| self.get(each)).collect::<Vec<_>>();
                self.set(*var, self.store.collect(*var, &elems));
            }
            Step::Constant { var, data } => {
                let value = self.store.constant(*var, data);
                self.set(*var, value);
            }
            Step::Share { var, array } => {
                let value = self.get(Atom::Var(*array));
                self.set(*var, value);
            }
            Step::Loop { vars, form, init, worker } => {
                let values = self.repeated(form, init, worker)?;
                self.store.set_all(vars, values);
            }
            Step::Replace { var, array, indices, target, value, placed: _, span } => {
                let indices = indices.iter().map(|&index| self.scalar(index)).collect::<Vec<_>>();
                let value = self.get(*value);
                let old = self.store.array(*array);
                let replaced = match target {
                    Target::Checked | Target::Inside => replace(old, &indices, &value, *span)?,
                    Target::Window => window(old, &indices, &value, *span)?,
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

    fn pass(&mut self, pass: &Procedure<P>) -> Result<(), RunError> {
        for start in &pass.start {
            match start {
                Start::CheckSize { size, span } => {
                    let size = self.scalar(*size);
                    if size.as_i128() < 0 {
                        return Err(RunError::new(ErrorCode::Size, [size.as_i128(), 0], *span));
                    }
                }
                Start::NewVec { vec, capacity, memory: _, span } => {
                    let capacity = self.length(capacity);
                    affordable(capacity, *span)?;
                    let capacity = capacity.unwrap_or_default();
                    self.vecs[*vec] = vec![None; capacity];
                }
                Start::NewAcc { acc, init } => self.accs[*acc] = Some(self.get(*init)),
            }
        }
        match pass.slices.clone() {
            Some(slices) => self.blocks(pass, &slices.into())?,
            None => self.counted_loop(&pass.nest)?,
        }
        for end in &pass.end {
            match end {
                End::Read { result, acc } => {
                    let value = self.acc(*acc).clone();
                    self.set(*result, value);
                }
                End::Slice { vec, length } => self.slice(*vec, length),
            }
        }
        for (_, array) in pass.overwrites() {
            self.end(array);
        }
        Ok(())
    }

    /// The vector becomes an array. Every place that it keeps has been written.
    fn slice(&mut self, vec: VarId, length: &Written) {
        let mut places = std::mem::take(&mut self.vecs[vec]);
        if let Some(length) = self.written(length) {
            assert!(length <= places.len(), "a vector is written inside its capacity");
            places.truncate(length);
        }
        let elems = places.into_iter().map(|place| place.expect("each place is written"));
        let array = self.store.collect(vec, &elems.collect::<Vec<_>>());
        self.set(vec, array);
    }

    fn counted_loop(&mut self, nest: &Loop<P>) -> Result<(), RunError> {
        let length = self.steps_of(nest)?;
        self.slice_of(nest, 0..length)
    }

    /// The number of steps of a loop.
    fn steps_of(&self, nest: &Loop<P>) -> Result<usize, RunError> {
        let length = self.length(&nest.length);
        affordable(length, self.span)?;
        Ok(length.unwrap_or_default())
    }

    /// A range of the steps of a loop.
    fn slice_of(&mut self, nest: &Loop<P>, slice: std::ops::Range<usize>) -> Result<(), RunError> {
        let mut done = slice.start;
        for Range { from: first, to, ways } in &nest.ranges {
            let [first, to] = [*first, *to].map(|bound| natural(self.scalar(bound.into())));
            assert!(first <= to, "ranges are in order");
            assert_eq!((to - first) % ways.len(), 0, "a range ends with its last way");
            let [from, to] = [first, to].map(|bound| bound.clamp(done, slice.end));
            self.steps(nest.counter, done..from, (&nest.body, &nest.inner))?;
            for step in from..to {
                let Way { body, inner, .. } = &ways[(step - first) % ways.len()];
                self.steps(nest.counter, step..step + 1, (body, inner))?;
            }
            done = to;
        }
        self.steps(nest.counter, done..slice.end, (&nest.body, &nest.inner))
    }

    /// Runs the blocks of a sliced pass, and combines their accumulators.
    fn blocks(&mut self, pass: &Procedure<P>, slices: &Slices) -> Result<(), RunError> {
        let block = self.steps_of_block(slices);
        let length = self.steps_of(&pass.nest)?;
        let joined = pass.joined(self.store.vars()).expect("accumulators of a sliced pass join");
        let (joins, counters) = (&joined.joins, joined.counters());
        let mut first = self.accs.clone();
        let mut levels = Vec::new();
        for number in 0..length.div_ceil(block) {
            self.accs = first.clone();
            joins.iter().for_each(|join| self.begin_block(pass, join));
            self.begin_scans(pass, &joined.scans);
            self.slice_of(&pass.nest, number * block..length.min((number + 1) * block))?;
            counters.iter().for_each(|&acc| first[acc] = self.accs[acc].clone());
            joined.bins.iter().for_each(|bins| first[bins.acc] = self.accs[bins.acc].clone());
            self.end_scans(&joined.scans, &mut first);
            levels.push(self.accs.clone());
            for _ in 0..(number + 1).trailing_zeros() {
                self.join_last(&mut levels, joins)?;
            }
        }
        while levels.len() > 1 {
            self.join_last(&mut levels, joins)?;
        }
        self.accs = first;
        let Some(total) = levels.pop() else { return Ok(()) };
        for join in joins {
            match join {
                Join::By(..) => self.join(join, &total)?,
                Join::Worker(accs, _) => {
                    accs.iter().for_each(|&acc| self.accs[acc] = total[acc].clone());
                }
            }
        }
        Ok(())
    }

    /// The number of steps of a block. If a row is too large to be counted, its first step fails for lack of memory.
    fn steps_of_block(&self, slices: &Slices) -> usize {
        let elems = match &slices.row {
            None => Some(1),
            Some(Row::Steps(steps)) => self.trips(steps),
            Some(Row::Of(array)) => Some(self.store.array(*array).elems_of_row()),
        };
        let [block, least] = [slices.block, Slices::LEAST_STEPS]
            .map(|steps| usize::try_from(steps).expect("a block has few steps"));
        let steps = block.checked_div(elems.unwrap_or(usize::MAX)).unwrap_or(block);
        if slices.row.is_some() { steps.max(least) } else { steps }
    }

    /// Sets an accumulator to its neutral element, if it is combined by an operation.
    fn begin_block(&mut self, pass: &Procedure<P>, join: &Join<'_, P>) {
        let Join::By(acc, op) = join else { return };
        let ty = pass.accs[*acc].ty.as_scalar().expect("an accumulator that joins is a scalar");
        let init = Atom::Const(self.acc(*acc).scalar());
        let neutral = neutral(*op, ty, init).expect("an operation that joins has one");
        self.accs[*acc] = Some(self.get(neutral));
    }

    /// Accumulators of scans that are exact begin with their carries, and others with neutral elements.
    fn begin_scans(&mut self, pass: &Procedure<P>, scans: &[Scan]) {
        for scan in scans.iter().filter(|scan| !scan.is_exact) {
            let carry = self.acc(scan.acc).scalar();
            self.begin_block(pass, &Join::By(scan.acc, scan.op));
            self.carries[scan.acc] = Some((scan.op, carry));
        }
    }

    /// Computes the carries of the next block.
    fn end_scans(&mut self, scans: &[Scan], first: &mut SecondaryMap<AccId, Option<Value>>) {
        for scan in scans {
            first[scan.acc] = Some(self.seen(scan.acc));
            self.carries[scan.acc] = None;
        }
    }

    /// The value that a step reads from an accumulator.
    fn seen(&self, acc: AccId) -> Value {
        let own = self.acc(acc);
        let Some((op, carry)) = self.carries[acc] else { return own.clone() };
        let seen = scalar::bin(op, carry, own.scalar());
        Value::Scalar(seen.expect("an operation that joins does not fail"))
    }

    /// Combines the accumulators of the last two blocks.
    fn join_last(
        &mut self,
        levels: &mut Vec<SecondaryMap<AccId, Option<Value>>>,
        joins: &[Join<'_, P>],
    ) -> Result<(), RunError> {
        let right = levels.pop().expect("there are two");
        self.accs = levels.pop().expect("there are two");
        joins.iter().try_for_each(|join| self.join(join, &right))?;
        levels.push(self.accs.clone());
        Ok(())
    }

    /// Combines accumulators with those of the block after them.
    fn join(
        &mut self,
        join: &Join<'_, P>,
        right: &SecondaryMap<AccId, Option<Value>>,
    ) -> Result<(), RunError> {
        let of = |accs: &SecondaryMap<AccId, Option<Value>>, acc: AccId| {
            accs[acc].clone().expect("each block has all accumulators")
        };
        match join {
            Join::By(acc, op) => {
                let (left, right) = (of(&self.accs, *acc), of(right, *acc));
                let joined = scalar::bin(*op, left.scalar(), right.scalar());
                let joined = joined.expect("an operation that joins does not fail");
                self.accs[*acc] = Some(Value::Scalar(joined));
            }
            Join::Worker(accs, worker) => {
                let left = accs.iter().map(|&acc| of(&self.accs, acc));
                let args = left.chain(accs.iter().map(|&acc| of(right, acc))).collect();
                for (&acc, value) in accs.iter().zip(self.worker(worker, args)?) {
                    self.accs[acc] = Some(value);
                }
            }
        }
        Ok(())
    }

    fn steps(
        &mut self,
        counter: VarId,
        steps: std::ops::Range<usize>,
        (body, inner): (&[Stmt<P>], &[Nest<P>]),
    ) -> Result<(), RunError> {
        for step in steps {
            self.set(counter, Value::Scalar(position(step)));
            self.body(body, inner)?;
        }
        Ok(())
    }

    fn guard(&mut self, guard: &Guard<P>) -> Result<(), RunError> {
        if self.scalar(guard.flag).bits == 0 {
            return Ok(());
        }
        let entries = natural(self.acc(guard.counter).scalar());
        self.set(guard.index, Value::Scalar(position(entries)));
        self.body(&guard.body, &guard.inner)?;
        self.accs[guard.counter] = Some(Value::Scalar(position(entries + 1)));
        Ok(())
    }

    fn body(&mut self, body: &[Stmt<P>], inner: &[Nest<P>]) -> Result<(), RunError> {
        for stmt in body {
            self.stmt(stmt)?;
        }
        for nest in inner {
            match nest {
                Nest::Loop(nest) => self.counted_loop(nest)?,
                Nest::Guard(guard) => self.guard(guard)?,
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt<P>) -> Result<(), RunError> {
        match stmt {
            Stmt::Next { elem, index, array } => {
                let place = self.position(index);
                let value = self.store.array(*array).at(place);
                self.set(*elem, value);
            }
            Stmt::Position { elem, index } => {
                let place = self.position(index);
                self.set(*elem, Value::Scalar(position(place)));
            }
            Stmt::Copy { elem, from } => {
                let value = self.get(*from);
                self.set(*elem, value);
            }
            Stmt::Apply { elems, worker, args } => {
                let args = args.iter().map(|&arg| self.get(arg)).collect();
                let values = self.worker(worker, args)?;
                self.store.set_all(elems, values);
            }
            Stmt::Read { elem, array, index, span } => {
                self.read(*elem, *array, &[*index], *span)?
            }
            Stmt::Update { accs, worker, args, .. } => {
                let mut all = accs.iter().map(|&acc| self.acc(acc).clone()).collect::<Vec<_>>();
                all.extend(args.iter().map(|&arg| self.get(arg)));
                for (&acc, value) in accs.iter().zip(self.worker(worker, all)?) {
                    self.accs[acc] = Some(value);
                }
            }
            Stmt::Current { elem, acc } => {
                let value = self.seen(*acc);
                self.set(*elem, value);
            }
            Stmt::Reserve { vec, written, more } => {
                let written = self.written(written).expect("what grows is counted");
                let room = self.length(more).and_then(|more| written.checked_add(more));
                affordable(room, self.span)?;
                let room = room.unwrap_or_default();
                let places = &mut self.vecs[*vec];
                let length = places.len().max(room);
                places.resize(length, None);
            }
            Stmt::Write { vec, index, elem, placed: _ } => {
                let (place, value) = (self.position(index), self.get(*elem));
                let before = self.vecs[*vec][place].replace(value);
                assert!(before.is_none(), "each place of a vector is written once");
            }
        }
        Ok(())
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

    fn position(&self, at: &Position) -> usize {
        match at {
            Position::Var(index) => natural(self.scalar(Atom::Var(*index))),
            Position::Product { outer, length, inner } => {
                let row = self.position(outer) * self.counted_length(length);
                row + natural(self.scalar(Atom::Var(*inner)))
            }
        }
    }

    /// A length, if it fits in a `usize`.
    fn length(&self, of: &Length) -> Option<usize> {
        match of {
            Length::Array(array) => Some(self.store.array(*array).count()),
            Length::Value(size) => Some(natural(self.scalar(*size))),
            Length::Product(left, right) => self.length(left)?.checked_mul(self.length(right)?),
        }
    }

    /// The trip count of a loop in a step, before the step checks that it is not negative.
    fn trips(&self, steps: &Length) -> Option<usize> {
        match steps {
            Length::Array(array) => Some(self.store.array(*array).count()),
            Length::Value(size) => Some(usize::try_from(self.scalar(*size).as_i128()).unwrap_or(0)),
            Length::Product(left, right) => self.trips(left)?.checked_mul(self.trips(right)?),
        }
    }

    /// A length that was found to be affordable.
    fn counted_length(&self, of: &Length) -> usize {
        self.length(of).expect("a loop that runs has so many steps")
    }

    /// The number of places that were written; none if all of them were.
    fn written(&self, written: &Written) -> Option<usize> {
        match written {
            Written::All => None,
            Written::Counted(acc) => Some(natural(self.acc(*acc).scalar())),
            Written::Rows(rows, row) => Some(self.written(rows)? * self.counted_length(row)),
        }
    }

    fn get(&self, atom: Atom) -> Value {
        self.store.get(atom)
    }

    fn scalar(&self, atom: Atom) -> Const {
        self.store.scalar(atom)
    }

    fn acc(&self, acc: AccId) -> &Value {
        self.accs[acc].as_ref().unwrap_or_else(|| panic!("{acc} is made before its use"))
    }

    fn set(&mut self, var: VarId, value: Value) {
        self.store.set(var, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::error::MAX_DEPTH;
    use crate::ids::EntityRef;
    use crate::ir::procedure::concrete::Plain;
    use crate::pass::parse::form;

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
        let program = form::concrete::<Plain>(DOWN).expect("it is a program");
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
