//! The operations on scalars, and what they mean.
//!
//! Invariant: as `prim` says, total except where [`BinOp::traps`] announces a failure.
//!
//! ```text
//! UnOp::Math(Math::Sqrt) on f64: f64.sqrt     BinOp::Add on i32: (+)     UnOp::Popc on u8: u8.popc
//! ```

use super::Scalar;

/// A function of one float that gives a float of the same type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Math {
    /// Square root, correctly rounded.
    Sqrt,
    /// e to the power.
    Exp,
    /// 2 to the power.
    Exp2,
    /// e to the power, less 1: accurate near 0.
    Expm1,
    /// Natural logarithm.
    Log,
    /// Logarithm to the base 2.
    Log2,
    /// Logarithm to the base 10.
    Log10,
    /// Natural logarithm of 1 more: accurate near 0.
    Log1p,
    /// Sine, of radians.
    Sin,
    /// Cosine, of radians.
    Cos,
    /// Tangent, of radians.
    Tan,
    /// Arc sine, in radians.
    Asin,
    /// Arc cosine, in radians.
    Acos,
    /// Arc tangent, in radians.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse of the hyperbolic sine.
    Asinh,
    /// Inverse of the hyperbolic cosine.
    Acosh,
    /// Inverse of the hyperbolic tangent.
    Atanh,
    /// The gamma function.
    Gamma,
    /// Natural logarithm of the gamma function's absolute value.
    Lgamma,
    /// The error function.
    Erf,
    /// 1 less the error function.
    Erfc,
    /// Towards negative infinity.
    Floor,
    /// Towards positive infinity.
    Ceil,
    /// To nearest, halves to even.
    Round,
    /// Towards zero.
    Trunc,
}

impl Math {
    /// Every function, in the order of this file.
    pub const ALL: [Self; 28] = [
        Self::Sqrt,
        Self::Exp,
        Self::Exp2,
        Self::Expm1,
        Self::Log,
        Self::Log2,
        Self::Log10,
        Self::Log1p,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Asinh,
        Self::Acosh,
        Self::Atanh,
        Self::Gamma,
        Self::Lgamma,
        Self::Erf,
        Self::Erfc,
        Self::Floor,
        Self::Ceil,
        Self::Round,
        Self::Trunc,
    ];

    /// The name in the float type's module.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqrt => "sqrt",
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::Expm1 => "expm1",
            Self::Log => "log",
            Self::Log2 => "log2",
            Self::Log10 => "log10",
            Self::Log1p => "log1p",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Asinh => "asinh",
            Self::Acosh => "acosh",
            Self::Atanh => "atanh",
            Self::Gamma => "gamma",
            Self::Lgamma => "lgamma",
            Self::Erf => "erf",
            Self::Erfc => "erfc",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
            Self::Trunc => "trunc",
        }
    }

    /// Whether every machine computes the same bits: the other functions are as the C library has them.
    #[must_use]
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Sqrt | Self::Floor | Self::Ceil | Self::Round | Self::Trunc)
    }
}

/// An operation on one scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnOp {
    /// Arithmetic negation, wrapping; numeric types.
    Neg,
    /// `!`: logical on `bool`, bitwise on integers.
    Not,
    /// Absolute value, wrapping at the lowest integer; numeric types.
    Abs,
    /// Sign, -1, 0 or 1 of the same type; numeric types.
    Signum,
    /// How many bits are 1: integer to `i32`.
    Popc,
    /// How many bits are 0 before the highest 1, the width if there is none: integer to `i32`.
    Clz,
    /// How many bits are 0 behind the lowest 1, the width if there is none: integer to `i32`.
    Ctz,
    /// A function of floats.
    Math(Math),
    /// Whether not a number: float to `bool`.
    IsNan,
    /// Whether infinite: float to `bool`.
    IsInf,
    /// The bits of a float, as an unsigned integer of its width. All NaNs give the same bits.
    ToBits,
    /// The float with these bits: `u32` to `f32`, `u64` to `f64`.
    FromBits,
    /// Conversion to that type, from any. Float to integer truncates and saturates, NaN is 0; to `bool`
    /// is `!= 0`. Integer to integer keeps the low bits, and brings in zeros above them if either type is
    /// unsigned, copies of the sign if both are signed.
    To(Scalar),
}

