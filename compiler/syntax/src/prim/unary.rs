//! The operations on one scalar: each is described once, here.
//!
//! Invariant: an operation is defined on the types that its row has a meaning for, and is total on them.
//!
//! ```text
//! UnOp::Sqrt on f64: f64.sqrt     UnOp::Popc on u8: u8.popc     UnOp::To(I64) on f32: i64.f32
//! ```

use arr_libm::Libm;

use super::description::{
    Cost, FloatUnary, Floats, Implementation, IntUnary, Lowering, ResultType, TruthUnary,
    UnaryInterval, UnaryRecipe as Recipe, float, operations,
};
use super::elementary::{Compute, Elementary};
use super::interval::Interval;
use super::{Const, Scalar};

/// The description of an operation on one scalar: a row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Unary {
    /// The name in a type's module.
    pub name: &'static str,
    /// Its sign before the operand, if it is an operator.
    pub sign: Option<&'static str>,
    /// The type of the result.
    pub gives: ResultType,
    /// The operation on integers.
    pub int: Option<Implementation<IntUnary, Recipe>>,
    /// The operation on floats.
    pub float: Option<Implementation<FloatUnary, Recipe>>,
    /// The operation on truth values.
    pub bool: Option<Implementation<TruthUnary, Recipe>>,
    /// Whether every machine computes the same bits.
    pub exact: bool,
    /// The float type on which it is computed by arithmetic. On the other float type it is a call.
    pub elementary: Option<Scalar>,
    /// The bounds of the result.
    pub interval: Option<UnaryInterval>,
}

/// An empty row.
const ROW: Unary = Unary {
    name: "",
    sign: None,
    gives: ResultType::Same,
    int: None,
    float: None,
    bool: None,
    exact: true,
    elementary: None,
    interval: None,
};

const fn int(
    eval: IntUnary,
    recipe: Recipe,
    cost: Cost,
) -> Option<Implementation<IntUnary, Recipe>> {
    Some(Implementation { eval, code: Lowering::Recipe(recipe), cost })
}

/// A count of bits, as an `i32`.
const fn count(name: &'static str, eval: IntUnary, intrinsic: &'static str) -> Unary {
    Unary {
        name,
        gives: ResultType::Always(Scalar::I32),
        int: int(eval, Recipe::CountBits(intrinsic), Cost::QuickAlone),
        interval: Some(|_| Interval { low: 0, high: 64 }),
        ..ROW
    }
}

/// A function of floats that gives the same bits on every machine.
const fn exact(name: &'static str, float: Option<Implementation<FloatUnary, Recipe>>) -> Unary {
    Unary { name, float, ..ROW }
}

/// A function of floats that the C library has.
const fn library(name: &'static str, float: Option<Implementation<FloatUnary, Recipe>>) -> Unary {
    Unary { name, float, exact: false, ..ROW }
}

/// A function of floats that is computed by arithmetic.
macro_rules! elementary {
    ($function:ident) => {
        exact(
            Elementary::$function.name(),
            float!(
                |x| x.compute(Elementary::$function),
                Lowering::Elementary(Elementary::$function),
                Elementary
            ),
        )
    };
}

