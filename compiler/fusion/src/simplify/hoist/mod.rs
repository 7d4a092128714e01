//! Scalars that are the same for every element are computed once, before the loop. Folds, constant arrays, and arrays
//! whose elements take long to compute also move there.
//!
//! Invariant: only operations that cannot fail are moved, since the worker may never run.
//!
//! ```text
//! map (\x -> { t = f64.sqrt n; u = x / t; u }) xs         ⇒ t = f64.sqrt n; map (\x -> { u = x / t; u }) xs
//! map (\x -> { t = reduce (+) 0 ws; u = x / t; u }) xs   ⇒ t = reduce (+) 0 ws; map (\x -> { u = x / t; u }) xs
//! ```

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
            for worker in bind.op.workers_mut() {
                for &param in &worker.params {
                    self.inside[param] = true;
                }
                if !streams {
                    self.split(&mut worker.body);
                }
                binds.extend(self.invariant(&mut worker.body, streams));
            }
            binds.push(bind);
        }
        block.binds = binds;
    }

    /// Takes the invariant bindings out of a worker's body. If its results are streams, arrays stay there.
    fn invariant(&mut self, body: &mut Block, streams: bool) -> Vec<Bind> {
        let can_move = self.can_move(body, streams);
        let wanted = self.stored_results(body, &can_move);
        let mut hoisted = Vec::new();
        for (bind, can_move) in std::mem::take(&mut body.binds).into_iter().zip(can_move) {
            let is_scalar = bind.op.is_total(&self.function.tables.vars);
            let is_wanted = bind.vars.iter().any(|var| wanted.contains(var));
            let is_cheap = is_scalar || matches!(bind.op, Op::Constant { .. });
            let outside = || !free(&bind).into_iter().any(|var| self.inside[var]);
            if can_move && (is_wanted || is_cheap && outside()) {
                self.changed = true;
                hoisted.push(bind);
                continue;
            }
            for &var in &bind.vars {
                self.inside[var] = true;
            }
            body.binds.push(bind);
        }
        hoisted
    }

    /// Whether each binding of a worker's body depends on nothing that differs between elements, and cannot fail.
    fn can_move(&self, body: &Block, streams: bool) -> Vec<bool> {
        let mut own = IndexSet::new();
        let can_move = body.binds.iter().map(|bind| {
            let differs = |var: &VarId| self.inside[*var] || own.contains(var);
            let is_array = |&var: &VarId| self.function.tables.vars[var].ty.is_array();
            let stays = streams && bind.vars.iter().any(is_array);
            let can_move = !stays
                && !free(bind).iter().any(differs)
                && self.extents.cannot_fail(&bind.op, &self.function.tables);
            if !can_move {
                own.extend(bind.vars.iter().copied());
            }
            can_move
        });
        can_move.collect()
    }

    /// The results of those bindings that take longer than to read an element of their results, and of those that these
    /// need.
    fn stored_results(&self, body: &Block, can_move: &[bool]) -> IndexSet<VarId> {
        let mut wanted = IndexSet::new();
        for (bind, _) in body.binds.iter().zip(can_move).rev().filter(|(_, can_move)| **can_move) {
            if self.is_costly(&bind.op) || bind.vars.iter().any(|var| wanted.contains(var)) {
                wanted.extend(bind.vars.iter().copied());
                wanted.extend(free(bind));
            }
        }
        wanted
    }

    /// Whether an operation has a fold, or makes an array whose elements take long to compute.
    fn is_costly(&self, op: &Op) -> bool {
        if let Op::Fold { .. } = op {
            return true;
        }
        op.is_combinator() && op.inner().iter().any(|inner| self.takes_long(inner.block))
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
