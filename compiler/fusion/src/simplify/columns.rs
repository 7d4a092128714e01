//! A reduction of each column of a matrix becomes one reduction of its rows: the matrix is read in the order of memory,
//! and its rows may be made in the same pass. So does a scan of each column, if the results are columns again.
//!
//! Invariant: each column is combined in the same order as before.
//!
//! ```text
//! t = generate m (\j -> generate n (\i -> a[i, j])); s = map (\c -> reduce (+) 0 c) t
//! ⇒ z = generate m (\j -> 0); s = reduce (\acc row -> { r = map2 (+) acc row; r }) z a
//!
//! t = generate m (\j -> generate n (\i -> a[i, j])); s = map (\c -> scan (+) 0 c) t; u = generate n (\i -> generate m (\j -> s[j, i]))
//! ⇒ z = generate m (\j -> 0); u = scan (\acc row -> { r = map2 (+) acc row; r }) z a
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::cnf::{Atom, Bind, Block, Extent, FoldOrder, Function, Op, Type, Var, Worker};
use crate::process::uses;
use arrc_syntax::ids::{PrimaryMap, SecondaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// Columns with at most this many elements stay. All their elements can be read together, so their reductions already
/// read a row of columns at a time. `scripts/bench integral_f32` scans longer columns in the order of memory. No
/// benchmark has columns near the limit.
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
    let changed = ColumnReducer { vars: &mut function.tables.vars, uses, lengths: IndexMap::new() }
        .block(&mut body);
    function.body = body;
    changed
}

struct ColumnReducer<'a> {
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

/// How the columns of a matrix are combined.
enum Combined {
    Reduced,
    Scanned,
}

