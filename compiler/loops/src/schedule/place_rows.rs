//! Rows are made where they belong: a worker that makes a row makes it inside the matrix, which then
//! needs no copy of it.
//!
//! Invariant: a row that is made in a matrix is read only by the step that makes it, and by none of
//! its workers that give arrays, so no reference is left when the matrix is gone.
//!
//! ```text
//! row = (\x -> { pass { r = newVecI m … }; yield (r) }) x; writeVecI i b row
//! ⇒ row = (\x -> { pass { r = newVecI m in b at i … }; yield (r) }) x; writeVecI i b row, placed
//! ```

use crate::concrete::def_use;
use crate::concrete::{
    Block, End, Guard, Loop, Memory, Nest, Plain, Procedure, RowLocation, Start, Step, Stmt,
    Worker, WrittenCount,
};
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};

/// Places the rows that the steps of a pass make.
pub(super) fn place(pass: Procedure<Plain>, vars: &PrimaryMap<VarId, Var>) -> Procedure<Plain> {
    let Procedure { name, accs, slices: _, start, nest, end, yields } = pass;
    let Loop { counter, length, most, collapsed, body, inner, release, ranges } = nest;
    let (body, inner) = steps(body, inner, vars);
    let nest = Loop { counter, length, most, collapsed, body, inner, release, ranges };
    Procedure { name, accs, slices: None, start, nest, end, yields }
}

fn steps(
    mut body: Vec<Stmt<Plain>>,
    inner: Vec<Nest<Plain>>,
    vars: &PrimaryMap<VarId, Var>,
) -> (Vec<Stmt<Plain>>, Vec<Nest<Plain>>) {
    for at in 0..body.len() {
        let Stmt::Write { vec, index, elem: Atom::Var(row), .. } = &body[at] else { continue };
        let (place, row) = (RowLocation { vec: *vec, index: index.clone(), over: None }, *row);
        if !vars[row].ty.is_array() || escapes(&body, &inner, row, vars) {
            continue;
        }
        if make_at(&mut body[..at], row, place) {
            let Stmt::Write { placed, .. } = &mut body[at] else { panic!("a row is written here") };
            *placed = true;
        }
    }
    let inner = inner.into_iter().map(|nest| match nest {
        Nest::Loop(nest) => {
            let (body, inner) = steps(nest.body, nest.inner, vars);
            Nest::Loop(Loop { body, inner, ..nest })
        }
        Nest::Guard(guard) => {
            let (body, inner) = steps(guard.body, guard.inner, vars);
            Nest::Guard(Guard { body, inner, ..guard })
        }
    });
    (body, inner.collect())
}

/// Whether anything but a copy may keep a row beyond its step.
fn escapes(
    body: &[Stmt<Plain>],
    inner: &[Nest<Plain>],
    row: VarId,
    vars: &PrimaryMap<VarId, Var>,
) -> bool {
    let uses = |atoms: &[Atom]| atoms.contains(&Atom::Var(row));
    let gives_arrays = |worker: &Worker<Plain>| {
        worker.body.results.iter().any(|result| match result {
            Atom::Const(_) => false,
            Atom::Var(var) => vars[*var].ty.is_array(),
        })
    };
    let keeps = |stmt: &Stmt<Plain>| {
        if let Stmt::Apply { worker, args, .. } | Stmt::Update { worker, args, .. } = stmt {
            return (uses(args) || def_use::uses_in(worker).contains(&row)) && gives_arrays(worker);
        }
        matches!(stmt, Stmt::Copy { from, .. } if uses(&[*from]))
    };
    let nested = |nest: &Nest<Plain>| match nest {
        Nest::Loop(Loop { body, inner, .. }) | Nest::Guard(Guard { body, inner, .. }) => {
            escapes(body, inner, row, vars)
        }
    };
    body.iter().any(keeps) || inner.iter().any(nested)
}

/// Makes a row at its place in the matrix, if a pass of the worker that yields the row makes it, and it has no place
/// yet.
fn make_at(body: &mut [Stmt<Plain>], row: VarId, place: RowLocation) -> bool {
    body.iter_mut().any(|stmt| {
        let Stmt::Apply { elems, worker, .. } = stmt else { return false };
        let Some(at) = elems.iter().position(|&elem| elem == row) else { return false };
        let Atom::Var(made) = worker.body.results[at] else { return false };
        make_in(&mut worker.body, made, place.clone())
    })
}

fn make_in(block: &mut Block<Plain>, made: VarId, place: RowLocation) -> bool {
    let is_literal = |var: VarId| {
        block.steps.iter().any(|step| {
            matches!(step, Step::Array { var: made, .. } | Step::Sort { var: made, .. } if *made == var)
        })
    };
    // A literal of several dimensions is a literal of scalars that is reshaped. A row or a slice of a literal is a part
    // of it, so the literal does not fit in the place.
    let whole = |step: &Step<Plain>| step.whole_view().filter(|(var, _)| *var == made);
    let view = block.steps.iter().find_map(whole);
    let source = view.map(|(_, source)| source).filter(|&source| is_literal(source));
    let mentions = block.steps.iter().filter(|step| {
        let used = def_use::uses(step);
        let is_view = view.is_some() && step.whole_view() == view;
        let views = step.view().is_some_and(|(var, _)| var == made);
        used.contains(&made)
            || (source.is_none() && views)
            || (source.is_some_and(|source| used.contains(&source)) && !is_view)
    });
    let yields = block.results.iter().filter(|&&result| result == Atom::Var(made)).count();
    if mentions.count() > 0 || yields != 1 {
        return false;
    }
    block.steps.iter_mut().any(|step| {
        if let Step::Array { var, memory: at @ Memory::New, .. }
        | Step::Sort { var, memory: at @ Memory::New, .. } = step
            && *var == source.unwrap_or(made)
        {
            *at = Memory::Row(place.clone());
            return true;
        }
        let Step::Pass(Procedure { start, end, .. }) = step else { return false };
        let whole =
            |end: &End| matches!(end, End::Slice { vec, length: WrittenCount::All } if *vec == made);
        end.iter().any(whole)
            && start.iter_mut().any(|start| match start {
                Start::NewVec { vec, memory: memory @ Memory::New, .. } if *vec == made => {
                    *memory = Memory::Row(place.clone());
                    true
                }
                Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => false,
            })
    })
}
