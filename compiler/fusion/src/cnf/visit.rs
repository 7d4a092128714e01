//! The walk over operations: their operands, how they use them, and the blocks in them.
//!
//! Invariant: `walk` is the only place that lists the operands and the blocks of each operation. A pass that looks
//! for uses, replaces them, or enters blocks receives them with a [`Visit`] or a [`VisitMut`].
//!
//! ```text
//! Map { worker, inputs: [xs] }: the worker, and xs as a stream
//! ```

use std::collections::BTreeSet;

use super::{Atom, Block, Callee, Function, LoopForm, Op, Worker};
use arrc_syntax::ids::{FuncId, VarId};

/// How an operation uses an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Usage {
    /// One element a step.
    Stream,
    /// Elements at computed positions, or the whole array.
    Elements,
    /// The extent of a dimension.
    Extent(usize),
}

/// Receives the operands and blocks of an operation, in the order of its text.
pub trait Visit<'a> {
    /// An atom: a scalar, or an array that is needed whole.
    fn atom(&mut self, _: &'a Atom) {}
    /// An array.
    fn array(&mut self, _: &'a VarId, _: Usage) {}
    /// A worker.
    fn worker(&mut self, _: &'a Worker) {}
    /// A branch.
    fn branch(&mut self, _: &'a Block) {}
}

/// As [`Visit`], to change the parts.
pub trait VisitMut<'a> {
    /// An atom.
    fn atom(&mut self, _: &'a mut Atom) {}
    /// An array.
    fn array(&mut self, _: &'a mut VarId, _: Usage) {}
    /// A worker.
    fn worker(&mut self, _: &'a mut Worker) {}
    /// A branch.
    fn branch(&mut self, _: &'a mut Block) {}
}

/// Gives a visitor the parts of an operation, for reading or for changing.
macro_rules! walk {
    ($op:expr, $v:expr, $args:ident) => {{
        macro_rules! each {
            ($atoms:expr) => {
                for atom in $atoms {
                    $v.atom(atom);
                }
            };
            ($arrays:expr, $usage:ident) => {
                for array in $arrays {
                    $v.array(array, Usage::$usage);
                }
            };
        }
        match $op {
            Op::Scalar(operation) => each!(operation.$args()),
            Op::Index { array, indices, inside: _ } => {
                $v.array(array, Usage::Elements);
                each!(indices);
            }
            Op::Length { array, dim } => $v.array(array, Usage::Extent(*dim)),
            Op::Assert(check) => each!(check.$args()),
            Op::If { cond, then, otherwise } => {
                $v.atom(cond);
                $v.branch(then);
                $v.branch(otherwise);
            }
            Op::Map { worker, inputs } | Op::FlatMap { worker, inputs } => {
                $v.worker(worker);
                each!(inputs, Stream);
            }
            Op::Filter { worker, inputs, keep } => {
                $v.worker(worker);
                each!(inputs, Stream);
                each!(keep, Stream);
            }
            Op::Fold { order: _, worker, init, inputs }
            | Op::Scan { prefix: _, worker, init, inputs } => {
                $v.worker(worker);
                each!(init);
                each!(inputs, Stream);
            }
            Op::Generate { size, worker } => {
                $v.atom(size);
                $v.worker(worker);
            }
            Op::Gather { data, indices } => {
                each!(data, Elements);
                $v.array(indices, Usage::Stream);
            }
            Op::Cross { left, right } => {
                each!(left, Stream);
                each!(right, Elements);
            }
            Op::Call { callee: _, args, effect: _ } => each!(args),
            Op::Append { left, right } => {
                each!(left, Elements);
                each!(right, Elements);
            }
            Op::Array { elem: _, elems } => each!(elems),
            Op::Constant { .. } => {}
            Op::Reshape { array, shape } => {
                $v.array(array, Usage::Elements);
                each!(shape);
            }
            Op::Sort { sorting: _, array, window } => {
                $v.array(array, Usage::Elements);
                each!(window);
            }
            Op::Loop { form, init, worker } => {
                each!(init);
                match form {
                    LoopForm::For { count } => $v.atom(count),
                    LoopForm::While { cond } => $v.worker(cond),
                }
                $v.worker(worker);
            }
            Op::Replace { array, indices, value, inside: _ } => {
                $v.array(array, Usage::Elements);
                each!(indices);
                $v.atom(value);
            }
        }
    }};
}

/// A block inside an operation, with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct InnerBlock<'a> {
    /// The worker's parameters; none for a branch.
    pub params: &'a [VarId],
    /// The block.
    pub block: &'a Block,
}

/// The atoms and the arrays.
struct OperandCollector(Vec<Atom>);

impl Visit<'_> for OperandCollector {
    fn atom(&mut self, atom: &Atom) {
        self.0.push(*atom);
    }

    fn array(&mut self, array: &VarId, _: Usage) {
        self.0.push(Atom::Var(*array));
    }
}

/// The arrays that are read one element a step.
struct StreamCollector(Vec<VarId>);

impl Visit<'_> for StreamCollector {
    fn array(&mut self, array: &VarId, usage: Usage) {
        self.0.extend((usage == Usage::Stream).then_some(*array));
    }
}

/// Replaces atoms and arrays.
struct Replace<'f, F>(&'f mut F);

impl<F: FnMut(Atom) -> Atom> VisitMut<'_> for Replace<'_, F> {
    fn atom(&mut self, atom: &mut Atom) {
        *atom = (self.0)(*atom);
    }

    fn array(&mut self, array: &mut VarId, _: Usage) {
        match (self.0)(Atom::Var(*array)) {
            Atom::Var(var) => *array = var,
            Atom::Const(value) => {
                panic!("the array {array} is not replaced by the constant {value}")
            }
        }
    }
}

/// Collects the blocks and the parameters of their workers.
struct Blocks<'a>(Vec<InnerBlock<'a>>);

impl<'a> Visit<'a> for Blocks<'a> {
    fn worker(&mut self, worker: &'a Worker) {
        self.0.push(InnerBlock { params: &worker.params, block: &worker.body });
    }

    fn branch(&mut self, block: &'a Block) {
        self.0.push(InnerBlock { params: &[], block });
    }
}

