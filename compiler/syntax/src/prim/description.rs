//! The description of an operation on scalars: the columns of the tables in [`super::unary`] and [`super::binary`].
//!
//! Invariant: everything here is data. Code that evaluates, simplifies, measures or compiles an operation asks the
//! operation's row, and does not list operations itself.

use arr_abi::ErrorCode;

use super::elementary::Elementary;
use super::interval::Interval;
use super::{Const, Scalar};

/// An operation on operands of one class (integers, floats or truth values): its meaning, its code and its cost.
#[derive(Clone, Copy, Debug)]
pub struct Implementation<F, R> {
    /// The function that evaluates it.
    pub eval: F,
    /// How compiled code computes it.
    pub code: Lowering<R>,
    /// The cost of that code.
    pub cost: Cost,
}

/// A function of both float types.
#[derive(Clone, Copy, Debug)]
pub struct Floats<F32, F64> {
    /// Of `f32`.
    pub f32: F32,
    /// Of `f64`.
    pub f64: F64,
}

/// A function of one integer, before it wraps.
pub type IntUnary = fn(Int) -> i128;

/// A function of two integers, before it wraps.
pub type IntBinary = fn(Int, Int) -> i128;

/// A function of one truth value.
pub type TruthUnary = fn(bool) -> bool;

/// A function of two truth values.
pub type TruthBinary = fn(bool, bool) -> bool;

/// A function of one float. The result need not be a float.
pub type FloatUnary = Floats<fn(f32) -> Const, fn(f64) -> Const>;

/// A function of two floats.
pub type FloatBinary = Floats<fn(f32, f32) -> Const, fn(f64, f64) -> Const>;

/// An integer operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    /// Its value.
    pub value: i128,
    /// Its bits, zeros above them.
    pub bits: u64,
    /// How many bits its type has.
    pub width: u32,
    /// Whether its type has negative numbers.
    pub signed: bool,
}

impl From<Const> for Int {
    fn from(constant: Const) -> Self {
        let width = constant.ty.bytes() * 8;
        let bits = constant.bits & (u64::MAX >> (64 - width));
        Self { value: constant.as_i128(), bits, width, signed: constant.ty.is_signed() }
    }
}

/// The lowering of an operation: how compiled code computes it, on one value or in each lane of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lowering<R> {
    /// LLVM's intrinsic of this name.
    Intrinsic(&'static str),
    /// LLVM's intrinsic for signed integers, and the one for unsigned integers.
    Signed(&'static str, &'static str),
    /// A function of the C library for which LLVM has an intrinsic, by the intrinsic's name.
    Math(&'static str),
    /// A function of the C library, by its name for `double`.
    Library(&'static str),
    /// Arithmetic that all machines share.
    Elementary(Elementary),
    /// Instructions.
    Recipe(R),
}

/// The instructions for operations on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryRecipe {
    /// One instruction.
    Negate,
    /// One instruction.
    Complement,
    /// The magnitude of an integer.
    Magnitude,
    /// -1, 0 or 1.
    Sign,
    /// A number of bits, as LLVM's intrinsic of that name counts them.
    CountBits(&'static str),
    /// A comparison with itself.
    IsNan,
    /// A comparison with infinity.
    IsInfinite,
    /// The same bits, except that all NaNs get the same ones.
    ToBits,
    /// The same bits.
    FromBits,
    /// The bits as a number in the order of the values.
    Order,
    /// A conversion.
    Convert,
}

/// The instructions for operations on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryRecipe {
    /// One instruction.
    Add,
    /// One instruction.
    Sub,
    /// One instruction.
    Mul,
    /// One instruction.
    And,
    /// One instruction.
    Or,
    /// One instruction.
    Xor,
    /// One instruction, of floats.
    FloatDivide,
    /// The remainder of floats.
    FloatRemainder,
    /// A division of integers.
    Divide {
        /// Rounded down, not towards zero.
        down: bool,
        /// The remainder, not the quotient.
        remainder: bool,
    },
    /// A power of an integer.
    IntPower,
    /// A power of a float.
    FloatPower,
    /// The smaller or larger float.
    Extreme,
    /// The upper half of a product's bits.
    UpperHalf,
    /// A shift to the left.
    ShiftLeft,
    /// A shift to the right. On signed integers, copies of the sign come from the left, unless the shift is logical.
    ShiftRight {
        /// Whether zeros come from the left on signed integers as well.
        logical: bool,
    },
}

/// The cost of an operation; cheaper ones come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cost {
    /// A few instructions, on scalars and in vectors.
    Quick,
    /// A few instructions on scalars; there are none for vectors.
    QuickAlone,
    /// One instruction where the processor can round in one, and a call elsewhere.
    Rounding,
    /// Slow instructions, or instructions with a check, on scalars and in vectors.
    Slow,
    /// Tens of instructions, on scalars and in vectors.
    Elementary,
    /// A call.
    Call,
}

/// The reason for which an operation fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// An integer was divided by zero.
    DivisionByZero,
    /// An integer was raised to a negative power.
    NegativeExponent,
}

impl Trap {
    /// Whether the operation fails on this second operand.
    #[must_use]
    pub fn traps_on(self, operand: i128) -> bool {
        match self {
            Self::DivisionByZero => operand == 0,
            Self::NegativeExponent => operand < 0,
        }
    }

    /// The error code of a call that fails so.
    #[must_use]
    pub fn code(self) -> ErrorCode {
        match self {
            Self::DivisionByZero => ErrorCode::Division,
            Self::NegativeExponent => ErrorCode::Power,
        }
    }
}

