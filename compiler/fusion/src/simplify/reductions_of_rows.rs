//! A reduction of a matrix whose rows are made here becomes a reduction of each row, and then of their results:
//! so it can run in the pass that makes the rows.
//!
//! Invariant: only operators are regrouped that may be: those that give the same bits in every grouping, and sums and
//! products of floats, which a `reduce` takes in any grouping.
//!
//! ```text
//! b = generate n (\i -> { row = …; row }); t = reshape b; u = map f t; s = reduce max 0 u
//! ⇒ b rs = generate n (\i -> { row = …; u = map f row; r = reduce max 0 u; row, r }); s = reduce max 0 rs
//!
//! a is made elsewhere; v = map2 f t (reshape a); s = reduce max 0 v
//! ⇒ s = reduce (\acc row row' -> { v = map2 f row row'; r = reduce max 0 v; s = max acc r; s }) 0 b a
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::cnf::{
    Atom, Bind, Block, Extent, FoldOrder, Function, Op, Operation, SizeDef, SizeInfo, Type, Var,
    Worker,
};
use arrc_syntax::ids::{PrimaryMap, SecondaryMap, SizeId, VarId};
use arrc_syntax::prim::{BinOp, Reassociation, Scalar};

/// Reduces by rows where the rows are made in the same block; says whether anything changed.
pub(super) fn reduce(function: &mut Function) -> bool {
    let mut uses = SecondaryMap::new();
    function.body.for_each_use(&mut |atom| {
        if let Atom::Var(var) = atom {
            uses[var] += 1;
        }
    });
    let mut body = std::mem::take(&mut function.body);
    let changed =
        RowReducer { vars: &mut function.tables.vars, sizes: &function.tables.sizes, uses }
            .block(&mut body);
    function.body = body;
    changed
}

struct RowReducer<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// How often each variable is used.
    uses: SecondaryMap<VarId, usize>,
}

/// The arrays that a reduction reads, traced back to the matrices.
#[derive(Default)]
struct ReductionSource {
    /// The matrices that are read flat, under these names.
    flat: IndexMap<VarId, VarId>,
    /// The places of the maps in between.
    maps: IndexSet<usize>,
}

