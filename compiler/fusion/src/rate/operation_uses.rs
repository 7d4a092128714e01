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

use crate::cnf::{Atom, Bind, Block, Op, Usage, Visit, Worker};
use arrc_syntax::ids::VarId;

/// One use of a variable of the block around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OuterUse {
    /// An atom: a scalar, or an array that is needed whole.
    Atom(VarId),
    /// Elements of an array at computed positions, or the array whole.
    Elements(VarId),
    /// The extent of a dimension of an array.
    Length(VarId, usize),
}

/// How an operation uses the arrays that it iterates over, and everything else.
#[derive(Default)]
pub(super) struct OperationUses {
    /// One element a step.
    pub(super) streams: Vec<VarId>,
    /// The rest.
    pub(super) others: Vec<OuterUse>,
}

/// What the operation of a binding uses.
pub(super) fn uses(op: &Op) -> OperationUses {
    let mut collector = Collector::default();
    op.visit(&mut collector);
    collector.uses
}

#[derive(Default)]
struct Collector {
    bound: BTreeSet<VarId>,
    /// How many blocks are around: in them, the arrays that an operation iterates over are needed whole.
    depth: usize,
    uses: OperationUses,
}

impl Collector {
    fn block(&mut self, block: &Block) {
        self.depth += 1;
        for Bind { vars, op, span: _ } in &block.binds {
            op.visit(self);
            self.bound.extend(vars);
        }
        block.results.iter().for_each(|atom| self.atom(atom));
        self.depth -= 1;
    }

    fn push(&mut self, var: VarId, kind: OuterUse) {
        if !self.bound.contains(&var) {
            self.uses.others.push(kind);
        }
    }
}

impl Visit<'_> for Collector {
    fn atom(&mut self, atom: &Atom) {
        if let Atom::Var(var) = *atom {
            self.push(var, OuterUse::Atom(var));
        }
    }

    fn array(&mut self, &array: &VarId, usage: Usage) {
        match usage {
            Usage::Stream if self.depth == 0 => self.uses.streams.push(array),
            Usage::Stream | Usage::Elements => self.push(array, OuterUse::Elements(array)),
            Usage::Extent(dim) => self.push(array, OuterUse::Length(array, dim)),
        }
    }

    fn worker(&mut self, worker: &Worker) {
        self.bound.extend(&worker.params);
        self.block(&worker.body);
    }

    fn branch(&mut self, block: &Block) {
        self.block(block);
    }
}
