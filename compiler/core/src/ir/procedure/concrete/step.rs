//! The steps of a block.
//!
//! Invariant: what a step of one operation binds depends on its operands alone, and each array that a step makes has an owner or
//! is a view ([`Step::view`]).

use arr_abi::ErrorCode;

use super::{Block, Complete, Length, Memory, Phase, Procedure, Worker};
use crate::ids::VarId;
use crate::ir::check::Piece;
use crate::ir::cnf::{Atom, Callee};
use crate::ir::data::Data;
use crate::prim::{BinOp, Scalar, UnOp};
use crate::source::Span;

/// One step.
#[derive(Clone, Debug)]
pub enum Step<P: Phase = Complete> {
    /// `var = op a`.
    Un {
        /// The result.
        var: VarId,
        /// The operation.
        op: UnOp,
        /// The operand.
        arg: Atom,
    },
    /// `var = a op b`; may fail.
    Bin {
        /// The result.
        var: VarId,
        /// The operation.
        op: BinOp,
        /// The operands.
        args: [Atom; 2],
        /// Where it came from.
        span: Span,
    },
    /// `var = a * b + c` of floats, rounded once.
    Fma {
        /// The result.
        var: VarId,
        /// The operands.
        args: [Atom; 3],
    },
    /// `var = array[i]`, checked unless it is known to be inside.
    Index {
        /// The element.
        var: VarId,
        /// The array.
        array: VarId,
        /// One index a dimension.
        indices: Vec<Atom>,
        /// Every index is in bounds by construction.
        inside: bool,
        /// Where it came from.
        span: Span,
    },
    /// `var = row array[i]`, checked: a view of a row, which has the dimensions that the indices leave.
    Row {
        /// The view.
        var: VarId,
        /// The array.
        array: VarId,
        /// Fewer indices than dimensions.
        indices: Vec<Atom>,
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
        /// How many elements, `i64`; none beyond the row, and not negative.
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
    /// The call fails with that message unless the condition holds.
    Assert {
        /// The condition.
        cond: Atom,
        /// The error otherwise.
        fault: ErrorCode,
        /// What to say then.
        message: Vec<Piece<Atom>>,
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
        /// If it holds.
        then: Block<P>,
        /// If it does not.
        otherwise: Block<P>,
    },
    /// `vars = f args`.
    Call {
        /// The next step is a call too, and may run at the same time: [`Block::forks`].
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
    /// `var = part ++ part ++ …`, or `var = extend array ++ part ++ …`, with room for more elements behind them.
    Append {
        /// The new array.
        var: VarId,
        /// An array that ends here and is none of the parts. If it has no other owner, the parts are written behind its
        /// elements, in the same memory.
        extends: Option<P::Owned>,
        /// The parts, in their order: at least two, or one behind an array. Fewer, or none, if there is room for more.
        parts: Vec<VarId>,
        /// How many elements passes write behind these ([`Memory::Behind`]), at most.
        room: Vec<Length>,
        /// A pass has written the only part behind the array that this extends, so there is nothing to copy.
        placed: bool,
        /// Passes may write fewer elements than there is room for. An append without room is the last one, and gives back the
        /// rest.
        cut: bool,
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
        /// Where the elements go: never over another array.
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
    /// `vars = loop init …`.
    Loop {
        /// One for each value that is carried.
        vars: Vec<VarId>,
        /// How long it goes on.
        form: LoopForm<P>,
        /// The initial values. The arrays end here: from here on the loop owns them.
        init: Vec<Atom>,
        /// The carried values, which the body owns, and the counter of a counted loop; and the body,
        /// which yields the carried values of the next step.
        worker: Worker<P>,
    },
    /// `var = array with [i, …] = value`, in place.
    Replace {
        /// The array, under its new name.
        var: VarId,
        /// The array, which ends here. It is the only owner of its memory.
        array: VarId,
        /// At most one index a dimension.
        indices: Vec<Atom>,
        /// What the indices are of.
        target: Target,
        /// The new part.
        value: Atom,
        /// The pass that makes the value has written it there ([`Memory::Part`]), so the replacement does nothing.
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
        /// Where the elements go: to memory of their own, or a scratch buffer.
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
    /// `var = array`, owned once more: the same memory under another name.
    Share {
        /// The new name.
        var: VarId,
        /// The array.
        array: VarId,
    },
    /// `release array`: the block needs it no more.
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
            span,
        }
    }

    /// The view that the step binds, if it does, and the array in whose memory that is.
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
}

/// The part of an array that [`Step::Replace`] writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The element, or with fewer indices than dimensions the part, at the indices. They are checked.
    Checked,
    /// The same, in bounds by construction.
    Inside,
    /// The window that begins at the indices, one a dimension: it has the extents of the value in the last dimensions, and 1 in
    /// those before. In bounds by construction. A pass has written it ([`Memory::Part`]).
    Window,
}

impl Target {
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

/// How long a loop goes on.
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
