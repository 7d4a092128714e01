//! Accumulators that are never the negative zero. Of two such numbers the larger one takes one instruction, and no test
//! which of two zeros has the sign.
//!
//! Invariant: an accumulator is one of them only if its first value is not the negative zero, and neither is any value
//! that the pass combines with it.
//!
//! ```text
//! d = f64.abs e; s := f64.max s d        s is never -0.0, if it begins as 0.0
//! ```

use std::collections::HashSet;

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{Block, End, Procedure, Start, Step, Stmt, Worker, fold_operations};
use arrc_syntax::ids::{AccId, SecondaryMap, VarId};
use arrc_syntax::prim::{BinOp, UnOp};

/// The zeros that an accumulator can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Zero {
    EitherSign,
    Positive,
}

/// The accumulators of a pass that are floats, and never the negative zero.
pub(in crate::loops) fn positive(procedure: &Procedure) -> SecondaryMap<AccId, bool> {
    Positive::default().pass(procedure)
}

/// The scalars that are never the negative zero.
#[derive(Default)]
struct Positive(HashSet<VarId>);

impl Positive {
    /// The accumulators of a pass among them.
    fn pass(&mut self, procedure: &Procedure) -> SecondaryMap<AccId, bool> {
        let mut accs = SecondaryMap::new();
        for start in &procedure.start {
            if let Start::NewAcc { acc, init } = start {
                accs[*acc] = self.is_never(*init);
            }
        }
        procedure.nest.for_each_stmt(&mut |stmt| self.stmt(stmt, &mut accs));
        for end in &procedure.end {
            if let End::Read { result, acc } = end
                && accs[*acc]
            {
                self.0.insert(*result);
            }
        }
        accs
    }

    fn stmt(&mut self, stmt: &Stmt, accs: &mut SecondaryMap<AccId, bool>) {
        match stmt {
            Stmt::Copy { elem, from } => self.note(*elem, self.is_never(*from)),
            Stmt::Apply { elems, worker, args } => {
                self.args(&worker.params, args);
                self.block(&worker.body);
                self.args(elems, &worker.body.results);
            }
            Stmt::Update { accs: updated, worker, args, .. } => {
                self.update(updated, worker, args, accs);
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Reserve { .. }
            | Stmt::Write { .. } => {}
        }
    }

    fn update(
        &mut self,
        updated: &[AccId],
        worker: &Worker,
        args: &[Atom],
        accs: &mut SecondaryMap<AccId, bool>,
    ) {
        self.args(&worker.params[updated.len()..], args);
        self.block(&worker.body);
        let separate = fold_operations(worker, updated.len());
        for (at, &acc) in updated.iter().enumerate() {
            let keeps = separate.as_ref().is_some_and(|folds| {
                matches!(folds[at].op, BinOp::Min | BinOp::Max) && self.is_never(folds[at].elem)
            });
            accs[acc] &= keeps;
        }
    }

    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            self.step(step);
        }
    }

    fn step(&mut self, step: &Step) {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "of the results of others nothing is known"
        )]
        match step {
            Step::Scalar { var, op: Operation::Un(UnOp::Abs, _), .. } => self.note(*var, true),
            Step::Scalar { var, op: Operation::Bin(op, args), .. } => {
                self.note(*var, self.binary(*op, *args))
            }
            Step::If { vars, then, otherwise, .. } => {
                self.block(then);
                self.block(otherwise);
                for (at, &var) in vars.iter().enumerate() {
                    let results = [then, otherwise].map(|branch| branch.results[at]);
                    self.note(var, results.into_iter().all(|result| self.is_never(result)));
                }
            }
            Step::Pass(pass) => {
                self.pass(pass);
            }
            _ => {}
        }
    }

    /// The result of an operation. A sum is the negative zero only if both numbers are.
    fn binary(&self, op: BinOp, [a, b]: [Atom; 2]) -> bool {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others may round to the negative zero"
        )]
        match op {
            BinOp::Min | BinOp::Max => self.is_never(a) && self.is_never(b),
            BinOp::Add => self.is_never(a) || self.is_never(b),
            BinOp::Sub => self.is_never(a),
            BinOp::Mul => a == b,
            _ => false,
        }
    }

    fn args(&mut self, vars: &[VarId], args: &[Atom]) {
        for (&var, &arg) in vars.iter().zip(args) {
            self.note(var, self.is_never(arg));
        }
    }

    fn note(&mut self, var: VarId, is_never: bool) {
        if is_never {
            self.0.insert(var);
        }
    }

    fn is_never(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(number) if number.ty.is_float() => {
                let number = number.as_f64();
                number != 0.0 || number.is_sign_positive()
            }
            Atom::Const(_) => false,
            Atom::Var(var) => self.0.contains(&var),
        }
    }
}
