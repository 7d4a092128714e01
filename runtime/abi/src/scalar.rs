//! The scalar types, which Arr, Rust and C have alike.
//!
//! Invariant: a type has one name in Arr and Rust, one name in C, and the same bytes in all three.

use core::fmt;
use core::ops::RangeInclusive;

/// The numbers of digits by which messages tell an `f32`: the first of them that gives the same float.
pub const F32_DIGITS: RangeInclusive<u8> = 6..=9;
/// The same for an `f64`.
pub const F64_DIGITS: RangeInclusive<u8> = 15..=17;

/// Gives a macro the scalar types: each with its name in Arr and Rust, and its name in C.
#[macro_export]
macro_rules! each_scalar {
    ($with:ident) => {
        $with! {
            /// Truth.
            Bool = bool, "bool";
            /// 8-bit signed.
            I8 = i8, "int8_t";
            /// 16-bit signed.
            I16 = i16, "int16_t";
            /// 32-bit signed.
            I32 = i32, "int32_t";
            /// 64-bit signed.
            I64 = i64, "int64_t";
            /// 8-bit unsigned.
            U8 = u8, "uint8_t";
            /// 16-bit unsigned.
            U16 = u16, "uint16_t";
            /// 32-bit unsigned.
            U32 = u32, "uint32_t";
            /// 64-bit unsigned.
            U64 = u64, "uint64_t";
            /// IEEE binary32.
            F32 = f32, "float";
            /// IEEE binary64.
            F64 = f64, "double";
        }
    };
}

macro_rules! scalars {
    ($(#[doc = $doc:literal] $variant:ident = $rust:ident, $c:literal;)*) => {
        /// A scalar type.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Scalar {
            $(#[doc = $doc] $variant,)*
        }

        impl Scalar {
            /// Every scalar type, in the order of this file.
            pub const ALL: [Self; [$($c),*].len()] = [$(Self::$variant),*];

            /// The type's name in Arr.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($rust),)*
                }
            }

            /// The type's name in C.
            #[must_use]
            pub const fn c_name(self) -> &'static str {
                match self {
                    $(Self::$variant => $c,)*
                }
            }

            /// Size in memory, in bytes.
            #[must_use]
            #[allow(clippy::cast_possible_truncation, reason = "a scalar has few bytes")]
            pub const fn bytes(self) -> u32 {
                match self {
                    $(Self::$variant => size_of::<$rust>() as u32,)*
                }
            }
        }
    };
}

each_scalar!(scalars);

impl Scalar {
    /// The scalar type of that name in Arr.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == name)
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

    /// The unsigned integer type of a float type's bits; none of other types.
    #[must_use]
    pub fn bits_type(self) -> Option<Self> {
        match self {
            Self::F32 => Some(Self::U32),
            Self::F64 => Some(Self::U64),
            Self::Bool
            | Self::I8
            | Self::I16
            | Self::I32
            | Self::I64
            | Self::U8
            | Self::U16
            | Self::U32
            | Self::U64 => None,
        }
    }

    /// The float type whose bits are of this type; none of other types.
    #[must_use]
    pub fn float_of_bits(self) -> Option<Self> {
        [Self::F32, Self::F64].into_iter().find(|float| float.bits_type() == Some(self))
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Scalar;

    #[test]
    fn types_are_found_by_name() {
        for ty in Scalar::ALL {
            assert_eq!(Scalar::from_name(ty.name()), Some(ty));
        }
        assert_eq!(Scalar::from_name("f16"), None);
    }
}
