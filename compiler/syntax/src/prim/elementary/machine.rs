//! Machines that compute elementary functions: Rust on numbers, or a code generator on values of its own.
//!
//! Invariant: each operation here is an IEEE operation that rounds to nearest, or an operation on integers that
//! wraps. No two operations are contracted into one. So every machine computes the same bits.
//!
//! ```text
//! (x * 2.0 + y) by HostMachine, x = 3, y = 1   ⇒   7      by LLVM's builder   ⇒   fmul, fadd
//! ```

use crate::prim::{Const, Scalar};

/// A type of values that a machine computes with.
pub trait Element: Copy + Into<Const> + 'static {
    /// The type in Arr.
    const TYPE: Scalar;
}

/// A type with arithmetic. The arithmetic of integers wraps.
pub trait Number: Element {
    /// The sum.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// The product.
    #[must_use]
    fn times(self, other: Self) -> Self;
    /// Whether this number is less than the other.
    fn below(self, other: Self) -> bool;
    /// Whether the two numbers are equal.
    fn same(self, other: Self) -> bool;
}

/// A float type.
pub trait Float: Number {
    /// The unsigned integers of its width.
    type Bits: Bits;
    /// The quotient.
    #[must_use]
    fn over(self, other: Self) -> Self;
    /// The bits.
    fn bits(self) -> Self::Bits;
    /// The float with these bits.
    fn of_bits(bits: Self::Bits) -> Self;
}

/// An unsigned integer type.
pub trait Bits: Number {
    /// The bits that both have.
    #[must_use]
    fn bit_and(self, other: Self) -> Self;
    /// The bits that at least one has.
    #[must_use]
    fn bit_or(self, other: Self) -> Self;
    /// The bits that exactly one has.
    #[must_use]
    fn bit_xor(self, other: Self) -> Self;
    /// The bits shifted to the left, by less than the width.
    #[must_use]
    fn shift_left(self, by: Self) -> Self;
    /// The bits shifted to the right, by less than the width.
    #[must_use]
    fn right(self, by: Self) -> Self;
    /// A small number.
    fn small(value: u8) -> Self;
}

/// A table of constants.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its entries.
    pub entries: &'static [u64],
}

/// Computes elementary functions with values of its own.
pub trait Machine {
    /// The representation of a value: the value itself, or the result of an instruction for one step or for several.
    type Of<T: Element>: Copy;

    /// A constant.
    fn constant<T: Element>(&self, value: T) -> Self::Of<T>;
    /// The sum.
    fn add<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T>;
    /// The difference.
    fn sub<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T>;
    /// The product.
    fn mul<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T>;
    /// The quotient.
    fn div<T: Float>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T>;
    /// `a < b`.
    fn less<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<bool>;
    /// `a == b`.
    fn equal<T: Number>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<bool>;
    /// Both conditions.
    fn all(&self, a: Self::Of<bool>, b: Self::Of<bool>) -> Self::Of<bool>;
    /// One condition or both.
    fn any(&self, a: Self::Of<bool>, b: Self::Of<bool>) -> Self::Of<bool>;
    /// `a & b`.
    fn and<T: Bits>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T>;
    /// `a | b`.
    fn or<T: Bits>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T>;
    /// `a ^ b`.
    fn xor<T: Bits>(&self, a: Self::Of<T>, b: Self::Of<T>) -> Self::Of<T>;
    /// `a << by`, by less than the width.
    fn shl<T: Bits>(&self, a: Self::Of<T>, by: Self::Of<T>) -> Self::Of<T>;
    /// `a >> by`, by less than the width, with zeros from above.
    fn shr<T: Bits>(&self, a: Self::Of<T>, by: Self::Of<T>) -> Self::Of<T>;
    /// The upper half of a product.
    fn mul_hi(&self, a: Self::Of<u64>, b: Self::Of<u64>) -> Self::Of<u64>;
    /// `cond ? a : b`.
    fn select<T: Element>(
        &self,
        cond: Self::Of<bool>,
        a: Self::Of<T>,
        b: Self::Of<T>,
    ) -> Self::Of<T>;
    /// The bits of a float.
    fn bits<T: Float>(&self, x: Self::Of<T>) -> Self::Of<T::Bits>;
    /// The float with these bits.
    fn of_bits<T: Float>(&self, bits: Self::Of<T::Bits>) -> Self::Of<T>;
    /// The same number as an `f64`.
    fn widen(&self, x: Self::Of<f32>) -> Self::Of<f64>;
    /// The nearest `f32`.
    fn narrow(&self, x: Self::Of<f64>) -> Self::Of<f32>;
    /// The lower half of the bits.
    fn low(&self, x: Self::Of<u64>) -> Self::Of<u32>;
    /// The entry of a table at the index `at`, which is in bounds.
    fn entry(&self, table: &'static Table, at: Self::Of<u64>) -> Self::Of<u64>;
    /// The result of a branch: the quick way, or the slow way in the rare cases where the quick one is not valid.
    fn fast_path<T: Float>(
        &self,
        cond: Self::Of<bool>,
        quick: impl FnOnce() -> Self::Of<T>,
        slow: impl FnOnce() -> Self::Of<T>,
    ) -> Self::Of<T>;
}

/// The machine that computes with Rust's numbers.
#[derive(Clone, Copy, Debug)]
pub struct HostMachine;

impl Machine for HostMachine {
    type Of<T: Element> = T;

