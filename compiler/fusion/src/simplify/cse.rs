//! Common subexpressions: an operation that was already computed is not computed again.
//!
//! Invariant: only truly identical operations are merged, up to the names in their workers: the
//! number of loops that the user wrote is not changed otherwise. An operation with an effect is not merged. A second
//! assertion of a condition is left out: no pass moves an assertion behind what comes after it.
//!
//! ```text
//! a = map (\x -> x + 1) xs; b = map (\y -> y + 1) xs; c = n * 2; d = n * 2
//! ⇒ a = map (\x -> x + 1) xs; c = n * 2     (and b is a, d is c)
//! ```

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

use indexmap::{IndexMap, IndexSet};

use super::substitution::Substitution;
use crate::cnf::{
    Assertion, Atom, Bind, Block, Extent, Function, Op, Operation, Type, Usage, Var, VisitMut,
    Worker,
};
use arrc_syntax::ids::{EntityRef, FileId, PrimaryMap, VarId};
use arrc_syntax::prim::BinOp;
use arrc_syntax::source::Span;

/// Merges common subexpressions; says whether anything changed.
pub(super) fn merge(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut carried = IndexSet::new();
    note_carried(&body, &mut carried);
    let mut merger = Merger {
        function,
        substitution: Substitution::default(),
        carried,
        blocks: Vec::new(),
        known: IndexMap::new(),
        asserted: Vec::new(),
        is_asserted_again: false,
    };
    merger.block(&mut body);
    let Merger { substitution, is_asserted_again, .. } = merger;
    function.body = body;
    substitution.finish(function) || is_asserted_again
}

/// Whether two workers are one, up to the names in them.
pub fn same_worker(vars: &PrimaryMap<VarId, Var>, worker: &Worker, other: &Worker) -> bool {
    let canonical = |worker: &Worker| {
        let mut worker = worker.clone();
        Canonical::new(vars).worker(&mut worker);
        worker
    };
    canonical(worker) == canonical(other)
}

/// Notes the initial values of loops, folds and scans in a block.
fn note_carried(block: &Block, carried: &mut IndexSet<VarId>) {
    for bind in &block.binds {
        let init = bind.op.carried().into_iter().flatten();
        carried.extend(init.filter_map(Atom::as_var));
        bind.op.inner().into_iter().for_each(|inner| note_carried(inner.block, carried));
    }
}

struct Merger<'a> {
    function: &'a Function,
    substitution: Substitution,
    /// The arrays that are initial values.
    carried: IndexSet<VarId>,
    /// The finished bindings of each enclosing block, innermost last.
    blocks: Vec<Vec<Bind>>,
    /// Where operations with this fingerprint are in `blocks`.
    known: IndexMap<u64, Vec<(usize, usize)>>,
    /// The conditions that are asserted in front of the current place.
    asserted: Vec<Atom>,
    is_asserted_again: bool,
}

impl Merger<'_> {
    /// Merges in a block; returns the fingerprint of the rest.
    fn block(&mut self, block: &mut Block) -> u64 {
        let depth = self.blocks.len();
        self.blocks.push(Vec::new());
        let asserted = self.asserted.len();
        let (mut shape, mut added) = (DefaultHasher::new(), Vec::new());
        for mut bind in std::mem::take(&mut block.binds) {
            bind.op.replace_operands(&mut |atom| self.substitution.atom(atom));
            if let Op::Assert(Assertion { cond, .. }) = bind.op {
                if self.asserted.contains(&cond) {
                    self.is_asserted_again = true;
                    continue;
                }
                self.asserted.push(cond);
            }
            let inner: Vec<u64> =
                bind.op.blocks_mut().into_iter().map(|inner| self.block(inner)).collect();
            let head = without_blocks(&mut bind.op);
            let fingerprint =
                fingerprint(Canonical::new(&self.function.tables.vars), &head, &inner);
            if let Some(known) = self.find(fingerprint, &bind.op)
                && !bind.op.has_effect()
                && self.replace_all(&bind.vars, &known)
            {
                continue;
            }
            // Seen from an outer operation, the variables may be its own, so they all look alike.
            let nested =
                Canonical { anonymous: true, ..Canonical::new(&self.function.tables.vars) };
            self::fingerprint(nested, &head, &inner).hash(&mut shape);
            let place = (depth, self.blocks[depth].len());
            self.known.entry(fingerprint).or_default().push(place);
            added.push(fingerprint);
            self.blocks[depth].push(bind);
        }
        for fingerprint in added {
            self.known.get_mut(&fingerprint).and_then(Vec::pop).expect("what was added is there");
        }
        self.asserted.truncate(asserted);
        block.binds = self.blocks.pop().expect("the block's own bindings are there");
        for result in &mut block.results {
            *result = self.substitution.atom(*result);
        }
        block.results.len().hash(&mut shape);
        shape.finish()
    }

    /// The variables of an operation that is the same, the nearest first.
    fn find(&self, fingerprint: u64, op: &Op) -> Option<Vec<VarId>> {
        let known = self.known.get(&fingerprint).filter(|known| !known.is_empty())?;
        let canonical = |op: &Op| {
            let mut op = op.clone();
            Canonical::new(&self.function.tables.vars).op(&mut op);
            op
        };
        let this = canonical(op);
        let binds = known.iter().rev().map(|&(depth, index)| &self.blocks[depth][index]);
        let same = |bind: &&Bind| canonical(&bind.op) == this;
        binds.into_iter().find(same).map(|bind| bind.vars.clone())
    }

    fn replace_all(&mut self, vars: &[VarId], known: &[VarId]) -> bool {
        // Two equal arrays that are initial values are not merged: each is likely to be updated in place.
        let array = |var: &VarId| self.function.tables.vars[*var].ty.is_array();
        let carried =
            |vars: &[VarId]| vars.iter().any(|var| array(var) && self.carried.contains(var));
        if carried(vars) && carried(known) {
            return false;
        }
        // The first array decides, since all have one size.
        vars.len() == known.len()
            && vars
                .iter()
                .zip(known)
                .all(|(&var, &known)| self.substitution.replace(self.function, var, known.into()))
    }
}

