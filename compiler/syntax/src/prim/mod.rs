//! Scalar types and scalar operations, with their meaning.
//!
//! Invariant: an operation here is total on its operand types except where [`BinOp::traps`] says
//! otherwise; the compiled code and the interpreter both follow this file.

mod binary;
mod description;
pub mod elementary;
mod interval;
mod relation;
mod unary;

use std::fmt;

pub use arr_abi::Scalar;
pub use binary::{BinOp, Binary};
pub use description::{
    BinaryInterval, BinaryRecipe, Cost, FloatBinary, FloatUnary, Floats, Implementation, Int,
    IntBinary, IntUnary, Lowering, Neutral, Reassociation, ResultType, Trap, TruthBinary,
    TruthUnary, UnaryInterval, UnaryRecipe,
};
pub use interval::Interval;
pub use relation::Relation;
pub use unary::{UnOp, Unary};

/// How often `a * b + c` of floats is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// Once: `fma`.
    Once,
    /// Once or twice: the sum of a `reduce`, which may be contracted. The machine's instructions decide.
    Any,
}

impl Rounding {
    /// The operation's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Once => "fma",
            Self::Any => "muladd",
        }
    }
}

/// A scalar constant. Floats are kept as bits, so that equality and hashing are exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Const {
    /// The type.
    pub ty: Scalar,
    /// The value's bits: integers sign- or zero-extended to 64 bits, floats as their IEEE bits,
    /// `bool` as 0 or 1.
    pub bits: u64,
}

impl Const {
    /// An integer of type `ty`, wrapped to its width.
    ///
    /// # Panics
    /// If `ty` is not an integer type.
    #[must_use]
    pub fn int(ty: Scalar, value: i128) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let bits = match ty {
            Scalar::I8 => i64::from(value as i8) as u64,
            Scalar::I16 => i64::from(value as i16) as u64,
            Scalar::I32 => i64::from(value as i32) as u64,
            Scalar::I64 => value as i64 as u64,
            Scalar::U8 => u64::from(value as u8),
            Scalar::U16 => u64::from(value as u16),
            Scalar::U32 => u64::from(value as u32),
            Scalar::U64 => value as u64,
            Scalar::Bool | Scalar::F32 | Scalar::F64 => {
                panic!("an integer constant has an integer type, not {ty}")
            }
        };
        Self { ty, bits }
    }

    /// Zero of any type; `false` of `bool`.
    #[must_use]
    pub fn zero(ty: Scalar) -> Self {
        Self { ty, bits: 0 }
    }

    /// An `i64`, the type of sizes and indices.
    #[must_use]
    pub fn i64(value: i64) -> Self {
        Self::int(Scalar::I64, i128::from(value))
    }

    /// A float of type `ty`, rounded to its precision.
    ///
    /// # Panics
    /// If `ty` is not a float type.
    #[must_use]
    pub fn float(ty: Scalar, value: f64) -> Self {
        #[allow(clippy::cast_possible_truncation)]
        let bits = match ty {
            Scalar::F32 => u64::from((value as f32).to_bits()),
            Scalar::F64 => value.to_bits(),
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64 => panic!("a float constant has a float type, not {ty}"),
        };
        Self { ty, bits }
    }

    /// The highest number of a numeric type; infinity of a float type.
    ///
    /// # Panics
    /// If the type has no numbers.
    #[must_use]
    pub fn highest(ty: Scalar) -> Self {
        if ty.is_float() {
            return Self::float(ty, f64::INFINITY);
        }
        let bits = ty.bytes() * 8 - u32::from(ty.is_signed());
        Self::int(ty, (1i128 << bits) - 1)
    }

    /// The lowest number of a numeric type; negative infinity of a float type.
    ///
    /// # Panics
    /// If the type has no numbers.
    #[must_use]
    pub fn lowest(ty: Scalar) -> Self {
        if ty.is_float() {
            return Self::float(ty, f64::NEG_INFINITY);
        }
        let magnitude = 1i128 << (ty.bytes() * 8 - 1);
        Self::int(ty, if ty.is_signed() { -magnitude } else { 0 })
    }

    /// A truth value.
    #[must_use]
    pub fn bool(value: bool) -> Self {
        Self { ty: Scalar::Bool, bits: u64::from(value) }
    }

    /// The value of a float constant.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        if self.ty == Scalar::F32 {
            f64::from(f32::from_bits(u32::try_from(self.bits).expect("an f32 has 32 bits")))
        } else {
            f64::from_bits(self.bits)
        }
    }

    /// The value of an integer constant.
    #[must_use]
    pub fn as_i128(self) -> i128 {
        if self.ty.is_signed() {
            i128::from(self.bits.cast_signed())
        } else {
            i128::from(self.bits)
        }
    }
}

impl From<bool> for Const {
    fn from(value: bool) -> Self {
        Self::bool(value)
    }
}

impl From<u32> for Const {
    fn from(value: u32) -> Self {
        Self { ty: Scalar::U32, bits: value.into() }
    }
}

impl From<u64> for Const {
    fn from(value: u64) -> Self {
        Self { ty: Scalar::U64, bits: value }
    }
}

impl From<f32> for Const {
    fn from(value: f32) -> Self {
        Self { ty: Scalar::F32, bits: value.to_bits().into() }
    }
}

impl From<f64> for Const {
    fn from(value: f64) -> Self {
        Self { ty: Scalar::F64, bits: value.to_bits() }
    }
}

/// As an Arr literal that reads back as the same value: `3i64`, `0.5f64`, `f64.inf`, `true`.
impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty {
            Scalar::Bool => write!(f, "{}", self.bits != 0),
            Scalar::F32 | Scalar::F64 => {
                let value = self.as_f64();
                if value.is_nan() {
                    write!(f, "{}.nan", self.ty)
                } else if value.is_infinite() {
                    write!(f, "{}{}.inf", if value < 0.0 { "-" } else { "" }, self.ty)
                } else if self.ty == Scalar::F32 {
                    write!(
                        f,
                        "{:?}f32",
                        f32::from_bits(u32::try_from(self.bits).expect("an f32 has 32 bits"))
                    )
                } else {
                    write!(f, "{value:?}f64")
                }
            }
            Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64 => write!(f, "{}{}", self.as_i128(), self.ty),
        }
    }
}
