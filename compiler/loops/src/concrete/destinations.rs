//! The arrays that a call may make in memory which its caller gives for a result.
//!
//! Invariant: a call makes at most one of the arrays of a result, once, and in its outermost block or in branches of it.
//! The array stays in its memory until the call ends, and only the result uses this memory then. No pass writes behind
//! the array: the memory there is not ours.
//!
//! ```text
//! { ys = pass …; zs = replace ys [i] x; yield (zs) }      ys is made in the memory for result 0
//! f (xs) { ys = copy xs; zs = replace ys [i] x; yield (zs) }     the same, and if xs is there, nothing is copied
//! { ys = loop (a = xs) … { b = pass …; yield (b) } … }    no array: each step makes one
//! ```

use std::collections::BTreeSet;

use super::def_use::{defines, uses};
use super::phase::Complete;
use super::program::{
    Block, End, Function, Loop, Memory, Nest, Procedure, Program, Start, Stmt, Worker,
};
use super::step::Step;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::{FuncId, VarId};

/// An array that may be made in the memory for a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Destination {
    /// The array.
    pub array: VarId,
    /// The index of the result.
    pub result: usize,
    /// The parameter that the array is a copy of, if no later step reads the parameter. If the caller gives the parameter's
    /// memory for the result, the copy is not needed.
    pub replaced: Option<VarId>,
}

impl Program {
    /// The arrays of the function of each entry that is called from outside only.
    #[must_use]
    pub fn destinations(&self) -> Vec<(FuncId, Vec<Destination>)> {
        let called = self.called_functions();
        let functions = self.entries.iter().map(|entry| entry.function);
        let functions = functions.filter(|id| !called.contains(id));
        functions.map(|id| (id, destinations(&self.functions[id]))).collect()
    }
}

fn destinations(function: &Function) -> Vec<Destination> {
    let mut found = Vec::new();
    for (at, (result, ty)) in function.body.results.iter().zip(&function.results).enumerate() {
        if let (Atom::Var(var), true) = (result, ty.is_array()) {
            note_allocations(&function.body, *var, at, &mut found);
        }
    }
    for destination in &mut found {
        destination.replaced = replaced(function, destination.array);
    }
    found
}

/// The parameter that an array is a copy of, if no step after the copy reads the memory of the parameter.
fn replaced(function: &Function, array: VarId) -> Option<VarId> {
    let steps = &function.body.steps;
    let copies = |step: &Step| {
        let Step::Copy { var, array: from, .. } = step else { return None };
        (*var == array).then_some(*from)
    };
    let (at, param) = steps.iter().enumerate().find_map(|(at, step)| Some((at, copies(step)?)))?;
    let mut names = BTreeSet::from([param]);
    let uses_names =
        |step: &Step, names: &BTreeSet<VarId>| uses(step).iter().any(|used| names.contains(used));
    let is_array = |var: &VarId| function.tables.vars[*var].ty.is_array();
    for step in &steps[..at] {
        if uses_names(step, &names) {
            names.extend(possible_names(step).into_iter().filter(is_array));
        }
    }
    let results = function.body.results.iter().filter_map(Atom::as_var);
    let is_used = steps[at + 1..].iter().any(|step| uses_names(step, &names))
        || results.into_iter().any(|result| names.contains(&result));
    (function.params.contains(&param) && !is_used).then_some(param)
}

/// The variables that a step defines, if they may have the memory of an array that it uses.
fn possible_names(step: &Step) -> Vec<VarId> {
    match step {
        Step::Append { extends: None, .. }
        | Step::Array { .. }
        | Step::Sort { .. }
        | Step::Copy { .. }
        | Step::Constant { .. }
        | Step::Scalar { .. }
        | Step::Index { .. }
        | Step::Length { .. }
        | Step::Assert { .. }
        | Step::Release { .. } => Vec::new(),
        Step::Pass(pass) => {
            let read = pass.end.iter().filter_map(|end| match end {
                End::Read { result, .. } => Some(*result),
                End::Slice { .. } => None,
            });
            read.collect()
        }
        Step::Append { extends: Some(_), .. }
        | Step::Row { .. }
        | Step::Slice { .. }
        | Step::If { .. }
        | Step::Call { .. }
        | Step::Reshape { .. }
        | Step::Loop { .. }
        | Step::Replace { .. }
        | Step::Unique { .. }
        | Step::Share { .. } => defines(step).into_iter().collect(),
    }
}

