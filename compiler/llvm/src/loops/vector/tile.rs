//! A tile: several rows at one position, and the part of a fold that they run.
//!
//! Invariant: all rows of a tile read the same panel, at the same iterations.
//!
//! ```text
//! rows a[i], …, a[i + 7]; span: 0 to 256; panel: b[0 .. 256, j .. j + 16]
//! ```

use arrc_syntax::ids::VarId;
use inkwell::values::{IntValue, PointerValue};

use crate::value::LoweredValue;

/// A tile: several rows at one position.
#[derive(Default)]
pub(super) struct Tile<'ctx> {
    /// The variables that each row binds before its elements, with their values.
    pub(super) rows: Vec<Vec<(VarId, LoweredValue<'ctx>)>>,
    /// The iterations of the fold that run.
    pub(super) span: Option<Span<'ctx>>,
    /// The panel that all rows read.
    pub(super) panel: Option<PlacedPanel<'ctx>>,
}

/// Some iterations of the fold that computes each element.
#[derive(Clone, Copy)]
pub(super) struct Span<'ctx> {
    /// The vector that holds the partial sums between spans, if it does.
    pub(super) partial: Option<VarId>,
    /// The vector, if columns that the tile before has updated must stay as they are.
    pub(super) kept: Option<VarId>,
    /// Whether elements are finished: whether the steps behind the fold run.
    pub(super) ends: bool,
    /// The number of columns that the tile before has already updated in this span.
    pub(super) seen: IntValue<'ctx>,
    pub(super) from: IntValue<'ctx>,
    pub(super) to: IntValue<'ctx>,
}

/// An element that every row reads at the same iteration and column.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    /// The element.
    pub(super) var: VarId,
    pub(super) array: VarId,
    /// The columns of the tile are rows in the panel's matrix.
    pub(super) of_rows: bool,
}

/// The panel of a span, in memory.
#[derive(Clone, Copy)]
pub(super) struct PlacedPanel<'ctx> {
    pub(super) panel: Panel,
    pub(super) memory: PointerValue<'ctx>,
    /// The distance from the elements of one iteration to those of the next.
    pub(super) stride: IntValue<'ctx>,
}
