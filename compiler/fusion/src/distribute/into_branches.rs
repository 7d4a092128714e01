//! The consumers of an `if` over arrays in its branches, and its appends, so that each branch writes its part in place.
//!
//! Invariant: a step that moves into the branches has no effect, and cannot fail when its result is unused. An
//! assertion about the chosen arrays moves, too, since the steps behind it may read what it makes safe. Each variable
//! that is needed outside is a result of the new `if`, under its old name.
//!
//! ```text
//! a = if c then { x = map f xs; x } else { ys }; s = reduce (+) 0 a
//! ⇒ s = if c then { x = map f xs; s1 = reduce (+) 0 x; s1 } else { s2 = reduce (+) 0 ys; s2 }
//! ```

use indexmap::IndexSet;

use super::{MAX_CODE, operations};
use crate::cnf::{Atom, Bind, Block, Extent, Op, Type};
use crate::copy::Copier;
use crate::graph::repeats;
use crate::process::uses;
use crate::rematerialise::remove_unused;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;

/// The block in which the consumers of an `if` over arrays run in its branches. None if no consumer can.
pub(super) fn rewrite(block: &Block, root: usize, tables: &mut Tables) -> Option<Block> {
    let choice = &block.binds[root];
    let mut moved = moved(block, root);
    let consumes = moved.iter().any(|&at| consumes(&block.binds[at].op));
    moved.extend(producers(block, root, &moved));
    moved.sort_unstable();
    let code: usize = moved.iter().map(|&at| operations(&block.binds[at].op)).sum();
    (consumes && code <= MAX_CODE).then_some(())?;

    let is_moved = |at: &usize| moved.contains(at);
    let consumers: Vec<&Bind> = moved.iter().map(|&at| &block.binds[at]).collect();
    let stays = (0..block.binds.len()).filter(|at| *at != root && !is_moved(at));
    let mut needed: IndexSet<VarId> = block.results.iter().filter_map(Atom::as_var).collect();
    for at in stays.clone() {
        needed.extend(uses::free(&block.binds[at]));
    }
    let bound = choice.vars.iter().chain(consumers.iter().flat_map(|bind| &bind.vars));
    let vars: Vec<VarId> = bound.copied().filter(|var| needed.contains(var)).collect();
    let new = choose(choice, &consumers, vars, tables)?;

    // Bindings that do not depend on the `if` come before it, and bindings that do come after it. A check or an effect stays
    // behind each effect before it.
    let mut late: IndexSet<VarId> = new.vars.iter().copied().collect();
    let mut is_effect_late = choice.op.has_effect();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for at in stays {
        let bind = block.binds[at].clone();
        let waits = uses::free(&bind).iter().any(|used| late.contains(used));
        if at > root && (waits || (is_effect_late && bind.op.stays())) {
            late.extend(&bind.vars);
            is_effect_late |= bind.op.has_effect();
            after.push(bind);
        } else {
            before.push(bind);
        }
    }
    before.push(new);
    before.extend(after);
    Some(Block { binds: before, results: block.results.clone() })
}

/// The bindings that can run in the branches. They depend on the `if`, directly or through each other, and not on a
/// binding that depends on it and stays outside.
fn moved(block: &Block, root: usize) -> Vec<usize> {
    let mut inside: IndexSet<VarId> = block.binds[root].vars.iter().copied().collect();
    let mut outside: IndexSet<VarId> = IndexSet::new();
    let mut moved = Vec::new();
    for (at, bind) in block.binds.iter().enumerate().skip(root + 1) {
        let free = uses::free(bind);
        let depends = free.iter().any(|used| inside.contains(used));
        let waits = free.iter().any(|used| outside.contains(used));
        if depends && !waits && can_move(&bind.op) {
            inside.extend(&bind.vars);
            moved.push(at);
        } else if depends || waits {
            outside.extend(&bind.vars);
        }
    }
    moved
}