impl RowReducer<'_> {
    fn block(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        for bind in &mut block.binds {
            for inner in bind.op.blocks_mut() {
                changed |= self.block(inner);
            }
        }
        let binds = block.binds.iter().enumerate();
        let made = binds.flat_map(|(at, bind)| bind.vars.iter().map(move |&var| (var, at)));
        let made: IndexMap<VarId, usize> = made.collect();
        // A rewritten reduction reads rows, and is not rewritten again.
        for at in 0..block.binds.len() {
            let Some(op) = operator(&block.binds[at], self.vars) else { continue };
            if let Some(source) = self.source(block, &made, at) {
                match self.producer(block, &made, at, &source) {
                    Some(place) => self.reduce_in_producer(block, (place, at), op, &source),
                    None => self.reduce_rows(block, at, op, &source),
                }
                changed = true;
            }
        }
        // These maps run in the rewritten reductions now.
        block.binds.retain(|bind| !matches!(&bind.op, Op::Map { inputs, .. } if inputs.is_empty()));
        changed
    }

    /// The operands of the reduction at that place, if they are matrices with rows of the same length, and one
    /// is made in this block.
    fn source(
        &self,
        block: &Block,
        made: &IndexMap<VarId, usize>,
        at: usize,
    ) -> Option<ReductionSource> {
        let mut source = ReductionSource::default();
        self.trace(block, made, at, &mut source)?;
        let mut shapes = source.flat.values().map(|&matrix| self.shape(matrix));
        let first = shapes.next()?;
        let alike = shapes.all(|shape| shape == first);
        let here = source.flat.values().any(|matrix| {
            let op = made.get(matrix).map(|&at| &block.binds[at].op);
            matches!(op, Some(Op::Map { .. } | Op::Generate { .. }))
        });
        (alike && here).then_some(source)
    }

    fn trace(
        &self,
        block: &Block,
        made: &IndexMap<VarId, usize>,
        reader: usize,
        source: &mut ReductionSource,
    ) -> Option<()> {
        let (Op::Map { inputs, .. } | Op::Fold { inputs, .. }) = &block.binds[reader].op else {
            return None;
        };
        for &input in inputs {
            let at = *made.get(&input)?;
            let Bind { vars, op, .. } = &block.binds[at];
            if let Op::Reshape { array, .. } = op
                && self.is_flat(input, *array)
            {
                source.flat.insert(input, *array);
                continue;
            }
            let Op::Map { worker, .. } = op else { return None };
            // The map's results must be read here, and nowhere else.
            let reads = |var: &VarId| inputs.iter().filter(|&input| input == var).count();
            if worker.body.stays() || vars.iter().any(|var| reads(var) != self.uses[*var]) {
                return None;
            }
            self.trace(block, made, at, source)?;
            source.maps.insert(at);
        }
        Some(())
    }

    /// Whether an array consists of all rows of a matrix, one after the other.
    fn is_flat(&self, flat: VarId, matrix: VarId) -> bool {
        let ([size], [rows, row]) = (self.shape(flat), self.shape(matrix)) else { return false };
        match size {
            Extent::Size(size) => self.sizes[*size].def == SizeDef::Product(*rows, *row),
            Extent::Const(_) => false,
        }
    }

    fn shape(&self, array: VarId) -> &[Extent] {
        match &self.vars[array].ty {
            Type::Scalar(_) => &[],
            Type::Array { shape, .. } => shape,
        }
    }

    /// The place of the operation that makes all rows, if its worker can reduce each of them.
    fn producer(
        &self,
        block: &Block,
        made: &IndexMap<VarId, usize>,
        at: usize,
        source: &ReductionSource,
    ) -> Option<usize> {
        let place = *made.get(&source.flat[0])?;
        let Bind { vars, op: Op::Map { worker, .. } | Op::Generate { worker, .. }, .. } =
            &block.binds[place]
        else {
            return None;
        };
        let is_row = |(&matrix, result): (&VarId, &Atom)| {
            let Atom::Var(row) = *result else { return false };
            self.shape(row) == &self.shape(matrix)[1..]
        };
        let mut made_rows = vars.iter().zip(&worker.body.results);
        let makes =
            made_rows.all(|pair| !source.flat.values().any(|of| of == pair.0) || is_row(pair));
        let is_alone = source.flat.values().all(|matrix| made.get(matrix) == Some(&place));
        // The other values that the maps in between use must be known where the rows are made.
        let is_known = |atom: Atom| match atom {
            Atom::Const(_) => true,
            Atom::Var(var) => {
                source.flat.contains_key(&var)
                    || made.get(&var).is_none_or(|at| *at < place || source.maps.contains(at))
            }
        };
        let mut known = true;
        for &reader in source.maps.iter().chain([&at]) {
            let op = &block.binds[reader].op;
            known &= op.operands().into_iter().all(is_known);
            for inner in op.inner() {
                inner.block.for_each_use(&mut |atom| known &= is_known(atom));
            }
        }
        (makes && is_alone && known).then_some(place)
    }

    /// Lets the operation that makes the rows reduce each of them, and reduces its results.
    fn reduce_in_producer(
        &mut self,
        block: &mut Block,
        (place, at): (usize, usize),
        op: BinOp,
        source: &ReductionSource,
    ) {
        let Bind { vars, op: producer, .. } = &mut block.binds[place];
        let results = producer.workers_mut()[0].body.results.clone();
        let row_of = |matrix: &VarId| {
            let number = vars.iter().position(|var| var == matrix);
            let Atom::Var(row) = results[number.expect("the operation makes the matrix")] else {
                panic!("a row is a variable")
            };
            row
        };
        let names = source.flat.iter().map(|(&flat, matrix)| (flat, row_of(matrix))).collect();
        let rows = self.shape(source.flat[0])[0];
        let (mut binds, inputs) = self.along_rows(block, at, names, source);
        let Bind { vars, op: Op::Fold { order, init, inputs: flat, .. }, span } =
            &mut block.binds[at]
        else {
            panic!("a reduction was found here")
        };
        let result = self.vars[vars[0]].clone();
        let of_rows = Var { name: result.name.clone(), ty: result.ty.array_of(rows) };
        let of_rows = self.vars.push(of_rows);
        let [acc, elem, both, of_row] = [(); 4].map(|()| self.vars.push(result.clone()));
        let join = Op::bin(op, Atom::Var(acc), Atom::Var(elem));
        let join = Bind { vars: vec![both], op: join, span: *span };
        let worker = Worker {
            params: vec![acc, elem],
            body: Block { binds: vec![join], results: vec![Atom::Var(both)] },
        };
        let each = Op::Fold { order: *order, worker, init: init.clone(), inputs };
        binds.push(Bind { vars: vec![of_row], op: each, span: *span });
        *flat = vec![of_rows];
        let producer = &mut block.binds[place];
        producer.vars.push(of_rows);
        for worker in producer.op.workers_mut() {
            worker.body.binds.append(&mut binds);
            worker.body.results.push(Atom::Var(of_row));
        }
    }

    /// Reduces each row and then joins the results, in the reduction of the rows.
    fn reduce_rows(&mut self, block: &mut Block, at: usize, op: BinOp, source: &ReductionSource) {
        let row = self.shape(source.flat[0])[1];
        let mut names = IndexMap::new();
        let mut rows = IndexMap::new();
        for (&flat, &matrix) in &source.flat {
            let row = *rows.entry(matrix).or_insert_with(|| self.row_var(flat, row));
            names.insert(flat, row);
        }
        let (mut binds, of_rows) = self.along_rows(block, at, names, source);
        let Bind { vars, op: Op::Fold { order, worker, init, inputs }, span } =
            &mut block.binds[at]
        else {
            panic!("a reduction was found here")
        };
        let result = self.vars[vars[0]].clone();
        let [acc, of_row, total] = [(); 3].map(|()| self.vars.push(result.clone()));
        let each =
            Op::Fold { order: *order, worker: worker.clone(), init: init.clone(), inputs: of_rows };
        binds.push(Bind { vars: vec![of_row], op: each, span: *span });
        let both = Op::bin(op, Atom::Var(acc), Atom::Var(of_row));
        binds.push(Bind { vars: vec![total], op: both, span: *span });
        let params = [acc].into_iter().chain(rows.values().copied()).collect();
        *worker = Worker { params, body: Block { binds, results: vec![Atom::Var(total)] } };
        *inputs = rows.into_keys().collect();
    }

    /// The maps in between, of a row each, and what the reduction at that place reads of them. The names are those of
    /// the rows.
    fn along_rows(
        &mut self,
        block: &mut Block,
        at: usize,
        mut names: IndexMap<VarId, VarId>,
        source: &ReductionSource,
    ) -> (Vec<Bind>, Vec<VarId>) {
        let row = self.shape(source.flat[0])[1];
        let mut binds = Vec::new();
        for &at in &source.maps {
            let bind = &mut block.binds[at];
            let span = bind.span;
            let Op::Map { worker, inputs } = &mut bind.op else { panic!("a map was found here") };
            let worker =
                std::mem::replace(worker, Worker { params: Vec::new(), body: Block::default() });
            let inputs = std::mem::take(inputs).iter().map(|input| names[input]).collect();
            let vars = bind.vars.iter().map(|&var| {
                let new = self.row_var(var, row);
                names.insert(var, new);
                new
            });
            let vars = vars.collect();
            binds.push(Bind { vars, op: Op::Map { worker, inputs }, span });
        }
        let Op::Fold { inputs, .. } = &block.binds[at].op else {
            panic!("a reduction was found here")
        };
        let inputs = inputs.iter().map(|input| names[input]).collect();
        (binds, inputs)
    }

    /// A variable for a row of an array.
    fn row_var(&mut self, flat: VarId, row: Extent) -> VarId {
        let Var { name, ty } = &self.vars[flat];
        let elem = ty.element().expect("what is all rows has elements");
        let ty = elem.array_of(row);
        self.vars.push(Var { name: name.clone(), ty })
    }
}

