//! Interchange of a pass over the columns of a matrix with what its step does to a column: a loop, a reduction or a
//! scan runs over the rows, and each of its steps is a pass over a row. The matrix is read in the order of memory, its
//! rows may be made in the same pass, and an array that a step makes of a column becomes a matrix of rows. `lift.rs`
//! says what becomes of each operation of the step, and `lanes.rs` of its scalars.
//!
//! A matrix that is transposed twice is itself, so `transpose (map f (transpose a))` has no transposition left.
//!
//! Invariant: each column is computed by the same operations in the same order as before.
//!
//! ```text
//! t = generate m (\j -> generate n (\i -> a[i, j])); s = map (\c -> reduce (+) 0 c) t
//! ⇒ z = generate m (\j -> 0); s = reduce (\acc row -> { r = map2 (+) acc row; r }) z a
//!
//! s = generate m (\j -> { z = generate n (\i -> 0); r = loop r = z for i < n do { x = a[i, j]; r' = r with [i] = x; r' }; r })
//! ⇒ z = generate n (\i -> generate m (\j -> 0))
//!   r = loop r = z for i < n do { row = generate m (\j -> a[i, j]); r' = r with [i] = row; r' }
//!   s = generate m (\j -> generate n (\i -> r[i, j]))
//! ```

mod lanes;
mod lift;

use indexmap::{IndexMap, IndexSet};

use super::extents::Extents;
use super::{iotas, transpositions};
use crate::cnf::{Atom, Bind, Block, Extent, Function, Op, Type, UNNAMED_SCALAR, Var, Worker};
use crate::tables::Tables;
use arrc_syntax::ids::{PrimaryMap, SecondaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

use lift::{Lanes, Lifted, Lifter};

/// Columns with at most this many elements stay. All their elements can be read together, so their reductions already
/// read a row of columns at a time. `scripts/bench integral_f32` scans longer columns in the order of memory. No
/// benchmark has columns near the limit.
const SHORT: i64 = 16;

/// Makes passes over rows of passes over columns; says whether anything changed.
pub(super) fn interchange(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let uses = uses_of_matrices(&body, &function.tables.vars);
    let mut transposing = IndexSet::new();
    for_each_transposed(&body, &mut |matrix| {
        if uses[matrix] == 1 {
            transposing.insert(matrix);
        }
    });
    let mut columns = Interchange {
        tables: &mut function.tables,
        extents: Extents::default(),
        transposed: IndexMap::new(),
        positions: IndexMap::new(),
        uses,
        transposing,
        made: IndexSet::new(),
        renamed: IndexMap::new(),
        changed: false,
    };
    columns.block(&mut body);
    let changed = columns.changed;
    function.body = body;
    changed
}

struct Interchange<'a> {
    tables: &'a mut Tables,
    extents: Extents,
    /// The matrices that other matrices are when they are transposed.
    transposed: IndexMap<VarId, Transposed>,
    /// The arrays of positions, with their lengths.
    positions: IndexMap<VarId, Atom>,
    /// How often each array of two dimensions is used.
    uses: SecondaryMap<VarId, u32>,
    /// The arrays of two dimensions that nothing reads but one transposition.
    transposing: IndexSet<VarId>,
    /// The arrays that passes make.
    made: IndexSet<VarId>,
    /// The variables that have become others.
    renamed: IndexMap<VarId, VarId>,
    changed: bool,
}

/// A matrix whose columns are the rows of an array.
#[derive(Clone, Copy)]
struct Transposed {
    matrix: VarId,
    /// How many columns it has.
    columns: Atom,
}

/// The steps of a pass over columns.
struct ColumnPass {
    /// The steps' results.
    vars: Vec<VarId>,
    /// Without the parameters.
    body: Block,
    /// What the parameters are in all steps.
    params: IndexMap<VarId, Lifted>,
    lanes: Lanes,
}