impl UnOp {
    /// Every operation but the conversions.
    pub fn plain() -> impl Iterator<Item = Self> {
        let others = [
            Self::Neg,
            Self::Not,
            Self::Abs,
            Self::Signum,
            Self::Popc,
            Self::Clz,
            Self::Ctz,
            Self::IsNan,
            Self::IsInf,
            Self::ToBits,
            Self::FromBits,
        ];
        others.into_iter().chain(Math::ALL.map(Self::Math))
    }

    /// The name in the module that [`UnOp::module`] tells, as in `f64.sqrt`. A conversion is named after the
    /// type that it comes from, so that this is only the half of it; see [`UnOp::name_on`].
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Neg => "neg",
            Self::Not => "not",
            Self::Abs => "abs",
            Self::Signum => "sgn",
            Self::Popc => "popc",
            Self::Clz => "clz",
            Self::Ctz => "ctz",
            Self::Math(math) => math.name(),
            Self::IsNan => "isnan",
            Self::IsInf => "isinf",
            Self::ToBits => "to_bits",
            Self::FromBits => "from_bits",
            Self::To(to) => to.name(),
        }
    }

    /// The name in the module that [`UnOp::module`] tells of the operation on `operand`.
    #[must_use]
    pub fn name_on(self, operand: Scalar) -> &'static str {
        if matches!(self, Self::To(_)) { operand.name() } else { self.name() }
    }

    /// The type in whose module the operation on `operand` is: its result's where it makes a value of
    /// another type.
    #[must_use]
    pub fn module(self, operand: Scalar) -> Scalar {
        match self {
            Self::To(_) | Self::FromBits => self.result(operand),
            Self::Neg
            | Self::Not
            | Self::Abs
            | Self::Signum
            | Self::Popc
            | Self::Clz
            | Self::Ctz
            | Self::Math(_)
            | Self::IsNan
            | Self::IsInf
            | Self::ToBits => operand,
        }
    }

    /// Whether the operation is defined on `operand`.
    #[must_use]
    pub fn accepts(self, operand: Scalar) -> bool {
        match self {
            Self::Neg | Self::Abs | Self::Signum => operand.is_numeric(),
            Self::Not => !operand.is_float(),
            Self::Popc | Self::Clz | Self::Ctz => operand.is_integer(),
            Self::Math(_) | Self::IsNan | Self::IsInf | Self::ToBits => operand.is_float(),
            Self::FromBits => operand.float_of_bits().is_some(),
            Self::To(_) => true,
        }
    }

    /// The type of the result on `operand`.
    ///
    /// # Panics
    /// If the operation is not defined on `operand`.
    #[must_use]
    pub fn result(self, operand: Scalar) -> Scalar {
        match self {
            Self::IsNan | Self::IsInf => Scalar::Bool,
            Self::Popc | Self::Clz | Self::Ctz => Scalar::I32,
            Self::ToBits => operand.bits_type().expect("only floats are asked for their bits"),
            Self::FromBits => operand.float_of_bits().expect("the bits are those of a float"),
            Self::To(to) => to,
            Self::Neg | Self::Not | Self::Abs | Self::Signum | Self::Math(_) => operand,
        }
    }

    /// Whether every machine computes the same bits.
    #[must_use]
    pub fn is_exact(self) -> bool {
        !matches!(self, Self::Math(math) if !math.is_exact())
    }
}

