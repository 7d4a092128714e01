//! The loops around a read in a consumer, and how often an element is read in them.
//!
//! Invariant: if [`LoopNest::reads_each_once`] holds, the loops execute the read at most as often as the array has
//! elements.
//!
//! ```text
//! generate n (\i -> p[n - 1 - i])                  each element at most once
//! generate n (\i -> fold (\acc j -> … p[j] …) …)    each element n times
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Block, Extent, LoopForm, Op, Operation, Type, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::{BinOp, UnOp};

/// A loop around a read.
#[derive(Clone, Copy)]
struct LoopLevel {
    /// The variable that counts its steps, if there is one.
    counter: Option<VarId>,
    /// How many steps it takes, if an array has that extent.
    steps: Option<Extent>,
}

/// How a scalar of a consumer depends on the loops' counters: its loop variance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CounterDependence {
    /// It is loop-invariant.
    Invariant,
    /// It is a counter or its negative, plus a loop-invariant number.
    Counts(usize),
    /// It depends on the counters in another way.
    Other,
}

/// The loops around a read, and the forms of the scalars in them.
#[derive(Default)]
pub(super) struct LoopNest {
    levels: Vec<LoopLevel>,
    /// The forms of the variables that the loops bind. Other variables are loop-invariant.
    forms: IndexMap<VarId, CounterDependence>,
}

impl LoopNest {
    /// Whether no loop is around.
    pub(super) fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Goes into the worker of an operation.
    pub(super) fn enter(&mut self, op: &Op, vars: &[VarId], table: &PrimaryMap<VarId, Var>) {
        let outer = |var: VarId| match &table[var].ty {
            Type::Array { shape, .. } => Some(shape[0]),
            Type::Scalar(_) => None,
        };
        let level = if let Op::Generate { worker, .. } = op {
            let steps = vars.first().and_then(|&var| outer(var));
            LoopLevel { counter: worker.params.first().copied(), steps }
        } else if let Op::Loop { form: LoopForm::For { .. }, init, worker } = op {
            LoopLevel { counter: worker.params.get(init.len()).copied(), steps: None }
        } else {
            let steps = op.streams().first().and_then(|&input| outer(input));
            LoopLevel { counter: None, steps }
        };
        let workers = op.inner().into_iter().flat_map(|inner| inner.params);
        self.forms.extend(workers.map(|&param| (param, CounterDependence::Other)));
        self.forms.extend(
            level.counter.map(|counter| (counter, CounterDependence::Counts(self.levels.len()))),
        );
        self.levels.push(level);
    }

    /// Leaves the worker that was entered last.
    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }

    /// Notes the form of a binding's results.
    pub(super) fn note(&mut self, op: &Op, vars: &[VarId]) {
        let form = self.form_of(op);
        self.forms.extend(vars.iter().map(|&var| (var, form)));
    }

    fn form_of(&self, op: &Op) -> CounterDependence {
        if let Op::Scalar(Operation::Bin(BinOp::Add | BinOp::Sub, [x, y])) = op {
            match (self.form(*x), self.form(*y)) {
                (form, CounterDependence::Invariant) | (CounterDependence::Invariant, form) => form,
                (
                    CounterDependence::Counts(_) | CounterDependence::Other,
                    CounterDependence::Counts(_) | CounterDependence::Other,
                ) => CounterDependence::Other,
            }
        } else if let Op::Scalar(Operation::Un(UnOp::To(_), x)) = op {
            self.form(*x)
        } else if let Op::If { then, otherwise, .. } = op {
            let [then, otherwise] = [then, otherwise].map(|block| self.form_in(block));
            if then == otherwise { then } else { CounterDependence::Other }
        } else if op.is_scalar() && op.inner().is_empty() {
            let mut operands = op.operands().into_iter();
            let same = operands.all(|operand| self.form(operand) == CounterDependence::Invariant);
            if same { CounterDependence::Invariant } else { CounterDependence::Other }
        } else {
            CounterDependence::Other
        }
    }

    /// The form of a branch's result.
    fn form_in(&self, block: &Block) -> CounterDependence {
        let [result] = block.results[..] else { return CounterDependence::Other };
        let mut inside = Self { levels: self.levels.clone(), forms: self.forms.clone() };
        for bind in &block.binds {
            inside.note(&bind.op, &bind.vars);
        }
        inside.form(result)
    }

    fn form(&self, atom: Atom) -> CounterDependence {
        match atom {
            Atom::Const(_) => CounterDependence::Invariant,
            Atom::Var(var) => self.forms.get(&var).copied().unwrap_or(CounterDependence::Invariant),
        }
    }

    /// Whether an index is the counter of a loop with that many steps.
    pub(super) fn within(&self, index: Atom, extent: Extent) -> bool {
        self.levels.iter().any(|level| {
            level.counter.is_some_and(|counter| index == Atom::Var(counter))
                && level.steps == Some(extent)
        })
    }

    /// Whether the loops execute a read of an array of that shape at most as often as the array has elements.
    pub(super) fn reads_each_once(&self, shape: &[Extent], indices: &[Atom]) -> bool {
        let counted = |level: usize| {
            indices.iter().any(|&index| self.form(index) == CounterDependence::Counts(level))
        };
        let one_to_one = (0..self.levels.len()).all(counted);
        let steps = self.levels.iter().map(|level| level.steps);
        let as_many = steps.eq(shape.iter().take(indices.len()).map(|&extent| Some(extent)));
        one_to_one || as_many
    }
}
