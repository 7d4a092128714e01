//! Several rows of a result at once, where each element of a row is a fold that reads elements which other rows read
//! too.
//!
//! The matrix product is the model: each element is a fold over k of `a[i, k] * b[k, j]`. A loop that makes one row at
//! a time reads all of `b` for each row. A tile keeps several rows and two vectors of columns in registers, so that
//! every row of the tile uses each loaded element of `b`. The loop over columns is outermost, so that the next tile
//! finds its part of `b` in the cache.
//!
//! Invariant: the loops only make elements of a fresh result, and nothing in them can fail: so their order does not
//! matter, and the last tile of columns may begin where the tile before it has not ended.
//!
//! The fold runs in spans of 256 iterations. Between two spans, the result holds the partial sums. What follows the
//! fold in an element, such as the sum with an element of another matrix, runs in the last span. If the result
//! overwrites such a matrix, it cannot hold partial sums: then a fold has a single span, or the rows are made one by
//! one. Before the tiles of a column run, the part of `b` that they read in the span is copied to a contiguous panel.
//! So the working set of a tile fits in the first- and second-level caches for matrices of any size.
//!
//! ```text
//! for i0 in steps of 256, k0 in steps of 256
//!   for j in steps of 16                 the last one begins at m - 16
//!     panel = b[k0 .. k0 + 256, j .. j + 16]
//!     for i in steps of 8 from i0        r0 = row a[i], …, r7 = row a[i + 7]; s0 = if k0 == 0 then 0 else load at [i, j]; …
//!       for k from k0: b = load <16 x f64> at panel[k - k0]; s0 = s0 + r0[k] * b; …; s7 = s7 + r7[k] * b
//!       store s0 at [i, j], …, s7 at [i + 7, j]
//!     the rows that are left: tiles of one row
//! ```
//!
//! The bits of a row depend neither on the rows that it is made with, nor on where a slice of the rows begins. If the
//! whole pass has fewer rows than a tile, or rows that are narrower, all rows are made one by one.

mod legality;
mod row_steps;
mod row_tile;
mod row_tiling;
mod stencil;

use arrc_loops::concrete::Function;
use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValue, IntValue, PointerValue};

use self::row_steps::{all_if, begin, column_of, steps_if_any, steps_of};
pub(super) use self::row_tiling::RowTiling;
use self::row_tiling::{SPAN, SpanLength, SpanPart, Spans};
use super::tile::{Panel, PlacedPanel, Span};
use crate::loops::pass::{Pass, Steps};
use crate::loops::pass_scopes::lower_with_scopes;
use crate::scalar::vector_of;
use crate::target::isa::Isa;
use crate::unit::built;
/// The most bytes of a matrix that tiles read where it is, since all of it stays in the first-level cache.
/// `scripts/bench products_32` has matrices of 8 KiB. The limit was not measured by itself.
const SMALL: u64 = 16 << 10;
/// The rows of a block: the elements of `a` that a block reads in a span fit in the second-level cache. No benchmark
/// shows it alone.
const BLOCK: u64 = 256;
/// The rows that steps of a pass make, if several can be made at once.
pub(super) fn of<'p>(run: Steps<'_, 'p>, function: &Function, isa: Isa) -> Option<RowTiling<'p>> {
    legality::of(run, function, isa).or_else(|| stencil::of(run, function, isa))
}

/// Lowers the rows in tiles; returns the first step that is left.
pub(super) fn lower<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    rows: &RowTiling<'p>,
) -> IntValue<'ctx> {
    if let Some(stencil) = rows.stencil {
        return stencil::lower(pass, run, (rows, stencil));
    }
    let width = rows.width(pass);
    let all = pass.length(&pass.procedure.nest.length);
    let code = &pass.body.code;
    let [lanes, parts] = [rows.plan.lanes, rows.plan.parts].map(|count| code.size(count.into()));
    let wide = code.compare(IntPredicate::SGE, width, lanes);
    let many = code.compare(IntPredicate::SGE, all, parts);
    let some = code.compare(IntPredicate::SLT, run.from, run.to);
    let many = built(code.b.build_and(many, some, ""));
    let many = match rows.spans {
        Some(spans) if !spans.waits => {
            let length = fold_length(pass, spans, rows, run);
            let code = &pass.body.code;
            let short = code.compare(IntPredicate::SLE, length, code.size(SPAN));
            built(code.b.build_and(many, short, ""))
        }
        Some(_) | None => many,
    };
    let fits = built(pass.body.code.b.build_and(wide, many, ""));
    all_if(pass, run, fits, |pass| match rows.spans {
        None => columns(pass, run, rows, None),
        Some(spans) => blocks(pass, run, rows, spans),
    })
}

