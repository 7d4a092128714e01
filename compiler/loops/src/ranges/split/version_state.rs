//! The state of a copy of a loop's body: the facts around the loop, the names and the values of the copied variables,
//! and the demands on the steps of the range.
//!
//! Invariant: the state has the values of variables under their old names. It is below the files that copy: each of
//! them adds methods to [`Version`], and none needs another one's file for the state.

use indexmap::{IndexMap, IndexSet};

use super::bounds::Bounds;
use super::likely::{Guess, LikelyValues, SplitSide};
use crate::concrete::{Nest, Plain, Ranged, Step, Stmt};
use crate::ranges::facts::IntegerFacts;
use crate::ranges::split::grids::{CurrentVariant, Remainders};
use crate::ranges::split::paths::DecisionPath;
use crate::ranges::split::speculative_reads::SpeculativeReads;
use crate::ranges::sums::Sum;
use arrc_fusion::cnf::{Atom, SizeInfo, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::prim::BinOp;
use arrc_syntax::source::Span;

/// The facts around a loop.
#[derive(Clone, Copy)]
pub(super) struct LoopFacts<'a> {
    pub(super) likely: &'a LikelyValues,
    pub(super) facts: &'a IntegerFacts,
    /// Variables that are certainly in scope.
    pub(super) scope: &'a IndexSet<VarId>,
    pub(super) sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// The rows that branches read (`rows`).
    pub(super) rows: &'a IndexSet<VarId>,
    /// How many of the variables in scope are bound before the current step of the loop around; all, if there is none.
    pub(super) before_step: usize,
}

/// A body that is being copied. Variables are looked up under their old names.
pub(super) struct Version<'a> {
    pub(super) vars: &'a mut PrimaryMap<VarId, Var>,
    pub(super) known: LoopFacts<'a>,
    /// The loop's counter, which keeps its name.
    pub(super) counter: VarId,
    /// How many steps the loop is likely to have.
    pub(super) length: Guess,
    /// The atoms that replace the body's variables in the copy.
    pub(super) names: IndexMap<VarId, Atom>,
    /// Their values in terms of the counter and of values that are known before the loop.
    pub(super) forms: IndexMap<VarId, Sum>,
    /// The quotients among them that are rounded down, each as its number and its divisor.
    pub(super) quotients: IndexMap<VarId, (Atom, i64)>,
    /// The variables whose forms are computed from numbers narrower than `i64`.
    pub(super) narrowed: IndexSet<VarId>,
    /// The comparisons of the body and their conjunctions. An assertion may be about them.
    pub(super) tests: IndexMap<VarId, (BinOp, [Atom; 2])>,
    /// The conditions of assertions that indices are in bounds, and the parts of these conditions.
    pub(super) asserted: IndexSet<VarId>,
    /// The comparisons that are copied with the operation that needs them.
    pub(super) operands: DelayedComparisons,
    /// Whether the loop has no other one in its steps, and no guard.
    pub(super) flat: bool,
    /// A variable with the value of the counter, if the copy needs one.
    pub(super) here: Option<VarId>,
    /// The reads that may run before the branches around them.
    pub(super) early: SpeculativeReads,
    /// The variables that the copy has bound so far.
    pub(super) inside: IndexSet<VarId>,
    /// The extents of arrays, which are read before the loop.
    pub(super) extents: IndexMap<SizeId, VarId>,
    /// Code before the loop.
    pub(super) before: Vec<Step<Ranged>>,
    pub(super) bounds: Bounds,
    /// Whether anything is simpler in the copy.
    pub(super) gains: bool,
    /// Whether the outcome of a condition is decided that differs in some steps.
    pub(super) has_edges: bool,
    /// Whether an index is in bounds in the copy that each step of the body checks.
    pub(super) reads_inside: bool,
    /// Whether an index is still checked in the copy.
    pub(super) still_checks: bool,
    /// Whether a condition that is known before the loop decides an outcome together with one that the copy decides.
    pub(super) is_decided_before: bool,
    /// Whether the copy computes what the body does.
    pub(super) is_legal: bool,
    /// The decisions of comparisons without a likelier side. Without a path, such comparisons stay.
    pub(super) path: Option<&'a mut DecisionPath>,
    /// The sides of their split points on which comparisons were decided.
    pub(super) sides: IndexMap<VarId, SplitSide>,
    /// The remainders of the body, which variants could determine.
    pub(super) grids: Remainders,
    /// The variant that is being copied, if steps take several cyclically.
    pub(super) current_variant: Option<CurrentVariant>,
    /// The number of branches and loops around the current place that may not run.
    pub(super) depth: usize,
    /// How many steps of blocks have been copied.
    pub(super) copied: usize,
    /// Where something stands that is simpler.
    pub(super) span: Option<Span>,
}

/// The comparisons of the body that one conjunction or disjunction uses, and nothing else.
#[derive(Default)]
pub(super) struct DelayedComparisons {
    /// `None` stands for a comparison that the copy has not reached yet. Others were put off.
    pub(super) waiting: IndexMap<VarId, Option<Comparison>>,
}

pub(super) type Comparison = (BinOp, [Atom; 2], Span);

/// The content of a step: its statements, and the loops and guards behind them.
pub(super) type CopiedBody = (Vec<Stmt<Plain>>, Vec<Nest<Plain>>);
