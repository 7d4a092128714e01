//! Marks the passes whose steps may run in slices at the same time.
//!
//! A pass is sliced if its steps do not depend on each other: each writes elements of its own, or appends elements to a
//! vector, and the accumulators of blocks of steps join ([`Procedure::combiners`]). The size of a block is a constant
//! of the pass. So slices, and the tree in which blocks are combined, depend on the number of steps and on nothing
//! else.
//!
//! Invariant: only passes of function bodies, branches and bodies of loops are sliced; a pass in the step of another
//! runs in the thread of that step. A sliced pass calls no function of C, which may have effects.
//!
//! ```text
//! loopI (i : i64) (length xs) start { s_acc = newAcc 0.0 } body { …; s_acc := s_acc + x } …
//! ⇒ loopI (i : i64) (length xs) sliced 16384 …
//! ```

use indexmap::IndexSet;

use crate::concrete::def_use::defines;
use crate::concrete::{
    Block, Combiner, Combiners, Complete, Cost, Length, Procedure, Program, RowLength, Slices,
    Step, Stmt, Visit, Worker,
};
use arrc_fusion::cnf::in_any_order;
use arrc_fusion::cnf::{Atom, Callee, FoldOrder, Var};
use arrc_syntax::ids::{FuncId, PrimaryMap, SecondaryMap, VarId};

/// The least steps of a block in which accumulators are combined in the order of the pass. Fewer make a sum slower:
/// 0.91 of the speed for 1024. A prototype in C had 0.98 for 4096, and 1.00 for 16,384 (AVX-512, sums of `f64` in the
/// first two caches, one thread). `scripts/bench inner_f64` has such blocks.
const COMBINED: u32 = 4096;
/// The most steps of such a block, if they take no longer than [`LEAST`]. A block begins and ends with steps that do
/// not overlap with others, for about 25 ns: 6 % of the time of 4096 steps that add a number.
/// `scripts/bench choice_sum_f64` takes 1.08 of the time of C at 20,000 numbers, before 1.16 to 1.40 (together with
/// fused products; least times, AVX2).
const MOST_COMBINED: u32 = 16_384;
/// The steps of a block where the order makes no difference to the result, as for integers. A short block would cost
/// more than its steps. `scripts/bench sum_above_i32` has such blocks. Not measured by itself.
const EXACT: u32 = 32_768;
/// The steps of a block where each step has loops, and their trip counts are not known before the pass. No benchmark
/// shows it alone.
const NESTED: u32 = 64;
/// The steps of a block without accumulators: whole cache lines of elements.
const LINES: u32 = 64;
/// The most accumulators of a sliced pass. The frame of the caller holds the accumulators of all levels of the tree. No
/// benchmark shows it alone.
const ACCS: usize = 16;
/// Passes that take less time, in picoseconds, are not worth a second thread. In a prototype, two awake threads were
/// quicker than one from 10 µs of a map on, and from 4 µs of a sum (two cores, AVX-512). The estimate of
/// `scripts/bench --threads 1,2 dot_f64 10000` is near the limit.
const LEAST: u64 = 10_000_000;

/// Marks the passes.
#[must_use]
pub fn slice(mut program: Program) -> Program {
    let effects = effects(&program);
    for function in program.functions.values_mut() {
        let bound = function.params.iter().copied().collect();
        SliceMarker { vars: &function.tables.vars, effects: &effects, bound }
            .block(&mut function.body);
    }
    program
}

/// The functions that call functions of C, themselves or through others.
pub(super) fn effects(program: &Program) -> SecondaryMap<FuncId, bool> {
    let mut effects = SecondaryMap::new();
    loop {
        let before = effects.clone();
        for (id, function) in program.functions.iter() {
            effects[id] = has_effects(&function.body, &before);
        }
        if effects == before {
            return effects;
        }
    }
}

fn has_effects(block: &Block, effects: &SecondaryMap<FuncId, bool>) -> bool {
    let mut calls = ExternalCalls { effects, found: false };
    calls.block(block);
    calls.found
}

/// Looks for calls of functions of C.
struct ExternalCalls<'a> {
    effects: &'a SecondaryMap<FuncId, bool>,
    found: bool,
}

impl ExternalCalls<'_> {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            if let Step::Call { callee, .. } = step {
                self.found |= match callee {
                    Callee::External(_) => true,
                    Callee::Function(function) => self.effects[*function],
                };
            }
            step.visit(self);
        }
    }

    fn steps(&mut self, pass: &Procedure) {
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        });
    }
}

impl Visit<'_, Complete> for ExternalCalls<'_> {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        self.steps(pass);
    }
}

/// The passes of one function.
struct SliceMarker<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    effects: &'a SecondaryMap<FuncId, bool>,
    /// The variables that are bound before the step.
    bound: IndexSet<VarId>,
}

