//! An estimate of the time that a step of a loop takes.
//!
//! The estimate decides when a pass is worth several threads, so a factor of two in either direction does little harm.
//! Steps of a sliced pass run many at a time. The steps of a task run one after the other ([`Cost::in_order`]), so an
//! operation on an accumulator waits for the result of the operation before it.
//!
//! ```text
//! y = nextI i ys; z = x * y + 1; writeI i zs z      500 ps
//! s = sum of a row with m elements                  … + m * 250 ps
//! s_acc := s_acc + x, floats, in order              … + 1000 ps
//! ```

use indexmap::IndexMap;

use super::length::Length;
use super::phase::Phase;
use super::program::{Block, Guard, Loop, Nest, Procedure, Start, Stmt, Worker};
use super::step::{LoopForm, Step};
use crate::procedure::Acc;
use arrc_fusion::cnf::{Atom, Operation, Var};
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::{AccId, PrimaryMap, VarId};
use arrc_syntax::prim;

/// The time of a load or a store at the position of the step, in picoseconds. `scripts/bench map_map_i32` has such a
/// pass in the cache and beyond it. Not measured by itself.
const STREAMED: u64 = 150;
/// The time of a load at another position. `scripts/bench gather_i32` has such loads. Not measured by itself.
const GATHERED: u64 = 600;
/// The time to allocate, copy or change an array. `scripts/bench quadtree_points` makes an array in nearly each step.
/// Not measured by itself.
const ARRAY: u64 = 50_000;
/// The time of a call of a function. No benchmark shows it alone.
const CALL: u64 = 50_000;
/// The assumed trip count of a loop that has no counter. `scripts/bench --threads 1,2 gcd_i64` has such loops. Not
/// measured by itself.
const TURNS: u64 = 64;
/// The assumed trip count of a loop whose length is not known before the pass. No benchmark shows it alone.
pub const UNKNOWN: u64 = 16;
/// The time until the result of a quick operation on floats can be used. No benchmark shows it alone.
const FLOAT_LATENCY: u64 = 1_000;
/// The same for integers. No benchmark shows it alone.
const LATENCY: u64 = 350;

/// The time of a step: the time of its own operations, and its inner loops.
#[derive(Clone, Default, Debug)]
pub struct Cost {
    /// Picoseconds.
    pub own: u64,
    /// The loops in the step: the trip count of each, and the cost of one step.
    pub loops: Vec<(Length, Cost)>,
}

impl Cost {
    /// The cost of a step that is in no range of its loop.
    #[must_use]
    pub fn of_step<P: Phase>(nest: &Loop<P>, vars: &PrimaryMap<VarId, Var>) -> Self {
        ExecutionOrder { waits: false, accs: None, vars }.of_step(nest)
    }

    /// The same, where the steps of the pass run one after the other.
    #[must_use]
    pub fn of_step_in_order<P: Phase>(pass: &Procedure<P>, vars: &PrimaryMap<VarId, Var>) -> Self {
        ExecutionOrder { waits: true, accs: Some(&pass.accs), vars }.of_step(&pass.nest)
    }

    /// The cost of steps of a block that run one after the other in one thread, once.
    #[must_use]
    pub fn in_order<P: Phase>(steps: &[Step<P>], vars: &PrimaryMap<VarId, Var>) -> Self {
        let order = ExecutionOrder { waits: true, accs: None, vars };
        let mut cost = Self::default();
        steps.iter().for_each(|step| order.step(&mut cost, step));
        cost
    }

    /// The cost of the body of a function, where its parameters are these arguments.
    #[must_use]
    pub fn with_arguments(self, args: &IndexMap<VarId, Atom>, tables: &Tables) -> Self {
        let unknown = || Length::Value(prim::Const::i64(UNKNOWN.cast_signed()).into());
        let loops = self.loops.into_iter().map(|(length, cost)| {
            let length = with_arguments(&length, args, tables).unwrap_or_else(unknown);
            (length, cost.with_arguments(args, tables))
        });
        Self { own: self.own, loops: loops.collect() }
    }
}

/// A length of a function whose parameters are these arguments, if it follows from them.
fn with_arguments(
    length: &Length,
    args: &IndexMap<VarId, Atom>,
    tables: &Tables,
) -> Option<Length> {
    Some(match length {
        Length::Value(Atom::Const(_)) => length.clone(),
        Length::Value(Atom::Var(var)) => Length::Value(*args.get(var)?),
        Length::Product(left, right) => {
            let [left, right] = [left, right].map(|of| with_arguments(of, args, tables));
            Length::Product(Box::new(left?), Box::new(right?))
        }
        Length::Array(array) => {
            // An array that the function makes is as long as an argument of the same size.
            let count = |var: VarId| tables.vars[var].ty.shape().first();
            let alike = args.keys().find(|&&param| count(param) == count(*array));
            let alike = if args.contains_key(array) { array } else { alike? };
            let Atom::Var(arg) = args[alike] else { return None };
            Length::Array(arg)
        }
    })
}

/// How the steps of passes run.
#[derive(Clone, Copy)]
struct ExecutionOrder<'a> {
    /// Whether an operation on an accumulator waits for the operation before it.
    waits: bool,
    /// The accumulators of the pass, if there is one.
    accs: Option<&'a PrimaryMap<AccId, Acc>>,
    /// The variables of the function.
    vars: &'a PrimaryMap<VarId, Var>,
}

