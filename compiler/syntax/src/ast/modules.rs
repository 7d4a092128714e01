//! Modules, module types, and the items that module types ask for.
//!
//! Invariant: a module type is read as it is written. What its names mean, and whether a module has it, is not asked
//! here.
//!
//! ```text
//! module f (P: {type t}) : {type u} with u = P.t = {type u = P.t}
//! ⇒ ModuleDef { name: f, params: [P: Specs [t]], ascription: With(Specs [u], u = P.t), body: Body [u] }
//! ```

use super::{Decl, Def, Ident, QualName, Type};
use crate::names::Name;
use crate::source::Span;

/// `module m (P: t) : u = …`.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleDef {
    /// The text of the `-- |` comment before it.
    pub doc: Option<String>,
    /// The name.
    pub name: Ident,
    /// The modules that it is given, if it is parametric.
    pub params: Vec<ModuleParam>,
    /// The type behind the colon: nothing else of the module is visible.
    pub ascription: Option<ModuleType>,
    /// What it stands for.
    pub body: ModuleExpr,
    /// The whole declaration.
    pub span: Span,
}

/// `(P: t)`.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleParam {
    /// The name.
    pub name: Ident,
    /// The type of the module that is given.
    pub ty: ModuleType,
    /// With the parentheses.
    pub span: Span,
}

/// `module type t = …`.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleTypeDef {
    /// The text of the `-- |` comment before it.
    pub doc: Option<String>,
    /// The name.
    pub name: Ident,
    /// What it stands for.
    pub body: ModuleType,
    /// The whole declaration.
    pub span: Span,
}

/// `open m`.
#[derive(Clone, PartialEq, Debug)]
pub struct Open {
    /// The opened module.
    pub module: ModuleExpr,
    /// The whole declaration.
    pub span: Span,
}

/// `import "lib/geometry"`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The path between the quotes, without `.arr`.
    pub path: Name,
    /// The path with its quotes.
    pub path_span: Span,
    /// With the word `import`.
    pub span: Span,
}

/// The kinds of module expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ModuleExpr {
    /// `m.n`.
    Name(QualName),
    /// `import "x"`.
    Import(Import),
    /// `{ … }`: the declarations, and the braces' place.
    Body(Vec<Decl>, Span),
    /// `f m`: a parametric module, and the module that it is given.
    Apply(Box<ModuleExpr>, Box<ModuleExpr>, Span),
    /// `m : t`.
    Ascribe(Box<ModuleExpr>, Box<ModuleType>, Span),
    /// `\(P: t): u -> m`.
    Function(Box<ModuleParam>, Option<Box<ModuleType>>, Box<ModuleExpr>, Span),
    /// Could not be parsed; reported already.
    Error(Span),
}

impl ModuleExpr {
    /// Its place.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Name(name) => name.span(),
            Self::Import(import) => import.span,
            Self::Body(_, span)
            | Self::Apply(_, _, span)
            | Self::Ascribe(_, _, span)
            | Self::Function(_, _, _, span)
            | Self::Error(span) => *span,
        }
    }
}

/// The kinds of module types.
#[derive(Clone, PartialEq, Debug)]
pub enum ModuleType {
    /// `m.t`.
    Name(QualName),
    /// `{ … }`: what it asks for, and the braces' place.
    Specs(Vec<Spec>, Span),
    /// `t with u = i64`.
    With(Box<ModuleType>, Box<Refinement>, Span),
    /// `(P: t) -> u`, and `t -> u`.
    Function(Option<Ident>, Box<ModuleType>, Box<ModuleType>, Span),
    /// Could not be parsed; reported already.
    Error(Span),
}

impl ModuleType {
    /// Its place.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Name(name) => name.span(),
            Self::Specs(_, span)
            | Self::With(_, _, span)
            | Self::Function(_, _, _, span)
            | Self::Error(span) => *span,
        }
    }
}

/// `u [n] 'a = [n]a`, behind `with`.
#[derive(Clone, PartialEq, Debug)]
pub struct Refinement {
    /// The type of the module type that it fixes.
    pub name: QualName,
    /// Size parameters.
    pub sizes: Vec<Ident>,
    /// Type parameters, without the quote.
    pub types: Vec<Ident>,
    /// What the type stands for.
    pub body: Type,
    /// From the name to the end.
    pub span: Span,
}

/// An item that a module type asks for.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::large_enum_variant, reason = "nearly all items are values")]
pub enum Spec {
    /// `val f [n] 'a: [n]a -> a`. The type stands as the result.
    Value(Def),
    /// `type t`, `type t = i64`.
    Type(TypeSpec),
    /// `module m: t`.
    Module(ModuleSpec),
    /// `include t`.
    Include(Include),
}

/// `type^ t [n] 'a`, `type t = i64`.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeSpec {
    /// What its values may be made of.
    pub lift: Lift,
    /// The name.
    pub name: Ident,
    /// Size parameters.
    pub sizes: Vec<Ident>,
    /// Type parameters, without the quote.
    pub types: Vec<Ident>,
    /// What it stands for; none if only the module knows.
    pub body: Option<Type>,
    /// The whole item.
    pub span: Span,
}

/// What the values of a type may be made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lift {
    /// `type t`: data of known size.
    Data,
    /// `type~ t`: data, also of a size of its own.
    Sized,
    /// `type^ t`: anything, also functions.
    Any,
}

impl Lift {
    /// The mark behind the word `type`.
    #[must_use]
    pub fn mark(self) -> &'static str {
        match self {
            Self::Data => "",
            Self::Sized => "~",
            Self::Any => "^",
        }
    }
}

/// `module m: t`.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleSpec {
    /// The name.
    pub name: Ident,
    /// The type of the module.
    pub ty: ModuleType,
    /// The whole item.
    pub span: Span,
}

/// `include t`.
#[derive(Clone, PartialEq, Debug)]
pub struct Include {
    /// The module type whose items are taken over.
    pub ty: ModuleType,
    /// The whole item.
    pub span: Span,
}
