//! Reductions of whole short rows, for as many rows as a vector has lanes.
//!
//! A vector combines the neighbours in a row, then their results, until one is left. The rows of consecutive steps
//! lie one behind the other, so whole vectors of them are loaded. Two shuffles of two vectors give the left and the
//! right elements of their pairs, and one operation combines them. Rows of m elements, m a power of two, take 2 (m - 1)
//! shuffles for a vector of results. A vector for each column would take m log m. In rows of another length, the last
//! element of an odd number waits for the others, and shuffles pick the elements in the order of the rows.
//!
//! Invariant: sums and products of floats have the operands that they have in a single step, in the same order. Other
//! operations give the same bits in every grouping.
//!
//! ```text
//! t = x[0] + x[1]; u = x[2] + x[3]; s = t + u, x: row i of a, a: [n][4]f64
//! ⇒ v0 … v3 = load <4 x f64> at a[i] … a[i + 3]
//!   w0 = <v0[0], v1[0], v0[2], v1[2]> + <v0[1], v1[1], v0[3], v1[3]>; w1 from v2, v3
//!   s = <w0[0], w0[1], w1[0], w1[1]> + <w0[2], w0[3], w1[2], w1[3]>
//! ```

use std::collections::{BTreeSet, HashMap};

use arrc_fusion::cnf::{Atom, Extent, Operation};
use arrc_loops::concrete::def_use::{uses, uses_of};
use arrc_loops::concrete::{Function, Step, Stmt};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Cost, Reassociation, Scalar};
use inkwell::values::VectorValue;

use super::lanes::Lanes;
use super::plan::{RowReduction, RowReductions};
use super::vector_loop::VectorLoop;
use crate::target::isa::Isa;

/// The fewest elements of such a row. LLVM reads shorter ones in groups. No benchmark shows it alone, since
/// `scripts/bench row_sums` has rows of three. Over sums and maxima of rows of 3 to 16 numbers of six types, the
/// geometric mean was 0.63 of the time before with AVX-512, in the second-level cache.
const LEAST: u32 = 4;
/// The most integers of such a row if their number is no power of two. More of them take many shuffles. No benchmark
/// shows it alone.
const MAX_UNEVEN: u32 = 12;
/// The bytes of a part of a register within which shuffles are cheapest.
const BLOCK: u32 = 16;

/// Some consecutive elements of a row, combined by an operator.
#[derive(Clone, Copy)]
struct RowPart {
    row: VarId,
    op: Option<BinOp>,
    /// The initial value of the reduction, if the elements are combined with it.
    start: Option<Atom>,
    first: u32,
    count: u32,
}

/// The reductions of rows among these statements.
pub(super) fn of(body: &[Stmt], function: &Function, isa: Isa) -> RowReductions {
    let mut search = ReductionSearch::new(body);
    let mut found = RowReductions::default();
    for stmt in body {
        let (Stmt::Apply { worker, .. } | Stmt::Update { worker, .. }) = stmt else { continue };
        for step in &worker.body.steps {
            search.step(step, (function, isa), &mut found);
        }
    }
    let mut inner = HashMap::new();
    for &var in found.reductions.keys() {
        search.count_parts(var, &mut inner);
    }
    let only_there = |(var, count): (VarId, usize)| (search.uses[&var] == count).then_some(var);
    found.inner = inner.into_iter().filter_map(only_there).collect();
    found
}

/// The values of a step: the rows, their uses, and the elements that each value combines.
struct ReductionSearch {
    /// The matrices of rows.
    rows: HashMap<VarId, VarId>,
    uses: HashMap<VarId, usize>,
    parts: HashMap<VarId, RowPart>,
    /// The operands of the values that are parts.
    operands: HashMap<VarId, [Atom; 2]>,
}

impl ReductionSearch {
    fn new(body: &[Stmt]) -> Self {
        let mut search = Self {
            rows: HashMap::new(),
            uses: HashMap::new(),
            parts: HashMap::new(),
            operands: HashMap::new(),
        };
        for stmt in body {
            match stmt {
                Stmt::Next { elem, array, .. } => {
                    search.rows.insert(*elem, *array);
                }
                Stmt::Apply { worker, args, .. } => search.name(&worker.params, args),
                Stmt::Update { accs, worker, args, .. } => {
                    search.name(&worker.params[accs.len()..], args);
                }
                Stmt::Copy { elem, from } => search.name(&[*elem], &[*from]),
                Stmt::Position { .. }
                | Stmt::Read { .. }
                | Stmt::Current { .. }
                | Stmt::Reserve { .. }
                | Stmt::Write { .. } => {}
            }
            search.count(stmt);
        }
        search
    }