/// The producers that only bindings that move need, such as the bins of a histogram and its keys. Each branch runs its
/// own, in the pass of the consumer.
fn producers(block: &Block, root: usize, moved: &[usize]) -> Vec<usize> {
    let mut kept: IndexSet<VarId> = block.results.iter().filter_map(Atom::as_var).collect();
    let mut found = Vec::new();
    for (at, bind) in block.binds.iter().enumerate().rev() {
        if moved.contains(&at) {
            continue;
        }
        let Bind { vars, op, .. } = bind;
        let makes = (repeats(op) || op.is_combinator()) && !op.stays();
        if at != root && makes && vars.iter().all(|var| !kept.contains(var)) {
            found.push(at);
        } else {
            kept.extend(uses::free(bind));
        }
    }
    found
}

fn can_move(op: &Op) -> bool {
    let small = op.is_scalar() && op.branches().is_none();
    matches!(op, Op::Assert(_)) || ((consumes(op) || small) && !op.stays())
}

/// Whether an operation consumes arrays: a combinator, or an append, whose part a branch writes in its place.
fn consumes(op: &Op) -> bool {
    op.is_combinator() || matches!(op, Op::Append { .. })
}

/// The `if` with copies of the consumers in both branches. It binds the variables `vars`.
fn choose(
    choice: &Bind,
    consumers: &[&Bind],
    vars: Vec<VarId>,
    tables: &mut Tables,
) -> Option<Bind> {
    let Op::If { cond, then, otherwise } = &choice.op else { return None };
    let [then, otherwise] = [then, otherwise].map(|branch| {
        let mut copier = Copier::new(tables);
        for (&var, &result) in choice.vars.iter().zip(&branch.results) {
            copier.name(var, result);
        }
        let mut binds = branch.binds.clone();
        for consumer in consumers {
            let copy = copier.bind(consumer);
            match of_nothing(consumer, &copy, &mut copier) {
                Some(nothing) => binds.extend(nothing),
                None => binds.push(copy),
            }
        }
        let results = vars.iter().map(|&var| copier.substitute(Atom::Var(var))).collect();
        let mut block = Block { binds, results };
        remove_unused(&mut block);
        block
    });
    Some(Bind { op: Op::If { cond: *cond, then, otherwise }, vars, span: choice.span })
}

/// The result of a consumer of an empty array: the initial values for a fold, the other side for an append, and empty
/// arrays for other consumers.
fn of_nothing(consumer: &Bind, copy: &Bind, copier: &mut Copier<'_>) -> Option<Vec<Bind>> {
    let is_empty =
        |input: &VarId| copier.tables.vars[*input].ty.shape().first() == Some(&Extent::Const(0));
    if let Op::Append { left, right } = &copy.op {
        let mut ways = [[left, right], [right, left]].into_iter();
        let [_, rest] = ways.find(|[side, _]| side.iter().all(is_empty))?;
        for (&var, &rest) in consumer.vars.iter().zip(rest) {
            copier.name(var, Atom::Var(rest));
        }
        return Some(Vec::new());
    }
    if !copy.op.streams().iter().any(is_empty) {
        return None;
    }
    if let Op::Fold { init, .. } = &copy.op {
        for (&var, &value) in consumer.vars.iter().zip(init) {
            copier.name(var, value);
        }
        return Some(Vec::new());
    }
    let is_flat = |var: &VarId| copier.tables.vars[*var].ty.rank() == 1;
    if !copy.vars.iter().all(is_flat) {
        return None;
    }
    let empty = |&var: &VarId| {
        let elem = copier.tables.vars[var].ty.scalars();
        copier.tables.vars[var].ty = Type::Array { elem, shape: vec![Extent::Const(0)] };
        let op = Op::Array { elem, elems: Vec::new() };
        Bind { vars: vec![var], op, span: copy.span }
    };
    Some(copy.vars.iter().map(empty).collect())
}
