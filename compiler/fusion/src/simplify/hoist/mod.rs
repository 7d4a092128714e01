//! Loop-invariant code motion: what is the same in each step of a worker is computed once, before the first step. Total
//! scalar operations and constant arrays always move. Other operations move if they take long: folds, calls, filters and
//! their like, and maps whose elements take long to compute.
//!
//! Invariant: an operation that can fail runs only if there is a step ([`guard`]), and behind each side effect that was
//! before it. Which of several failures a call reports is not determined.
//!
//! ```text
//! map (\x -> { t = f64.sqrt n; u = x / t; u }) xs         ⇒ t = f64.sqrt n; map (\x -> { u = x / t; u }) xs
//! map (\x -> { t = reduce (+) 0 ws; u = x / t; u }) xs   ⇒ t = reduce (+) 0 ws; map (\x -> { u = x / t; u }) xs
//! ```

mod guard;
mod split;

use indexmap::IndexSet;

use super::extents::Extents;
use crate::cnf::{Bind, Block, Function, Kind, Op, Operation};
use crate::process::uses::free;
use arrc_syntax::ids::{SecondaryMap, VarId};
use arrc_syntax::prim::Cost;

/// Moves values that are the same for every element out of workers; says whether anything changed.
pub(super) fn hoist(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut hoister = Hoister {
        function,
        inside: SecondaryMap::new(),
        extents: Extents::default(),
        changed: false,
    };
    hoister.block(&mut body);
    let changed = hoister.changed;
    function.body = body;
    changed
}

struct Hoister<'a> {
    function: &'a mut Function,
    /// The variables that the worker at hand binds.
    inside: SecondaryMap<VarId, bool>,
    extents: Extents,
    changed: bool,
}

/// Whether a binding of a worker's body can move out of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Motion {
    /// It differs between steps, or has a side effect.
    Stays,
    /// It moves if it runs only where there is a step: it, or something that it needs, can fail.
    IfThereIsAStep,
    /// It moves.
    Free,
}

/// What moves out of a worker, in its order.
#[derive(Default)]
struct Moved {
    free: Vec<Bind>,
    /// What runs only if there is a step.
    guarded: Vec<Bind>,
}

