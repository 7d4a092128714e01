//! A reduction of a matrix whose rows are made here becomes a reduction of each row, and then of their results:
//! so it can run in the pass that makes the rows.
//!
//! Invariant: only operators are regrouped that give the same bits in every grouping.
//!
//! ```text
//! b = generate n (\i -> { row = …; row }); t = reshape b; u = map f t; s = reduce max 0 u
//! ⇒ s = reduce (\acc row -> { u = map f row; r = reduce max 0 u; s = max acc r; s }) 0 b
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::ids::{PrimaryMap, SecondaryMap, SizeId, VarId};
use crate::ir::cnf::{
    Atom, Bind, Block, Extent, Function, Op, Order, SizeDef, SizeInfo, Type, Var, Worker,
};
use crate::prim::{BinOp, Fold, Scalar};

/// Reduces by rows where the rows are made in the same block; says whether anything changed.
pub(super) fn reduce(function: &mut Function) -> bool {
    let mut uses = SecondaryMap::new();
    function.body.for_each_use(&mut |atom| {
        if let Atom::Var(var) = atom {
            uses[var] += 1;
        }
    });
    let mut body = std::mem::take(&mut function.body);
    let changed = Rows { vars: &mut function.tables.vars, sizes: &function.tables.sizes, uses }
        .block(&mut body);
    function.body = body;
    changed
}

struct Rows<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// How often each variable is used.
    uses: SecondaryMap<VarId, usize>,
}

/// The arrays that a reduction reads, traced back to the matrices.
#[derive(Default)]
struct Source {
    /// The matrices that are read flat, under these names.
    flat: IndexMap<VarId, VarId>,
    /// The places of the maps in between.
    maps: IndexSet<usize>,
}

impl Rows<'_> {
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
                self.rewrite(block, at, op, &source);
                changed = true;
            }
        }
        // These maps run in the rewritten reductions now.
        block.binds.retain(|bind| !matches!(&bind.op, Op::Map { inputs, .. } if inputs.is_empty()));
        changed
    }

    /// The operands of the reduction at that place, if they are matrices with rows of the same length, and one
    /// is made in this block.
    fn source(&self, block: &Block, made: &IndexMap<VarId, usize>, at: usize) -> Option<Source> {
        let mut source = Source::default();
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
        source: &mut Source,
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

    fn rewrite(&mut self, block: &mut Block, at: usize, op: BinOp, source: &Source) {
        let row = self.shape(source.flat[0])[1];
        let mut names = IndexMap::new();
        let mut rows = IndexMap::new();
        for (&flat, &matrix) in &source.flat {
            let row = *rows.entry(matrix).or_insert_with(|| self.like(flat, row));
            names.insert(flat, row);
        }
        let mut binds = Vec::new();
        for &at in &source.maps {
            let bind = &mut block.binds[at];
            let span = bind.span;
            let Op::Map { worker, inputs } = &mut bind.op else { panic!("a map was found here") };
            let worker =
                std::mem::replace(worker, Worker { params: Vec::new(), body: Block::default() });
            let inputs = std::mem::take(inputs).iter().map(|input| names[input]).collect();
            let vars = bind.vars.iter().map(|&var| {
                let new = self.like(var, row);
                names.insert(var, new);
                new
            });
            let vars = vars.collect();
            binds.push(Bind { vars, op: Op::Map { worker, inputs }, span });
        }
        let Bind { vars, op: Op::Fold { order, worker, init, inputs }, span } =
            &mut block.binds[at]
        else {
            panic!("a reduction was found here")
        };
        let result = self.vars[vars[0]].clone();
        let [acc, of_row, total] = [(); 3].map(|()| self.vars.push(result.clone()));
        let each = Op::Fold {
            order: *order,
            worker: worker.clone(),
            init: init.clone(),
            inputs: inputs.iter().map(|input| names[input]).collect(),
        };
        binds.push(Bind { vars: vec![of_row], op: each, span: *span });
        let both = Op::Bin(op, Atom::Var(acc), Atom::Var(of_row));
        binds.push(Bind { vars: vec![total], op: both, span: *span });
        let params = [acc].into_iter().chain(rows.values().copied()).collect();
        *worker = Worker { params, body: Block { binds, results: vec![Atom::Var(total)] } };
        *inputs = rows.into_keys().collect();
    }

    /// A variable for a row of an array.
    fn like(&mut self, flat: VarId, row: Extent) -> VarId {
        let Var { name, ty } = &self.vars[flat];
        let elem = ty.element().expect("what is all rows has elements");
        let ty = elem.array_of(row);
        self.vars.push(Var { name: name.clone(), ty })
    }
}

/// The operator of a reduction of one array by an operator that gives the same in any grouping.
fn operator(bind: &Bind, vars: &PrimaryMap<VarId, Var>) -> Option<BinOp> {
    let Op::Fold { order: Order::Associative | Order::Commutative, worker, init, inputs } =
        &bind.op
    else {
        return None;
    };
    let ([acc, elem], [Bind { vars: made, op: Op::Bin(op, left, right), .. }], [_]) =
        (&worker.params[..], &worker.body.binds[..], &inputs[..])
    else {
        return None;
    };
    let [acc_atom, elem_atom] = [acc, elem].map(|&var| Atom::Var(var));
    let plain = worker.body.results == [Atom::Var(made[0])]
        && ([*left, *right] == [acc_atom, elem_atom] || [*left, *right] == [elem_atom, acc_atom]);
    let ty = vars[*acc].ty.as_scalar()?;
    (plain && regroups(*op, ty, init[0])).then_some(*op)
}

/// Whether every grouping of an operation gives the same bits, with the initial value once or more often.
fn regroups(op: BinOp, ty: Scalar, init: Atom) -> bool {
    match op.fold() {
        Fold::Choice => true,
        Fold::Sum => {
            let neutral = op.row().neutral.map(|neutral| Atom::from(neutral.of(ty)));
            !ty.is_float() && neutral == Some(init)
        }
        Fold::Ordered => false,
    }
}
