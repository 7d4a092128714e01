//! Several rows of a result at once, where each element of a row is a fold that reads what other rows read too.
//!
//! A product of matrices is the model: each element is a fold over k of `a[i, k] * b[k, j]`. One row at a time reads all of
//! `b` for each row. Here a tile of some rows and two vectors of columns is in registers, and each element of `b` that is
//! loaded is for all rows of the tile. The columns are the outermost loop, so that what is read of `b` for a tile is in
//! the cache for the next tile.
//!
//! Invariant: the loops only make elements of a fresh result, and nothing in them can fail: so their order does not matter,
//! and the last tile of columns may begin where the tile before it has not ended.
//!
//! ```text
//! for j in steps of 16                   the last one begins at m - 16
//!   for i in steps of 8                  r0 = row a[i], …, r7 = row a[i + 7]
//!     for k: b = load <16 x f64> at b[k, j]; s0 = s0 + r0[k] * b; …; s7 = s7 + r7[k] * b
//!     store s0 at [i, j], …, s7 at [i + 7, j]
//! the rows that are left: one by one
//! ```

use arrc_core::ids::VarId;
use arrc_core::ir::cnf::Atom;
use arrc_core::ir::procedure::concrete::{
    End, Function, Length, Memory, Position, Procedure, Start, Step, Stmt, Worker, Written,
};
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::body::VectorLoop;
use super::cache::Stores;
use super::plan::Plan;
use super::{legality, profitability, shape};
use crate::loops::pass::{Level, Pass, Run};
use crate::target::isa::Isa;
use crate::unit::built;
use crate::value::Value;

/// How many steps a row may take before its elements are made: they are made again for each tile.
const MOST_STEPS: usize = 16;

/// A pass whose steps make rows.
pub(super) struct Rows<'p> {
    /// What a step has before it makes its row.
    before: &'p [Stmt],
    worker: &'p Worker,
    args: &'p [Atom],
    /// What the worker does before it makes the row.
    prelude: &'p [Step],
    /// The pass that makes the row.
    inner: &'p Procedure,
    /// How it runs in vectors: each of its parts is a row.
    pub(super) plan: Plan,
}

/// The rows that steps of a pass make, if several can be made at once.
pub(super) fn of<'p>(run: Run<'_, 'p>, function: &Function, isa: Isa) -> Option<Rows<'p>> {
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
    if !facts.loops || facts.may_fail || !sole || !facts.divisors.is_empty() || facts.few.is_some()
    {
        return None;
    }
    let gains = profitability::gains(&facts, isa, Level::Inner);
    let plan = shape::plan(facts, gains, function, isa, Level::Inner).ok()?;
    let plan = Plan { parts: isa.tile_rows(), ..plan };
    Some(Rows { before, worker, args, prelude, inner, plan })
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
fn defined(pass: &Procedure, before: &[Stmt], worker: &Worker, prelude: &[Step]) -> Vec<VarId> {
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

/// Makes as many rows as there are whole tiles of; returns the first step that is left.
pub(super) fn lower<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Run<'ctx, 'p>,
    rows: &Rows<'p>,
) -> IntValue<'ctx> {
    let width = pass.length(&rows.inner.nest.length);
    let code = &pass.body.code;
    let [lanes, parts] = [rows.plan.lanes, rows.plan.parts].map(|count| code.size(count.into()));
    let last = built(code.b.build_int_sub(width, lanes, ""));
    let count = built(code.b.build_int_sub(run.to, run.from, ""));
    let wide = code.compare(IntPredicate::SGE, width, lanes);
    let many = code.compare(IntPredicate::SGE, count, parts);
    let [columns, next] = ["rows", "rows.done"].map(|name| code.block(name));
    let before = code.here();
    code.branch(built(code.b.build_and(wide, many, "")), columns, next);

    code.b.position_at_end(columns);
    let whole = built(code.b.build_int_unsigned_rem(count, parts, ""));
    let end = built(code.b.build_int_sub(run.to, whole, ""));
    let tiles = code.block("rows.columns");
    let enter = code.here();
    code.jump(tiles);
    code.b.position_at_end(tiles);
    let counter = built(code.b.build_phi(code.types.i64, "j"));
    counter.add_incoming(&[(&code.size(0), enter)]);
    let at = counter.as_basic_value().into_int_value();
    let i64 = code.types.i64.into();
    let first = code.call_intrinsic("llvm.smin", &[i64], &[at.into(), last.into()]);
    down(pass, Run { to: end, ..run }, rows, first.into_int_value());
    let code = &pass.body.code;
    let after = code.add_index(at, lanes);
    let latch = code.here();
    counter.add_incoming(&[(&after, latch)]);
    let done = code.block("rows.end");
    code.branch(code.compare(IntPredicate::SLT, after, width), tiles, done);
    code.b.position_at_end(done);
    code.jump(next);

    code.b.position_at_end(next);
    let phi = built(code.b.build_phi(code.types.i64, "from"));
    phi.add_incoming(&[(&run.from, before), (&end, done)]);
    phi.as_basic_value().into_int_value()
}

