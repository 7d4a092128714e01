//! The means by which a pass runs in vectors, according to its plan.
//!
//! Invariant: the notes come from the same functions that decide the lowering.
//!
//! ```text
//! guard (j) c with p { writeVecI j ys x }, AVX2   ⇒   Kept(Words), Around
//! ```

use std::collections::BTreeSet;

use arrc_loops::concrete::{Guard, Nest, Stmt};

use super::compaction::mover;
use super::divide::divides_lanes;
use super::last_vector_first::computes_last_first;
use super::masked_guards::is_worth_a_branch;
use super::plan::{Plan, Role};
use super::profitability::changes_row;
use super::shape::shorter;
use super::store_coalescing::coalesces_stores;
use crate::loops::pass::{Pass, Steps};
use crate::note::Technique;
use crate::target::isa::Isa;

/// The techniques of a pass with that plan.
pub(super) fn techniques(
    plan: &Plan,
    run: Steps<'_, '_>,
    pass: &Pass<'_, '_, '_, '_>,
) -> BTreeSet<Technique> {
    let mut means = BTreeSet::new();
    if !plan.streams.is_empty() {
        means.insert(Technique::Streams);
    }
    if !plan.gains {
        return means;
    }
    let facts = &plan.facts;
    let isa = pass.body.code.unit.isa;
    let is_ahead = computes_last_first(facts, run, pass.level);
    let said = [
        (facts.loops && facts.widest_carried > 0, Technique::Loops),
        (facts.loops && facts.widest_carried == 0, Technique::ShortRows),
        (facts.scattered, Technique::Indices),
        (!facts.divisors.is_empty(), Technique::Reciprocals),
        (facts.divides && divides_lanes(isa), Technique::Doubles),
        (facts.has(|role| role == Role::Choice), Technique::Choices),
        (facts.has(Role::is_scan), Technique::Scans),
        (!facts.behind.is_empty(), Technique::Behind),
        (facts.deferred.is_some(), Technique::Strips),
        (facts.tiled, Technique::Tiles),
        (is_ahead, Technique::Ahead),
        (plan.has_rest && !is_ahead, Technique::Rest),
        (shorter(plan, changes_row(&plan.facts, run, pass.level)).is_some(), Technique::Shorter),
    ];
    means.extend(said.into_iter().filter(|(holds, _)| *holds).map(|(_, means)| means));
    for guard in run.inner.iter().flat_map(guards) {
        of_guard(guard, plan, pass, &mut means);
    }
    means
}

fn of_guard(
    guard: &Guard,
    plan: &Plan,
    pass: &Pass<'_, '_, '_, '_>,
    means: &mut BTreeSet<Technique>,
) {
    let isa: Isa = pass.body.code.unit.isa;
    if plan.facts.deferred.as_ref().is_some_and(|deferred| deferred.counter == guard.counter) {
        return;
    }
    for stmt in &guard.body {
        if let Stmt::Write { vec, .. } = stmt {
            let (elem, _) = pass.body.array_type(*vec);
            means.insert(Technique::Kept(mover(isa, plan.lanes * elem.bytes())));
        }
    }
    if is_worth_a_branch(guard, plan) {
        means.insert(Technique::Around);
    }
    if coalesces_stores(plan, isa, &guard.body) {
        means.insert(Technique::Together);
    }
    guard.inner.iter().flat_map(guards).for_each(|inner| of_guard(inner, plan, pass, means));
}

/// The outermost guards of a nest.
fn guards(nest: &Nest) -> Vec<&Guard> {
    match nest {
        Nest::Guard(guard) => vec![guard],
        Nest::Loop(inner) => inner.inner.iter().flat_map(guards).collect(),
    }
}
