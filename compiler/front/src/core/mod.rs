//! Typed programs: names resolved, sizes explicit, still polymorphic and higher-order.
//!
//! Invariant (`verify`): well-typed, sizes included, and each name bound once.
//!
//! ```text
//! entry f [n] (xs: [n]i64) = filter (> 0) xs
//! ⇒ Def f: size n; x: [n]i64 → ?[k].[k]i64
//!   App(Intrinsic Filter @i64, [Lambda(y: i64. App(Gt, [y, 0])), xs]) : [k]i64
//! ```

mod core_marks;
mod equations;
mod float_order;
mod phase;
pub(crate) mod polynomial;
mod print;
mod size;
mod type_text;
mod verify;
mod walk;
mod with;

pub use core_marks::UniquenessMarks;
pub use equations::{Equation, EquationUse, Projection, coercions};
pub use float_order::{ComponentStep, Direction, NanPlace, Order};
pub use phase::{Phase, Solved};
pub use size::{MAX_FACTORS, MAX_TERMS};
pub use type_text::{SourceNames, TypeNames, operand_text, size_text, tag_problem, type_text};
pub use verify::{verify, verify_up_to_sizes};
pub use with::{Generator, Operator, With};

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::data::Data;
use crate::effect::Effect;
use arrc_syntax::ast::RangeEnd;
use arrc_syntax::ids::{DefId, FileId, LocalId, PrimaryMap, SizeVar, TypeId, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar, UnOp};
use arrc_syntax::source::Span;

/// A whole program: the definitions of the file, and those of the prelude that they reach.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The definitions; a definition may refer to any other.
    pub defs: PrimaryMap<DefId, Def>,
    /// Every local variable of every definition.
    pub vars: PrimaryMap<LocalId, VarInfo>,
    /// Every size of every definition.
    pub sizes: PrimaryMap<SizeVar, SizeInfo>,
    /// Every quantified type parameter.
    pub types: PrimaryMap<TypeVar, Name>,
    /// The entries, in the order of the file.
    pub entries: Vec<DefId>,
    /// The files that are part of the compiler. A run-time error in them is reported where the user's files call
    /// them.
    pub library: BTreeSet<FileId>,
}

/// The facts on a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// The name as written, or made up by the compiler.
    pub name: Name,
    /// Where it is bound.
    pub span: Span,
    /// Where its type is marked `*`.
    pub marks: UniquenessMarks,
}

/// The facts on a size.
#[derive(Clone, Debug)]
pub struct SizeInfo {
    /// The name, as printed in types: `n`, `k`.
    pub name: Name,
    /// Where it came from.
    pub origin: SizeOrigin,
    /// The place that made it.
    pub span: Span,
}

impl SizeInfo {
    /// Whether the name of the size stands in the source of the definition. Inference makes names for other sizes.
    #[must_use]
    pub fn is_written(&self, def: &Def) -> bool {
        match self.origin {
            SizeOrigin::Value(_) => true,
            SizeOrigin::Param | SizeOrigin::Exists { .. } => {
                let length = usize::try_from(self.span.end - self.span.start);
                self.span.file == def.span.file && length == Ok(self.name.len())
            }
        }
    }
}

/// Where a size came from.
#[derive(Clone, Debug)]
pub enum SizeOrigin {
    /// `[n]`: a size parameter of a definition.
    Param,
    /// The value of an `i64` variable, as in `iota n`.
    Value(LocalId),
    /// Known only when computed: the size that a call of the named function gave for its `?[k]`.
    Exists {
        /// The function or construct that made it, such as `filter`, `if`.
        maker: Name,
    },
}

/// A size: a polynomial over [`SizeVar`]s with integer coefficients, in normal form.
///
/// `n*m - 1` is `{[n, m]: 1, []: -1}`. Two sizes are equal if and only if they are the same
/// polynomial.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Size {
    /// From each monomial (its factors sorted, with repetition) to its coefficient, never 0.
    pub terms: std::collections::BTreeMap<Vec<SizeVar>, i64>,
}

