//! A reduction of each group of `group_collect` becomes a histogram, as `group_reduce` is (003, section 7).
//!
//! The groups need all their elements in memory, in the order of the keys. A reduction of a group needs only an
//! accumulator for each group. Each step of one fold over the elements changes the accumulator of its key.
//!
//! Invariant: the elements of a group are joined in the same order, and a key that is no group is the same error.
//! Reductions in branches stay as they are: the histogram would also compute those of the groups that are not wanted.
//!
//! ```text
//! begins, grouped = group_collect k keys xs
//! ys = generate k (\g -> reduce (+) 0 (map f grouped[begins[g]:begins[g + 1]]))
//! ⇒ ys = fold (\acc key x -> acc with [key] = acc[key] + f x) (generate k (const 0)) keys xs
//! ```

mod histogram;
mod sorted;
mod step;

use indexmap::IndexMap;

use self::histogram::{GroupReduction, Histogram};
use self::sorted::{CountingSort, outer};
use self::step::IterationBody;
use crate::cnf::{Atom, Bind, Block, Op, retain_live};
use crate::simplify::sweep;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;

/// Whether a binding reduces the groups of a counting sort of the block.
pub(super) fn is_reduced(block: &Block, bind: &Bind, tables: &Tables) -> bool {
    sorts(block, tables).any(|sorted| {
        let step = IterationBody::of(block, bind, tables);
        step.is_some_and(|step| !reductions(&step, &sorted, tables).is_empty())
    })
}

/// The block in which histograms take the place of all reductions of groups.
pub(super) fn rewrite(block: &Block, tables: &mut Tables) -> Option<Block> {
    let sorts: Vec<CountingSort> = sorts(block, tables).collect();
    let mut binds = Vec::new();
    let mut is_changed = false;
    for bind in &block.binds {
        let mut bind = bind.clone();
        for sorted in &sorts {
            is_changed |= reduce(block, &mut bind, sorted, &mut binds, tables).is_some();
        }
        if !bind.vars.is_empty() || bind.op.stays() {
            binds.push(bind);
        }
    }
    let mut block = Block { binds, results: block.results.clone() };
    sweep(&mut block);
    is_changed.then_some(block)
}

fn sorts<'a>(block: &'a Block, tables: &'a Tables) -> impl Iterator<Item = CountingSort> {
    block.binds.iter().filter_map(|bind| CountingSort::of(block, bind, tables))
}

/// The folds of a step over the elements of its group.
fn reductions<'a>(
    step: &IterationBody<'a>,
    sorted: &CountingSort,
    tables: &Tables,
) -> Vec<&'a Bind> {
    if step.extent != outer(sorted.sizes, tables) {
        return Vec::new();
    }
    let is_reduction = |bind: &&Bind| {
        let is_fold = matches!(bind.op, Op::Fold { .. }) && !bind.op.stays();
        is_fold && step.reads_group(bind, sorted, tables)
    };
    step.worker.body.binds.iter().filter(is_reduction).collect()
}

/// Adds the histograms of a binding's reductions to `done`, and makes the binding read the results.
fn reduce(
    block: &Block,
    bind: &mut Bind,
    sorted: &CountingSort,
    done: &mut Vec<Bind>,
    tables: &mut Tables,
) -> Option<()> {
    let before = bind.clone();
    let step = IterationBody::of(block, &before, tables)?;
    let mut results = IndexMap::new();
    let mut histograms = Vec::new();
    for fold in reductions(&step, sorted, tables) {
        let Some(made) = Histogram::new(&step, sorted, tables).of(fold) else { continue };
        let GroupReduction { arrays, binds } = made;
        results.extend(fold.vars.iter().copied().zip(arrays));
        histograms.extend(binds);
    }
    (!results.is_empty()).then_some(())?;
    let checks = step.known_checks(sorted, tables);
    let counts = step.counts(sorted, tables);
    let [worker] = &mut bind.op.workers_mut()[..] else { return None };
    let body = &mut worker.body;
    let mut at = 0..;
    let is_read = |bind: &Bind| bind.vars.iter().any(|var| results.contains_key(var));
    body.binds.retain(|bind| !at.next().is_some_and(|at| checks.contains(&at)) && !is_read(bind));
    sweep(body);
    let is_left = |var: &VarId| body.binds.iter().any(|bind| bind.vars.contains(var));
    let counts: Vec<VarId> = counts.into_iter().filter(is_left).collect();
    body.binds.retain(|bind| !bind.vars.iter().any(|var| counts.contains(var)));
    bind_histogram_results(bind, &mut results, &mut histograms);
    results.extend(counts.into_iter().map(|count| (count, sorted.sizes)));
    read(bind, &step, &results);
    done.extend(histograms);
    Some(())
}

/// Lets a histogram bind what the binding would only copy from it.
fn bind_histogram_results(
    bind: &mut Bind,
    results: &mut IndexMap<VarId, VarId>,
    histograms: &mut [Bind],
) {
    if !bind.op.makes_each() || bind.op.stays() || bind.op.carried().is_some() {
        return;
    }
    let Some(body) = bind.op.blocks_mut().pop() else { return };
    let mut live = Vec::new();
    for (&var, result) in bind.vars.iter().zip(&body.results) {
        let array = match result {
            Atom::Var(result) => results.get_mut(result),
            Atom::Const(_) => None,
        };
        let made = array.and_then(|array| {
            let mut made = histograms.iter_mut().flat_map(|bind| &mut bind.vars);
            let made = made.find(|made| *made == array)?;
            Some((array, made))
        });
        live.push(made.is_none());
        if let Some((array, made)) = made {
            *array = var;
            *made = var;
        }
    }
    bind.op.keep_results(&live);
    retain_live(&mut bind.vars, &live);
}

/// Makes a binding read the results of its step.
fn read(bind: &mut Bind, step: &IterationBody<'_>, results: &IndexMap<VarId, VarId>) {
    let span = bind.span;
    if let Some(elements) = bind.op.elements_mut() {
        elements.worker.params.extend(results.keys());
        elements.inputs.extend(results.values());
        return;
    }
    let [worker] = &mut bind.op.workers_mut()[..] else { return };
    let read = |(&var, &array): (&VarId, &VarId)| {
        let indices = step.counter.map(Atom::Var).into_iter().collect();
        Bind { vars: vec![var], op: Op::Index { array, indices, inside: true }, span }
    };
    worker.body.binds.splice(..0, results.iter().map(read));
    sweep(&mut worker.body);
}