impl Hoister<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut binds = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            self.extents.note(&bind, &self.function.tables);
            // A flatmap streams the arrays that its worker yields.
            let streams = bind.op.kind().is_some_and(Kind::expands);
            let has_guard = guard::has_guard(&bind, &self.function.tables);
            let mut guarded = Vec::new();
            let workers = bind.op.workers_mut();
            // The last worker of a loop is its body, and another one its condition.
            let last = workers.len().saturating_sub(1);
            for (place, worker) in workers.into_iter().enumerate() {
                for &param in &worker.params {
                    self.inside[param] = true;
                }
                if !streams {
                    self.split(&mut worker.body);
                }
                let moved = self.invariant(&mut worker.body, streams, has_guard && place == last);
                binds.extend(moved.free);
                guarded.extend(moved.guarded);
            }
            if guarded.is_empty() {
                binds.push(bind);
            } else {
                binds.extend(guard::guard(bind, guarded, &mut self.function.tables));
            }
        }
        block.binds = binds;
    }

    /// Takes the invariant bindings out of a worker's body. If its results are streams, arrays stay there.
    fn invariant(&mut self, body: &mut Block, streams: bool, has_guard: bool) -> Moved {
        let motions = self.motions(body, streams, has_guard);
        let wanted = self.stored_results(body, &motions);
        let is_wanted = |bind: &Bind| bind.vars.iter().any(|var| wanted.contains(var));
        let is_guarded = |motion| motion == Motion::IfThereIsAStep;
        let pairs = || body.binds.iter().zip(&motions);
        // The assertions before what can fail may be the reason why it does not.
        let needs_guard = pairs().any(|(bind, &motion)| is_guarded(motion) && is_wanted(bind));
        let mut moved = Moved::default();
        for (bind, motion) in std::mem::take(&mut body.binds).into_iter().zip(motions) {
            let is_scalar = bind.op.is_total(&self.function.tables.vars);
            let is_cheap = is_scalar || matches!(bind.op, Op::Constant { .. });
            let outside = || !free(&bind).into_iter().any(|var| self.inside[var]);
            let target = match motion {
                Motion::Free if is_wanted(&bind) || is_cheap && outside() => Some(&mut moved.free),
                Motion::IfThereIsAStep
                    if needs_guard && (is_wanted(&bind) || bind.op.asserts()) =>
                {
                    Some(&mut moved.guarded)
                }
                Motion::Stays | Motion::IfThereIsAStep | Motion::Free => None,
            };
            if let Some(target) = target {
                self.changed = true;
                target.push(bind);
                continue;
            }
            for &var in &bind.vars {
                self.inside[var] = true;
            }
            body.binds.push(bind);
        }
        moved
    }

    /// Whether each binding of a worker's body can move.
    fn motions(&self, body: &Block, streams: bool, has_guard: bool) -> Vec<Motion> {
        let mut stays = IndexSet::new();
        let mut guarded = IndexSet::new();
        let mut had_effect = false;
        let motions = body.binds.iter().map(|bind| {
            let free = free(bind);
            let differs = |var: &VarId| self.inside[*var] || stays.contains(var);
            let is_array = |&var: &VarId| self.function.tables.vars[var].ty.is_array();
            let has_effect = bind.op.has_effect();
            let motion = if has_effect
                || streams && bind.vars.iter().any(is_array)
                || free.iter().any(differs)
            {
                Motion::Stays
            } else if !free.iter().any(|var| guarded.contains(var))
                && self.extents.cannot_fail(&bind.op, &self.function.tables)
            {
                Motion::Free
            } else if has_guard && !had_effect {
                Motion::IfThereIsAStep
            } else {
                Motion::Stays
            };
            had_effect |= has_effect;
            match motion {
                Motion::Stays => stays.extend(bind.vars.iter().copied()),
                Motion::IfThereIsAStep => guarded.extend(bind.vars.iter().copied()),
                Motion::Free => {}
            }
            motion
        });
        motions.collect()
    }

    /// The results of those bindings that take longer than to read an element of their results, and of those that these
    /// need.
    fn stored_results(&self, body: &Block, motions: &[Motion]) -> IndexSet<VarId> {
        let mut wanted = IndexSet::new();
        let moves = |motion: &Motion| *motion != Motion::Stays;
        for (bind, _) in body.binds.iter().zip(motions).rev().filter(|(_, motion)| moves(motion)) {
            if self.is_costly(&bind.op) || bind.vars.iter().any(|var| wanted.contains(var)) {
                wanted.extend(bind.vars.iter().copied());
                wanted.extend(free(bind));
            }
        }
        wanted
    }

    /// Whether an operation takes longer than to read its results: it iterates for results that are no streams of its
    /// own steps, or makes an array whose elements take long to compute.
    fn is_costly(&self, op: &Op) -> bool {
        let iterates = matches!(
            op,
            Op::Fold { .. }
                | Op::Scan { .. }
                | Op::Filter { .. }
                | Op::FlatMap { .. }
                | Op::Loop { .. }
                | Op::Sort { .. }
                | Op::Call { .. }
        );
        iterates || op.inner().iter().any(|inner| self.takes_long(inner.block))
    }

    fn takes_long(&self, block: &Block) -> bool {
        block.binds.iter().any(|bind| {
            let is_slow = bind.op.operation().is_some_and(|operation| self.is_slow(operation));
            is_slow || self.is_costly(&bind.op)
        })
    }

    fn is_slow(&self, operation: Operation) -> bool {
        match operation.cost(&self.function.tables.vars) {
            Cost::Slow | Cost::Elementary | Cost::Call => true,
            Cost::Quick | Cost::QuickAlone | Cost::Rounding => false,
        }
    }
}
