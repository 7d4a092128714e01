//! The codes that a call can end with.
//!
//! Invariant: a number never changes its meaning; 0, `ARR_OK`, is no member here.

/// Declares the codes: what each means, in the words of the C header, its number and its name.
macro_rules! codes {
    ($(#[doc = $doc:literal] $variant:ident = $number:literal, $name:literal;)*) => {
        /// Why a call failed.
        #[repr(i32)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum ErrorCode {
            $(#[doc = $doc] $variant = $number,)*
        }

        impl ErrorCode {
            /// Every code, in the order of their numbers.
            pub const ALL: [Self; [$($number),*].len()] = [$(Self::$variant),*];

            /// The code of that number.
            #[inline]
            #[must_use]
            pub const fn from_number(number: i32) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its name in the text of programs; in capitals, and behind `ARR_ERROR_`, its name in C.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it means, in one sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $doc,)*
                }
            }
        }
    };
}

codes! {
    /// An index lies outside its array.
    Index = 1, "index";
    /// An integer was divided by zero.
    Division = 2, "division";
    /// An array would have a negative size.
    Size = 3, "size";
    /// Two inputs whose sizes have to be equal differ.
    Shape = 4, "shape";
    /// Memory ran out, or the context's memory_limit was reached.
    Memory = 5, "memory";
    /// A recursion went too deep for the stack.
    Stack = 6, "stack";
    /// A pointer is NULL, or an input's shape is negative.
    Argument = 7, "argument";
    /// Another call runs in the context; its message stays.
    Busy = 8, "busy";
    /// An integer was raised to a negative power.
    Power = 9, "power";
    /// A slice does not lie in its array.
    Slice = 10, "slice";
    /// A range does not lead from its first number to its last.
    Range = 11, "range";
    /// An array is not of the size that the program says with :>.
    Coercion = 12, "coercion";
    /// What the program asserts does not hold.
    Assertion = 13, "assertion";
    /// A function that the program calls, an external, failed.
    External = 14, "external";
    /// The generators of a with-loop overlap, leave the array, or miss some of it.
    Generator = 15, "generator";
    /// arr_context_cancel stopped the call.
    Cancelled = 16, "cancelled";
}

impl ErrorCode {
    /// The number of the code in C.
    #[inline]
    #[must_use]
    pub const fn number(self) -> i32 {
        self as i32
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
        assert_eq!(ErrorCode::from_number(17), None);
    }
}
