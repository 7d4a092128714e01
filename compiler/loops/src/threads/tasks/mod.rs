//! Marks the calls that may run at the same time: calls of recursive functions in one block that do not need each
//! other's results. Then passes and loops of a block that do not need each other's results become calls as well
//! ([`groups`], [`outlining`]), if each of them runs in one thread.
//!
//! A call may append to the result of the call before it, and need that result for nothing else. Then it appends to an
//! empty array, runs at the same time, and its result is appended afterwards
//! ([`crate::concrete::ChainedAppend`]). Whether the calls of a fork are worth several threads is decided at
//! run time, by the lengths of their arrays.
//!
//! Invariant: a step moves before a call, or behind one, only if it has no effect and is independent of the call.
//! Assertions and passes may fail before the call then, so another one of several errors may be told, but the same one
//! on any number of threads. A call of a function that calls C does not move.
//!
//! ```text
//! l = call f xs; ys = map g zs; r = call f ys     ⇒   ys = map g zs; l = fork f xs; r = call f ys
//! ```

mod groups;
mod outlining;
mod roles;

use arr_abi::layout::FORKED;
use indexmap::IndexSet;

use self::outlining::TaskOutliner;
use self::roles::{can_move, parallel_functions};
use crate::concrete::def_use::{defines, uses};
use crate::concrete::{Block, Function, Program, Step};
use crate::threads::slice::effects;
use arrc_fusion::cnf::Callee;
use arrc_syntax::ids::{FuncId, SecondaryMap, VarId};

/// Marks the calls, and makes calls of independent passes.
#[must_use]
pub fn tasks(mut program: Program) -> Program {
    let effects = effects(&program);
    let mut functions = program.functions.clone();
    for function in functions.values_mut() {
        let mut body = std::mem::take(&mut function.body);
        ForkMarker { program: &program, function, effects: &effects }.block(&mut body);
        function.body = body;
    }
    program.functions = functions;
    let spread = parallel_functions(&program);
    for id in program.functions.keys().collect::<Vec<_>>() {
        if !program.functions[id].recursive {
            TaskOutliner::outline_tasks(&mut program, id, &effects, &spread);
        }
    }
    program
}

/// The calls of one function.
struct ForkMarker<'a> {
    program: &'a Program,
    function: &'a Function,
    effects: &'a SecondaryMap<FuncId, bool>,
}

/// A fork under construction.
#[derive(Default)]
struct Fork {
    /// Steps that come before the calls.
    before: Vec<Step>,
    calls: Vec<Step>,
    /// Steps that come behind them.
    behind: Vec<Step>,
    /// Steps behind the last call so far.
    open: Vec<Step>,
}

impl ForkMarker<'_> {
    fn block(&self, block: &mut Block) {
        for step in &mut block.steps {
            self.inside(step);
        }
        let mut done = Vec::new();
        let mut steps = std::mem::take(&mut block.steps).into_iter().peekable();
        while let Some(step) = steps.next() {
            if !self.may_fork(&step) {
                done.push(step);
                continue;
            }
            let mut fork = Fork { calls: vec![step], ..Fork::default() };
            while let Some(next) = steps.next_if(|next| self.continues_fork(&fork, next)) {
                if self.may_fork(&next) {
                    fork.add(next);
                } else {
                    fork.open.push(next);
                }
            }
            done.extend(fork.steps());
        }
        block.steps = done;
    }

    /// The blocks in a step that runs once in its block. Steps of passes run in the thread of their slice.
    fn inside(&self, step: &mut Step) {
        if let Step::If { then, otherwise, .. } = step {
            self.block(then);
            self.block(otherwise);
        } else if let Step::Loop { worker, .. } = step {
            self.block(&mut worker.body);
        }
    }

    /// Whether a step is a call that other threads may make, whose arrays tell how much work it has.
    fn may_fork(&self, step: &Step) -> bool {
        let Step::Call { callee: Callee::Function(callee), .. } = step else { return false };
        self.program.functions[*callee].recursive
            && !self.effects[*callee]
            && !self.program.measures(self.function, step).is_empty()
    }

    /// Whether the calls of a fork can be beside the step, or come before or behind it.
    fn continues_fork(&self, fork: &Fork, next: &Step) -> bool {
        let given: IndexSet<VarId> = fork.calls.iter().flat_map(defines).collect();
        let mut used = uses(next);
        if !self.may_fork(next) {
            let stays = used.iter().all(|var| !given.contains(var));
            return stays && can_move(next, &self.function.tables.vars);
        }
        let before = fork.calls.last().expect("a fork begins with a call");
        let chained = self.program.chained(before, next);
        used.retain(|var| chained.iter().all(|chained| chained.array != *var));
        let is_release = |step: &&Step| matches!(step, Step::Release { .. });
        let released = || fork.behind.iter().chain(&fork.open).filter(is_release).flat_map(uses);
        fork.calls.len() < FORKED
            && used.iter().all(|var| !given.contains(var))
            && released().all(|var| !uses(next).contains(&var))
    }
}

impl Fork {
    /// Adds a call. The steps in front of it go before or behind all calls.
    fn add(&mut self, call: Step) {
        for step in self.open.drain(..) {
            if matches!(step, Step::Release { .. }) {
                self.behind.push(step);
            } else {
                self.before.push(step);
            }
        }
        self.calls.push(call);
    }

    /// The steps in their order, with marks.
    fn steps(mut self) -> impl Iterator<Item = Step> {
        let last = self.calls.len() - 1;
        for call in &mut self.calls[..last] {
            if let Step::Call { forks, .. } = call {
                *forks = true;
            }
        }
        self.before.into_iter().chain(self.calls).chain(self.behind).chain(self.open)
    }
}