    fn name(&mut self, names: &[VarId], values: &[Atom]) {
        for (&name, &value) in names.iter().zip(values) {
            if let Atom::Var(value) = value
                && let Some(&matrix) = self.rows.get(&value)
            {
                self.rows.insert(name, matrix);
            }
        }
    }

    fn count(&mut self, stmt: &Stmt) {
        let used: Vec<VarId> = match stmt {
            Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => {
                let results = worker.body.results.iter().filter_map(|result| match result {
                    Atom::Var(var) => Some(*var),
                    Atom::Const(_) => None,
                });
                worker.body.steps.iter().flat_map(uses).chain(results).collect()
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Copy { .. }
            | Stmt::Reserve { .. }
            | Stmt::Write { .. } => uses_of(stmt).into_iter().collect(),
        };
        for var in used {
            *self.uses.entry(var).or_insert(0) += 1;
        }
    }

    fn step(&mut self, step: &Step, target: (&Function, Isa), found: &mut RowReductions) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others combine no elements")]
        match step {
            Step::Index { var, array, indices, inside: true, .. } => {
                if let (Some(&row), [Atom::Const(index)]) = (self.rows.get(array), &indices[..])
                    && let Ok(first) = u32::try_from(index.as_i128())
                {
                    self.parts
                        .insert(*var, RowPart { row, op: None, start: None, first, count: 1 });
                }
            }
            Step::Scalar { var, op: Operation::Bin(op, args), .. } => {
                let Some(part) = self.combined(*op, *args, target.0) else { return };
                self.operands.insert(*var, *args);
                let Some(length) = row_length(part.row, *op, target) else { return };
                if part.first == 0 && part.count == length && length >= LEAST {
                    let (matrix, start) = (part.row, part.start);
                    found.reductions.insert(*var, RowReduction { op: *op, matrix, start, length });
                } else {
                    self.parts.insert(*var, part);
                }
            }
            _ => {}
        }
    }

    /// The elements that an operation combines.
    fn combined(&self, op: BinOp, args: [Atom; 2], function: &Function) -> Option<RowPart> {
        let [left, right] = args.map(|arg| self.part(arg));
        let right = right.filter(|right| right.start.is_none())?;
        let is_exact = is_exact(op, Atom::Var(right.row).ty(&function.tables.vars).scalars());
        let Some(left) = left else {
            let begins = is_exact && right.first == 0;
            return begins.then_some(RowPart { op: Some(op), start: Some(args[0]), ..right });
        };
        let are_neighbours = left.row == right.row
            && left.first + left.count == right.first
            && [left.op, right.op].iter().all(|inner| inner.is_none_or(|inner| inner == op));
        let is_paired = left.count.is_power_of_two()
            && left.first.is_multiple_of(2 * left.count)
            && right.count <= left.count;
        let count = left.count + right.count;
        (are_neighbours && (is_exact || is_paired)).then_some(RowPart {
            op: Some(op),
            count,
            ..left
        })
    }

    /// The elements that a value combines, if nothing else uses the result. Several reductions may use an element.
    fn part(&self, atom: Atom) -> Option<RowPart> {
        let Atom::Var(var) = atom else { return None };
        let part = self.parts.get(&var).copied()?;
        (part.op.is_none() || self.uses.get(&var) == Some(&1)).then_some(part)
    }

    /// Counts the uses of the values from which a value is combined.
    fn count_parts(&self, var: VarId, inner: &mut HashMap<VarId, usize>) {
        for arg in self.operands.get(&var).into_iter().flatten() {
            if let Atom::Var(arg) = *arg
                && self.parts.contains_key(&arg)
            {
                *inner.entry(arg).or_insert(0) += 1;
                self.count_parts(arg, inner);
            }
        }
    }
}

/// The value that a step reads from an array, or computes from two others.
pub(super) fn combines(step: &Step) -> Option<VarId> {
    if let Step::Index { var, .. } | Step::Scalar { var, op: Operation::Bin(..), .. } = step {
        Some(*var)
    } else {
        None
    }
}

/// Whether an operation gives the same bits in every grouping.
fn is_exact(op: BinOp, elem: Scalar) -> bool {
    match op.fold() {
        Reassociation::Choice => true,
        Reassociation::Sum => !elem.is_float(),
        Reassociation::Ordered => false,
    }
}

