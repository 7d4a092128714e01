//! Loops over rows and columns, and the code of a row before its elements.
//!
//! Invariant: the last vector of a row ends with the row, and may overlap the one before.
//!
//! ```text
//! for j in steps of 16 to m: column = min j (m - 16)
//! ```

use arrc_loops::concrete::{Procedure, Start, Step, Stmt, Worker, def_use};
use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::row_tiling::RowTiling;
use crate::loops::pass::{Pass, Steps};
use crate::unit::built;
use crate::value::LoweredValue;

/// Lowers all rows in tiles, under a condition; returns the first row that is left.
pub(super) fn all_if<'b, 'u, 'ctx, 'p>(
    pass: &mut Pass<'b, 'u, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    condition: IntValue<'ctx>,
    tiles: impl FnOnce(&mut Pass<'b, 'u, 'ctx, 'p>),
) -> IntValue<'ctx> {
    let code = &pass.body.code;
    let [some, next] = ["rows", "rows.done"].map(|name| code.block(name));
    let before = code.current_block();
    code.branch(condition, some, next);

    code.b.position_at_end(some);
    tiles(pass);
    let code = &pass.body.code;
    let done = code.current_block();
    code.jump(next);

    code.b.position_at_end(next);
    let phi = built(code.b.build_phi(code.types.i64, "from"));
    phi.add_incoming(&[(&run.from, before), (&run.to, done)]);
    phi.as_basic_value().into_int_value()
}

/// A loop that runs several steps at once, and runs at least once.
pub(super) fn steps_of<'b, 'u, 'ctx, 'p>(
    pass: &mut Pass<'b, 'u, 'ctx, 'p>,
    (from, to, step): (IntValue<'ctx>, IntValue<'ctx>, u64),
    body: impl FnOnce(&mut Pass<'b, 'u, 'ctx, 'p>, IntValue<'ctx>),
) {
    let code = &pass.body.code;
    let (header, enter) = (code.block("rows.loop"), code.current_block());
    code.jump(header);
    code.b.position_at_end(header);
    let counter = built(code.b.build_phi(code.types.i64, "at"));
    counter.add_incoming(&[(&from, enter)]);
    let at = counter.as_basic_value().into_int_value();
    body(pass, at);
    let code = &pass.body.code;
    let after = code.add_index(at, code.size(step));
    counter.add_incoming(&[(&after, code.current_block())]);
    let done = code.block("rows.end");
    code.branch(code.compare(IntPredicate::SLT, after, to), header, done);
    code.b.position_at_end(done);
}

/// A loop that runs several steps at once.
pub(super) fn steps_if_any<'b, 'u, 'ctx, 'p>(
    pass: &mut Pass<'b, 'u, 'ctx, 'p>,
    (from, to, step): (IntValue<'ctx>, IntValue<'ctx>, u64),
    body: impl FnOnce(&mut Pass<'b, 'u, 'ctx, 'p>, IntValue<'ctx>),
) {
    let code = &pass.body.code;
    let [some, none] = ["rows.some", "rows.none"].map(|name| code.block(name));
    code.branch(code.compare(IntPredicate::SLT, from, to), some, none);
    code.b.position_at_end(some);
    steps_of(pass, (from, to, step), body);
    pass.body.code.jump(none);
    pass.body.code.b.position_at_end(none);
}

/// The column where a vector begins. The last vector ends with the columns, and may overlap the one before.
pub(super) fn column_of<'ctx>(
    pass: &Pass<'_, '_, 'ctx, '_>,
    at: IntValue<'ctx>,
    (end, lanes): (IntValue<'ctx>, u64),
) -> IntValue<'ctx> {
    let code = &pass.body.code;
    let last = built(code.b.build_int_sub(end, code.size(lanes), ""));
    let i64 = code.types.i64.into();
    code.call_intrinsic("llvm.smin", &[i64], &[at.into(), last.into()]).into_int_value()
}

/// The code of a row before its elements.
pub(super) fn begin<'ctx, 'p>(
    inner: &mut Pass<'_, '_, 'ctx, 'p>,
    outer: &'p Procedure,
    rows: &RowTiling<'p>,
    at: IntValue<'ctx>,
) -> Vec<(VarId, LoweredValue<'ctx>)> {
    let counter = outer.nest.counter;
    inner.body.bind_same(counter, LoweredValue::Scalar(at.into()));
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

/// The variables that a step of the outer pass binds before it makes its row.
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
        vars.extend(def_use::defines(step));
    }
    vars
}
