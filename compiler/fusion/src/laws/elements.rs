//! The elements that a program can make for a reduction: those of its parameters are any values, and the others are
//! computed from them by the workers of the passes before.
//!
//! Invariant: all inputs of a reduction get elements of the same position. A pass that is not understood gives any
//! value of its type, and then several inputs are not judged: not all of their combinations need to occur.
//!
//! ```text
//! reduce op 0 (map i64.abs xs)           ⇒   0 1 2 3 5 7 10 100, and no negative number
//! reduce op (0, 0) (zip xs (map f xs))   ⇒   (0, f 0) (1, f 1) (-1, f (-1)) …
//! ```

use std::cell::Cell;
use std::collections::BTreeMap;

use super::operator::free_scalars;
use super::samples;
use super::samples::Sample;
use crate::cnf::{Bind, Block, Op, Program, Worker};
use crate::eval::cnf::{DetachedWorker, Value};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{Const, Scalar};

/// How many arrays may lie between a parameter and a reduction.
const DEEPEST: usize = 24;

/// The operations that bind the variables of a function.
pub(super) struct Origins<'a> {
    program: &'a Program,
    tables: &'a Tables,
    /// The operation of a variable, and its place among the results.
    made: BTreeMap<VarId, (&'a Bind, usize)>,
}

impl<'a> Origins<'a> {
    /// The operations in a block of a function, those inside of operations too.
    pub(super) fn new(program: &'a Program, tables: &'a Tables, block: &'a Block) -> Self {
        let mut origins = Self { program, tables, made: BTreeMap::new() };
        origins.enter(block);
        origins
    }

    fn enter(&mut self, block: &'a Block) {
        for bind in &block.binds {
            self.made.extend(bind.vars.iter().enumerate().map(|(at, &var)| (var, (bind, at))));
            bind.op.inner().into_iter().for_each(|inner| self.enter(inner.block));
        }
    }

    /// Elements of these arrays that the program can make, simple ones first.
    pub(super) fn elements(&self, inputs: &[VarId], left: &Cell<u64>) -> Option<Vec<Sample>> {
        let mut found = Vec::new();
        for round in 0..samples::ROUNDS {
            let mut step = Step {
                origins: self,
                left,
                round,
                known: BTreeMap::new(),
                leaves: 0,
                is_exact: true,
            };
            let element = inputs.iter().map(|&input| step.element(input, 0));
            let element: Option<Sample> = element.collect();
            if inputs.len() > 1 && !step.is_exact {
                return None;
            }
            found.extend(element.filter(|element| !found.contains(element)));
        }
        Some(found)
    }
}

/// The elements of arrays at one position.
struct Step<'o, 'a> {
    origins: &'o Origins<'a>,
    left: &'o Cell<u64>,
    round: usize,
    /// The elements so far. There is none if a worker fails, or a filter leaves the position out.
    known: BTreeMap<VarId, Option<Value>>,
    /// How many arrays have got any value.
    leaves: usize,
    /// Whether each element is one that the program can make.
    is_exact: bool,
}

impl<'a> Step<'_, 'a> {
    fn element(&mut self, array: VarId, depth: usize) -> Option<Value> {
        if let Some(known) = self.known.get(&array) {
            return known.clone();
        }
        let element = self.computed(array, depth);
        self.known.insert(array, element.clone());
        element
    }

    fn computed(&mut self, array: VarId, depth: usize) -> Option<Value> {
        let Some(&(bind, at)) = self.origins.made.get(&array) else { return self.any(array) };
        if depth >= DEEPEST {
            return self.unknown(array);
        }
        #[allow(clippy::wildcard_enum_match_arm, reason = "any other operation is not understood")]
        match &bind.op {
            Op::Map { worker, inputs } if self.is_alone(worker) => {
                let args = self.elements(inputs, depth)?;
                self.result(worker, &args, at)
            }
            Op::Generate { worker, .. } if self.is_alone(worker) => {
                let ty = self.origins.tables.vars[*worker.params.first()?].ty.as_scalar()?;
                let place = self.position(ty)?;
                self.result(worker, &[place], at)
            }
            Op::Filter { worker, inputs, keep } if self.is_alone(worker) => {
                let args = self.elements(inputs, depth)?;
                let is_kept = self.result(worker, &args, 0)?.scalar().bits != 0;
                if is_kept { self.element(*keep.get(at)?, depth + 1) } else { None }
            }
            Op::Gather { data, .. } => self.element(*data.get(at)?, depth + 1),
            Op::Sort { sorting, .. } if sorting.positions => self.position(Scalar::I64),
            Op::Sort { array: sorted, .. } => self.element(*sorted, depth + 1),
            _ => self.unknown(array),
        }
    }

    fn elements(&mut self, arrays: &[VarId], depth: usize) -> Option<Sample> {
        arrays.iter().map(|&array| self.element(array, depth + 1)).collect()
    }

    /// The position of the element, as a number of a type.
    fn position(&self, ty: Scalar) -> Option<Value> {
        Some(Value::Scalar(Const::int(ty, i128::try_from(self.round).ok()?)))
    }

    /// A sample element of an array whose origin is unknown: any value of its type.
    fn unknown(&mut self, array: VarId) -> Option<Value> {
        self.is_exact = false;
        self.any(array)
    }

    /// A value of the type of an array's elements. Each array takes other steps through the values.
    fn any(&mut self, array: VarId) -> Option<Value> {
        let place = self.leaves;
        self.leaves += 1;
        samples::met(&self.origins.tables.vars[array].ty.element()?, self.round, place)
    }

    fn is_alone(&self, worker: &Worker) -> bool {
        free_scalars(self.origins.tables, worker).is_some()
    }

    fn result(&self, worker: &'a Worker, args: &[Value], at: usize) -> Option<Value> {
        let Origins { program, tables, .. } = *self.origins;
        let around = |var: VarId| {
            let ty = tables.vars[var].ty.as_scalar().unwrap_or(Scalar::I64);
            (var, Value::Scalar(samples::around(ty, 0)))
        };
        let around: Vec<_> = free_scalars(tables, worker)?.into_iter().map(around).collect();
        let mut run = DetachedWorker::new(program, tables, worker, &around, self.left);
        run.apply(args).ok()?.into_iter().nth(at)
    }
}
