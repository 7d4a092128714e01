//! A pass overwrites an array that ends with it, instead of allocating new memory and releasing the array's.
//!
//! Invariant: the array has no other owner, and the pass reads an element of it only in the step with the element's
//! position, before it writes there. No step can fail: a vector loop finds a failing step after it has stored the
//! results of others, and then all of these steps run again, one at a time.
//!
//! ```text
//! pass { ys = newVecI n; for i < n { x = nextI i xs; y = f x; writeVecI i ys y } … }; release xs
//! ⇒ pass { ys = newVecI n over xs; for i < n { x = nextI i xs; y = f x; writeVecI i ys y } … }
//! ```

use indexmap::IndexSet;

use crate::ids::{PrimaryMap, VarId};
use crate::ir::cnf::{Type, Var};
use crate::ir::procedure::concrete::mentions;
use crate::ir::procedure::concrete::{
    Block, Guard, Loop, Memory, Nest, Position, Procedure, Start, Step, Stmt,
};
use crate::source::Span;

/// Makes the passes of a block overwrite arrays that are not `shared`. Passes of inner blocks do not change.
pub(super) fn passes(
    steps: Vec<Step>,
    shared: &IndexSet<VarId>,
    vars: &PrimaryMap<VarId, Var>,
) -> Vec<Step> {
    let mut done: Vec<Step> = Vec::new();
    // The pass before the releases.
    let mut last = None;
    for step in steps {
        if let Step::Release { array } = step {
            if let Some(at) = last
                && let Some(Step::Pass(pass)) = done.get_mut(at)
                && !shared.contains(&array)
                && goes_over(pass, array, vars)
            {
                continue;
            }
        } else {
            last = matches!(step, Step::Pass(_)).then_some(done.len());
        }
        done.push(step);
    }
    done
}

/// The arrays that end with a pass of the block and that the pass could overwrite if they had one owner, with the
/// place of the vector.
pub(super) fn wanted(steps: &[Step], vars: &PrimaryMap<VarId, Var>) -> Vec<(VarId, Span)> {
    let mut found = Vec::new();
    let mut last = None;
    for step in steps {
        match (step, last) {
            (Step::Release { array }, Some(pass)) => {
                found.extend(fitting(pass, *array, vars).map(|(_, span)| (*array, span)));
            }
            (Step::Release { .. }, None) => {}
            (Step::Pass(pass), _) => last = Some(pass),
            (_, _) => last = None,
        }
    }
    found
}

/// Makes one of the pass's vectors overwrite the array, if the results stay the same. Returns whether it does.
fn goes_over(pass: &mut Procedure, array: VarId, vars: &PrimaryMap<VarId, Var>) -> bool {
    let Some((over, _)) = fitting(pass, array, vars) else { return false };
    for start in &mut pass.start {
        if let Start::NewVec { vec, memory, .. } = start
            && *vec == over
        {
            *memory = Memory::Over(array);
        }
    }
    true
}

/// The vector of the pass that can overwrite the array, and its place in the source.
fn fitting(pass: &Procedure, array: VarId, vars: &PrimaryMap<VarId, Var>) -> Option<(VarId, Span)> {
    let Procedure { start, nest, yields, .. } = pass;
    // The array may be a result of the pass that also ends with it.
    let is_given = !yields.contains(&array);
    if !is_given || !is_row_of_scalars(&vars[array].ty) || may_fail(nest, vars) {
        return None;
    }
    start.iter().find_map(|start| {
        let Start::NewVec { vec, capacity, memory: Memory::New, span } = start else {
            return None;
        };
        let (old, new) = (&vars[array].ty, &vars[*vec].ty);
        let fits = is_row_of_scalars(new)
            && old.scalars().bytes() == new.scalars().bytes()
            && *capacity == nest.length
            && Over { array, vec: *vec, counter: nest.counter }.all_of(nest);
        fits.then_some((*vec, *span))
    })
}

pub(super) fn is_row_of_scalars(ty: &Type) -> bool {
    matches!(ty, Type::Array { shape, .. } if shape.len() == 1)
}

/// A vector that may overwrite an array.
#[derive(Clone, Copy)]
pub(super) struct Over {
    pub(super) array: VarId,
    pub(super) vec: VarId,
    /// The counter of the pass's loop.
    pub(super) counter: VarId,
}

/// The state of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    /// The step has written nothing yet, so it may read the array.
    Reads,
    /// The step has written an element, so it may not read the array any more.
    Writes,
}

impl Over {
    /// Whether each step reads the array only at its own position, and before it writes the vector.
    pub(super) fn all_of(self, nest: &Loop) -> bool {
        nest.ways()
            .all(|(body, inner)| self.inside(body, inner, self.counter, Done::Reads).is_some())
    }

    /// The state of a step after the statements of the loop or of a guard, whose counter is `index`. None if a
    /// statement prevents overwriting.
    fn inside(self, body: &[Stmt], inner: &[Nest], index: VarId, mut done: Done) -> Option<Done> {
        for stmt in body {
            done = self.stmt(stmt, index, done)?;
        }
        for nest in inner {
            done = match nest {
                Nest::Guard(Guard { index, body, inner, .. }) => {
                    self.inside(body, inner, *index, done)?
                }
                // Its steps would read and write in another order.
                Nest::Loop(_) => return None,
            };
        }
        Some(done)
    }

