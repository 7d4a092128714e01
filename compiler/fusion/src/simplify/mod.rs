//! Makes normal form smaller without changing its meaning.
//!
//! Each rewrite has its own file, with an example before and after it. The rewrites run in turn until none finds
//! anything more.
//!
//! Invariant: the results stay the same, bit by bit, for every argument on which the program does not
//! fail. Unused values are not computed, even if that would fail: a division by zero
//! with an unused quotient is no error, as in Futhark.

mod bins;
mod clamps;
mod coercions;
mod columns;
mod conditional_updates;
mod conditions;
mod constant_folding;
mod copies;
mod cse;
mod dead;
mod delinearise;
mod element_loops;
mod extents;
mod extremes;
mod functions;
mod hoist;
mod independent_loops;
mod inputs;
mod iotas;
mod positions;
mod reductions_of_rows;
mod replicas;
mod scalars;
mod substitution;
#[cfg(test)]
mod tests;
mod transpositions;
mod unneeded_branches;

pub(crate) use constant_folding::inverse;
pub use cse::same_worker;
pub(crate) use dead::sweep;
pub use scalars::ExecutionFrequency;

use crate::cnf::{Block, Function, Program};
use crate::tables::Tables;
use arrc_syntax::names::Name;

/// How often the rewrites run at most. Each round but the last makes the program smaller; deep chains of consequences
/// are rare, and to leave the rest of one is correct.
const MAX_ROUNDS: usize = 20;

/// A rewrite of a function: says whether it changed anything.
pub type Rewrite = fn(&mut Function) -> bool;

/// The rewrites that run in turn, by name. Folding comes first, because constant conditions and equal operands
/// show what others can do; removal comes last, because it removes what the others leave behind.
pub const REWRITES: [(&str, Rewrite); 13] = [
    ("fold", constant_folding::fold),
    ("clamps", clamps::narrow),
    ("branch", unneeded_branches::branches),
    ("conditions", conditions::join),
    ("copies", copies::forward),
    ("coercions", coercions::hoist),
    ("cse", cse::merge),
    ("loops", independent_loops::parallelise),
    ("delinearise", delinearise::delinearise),
    ("positions", positions::stream),
    ("replicas", replicas::spread),
    ("inputs", inputs::trim),
    ("dead", dead::remove),
];

/// The rewrites that run once, when the others find nothing more: their results are simplified again.
/// Hoisting comes late, so that it moves simplified code out of workers.
pub const LATE: [(&str, Rewrite); 6] = [
    ("columns", columns::interchange),
    ("elements", element_loops::interchange),
    ("scalars", scalars::scalarise),
    ("rows", reductions_of_rows::reduce),
    ("hoist", hoist::hoist),
    ("choices", conditional_updates::part),
];

/// Simplifies a program.
#[must_use]
pub fn simplify(program: Program) -> Program {
    let mut program = program;
    for function in program.functions.values_mut() {
        run_to_fixpoint(function);
        for (_, rewrite) in LATE {
            if rewrite(function) {
                run_to_fixpoint(function);
            }
        }
        iotas::give_own(function);
    }
    functions::drop_unreachable(program)
}

/// Simplifies a block inside a function, after the block around it is fused. Fusion may have joined several workers
/// into one, which then computes some values twice. The tables are those of the function.
#[must_use]
pub fn simplify_fused(block: Block, runs: ExecutionFrequency, tables: &mut Tables) -> Block {
    let Some(first) = block.binds.first() else { return block };
    let mut function = Function {
        name: Name::new("joined"),
        span: first.span,
        params: Vec::new(),
        owned: Vec::new(),
        body: block,
        results: Vec::new(),
        tables: std::mem::take(tables),
        recursive: false,
    };
    run_to_fixpoint(&mut function);
    if scalars::scalarise_at(&mut function, runs) {
        run_to_fixpoint(&mut function);
    }
    iotas::give_own(&mut function);
    *tables = function.tables;
    function.body
}

/// Repeats the rewrites until none changes anything: a fixpoint, or the bound on rounds.
fn run_to_fixpoint(function: &mut Function) {
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for (_, rewrite) in REWRITES {
            changed |= rewrite(function);
        }
        if !changed {
            return;
        }
    }
}