operations! {
    /// An operation on one scalar.
    UnOp: Unary, Recipe,
    others {
        /// Conversion to that type, from any. Float to integer truncates and saturates, NaN is 0; to `bool`
        /// is `!= 0`. Integer to integer keeps the low bits, and brings in zeros above them if either type is
        /// unsigned, copies of the sign if both are signed.
        To(Scalar) = Unary { name: "to", interval: Some(|x| x), ..ROW }, Lowering::Recipe(Recipe::Convert),
    }

    /// Arithmetic negation, wrapping; numeric types.
    Neg = Unary {
        name: "neg",
        sign: Some("-"),
        int: int(|x| -x.value, Recipe::Negate, Cost::Quick),
        float: float!(|x| -x, Lowering::Recipe(Recipe::Negate), Quick),
        ..ROW
    },
    /// `!`: logical on `bool`, bitwise on integers.
    Not = Unary {
        name: "not",
        sign: Some("!"),
        int: int(|x| !x.value, Recipe::Complement, Cost::Quick),
        bool: Some(Implementation { eval: |x| !x, code: Lowering::Recipe(Recipe::Complement), cost: Cost::Quick }),
        ..ROW
    },
    /// Absolute value, wrapping at the lowest integer; numeric types.
    Abs = Unary {
        name: "abs",
        int: int(|x| x.value.abs(), Recipe::Magnitude, Cost::Quick),
        float: float!(|x| x.abs(), Lowering::Intrinsic("llvm.fabs"), Quick),
        ..ROW
    },
    /// Sign, -1, 0 or 1 of the same type; numeric types. Float zeros keep their sign, and NaN stays NaN.
    Signum = Unary {
        name: "sgn",
        int: int(|x| x.value.signum(), Recipe::Sign, Cost::Quick),
        float: float!(
            |x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { x },
            Lowering::Recipe(Recipe::Sign),
            Quick
        ),
        ..ROW
    },
    /// How many bits are 1: integer to `i32`.
    Popc = count("popc", |x| x.bits.count_ones().into(), "llvm.ctpop"),
    /// How many bits are 0 before the highest 1, the width if there is none: integer to `i32`.
    Clz = count("clz", |x| (x.bits.leading_zeros() - (64 - x.width)).into(), "llvm.ctlz"),
    /// How many bits are 0 behind the lowest 1, the width if there is none: integer to `i32`.
    Ctz = count("ctz", |x| x.bits.trailing_zeros().min(x.width).into(), "llvm.cttz"),
    /// Whether not a number: float to `bool`.
    IsNan = Unary {
        name: "isnan",
        gives: ResultType::Always(Scalar::Bool),
        float: float!(|x| x.is_nan(), Lowering::Recipe(Recipe::IsNan), Quick),
        ..ROW
    },
    /// Whether infinite: float to `bool`.
    IsInf = Unary {
        name: "isinf",
        gives: ResultType::Always(Scalar::Bool),
        float: float!(|x| x.is_infinite(), Lowering::Recipe(Recipe::IsInfinite), Quick),
        ..ROW
    },
    /// The bits of a float, as an unsigned integer of its width. All NaNs give the same bits.
    ToBits = Unary {
        name: "to_bits",
        gives: ResultType::Bits,
        float: Some(Implementation {
            eval: Floats {
                f32: |x| Const::from(if x.is_nan() { f32::NAN } else { x }.to_bits()),
                f64: |x| Const::from(if x.is_nan() { f64::NAN } else { x }.to_bits()),
            },
            code: Lowering::Recipe(Recipe::ToBits),
            cost: Cost::Quick,
        }),
        ..ROW
    },
    /// The float with these bits: `u32` to `f32`, `u64` to `f64`.
    FromBits = Unary {
        name: "from_bits",
        gives: ResultType::FloatOfBits,
        int: int(|x| x.bits.into(), Recipe::FromBits, Cost::Quick),
        ..ROW
    },
    /// An unsigned number of the same width, whose order is that of `<=`. Zeros of both signs give one number, and
    /// all NaNs give one number above all others.
    Order = Unary {
        name: "order",
        gives: ResultType::Unsigned,
        int: int(
            |x| if x.signed { x.value + (1 << (x.width - 1)) } else { x.value },
            Recipe::Order,
            Cost::Quick,
        ),
        float: Some(Implementation {
            eval: Floats {
                f32: |x| {
                    let bits = (x + 0.0).to_bits();
                    let order = if x < 0.0 { !bits } else { bits | (1 << 31) };
                    Const::from(if x.is_nan() { u32::MAX } else { order })
                },
                f64: |x| {
                    let bits = (x + 0.0).to_bits();
                    let order = if x < 0.0 { !bits } else { bits | (1 << 63) };
                    Const::from(if x.is_nan() { u64::MAX } else { order })
                },
            },
            code: Lowering::Recipe(Recipe::Order),
            cost: Cost::Quick,
        }),
        ..ROW
    },
    /// Square root, correctly rounded.
    Sqrt = exact("sqrt", float!(|x| x.sqrt(), Lowering::Intrinsic("llvm.sqrt"), Slow)),
    /// Towards negative infinity.
    Floor = exact("floor", float!(|x| x.floor(), Lowering::Intrinsic("llvm.floor"), Rounding)),
    /// Towards positive infinity.
    Ceil = exact("ceil", float!(|x| x.ceil(), Lowering::Intrinsic("llvm.ceil"), Rounding)),
    /// To nearest, halves to even: in the default environment, which LLVM assumes, that is `rint`.
    Round = exact("round", float!(|x| x.round_ties_even(), Lowering::Intrinsic("llvm.rint"), Rounding)),
    /// Towards zero.
    Trunc = exact("trunc", float!(|x| x.trunc(), Lowering::Intrinsic("llvm.trunc"), Rounding)),
    /// e to the power.
    Exp = elementary!(Exp),
    /// 2 to the power.
    Exp2 = elementary!(Exp2),
    /// e to the power, minus 1: accurate near 0.
    Expm1 = library("expm1", float!(|x| Libm::expm1(x), Lowering::Library("expm1"), Call)),
    /// Natural logarithm.
    Log = elementary!(Log),
    /// Logarithm to the base 2.
    Log2 = elementary!(Log2),
    /// Logarithm to the base 10.
    Log10 = library("log10", float!(|x| Libm::log10(x), Lowering::Math("llvm.log10"), Call)),
    /// Natural logarithm of 1 + x: accurate near 0.
    Log1p = library("log1p", float!(|x| Libm::log1p(x), Lowering::Library("log1p"), Call)),
    /// Sine, of radians.
    Sin = elementary!(Sin),
    /// Cosine, of radians.
    Cos = elementary!(Cos),
    /// Tangent, of radians.
    Tan = library("tan", float!(|x| Libm::tan(x), Lowering::Math("llvm.tan"), Call)),
    /// Arc sine, in radians.
    Asin = library("asin", float!(|x| Libm::asin(x), Lowering::Math("llvm.asin"), Call)),
    /// Arc cosine, in radians.
    Acos = library("acos", float!(|x| Libm::acos(x), Lowering::Math("llvm.acos"), Call)),
    /// Arc tangent, in radians.
    Atan = library("atan", float!(|x| Libm::atan(x), Lowering::Math("llvm.atan"), Call)),
    /// Hyperbolic sine.
    Sinh = library("sinh", float!(|x| Libm::sinh(x), Lowering::Math("llvm.sinh"), Call)),
    /// Hyperbolic cosine.
    Cosh = library("cosh", float!(|x| Libm::cosh(x), Lowering::Math("llvm.cosh"), Call)),
    /// Hyperbolic tangent.
    Tanh = elementary!(Tanh),
    /// Inverse of the hyperbolic sine.
    Asinh = library("asinh", float!(|x| Libm::asinh(x), Lowering::Library("asinh"), Call)),
    /// Inverse of the hyperbolic cosine.
    Acosh = library("acosh", float!(|x| Libm::acosh(x), Lowering::Library("acosh"), Call)),
    /// Inverse of the hyperbolic tangent.
    Atanh = library("atanh", float!(|x| Libm::atanh(x), Lowering::Library("atanh"), Call)),
    /// The gamma function.
    Gamma = library("gamma", float!(|x| Libm::gamma(x), Lowering::Library("tgamma"), Call)),
    /// Natural logarithm of the gamma function's absolute value.
    Lgamma = library("lgamma", float!(|x| Libm::lgamma(x), Lowering::Library("lgamma"), Call)),
    /// The error function.
    Erf = library("erf", float!(|x| Libm::erf(x), Lowering::Library("erf"), Call)),
    /// 1 minus the error function.
    Erfc = library("erfc", float!(|x| Libm::erfc(x), Lowering::Library("erfc"), Call)),
}

