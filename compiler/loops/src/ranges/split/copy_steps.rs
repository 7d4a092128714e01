//! Copies the steps of a block; steps whose result is decided are left out.
//!
//! The invariant of [`Version`] holds here.
//!
//! ```text
//! c = i > 0; x = if c then { j = i - 1; x = xs[j]; yield (x) } else { yield (0) }
//! ⇒ j = i - 1; x = inside xs[j]                                                     where i >= 1
//! ```

use arr_abi::ErrorCode;

use super::version_state::Version;
use crate::concrete::{Block, LoopForm, Plain, Step, Worker};
use crate::ranges::sums::{Sum, is_followed};
use arrc_front::eval::scalar;
use arrc_fusion::cnf::{Assertion, Atom, Operation};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

impl Version<'_> {
    /// A block.
    pub(super) fn block(&mut self, block: &Block<Plain>) -> Block<Plain> {
        let mut steps = Vec::new();
        self.steps(block, &mut steps);
        self.copied += steps.len();
        Block { steps, results: self.atoms(&block.results) }
    }

    fn steps(&mut self, block: &Block<Plain>, done: &mut Vec<Step<Plain>>) {
        self.note_asserted(&block.steps);
        self.note_operands(block);
        for step in &block.steps {
            self.step(step, done);
        }
    }

    fn step(&mut self, step: &Step<Plain>, done: &mut Vec<Step<Plain>>) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are copied with other names")]
        match step {
            Step::Scalar { var, op: Operation::Bin(op, args), span } => {
                if !self.delays(*var, (*op, *args), *span) {
                    self.bin(*var, (*op, *args), *span, done);
                }
            }
            Step::Scalar { var, op: Operation::Un(UnOp::Not, arg), .. } if self.is_known(*arg) => {
                self.note_constant(*var, !self.holds(*arg));
            }
            Step::Scalar { var, op: Operation::Un(UnOp::To(to), arg), span }
                if self.is_followed(*to, *arg) =>
            {
                let step = self.converted(*var, (*to, *arg), *span);
                done.push(step);
            }
            Step::If { vars, cond, then, otherwise, .. } if self.is_known(*cond) => {
                let branch = if self.holds(*cond) { then } else { otherwise };
                self.steps(branch, done);
                for (&var, &result) in vars.iter().zip(&branch.results) {
                    self.rename(var, result);
                }
            }
            Step::Assert { check: Assertion { cond, failure }, span }
                if failure.code == ErrorCode::Index && self.require_condition(*cond) =>
            {
                self.span.get_or_insert(*span);
            }
            Step::If { .. } | Step::Loop { .. } | Step::Pass(_) => {
                self.depth += 1;
                let step = self.nested(step);
                self.depth -= 1;
                self.choice(step, done);
            }
            Step::Index { var, array, indices, inside, span } => {
                // An index that is in bounds wherever the step runs is so in each step, if it is not in a branch.
                let is_own = *inside && (self.depth == 0 || self.is_own(*array, indices));
                let is_there = !*inside && self.is_in_bounds(*array, indices);
                let inside = *inside || is_there;
                self.still_checks |= !inside;
                if inside {
                    self.span.get_or_insert(*span);
                }
                let (old, array) = (*array, self.var(*array));
                let is_row = self.is_row(indices);
                let indices = indices.iter().map(|&index| {
                    if is_there { self.index(index, *span, done) } else { self.atom(index) }
                });
                let indices = indices.collect();
                let var = self.fresh(*var);
                self.reads_inside |= is_there && self.depth == 0;
                if is_there || is_own {
                    self.early.note((old, is_row), self.depth, var);
                }
                done.push(Step::Index { var, array, indices, inside, span: *span });
            }
            _ => {
                let step = self.simple(step);
                done.push(step);
            }
        }
    }

    /// Whether an element is the one at the position of the step, which the step reads anyway.
    fn is_own(&mut self, array: VarId, indices: &[Atom]) -> bool {
        let &[index] = indices else { return false };
        let here = Sum::symbol(self.counter);
        self.early.is_stream(array) && self.form(index).is_some_and(|sum| sum == here)
    }

    /// Notes the conditions that indices are in bounds. The range is restricted to the steps in which they hold,
    /// whichever outcome is likely.
    fn note_asserted(&mut self, steps: &[Step<Plain>]) {
        for step in steps.iter().rev() {
            if let Step::Assert { check, .. } = step
                && check.failure.code == ErrorCode::Index
            {
                self.asserted.extend(check.cond.as_var());
            }
            if let Step::Scalar { var, op: Operation::Bin(BinOp::And, args), .. } = step
                && self.asserted.contains(var)
            {
                let parts = args.iter().filter_map(|arg| match arg {
                    Atom::Var(part) => Some(*part),
                    Atom::Const(_) => None,
                });
                self.asserted.extend(parts);
            }
        }
    }

    /// A step that contains blocks.
    fn nested(&mut self, step: &Step<Plain>) -> Step<Plain> {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others have no blocks")]
        match step {
            Step::If { vars, cond, then, otherwise, .. } => {
                let cond = self.atom(*cond);
                let [then, otherwise] = [then, otherwise].map(|branch| self.block(branch));
                let vars = self.fresh_all(vars);
                Step::If { vars, cond, takes: Vec::new(), then, otherwise }
            }
            Step::Loop { vars, form, init, worker, span } => {
                let init = self.atoms(init);
                let form = match form {
                    LoopForm::For { count } => LoopForm::For { count: self.atom(*count) },
                    LoopForm::While { cond } => LoopForm::While { cond: self.copy_worker(cond) },
                };
                let worker = self.copy_worker(worker);
                Step::Loop { vars: self.fresh_all(vars), form, init, worker, span: *span }
            }
            Step::Pass(pass) => Step::Pass(self.pass(pass)),
            _ => panic!("no step with blocks in it: {step:?}"),
        }
    }

    /// A worker with unknown arguments.
    fn copy_worker(&mut self, worker: &Worker<Plain>) -> Worker<Plain> {
        let params = self.fresh_all(&worker.params);
        Worker { params, body: self.block(&worker.body) }
    }

    /// An operation on two scalars.
    pub(super) fn bin(
        &mut self,
        var: VarId,
        (op, args): (BinOp, [Atom; 2]),
        span: Span,
        done: &mut Vec<Step<Plain>>,
    ) {
        let [a, b] = args;
        self.operands(op, args, done);
        let before = self.gains;
        if op.is_comparison() || op == BinOp::And {
            self.tests.insert(var, (op, args));
        }
        if let Some(known) = self.fold_boolean(op, args) {
            match known {
                Atom::Const(value) => self.note_constant(var, value.bits != 0),
                Atom::Var(other) => {
                    self.is_decided_before |= !self.inside.contains(&other);
                    self.rename(var, known);
                }
            }
        } else if let Some(holds) = self.constant(op, args) {
            self.note_constant(var, holds);
        } else if let Some(holds) = self.decided_test(op, args) {
            self.note_constant(var, holds);
        } else if op.is_comparison()
            && !self.asserted.contains(&var)
            && let Some(holds) = self.decide_comparison(var, op, args)
        {
            self.note_constant(var, holds);
        } else if matches!(op, BinOp::Min | BinOp::Max)
            && let Some(less) = self.decide_comparison(var, BinOp::Le, args)
        {
            self.rename(var, if less == (op == BinOp::Min) { a } else { b });
        } else if matches!(op, BinOp::Mod | BinOp::Rem)
            && let Some(quotient) = self.constant_quotient(var, op, args)
        {
            self.multiple_for_remainder(var, args, quotient, span, done);
        } else if let Some(place) = self.remainder_value(op, args) {
            self.rename(var, place);
        } else {
            self.quotient(var, op, args);
            self.operation(var, op, args, span);
            let copied = args.map(|arg| self.atom(arg));
            let new = self.fresh(var);
            self.note_place((op, args), [var, new], span);
            self.note_test(op, args, span);
            done.push(Step::Scalar { var: new, op: Operation::Bin(op, copied), span });
        }
        if self.gains && !before {
            self.span.get_or_insert(span);
        }
    }

    /// Whether a comparison of two numbers that the copy knows holds.
    fn constant(&self, op: BinOp, args: [Atom; 2]) -> Option<bool> {
        let [Atom::Const(left), Atom::Const(right)] = args.map(|arg| self.atom(arg)) else {
            return None;
        };
        let holds = scalar::bin(op, left, right).ok()?;
        op.is_comparison().then_some(holds.bits != 0)
    }

    /// Replaces a remainder by the number minus a multiple of the divisor.
    fn multiple_for_remainder(
        &mut self,
        var: VarId,
        [number, by]: [Atom; 2],
        quotient: i64,
        span: Span,
        done: &mut Vec<Step<Plain>>,
    ) {
        if quotient == 0 {
            return self.rename(var, number);
        }
        let op = if quotient > 0 { BinOp::Sub } else { BinOp::Add };
        self.operation(var, op, [number, by], span);
        let args = [number, by].map(|arg| self.atom(arg));
        let var = self.fresh(var);
        done.push(Step::Scalar { var, op: Operation::Bin(op, args), span });
    }

    /// The result of an operation on truth values with one decided operand, as an atom of the body.
    fn fold_boolean(&self, op: BinOp, [a, b]: [Atom; 2]) -> Option<Atom> {
        let (known, other) = if self.is_known(a) {
            (self.holds(a), b)
        } else if self.is_known(b) {
            (self.holds(b), a)
        } else {
            return None;
        };
        if !matches!(op, BinOp::And | BinOp::Or) {
            return None;
        }
        let decides = known == (op == BinOp::Or);
        Some(if decides { Atom::Const(Const::bool(known)) } else { other })
    }

    /// Notes a truth value that is constant in the copy.
    fn note_constant(&mut self, var: VarId, holds: bool) {
        self.rename(var, Atom::Const(Const::bool(holds)));
    }

    /// Whether an element is in a row that a branch reads.
    fn is_row(&self, indices: &[Atom]) -> bool {
        let is_row =
            |index: &Atom| matches!(index, Atom::Var(var) if self.known.rows.contains(var));
        indices.iter().any(is_row)
    }

    /// Whether a conversion is one between integers whose sums are followed.
    fn is_followed(&self, to: Scalar, arg: Atom) -> bool {
        let from = match arg {
            Atom::Const(value) => Some(value.ty),
            Atom::Var(var) => self.vars[var].ty.as_scalar(),
        };
        is_followed(to) && from.is_some_and(is_followed)
    }

    pub(super) fn is_known(&self, atom: Atom) -> bool {
        matches!(self.atom(atom), Atom::Const(value) if value.ty == Scalar::Bool)
    }

    pub(super) fn holds(&self, atom: Atom) -> bool {
        matches!(self.atom(atom), Atom::Const(value) if value.bits != 0)
    }

    /// A step of one operation.
    fn simple(&mut self, step: &Step<Plain>) -> Step<Plain> {
        let mut new = step.clone();
        new.rename(self);
        if let Step::Array { memory, .. } | Step::Sort { memory, .. } = &mut new {
            *memory = self.memory(memory);
        }
        new
    }
}