/// An operation on two scalars of the same type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BinOp {
    /// `+`, wrapping.
    Add,
    /// `-`, wrapping.
    Sub,
    /// `*`, wrapping.
    Mul,
    /// `/`: integers towards negative infinity; traps on zero. The lowest integer by -1 wraps.
    Div,
    /// `%`: the remainder of `/`, with the sign of the divisor; traps on zero. On floats a zero has that
    /// sign as well.
    Mod,
    /// `//`: integers, towards zero; traps on zero.
    Quot,
    /// `%%`: integers, the remainder of `//`; traps on zero.
    Rem,
    /// `**`: integers by repeated squaring, wrapping, traps on a negative exponent; floats `x * x` if the
    /// exponent is 2, and `pow`.
    Pow,
    /// The smaller; on floats the number if one is NaN, and -0 is below 0.
    Min,
    /// The larger; on floats the number if one is NaN, and -0 is below 0.
    Max,
    /// The angle of the point (second, first), floats.
    Atan2,
    /// The distance of the point (first, second) from zero, floats; without overflow on the way.
    Hypot,
    /// The upper half of the product's bits, integers.
    MulHi,
    /// `&`, integers; on `bool` without short circuit.
    And,
    /// `|`, integers; on `bool` without short circuit.
    Or,
    /// `^`, integers and `bool`.
    Xor,
    /// `<<`, integers; the shift is taken modulo the width.
    Shl,
    /// `>>`, integers, arithmetic where signed; the shift is taken modulo the width.
    Shr,
    /// `>>>`, integers: as `>>`, with zeros from the left also where signed.
    ShrLogical,
    /// `==`: any scalar to `bool`, as are all that follow; IEEE on floats.
    Eq,
    /// `!=`.
    Ne,
    /// `<`; `false < true`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

impl BinOp {
    /// Every operation.
    pub const ALL: [Self; 25] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Mod,
        Self::Quot,
        Self::Rem,
        Self::Pow,
        Self::Min,
        Self::Max,
        Self::Atan2,
        Self::Hypot,
        Self::MulHi,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Shl,
        Self::Shr,
        Self::ShrLogical,
        Self::Eq,
        Self::Ne,
        Self::Lt,
        Self::Le,
        Self::Gt,
        Self::Ge,
    ];

    /// The operator's sign, or the name in the scalar type's module (`i64.max`).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "%",
            Self::Quot => "//",
            Self::Rem => "%%",
            Self::Pow => "**",
            Self::Min => "min",
            Self::Max => "max",
            Self::Atan2 => "atan2",
            Self::Hypot => "hypot",
            Self::MulHi => "mul_hi",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::ShrLogical => ">>>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// Whether the operation is written between its operands.
    #[must_use]
    pub fn is_infix(self) -> bool {
        !matches!(self, Self::Min | Self::Max | Self::Atan2 | Self::Hypot | Self::MulHi)
    }

    /// Whether the operation is a comparison, with a `bool` result.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// Whether the operation is defined on `operand`.
    #[must_use]
    pub fn accepts(self, operand: Scalar) -> bool {
        match self {
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::Mod
            | Self::Pow
            | Self::Min
            | Self::Max => operand.is_numeric(),
            Self::Quot | Self::Rem | Self::MulHi | Self::Shl | Self::Shr | Self::ShrLogical => {
                operand.is_integer()
            }
            Self::Atan2 | Self::Hypot => operand.is_float(),
            Self::And | Self::Or | Self::Xor => !operand.is_float(),
            Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge => true,
        }
    }

    /// The type of the result on `operand`s.
    #[must_use]
    pub fn result(self, operand: Scalar) -> Scalar {
        if self.is_comparison() { Scalar::Bool } else { operand }
    }

    /// Whether the operation can fail at run time on `operand`s.
    #[must_use]
    pub fn traps(self, operand: Scalar) -> bool {
        operand.is_integer()
            && matches!(self, Self::Div | Self::Mod | Self::Quot | Self::Rem | Self::Pow)
    }

    /// Whether every machine computes the same bits on `operand`s.
    #[must_use]
    pub fn is_exact(self, operand: Scalar) -> bool {
        operand.is_integer() || !matches!(self, Self::Pow | Self::Atan2 | Self::Hypot)
    }
}