/// The length of a matrix's rows, if it is a constant, and if vectors of results are quicker than LLVM's code.
fn row_length(matrix: VarId, op: BinOp, (function, isa): (&Function, Isa)) -> Option<u32> {
    let ty = &function.tables.vars[matrix].ty;
    let elem = ty.scalars();
    let &[_, Extent::Const(length)] = ty.shape() else { return None };
    let length = u32::try_from(length).ok()?;
    let is_number = elem != Scalar::Bool;
    let is_plain =
        is_number && op.cost(elem) == Cost::Quick && op.result(elem) == elem && !op.traps(elem);
    (is_plain && !is_left_to_llvm(elem, length, isa)).then_some(length)
}

/// Whether LLVM is as quick. It combines integers along a row in any grouping, which pays where the row fills a
/// register or more. With AVX2, it reads four rows of four doubles in as few instructions, and a shuffle of two vectors
/// takes several. Over sums and maxima of rows of 3 to 16 numbers of six types, the geometric mean was 0.63 of the time
/// before with AVX-512, 0.75 with AVX2, and 0.89 with SSE2, in the second-level cache; the worst were 1.0, 1.10 and
/// 1.11.
fn is_left_to_llvm(elem: Scalar, length: u32, isa: Isa) -> bool {
    let bytes = length * elem.bytes();
    let is_even = length.is_power_of_two();
    let shuffles = match isa {
        Isa::Sse2 | Isa::Ssse3 | Isa::Neon => is_even,
        Isa::Avx2 => elem.bytes() < 8 || is_even && (length > 4 || !elem.is_float()),
        Isa::Avx512 => true,
    };
    let is_long = if is_even {
        bytes == isa.register() && elem.bytes() < 4 && length > 8
    } else {
        length > MAX_UNEVEN && (elem.bytes() >= 4 || isa == Isa::Avx2)
    };
    !shuffles || !elem.is_float() && (bytes > isa.register() || is_long)
}

impl<'ctx> VectorLoop<'_, '_, '_, 'ctx, '_> {
    /// Emits a step that is a part of a reduction of rows, or gives its result. False if it is another step.
    pub(super) fn row_reduction_step(&mut self, step: &Step) -> bool {
        let Some(var) = combines(step) else { return false };
        if let Some(reduction) = self.plan.facts.row_reductions.reduction(var) {
            let rows = self.reduced_rows(reduction);
            let reduced = reduction.start.map_or(rows, |start| {
                let (elem, _) = self.pass.body.array_type(reduction.matrix);
                self.combine_pairs(reduction.op, elem, [self.each(start), rows])
            });
            self.bind(var, Lanes::Each(reduced));
            return true;
        }
        self.plan.facts.row_reductions.has_inside(var)
    }