    fn stmt(self, stmt: &Stmt, index: VarId, done: Done) -> Option<Done> {
        match stmt {
            Stmt::Next { array, index: at, .. } if *array == self.array => {
                (done == Done::Reads && *at == Position::Var(self.counter)).then_some(done)
            }
            // A guard's counter is at most the loop's counter, so the write is at or before the step's position.
            Stmt::Write { vec, index: at, .. } if *vec == self.vec => {
                (*at == Position::Var(index)).then_some(Done::Writes)
            }
            // The vector can become longer than the array.
            Stmt::Reserve { vec, .. } if *vec == self.vec => None,
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Apply { .. }
            | Stmt::Read { .. }
            | Stmt::Reserve { .. }
            | Stmt::Update { .. }
            | Stmt::Current { .. }
            | Stmt::Write { .. } => {
                (!mentions::uses_of(stmt).contains(&self.array)).then_some(done)
            }
        }
    }
}

/// Whether a step of a loop may fail.
pub(super) fn may_fail(nest: &Loop, vars: &PrimaryMap<VarId, Var>) -> bool {
    nest.ways().any(|(body, inner)| fails_inside(body, inner, vars))
}

/// Whether a step of a loop with these statements and nests can fail.
pub(super) fn fails_inside(body: &[Stmt], inner: &[Nest], vars: &PrimaryMap<VarId, Var>) -> bool {
    let fails = |stmt: &Stmt| match stmt {
        Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => block_fails(&worker.body, vars),
        Stmt::Read { .. } | Stmt::Reserve { .. } => true,
        Stmt::Next { .. }
        | Stmt::Position { .. }
        | Stmt::Copy { .. }
        | Stmt::Current { .. }
        | Stmt::Write { .. } => false,
    };
    let nested = |nest: &Nest| match nest {
        Nest::Loop(nest) => may_fail(nest, vars),
        Nest::Guard(Guard { body, inner, .. }) => fails_inside(body, inner, vars),
    };
    body.iter().any(fails) || inner.iter().any(nested)
}

fn block_fails(block: &Block, vars: &PrimaryMap<VarId, Var>) -> bool {
    block.steps.iter().any(|step| step_fails(step, vars))
}

/// Whether a step of a block can fail.
pub(super) fn step_fails(step: &Step, vars: &PrimaryMap<VarId, Var>) -> bool {
    if let Some(branches) = step.branches() {
        return branches.into_iter().any(|branch| block_fails(branch, vars));
    }
    !step.is_total(vars) && !matches!(step, Step::Index { inside: true, .. })
}

#[cfg(test)]
mod tests {
    use crate::pass::load::NoFiles;
    use crate::pipeline::{self, Options};
    use crate::source::Sources;

    /// The number of arrays that the passes of an entry make in new memory, and the number that they make over
    /// others.
    fn made(entry: &str) -> [usize; 2] {
        let mut sources = Sources::default();
        let file = sources.add("over.arr", entry);
        let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
        let form = compiled.unwrap_or_else(|e| panic!("{entry}: {e:?}")).program.to_string();
        let (all, over) = (form.matches("newVecI").count(), form.matches(") over ").count());
        [all - over, over]
    }

    /// The counts for a program with `ys` and its sum `s` in memory, and this rest of the body.
    fn after_sum(rest: &str) -> [usize; 2] {
        made(&format!(
            "entry f [n] (xs: [n]i64) = let ys = scan (+) 0 xs let s = i64.sum ys in {rest}"
        ))
    }

    #[test]
    fn passes_write_over_what_ends_with_them() {
        assert_eq!(after_sum("map (+ s) ys"), [1, 1]);
        assert_eq!(after_sum("filter (> s) ys"), [1, 1]);
        assert_eq!(after_sum("scan (+) 0 (map (* s) ys)"), [1, 1]);
        assert_eq!(after_sum("map2 (\\x y -> x + y - s) xs ys"), [1, 1]);
        assert_eq!(after_sum("map (\\y -> f64.i64 (y + s)) ys"), [1, 1], "of one width");
        assert_eq!(after_sum("map (\\y -> (y + s) // 3) ys"), [1, 1], "no step can fail");
        assert_eq!(after_sum("(map (+ s) ys, map (* s) ys)"), [2, 1]);
    }

    #[test]
    fn nothing_is_lost_by_it() {
        assert_eq!(after_sum("(map (+ s) ys, ys)"), [2, 0], "it does not end");
        assert_eq!(after_sum("map (+ s) xs"), [1, 0], "it belongs to the caller");
        assert_eq!(after_sum("map (\\y -> i32.i64 (y + s)) ys"), [2, 0], "other widths");
        assert_eq!(after_sum("map (\\y -> s // y) ys"), [2, 0], "a step may fail");
        assert_eq!(after_sum("generate n (\\i -> ys[n - 1 - i] + s)"), [2, 0], "read elsewhere");
        let again = "map2 (\\i y -> i64.max s (y + ys[(i + 1) % n])) (iota n) ys";
        assert_eq!(after_sum(again), [2, 0], "and read elsewhere");
        let crossed = "map (\\(x, y) -> x * y + s) (cross ys xs)";
        assert_eq!(after_sum(crossed), [2, 0], "more of them");
    }

    #[test]
    fn loops_write_over_what_they_carry() {
        let step = "map (\\x -> x * 3 + 1) a";
        let carried = |init: &str| {
            format!("entry f [n] (k: i64) (xs: [n]i64) = loop a = {init} for _i < k do {step}")
        };
        assert_eq!(made(&carried("map (+ 1) xs")), [1, 1]);
        assert_eq!(made(&carried("xs")), [0, 1], "the first is a copy of the caller's");
    }
}
