//! Recognises `group_collect`: a counting sort by keys, and the positions where its groups begin.
//!
//! Invariant: the pass rewrites only code that means the same as `group_collect`. Other code stays as it is.
//!
//! ```text
//! sizes = fold (\c key -> c with [key] = c[key] + 1) zeros keys
//! _, grouped = loop (next, to) = (exscan (+) 0 sizes, xs) for i < length keys do
//!   { key = keys[i]; at = next[key]; next with [key] = at + 1, to with [at] = xs[i] }
//! ⇒ the values xs in the order of their keys, sizes.k groups
//! ```

use indexmap::IndexMap;

use super::super::selector::{defining_op, is_sum};
use crate::cnf::{Atom, Bind, Block, Extent, FoldOrder, LoopForm, Op, ScanKind, Worker};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const};
use arrc_syntax::source::Span;

/// A counting sort.
pub(super) struct CountingSort {
    /// The keys. A key that is no group is an error.
    pub(super) keys: VarId,
    /// For each sorted array, the array with its elements in the order of the keys' array.
    pub(super) values: IndexMap<VarId, VarId>,
    /// The array with the number of elements of each group.
    pub(super) sizes: VarId,
    /// The number of groups.
    pub(super) groups: Atom,
    /// The place at which an error is reported if a key is no group.
    pub(super) span: Span,
}

impl CountingSort {
    /// The counting sort that a binding computes.
    pub(super) fn of(block: &Block, bind: &Bind, tables: &Tables) -> Option<Self> {
        let Op::Loop { form: LoopForm::For { count: Atom::Var(count) }, init, worker } = &bind.op
        else {
            return None;
        };
        let ScatterStep { keys, next, values } = ScatterStep::of(worker, init.len())?;
        let (Atom::Var(begins), Op::Length { array, dim: 0 }) =
            (*init.get(next)?, defining_op(block, *count)?)
        else {
            return None;
        };
        let extent = |array: VarId| outer(array, tables);
        let is_alike = |of: VarId| extent(of) == extent(keys) && tables.vars[of].ty.rank() == 1;
        let alike = is_alike(*array) && values.values().all(|&array| is_alike(array));
        let sizes = summed(block, begins, ScanKind::Exclusive)?;
        let (groups, span) = counted(block, sizes, keys)?;
        let values = values.into_iter().map(|(at, array)| (bind.vars[at], array)).collect();
        alike.then_some(Self { keys, values, sizes, groups, span })
    }

    /// Whether an array has the position at which each group begins, and behind them the number of elements.
    pub(super) fn is_begins(&self, block: &Block, array: VarId) -> bool {
        let Some(Op::Generate { worker, .. }) = defining_op(block, array) else { return false };
        let ends =
            self.ends_before(worker).and_then(|array| summed(block, array, ScanKind::Inclusive));
        ends == Some(self.sizes)
    }

    /// The array that a worker reads before its own index, if it gives 0 for the first index.
    fn ends_before(&self, worker: &Worker) -> Option<VarId> {
        let ([index], [first, choice]) = (&worker.params[..], &worker.body.binds[..]) else {
            return None;
        };
        let (index, zero) = (Atom::Var(*index), Atom::Const(Const::i64(0)));
        let Op::If { cond, then, otherwise } = &choice.op else { return None };
        let ([before, read], [result]) = (&otherwise.binds[..], &otherwise.results[..]) else {
            return None;
        };
        let Op::Index { array, indices, .. } = &read.op else { return None };
        let one = Atom::Const(Const::i64(1));
        let is_first = first.op.binary() == Some((BinOp::Eq, [index, zero])) && binds(first, *cond);
        let is_before = before.op.binary() == Some((BinOp::Sub, [index, one]));
        let reads = matches!(indices[..], [at] if binds(before, at)) && binds(read, *result);
        let gives = matches!(worker.body.results[..], [result] if binds(choice, result));
        let is_empty = then.binds.is_empty() && then.results == [zero];
        (is_first && is_before && reads && gives && is_empty).then_some(*array)
    }
}

/// The scatter of a counting sort: the parts of a step that moves each value to the next place of its group.
struct ScatterStep {
    keys: VarId,
    /// Which carried value has the next place of each group.
    next: usize,
    /// For each other carried value, the array whose element the step puts there.
    values: IndexMap<usize, VarId>,
}