/// A type. Functions take one argument. Records, tuples and sums keep the order of the text, but records and sums are
/// equal in any order.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// A scalar.
    Scalar(Scalar),
    /// A tuple; the empty one is `()`.
    Tuple(Vec<Type>),
    /// A record.
    Record(IndexMap<Name, Type>),
    /// A sum: the payloads of each constructor, which is named without its `#`.
    Sum(IndexMap<Name, Vec<Type>>),
    /// An array.
    Array(Size, Box<Type>),
    /// A function. The parameter's name, if any, is a size that the result may mention: `(n: i64) -> [n]t`.
    Fun(Option<SizeVar>, Box<Type>, Box<Type>),
    /// A quantified type parameter.
    Var(TypeVar),
    /// `?[k].t`: only as a function's result.
    Exists(Vec<SizeVar>, Box<Type>),
    /// A type that a module hides: only while types are inferred. In a finished program, what it stands for is in its
    /// place.
    Hidden(Box<Hidden>),
}

/// A type that a module hides, with its arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Hidden {
    /// The type.
    pub id: TypeId,
    /// Its name, with that of the module.
    pub name: Name,
    /// Whether its values may have functions in them.
    pub may_be_function: bool,
    /// Its sizes: those that are written, then those of its values.
    pub sizes: Vec<Size>,
    /// How many of its sizes are written.
    pub written: usize,
    /// Its types.
    pub types: Vec<Type>,
}

impl Hidden {
    /// Stops the compiler: no pass behind inference meets a hidden type.
    ///
    /// # Panics
    /// Always.
    pub fn gone(&self) -> ! {
        panic!("`{}` is hidden from inference only", self.name)
    }

    /// The type with each size and each type replaced.
    #[must_use]
    pub fn map(&self, size: impl Fn(&Size) -> Size, ty: impl Fn(&Type) -> Type) -> Self {
        let sizes = self.sizes.iter().map(size).collect();
        Self { sizes, types: self.types.iter().map(ty).collect(), ..self.clone() }
    }
}

/// A definition: `def`, `entry`, `external`, or an intrinsic of the prelude.
#[derive(Clone, Debug)]
pub struct Def {
    /// The name.
    pub name: Name,
    /// The name's place.
    pub span: Span,
    /// The text of the `-- |` comment before it.
    pub doc: Option<String>,
    /// Quantified type parameters.
    pub types: Vec<TypeVar>,
    /// Quantified size parameters.
    pub sizes: Vec<SizeVar>,
    /// The parameters.
    pub params: Vec<Param>,
    /// The result.
    pub result: Type,
    /// Where the result is marked `*`.
    pub marks: UniquenessMarks,
    /// The body.
    pub body: Body,
    /// Whether it can reach itself: such a call is not inlined, and is a barrier for fusion.
    pub recursive: bool,
    /// Whether the definition is marked `noinline`: its calls are not inlined, like calls of recursive functions. It
    /// has parameters, and its result is no function.
    pub noinline: bool,
}