    /// The results of a reduction in consecutive rows, one a lane.
    fn reduced_rows(&self, reduction: RowReduction) -> VectorValue<'ctx> {
        let RowReduction { op, matrix, length, .. } = reduction;
        let (elem, _) = self.pass.body.array_type(matrix);
        if !length.is_power_of_two() {
            return self.reduced_uneven(reduction, elem);
        }
        let count = length.div_ceil(self.plan.lanes);
        let mut parts: Vec<_> =
            (0..count).map(|part| self.reduced_part(reduction, (elem, part))).collect();
        while parts.len() > 1 {
            parts = parts
                .chunks(2)
                .map(|pair| self.combine_pairs(op, elem, [pair[0], pair[1]]))
                .collect();
        }
        parts[0]
    }

    /// The results of a part of each row, as wide as a vector at most.
    fn reduced_part(
        &self,
        reduction: RowReduction,
        (elem, part): (Scalar, u32),
    ) -> VectorValue<'ctx> {
        let (code, lanes) = (&self.pass.body.code, self.plan.lanes);
        let block = (BLOCK / elem.bytes()).min(lanes);
        let mut vectors = self.loaded_part(reduction, part);
        let mut combined = 1;
        while vectors.len() > 1 {
            let unit = if combined < block { 1 } else { block };
            let sides = [0, 1].map(|side| halves(side, (unit, block), lanes));
            let pairs = vectors.chunks(2).map(|pair| {
                let [(a, rows), (b, more)] = pair else { panic!("their number is a power of two") };
                let rows = [&rows[..], more].concat();
                let rows = sides[0].iter().map(|&lane| rows[lane as usize]).collect();
                let sides = sides.each_ref().map(|side| code.shuffle(*a, *b, side.iter().copied()));
                (self.combine_pairs(reduction.op, elem, sides), rows)
            });
            vectors = pairs.collect();
            combined *= 2;
        }
        let (reduced, rows) = vectors.swap_remove(0);
        let mut order: Vec<u32> = (0..lanes).collect();
        order.sort_by_key(|&lane| rows[lane as usize]);
        code.shuffle(reduced, reduced, order.into_iter())
    }

    /// The results of rows whose length is no power of two. An element without a neighbour is combined with the others
    /// last.
    fn reduced_uneven(&self, reduction: RowReduction, elem: Scalar) -> VectorValue<'ctx> {
        let RowReduction { op, length, .. } = reduction;
        let mut vectors: Vec<_> =
            (0..length).map(|vector| self.loaded(reduction, vector * self.plan.lanes)).collect();
        let mut count = length;
        let mut last = None;
        while count > 1 {
            let every = |first: u32| {
                let rows = 0..self.plan.lanes;
                rows.flat_map(move |row| {
                    (first..count - 1).step_by(2).map(move |at| row * count + at)
                })
            };
            if count % 2 == 1 {
                let single = (0..self.plan.lanes).map(|row| row * count + count - 1);
                let single = self.picked(&vectors, &single.collect::<Vec<_>>());
                last =
                    Some(last.map_or(single, |last| self.combine_pairs(op, elem, [single, last])));
            }
            let [left, right] = [0, 1].map(|side| every(0).map(|at| at + side).collect::<Vec<_>>());
            let lanes = self.plan.lanes as usize;
            let pairs = left.chunks(lanes).zip(right.chunks(lanes)).map(|(left, right)| {
                self.combine_pairs(
                    op,
                    elem,
                    [left, right].map(|lanes| self.picked(&vectors, lanes)),
                )
            });
            vectors = pairs.collect();
            count /= 2;
        }
        last.map_or(vectors[0], |last| self.combine_pairs(op, elem, [vectors[0], last]))
    }

    /// The lanes at these places of vectors that lie one behind the other.
    fn picked(&self, vectors: &[VectorValue<'ctx>], places: &[u32]) -> VectorValue<'ctx> {
        let (code, lanes) = (&self.pass.body.code, self.plan.lanes);
        let sources: BTreeSet<u32> = places.iter().map(|place| place / lanes).collect();
        let mut sources = sources.into_iter();
        let first = sources.next().expect("a vector has lanes");
        let source = vectors[first as usize];
        // A lane keeps this element only if its place is in the first source. The shuffles below replace the others.
        let own = places.iter().map(|place| place % lanes);
        let mut picked = code.shuffle(source, source, own);
        for source in sources {
            let order = (0..lanes).zip(places).map(|(lane, place)| {
                if place / lanes == source { lanes + place % lanes } else { lane }
            });
            picked = code.shuffle(picked, vectors[source as usize], order);
        }
        picked
    }

    /// The vectors of a part of each row, with the row of each lane. A vector has several rows if they are shorter.
    fn loaded_part(
        &self,
        reduction: RowReduction,
        part: u32,
    ) -> Vec<(VectorValue<'ctx>, Vec<u32>)> {
        let (length, lanes) = (reduction.length, self.plan.lanes);
        let load = |vector: u32| {
            let from = vector * length.max(lanes) + part * lanes;
            let rows = (0..lanes).map(|lane| (from + lane) / length).collect();
            (self.loaded(reduction, from), rows)
        };
        (0..length.min(lanes)).map(load).collect()
    }

    /// A vector of elements from one on, counted from the first one of the first lane's row.
    fn loaded(&self, reduction: RowReduction, from: u32) -> VectorValue<'ctx> {
        let RowReduction { matrix, length, .. } = reduction;
        let code = &self.pass.body.code;
        let data = self.pass.body.var(matrix).array(matrix).data;
        let first = code.mul_index(self.at(), code.size(length.into()));
        let at = code.add_index(first, code.size(from.into()));
        self.load_some(matrix, data, at, self.plan.lanes)
    }

    fn combine_pairs(
        &self,
        op: BinOp,
        elem: Scalar,
        [left, right]: [VectorValue<'ctx>; 2],
    ) -> VectorValue<'ctx> {
        self.pass.body.code.apply(op, elem, [left.into(), right.into()]).into_vector_value()
    }
}

/// The lanes of two vectors that hold the left operands of pairs, or the right ones. A pair lies in two neighbouring
/// units, which are lanes of a block, or blocks.
fn halves(side: u32, (unit, block): (u32, u32), lanes: u32) -> Vec<u32> {
    let group = if unit == 1 { block } else { lanes };
    let mut order = Vec::new();
    for first in (0..lanes).step_by(group as usize) {
        for vector in [0, lanes] {
            let units = (side * unit..group).step_by(2 * unit as usize);
            order.extend(units.flat_map(|at| (at..at + unit).map(move |at| vector + first + at)));
        }
    }
    order
}
