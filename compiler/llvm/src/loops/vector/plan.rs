//! How a pass runs in vectors of our own.
//!
//! Invariant: the facts on an accumulator, a divisor or a position hold in every step of the loop. They come
//! from [`super::legality`], whether it gains from [`super::profitability`], and all else from [`super::shape`].
//!
//! ```text
//! s := max s x; guard (j) c with p { writeVecI j ys x }   ⇒  8 lanes, 2 vectors a step; s: Each(Max), c: Counter
//! ```

use std::collections::{BTreeMap, BTreeSet};

use arrc_core::ids::{AccId, SecondaryMap, VarId};
use arrc_core::ir::cnf::Atom;
use arrc_core::ir::procedure::concrete::{Length, Stmt};
use arrc_core::prim::{BinOp, Scalar};

use super::deferred_guards::Behind;
use super::strips::Deferred;

/// How a pass runs in vectors.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The facts on its loop.
    pub(super) facts: Facts,
    /// Elements in a vector.
    pub(super) lanes: u32,
    /// Vectors in a step of the loop.
    pub(super) parts: u32,
    /// The steps that remain after whole vector steps run in single vectors.
    pub(super) has_rest: bool,
    /// LLVM would not do it.
    pub(super) gains: bool,
    /// What may be written past the caches.
    pub(super) streams: Vec<VarId>,
}

/// The facts on a loop that can run in vectors.
#[derive(Clone, Default, Debug)]
pub(super) struct Facts {
    /// The lanes of each step, where it has a few steps of its own.
    pub(super) inner_lanes: Option<u32>,
    /// What the accumulators are for.
    pub(super) roles: SecondaryMap<AccId, Option<Role>>,
    /// The divisors that are the same in all steps.
    pub(super) divisors: BTreeSet<VarId>,
    /// The arrays that are read anywhere.
    pub(super) gathered: BTreeSet<VarId>,
    /// Some of them where the position jumps.
    pub(super) jumps: bool,
    /// Some of them at positions that are elements.
    pub(super) scattered: bool,
    /// The variables that are the position, moved.
    pub(super) moving: BTreeMap<VarId, Move>,
    /// The widest element, in bytes.
    pub(super) widest: u32,
    /// A step has loops of its own, which run across lanes.
    pub(super) loops: bool,
    /// The arrays that each step has for itself.
    pub(super) locals: Vec<Local>,
    /// What the variables are that are arrays of the step.
    pub(super) arrays: BTreeMap<VarId, Held>,
    /// The widest scalar that differs between lanes in these loops, in bytes.
    pub(super) widest_carried: u32,
    /// What these loops carry that is the same in all lanes.
    pub(super) uniform: BTreeSet<VarId>,
    /// A part is an element of the left array of a `cross`.
    pub(super) tiled: bool,
    /// Elements are stored where a flag holds.
    pub(super) compacts: bool,
    /// What each step writes, where it was not before.
    pub(super) written: Vec<VarId>,
    /// The guards in guards that run behind, by the outer guard's counter.
    pub(super) behind: BTreeMap<AccId, Behind>,
    /// The guard that runs behind strips of vectors.
    pub(super) deferred: Option<Deferred>,
    /// The bytes that a step reads and writes at most, of arrays that it goes through.
    pub(super) traffic: u32,
    /// The least or greatest floats are looked for, for which LLVM takes many instructions.
    pub(super) extremes: bool,
    /// Something may fail.
    pub(super) may_fail: bool,
    /// An operation on 64-bit integers takes many instructions in vectors.
    pub(super) is_slow: bool,
    /// The widest element, without the positions that only tell where arrays are read.
    pub(super) widest_value: u32,
    /// The steps do nothing but store elements at their own positions, in any order, and again if asked to.
    pub(super) only_stores: bool,
}

/// An array that each step has for itself.
#[derive(Clone, Debug)]
pub(super) struct Local {
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
}

/// An array of the step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// The local array of that number.
    Local(usize),
    /// The step's row of a matrix.
    Row(VarId),
}

/// How a position is moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Move {
    /// It is one more from step to step.
    Straight,
    /// The same, but where it jumps, as positions of a rotated array do.
    Jumping,
    /// It is one less from step to step.
    Backward,
}

/// What an accumulator is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Counts the entries of a guard.
    Counter,
    /// Combines elements in any order.
    Each(BinOp),
    /// Combines elements, and all that it is on the way is seen.
    Scan(BinOp),
    /// The same, seen before it changes.
    Exscan(BinOp),
    /// Is chosen from the elements, with the other accumulators of its fold.
    Choice,
}

impl Plan {
    /// The steps of the pass that `parts` vectors make.
    pub(super) fn steps(&self, parts: u32) -> u32 {
        if self.facts.tiled { parts } else { self.lanes / self.facts.spread() * parts }
    }
}

impl Facts {
    /// Whether an accumulator has such a role.
    pub(super) fn has(&self, is: impl Fn(Role) -> bool) -> bool {
        self.roles.values().any(|role| role.is_some_and(&is))
    }

    /// Lanes that a step of the pass has.
    pub(super) fn spread(&self) -> u32 {
        self.inner_lanes.unwrap_or(1)
    }

    /// How a variable is the position, if it is.
    pub(super) fn moves(&self, atom: Atom) -> Option<Move> {
        let Atom::Var(var) = atom else { return None };
        self.moving.get(&var).copied()
    }
}

/// Whether a statement sees an accumulator.
pub(super) fn is_current(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Current { .. })
}
