//! Arrays that are indexed at the position of the step itself are streams (003, SimpleIndex at the consumer's own
//! index).
//!
//! A counted loop that carries scalars is a strict fold over its positions, so it is the same program as a fold of the
//! elements that it reads.
//!
//! Invariant: an array becomes a stream only if every use in the worker is at the step's position, and it has as many
//! elements as there are steps, so that no index can be out of bounds. One of the streams is made by a combinator of
//! the same block, or the steps are those of a histogram.
//!
//! ```text
//! p = map f xs; ys = generate n (\i -> { t = p[i]; u = xs[i + 1]; v = t + u; v })
//! ⇒ p = map f xs; is = generate n (\i -> i); ys = map (\i t -> { u = xs[i + 1]; v = t + u; v }) is p
//! ```

use indexmap::{IndexMap, IndexSet};

use super::extents::Extents;
use super::{bins, iotas};
use crate::cnf::{
    Atom, Bind, Block, ElementWorker, Extent, FoldOrder, Function, LoopForm, Op, Worker,
};
use crate::process::uses;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;

/// Makes streams of arrays that are read at the step's own position; says whether anything changed.
pub(super) fn stream(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut positions = PositionStreams {
        tables: &mut function.tables,
        extents: Extents::default(),
        changed: false,
    };
    positions.block(&mut body);
    let changed = positions.changed;
    function.body = body;
    changed
}

struct PositionStreams<'a> {
    tables: &'a mut Tables,
    extents: Extents,
    changed: bool,
}

/// The counter of a combinator's steps.
struct StepCounter {
    counter: VarId,
    /// How many steps there are.
    steps: Extent,
    /// The number of steps as an atom. There is none if the counter is the element of an array of positions.
    count: Option<Atom>,
}

impl PositionStreams<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut made = IndexSet::new();
        let mut iotas = IndexMap::new();
        let mut done = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            self.changed |= count_directly(&mut bind, &iotas);
            if let Some(counted) = self.counted(&bind, &iotas) {
                let read = self.read_in_order(&bind, &counted, &made);
                if !read.is_empty() || self.is_scalar_loop(&bind) {
                    self.streamed(&mut bind, counted, &read, &mut done);
                    self.changed = true;
                }
            }
            self.note(&bind, &mut made, &mut iotas);
            done.push(bind);
        }
        block.binds = done;
    }

    fn note(&mut self, bind: &Bind, made: &mut IndexSet<VarId>, iotas: &mut IndexMap<VarId, Atom>) {
        self.extents.note(bind, self.tables);
        if bind.op.is_combinator() {
            made.extend(bind.vars.iter().copied());
        }
        if let Op::Generate { size, worker } = &bind.op {
            let results = bind.vars.iter().zip(&worker.body.results);
            // A worker that also checks or does something runs, so its array has to be read.
            let stays = worker.body.stays();
            let counts = |result: &Atom| !stays && *result == Atom::Var(worker.params[0]);
            iotas
                .extend(results.filter(|(_, result)| counts(result)).map(|(&var, _)| (var, *size)));
        }
    }

    fn outer(&self, array: VarId) -> Option<Extent> {
        self.tables.vars[array].ty.shape().first().copied()
    }

    /// The counter of the steps, if there is one. A `loop` that carries only scalars is a fold, and so is a histogram.
    fn counted(&self, bind: &Bind, iotas: &IndexMap<VarId, Atom>) -> Option<StepCounter> {
        if let Op::Generate { size, worker } = &bind.op {
            let steps = self.outer(*bind.vars.first()?)?;
            return Some(StepCounter { counter: worker.params[0], steps, count: Some(*size) });
        }
        if let Op::Loop { form: LoopForm::For { count: Atom::Var(count) }, init, worker } = &bind.op
        {
            let is_fold = self.carries_scalars(bind) || self.is_histogram(bind);
            let steps = self.extents.of(Atom::Var(*count)).filter(|_| is_fold)?;
            let counter = worker.params[init.len()];
            return Some(StepCounter { counter, steps, count: Some(Atom::Var(*count)) });
        }
        let ElementWorker { worker, accs, inputs } = bind.op.elements()?;
        let place = inputs.iter().position(|input| iotas.contains_key(input))?;
        let steps = self.outer(inputs[place])?;
        Some(StepCounter { counter: worker.params[accs + place], steps, count: None })
    }

    /// Whether a loop has scalars only: it is a strict fold over its positions. A loop that contains passes stays, since
    /// these are passes of the block in its step.
    fn is_scalar_loop(&self, bind: &Bind) -> bool {
        let Op::Loop { worker, .. } = &bind.op else { return false };
        self.carries_scalars(bind) && self.has_scalars_only(&worker.body)
    }

    fn has_scalars_only(&self, block: &Block) -> bool {
        block.binds.iter().all(|bind| bind.op.is_scalar() && self.carries_scalars(bind))
    }

    fn carries_scalars(&self, bind: &Bind) -> bool {
        bind.vars.iter().all(|&var| !self.tables.vars[var].ty.is_array())
    }

    /// Whether a loop is a histogram whose steps read arrays.
    fn is_histogram(&self, bind: &Bind) -> bool {
        let Op::Loop { init, worker, .. } = &bind.op else { return false };
        let is_kept = |(&var, &param): (&VarId, &VarId)| {
            self.tables.vars[var].ty == self.tables.vars[param].ty
        };
        let types = bind.vars.iter().zip(&worker.params);
        init.len() == 1
            && types.into_iter().all(is_kept)
            && bins::are_changed_by(worker, &self.tables.vars)
    }

    /// The arrays that the worker uses at the step's position alone. If it is a combinator already, or carries only
    /// scalars, one of them is made in the block: otherwise nothing fuses that did not before.
    fn read_in_order(
        &self,
        bind: &Bind,
        counted: &StepCounter,
        made: &IndexSet<VarId>,
    ) -> Vec<VarId> {
        let [.., worker] = &bind.op.inner()[..] else { return Vec::new() };
        let free = uses::free(bind).into_iter();
        let of_steps = free.filter(|&array| self.outer(array) == Some(counted.steps));
        let operands = bind.op.operands();
        let only = |array: &VarId| {
            !operands.contains(&Atom::Var(*array))
                && !worker.block.results.contains(&Atom::Var(*array))
                && in_order(worker.block, *array, counted.counter)
        };
        let found: Vec<VarId> = of_steps.filter(only).collect();
        let gains = self.is_histogram(bind) || found.iter().any(|array| made.contains(array));
        if gains { found } else { Vec::new() }
    }

    /// Makes the arrays inputs of the combinator. If its worker still uses the counter, an array of positions is an
    /// input too.
    fn streamed(
        &mut self,
        bind: &mut Bind,
        StepCounter { counter, steps, count }: StepCounter,
        read: &[VarId],
        done: &mut Vec<Bind>,
    ) {
        let span = bind.span;
        if let Op::Generate { worker, .. } = &mut bind.op {
            let worker =
                std::mem::replace(worker, Worker { params: Vec::new(), body: Block::default() });
            bind.op =
                Op::Map { worker: Worker { params: Vec::new(), ..worker }, inputs: Vec::new() };
        }
        if let Op::Loop { init, worker, .. } = &mut bind.op {
            let worker =
                std::mem::replace(worker, Worker { params: Vec::new(), body: Block::default() });
            let params = worker.params[..init.len()].to_vec();
            let (init, worker) = (std::mem::take(init), Worker { params, ..worker });
            bind.op = Op::Fold { order: FoldOrder::Strict, worker, init, inputs: Vec::new() };
        }
        let rows: IndexMap<VarId, VarId> =
            read.iter().map(|&array| (array, self.element(array))).collect();
        let elements = bind.op.elements_mut().expect("only a combinator has a counter");
        let ElementWorker { worker, inputs, .. } = elements;
        take_elements(&mut worker.body, &rows);
        let mut counts = false;
        worker.body.for_each_use(&mut |atom| counts |= atom == Atom::Var(counter));
        // The number of steps is that of the inputs.
        if let Some(count) = count.filter(|_| counts || rows.is_empty()) {
            let (iota, op) = iotas::generated(self.tables, (steps, count));
            done.push(Bind { vars: vec![iota], op, span });
            worker.params.push(counter);
            inputs.push(iota);
        }
        worker.params.extend(rows.values());
        inputs.extend(rows.keys());
    }

    /// A variable for an element of an array.
    fn element(&mut self, array: VarId) -> VarId {
        let mut elem = self.tables.vars[array].clone();
        elem.ty = elem.ty.element().expect("an array has elements");
        self.tables.vars.push(elem)
    }
}

