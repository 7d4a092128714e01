//! An operator with what it needs to run alone, and the values for which a law does not hold.
//!
//! Invariant: the variables around the operator are scalars. They get several values, and a law counts as broken only
//! if it is broken with each of them.
//!
//! ```text
//! \x y -> x + y * k   ⇒   around k = 2, 3 and 5; (0 op 0) op 1 is 2, 0 op (0 op 1) is 4
//! ```

use std::collections::BTreeSet;

use super::samples;
use super::samples::Sample;
use crate::cnf::{Atom, Extent, InnerBlock, Program, SizeDef, Type, Worker};
use crate::eval::cnf::{DetachedWorker, Value};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Const;

/// An operator of a `reduce` or a `scan`.
pub(super) struct Operator<'a> {
    program: &'a Program,
    tables: &'a Tables,
    worker: &'a Worker,
    /// Scalars around the operator.
    free: Vec<VarId>,
    /// The initial value, if it is a constant.
    pub(super) init: Option<Sample>,
    samples: Vec<Sample>,
}

/// Values for which an operator is not associative, with both results.
pub(super) struct AssociativityCounterexample {
    pub(super) args: [Sample; 3],
    pub(super) results: [Sample; 2],
}

/// A value that the initial value changes.
pub(super) struct NeutralityCounterexample {
    pub(super) value: Sample,
    pub(super) result: Sample,
    /// Whether the initial value is the first argument.
    pub(super) is_first: bool,
}

impl<'a> Operator<'a> {
    /// The operator, unless it needs more than scalars around it, takes elements of other types than it gives, or
    /// carries values of a sum type: a sample of their scalars need not be a value of the type.
    pub(super) fn new(
        program: &'a Program,
        tables: &'a Tables,
        worker: &'a Worker,
        init: &[Atom],
    ) -> Option<Self> {
        let (accumulators, elements) = worker.params.split_at_checked(init.len())?;
        if accumulators.iter().any(|var| tables.in_sums.contains(var)) {
            return None;
        }
        let types = |vars: &[VarId]| vars.iter().map(|&var| tables.vars[var].ty.clone()).collect();
        let types: [Vec<Type>; 2] = [types(accumulators), types(elements)];
        let fits = |(left, right): (&Type, &Type)| left.agrees(right);
        if types[0].len() != types[1].len() || !types[0].iter().zip(&types[1]).all(fits) {
            return None;
        }
        let free = alone(tables, worker)?;
        let constant = |atom: &Atom| match atom {
            Atom::Const(value) => Some(Value::Scalar(*value)),
            Atom::Var(_) => None,
        };
        let init: Option<Sample> = init.iter().map(constant).collect();
        let samples = samples::of(&types[0], init.as_ref())?;
        Some(Self { program, tables, worker, free, init, samples })
    }

    /// Values for which the operator is not associative, if there are some with all values around it.
    pub(super) fn regrouped(&self) -> Option<AssociativityCounterexample> {
        self.with_each(|run| regrouped(run, &self.samples))
    }

    /// A value that the initial value changes.
    pub(super) fn changed(&self) -> Option<NeutralityCounterexample> {
        let init = self.init.as_ref()?;
        self.with_each(|run| {
            self.samples.iter().find_map(|value| {
                [true, false].into_iter().find_map(|is_first| {
                    let (left, right) = if is_first { (init, value) } else { (value, init) };
                    let result = applied(run, left, right)?;
                    let is_same = samples::close(&result, value, &[value, &result]);
                    (!is_same).then(|| NeutralityCounterexample {
                        value: value.clone(),
                        result,
                        is_first,
                    })
                })
            })
        })
    }

