//! Common subexpressions: an operation that was already computed is not computed again.
//!
//! Invariant: only truly identical operations are merged, up to the names in their workers: the
//! number of loops that the user wrote is not changed otherwise. What has an effect is merged with nothing.
//!
//! ```text
//! a = map (\x -> x + 1) xs; b = map (\y -> y + 1) xs; c = n * 2; d = n * 2
//! ⇒ a = map (\x -> x + 1) xs; c = n * 2     (and b is a, d is c)
//! ```

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

use indexmap::IndexMap;

use super::substitution::Substitution;
use crate::ids::{PrimaryMap, VarId};
use crate::ir::check;
use crate::ir::cnf::{Atom, Bind, Block, Extent, Function, Op, Type, Var, Worker};
use crate::prim::BinOp;

/// Merges common subexpressions; says whether anything changed.
pub(super) fn merge(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut merger = Merger {
        function,
        substitution: Substitution::default(),
        blocks: Vec::new(),
        known: IndexMap::new(),
    };
    merger.block(&mut body);
    let substitution = merger.substitution;
    function.body = body;
    substitution.finish(function)
}

/// Whether two workers are one, up to the names in them.
pub(crate) fn same_worker(vars: &PrimaryMap<VarId, Var>, worker: &Worker, other: &Worker) -> bool {
    let text = |worker: &Worker| {
        let mut key = Key::new(vars);
        key.inner(&worker.params, &worker.body);
        key.text
    };
    text(worker) == text(other)
}

struct Merger<'a> {
    function: &'a Function,
    substitution: Substitution,
    /// The bindings that are done of each block around, innermost last.
    blocks: Vec<Vec<Bind>>,
    /// Where operations with this fingerprint are in `blocks`.
    known: IndexMap<u64, Vec<(usize, usize)>>,
}

impl Merger<'_> {
    /// Merges in a block; gives the fingerprint of what is left.
    fn block(&mut self, block: &mut Block) -> u64 {
        let depth = self.blocks.len();
        self.blocks.push(Vec::new());
        let (mut shape, mut added) = (DefaultHasher::new(), Vec::new());
        for mut bind in std::mem::take(&mut block.binds) {
            bind.op.replace_operands(&mut |atom| self.substitution.atom(atom));
            let inner: Vec<u64> =
                bind.op.blocks_mut().into_iter().map(|inner| self.block(inner)).collect();
            let fingerprint = fingerprint(self.function, &bind.op, &inner, false);
            if !bind.op.has_effect()
                && let Some(known) = self.find(fingerprint, &bind.op)
                && self.replace_all(&bind.vars, &known)
            {
                continue;
            }
            fingerprint_of_nested(self.function, &bind.op, &inner).hash(&mut shape);
            let place = (depth, self.blocks[depth].len());
            self.known.entry(fingerprint).or_default().push(place);
            added.push(fingerprint);
            self.blocks[depth].push(bind);
        }
        for fingerprint in added {
            self.known.get_mut(&fingerprint).and_then(Vec::pop).expect("what was added is there");
        }
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
        let key = Key::of(&self.function.vars, op);
        let binds = known.iter().rev().map(|&(depth, index)| &self.blocks[depth][index]);
        let same = |bind: &&Bind| Key::of(&self.function.vars, &bind.op) == key;
        binds.into_iter().find(same).map(|bind| bind.vars.clone())
    }

    fn replace_all(&mut self, vars: &[VarId], known: &[VarId]) -> bool {
        // The first decides: all have one size.
        vars.len() == known.len()
            && vars
                .iter()
                .zip(known)
                .all(|(&var, &known)| self.substitution.replace(self.function, var, known.into()))
    }
}

/// A number that two operations share if they are the same; others rarely do. `inner` are the
/// fingerprints of the operation's blocks, so that nested blocks are not read again at each level.
fn fingerprint(function: &Function, op: &Op, inner: &[u64], anonymous: bool) -> u64 {
    let mut key = Key { anonymous, ..Key::new(&function.vars) };
    key.head(op);
    let mut hasher = DefaultHasher::new();
    (key.text, inner).hash(&mut hasher);
    hasher.finish()
}

/// The fingerprint of an operation in a block of another: its variables may be bound there.
fn fingerprint_of_nested(function: &Function, op: &Op, inner: &[u64]) -> u64 {
    fingerprint(function, op, inner, true)
}

/// An operation as text, in which bound variables are numbers.
struct Key<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    text: String,
    bound: IndexMap<VarId, usize>,
    /// Whether all variables look alike.
    anonymous: bool,
}

impl<'a> Key<'a> {
    fn of(vars: &'a PrimaryMap<VarId, Var>, op: &Op) -> String {
        let mut key = Key::new(vars);
        key.op(op);
        key.text
    }

