//! A reduction of each column of a matrix becomes one reduction of its rows: the matrix is read in the order of memory, and
//! its rows may be made in the same pass.
//!
//! Invariant: each column is combined in the same order as before.
//!
//! ```text
//! t = generate m (\j -> generate n (\i -> a[i, j])); s = map (\c -> reduce (+) 0 c) t
//! ⇒ z = generate m (\j -> 0); s = reduce (\acc row -> { r = map2 (+) acc row; r }) z a
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::ids::{PrimaryMap, SecondaryMap, VarId};
use crate::ir::cnf::{Atom, Bind, Block, Extent, Function, Op, Order, Type, Var, Worker};
use crate::ir::process::uses;
use crate::names::Name;
use crate::prim::Scalar;

/// Columns with at most this many elements stay. All their elements can be read together, so their reductions already
/// read a row of columns at a time.
const SHORT: i64 = 16;

/// Reduces rows where columns were reduced; says whether anything changed.
pub(super) fn interchange(function: &mut Function) -> bool {
    let mut uses = SecondaryMap::new();
    function.body.for_each_use(&mut |atom| {
        if let Atom::Var(var) = atom {
            uses[var] += 1;
        }
    });
    let mut body = std::mem::take(&mut function.body);
    let changed = Columns { vars: &mut function.tables.vars, uses, lengths: IndexMap::new() }
        .block(&mut body);
    function.body = body;
    changed
}

struct Columns<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    /// How often each variable is used.
    uses: SecondaryMap<VarId, usize>,
    /// The variables that are the value of an extent.
    lengths: IndexMap<VarId, Extent>,
}

/// A matrix whose columns are the rows of an array.
#[derive(Clone, Copy)]
struct Transposed {
    matrix: VarId,
    /// How many columns it has.
    columns: Atom,
}