/// The blocks of rows, and in each of them the spans of the fold.
fn blocks<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    rows: &RowTiling<'p>,
    spans: Spans<'p>,
) {
    let panel = spans.panel.map(|panel| (panel, pass.body.buffer()));
    steps_of(pass, (run.from, run.to, BLOCK), |pass, from| {
        let to = end_of(pass, from, BLOCK, run.to);
        let run = Steps { from, to, ..run };
        let length = fold_length(pass, spans, rows, run);
        let zero = pass.body.code.size(0);
        let some = |pass: &mut Pass<'_, '_, 'ctx, 'p>, ends, from| {
            let to = end_of(pass, from, SPAN, length);
            let partial = spans.waits.then_some(spans.vec);
            let kept = (spans.waits || spans.over).then_some(spans.vec);
            let span = Span { partial, kept, ends, seen: zero, from, to };
            columns(pass, run, rows, Some((span, panel)));
        };
        if spans.is_sum {
            steps_of(pass, (zero, length, SPAN), |pass, from| some(pass, true, from));
        } else if spans.waits {
            let last = last_span(pass, length);
            steps_if_any(pass, (zero, last, SPAN), |pass, from| some(pass, false, from));
            some(pass, true, last);
        } else {
            some(pass, true, zero);
        }
    });
}

/// The first iteration of the last span.
fn last_span<'ctx>(pass: &Pass<'_, '_, 'ctx, '_>, length: IntValue<'ctx>) -> IntValue<'ctx> {
    let code = &pass.body.code;
    let before = built(code.b.build_int_sub(length, code.size(1), ""));
    let span = code.size(SPAN);
    let spans = built(code.b.build_int_unsigned_div(before, span, ""));
    let empty = code.compare(IntPredicate::EQ, length, code.size(0));
    let last = code.mul_index(spans, span).into();
    code.select(empty, code.size(0).into(), last).into_int_value()
}

/// How many iterations the fold of every element has.
fn fold_length<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    spans: Spans<'p>,
    rows: &RowTiling<'p>,
    run: Steps<'ctx, 'p>,
) -> IntValue<'ctx> {
    if let SpanLength::Row(matrix) = spans.length {
        return pass.body.var(matrix).array(matrix).shape[1];
    }
    let fold = spans.fold;
    let sizes = pass.body.sizes.clone();
    let mut length = None;
    lower_with_scopes(pass.body, rows.inner, |inner| {
        begin(inner, run.procedure, rows, run.from);
        length = Some(inner.length(&fold.nest.length));
    });
    pass.body.sizes = sizes;
    length.expect("the fold has a length")
}

/// The end of a block of `step` steps that begins at `from`, at most `to`.
fn end_of<'ctx>(
    pass: &Pass<'_, '_, 'ctx, '_>,
    from: IntValue<'ctx>,
    step: u64,
    to: IntValue<'ctx>,
) -> IntValue<'ctx> {
    let code = &pass.body.code;
    let end = code.add_index(from, code.size(step));
    let i64 = code.types.i64.into();
    code.call_intrinsic("llvm.smin", &[i64], &[end.into(), to.into()]).into_int_value()
}

/// All columns of some rows, a tile's at once: the whole fold, or a span of it.
fn columns<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    rows: &RowTiling<'p>,
    part: Option<(Span<'ctx>, Option<(Panel, PointerValue<'ctx>)>)>,
) {
    let width = rows.width(pass);
    let zero = pass.body.code.size(0);
    let lanes = u64::from(rows.plan.lanes);
    steps_of(pass, (zero, width, lanes), |pass, at| {
        let column = column_of(pass, at, (width, lanes));
        let code = &pass.body.code;
        let seen = built(code.b.build_int_sub(at, column, ""));
        let part = part.map(|(span, panel)| {
            let place =
                |(panel, memory)| place(pass, panel, (memory, rows.plan.lanes), span, column);
            (Span { seen, ..span }, panel.map(place))
        });
        tiles(pass, run, rows, part, column);
    });
}

