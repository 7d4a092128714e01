//! Walking over operations: what they use, and the blocks in them.
//!
//! Invariant: this is the only place that lists the operands of each operation; passes that only
//! look for uses, or only replace them, go through it.
//!
//! ```text
//! Map { worker, inputs: [xs] }: operands [xs], one block, binding the worker's parameters
//! ```

use super::{Atom, Block, Function, LoopForm, Op, Worker};
use crate::ids::VarId;
use crate::ir::check::Piece;

/// A block inside an operation, with the variables that are bound for it.
#[derive(Clone, Copy, Debug)]
pub struct Inner<'a> {
    /// The worker's parameters; none for a branch.
    pub params: &'a [VarId],
    /// The block.
    pub block: &'a Block,
}

impl Op {
    /// Every variable and constant that the operation itself uses, in order; without those that only
    /// its blocks use.
    #[must_use]
    pub fn operands(&self) -> Vec<Atom> {
        let vars = |vars: &[VarId]| vars.iter().map(|&var| Atom::Var(var)).collect::<Vec<_>>();
        match self {
            Self::Un(_, x) => vec![*x],
            Self::Bin(_, x, y) => vec![*x, *y],
            Self::Fma(args) => args.to_vec(),
            Self::Index { array, indices } => [vec![Atom::Var(*array)], indices.clone()].concat(),
            Self::Length { array, .. } => vec![Atom::Var(*array)],
            Self::Assert { cond, message, .. } => {
                std::iter::once(cond).chain(Piece::values(message)).copied().collect()
            }
            Self::If { cond, .. } => vec![*cond],
            Self::Map { inputs, .. } | Self::FlatMap { inputs, .. } => vars(inputs),
            Self::Filter { inputs, keep, .. } => [vars(inputs), vars(keep)].concat(),
            Self::Fold { init, inputs, .. } | Self::Scan { init, inputs, .. } => {
                [init.clone(), vars(inputs)].concat()
            }
            Self::Generate { size, .. } => vec![*size],
            Self::Gather { data, indices } => [vars(data), vec![Atom::Var(*indices)]].concat(),
            Self::Cross { left, right } | Self::Append { left, right } => {
                [vars(left), vars(right)].concat()
            }
            Self::Call { args, .. } => args.clone(),
            Self::Array { elems, .. } => elems.clone(),
            Self::Constant(_) => Vec::new(),
            Self::Reshape { array, shape } => [vec![Atom::Var(*array)], shape.clone()].concat(),
            Self::Loop { form, init, .. } => {
                let count = match form {
                    LoopForm::For { count } => vec![*count],
                    LoopForm::While { .. } => Vec::new(),
                };
                [init.clone(), count].concat()
            }
            Self::Replace { array, indices, value } => {
                [vec![Atom::Var(*array)], indices.clone(), vec![*value]].concat()
            }
        }
    }

    /// Replaces each operand of the operation itself.
    ///
    /// # Panics
    /// If an array is replaced by a constant.
    pub fn replace_operands(&mut self, f: &mut impl FnMut(Atom) -> Atom) {
        match self {
            Self::Un(_, x) => *x = f(*x),
            Self::Bin(_, x, y) => {
                *x = f(*x);
                *y = f(*y);
            }
            Self::Fma(args) => args.iter_mut().for_each(|arg| *arg = f(*arg)),
            Self::Index { array, indices } => {
                replace_array(array, f);
                indices.iter_mut().for_each(|index| *index = f(*index));
            }
            Self::Length { array, .. } => replace_array(array, f),
            Self::Assert { cond, message, .. } => {
                *cond = f(*cond);
                for piece in message {
                    if let Piece::Value(value) = piece {
                        *value = f(*value);
                    }
                }
            }
            Self::If { cond, .. } => *cond = f(*cond),
            Self::Map { inputs, .. } | Self::FlatMap { inputs, .. } => replace_arrays(inputs, f),
            Self::Filter { inputs, keep, .. } => {
                replace_arrays(inputs, f);
                replace_arrays(keep, f);
            }
            Self::Fold { init, inputs, .. } | Self::Scan { init, inputs, .. } => {
                init.iter_mut().for_each(|init| *init = f(*init));
                replace_arrays(inputs, f);
            }
            Self::Generate { size, .. } => *size = f(*size),
            Self::Gather { data, indices } => {
                replace_arrays(data, f);
                replace_array(indices, f);
            }
            Self::Cross { left, right } | Self::Append { left, right } => {
                replace_arrays(left, f);
                replace_arrays(right, f);
            }
            Self::Call { args, .. } => args.iter_mut().for_each(|arg| *arg = f(*arg)),
            Self::Array { elems, .. } => elems.iter_mut().for_each(|elem| *elem = f(*elem)),
            Self::Constant(_) => {}
            Self::Reshape { array, shape } => {
                replace_array(array, f);
                shape.iter_mut().for_each(|extent| *extent = f(*extent));
            }
            Self::Loop { form, init, .. } => {
                init.iter_mut().for_each(|init| *init = f(*init));
                match form {
                    LoopForm::For { count } => *count = f(*count),
                    LoopForm::While { .. } => {}
                }
            }
            Self::Replace { array, indices, value } => {
                replace_array(array, f);
                indices.iter_mut().for_each(|index| *index = f(*index));
                *value = f(*value);
            }
        }
    }

