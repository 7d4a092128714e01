//! Appends of appends are one append, which copies each element once.
//!
//! Invariant: an array that has other uses is still made.
//!
//! ```text
//! t = a ++ b; u = t ++ c; v = u ++ d   ⇒   v = a ++ b ++ c ++ d     if t and u are used nowhere else
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::concrete::def_use;
use crate::concrete::{Block, Plain, Step};
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;

/// Joins the appends of a block, but not those of the blocks inside it.
pub(super) fn join(block: Block<Plain>) -> Block<Plain> {
    // Without two appends there are no uses to look for, and branches may be nested deeply.
    if block.steps.iter().filter(|step| matches!(step, Step::Append { .. })).count() < 2 {
        return block;
    }
    let appended = appended_only(&block);
    let mut parts_of = IndexMap::new();
    let mut steps = Vec::new();
    for step in block.steps {
        let Step::Append { var, extends: None, parts, span, .. } = step else {
            steps.push(step);
            continue;
        };
        let parts = parts
            .into_iter()
            .flat_map(|part| parts_of.swap_remove(&part).unwrap_or_else(|| vec![part]));
        let parts = parts.collect::<Vec<_>>();
        if appended.contains(&var) {
            parts_of.insert(var, parts);
        } else {
            steps.push(Step::appending(var, parts, span));
        }
    }
    Block { steps, results: block.results }
}

/// The results of appends whose only use is one append.
fn appended_only(block: &Block<Plain>) -> IndexSet<VarId> {
    let mut once = IndexSet::new();
    let mut others = IndexSet::new();
    let mut made = IndexSet::new();
    for step in &block.steps {
        if let Step::Append { var, parts, .. } = step {
            made.insert(*var);
            others.extend(parts.iter().copied().filter(|part| !once.insert(*part)));
        } else {
            others.extend(def_use::uses(step));
        }
    }
    others.extend(block.results.iter().filter_map(|result| match result {
        Atom::Const(_) => None,
        Atom::Var(var) => Some(*var),
    }));
    once.retain(|part| made.contains(part) && !others.contains(part));
    once
}
