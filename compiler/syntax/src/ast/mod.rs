//! The tree of the text: every node has the span of its text.
//!
//! Invariant (`verify`): spans nest, and siblings do not overlap.
//!
//! ```text
//! def f (x: i64) = x + 1   ⇒   Def { name: f, params: [x: i64], body: Infix(x, +, 1) }
//! ```

pub mod bound_names;
mod modules;
pub mod operators;
mod print;
mod unparsed;
mod verify;
pub mod visit;
mod with;

pub use modules::{
    Import, Include, Lift, ModuleDef, ModuleExpr, ModuleParam, ModuleSpec, ModuleType,
    ModuleTypeDef, Open, Refinement, Spec, TypeSpec,
};
pub use unparsed::UnparsedRegions;
pub use verify::verify;
pub use with::{Bound, Generator, IndexName, Operator, OperatorKind, With};

use indexmap::IndexMap;

use crate::ids::FileId;
use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

/// One source file.
#[derive(Clone, PartialEq, Debug)]
pub struct File {
    /// The file.
    pub id: FileId,
    /// Its declarations, in order.
    pub decls: Vec<Decl>,
    /// The parts that could not be read.
    pub gaps: UnparsedRegions,
    /// Whether the file is part of the compiler. A run-time error in it is reported where the user's files call it.
    pub is_library: bool,
    /// Whether a name can be used only after its declaration, as in Futhark. Otherwise declarations can be in any order.
    pub is_in_order: bool,
}

/// A whole program.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The files, each after those that it imports; the last one has the entries.
    pub files: Vec<File>,
    /// The file that each import means. An import that could not be loaded is missing.
    pub imports: IndexMap<(FileId, Name), FileId>,
}

impl Program {
    /// A program of one file, which imports nothing.
    #[must_use]
    pub fn single(file: File) -> Self {
        Self { files: vec![file], imports: IndexMap::new() }
    }

    /// The file with the entries.
    ///
    /// # Panics
    /// If there is no file at all.
    #[must_use]
    pub fn root(&self) -> &File {
        self.files.last().expect("a program has at least one file")
    }
}

/// A name at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name; an operator is named by its sign.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// A possibly qualified name: `f64.sqrt` has the qualifier `f64`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QualName {
    /// The qualifiers, outermost first.
    pub quals: Vec<Ident>,
    /// The name itself.
    pub name: Ident,
}

impl QualName {
    /// The whole name's span.
    #[must_use]
    pub fn span(&self) -> Span {
        self.quals.first().map_or(self.name.span, |first| first.span.to(self.name.span))
    }
}

/// A declaration, of a file or of a module.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::large_enum_variant, reason = "nearly all declarations are definitions")]
pub enum Decl {
    /// `def`, `entry`, `external`, or an intrinsic of the prelude.
    Def(Def),
    /// `type t = …`.
    Type(TypeDef),
    /// `module m = …`.
    Module(ModuleDef),
    /// `module type t = …`.
    ModuleType(ModuleTypeDef),
    /// `open m`.
    Open(Open),
    /// `import "geometry"`, which is `local open import "geometry"`.
    Import(Import),
    /// `local` before a declaration: it is not visible where the enclosing module or file is opened or imported.
    Local(Local),
}

impl Decl {
    /// The whole declaration.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Def(def) => def.span,
            Self::Type(def) => def.span,
            Self::Module(def) => def.span,
            Self::ModuleType(def) => def.span,
            Self::Open(open) => open.span,
            Self::Import(import) => import.span,
            Self::Local(local) => local.span,
        }
    }

    /// The definition. A local one is not seen through its `local`.
    #[must_use]
    pub fn as_def(&self) -> Option<&Def> {
        if let Self::Def(def) = self { Some(def) } else { None }
    }

    /// The same, to be changed.
    #[must_use]
    pub fn as_def_mut(&mut self) -> Option<&mut Def> {
        if let Self::Def(def) = self { Some(def) } else { None }
    }
}

/// `local def f …`.
#[derive(Clone, PartialEq, Debug)]
pub struct Local {
    /// The declaration, visible only here.
    pub decl: Box<Decl>,
    /// With the word `local`.
    pub span: Span,
}

