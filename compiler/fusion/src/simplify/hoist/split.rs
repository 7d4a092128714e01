//! A map in a step computes some values from arrays that are the same in each step. If such a value takes long, a map
//! of its own computes it, which moves out of the step.
//!
//! Invariant: the new map has only operations that cannot fail.
//!
//! ```text
//! map (\row -> { r = map2 (\x v -> { t = f64.sqrt v; u = x / t; u }) row vars; r }) xss
//! ⇒ map (\row -> { a = map (\v' -> { t' = f64.sqrt v'; t' }) vars; r = map2 (\x t -> { u = x / t; u }) row a; r }) xss
//! ```

use indexmap::{IndexMap, IndexSet};

use super::Hoister;
use crate::cnf::{Atom, Bind, Block, Op, UNNAMED_ARRAY, Var, Worker};
use crate::process::uses;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The most values of one map that are computed by a map of their own: each is an array in memory. No benchmark shows
/// it alone. Batch norm of 256 rows of 64 `f32`, whose roots are such a value, takes 0.99 of the time of C, before 2.05
/// (least times, AVX2).
const MAX_VALUES: usize = 2;

impl Hoister<'_> {
    /// Splits the maps of a worker's body.
    pub(super) fn split(&mut self, body: &mut Block) {
        let own = body.binds.iter().flat_map(|bind| bind.vars.iter().copied());
        let own = own.collect::<IndexSet<_>>();
        let mut binds = Vec::with_capacity(body.binds.len());
        for mut bind in std::mem::take(&mut body.binds) {
            binds.extend(self.split_map(&mut bind, &own));
            binds.push(bind);
        }
        body.binds = binds;
    }

    /// The map of the values that take long and are the same in each step; `own` are the variables of the step.
    fn split_map(&mut self, bind: &mut Bind, own: &IndexSet<VarId>) -> Option<Bind> {
        let Op::Map { worker, inputs } = &mut bind.op else { return None };
        let outside = |var: VarId, this: &Self| !this.inside[var] && !own.contains(&var);
        let shared = worker.params.iter().zip(&*inputs).filter(|(_, input)| outside(**input, self));
        let shared = shared.map(|(&param, &input)| (param, input)).collect::<IndexMap<_, _>>();
        let is_array = |&input: &VarId| self.function.tables.vars[input].ty.rank() > 1;
        if shared.is_empty() || shared.values().any(is_array) {
            return None;
        }
        let values = self.shared_values(worker, &shared, &|var| outside(var, self));
        if values.is_empty() || values.len() > MAX_VALUES {
            return None;
        }
        let made = self.map_of(&values, (worker, &shared), bind.span)?;
        worker.body.binds.retain(|bind| !bind.vars.iter().any(|var| values.contains(var)));
        worker.params.extend(&values);
        inputs.extend(&made.vars);
        self.changed = true;
        Some(made)
    }

    /// The values that take long and that the rest of a worker uses, of those that depend on the shared elements only.
    fn shared_values(
        &self,
        worker: &Worker,
        shared: &IndexMap<VarId, VarId>,
        outside: &impl Fn(VarId) -> bool,
    ) -> IndexSet<VarId> {
        // The values that depend on the shared elements only, and whether they take long.
        let mut fixed = IndexMap::<VarId, bool>::new();
        let mut bound = worker.params.iter().copied().collect::<IndexSet<_>>();
        let mut values = IndexSet::new();
        for bind in &worker.body.binds {
            let is_fixed = |atom: &Atom| match *atom {
                Atom::Const(_) => true,
                Atom::Var(var) => {
                    shared.contains_key(&var)
                        || fixed.contains_key(&var)
                        || !bound.contains(&var) && outside(var)
                }
            };
            let operands = bind.op.operands();
            let operation = bind.op.operation();
            let is_total = bind.op.is_total(&self.function.tables.vars);
            if let Some(operation) = operation
                && is_total
                && operands.iter().all(is_fixed)
            {
                let long = self.is_slow(operation)
                    || operands.iter().any(|atom| long_value(atom, &fixed).is_some());
                fixed.insert(bind.vars[0], long);
            } else {
                let used = uses::free(bind).into_iter();
                values.extend(used.filter(|var| fixed.get(var) == Some(&true)));
            }
            bound.extend(bind.vars.iter().copied());
        }
        values.extend(worker.body.results.iter().filter_map(|result| long_value(result, &fixed)));
        values
    }

    /// A map that makes arrays of some values of a worker.
    fn map_of(
        &mut self,
        values: &IndexSet<VarId>,
        (worker, shared): (&Worker, &IndexMap<VarId, VarId>),
        span: Span,
    ) -> Option<Bind> {
        let mut needed = values.clone();
        for bind in worker.body.binds.iter().rev().filter(|bind| bind.op.operation().is_some()) {
            if needed.contains(&bind.vars[0]) {
                let operands = bind.op.operands();
                needed.extend(operands.iter().filter_map(Atom::as_var));
            }
        }
        let mut renamed = IndexMap::new();
        let used = shared.iter().filter(|(param, _)| needed.contains(*param));
        let used = used.map(|(&param, &input)| (param, input));
        let (old, inputs): (Vec<_>, Vec<_>) = used.unzip();
        let size = self.function.tables.vars[*inputs.first()?].ty.shape()[0];
        let params = old.into_iter().map(|param| self.fresh_copy(param, &mut renamed)).collect();
        let mut binds = Vec::new();
        for bind in worker.body.binds.iter().filter(|bind| needed.contains(&bind.vars[0])) {
            let mut copy = bind.clone();
            copy.op.substitute(&renamed);
            copy.vars = vec![self.fresh_copy(bind.vars[0], &mut renamed)];
            binds.push(copy);
        }
        let results = values.iter().map(|value| Atom::Var(renamed[value])).collect();
        let vars = &mut self.function.tables.vars;
        let arrays = values.iter().map(|&value| {
            let ty = vars[value].ty.array_of(size);
            vars.push(Var { name: Name::new(UNNAMED_ARRAY), ty })
        });
        let arrays = arrays.collect();
        let worker = Worker { params, body: Block { binds, results } };
        Some(Bind { vars: arrays, op: Op::Map { worker, inputs }, span })
    }

    /// A new variable in the place of another one.
    fn fresh_copy(&mut self, var: VarId, renamed: &mut IndexMap<VarId, VarId>) -> VarId {
        let copy = self.function.tables.vars[var].clone();
        let new = self.function.tables.vars.push(copy);
        renamed.insert(var, new);
        new
    }
}

/// The variable of an atom that is a value that takes long.
fn long_value(atom: &Atom, fixed: &IndexMap<VarId, bool>) -> Option<VarId> {
    atom.as_var().filter(|var| fixed.get(var) == Some(&true))
}
