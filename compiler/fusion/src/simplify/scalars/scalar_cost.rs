//! Which combinators are unrolled.
//!
//! Invariant: unrolled code contains no loop, and its length is bounded.
//!
//! ```text
//! map f xs, xs: [3]f64   ⇒ three times what f costs
//! ```

use super::{ArrayScalariser, MAX_ELEMENTS};
use crate::cnf::{Atom, Bind, Block, Extent, Op, TripCount};
use arrc_syntax::ids::VarId;

/// The most steps that are unrolled if they read elements from memory: a longer row is worth a loop along it.
/// `scripts/bench row_sums` and `scripts/bench rotate_rows` have rows of three. In a prototype in C, sums of rows of 8
/// `f32` took 2.4 ns unrolled, and 3.4 to 3.7 as loops.
const MAX_LOADS: usize = 16;

/// Unrolled code has no more bindings. It bounds the size of the code and the time of the compiler. No benchmark shows
/// it alone.
const MAX_BINDINGS: usize = 512;

impl ArrayScalariser<'_> {
    /// How many steps a combinator has, if it should be unrolled.
    pub(super) fn unroll_count(&self, bind: &Bind) -> Option<usize> {
        if bind.vars.iter().any(|var| self.streams.contains(var)) {
            return None;
        }
        let trips = self.trips(&bind.op)?;
        (self.bindings(bind)? <= MAX_BINDINGS).then_some(trips)
    }

    /// The trip count of a combinator, if it is known and small.
    fn trips(&self, op: &Op) -> Option<usize> {
        // A combinator that makes a size, such as a filter, cannot be unrolled: the number of its results is not known.
        if !op.makes_each() && op.carried().is_none() {
            return None;
        }
        let extent = match op.steps()? {
            TripCount::Of(array) => *self.function.tables.vars[array].ty.shape().first()?,
            TripCount::Count(Atom::Const(size)) => {
                Extent::Const(i64::try_from(size.as_i128()).ok()?)
            }
            TripCount::Count(Atom::Var(_)) | TripCount::Pairs(..) => return None,
        };
        let Extent::Const(trips) = extent else { return None };
        let trips = usize::try_from(trips).ok()?;
        let is_known = |array: &VarId| self.facts.known.contains_key(array);
        let in_registers = op.streams().iter().all(is_known)
            && op.inner().into_iter().all(|inner| !loads(inner.block, &is_known));
        let most = if in_registers { MAX_ELEMENTS } else { MAX_LOADS };
        (1..=most).contains(&trips).then_some(trips)
    }

    /// How many bindings an operation becomes; nothing if a loop or a call is left, or if a copy of it would need sizes
    /// of its own.
    fn bindings(&self, bind: &Bind) -> Option<usize> {
        let Bind { vars, op, .. } = bind;
        let own = |var: &VarId| {
            self.function.tables.vars[*var].ty.shape().iter().all(|e| is_constant(*e))
        };
        if !vars.iter().all(own) || op.has_effect() {
            return None;
        }
        let trips = if op.is_combinator() { self.steps(op)? } else { 1 };
        let inner = op.inner().into_iter().map(|inner| {
            inner.params.iter().all(own).then(|| self.bindings_of(inner.block)).flatten()
        });
        let inner: usize = inner.sum::<Option<usize>>()?;
        let plain = op.is_combinator() || op.is_scalar() || is_literal(op);
        plain.then(|| trips.saturating_mul(inner.saturating_add(op.streams().len().max(1))))
    }

    /// How many steps a combinator has that can be unrolled as a part of another one.
    fn steps(&self, op: &Op) -> Option<usize> {
        self.trips(op).or_else(|| {
            // Its input may be in registers when the combinator around it is unrolled.
            let first = *op.streams().first()?;
            let Extent::Const(trips) = *self.function.tables.vars[first].ty.shape().first()? else {
                return None;
            };
            let trips = usize::try_from(trips).ok()?;
            (1..=MAX_ELEMENTS).contains(&trips).then_some(trips)
        })
    }

    fn bindings_of(&self, block: &Block) -> Option<usize> {
        block.binds.iter().map(|bind| self.bindings(bind)).sum()
    }
}

/// Whether a block reads an element of an array that is in memory.
fn loads(block: &Block, is_known: &impl Fn(&VarId) -> bool) -> bool {
    block.binds.iter().any(|bind| {
        matches!(&bind.op, Op::Index { array, .. } if !is_known(array))
            || bind.op.inner().into_iter().any(|inner| loads(inner.block, is_known))
    })
}

fn is_constant(extent: Extent) -> bool {
    matches!(extent, Extent::Const(_))
}

/// Whether an operation makes an array, or takes one apart, whose scalars are known.
fn is_literal(op: &Op) -> bool {
    op.is_view() || matches!(op, Op::Array { .. } | Op::Append { .. } | Op::Replace { .. })
}
