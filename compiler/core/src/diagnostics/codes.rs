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
    /// A program cannot be read.
    UNREADABLE = "A0501", "unreadable-file";
    /// A program is not text.
    NOT_UTF8 = "A0502", "not-utf-8";
    /// A result cannot be written.
    UNWRITABLE = "A0503", "unwritable-file";
    /// `arrc explain` of something that is no code.
    UNKNOWN_CODE = "A0504", "unknown-code";
    /// A program without an entry.
    NO_ENTRY = "A0505", "no-entry";
    /// An entry that is not there.
    UNKNOWN_ENTRY = "A0506", "unknown-entry";
    /// The wrong number of arguments.
    ARGUMENT_COUNT = "A0507", "argument-count";
    /// An argument that does not fit its type.
    ARGUMENT = "A0508", "argument";
    /// An unknown processor or target.
    TARGET = "A0509", "target";
    /// The linker is missing or failed.
    LINK = "A0510", "link";
    /// The runtime library is missing.
    NO_RUNTIME = "A0511", "no-runtime";
    /// Index out of bounds.
    RUN_INDEX = "A0601", "run-index";
    /// Division by zero.
    RUN_DIVISION = "A0602", "run-division";
    /// Negative size.
    RUN_SIZE = "A0603", "run-size";
    /// Sizes differ on entry.
    RUN_SHAPE = "A0604", "run-shape";
    /// Out of memory.
    RUN_MEMORY = "A0605", "run-memory";
    /// Recursion too deep.
    RUN_STACK = "A0606", "run-stack";
    /// Negative exponent.
    RUN_POWER = "A0607", "run-power";
}
