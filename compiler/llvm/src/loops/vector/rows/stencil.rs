//! Rows of a stencil, several at once: each element is computed from neighbours, and neighbours of different rows are
//! the same elements (unroll-and-jam).
//!
//! A loop that makes one row at a time loads each element once for every row that reads it. A tile of four rows loads
//! it once: a stencil of 3 by 3 reads 18 vectors for four rows, and not 36.
//!
//! Invariant: nothing in the steps can fail, and the rows overwrite no array that the steps read. The range of columns
//! in which no edge is tested is the same in all rows. The columns outside of it are made behind the others, row by
//! row. The last vector of a row may overlap the one before: its elements are computed again, with the same bits.
//!
//! ```text
//! for r in range { for c < w { range from 1 to w - 1: ys[r, c] = x[r - 1, c - 1] + … + x[r + 1, c + 1] } }
//! ⇒ for r in steps of 4 { for c from 1 in steps of 16 { a = load x[r - 1, c - 1]; …; store ys[r, c], …, ys[r + 3, c] }
//!                         for each of the rows { the elements at 0 and at w - 1 } }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{
    Function, Loop, Memory, Position, Procedure, Range, Start, Step, Stmt, Worker, def_use,
};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Rounding};
use indexmap::IndexSet;
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::super::plan::Plan;
use super::super::{legality as steps_legality, profitability, shape};
use super::legality::binds;
use super::row_steps::{all_if, begin, column_of, defined, steps_if_any, steps_of};
use super::row_tile;
use super::row_tiling::{RowTiling, RowWidth, Stencil};
use crate::loops::nesting::Level;
use crate::loops::pass::{Pass, Steps};
use crate::loops::pass_scopes::lower_with_scopes;
use crate::target::isa::Isa;
use crate::unit::built;

/// The rows of a tile. `scripts/bench blur_3x3` takes 0.46 to 0.53 of the time of C at 1,000,000 steps, before 0.78 to
/// 0.92 (least times, AVX-512). Other numbers of rows were not measured.
const ROWS: u32 = 4;
/// The fewest elements of an array that a step reads if a tile pays. `scripts/bench relaxation_f64` reads five. In a
/// prototype in C, a tile took 0.32 ns a point for five, and single rows 0.24; for nine, 0.47 and 0.71 (`f32`, AVX2,
/// second-level cache).
const LEAST_READS: usize = 6;
/// The most loads of a tile, in percent of those of its rows one by one. With more, the tile reads too many rows at the
/// same time for what its rows have in common. `scripts/bench blur_3x3` has half of the loads. The limit was not
/// measured by itself.
const MOST_LOADS: usize = 70;
/// How many steps may run before a row's elements: they are repeated for each vector of a tile. No benchmark shows it
/// alone.
const MAX_STEPS: usize = 32;

/// The rows of a stencil that the steps of a pass make, if tiles of them pay.
pub(super) fn of<'p>(run: Steps<'_, 'p>, function: &Function, isa: Isa) -> Option<RowTiling<'p>> {
    if run.procedure.overwrites().next().is_some() {
        return None;
    }
    let [before @ .., Stmt::Apply { elems, worker, args }, Stmt::Write { elem, placed: true, .. }] =
        run.body
    else {
        return None;
    };
    let [prelude @ .., Step::Pass(inner)] = &worker.body.steps[..] else { return None };
    let (&[made], &[row]) = (&elems[..], &inner.yields[..]) else { return None };
    let whole = *elem == Atom::Var(made) && worker.body.results == [Atom::Var(row)];
    let plain = run.procedure.accs.is_empty() && run.inner.is_empty() && before.iter().all(binds);
    if !whole || !plain || prelude.len() > MAX_STEPS || !prelude.iter().all(is_scalar) {
        return None;
    }
    let stencil = columns(inner)?;
    let varying = varying(run.procedure, before, worker, prelude);
    let same = |atom: Atom| !matches!(atom, Atom::Var(var) if varying.contains(&var));
    let Range { from, to, .. } = stencil.range;
    if !same(*from)
        || !same(*to)
        || !shares_neighbours(stencil, run.procedure, before, worker, args)
    {
        return None;
    }
    let variant = Steps {
        procedure: inner,
        counter: inner.nest.counter,
        body: &stencil.variant.body,
        inner: &stencil.variant.inner,
        release: &stencil.variant.release,
        ..run
    };
    let facts = steps_legality::facts_of_rows(variant, function, isa).ok()?;
    let sole = facts.roles.values().all(Option::is_none) && !facts.compacts && !facts.tiled;
    let simple = !facts.loops && facts.locals.is_empty() && facts.arrays.is_empty();
    if !sole || !simple || facts.may_fail || !facts.divisors.is_empty() {
        return None;
    }
    let gains = profitability::gains(&facts, isa, Level::Inner);
    let plan = shape::plan(facts, gains, function, isa, Level::Inner).ok()?;
    let plan = Plan { parts: ROWS, ..plan };
    let (width, spans, stencil) = (RowWidth::Nest, None, Some(stencil));
    Some(RowTiling { before, worker, args, prelude, inner, width, spans, stencil, plan })
}

