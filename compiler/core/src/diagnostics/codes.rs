//! The registry: every code with its short name and its page.
//!
//! Invariant: codes are never reused. `A01xx` syntax, `A02xx` names, `A03xx` types and sizes,
//! `A04xx` programs that cannot be compiled, `A05xx` the command line and files, `A06xx` run time.

/// A stable code, such as `A0301`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Code(pub &'static str);

/// What the registry knows of a code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Its name in words, such as `size-mismatch`.
    pub name: &'static str,
    /// Its page in `docs/errors/`.
    pub page: &'static str,
}

macro_rules! registry {
    ($($(#[$doc:meta])* $ident:ident = $code:literal, $name:literal;)*) => {
        impl Code {$(
            $(#[$doc])*
            pub const $ident: Self = Self($code);
        )*}

        /// Every code, in order.
        pub const REGISTRY: &[Entry] = &[$(Entry {
            code: Code($code),
            name: $name,
            page: include_str!(concat!("../../../../docs/errors/", $code, ".md")),
        }),*];
    };
}

registry! {
    /// The parser met something that cannot stand there.
    SYNTAX = "A0101", "syntax";
    /// An array whose elements are arrays.
    NESTED_ARRAY = "A0401", "nested-array";
    /// A function where only data can be.
    FUNCTION_VALUE = "A0402", "function-value";
    /// An array whose elements are `()`.
    UNIT_ELEMENT = "A0403", "unit-element";
    /// A fold that carries an array.
    ARRAY_ACCUMULATOR = "A0404", "array-accumulator";
    /// A recursive function that needs endlessly many specialisations.
    ENDLESS_SPECIALISATION = "A0405", "endless-specialisation";
    /// A program that is too large when its calls are inlined.
    TOO_LARGE = "A0406", "too-large";
    /// A size that no argument determines.
    UNKNOWN_SIZE = "A0407", "unknown-size";
    /// A type that nothing determines.
    UNKNOWN_TYPE = "A0408", "unknown-type";
}
