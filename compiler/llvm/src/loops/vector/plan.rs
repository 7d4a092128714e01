//! How a pass runs in vectors of our own.
//!
//! Invariant: the facts on an accumulator, a divisor or a position hold in every step of the loop. The facts come from
//! [`super::legality`], the decision whether the plan gains from [`super::profitability`], and everything else from
//! [`super::shape`].
//!
//! ```text
//! s := max s x; guard (j) c with p { writeVecI j ys x }   ⇒  8 lanes, 2 vectors a step; s: Each(Max), c: Counter
//! ```

use std::collections::{BTreeMap, BTreeSet};

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Length, Stmt};
use arrc_syntax::ids::{AccId, SecondaryMap, VarId};
use arrc_syntax::prim::{BinOp, Scalar};

use super::deferred_guards::DeferredInputs;
use crate::loops::scalar::strip_buffers::DeferredGuard;

/// How a pass runs in vectors.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The facts on its loop.
    pub(super) facts: LoopFacts,
    /// Elements in a vector.
    pub(super) lanes: u32,
    /// Vectors in a step of the loop.
    pub(super) parts: u32,
    /// The steps that remain after whole vector steps run in single vectors.
    pub(super) has_rest: bool,
    /// The loop is worth running in vectors of ours, since LLVM would not vectorise it as well.
    pub(super) gains: bool,
    /// The vectors that may be written past the caches.
    pub(super) streams: Vec<VarId>,
}

/// The properties of a loop that can run in vectors, as legality finds them.
#[derive(Clone, Default, Debug)]
pub(super) struct LoopFacts {
    /// The lanes of each step, if a step contains a loop with a small bounded trip count.
    pub(super) inner_lanes: Option<u32>,
    /// The roles of the accumulators.
    pub(super) roles: SecondaryMap<AccId, Option<Role>>,
    /// The divisors that are the same in all steps.
    pub(super) divisors: BTreeSet<VarId>,
    /// Integers are divided in a way for which LLVM goes lane by lane: by another divisor in each step, or 64 bits by a
    /// constant.
    pub(super) divides: bool,
    /// The arrays that are read anywhere.
    pub(super) gathered: BTreeSet<VarId>,
    /// Some of them are read where the position jumps.
    pub(super) jumps: bool,
    /// Some of them are read at positions that are elements.
    pub(super) scattered: bool,
    /// A step reads several elements of an array, each at a distance from its own position.
    pub(super) neighbours: bool,
    /// Steps read elements of columns, and compute what takes long one step at a time.
    pub(super) columns: bool,
    /// An accumulator begins anew in some steps.
    pub(super) segmented: bool,
    /// The flags of the variables that are 1 where their flag holds, and 0 elsewhere.
    pub(super) flags: BTreeMap<VarId, Atom>,
    /// The variables that are the position, moved.
    pub(super) moving: BTreeMap<VarId, Stride>,
    /// The widest element, in bytes.
    pub(super) widest: u32,
    /// A step has loops of its own, which run across lanes.
    pub(super) loops: bool,
    /// The arrays that each step has for itself.
    pub(super) locals: Vec<LocalArrayType>,
    /// The arrays of the step, by their variables.
    pub(super) arrays: BTreeMap<VarId, StepArray>,
    /// The parts of arrays that steps and their loops go through.
    pub(super) array_parts: Vec<ArrayPart>,
    /// The reductions of whole rows.
    pub(super) row_reductions: RowReductions,
    /// The local arrays that have the elements of rows, by the rows' matrices: a loop in the step reads the elements
    /// often.
    pub(super) copies: BTreeMap<VarId, usize>,
    /// The widest scalar that differs between lanes in these loops, in bytes.
    pub(super) widest_carried: u32,
    /// The operations on lanes outside of these loops.
    pub(super) operations: u32,
    /// What these loops compute in an iteration: the more it is, the fewer steps they run at once.
    pub(super) inner_loops: InnerLoopCosts,
    /// Several rows are made at once, so that their values fill the registers.
    pub(super) in_rows: bool,
    /// The values that these loops carry and that are the same in all lanes.
    pub(super) uniform: BTreeSet<VarId>,
    /// A part is an element of the left array of a `cross`.
    pub(super) tiled: bool,
    /// Elements are stored where a flag holds.
    pub(super) compacts: bool,
    /// The vectors that each step writes at its own position, except those that are written over an array.
    pub(super) written: Vec<VarId>,
    /// The inner guards that are deferred, by the outer guard's counter.
    pub(super) behind: BTreeMap<AccId, DeferredInputs>,
    /// The guard that runs behind strips of vectors.
    pub(super) deferred: Option<DeferredGuard>,
    /// The bytes that a step reads and writes at most, of arrays that it goes through.
    pub(super) traffic: u32,
    /// The least or greatest floats are looked for, for which LLVM takes many instructions.
    pub(super) extremes: bool,
    /// 64-bit integers become floats, or the reverse, which LLVM does lane by lane.
    pub(super) halves: bool,
    /// Something may fail.
    pub(super) may_fail: bool,
    /// An operation on 64-bit integers takes many instructions in vectors.
    pub(super) is_slow: bool,
    /// The widest element, without the positions that only tell where arrays are read.
    pub(super) widest_value: u32,
    /// The steps store elements at their own positions, combine elements exactly, and do nothing else. They may run in
    /// any order. A vector may overlap another one, if it combines no element twice.
    pub(super) repeats: bool,
}