/// `noinline`, `effect(io)`: what stands in `#[…]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attr {
    /// The name, or a number.
    pub name: Ident,
    /// What stands in parentheses behind it.
    pub args: Vec<Attr>,
    /// All of it, without `#[` and `]`.
    pub span: Span,
}

/// The kinds of definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefKind {
    /// `def`: used in the program.
    Def,
    /// `entry`: also a C function.
    Entry,
    /// `intrinsic`: only in the prelude; the compiler knows its meaning, so it has no body.
    Intrinsic,
    /// `external`: a C function that the program is linked with.
    External,
    /// `val`: a value that a module type asks for. The module that has the type gives it a body.
    Value,
}

/// A definition: `def f [n] 'a (x: t) …: t = e`.
#[derive(Clone, PartialEq, Debug)]
pub struct Def {
    /// Its kind.
    pub kind: DefKind,
    /// The text of the `-- |` comment before it.
    pub doc: Option<String>,
    /// `#[…]` before it.
    pub attrs: Vec<Attr>,
    /// The name; an operator's sign for a user-defined operator.
    pub name: Ident,
    /// `[n]`: size parameters.
    pub sizes: Vec<Ident>,
    /// `[..s]`: shape parameters, each of any number of sizes.
    pub shapes: Vec<Ident>,
    /// `'a`: type parameters, without the quote.
    pub types: Vec<Ident>,
    /// The parameters.
    pub params: Vec<Pat>,
    /// The result type, if written.
    pub result: Option<Type>,
    /// The body; none for an intrinsic, an external or a `val`.
    pub body: Option<Expr>,
    /// The whole declaration.
    pub span: Span,
}

/// `type point = {x: f64, y: f64}`.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeDef {
    /// The text of the `-- |` comment before it.
    pub doc: Option<String>,
    /// The name.
    pub name: Ident,
    /// Size parameters.
    pub sizes: Vec<Ident>,
    /// Type parameters, without the quote.
    pub types: Vec<Ident>,
    /// What it stands for.
    pub body: Type,
    /// The whole declaration.
    pub span: Span,
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Its text.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `i64`, `point`, `'a` (with its quote dropped), `pair [n] i64`.
    Name(QualName, Vec<TypeArg>),
    /// `(a, b)`; `()` is the empty tuple.
    Tuple(Vec<Type>),
    /// `{x: a, y: b}`, in order of writing.
    Record(Vec<(Ident, Type)>),
    /// `#some t | #none`, in order of writing; a constructor is named without its `#`.
    Sum(Vec<(Ident, Vec<Type>)>),
    /// `[n]t`.
    Array(Size, Box<Type>),
    /// `a -> b`, and `(n: a) -> b` with the parameter's name.
    Fun(Option<Ident>, Box<Type>, Box<Type>),
    /// `?[k].t`.
    Exists(Vec<Ident>, Box<Type>),
    /// `*t`: the memory of its arrays is not shared.
    Unique(Box<Type>),
    /// Could not be parsed; reported already.
    Error,
}

/// An argument of a type abbreviation.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeArg {
    /// A type.
    Type(Type),
    /// `[n]`.
    Size(Size),
}

/// A size in brackets.
#[derive(Clone, PartialEq, Debug)]
pub enum Size {
    /// `[]`: to be inferred.
    Infer(Span),
    /// `[..s]`: as many dimensions as a shape parameter has.
    Shape(Ident),
    /// `[e]`: an expression of type `i64`; names, literals, `+`, `-` and `*` have a static meaning.
    Expr(Box<Expr>),
}

/// A pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct Pat {
    /// What it is.
    pub kind: PatKind,
    /// Its text.
    pub span: Span,
}

