//! Scalar types, scalar operations, and what they mean.
//!
//! Invariant: an operation here is total on its operand types except where [`BinOp::traps`] says
//! otherwise; the compiled code and the interpreter both follow this file.

use std::fmt;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Scalar {
    /// Truth.
    Bool,
    /// 8-bit signed.
    I8,
    /// 16-bit signed.
    I16,
    /// 32-bit signed.
    I32,
    /// 64-bit signed.
    I64,
    /// 8-bit unsigned.
    U8,
    /// 16-bit unsigned.
    U16,
    /// 32-bit unsigned.
    U32,
    /// 64-bit unsigned.
    U64,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

impl Scalar {
    /// Every scalar type, in the order of this file.
    pub const ALL: [Self; 11] = [
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F32,
        Self::F64,
    ];

    /// The type's name in Arr.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The scalar type of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// Size in memory, in bytes.
    #[must_use]
    pub fn bytes(self) -> u32 {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// `f32` or `f64`.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// A signed integer type.
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// An integer type, signed or not.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self != Self::Bool && !self.is_float()
    }

    /// A type with arithmetic.
    #[must_use]
    pub fn is_numeric(self) -> bool {
        self != Self::Bool
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
    /// Square root; floats, as are all that follow up to [`UnOp::Trunc`].
    Sqrt,
    /// e to the power.
    Exp,
    /// Natural logarithm.
    Log,
    /// Logarithm to the base 2.
    Log2,
    /// Logarithm to the base 10.
    Log10,
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
    /// Hyperbolic tangent.
    Tanh,
    /// Towards negative infinity.
    Floor,
    /// Towards positive infinity.
    Ceil,
    /// To nearest, halves to even.
    Round,
    /// Towards zero.
    Trunc,
    /// Whether not a number: float to `bool`.
    IsNan,
    /// Whether infinite: float to `bool`.
    IsInf,
    /// Conversion to that type, from any. Float to integer truncates and saturates, NaN is 0;
    /// integer to integer wraps; to `bool` is `!= 0`.
    To(Scalar),
}

impl UnOp {
    /// Every operation but the conversions.
    pub const PLAIN: [Self; 22] = [
        Self::Neg,
        Self::Not,
        Self::Abs,
        Self::Signum,
        Self::Sqrt,
        Self::Exp,
        Self::Log,
        Self::Log2,
        Self::Log10,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Tanh,
        Self::Floor,
        Self::Ceil,
        Self::Round,
        Self::Trunc,
        Self::IsNan,
        Self::IsInf,
    ];

    /// The name in the scalar type's module, as in `f64.sqrt`; a conversion is named after the type
    /// that it comes from.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Neg => "neg",
            Self::Not => "not",
            Self::Abs => "abs",
            Self::Signum => "sgn",
            Self::Sqrt => "sqrt",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Log2 => "log2",
            Self::Log10 => "log10",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Tanh => "tanh",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
            Self::Trunc => "trunc",
            Self::IsNan => "isnan",
            Self::IsInf => "isinf",
            Self::To(to) => to.name(),
        }
    }

    /// Whether the operation is defined on `operand`.
    #[must_use]
    pub fn accepts(self, operand: Scalar) -> bool {
        match self {
            Self::Neg | Self::Abs | Self::Signum => operand.is_numeric(),
            Self::Not => !operand.is_float(),
            Self::Sqrt
            | Self::Exp
            | Self::Log
            | Self::Log2
            | Self::Log10
            | Self::Sin
            | Self::Cos
            | Self::Tan
            | Self::Asin
            | Self::Acos
            | Self::Atan
            | Self::Tanh
            | Self::Floor
            | Self::Ceil
            | Self::Round
            | Self::Trunc
            | Self::IsNan
            | Self::IsInf => operand.is_float(),
            Self::To(_) => true,
        }
    }

    /// The type of the result on `operand`.
    #[must_use]
    pub fn result(self, operand: Scalar) -> Scalar {
        match self {
            Self::IsNan | Self::IsInf => Scalar::Bool,
            Self::To(to) => to,
            Self::Neg
            | Self::Not
            | Self::Abs
            | Self::Signum
            | Self::Sqrt
            | Self::Exp
            | Self::Log
            | Self::Log2
            | Self::Log10
            | Self::Sin
            | Self::Cos
            | Self::Tan
            | Self::Asin
            | Self::Acos
            | Self::Atan
            | Self::Tanh
            | Self::Floor
            | Self::Ceil
            | Self::Round
            | Self::Trunc => operand,
        }
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
    /// `%`: the remainder of `/`, with the sign of the divisor; traps on zero. On floats, as `/`.
    Mod,
    /// `//`: integers, towards zero; traps on zero.
    Quot,
    /// `%%`: integers, the remainder of `//`; traps on zero.
    Rem,
    /// `**`: integers by repeated squaring, wrapping, traps on a negative exponent; floats `pow`.
    Pow,
    /// The smaller; on floats the number if one is NaN, and -0 is below 0.
    Min,
    /// The larger; on floats the number if one is NaN, and -0 is below 0.
    Max,
    /// The angle of the point (second, first), floats.
    Atan2,
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
    pub const ALL: [Self; 22] = [
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
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Shl,
        Self::Shr,
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
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
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
        !matches!(self, Self::Min | Self::Max | Self::Atan2)
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
            Self::Quot | Self::Rem | Self::Shl | Self::Shr => operand.is_integer(),
            Self::Atan2 => operand.is_float(),
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
}
