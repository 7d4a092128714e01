//! Legality of making several rows of a result at once.
//!
//! Invariant: the result describes a pass whose steps only write rows of one length into their places. No operation in
//! the steps can fail. If the rows overwrite an array, a step reads its elements only where it writes them: see
//! `arrc_loops::memory::reuse::overwrite`.

use std::collections::{BTreeMap, BTreeSet};

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{
    End, Function, Length, Memory, Position, Procedure, Start, Step, Stmt, Worker, WrittenCount,
};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Rounding};
use inkwell::values::IntValue;

use super::super::plan::{Plan, StepArray};
use super::super::tile::Panel;
use super::super::{legality, profitability, shape};
use super::row_steps::defined;
use super::row_tiling::{RowTiling, RowWidth, SPAN, SpanLength, Spans};
use crate::function::function_body::ROOM;
use crate::loops::nesting::Level;
use crate::loops::pass::Steps;
use crate::target::isa::Isa;

/// How many steps may run before a row's elements: they are repeated for each tile. No benchmark shows it alone.
const MAX_STEPS: usize = 16;

/// The rows that steps of a pass make, if several can be made at once.
pub(super) fn of<'p>(run: Steps<'_, 'p>, function: &Function, isa: Isa) -> Option<RowTiling<'p>> {
    let over = run.procedure.overwrites().next().is_some();
    let [before @ .., Stmt::Apply { elems, worker, args }, write] = run.body else { return None };
    let Stmt::Write { elem, index, placed: true, .. } = write else { return None };
    let [prelude @ .., Step::Pass(inner)] = &worker.body.steps[..] else { return None };
    let (&[made], &[row]) = (&elems[..], &inner.yields[..]) else { return None };
    let whole = *elem == Atom::Var(made) && worker.body.results == [Atom::Var(row)];
    let here = *index == Position::Var(run.procedure.nest.counter);
    let short = prelude.len() <= MAX_STEPS && prelude.iter().all(is_plain);
    let only_rows = run.procedure.accs.is_empty() && run.inner.is_empty();
    if !(only_rows && whole && here && short && before.iter().all(binds)) {
        return None;
    }
    let own = defined(run.procedure, before, worker, prelude);
    let given = rows_of_arrays(before, worker, args);
    let width = width(inner, &own, &given)?;
    if !makes_rows(inner, &own) {
        return None;
    }
    let facts = legality::facts_of_rows(steps(inner, run.from, run.to), function, isa).ok()?;
    let sole = facts.roles.values().all(Option::is_none) && !facts.compacts && !facts.tiled;
    if !facts.loops
        || !facts.locals.is_empty()
        || facts.may_fail
        || !sole
        || !facts.divisors.is_empty()
        || facts.inner_lanes.is_some()
    {
        return None;
    }
    let gains = profitability::gains(&facts, isa, Level::Inner);
    let plan = shape::plan(facts, gains, function, isa, Level::Inner).ok()?;
    let plan = Plan { parts: isa.tile_rows(), ..plan };
    // A panel is on the stack, so a recursive function gets none.
    let next = given
        .keys()
        .copied()
        .chain(prelude.iter().filter_map(|step| slice_of_one_length(step, &own)))
        .collect::<Vec<_>>();
    let rows_read = &plan.facts.arrays;
    let fits = |spans: &Spans<'_>| spans.panel.is_none_or(|panel| has_room(panel, &plan, function));
    let spans = spans((inner, over), &own, &next, (rows_read, function));
    let spans = spans.filter(|spans| !function.recursive && fits(spans));
    // Without a panel, rows are read lane by lane.
    if !rows_read.is_empty() && spans.is_none_or(|spans| !spans.has_row_panel()) {
        return None;
    }
    // Columns that two tiles make are kept by the second tile, which knows them as a part of a span.
    if over && spans.is_none() {
        return None;
    }
    Some(RowTiling { before, worker, args, prelude, inner, width, spans, stencil: None, plan })
}

