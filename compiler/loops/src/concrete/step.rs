//! The steps of a block.
//!
//! Invariant: the result of a step with one operation depends on its operands alone. Each array that a step makes has
//! an owner or is a view ([`Step::view`]).

use super::length::Length;
use super::phase::{Complete, Phase};
use super::program::{Block, Memory, Procedure, Start, Worker};
use arrc_front::data::Data;
use arrc_front::sorting::Sorting;
use arrc_fusion::cnf::{Assertion, Atom, Callee, Operation};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// One step.
#[derive(Clone, Debug)]
pub enum Step<P: Phase = Complete> {
    /// `var = a op b`, or another operation on scalars; may fail.
    Scalar {
        /// The result.
        var: VarId,
        /// The operation with its operands.
        op: Operation,
        /// Where it came from.
        span: Span,
    },
    /// `var = array[i]`, checked unless the indices are known to be in bounds.
    Index {
        /// The element.
        var: VarId,
        /// The array.
        array: VarId,
        /// One index for each dimension.
        indices: Vec<Atom>,
        /// Whether every index is in bounds by construction.
        inside: bool,
        /// Where it came from.
        span: Span,
    },
    /// `var = row array[i]`, checked unless the indices are known to be in bounds: a view of a row, which has the
    /// remaining dimensions.
    Row {
        /// The view.
        var: VarId,
        /// The array.
        array: VarId,
        /// Fewer indices than dimensions.
        indices: Vec<Atom>,
        /// Whether every index is in bounds by construction.
        inside: bool,
        /// Where it came from.
        span: Span,
    },
    /// `var = slice array[i, from] count`: a view of consecutive elements of an array, or of a row of it. In bounds by
    /// construction.
    Slice {
        /// The view.
        var: VarId,
        /// The array.
        array: VarId,
        /// The indices of the row, and the first position in it.
        indices: Vec<Atom>,
        /// The number of elements, `i64`. It is not negative, and the row has that many behind the first position.
        count: Atom,
    },
    /// `var = length array`.
    Length {
        /// The extent, `i64`.
        var: VarId,
        /// The array.
        array: VarId,
        /// Which dimension, from 0.
        dim: usize,
    },
    /// The call fails with this message unless the condition holds.
    Assert {
        /// The condition and the failure.
        check: Assertion,
        /// Where it came from.
        span: Span,
    },
    /// `vars = if cond then … else …`.
    If {
        /// One for each result of the branches.
        vars: Vec<VarId>,
        /// The condition.
        cond: Atom,
        /// Arrays of the block that end here: from here on the branches own them.
        takes: Vec<P::Owned>,
        /// The block that runs if it holds.
        then: Block<P>,
        /// The block that runs if it does not hold.
        otherwise: Block<P>,
    },
    /// `vars = f args`.
    Call {
        /// Whether the next step is a call too, and the two may run at the same time: [`Block::groups`].
        forks: bool,
        /// One for each result of the function.
        vars: Vec<VarId>,
        /// The function.
        callee: Callee,
        /// The arguments.
        args: Vec<Atom>,
        /// Where it came from.
        span: Span,
    },
    /// `var = part ++ part ++ …`, or `var = extend array ++ part ++ …`. There may be room for more elements behind
    /// the parts.
    Append {
        /// The new array.
        var: VarId,
        /// An array that ends here and is none of the parts. If it has no other owner, the parts are written behind its
        /// elements, in the same memory.
        extends: Option<P::Owned>,
        /// The parts, in order. There are at least two, or one behind an extended array. If there is room for more
        /// elements, there may be fewer parts, or none.
        parts: Vec<VarId>,
        /// The maximum numbers of elements that passes write behind the parts ([`Memory::Behind`]).
        room: Vec<Length>,
        /// Whether a pass has written the only part behind the extended array already, so that there is nothing to
        /// copy.
        placed: bool,
        /// Whether passes may have written fewer elements than there was room for. The last append, which has no
        /// room, gives back the memory that is left.
        cut: bool,
        /// Where its elements go: memory of its own, which may be that of an extended array, or a scratch buffer. An
        /// extended array that is not in this buffer is copied there.
        memory: Memory<P>,
        /// Where it came from.
        span: Span,
    },
    /// `var = [e, …]`.
    Array {
        /// The new array.
        var: VarId,
        /// The scalars' type.
        elem: Scalar,
        /// The elements: scalars, or rows of one shape.
        elems: Vec<Atom>,
        /// The memory of the elements; never that of another array.
        memory: Memory<P>,
        /// Where it came from.
        span: Span,
    },
    /// `var = sort_up array from to`: numbers in order, or their positions, at the positions in a window.
    Sort {
        /// The new array.
        var: VarId,
        /// What its elements are.
        sorting: Sorting,
        /// The numbers.
        array: VarId,
        /// The first position in the window, and the first one behind it, of `i64`.
        window: [Atom; 2],
        /// The memory of the new array; never that of another array.
        memory: Memory<P>,
        /// Where it came from.
        span: Span,
    },
    /// `var = [c, …]`: an array that is constant data of the program. It has no owner and is read-only.
    Constant {
        /// The array.
        var: VarId,
        /// Its scalars, row by row.
        data: Data,
    },
    /// `var = reshape array`: a view of the same elements in another shape.
    Reshape {
        /// The view.
        var: VarId,
        /// The array.
        array: VarId,
        /// The extents, `i64`.
        shape: Vec<Atom>,
    },
    /// `vars = loop init …`: the final carried values.
    Loop {
        /// One for each value that is carried.
        vars: Vec<VarId>,
        /// What determines the number of steps.
        form: LoopForm<P>,
        /// The initial values. The arrays end here: from here on the loop owns them.
        init: Vec<Atom>,
        /// The body. Its parameters are the carried values, which it owns, and the counter of a counted loop. It
        /// yields the carried values of the next step.
        worker: Worker<P>,
        /// Where it came from.
        span: Span,
    },
    /// `var = array with [i, …] = value`, in place.
    Replace {
        /// The array, under its new name.
        var: VarId,
        /// The array, which ends here. It is the only owner of its memory.
        array: VarId,
        /// At most one index for each dimension.
        indices: Vec<Atom>,
        /// The part that the indices select.
        target: ReplacedPart,
        /// The new part.
        value: Atom,
        /// Whether the pass that makes the value has written it there ([`Memory::Part`]). Then the replacement does
        /// nothing.
        placed: bool,
        /// Where it came from.
        span: Span,
    },
    /// `var = array`, in other memory.
    Copy {
        /// The copy.
        var: VarId,
        /// The array.
        array: P::Owned,
        /// The memory of the copy: memory of its own, or a scratch buffer.
        memory: Memory<P>,
        /// Where it came from.
        span: Span,
    },
    /// `var = array`, in memory with a single owner: a copy only if the memory is shared.
    Unique {
        /// The array, under its new name.
        var: VarId,
        /// The array, which ends here.
        array: P::Owned,
        /// Where it came from.
        span: Span,
    },
    /// `var = array`: the same memory under another name, with one more owner.
    Share {
        /// The new name.
        var: VarId,
        /// The array.
        array: VarId,
    },
    /// `release array`: the block does not need the array any more.
    Release {
        /// The array, owned by the block.
        array: P::Owned,
    },
    /// A pass.
    Pass(Procedure<P>),
}

