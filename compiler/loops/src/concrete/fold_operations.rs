//! Folds that update each accumulator by one operation.
//!
//! Invariant: an answer here follows from the worker's text alone, and holds for all arguments.
//!
//! ```text
//! \s n x -> (s + x * x, n + 1)          fold_operations: + of x * x, + of 1
//! \s b x -> if b then x else s + x      segmented_folds: + of x, anew as x where b holds
//! ```

use std::collections::BTreeMap;

use super::phase::Phase;
use super::program::{Block, Worker};
use super::step::Step;
use super::visit::Visit;
use crate::concrete::def_use::uses;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::BinOp;

/// The operation that updates one accumulator of a fold.
#[derive(Clone, Copy, Debug)]
pub struct FoldOperation {
    /// The operation.
    pub op: BinOp,
    /// The operand that is not the accumulator.
    pub elem: Atom,
    /// The accumulator's new value.
    pub result: VarId,
}

/// A segmented fold: how it changes an accumulator that may begin anew.
#[derive(Clone, Copy, Debug)]
pub struct SegmentedFold {
    /// The operation, where the accumulator does not begin anew.
    pub fold: FoldOperation,
    /// Where it begins anew, if it does.
    pub anew: Option<SegmentStart>,
}

/// The start of a segment: where an accumulator begins anew.
#[derive(Clone, Copy, Debug)]
pub struct SegmentStart {
    /// The condition that decides it.
    pub cond: Atom,
    /// The outcome with which the accumulator begins anew.
    pub when: bool,
    /// The value with which it begins.
    pub first: Atom,
    /// The accumulator's new value.
    pub result: VarId,
}

/// The operations of the accumulators, if each accumulator is only combined, by one operation, with a value that does
/// not depend on accumulators. None if there are loops in the worker.
#[must_use]
pub fn fold_operations<P: Phase>(worker: &Worker<P>, count: usize) -> Option<Vec<FoldOperation>> {
    let used = UseCounts::of(&worker.body);
    if used.loops { None } else { used.fold_operations(worker, count) }
}

/// The same of a worker that may have loops: no accumulator is used in them.
#[must_use]
pub fn fold_operations_outside_loops<P: Phase>(
    worker: &Worker<P>,
    count: usize,
) -> Option<Vec<FoldOperation>> {
    UseCounts::of(&worker.body).fold_operations(worker, count)
}

/// The operations of the accumulators, if each one is as in [`fold_operations`], or begins anew where a condition holds
/// that does not depend on accumulators. None if there are loops in the worker.
#[must_use]
pub fn segmented_folds<P: Phase>(worker: &Worker<P>, count: usize) -> Option<Vec<SegmentedFold>> {
    let used = UseCounts::of(&worker.body);
    if used.loops {
        return None;
    }
    let once = |var: VarId| used.is_once(var);
    let Block { steps, results } = &worker.body;
    let segment = |(&acc, &result): (&VarId, &Atom)| {
        let Atom::Var(result) = result else { return None };
        let found = steps.iter().find_map(|step| segmented_fold(step, acc, result, results))?;
        (once(acc) && once(result) && once(found.fold.result)).then_some(found)
    };
    worker.params[..count].iter().zip(results).map(segment).collect()
}

/// How a step changes an accumulator, if it gives the accumulator's new value. A choice must do nothing else than give
/// new values of accumulators.
fn segmented_fold<P: Phase>(
    step: &Step<P>,
    acc: VarId,
    result: VarId,
    results: &[Atom],
) -> Option<SegmentedFold> {
    if let Some(fold) = combined(step, acc).filter(|fold| fold.result == result) {
        return Some(SegmentedFold { fold, anew: None });
    }
    let Step::If { vars, cond, then, otherwise, .. } = step else { return None };
    let at = vars.iter().position(|&var| var == result)?;
    let continues = |block: &Block<P>| {
        let mut folds = block.steps.iter().filter_map(|step| combined(step, acc));
        folds.find(|fold| Atom::Var(fold.result) == block.results[at])
    };
    let are_results = vars.iter().all(|&var| results.contains(&Atom::Var(var)));
    let is_plain = |begins: &Block<P>, goes_on: &Block<P>| {
        are_results && begins.steps.is_empty() && goes_on.steps.len() == vars.len()
    };
    let (when, begins, fold) = match (continues(then), continues(otherwise)) {
        (Some(fold), None) if is_plain(otherwise, then) => (false, otherwise, fold),
        (None, Some(fold)) if is_plain(then, otherwise) => (true, then, fold),
        (Some(_) | None, Some(_) | None) => return None,
    };
    let anew = SegmentStart { cond: *cond, when, first: begins.results[at], result };
    Some(SegmentedFold { fold, anew: Some(anew) })
}

/// The operation of a step, if one of its operands is the accumulator.
fn combined<P: Phase>(step: &Step<P>, acc: VarId) -> Option<FoldOperation> {
    let (result, operation) = step.operation()?;
    let (op, [a, b]) = operation.binary()?;
    let this = Atom::Var(acc);
    let elem = (a == this).then_some(b).or((b == this).then_some(a))?;
    Some(FoldOperation { op, elem, result })
}

/// The number of uses of each variable in a block and its branches. A use in a loop counts twice.
#[derive(Default)]
struct UseCounts {
    counts: BTreeMap<VarId, usize>,
    /// Whether a pass or a loop has been met.
    loops: bool,
}

impl UseCounts {
    fn of<P: Phase>(block: &Block<P>) -> Self {
        let mut used = Self::default();
        used.block(block);
        used
    }

    fn is_once(&self, var: VarId) -> bool {
        self.counts.get(&var) == Some(&1)
    }

    fn fold_operations<P: Phase>(
        &self,
        worker: &Worker<P>,
        count: usize,
    ) -> Option<Vec<FoldOperation>> {
        let (accs, results) = (&worker.params[..count], &worker.body.results);
        let fold = |(&acc, &result): (&VarId, &Atom)| {
            let Atom::Var(result) = result else { return None };
            let mut folds = worker.body.steps.iter().filter_map(|step| combined(step, acc));
            let fold = folds.find(|fold| fold.result == result)?;
            (self.is_once(acc) && self.is_once(result)).then_some(fold)
        };
        accs.iter().zip(results).map(fold).collect()
    }

    fn block<P: Phase>(&mut self, block: &Block<P>) {
        for step in &block.steps {
            step.visit(self);
            if matches!(step, Step::Pass(_) | Step::Loop { .. }) {
                self.loops = true;
                uses(step).into_iter().for_each(|var| *self.counts.entry(var).or_default() += 2);
            }
        }
        block.results.iter().for_each(|result| self.count(*result));
    }

    fn count(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            *self.counts.entry(var).or_default() += 1;
        }
    }
}

impl<'a, P: Phase> Visit<'a, P> for UseCounts {
    fn atom(&mut self, atom: &'a Atom) {
        self.count(*atom);
    }

    fn branch(&mut self, block: &'a Block<P>) {
        self.block(block);
    }
}