    fn new(vars: &'a PrimaryMap<VarId, Var>) -> Self {
        Key { vars, text: String::new(), bound: IndexMap::new(), anonymous: false }
    }

    fn op(&mut self, op: &Op) {
        self.head(op);
        for inner in op.inner() {
            self.inner(inner.params, inner.block);
        }
    }

    fn inner(&mut self, params: &[VarId], block: &Block) {
        self.push(format_args!("\\"));
        params.iter().for_each(|&param| self.bind(param));
        self.block(block);
    }

    /// The operation without its blocks.
    fn head(&mut self, op: &Op) {
        match op {
            Op::Un(op, _) => self.push(format_args!("{op:?}")),
            Op::Bin(op, x, y) => return self.bin(*op, *x, *y),
            Op::Fma(_) => self.push(format_args!("Fma")),
            Op::Index { .. } => self.push(format_args!("index")),
            Op::Length { array, dim } => return self.length(*array, *dim),
            Op::Assert { fault, message, .. } => {
                self.push(format_args!(
                    "assert {fault} {}",
                    check::quoted(message, |_| "_".into())
                ));
            }
            Op::If { .. } => self.push(format_args!("if")),
            Op::Map { .. } => self.push(format_args!("map")),
            Op::FlatMap { .. } => self.push(format_args!("flatmap")),
            Op::Filter { inputs, .. } => self.push(format_args!("filter{}", inputs.len())),
            Op::Fold { order, init, .. } => self.push(format_args!("fold{order:?}{}", init.len())),
            Op::Scan { prefix, init, .. } => {
                self.push(format_args!("{}{}", prefix.name(), init.len()));
            }
            Op::Generate { .. } => self.push(format_args!("generate")),
            Op::Gather { .. } => self.push(format_args!("gather")),
            Op::Cross { left, .. } => self.push(format_args!("cross{}", left.len())),
            Op::Call { callee, .. } => self.push(format_args!("{callee:?}")),
            Op::Append { left, .. } => self.push(format_args!("append{}", left.len())),
            Op::Array { elem, .. } => self.push(format_args!("array {elem}")),
            Op::Constant(data) => {
                self.push(format_args!("constant {}", data.elem()));
                self.text.extend(data.bytes().iter().map(|&byte| char::from(byte)));
            }
            Op::Reshape { .. } => self.push(format_args!("reshape")),
            Op::Loop { init, .. } => self.push(format_args!("loop{}", init.len())),
            Op::Replace { .. } => self.push(format_args!("with")),
        }
        op.operands().into_iter().for_each(|operand| self.atom(operand));
    }

    /// Operands that may be swapped come in one order.
    fn bin(&mut self, op: BinOp, x: Atom, y: Atom) {
        // What is greater than the other, the other is less than.
        let (op, x, y) = if op == BinOp::Gt {
            (BinOp::Lt, y, x)
        } else if op == BinOp::Ge {
            (BinOp::Le, y, x)
        } else if op.commutes() && y < x {
            (op, y, x)
        } else {
            (op, x, y)
        };
        self.push(format_args!("{op:?}"));
        self.atom(x);
        self.atom(y);
    }

    /// Arrays of one size have one length.
    fn length(&mut self, array: VarId, dim: usize) {
        match &self.vars[array].ty {
            _ if self.anonymous => self.push(format_args!("length")),
            Type::Array { shape, .. } if matches!(shape[dim], Extent::Size(_)) => {
                self.push(format_args!("length {:?}", shape[dim]));
            }
            Type::Array { .. } | Type::Scalar(_) => {
                self.push(format_args!("length of{dim}"));
                self.atom(array.into());
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.push(format_args!("{{"));
        for bind in &block.binds {
            self.op(&bind.op);
            bind.vars.iter().for_each(|&var| self.bind(var));
            self.push(format_args!(";"));
        }
        block.results.iter().for_each(|&result| self.atom(result));
        self.push(format_args!("}}"));
    }

    fn bind(&mut self, var: VarId) {
        let number = self.bound.len();
        self.bound.insert(var, number);
        self.push(format_args!("#{number}"));
    }

    fn atom(&mut self, atom: Atom) {
        match atom {
            Atom::Const(value) => self.push(format_args!(" {}:{:x}", value.ty, value.bits)),
            Atom::Var(_) if self.anonymous => self.push(format_args!(" _")),
            Atom::Var(var) => match self.bound.get(&var) {
                Some(&number) => self.push(format_args!(" #{number}")),
                None => self.push(format_args!(" {var}")),
            },
        }
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("writing to a string does not fail");
    }
}