/// The kinds of patterns.
#[derive(Clone, PartialEq, Debug)]
pub enum PatKind {
    /// `_`.
    Wild,
    /// `x`.
    Name(Ident),
    /// `(p, q)`; `()` is the empty tuple.
    Tuple(Vec<Pat>),
    /// `{x = p, y, z: t}`; a punned field binds its own name.
    Record(Vec<(Ident, Pat)>),
    /// `#some p`; the name is without its `#`.
    Constructor(Ident, Vec<Pat>),
    /// `1`, `true`, and with a sign `-1`.
    Literal(Literal, Sign),
    /// `p: t`.
    Typed(Box<Pat>, Type),
    /// `[n] p`, behind `let` only: names for sizes in the types of the pattern.
    Sized(Vec<Ident>, Box<Pat>),
    /// Could not be parsed; reported already.
    Error,
}

/// Whether a minus stands before the literal of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// No.
    Plus,
    /// Yes.
    Minus,
}

/// `case p -> e`.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The pattern that the value must fit.
    pub pat: Pat,
    /// The value of the `match` if this case applies.
    pub body: Expr,
    /// From `case` to the end of the body.
    pub span: Span,
}

/// A number with a fraction or an exponent: its value in each float type. Both values are rounded from the text,
/// since rounding the `f64` again does not always give the right `f32`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatLiteral {
    /// As an `f64`.
    pub double: f64,
    /// As an `f32`.
    pub single: f32,
}

impl FloatLiteral {
    /// The number with this `f64`; its `f32` is rounded from it.
    #[must_use]
    pub fn new(double: f64) -> Self {
        #[allow(clippy::cast_possible_truncation)]
        let single = double as f32;
        Self { double, single }
    }

    /// The value in this float type.
    #[must_use]
    pub fn value(self, ty: Scalar) -> f64 {
        if ty == Scalar::F32 { self.single.into() } else { self.double }
    }
}

/// A literal as written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Literal {
    /// `12`, `0xff`, `1u8`, `2f32`: the value, and the suffix's type.
    Int(u128, Option<Scalar>),
    /// `1.5`, `1e9f32`, `0x1.8p3`: the value, and the suffix's type.
    Float(FloatLiteral, Option<Scalar>),
    /// `true`, `false`.
    Bool(bool),
}

/// One dimension of an index or a slice.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::large_enum_variant, reason = "an array has few dimensions")]
pub enum Dim {
    /// `i`.
    Index(Expr),
    /// `i:j:s`; each may be left out.
    Slice(Slice),
}

impl Dim {
    /// The expressions in it, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let parts = match self {
            Self::Index(index) => [Some(index), None, None],
            Self::Slice(Slice { first, last, step, .. }) => {
                [first.as_ref(), last.as_ref(), step.as_ref()]
            }
        };
        parts.into_iter().flatten()
    }

    /// Its place.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Index(index) => index.span,
            Self::Slice(slice) => slice.span,
        }
    }
}

/// A slice of one dimension.
#[derive(Clone, PartialEq, Debug)]
pub struct Slice {
    /// Where it begins.
    pub first: Option<Expr>,
    /// Where it ends, exclusive.
    pub last: Option<Expr>,
    /// From one element to the next.
    pub step: Option<Expr>,
    /// Its text, at least a colon.
    pub span: Span,
}

/// One step of the path from a value to a part of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Accessor {
    /// `.x`, `.0`.
    Field(Ident),
    /// `[i, j:k]`: at least one.
    At(Vec<Dim>),
}

impl Accessor {
    /// The dimensions between the brackets; none for a field.
    #[must_use]
    pub fn dims(&self) -> &[Dim] {
        match self {
            Self::Field(_) => &[],
            Self::At(dims) => dims,
        }
    }
}

/// `first..second..<last`.
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    /// The first number.
    pub first: Expr,
    /// The second number, which determines the step.
    pub second: Option<Expr>,
    /// The kind of the end, and the place of its sign.
    pub end: (RangeEnd, Span),
    /// The last number.
    pub last: Expr,
}

/// How a range ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RangeEnd {
    /// `...`: the last number is included.
    With,
    /// `..<`: upwards; the last number is excluded.
    Below,
    /// `..>`: downwards; the last number is excluded.
    Above,
}

impl RangeEnd {
    /// The sign in the text.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::With => "...",
            Self::Below => "..<",
            Self::Above => "..>",
        }
    }
}

