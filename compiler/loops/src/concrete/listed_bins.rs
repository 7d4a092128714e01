//! Bins whose changes can be listed, and made later.
//!
//! Invariant: each step changes one bin at most, and nothing else of the pass is combined.
//!
//! ```text
//! \bins i x -> { t = bins[i]; u = t + x; bins2 = bins with [i] = u; yield bins2 }   ⇒ the list of all (i, x)
//! ```

use std::collections::BTreeSet;

use arr_abi::layout;

use super::bins::Bins;
use super::combiners::Combiners;
use super::phase::Phase;
use super::program::{Block, Nest, Procedure, Stmt};
use super::step::Step;
use arrc_fusion::cnf::{Atom, Extent, Type};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar};

/// An array of bins whose changes can be listed, and made later: each step changes one bin at most.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedBins {
    /// The array.
    pub bins: Bins,
    /// The neutral element of its operation.
    pub neutral: Const,
    /// The variables that hold the array in the steps.
    pub arrays: BTreeSet<VarId>,
}

impl<P: Phase> Procedure<P> {
    /// The bins of the pass, if their changes can be listed, and made later, and nothing else is combined.
    #[must_use]
    pub fn listed(&self, combiners: &Combiners<'_, P>) -> Option<ListedBins> {
        let Combiners { joins, filled, scans, bins } = combiners;
        let &[bins] = bins.as_slice() else { return None };
        let is_alone = joins.is_empty() && filled.is_empty() && scans.is_empty();
        let has_loops = !self.nest.ranges.is_empty() || self.nest.inner.iter().any(has_loops);
        let Type::Array { elem, shape } = &self.accs[bins.acc].ty else { return None };
        // The runtime runs some steps twice.
        let overwrites = self.overwrites().next().is_some();
        if !is_alone || has_loops || overwrites || shape.len() != 1 {
            return None;
        }
        let is_small = |count: i64| {
            let bytes = count.unsigned_abs().saturating_mul(elem.bytes().into());
            bytes < layout::Bins::LISTED
        };
        if matches!(shape[..], [Extent::Const(count)] if is_small(count)) {
            return None;
        }
        let neutral = neutral_const(bins.op, *elem)?;
        let (mut arrays, mut changes) = (BTreeSet::new(), 0);
        self.nest.for_each_stmt(&mut |stmt| {
            let Stmt::Update { accs, worker, .. } = stmt else { return };
            let params = accs.iter().zip(&worker.params);
            let own = params.filter(|(acc, _)| **acc == bins.acc).map(|(_, &param)| param);
            arrays.extend(own);
            changes += changes_in(&worker.body, &mut arrays);
        });
        (changes == 1).then_some(ListedBins { bins, neutral, arrays })
    }
}

/// The integer or truth value that an operation combines with any other one without changing that.
fn neutral_const(op: BinOp, ty: Scalar) -> Option<Const> {
    if ty.is_float() {
        return None;
    }
    if op == BinOp::Or {
        return Some(Const { ty, bits: 0 });
    }
    if op == BinOp::And {
        let is_truth = ty == Scalar::Bool;
        return Some(if is_truth { Const::bool(true) } else { Const::int(ty, -1) });
    }
    op.row().neutral.map(|neutral| neutral.of(ty))
}

fn has_loops<P: Phase>(nest: &Nest<P>) -> bool {
    match nest {
        Nest::Loop(_) => true,
        Nest::Guard(guard) => guard.inner.iter().any(has_loops),
    }
}

/// How many steps of a block change an element of the arrays. Adds the variables that hold the arrays afterwards.
fn changes_in<P: Phase>(block: &Block<P>, arrays: &mut BTreeSet<VarId>) -> usize {
    let mut changes = 0;
    for step in &block.steps {
        if let Step::Replace { var, array, .. } = step
            && arrays.contains(array)
        {
            arrays.insert(*var);
            changes += 1;
        }
        if let Step::If { vars, then, otherwise, .. } = step {
            changes += changes_in(then, arrays) + changes_in(otherwise, arrays);
            for (&var, result) in vars.iter().zip(&then.results) {
                if matches!(result, Atom::Var(result) if arrays.contains(result)) {
                    arrays.insert(var);
                }
            }
        }
    }
    changes
}
