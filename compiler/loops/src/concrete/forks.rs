//! Calls that may run at the same time.
//!
//! Invariant (`verify`): a call of a fork uses no results of the calls before it in the fork, with one exception: it
//! may append to an array that the call just before it gives. So it can append to an empty array at first, and its
//! result is appended to that array afterwards.
//!
//! ```text
//! a = fork f x to; b = call f y a     ⇒   at the same time: a = f x to; r = f y []
//!                                         then: b = a ++ r
//! ```

use super::phase::{Complete, Phase};
use super::program::{Block, Function, Procedure, Program, Worker};
use super::step::Step;
use super::visit::Visit;
use arrc_fusion::cnf::{Atom, Callee};
use arrc_syntax::ids::{FuncId, VarId};

impl<P: Phase> Function<P> {
    /// The parameters to which the function appends, each with the result that has the appended elements, by index.
    pub fn appended(&self) -> impl Iterator<Item = (usize, usize)> {
        let first = self.params.len() - self.appends.len();
        (first..).zip(self.appends.iter().copied())
    }
}

/// Whether threads can share all loops of a block: each of them is a pass in slices. Calls are not looked into.
#[must_use]
pub fn is_sliced(block: &Block<Complete>) -> bool {
    let mut loops = SliceCheck { are_sliced: true };
    loops.branch(block);
    loops.are_sliced
}

/// Looks for loops.
struct SliceCheck {
    are_sliced: bool,
}

impl Visit<'_, Complete> for SliceCheck {
    fn branch(&mut self, block: &Block<Complete>) {
        block.steps.iter().for_each(|step| step.visit(self));
    }

    fn worker(&mut self, _: &Worker<Complete>) {
        self.are_sliced = false;
    }

    fn pass(&mut self, pass: &Procedure<Complete>) {
        self.are_sliced &= pass.slices.is_some();
    }
}

/// The number of first steps that run as one group: the calls of a fork, or a single step.
#[must_use]
pub fn group_len<P: Phase>(steps: &[Step<P>]) -> usize {
    let forks = |step: &&Step<P>| matches!(step, Step::Call { forks: true, .. });
    let calls = steps.iter().take_while(forks).count();
    (calls + 1).min(steps.len())
}

/// An array that one call of a fork gives and the next call appends to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChainedAppend {
    /// The index of the array among the arguments of the next call.
    pub param: usize,
    /// The index of the appended array among the results of the next call.
    pub result: usize,
    /// The array.
    pub array: VarId,
}

impl<P: Phase> Program<P> {
    /// The arrays that `before` gives and that `call` appends to.
    #[must_use]
    pub fn chained(&self, before: &Step<P>, call: &Step<P>) -> Vec<ChainedAppend> {
        let (
            Step::Call { vars: given, .. },
            Step::Call { callee: Callee::Function(callee), args, .. },
        ) = (before, call)
        else {
            return Vec::new();
        };
        let chained = self.functions[*callee].appended().filter_map(|(param, result)| {
            let Atom::Var(array) = *args.get(param)? else { return None };
            given.contains(&array).then_some(ChainedAppend { param, result, array })
        });
        chained.collect()
    }

    /// Whether a function is a part of another one: some steps of a block, which may run at the same time as others. It
    /// does not recurse, and no program can call it from outside.
    #[must_use]
    pub fn is_part(&self, id: FuncId) -> bool {
        !self.functions[id].recursive && self.entries.iter().all(|entry| entry.function != id)
    }

    /// The arrays whose lengths measure the work of a call. Arrays that the callee appends to are not among them.
    /// Neither are parameters that a recursive function passes on, since they do not become shorter from call to
    /// call.
    #[must_use]
    pub fn measures(&self, function: &Function<P>, call: &Step<P>) -> Vec<VarId> {
        let Step::Call { callee: Callee::Function(callee), args, .. } = call else {
            return Vec::new();
        };
        let appended: Vec<_> = self.functions[*callee].appended().map(|(param, _)| param).collect();
        let args = args.iter().enumerate().filter(|(at, _)| !appended.contains(at));
        let arrays = args.filter_map(|(_, arg)| match arg {
            Atom::Var(var) if function.tables.vars[*var].ty.is_array() => Some(*var),
            Atom::Var(_) | Atom::Const(_) => None,
        });
        let is_passed_on = |var: &VarId| function.recursive && function.params.contains(var);
        arrays.filter(|var| !is_passed_on(var)).collect()
    }
}

impl<P: Phase> Block<P> {
    /// The steps in groups: the calls of a fork are one group.
    pub fn groups(&self) -> impl Iterator<Item = &[Step<P>]> {
        groups(&self.steps)
    }
}

/// The groups of some steps of a block.
pub fn groups<P: Phase>(mut steps: &[Step<P>]) -> impl Iterator<Item = &[Step<P>]> {
    std::iter::from_fn(move || {
        let (group, rest) = steps.split_at(group_len(steps));
        steps = rest;
        (!group.is_empty()).then_some(group)
    })
}
