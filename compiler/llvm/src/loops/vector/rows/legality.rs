//! Whether several rows of a result can be made at once.
//!
//! Invariant: of what is found, the steps of the outer pass do nothing but make rows of one length in their places, and nothing
//! in them can fail.

use std::collections::BTreeSet;

use arrc_core::ids::VarId;
use arrc_core::ir::cnf::Atom;
use arrc_core::ir::procedure::concrete::{
    End, Function, Length, Memory, Position, Procedure, Start, Step, Stmt, Worker, Written,
};
use inkwell::values::IntValue;

use super::super::plan::Plan;
use super::super::{legality, profitability, shape};
use super::{Panel, Rows, Spans};
use crate::loops::pass::{Level, Run};
use crate::target::isa::Isa;

/// How many steps a row may take before its elements are made: they are made again for each tile.
const MOST_STEPS: usize = 16;

/// The rows that steps of a pass make, if several can be made at once.
pub(in crate::loops::vector) fn of<'p>(
    run: Run<'_, 'p>,
    function: &Function,
    isa: Isa,
) -> Option<Rows<'p>> {
    let fresh = run.procedure.accs.is_empty() && run.procedure.overwrites().next().is_none();
    let [before @ .., Stmt::Apply { elems, worker, args }, write] = run.body else { return None };
    let Stmt::Write { elem, index, placed: true, .. } = write else { return None };
    let [prelude @ .., Step::Pass(inner)] = &worker.body.steps[..] else { return None };
    let whole = elems[..] == inner.yields[..1]
        || (elems.len() == 1 && *elem == Atom::Var(elems[0]) && worker.body.results.len() == 1);
    let here = *index == Position::Var(run.procedure.nest.counter);
    let short = prelude.len() <= MOST_STEPS && prelude.iter().all(is_plain);
    if !(fresh && whole && here && short && run.inner.is_empty() && before.iter().all(binds)) {
        return None;
    }
    let own = defined(run.procedure, before, worker, prelude);
    if !makes_rows(inner, &own) {
        return None;
    }
    let facts = legality::facts(steps(inner, run.from, run.to), function, isa).ok()?;
    let sole = facts.roles.values().all(Option::is_none) && !facts.compacts && !facts.tiled;
    if !facts.loops
        || !facts.arrays.is_empty()
        || facts.may_fail
        || !sole
        || !facts.divisors.is_empty()
        || facts.few.is_some()
    {
        return None;
    }
    let gains = profitability::gains(&facts, isa, Level::Inner);
    let plan = shape::plan(facts, gains, function, isa, Level::Inner).ok()?;
    let plan = Plan { parts: isa.tile_rows(), ..plan };
    // A panel is in the frame, of which a recursive function has many.
    let next = rows_of_arrays(before, worker, args);
    let spans = spans(inner, &own, &next).filter(|_| !function.recursive);
    Some(Rows { before, worker, args, prelude, inner, spans, plan })
}

/// The steps of the pass that makes a row.
fn steps<'ctx, 'p>(
    inner: &'p Procedure,
    from: IntValue<'ctx>,
    to: IntValue<'ctx>,
) -> Run<'ctx, 'p> {
    let nest = &inner.nest;
    Run { procedure: inner, from, to, body: &nest.body, inner: &nest.inner, release: &nest.release }
}

/// Whether a statement only binds what is at its position.
fn binds(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Next { .. } | Stmt::Position { .. } | Stmt::Copy { .. })
}

/// Whether a step takes an instruction or two, and cannot fail.
fn is_plain(step: &Step) -> bool {
    matches!(step, Step::Un { .. } | Step::Length { .. } | Step::Reshape { .. })
}

/// What a step of the outer pass binds before it makes its row.
pub(super) fn defined(
    pass: &Procedure,
    before: &[Stmt],
    worker: &Worker,
    prelude: &[Step],
) -> Vec<VarId> {
    let mut vars = vec![pass.nest.counter];
    for stmt in before {
        if let Stmt::Next { elem, .. } | Stmt::Position { elem, .. } | Stmt::Copy { elem, .. } =
            stmt
        {
            vars.push(*elem);
        }
    }
    vars.extend(&worker.params);
    for step in prelude {
        if let Step::Un { var, .. } | Step::Length { var, .. } | Step::Reshape { var, .. } = step {
            vars.push(*var);
        }
    }
    vars
}

