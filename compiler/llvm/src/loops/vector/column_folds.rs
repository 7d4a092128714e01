//! Folds of the columns of a matrix with short rows. They run along memory, and not along rows.
//!
//! A step loads consecutive vectors up to one that ends with a row, and each has an accumulator of its own. A lane of
//! an accumulator belongs to one column, so no element moves between lanes before the end.
//!
//! Invariant: each fold takes each column once, in any order; the steps do nothing else.
//!
//! ```text
//! rows of 5 f64, 4 lanes: 5 vectors are 4 rows
//! for i in steps of 4   s0 = s0 + load <4 x f64> at 5 i; …; s4 = s4 + load <4 x f64> at 5 i + 16
//! column c: the lanes l of s0 … s4 with (4 k + l) mod 5 = c
//! ```

use std::collections::BTreeMap;

use arrc_fusion::cnf::{Atom, Extent, Type};
use arrc_fusion::cnf::{in_any_order, neutral};
use arrc_loops::concrete::{Function, Position, Procedure, Start, Step, Stmt, fold_operations};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{BinOp, Scalar};
use inkwell::IntPredicate;
use inkwell::values::{BasicValue, BasicValueEnum, IntValue, PhiValue, VectorValue};

use crate::loops::pass::{Pass, Steps, begins_as_number};
use crate::loops::scalar::signed_zeros::Zero;
use crate::scalar::fast_math::contract;
use crate::scalar::vector_of;
use crate::target::isa::Isa;
use crate::unit::built;

/// The most elements of a row. `scripts/bench column_sums_5` takes 0.87 of the time of C, before 2.2 (processor time,
/// other work on the machine). Longer rows were not measured.
const MAX_ROW: u32 = 16;
/// The number of vectors in a step that hides the latency of an operation, if registers suffice.
/// `scripts/bench column_sums_5` shows the effect of another number. Not measured by itself.
const VECTORS: u32 = 8;
/// The fewest steps that pay for combining the lanes. No benchmark shows it alone.
const LEAST: u64 = 4;

/// Folds of columns.
pub(super) struct ColumnFolds {
    /// The matrix.
    array: VarId,
    elem: Scalar,
    /// The elements of a row.
    width: u32,
    folds: Vec<ColumnFold>,
    pub(super) lanes: u32,
    /// The number of vectors after which a lane belongs to the same column again.
    period: u32,
    /// The vectors of a step.
    pub(super) vectors: u32,
}

/// A fold of all columns.
struct ColumnFold {
    op: BinOp,
    /// The accumulator of each column.
    accs: Vec<AccId>,
}

