//! The arrays that a call may make in memory which its caller gives for a result.
//!
//! Invariant: a call makes at most one of the arrays of a result, once, and in its outermost block or in branches of it.
//! The array stays in its memory until the call ends, and only the result uses this memory then. No pass writes behind
//! the array: the memory there is not ours.
//!
//! ```text
//! { ys = pass …; zs = replace ys [i] x; yield (zs) }      ys is made in the memory for result 0
//! { ys = loop (a = xs) … { b = pass …; yield (b) } … }    no array: each step makes one
//! ```

use super::phase::Complete;
use super::program::{Block, Function, Loop, Memory, Nest, Procedure, Program, Start, Worker};
use super::step::Step;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::{FuncId, VarId};

impl Program {
    /// The arrays of the function of each entry that is called from outside only, and the indices of their results.
    #[must_use]
    pub fn destinations(&self) -> Vec<(FuncId, Vec<(VarId, usize)>)> {
        let called = self.called_functions();
        let functions = self.entries.iter().map(|entry| entry.function);
        let functions = functions.filter(|id| !called.contains(id));
        functions.map(|id| (id, destinations(&self.functions[id]))).collect()
    }
}

fn destinations(function: &Function) -> Vec<(VarId, usize)> {
    let mut found = Vec::new();
    for (at, (result, ty)) in function.body.results.iter().zip(&function.results).enumerate() {
        if let (Atom::Var(var), true) = (result, ty.is_array()) {
            note_allocations(&function.body, *var, at, &mut found);
        }
    }
    found
}

/// Notes the steps of a block, and of its branches, that make the memory of an array.
fn note_allocations(block: &Block, array: VarId, result: usize, found: &mut Vec<(VarId, usize)>) {
    let array = allocated_as(block, array);
    match definition(block, array) {
        Some(Definition::Made) if found.iter().all(|(made, _)| *made != array) => {
            found.push((array, result));
        }
        Some(Definition::Branches(branches)) => {
            for (branch, yielded) in branches {
                note_allocations(branch, yielded, result, found);
            }
        }
        Some(Definition::Made | Definition::SameMemory(_) | Definition::Other) | None => {}
    }
}

/// The first array of the block that has the memory of an array.
fn allocated_as(block: &Block, array: VarId) -> VarId {
    let before = |array: &VarId| match definition(block, *array) {
        Some(Definition::SameMemory(before)) => Some(before),
        Some(Definition::Made | Definition::Branches(_) | Definition::Other) | None => None,
    };
    std::iter::successors(Some(array), before).last().unwrap_or(array)
}

/// How a step defines an array.
enum Definition<'a> {
    /// In memory of its own.
    Made,
    /// In the memory of an array that the block had before.
    SameMemory(VarId),
    /// As what either of two blocks yields.
    Branches([(&'a Block, VarId); 2]),
    /// In other memory.
    Other,
}

/// The first array with the memory of the array that a block yields.
fn yielded(block: &Block, at: usize) -> Option<VarId> {
    block.results[at].as_var().map(|array| allocated_as(block, array))
}

/// How a block defines an array. None if it comes from outside.
fn definition(block: &Block, array: VarId) -> Option<Definition<'_>> {
    block.steps.iter().find_map(|step| defined_by(step, array))
}

fn defined_by(step: &Step, array: VarId) -> Option<Definition<'_>> {
    match step {
        Step::Pass(pass) => made_by(pass, array),
        Step::Append { var, extends: None, room, memory, .. } if *var == array => {
            Some(if room.is_empty() { new(memory) } else { Definition::Other })
        }
        Step::Array { var, memory, .. }
        | Step::Sort { var, memory, .. }
        | Step::Copy { var, memory, .. }
            if *var == array =>
        {
            Some(new(memory))
        }
        // It is copied, unless it has no other owner.
        Step::Unique { var, .. } if *var == array => Some(Definition::Made),
        Step::Replace { var, array: before, .. }
        | Step::Reshape { var, array: before, .. }
        | Step::Share { var, array: before }
            if *var == array =>
        {
            Some(Definition::SameMemory(*before))
        }
        Step::If { vars, then, otherwise, .. } => {
            let at = vars.iter().position(|var| *var == array)?;
            let [one, other] = [then, otherwise].map(|branch| yielded(branch, at));
            Some(match (one?, other?) {
                // An array that both branches have comes from outside of them.
                (one, other) if one == other => Definition::SameMemory(one),
                (one, other) => Definition::Branches([(then, one), (otherwise, other)]),
            })
        }
        Step::Loop { vars, init, worker, .. } => {
            let at = vars.iter().position(|var| *var == array)?;
            Some(match init[at] {
                Atom::Var(before) if keeps_memory(worker, at) => Definition::SameMemory(before),
                Atom::Var(_) | Atom::Const(_) => Definition::Other,
            })
        }
        Step::Scalar { .. }
        | Step::Index { .. }
        | Step::Row { .. }
        | Step::Slice { .. }
        | Step::Length { .. }
        | Step::Assert { .. }
        | Step::Call { .. }
        | Step::Append { .. }
        | Step::Array { .. }
        | Step::Sort { .. }
        | Step::Constant { .. }
        | Step::Reshape { .. }
        | Step::Replace { .. }
        | Step::Copy { .. }
        | Step::Unique { .. }
        | Step::Share { .. }
        | Step::Release { .. } => None,
    }
}

fn new(memory: &Memory) -> Definition<'_> {
    if matches!(memory, Memory::New) { Definition::Made } else { Definition::Other }
}

/// A vector that grows in the pass moves, so it is in other memory. So is one whose elements a loop of few steps may
/// write: surplus steps of it write behind the vector.
fn made_by(pass: &Procedure, array: VarId) -> Option<Definition<'_>> {
    let memory = pass.start.iter().find_map(|start| match start {
        Start::NewVec { vec, memory, .. } if *vec == array => Some(memory),
        Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => None,
    })?;
    Some(match memory {
        Memory::New if !pass.growing().contains(&array) && !has_short_loop(&pass.nest) => {
            Definition::Made
        }
        Memory::Over(before) => Definition::SameMemory(*before),
        Memory::New
        | Memory::Scratch
        | Memory::DoubleBuffer
        | Memory::Row(_)
        | Memory::Behind(_)
        | Memory::Part(_) => Definition::Other,
    })
}

/// Whether each step of a loop leaves a carried array in its memory.
fn keeps_memory(worker: &Worker<Complete>, at: usize) -> bool {
    let Worker { params, body } = worker;
    yielded(body, at) == Some(params[at])
}

fn has_short_loop(nest: &Loop) -> bool {
    nest.most.is_some() || nest.variants().any(|(_, inner)| inner.iter().any(is_or_has_short_loop))
}

fn is_or_has_short_loop(nest: &Nest) -> bool {
    match nest {
        Nest::Loop(inner) => has_short_loop(inner),
        Nest::Guard(guard) => guard.inner.iter().any(is_or_has_short_loop),
    }
}
