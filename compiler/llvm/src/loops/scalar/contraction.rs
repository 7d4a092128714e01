//! Contraction: terms of sums in which a product is not rounded by itself.
//!
//! A pass adds floats in any grouping. So a term that is itself a sum may be regrouped: `s + (p + 1)` is `(s + 1) + p`.
//! If something is added to a product, or subtracted from it, the two may be one fused operation, as in C. A sum or
//! difference of two products is none, so that `x * y - y * x` stays 0.
//!
//! Invariant: nothing but the sum uses such a term, and nothing but the term uses the product. So each value that a
//! program sees elsewhere is rounded as it is written.
//!
//! ```text
//! p = x * x; t = p + 1; s := s + t      t adds to p without rounding it
//! ```

use std::collections::HashMap;

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::def_use::{uses, uses_of};
use arrc_loops::concrete::{Block, Procedure, Step, Stmt};
use arrc_syntax::ids::{SecondaryMap, VarId};
use arrc_syntax::prim::BinOp;

use crate::loops::pass::adds_up;

/// Notes the products to which terms of the pass's sums add without rounding them.
pub(in crate::loops) fn note(contracts: &mut SecondaryMap<VarId, bool>, procedure: &Procedure) {
    let mut flow = ValueFlow::default();
    procedure.nest.for_each_stmt(&mut |stmt| flow.stmt(stmt, procedure));
    let mut uses = HashMap::new();
    for &var in &flow.used {
        *uses.entry(flow.origin(var)).or_insert(0) += 1;
    }
    let mut terms = flow.added.clone();
    while let Some(term) = terms.pop() {
        let Some((op, args)) = flow.only_used_here(term, &uses) else { continue };
        let products = args.into_iter().filter(|&arg| flow.is_product(arg));
        if let (BinOp::Add | BinOp::Sub, [Atom::Var(product)]) =
            (op, &products.collect::<Vec<_>>()[..])
            && flow.only_used_here(Atom::Var(*product), &uses).is_some()
        {
            contracts[*product] = true;
        }
        if matches!(op, BinOp::Add | BinOp::Sub) {
            terms.extend(args);
        }
    }
}

/// Where the values in a pass come from, and where they go.
#[derive(Default)]
struct ValueFlow {
    /// The values that parameters and elements are other names of.
    same: HashMap<VarId, Atom>,
    /// The operations, by their results.
    made: HashMap<VarId, (BinOp, [Atom; 2])>,
    /// Each use of a variable other than to name it.
    used: Vec<VarId>,
    /// The values that updates add to accumulators.
    added: Vec<Atom>,
}

impl ValueFlow {
    fn stmt(&mut self, stmt: &Stmt, procedure: &Procedure) {
        match stmt {
            Stmt::Copy { elem, from } => self.name(&[*elem], &[*from]),
            Stmt::Apply { elems, worker, args } => {
                self.name(&worker.params, args);
                self.block(&worker.body);
                self.name(elems, &worker.body.results);
            }
            Stmt::Update { accs, order, worker, args } => {
                let (own, elems) = worker.params.split_at(accs.len());
                self.name(elems, args);
                self.block(&worker.body);
                self.used.extend(variables(&worker.body.results));
                for (param, &acc) in own.iter().zip(accs) {
                    if adds_up(procedure, acc, *order) {
                        self.additions(&worker.body, *param);
                    }
                }
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Reserve { .. }
            | Stmt::Write { .. } => self.used.extend(uses_of(stmt)),
        }
    }

    fn name(&mut self, names: &[VarId], values: &[Atom]) {
        self.same.extend(names.iter().copied().zip(values.iter().copied()));
    }

    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            if let Step::Scalar { var, op: Operation::Bin(op, args), .. } = step {
                self.made.insert(*var, (*op, *args));
            }
            self.used.extend(uses(step));
        }
    }

    /// What the steps of an update add to an accumulator.
    fn additions(&mut self, block: &Block, acc: VarId) {
        let acc = Atom::Var(acc);
        for step in &block.steps {
            if let Step::Scalar { op: Operation::Bin(BinOp::Add, [left, right]), .. } = step
                && (*left == acc || *right == acc)
            {
                self.added.push(if *left == acc { *right } else { *left });
            }
        }
    }

    /// The variable that a name stands for.
    fn origin(&self, mut var: VarId) -> VarId {
        while let Some(Atom::Var(value)) = self.same.get(&var) {
            var = *value;
        }
        var
    }

    fn made(&self, atom: Atom) -> Option<(VarId, (BinOp, [Atom; 2]))> {
        let Atom::Var(var) = atom else { return None };
        let var = self.origin(var);
        Some((var, *self.made.get(&var)?))
    }

    /// The operation that computes a value, if the value is used once.
    fn only_used_here(
        &self,
        atom: Atom,
        uses: &HashMap<VarId, usize>,
    ) -> Option<(BinOp, [Atom; 2])> {
        let (var, made) = self.made(atom)?;
        (uses.get(&var) == Some(&1)).then_some(made)
    }

    fn is_product(&self, atom: Atom) -> bool {
        self.made(atom).is_some_and(|(_, (op, _))| op == BinOp::Mul)
    }
}

fn variables(atoms: &[Atom]) -> impl Iterator<Item = VarId> {
    atoms.iter().filter_map(|atom| match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    })
}