/// Whether a pass does nothing but make rows in their places, as long in each step of the outer pass.
fn makes_rows(inner: &Procedure, own: &[VarId]) -> bool {
    let same = |var: VarId| !own.contains(&var);
    let same_atom = |atom: &Atom| match atom {
        Atom::Const(_) => true,
        Atom::Var(var) => same(*var),
    };
    let length = match &inner.nest.length {
        Length::Array(array) => same(*array),
        Length::Value(count) => same_atom(count),
        Length::Product(..) => false,
    };
    let starts = inner.start.iter().all(|start| match start {
        Start::CheckSize { size, .. } => same_atom(size),
        Start::NewVec { memory: Memory::Row(_), .. } => true,
        Start::NewVec { .. } | Start::NewAcc { .. } => false,
    });
    let ends = inner.end.iter().all(|end| matches!(end, End::Slice { length: Written::All, .. }));
    let nest = &inner.nest;
    let plain = nest.inner.is_empty() && nest.ranges.is_empty() && nest.release.is_empty();
    length && starts && ends && plain && inner.accs.is_empty()
}

/// The fold that each element is, if it is nothing else, and what it reads for all rows alike.
fn spans<'p>(inner: &'p Procedure, own: &[VarId], rows: &[VarId]) -> Option<Spans<'p>> {
    let [before @ .., Stmt::Apply { elems, worker, args }, Stmt::Write { vec, elem, .. }] =
        &inner.nest.body[..]
    else {
        return None;
    };
    let [Step::Pass(fold)] = &worker.body.steps[..] else { return None };
    let (&[end], &[acc]) = (&elems[..], &fold.yields[..]) else { return None };
    // The rows of an array have one length.
    let same_length = match &fold.nest.length {
        Length::Array(array) => !own.contains(array) || rows.contains(array),
        Length::Value(Atom::Var(count)) => !own.contains(count),
        Length::Value(Atom::Const(_)) => true,
        Length::Product(..) => false,
    };
    let plain = *elem == Atom::Var(end)
        && worker.body.results == [Atom::Var(acc)]
        && fold.accs.len() == 1
        && fold.nest.ranges.is_empty()
        && same_length;
    if !plain {
        return None;
    }
    let mut columns = Same::of(inner.nest.counter);
    columns.stmts(before);
    columns.params(&worker.params, args);
    let mut turns = Same::of(fold.nest.counter);
    let panel = fold.nest.body.iter().find_map(|stmt| {
        turns.stmts(std::slice::from_ref(stmt));
        let Stmt::Apply { worker, args, .. } = stmt else { return None };
        turns.params(&worker.params, args);
        columns.params(&worker.params, args);
        let panel = |step: &Step| {
            let Step::Index { var, array, indices, inside: true, .. } = step else { return None };
            let &[turn, column] = &indices[..] else { return None };
            let is_shared = turns.has(turn) && columns.has(column) && !own.contains(array);
            is_shared.then_some(Panel { var: *var, array: *array })
        };
        worker.body.steps.iter().find_map(panel)
    });
    Some(Spans { fold, vec: *vec, panel })
}

/// What a step of the outer pass binds that is a row of an array.
fn rows_of_arrays(before: &[Stmt], worker: &Worker, args: &[Atom]) -> Vec<VarId> {
    let next = before
        .iter()
        .filter_map(|stmt| if let Stmt::Next { elem, .. } = stmt { Some(*elem) } else { None });
    let mut rows = next.collect::<Vec<_>>();
    for (&param, arg) in worker.params.iter().zip(args) {
        if matches!(arg, Atom::Var(arg) if rows.contains(arg)) {
            rows.push(param);
        }
    }
    rows
}

/// Variables that are all the same.
struct Same(BTreeSet<VarId>);

impl Same {
    fn of(var: VarId) -> Self {
        Self(BTreeSet::from([var]))
    }

    fn has(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.0.contains(&var))
    }

    fn same(&mut self, var: VarId, from: Atom) {
        if self.has(from) {
            self.0.insert(var);
        }
    }

    fn params(&mut self, params: &[VarId], args: &[Atom]) {
        for (&param, &arg) in params.iter().zip(args) {
            self.same(param, arg);
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            if let Stmt::Position { elem, index: Position::Var(var) } = stmt {
                self.same(*elem, Atom::Var(*var));
            } else if let Stmt::Copy { elem, from } = stmt {
                self.same(*elem, *from);
            }
        }
    }
}
