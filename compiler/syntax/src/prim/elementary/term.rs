//! Terms: values of a machine, written as arithmetic.
//!
//! Invariant: a term's operators are the machine's operations, in the order in which they are written.
//!
//! ```text
//! x * 2.0 + y   ⇒   machine.add(machine.mul(x, machine.constant(2.0)), y)
//! ```

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Shl, Shr, Sub};

use super::machine::{Bits, Element, Float, Machine, Number, Table};

/// A value of a machine.
#[derive(Debug)]
pub struct Term<'m, M: Machine, T: Element> {
    machine: &'m M,
    /// The machine's representation of the value.
    pub of: M::Of<T>,
}

impl<M: Machine, T: Element> Clone for Term<'_, M, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Machine, T: Element> Copy for Term<'_, M, T> {}

/// An operand of a term: a term or a constant.
pub trait Operand<'m, M: Machine, T: Element> {
    /// The machine's representation of the value.
    fn of(self, machine: &'m M) -> M::Of<T>;
}

impl<'m, M: Machine, T: Element> Operand<'m, M, T> for Term<'m, M, T> {
    fn of(self, _: &'m M) -> M::Of<T> {
        self.of
    }
}

impl<'m, M: Machine, T: Element> Operand<'m, M, T> for T {
    fn of(self, machine: &'m M) -> M::Of<T> {
        machine.constant(self)
    }
}

macro_rules! operators {
    ($($operator:ident, $method:ident, $operation:ident, $of:ident;)*) => {$(
        impl<'m, M: Machine, T: $of, R: Operand<'m, M, T>> $operator<R> for Term<'m, M, T> {
            type Output = Self;

            fn $method(self, other: R) -> Self {
                self.with(self.machine.$operation(self.of, other.of(self.machine)))
            }
        }
    )*};
}

operators! {
    Add, add, add, Number;
    Sub, sub, sub, Number;
    Mul, mul, mul, Number;
    Div, div, div, Float;
    BitAnd, bitand, and, Bits;
    BitOr, bitor, or, Bits;
    BitXor, bitxor, xor, Bits;
    Shl, shl, shl, Bits;
    Shr, shr, shr, Bits;
}

impl<'m, M: Machine, T: Element> Term<'m, M, T> {
    /// A value of this machine.
    pub fn new(machine: &'m M, of: M::Of<T>) -> Self {
        Self { machine, of }
    }

    /// Another value of the same machine.
    pub fn with<U: Element>(self, of: M::Of<U>) -> Term<'m, M, U> {
        Term { machine: self.machine, of }
    }

    /// A constant of the same machine.
    pub fn like<U: Element>(self, value: U) -> Term<'m, M, U> {
        self.with(self.machine.constant(value))
    }
}

impl<'m, M: Machine, T: Number> Term<'m, M, T> {
    /// Whether this number is less than the other.
    pub fn below(self, other: impl Operand<'m, M, T>) -> Term<'m, M, bool> {
        self.with(self.machine.less(self.of, other.of(self.machine)))
    }

    /// Whether this number is greater than the other.
    pub fn above(self, other: impl Operand<'m, M, T>) -> Term<'m, M, bool> {
        self.with(self.machine.less(other.of(self.machine), self.of))
    }

    /// Whether the two numbers are equal.
    pub fn same(self, other: impl Operand<'m, M, T>) -> Term<'m, M, bool> {
        self.with(self.machine.equal(self.of, other.of(self.machine)))
    }
}

impl<'m, M: Machine, T: Float> Term<'m, M, T> {
    /// The bits.
    pub fn bits(self) -> Term<'m, M, T::Bits> {
        self.with(self.machine.bits(self.of))
    }

    /// The greater of the number and `limit`; NaN stays NaN.
    pub fn at_least(self, limit: T) -> Self {
        self.below(limit).choose(limit, self)
    }

    /// The smaller of the number and `limit`; NaN stays NaN.
    pub fn at_most(self, limit: T) -> Self {
        self.above(limit).choose(limit, self)
    }

    /// `c₀ + c₁ x + c₂ x² …`, evaluated from the last coefficient to the first.
    pub fn polynomial(self, coefficients: &[T]) -> Self {
        let (&last, rest) = coefficients.split_last().expect("a polynomial has coefficients");
        rest.iter().rev().fold(self.like(last), |sum, &coefficient| sum * self + coefficient)
    }

    /// The result of a branch: the quick way, or the slow way in the rare cases where the quick one is not valid.
    pub fn fast_path(
        self,
        cond: Term<'m, M, bool>,
        quick: impl FnOnce() -> Self,
        slow: impl FnOnce() -> Self,
    ) -> Self {
        self.with(self.machine.fast_path::<T>(cond.of, || quick().of, || slow().of))
    }
}

impl<'m, M: Machine> Term<'m, M, bool> {
    /// `cond ? yes : no`.
    pub fn choose<T: Element>(
        self,
        yes: impl Operand<'m, M, T>,
        no: impl Operand<'m, M, T>,
    ) -> Term<'m, M, T> {
        let machine = self.machine;
        self.with(machine.select(self.of, yes.of(machine), no.of(machine)))
    }

    /// Both conditions.
    pub fn and(self, other: Self) -> Self {
        self.with(self.machine.all(self.of, other.of))
    }

    /// One condition or both.
    pub fn or(self, other: Self) -> Self {
        self.with(self.machine.any(self.of, other.of))
    }
}

impl<'m, M: Machine> Term<'m, M, f32> {
    /// The same number as an `f64`.
    pub fn widen(self) -> Term<'m, M, f64> {
        self.with(self.machine.widen(self.of))
    }
}

impl<'m, M: Machine> Term<'m, M, f64> {
    /// The nearest `f32`.
    pub fn narrow(self) -> Term<'m, M, f32> {
        self.with(self.machine.narrow(self.of))
    }
}

impl<'m, M: Machine, B: Bits> Term<'m, M, B> {
    /// The float with these bits.
    pub fn float<T: Float<Bits = B>>(self) -> Term<'m, M, T> {
        self.with(self.machine.of_bits::<T>(self.of))
    }
}

impl<'m, M: Machine> Term<'m, M, u64> {
    /// The lower half of the bits.
    pub fn low(self) -> Term<'m, M, u32> {
        self.with(self.machine.low(self.of))
    }

    /// The upper half of a product.
    pub fn mul_hi(self, other: Self) -> Self {
        self.with(self.machine.mul_hi(self.of, other.of))
    }

    /// The entry of a table at this position.
    pub fn entry(self, table: &'static Table) -> Self {
        self.with(self.machine.entry(table, self.of))
    }
}