/// The blocks, to be changed.
struct BlocksMut<'a>(Vec<&'a mut Block>);

impl<'a> VisitMut<'a> for BlocksMut<'a> {
    fn worker(&mut self, worker: &'a mut Worker) {
        self.0.push(&mut worker.body);
    }

    fn branch(&mut self, block: &'a mut Block) {
        self.0.push(block);
    }
}

/// The workers, to be changed.
struct WorkersMut<'a>(Vec<&'a mut Worker>);

impl<'a> VisitMut<'a> for WorkersMut<'a> {
    fn worker(&mut self, worker: &'a mut Worker) {
        self.0.push(worker);
    }
}

impl Op {
    /// Visits the operation's operands and blocks.
    pub fn visit<'a>(&'a self, visitor: &mut impl Visit<'a>) {
        walk!(self, visitor, args);
    }

    /// Visits the operation's operands and blocks, to change them.
    pub fn visit_mut<'a>(&'a mut self, visitor: &mut impl VisitMut<'a>) {
        walk!(self, visitor, args_mut);
    }

    /// Every operand of the operation, in order. Variables that only its blocks use are not among them.
    #[must_use]
    pub fn operands(&self) -> Vec<Atom> {
        let mut operands = OperandCollector(Vec::new());
        self.visit(&mut operands);
        operands.0
    }

    /// Replaces each operand. Uses in the blocks stay.
    ///
    /// # Panics
    /// If an array is replaced by a constant.
    pub fn replace_operands(&mut self, f: &mut impl FnMut(Atom) -> Atom) {
        self.visit_mut(&mut Replace(f));
    }

    /// The arrays that a combinator reads one element a step; a barrier has none.
    #[must_use]
    pub fn streams(&self) -> Vec<VarId> {
        let mut streams = StreamCollector(Vec::new());
        self.visit(&mut streams);
        streams.0
    }

    /// The blocks in the operation.
    #[must_use]
    pub fn inner(&self) -> Vec<InnerBlock<'_>> {
        let mut blocks = Blocks(Vec::new());
        self.visit(&mut blocks);
        blocks.0
    }

    /// The blocks in the operation, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        let mut blocks = BlocksMut(Vec::new());
        self.visit_mut(&mut blocks);
        blocks.0
    }

    /// The workers: a loop may have two, other operations have one or none.
    pub fn workers_mut(&mut self) -> Vec<&mut Worker> {
        let mut workers = WorkersMut(Vec::new());
        self.visit_mut(&mut workers);
        workers.0
    }

    /// Whether it is an assertion, or an `if` with an assertion in a branch.
    #[must_use]
    pub fn asserts(&self) -> bool {
        let in_branch = |block: &Block| block.binds.iter().any(|bind| bind.op.asserts());
        if let Self::If { then, otherwise, .. } = self {
            return in_branch(then) || in_branch(otherwise);
        }
        matches!(self, Self::Assert(_))
    }

    /// Whether it has a side effect: it is a call with an effect, or contains one.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        matches!(self, Self::Call { effect, .. } if effect.is_some())
            || self.inner().into_iter().any(|inner| inner.block.has_effect())
    }

    /// Whether it must run even if its variables are not used.
    #[must_use]
    pub fn stays(&self) -> bool {
        self.asserts() || self.has_effect()
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

    /// Whether it has a side effect.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        self.binds.iter().any(|bind| bind.op.has_effect())
    }

    /// Whether it must run even if its results are not used.
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

    /// The functions that are called in it, in its workers and in its branches.
    #[must_use]
    pub fn callees(&self) -> BTreeSet<FuncId> {
        let mut callees = BTreeSet::new();
        self.for_each_op(&mut |op| {
            if let Op::Call { callee: Callee::Function(callee), .. } = op {
                callees.insert(*callee);
            }
        });
        callees
    }
}

impl Function {
    /// The type of an atom of this function.
    #[must_use]
    pub fn type_of(&self, atom: Atom) -> super::Type {
        atom.ty(&self.tables.vars)
    }
}