/// Whether a panel fits in the buffer of the frame.
fn has_room(panel: Panel, plan: &Plan, function: &Function) -> bool {
    let elem = function.tables.vars[panel.array].ty.scalars();
    SPAN * u64::from(plan.lanes * elem.bytes()) <= u64::from(ROOM)
}

/// The steps of the pass that makes a row.
fn steps<'ctx, 'p>(
    inner: &'p Procedure,
    from: IntValue<'ctx>,
    to: IntValue<'ctx>,
) -> Steps<'ctx, 'p> {
    let (nest, counter) = (&inner.nest, inner.nest.counter);
    let (body, release) = (&nest.body, &nest.release);
    Steps { procedure: inner, counter, from, to, body, inner: &nest.inner, release }
}

/// Whether a statement only binds the element at its position.
pub(super) fn binds(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Next { .. } | Stmt::Position { .. } | Stmt::Copy { .. })
}

/// Whether a step takes an instruction or two, and cannot fail.
fn is_plain(step: &Step) -> bool {
    if let Step::Scalar { op: Operation::Bin(op, _), .. } = step {
        return matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul);
    }
    matches!(
        step,
        Step::Scalar { op: Operation::Un(..) | Operation::MulAdd(Rounding::Any, _), .. }
            | Step::Length { .. }
            | Step::Reshape { .. }
            | Step::Slice { .. }
    )
}

/// Whether a pass only makes rows in their places, which have the same length in each step of the outer pass.
fn makes_rows(inner: &Procedure, own: &[VarId]) -> bool {
    let starts = inner.start.iter().all(|start| match start {
        Start::CheckSize { size, .. } => is_same(*size, own),
        Start::NewVec { memory: Memory::Row(_), .. } => true,
        Start::NewVec { .. } | Start::NewAcc { .. } => false,
    });
    let ends =
        inner.end.iter().all(|end| matches!(end, End::Slice { length: WrittenCount::All, .. }));
    let nest = &inner.nest;
    let plain = nest.inner.is_empty() && nest.ranges.is_empty() && nest.release.is_empty();
    starts && ends && plain && inner.accs.is_empty()
}

/// The length of the rows that a pass makes, if it is the same in each step of the outer pass.
fn width(inner: &Procedure, own: &[VarId], given: &BTreeMap<VarId, VarId>) -> Option<RowWidth> {
    match &inner.nest.length {
        Length::Array(array) if own.contains(array) => given.get(array).copied().map(RowWidth::Row),
        Length::Value(count) => is_same(*count, own).then_some(RowWidth::Nest),
        Length::Array(_) => Some(RowWidth::Nest),
        Length::Product(..) => None,
    }
}

/// Whether an atom has the same value in each step of the outer pass.
fn is_same(atom: Atom, own: &[VarId]) -> bool {
    !matches!(atom, Atom::Var(var) if own.contains(&var))
}

/// The fold that each element is made of, and the elements that it reads for all rows.
fn spans<'p>(
    (inner, over): (&'p Procedure, bool),
    own: &[VarId],
    rows: &[VarId],
    (read, function): (&BTreeMap<VarId, StepArray>, &Function),
) -> Option<Spans<'p>> {
    let [before @ .., Stmt::Apply { elems, worker, args }, Stmt::Write { vec, elem, .. }] =
        &inner.nest.body[..]
    else {
        return None;
    };
    let mut folds = worker.body.steps.iter().filter_map(as_pass);
    let (fold, None) = (folds.next()?, folds.next()) else { return None };
    // The rows of an array have one length.
    let length = match &fold.nest.length {
        Length::Array(array) => match read.get(array) {
            // Each step of the outer pass may have another matrix.
            Some(StepArray::Row(matrix)) => {
                (!own.contains(matrix)).then_some(SpanLength::Row(*matrix))?
            }
            Some(StepArray::Local(_) | StepArray::Part(_)) => return None,
            None => (!own.contains(array) || rows.contains(array)).then_some(SpanLength::Fold)?,
        },
        Length::Value(Atom::Var(count)) => (!own.contains(count)).then_some(SpanLength::Fold)?,
        Length::Value(Atom::Const(_)) => SpanLength::Fold,
        Length::Product(..) => return None,
    };
    if !fold.nest.ranges.is_empty() {
        return None;
    }
    let (&[end], &[acc]) = (&elems[..], &fold.yields[..]) else { return None };
    if *elem != Atom::Var(end) {
        return None;
    }
    let scalar = |var: VarId| function.tables.vars[var].ty.scalars();
    let is_sum = worker.body.results == [Atom::Var(acc)] && worker.body.steps.len() == 1;
    // The result has room for one partial sum an element, but not if the last span still has to read its old elements.
    let waits = !over && fold.accs.len() == 1 && scalar(acc) == scalar(end);
    let mut columns = SameValues::of(inner.nest.counter);
    columns.stmts(before);
    columns.params(&worker.params, args);
    let panel = panel(fold, columns, own, read)?;
    // Without spans, a fold of any length reads its elements where they are.
    if !waits && !over && !panel.is_some_and(|panel| panel.of_rows) {
        return None;
    }
    Some(Spans { fold, length, vec: *vec, waits, is_sum, over, panel })
}