/// Makes a map over positions, and over nothing else, count by itself; says whether it was one.
fn count_directly(bind: &mut Bind, iotas: &IndexMap<VarId, Atom>) -> bool {
    let Op::Map { worker, inputs } = &mut bind.op else { return false };
    let [input] = inputs[..] else { return false };
    let Some(&size) = iotas.get(&input) else { return false };
    let worker = std::mem::replace(worker, Worker { params: Vec::new(), body: Block::default() });
    bind.op = Op::Generate { size, worker };
    true
}

/// Whether each use of an array in a block is at that index.
fn in_order(block: &Block, array: VarId, counter: VarId) -> bool {
    block.binds.iter().all(|bind| {
        let at_counter = matches!(&bind.op, Op::Index { array: read, indices, .. }
            if *read == array && indices[0] == Atom::Var(counter) && !indices[1..].contains(&Atom::Var(array)));
        let unused = || !bind.op.operands().contains(&Atom::Var(array));
        (at_counter || unused())
            && bind.op.inner().iter().all(|inner| {
                !inner.block.results.contains(&Atom::Var(array)) && in_order(inner.block, array, counter)
            })
    })
}

/// Replaces the reads of the arrays by the elements.
fn take_elements(block: &mut Block, rows: &IndexMap<VarId, VarId>) {
    let mut names: IndexMap<VarId, Atom> = IndexMap::new();
    take_in(block, rows, &mut names);
}

fn take_in(block: &mut Block, rows: &IndexMap<VarId, VarId>, names: &mut IndexMap<VarId, Atom>) {
    for mut bind in std::mem::take(&mut block.binds) {
        bind.op.substitute(names);
        for inner in bind.op.blocks_mut() {
            take_in(inner, rows, names);
        }
        if let Op::Index { array, indices, .. } = &mut bind.op
            && let Some(&row) = rows.get(array)
        {
            *array = row;
            indices.remove(0);
            if indices.is_empty() {
                names.insert(bind.vars[0], Atom::Var(row));
                continue;
            }
        }
        block.binds.push(bind);
    }
    block.results.iter_mut().for_each(|result| *result = result.substitute(names));
}