impl ScatterStep {
    fn of(worker: &Worker, carried: usize) -> Option<Self> {
        let body = &worker.body;
        let counter = Atom::Var(*worker.params.get(carried)?);
        let carried = &worker.params[..carried];
        let maker = |atom: Atom| body.binds.iter().find(|bind| binds(bind, atom));
        let stored = |at: usize| {
            let Op::Replace { array, indices, value, .. } = &maker(body.results[at])?.op else {
                return None;
            };
            (*array == carried[at]).then_some((*indices.first()?, *value))
        };
        let read = |atom: Atom, from: Option<VarId>| {
            let Op::Index { array, indices, .. } = &maker(atom)?.op else { return None };
            let [index] = indices[..] else { return None };
            from.is_none_or(|from| from == *array).then_some((*array, index))
        };
        // The next place of a group goes up by one.
        let is_next = |at: &usize| {
            let (key, value) = stored(*at)?;
            let (BinOp::Add, [place, one]) = maker(value)?.op.binary()? else { return None };
            let (_, of) = read(place, Some(carried[*at]))?;
            (of == key && one == Atom::Const(Const::i64(1))).then_some((key, place))
        };
        let next = (0..carried.len()).find(|at| is_next(at).is_some())?;
        let (key, place) = is_next(&next)?;
        let (keys, index) = read(key, None)?;
        let mut values = IndexMap::new();
        for at in (0..carried.len()).filter(|&at| at != next) {
            let (to, value) = stored(at)?;
            let (array, from) = read(value, None)?;
            (to == place && from == counter && !carried.contains(&array)).then_some(())?;
            values.insert(at, array);
        }
        let is_alone = body.binds.iter().all(|bind| !bind.op.stays());
        (index == counter && is_alone && !carried.contains(&keys)).then_some(Self {
            keys,
            next,
            values,
        })
    }
}

/// The number of groups and the place of the check, if an array has the number of each key.
fn counted(block: &Block, sizes: VarId, keys: VarId) -> Option<(Atom, Span)> {
    let Op::Fold { order: FoldOrder::Strict, worker, init, inputs } = defining_op(block, sizes)?
    else {
        return None;
    };
    let ([Atom::Var(zeros)], [acc, key], [read, more, stored]) =
        (&init[..], &worker.params[..], &worker.body.binds[..])
    else {
        return None;
    };
    let Op::Generate { size, worker: none } = defining_op(block, *zeros)? else { return None };
    let [Atom::Var(count), Atom::Var(sum)] = [read, more].map(|bind| Atom::Var(bind.vars[0]))
    else {
        return None;
    };
    let at = |array: &VarId, indices: &[Atom]| array == acc && *indices == [Atom::Var(*key)];
    let reads = matches!(&read.op, Op::Index { array, indices, .. } if at(array, indices));
    let one = Atom::Const(Const::i64(1));
    let adds = more.op.binary() == Some((BinOp::Add, [Atom::Var(count), one]));
    let stores = matches!(&stored.op, Op::Replace { array, indices, value, .. }
        if at(array, indices) && *value == Atom::Var(sum));
    let gives = matches!(worker.body.results[..], [result] if binds(stored, result));
    let is_zero = none.body.results == [Atom::Const(Const::i64(0))];
    let is_counted = *inputs == [keys] && reads && adds && stores && gives && is_zero;
    is_counted.then_some((*size, read.span))
}

/// The array that a scan adds up.
fn summed(block: &Block, sums: VarId, wanted: ScanKind) -> Option<VarId> {
    let Op::Scan { prefix, worker, init, inputs } = defining_op(block, sums)? else { return None };
    let [array] = inputs[..] else { return None };
    let is_plain = *prefix == wanted && *init == [Atom::Const(Const::i64(0))] && is_sum(worker);
    is_plain.then_some(array)
}

/// The outermost extent of an array.
pub(super) fn outer(array: VarId, tables: &Tables) -> Option<Extent> {
    tables.vars[array].ty.shape().first().copied()
}

/// Whether a binding binds a variable.
fn binds(bind: &Bind, atom: Atom) -> bool {
    bind.vars.iter().any(|&var| Atom::Var(var) == atom)
}