    /// The blocks in the operation.
    #[must_use]
    pub fn inner(&self) -> Vec<Inner<'_>> {
        match self {
            Self::If { then, otherwise, .. } => {
                vec![Inner { params: &[], block: then }, Inner { params: &[], block: otherwise }]
            }
            Self::Map { worker, .. }
            | Self::Filter { worker, .. }
            | Self::FlatMap { worker, .. }
            | Self::Fold { worker, .. }
            | Self::Scan { worker, .. }
            | Self::Generate { worker, .. } => {
                vec![Inner { params: &worker.params, block: &worker.body }]
            }
            Self::Loop { form, worker, .. } => {
                let cond = match form {
                    LoopForm::For { .. } => None,
                    LoopForm::While { cond } => Some(cond),
                };
                let workers = cond.into_iter().chain([worker]);
                workers
                    .map(|worker| Inner { params: &worker.params, block: &worker.body })
                    .collect()
            }
            Self::Un(..)
            | Self::Bin(..)
            | Self::Fma(_)
            | Self::Index { .. }
            | Self::Length { .. }
            | Self::Assert { .. }
            | Self::Gather { .. }
            | Self::Cross { .. }
            | Self::Call { .. }
            | Self::Append { .. }
            | Self::Array { .. }
            | Self::Constant(_)
            | Self::Reshape { .. }
            | Self::Replace { .. } => Vec::new(),
        }
    }

    /// The blocks in the operation, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::Map { .. }
            | Self::Filter { .. }
            | Self::FlatMap { .. }
            | Self::Fold { .. }
            | Self::Scan { .. }
            | Self::Generate { .. }
            | Self::Un(..)
            | Self::Bin(..)
            | Self::Fma(_)
            | Self::Index { .. }
            | Self::Length { .. }
            | Self::Assert { .. }
            | Self::Gather { .. }
            | Self::Cross { .. }
            | Self::Call { .. }
            | Self::Append { .. }
            | Self::Array { .. }
            | Self::Constant(_)
            | Self::Reshape { .. }
            | Self::Loop { .. }
            | Self::Replace { .. } => {
                self.workers_mut().into_iter().map(|worker| &mut worker.body).collect()
            }
        }
    }

    /// Whether it asserts something each time that its block runs, or an `if` of it does.
    #[must_use]
    pub fn asserts(&self) -> bool {
        match self {
            Self::Assert { .. } => true,
            Self::If { then, otherwise, .. } => [then, otherwise]
                .into_iter()
                .any(|block| block.binds.iter().any(|bind| bind.op.asserts())),
            Self::Un(..)
            | Self::Bin(..)
            | Self::Fma(_)
            | Self::Index { .. }
            | Self::Length { .. }
            | Self::Map { .. }
            | Self::Filter { .. }
            | Self::FlatMap { .. }
            | Self::Fold { .. }
            | Self::Scan { .. }
            | Self::Generate { .. }
            | Self::Gather { .. }
            | Self::Cross { .. }
            | Self::Call { .. }
            | Self::Append { .. }
            | Self::Loop { .. }
            | Self::Replace { .. }
            | Self::Reshape { .. }
            | Self::Array { .. }
            | Self::Constant(_) => false,
        }
    }

    /// Whether running it can be seen from outside: it is a call with an effect, or has one inside.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        match self {
            Self::Call { effect, .. } => effect.is_some(),
            Self::If { .. }
            | Self::Map { .. }
            | Self::Filter { .. }
            | Self::FlatMap { .. }
            | Self::Fold { .. }
            | Self::Scan { .. }
            | Self::Generate { .. }
            | Self::Loop { .. } => self.inner().into_iter().any(|inner| inner.block.has_effect()),
            Self::Un(..)
            | Self::Bin(..)
            | Self::Fma(_)
            | Self::Index { .. }
            | Self::Length { .. }
            | Self::Assert { .. }
            | Self::Gather { .. }
            | Self::Cross { .. }
            | Self::Append { .. }
            | Self::Array { .. }
            | Self::Constant(_)
            | Self::Reshape { .. }
            | Self::Replace { .. } => false,
        }
    }

    /// Whether it runs even where nobody uses what it binds.
    #[must_use]
    pub fn stays(&self) -> bool {
        self.asserts() || self.has_effect()
    }

    /// The workers: a loop may have two, other operations have one or none.
    pub fn workers_mut(&mut self) -> Vec<&mut Worker> {
        match self {
            Self::Map { worker, .. }
            | Self::Filter { worker, .. }
            | Self::FlatMap { worker, .. }
            | Self::Fold { worker, .. }
            | Self::Scan { worker, .. }
            | Self::Generate { worker, .. } => vec![worker],
            Self::Loop { form, worker, .. } => match form {
                LoopForm::For { .. } => vec![worker],
                LoopForm::While { cond } => vec![cond, worker],
            },
            Self::If { .. }
            | Self::Un(..)
            | Self::Bin(..)
            | Self::Fma(_)
            | Self::Index { .. }
            | Self::Length { .. }
            | Self::Assert { .. }
            | Self::Gather { .. }
            | Self::Cross { .. }
            | Self::Call { .. }
            | Self::Append { .. }
            | Self::Array { .. }
            | Self::Constant(_)
            | Self::Reshape { .. }
            | Self::Replace { .. } => Vec::new(),
        }
    }
}

