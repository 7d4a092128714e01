//! Everything that can be wrong with the names, types and sizes of a program.
//!
//! Invariant: types and sizes are kept as the text that they had when the error was found, since
//! later findings could make them look alike.
//!
//! ```text
//! Mismatch { place: Argument 1 of f, expected: "f64", found: "i32", … }
//! ⇒ error[A0302]: argument 1 of `f` should be `f64`, but is `i32`
//! ```

mod defaulted;
mod definition;
mod external;
mod message;
mod place;
mod sizes;
mod sums;
mod withs;
mod written;

pub(super) use defaulted::Declaration;
pub(super) use message::scalar_elsewhere;
pub(super) use place::{Callee, CalleeParam, Place};
pub(super) use withs::{NoVector, Outside, WithError};
pub(super) use written::{Written, around};

use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

/// A place that matters, and why.
pub(super) type Origin = (Span, String);

/// What to do, and how the text changes by it.
#[derive(Clone, Debug)]
pub(super) struct Advice {
    pub(super) text: String,
    pub(super) edits: Vec<Origin>,
}

impl From<String> for Advice {
    fn from(text: String) -> Self {
        Self { text, edits: Vec::new() }
    }
}

/// Something wrong.
#[derive(Clone, Debug)]
pub(super) enum Error {
    /// A name that means nothing here.
    UnknownName { name: Name, span: Span, near: Vec<Name>, hint: Option<String> },
    /// A name that a scalar type's module does not have.
    UnknownMember { module: Name, name: Name, span: Span, near: Vec<Name> },
    /// The name of no module, of another or among those in scope; `declared` is the value that it is.
    UnknownModule {
        name: Name,
        span: Span,
        of: Option<Name>,
        declared: Option<Span>,
        near: Vec<Name>,
    },
    /// A module where a value is needed.
    ModuleAsValue { name: Name, span: Span, members: Vec<Name> },
    /// `???`: what type it should have, and names of that type.
    Hole { span: Span, ty: String, fits: Vec<Name> },
    /// The name of no type.
    UnknownType { name: Name, span: Span, near: Vec<Name> },
    /// The name of no size.
    UnknownSize { name: Name, span: Span, near: Vec<Name> },
    /// Two definitions of one name.
    DuplicateDefinition { name: Name, span: Span, first: Span },
    /// Two parameters, variables of a pattern or fields of one name.
    DuplicateName { what: &'static str, name: Name, span: Span, first: Span },
    /// A field that the type does not have.
    UnknownField { name: Name, span: Span, ty: String, near: Vec<Name>, fields: Vec<Name> },
    /// An intrinsic outside the prelude, or one that the compiler does not know.
    Intrinsic { name: Name, span: Span },
    /// A C function that C cannot have.
    External { name: Name, span: Span, part: Span, problem: ExternalProblem },
    /// Two C functions of one name.
    SameSymbol { name: Name, span: Span, first: Span, is_entry: bool },
    /// Two sizes that must be equal are not.
    SizeMismatch {
        place: Place,
        expected: String,
        found: String,
        expected_type: String,
        found_type: String,
        origins: Vec<Origin>,
        computed: Vec<Name>,
        remedy: Remedy,
    },
    /// Sizes that only their product is known of: what cuts an array into rows has several.
    OpenShape { span: Span, sizes: Vec<Name>, whole: String, given: String, maker: Option<Span> },
    /// A size whose value is needed, and that nothing tells.
    UntoldSize { span: Span, name: Name, declared: Span },
    /// A size behind `?` that no array of the result tells.
    UntoldResult { name: Name, span: Span },
    /// A size of a call's result that nothing tells.
    OpenSize { span: Span, size: Name, name: Name, declared: Option<Span> },
    /// Two types that must be equal are not.
    Mismatch {
        place: Place,
        expected: String,
        found: String,
        part: Option<(String, String)>,
        hint: Option<Advice>,
    },
    /// A type of a definition that was chosen by default, and the others that its uses need.
    Defaulted {
        name: Name,
        span: Span,
        default: Scalar,
        place: Declaration,
        uses: Vec<(Scalar, Span)>,
    },
    /// An operator that the type does not have.
    Operator {
        sign: Name,
        operator: Span,
        ty: String,
        span: Span,
        whole: String,
        hint: Option<String>,
    },
    /// A comparison of what cannot be compared.
    NotComparable {
        sign: Name,
        operator: Span,
        ty: String,
        span: Span,
        part: Option<String>,
        hint: String,
    },
    /// More arguments than parameters, or no function at all.
    NotAFunction {
        callee: Callee,
        ty: String,
        function: Span,
        extra: Span,
        given: usize,
        takes: usize,
    },
    /// A size that is needed before, or outside, what computes it.
    SizeEscape { span: Span, size: String, maker: Option<Name>, made: Span, of: Escaping },
    /// A local type parameter that is needed outside its function.
    TypeEscape { span: Span, name: Name },
    /// A pattern that does not fit.
    Pattern { span: Span, pattern: String, ty: String },
    /// A number that its type cannot hold.
    Literal { span: Span, value: String, ty: Name, range: (String, String) },
    /// A float without a suffix that is beyond `f32`, which it turned out to be.
    FloatLiteral { span: Span, value: String },
    /// A recursive definition without all its types.
    Unannotated {
        name: Name,
        span: Span,
        missing: Vec<Origin>,
        result: bool,
        cycle: Vec<(Name, Span)>,
    },
    /// A recursive definition without parameters.
    RecursiveValue { name: Name, span: Span },
    /// An entry that no C function can be made of.
    Entry { name: Name, span: Span, part: Span, problem: EntryProblem },
    /// A type with too many parts to be worked with.
    TypeTooLarge { span: Span, deep: bool },
    /// A size of too many terms or factors, and how it is written if it is.
    SizeTooLarge { span: Span, written: Option<String> },
    /// A type that would contain itself.
    Infinite { span: Span, var: String, ty: String },
    /// Functions as elements of an array, or in a constructor.
    StoredFunction { span: Span, holder: &'static str, ty: String },
    /// An `if` or a `match` between functions.
    ChosenFunction { span: Span, word: &'static str, ty: String },
    /// A loop that carries functions.
    FunctionFromLoop { span: Span, ty: String },
    /// A loop whose bound is no integer.
    LoopBound { span: Span, ty: String },
    /// A loop without an initial value whose pattern is no value.
    NoInitialValue { span: Span, part: Span, what: &'static str },
    /// What a loop carries has one size in the body's eyes, and another one in fact.
    LoopSize { init: Span, body: Span, needed: String, first: String, next: String },
    /// A type abbreviation with too many or too few arguments.
    TypeArguments {
        name: Name,
        span: Span,
        declared: Option<Span>,
        takes: (usize, usize),
        given: (usize, usize),
    },
    /// A field of something whose type is not known.
    UnknownFieldType { name: Name, span: Span, all: Vec<Name> },
    /// A size parameter that no argument tells.
    Undetermined { name: Name, span: Span, calls: Option<&'static str> },
    /// A size behind `let` that no type of its pattern mentions as a whole dimension.
    UnboundSize { name: Name, span: Span, pattern: Span },
    /// A size parameter of a type abbreviation that it does not use.
    UnusedSize { name: Name, span: Span, of: Name, body: Span },
    /// Something that is no size.
    BadSize { span: Span, found: &'static str },
    /// A size made of something that is not `i64`.
    SizeType { span: Span, name: Name, ty: String, declared: Span },
    /// `?[k]` where no result stands.
    MisplacedExists { span: Span },
    /// Elements of a type with a `?[k]` of its own.
    IrregularElement { span: Span, name: Name, declared: Span },
    /// `*` where it means nothing.
    MisplacedMark { span: Span },
    /// A type abbreviation that is made of itself.
    RecursiveType { name: Name, span: Span },
    /// A constructor whose sum type is not known.
    UnknownSum { name: Name, span: Span, all: Vec<Name> },
    /// A constructor that the type does not have.
    UnknownConstructor { name: Name, span: Span, sum: Sum, near: Vec<Name> },
    /// A constructor with too many or too few payloads.
    Payloads { name: Name, span: Span, sum: Sum, takes: usize, given: usize },
    /// A `match` that has no case for some values.
    NotExhaustive { span: Span, value: Span, ty: String, missing: Missing },
    /// A case that no value gets to; the cases before it that take all its values.
    Unreachable { span: Span, before: Vec<Span> },
    /// A pattern outside of a `match` that does not fit every value.
    Refutable { span: Span, what: &'static str, ty: String, missing: Missing },
    /// Something wrong with a with-loop or an index vector.
    With(WithError),
    /// Something that is not an array is indexed.
    NotAnArray { span: Span, ty: String, depth: usize },
}

impl Error {
    /// Whether the program can be compiled all the same.
    pub(super) fn is_warning(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }
}

/// A sum type, as messages tell of it.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    /// The type.
    pub(super) ty: String,
    /// Its constructors with their payloads.
    pub(super) constructors: Vec<String>,
    /// Where a type with these constructors is declared, and its name.
    pub(super) declared: Option<(Name, Span)>,
}

/// Values that no case takes.
#[derive(Clone, Debug)]
pub(super) struct Missing {
    /// Patterns that they fit.
    pub(super) patterns: Vec<String>,
    /// Whether there are more.
    pub(super) more: bool,
    /// The types for which a `_` in these patterns stands for all unnamed values.
    pub(super) others: Vec<Name>,
}

/// A change of the program that sizes which differ may call for.
#[derive(Clone, Debug)]
pub(super) enum Remedy {
    /// None that is likely.
    None,
    /// A check when the program runs, against this type.
    Coerce { ty: String },
    /// Another type of the result, which names its size.
    Result { at: Span, ty: String },
}

/// How a size is needed where it is not known.
#[derive(Clone, Debug)]
pub(super) enum Escaping {
    /// A function gives an array of another size at each call, but is used as if it was one size.
    EachCall { callee: Callee },
    /// Something that is known earlier, such as these arguments, would have the size.
    Early(Vec<Origin>),
}

/// Why an external cannot be a C function.
#[derive(Clone, Debug)]
pub(super) enum ExternalProblem {
    /// It has a type parameter.
    TypeParameter { name: Name },
    /// A parameter's type is not written.
    Unannotated,
    /// The result's type is not written.
    NoResult,
    /// A parameter is a function.
    FunctionParameter { ty: String },
    /// The result is a function.
    FunctionResult { ty: String },
    /// An attribute that means nothing on it.
    Attribute { name: Name },
    /// `#[effect]` of none.
    NoEffect,
    /// `#[effect]` of something that is none.
    Effect { name: Name },
}

/// Why an entry cannot be a C function.
#[derive(Clone, Debug)]
pub(super) enum EntryProblem {
    /// It has a type parameter.
    TypeParameter { name: Name },
    /// A parameter's type is not known.
    UnknownParameter { ty: String },
    /// A parameter is a function.
    FunctionParameter { ty: String },
    /// The result is a function.
    FunctionResult { ty: String },
    /// A size in a parameter's type is a number of this type.
    SizeType { name: Name, ty: String },
    /// The result's type is not known.
    UnknownResult { ty: String },
}
