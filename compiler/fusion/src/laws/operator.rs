//! An operator with what it needs to run alone, and the values for which a law does not hold.
//!
//! Invariant: the variables around the operator are scalars. They get several values, and a law counts as broken only
//! if it is broken with each of them.
//!
//! ```text
//! \x y -> x + y * k   ⇒   around k = 2, 3 and 5; (0 op 0) op 1 is 2, 0 op (0 op 1) is 4
//! ```

use std::cell::Cell;
use std::collections::BTreeSet;

use super::elements::Origins;
use super::samples;
use super::samples::Sample;
use super::{Domain, Use};
use crate::cnf::{Atom, Extent, InnerBlock, Program, SizeDef, Type, Worker};
use crate::eval::cnf::{DetachedWorker, Value};
use crate::tables::Tables;
use arrc_front::eval::scalar;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar};

/// An operator of a `reduce` or a `scan`.
pub(super) struct Operator<'a> {
    program: &'a Program,
    tables: &'a Tables,
    worker: &'a Worker,
    /// How many more steps its applications may take.
    left: &'a Cell<u64>,
    domain: Domain,
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

/// What an operator does: `op acc x` is `acc + g x`, or the same with another operation that reduces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MappedOperation {
    /// The operation, such as `+`.
    pub op: BinOp,
    /// The type of the accumulator.
    pub ty: Scalar,
}

impl<'a> Operator<'a> {
    /// The operator, unless it needs more than scalars around it, takes elements of other types than it gives, or
    /// carries values of a sum type: a sample of their scalars need not be a value of the type.
    pub(super) fn new(
        (program, tables): (&'a Program, &'a Tables),
        origins: &Origins<'_>,
        used: Use<'a>,
        domain: Domain,
        left: &'a Cell<u64>,
    ) -> Option<Self> {
        let Use { worker, init, inputs, .. } = used;
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
        let free = free_scalars(tables, worker)?;
        let constant = |atom: &Atom| match atom {
            Atom::Const(value) => Some(Value::Scalar(*value)),
            Atom::Var(_) => None,
        };
        let init: Option<Sample> = init.iter().map(constant).collect();
        let mut samples = match domain {
            Domain::Met => origins.elements(inputs, left)?,
            Domain::All => samples::of(&types[0])?,
        };
        samples.extend(init.clone().filter(|init| !samples.contains(init)));
        Some(Self { program, tables, worker, left, domain, free, init, samples })
    }

    /// Values for which the operator is not associative, if there are some with all values around it.
    pub(super) fn regrouped(&self) -> Option<AssociativityCounterexample> {
        self.with_each(|run| regrouped(run, &self.samples))
    }

    /// A value that the initial value changes. Of the values that a program meets, only those are asked that begin with
    /// the initial value already: for `reduce i64.max 0` it is no neutral element, but it may be used as often as
    /// one likes.
    pub(super) fn changed(&self) -> Option<NeutralityCounterexample> {
        let init = self.init.as_ref()?;
        self.with_each(|run| {
            let begun: Vec<Sample> = match self.domain {
                Domain::All => self.samples.clone(),
                Domain::Met => {
                    let with = self.samples.iter().filter_map(|x| applied(run, init, x));
                    std::iter::once(init.clone()).chain(with).collect()
                }
            };
            let sides: &[bool] = match self.domain {
                Domain::All => &[true, false],
                Domain::Met => &[false],
            };
            begun.iter().filter(|value| samples::is_finite(value)).find_map(|value| {
                sides.iter().find_map(|&is_first| {
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

    /// The operation by which it joins the accumulator and a function of the element, if it is one that reduces.
    pub(super) fn mapped(&self) -> Option<MappedOperation> {
        let [Value::Scalar(first)] = self.samples.first()?.as_slice() else { return None };
        let ty = first.ty;
        let meant = |op: &BinOp| {
            let neutral = vec![Value::Scalar(op.row().neutral?.of(ty))];
            self.with_each(|run| self.is_mapped(run, *op, &neutral).then_some(()))
        };
        let op = [BinOp::Add, BinOp::Max, BinOp::Min, BinOp::Mul]
            .into_iter()
            .filter(|op| op.accepts(ty))
            .find(|op| meant(op).is_some())?;
        Some(MappedOperation { op, ty })
    }

    /// The same, if the operator is that operation itself.
    pub(super) fn joined(&self) -> Option<MappedOperation> {
        let found = self.mapped()?;
        let neutral = vec![Value::Scalar(found.op.row().neutral?.of(found.ty))];
        let keeps = |run: &mut DetachedWorker<'_>, x: &Sample| {
            applied(run, &neutral, x).is_some_and(|result| samples::close(&result, x, &[x]))
        };
        let is_it = |run: &mut DetachedWorker<'a>| self.samples.iter().all(|x| keeps(run, x));
        self.with_each(|run| is_it(run).then_some(found))
    }

    /// Whether `op a x` is `a * op 1 x` for each two samples, where `*` is the operation and 1 its neutral element.
    fn is_mapped(&self, run: &mut DetachedWorker<'_>, op: BinOp, neutral: &Sample) -> bool {
        self.samples.iter().all(|x| {
            let Some(element) = applied(run, neutral, x) else { return false };
            self.samples.iter().all(|a| {
                let joined = scalar::bin(op, a[0].scalar(), element[0].scalar());
                let (Ok(joined), Some(result)) = (joined, applied(run, a, x)) else { return false };
                let joined = vec![Value::Scalar(joined)];
                samples::close(&joined, &result, &[a, &element, &joined, &result])
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
            let (program, tables) = (self.program, self.tables);
            let mut run = DetachedWorker::new(program, tables, self.worker, &around, self.left);
            let found = find(&mut run)?;
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
pub(super) fn free_scalars(tables: &Tables, worker: &Worker) -> Option<Vec<VarId>> {
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
