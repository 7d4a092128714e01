//! Small arrays that loops, folds and scans carry become scalars that they carry.
//!
//! A reduction of rows becomes a reduction of several scalars, one for each element of a row, so it can still be
//! regrouped.
//!
//! Invariant: an array is taken apart only if no step needs it whole.
//!
//! ```text
//! s = reduce (\a r -> { c = map2 (+) a r; c }) [0, 0] rows, rows: [n][2]f64
//! ⇒ x, y = map (\r -> { p = r[0]; q = r[1]; p, q }) rows
//!   t, u = reduce (\a b x y -> { c = a + x; d = b + y; c, d }) 0 0 x y; s = [t, u]
//! ```

use super::{ArrayScalariser, ExecutionFrequency};
use crate::cnf::{Atom, Bind, Block, FoldPartsMut, Op, Type, Worker};
use crate::simplify::dead;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Const;
use arrc_syntax::source::Span;

/// A loop carries no more scalars in place of arrays. AVX2 has as many registers. `scripts/bench column_sums_5` and
/// `scripts/bench oscillators_f64` carry arrays of five and four. The limit was not measured by itself.
const MAX_CARRIED: usize = 16;

impl ArrayScalariser<'_> {
    /// Appends a loop, a fold or a scan. Its small arrays are taken apart if no step needs them whole.
    pub(super) fn carry(&mut self, mut bind: Bind, runs: ExecutionFrequency, done: &mut Vec<Bind>) {
        let (before, length) = (self.facts.clone(), done.len());
        if self.scalarise_loop(bind.clone(), done).is_some() {
            return;
        }
        self.facts = before;
        done.truncate(length);
        self.inside(&mut bind.op, runs);
        done.push(bind);
    }

    /// Appends the loop with scalars in place of its small arrays; nothing if it has none, or needs one whole.
    fn scalarise_loop(&mut self, bind: Bind, done: &mut Vec<Bind>) -> Option<()> {
        let Bind { vars, mut op, span } = bind;
        let small = self.small_carried_arrays(&vars, &mut op)?;
        let init = op.carried()?.clone();
        let mut params = small.clone();
        if let Some((worker, inputs)) = elementwise_operands(&mut op) {
            self.columns(worker, inputs, &small, span, done)?;
            params.extend(&small);
        }
        *op.carried_mut()? = self.initial(&init, &small, span, done);
        let [conditions @ .., worker] = &mut op.workers_mut()[..] else { return None };
        for condition in conditions {
            let arrays = self.take_params(condition, &small, span);
            self.take_body(&mut condition.body, &[], &arrays)?;
        }
        let arrays = self.take_params(worker, &params, span);
        self.take_body(&mut worker.body, &small, &arrays)?;
        let rows = op.makes_each();
        let results = vars.iter().zip(&small);
        let results = results.map(|(&var, &small)| (var, small.then(|| self.results(var, rows))));
        let results: Vec<_> = results.collect();
        let vars = results.iter().flat_map(|(var, apart)| apart.clone().unwrap_or(vec![*var]));
        done.push(Bind { vars: vars.collect(), op, span });
        for (var, scalars) in results {
            match scalars {
                Some(columns) if rows => self.rows(var, columns, span, done),
                Some(scalars) => self.assemble(var, super::atoms(&scalars), span, done),
                None => {}
            }
        }
        Some(())
    }

    /// A variable for each scalar of a small array, or for each column of an array of them.
    fn results(&mut self, array: VarId, rows: bool) -> Vec<VarId> {
        if !rows {
            return self.fresh_scalars(array);
        }
        let ty = self.function.tables.vars[array].ty.clone();
        let row = ty.element().expect("a scan gives arrays");
        let count = row.scalar_count().expect("the shape is constant");
        let columns = (0..count).map(|_| {
            let column = self.fresh_scalar(ty.scalars());
            let ty = Type::Scalar(ty.scalars()).array_of(ty.shape()[0]);
            self.function.tables.vars[column].ty = ty;
            column
        });
        columns.collect()
    }

    /// Binds an array of small rows to its columns.
    fn rows(&mut self, array: VarId, columns: Vec<VarId>, span: Span, done: &mut Vec<Bind>) {
        let mut row = self.function.tables.vars[array].clone();
        row.ty = row.ty.element().expect("a scan gives arrays");
        let row = self.function.tables.vars.push(row);
        let params = self.fresh_scalars(row);
        let mut body = Block { binds: Vec::new(), results: vec![Atom::Var(row)] };
        self.assemble(row, super::atoms(&params), span, &mut body.binds);
        let op = Op::Map { worker: Worker { params, body }, inputs: columns };
        done.push(Bind { vars: vec![array], op, span });
    }

    /// Which of the carried values are small arrays of one shape in every step. Gives nothing if none is, or if they
    /// have too many scalars.
    fn small_carried_arrays(&self, vars: &[VarId], op: &mut Op) -> Option<Vec<bool>> {
        let init = op.carried()?.clone();
        let rows = op.makes_each();
        let workers = op.workers_mut();
        let counts = vars.iter().zip(init).enumerate().map(|(at, (&var, init))| {
            let params = workers.iter().map(|worker| worker.params[at]);
            let mut others = params.chain(init.as_var()).map(|var| self.array_count(var));
            let of = if rows { self.row_count(var) } else { self.array_count(var) };
            let count = of.filter(|count| (1..=MAX_CARRIED).contains(count));
            count.filter(|_| others.all(|other| other == count))
        });
        let counts: Vec<Option<usize>> = counts.collect();
        let total: usize = counts.iter().flatten().sum();
        (1..=MAX_CARRIED).contains(&total).then(|| counts.iter().map(Option::is_some).collect())
    }

    /// How many scalars each row of an array has, if its shape is constant.
    fn row_count(&self, array: VarId) -> Option<usize> {
        let row = self.function.tables.vars[array].ty.element()?;
        row.scalar_count().filter(|_| row.is_array())
    }

    /// Replaces inputs of small rows by an array for each scalar of a row.
    fn columns(
        &mut self,
        worker: &Worker,
        inputs: &mut Vec<VarId>,
        small: &[bool],
        span: Span,
        done: &mut Vec<Bind>,
    ) -> Option<()> {
        if inputs.len() != small.len() {
            return None;
        }
        let elems = &worker.params[small.len()..];
        let mut columns = Vec::new();
        for ((&input, &small), &elem) in inputs.iter().zip(small).zip(elems) {
            if !small {
                columns.push(input);
                continue;
            }
            let row = self.function.tables.vars.push(self.function.tables.vars[elem].clone());
            let mut body = Block::default();
            body.results = self.load(row, span, &mut body.binds);
            let size = *self.function.tables.vars[input].ty.shape().first()?;
            let vars = body.results.iter().map(|&scalar| {
                let mut var = self.function.tables.vars[scalar.as_var()?].clone();
                var.ty = var.ty.array_of(size);
                Some(self.function.tables.vars.push(var))
            });
            let vars = vars.collect::<Option<Vec<_>>>()?;
            columns.extend(&vars);
            let worker = Worker { params: vec![row], body };
            done.push(Bind { vars, op: Op::Map { worker, inputs: vec![input] }, span });
        }
        *inputs = columns;
        Some(())
    }

    /// The initial values with scalars in place of small arrays.
    fn initial(
        &mut self,
        init: &[Atom],
        small: &[bool],
        span: Span,
        done: &mut Vec<Bind>,
    ) -> Vec<Atom> {
        let values = init.iter().zip(small).map(|(&value, &small)| match value {
            Atom::Var(array) if small => {
                self.scalars_of(value).unwrap_or_else(|| self.load(array, span, done))
            }
            Atom::Var(_) | Atom::Const(_) => vec![value],
        });
        values.collect::<Vec<_>>().concat()
    }

    /// Reads every scalar of an array of constant shape.
    fn load(&mut self, array: VarId, span: Span, done: &mut Vec<Bind>) -> Vec<Atom> {
        let ty = self.function.tables.vars[array].ty.clone();
        let mut indices: Vec<Vec<Atom>> = vec![Vec::new()];
        for dim in 0..ty.rank() {
            let extent = super::extent(&ty, dim);
            let longer = indices.iter().flat_map(|before| {
                (0..extent).map(|index| [&before[..], &[Const::i64(index).into()]].concat())
            });
            indices = longer.collect();
        }
        let scalars = indices.into_iter().map(|indices| {
            let var = self.fresh_scalar(ty.scalars());
            done.push(Bind {
                vars: vec![var],
                op: Op::Index { array, indices, inside: false },
                span,
            });
            Atom::Var(var)
        });
        scalars.collect()
    }

    /// Replaces the parameters of a worker that are small arrays by scalars, and gives these parameters.
    fn take_params(&mut self, worker: &mut Worker, small: &[bool], span: Span) -> Vec<VarId> {
        let mut arrays = Vec::new();
        let mut binds = Vec::new();
        let mut params = Vec::new();
        for (at, &param) in worker.params.iter().enumerate() {
            if small.get(at) == Some(&true) {
                let scalars = self.fresh_scalars(param);
                self.assemble(param, super::atoms(&scalars), span, &mut binds);
                params.extend(scalars);
                arrays.push(param);
            } else {
                params.push(param);
            }
        }
        worker.params = params;
        binds.append(&mut worker.body.binds);
        worker.body.binds = binds;
        arrays
    }

    /// Takes a body apart, and its results that are small arrays. Gives nothing if the body needs one of the arrays
    /// whole.
    fn take_body(&mut self, body: &mut Block, small: &[bool], arrays: &[VarId]) -> Option<()> {
        self.block(body, ExecutionFrequency::EachStep);
        let results = body.results.iter().enumerate().map(|(at, &result)| {
            if small.get(at) == Some(&true) { self.scalars_of(result) } else { Some(vec![result]) }
        });
        body.results = results.collect::<Option<Vec<_>>>()?.concat();
        dead::sweep(body);
        let whole = body.binds.iter().any(|bind| bind.vars.iter().any(|var| arrays.contains(var)));
        (!whole).then_some(())
    }
}

/// The worker and the inputs of an operation that combines accumulators with elements of the same type.
fn elementwise_operands(op: &mut Op) -> Option<(&Worker, &mut Vec<VarId>)> {
    let paired = op.is_paired();
    let FoldPartsMut { worker, inputs, .. } = op.folded_mut()?;
    paired.then_some((worker, inputs))
}