/// Notes the steps of a block, and of its branches, that make the memory of an array.
fn note_allocations(block: &Block, array: VarId, result: usize, found: &mut Vec<Destination>) {
    let array = allocated_as(block, array);
    match definition(block, array) {
        Some(Definition::Made) if found.iter().all(|made| made.array != array) => {
            found.push(Destination { array, result, replaced: None });
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

fn made_by(pass: &Procedure, array: VarId) -> Option<Definition<'_>> {
    let made = pass.start.iter().find_map(|start| match start {
        Start::NewVec { vec, memory, .. } if *vec == array => Some(new_vector(pass, array, memory)),
        Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => None,
    });
    made.or_else(|| accumulated(pass, array))
}

/// A vector that grows in the pass moves, so it is in other memory. So is one whose elements a loop of few steps may
/// write: surplus steps of it write behind the vector.
fn new_vector<'a>(pass: &Procedure, array: VarId, memory: &Memory) -> Definition<'a> {
    match memory {
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
    }
}

/// The value of an accumulator: in the memory of its first value, if each update works in place.
fn accumulated<'a>(pass: &Procedure, array: VarId) -> Option<Definition<'a>> {
    let acc = pass.end.iter().find_map(|end| match end {
        End::Read { result, acc } if *result == array => Some(*acc),
        End::Read { .. } | End::Slice { .. } => None,
    })?;
    let first = pass.start.iter().find_map(|start| match start {
        Start::NewAcc { acc: made, init } if *made == acc => init.as_var(),
        Start::NewAcc { .. } | Start::NewVec { .. } | Start::CheckSize { .. } => None,
    })?;
    let mut is_in_place = true;
    pass.nest.for_each_stmt(&mut |stmt| {
        if let Stmt::Update { accs, worker, .. } = stmt
            && let Some(at) = accs.iter().position(|updated| *updated == acc)
        {
            is_in_place &= keeps_memory(worker, at);
        }
    });
    Some(if is_in_place { Definition::SameMemory(first) } else { Definition::Other })
}

/// Whether each step leaves a carried array in its memory.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concrete::parse;

    /// The arrays of a function that may have the memory of a result: their names, the results, and the parameters that they
    /// replace.
    fn found(head: &str, steps: &[&str]) -> Vec<String> {
        let text = format!("function {head}\n= {{ {} }}\n", steps.join("\n  ; "));
        let program: Program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(program.verify(), Ok(()), "{text}");
        let function = program.functions.values().next().expect("there is a function");
        let name = |var: VarId| function.tables.vars[var].name.to_string();
        let told = destinations(function).into_iter().map(|found| {
            let replaced =
                found.replaced.map_or_else(String::new, |var| format!(" = {}", name(var)));
            format!("{} -> {}{replaced}", name(found.array), found.result)
        });
        told.collect()
    }

    const MAP: &str = "procedure f_1
    with loopI (i : i64) (length xs)
      start { (ys : [n]i64) = newVecI (length xs) }
      body { x = nextI i xs
           ; y = (+ 1i64) x
           ; writeVecI i ys y }
      end { sliceVecI (length xs) ys }
    yields (ys)";

    #[test]
    fn an_array_that_is_made_once_has_the_memory_of_its_result() {
        let head = "f (xs : [n]i64) (k : i64) : [n]i64";
        assert_eq!(found(head, &[MAP, "yield (ys)"]), ["ys -> 0"]);
        let update = "(zs : [n]i64) = ys with inside [k] = 7i64";
        assert_eq!(found(head, &[MAP, update, "yield (zs)"]), ["ys -> 0"]);
        let carried = "(zs : [n]i64) = loop ys for k
      do (\\(a : [n]i64) j -> { (b : [n]i64) = a with inside [j] = j; yield (b) })";
        assert_eq!(found(head, &[MAP, carried, "yield (zs)"]), ["ys -> 0"]);
        let shared = "(zs : [n]i64) = share ys";
        let head = "f (xs : [n]i64) : ([n]i64, [n]i64)";
        assert_eq!(found(head, &[MAP, shared, "yield (ys, zs)"]), ["ys -> 0"]);
    }

    #[test]
    fn an_array_that_each_step_makes_has_memory_of_its_own() {
        let carried = "(xs.2 : [n]i64) = copy xs
  ; (zs : [n]i64) = loop xs.2 for k
      do (\\(a : [n]i64) j -> { (b : [n]i64) = copy a; release a; yield (b) })";
        let head = "f (xs : [n]i64) (k : i64) : [n]i64";
        assert_eq!(found(head, &[carried, "yield (zs)"]), [""; 0]);
    }

    #[test]
    fn a_copy_replaces_a_parameter_that_no_later_step_reads() {
        let head = "f (xs : [n]i64) (us : [n]i64) (k : i64) : [n]i64";
        let copy = "(ys : [n]i64) = copy xs";
        let update = "(zs : [n]i64) = ys with inside [k] = 7i64";
        assert_eq!(
            found(head, &["t = inside xs[k]", copy, update, "yield (zs)"]),
            ["ys -> 0 = xs"]
        );
        let later = "t = inside xs[k]";
        assert_eq!(found(head, &[copy, update, later, "yield (zs)"]), ["ys -> 0"]);
        // Another name of the parameter.
        let named = "c = k > 0i64
  ; (b : [n]i64) = if c then { (xs.2 : [n]i64) = share xs; yield (xs.2) } else { (us.2 : [n]i64) = share us; yield (us.2) }";
        let read = "t = inside b[k]";
        assert_eq!(
            found(head, &[named, copy, update, read, "release b", "yield (zs)"]),
            ["ys -> 0"]
        );
    }
}
