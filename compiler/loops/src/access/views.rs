//! Views: which part of which array a name shows.
//!
//! Invariant: the base of a view is no view.
//!
//! ```text
//! r = row a[i]; s = slice r[k] n      s shows a[i, k .. k + n]
//! ```

use super::{Affine, Positions};
use arrc_syntax::ids::VarId;

/// A part of an array.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct View {
    /// The array.
    pub(super) base: VarId,
    dims: Vec<ViewDim>,
}

/// What a view shows of one dimension of its base.
#[derive(Clone, PartialEq, Debug)]
enum ViewDim {
    /// One position. The view has no such dimension.
    Fixed(Affine),
    /// The positions from the first number on, up to the second if there is one.
    Along(Affine, Option<Affine>),
    /// Some positions.
    Unknown,
}

impl View {
    /// All of an array.
    pub(super) fn whole(base: VarId, rank: usize) -> Self {
        Self { base, dims: vec![ViewDim::Along(Affine::constant(0), None); rank] }
    }

    /// The window of an array that begins at the indices, with these extents in the last dimensions.
    pub(super) fn window(
        base: VarId,
        indices: Vec<Option<Affine>>,
        extents: Vec<Option<Affine>>,
    ) -> Self {
        let before = indices.len() - extents.len();
        let dims = indices.into_iter().enumerate().map(|(at, index)| {
            let Some(index) = index else { return ViewDim::Unknown };
            match at.checked_sub(before).map(|at| &extents[at]) {
                None => ViewDim::Fixed(index),
                Some(None) => ViewDim::Along(index, None),
                Some(Some(extent)) => ViewDim::Along(index.clone(), Some(index.plus(1, extent))),
            }
        });
        Self { base, dims: dims.collect() }
    }

    /// Some elements of the base.
    pub(super) fn unknown(&self) -> Self {
        Self { base: self.base, dims: vec![ViewDim::Unknown; self.dims.len()] }
    }

    /// The part of the view at these indices, the first ones. An index may be unknown.
    pub(super) fn at(&self, indices: &[Option<Affine>]) -> Self {
        let mut indices = indices.iter();
        let dims = self.dims.iter().map(|dim| match dim {
            ViewDim::Along(from, _) => match indices.next() {
                Some(Some(index)) => ViewDim::Fixed(from.plus(1, index)),
                Some(None) => ViewDim::Unknown,
                None => dim.clone(),
            },
            ViewDim::Fixed(_) | ViewDim::Unknown => dim.clone(),
        });
        Self { base: self.base, dims: dims.collect() }
    }

    /// So many positions from the first one on in the first dimension of the view.
    pub(super) fn slice(&self, first: Option<&Affine>, count: Option<&Affine>) -> Self {
        let (Some(first), Some(count)) = (first, count) else { return self.unknown() };
        let mut dims = self.dims.clone();
        let along = dims.iter_mut().find_map(|dim| match dim {
            ViewDim::Along(from, to) => Some((from, to)),
            ViewDim::Fixed(_) | ViewDim::Unknown => None,
        });
        if let Some((from, to)) = along {
            *from = from.plus(1, first);
            *to = Some(from.plus(1, count));
        }
        Self { base: self.base, dims }
    }

    /// The positions that the view shows, in each dimension of the base.
    pub(super) fn region(&self) -> Vec<Positions> {
        let positions = |dim: &ViewDim| match dim {
            ViewDim::Fixed(at) => Positions::At(at.clone()),
            ViewDim::Along(from, Some(to)) => Positions::Range(from.clone(), to.clone()),
            ViewDim::Along(_, None) => Positions::All,
            ViewDim::Unknown => Positions::Unknown,
        };
        self.dims.iter().map(positions).collect()
    }
}