/// What the loops of a step compute in an iteration.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct InnerLoopCosts {
    /// The operations on lanes, in all loops together.
    pub(super) operations: u32,
    /// The values that these operations make, which need registers.
    pub(super) values: u32,
    /// The stores to local arrays at indices that differ between lanes.
    pub(super) stores: u32,
    /// The values that differ between lanes and that a loop hands to its next iteration, at most.
    pub(super) carried: u32,
    /// Lanes may run different numbers of iterations, or branches of their own.
    pub(super) diverges: bool,
}

impl InnerLoopCosts {
    /// The most values with which four registers each stay in registers. `scripts/bench horner_f64`
    /// has such a loop. With four registers, a polynomial of degree 11 takes 1.02 of the time of C, and 1.35 with two
    /// (least times, AVX2, loaded machine). A loop of a root and a quotient takes 0.75 of the time with two (AVX2, medians).
    /// The limits were not measured by themselves.
    const FEW_VALUES: u32 = 12;
    /// The most carried values with which they do. `scripts/bench paths_f64` carries two. Not measured by itself.
    const FEW_CARRIED: u32 = 2;
    /// The operations on a vector that save as much as picking the lanes of a store apart costs. A slow one counts as
    /// several. Measured on AVX-512: with 6 and 12 operations for a store, lanes took 1.8 times as long as one step at
    /// a time, with 15 two fifths. No benchmark shows it alone: it was a histogram of 16 bins for each short row.
    const OPERATIONS_OF_STORE: u32 = 13;

    /// Whether iterations mostly store lanes one by one. The loop of one step alone takes an instruction or two for
    /// such a store.
    pub(super) fn mostly_store(self) -> bool {
        self.operations < self.stores * Self::OPERATIONS_OF_STORE
    }

    /// Whether an iteration is so short that it mostly waits for the one before.
    pub(super) fn are_short(self) -> bool {
        !self.diverges && self.values <= Self::FEW_VALUES && self.carried <= Self::FEW_CARRIED
    }
}

/// An array that each step has for itself.
#[derive(Clone, Debug)]
pub(super) struct LocalArrayType {
    pub(super) elem: Scalar,
    pub(super) length: LocalLength,
}

/// How long a local array is, in each step.
#[derive(Clone, Debug)]
pub(super) enum LocalLength {
    /// That is known before the loop.
    Known(Length),
    /// As long as the rows of a matrix.
    Row(VarId),
    /// That is a constant.
    Constant(u32),
}