impl UnOp {
    /// The name in the module [`UnOp::module`], as in `f64.sqrt`. For a conversion it is only the name of the target
    /// type, since the name in that module is the source type; see [`UnOp::name_on`].
    #[must_use]
    pub fn name(self) -> &'static str {
        if let Self::To(to) = self { to.name() } else { self.row().name }
    }

    /// The name of the operation on `operand`, in the module [`UnOp::module`].
    #[must_use]
    pub fn name_on(self, operand: Scalar) -> &'static str {
        if matches!(self, Self::To(_)) { operand.name() } else { self.name() }
    }

    /// The type whose module has the operation on `operand`: the result type for conversions and for floats from
    /// bits, and the operand's type otherwise.
    #[must_use]
    pub fn module(self, operand: Scalar) -> Scalar {
        let of_result = matches!(self, Self::To(_)) || self.row().gives == ResultType::FloatOfBits;
        if of_result { self.result(operand) } else { operand }
    }

    /// Whether the operation is defined on `operand`.
    #[must_use]
    pub fn accepts(self, operand: Scalar) -> bool {
        matches!(self, Self::To(_))
            || (self.on(operand).is_some() && self.row().gives.on(operand).is_some())
    }

    /// The type of the result on `operand`.
    ///
    /// # Panics
    /// If the operation is not defined on `operand`.
    #[must_use]
    pub fn result(self, operand: Scalar) -> Scalar {
        if let Self::To(to) = self {
            return to;
        }
        let result = self.row().gives.on(operand);
        result.unwrap_or_else(|| panic!("`{}` is not defined on {operand}", self.name()))
    }

    /// Whether every machine computes the same bits.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.row().exact
    }
}