/// The tiles of a column: whole ones, and those of one row for the rest.
fn tiles<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    rows: &RowTiling<'p>,
    part: Option<SpanPart<'ctx>>,
    column: IntValue<'ctx>,
) {
    let parts = rows.plan.parts;
    let code = &pass.body.code;
    let count = built(code.b.build_int_sub(run.to, run.from, ""));
    let left = built(code.b.build_int_unsigned_rem(count, code.size(parts.into()), ""));
    let end = built(code.b.build_int_sub(run.to, left, ""));
    for (from, to, parts) in [(run.from, end, parts), (end, run.to, 1)] {
        steps_if_any(pass, (from, to, parts.into()), |pass, row| {
            row_tile::tile(pass, run.procedure, (rows, parts), part, [row, column]);
        });
    }
}

/// The panel that the tiles of a column read in a span: a copy, or a part of a small matrix as it is.
fn place<'ctx>(
    pass: &mut Pass<'_, '_, 'ctx, '_>,
    panel: Panel,
    (memory, lanes): (PointerValue<'ctx>, u32),
    span: Span<'ctx>,
    column: IntValue<'ctx>,
) -> PlacedPanel<'ctx> {
    let together = pass.body.code.size(lanes.into());
    if panel.of_rows {
        copy(pass, panel, (memory, lanes), span, column);
        return PlacedPanel { panel, memory, stride: together };
    }
    let (elem, _) = pass.body.array_type(panel.array);
    let from = pass.body.var(panel.array).array(panel.array).clone();
    let code = &pass.body.code;
    let [large, next] = ["panel.copy", "panel"].map(|name| code.block(name));
    let before = code.current_block();
    let bytes = code.byte_count(elem, code.count(&from.shape));
    let at = code.add_index(code.mul_index(span.from, from.shape[1]), column);
    let in_matrix = code.element(elem, from.data, at);
    code.branch(code.compare(IntPredicate::UGT, bytes, code.size(SMALL)), large, next);
    code.b.position_at_end(large);
    copy(pass, panel, (memory, lanes), span, column);
    let code = &pass.body.code;
    let after = code.current_block();
    code.jump(next);
    code.b.position_at_end(next);
    PlacedPanel {
        panel,
        memory: code.phi_of([(in_matrix, before), (memory, after)]),
        stride: code.phi_of([(from.shape[1], before), (together, after)]),
    }
}

/// Copies the elements that the tiles of a column read in a span to the panel.
fn copy<'ctx>(
    pass: &mut Pass<'_, '_, 'ctx, '_>,
    panel: Panel,
    (memory, lanes): (PointerValue<'ctx>, u32),
    span: Span<'ctx>,
    column: IntValue<'ctx>,
) {
    let body = &*pass.body;
    let (elem, _) = body.array_type(panel.array);
    let from = body.var(panel.array).array(panel.array).clone();
    let code = &body.code;
    let counted = code.begin_loop(span.from, span.to);
    let load = |ty: BasicTypeEnum<'ctx>, row, at| {
        let at = code.add_index(code.mul_index(row, from.shape[1]), at);
        let loaded = built(code.b.build_load(ty, code.element(elem, from.data, at), ""));
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        load.set_alignment(elem.bytes()).expect("loads have an alignment");
        if let Some(aliasing) = &body.aliasing {
            aliasing.describe_load(code, loaded, panel.array);
        }
        loaded
    };
    let ty = vector_of(code.types.memory(elem), lanes);
    let loaded = if panel.of_rows {
        (0..lanes).fold(ty.get_poison(), |all, lane| {
            let row = code.add_index(column, code.size(lane.into()));
            let loaded = load(code.types.memory(elem), row, counted.counter);
            let lane = code.types.i32.const_int(lane.into(), false);
            built(code.b.build_insert_element(all, loaded, lane, ""))
        })
    } else {
        load(ty.into(), counted.counter, column).into_vector_value()
    };
    let iteration = built(code.b.build_int_sub(counted.counter, span.from, ""));
    let to = code.element(elem, memory, code.mul_index(iteration, code.size(lanes.into())));
    let store = built(code.b.build_store(to, loaded));
    store.set_alignment(elem.bytes()).expect("stores have an alignment");
    code.end_loop(&counted);
}