fn as_pass(step: &Step) -> Option<&Procedure> {
    if let Step::Pass(pass) = step { Some(pass) } else { None }
}

/// The panel of a fold: the element that it reads for all rows, if there is a single one. Gives nothing if it reads
/// several rows of matrices.
#[allow(
    clippy::option_option,
    reason = "a fold without a panel may run in spans, one with several rows may not"
)]
fn panel(
    fold: &Procedure,
    mut columns: SameValues,
    own: &[VarId],
    read: &BTreeMap<VarId, StepArray>,
) -> Option<Option<Panel>> {
    let mut iterations = SameValues::of(fold.nest.counter);
    let (mut shared, mut of_rows) = (None, Vec::new());
    for stmt in &fold.nest.body {
        iterations.stmts(std::slice::from_ref(stmt));
        if let Stmt::Next { elem, array, .. } = stmt
            && let Some(held) = read.get(array)
        {
            let StepArray::Row(matrix) = held else { return None };
            if own.contains(matrix) {
                return None;
            }
            of_rows.push(Panel { var: *elem, array: *matrix, of_rows: true });
        }
        let (Stmt::Apply { worker, args, .. } | Stmt::Update { worker, args, .. }) = stmt else {
            continue;
        };
        let params = &worker.params[worker.params.len() - args.len()..];
        iterations.params(params, args);
        columns.params(params, args);
        for step in &worker.body.steps {
            let Step::Index { var, array, indices, inside, .. } = step else { continue };
            if read.contains_key(array) {
                return None;
            }
            if let (&[iteration, column], true) = (&indices[..], *inside)
                && iterations.has(iteration)
                && columns.has(column)
                && !own.contains(array)
            {
                shared.get_or_insert(Panel { var: *var, array: *array, of_rows: false });
            }
        }
    }
    match of_rows[..] {
        [] => Some(shared),
        [row] => Some(Some(row)),
        [_, _, ..] => None,
    }
}

/// The slice that a step binds, if it has as many elements in each step of the outer pass.
fn slice_of_one_length(step: &Step, own: &[VarId]) -> Option<VarId> {
    let Step::Slice { var, count, .. } = step else { return None };
    let varies = matches!(count, Atom::Var(count) if own.contains(count));
    (!varies).then_some(*var)
}

/// The variables that a step of the outer pass binds and that are rows of an array, each with the array.
fn rows_of_arrays(before: &[Stmt], worker: &Worker, args: &[Atom]) -> BTreeMap<VarId, VarId> {
    let mut rows = BTreeMap::new();
    for stmt in before {
        if let Stmt::Next { elem, array, .. } = stmt {
            rows.insert(*elem, *array);
        }
    }
    for (&param, arg) in worker.params.iter().zip(args) {
        if let Atom::Var(arg) = arg
            && let Some(&array) = rows.get(arg)
        {
            rows.insert(param, array);
        }
    }
    rows
}

/// Variables that stand for the same value.
struct SameValues(BTreeSet<VarId>);

impl SameValues {
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
