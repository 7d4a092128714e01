//! The histogram that takes the place of a reduction of each group.
//!
//! Invariant: its worker uses no value of the step that reduced the group, except the number of the group, which is
//! the key.
//!
//! ```text
//! \g -> fold f z (map h group)
//! ⇒ fold (\acc key x -> acc with [key] = f acc[key] (h x)) (generate k (const z)) keys xs
//! ```

use indexmap::{IndexMap, IndexSet};

use super::sorted::{CountingSort, outer};
use super::step::{GroupArray, IterationBody};
use crate::cnf::{Atom, Bind, Block, FoldOrder, Op, Type, UNNAMED_ARRAY, Var, Worker};
use crate::copy::Copier;
use crate::process::uses;
use crate::simplify::sweep;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// A histogram that is being made.
pub(super) struct Histogram<'a> {
    step: &'a IterationBody<'a>,
    sorted: &'a CountingSort,
    tables: &'a mut Tables,
    /// The key of an element.
    key: VarId,
    /// For each array of values that the histogram goes over, the variable of its element.
    streams: IndexMap<VarId, VarId>,
    /// The elements of the arrays of the step that are computed already.
    known: IndexMap<VarId, Atom>,
    /// The body of the worker.
    body: Vec<Bind>,
}

/// The arrays with the results of a reduction for each group, and the bindings that make them.
pub(super) struct GroupReduction {
    pub(super) arrays: Vec<VarId>,
    pub(super) binds: Vec<Bind>,
}

impl<'a> Histogram<'a> {
    pub(super) fn new(
        step: &'a IterationBody<'a>,
        sorted: &'a CountingSort,
        tables: &'a mut Tables,
    ) -> Self {
        let (name, ty) = (Name::new_static("key"), Type::Scalar(Scalar::I64));
        let key = tables.vars.push(Var { name, ty });
        let (streams, known, body) = (IndexMap::new(), IndexMap::new(), Vec::new());
        Self { step, sorted, tables, key, streams, known, body }
    }

    /// Makes the histogram of a fold over the elements of the step's group.
    pub(super) fn of(mut self, fold: &Bind) -> Option<GroupReduction> {
        let Op::Fold { worker, init, inputs, .. } = &fold.op else { return None };
        let mut args = Vec::new();
        let accs = self.arrays(&fold.vars)?;
        for (&array, &like) in accs.iter().zip(&fold.vars) {
            let acc = self.like(like);
            self.bind(acc, |key| Op::Index { array, indices: vec![key], inside: false });
            args.push(Atom::Var(acc));
        }
        for &input in inputs {
            args.push(self.element(input)?);
        }
        let joined = self.copier().applied(worker, &args);
        self.body.extend(joined.binds);
        let mut results = Vec::new();
        for (&array, value) in accs.iter().zip(joined.results) {
            let next = self.like(array);
            self.bind(next, |key| Op::Replace { array, indices: vec![key], value, inside: false });
            results.push(Atom::Var(next));
        }
        let begins = self.arrays(&fold.vars)?;
        let arrays = self.arrays(&fold.vars)?;
        let mut binds: Vec<Bind> = Vec::new();
        for (&array, &value) in begins.iter().zip(init) {
            binds.push(self.filled(array, value, fold.span));
        }
        let (inputs, elements): (Vec<VarId>, Vec<VarId>) =
            std::mem::take(&mut self.streams).into_iter().unzip();
        let params = [accs, vec![self.key], elements].concat();
        let worker = Worker { params, body: Block { binds: self.body, results } };
        let init = begins.into_iter().map(Atom::Var).collect();
        let inputs = [vec![self.sorted.keys], inputs].concat();
        let op = Op::Fold { order: FoldOrder::Strict, worker, init, inputs };
        binds.push(Bind { vars: arrays.clone(), op, span: fold.span });
        let inner = bound(self.step.worker);
        let is_apart = binds.iter().all(|bind| uses::free(bind).is_disjoint(&inner));
        is_apart.then_some(GroupReduction { arrays, binds })
    }