/// An array of the step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepArray {
    /// The local array of that number.
    Local(usize),
    /// The step's row of a matrix.
    Row(VarId),
    /// The part of an array of that number.
    Part(usize),
}

/// A part of an array with more dimensions: the elements whose first indices are these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ArrayPart {
    pub(super) array: VarId,
    pub(super) at: Vec<Atom>,
}

impl ArrayPart {
    /// The part of this part that has these indices.
    pub(super) fn part(&self, at: &[Atom]) -> Self {
        Self { array: self.array, at: [&self.at, at].concat() }
    }
}

/// The reductions of rows in the steps of a loop.
#[derive(Clone, Default, Debug)]
pub(super) struct RowReductions {
    /// The reductions, by their results.
    pub(super) reductions: BTreeMap<VarId, RowReduction>,
    /// The elements, and the results of their pairs, which nothing else uses.
    pub(super) inner: BTreeSet<VarId>,
}

impl RowReductions {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.reductions.is_empty()
    }

    /// The reduction of a row whose result this is.
    pub(super) fn reduction(&self, var: VarId) -> Option<RowReduction> {
        self.reductions.get(&var).copied()
    }

    /// Whether a value is only a part of a reduction.
    pub(super) fn has_inside(&self, var: VarId) -> bool {
        self.inner.contains(&var)
    }
}

/// The reduction of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowReduction {
    pub(super) op: BinOp,
    /// The matrix of the rows.
    pub(super) matrix: VarId,
    /// The initial value of the reduction, if it is one of its operands.
    pub(super) start: Option<Atom>,
    /// The elements of a row.
    pub(super) length: u32,
}

impl RowReduction {
    /// The operations on vectors for a vector of results: shuffles take as long as sums.
    pub(super) fn operations(self) -> u32 {
        3 * (self.length - 1)
    }
}

/// The stride of a position: how it changes from step to step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stride {
    /// It is one more from step to step.
    Straight,
    /// It is one more from step to step between two limits, and stays the same beyond them.
    Clamped,
    /// It is one more from step to step, except where it jumps, as positions of a rotated array do.
    Jumping,
    /// It is one less from step to step.
    Backward,
}

/// The role of an accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Counts the entries of a guard.
    Counter,
    /// Combines elements in any order.
    Each(BinOp),
    /// Counts the steps in which a flag holds.
    Count,
    /// Combines elements, and begins anew in some steps, or every intermediate value is read.
    Scan(BinOp),
    /// The same, but it is read before its update.
    Exscan(BinOp),
    /// Is chosen from the elements, with the other accumulators of its fold.
    Choice,
}

impl Role {
    /// Whether the accumulator's values in the steps are computed through the lanes.
    pub(super) fn is_scan(self) -> bool {
        match self {
            Self::Scan(_) | Self::Exscan(_) => true,
            Self::Counter | Self::Each(_) | Self::Count | Self::Choice => false,
        }
    }
}

impl Plan {
    /// The steps of the pass that `parts` vectors make.
    pub(super) fn steps(&self, parts: u32) -> u32 {
        if self.facts.tiled { parts } else { self.lanes / self.facts.spread() * parts }
    }
}

impl LoopFacts {
    /// Whether an accumulator has such a role.
    pub(super) fn has(&self, is: impl Fn(Role) -> bool) -> bool {
        self.roles.values().any(|role| role.is_some_and(&is))
    }

    /// The number of lanes for a step of the pass.
    pub(super) fn spread(&self) -> u32 {
        self.inner_lanes.unwrap_or(1)
    }

    /// How a variable that is the position changes, if it is one.
    pub(super) fn moves(&self, atom: Atom) -> Option<Stride> {
        let Atom::Var(var) = atom else { return None };
        self.moving.get(&var).copied()
    }
}

/// Whether a statement reads an accumulator.
pub(super) fn is_current(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Current { .. })
}

/// Whether a divisor is a constant other than 0.
pub(super) fn is_constant_divisor(divisor: Atom) -> bool {
    matches!(divisor, Atom::Const(divisor) if divisor.bits != 0)
}
