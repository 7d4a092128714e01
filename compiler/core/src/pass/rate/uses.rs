//! What an operation uses of the block that it is in: each free variable of its arguments, its worker
//! and the blocks nested in it, and how.
//!
//! Invariant: a variable that a nested block binds itself is no use; every other one is listed, in
//! program order, perhaps more than once.
//!
//! ```text
//! ys = map (\x -> { i = x % n; v = table[i]; r = v * s; r }) xs
//! ⇒ streams xs; uses Scalar n, Elements table, Scalar s
//! ```

use std::collections::BTreeSet;

use crate::ids::VarId;
use crate::ir::check::Piece;
use crate::ir::cnf::{Atom, Bind, Block, LoopForm, Op, Worker};

/// One use of a variable of the block around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// An atom: a scalar, or an array that is needed whole.
    Atom(VarId),
    /// Elements of an array at computed positions, or the array whole.
    Elements(VarId),
    /// The extent of a dimension of an array.
    Length(VarId, usize),
}

/// How an operation uses the arrays that it iterates over, and everything else.
#[derive(Default)]
pub(super) struct Uses {
    /// One element a step.
    pub(super) streams: Vec<VarId>,
    /// The rest.
    pub(super) others: Vec<Use>,
}

/// What the operation of a binding uses.
pub(super) fn uses(op: &Op) -> Uses {
    let mut uses = Uses::default();
    let mut collector = Collector { bound: BTreeSet::new(), found: Vec::new() };
    match op {
        Op::Map { worker, inputs } | Op::FlatMap { worker, inputs } => {
            uses.streams.extend(inputs);
            collector.worker(worker);
        }
        Op::Filter { worker, inputs, keep } => {
            uses.streams.extend(inputs.iter().chain(keep));
            collector.worker(worker);
        }
        Op::Fold { order: _, worker, init, inputs }
        | Op::Scan { prefix: _, worker, init, inputs } => {
            uses.streams.extend(inputs);
            init.iter().for_each(|&atom| collector.atom(atom));
            collector.worker(worker);
        }
        Op::Gather { data, indices } => {
            uses.streams.push(*indices);
            data.iter().for_each(|&array| collector.elements(array));
        }
        Op::Cross { left, right } => {
            uses.streams.extend(left);
            right.iter().for_each(|&array| collector.elements(array));
        }
        Op::Un(..)
        | Op::Bin(..)
        | Op::Fma(_)
        | Op::Index { .. }
        | Op::Length { .. }
        | Op::Assert { .. }
        | Op::If { .. }
        | Op::Generate { .. }
        | Op::Call { .. }
        | Op::Append { .. }
        | Op::Array { .. }
        | Op::Constant(_)
        | Op::Reshape { .. }
        | Op::Loop { .. }
        | Op::Replace { .. } => collector.op(op),
    }
    uses.others = collector.found;
    uses
}

struct Collector {
    bound: BTreeSet<VarId>,
    found: Vec<Use>,
}

impl Collector {
    fn block(&mut self, block: &Block) {
        for Bind { vars, op, span: _ } in &block.binds {
            self.op(op);
            self.bound.extend(vars);
        }
        block.results.iter().for_each(|&atom| self.atom(atom));
    }

    fn worker(&mut self, worker: &Worker) {
        self.bound.extend(&worker.params);
        self.block(&worker.body);
    }

    /// Every use of the operation, the arrays that it iterates over included: for a nested block they
    /// are needed whole.
    fn op(&mut self, op: &Op) {
        match op {
            Op::Un(_, atom) => self.atom(*atom),
            Op::Bin(_, left, right) => [left, right].into_iter().for_each(|&atom| self.atom(atom)),
            Op::Fma(args) => args.iter().for_each(|&atom| self.atom(atom)),
            Op::Index { array, indices } => {
                self.elements(*array);
                indices.iter().for_each(|&atom| self.atom(atom));
            }
            Op::Length { array, dim } => self.push(*array, Use::Length(*array, *dim)),
            Op::Assert { cond, message, .. } => {
                self.atom(*cond);
                Piece::values(message).for_each(|&value| self.atom(value));
            }
            Op::If { cond, then, otherwise } => {
                self.atom(*cond);
                self.block(then);
                self.block(otherwise);
            }
            Op::Map { worker, inputs } | Op::FlatMap { worker, inputs } => {
                inputs.iter().for_each(|&array| self.elements(array));
                self.worker(worker);
            }
            Op::Filter { worker, inputs, keep } => {
                inputs.iter().chain(keep).for_each(|&array| self.elements(array));
                self.worker(worker);
            }
            Op::Fold { order: _, worker, init, inputs }
            | Op::Scan { prefix: _, worker, init, inputs } => {
                init.iter().for_each(|&atom| self.atom(atom));
                inputs.iter().for_each(|&array| self.elements(array));
                self.worker(worker);
            }
            Op::Generate { size, worker } => {
                self.atom(*size);
                self.worker(worker);
            }
            Op::Gather { data, indices } => {
                data.iter().chain([indices]).for_each(|&array| self.elements(array));
            }
            Op::Cross { left, right } | Op::Append { left, right } => {
                left.iter().chain(right).for_each(|&array| self.elements(array));
            }
            Op::Call { callee: _, args, effect: _ } => {
                args.iter().for_each(|&atom| self.atom(atom))
            }
            Op::Array { elem: _, elems } => elems.iter().for_each(|&atom| self.atom(atom)),
            Op::Constant(_) => {}
            Op::Reshape { array, shape } => {
                self.elements(*array);
                shape.iter().for_each(|&atom| self.atom(atom));
            }
            Op::Loop { form, init, worker } => {
                init.iter().for_each(|&atom| self.atom(atom));
                match form {
                    LoopForm::For { count } => self.atom(*count),
                    LoopForm::While { cond } => self.worker(cond),
                }
                self.worker(worker);
            }
            Op::Replace { array, indices, value } => {
                self.elements(*array);
                indices.iter().chain([value]).for_each(|&atom| self.atom(atom));
            }
        }
    }

    fn atom(&mut self, atom: Atom) {
        match atom {
            Atom::Const(_) => {}
            Atom::Var(var) => self.push(var, Use::Atom(var)),
        }
    }

    fn elements(&mut self, array: VarId) {
        self.push(array, Use::Elements(array));
    }

    fn push(&mut self, var: VarId, kind: Use) {
        if !self.bound.contains(&var) {
            self.found.push(kind);
        }
    }
}
