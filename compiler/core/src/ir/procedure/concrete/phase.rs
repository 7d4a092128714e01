//! The phases of concrete programs: what a pass adds is a type, which nothing has before that pass.
//!
//! Invariant: a part that a phase does not have cannot be made in it.
//!
//! ```text
//! Plain ──split──▶ Ranged ──accumulate──▶ Ranged ──lifetimes──▶ Complete
//! ```

use std::convert::Infallible;
use std::fmt;

use super::Length;
use crate::ids::VarId;
use crate::ir::cnf::Atom;

/// A phase.
pub trait Phase: Copy + Default + fmt::Debug {
    /// An end of a range of steps.
    type Bound: Copy + fmt::Debug + Into<Atom>;
    /// An array, where it is known who owns it.
    type Owned: Copy + fmt::Debug + Into<VarId>;
    /// How a pass is sliced, where passes are.
    type Slices: Clone + fmt::Debug + Into<Slices>;
    /// Whether each array has one end: releases, and what else depends on who owns an array.
    const OWNS: bool;

    /// An end of a range, where there are ranges.
    fn bound(step: Atom) -> Option<Self::Bound>;
    /// An array that ends, where arrays have ends.
    fn owned(array: VarId) -> Option<Self::Owned>;
    /// How a pass is sliced, where passes are.
    fn slices(slices: Slices) -> Option<Self::Slices>;
}

/// How the steps of a pass part into slices that may run at the same time: a slice is some blocks in a row.
#[derive(Clone, PartialEq, Debug)]
pub struct Slices {
    /// The elements of a block: its steps, unless steps have rows. The last block may have fewer.
    pub block: u32,
    /// The elements of a step. A block has `block / row` steps, and at least [`Slices::LEAST_STEPS`].
    pub row: Option<Row>,
}

impl Slices {
    /// The fewest steps of a block whose steps have rows. With fewer, a pass that runs several steps at once, a step a lane,
    /// would have no vectors to fill.
    pub const LEAST_STEPS: u32 = 16;
}

/// How many elements each step of a pass goes through, as it is known before the pass.
#[derive(Clone, PartialEq, Debug)]
pub enum Row {
    /// The trip count of the loop in a step.
    Steps(Length),
    /// The elements of an element of an array.
    Of(VarId),
}

/// Loops without ranges, arrays without ends.
#[derive(Clone, Copy, Default, Debug)]
pub struct Plain;

/// Loops may have ranges.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ranged;

/// Each array has its end, too, and passes may be sliced.
#[derive(Clone, Copy, Default, Debug)]
pub struct Complete;

impl Phase for Plain {
    type Bound = Infallible;
    type Owned = Infallible;
    type Slices = Infallible;
    const OWNS: bool = false;

    fn bound(_: Atom) -> Option<Self::Bound> {
        None
    }

    fn owned(_: VarId) -> Option<Self::Owned> {
        None
    }

    fn slices(_: Slices) -> Option<Self::Slices> {
        None
    }
}

impl Phase for Ranged {
    type Bound = Atom;
    type Owned = Infallible;
    type Slices = Infallible;
    const OWNS: bool = false;

    fn bound(step: Atom) -> Option<Self::Bound> {
        Some(step)
    }

    fn owned(_: VarId) -> Option<Self::Owned> {
        None
    }

    fn slices(_: Slices) -> Option<Self::Slices> {
        None
    }
}

impl Phase for Complete {
    type Bound = Atom;
    type Owned = VarId;
    type Slices = Slices;
    const OWNS: bool = true;

    fn bound(step: Atom) -> Option<Self::Bound> {
        Some(step)
    }

    fn owned(array: VarId) -> Option<Self::Owned> {
        Some(array)
    }

    fn slices(slices: Slices) -> Option<Self::Slices> {
        Some(slices)
    }
}

/// A phase that has all that `P` has.
pub trait After<P: Phase>:
    Phase<Bound: From<<P as Phase>::Bound>, Owned: From<<P as Phase>::Owned>>
{
}

impl<P: Phase, Q: Phase<Bound: From<P::Bound>, Owned: From<P::Owned>>> After<P> for Q {}

impl From<Infallible> for Atom {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<Infallible> for Slices {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<Infallible> for VarId {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
