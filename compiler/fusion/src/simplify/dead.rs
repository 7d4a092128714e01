//! Removes unused values.
//!
//! Invariant: the remaining code gives the same results. Errors of removed code are lost: an index out of bounds is no
//! error if its element is not used.
//!
//! ```text
//! a, b = map (\x -> { t = x + 1; u = x * 2; t, u }) xs; c = length a; a
//! ⇒ a = map (\x -> { t = x + 1; t }) xs; a
//! ```

use std::collections::BTreeSet;

use crate::cnf::{Atom, Bind, Block, FoldPartsMut, Function, LoopForm, Op, Worker, retain_live};
use arrc_syntax::ids::VarId;

/// Removes bindings and results that are not used; says whether anything changed.
pub(super) fn remove(function: &mut Function) -> bool {
    let mut sweep = DeadCodeEliminator::default();
    sweep.block(&mut function.body);
    sweep.changed
}

/// Removes the bindings of a block that none of its results needs.
pub(crate) fn sweep(block: &mut Block) {
    DeadCodeEliminator::default().block(block);
}

/// Dead code elimination of one function.
#[derive(Default)]
struct DeadCodeEliminator {
    /// The variables that later code uses.
    live: BTreeSet<VarId>,
    changed: bool,
}

impl DeadCodeEliminator {
    fn block(&mut self, block: &mut Block) {
        self.mark(&block.results);
        for bind in std::mem::take(&mut block.binds).into_iter().rev() {
            if !bind.vars.iter().any(|var| self.live.contains(var)) && !bind.op.stays() {
                self.changed = true;
                continue;
            }
            let mut bind = self.trim(bind);
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            self.mark(&bind.op.operands());
            block.binds.push(bind);
        }
        block.binds.reverse();
    }

    fn mark(&mut self, atoms: &[Atom]) {
        for atom in atoms {
            if let Atom::Var(var) = atom {
                self.live.insert(*var);
            }
        }
    }

    /// Drops the results that are not used.
    fn trim(&mut self, mut bind: Bind) -> Bind {
        let mut live: Vec<bool> = bind.vars.iter().map(|var| self.live.contains(var)).collect();
        if is_loop(&bind.op) && !live.contains(&true) && bind.op.has_effect() {
            // It runs for its effect, and an array says how often. The array is not used, so it is not stored.
            live[0] = true;
        }
        let is_kept = bind.op.keep_results(&live);
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "an operation that gives one thing has nothing to lose"
        )]
        let live = match &mut bind.op {
            _ if is_kept => live,
            Op::Cross { left, right } => trim_cross(left, right, live),
            Op::Loop { form, init, worker } => trim_loop(form, init, worker, live),
            op => {
                let paired = op.is_paired();
                let Some(folded) = op.folded_mut() else { return bind };
                trim_fold(folded, paired, live)
            }
        };
        self.changed |= !live.iter().all(|&live| live);
        retain_live(&mut bind.vars, &live);
        bind
    }
}

/// Whether an operation's results say how often it runs.
fn is_loop(op: &Op) -> bool {
    op.is_combinator() && !op.inner().is_empty()
}

/// Drops the unused results of a `cross`. Each side keeps at least one array, which tells how often its loop runs.
fn trim_cross(left: &mut Vec<VarId>, right: &mut Vec<VarId>, mut live: Vec<bool>) -> Vec<bool> {
    let (first, second) = live.split_at_mut(left.len());
    for side in [first, second] {
        if !side.iter().any(|&live| live) {
            side[0] = true;
        }
    }
    let middle = left.len();
    retain_live(left, &live[..middle]);
    retain_live(right, &live[middle..]);
    live
}

