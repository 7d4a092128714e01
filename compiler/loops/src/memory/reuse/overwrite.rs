//! A pass overwrites an array that ends with it, instead of allocating new memory and releasing the array's.
//!
//! Invariant: the array has no other owner, and the pass reads an element of it only in the step with the element's
//! position, before it writes there. The position is the number of the step, or the counters of all loops around. No
//! step can fail: a vector loop finds a failing step after it has stored the results of others, and then all of these
//! steps run again, one at a time.
//!
//! The ranges of such a pass that store each element where they read it do nothing
//! ([`crate::memory::reuse::silent_stores`]).
//!
//! ```text
//! pass { ys = newVecI n; for i < n { x = nextI i xs; y = f x; writeVecI i ys y } … }; release xs
//! ⇒ pass { ys = newVecI n over xs; for i < n { x = nextI i xs; y = f x; writeVecI i ys y } … }
//!
//! pass { ys = newVecI n; for i < n { pass { y = newVecI m in ys[i]; for j < m { … xs[i, j] … } } } }; release xs
//! ⇒ pass { ys = newVecI n over xs; for i < n { pass { y = newVecI m in ys[i] over xs; for j < m { … xs[i, j] … } } } }
//! ```

use indexmap::IndexSet;

use crate::concrete::def_use;
use crate::concrete::{
    Block, Guard, Length, Loop, Memory, Nest, Position, Procedure, Start, Step, Stmt,
};
use crate::memory::reuse::loop_level::LoopLevel;
use crate::memory::reuse::silent_stores::SilentStores;
use arrc_fusion::cnf::{Atom, Extent, SizeDef, SizeInfo, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::source::Span;

/// The variables and sizes of a function.
#[derive(Clone, Copy)]
pub(crate) struct FunctionTables<'a> {
    pub(crate) vars: &'a PrimaryMap<VarId, Var>,
    pub(crate) sizes: &'a PrimaryMap<SizeId, SizeInfo>,
}

