//! Passes: their loops, guards and statements.
//!
//! Invariant: each place of a vector is written at most once. The finished array has the elements that were written.
//! At all other places, it has the elements of the array in whose memory the vector is made.
//!
//! ```text
//! start { ys = newVec 3; s = newAcc 0 } body { x = next xs; s := s + x; write ys x } end { read s; slice ys }
//! ```

use arr_abi::ErrorCode;

use super::Frame;
use crate::concrete::{
    End, Guard, Length, Loop, Memory, Nest, Period, Phase, Position, Procedure, Range, Start, Stmt,
    Variant, WrittenCount,
};
use arrc_front::eval::run_error::{RunError, check_array_size};
use arrc_fusion::cnf::Atom;
use arrc_fusion::eval::array::{Array, position};
use arrc_fusion::eval::cnf::Value;
use arrc_fusion::eval::store::const_to_usize;
use arrc_syntax::ids::{AccId, VarId};

impl<P: Phase> Frame<'_, P> {
    pub(super) fn pass(&mut self, pass: &Procedure<P>) -> Result<(), RunError> {
        for start in &pass.start {
            match start {
                Start::CheckSize { size, span } => {
                    let size = self.scalar(*size);
                    if size.as_i128() < 0 {
                        return Err(RunError::new(ErrorCode::Size, [size.as_i128(), 0], *span));
                    }
                }
                Start::NewVec { vec, capacity, memory, span } => {
                    let capacity = self.length(capacity);
                    check_array_size(capacity, *span)?;
                    let capacity = capacity.unwrap_or_default();
                    self.vecs[*vec] = vec![None; capacity];
                    self.under[*vec] = self.array_in(memory);
                    self.note_place(*vec, memory);
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
        for (_, array) in pass.replaces() {
            self.end(array);
        }
        Ok(())
    }

    /// The array, or the row of an array, in whose memory a vector is made.
    fn array_in(&self, memory: &Memory<P>) -> Option<Array> {
        match memory {
            Memory::Over(array) => Some(self.store.array((*array).into()).clone()),
            Memory::Row(place) => {
                let under = self.under[place.vec].as_ref()?;
                let Value::Array(row) = under.at(self.position(&place.index)) else { return None };
                Some(row)
            }
            Memory::New
            | Memory::Scratch
            | Memory::DoubleBuffer
            | Memory::Behind(_)
            | Memory::Part(_) => None,
        }
    }

    /// Turns a vector into an array. A place that was not written has the element of the array in whose memory the
    /// vector is made.
    fn slice(&mut self, vec: VarId, length: &WrittenCount) {
        self.in_place.retain(|part| part.vec != vec);
        let mut places = std::mem::take(&mut self.vecs[vec]);
        if let Some(length) = self.written(length) {
            assert!(length <= places.len(), "a vector is written inside its capacity");
            places.truncate(length);
        }
        let under = self.under[vec].take();
        let there = |at: usize| under.as_ref().expect("each place is written").at(at);
        let elems = places.into_iter().enumerate();
        let elems = elems.map(|(at, place)| place.unwrap_or_else(|| there(at)));
        let array = self.store.collect(vec, &elems.collect::<Vec<_>>());
        self.set(vec, array);
    }

    fn counted_loop(&mut self, nest: &Loop<P>) -> Result<(), RunError> {
        let length = self.steps_of(nest)?;
        self.slice_of(nest, 0..length)
    }

    /// The number of steps of a loop.
    pub(super) fn steps_of(&self, nest: &Loop<P>) -> Result<usize, RunError> {
        let length = self.length(&nest.length);
        check_array_size(length, self.span)?;
        Ok(length.unwrap_or_default())
    }

    /// A range of the steps of a loop.
    pub(super) fn slice_of(
        &mut self,
        nest: &Loop<P>,
        slice: std::ops::Range<usize>,
    ) -> Result<(), RunError> {
        let mut done = slice.start;
        for range in &nest.ranges {
            let [first, to] =
                [range.from, range.to].map(|bound| const_to_usize(self.scalar(bound.into())));
            assert!(first <= to, "ranges are in order");
            let [from, to] = [first, to].map(|bound| bound.clamp(done, slice.end));
            self.steps(nest.counter, done..from, (&nest.body, &nest.inner))?;
            for step in from..to {
                let Variant { body, inner, .. } = self.variant(range, step);
                self.steps(nest.counter, step..step + 1, (body, inner))?;
            }
            done = to;
        }
        self.steps(nest.counter, done..slice.end, (&nest.body, &nest.inner))
    }

    /// The variant that a step of a range takes.
    fn variant<'r>(&self, range: &'r Range<P>, step: usize) -> &'r Variant<P> {
        let Range { from, to, variants, period, peeled: _ } = range;
        let number = |bound: P::Bound| self.scalar(bound.into()).as_i128();
        let step = i128::try_from(step).expect("few steps");
        let count = i128::try_from(variants.len()).expect("few ways");
        let Some(Period { first, steps }) = period else {
            let from = number(*from);
            assert_eq!((number(*to) - from) % count, 0, "a range ends with its last way");
            let place = usize::try_from((step - from) % count).expect("steps follow the first one");
            return &variants[place];
        };
        let steps: Vec<i128> = steps.iter().map(|&steps| number(steps)).collect();
        let (first, period) = (number(*first), steps.iter().sum::<i128>());
        let is_in_first = (first..first + period).contains(&number(*from));
        assert!(is_in_first && steps.iter().all(|&steps| steps >= 0), "a range begins in a turn");
        let mut place = (step - first) % period;
        let mut pairs = variants.iter().zip(steps);
        let own = pairs.find(|&(_, steps)| {
            let is_here = place < steps;
            place -= steps;
            is_here
        });
        own.expect("each step of a turn takes a way").0
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
        let entries = const_to_usize(self.acc(guard.counter).scalar());
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
                self.check_read(*elem);
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
                self.read(*elem, *array, &[*index], *span)?;
                self.check_read(*elem);
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
                check_array_size(room, self.span)?;
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

    pub(super) fn position(&self, at: &Position) -> usize {
        match at {
            Position::Var(index) => const_to_usize(self.scalar(Atom::Var(*index))),
            Position::Product { outer, length, inner } => {
                let row = self.position(outer) * self.counted_length(length);
                row + const_to_usize(self.scalar(Atom::Var(*inner)))
            }
        }
    }

    /// A length, if it fits in a `usize`.
    fn length(&self, of: &Length) -> Option<usize> {
        match of {
            Length::Array(array) => Some(self.store.array(*array).count()),
            Length::Value(size) => Some(const_to_usize(self.scalar(*size))),
            Length::Product(left, right) => self.length(left)?.checked_mul(self.length(right)?),
        }
    }

    /// The trip count of a loop in a step. A negative size counts as 0, since the step checks the size only later.
    pub(super) fn trips(&self, steps: &Length) -> Option<usize> {
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

    /// The number of places that were written; `None` if all of them were.
    fn written(&self, written: &WrittenCount) -> Option<usize> {
        match written {
            WrittenCount::All => None,
            WrittenCount::Counted(acc) => Some(const_to_usize(self.acc(*acc).scalar())),
            WrittenCount::Rows(rows, row) => Some(self.written(rows)? * self.counted_length(row)),
        }
    }

    pub(super) fn acc(&self, acc: AccId) -> &Value {
        self.accs[acc].as_ref().unwrap_or_else(|| panic!("{acc} is made before its use"))
    }
}
