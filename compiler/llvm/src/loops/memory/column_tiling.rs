//! Passes whose rows read columns of matrices run in strips of columns (loop tiling).
//!
//! Each step of a row reads an element of another cache line, and uses one element of it. The next rows use the others,
//! but if the lines of a row do not fit in the cache, they are read again for each row. So all rows make the elements
//! of a strip of columns, then all rows those of the next strip, and so on. The lines of a strip stay in the cache.
//!
//! Two lines share a set of the cache if the distance of their addresses is a multiple of a power of two. If b is the
//! largest power of two that divides the distance of two rows of the matrix, a column uses one of b / 64 sets. So a
//! column of n elements takes the room of n * b bytes, and at least of n lines. If that is more than [`ROOM`], the pass
//! runs in strips, whose width is as large as [`STRIP_ROOM`] permits.
//!
//! Invariant: each step of each row runs once. No step can fail, and none does anything but store its element, so their
//! order does not matter.
//!
//! ```text
//! for i < n { for j < m { writeVecI j ys[i] (xs[j, i]) } }
//! ⇒ for s < m by w { for i < n { for s <= j < min(s + w, m) { writeVecI j ys[i] (xs[j, i]) } } }
//! ```

use arrc_fusion::cnf::{Atom, Var};
use arrc_loops::concrete::def_use;
use arrc_loops::concrete::{Loop, Memory, Position, Procedure, Start, Step, Stmt, Worker};
use arrc_syntax::ids::{PrimaryMap, VarId};
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use crate::loops::nesting::Level;
use crate::loops::nesting::Strip;
use crate::loops::pass::Pass;
use crate::unit::built;

/// Half of a second-level cache. `scripts/bench flipped_f64 4194304` transposes 2048 by 2048 doubles: alone, that takes
/// 4.6 ms in strips, and 32 in whole rows. 2000 by 2000 are within the limit, and take 3.8 ms in whole rows, and 5.2 in
/// strips of 16 (medians on a loaded machine).
const ROOM: u64 = 512 << 10;
/// What a strip may take of the first-level cache. `scripts/bench flipped_f64 4194304` shows the effect of another
/// value. Not measured by itself.
const STRIP_ROOM: u64 = 32 << 10;
/// The fewest and the most steps of a strip. A row of the result should be stored in whole lines, and a strip should
/// begin seldom. `scripts/bench flipped_f64 4194304` shows the effect of other values. Not measured by itself.
const WIDTHS: [u64; 2] = [16, 128];
/// The bytes of a cache line.
const LINE: u64 = 64;

/// What runs in strips.
#[derive(Clone, Copy)]
pub(in crate::loops) struct ColumnTiling {
    /// The matrix that a loop makes.
    made: VarId,
    /// The row of it that a step makes.
    row: VarId,
    /// The matrix whose column the row reads.
    read: VarId,
}

/// What runs in strips, if the rows that a loop makes read columns.
pub(in crate::loops) fn rows_of_columns(
    nest: &Loop,
    vars: &PrimaryMap<VarId, Var>,
) -> Option<ColumnTiling> {
    let is_plain = nest.ranges.is_empty() && nest.inner.is_empty() && nest.collapsed == 0;
    let [before @ .., Stmt::Apply { elems, worker, .. }, write] = nest.body.as_slice() else {
        return None;
    };
    let Stmt::Write { vec, index, elem, placed: true } = write else { return None };
    let [prelude @ .., Step::Pass(pass)] = worker.body.steps.as_slice() else { return None };
    let [Start::NewVec { vec: row, memory: Memory::Row(place), .. }] = pass.start.as_slice() else {
        return None;
    };
    let is_whole = pass.yields == [*row] && worker.body.results == [Atom::Var(*row)];
    let is_here = *index == Position::Var(nest.counter) && place.index == *index;
    let is_made = matches!(elems[..], [made] if *elem == Atom::Var(made)) && place.vec == *vec;
    // A step that reads the element that it overwrites must not run twice, even if the row's pass becomes a function,
    // which makes whole rows.
    let is_matrix = vars[*vec].ty.rank() == 2 && place.over.is_none();
    let fits = is_plain && is_whole && is_here && is_made && is_matrix;
    let is_total = before.iter().all(binds) && prelude.iter().all(|step| step.is_total(vars));
    let read = column(pass, vars).filter(|_| fits && is_total)?;
    let bound =
        before.iter().flat_map(Stmt::defines).chain(prelude.iter().flat_map(def_use::defines));
    let is_outside = bound.chain(worker.params.iter().copied()).all(|var| var != read);
    is_outside.then_some(ColumnTiling { made: *vec, row: *row, read })
}

/// Whether a statement names an element or a position, and computes nothing.
fn binds(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Next { .. } | Stmt::Position { .. } | Stmt::Copy { .. })
}