/// The type of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultType {
    /// The type of the operands.
    Same,
    /// This type.
    Always(Scalar),
    /// The unsigned integer of a float's width.
    Bits,
    /// The float of an unsigned integer's width.
    FloatOfBits,
    /// The unsigned integer of a number's width.
    Unsigned,
}

impl ResultType {
    /// The result type on this operand, if there is one.
    #[must_use]
    pub fn on(self, operand: Scalar) -> Option<Scalar> {
        match self {
            Self::Same => Some(operand),
            Self::Always(ty) => Some(ty),
            Self::Bits => operand.bits_type(),
            Self::FloatOfBits => operand.float_of_bits(),
            Self::Unsigned => unsigned(operand),
        }
    }
}

/// The unsigned integer type of a number's width.
fn unsigned(number: Scalar) -> Option<Scalar> {
    const UNSIGNED: [Scalar; 4] = [Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64];
    UNSIGNED.into_iter().find(|ty| number.is_numeric() && ty.bytes() == number.bytes())
}

/// Whether a fold by an operation may be reassociated: its freedom to reorder and regroup the elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reassociation {
    /// None: order and grouping stay as they are.
    Ordered,
    /// On integers and truth values any order gives the same result. On floats it does not, since they are rounded.
    Sum,
    /// Any order gives the same result, and so does an element that comes several times.
    Choice,
}

/// The neutral element of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Neutral {
    /// 0.
    Zero,
    /// 1.
    One,
    /// The highest number of the type.
    Highest,
    /// The lowest number of the type.
    Lowest,
}

impl Neutral {
    /// The neutral element of this type. It is also the result for an empty array.
    #[must_use]
    pub fn of(self, ty: Scalar) -> Const {
        match self {
            Self::Zero => Const { ty, bits: 0 },
            Self::One if ty.is_float() => Const::float(ty, 1.0),
            Self::One => Const::int(ty, 1),
            Self::Highest => Const::highest(ty),
            Self::Lowest => Const::lowest(ty),
        }
    }
}

/// The interval of the results, from the interval of the operand.
pub type UnaryInterval = fn(Interval) -> Interval;

/// The interval of the results, from the intervals of two operands; none if nothing is known.
pub type BinaryInterval = fn(Interval, Interval) -> Option<Interval>;

/// A function of one or two floats, from one expression for both float types.
macro_rules! float {
    (|$x:ident| $body:expr, $code:expr, $cost:ident) => {
        Some($crate::prim::description::Implementation {
            eval: $crate::prim::description::Floats {
                f32: |$x: f32| $crate::prim::Const::from($body),
                f64: |$x: f64| $crate::prim::Const::from($body),
            },
            code: $code,
            cost: $crate::prim::description::Cost::$cost,
        })
    };
    (|$x:ident, $y:ident| $body:expr, $code:expr, $cost:ident) => {
        Some($crate::prim::description::Implementation {
            eval: $crate::prim::description::Floats {
                f32: |$x: f32, $y: f32| $crate::prim::Const::from($body),
                f64: |$x: f64, $y: f64| $crate::prim::Const::from($body),
            },
            code: $code,
            cost: $crate::prim::description::Cost::$cost,
        })
    };
}

/// An enumeration of operations. Each operation has the row that describes it.
macro_rules! operations {
    (
        $(#[$enum_doc:meta])* $name:ident: $row:ty, $recipe:ty,
        others { $($(#[$other_doc:meta])* $other:ident($of:ty) = $other_row:expr, $other_code:expr,)* }
        $($(#[$doc:meta])* $op:ident = $description:expr,)*
    ) => {
        $(#[$enum_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $name {
            $($(#[$doc])* $op,)*
            $($(#[$other_doc])* $other($of),)*
        }

        impl $name {
            /// Every operation of the table.
            pub const ALL: &[Self] = &[$(Self::$op),*];

            /// The description of the operation.
            #[must_use]
            pub fn row(self) -> &'static $row {
                match self {
                    $(Self::$op => const { &$description },)*
                    $(Self::$other(_) => const { &$other_row },)*
                }
            }

            /// The code of the operation on `operand`. A comparison has none, since its relation determines its code.
            ///
            /// # Panics
            /// If the operation is not defined on `operand`, or is a comparison.
            #[must_use]
            pub fn code(self, operand: Scalar) -> Lowering<$recipe> {
                let on = self.on(operand);
                on.unwrap_or_else(|| panic!("`{}` has no code on {operand}", self.name())).0
            }

            /// The cost on `operand`.
            ///
            /// # Panics
            /// If the operation is not defined on `operand`.
            #[must_use]
            pub fn cost(self, operand: Scalar) -> Cost {
                assert!(self.accepts(operand), "`{}` is not defined on {operand}", self.name());
                if self.row().elementary == Some(operand) {
                    return Cost::Elementary;
                }
                // A comparison has no code of its own.
                self.on(operand).map_or(Cost::Quick, |(_, cost)| cost)
            }

            /// The greatest cost on any operand.
            #[must_use]
            pub fn greatest_cost(self) -> Cost {
                let defined = Scalar::ALL.into_iter().filter(|&ty| self.accepts(ty));
                defined.map(|ty| self.cost(ty)).max().expect("an operation is defined on some type")
            }

            fn on(self, operand: Scalar) -> Option<(Lowering<$recipe>, Cost)> {
                $(if let Self::$other(_) = self {
                    return Some(($other_code, Cost::Quick));
                })*
                let row = self.row();
                if operand.is_float() {
                    row.float.map(|on| (on.code, on.cost))
                } else if operand == Scalar::Bool {
                    row.bool.map(|on| (on.code, on.cost))
                } else {
                    row.int.map(|on| (on.code, on.cost))
                }
            }
        }
    };
}

pub(super) use {float, operations};
