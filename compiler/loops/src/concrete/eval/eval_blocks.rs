//! Sliced passes: their steps run in blocks, as in compiled code, so that reductions of floats have the same bits.
//!
//! Invariant: the order in which the accumulators of blocks are combined depends on the number of steps only.
//!
//! ```text
//! blocks a b c d e   ⇒   ((a b) (c d)) e
//! ```

use super::Frame;
use crate::concrete::{Combiner, Phase, Procedure, RowLength, Scan, Slices};
use arrc_front::eval::run_error::RunError;
use arrc_front::eval::scalar;
use arrc_fusion::cnf::Atom;
use arrc_fusion::cnf::neutral;
use arrc_fusion::eval::cnf::Value;
use arrc_syntax::ids::{AccId, SecondaryMap};

impl<P: Phase> Frame<'_, P> {
    /// Runs the blocks of a sliced pass, and combines their accumulators.
    pub(super) fn blocks(&mut self, pass: &Procedure<P>, slices: &Slices) -> Result<(), RunError> {
        let block = self.steps_of_block(slices);
        let length = self.steps_of(&pass.nest)?;
        let combiners =
            pass.combiners(self.store.vars()).expect("accumulators of a sliced pass join");
        let (joins, counters) = (&combiners.joins, combiners.counters());
        let mut first = self.accs.clone();
        let mut levels = Vec::new();
        for number in 0..length.div_ceil(block) {
            self.accs = first.clone();
            joins.iter().for_each(|join| self.begin_block(pass, join));
            self.begin_scans(pass, &combiners.scans);
            self.slice_of(&pass.nest, number * block..length.min((number + 1) * block))?;
            counters.iter().for_each(|&acc| first[acc] = self.accs[acc].clone());
            combiners.bins.iter().for_each(|bins| first[bins.acc] = self.accs[bins.acc].clone());
            self.end_scans(&combiners.scans, &mut first);
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
                Combiner::By(..) => self.join(join, &total)?,
                Combiner::Worker(accs, _) => {
                    accs.iter().for_each(|&acc| self.accs[acc] = total[acc].clone());
                }
            }
        }
        Ok(())
    }

    /// The number of steps of a block. If the number of elements of a row is too large for a `usize`, the first step
    /// fails for lack of memory.
    fn steps_of_block(&self, slices: &Slices) -> usize {
        let elems = match &slices.row {
            None => Some(1),
            Some(RowLength::Steps(steps)) => self.trips(steps),
            Some(RowLength::Of(array)) => Some(self.store.array(*array).elems_of_row()),
        };
        let [block, least] = [slices.block, Slices::LEAST_STEPS]
            .map(|steps| usize::try_from(steps).expect("a block has few steps"));
        let steps = block.checked_div(elems.unwrap_or(usize::MAX)).unwrap_or(block);
        if slices.row.is_some() { steps.max(least) } else { steps }
    }

    /// Sets an accumulator to its neutral element, if it is combined by an operation.
    fn begin_block(&mut self, pass: &Procedure<P>, join: &Combiner<'_, P>) {
        let Combiner::By(acc, op) = join else { return };
        let ty = pass.accs[*acc].ty.as_scalar().expect("an accumulator that joins is a scalar");
        let init = Atom::Const(self.acc(*acc).scalar());
        let neutral = neutral(*op, ty, init).expect("an operation that joins has one");
        self.accs[*acc] = Some(self.get(neutral));
    }

    /// The accumulator of an exact scan begins with its carry. The accumulator of another scan begins with its
    /// neutral element.
    fn begin_scans(&mut self, pass: &Procedure<P>, scans: &[Scan]) {
        for scan in scans.iter().filter(|scan| !scan.is_exact) {
            let carry = self.acc(scan.acc).scalar();
            self.begin_block(pass, &Combiner::By(scan.acc, scan.op));
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
    pub(super) fn seen(&self, acc: AccId) -> Value {
        let own = self.acc(acc);
        let Some((op, carry)) = self.carries[acc] else { return own.clone() };
        let seen = scalar::bin(op, carry, own.scalar());
        Value::Scalar(seen.expect("an operation that joins does not fail"))
    }

    /// Combines the accumulators of the last two blocks.
    fn join_last(
        &mut self,
        levels: &mut Vec<SecondaryMap<AccId, Option<Value>>>,
        joins: &[Combiner<'_, P>],
    ) -> Result<(), RunError> {
        let right = levels.pop().expect("there are two");
        self.accs = levels.pop().expect("there are two");
        joins.iter().try_for_each(|join| self.join(join, &right))?;
        levels.push(self.accs.clone());
        Ok(())
    }

    /// Combines accumulators with `right`, the accumulators of the blocks after theirs.
    fn join(
        &mut self,
        join: &Combiner<'_, P>,
        right: &SecondaryMap<AccId, Option<Value>>,
    ) -> Result<(), RunError> {
        let of = |accs: &SecondaryMap<AccId, Option<Value>>, acc: AccId| {
            accs[acc].clone().expect("each block has all accumulators")
        };
        match join {
            Combiner::By(acc, op) => {
                let (left, right) = (of(&self.accs, *acc), of(right, *acc));
                let joined = scalar::bin(*op, left.scalar(), right.scalar());
                let joined = joined.expect("an operation that joins does not fail");
                self.accs[*acc] = Some(Value::Scalar(joined));
            }
            Combiner::Worker(accs, worker) => {
                let left = accs.iter().map(|&acc| of(&self.accs, acc));
                let args = left.chain(accs.iter().map(|&acc| of(right, acc))).collect();
                for (&acc, value) in accs.iter().zip(self.worker(worker, args)?) {
                    self.accs[acc] = Some(value);
                }
            }
        }
        Ok(())
    }
}