/// The folds of columns that the steps consist of, if they consist of nothing else.
pub(super) fn of(run: Steps<'_, '_>, function: &Function, isa: Isa) -> Option<ColumnFolds> {
    let [Stmt::Next { elem: row, index, array }, stmts @ ..] = run.body else { return None };
    let here = *index == Position::Var(run.procedure.nest.counter);
    let accs = run.procedure.start.iter().all(|start| matches!(start, Start::NewAcc { .. }));
    let Type::Array { elem, shape } = &function.tables.vars[*array].ty else { return None };
    let &[_, Extent::Const(width)] = &shape[..] else { return None };
    let width = u32::try_from(width).ok().filter(|width| (2..=MAX_ROW).contains(width))?;
    if !(here && accs && run.inner.is_empty()) || *elem == Scalar::Bool {
        return None;
    }
    let mut columns = BTreeMap::new();
    let mut folds = Vec::new();
    for stmt in stmts {
        match columns_of(stmt, *row) {
            Some(more) => columns.extend(more),
            None => folds.push(fold(stmt, (*row, &columns), (run.procedure, *elem, width))?),
        }
    }
    let lanes = isa.register() / elem.bytes();
    let period = width / gcd(width, lanes);
    let count = u32::try_from(folds.len()).ok().filter(|&count| count > 0)?;
    // The accumulators that stay in registers beside the elements. `scripts/bench column_sums_5` has ten with AVX-512.
    let most = match isa {
        Isa::Avx512 | Isa::Neon => 24,
        Isa::Sse2 | Isa::Ssse3 | Isa::Avx2 => 12,
    };
    let copies = VECTORS.div_ceil(period);
    let vectors = if period * copies * count <= most { period * copies } else { period };
    let fits = vectors * count <= most;
    let array = *array;
    fits.then_some(ColumnFolds { array, elem: *elem, width, folds, lanes, period, vectors })
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The variables that a statement binds, if they are elements of the row, with their columns.
fn columns_of(stmt: &Stmt, row: VarId) -> Option<Vec<(VarId, u32)>> {
    let Stmt::Apply { elems, worker, args } = stmt else { return None };
    let rows = rows(&worker.params, args, row);
    let read = worker.body.steps.iter().map(|step| column(step, &rows));
    let read = read.collect::<Option<BTreeMap<VarId, u32>>>()?;
    let results = elems.iter().zip(&worker.body.results);
    let column = |(&elem, result): (&VarId, &Atom)| match result {
        Atom::Var(var) => Some((elem, *read.get(var)?)),
        Atom::Const(_) => None,
    };
    results.map(column).collect()
}

/// The parameters of a worker that are the row.
fn rows(params: &[VarId], args: &[Atom], row: VarId) -> Vec<VarId> {
    let both = params.iter().zip(args);
    both.filter(|&(_, arg)| *arg == Atom::Var(row)).map(|(&param, _)| param).collect()
}

/// The variable that a step binds to an element of the row, and the element's column.
fn column(step: &Step, rows: &[VarId]) -> Option<(VarId, u32)> {
    let Step::Index { var, array, indices, inside: true, .. } = step else { return None };
    let [Atom::Const(index)] = indices[..] else { return None };
    let column = u32::try_from(index.as_i128()).ok()?;
    rows.contains(array).then_some((*var, column))
}

/// The fold of all columns that a statement performs, if it performs one. It takes elements of the row that were read
/// before, or reads them itself.
fn fold(
    stmt: &Stmt,
    (row, columns): (VarId, &BTreeMap<VarId, u32>),
    (procedure, elem, width): (&Procedure, Scalar, u32),
) -> Option<ColumnFold> {
    let Stmt::Update { accs, order, worker, args } = stmt else { return None };
    let folds = fold_operations(worker, accs.len())?;
    let op = folds.first()?.op;
    let params = &worker.params[accs.len()..];
    let rows = rows(params, args, row);
    let mut read: BTreeMap<VarId, u32> =
        worker.body.steps.iter().filter_map(|step| column(step, &rows)).collect();
    let own = read.len();
    for (&param, arg) in params.iter().zip(args) {
        if let Atom::Var(arg) = arg
            && let Some(&column) = columns.get(arg)
        {
            read.insert(param, column);
        }
    }
    let mut found = BTreeMap::new();
    for (&acc, fold) in accs.iter().zip(&folds) {
        let Atom::Var(elem_of) = fold.elem else { return None };
        let is_elem = procedure.accs[acc].ty.as_scalar() == Some(elem);
        (fold.op == op && is_elem).then_some(())?;
        found.insert(*read.get(&elem_of)?, acc);
    }
    let all = found.keys().copied().eq(0..width) && accs.len() == found.len();
    let plain = worker.body.steps.len() == own + accs.len() && in_any_order(op, elem, *order);
    (all && plain).then(|| ColumnFold { op, accs: found.into_values().collect() })
}

/// Folds the rows of all whole steps; returns the first remaining row.
pub(super) fn lower<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    flat: &ColumnFolds,
) -> IntValue<'ctx> {
    let code = &pass.body.code;
    let rows = u64::from(flat.vectors * flat.lanes / flat.width);
    let count = built(code.b.build_int_sub(run.to, run.from, ""));
    let rest = built(code.b.build_int_unsigned_rem(count, code.size(rows), ""));
    let end = built(code.b.build_int_sub(run.to, rest, ""));
    let [enter, next] = ["flat", "flat.done"].map(|name| code.block(name));
    let before = code.current_block();
    code.branch(code.compare(IntPredicate::SGE, count, code.size(LEAST * rows)), enter, next);
    code.b.position_at_end(enter);
    let sums = flat.steps(pass, (run.from, end, rows));
    for (columns, sums) in flat.folds.iter().zip(sums) {
        flat.finish(pass, columns, &sums);
    }
    let code = &pass.body.code;
    let after = code.current_block();
    code.jump(next);
    code.b.position_at_end(next);
    let phi = built(code.b.build_phi(code.types.i64, "from"));
    phi.add_incoming(&[(&run.from, before), (&end, after)]);
    phi.as_basic_value().into_int_value()
}