/// The body of a definition.
#[allow(clippy::large_enum_variant, reason = "nearly all definitions are expressions")]
#[derive(Clone, Debug)]
pub enum Body {
    /// An expression.
    Expr(Expr),
    /// An operation of the compiler.
    Intrinsic(Intrinsic),
    /// A C function that the program is linked with, and its side effect.
    External(Effect),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param<P: Phase = Solved> {
    /// The pattern that the argument is bound to.
    pub pat: Pat<P>,
    /// Its type.
    pub ty: Type,
}

/// A pattern: outside of a `match`, no value may fail to fit it.
#[derive(Clone, Debug)]
pub enum Pat<P: Phase = Solved> {
    /// `_`.
    Wild,
    /// A variable with its type.
    Var(LocalId, Type),
    /// A tuple.
    Tuple(Vec<Pat<P>>),
    /// A record, by field name; fields that are not named are dropped.
    Record(Vec<(Name, Pat<P>)>),
    /// A value of this constructor, with its payloads.
    Constructor(Name, Vec<Pat<P>>),
    /// This constant of this type.
    Const(P::Literal, Type),
}

/// One case of a `match`.
#[derive(Clone, Debug)]
pub struct Case<P: Phase = Solved> {
    /// The pattern that the value must fit.
    pub pat: Pat<P>,
    /// The value of the `match` if this case applies.
    pub body: Expr<P>,
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr<P: Phase = Solved> {
    /// What it is.
    pub kind: ExprKind<P>,
    /// Its type.
    pub ty: Type,
    /// Its text.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind<P: Phase = Solved> {
    /// A constant.
    Const(P::Literal),
    /// A local variable. A local function that is polymorphic in types has become one function for each instance. A
    /// function that is polymorphic in sizes gets them from its arguments.
    Var(P::Local),
    /// The value of a size that is in scope, as an `i64`.
    Size(Size),
    /// A definition, with its type parameters instantiated.
    Global(DefId, Vec<Type>),
    /// A scalar operator as a function of two arguments on `Scalar` or, for `==` and `!=`, on any
    /// type without functions; the operand's type is that of the expression's first argument.
    BinOp(BinOp),
    /// A scalar operator as a function of one argument.
    UnOp(UnOp),
    /// `fma` of a float type as a function of three arguments: `a * b + c`, rounded once.
    Fma,
    /// `&&`, without evaluating the right side if the left is false.
    AndAlso(Box<Expr<P>>, Box<Expr<P>>),
    /// `||`, without evaluating the right side if the left is true.
    OrElse(Box<Expr<P>>, Box<Expr<P>>),
    /// A function, applied to at least one argument; more may be missing.
    App(Box<Expr<P>>, Vec<Expr<P>>),
    /// A function value with at least one parameter.
    Lambda(Vec<Param<P>>, Box<Expr<P>>),
    /// `let p = e in e`.
    Let(Pat<P>, Box<Expr<P>>, Box<Expr<P>>),
    /// `if`.
    If(Box<Expr<P>>, Box<Expr<P>>, Box<Expr<P>>),
    /// `match`: the first case that fits; every value fits at least one.
    Match(Box<Expr<P>>, Vec<Case<P>>),
    /// A value of a sum type.
    Constructor(Name, Vec<Expr<P>>),
    /// A tuple.
    Tuple(Vec<Expr<P>>),
    /// A record.
    Record(Vec<(Name, Expr<P>)>),
    /// A component of a tuple, from 0.
    Item(Box<Expr<P>>, usize),
    /// A field of a record.
    Field(Box<Expr<P>>, Name),
    /// `r with x[i, j:k].y = e`: at least one step. The size of a slice and the size of its new elements are compared
    /// at run time.
    Update(Box<Expr<P>>, Vec<Accessor<P>>, Box<Expr<P>>),
    /// `loop`, in any of its forms.
    Loop(Box<Loop<P>>),
    /// A with-loop.
    With(Box<With<P>>),
    /// An array literal.
    Array(Vec<Expr<P>>),
    /// The bytes of a text: a literal of type `u8`.
    Text(Data),
    /// `a[i, j]`.
    Index(Box<Expr<P>>, Vec<Expr<P>>),
    /// `a[i, j:k]`: at least one part is a slice.
    Slice(Box<Expr<P>>, Vec<Dim<P>>),
    /// `a..b..<c`.
    Range(Box<Range<P>>),
    /// `e :> t`: the value of `e`, with its sizes checked at run time.
    Coerce(Box<Expr<P>>),
    /// `assert c e`.
    Assert(Box<Assert<P>>),
}

/// One dimension of an index or a slice.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "an array has few dimensions")]
pub enum Dim<P: Phase = Solved> {
    /// `i`: an `i64`.
    Index(Expr<P>),
    /// `i:j:s`, each an `i64`.
    Slice {
        /// Where it begins; without it, at the end that the step leads away from.
        first: Option<Expr<P>>,
        /// Where it ends, exclusive; without it, behind the end that the step leads to.
        last: Option<Expr<P>>,
        /// From one element to the next; without it, 1.
        step: Option<Expr<P>>,
    },
}

impl<P: Phase> Dim<P> {
    /// The parts, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Expr<P>> {
        let parts = match self {
            Self::Index(index) => [Some(index), None, None],
            Self::Slice { first, last, step } => [first.as_ref(), last.as_ref(), step.as_ref()],
        };
        parts.into_iter().flatten()
    }