impl ColumnReducer<'_> {
    fn block(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        let mut transposed = IndexMap::new();
        // Scans of columns, by their results, with their places.
        let mut scanned = IndexMap::new();
        let mut done: Vec<Option<Bind>> = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            for inner in bind.op.blocks_mut() {
                changed |= self.block(inner);
            }
            if let Some((array, dim)) = bind.op.length() {
                self.lengths.insert(bind.vars[0], self.vars[array].ty.shape()[dim]);
            }
            if let Some(of) = self.transposed(&bind) {
                if let Some(&(place, source)) = scanned.get(&of.matrix)
                    && let Some(scan) = done.get_mut(place).and_then(Option::take)
                {
                    done.extend(self.scan_of_rows(scan, source, bind).into_iter().map(Some));
                    changed = true;
                    continue;
                }
                transposed.insert(bind.vars[0], of);
            }
            let combined = self.combined(&bind);
            let source = combined.and_then(|(array, how)| Some((*transposed.get(&array)?, how)));
            match source {
                Some((source, Combined::Reduced)) => {
                    done.extend(self.reduction_of_rows(bind, source).into_iter().map(Some));
                    changed = true;
                }
                Some((source, Combined::Scanned)) => {
                    if self.uses[bind.vars[0]] == 1 {
                        scanned.insert(bind.vars[0], (done.len(), source));
                    }
                    done.push(Some(bind));
                }
                None => done.push(Some(bind)),
            }
        }
        block.binds = done.into_iter().flatten().collect();
        changed
    }

    /// The matrix that a binding transposes.
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
        (plain && whole && long).then_some(Transposed { matrix: *array, columns: *columns })
    }

    /// Whether a scalar is the value of an extent.
    fn is(&self, size: Atom, extent: Extent) -> bool {
        match (size, extent) {
            (Atom::Var(var), _) => self.lengths.get(&var) == Some(&extent),
            (Atom::Const(size), Extent::Const(extent)) => size.as_i128() == extent.into(),
            (Atom::Const(_), Extent::Size(_)) => false,
        }
    }

    /// The array whose rows a binding reduces or scans, each by itself, if the binding does nothing else, and nothing
    /// else uses the array.
    fn combined(&self, bind: &Bind) -> Option<(VarId, Combined)> {
        let Op::Map { worker: Worker { params, body }, inputs } = &bind.op else { return None };
        let ([param], [input]) = (&params[..], &inputs[..]) else { return None };
        let (last, before) = body.binds.split_last()?;
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others combine nothing")]
        let (how, worker, init, inputs) = match &last.op {
            Op::Fold { worker, init, inputs, .. } => (Combined::Reduced, worker, init, inputs),
            Op::Scan { worker, init, inputs, .. } if inputs.len() == 1 => {
                (Combined::Scanned, worker, init, inputs)
            }
            _ => return None,
        };
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
        let is_scalar = |var: &VarId| self.vars[*var].ty.as_scalar().is_some();
        let own = inputs.iter().all(|input| rows.contains(input))
            && init.iter().all(|init| !matches!(init, Atom::Var(var) if rows.contains(var)))
            && worker.params.iter().all(is_scalar)
            && !worker.body.stays()
            && self.is_apart(worker, &rows);
        (own && body.results == results && self.uses[*input] == 1).then_some((*input, how))
    }

    /// Whether a worker uses only the elements of these arrays that are its parameters.
    fn is_apart(&self, worker: &Worker, arrays: &IndexSet<VarId>) -> bool {
        uses::free_in(worker).iter().all(|var| !arrays.contains(var))
    }

    /// A reduction of the rows of a matrix, from one of its columns.
    fn reduction_of_rows(&mut self, bind: Bind, source: Transposed) -> Vec<Bind> {
        let Bind { vars, op: Op::Map { worker: Worker { params, body }, .. }, span } = bind else {
            panic!("a map of reductions was found here")
        };
        let row = params[0];
        let mut binds = body.binds;
        let Some(Bind { op: Op::Fold { order, worker, init, inputs }, span: at, .. }) = binds.pop()
        else {
            panic!("a reduction was found here")
        };
        self.become_rows(row, &binds, source);
        let mut done = Vec::new();
        let init = init.into_iter().zip(&vars).map(|(init, &var)| {
            let of = self.row(var, source);
            done.push(self.repeated(init, of, source, span));
            Atom::Var(of)
        });
        let init = init.collect();
        let accs: Vec<VarId> = vars.iter().map(|&var| self.row(var, source)).collect();
        // Accumulators can be combined with each other only where accumulators and elements have the same form.
        let order = if inputs == [row] && accs.len() == 1 { order } else { FoldOrder::Strict };
        let next: Vec<VarId> = vars.iter().map(|&var| self.row(var, source)).collect();
        let results = next.iter().map(|&var| Atom::Var(var)).collect();
        let inputs = [&accs[..], &inputs].concat();
        binds.push(Bind { vars: next, op: Op::Map { worker, inputs }, span: at });
        let params = [&accs[..], &[row]].concat();
        let worker = Worker { params, body: Block { binds, results } };
        let op = Op::Fold { order, worker, init, inputs: vec![source.matrix] };
        done.push(Bind { vars, op, span });
        done
    }

    /// A scan of the rows of a matrix, from one of its columns and the binding that makes its results columns again.
    fn scan_of_rows(&mut self, scan: Bind, source: Transposed, back: Bind) -> Vec<Bind> {
        let Bind { vars, op: Op::Map { worker: Worker { params, body }, .. }, span } = scan else {
            panic!("a map of scans was found here")
        };
        let mut binds = body.binds;
        let Some(Bind { op: Op::Scan { prefix, worker, init, inputs }, span: at, .. }) =
            binds.pop()
        else {
            panic!("a scan was found here")
        };
        self.become_rows(params[0], &binds, source);
        let [z, acc, row, next] = [(); 4].map(|()| self.row(vars[0], source));
        let mut done = vec![self.repeated(init[0], z, source, span)];
        let mut matrix = source.matrix;
        if !binds.is_empty() {
            let of = Var { ty: self.vars[back.vars[0]].ty.clone(), ..self.vars[inputs[0]].clone() };
            matrix = self.vars.push(of);
            let body = Block { binds, results: vec![Atom::Var(inputs[0])] };
            let op = Op::Map { worker: Worker { params, body }, inputs: vec![source.matrix] };
            done.push(Bind { vars: vec![matrix], op, span });
        }
        let op = Op::Map { worker, inputs: vec![acc, row] };
        let binds = vec![Bind { vars: vec![next], op, span: at }];
        let body = Block { binds, results: vec![Atom::Var(next)] };
        let worker = Worker { params: vec![acc, row], body };
        let op = Op::Scan { prefix, worker, init: vec![Atom::Var(z)], inputs: vec![matrix] };
        done.push(Bind { vars: back.vars, op, span: back.span });
        done
    }

    /// Gives a column, and the arrays made from it, the type of a row.
    fn become_rows(&mut self, column: VarId, made: &[Bind], source: Transposed) {
        for var in std::iter::once(&column).chain(made.iter().flat_map(|bind| &bind.vars)) {
            self.vars[*var].ty = self.row_type(*var, source);
        }
    }

    /// `of = generate columns (\j -> value)`.
    fn repeated(&mut self, value: Atom, of: VarId, source: Transposed, span: Span) -> Bind {
        let ty = Type::Scalar(Scalar::I64);
        let param = self.vars.push(Var { name: Name::new_static("j"), ty });
        let body = Block { binds: Vec::new(), results: vec![value] };
        let worker = Worker { params: vec![param], body };
        Bind { vars: vec![of], op: Op::Generate { size: source.columns, worker }, span }
    }

    /// The type of a row of the matrix with the scalars of a variable.
    fn row_type(&self, scalars_of: VarId, source: Transposed) -> Type {
        let extent = self.vars[source.matrix].ty.shape()[1];
        Type::Scalar(self.vars[scalars_of].ty.scalars()).array_of(extent)
    }

    /// A new row with the scalars and the name of a variable.
    fn row(&mut self, like: VarId, source: Transposed) -> VarId {
        let ty = self.row_type(like, source);
        self.vars.push(Var { ty, ..self.vars[like].clone() })
    }
}