    fn constant<T: Element>(&self, value: T) -> T {
        value
    }
    fn add<T: Number>(&self, a: T, b: T) -> T {
        a.plus(b)
    }
    fn sub<T: Number>(&self, a: T, b: T) -> T {
        a.minus(b)
    }
    fn mul<T: Number>(&self, a: T, b: T) -> T {
        a.times(b)
    }
    fn div<T: Float>(&self, a: T, b: T) -> T {
        a.over(b)
    }
    fn less<T: Number>(&self, a: T, b: T) -> bool {
        a.below(b)
    }
    fn equal<T: Number>(&self, a: T, b: T) -> bool {
        a.same(b)
    }
    fn all(&self, a: bool, b: bool) -> bool {
        a & b
    }
    fn any(&self, a: bool, b: bool) -> bool {
        a | b
    }
    fn and<T: Bits>(&self, a: T, b: T) -> T {
        a.bit_and(b)
    }
    fn or<T: Bits>(&self, a: T, b: T) -> T {
        a.bit_or(b)
    }
    fn xor<T: Bits>(&self, a: T, b: T) -> T {
        a.bit_xor(b)
    }
    fn shl<T: Bits>(&self, a: T, by: T) -> T {
        a.shift_left(by)
    }
    fn shr<T: Bits>(&self, a: T, by: T) -> T {
        a.right(by)
    }
    fn mul_hi(&self, a: u64, b: u64) -> u64 {
        let upper = (u128::from(a) * u128::from(b)) >> 64;
        u64::try_from(upper).expect("half of 128 bits")
    }
    fn select<T: Element>(&self, cond: bool, a: T, b: T) -> T {
        if cond { a } else { b }
    }
    fn bits<T: Float>(&self, x: T) -> T::Bits {
        x.bits()
    }
    fn of_bits<T: Float>(&self, bits: T::Bits) -> T {
        T::of_bits(bits)
    }
    fn widen(&self, x: f32) -> f64 {
        x.into()
    }
    #[allow(clippy::cast_possible_truncation, reason = "it rounds to the nearest")]
    fn narrow(&self, x: f64) -> f32 {
        x as f32
    }
    #[allow(clippy::cast_possible_truncation, reason = "the lower half is wanted")]
    fn low(&self, x: u64) -> u32 {
        x as u32
    }
    fn entry(&self, table: &'static Table, at: u64) -> u64 {
        table.entries[usize::try_from(at).expect("tables are small")]
    }
    fn fast_path<T: Float>(
        &self,
        cond: bool,
        quick: impl FnOnce() -> T,
        slow: impl FnOnce() -> T,
    ) -> T {
        if cond { quick() } else { slow() }
    }
}

impl Element for bool {
    const TYPE: Scalar = Scalar::Bool;
}

macro_rules! floats {
    ($($float:ident, $bits:ident, $float_type:ident, $bits_type:ident;)*) => {$(
        impl Element for $float {
            const TYPE: Scalar = Scalar::$float_type;
        }

        impl Number for $float {
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn minus(self, other: Self) -> Self {
                self - other
            }
            fn times(self, other: Self) -> Self {
                self * other
            }
            fn below(self, other: Self) -> bool {
                self < other
            }
            fn same(self, other: Self) -> bool {
                self == other
            }
        }

        impl Float for $float {
            type Bits = $bits;

            fn over(self, other: Self) -> Self {
                self / other
            }
            fn bits(self) -> $bits {
                self.to_bits()
            }
            fn of_bits(bits: $bits) -> Self {
                Self::from_bits(bits)
            }
        }

        impl Element for $bits {
            const TYPE: Scalar = Scalar::$bits_type;
        }

        impl Number for $bits {
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn below(self, other: Self) -> bool {
                self < other
            }
            fn same(self, other: Self) -> bool {
                self == other
            }
        }

        impl Bits for $bits {
            fn bit_and(self, other: Self) -> Self {
                self & other
            }
            fn bit_or(self, other: Self) -> Self {
                self | other
            }
            fn bit_xor(self, other: Self) -> Self {
                self ^ other
            }
            fn shift_left(self, by: Self) -> Self {
                self << by
            }
            fn right(self, by: Self) -> Self {
                self >> by
            }
            fn small(value: u8) -> Self {
                value.into()
            }
        }
    )*};
}

floats! {
    f32, u32, F32, U32;
    f64, u64, F64, U64;
}