    /// The parts, to be changed.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Expr<P>> {
        let parts = match self {
            Self::Index(index) => [Some(index), None, None],
            Self::Slice { first, last, step } => [first.as_mut(), last.as_mut(), step.as_mut()],
        };
        parts.into_iter().flatten()
    }
}

/// From a value to a part of it.
#[derive(Clone, Debug)]
pub enum Accessor<P: Phase = Solved> {
    /// A component of a tuple, from 0.
    Item(usize),
    /// A field of a record.
    Field(Name),
    /// `[i, j:k]`: at least one.
    At(Vec<Dim<P>>),
}

impl<P: Phase> Accessor<P> {
    /// The dimensions between the brackets; none for a field.
    #[must_use]
    pub fn dims(&self) -> &[Dim<P>] {
        match self {
            Self::Item(_) | Self::Field(_) => &[],
            Self::At(dims) => dims,
        }
    }

    /// The dimensions between the brackets, to be changed.
    pub fn dims_mut(&mut self) -> &mut [Dim<P>] {
        match self {
            Self::Item(_) | Self::Field(_) => &mut [],
            Self::At(dims) => dims,
        }
    }
}

/// `first..second..<last`, all of one type of integers.
#[derive(Clone, Debug)]
pub struct Range<P: Phase = Solved> {
    /// The first number.
    pub first: Expr<P>,
    /// The second number; without it the step is 1, or -1 downwards.
    pub second: Option<Expr<P>>,
    /// How it ends.
    pub end: RangeEnd,
    /// The last number.
    pub last: Expr<P>,
}

impl<P: Phase> Range<P> {
    /// The parts, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Expr<P>> {
        [&self.first].into_iter().chain(&self.second).chain([&self.last])
    }

    /// The parts, to be changed.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Expr<P>> {
        [&mut self.first].into_iter().chain(&mut self.second).chain([&mut self.last])
    }
}

/// `assert condition value`.
#[derive(Clone, Debug)]
pub struct Assert<P: Phase = Solved> {
    /// What must hold.
    pub condition: Expr<P>,
    /// The condition as written.
    pub text: String,
    /// The value of the whole expression.
    pub value: Expr<P>,
}

/// A loop. Its type is the type of the carried values. Sizes that only the body knows become sizes of the loop.
#[derive(Clone, Debug)]
pub struct Loop<P: Phase = Solved> {
    /// The pattern of the carried values.
    pub pat: Pat<P>,
    /// The type of the carried values. A size in it that is not known around the loop may differ from step to step.
    pub ty: Type,
    /// The initial value.
    pub init: Expr<P>,
    /// What determines the number of steps.
    pub form: LoopForm<P>,
    /// The carried values of the next step.
    pub body: Expr<P>,
}

/// What determines the number of steps of a loop.
#[derive(Clone, Debug)]
pub enum LoopForm<P: Phase = Solved> {
    /// `for i < n`: a variable of an integer type, counted from 0.
    For(Pat<P>, Expr<P>),
    /// `for p in xs`.
    In(Pat<P>, Expr<P>),
    /// `while e`: a condition on the carried values.
    While(Expr<P>),
}