/// Every tile of some columns: the rows from top to bottom.
fn down<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Run<'ctx, 'p>,
    rows: &Rows<'p>,
    column: IntValue<'ctx>,
) {
    let sizes = pass.body.sizes.clone();
    let code = &pass.body.code;
    let (tile, enter) = (code.block("rows.tile"), code.here());
    code.jump(tile);
    code.b.position_at_end(tile);
    let counter = built(code.b.build_phi(code.types.i64, "i"));
    counter.add_incoming(&[(&run.from, enter)]);
    let at = counter.as_basic_value().into_int_value();
    crate::loops::scalar::within(pass.body, rows.inner, |inner| {
        let begun = (0..rows.plan.parts).map(|part| {
            let code = &inner.body.code;
            let row = code.add_index(at, code.size(part.into()));
            begin(inner, run.procedure, rows, row)
        });
        let begun = begun.collect::<Vec<_>>();
        let plan = rows.plan.clone();
        let mut vectors = VectorLoop::new(
            inner,
            plan,
            Stores::Cached,
            std::collections::BTreeMap::new(),
            Vec::new(),
        );
        vectors.each_row(begun, rows.inner, column);
    });
    pass.body.sizes = sizes;
    let code = &pass.body.code;
    let after = code.add_index(at, code.size(rows.plan.parts.into()));
    let latch = code.here();
    counter.add_incoming(&[(&after, latch)]);
    let done = code.block("rows.bottom");
    code.branch(code.compare(IntPredicate::SLT, after, run.to), tile, done);
    code.b.position_at_end(done);
}

/// What a row binds before its elements are made.
fn begin<'ctx, 'p>(
    inner: &mut Pass<'_, '_, 'ctx, 'p>,
    outer: &'p Procedure,
    rows: &Rows<'p>,
    at: IntValue<'ctx>,
) -> Vec<(VarId, Value<'ctx>)> {
    let counter = outer.nest.counter;
    inner.body.bind_same(counter, Value::Scalar(at.into()));
    for stmt in rows.before {
        inner.stmt(stmt);
    }
    for (&param, &arg) in rows.worker.params.iter().zip(rows.args) {
        let arg = inner.body.atom(arg);
        inner.body.bind_same(param, arg);
    }
    for step in rows.prelude {
        inner.body.step(step);
    }
    for start in &rows.inner.start {
        inner.start(start);
    }
    let mut vars = defined(outer, rows.before, rows.worker, rows.prelude);
    vars.extend(rows.inner.start.iter().filter_map(|start| match start {
        Start::NewVec { vec, .. } => Some(*vec),
        Start::CheckSize { .. } | Start::NewAcc { .. } => None,
    }));
    vars.into_iter().map(|var| (var, inner.body.var(var).clone())).collect()
}