impl Interchange<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut done = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            if !self.renamed.is_empty() {
                bind.op.substitute(&self.renamed);
            }
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            self.extents.note(&bind, self.tables);
            if let Some(count) = iotas::count(&bind) {
                self.positions.insert(bind.vars[0], count);
            }
            if let Some(of) = self.transposition(&bind) {
                if let Some(twice) = self.transposed.get(&of.matrix)
                    && self.tables.vars[twice.matrix].ty == self.tables.vars[bind.vars[0]].ty
                {
                    self.renamed.insert(bind.vars[0], twice.matrix);
                    self.changed = true;
                    continue;
                }
                self.transposed.insert(bind.vars[0], of);
            }
            if bind.op.is_combinator() {
                self.made.extend(&bind.vars);
            }
            let rewritten = self.column_pass(&bind).and_then(|pass| {
                self.interchanged(&pass).or_else(|| Some(vec![self.by_index(&bind, &pass)?]))
            });
            match rewritten {
                Some(binds) => {
                    self.changed = true;
                    done.extend(binds);
                }
                None => done.push(bind),
            }
        }
        block.binds = done;
        for result in &mut block.results {
            *result = result.substitute(&self.renamed);
        }
    }

    /// The matrix that a binding transposes.
    fn transposition(&self, bind: &Bind) -> Option<Transposed> {
        let (matrix, [columns, count]) = transpositions::of(bind)?;
        // Then each element is read once, and none of them is out of bounds.
        let [rows, row] = self.tables.vars[matrix].ty.shape() else { return None };
        let whole = self.extents.is(count, *rows, self.tables)
            && self.extents.is(columns, *row, self.tables);
        whole.then_some(Transposed { matrix, columns })
    }

    /// The pass over columns that a binding is, if its steps read columns rather than rows.
    fn column_pass(&self, bind: &Bind) -> Option<ColumnPass> {
        let (worker, inputs) = if let Op::Map { worker, inputs } = &bind.op {
            (worker, &inputs[..])
        } else if let Op::Generate { worker, .. } = &bind.op {
            (worker, &[][..])
        } else {
            return None;
        };
        let elements = inputs.iter().map(|&input| self.elements(input));
        let elements = elements.chain(std::iter::repeat(Lifted::Lane));
        let params = worker.params.iter().copied().zip(elements).collect::<IndexMap<_, _>>();
        let lanes = self.lanes(bind, inputs)?;
        let has_lanes = |of: &Lifted| match of {
            Lifted::Column(matrix) => {
                self.tables.vars[*matrix].ty.shape().last() == Some(&lanes.extent)
            }
            Lifted::Lane | Lifted::Scalar(_) | Lifted::Pending | Lifted::Row(_) => true,
        };
        if !params.values().all(has_lanes) {
            return None;
        }
        let reads = Reads::of(worker, &params, &self.tables.vars);
        let is_made_of_columns = params.values().any(|of| matches!(of, Lifted::Column(_)));
        let is_column = is_made_of_columns || self.makes_arrays(&bind.vars);
        (is_column && reads.columns > reads.rows).then(|| ColumnPass {
            vars: bind.vars.clone(),
            body: worker.body.clone(),
            params,
            lanes,
        })
    }

    /// The number of steps of a pass.
    fn lanes(&self, bind: &Bind, inputs: &[VarId]) -> Option<Lanes> {
        if let Some(of) = inputs.iter().find_map(|input| self.transposed.get(input)) {
            let &[rows, extent] = self.tables.vars[of.matrix].ty.shape() else { return None };
            let is_short = matches!(rows, Extent::Const(count) if count <= SHORT);
            return (!is_short).then_some(Lanes { count: of.columns, extent, span: bind.span });
        }
        let counted = inputs.iter().find_map(|input| self.positions.get(input).copied());
        let size = if let Op::Generate { size, .. } = bind.op { Some(size) } else { counted };
        let extent = *self.tables.vars[*bind.vars.first()?].ty.shape().first()?;
        Some(Lanes { count: size?, extent, span: bind.span })
    }

    /// What the elements of an array are.
    fn elements(&self, array: VarId) -> Lifted {
        if let Some(of) = self.transposed.get(&array) {
            Lifted::Column(of.matrix)
        } else if self.positions.contains_key(&array) {
            Lifted::Lane
        } else if self.tables.vars[array].ty.rank() == 1 {
            Lifted::Scalar(array)
        } else {
            Lifted::Row(array)
        }
    }

    /// Whether the steps that have these results make arrays.
    fn makes_arrays(&self, results: &[VarId]) -> bool {
        results.iter().any(|&var| self.tables.vars[var].ty.rank() > 1)
    }

    /// The pass over rows, if the step can be taken apart, and if that is worth it.
    ///
    /// A step that only reads arrays and makes scalars stays if it also combines an array that is the same in all
    /// steps: it is the step of a product, which runs in tiles.
    fn interchanged(&mut self, pass: &ColumnPass) -> Option<Vec<Bind>> {
        let (vars, Lanes { count, span, .. }) = (&pass.vars, pass.lanes);
        let makes_arrays = self.makes_arrays(vars);
        let is_back =
            |var: &VarId| self.tables.vars[*var].ty.rank() == 1 || self.transposing.contains(var);
        if !vars.iter().all(is_back) {
            return None;
        }
        let mut lifter =
            Lifter::new(self.tables, &mut self.extents, pass.lanes, pass.params.clone());
        let Block { mut binds, results } = lifter.block(pass.body.clone())?;
        let is_worth_it = lifter.found.sequential && (makes_arrays || !lifter.found.uniform_input);
        let lengths = std::mem::take(&mut lifter.found.lengths);
        if !is_worth_it || !self.has_room(pass, &lengths) {
            return None;
        }
        let mut renamed = Vec::new();
        for (&var, result) in vars.iter().zip(&results) {
            let Atom::Var(made) = *result else { return None };
            let ty = self.tables.vars[var].ty.clone();
            if ty.rank() > 1 {
                let rows = Atom::Var(self.length_of(made, (&mut binds, span)));
                let vars = &mut self.tables.vars;
                binds.push(transpositions::bind(vars, (var, made), [count, rows], span));
                self.transposed.insert(var, Transposed { matrix: made, columns: count });
            } else if self.tables.vars[made].ty == ty {
                renamed.push((var, made));
            } else {
                return None;
            }
        }
        self.renamed.extend(renamed);
        Some(binds)
    }

    /// Whether arrays of these lengths, which each step makes, may exist for all steps at the same time: none is longer
    /// than a column that the step reads, or than one that it makes.
    fn has_room(&self, pass: &ColumnPass, lengths: &IndexSet<Extent>) -> bool {
        let vars = &self.tables.vars;
        let mut known: IndexSet<Extent> =
            pass.vars.iter().filter_map(|&var| vars[var].ty.shape().get(1).copied()).collect();
        known.extend(pass.params.values().filter_map(|of| match of {
            Lifted::Column(matrix) => vars[*matrix].ty.shape().first().copied(),
            Lifted::Lane | Lifted::Scalar(_) | Lifted::Pending | Lifted::Row(_) => None,
        }));
        pass.body.for_each_op(&mut |op| {
            if let Op::Index { array, .. } = op
                && let [rows, .., row] = vars[*array].ty.shape()
                && *row == pass.lanes.extent
            {
                known.insert(*rows);
            }
        });
        let is_short = |length: &Extent| matches!(length, Extent::Const(count) if *count <= SHORT);
        lengths.iter().all(|length| known.contains(length) || is_short(length))
    }

    /// The pass that reads the elements of columns where they are, if its steps use no column otherwise, and nothing else
    /// uses the transposed matrix. The elements of a matrix that a pass makes are computed in the columns instead.
    fn by_index(&mut self, bind: &Bind, pass: &ColumnPass) -> Option<Bind> {
        let Op::Map { inputs, .. } = &bind.op else { return None };
        let is_alone = |input: &VarId| {
            let of = self.transposed.get(input);
            of.is_none_or(|of| self.uses[*input] == 1 && !self.made.contains(&of.matrix))
        };
        if !inputs.iter().all(is_alone) {
            return None;
        }
        let mut lifter =
            Lifter::new(self.tables, &mut self.extents, pass.lanes, pass.params.clone());
        let op = lifter.by_index(pass.body.clone())?;
        Some(Bind { op, ..bind.clone() })
    }

    /// Binds the length of a matrix.
    fn length_of(&mut self, matrix: VarId, (binds, span): (&mut Vec<Bind>, Span)) -> VarId {
        let ty = Type::Scalar(Scalar::I64);
        let length = self.tables.vars.push(Var { name: Name::new_static(UNNAMED_SCALAR), ty });
        let bind = Bind { vars: vec![length], op: Op::Length { array: matrix, dim: 0 }, span };
        self.extents.note(&bind, self.tables);
        binds.push(bind);
        length
    }
}