/// A number that two operations share if they are the same; others rarely do. `inner` are the
/// fingerprints of the operation's blocks, so that nested blocks are not read again at each level.
fn fingerprint(mut canonical: Canonical<'_>, head: &Op, inner: &[u64]) -> u64 {
    let mut head = head.clone();
    canonical.op(&mut head);
    let mut hasher = DefaultHasher::new();
    (head, inner).hash(&mut hasher);
    hasher.finish()
}

/// A copy of the operation with empty workers and branches.
fn without_blocks(op: &mut Op) -> Op {
    let blocks: Vec<Block> = op.blocks_mut().into_iter().map(mem::take).collect();
    let take = |worker: &mut Worker| mem::take(&mut worker.params);
    let params: Vec<Vec<VarId>> = op.workers_mut().into_iter().map(take).collect();
    let head = op.clone();
    op.blocks_mut().into_iter().zip(blocks).for_each(|(empty, block)| *empty = block);
    op.workers_mut().into_iter().zip(params).for_each(|(worker, params)| worker.params = params);
    head
}

/// The first of the numbers that variables get when they are bound in the operation itself.
const BOUND: usize = 1 << 31;

/// The first of the numbers that stand for arrays with a used size only: no function has as many
/// variables.
const SIZES: usize = 1 << 30;

/// Gives operations that are the same up to names one form: bound variables are numbered, operands that may be
/// exchanged are in one order, and lengths of arrays of one size become the length of that size.
struct Canonical<'v> {
    vars: &'v PrimaryMap<VarId, Var>,
    bound: IndexMap<VarId, VarId>,
    /// Whether all variables look alike.
    anonymous: bool,
}

impl<'v> Canonical<'v> {
    fn new(vars: &'v PrimaryMap<VarId, Var>) -> Self {
        Self { vars, bound: IndexMap::new(), anonymous: false }
    }

    fn op(&mut self, op: &mut Op) {
        if let Op::Length { array, dim } = op
            && let Type::Array { shape, .. } = &self.vars[*array].ty
            && let Extent::Size(size) = shape[*dim]
        {
            *op = Op::Length { array: VarId::new(SIZES + size.index()), dim: 0 };
        }
        op.visit_mut(self);
        if let Op::Scalar(Operation::Bin(op, [x, y])) = op {
            (*op, *x, *y) = ordered(*op, *x, *y);
        }
    }

    fn block(&mut self, block: &mut Block) {
        for bind in &mut block.binds {
            self.op(&mut bind.op);
            self.bind(&mut bind.vars);
            bind.span = Span::new(FileId::new(0), 0, 0);
        }
        block.results.iter_mut().for_each(|result| self.atom(result));
    }

    fn bind(&mut self, vars: &mut [VarId]) {
        for var in vars {
            let number = VarId::new(BOUND + self.bound.len());
            self.bound.insert(*var, number);
            *var = number;
        }
    }

    fn var(&self, var: VarId) -> VarId {
        if self.anonymous { VarId::new(BOUND) } else { *self.bound.get(&var).unwrap_or(&var) }
    }
}

impl VisitMut<'_> for Canonical<'_> {
    fn atom(&mut self, atom: &mut Atom) {
        if let Atom::Var(var) = atom {
            *var = self.var(*var);
        }
    }

    fn array(&mut self, array: &mut VarId, _: Usage) {
        *array = self.var(*array);
    }

    fn worker(&mut self, worker: &mut Worker) {
        self.bind(&mut worker.params);
        self.block(&mut worker.body);
    }

    fn branch(&mut self, block: &mut Block) {
        self.block(block);
    }
}

/// Puts operands of commutative operators into one order, and turns `>` into `<`.
fn ordered(op: BinOp, x: Atom, y: Atom) -> (BinOp, Atom, Atom) {
    if op == BinOp::Gt {
        (BinOp::Lt, y, x)
    } else if op == BinOp::Ge {
        (BinOp::Le, y, x)
    } else if op.commutes() && y < x {
        (op, y, x)
    } else {
        (op, x, y)
    }
}