/// The columns in which no edge is tested, if a pass only makes a row in its place.
fn columns(inner: &Procedure) -> Option<Stencil<'_>> {
    let makes = inner.start.iter().all(|start| match start {
        Start::NewVec { memory: Memory::Row(place), .. } => place.over.is_none(),
        Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => false,
    });
    let nest = &inner.nest;
    let plain = nest.inner.is_empty() && nest.release.is_empty() && inner.accs.is_empty();
    let [range @ Range { period: None, variants, .. }] = &nest.ranges[..] else { return None };
    let [variant] = &variants[..] else { return None };
    let sole = variant.inner.is_empty() && variant.release.is_empty();
    (makes && plain && sole).then_some(Stencil { range, variant })
}

/// Whether a step computes scalars, and cannot fail.
fn is_scalar(step: &Step) -> bool {
    if let Step::Scalar { op: Operation::Bin(op, _), .. } = step {
        return !matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem);
    }
    if let Step::If { takes, then, otherwise, .. } = step {
        let both = [then, otherwise];
        return takes.is_empty() && both.iter().all(|block| block.steps.iter().all(is_scalar));
    }
    matches!(
        step,
        Step::Scalar { op: Operation::Un(..) | Operation::MulAdd(Rounding::Any, _), .. }
            | Step::Length { .. }
    )
}

/// The variables of a row's code that may differ from row to row.
fn varying(
    outer: &Procedure,
    before: &[Stmt],
    worker: &Worker,
    prelude: &[Step],
) -> BTreeSet<VarId> {
    let mut varying: BTreeSet<_> = defined(outer, before, worker, &[]).into_iter().collect();
    for step in prelude {
        if def_use::uses(step).iter().any(|var| varying.contains(var)) {
            varying.extend(def_use::defines(step));
        }
    }
    varying
}

/// An element that a step reads: its indices but for the row, and the distance of its row from the one that is made, if
/// it is known.
type StencilRead = (Vec<Atom>, Option<i64>);

/// Whether the rows of a tile have enough elements of an array in common.
fn shares_neighbours(
    stencil: Stencil<'_>,
    outer: &Procedure,
    before: &[Stmt],
    row: &Worker,
    args: &[Atom],
) -> bool {
    let mut places = RowOffsets::of(outer, before, row, args);
    let mut reads: BTreeMap<VarId, Vec<StencilRead>> = BTreeMap::new();
    for stmt in &stencil.variant.body {
        let Stmt::Apply { worker, .. } = stmt else { continue };
        for step in &worker.body.steps {
            places.step(step);
            if let Step::Index { array, indices, .. } = step
                && let [others @ .., row, column] = &indices[..]
            {
                let same = others.iter().chain([column]).copied().collect();
                let place = (same, places.offset(*row));
                let of_array = reads.entry(*array).or_default();
                if !of_array.contains(&place) {
                    of_array.push(place);
                }
            }
        }
    }
    reads.values().any(|reads| reads.len() >= LEAST_READS && pays(reads))
}

/// Whether a tile that reads these elements in each row loads few enough.
fn pays(reads: &[StencilRead]) -> bool {
    let rows = || 0..i64::from(ROWS);
    let known = reads.iter().filter_map(|(same, offset)| offset.map(|offset| (same, offset)));
    let shared = known.flat_map(|(same, offset)| rows().map(move |row| (same, offset + row)));
    let unshared = reads.iter().filter(|(_, offset)| offset.is_none()).count() * rows().count();
    let loads = shared.collect::<IndexSet<_>>().len() + unshared;
    loads * 100 <= reads.len() * rows().count() * MOST_LOADS
}

/// The variables that are the number of the row, plus a constant.
struct RowOffsets(BTreeMap<VarId, i64>);

impl RowOffsets {
    fn of(outer: &Procedure, before: &[Stmt], worker: &Worker, args: &[Atom]) -> Self {
        let mut offsets = Self(BTreeMap::from([(outer.nest.counter, 0)]));
        for stmt in before {
            if let Stmt::Position { elem, index: Position::Var(var) } = stmt {
                offsets.bind(*elem, offsets.offset(Atom::Var(*var)));
            } else if let Stmt::Copy { elem, from } = stmt {
                offsets.bind(*elem, offsets.offset(*from));
            }
        }
        for (&param, &arg) in worker.params.iter().zip(args) {
            offsets.bind(param, offsets.offset(arg));
        }
        worker.body.steps.iter().for_each(|step| offsets.step(step));
        offsets
    }

