//! Searches for a number among many neighbouring ones: one jump by a table instead of a comparison at each depth.
//!
//! The cases of a `match` are a binary tree of comparisons. Where the numbers come in no order, the processor foresees
//! few of these comparisons, and a jump by a table is one that it does not foresee. Where most numbers are the same
//! ones, it foresees the comparisons of a small tree better than the jump.
//!
//! Invariant: each block of the tree runs for the numbers for which it ran.
//!
//! ```text
//! if x < 2 then (if x < 1 then a else b) else (if x < 3 then c else d)
//! ⇒ switch x { 0: a; 1: b; 2: c; 3: d; else if x < 1 then a else d }
//! ```

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{Block, Step};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const};
use inkwell::basic_block::BasicBlock;

use super::record_fields::HandedValue;
use crate::function::function_body::Body;
use crate::unit::built;

/// Trees of fewer blocks stay as they are. Among 48 cases, a jump takes 0.95 of the time of a `switch` in C, and a
/// search 1.56; among 32, a search takes 0.60 (computed values, numbers in no order, medians, AVX2). No benchmark shows
/// it alone.
const MIN_CASES: usize = 40;

/// A tree of comparisons of one number with neighbouring constants.
pub(super) struct ComparisonTree<'p> {
    number: VarId,
    /// The block for the numbers below the first constant.
    first: &'p Block,
    /// The other blocks, each with the constant from which on it runs. The last one runs for all numbers above it.
    others: Vec<(Const, &'p Block)>,
}

impl<'p> ComparisonTree<'p> {
    /// The search that a block is, if it is one among many numbers.
    pub(super) fn of(block: &'p Block) -> Option<Self> {
        let (number, ..) = parts(block)?;
        let mut search = Self { number, first: block, others: Vec::new() };
        search.add(block, None)?;
        (search.others.len() + 1 >= MIN_CASES).then_some(search)
    }

    /// Adds the blocks of a tree that runs for the numbers from a constant on.
    fn add(&mut self, block: &'p Block, from: Option<Const>) -> Option<()> {
        if let Some((number, constant, [below, rest])) = parts(block)
            && number == self.number
        {
            self.add(below, from)?;
            return self.add(rest, Some(constant));
        }
        match (from, self.others.last()) {
            (None, _) => self.first = block,
            (Some(from), Some((before, _))) if from.as_i128() != before.as_i128() + 1 => {
                return None;
            }
            (Some(from), _) => self.others.push((from, block)),
        }
        Some(())
    }
}

/// The number, the constant and the branches of a block that is a comparison and a choice by it.
fn parts(block: &Block) -> Option<(VarId, Const, [&Block; 2])> {
    let [
        Step::Scalar {
            var,
            op: Operation::Bin(BinOp::Lt, [Atom::Var(number), Atom::Const(constant)]),
            ..
        },
        Step::If { vars, cond: Atom::Var(cond), takes, then, otherwise },
    ] = &block.steps[..]
    else {
        return None;
    };
    let results = vars.iter().map(|&var| Atom::Var(var));
    let is_choice = cond == var && takes.is_empty() && results.eq(block.results.iter().copied());
    (is_choice && constant.ty.is_integer()).then_some((*number, *constant, [then, otherwise]))
}

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Lowers a search to a jump by a table.
    pub(super) fn switch(&mut self, search: &ComparisonTree<'p>) -> Vec<HandedValue<'ctx>> {
        let number = self.int(Atom::Var(search.number));
        let [other, first] = ["other", "case"].map(|name| self.code.block(name));
        let others: Vec<_> = (search.others.iter())
            .map(|&(from, block)| (from, self.code.block("case"), block))
            .collect();
        let (least, ..) = others[0];
        let below = Const::int(least.ty, least.as_i128() - 1);
        let below = (below.as_i128() < least.as_i128()).then_some((below, first));
        let keyed = others.iter().map(|&(from, at, _)| (from, at));
        let constant =
            |(key, at): (Const, BasicBlock<'ctx>)| (self.code.constant(key).into_int_value(), at);
        let cases: Vec<_> = below.into_iter().chain(keyed).map(constant).collect();
        built(self.code.b.build_switch(number, other, &cases));
        self.code.b.position_at_end(other);
        let args = [number.into(), self.code.constant(least)];
        let is_below = self.code.apply(BinOp::Lt, least.ty, args);
        let (_, last, _) = others[others.len() - 1];
        self.code.branch(is_below.into_int_value(), first, last);
        let blocks = others.iter().map(|&(_, at, block)| (at, block));
        let blocks: Vec<_> = std::iter::once((first, search.first)).chain(blocks).collect();
        self.joined(&blocks)
    }

    /// Lowers the blocks of the cases, and merges their results. One of the blocks runs.
    pub(super) fn joined(
        &mut self,
        blocks: &[(BasicBlock<'ctx>, &'p Block)],
    ) -> Vec<HandedValue<'ctx>> {
        if let [(at, block)] = blocks {
            self.code.b.position_at_end(*at);
            let sizes = self.sizes.clone();
            let results = self.block_held(block);
            self.sizes = sizes;
            return results;
        }
        let join = self.code.block("join");
        let (left, right) = blocks.split_at(blocks.len() / 2);
        let incoming = [left, right].map(|half| {
            let results = self.joined(half);
            let end = self.code.current_block();
            self.code.jump(join);
            (results, end)
        });
        self.code.b.position_at_end(join);
        self.merge_held(incoming)
    }
}
