//! The effects of calls: a function has the effects of the functions that it calls.
//!
//! Effects of functions are known only when all functions are built or read, so one pass over the program marks the
//! calls.
//!
//! Invariant: a call has an effect if and only if its callee has one. A reduction whose operator has an effect
//! becomes a fold, since a reduction may regroup.
//!
//! ```text
//! #[effect(io)] external log (x: i64): ()
//! def down (n: i64): () = if n == 0 then () else let () = log n in down (n - 1)
//! ⇒ the call of `down` has an effect, since the call of `log` has one
//! ```

use super::{Block, Callee, FoldOrder, Function, Op};
use arrc_front::effect::Effect;
use arrc_syntax::ids::{FuncId, PrimaryMap, SecondaryMap};

/// Marks the effect of each call.
pub(crate) fn mark_effects(functions: &mut PrimaryMap<FuncId, Function>) {
    let effects = effects(functions);
    for function in functions.values_mut() {
        mark_block(&mut function.body, &effects);
    }
}

/// The effects of the functions. A function has an effect if it calls a function that has one.
fn effects(functions: &PrimaryMap<FuncId, Function>) -> SecondaryMap<FuncId, Effect> {
    let mut effects: SecondaryMap<FuncId, Effect> = SecondaryMap::new();
    loop {
        let mut changed = false;
        for (id, function) in functions {
            let mut found = Effect::Pure;
            function.body.for_each_op(&mut |op| {
                if let Op::Call { callee, effect, .. } = op {
                    found = found.max(match callee {
                        Callee::Function(callee) => effects[*callee],
                        Callee::External(_) => *effect,
                    });
                }
            });
            changed |= found != effects[id];
            effects[id] = found;
        }
        if !changed {
            return effects;
        }
    }
}

fn mark_block(block: &mut Block, effects: &SecondaryMap<FuncId, Effect>) {
    for bind in &mut block.binds {
        if let Op::Call { callee: Callee::Function(callee), effect, .. } = &mut bind.op {
            *effect = effects[*callee];
        }
        for inner in bind.op.blocks_mut() {
            mark_block(inner, effects);
        }
        if let Op::Fold { order, worker, .. } = &mut bind.op
            && worker.body.has_effect()
        {
            *order = FoldOrder::Strict;
        }
    }
}
