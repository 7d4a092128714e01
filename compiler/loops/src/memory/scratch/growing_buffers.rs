//! Arrays that the steps of a loop extend are in one scratch buffer, which grows.
//!
//! Invariant: when a step makes the next array in the buffer, the array of the step before is the one that is extended,
//! or has ended, since it is in that buffer.
//!
//! ```text
//! zs = loop (xs) for k do (\ys i -> { …; zs = extend ys ++ t; … yield (zs) })
//! ⇒ zs = loop (xs) for k do (\ys i -> { …; zs = extend ys ++ t scratch; … yield (zs) })
//! ```

use super::step_arrays::{
    ResultIndices, Scratch, accumulator, always_becomes, begins_with, extending, reads_accumulator,
    set_memory, step_results,
};
use crate::concrete::{Block, Complete, Memory, Procedure, Step, Stmt, VisitMut, Worker};
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;

impl Scratch<'_> {
    /// Moves the array that each step of a loop extends, to a buffer that grows. If there were several such places in
    /// the program, each with its buffer, the array would be copied from one to the other.
    pub(super) fn grows(&self, step: &mut Step, given: VarId) {
        let mut places = Vec::new();
        if let Step::Loop { vars, worker, .. } = &*step {
            if let Some(place) = vars.iter().position(|&var| var == given) {
                self.extends(worker, place, &mut places);
            }
        } else if let Step::Pass(pass) = &*step
            && let Some(acc) = accumulator(pass, given)
            && !reads_accumulator(pass, acc)
        {
            pass.nest.for_each_stmt(&mut |stmt| {
                if let Stmt::Update { accs, worker, .. } = stmt
                    && let Some(place) = accs.iter().position(|&of| of == acc)
                {
                    self.extends(worker, place, &mut places);
                }
            });
        }
        if let [place] = places[..] {
            step.visit_mut(&mut MoveToScratch { array: place });
        }
    }

    /// Notes the appends that make the next value of a parameter. When one is made, the value of the step before must
    /// be what it extends, or have ended: that value is in the buffer.
    fn extends(&self, worker: &Worker, place: usize, found: &mut Vec<VarId>) {
        if self.carries(worker, place).is_some() {
            self.extends_in(&worker.body, place, PreviousValue::Is(worker.params[place]), found);
        }
    }

    fn extends_in(
        &self,
        block: &Block,
        place: usize,
        mut before: PreviousValue,
        found: &mut Vec<VarId>,
    ) {
        for (at, step) in block.steps.iter().enumerate() {
            let yields = |array: &VarId| {
                self.end_results(block, at + 1, *array)
                    .is_some_and(|ends| always_becomes(&ends, place))
            };
            if let Step::Append { extends: Some(array), .. } = step
                && before.has_ended(*array)
            {
                found.extend(extending(step).filter(|array| yields(array)));
            }
            if let Some(given) = step_results(step).into_iter().find(yields) {
                if let Step::If { vars, then, otherwise, .. } = step {
                    let place = vars.iter().position(|&var| var == given);
                    let place = place.expect("it is a result of the branches");
                    self.extends_in(then, place, before, found);
                    self.extends_in(otherwise, place, before, found);
                } else if let Step::Loop { vars, worker, .. } = step
                    && let PreviousValue::Is(array) = before
                    && begins_with(step, given, array)
                    && let Some(place) = vars.iter().position(|&var| var == given)
                {
                    self.extends(worker, place, found);
                }
            }
            before = self.value_after(step, before);
        }
    }

    /// What a step leaves of the value of the step before.
    fn value_after(&self, step: &Step, before: PreviousValue) -> PreviousValue {
        let PreviousValue::Is(array) = before else { return before };
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others leave arrays as they are")]
        match step {
            Step::Release { array: ended } if *ended == array => PreviousValue::Ended,
            Step::Replace { var, array: changed, .. } if *changed == array => {
                PreviousValue::Is(*var)
            }
            Step::Append { var, extends: Some(first), .. } if *first == array => {
                PreviousValue::Is(*var)
            }
            Step::Unique { array: changed, .. } if *changed == array => PreviousValue::Unknown,
            Step::If { vars, takes, then, otherwise, .. } if takes.contains(&array) => {
                let places = [then, otherwise].map(|branch| self.end_results(branch, 0, array));
                let [Some(mut places), Some(others)] = places else {
                    return PreviousValue::Unknown;
                };
                places.extend(others);
                PreviousValue::merged_value(&places, vars)
            }
            Step::Loop { vars, init, worker, .. } => {
                let place = init.iter().position(|&init| init == Atom::Var(array));
                let Some(place) = place else { return before };
                let places = self.carried_results(worker, place);
                places.map_or(PreviousValue::Unknown, |places| {
                    PreviousValue::merged_value(&places, vars)
                })
            }
            Step::Pass(pass) => match self.after_pass(pass, array) {
                Some(Some(array)) => PreviousValue::Is(array),
                Some(None) => PreviousValue::Ended,
                None => PreviousValue::Unknown,
            },
            _ => before,
        }
    }
}

/// The value of a parameter in the step before, while the step makes the next one.
#[derive(Clone, Copy)]
enum PreviousValue {
    /// It is this array, or was changed in place to it.
    Is(VarId),
    /// It has ended.
    Ended,
    /// It may be one of several arrays.
    Unknown,
}

impl PreviousValue {
    /// Whether it has ended when an array has been extended.
    fn has_ended(self, extended: VarId) -> bool {
        match self {
            Self::Is(array) => array == extended,
            Self::Ended => true,
            Self::Unknown => false,
        }
    }

    /// The value that became a result in one of these places.
    fn merged_value(places: &ResultIndices, vars: &[VarId]) -> Self {
        let places: Vec<_> = places.iter().collect();
        match places[..] {
            [&place] => vars.get(place).map_or(Self::Ended, |&var| Self::Is(var)),
            _ => Self::Unknown,
        }
    }
}

/// The walk to the append that makes an array, which moves it to a scratch buffer.
struct MoveToScratch {
    array: VarId,
}

impl MoveToScratch {
    fn block(&mut self, block: &mut Block) {
        for step in &mut block.steps {
            if extending(step) == Some(self.array) {
                set_memory(&Memory::Scratch, step, self.array);
            }
            step.visit_mut(self);
        }
    }
}

impl VisitMut<'_, Complete> for MoveToScratch {
    fn branch(&mut self, block: &mut Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &mut Worker) {
        self.block(&mut worker.body);
    }

    fn pass(&mut self, pass: &mut Procedure) {
        pass.nest.for_each_stmt_mut(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&mut worker.body);
            }
        });
    }
}
