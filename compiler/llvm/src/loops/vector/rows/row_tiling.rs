//! How the steps of a pass make several rows at once, as legality finds it.
//!
//! Invariant: all rows have one length. A fold that computes each element runs in spans only if its partial sums have a
//! place between them.
//!
//! ```text
//! ys[i, j] = sum over k of a[i, k] * b[k, j]        inner: the pass over j; fold: that over k; panel: b
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Procedure, Range, Step, Stmt, Variant, Worker};
use arrc_syntax::ids::VarId;
use inkwell::values::IntValue;

use crate::loops::pass::Pass;
use crate::loops::vector::plan::Plan;
use crate::loops::vector::tile::{Panel, PlacedPanel, Span};

/// The iterations of a span: the panel of a span fits in the first-level cache. `scripts/bench product_f64` has such
/// products. In a prototype in C, 500³ took 2.0 of the time of OpenBLAS with spans of 256, and 2.7 without (AVX-512, no
/// fused products).
pub(super) const SPAN: u64 = 256;

/// A pass whose steps make rows.
pub(in crate::loops::vector) struct RowTiling<'p> {
    /// The statements of a step before it makes its row.
    pub(super) before: &'p [Stmt],
    pub(super) worker: &'p Worker,
    pub(super) args: &'p [Atom],
    /// The worker's steps before it makes the row.
    pub(super) prelude: &'p [Step],
    /// The pass that makes the row.
    pub(super) inner: &'p Procedure,
    pub(super) width: RowWidth,
    /// The fold that computes each element, if it can run in spans.
    pub(super) spans: Option<Spans<'p>>,
    /// The columns of the vectors, if the rows are those of a stencil.
    pub(super) stencil: Option<Stencil<'p>>,
    /// How it runs in vectors: each of its parts is a row.
    pub(in crate::loops::vector) plan: Plan,
}

impl<'p> RowTiling<'p> {
    /// The statements that make an element.
    pub(super) fn body(&self) -> &'p [Stmt] {
        self.stencil.map_or(&self.inner.nest.body, Stencil::body)
    }

    /// Whether the folds run in spans.
    pub(in crate::loops::vector) fn is_in_spans(&self) -> bool {
        self.spans.is_some()
    }

    /// The length of the rows.
    pub(super) fn width<'ctx>(&self, pass: &mut Pass<'_, '_, 'ctx, '_>) -> IntValue<'ctx> {
        match self.width {
            RowWidth::Nest => pass.length(&self.inner.nest.length),
            RowWidth::Row(matrix) => pass.body.var(matrix).array(matrix).shape[1],
        }
    }
}

/// What determines the length of the rows.
#[derive(Clone, Copy)]
pub(super) enum RowWidth {
    /// The trip count of the loop that makes a row.
    Nest,
    /// The rows of this matrix have as many elements.
    Row(VarId),
}

/// A part of the fold that tiles run: some of its iterations, and the panel that they read.
pub(super) type SpanPart<'ctx> = (Span<'ctx>, Option<PlacedPanel<'ctx>>);

/// A fold that runs in spans.
#[derive(Clone, Copy)]
pub(super) struct Spans<'p> {
    pub(super) fold: &'p Procedure,
    pub(super) length: SpanLength,
    /// The vector that stores the elements.
    pub(super) vec: VarId,
    /// Whether the vector can hold partial sums. If not, the fold has a single span.
    pub(super) waits: bool,
    /// Whether an element is the result of the fold, without further steps.
    pub(super) is_sum: bool,
    /// Whether the rows overwrite an array.
    pub(super) over: bool,
    pub(super) panel: Option<Panel>,
}

impl Spans<'_> {
    /// Whether the panel holds rows of another matrix.
    pub(super) fn has_row_panel(&self) -> bool {
        self.panel.is_some_and(|panel| panel.of_rows)
    }
}

/// The number of iterations of a fold.
#[derive(Clone, Copy)]
pub(super) enum SpanLength {
    /// The trip count of its loop.
    Fold,
    /// As many as the rows of a matrix have elements.
    Row(VarId),
}

/// The columns in which no edge is tested.
#[derive(Clone, Copy)]
pub(super) struct Stencil<'p> {
    pub(super) range: &'p Range,
    pub(super) variant: &'p Variant,
}

impl<'p> Stencil<'p> {
    /// The statements that make an element there.
    pub(super) fn body(self) -> &'p [Stmt] {
        &self.variant.body
    }
}
