//! Loops that do nothing but copy an array into a window of another one, as `xs[i:j, k:l] = ys` does.
//!
//! Invariant: every position is in bounds by construction.
//!
//! ```text
//! loop xs for m do (\a i -> { k = c + i; v = inside ys[i]; a with inside [r, k] = v })     a window at [r, c] of m
//! ```

use indexmap::IndexMap;

use crate::concrete::def_use;
use crate::concrete::{LoopForm, ReplacedPart, Step, Worker};
use arrc_fusion::cnf::{Atom, Operation};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const};
use arrc_syntax::source::Span;

/// A loop that does nothing but copy an array into a window.
pub(super) struct CopyLoop {
    /// The array with the window: `result` after the loop, `array` before it.
    pub(super) result: VarId,
    pub(super) array: VarId,
    /// The array that is copied.
    pub(super) value: VarId,
    /// Where the window begins: one index for each dimension of the array.
    pub(super) indices: Vec<Atom>,
    /// How many elements the loops copy along the dimensions of the value.
    pub(super) counts: Vec<Atom>,
    pub(super) span: Span,
}

impl CopyLoop {
    /// The copy that a step makes, if it is such a loop.
    pub(super) fn of(step: &Step) -> Option<Self> {
        let Step::Loop { vars, form, init, worker, .. } = step else { return None };
        let (&[result], [Atom::Var(array)]) = (&vars[..], &init[..]) else { return None };
        let mut nest = CopyNest::default();
        let (value, indices, span) = nest.body(form, worker)?;
        let value_dims = nest.counters.len();
        let (before, along) = indices.split_at_checked(indices.len().checked_sub(value_dims)?)?;
        let starts =
            along.iter().zip(&nest.counters).map(|(&index, &counter)| nest.start(index, counter));
        let starts = starts.collect::<Option<Vec<_>>>()?;
        let indices = [before, &starts].concat();
        let mut known = indices.iter().chain(&nest.counts).filter_map(Atom::as_var);
        let is_known = known.all(|var| !nest.binds.contains(&var));
        drop(known);
        is_known.then_some(Self {
            result,
            array: *array,
            value,
            indices,
            counts: nest.counts,
            span,
        })
    }
}

/// The loops of a copy, from the outermost one on.
#[derive(Default)]
struct CopyNest {
    counters: Vec<VarId>,
    counts: Vec<Atom>,
    /// Sums of a counter and another number: that number, and the counter.
    sums: IndexMap<VarId, (Atom, VarId)>,
    /// All that the loops bind.
    binds: Vec<VarId>,
}

impl CopyNest {
    /// The array that the loops copy, and the indices of the copied element, if the loops do nothing else.
    fn body<'s>(
        &mut self,
        form: &LoopForm,
        worker: &'s Worker,
    ) -> Option<(VarId, &'s [Atom], Span)> {
        let (&LoopForm::For { count }, &[carried, counter]) = (form, &worker.params[..]) else {
            return None;
        };
        self.counters.push(counter);
        self.counts.push(count);
        self.binds.extend([carried, counter]);
        let (last, before) = worker.body.steps.split_last()?;
        let mut read = None;
        for step in before {
            self.binds.extend(def_use::defines(step));
            #[allow(
                clippy::wildcard_enum_match_arm,
                reason = "a loop with another step does not copy"
            )]
            match step {
                Step::Scalar { var, op: Operation::Bin(BinOp::Add, args), .. } => {
                    self.sums.insert(*var, self.sum(*args)?);
                }
                Step::Index { var, array, indices, inside: true, .. } if read.is_none() => {
                    read = Some((*var, *array, indices));
                }
                _ => return None,
            }
        }
        match (last, read) {
            (Step::Loop { vars, form, init, worker: inner, .. }, None) => {
                let is_last = init[..] == [carried.into()]
                    && matches!(vars[..], [var] if worker.body.results[..] == [var.into()]);
                is_last.then(|| self.body(form, inner)).flatten()
            }
            (
                Step::Replace {
                    var,
                    array,
                    indices,
                    target: ReplacedPart::Inside,
                    value,
                    span,
                    ..
                },
                Some((elem, from, places)),
            ) => {
                let is_copied = *array == carried
                    && *value == elem.into()
                    && worker.body.results[..] == [(*var).into()]
                    && places.iter().copied().eq(self.counters.iter().copied().map(Atom::Var));
                is_copied.then_some((from, &indices[..], *span))
            }
            (_, _) => None,
        }
    }

    /// The two parts of a sum: the other number, and the counter.
    fn sum(&self, [a, b]: [Atom; 2]) -> Option<(Atom, VarId)> {
        let counter = |atom: Atom| atom.as_var().filter(|var| self.counters.contains(var));
        match (counter(a), counter(b)) {
            (None, Some(counter)) => Some((a, counter)),
            (Some(counter), None) => Some((b, counter)),
            (_, _) => None,
        }
    }

    /// The first value of an index in the loop of a counter, if the index is the counter or a sum with it.
    fn start(&self, index: Atom, counter: VarId) -> Option<Atom> {
        let var = index.as_var()?;
        if var == counter {
            return Some(Const::i64(0).into());
        }
        let (start, of) = *self.sums.get(&var)?;
        (of == counter).then_some(start)
    }
}
