//! Calls of functions that append get the array to which they append their results.
//!
//! Invariant: an array that is passed to a call has no other use, unless it was made outside the append.
//!
//! ```text
//! l = f a; r = f b; z = xs ++ l ++ ys ++ r     ⇒ l = f' a xs; m = l ++ ys; z = f' b m
//! l = f a; s = sum l                           ⇒ e = []; l = f' a e; s = sum l
//! ```

use indexmap::IndexMap;

use super::fresh_variables::{AccumulatedResults, FreshVariables};
use crate::concrete;
use crate::concrete::def_use;
use crate::concrete::{Block, Ranged, Step};
use crate::memory::accumulate::topological_order::topological_order;
use arrc_fusion::cnf::{Atom, Callee, SizeDef};
use arrc_syntax::ids::VarId;
use arrc_syntax::source::Span;

/// Passes the array to append to on to the calls, in the block and its inner blocks.
pub(super) fn inside(
    block: &mut Block<Ranged>,
    accumulated: &AccumulatedResults,
    fresh: &mut FreshVariables<'_>,
) {
    for inner in block.steps.iter_mut().flat_map(Step::blocks_mut) {
        inside(inner, accumulated, fresh);
    }
    if block.steps.iter().all(|step| accumulates(step, accumulated).is_empty()) {
        return;
    }
    let chains = ChainedResults::of(block, accumulated);
    let linked = ChainLinks::default().steps(block.steps.clone(), chains, accumulated, fresh);
    block.steps = topological_order(linked, &fresh.tables.vars).unwrap_or_else(|| {
        let steps = std::mem::take(&mut block.steps);
        ChainLinks::default().steps(steps, ChainedResults::default(), accumulated, fresh)
    });
}

/// The results of a call that are appended to an array that the call gets.
fn accumulates(step: &Step<Ranged>, accumulated: &AccumulatedResults) -> Vec<usize> {
    let Step::Call { callee: Callee::Function(function), .. } = step else { return Vec::new() };
    accumulated[*function].iter().copied().collect()
}

/// The results of calls whose only use is one part of an append.
#[derive(Default)]
struct ChainedResults(Vec<VarId>);

impl ChainedResults {
    fn of(block: &Block<Ranged>, accumulated: &AccumulatedResults) -> Self {
        let mut given = IndexMap::new();
        for step in &block.steps {
            if let Step::Call { vars, .. } = step {
                let results = accumulates(step, accumulated);
                given.extend(results.into_iter().map(|at| (vars[at], (0, 0))));
            }
        }
        let mut count = |var: VarId, appended: usize| {
            if let Some((uses, appends)) = given.get_mut(&var) {
                *uses += 1;
                *appends += appended;
            }
        };
        for step in &block.steps {
            if let Step::Append { parts, .. } = step {
                parts.iter().for_each(|&part| count(part, 1));
            } else {
                def_use::uses(step).into_iter().for_each(|var| count(var, 0));
            }
        }
        block.results.iter().filter_map(Atom::as_var).for_each(|var| count(var, 0));
        let chained = given.into_iter().filter(|(_, counts)| *counts == (1, 1));
        Self(chained.map(|(var, _)| var).collect())
    }
}

/// For the results of a block's calls, the arrays that they are appended to, and their new names.
#[derive(Default)]
struct ChainLinks {
    /// The links, by the former name of the result.
    links: IndexMap<VarId, ChainLink>,
}

struct ChainLink {
    /// The array that the result is appended to. If there is none, it is appended to an empty array.
    to: Option<VarId>,
    /// The new name of the result.
    var: VarId,
}

impl ChainLinks {
    fn steps(
        mut self,
        steps: Vec<Step<Ranged>>,
        ChainedResults(chained): ChainedResults,
        accumulated: &AccumulatedResults,
        fresh: &mut FreshVariables<'_>,
    ) -> Vec<Step<Ranged>> {
        let mut done = Vec::new();
        for step in steps {
            if let Step::Append { var, parts, span, .. } = &step
                && parts.iter().any(|part| chained.contains(part))
            {
                self.append(*var, parts, *span, &chained, fresh, &mut done);
            } else {
                done.push(step);
            }
        }
        let calls = done.into_iter().flat_map(|step| self.call(step, accumulated, fresh));
        calls.collect()
    }

    /// `var = part ++ …`, where some parts are results of calls. Each of these calls appends to the parts before its
    /// result.
    fn append(
        &mut self,
        var: VarId,
        parts: &[VarId],
        span: Span,
        chained: &[VarId],
        fresh: &mut FreshVariables<'_>,
        done: &mut Vec<Step<Ranged>>,
    ) {
        let mut before = Vec::new();
        for (&part, count) in parts.iter().zip(1..) {
            if !chained.contains(&part) {
                before.push(part);
                continue;
            }
            let to = concatenation(&before, None, span, fresh, done);
            let last = count == parts.len();
            let result = if last { var } else { fresh.like(part) };
            self.links.insert(part, ChainLink { to, var: result });
            before = vec![result];
        }
        if before != [var] {
            concatenation(&before, Some(var), span, fresh, done);
        }
    }

    /// A call with the arrays that its results are appended to.
    fn call(
        &self,
        step: Step<Ranged>,
        accumulated: &AccumulatedResults,
        fresh: &mut FreshVariables<'_>,
    ) -> Vec<Step<Ranged>> {
        let results = accumulates(&step, accumulated);
        let Step::Call { forks, mut vars, callee, mut args, span } = step else {
            return vec![step];
        };
        let mut done = Vec::new();
        for at in results {
            let link = self.links.get(&vars[at]);
            let to = link.and_then(|link| link.to).unwrap_or_else(|| {
                let elem = fresh.tables.vars[vars[at]].ty.scalars();
                let var =
                    fresh.array(&fresh.tables.vars[vars[at]].ty.clone(), SizeDef::Exists, "to");
                let memory = concrete::Memory::New;
                done.push(Step::Array { var, elem, elems: Vec::new(), memory, span });
                var
            });
            args.push(Atom::Var(to));
            if let Some(link) = link {
                vars[at] = link.var;
            }
        }
        done.push(Step::Call { forks, vars, callee, args, span });
        done
    }
}

/// Adds the append of the arrays, as `var` or under a new name. None if there are no arrays.
fn concatenation(
    parts: &[VarId],
    var: Option<VarId>,
    span: Span,
    fresh: &mut FreshVariables<'_>,
    done: &mut Vec<Step<Ranged>>,
) -> Option<VarId> {
    match (parts, var) {
        ([], _) => None,
        ([only], None) => Some(*only),
        ([first, ..], _) => {
            let var = var.unwrap_or_else(|| fresh.like(*first));
            done.push(Step::appending(var, parts.to_vec(), span));
            Some(var)
        }
    }
}