/// A loop.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// The pattern of the carried values.
    pub pat: Pat,
    /// The initial value. If it is left out, it is the value of the pattern's names around the loop.
    pub init: Option<Expr>,
    /// What determines the number of steps.
    pub form: LoopForm,
    /// The carried values of the next step.
    pub body: Expr,
}

/// What determines the number of steps of a loop.
#[derive(Clone, PartialEq, Debug)]
pub enum LoopForm {
    /// `for i < n`.
    For(Ident, Expr),
    /// `for p in xs`.
    In(Pat, Expr),
    /// `while e`.
    While(Expr),
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its text.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `1u8`.
    Literal(Literal),
    /// `x`, `f64.sqrt`, `(+)`, `i64.(+)`. The parser cannot tell a qualified name from a field of a variable:
    /// a dotted path is a [`ExprKind::Field`] where its head is bound in scope.
    Name(QualName),
    /// `f x y`, applied to one argument at a time from the left: always at least one argument.
    Apply(Box<Expr>, Vec<Expr>),
    /// `"abc"`: the bytes of a text, an array of `u8`.
    Text(Name),
    /// `a + b`, also `a && b`, `a |> f`, `` a `m.f` b ``; the operator is named by its sign.
    Infix(Box<Expr>, QualName, Box<Expr>),
    /// `-x`.
    Neg(Box<Expr>),
    /// `!x`.
    Not(Box<Expr>),
    /// `(+ 1)`: the right operand is given.
    SectionRight(QualName, Box<Expr>),
    /// `(1 +)`: the left operand is given.
    SectionLeft(Box<Expr>, QualName),
    /// `m.(e)`: in the expression the names of the module can be seen as they are.
    Opened(QualName, Box<Expr>),
    /// `(.x.y)`, `(.0)`, `(.[i, j:k])`, `(.x[i].y)`: at least one step; the indices are given.
    SectionPath(Vec<Accessor>),
    /// `\x (y: i64): t -> e`.
    Lambda(Vec<Pat>, Option<Box<Type>>, Box<Expr>),
    /// `let p = e in e`; `in` may be left out before another `let`.
    Let(Box<Pat>, Box<Expr>, Box<Expr>),
    /// `let f [n] 'a p q: t = e in e`.
    LetFun(Box<Def>, Box<Expr>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `match e case p -> e …`: at least one case.
    Match(Box<Expr>, Vec<Case>),
    /// `#some e`; the name is without its `#`.
    Constructor(Ident, Vec<Expr>),
    /// `(a, b)`; `()` is the empty tuple.
    Tuple(Vec<Expr>),
    /// `{x = e, y}`; a punned field stands for the variable of its name.
    Record(Vec<(Ident, Expr)>),
    /// `r with x.y = e`, `a with [i, j:k] = e`, `r with x[i].y = e`: at least one step.
    Update(Box<Expr>, Vec<Accessor>, Box<Expr>),
    /// `loop p = e for i < n do e` and its other forms.
    Loop(Box<Loop>),
    /// `with { (a <= iv < b) : e } : genarray (s, d)`.
    With(Box<With>),
    /// `let a[i].x = e in e`: binds `a` anew.
    LetUpdate(Ident, Vec<Accessor>, Box<Expr>, Box<Expr>),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `a[i, j]`.
    Index(Box<Expr>, Vec<Expr>),
    /// `e.x`, `e.0`.
    Field(Box<Expr>, Ident),
    /// `a[i, j:k]`: at least one part is a slice.
    Slice(Box<Expr>, Vec<Dim>),
    /// `a..<b`, `a..b...c`.
    Range(Box<Range>),
    /// `e : t`.
    Ascribe(Box<Expr>, Type),
    /// `e :> t`.
    Coerce(Box<Expr>, Type),
    /// `assert c e`.
    Assert(Box<Expr>, Box<Expr>),
    /// `#[a] e`.
    Attr(Attr, Box<Expr>),
    /// `???`: a hole, which is still to be written.
    Hole,
    /// Could not be parsed; reported already.
    Error,
}