/// The operator of a reduction of one array by an operator that gives the same in any grouping.
fn operator(bind: &Bind, vars: &PrimaryMap<VarId, Var>) -> Option<BinOp> {
    let Op::Fold { order: FoldOrder::Associative | FoldOrder::Commutative, worker, init, inputs } =
        &bind.op
    else {
        return None;
    };
    let (
        [acc, elem],
        [Bind { vars: made, op: Op::Scalar(Operation::Bin(op, [left, right])), .. }],
        [_],
    ) = (&worker.params[..], &worker.body.binds[..], &inputs[..])
    else {
        return None;
    };
    let [acc_atom, elem_atom] = [acc, elem].map(|&var| Atom::Var(var));
    let plain = worker.body.results == [Atom::Var(made[0])]
        && ([*left, *right] == [acc_atom, elem_atom] || [*left, *right] == [elem_atom, acc_atom]);
    let ty = vars[*acc].ty.as_scalar()?;
    (plain && regroups(*op, ty, init[0])).then_some(*op)
}

/// Whether a reduction by an operation may begin with the initial value in each group.
fn regroups(op: BinOp, ty: Scalar, init: Atom) -> bool {
    let neutral = op.row().neutral.map(|neutral| neutral.of(ty));
    match op.fold() {
        Reassociation::Choice => true,
        // Zeros of both signs are neutral.
        Reassociation::Sum if ty.is_float() => {
            let Atom::Const(init) = init else { return false };
            neutral.is_some_and(|neutral| neutral.as_f64() == init.as_f64())
        }
        Reassociation::Sum => neutral.map(Atom::from) == Some(init),
        Reassociation::Ordered => false,
    }
}