/// Drops accumulators that are not used, directly or by an accumulator that is used.
fn trim_fold(folded: FoldPartsMut<'_>, paired: bool, live: Vec<bool>) -> Vec<bool> {
    let FoldPartsMut { worker, init, inputs } = folded;
    let count = init.len();
    let uses = dependencies(worker);
    let mut needed = live;
    let kept = uses_of(worker, live_roots(&worker.body));
    for (acc, needed) in needed.iter_mut().enumerate() {
        let elem = worker.params.get(count + acc).filter(|_| paired);
        *needed |=
            kept.contains(&worker.params[acc]) || elem.is_some_and(|elem| kept.contains(elem));
    }
    loop {
        let mut more = needed.clone();
        for (result, uses) in uses.iter().enumerate() {
            for (acc, more) in more.iter_mut().enumerate() {
                let elem = worker.params.get(count + acc);
                // A reduction's worker takes accumulators in the place of elements too.
                let paired = paired && elem.is_some_and(|elem| uses.contains(elem));
                if needed[result] && (uses.contains(&worker.params[acc]) || paired) {
                    *more = true;
                }
            }
        }
        if more == needed {
            break;
        }
        needed = more;
    }
    if paired && inputs.len() == count {
        let both = [needed.clone(), needed.clone()].concat();
        retain_live(&mut worker.params, &both);
        retain_live(inputs, &needed);
    } else {
        let all = vec![true; inputs.len()];
        retain_live(&mut worker.params, &[needed.clone(), all].concat());
    }
    retain_live(&mut worker.body.results, &needed);
    retain_live(init, &needed);
    needed
}

/// Drops carried values that neither the results nor the loop's condition depend on.
fn trim_loop(
    form: &mut LoopForm,
    init: &mut Vec<Atom>,
    worker: &mut Worker,
    live: Vec<bool>,
) -> Vec<bool> {
    let mut needed = live;
    let watched = uses_of(worker, live_roots(&worker.body));
    for (needed, param) in needed.iter_mut().zip(&worker.params) {
        *needed |= watched.contains(param);
    }
    if let LoopForm::While { cond } = &*form {
        let mut uses: BTreeSet<VarId> = dependencies(cond).into_iter().flatten().collect();
        uses.extend(uses_of(cond, live_roots(&cond.body)));
        for (needed, param) in needed.iter_mut().zip(&cond.params) {
            *needed |= uses.contains(param);
        }
    }
    let uses = dependencies(worker);
    let depends = |needed: &[bool], param: &VarId| {
        needed.iter().zip(&uses).any(|(&needed, uses)| needed && uses.contains(param))
    };
    loop {
        let more = needed.iter().zip(&worker.params);
        let more: Vec<_> = more.map(|(&known, param)| known || depends(&needed, param)).collect();
        if more == needed {
            break;
        }
        needed = more;
    }
    let counters = worker.params.split_off(init.len());
    retain_live(&mut worker.params, &needed);
    worker.params.extend(counters);
    retain_live(&mut worker.body.results, &needed);
    retain_live(init, &needed);
    if let LoopForm::While { cond } = form {
        retain_live(&mut cond.params, &needed);
    }
    needed
}

/// For each result of the worker, the parameters that it depends on.
fn dependencies(worker: &Worker) -> Vec<BTreeSet<VarId>> {
    let results = worker.body.results.iter();
    results.map(|&result| uses_of(worker, result.as_var().into_iter().collect())).collect()
}

/// The variables that operations use which are always kept: assertions, and operations with an effect.
fn live_roots(block: &Block) -> BTreeSet<VarId> {
    let mut uses = BTreeSet::new();
    for bind in block.binds.iter().filter(|bind| bind.op.stays()) {
        uses.extend(bind.op.operands().iter().filter_map(Atom::as_var));
        for inner in bind.op.inner() {
            inner.block.for_each_use(&mut |atom| uses.extend(atom.as_var()));
        }
    }
    uses
}

/// Adds to these variables all variables that the worker's body uses to compute them.
fn uses_of(worker: &Worker, mut uses: BTreeSet<VarId>) -> BTreeSet<VarId> {
    for bind in worker.body.binds.iter().rev() {
        if bind.vars.iter().any(|var| uses.contains(var)) {
            uses.extend(bind.op.operands().iter().filter_map(Atom::as_var));
            for inner in bind.op.inner() {
                inner.block.for_each_use(&mut |atom| uses.extend(atom.as_var()));
            }
        }
    }
    uses
}