impl ExecutionOrder<'_> {
    fn of_step<P: Phase>(self, nest: &Loop<P>) -> Cost {
        let mut cost = Cost::default();
        self.inside(&mut cost, &nest.body, &nest.inner);
        cost
    }

    fn inside<P: Phase>(self, cost: &mut Cost, body: &[Stmt<P>], inner: &[Nest<P>]) {
        body.iter().for_each(|stmt| self.stmt(cost, stmt));
        for nest in inner {
            match nest {
                Nest::Loop(nest) => self.nested(cost, nest),
                Nest::Guard(Guard { body, inner, .. }) => self.inside(cost, body, inner),
            }
        }
    }

    fn nested<P: Phase>(self, cost: &mut Cost, nest: &Loop<P>) {
        cost.loops.push((nest.length.clone(), self.of_step(nest)));
    }

    fn stmt<P: Phase>(self, cost: &mut Cost, stmt: &Stmt<P>) {
        match stmt {
            Stmt::Next { .. } | Stmt::Write { placed: false, .. } => cost.own += STREAMED,
            Stmt::Read { .. } => cost.own += GATHERED,
            Stmt::Apply { worker, .. } => self.block(cost, &worker.body),
            Stmt::Update { accs, worker, .. } => {
                cost.own += self.recurrence_latency(accs, worker);
                self.block(cost, &worker.body);
            }
            Stmt::Reserve { .. } => cost.own += ARRAY,
            Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Current { .. }
            | Stmt::Write { placed: true, .. } => {}
        }
    }

    /// The latency of the recurrence: the time of the longest chain of operations from the accumulators to their next
    /// values.
    fn recurrence_latency<P: Phase>(self, of: &[AccId], worker: &Worker<P>) -> u64 {
        let Some(accs) = self.accs.filter(|_| self.waits) else { return 0 };
        let quick = match of.iter().any(|&acc| accs[acc].ty.scalars().is_float()) {
            true => FLOAT_LATENCY,
            false => LATENCY,
        };
        let mut known: IndexMap<VarId, u64> =
            worker.params[..of.len()].iter().map(|&acc| (acc, 0)).collect();
        for step in &worker.body.steps {
            let Some((var, operation)) = step.operation() else { continue };
            let time_of = |arg: &Atom| match arg {
                Atom::Var(var) => known.get(var).copied(),
                Atom::Const(_) => None,
            };
            if let Some(time) = operation.args().iter().filter_map(time_of).max() {
                known.insert(var, time + self.latency(operation, quick));
            }
        }
        known.into_values().max().unwrap_or(0)
    }

    fn block<P: Phase>(self, cost: &mut Cost, block: &Block<P>) {
        block.steps.iter().for_each(|step| self.step(cost, step));
    }

    fn step<P: Phase>(self, cost: &mut Cost, step: &Step<P>) {
        match step {
            Step::Scalar { op, .. } => cost.own += self.of_operation(*op),
            Step::Index { .. } => cost.own += GATHERED,
            Step::If { then, otherwise, .. } => {
                self.block(cost, then);
                self.block(cost, otherwise);
            }
            Step::Call { .. } | Step::Sort { .. } => cost.own += CALL,
            Step::Loop { form, worker, .. } => self.repeated(cost, form, worker),
            Step::Append { .. } | Step::Array { .. } | Step::Copy { .. } | Step::Unique { .. } => {
                cost.own += ARRAY;
            }
            Step::Replace { .. } => cost.own += GATHERED,
            Step::Pass(pass) => self.pass(cost, pass),
            Step::Row { .. }
            | Step::Slice { .. }
            | Step::Length { .. }
            | Step::Assert { .. }
            | Step::Constant { .. }
            | Step::Reshape { .. }
            | Step::Share { .. }
            | Step::Release { .. } => {}
        }
    }

    fn repeated<P: Phase>(self, cost: &mut Cost, form: &LoopForm<P>, worker: &Worker<P>) {
        let mut iteration = Cost::default();
        self.block(&mut iteration, &worker.body);
        let count = match form {
            LoopForm::For { count } => *count,
            LoopForm::While { cond } => {
                self.block(&mut iteration, &cond.body);
                prim::Const::i64(TURNS.cast_signed()).into()
            }
        };
        cost.loops.push((Length::Value(count), iteration));
    }

    fn pass<P: Phase>(self, cost: &mut Cost, pass: &Procedure<P>) {
        let makes = |start: &&Start<P>| matches!(start, Start::NewVec { .. });
        cost.own += STREAMED * u64::try_from(pass.start.iter().filter(makes).count()).unwrap_or(0);
        let order = ExecutionOrder { accs: Some(&pass.accs), ..self };
        order.nested(cost, &pass.nest);
    }

    /// The time until the result of an operation can be used, where `quick` is that of quick operations. No benchmark
    /// shows these times alone.
    fn latency(self, operation: Operation, quick: u64) -> u64 {
        match operation.cost(self.vars) {
            prim::Cost::Quick | prim::Cost::QuickAlone | prim::Cost::Rounding => quick,
            prim::Cost::Slow => 4_500,
            prim::Cost::Elementary => 9_000,
            prim::Cost::Call => 30_000,
        }
    }

    /// The time of an operation among independent ones. Divisions of integers in vectors were measured at 0.2 to 0.3
    /// ns, and one by one at 1.4 ns; elementary functions in vectors of eight at 0.2 to 1.2 ns. The vectors were those
    /// of AVX-512. `scripts/bench ratios_i64` and `scripts/bench exp_f64` have such passes.
    fn of_operation(self, operation: Operation) -> u64 {
        match operation.cost(self.vars) {
            prim::Cost::Quick => 100,
            prim::Cost::QuickAlone | prim::Cost::Rounding => 300,
            prim::Cost::Slow => 600,
            prim::Cost::Elementary => 1_500,
            prim::Cost::Call => 10_000,
        }
    }
}
