//! The values of sizes while the program runs.
//!
//! `i64` arithmetic wraps, sizes do not: `n * m` elements are never fewer than `n` rows of `m`. The sizes that a
//! program computes are computed here, and a size that needs more than 63 bits is a run-time error.
//!
//! Invariant: a size that is computed here is the exact number; a check that is known to hold is not emitted.
//!
//! ```text
//! size_product(n, m)  ⇒ t = n * m; h = mul_hi n m; s = t >> 63; ok = h == s; assert ok "size " n " * " m " is too large"
//! size_sum(n, m)      ⇒ t = n + m; ok = t >= n; assert ok …          of arrays in memory: t = n + m
//! ```

use super::build::Builder;
use super::check::number;
use crate::cnf::{Assertion, Atom, Extent, Op, SizeDef, Type};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{SizeId, VarId};
use arrc_syntax::prim::{BinOp, Const};
use arrc_syntax::source::Span;

/// A size needs no more bits than this.
const MAX_BITS: u32 = 63;
/// The length of an array in memory needs no more bits, since addresses have no more.
const ADDRESS_BITS: u32 = 57;

impl Builder {
    /// The call fails with that message unless the condition holds.
    pub(super) fn check(&mut self, cond: Atom, failure: Failure<Atom>, span: Span) {
        if cond != Const::bool(true).into() {
            self.emit(Op::Assert(Assertion { cond, failure }), Vec::new(), span);
        }
    }

    /// Checks that a size is not negative; `what` names its owner.
    pub(super) fn check_size(&mut self, size: Atom, what: &str, span: Span) {
        if self.bits(size).is_some() {
            return;
        }
        let holds = self.bin(BinOp::Ge, size, number(0), span);
        self.check(holds, Failure::negative_size(size, what), span);
    }

    /// The value of an extent, after checking that it is a size; `what` names its owner.
    pub(super) fn checked_extent(&mut self, extent: Extent, what: &str, span: Span) -> Atom {
        let value = self.size_value(extent, span);
        let value = value.expect("what is checked of a size is known where it is checked");
        if !self.is_size(extent) {
            self.check_size(value, what, span);
        }
        value
    }

    /// Whether an extent is known to be a size.
    pub(super) fn is_size(&self, extent: Extent) -> bool {
        self.extent_bits(extent).is_some()
    }

    /// `x + y`.
    pub(super) fn size_sum(&mut self, x: Atom, y: Atom, span: Span) -> Atom {
        if y == number(0) {
            return x;
        }
        let sum = self.bin(BinOp::Add, x, y, span);
        let (a, b) = (self.bits(x), self.bits(y));
        let fits = a.zip(b).is_some_and(|(a, b)| a.max(b) < MAX_BITS);
        // A difference of two sizes cannot overflow.
        let falls =
            [(a, y), (b, x)].iter().any(|(bits, other)| bits.is_some() && is_negative(*other));
        if fits || falls {
            return sum;
        }
        let holds = match (a, b) {
            (_, Some(_)) => self.bin(BinOp::Ge, sum, x, span),
            (Some(_), None) => self.bin(BinOp::Ge, sum, y, span),
            // The sum has wrapped if its sign differs from the signs of both numbers.
            (None, None) => {
                let signs = [x, y].map(|part| self.bin(BinOp::Xor, part, sum, span));
                let wrapped = self.bin(BinOp::And, signs[0], signs[1], span);
                self.bin(BinOp::Ge, wrapped, number(0), span)
            }
        };
        self.check(holds, Failure::size_overflow(x, '+', y), span);
        sum
    }

    /// `x * y`.
    pub(super) fn size_product(&mut self, x: Atom, y: Atom, span: Span) -> Atom {
        if x == number(1) {
            return y;
        }
        let product = self.bin(BinOp::Mul, x, y, span);
        let fits = match (self.bits(x), self.bits(y)) {
            (Some(a), Some(b)) => a + b <= MAX_BITS,
            (Some(_), None) => y == number(-1),
            (None, Some(_)) => x == number(-1),
            (None, None) => false,
        };
        if !fits {
            let upper = self.bin(BinOp::MulHi, x, y, span);
            let sign = self.bin(BinOp::Shr, product, number(i64::from(MAX_BITS)), span);
            let holds = self.bin(BinOp::Eq, upper, sign, span);
            self.check(holds, Failure::size_overflow(x, '*', y), span);
        }
        product
    }

    /// How many bits a size needs at most, if it is known not to be negative.
    pub(super) fn bits(&self, size: Atom) -> Option<u32> {
        match size {
            Atom::Const(value) => bits_of(i64::try_from(value.as_i128()).ok()?),
            Atom::Var(var) => self.extents[var].and_then(|extent| self.extent_bits(extent)),
        }
    }

    /// As [`Self::bits`], of an extent.
    pub(super) fn extent_bits(&self, extent: Extent) -> Option<u32> {
        let size = match extent {
            Extent::Const(value) => return bits_of(value),
            Extent::Size(size) => size,
        };
        if self.stored(size).is_some() {
            return Some(ADDRESS_BITS);
        }
        let both = |left, right| {
            let [left, right] = SizeDef::both([left, right], |part| self.extent_bits(part));
            left.zip(right)
        };
        if let SizeDef::Product(left, right) = self.sizes[size].def
            && self.is_matrix(left, right)
        {
            return Some(ADDRESS_BITS);
        }
        let known = match self.sizes[size].def {
            SizeDef::Param | SizeDef::Exists => Some(MAX_BITS),
            SizeDef::Value(_) => None,
            SizeDef::Sum(left, right) => both(left, right).map(|(a, b)| a.max(b) + 1),
            SizeDef::Product(left, right) => both(left, right).map(|(a, b)| a + b),
        };
        let has = |&(array, _): &(VarId, usize)| self.in_scope(array);
        let some = self.witnesses[size].iter().any(has).then_some(MAX_BITS);
        known.filter(|&bits| bits <= MAX_BITS).or(some)
    }

    /// Whether there can be a matrix of that many rows and columns in memory, so that the number of its elements does
    /// not overflow.
    pub(super) fn is_matrix(&self, rows: Extent, columns: Extent) -> bool {
        let Extent::Size(size) = rows else { return false };
        self.witnesses[size].iter().any(|&(array, _)| {
            let ty = &self.vars[array].ty;
            self.in_scope(array)
                && self.is_stored(array)
                && matches!(ty, Type::Array { shape, .. } if **shape == [rows, columns])
        })
    }

    /// A one-dimensional array of that length that is in memory whatever uses it.
    pub(super) fn stored(&self, size: SizeId) -> Option<(VarId, usize)> {
        let is_stored = |&(array, _): &(VarId, usize)| {
            let ty = &self.vars[array].ty;
            self.in_scope(array)
                && self.is_stored(array)
                && matches!(ty, Type::Array { shape, .. } if shape.len() == 1)
        };
        self.witnesses[size].iter().copied().find(is_stored)
    }
}

fn bits_of(value: i64) -> Option<u32> {
    u64::try_from(value).ok().map(|value| u64::BITS - value.leading_zeros())
}

fn is_negative(atom: Atom) -> bool {
    matches!(atom, Atom::Const(value) if value.as_i128() < 0)
}
