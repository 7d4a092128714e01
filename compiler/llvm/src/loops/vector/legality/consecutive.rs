//! Folds in a step that are faster along memory than across lanes.
//!
//! If the trip counts of a fold differ between the lanes, an iteration does work for the lanes that are left only.
//! LLVM's own loop for one fold has full vectors, if the fold reads consecutive elements in any order.
//!
//! ```text
//! tabulate n (\i -> f64.sum (map (\j -> xs[j] * xs[i + j]) (iota (n - i))))     ⇒   along memory
//! tabulate n (\i -> f64.sum (map (\j -> a[j, i]) (iota i)))                     ⇒   across lanes
//! ```

use std::collections::BTreeSet;

use arrc_fusion::cnf::{Atom, FoldOrder, Operation};
use arrc_loops::concrete::{Block, Loop, Position, Step, Stmt, Worker};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::BinOp;

/// Whether the statements of an inner fold read consecutive elements, and combine them by an operation that LLVM's
/// vectors have.
pub(super) fn runs_along(nest: &Loop, body: &[Stmt]) -> bool {
    let own = BTreeSet::from([nest.counter]);
    let mut along = ConsecutiveReads {
        counter: nest.counter,
        follows: own.clone(),
        depends: own,
        reads: false,
    };
    body.iter().try_for_each(|stmt| along.stmt(stmt)).is_some() && along.reads
}

struct ConsecutiveReads {
    counter: VarId,
    /// The variables that go up or down by one from iteration to iteration.
    follows: BTreeSet<VarId>,
    /// The variables that may differ from iteration to iteration.
    depends: BTreeSet<VarId>,
    /// An element that differs from iteration to iteration is read.
    reads: bool,
}

impl ConsecutiveReads {
    fn stmt(&mut self, stmt: &Stmt) -> Option<()> {
        match stmt {
            Stmt::Next { elem, index: Position::Var(at), .. } if *at == self.counter => {
                self.reads = true;
                self.depends.insert(*elem);
            }
            Stmt::Position { elem, index: Position::Var(at) } if *at == self.counter => {
                self.same(*elem, Atom::Var(*at));
            }
            Stmt::Copy { elem, from } => self.same(*elem, *from),
            Stmt::Apply { elems, worker, args } => {
                self.params(&worker.params, args);
                self.block(&worker.body)?;
                for (&elem, &result) in elems.iter().zip(&worker.body.results) {
                    self.same(elem, result);
                }
            }
            Stmt::Read { elem, index, .. } => self.read(*elem, &[*index])?,
            Stmt::Update { order, worker, .. } => {
                (*order != FoldOrder::Strict && adds(worker)).then_some(())?;
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Current { .. }
            | Stmt::Write { .. }
            | Stmt::Reserve { .. } => return None,
        }
        Some(())
    }

    fn block(&mut self, block: &Block) -> Option<()> {
        block.steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are no scalar code")]
        match step {
            Step::Scalar { var, op: Operation::Un(_, arg), .. } => self.same(*var, *arg),
            Step::Scalar { var, op: Operation::Bin(op, args), .. } => {
                let [left, right] = args.map(|arg| self.depends(arg));
                if left || right {
                    self.depends.insert(*var);
                }
                let is_sum = matches!(op, BinOp::Add | BinOp::Sub) && left != right;
                if is_sum && args.iter().any(|&arg| self.follows(arg)) {
                    self.follows.insert(*var);
                }
            }
            Step::Scalar { var, op: Operation::MulAdd(_, args), .. } => {
                if args.iter().any(|&arg| self.depends(arg)) {
                    self.depends.insert(*var);
                }
            }
            Step::Index { var, indices, .. } => self.read(*var, indices)?,
            Step::Length { .. } => {}
            // LLVM makes a choice of values, but reads nothing where a flag holds.
            Step::If { vars, then, otherwise, .. } => {
                let before = std::mem::replace(&mut self.reads, false);
                self.block(then)?;
                self.block(otherwise)?;
                if std::mem::replace(&mut self.reads, before) {
                    return None;
                }
                self.depends.extend(vars);
            }
            _ => return None,
        }
        Some(())
    }

    /// An element, which must be the same in all iterations or the next one in each.
    fn read(&mut self, elem: VarId, indices: &[Atom]) -> Option<()> {
        let (last, rows) = indices.split_last()?;
        if rows.iter().any(|&row| self.depends(row)) {
            return None;
        }
        if self.depends(*last) {
            self.follows(*last).then_some(())?;
            self.reads = true;
            self.depends.insert(elem);
        }
        Some(())
    }

    fn params(&mut self, params: &[VarId], args: &[Atom]) {
        for (&param, &arg) in params.iter().zip(args) {
            self.same(param, arg);
        }
    }

    /// A variable with the value of an atom, or its conversion.
    fn same(&mut self, var: VarId, from: Atom) {
        if self.follows(from) {
            self.follows.insert(var);
        }
        if self.depends(from) {
            self.depends.insert(var);
        }
    }

    fn follows(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.follows.contains(&var))
    }

    fn depends(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.depends.contains(&var))
    }
}

/// Whether a worker combines its two parameters by a sum or a product.
fn adds(worker: &Worker) -> bool {
    matches!(
        &worker.body.steps[..],
        [Step::Scalar { op: Operation::Bin(BinOp::Add | BinOp::Mul, _), .. }]
    )
}
