//! Products that only the sum of an unrolled `reduce` uses: each becomes one operation with the sum, which the machine
//! may round once.
//!
//! Invariant: only sums of floats by a `reduce` are contracted, and a product that nothing else uses. So each value
//! that a program sees elsewhere is rounded as it is written.
//!
//! ```text
//! p = x * y; s_2 = s + p   ⇒   s_2 = f64.muladd x y s
//! ```

use indexmap::{IndexMap, IndexSet};

use super::super::dead;
use super::ArrayScalariser;
use crate::cnf::{Atom, Block, FoldOrder, Function, Op, Operation, Worker};
use arrc_syntax::ids::{SecondaryMap, VarId};
use arrc_syntax::prim::{BinOp, Rounding};

impl ArrayScalariser<'_> {
    /// The accumulators of a fold, by number, to which a step does nothing but add a float in any order.
    pub(super) fn sums(&self, order: FoldOrder, worker: &Worker) -> Vec<usize> {
        if order == FoldOrder::Strict {
            return Vec::new();
        }
        let vars = &self.function.tables.vars;
        let is_sum = |&(number, result): &(usize, &Atom)| {
            let acc = Atom::Var(worker.params[number]);
            acc.ty(vars).as_scalar().is_some_and(|ty| ty.is_float())
                && worker.body.binds.iter().any(|bind| {
                    let Op::Scalar(Operation::Bin(BinOp::Add, [left, right])) = bind.op else {
                        return false;
                    };
                    *result == Atom::Var(bind.vars[0]) && (left == acc || right == acc)
                })
        };
        worker.body.results.iter().enumerate().filter(is_sum).map(|(number, _)| number).collect()
    }
}

/// Contracts the products that are added to these sums; says whether there are any.
pub(super) fn contract(function: &mut Function, sums: &IndexSet<VarId>) -> bool {
    if sums.is_empty() {
        return false;
    }
    // The literals whose elements have been read are still there, and use the products.
    dead::remove(function);
    let mut uses = SecondaryMap::new();
    function.body.for_each_use(&mut |atom| {
        if let Atom::Var(var) = atom {
            uses[var] += 1;
        }
    });
    let mut body = std::mem::take(&mut function.body);
    let changed = FmaContraction { sums, uses }.block(&mut body);
    function.body = body;
    changed
}

struct FmaContraction<'a> {
    sums: &'a IndexSet<VarId>,
    /// How often each variable is used.
    uses: SecondaryMap<VarId, usize>,
}

impl FmaContraction<'_> {
    fn block(&self, block: &mut Block) -> bool {
        let mut changed = false;
        // The products of the block that are used once, and their factors.
        let mut products = IndexMap::new();
        for bind in &mut block.binds {
            for inner in bind.op.blocks_mut() {
                changed |= self.block(inner);
            }
            let Op::Scalar(Operation::Bin(op, [left, right])) = bind.op else { continue };
            let var = bind.vars[0];
            if op == BinOp::Mul && self.uses[var] == 1 {
                products.insert(Atom::Var(var), [left, right]);
            } else if op == BinOp::Add && self.sums.contains(&var) {
                let added = [(right, left), (left, right)].into_iter();
                let factors = added.filter_map(|(term, sum)| Some((*products.get(&term)?, sum)));
                for ([x, y], sum) in factors.take(1) {
                    bind.op = Op::Scalar(Operation::MulAdd(Rounding::Any, [x, y, sum]));
                    changed = true;
                }
            }
        }
        changed
    }
}
