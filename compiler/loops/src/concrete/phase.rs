//! The phases of concrete programs. Each part that a pass adds has a type that has no values before that pass.
//!
//! Invariant: a part that a phase does not have cannot be constructed in it.
//!
//! ```text
//! Plain ──split──▶ Ranged ──accumulate──▶ Ranged ──lifetimes──▶ Complete
//! ```

use std::convert::Infallible;
use std::fmt;

use super::length::Length;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;

/// A phase.
pub trait Phase: Copy + Default + fmt::Debug {
    /// A bound of a range of steps.
    type Bound: Copy + fmt::Debug + Into<Atom>;
    /// An array whose owner is known.
    type Owned: Copy + fmt::Debug + Into<VarId>;
    /// The division of a pass into slices.
    type Slices: Clone + fmt::Debug + Into<Slices>;
    /// Whether each array has one end: whether there are releases and other marks of ownership.
    const OWNS: bool;

    /// A bound of a range, if the phase has ranges.
    fn bound(step: Atom) -> Option<Self::Bound>;
    /// An array that ends, if arrays have ends in the phase.
    fn owned(array: VarId) -> Option<Self::Owned>;
    /// The division of a pass into slices, if the phase has slices.
    fn slices(slices: Slices) -> Option<Self::Slices>;
}

/// The division of the steps of a pass into slices that may run at the same time. A slice is a run of blocks.
#[derive(Clone, PartialEq, Debug)]
pub struct Slices {
    /// The number of elements of a block. Unless steps have rows, this is the number of its steps. The last block may
    /// have fewer.
    pub block: u32,
    /// The number of elements of a step, if steps have rows. Then a block has `block / row` steps, and at least
    /// [`Slices::LEAST_STEPS`].
    pub row: Option<RowLength>,
}

impl Slices {
    /// The minimum number of steps of a block if steps have rows. A pass that runs several steps at once, one in each
    /// lane, could not fill its vectors with fewer. No benchmark shows it alone.
    pub const LEAST_STEPS: u32 = 16;
}

/// The number of elements that each step of a pass goes through, as far as it is known before the pass.
#[derive(Clone, PartialEq, Debug)]
pub enum RowLength {
    /// The trip count of the loop in a step.
    Steps(Length),
    /// The number of elements in a row of an array.
    Of(VarId),
}

/// Loops have no ranges, and arrays have no ends.
#[derive(Clone, Copy, Default, Debug)]
pub struct Plain;

/// Loops may have ranges.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ranged;

/// Loops may have ranges, each array has its end, and passes may be sliced.
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

/// A phase that has all parts of `P`.
pub trait After<P: Phase>:
    Phase<Bound: From<<P as Phase>::Bound>, Owned: From<<P as Phase>::Owned>>
{
}

impl<P: Phase, Q: Phase<Bound: From<P::Bound>, Owned: From<P::Owned>>> After<P> for Q {}

impl From<Infallible> for Slices {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