impl Columns<'_> {
    fn block(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        let mut transposed = IndexMap::new();
        let mut done = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            for inner in bind.op.blocks_mut() {
                changed |= self.block(inner);
            }
            if let Some((array, dim)) = bind.op.length() {
                self.lengths.insert(bind.vars[0], self.vars[array].ty.shape()[dim]);
            }
            if let Some(of) = self.transposed(&bind) {
                transposed.insert(bind.vars[0], of);
            }
            let source = self.reduced(&bind).and_then(|array| transposed.get(&array).copied());
            match source {
                Some(source) => {
                    self.rewrite(bind, source, &mut done);
                    changed = true;
                }
                None => done.push(bind),
            }
        }
        block.binds = done;
        changed
    }

    /// The matrix that a binding transposes, if the result has a single use.
    fn transposed(&self, bind: &Bind) -> Option<Transposed> {
        let Op::Generate { size: columns, worker } = &bind.op else { return None };
        let is_length = |bind: &&Bind| bind.op.length().is_some();
        let binds = worker.body.binds.iter().skip_while(is_length).collect::<Vec<_>>();
        let ([outer], [Bind { vars: made, op: Op::Generate { size: count, worker: inner }, .. }]) =
            (&worker.params[..], &binds[..])
        else {
            return None;
        };
        let ([row], [Bind { vars: read, op: Op::Index { array, indices, .. }, .. }]) =
            (&inner.params[..], &inner.body.binds[..])
        else {
            return None;
        };
        let plain = indices[..] == [Atom::Var(*row), Atom::Var(*outer)]
            && inner.body.results[..] == [Atom::Var(read[0])]
            && worker.body.results[..] == [Atom::Var(made[0])];
        // Then each element is read once, and none of them is out of bounds.
        let [rows, row] = self.vars[*array].ty.shape() else { return None };
        let whole = self.is(*count, *rows) && self.is(*columns, *row);
        let long = !matches!(rows, Extent::Const(count) if *count <= SHORT);
        (plain && whole && long && self.uses[bind.vars[0]] == 1)
            .then_some(Transposed { matrix: *array, columns: *columns })
    }

    /// Whether a scalar is the value of an extent.
    fn is(&self, size: Atom, extent: Extent) -> bool {
        match (size, extent) {
            (Atom::Var(var), _) => self.lengths.get(&var) == Some(&extent),
            (Atom::Const(size), Extent::Const(extent)) => size.as_i128() == extent.into(),
            (Atom::Const(_), Extent::Size(_)) => false,
        }
    }

    /// The array whose rows a binding reduces, each by itself, if the binding does nothing else.
    fn reduced(&self, bind: &Bind) -> Option<VarId> {
        let Op::Map { worker: Worker { params, body }, inputs } = &bind.op else { return None };
        let ([param], [input]) = (&params[..], &inputs[..]) else { return None };
        let (last, before) = body.binds.split_last()?;
        let Op::Fold { worker, init, inputs, .. } = &last.op else { return None };
        let results: Vec<Atom> = last.vars.iter().map(|&var| Atom::Var(var)).collect();
        let mut rows = IndexSet::from([*param]);
        for Bind { vars, op, .. } in before {
            let Op::Map { worker, inputs } = op else { return None };
            let own = inputs.iter().all(|input| rows.contains(input));
            if !own || worker.body.stays() || !self.is_apart(worker, &rows) {
                return None;
            }
            rows.extend(vars);
        }
        let scalar = |var: &VarId| self.vars[*var].ty.as_scalar().is_some();
        let own = inputs.iter().all(|input| rows.contains(input))
            && init.iter().all(|init| !matches!(init, Atom::Var(var) if rows.contains(var)))
            && last.vars.iter().all(scalar)
            && !worker.body.stays()
            && self.is_apart(worker, &rows);
        (own && body.results == results).then_some(*input)
    }

    /// Whether a worker uses only the elements of these arrays that are its parameters.
    fn is_apart(&self, worker: &Worker, arrays: &IndexSet<VarId>) -> bool {
        uses::free_in(worker).iter().all(|var| !arrays.contains(var))
    }

    fn rewrite(&mut self, bind: Bind, source: Transposed, done: &mut Vec<Bind>) {
        let Transposed { matrix, columns } = source;
        let Bind { vars, op: Op::Map { worker: Worker { params, body }, .. }, span } = bind else {
            panic!("a map of reductions was found here")
        };
        let row = params[0];
        let extent = self.vars[matrix].ty.shape()[1];
        let mut binds = body.binds;
        let Some(Bind { op: Op::Fold { order, worker, init, inputs }, span: at, .. }) = binds.pop()
        else {
            panic!("a reduction was found here")
        };
        // The columns, and the arrays made from them, are rows now.
        for var in std::iter::once(&row).chain(binds.iter().flat_map(|bind| &bind.vars)) {
            let scalars = Type::Scalar(self.vars[*var].ty.scalars());
            self.vars[*var].ty = scalars.array_of(extent);
        }
        let inits = init.into_iter().zip(&vars).map(|(init, &var)| {
            let of = self.again(var);
            let ty = Type::Scalar(Scalar::I64);
            let param = self.vars.push(Var { name: Name::new_static("j"), ty });
            let body = Block { binds: Vec::new(), results: vec![init] };
            let worker = Worker { params: vec![param], body };
            let op = Op::Generate { size: columns, worker };
            done.push(Bind { vars: vec![of], op, span });
            Atom::Var(of)
        });
        let init = inits.collect();
        let accs: Vec<VarId> = vars.iter().map(|&var| self.again(var)).collect();
        let next: Vec<VarId> = vars.iter().map(|&var| self.again(var)).collect();
        let results = next.iter().map(|&var| Atom::Var(var)).collect();
        // Accumulators can be combined with each other only where accumulators and elements have the same form.
        let order = if inputs == [row] && accs.len() == 1 { order } else { Order::Strict };
        let inputs = [&accs[..], &inputs].concat();
        binds.push(Bind { vars: next, op: Op::Map { worker, inputs }, span: at });
        let params = [&accs[..], &[row]].concat();
        let worker = Worker { params, body: Block { binds, results } };
        let op = Op::Fold { order, worker, init, inputs: vec![matrix] };
        done.push(Bind { vars, op, span });
    }

    /// A new variable with the type of another one.
    fn again(&mut self, var: VarId) -> VarId {
        self.vars.push(self.vars[var].clone())
    }
}
