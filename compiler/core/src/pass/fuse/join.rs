//! Maps of rows, and maps with loops of their own, become one map, so that what they do is fused in its turn.
//!
//! Two maps that run in one pass, the second on rows that the first makes, or both on the same rows, are
//! one worker after the other; so are two whose workers have loops and something in common. As one worker
//! they are one block, which is simplified, and whose combinators are clustered: then the row between them
//! need not be made, the row that both read is read once, and what both compute is computed once.
//!
//! Invariant: what is used of the operators keeps its series; an operator is moved only up to where all
//! that it uses is there.
//!
//! ```text
//! s2 <- map k1 (\row -> map f row) s1; s3 <- map k1 (\row -> map g row) s2
//! ⇒ s3 <- map k1 (\row -> { a = map f row; b = map g a; b }) s1
//! ```

use indexmap::IndexSet;

use crate::ids::{PrimaryMap, RateId, SeriesId};
use crate::ir::cnf::{Atom, Worker};
use crate::ir::process::{Operator, Series, uses};
use crate::source::Span;

/// Joins the maps of rows, and those with loops, among the operators of a process.
pub(super) fn join(
    operators: Vec<Operator>,
    series: &PrimaryMap<SeriesId, Series>,
) -> Vec<Operator> {
    let mut joined = IndexSet::new();
    let mut operators = join_list(operators, series, &mut joined);
    let mut used = IndexSet::new();
    note_uses(&operators, &mut used);
    trim(&mut operators, &joined, &used);
    operators
}

/// A map, taken apart.
struct Map {
    outs: Vec<SeriesId>,
    rate: RateId,
    worker: Worker,
    ins: Vec<SeriesId>,
    span: Span,
}

fn join_list(
    operators: Vec<Operator>,
    series: &PrimaryMap<SeriesId, Series>,
    joined: &mut IndexSet<SeriesId>,
) -> Vec<Operator> {
    let mut done: Vec<Operator> = Vec::new();
    for operator in operators {
        match operator {
            Operator::Map { outs, rate, worker, ins, span } => {
                let map = Map { outs, rate, worker, ins, span };
                let partner = partner(&done, &map, series);
                match partner.map(|place| (place, done.remove(place))) {
                    Some((place, Operator::Map { outs, rate, worker, ins, span })) => {
                        let both = Map { outs, rate, worker, ins, span }.then(map);
                        joined.extend(&both.outs);
                        done.insert(place, both.into_operator());
                    }
                    Some(_) | None => done.push(map.into_operator()),
                }
            }
            Operator::MkSel { inner, selector, outer, flags, operators } => {
                let operators = join_list(operators, series, joined);
                done.push(Operator::MkSel { inner, selector, outer, flags, operators });
            }
            Operator::MkExp { inner, outer, counts, operators } => {
                let operators = join_list(operators, series, joined);
                done.push(Operator::MkExp { inner, outer, counts, operators });
            }
            Operator::Generate { .. }
            | Operator::Gather { .. }
            | Operator::Expand { .. }
            | Operator::Pack { .. }
            | Operator::Cross { .. }
            | Operator::Fold { .. }
            | Operator::Scan { .. }
            | Operator::Create { .. } => done.push(operator),
        }
    }
    done
}

/// Where the map is among the operators so far that this one can be joined with: a map that has a row in
/// common with it, or has loops, as it has itself, with something in common.
fn partner(done: &[Operator], map: &Map, series: &PrimaryMap<SeriesId, Series>) -> Option<usize> {
    let is_row = |id: &SeriesId| series[*id].ty.is_array() && map.ins.contains(id);
    let used = if has_loops(&map.worker) { uses::free_in(&map.worker) } else { IndexSet::new() };
    for (place, operator) in done.iter().enumerate().rev() {
        if let Operator::Map { outs, rate, worker, ins, .. } = operator
            && *rate == map.rate
        {
            let rows = outs.iter().chain(ins).any(is_row);
            let loops = has_loops(worker) && has_loops(&map.worker);
            let both = || {
                ins.iter().any(|id| map.ins.contains(id))
                    || uses::free_in(worker).iter().any(|var| used.contains(var))
            };
            if rows || (loops && both()) {
                return Some(place);
            }
        }
        // What is made here must be there before the map is.
        if makes(operator).iter().any(|out| map.ins.contains(out)) {
            return None;
        }
    }
    None
}