/// Makes the passes of a block overwrite arrays that are not `shared`. Passes of inner blocks do not change.
pub(crate) fn passes(
    steps: Vec<Step>,
    shared: &IndexSet<VarId>,
    known: FunctionTables<'_>,
) -> Vec<Step> {
    let mut done: Vec<Step> = Vec::new();
    // The pass before the releases.
    let mut last = None;
    for step in steps {
        if let Step::Release { array } = step {
            if let Some(at) = last
                && let Some(Step::Pass(pass)) = done.get_mut(at)
                && !shared.contains(&array)
                && overwrite(pass, array, known)
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
pub(crate) fn wanted(steps: &[Step], known: FunctionTables<'_>) -> Vec<(VarId, Span)> {
    let mut found = Vec::new();
    let mut last = None;
    for step in steps {
        match (step, last) {
            (Step::Release { array }, Some(pass)) => {
                found.extend(
                    overwriting_vector(pass, *array, known).map(|(_, span)| (*array, span)),
                );
            }
            (Step::Release { .. }, None) => {}
            (Step::Pass(pass), _) => last = Some(pass),
            (_, _) => last = None,
        }
    }
    found
}

/// Makes one of the pass's vectors overwrite the array, if the results stay the same. Returns whether it does.
fn overwrite(pass: &mut Procedure, array: VarId, known: FunctionTables<'_>) -> bool {
    let Some((over, _)) = overwriting_vector(pass, array, known) else { return false };
    for start in &mut pass.start {
        if let Start::NewVec { vec, memory, .. } = start
            && *vec == over
        {
            *memory = Memory::Over(array);
        }
    }
    SilentStores { array, vars: known.vars }.empty_ranges(&mut pass.nest, over, &[]);
    put_rows_over(pass, over, array);
    true
}

/// Notes that the rows of a vector, and the rows of these rows, lie over an array, which the passes that make them may
/// read.
pub(super) fn put_rows_over(pass: &mut Procedure, vector: VarId, over: VarId) {
    pass.nest.for_each_stmt_mut(&mut |stmt| {
        if let Stmt::Apply { worker, .. } = stmt {
            put_rows_of_block_over(&mut worker.body, vector, over);
        }
    });
}

fn put_rows_of_block_over(block: &mut Block, vector: VarId, over: VarId) {
    for step in &mut block.steps {
        if let Step::Pass(pass) = step {
            let mut rows = Vec::new();
            for start in &mut pass.start {
                if let Start::NewVec { vec, memory: Memory::Row(place), .. } = start
                    && place.vec == vector
                {
                    place.over = Some(over);
                    rows.push(*vec);
                }
            }
            rows.into_iter().for_each(|row| put_rows_over(pass, row, over));
        } else {
            for inner in step.blocks_mut() {
                put_rows_of_block_over(inner, vector, over);
            }
        }
    }
}

/// Whether a vector of the pass can overwrite the array, if the array has one owner.
pub(super) fn can_overwrite(pass: &Procedure, array: VarId, known: FunctionTables<'_>) -> bool {
    overwriting_vector(pass, array, known).is_some()
}

/// The vector of the pass that can overwrite the array, and its place in the source.
fn overwriting_vector(
    pass: &Procedure,
    array: VarId,
    known: FunctionTables<'_>,
) -> Option<(VarId, Span)> {
    let vars = known.vars;
    let Procedure { start, nest, yields, .. } = pass;
    // The array may be a result of the pass that also ends with it.
    let is_given = !yields.contains(&array);
    let natural = non_negative(pass, array, known);
    if !is_given || !vars[array].ty.is_array() || nest.may_fail(&natural, vars) {
        return None;
    }
    start.iter().find_map(|start| {
        let Start::NewVec { vec, capacity, memory: Memory::New, span } = start else {
            return None;
        };
        let (old, new) = (&vars[array].ty, &vars[*vec].ty);
        let fits = (is_row_of_scalars(old) && is_row_of_scalars(new) || old.shape() == new.shape())
            && old.scalars().bytes() == new.scalars().bytes()
            && *capacity == nest.length
            && Overwrite::new(array, *vec, vars).all_of(nest);
        fits.then_some((*vec, *span))
    })
}

pub(super) fn is_row_of_scalars(ty: &Type) -> bool {
    matches!(ty, Type::Array { shape, .. } if shape.len() == 1)
}

/// A vector that may overwrite an array.
#[derive(Clone, Copy)]
pub(super) struct Overwrite {
    array: VarId,
    vec: VarId,
    /// Whether each position of the vector is one of the array.
    has_shape: bool,
}

/// The state of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AccessState {
    /// The step has written nothing yet, so it may read the array.
    Reads,
    /// The step has written an element, so it may not read the array any more.
    Writes,
}

impl Overwrite {
    pub(super) fn new(array: VarId, vec: VarId, vars: &PrimaryMap<VarId, Var>) -> Self {
        Self { array, vec, has_shape: vars[array].ty.shape() == vars[vec].ty.shape() }
    }

    /// Whether each step reads the array only at its own position, and before it writes the vector.
    pub(super) fn all_of(self, nest: &Loop) -> bool {
        self.steps(nest, (self.vec, &[]), AccessState::Reads).is_some()
    }

    /// What the steps of a loop did, which writes that vector in the step of loops with those counters; nothing if they
    /// are in the way.
    fn steps(
        self,
        nest: &Loop,
        (vec, around): (VarId, &[IndexSet<VarId>]),
        before: AccessState,
    ) -> Option<AccessState> {
        let mut all = before;
        for (body, inner) in nest.variants() {
            let level = LoopLevel::of(body, (vec, nest.counter), around);
            all = all.max(self.inside((body, inner), nest.counter, &level, before)?);
        }
        Some(all)
    }

    /// The state of a step after the statements of the loop or of a guard, whose counter is `index`. None if a
    /// statement prevents overwriting.
    fn inside(
        self,
        (body, inner): (&[Stmt], &[Nest]),
        index: VarId,
        level: &LoopLevel,
        mut done: AccessState,
    ) -> Option<AccessState> {
        for stmt in body {
            done = self.stmt(stmt, index, level, done)?;
        }
        for nest in inner {
            done = match nest {
                Nest::Guard(Guard { index, body, inner, .. }) => {
                    self.inside((body, inner), *index, level, done)?
                }
                // Its steps would read and write in another order.
                Nest::Loop(_) => return None,
            };
        }
        Some(done)
    }

    fn stmt(
        self,
        stmt: &Stmt,
        index: VarId,
        level: &LoopLevel,
        done: AccessState,
    ) -> Option<AccessState> {
        match stmt {
            Stmt::Next { array, index: at, .. } if *array == self.array => {
                let is_own = level.positions.len() == 1 && *at == Position::Var(level.counter);
                (done == AccessState::Reads && is_own).then_some(done)
            }
            // A guard's counter is at most the loop's counter, so the write is at or before the step's position.
            Stmt::Write { vec, index: at, .. } if *vec == level.vec => {
                (*at == Position::Var(index)).then_some(AccessState::Writes)
            }
            // The vector can become longer than the array.
            Stmt::Reserve { vec, .. } if *vec == level.vec => None,
            Stmt::Apply { worker, args, .. } if !args.contains(&Atom::Var(self.array)) => {
                self.block(&worker.body, &level.within(worker, args), done)
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Apply { .. }
            | Stmt::Read { .. }
            | Stmt::Reserve { .. }
            | Stmt::Update { .. }
            | Stmt::Current { .. }
            | Stmt::Write { .. } => (!def_use::uses_of(stmt).contains(&self.array)).then_some(done),
        }
    }

    /// The steps of a worker or of a branch in it.
    fn block(self, block: &Block, level: &LoopLevel, mut done: AccessState) -> Option<AccessState> {
        for step in &block.steps {
            done = self.step(step, level, done)?;
        }
        (!block.results.contains(&Atom::Var(self.array))).then_some(done)
    }

    fn step(self, step: &Step, level: &LoopLevel, done: AccessState) -> Option<AccessState> {
        if let Step::Pass(pass) = step
            && let Some(row) = level.row(pass)
        {
            return self.steps(&pass.nest, (row, &level.positions), done);
        }
        if !def_use::uses(step).contains(&self.array) {
            return Some(done);
        }
        if let Step::Pass(pass) = step
            && level.positions.len() == 1
        {
            let own = OwnRow { array: self.array, rows: &level.positions[0] };
            return (self.has_shape && done == AccessState::Reads && own.pass(pass))
                .then_some(done);
        }
        if let Step::If { takes, then, otherwise, .. } = step
            && !takes.contains(&self.array)
        {
            let branches = [then, otherwise].map(|branch| self.block(branch, level, done));
            let [then, otherwise] = branches;
            return Some(then?.max(otherwise?));
        }
        let Step::Index { array, indices, inside: true, .. } = step else { return None };
        let is_own = *array == self.array
            && indices.len() == level.positions.len()
            && indices
                .iter()
                .zip(&level.positions)
                .all(|(index, names)| matches!(index, Atom::Var(var) if names.contains(var)));
        (self.has_shape && is_own && done == AccessState::Reads).then_some(done)
    }
}

/// Passes that a step runs before it writes, and which read no row of the array but that of the step.
#[derive(Clone, Copy)]
struct OwnRow<'a> {
    array: VarId,
    /// The names of the row's position.
    rows: &'a IndexSet<VarId>,
}

impl OwnRow<'_> {
    fn pass(self, pass: &Procedure) -> bool {
        let begins = pass.start.iter().all(|start| match start {
            Start::CheckSize { .. } => true,
            Start::NewAcc { init, .. } => *init != Atom::Var(self.array),
            Start::NewVec { .. } => false,
        });
        let mut is_own = begins && pass.nest.length != Length::Array(self.array);
        pass.nest.for_each_stmt(&mut |stmt| is_own &= self.stmt(stmt));
        is_own
    }

    fn stmt(self, stmt: &Stmt) -> bool {
        if !def_use::uses_of(stmt).contains(&self.array) {
            return true;
        }
        match stmt {
            Stmt::Apply { worker, args, .. } | Stmt::Update { worker, args, .. } => {
                !args.contains(&Atom::Var(self.array)) && self.block(&worker.body)
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Reserve { .. }
            | Stmt::Current { .. }
            | Stmt::Write { .. } => false,
        }
    }

    fn block(self, block: &Block) -> bool {
        let at_row = |index: Atom| matches!(index, Atom::Var(row) if self.rows.contains(&row));
        let is_own = |step: &Step| {
            let reads = matches!(
                step,
                Step::Index { array, indices, inside: true, .. }
                    if *array == self.array && indices.len() == 2 && at_row(indices[0])
            );
            reads || !def_use::uses(step).contains(&self.array)
        };
        block.steps.iter().all(is_own) && !block.results.contains(&Atom::Var(self.array))
    }
}

/// The numbers that are not negative in the steps of a pass: those that it has checked, and the extents of an array
/// that has elements then.
fn non_negative(pass: &Procedure, array: VarId, known: FunctionTables<'_>) -> Vec<Atom> {
    let checked = pass.start.iter().filter_map(|start| match start {
        Start::CheckSize { size, .. } => Some(*size),
        Start::NewVec { .. } | Start::NewAcc { .. } => None,
    });
    let extents = known.vars[array].ty.shape().iter().filter_map(|extent| match extent {
        Extent::Const(_) => None,
        Extent::Size(size) => match known.sizes[*size].def {
            SizeDef::Value(var) => Some(Atom::Var(var)),
            SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => None,
        },
    });
    checked.chain(extents).collect()
}