impl SliceMarker<'_> {
    fn block(&mut self, block: &mut Block) {
        let outside = self.bound.len();
        for step in &mut block.steps {
            self.step(step);
            self.bound.extend(defines(step));
        }
        self.bound.truncate(outside);
    }

    fn step(&mut self, step: &mut Step) {
        if let Step::Pass(pass) = step {
            pass.slices = self.slices(pass);
        } else if let Step::Loop { worker, .. } = step {
            let outside = self.bound.len();
            self.bound.extend(worker.params.iter().copied());
            self.block(&mut worker.body);
            self.bound.truncate(outside);
        } else if let Step::If { then, otherwise, .. } = step {
            self.block(then);
            self.block(otherwise);
        }
    }

    fn slices(&self, pass: &Procedure) -> Option<Slices> {
        let Combiners { joins, scans, .. } = pass.combiners(self.vars)?;
        let mut calls = ExternalCalls { effects: self.effects, found: false };
        calls.steps(pass);
        let cost = Cost::of_step(&pass.nest, self.vars);
        let is_little =
            pass.nest.most.is_some() || time(pass, &cost).is_some_and(|time| time < LEAST);
        if calls.found || is_little || pass.accs.len() > ACCS {
            return None;
        }
        let has_loops = !cost.loops.is_empty();
        if !scans.is_empty() {
            return (!has_loops).then_some(Slices { block: COMBINED, row: None });
        }
        if joins.is_empty() {
            return Some(Slices { block: if has_loops { 1 } else { LINES }, row: None });
        }
        let is_exact = joins.iter().all(|join| self.is_exact(pass, join));
        let block = if is_exact {
            EXACT
        } else if has_loops {
            COMBINED
        } else {
            steps_of_block(&cost)
        };
        let row = if has_loops { self.row(pass, &cost) } else { None };
        Some(Slices { block: if has_loops && row.is_none() { NESTED } else { block }, row })
    }

    /// The elements of a step that has loops, if they are known before the pass.
    fn row(&self, pass: &Procedure, cost: &Cost) -> Option<RowLength> {
        let trips = cost.loops.iter().find_map(|(length, step)| self.trips(length, step));
        trips.map(RowLength::Steps).or_else(|| {
            pass.nest.body.iter().find_map(|stmt| {
                let Stmt::Next { elem, array, .. } = stmt else { return None };
                let is_row = self.vars[*elem].ty.is_array() && self.bound.contains(array);
                is_row.then_some(RowLength::Of(*array))
            })
        })
    }

    /// The trip count of a loop, times that of the first loop in it that is known.
    fn trips(&self, length: &Length, step: &Cost) -> Option<Length> {
        if !self.is_known(length) {
            return None;
        }
        let inner = step.loops.iter().find_map(|(length, step)| self.trips(length, step));
        Some(match inner {
            None => length.clone(),
            Some(inner) => Length::Product(Box::new(length.clone()), Box::new(inner)),
        })
    }

    fn is_known(&self, length: &Length) -> bool {
        match length {
            Length::Array(var) | Length::Value(Atom::Var(var)) => self.bound.contains(var),
            Length::Value(Atom::Const(_)) => true,
            Length::Product(left, right) => self.is_known(left) && self.is_known(right),
        }
    }

    /// Whether a join gives the same result in every order.
    fn is_exact(&self, pass: &Procedure, join: &Combiner<'_, Complete>) -> bool {
        match *join {
            Combiner::By(acc, op) => pass.accs[acc]
                .ty
                .as_scalar()
                .is_some_and(|ty| in_any_order(op, ty, FoldOrder::Strict)),
            Combiner::Worker(..) => false,
        }
    }
}

/// The steps of a block in which accumulators are combined in the order of the pass, where steps have no loops.
fn steps_of_block(cost: &Cost) -> u32 {
    let mut block = COMBINED;
    while block < MOST_COMBINED && cost.own.saturating_mul((2 * block).into()) <= LEAST {
        block *= 2;
    }
    block
}

/// Whether steps take a constant time that is not worth a second thread.
pub(super) fn is_short(cost: &Cost) -> bool {
    time_of_step(cost).is_some_and(|time| time < LEAST)
}

/// The time of the whole pass in picoseconds, if that is constant.
fn time(pass: &Procedure, cost: &Cost) -> Option<u64> {
    Some(steps(&pass.nest.length)?.saturating_mul(time_of_step(cost)?))
}

fn time_of_step(cost: &Cost) -> Option<u64> {
    cost.loops.iter().try_fold(cost.own, |sum, (length, step)| {
        Some(sum.saturating_add(steps(length)?.saturating_mul(time_of_step(step)?)))
    })
}

/// A length that is constant.
fn steps(length: &Length) -> Option<u64> {
    match length {
        Length::Value(Atom::Const(value)) => u64::try_from(value.as_i128()).ok(),
        Length::Value(Atom::Var(_)) | Length::Array(_) => None,
        Length::Product(left, right) => steps(left)?.checked_mul(steps(right)?),
    }
}