/// How many operations of a step read columns, and how many read rows.
#[derive(Default)]
struct Reads {
    columns: usize,
    rows: usize,
}

impl Reads {
    fn of(
        worker: &Worker,
        params: &IndexMap<VarId, Lifted>,
        vars: &PrimaryMap<VarId, Var>,
    ) -> Self {
        let mut reads = Self::default();
        for of in params.values() {
            reads.columns += usize::from(matches!(of, Lifted::Column(_)));
            reads.rows += usize::from(matches!(of, Lifted::Row(_)));
        }
        let mut elements = IndexSet::new();
        worker.body.for_each_op(&mut |op| {
            elements.extend(op.inner().iter().flat_map(|inner| inner.params.iter().copied()));
        });
        let is_lane = |atom: Option<&Atom>| {
            let var = atom.and_then(Atom::as_var);
            var.is_some_and(|var| params.get(&var) == Some(&Lifted::Lane))
        };
        worker.body.for_each_op(&mut |op| {
            let Op::Index { array, indices, .. } = op else { return };
            let is_whole = indices.len() == vars[*array].ty.rank();
            let is_of_row = indices.len() > 1 || elements.contains(array);
            reads.columns += usize::from(is_whole && is_of_row && is_lane(indices.last()));
            reads.rows += usize::from(indices.len() > 1 && is_lane(indices.first()));
        });
        reads
    }
}

/// How often each array of two dimensions is used.
fn uses_of_matrices(body: &Block, vars: &PrimaryMap<VarId, Var>) -> SecondaryMap<VarId, u32> {
    let mut uses = SecondaryMap::new();
    body.for_each_use(&mut |atom| {
        if let Atom::Var(var) = atom
            && vars[var].ty.rank() == 2
        {
            uses[var] += 1;
        }
    });
    uses
}

fn for_each_transposed(block: &Block, found: &mut impl FnMut(VarId)) {
    for bind in &block.binds {
        if let Some((matrix, _)) = transpositions::of(bind) {
            found(matrix);
        }
        for inner in bind.op.inner() {
            for_each_transposed(inner.block, found);
        }
    }
}