impl Block {
    /// Calls `f` for each use in the block and in the blocks inside it.
    pub fn for_each_use(&self, f: &mut impl FnMut(Atom)) {
        for bind in &self.binds {
            bind.op.operands().into_iter().for_each(&mut *f);
            for inner in bind.op.inner() {
                inner.block.for_each_use(f);
            }
        }
        self.results.iter().copied().for_each(f);
    }

    /// Replaces each use in the block and in the blocks inside it.
    pub fn replace_uses(&mut self, f: &mut impl FnMut(Atom) -> Atom) {
        for bind in &mut self.binds {
            bind.op.replace_operands(f);
            for block in bind.op.blocks_mut() {
                block.replace_uses(f);
            }
        }
        self.results.iter_mut().for_each(|result| *result = f(*result));
    }

    /// Whether running it can be seen from outside.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        self.binds.iter().any(|bind| bind.op.has_effect())
    }

    /// Whether it runs even where nobody uses what it yields.
    #[must_use]
    pub fn stays(&self) -> bool {
        self.binds.iter().any(|bind| bind.op.stays())
    }

    /// Calls `f` for each operation in the block and in the blocks inside it.
    pub fn for_each_op<'a>(&'a self, f: &mut impl FnMut(&'a Op)) {
        for bind in &self.binds {
            f(&bind.op);
            for inner in bind.op.inner() {
                inner.block.for_each_op(f);
            }
        }
    }
}

impl Function {
    /// The type of an atom of this function.
    #[must_use]
    pub fn type_of(&self, atom: Atom) -> super::Type {
        match atom {
            Atom::Const(value) => super::Type::Scalar(value.ty),
            Atom::Var(var) => self.vars[var].ty.clone(),
        }
    }
}

fn replace_array(array: &mut VarId, f: &mut impl FnMut(Atom) -> Atom) {
    match f(Atom::Var(*array)) {
        Atom::Var(var) => *array = var,
        Atom::Const(value) => panic!("the array {array} is not replaced by the constant {value}"),
    }
}

fn replace_arrays(arrays: &mut [VarId], f: &mut impl FnMut(Atom) -> Atom) {
    for array in arrays {
        replace_array(array, f);
    }
}
