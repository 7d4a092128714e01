//! The state of a loop over vectors: the values of the loop's variables in each lane, the accumulators, and the lanes
//! that would fail.
//!
//! Invariant: the state is below the files that lower statements, loads and folds. Each of them adds methods to
//! [`VectorLoop`], and none needs another one's file for the state.
//!
//! ```text
//! x = nextI i xs        values[part][x] = <8 x i32>
//! ```

use std::collections::BTreeMap;

use arrc_syntax::ids::{AccId, SecondaryMap, VarId};
use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, PointerValue, VectorValue};

use super::divide::Reciprocal;
use super::lanes::Lanes;
use super::plan::Plan;
use super::state::{AccumulatorState, ChoiceFold};
use super::streaming_stores::Stores;
use super::tile::Tile;
use crate::loops::pass::Pass;
use crate::target::isa::Isa;

/// A loop over vectors that is being lowered.
pub(super) struct VectorLoop<'a, 'b, 'u, 'ctx, 'p> {
    pub(super) pass: &'a mut Pass<'b, 'u, 'ctx, 'p>,
    pub(super) plan: Plan,
    pub(super) isa: Isa,
    pub(super) stores: Stores,
    pub(super) extremes: Extremes,
    /// The stores past the caches that the end of the step makes.
    pub(super) past: Vec<(VarId, VectorValue<'ctx>, IntValue<'ctx>)>,
    /// Whether the arrays are beyond what caches hold.
    pub(super) beyond_cache: IntValue<'ctx>,
    pub(super) reciprocals: BTreeMap<VarId, Reciprocal<'ctx>>,
    pub(super) choices: Vec<ChoiceFold<'p>>,
    /// The values of the variables, in each part.
    pub(super) values: Vec<SecondaryMap<VarId, Option<Lanes<'ctx>>>>,
    pub(super) state: AccumulatorState<'ctx>,
    /// The running values of scans, in this part.
    pub(super) seen: SecondaryMap<AccId, Option<VectorValue<'ctx>>>,
    /// The tile that the parts are, if they are rows.
    pub(super) tile: Tile<'ctx>,
    /// The addresses of a step's local arrays.
    pub(super) locals: Vec<LocalArray<'ctx>>,
    /// The buffers in which a strip keeps the inputs of the guard behind it.
    pub(super) buffers: Vec<PointerValue<'ctx>>,
    /// The iteration of the innermost loop of a step.
    pub(super) iteration: Option<IntValue<'ctx>>,
    /// The part of the step.
    pub(super) part: usize,
    pub(super) place: StepNumbers<'ctx>,
    /// The lanes that folds take, if the vector before has already combined some of them.
    pub(super) counts: Option<VectorValue<'ctx>>,
    /// The lanes that would fail, of all parts.
    pub(super) bad: Option<VectorValue<'ctx>>,
    /// Where the loop over vectors is left if an assertion fails in a lane.
    pub(super) exit: Option<SideExit<'ctx>>,
}

/// The number of a step.
#[derive(Default)]
pub(super) struct StepNumbers<'ctx> {
    /// The position of the first lane of each part.
    pub(super) at: Vec<IntValue<'ctx>>,
    /// How many steps of the vector loop were before this one.
    pub(super) step_count: Option<IntValue<'ctx>>,
}

/// How the loop over vectors is left in the middle of a step.
pub(super) struct SideExit<'ctx> {
    /// The block behind the loop.
    pub(super) to: BasicBlock<'ctx>,
    /// The blocks that go there.
    pub(super) from: Vec<BasicBlock<'ctx>>,
}

/// The address of a local array.
#[derive(Clone, Copy)]
pub(super) struct LocalArray<'ctx> {
    pub(super) data: PointerValue<'ctx>,
    pub(super) length: IntValue<'ctx>,
}

/// How a loop finds least and greatest floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extremes {
    /// With the sign of zeros.
    Exact,
    /// Without it, but with the signs of all elements.
    Apart,
}
