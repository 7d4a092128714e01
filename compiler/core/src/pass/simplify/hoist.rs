//! Scalars that are the same for every element are computed once, before the loop. Constant arrays also move there.
//!
//! Invariant: only operations that cannot fail are moved, since the worker may never run.
//!
//! ```text
//! map (\x -> { t = f64.sqrt n; u = x / t; u }) xs   ⇒ t = f64.sqrt n; map (\x -> { u = x / t; u }) xs
//! ```

use crate::ids::{SecondaryMap, VarId};
use crate::ir::cnf::{Atom, Bind, Block, Function, Kind, Op};

/// Moves invariant scalars out of workers; says whether anything changed.
pub(super) fn hoist(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut hoister = Hoister { function, inside: SecondaryMap::new(), changed: false };
    hoister.block(&mut body);
    let changed = hoister.changed;
    function.body = body;
    changed
}

struct Hoister<'a> {
    function: &'a Function,
    /// The variables that the worker at hand binds.
    inside: SecondaryMap<VarId, bool>,
    changed: bool,
}

impl Hoister<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut binds = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            // A flatmap streams the literals that its worker yields.
            let streams = bind.op.kind().is_some_and(Kind::expands);
            for worker in bind.op.workers_mut() {
                for &param in &worker.params {
                    self.inside[param] = true;
                }
                binds.extend(self.invariant(&mut worker.body, streams));
            }
            binds.push(bind);
        }
        block.binds = binds;
    }

    /// Takes the invariant bindings out of a worker's body; constant arrays stay there if its results are streams.
    fn invariant(&mut self, body: &mut Block, streams: bool) -> Vec<Bind> {
        let mut hoisted = Vec::new();
        for bind in std::mem::take(&mut body.binds) {
            let outside = bind.op.operands().into_iter().all(|operand| match operand {
                Atom::Const(_) => true,
                Atom::Var(var) => !self.inside[var],
            });
            let stays = streams && matches!(bind.op, Op::Constant(_));
            if outside && !stays && self.is_safe(&bind.op) {
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

    /// A scalar operation that cannot fail and has no blocks, or a constant array.
    fn is_safe(&self, op: &Op) -> bool {
        matches!(op, Op::Constant(_)) || op.is_total(|x| self.function.type_of(x).as_scalar())
    }
}
