//! Operators alone, and reductions and scans in blocks, to see whether laws of operators hold.
//!
//! Invariant: the blocks of a run have the same number of elements, but for the last one. Each begins with the initial
//! values, and the results of blocks are combined from the left. If the operator is associative and the initial value
//! neutral, the results are those of a run without blocks, but for the rounding of floats.
//!
//! ```text
//! reduce op ne [a, b, c] in blocks of 2   ⇒   op (op (op ne a) b) (op ne c)
//! ```

use std::cell::Cell;

use super::{Machine, Value};
use crate::cnf::{Atom, FoldOrder, Op, Program, ScanKind, Worker};
use crate::eval::array::Array;
use crate::eval::store::Store;
use crate::tables::Tables;
use arrc_front::eval::run_error::RunError;
use arrc_syntax::ids::{FuncId, VarId};

/// Calls a function. Its reductions and scans run in blocks of this many elements.
///
/// # Errors
/// The run-time error, also if the call takes more than `most` operations.
///
/// # Panics
/// As [`run`](super::run).
pub fn run_in_blocks(
    program: &Program,
    function: FuncId,
    args: Vec<Value>,
    block: Option<usize>,
    most: u64,
) -> Result<Vec<Value>, RunError> {
    let span = program.functions[function].span;
    Machine { left: most, block, ..Machine::new(program) }.call(function, args, span)
}

/// A worker that is applied outside of its block.
pub struct DetachedWorker<'a> {
    machine: Machine<'a>,
    frame: Store<'a>,
    worker: &'a Worker,
    /// How many more operations all applications may take, which other workers may share.
    left: &'a Cell<u64>,
}

impl<'a> DetachedWorker<'a> {
    /// The most operations of one application, so that it ends.
    const MOST: u64 = 20_000;

    /// A worker of a function with these tables. `around` has the values of the variables that it uses and does not
    /// bind, and `left` is how many operations it may take.
    #[must_use]
    pub fn new(
        program: &'a Program,
        tables: &'a Tables,
        worker: &'a Worker,
        around: &[(VarId, Value)],
        left: &'a Cell<u64>,
    ) -> Self {
        let mut frame = Store::new(tables);
        around.iter().for_each(|(var, value)| frame.set(*var, value.clone()));
        Self { machine: Machine::new(program), frame, worker, left }
    }

    /// The results for these arguments.
    ///
    /// # Errors
    /// The run-time error, also if it takes too many operations.
    pub fn apply(&mut self, args: &[Value]) -> Result<Vec<Value>, RunError> {
        let given = self.left.get().min(Self::MOST);
        self.machine.left = given;
        let results = self.machine.worker(&mut self.frame, self.worker, args);
        self.left.set(self.left.get() - (given - self.machine.left));
        results
    }
}

/// How many elements an operation copies without running a worker for each: what it costs beside its workers.
pub(super) fn copied(frame: &Store<'_>, op: &Op) -> u64 {
    let scalars = |var: &VarId| frame.array(*var).scalars().len();
    let elements = match op {
        Op::Append { left, right } => left.iter().chain(right).map(scalars).sum(),
        Op::Cross { left, right } => {
            let all = |side: &[VarId]| side.iter().map(scalars).sum::<usize>();
            all(left).saturating_mul(all(right))
        }
        Op::Gather { data, indices } => scalars(indices) * data.len(),
        Op::Filter { keep, .. } => keep.iter().map(scalars).sum(),
        Op::Replace { array, .. } | Op::Reshape { array, .. } | Op::Sort { array, .. } => {
            scalars(array)
        }
        Op::Scalar(_)
        | Op::Index { .. }
        | Op::Length { .. }
        | Op::Assert(_)
        | Op::If { .. }
        | Op::Map { .. }
        | Op::FlatMap { .. }
        | Op::Fold { .. }
        | Op::Scan { .. }
        | Op::Generate { .. }
        | Op::Call { .. }
        | Op::Array { .. }
        | Op::Constant { .. }
        | Op::Loop { .. } => 0,
    };
    u64::try_from(elements).unwrap_or(u64::MAX)
}

impl<'a> Machine<'a> {
    /// Whether a fold runs in blocks: it may be regrouped, and its elements are accumulators.
    pub(super) fn is_grouped(&self, order: FoldOrder, worker: &Worker, init: &[Atom]) -> bool {
        self.block.is_some() && order != FoldOrder::Strict && worker.params.len() == 2 * init.len()
    }

    /// As a fold, but in blocks.
    pub(super) fn fold_blocks(
        &mut self,
        frame: &mut Store<'a>,
        worker: &Worker,
        (init, inputs): (&[Atom], &[VarId]),
    ) -> Result<Vec<Value>, RunError> {
        let inputs = frame.arrays(inputs);
        let mut total: Option<Vec<Value>> = None;
        for range in self.blocks(&inputs) {
            let mut accs: Vec<Value> = init.iter().map(|&init| frame.get(init)).collect();
            for place in range {
                accs.extend(inputs.iter().map(|input| input.at(place)));
                accs = self.worker(frame, worker, &accs)?;
            }
            total = Some(match total {
                Some(before) => self.worker(frame, worker, &[before, accs].concat())?,
                None => accs,
            });
        }
        Ok(total.unwrap_or_else(|| init.iter().map(|&init| frame.get(init)).collect()))
    }

    /// As a scan, but in blocks.
    pub(super) fn scan_blocks(
        &mut self,
        frame: &mut Store<'a>,
        prefix: ScanKind,
        worker: &Worker,
        (init, inputs): (&[Atom], &[VarId]),
    ) -> Result<Vec<Vec<Value>>, RunError> {
        let inputs = frame.arrays(inputs);
        let mut columns = vec![Vec::new(); init.len()];
        let mut total: Option<Vec<Value>> = None;
        for range in self.blocks(&inputs) {
            let mut accs: Vec<Value> = init.iter().map(|&init| frame.get(init)).collect();
            for place in range {
                let before = accs.clone();
                accs.extend(inputs.iter().map(|input| input.at(place)));
                accs = self.worker(frame, worker, &accs)?;
                let seen = match prefix {
                    ScanKind::Inclusive => accs.clone(),
                    ScanKind::Exclusive => before,
                };
                let seen = self.combine_accumulators(frame, worker, total.as_ref(), seen)?;
                columns.iter_mut().zip(seen).for_each(|(column, value)| column.push(value));
            }
            total = Some(self.combine_accumulators(frame, worker, total.as_ref(), accs)?);
        }
        Ok(columns)
    }

    /// The accumulators of a block, combined with those of the blocks before it.
    fn combine_accumulators(
        &mut self,
        frame: &mut Store<'a>,
        worker: &Worker,
        before: Option<&Vec<Value>>,
        accs: Vec<Value>,
    ) -> Result<Vec<Value>, RunError> {
        match before {
            Some(before) => self.worker(frame, worker, &[before.clone(), accs].concat()),
            None => Ok(accs),
        }
    }

    /// The places of each block.
    fn blocks(&self, inputs: &[Array]) -> Vec<std::ops::Range<usize>> {
        let count = inputs.first().map_or(0, Array::count);
        let block = self.block.unwrap_or(count).max(1);
        (0..count).step_by(block).map(|from| from..count.min(from + block)).collect()
    }
}
