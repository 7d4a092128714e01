//! The arrays that a step makes or yields, and where an array of a block ends.
//!
//! Invariant: an array is made by one step. It ends in its block, or becomes one of the block's results.
//!
//! ```text
//! { t = newVecI k …; s = …; release t; yield (s) }      t ends in the block, s becomes result 0
//! ```

use indexmap::IndexSet;

use crate::concrete::{End, Memory, Procedure, Start, Step, Stmt};
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{AccId, PrimaryMap, VarId};

/// The numbers of the block's results that an array of the block may become, in the order in which they are found, and
/// [`ENDED`] if it may end in the block.
pub(super) type ResultIndices = IndexSet<usize>;

/// The end of an array that becomes no result.
pub(super) const ENDED: usize = usize::MAX;

/// Whether an array always ends in the block.
pub(super) fn end_here(ends: &ResultIndices) -> bool {
    ends.iter().all(|&end| end == ENDED)
}

/// Whether an array always becomes this result of the block.
pub(super) fn always_becomes(ends: &ResultIndices, place: usize) -> bool {
    !ends.is_empty() && ends.iter().all(|&end| end == place)
}

/// Whether an array always becomes this result of the block, unless it ends in the block.
pub(super) fn becomes(ends: &ResultIndices, place: usize) -> bool {
    ends.contains(&place) && ends.iter().all(|&end| end == place || end == ENDED)
}

/// The walk over blocks that moves arrays to scratch buffers.
pub(super) struct Scratch<'a> {
    pub(super) escaping: IndexSet<VarId>,
    pub(super) vars: &'a PrimaryMap<VarId, Var>,
    /// Whether the block is in the step of a loop.
    pub(super) inside: bool,
}

/// The arrays that a step makes in new memory.
pub(super) fn made(step: &Step) -> Vec<VarId> {
    if let Step::Array { var, memory: Memory::New, elems, .. } = step {
        return if elems.is_empty() { Vec::new() } else { vec![*var] };
    }
    if let Step::Copy { var, memory: Memory::New, .. }
    | Step::Sort { var, memory: Memory::New, .. }
    | Step::Append { var, extends: None, memory: Memory::New, .. } = step
    {
        return vec![*var];
    }
    let Step::Pass(pass) = step else { return Vec::new() };
    let made = pass.start.iter().filter_map(|start| match start {
        Start::NewVec { vec, memory: Memory::New, .. } => Some(*vec),
        Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => None,
    });
    made.collect()
}

/// The results of branches, and the final values of loops and accumulators.
pub(super) fn step_results(step: &Step) -> Vec<VarId> {
    if let Step::Loop { vars, .. } | Step::If { vars, .. } = step {
        return vars.clone();
    }
    let Step::Pass(pass) = step else { return Vec::new() };
    let ends = pass.end.iter().filter_map(|end| match end {
        End::Read { result, .. } => Some(*result),
        End::Slice { .. } => None,
    });
    ends.collect()
}

/// Whether a result of a loop or pass has that initial value.
pub(super) fn begins_with(step: &Step, given: VarId, value: VarId) -> bool {
    let value = Atom::Var(value);
    if let Step::Loop { vars, init, .. } = step {
        return vars.iter().zip(init).any(|(&var, &init)| var == given && init == value);
    }
    let Step::Pass(pass) = step else { return false };
    let acc = accumulator(pass, given);
    pass.start.iter().any(|start| match start {
        Start::NewAcc { acc: of, init } => Some(*of) == acc && *init == value,
        Start::NewVec { .. } | Start::CheckSize { .. } => false,
    })
}

/// The accumulator of a pass whose result is that variable.
pub(super) fn accumulator(pass: &Procedure, given: VarId) -> Option<AccId> {
    pass.end.iter().find_map(|end| match end {
        End::Read { result, acc } if *result == given => Some(*acc),
        End::Read { .. } | End::Slice { .. } => None,
    })
}

/// Whether a step of a pass reads the current value of an accumulator.
pub(super) fn reads_accumulator(pass: &Procedure, acc: AccId) -> bool {
    let mut seen = false;
    pass.nest.for_each_stmt(&mut |stmt| {
        seen |= matches!(stmt, Stmt::Current { acc: of, .. } if *of == acc);
    });
    seen
}

/// Moves an array that a step makes to the memory `other`.
pub(super) fn set_memory(other: &Memory, step: &mut Step, array: VarId) {
    if let Step::Array { memory, .. }
    | Step::Sort { memory, .. }
    | Step::Copy { memory, .. }
    | Step::Append { memory, .. } = step
    {
        *memory = other.clone();
    } else if let Step::Pass(pass) = step {
        for start in &mut pass.start {
            if let Start::NewVec { vec, memory, .. } = start
                && *vec == array
            {
                *memory = other.clone();
            }
        }
    }
}

/// The array that an append makes of one that it extends, if its elements are all that there is room for.
pub(super) fn extending(step: &Step) -> Option<VarId> {
    if let Step::Append {
        var,
        extends: Some(_),
        room,
        placed: false,
        cut: false,
        memory: Memory::New,
        ..
    } = step
        && room.is_empty()
    {
        return Some(*var);
    }
    None
}