/// If a pass does nothing but store elements in steps that cannot fail, and reads a column of a matrix, that matrix.
fn column(pass: &Procedure, vars: &PrimaryMap<VarId, Var>) -> Option<VarId> {
    let Loop { counter, body, inner, release, ranges, collapsed, .. } = &pass.nest;
    let is_position = |atom: &Atom| {
        let named = |stmt: &Stmt| {
            matches!(stmt, Stmt::Position { elem, index: Position::Var(index) }
                if index == counter && *atom == Atom::Var(*elem))
        };
        body.iter().any(named)
    };
    let applied = |stmt: &Stmt| match stmt {
        Stmt::Apply { worker, args, .. } => {
            let pairs = worker.params.iter().zip(args);
            let named =
                pairs.filter(|(_, arg)| is_position(arg)).map(|(param, _)| *param).collect();
            is_pure(worker, vars).then(|| column_of(worker, named))
        }
        Stmt::Next { .. }
        | Stmt::Position { .. }
        | Stmt::Copy { .. }
        | Stmt::Write { placed: false, .. } => Some(None),
        Stmt::Write { placed: true, .. }
        | Stmt::Read { .. }
        | Stmt::Update { .. }
        | Stmt::Current { .. }
        | Stmt::Reserve { .. } => None,
    };
    let columns = body.iter().map(applied).collect::<Option<Vec<_>>>()?;
    let is_plain = inner.is_empty() && release.is_empty() && ranges.is_empty() && *collapsed == 0;
    columns.into_iter().flatten().next().filter(|_| is_plain && pass.accs.is_empty())
}

/// Whether a worker only computes numbers and reads elements that are there.
fn is_pure(worker: &Worker, vars: &PrimaryMap<VarId, Var>) -> bool {
    worker.body.steps.iter().all(|step| step.is_total(vars) || step.is_pure(vars))
}

/// A matrix that a worker reads at one of these variables in the first dimension, and at another index in the second
/// one.
fn column_of(worker: &Worker, positions: Vec<VarId>) -> Option<VarId> {
    let is_position = |atom: &Atom| matches!(atom, Atom::Var(var) if positions.contains(var));
    worker.body.steps.iter().find_map(|step| {
        let Step::Index { array, indices, .. } = step else { return None };
        let [first, second] = indices.as_slice() else { return None };
        (is_position(first) && !is_position(second)).then_some(*array)
    })
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// The rows between two steps of a loop, strip by strip.
    pub(in crate::loops) fn in_strips(
        &mut self,
        nest: &'p Loop,
        steps: [IntValue<'ctx>; 2],
        columns: ColumnTiling,
    ) {
        let ColumnTiling { made, row, .. } = columns;
        let length = self.body.var(made).vector(made).shape[1];
        let width = self.width(columns, length);
        let code = &self.body.code;
        let [strip, more, done] =
            ["strip", "strip.more", "strip.done"].map(|name| code.block(name));
        let before = code.current_block();
        code.jump(strip);
        code.b.position_at_end(strip);
        let at = built(code.b.build_phi(code.types.i64, "at"));
        let from = at.as_basic_value().into_int_value();
        let next = code.add_index(from, width);
        let is_last = code.compare(IntPredicate::UGE, next, length);
        // A row ends where its own length tells.
        let end = code.types.i64.const_int(i64::MAX.unsigned_abs(), false);
        let to = code.select(is_last, end.into(), next.into()).into_int_value();
        let sizes = self.body.sizes.clone();
        self.body.strip = Some(Strip { row, steps: [from, to] });
        self.counted(nest, steps, Level::Outermost);
        self.body.strip = None;
        self.body.sizes = sizes;
        let code = &self.body.code;
        code.branch(is_last, done, more);
        code.b.position_at_end(more);
        at.add_incoming(&[(&code.size(0), before), (&next, code.current_block())]);
        code.jump(strip);
        code.b.position_at_end(done);
    }

    /// The number of columns in a strip: all of them, if the lines of a column fit in the cache.
    fn width(
        &self,
        ColumnTiling { read, .. }: ColumnTiling,
        length: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        let code = &self.body.code;
        let (elem, _) = self.body.array_type(read);
        let row = self.body.var(read).array(read).shape[1];
        let distance = code.mul_index(row, code.size(elem.bytes().into()));
        let below = built(code.b.build_int_neg(distance, ""));
        let power = built(code.b.build_and(distance, below, ""));
        let each = code.at_least(power, code.size(LINE));
        let lines = built(code.b.build_int_unsigned_div(code.size(ROOM), each, ""));
        let is_long = code.compare(IntPredicate::UGT, length, lines);
        let width = built(code.b.build_int_unsigned_div(code.size(STRIP_ROOM), each, ""));
        let [least, most] = WIDTHS.map(|width| code.size(width));
        let width = self.pick("llvm.smin", [code.at_least(width, least), most]);
        code.select(is_long, width.into(), length.into()).into_int_value()
    }

    /// The steps of the loop, cut to the strip of columns in which the loops around run.
    pub(in crate::loops) fn cut_to_strip(&self, steps: [IntValue<'ctx>; 2]) -> [IntValue<'ctx>; 2] {
        match self.body.strip {
            Some(strip) if self.procedure.yields == [strip.row] => {
                let [from, to] = strip.steps;
                [from, self.pick("llvm.smin", [to, steps[1]])]
            }
            Some(_) | None => steps,
        }
    }
}
