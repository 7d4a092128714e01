//! The codes a call can end with.
//!
//! Invariant: the numbers are those of `enum arr_code` in `arr_runtime.h` and never change meaning;
//! 0, `ARR_OK`, is no member here.

/// Why a call failed.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ErrorCode {
    /// An index lies outside its array.
    Index = 1,
    /// An integer was divided by zero.
    Division = 2,
    /// An array would have a negative size.
    Size = 3,
    /// Two sizes that the entry's type says are equal differ.
    Shape = 4,
    /// Memory, or what the context may use of it, ran out.
    Memory = 5,
    /// A recursion went too deep for the stack.
    Stack = 6,
    /// An argument has no data, or a negative size.
    Argument = 7,
    /// The context is in use by another call.
    Busy = 8,
    /// An integer was raised to a negative power.
    Power = 9,
    /// A slice does not lie in its array.
    Slice = 10,
    /// A range does not lead from its first number to its last.
    Range = 11,
    /// An array is not of the size that it was said to have.
    Coercion = 12,
    /// What a program asserts does not hold.
    Assertion = 13,
    /// An external function reports that it failed, or gave what it may not.
    External = 14,
}

impl ErrorCode {
    /// Every code, in the order of their numbers.
    pub const ALL: [Self; 14] = [
        Self::Index,
        Self::Division,
        Self::Size,
        Self::Shape,
        Self::Memory,
        Self::Stack,
        Self::Argument,
        Self::Busy,
        Self::Power,
        Self::Slice,
        Self::Range,
        Self::Coercion,
        Self::Assertion,
        Self::External,
    ];

    /// The code as C has it.
    #[must_use]
    pub fn number(self) -> i32 {
        self as i32
    }

    /// The code of that number.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.number() == number)
    }

    /// The name that the C header gives the code.
    #[must_use]
    pub fn c_name(self) -> &'static str {
        match self {
            Self::Index => "ARR_ERROR_INDEX",
            Self::Division => "ARR_ERROR_DIVISION",
            Self::Size => "ARR_ERROR_SIZE",
            Self::Shape => "ARR_ERROR_SHAPE",
            Self::Memory => "ARR_ERROR_MEMORY",
            Self::Stack => "ARR_ERROR_STACK",
            Self::Argument => "ARR_ERROR_ARGUMENT",
            Self::Busy => "ARR_ERROR_BUSY",
            Self::Power => "ARR_ERROR_POWER",
            Self::Slice => "ARR_ERROR_SLICE",
            Self::Range => "ARR_ERROR_RANGE",
            Self::Coercion => "ARR_ERROR_COERCION",
            Self::Assertion => "ARR_ERROR_ASSERTION",
            Self::External => "ARR_ERROR_EXTERNAL",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn numbers_go_both_ways() {
        for (code, number) in ErrorCode::ALL.into_iter().zip(1..) {
            assert_eq!((code.number(), ErrorCode::from_number(number)), (number, Some(code)));
        }
        assert_eq!(ErrorCode::from_number(0), None);
        assert_eq!(ErrorCode::from_number(15), None);
    }
}
