//! Removes scalars that are unused in a copied body, because only decided conditions and removed checks used them.
//!
//! Invariant: a removed step binds only unused scalars, and cannot fail.
//!
//! ```text
//! x = (\i -> { k = i - 1i32; j = i64.i32 k; bound = at + (-1); x = inside xs[bound]; yield (x) }) i
//! ⇒ x = (\i -> { bound = at + (-1); x = inside xs[bound]; yield (x) }) i
//! ```

use indexmap::IndexSet;

use crate::concrete::def_use;
use crate::concrete::{Block, Plain, Step, Stmt};
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};

/// Removes unused scalars from the workers of statements. The steps that bind the scalars `total` cannot fail.
pub(super) fn prune(
    body: &mut [Stmt<Plain>],
    vars: &PrimaryMap<VarId, Var>,
    total: &IndexSet<VarId>,
) {
    for stmt in body {
        if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
            remove(&mut worker.body, total);
            if worker.body.steps.iter().all(is_scalar) {
                block(&mut worker.body, vars);
            }
        }
    }
}

/// Removes those of some scalars that are unused, in the blocks inside too.
fn remove(this: &mut Block<Plain>, scalars: &IndexSet<VarId>) {
    if scalars.is_empty() {
        return;
    }
    for inside in this.steps.iter_mut().flat_map(Step::blocks_mut) {
        remove(inside, scalars);
    }
    let is_one =
        |step: &Step<Plain>| def_use::defines(step).iter().any(|var| scalars.contains(var));
    if !this.steps.iter().any(is_one) {
        return;
    }
    let mut used: IndexSet<VarId> = this.results.iter().filter_map(Atom::as_var).collect();
    used.extend(this.steps.iter().flat_map(def_use::uses));
    this.steps.retain(|step| {
        !is_one(step) || def_use::defines(step).iter().any(|var| used.contains(var))
    });
}

/// Whether a worker of a statement needs a scalar that is bound in it, or in the loop of a pass in it.
pub(super) fn needs(stmt: &Stmt<Plain>, var: VarId, vars: &PrimaryMap<VarId, Var>) -> bool {
    let (Stmt::Apply { worker, .. } | Stmt::Update { worker, .. }) = stmt else { return false };
    let mut kept = worker.body.clone();
    block(&mut kept, vars);
    kept.steps.iter().any(|step| {
        let mut is_inside = false;
        if let Step::Pass(pass) = step {
            pass.nest.for_each_stmt(&mut |stmt| is_inside |= needs(stmt, var, vars));
        }
        is_inside || def_use::defines(step).contains(&var)
    })
}

fn block(this: &mut Block<Plain>, vars: &PrimaryMap<VarId, Var>) {
    let mut used: IndexSet<VarId> = this.results.iter().filter_map(Atom::as_var).collect();
    let mut kept = Vec::with_capacity(this.steps.len());
    for step in std::mem::take(&mut this.steps).into_iter().rev() {
        let needed = def_use::defines(&step).iter().any(|var| used.contains(var));
        if needed || !step.is_pure(vars) {
            used.extend(def_use::uses(&step));
            kept.push(step);
        }
    }
    kept.reverse();
    this.steps = kept;
}

fn is_scalar(step: &Step<Plain>) -> bool {
    matches!(
        step,
        Step::Scalar { .. }
            | Step::Index { .. }
            | Step::Length { .. }
            | Step::Assert { .. }
            | Step::If { .. }
    )
}
