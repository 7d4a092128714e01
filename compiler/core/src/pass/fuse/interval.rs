//! Between which numbers the integers of a block are, as far as the operations that make them tell.
//!
//! Invariant: an integer of the block is within its interval in every run.
//!
//! ```text
//! t = x & 3; n = to_i64 t; m = if c then n else 1      ⇒ t, n, m: 0 to 3
//! ```

use std::collections::BTreeMap;

use crate::ids::{PrimaryMap, VarId};
use crate::ir::cnf::{Atom, Bind, Block, Op, Type, Var};
use crate::prim::{BinOp, Const, Scalar, UnOp};

/// All integers from the least to the greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) low: i128,
    pub(super) high: i128,
}

/// The intervals of a function's variables, as far as its blocks were looked at.
pub(super) struct Intervals<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    known: BTreeMap<VarId, Interval>,
}

impl Interval {
    /// All numbers of a type; none for floats.
    fn of_type(ty: Scalar) -> Option<Self> {
        if ty == Scalar::Bool {
            return Some(Self { low: 0, high: 1 });
        }
        if !ty.is_integer() {
            return None;
        }
        let bits = ty.bytes() * 8;
        Some(if ty.is_signed() {
            Self { low: -(1 << (bits - 1)), high: (1 << (bits - 1)) - 1 }
        } else {
            Self { low: 0, high: (1 << bits) - 1 }
        })
    }

    fn contains(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Every number of both.
    fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The intervals of results of an operation that grows with, or against, each operand.
    fn corners(self, other: Self, op: impl Fn(i128, i128) -> i128) -> Self {
        let ends = [self.low, self.high].map(|x| [op(x, other.low), op(x, other.high)]);
        let each = || ends.into_iter().flatten();
        let (low, high) = (each().min(), each().max());
        Self { low: low.expect("four ends"), high: high.expect("four ends") }
    }
}

impl<'a> Intervals<'a> {
    /// Nothing is known but types.
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

    /// Looks at a block.
    pub(super) fn block(&mut self, block: &Block) {
        for Bind { vars, op, span: _ } in &block.binds {
            if let Op::If { then, otherwise, .. } = op {
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

    /// What is found out must be possible for the type: sums wrap.
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
        match op {
            Op::Un(UnOp::To(_), x) => self.of(*x),
            Op::Un(UnOp::Popc | UnOp::Clz | UnOp::Ctz, _) => Some(Interval { low: 0, high: 64 }),
            Op::Bin(op, x, y) => self.binary(*op, self.of(*x)?, self.of(*y)?),
            Op::Un(..)
            | Op::Fma(_)
            | Op::Index { .. }
            | Op::Length { .. }
            | Op::Assert { .. }
            | Op::If { .. }
            | Op::Map { .. }
            | Op::Filter { .. }
            | Op::FlatMap { .. }
            | Op::Fold { .. }
            | Op::Scan { .. }
            | Op::Generate { .. }
            | Op::Gather { .. }
            | Op::Cross { .. }
            | Op::Call { .. }
            | Op::Append { .. }
            | Op::Array { .. }
            | Op::Constant(_)
            | Op::Reshape { .. }
            | Op::Loop { .. }
            | Op::Replace { .. } => None,
        }
    }

    fn binary(&self, op: BinOp, x: Interval, y: Interval) -> Option<Interval> {
        match op {
            BinOp::Add => Some(x.corners(y, |x, y| x + y)),
            BinOp::Sub => Some(x.corners(y, |x, y| x - y)),
            BinOp::Mul => {
                // Larger ones do not fit anyway.
                let small = |x: Interval| x.low.abs().max(x.high.abs()) <= 1 << 62;
                (small(x) && small(y)).then(|| x.corners(y, |x, y| x * y))
            }
            BinOp::Min => Some(x.corners(y, i128::min)),
            BinOp::Max => Some(x.corners(y, i128::max)),
            BinOp::And => {
                let ends = [x, y].into_iter().filter(|side| side.low >= 0).map(|side| side.high);
                Some(Interval { low: 0, high: ends.min()? })
            }
            // The sign of the divisor, and that of the dividend.
            BinOp::Mod => (y.low > 0).then(|| Interval { low: 0, high: y.high - 1 }),
            BinOp::Rem => (y.low > 0).then(|| {
                let most = y.high - 1;
                Interval { low: x.low.clamp(-most, 0), high: x.high.clamp(0, most) }
            }),
            BinOp::Div => (y.low > 0).then(|| x.corners(y, i128::div_euclid)),
            BinOp::Quot => (y.low > 0).then(|| x.corners(y, |x, y| x / y)),
            BinOp::Pow
            | BinOp::Atan2
            | BinOp::Hypot
            | BinOp::MulHi
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr
            | BinOp::ShrLogical
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{Builder, int};

    /// The interval of the last variable that the bindings make of an `i64`.
    fn found(of: impl Fn(&mut Builder, Atom) -> Atom) -> Option<Interval> {
        let mut b = Builder::new();
        let x = b.scalar("x", Scalar::I64);
        let result = of(&mut b, Atom::Var(x));
        let function = b.function("f", &[]);
        let mut intervals = Intervals::new(&function.vars);
        intervals.block(&function.body);
        intervals.of(result)
    }

    fn within(low: i128, high: i128) -> Option<Interval> {
        Some(Interval { low, high })
    }

    #[test]
    fn operations_tell_between_which_numbers_their_results_are() {
        assert_eq!(found(|b, x| b.bin("t", BinOp::And, x, int(3))), within(0, 3));
        assert_eq!(found(|b, x| b.bin("t", BinOp::And, x, int(-4))).map(|i| i.low < 0), Some(true));
        assert_eq!(found(|b, x| b.bin("t", BinOp::Mod, x, int(4))), within(0, 3));
        assert_eq!(found(|b, x| b.bin("t", BinOp::Rem, x, int(4))), within(-3, 3));
        let clamped = |b: &mut Builder, x| {
            let low = b.bin("low", BinOp::Max, x, int(0));
            b.bin("t", BinOp::Min, low, int(2))
        };
        assert_eq!(found(clamped), within(0, 2));
        let sum = |b: &mut Builder, x| {
            let few = b.bin("few", BinOp::And, x, int(3));
            b.bin("t", BinOp::Sub, few, int(5))
        };
        assert_eq!(found(sum), within(-5, -2));
    }

    #[test]
    fn sums_that_may_wrap_tell_nothing() {
        let all = found(|_, x| x);
        assert_eq!(found(|b, x| b.bin("t", BinOp::Add, x, int(1))), all);
        assert_eq!(found(|b, x| b.bin("t", BinOp::Mul, x, x)), all);
    }
}
