//! Common subexpressions: an operation that was already computed is not computed again.
//!
//! Invariant: only truly identical operations are merged, up to the names in their workers: the
//! number of loops that the user wrote is not changed otherwise.
//!
//! ```text
//! a = map (\x -> x + 1) xs; b = map (\y -> y + 1) xs; c = n * 2; d = n * 2
//! ⇒ a = map (\x -> x + 1) xs; c = n * 2     (and b is a, d is c)
//! ```

use std::fmt::Write;

use indexmap::IndexMap;

use super::substitution::Substitution;
use crate::ids::VarId;
use crate::ir::cnf::{Atom, Block, Extent, Function, Op, Type};
use crate::prim::BinOp;

/// Merges common subexpressions; says whether anything changed.
pub(super) fn merge(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut merger = Merger { function, substitution: Substitution::default(), known: Vec::new() };
    merger.block(&mut body);
    let substitution = merger.substitution;
    function.body = body;
    substitution.finish(function)
}

struct Merger<'a> {
    function: &'a Function,
    substitution: Substitution,
    /// What each block around has computed, innermost last.
    known: Vec<IndexMap<String, Vec<VarId>>>,
}

impl Merger<'_> {
    fn block(&mut self, block: &mut Block) {
        self.known.push(IndexMap::new());
        let mut binds = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            bind.op.replace_operands(&mut |atom| self.substitution.atom(atom));
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            let key = Key::of(self.function, &bind.op);
            let known = self.known.iter().rev().find_map(|known| known.get(&key)).cloned();
            if let Some(known) = known
                && self.replace_all(&bind.vars, &known)
            {
                continue;
            }
            let here = self.known.last_mut().expect("the block's own table is open");
            here.insert(key, bind.vars.clone());
            binds.push(bind);
        }
        self.known.pop();
        block.binds = binds;
        for result in &mut block.results {
            *result = self.substitution.atom(*result);
        }
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

/// An operation as text, in which bound variables are numbers.
struct Key<'a> {
    function: &'a Function,
    text: String,
    bound: IndexMap<VarId, usize>,
}

impl<'a> Key<'a> {
    fn of(function: &'a Function, op: &Op) -> String {
        let mut key = Key { function, text: String::new(), bound: IndexMap::new() };
        key.op(op);
        key.text
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Un(op, _) => self.push(format_args!("{op:?}")),
            Op::Bin(op, x, y) => return self.bin(*op, *x, *y),
            Op::Index { .. } => self.push(format_args!("index")),
            Op::Length { array, dim } => return self.length(*array, *dim),
            Op::If { .. } => self.push(format_args!("if")),
            Op::Map { .. } => self.push(format_args!("map")),
            Op::Filter { inputs, .. } => self.push(format_args!("filter{}", inputs.len())),
            Op::Fold { order, init, .. } => self.push(format_args!("fold{order:?}{}", init.len())),
            Op::Scan { prefix, init, .. } => {
                self.push(format_args!("{}{}", prefix.name(), init.len()));
            }
            Op::Generate { .. } => self.push(format_args!("generate")),
            Op::Gather { .. } => self.push(format_args!("gather")),
            Op::Cross { left, .. } => self.push(format_args!("cross{}", left.len())),
            Op::Call { function, .. } => self.push(format_args!("{function}")),
            Op::Append { left, .. } => self.push(format_args!("append{}", left.len())),
            Op::Array { elem, .. } => self.push(format_args!("array {elem}")),
            Op::Reshape { .. } => self.push(format_args!("reshape")),
        }
        op.operands().into_iter().for_each(|operand| self.atom(operand));
        for inner in op.inner() {
            self.push(format_args!("\\"));
            inner.params.iter().for_each(|&param| self.bind(param));
            self.block(inner.block);
        }
    }

    /// Operands that may be swapped come in one order.
    fn bin(&mut self, op: BinOp, x: Atom, y: Atom) {
        let commutes = matches!(
            op,
            BinOp::Add
                | BinOp::Mul
                | BinOp::And
                | BinOp::Or
                | BinOp::Xor
                | BinOp::Min
                | BinOp::Max
                | BinOp::Eq
                | BinOp::Ne
        );
        let (x, y) = if commutes && y < x { (y, x) } else { (x, y) };
        self.push(format_args!("{op:?}"));
        self.atom(x);
        self.atom(y);
    }

    /// Arrays of one size have one length.
    fn length(&mut self, array: VarId, dim: usize) {
        match &self.function.vars[array].ty {
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