/// An operation that the compiler implements. `stdlib/prelude.arr` declares them with their types as `intrinsic NAME
/// …`. The modules of the scalar types (`f64.sqrt`, `i64.max`, `f64.i64`) are made from the tables in `prim`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Intrinsic {
    /// `map` to `map5`: a function and that many arrays.
    Map(u8),
    /// `zip` (= `zip2`) to `zip5`.
    Zip(u8),
    /// `unzip` (= `unzip2`) to `unzip5`.
    Unzip(u8),
    /// `filter p xs`.
    Filter,
    /// `flatmap f xs`.
    FlatMap,
    /// `partition`, by one predicate, and `partition2`, by two.
    Partition(u8),
    /// `reduce op ne xs`: may be reassociated.
    Reduce,
    /// `reduce_comm op ne xs`: may be reassociated and commuted.
    ReduceComm,
    /// `scan`.
    Scan,
    /// `exscan`.
    Exscan,
    /// `fold f z xs` (= `foldl`): strictly from the left.
    Fold,
    /// `iota n`: `[0, …, n-1]`, of `i64`.
    Iota,
    /// `replicate n x`.
    Replicate,
    /// `generate n f` (= `tabulate`).
    Generate,
    /// `gather xs is`.
    Gather,
    /// `cross xs ys`.
    Cross,
    /// `concat2 xs ys`, written `xs ++ ys`.
    Append,
    /// `length xs`.
    Length,
    /// `flatten xss`.
    Flatten,
    /// `unflatten xs`.
    Unflatten,
    /// `order_bits le xs`: the width of the numbers that `order_key le` gives. It is a constant, and 0 if the order
    /// `le` is not known.
    OrderBits,
    /// `order_key le x`: a number whose order is the order `le` of the elements.
    OrderKey,
    /// `nan_place le xs`: where elements with `nan` are in the order `le`, as [`NanPlace`]. It is a constant.
    NanPlace,
    /// `is_few le xs`: whether `exchanged` puts the elements in order. It is a constant.
    IsFew,
    /// `exchanged le xs`: at most [`FEW`] scalars in order.
    Exchanged,
    /// `is_numbers le xs`: whether `between` puts the elements in order: numbers of 32 or 64 bits, in the order of an
    /// operator. It is a constant.
    IsNumbers,
    /// `between le from to xs`: the elements in order, at the positions in a window.
    Between,
    /// `positions le xs`: the positions of such elements in order.
    Positions,
    /// `is_constant x`: whether an integer is a constant when the program is compiled. That is a constant too. The
    /// interpreter of `core` has no constants, so programs must give the same results for both answers.
    IsConstant,
    /// `trace name x`: `x`, which a program that was compiled with traces prints.
    Trace,
}

/// The most scalars that a network of exchanges puts in order.
pub const FEW: usize = 16;

impl Intrinsic {
    /// How many arguments it takes.
    #[must_use]
    pub fn arity(self) -> usize {
        match self {
            Self::Map(arrays) => usize::from(arrays) + 1,
            Self::Zip(arrays) => usize::from(arrays),
            Self::Partition(predicates) => usize::from(predicates) + 1,
            Self::Unzip(_)
            | Self::Iota
            | Self::Length
            | Self::Flatten
            | Self::Unflatten
            | Self::IsConstant => 1,
            Self::Filter
            | Self::FlatMap
            | Self::Replicate
            | Self::Generate
            | Self::Gather
            | Self::Cross
            | Self::Append
            | Self::OrderBits
            | Self::OrderKey
            | Self::NanPlace
            | Self::IsFew
            | Self::IsNumbers
            | Self::Positions
            | Self::Exchanged
            | Self::Trace => 2,
            Self::Reduce | Self::ReduceComm | Self::Scan | Self::Exscan | Self::Fold => 3,
            Self::Between => 4,
        }
    }
}
