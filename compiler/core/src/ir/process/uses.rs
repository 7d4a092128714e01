//! Which variables of the blocks around it a binding uses.
//!
//! Invariant: a variable is bound once in its function, so what a binding uses and does not bind
//! itself, at any depth, is free in it.
//!
//! ```text
//! ys = map (\x -> { s = reduce (+) c zs; t = x + s; t }) xs     uses c, zs, xs
//! ```

use indexmap::IndexSet;

use crate::ids::VarId;
use crate::ir::check::Piece;
use crate::ir::cnf::{Atom, Bind, Block, Op, Worker};

/// The free variables of a binding, in order of appearance.
pub(crate) fn free(bind: &Bind) -> IndexSet<VarId> {
    let mut seen = Seen::default();
    seen.op(&bind.op);
    seen.free()
}

/// The free variables of a worker, in order of appearance.
pub(crate) fn free_in(worker: &Worker) -> IndexSet<VarId> {
    let mut seen = Seen::default();
    seen.worker(worker);
    seen.free()
}

/// The arrays that a combinator reads one element a step; of a barrier, none.
pub(crate) fn streams(op: &Op) -> Vec<VarId> {
    match op {
        Op::Map { inputs, .. }
        | Op::FlatMap { inputs, .. }
        | Op::Fold { inputs, .. }
        | Op::Scan { inputs, .. } => inputs.clone(),
        Op::Filter { inputs, keep, .. } => inputs.iter().chain(keep).copied().collect(),
        Op::Gather { indices, .. } => vec![*indices],
        Op::Cross { left, .. } => left.clone(),
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
        | Op::Replace { .. } => Vec::new(),
    }
}

/// The variable that an atom is, if it is one.
pub(crate) fn var(atom: &Atom) -> Option<VarId> {
    match atom {
        Atom::Const(_) => None,
        Atom::Var(var) => Some(*var),
    }
}

/// What has been met so far.
#[derive(Default)]
struct Seen {
    used: IndexSet<VarId>,
    bound: IndexSet<VarId>,
}

impl Seen {
    fn free(self) -> IndexSet<VarId> {
        let Self { used, bound } = self;
        used.into_iter().filter(|var| !bound.contains(var)).collect()
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Un(_, arg) => self.atoms(&[*arg]),
            Op::Bin(_, left, right) => self.atoms(&[*left, *right]),
            Op::Fma(args) => self.atoms(args),
            Op::Index { array, indices } => {
                self.used.insert(*array);
                self.atoms(indices);
            }
            Op::Length { array, .. } => {
                self.used.insert(*array);
            }
            Op::Assert { cond, message, .. } => {
                self.atoms(&[*cond]);
                self.used.extend(Piece::values(message).filter_map(var));
            }
            Op::If { cond, then, otherwise } => {
                self.atoms(&[*cond]);
                self.block(then);
                self.block(otherwise);
            }
            Op::Map { worker, inputs } | Op::FlatMap { worker, inputs } => {
                self.worker(worker);
                self.used.extend(inputs);
            }
            Op::Filter { worker, inputs, keep } => {
                self.worker(worker);
                self.used.extend(inputs.iter().chain(keep));
            }
            Op::Fold { worker, init, inputs, .. } | Op::Scan { worker, init, inputs, .. } => {
                self.worker(worker);
                self.atoms(init);
                self.used.extend(inputs);
            }
            Op::Generate { size, worker } => {
                self.atoms(&[*size]);
                self.worker(worker);
            }
            Op::Gather { data, indices } => {
                self.used.extend(data);
                self.used.insert(*indices);
            }
            Op::Cross { left, right } | Op::Append { left, right } => {
                self.used.extend(left.iter().chain(right));
            }
            Op::Call { args, .. } => self.atoms(args),
            Op::Array { elems, .. } => self.atoms(elems),
            Op::Constant(_) => {}
            Op::Reshape { array, shape } => {
                self.used.insert(*array);
                self.atoms(shape);
            }
            Op::Loop { .. } => {
                for inner in op.inner() {
                    self.bound.extend(inner.params);
                    self.block(inner.block);
                }
                self.atoms(&op.operands());
            }
            Op::Replace { .. } => self.atoms(&op.operands()),
        }
    }

    fn worker(&mut self, worker: &Worker) {
        self.bound.extend(&worker.params);
        self.block(&worker.body);
    }

    fn block(&mut self, block: &Block) {
        for bind in &block.binds {
            self.op(&bind.op);
            self.bound.extend(&bind.vars);
        }
        self.atoms(&block.results);
    }

    fn atoms(&mut self, atoms: &[Atom]) {
        self.used.extend(atoms.iter().filter_map(var));
    }
}