/// Whether the worker has loops of its own.
fn has_loops(worker: &Worker) -> bool {
    !worker.body.binds.iter().all(|bind| bind.op.is_scalar())
}

impl Map {
    /// This map and then another one on its elements, on the same ones, or both.
    fn then(self, next: Self) -> Self {
        let Self { mut outs, rate, mut worker, mut ins, span } = self;
        let mut renamed = Vec::new();
        for (&param, &input) in next.worker.params.iter().zip(&next.ins) {
            if let Some(place) = outs.iter().position(|&out| out == input) {
                renamed.push((param, worker.body.results[place]));
            } else if let Some(place) = ins.iter().position(|&known| known == input) {
                renamed.push((param, Atom::Var(worker.params[place])));
            } else {
                ins.push(input);
                worker.params.push(param);
            }
        }
        let mut body = next.worker.body;
        body.replace_uses(&mut |atom| {
            let found = renamed.iter().find(|(param, _)| atom == Atom::Var(*param));
            found.map_or(atom, |&(_, known)| known)
        });
        worker.body.binds.extend(body.binds);
        worker.body.results.extend(body.results);
        outs.extend(next.outs);
        Self { outs, rate, worker, ins, span }
    }

    fn into_operator(self) -> Operator {
        let Self { outs, rate, worker, ins, span } = self;
        Operator::Map { outs, rate, worker, ins, span }
    }
}

/// The series that an operator makes for those after it.
fn makes(operator: &Operator) -> &[SeriesId] {
    match operator {
        Operator::Map { outs, .. }
        | Operator::Generate { outs, .. }
        | Operator::Gather { outs, .. }
        | Operator::Scan { outs, .. }
        | Operator::Expand { outs, .. }
        | Operator::Cross { outs, .. } => outs,
        Operator::Pack { out, .. } => std::slice::from_ref(out),
        Operator::MkSel { .. }
        | Operator::MkExp { .. }
        | Operator::Fold { .. }
        | Operator::Create { .. } => &[],
    }
}

fn note_uses(operators: &[Operator], used: &mut IndexSet<SeriesId>) {
    for operator in operators {
        match operator {
            Operator::Map { ins, .. } | Operator::Fold { ins, .. } | Operator::Scan { ins, .. } => {
                used.extend(ins)
            }
            Operator::Gather { indices, .. } => {
                used.insert(*indices);
            }
            Operator::MkSel { flags: evidence, operators, .. }
            | Operator::MkExp { counts: evidence, operators, .. } => {
                used.insert(*evidence);
                note_uses(operators, used);
            }
            Operator::Expand { ins, rows, .. } => used.extend(ins.iter().chain(rows)),
            Operator::Pack { input, .. } | Operator::Create { input, .. } => {
                used.insert(*input);
            }
            Operator::Cross { left, right, .. } => used.extend(left.iter().chain(right)),
            Operator::Generate { .. } => {}
        }
    }
}

/// Drops what joined maps no longer need to yield.
fn trim(operators: &mut [Operator], joined: &IndexSet<SeriesId>, used: &IndexSet<SeriesId>) {
    for operator in operators {
        match operator {
            Operator::Map { outs, worker, .. } => {
                let keep = |out: &SeriesId| !joined.contains(out) || used.contains(out);
                let kept: Vec<bool> = outs.iter().map(keep).collect();
                let mut flags = kept.iter();
                worker.body.results.retain(|_| *flags.next().expect("one series a result"));
                let mut flags = kept.iter();
                outs.retain(|_| *flags.next().expect("one flag a series"));
            }
            Operator::MkSel { operators, .. } | Operator::MkExp { operators, .. } => {
                trim(operators, joined, used);
            }
            Operator::Generate { .. }
            | Operator::Gather { .. }
            | Operator::Expand { .. }
            | Operator::Pack { .. }
            | Operator::Cross { .. }
            | Operator::Fold { .. }
            | Operator::Scan { .. }
            | Operator::Create { .. } => {}
        }
    }
}