impl<P: Phase> Step<P> {
    /// An append of parts, in memory of its own.
    #[must_use]
    pub fn appending(var: VarId, parts: Vec<VarId>, span: Span) -> Self {
        Self::Append {
            var,
            extends: None,
            parts,
            room: Vec::new(),
            placed: false,
            cut: false,
            memory: Memory::New,
            span,
        }
    }

    /// The place in the source, if the step has one. That of a pass is the place of the first array that it makes.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Scalar { span, .. }
            | Self::Index { span, .. }
            | Self::Row { span, .. }
            | Self::Assert { span, .. }
            | Self::Call { span, .. }
            | Self::Append { span, .. }
            | Self::Array { span, .. }
            | Self::Sort { span, .. }
            | Self::Loop { span, .. }
            | Self::Replace { span, .. }
            | Self::Copy { span, .. }
            | Self::Unique { span, .. } => Some(*span),
            Self::Pass(pass) => pass.start.iter().find_map(|start| match start {
                Start::NewVec { span, .. } | Start::CheckSize { span, .. } => Some(*span),
                Start::NewAcc { .. } => None,
            }),
            Self::Slice { .. }
            | Self::Length { .. }
            | Self::If { .. }
            | Self::Constant { .. }
            | Self::Reshape { .. }
            | Self::Share { .. }
            | Self::Release { .. } => None,
        }
    }

    /// The view that the step binds, with the array in whose memory it is. None if the step binds no view.
    #[must_use]
    pub fn view(&self) -> Option<(VarId, VarId)> {
        if let Self::Row { var, array, .. }
        | Self::Slice { var, array, .. }
        | Self::Reshape { var, array, .. } = self
        {
            return Some((*var, *array));
        }
        None
    }

    /// The view of a whole array that the step binds, with the array: both have the same elements in the same order.
    /// The other views have a part of the elements.
    #[must_use]
    pub fn whole_view(&self) -> Option<(VarId, VarId)> {
        self.view().filter(|_| matches!(self, Self::Reshape { .. }))
    }
}

/// The part of an array that [`Step::Replace`] writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplacedPart {
    /// The element, or with fewer indices than dimensions the part, at the indices. They are checked.
    Checked,
    /// The same, in bounds by construction.
    Inside,
    /// The window that begins at the indices, one a dimension: it has the extents of the value in the last dimensions,
    /// and 1 in those before. In bounds by construction. A pass has written it ([`Memory::Part`]).
    Window,
}

impl ReplacedPart {
    /// The word in front of the indices.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Checked => "",
            Self::Inside => " inside",
            Self::Window => " window",
        }
    }
}

/// What determines the number of steps of a loop.
#[derive(Clone, Debug)]
pub enum LoopForm<P: Phase = Complete> {
    /// `count` steps, counted from 0; none if the count is negative.
    For {
        /// The count, `i64`.
        count: Atom,
    },
    /// As long as this yields true for the carried values, which it only borrows.
    While {
        /// The condition.
        cond: Worker<P>,
    },
}