    fn offset(&self, atom: Atom) -> Option<i64> {
        let Atom::Var(var) = atom else { return None };
        self.0.get(&var).copied()
    }

    fn bind(&mut self, var: VarId, offset: Option<i64>) {
        self.0.extend(offset.map(|offset| (var, offset)));
    }

    fn step(&mut self, step: &Step) {
        let Step::Scalar { var, op: Operation::Bin(op, [left, right]), .. } = step else { return };
        let constant = |atom: &Atom| match atom {
            Atom::Const(value) => i64::try_from(value.as_i128()).ok(),
            Atom::Var(_) => None,
        };
        let sum = if *op == BinOp::Add {
            let left_first = self.offset(*left).zip(constant(right));
            left_first.or_else(|| self.offset(*right).zip(constant(left)))
        } else if *op == BinOp::Sub {
            self.offset(*left).zip(constant(right).and_then(i64::checked_neg))
        } else {
            None
        };
        self.bind(*var, sum.and_then(|(offset, more)| offset.checked_add(more)));
    }
}

/// Lowers the rows; returns the first one that is left.
pub(super) fn lower<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    (rows, stencil): (&RowTiling<'p>, Stencil<'p>),
) -> IntValue<'ctx> {
    let [from, to] = bounds(pass, run, (rows, stencil));
    let code = &pass.body.code;
    let [lanes, parts] = [rows.plan.lanes, ROWS].map(|count| code.size(count.into()));
    let columns = built(code.b.build_int_sub(to, from, ""));
    let count = built(code.b.build_int_sub(run.to, run.from, ""));
    let wide = code.compare(IntPredicate::SGE, columns, lanes);
    let many = code.compare(IntPredicate::SGE, count, parts);
    let fits = built(code.b.build_and(wide, many, ""));
    all_if(pass, run, fits, |pass| {
        let code = &pass.body.code;
        let left = built(code.b.build_int_unsigned_rem(count, parts, ""));
        let end = built(code.b.build_int_sub(run.to, left, ""));
        for (first, last, parts) in [(run.from, end, ROWS), (end, run.to, 1)] {
            steps_if_any(pass, (first, last, parts.into()), |pass, row| {
                row_of_tiles(pass, run, (rows, parts), [row, from, to]);
                let behind = pass.body.code.add_index(row, pass.body.code.size(parts.into()));
                let peeled = |pass: &mut _, row| edges(pass, run, (rows, stencil), row);
                steps_of(pass, (row, behind, 1), peeled);
            });
        }
    })
}

/// The columns in which no edge is tested.
fn bounds<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    (rows, stencil): (&RowTiling<'p>, Stencil<'p>),
) -> [IntValue<'ctx>; 2] {
    let sizes = pass.body.sizes.clone();
    let mut bounds = None;
    lower_with_scopes(pass.body, rows.inner, |inner| {
        begin(inner, run.procedure, rows, run.from);
        let Range { from, to, .. } = stencil.range;
        bounds = Some([*from, *to].map(|bound| inner.body.int(bound)));
    });
    pass.body.sizes = sizes;
    bounds.expect("the bounds are lowered")
}

/// All columns of the rows of a tile.
fn row_of_tiles<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    (rows, parts): (&RowTiling<'p>, u32),
    [row, from, to]: [IntValue<'ctx>; 3],
) {
    let lanes = u64::from(rows.plan.lanes);
    steps_of(pass, (from, to, lanes), |pass, at| {
        let column = column_of(pass, at, (to, lanes));
        row_tile::tile(pass, run.procedure, (rows, parts), None, [row, column]);
    });
}

/// The elements of a row outside of the columns of its vectors.
fn edges<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    (rows, stencil): (&RowTiling<'p>, Stencil<'p>),
    row: IntValue<'ctx>,
) {
    let sizes = pass.body.sizes.clone();
    lower_with_scopes(pass.body, rows.inner, |inner| {
        begin(inner, run.procedure, rows, row);
        let nest = &rows.inner.nest;
        let Range { from, to, peeled, .. } = stencil.range;
        let length = inner.length(&nest.length);
        let plain = |inner: &mut Pass<'_, '_, 'ctx, 'p>| {
            let [from, to] = [*from, *to].map(|bound| inner.body.int(bound));
            for [from, to] in [[inner.body.code.size(0), from], [to, length]] {
                let Loop { counter, body, inner: nests, release, .. } = nest;
                let (procedure, counter) = (rows.inner, *counter);
                let run = Steps { procedure, counter, from, to, body, inner: nests, release };
                inner.outside_ranges(run, counter, Level::Inner);
            }
        };
        match peeled {
            Some(peeled) => {
                inner.peel_around(nest, (stencil.range, *peeled), length, (|_, _| {}, plain));
            }
            None => plain(inner),
        }
    });
    pass.body.sizes = sizes;
}