    /// The counterexample with the first captured values, if each choice of captured values has one.
    fn with_each<T>(&self, find: impl Fn(&mut DetachedWorker<'a>) -> Option<T>) -> Option<T> {
        let rounds = if self.free.is_empty() { 1 } else { samples::AROUND };
        let mut first = None;
        for round in 0..rounds {
            let value = |&var: &VarId| {
                let ty = self.tables.vars[var].ty.as_scalar().expect("only scalars are around");
                (var, Value::Scalar(samples::around(ty, round)))
            };
            let around: Vec<(VarId, Value)> = self.free.iter().map(value).collect();
            let found =
                find(&mut DetachedWorker::new(self.program, self.tables, self.worker, &around))?;
            first = first.or(Some(found));
        }
        first
    }
}

/// The first three values that give different results by more than rounding.
fn regrouped(
    run: &mut DetachedWorker<'_>,
    samples: &[Sample],
) -> Option<AssociativityCounterexample> {
    let pairs: Vec<Vec<Option<Sample>>> =
        samples.iter().map(|x| samples.iter().map(|y| applied(run, x, y)).collect()).collect();
    for (a, x) in samples.iter().enumerate() {
        for (b, y) in samples.iter().enumerate() {
            for (c, z) in samples.iter().enumerate() {
                let (Some(left), Some(right)) = (&pairs[a][b], &pairs[b][c]) else { continue };
                if ![x, y, z, left, right].into_iter().all(samples::is_finite) {
                    continue;
                }
                let grouped = (applied(run, left, z), applied(run, x, right));
                let (Some(one), Some(other)) = grouped else { continue };
                if !samples::is_finite(&one) || !samples::is_finite(&other) {
                    continue;
                }
                if !samples::close(&one, &other, &[x, y, z, left, right, &one, &other]) {
                    let args = [x, y, z].map(Clone::clone);
                    return Some(AssociativityCounterexample { args, results: [one, other] });
                }
            }
        }
    }
    None
}

/// The operator's result, unless it fails.
fn applied(run: &mut DetachedWorker<'_>, left: &Sample, right: &Sample) -> Option<Sample> {
    run.apply(&[left.as_slice(), right.as_slice()].concat()).ok()
}

/// The scalars that the worker uses and does not bind; none if it cannot run without its block.
fn alone(tables: &Tables, worker: &Worker) -> Option<Vec<VarId>> {
    let mut bound = BTreeSet::new();
    binds(&InnerBlock { params: &worker.params, block: &worker.body }, &mut bound);
    let mut used = BTreeSet::new();
    worker.body.for_each_use(&mut |atom| {
        if let Atom::Var(var) = atom {
            used.insert(var);
        }
    });
    let sizes = |var: &VarId| tables.vars[*var].ty.shape().to_vec();
    let known: BTreeSet<Extent> = worker.params.iter().flat_map(sizes).collect();
    if !bound.iter().flat_map(sizes).all(|extent| is_known(tables, &known, extent)) {
        return None;
    }
    let free: Vec<VarId> = used.difference(&bound).copied().collect();
    free.iter().all(|&var| tables.vars[var].ty.as_scalar().is_some()).then_some(free)
}

/// The variables that a block binds, with those of the blocks inside.
fn binds(inner: &InnerBlock<'_>, bound: &mut BTreeSet<VarId>) {
    bound.extend(inner.params);
    for bind in &inner.block.binds {
        bound.extend(&bind.vars);
        bind.op.inner().iter().for_each(|inner| binds(inner, bound));
    }
}

/// Whether a size has a value where only the worker's arguments are known.
fn is_known(tables: &Tables, known: &BTreeSet<Extent>, extent: Extent) -> bool {
    let Extent::Size(size) = extent else { return true };
    let part = |part: Extent| is_known(tables, known, part);
    known.contains(&extent)
        || match tables.sizes[size].def {
            SizeDef::Exists => true,
            ref def @ (SizeDef::Sum(..) | SizeDef::Product(..)) => def.parts().all(part),
            SizeDef::Param | SizeDef::Value(_) => false,
        }
}

/// A constant of a sample, for messages.
pub(super) fn scalars(value: &Value) -> Vec<Const> {
    match value {
        Value::Scalar(value) => vec![*value],
        Value::Array(array) => array.scalars().to_vec(),
    }
}
