//! The scratch buffers of the outermost pass or loop around, by the arrays that are made in them.
//!
//! Invariant: a buffer without memory has a null owner and the capacity -1.

use arrc_syntax::ids::VarId;
use indexmap::IndexMap;
use inkwell::values::PointerValue;

/// The scratch buffers of a pass or loop, by the arrays that are made in them.
pub(crate) type ScratchBuffers<'ctx> = IndexMap<VarId, ScratchBuffer<'ctx>>;

/// The scratch buffer of an array.
#[derive(Clone, Copy)]
pub(crate) struct ScratchBuffer<'ctx> {
    /// The buffer that the array is made in.
    pub(super) this: BufferSlot<'ctx>,
    /// The buffer that the next one is made in, where arrays are made alternately.
    pub(super) other: Option<BufferSlot<'ctx>>,
}

/// A buffer.
#[derive(Clone, Copy)]
pub(super) struct BufferSlot<'ctx> {
    /// Its owner, or null.
    pub(super) owner: PointerValue<'ctx>,
    /// The bytes of elements that there is room for; -1 without memory. An array without elements has memory as well,
    /// since vectors are stored behind its end.
    pub(super) capacity: PointerValue<'ctx>,
    /// In a slice of a pass: the place of the owner in the frame of the pass, from which other slices take the buffer.
    pub(super) shared: Option<PointerValue<'ctx>>,
}

/// The places of the owners of scratch buffers in the frame of a pass, by the arrays that are made in them. An array
/// that is made alternately has two.
pub(crate) type SharedPlaces<'ctx> = Vec<(VarId, PointerValue<'ctx>)>;

impl<'ctx> ScratchBuffer<'ctx> {
    pub(super) fn rooms(&self) -> impl Iterator<Item = BufferSlot<'ctx>> {
        [Some(self.this), self.other].into_iter().flatten()
    }

    pub(super) fn rooms_mut(&mut self) -> impl Iterator<Item = &mut BufferSlot<'ctx>> {
        std::iter::once(&mut self.this).chain(&mut self.other)
    }
}