impl ColumnFolds {
    /// The loop over whole steps, each of `rows` rows; gives the final accumulators.
    fn steps<'ctx>(
        &self,
        pass: &Pass<'_, '_, 'ctx, '_>,
        (from, to, rows): (IntValue<'ctx>, IntValue<'ctx>, u64),
    ) -> Vec<Vec<VectorValue<'ctx>>> {
        let code = &pass.body.code;
        let firsts = self.folds.iter().map(|columns| self.first(pass, columns));
        let firsts = firsts.collect::<Vec<_>>();
        let (header, done, enter) =
            (code.block("flat.loop"), code.block("flat.end"), code.current_block());
        code.jump(header);
        code.b.position_at_end(header);
        let counter = built(code.b.build_phi(code.types.i64, "i"));
        counter.add_incoming(&[(&from, enter)]);
        let phi = |first: &VectorValue<'ctx>| {
            let phi = built(code.b.build_phi(first.get_type(), ""));
            phi.add_incoming(&[(first, enter)]);
            phi
        };
        let phis: Vec<Vec<PhiValue<'ctx>>> =
            firsts.iter().map(|first| first.iter().map(phi).collect()).collect();
        let at = counter.as_basic_value().into_int_value();
        let first = code.mul_index(at, code.size(self.width.into()));
        let loaded = (0..self.vectors).map(|vector| self.load(pass, first, vector));
        let loaded = loaded.collect::<Vec<_>>();
        let sums = self.folds.iter().zip(&phis).map(|(columns, phis)| {
            let both = phis.iter().zip(&loaded);
            let sum = |(phi, &elem): (&PhiValue<'ctx>, &VectorValue<'ctx>)| {
                columns.combine_lanes(pass, phi.as_basic_value().into_vector_value(), elem)
            };
            both.map(sum).collect::<Vec<_>>()
        });
        let sums = sums.collect::<Vec<_>>();
        let latch = code.current_block();
        for (phi, sum) in phis.iter().flatten().zip(sums.iter().flatten()) {
            phi.add_incoming(&[(sum, latch)]);
        }
        let after = code.add_index(at, code.size(rows));
        counter.add_incoming(&[(&after, latch)]);
        code.branch(code.compare(IntPredicate::SLT, after, to), header, done);
        code.b.position_at_end(done);
        sums
    }

    /// The neutral element of each lane of each vector.
    fn first<'ctx>(
        &self,
        pass: &Pass<'_, '_, 'ctx, '_>,
        columns: &ColumnFold,
    ) -> Vec<VectorValue<'ctx>> {
        let code = &pass.body.code;
        let neutral = |&acc: &AccId| {
            let init = pass.init(acc).expect("an accumulator of a fold has a first value");
            let neutral = neutral(columns.op, self.elem, init);
            pass.body.scalar(neutral.expect("operations whose order is free have one"))
        };
        let neutrals = columns.accs.iter().map(neutral).collect::<Vec<_>>();
        let vector = |vector: u32| {
            let none = vector_of(code.types.scalar(self.elem), self.lanes).get_poison();
            (0..self.lanes).fold(none, |all, lane| {
                let neutral = neutrals[self.column(vector, lane)];
                let lane = code.types.i32.const_int(lane.into(), false);
                built(code.b.build_insert_element(all, neutral, lane, ""))
            })
        };
        (0..self.vectors).map(vector).collect()
    }

    /// The column that a lane belongs to.
    fn column(&self, vector: u32, lane: u32) -> usize {
        ((vector * self.lanes + lane) % self.width) as usize
    }

    /// A vector of a step, whose first element has that position.
    fn load<'ctx>(
        &self,
        pass: &Pass<'_, '_, 'ctx, '_>,
        first: IntValue<'ctx>,
        vector: u32,
    ) -> VectorValue<'ctx> {
        let (body, code) = (&pass.body, &pass.body.code);
        let at = code.add_index(first, code.size(u64::from(vector * self.lanes)));
        let at = code.element(self.elem, body.var(self.array).array(self.array).data, at);
        let ty = vector_of(code.types.memory(self.elem), self.lanes);
        let loaded = built(code.b.build_load(ty, at, ""));
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        load.set_alignment(self.elem.bytes()).expect("loads have an alignment");
        if let Some(aliasing) = &body.aliasing {
            aliasing.describe_load(code, loaded, self.array);
        }
        loaded.into_vector_value()
    }

    /// Combines the lanes of each column with the accumulator of the column.
    fn finish<'ctx>(
        &self,
        pass: &Pass<'_, '_, 'ctx, '_>,
        columns: &ColumnFold,
        sums: &[VectorValue<'ctx>],
    ) {
        let code = &pass.body.code;
        let mut totals: Vec<BasicValueEnum<'ctx>> =
            columns.accs.iter().map(|&acc| pass.acc(acc)).collect();
        for vector in 0..self.period {
            let same = sums.iter().copied().skip(vector as usize).step_by(self.period as usize);
            let sum =
                same.reduce(|a, b| columns.combine_lanes(pass, a, b)).expect("a step has a period");
            for lane in 0..self.lanes {
                let total = &mut totals[self.column(vector, lane)];
                *total = code.apply(columns.op, self.elem, [*total, code.lane(sum, lane)]);
            }
        }
        for (&acc, total) in columns.accs.iter().zip(totals) {
            pass.set_acc(acc, total);
        }
    }
}

impl ColumnFold {
    /// The accumulators combined with further elements.
    fn combine_lanes<'ctx>(
        &self,
        pass: &Pass<'_, '_, 'ctx, '_>,
        old: VectorValue<'ctx>,
        elem: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let (code, acc) = (&pass.body.code, self.accs[0]);
        let ty = pass.acc_type(acc);
        let begins = |&acc: &AccId| begins_as_number(pass.procedure, acc);
        if matches!(self.op, BinOp::Min | BinOp::Max) && self.accs.iter().all(begins) {
            let is_positive = self.accs.iter().all(|&acc| pass.zero(acc) == Zero::Positive);
            let zero = if is_positive { Zero::Positive } else { Zero::EitherSign };
            return code.lanes_extreme_of(self.op, ty, [old, elem], zero);
        }
        let value = code.apply(self.op, ty, [old.into(), elem.into()]);
        if self.op == BinOp::Add && ty.is_float() {
            contract(value);
        }
        value.into_vector_value()
    }
}
