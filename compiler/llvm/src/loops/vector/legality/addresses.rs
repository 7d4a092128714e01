//! Integers of a step that are computed only to read arrays at them.
//!
//! Consecutive elements are loaded at one address, whatever the type of the index, so such an integer needs no lanes. It
//! does not make vectors shorter.
//!
//! Invariant: an integer that is compared, stored, combined or converted is a value.
//!
//! ```text
//! j = i + 1; x = inside a[j]; y = f32.i64 i       j is only an address, i is a value
//! ```

use std::collections::BTreeSet;

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{Block, Nest, Step, Stmt, Worker, def_use};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::BinOp;

/// The variables of a loop's step that are used as values.
pub(super) fn values(body: &[Stmt], inner: &[Nest]) -> BTreeSet<VarId> {
    let mut values = ValueUses(BTreeSet::new());
    for nest in inner {
        match nest {
            Nest::Loop(nest) => values.0.extend(&def_use::uses_in_nest(nest)[0]),
            Nest::Guard(guard) => {
                values.atom(guard.flag);
                values.0.extend(&def_use::uses_in_guard(guard));
            }
        }
    }
    body.iter().rev().for_each(|stmt| values.stmt(stmt));
    values.0
}

/// The uses of values behind the current place: steps are looked at from the last one on.
struct ValueUses(BTreeSet<VarId>);

impl ValueUses {
    fn atom(&mut self, atom: Atom) {
        self.0.extend(atom.as_var());
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Read { .. } | Stmt::Next { .. } | Stmt::Position { .. } => {}
            Stmt::Copy { elem, from } => self.same(*elem, *from),
            Stmt::Apply { elems, worker, args } => {
                for (&elem, &result) in elems.iter().zip(&worker.body.results) {
                    self.same(elem, result);
                }
                self.worker(worker, args);
            }
            Stmt::Update { worker, args, .. } => {
                worker.body.results.iter().for_each(|&result| self.atom(result));
                self.worker(worker, args);
            }
            Stmt::Current { .. } | Stmt::Reserve { .. } | Stmt::Write { .. } => {
                self.0.extend(&def_use::uses_of(stmt));
            }
        }
    }

    /// The name of another variable: a value if that one is.
    fn same(&mut self, var: VarId, of: Atom) {
        if self.0.contains(&var) {
            self.atom(of);
        }
    }

    fn worker(&mut self, worker: &Worker, args: &[Atom]) {
        self.block(&worker.body);
        let first = worker.params.len() - args.len();
        for (&param, &arg) in worker.params[first..].iter().zip(args) {
            self.same(param, arg);
        }
    }

    fn block(&mut self, block: &Block) {
        for step in block.steps.iter().rev() {
            if let Step::Scalar { var, op: Operation::Bin(BinOp::Add | BinOp::Sub, args), .. } =
                step
            {
                args.iter().for_each(|&arg| self.same(*var, arg));
            } else if !matches!(step, Step::Index { .. }) {
                self.0.extend(&def_use::uses(step));
            }
        }
    }
}