    /// An array of the groups for each scalar.
    fn arrays(&mut self, scalars: &[VarId]) -> Option<Vec<VarId>> {
        let groups = outer(self.sorted.sizes, self.tables)?;
        let array = |&scalar: &VarId| {
            let ty = self.tables.vars[scalar].ty.clone();
            ty.as_scalar()?;
            let name = Name::new_static(UNNAMED_ARRAY);
            Some(self.tables.vars.push(Var { name, ty: ty.array_of(groups) }))
        };
        scalars.iter().map(array).collect()
    }

    /// The binding of an array that has the value for each group.
    fn filled(&mut self, array: VarId, value: Atom, span: Span) -> Bind {
        let (name, ty) = (Name::new_static("i"), Type::Scalar(Scalar::I64));
        let index = self.tables.vars.push(Var { name, ty });
        let body = Block { binds: Vec::new(), results: vec![value] };
        let worker = Worker { params: vec![index], body };
        Bind { vars: vec![array], op: Op::Generate { size: self.sorted.groups, worker }, span }
    }

    fn like(&mut self, var: VarId) -> VarId {
        let like = self.tables.vars[var].clone();
        self.tables.vars.push(like)
    }

    /// Adds a binding to the worker. An error in it is an error of a key.
    fn bind(&mut self, var: VarId, op: impl FnOnce(Atom) -> Op) {
        let op = op(Atom::Var(self.key));
        self.body.push(Bind { vars: vec![var], op, span: self.sorted.span });
    }

    /// Copies code of the step. The key stands for the number of the step.
    fn copier(&mut self) -> Copier<'_> {
        let mut copier = Copier::new(self.tables);
        for counter in self.step.counters() {
            copier.name(counter, Atom::Var(self.key));
        }
        copier
    }

    /// The element of an array of the step that belongs to the element of the values.
    fn element(&mut self, array: VarId) -> Option<Atom> {
        if let Some(&known) = self.known.get(&array) {
            return Some(known);
        }
        let made = self.step.worker.body.binds.iter().find(|bind| bind.vars.contains(&array))?;
        let body = if let Op::Map { worker, inputs } = &made.op {
            let mut args = Vec::new();
            for &input in inputs {
                args.push(self.element(input)?);
            }
            self.copier().applied(worker, &args)
        } else {
            self.read(self.step.part(array, self.sorted, self.tables)?)?
        };
        self.body.extend(body.binds);
        self.known.extend(made.vars.iter().copied().zip(body.results));
        self.known.get(&array).copied()
    }

    /// The code of a part of the sorted values, with the elements of the values as they are before sorting.
    fn read(&mut self, GroupArray { worker, reads }: GroupArray<'_>) -> Option<Block> {
        let mut names = Vec::new();
        for (read, array) in reads {
            let values = *self.sorted.values.get(&array)?;
            let element = match self.streams.get(&values) {
                Some(&element) => element,
                None => self.like(read),
            };
            self.streams.insert(values, element);
            names.push((read, element));
        }
        let mut body = worker.body.clone();
        body.binds.retain(|bind| !names.iter().any(|(read, _)| bind.vars.contains(read)));
        sweep(&mut body);
        let mut copier = self.copier();
        for (read, element) in names {
            copier.name(read, Atom::Var(element));
        }
        Some(copier.block(&body))
    }
}

/// The variables that a worker and the blocks in it bind.
fn bound(worker: &Worker) -> IndexSet<VarId> {
    let mut bound: IndexSet<VarId> = worker.params.iter().copied().collect();
    note(&worker.body, &mut bound);
    bound
}

fn note(block: &Block, bound: &mut IndexSet<VarId>) {
    for bind in &block.binds {
        bound.extend(&bind.vars);
        for inner in bind.op.inner() {
            bound.extend(inner.params);
            note(inner.block, bound);
        }
    }
}
