//! Updates that change elements of arrays by operations which may be done in any order: histograms.
//!
//! Each thread can collect the elements of its own steps in an array of its own, and at the end these arrays become
//! one, element by element. The operations are exact, so the result has the same bits however the steps are shared.
//!
//! Invariant: the worker uses accumulators for nothing else, and so no step depends on what another one has collected.
//!
//! ```text
//! \bins i x -> if c then { t = bins[i]; u = t + x; bins2 = bins with [i] = u; yield bins2 } else { yield bins }   ⇒ +
//! ```

use indexmap::{IndexMap, IndexSet};

use super::phase::Phase;
use super::program::{Block, Worker};
use super::step::Step;
use crate::concrete::def_use::{defines, uses};
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{BinOp, Const, Reassociation, Scalar};

/// An accumulator that is an array whose elements change by an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bins {
    /// The accumulator.
    pub acc: AccId,
    /// The operation.
    pub op: BinOp,
}

impl Bins {
    /// The neutral element of the operation, for elements of type `ty`. `None` for operations like `min`: they are
    /// idempotent, so a thread's array can begin with the elements of the array itself.
    #[must_use]
    pub fn neutral(self, ty: Scalar) -> Option<Const> {
        match self.op.fold() {
            Reassociation::Sum => self.op.row().neutral.map(|neutral| neutral.of(ty)),
            Reassociation::Choice | Reassociation::Ordered => None,
        }
    }
}

/// The operation by which a worker changes each of its first `count` parameters, or single elements of it. The other
/// operand depends on none of these parameters. `None` if the worker uses these parameters in any other way.
#[must_use]
pub fn operations<P: Phase>(worker: &Worker<P>, count: usize) -> Option<Vec<BinOp>> {
    let accs = &worker.params[..count];
    let mut search = BinUpdateAnalysis::new(worker, accs);
    let ops = accs.iter().zip(&worker.body.results).map(|(&acc, &result)| {
        (search.op, search.led) = (None, IndexSet::new());
        search.leads_to_accumulator(acc, result).then_some(())?;
        search.op
    });
    let ops = ops.collect::<Option<Vec<_>>>()?;
    search.is_complete().then_some(ops)
}

/// Follows the results of a worker back to its accumulators.
struct BinUpdateAnalysis<'a, P: Phase> {
    /// The steps of the worker and its branches, by the variables that they bind.
    steps: IndexMap<VarId, &'a Step<P>>,
    /// The variables that depend on accumulators.
    tainted: IndexSet<VarId>,
    /// How often each variable is used.
    uses: IndexMap<VarId, usize>,
    /// How many of these uses are on the path from a result back to its accumulator.
    met: IndexMap<VarId, usize>,
    /// The operation that changes the accumulator, once one was found.
    op: Option<BinOp>,
    /// The variables that were already followed back towards the accumulator.
    led: IndexSet<VarId>,
}

impl<'a, P: Phase> BinUpdateAnalysis<'a, P> {
    fn new(worker: &'a Worker<P>, accs: &[VarId]) -> Self {
        let mut search = Self {
            steps: IndexMap::new(),
            tainted: accs.iter().copied().collect(),
            uses: IndexMap::new(),
            met: IndexMap::new(),
            op: None,
            led: IndexSet::new(),
        };
        search.block(&worker.body);
        search
    }

    fn block(&mut self, block: &'a Block<P>) {
        for step in &block.steps {
            let depends = self.step(step);
            for var in defines(step) {
                self.steps.insert(var, step);
                if depends {
                    self.tainted.insert(var);
                }
            }
        }
        block.results.iter().for_each(|&result| self.note(result));
    }

    /// Counts the uses of variables in a step. Returns whether the results of the step depend on accumulators.
    fn step(&mut self, step: &'a Step<P>) -> bool {
        if let Step::If { cond, then, otherwise, .. } = step {
            self.note(*cond);
            [then, otherwise].into_iter().for_each(|branch| self.block(branch));
            let results = then.results.iter().chain(&otherwise.results);
            return std::iter::once(cond).chain(results).any(|&atom| self.is_tainted(atom));
        }
        let used = uses(step);
        used.iter().for_each(|&var| self.note(Atom::Var(var)));
        used.iter().any(|var| self.tainted.contains(var))
    }

    fn note(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            *self.uses.entry(var).or_default() += 1;
        }
    }

    fn is_tainted(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.tainted.contains(&var))
    }

    fn meet(&mut self, var: VarId) {
        *self.met.entry(var).or_default() += 1;
    }

    fn takes(&mut self, op: BinOp) -> bool {
        *self.op.get_or_insert(op) == op
    }

    /// Whether the atom is the accumulator, or the accumulator combined with values that depend on no accumulator.
    fn leads_to_accumulator(&mut self, acc: VarId, atom: Atom) -> bool {
        let Atom::Var(var) = atom else { return false };
        self.meet(var);
        if var == acc || !self.led.insert(var) {
            return true;
        }
        let Some(&step) = self.steps.get(&var) else { return false };
        if let Step::If { vars, cond, then, otherwise, .. } = step {
            let at = vars.iter().position(|&bound| bound == var);
            let at = at.expect("a step binds its variables");
            return !self.is_tainted(*cond)
                && self.leads_to_accumulator(acc, then.results[at])
                && self.leads_to_accumulator(acc, otherwise.results[at]);
        }
        if let Step::Replace { array, indices, value, .. } = step {
            return !indices.iter().any(|&index| self.is_tainted(index))
                && self.combines(*array, indices, *value)
                && self.leads_to_accumulator(acc, Atom::Var(*array));
        }
        let Some((op, element)) = self.combination(var) else { return false };
        self.takes(op) && self.leads_to_accumulator(acc, element)
    }

    /// The binary operation whose result is the variable, and its operand that depends on an accumulator. `None`
    /// unless exactly one operand depends on accumulators.
    fn combination(&self, var: VarId) -> Option<(BinOp, Atom)> {
        let (_, operation) = self.steps.get(&var)?.operation()?;
        let (op, [left, right]) = operation.binary()?;
        match [left, right].map(|side| self.is_tainted(side)) {
            [true, false] => Some((op, left)),
            [false, true] => Some((op, right)),
            [true, true] | [false, false] => None,
        }
    }

    /// Whether `value` is the element of `array` at `indices`, combined with a value that depends on no accumulator.
    fn combines(&mut self, array: VarId, indices: &[Atom], value: Atom) -> bool {
        let Atom::Var(value) = value else { return false };
        let Some((op, Atom::Var(element))) = self.combination(value) else { return false };
        let Some(Step::Index { array: of, indices: at, .. }) = self.steps.get(&element) else {
            return false;
        };
        if *of != array || at != indices {
            return false;
        }
        self.meet(value);
        self.meet(element);
        self.meet(array);
        self.takes(op)
    }

    /// Whether all uses of accumulators, and of variables that depend on them, are on the paths.
    fn is_complete(&self) -> bool {
        let count = |uses: &IndexMap<VarId, usize>, var| uses.get(var).copied().unwrap_or(0);
        self.tainted.iter().all(|var| count(&self.uses, var) == count(&self.met, var))
    }
}
