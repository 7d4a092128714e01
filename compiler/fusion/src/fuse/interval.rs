//! Intervals of the integers of a block, as far as the operations that make them determine them.
//!
//! Invariant: an integer of the block is within its interval in every run.
//!
//! ```text
//! t = x & 3; n = to_i64 t; m = if c then n else 1      ⇒ t, n, m: 0 to 3
//! ```

use std::collections::BTreeMap;

use crate::cnf::{Atom, Bind, Block, Op, Operation, Type, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::{Const, Interval};

/// The intervals of a function's variables in the blocks that were visited.
pub(super) struct Intervals<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    known: BTreeMap<VarId, Interval>,
}

impl<'a> Intervals<'a> {
    /// Intervals before any block is visited: only the types are known.
    pub(super) fn new(vars: &'a PrimaryMap<VarId, Var>) -> Self {
        Self { vars, known: BTreeMap::new() }
    }

    /// The interval of an integer.
    pub(super) fn of(&self, atom: Atom) -> Option<Interval> {
        match atom {
            Atom::Const(value) => self.constant(value),
            Atom::Var(var) => self.known.get(&var).copied().or_else(|| {
                let Type::Scalar(ty) = self.vars[var].ty else { return None };
                Interval::of_type(ty)
            }),
        }
    }

    /// Visits a block.
    pub(super) fn block(&mut self, block: &Block) {
        for Bind { vars, op, span: _ } in &block.binds {
            if let Some([then, otherwise]) = op.branches() {
                self.block(then);
                self.block(otherwise);
                for ((&var, &left), &right) in
                    vars.iter().zip(&then.results).zip(&otherwise.results)
                {
                    let both = self.of(left).zip(self.of(right));
                    self.note(var, both.map(|(left, right)| left.union(right)));
                }
            } else if let [var] = vars[..] {
                self.note(var, self.operation(op));
            }
        }
    }

    /// Notes an interval if the type can hold it. Otherwise the operation may wrap, and nothing is known.
    fn note(&mut self, var: VarId, found: Option<Interval>) {
        let Type::Scalar(ty) = self.vars[var].ty else { return };
        if let (Some(found), Some(all)) = (found, Interval::of_type(ty))
            && all.contains(found)
        {
            self.known.insert(var, found);
        }
    }

    fn constant(&self, value: Const) -> Option<Interval> {
        Interval::of_type(value.ty)?;
        let value = value.as_i128();
        Some(Interval { low: value, high: value })
    }

    fn operation(&self, op: &Op) -> Option<Interval> {
        match op.operation()? {
            Operation::Un(op, x) => Some((op.row().interval?)(self.of(x)?)),
            Operation::Bin(op, [x, y]) => (op.row().interval?)(self.of(x)?, self.of(y)?),
            Operation::MulAdd(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program;
    use arrc_syntax::ids::{EntityRef, FuncId};

    /// The interval of the result that the bindings compute from `x`.
    fn found(result: &str) -> Option<Interval> {
        let program = program(&format!("def f (x: i64): i64 =\n  {result}\n"));
        let function = &program.functions[FuncId::new(0)];
        let mut intervals = Intervals::new(&function.tables.vars);
        intervals.block(&function.body);
        intervals.of(function.body.results[0])
    }

    fn within(low: i128, high: i128) -> Option<Interval> {
        Some(Interval { low, high })
    }

    #[test]
    fn operations_tell_between_which_numbers_their_results_are() {
        assert_eq!(found("x & 3i64"), within(0, 3));
        assert_eq!(found("x & (-4i64)").map(|i| i.low < 0), Some(true));
        assert_eq!(found("x % 4i64"), within(0, 3));
        assert_eq!(found("x %% 4i64"), within(-3, 3));
        let clamped = "let low = i64.max x 0i64 let t = i64.min low 2i64 in t";
        assert_eq!(found(clamped), within(0, 2));
        assert_eq!(found("let few = x & 3i64 let t = few - 5i64 in t"), within(-5, -2));
    }

    #[test]
    fn sums_that_may_wrap_tell_nothing() {
        let all = found("x");
        assert_eq!(found("x + 1i64"), all);
        assert_eq!(found("x * x"), all);
    }
}
