//! Two `if`s with one condition become one, if their branches have loops over the same arrays.
//!
//! A branch is a block of its own. In one block, the loops of both `if`s are clustered together, and common
//! subexpressions are computed once.
//!
//! Invariant: the second `if` uses nothing that is bound since the first, so that it could as well run there;
//! neither has an effect.
//!
//! ```text
//! s = if c then { reduce (+) 0 xs } else { 0 }; p = if c then { reduce (*) 1 xs } else { 1 }
//! ⇒ s, p = if c then { s = reduce (+) 0 xs; p = reduce (*) 1 xs; s, p } else { 0, 1 }
//! ```

use indexmap::IndexSet;

use crate::cnf::{Bind, Block, Function, Op, Var};
use crate::process::uses;
use arrc_syntax::ids::{PrimaryMap, VarId};

/// Joins `if`s with one condition; says whether there were any.
pub(super) fn join(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let changed = block(&mut body, &function.tables.vars);
    function.body = body;
    changed
}

fn block(this: &mut Block, vars: &PrimaryMap<VarId, Var>) -> bool {
    let mut changed = false;
    let mut done: Vec<Bind> = Vec::with_capacity(this.binds.len());
    for mut bind in std::mem::take(&mut this.binds) {
        for inner in bind.op.blocks_mut() {
            changed |= block(inner, vars);
        }
        match join_candidate(&done, &bind, vars) {
            Some(place) => {
                append(&mut done[place], bind);
                changed = true;
            }
            None => done.push(bind),
        }
    }
    this.binds = done;
    changed
}

/// The place of the `if` that this one can be joined with.
fn join_candidate(done: &[Bind], bind: &Bind, vars: &PrimaryMap<VarId, Var>) -> Option<usize> {
    let condition = |op: &Op| if let Op::If { cond, .. } = op { Some(*cond) } else { None };
    let same = |earlier: &Bind| condition(&earlier.op) == condition(&bind.op);
    // The blocks of an `if` may be nested deeply, so they are read only if another `if` has the same condition.
    if condition(&bind.op).is_none() || !done.iter().any(same) || !has_loops(bind) {
        return None;
    }
    let used = uses::free(bind);
    for (place, earlier) in done.iter().enumerate().rev() {
        // The `if` must not use variables that are bound between the two.
        if earlier.vars.iter().any(|var| used.contains(var)) {
            return None;
        }
        if same(earlier) && has_loops(earlier) && shares_array(&used, &uses::free(earlier), vars) {
            return Some(place);
        }
    }
    None
}

/// Whether it is an `if` with loops in its branches and without an effect.
fn has_loops(bind: &Bind) -> bool {
    matches!(bind.op, Op::If { .. }) && !bind.op.is_scalar() && !bind.op.has_effect()
}

fn shares_array(
    used: &IndexSet<VarId>,
    other: &IndexSet<VarId>,
    vars: &PrimaryMap<VarId, Var>,
) -> bool {
    used.iter().any(|var| other.contains(var) && vars[*var].ty.is_array())
}

/// Makes the second `if` part of the first.
fn append(first: &mut Bind, second: Bind) {
    let (Op::If { then, otherwise, .. }, Op::If { then: also_then, otherwise: also_otherwise, .. }) =
        (&mut first.op, second.op)
    else {
        panic!("only `if`s are joined")
    };
    for (block, also) in [(then, also_then), (otherwise, also_otherwise)] {
        block.binds.extend(also.binds);
        block.results.extend(also.results);
    }
    first.vars.extend(second.vars);
}
