//! Types: names with arguments, arrays, tuples, records, functions, unknown sizes and marks of uniqueness.
//!
//! Invariant: `->` groups to the right, and `?[k].` reaches as far as it can.
//!
//! ```text
//! (a -> ?[k].[k]b) -> [n]pair [m] i64
//! ```

use chumsky::prelude::*;

use super::module_types::ITEM_WORDS;
use super::{
    Parse, close, constructor, field, ident, open_square, qual_name, quiet_ident, quiet_sign, sign,
    token_that,
};
use crate::ast::{Expr, Ident, QualName, Size, Type, TypeArg, TypeKind};
use crate::names::Name;
use crate::parse::expected::ExpectedItem;
use crate::parse::token::{Bracket, Opening, Token};
use crate::source::Span;

/// A type, whose sizes are given by `expr`.
pub(super) fn ty<'tok, 'src: 'tok>(expr: &Parse<'tok, 'src, Expr>) -> Parse<'tok, 'src, Type> {
    let size = size(expr);
    recursive(|ty| {
        let ty = ty.boxed();
        let exists = exists(&ty).map(|ty| (None, ty));
        let named = named_parameter(&ty).map(|(name, ty)| (Some(name), ty));
        let sum = sum(&ty, &size).map(|ty| (None, ty));
        let plain = array(&ty, &size);
        let marked = marked(&plain).map(|ty| (None, ty));
        let plain = plain.map(|ty| (None, ty));
        let operand = choice((exists, sum, named, marked, plain))
            .map_with(|(name, ty), e| ArrowOperand { name, ty, span: e.span() });
        let operands =
            operand.separated_by(quiet_sign(Token::Arrow)).at_least(1).collect::<Vec<_>>();
        operands.map(function).labelled(ExpectedItem::Type)
    })
    .boxed()
}

/// The type between the parameters of a lambda and its arrow: other arrows stand in parentheses.
pub(super) fn lambda_result<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, Type>,
    expr: &Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, Type> {
    let size = size(expr);
    let plain = array(ty, &size);
    let operand = choice((sum(ty, &size), marked(&plain), plain)).boxed();
    recursive(|result| exists(&result.boxed()).or(operand)).labelled(ExpectedItem::Type).boxed()
}

/// `[n]`, `[]`.
pub(super) fn size<'tok, 'src: 'tok>(expr: &Parse<'tok, 'src, Expr>) -> Parse<'tok, 'src, Size> {
    let infer = sign(Token::Close(Bracket::Square)).to(None);
    let given = expr.clone().map(Some).then_ignore(close(Bracket::Square));
    let size = open_square().ignore_then(infer.or(given));
    let size = size.map_with(|expr, e| match expr {
        None => Size::Infer(e.span()),
        Some(expr) => Size::Expr(Box::new(expr)),
    });
    shape_name().map(Size::Shape).or(size).boxed()
}

/// `[..s]`.
pub(super) fn shape_name<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Ident> {
    open_square()
        .ignore_then(quiet_sign(Token::Step))
        .ignore_then(ident(ExpectedItem::Name))
        .then_ignore(sign(Token::Close(Bracket::Square)))
        .boxed()
}

/// What stands between two arrows.
struct ArrowOperand {
    name: Option<Ident>,
    ty: Type,
    /// With the parentheses around a named parameter.
    span: Span,
}

fn function(mut operands: Vec<ArrowOperand>) -> Type {
    let result = operands.pop().expect("a type has at least one operand").ty;
    operands.into_iter().rev().fold(result, |result, parameter| Type {
        span: parameter.span.to(result.span),
        kind: TypeKind::Fun(parameter.name, Box::new(parameter.ty), Box::new(result)),
    })
}

/// `?[k][m].t`.
fn exists<'tok, 'src: 'tok>(ty: &Parse<'tok, 'src, Type>) -> Parse<'tok, 'src, Type> {
    let size = open_square()
        .labelled(ExpectedItem::OpenSquare)
        .ignore_then(ident(ExpectedItem::Name))
        .then_ignore(sign(Token::Close(Bracket::Square)));
    quiet_sign(Token::Question)
        .ignore_then(size.repeated().at_least(1).collect())
        .then_ignore(sign(Token::Dot))
        .then(ty.clone())
        .map_with(|(sizes, ty), e| Type {
            kind: TypeKind::Exists(sizes, Box::new(ty)),
            span: e.span(),
        })
        .boxed()
}

/// `*t`.
fn marked<'tok, 'src: 'tok>(plain: &Parse<'tok, 'src, Type>) -> Parse<'tok, 'src, Type> {
    quiet_sign(Token::Operator("*"))
        .ignore_then(plain.clone())
        .map_with(|ty, e| Type { kind: TypeKind::Unique(Box::new(ty)), span: e.span() })
        .boxed()
}

/// `(n: t)`, which only stands before an arrow.
fn named_parameter<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, Type>,
) -> Parse<'tok, 'src, (Ident, Type)> {
    quiet_sign(Token::Open(Opening::Round))
        .ignore_then(ident(ExpectedItem::Type))
        .then_ignore(quiet_sign(Token::Colon))
        .then(ty.clone())
        .then_ignore(sign(Token::Close(Bracket::Round)))
        .then_ignore(sign(Token::Arrow).rewind())
        .boxed()
}

/// `#some t u | #none`. Each payload is a type that needs no brackets, or an array of such.
fn sum<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, Type>,
    size: &Parse<'tok, 'src, Size>,
) -> Parse<'tok, 'src, Type> {
    let bare = qual_name(type_name()).map_with(|name, e| named(name, Vec::new(), e.span()));
    let payload = arrays(size, bare.or(closed(ty)).boxed());
    constructor()
        .labelled(ExpectedItem::Type)
        .then(payload.repeated().collect::<Vec<_>>())
        .separated_by(quiet_sign(Token::Operator("|")))
        .at_least(1)
        .collect()
        .map_with(|constructors, e| Type { kind: TypeKind::Sum(constructors), span: e.span() })
        .boxed()
}

/// `[n][m]t`.
fn array<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, Type>,
    size: &Parse<'tok, 'src, Size>,
) -> Parse<'tok, 'src, Type> {
    arrays(size, applied(ty, size))
}

/// Arrays of `element`, or `element` itself.
fn arrays<'tok, 'src: 'tok>(
    size: &Parse<'tok, 'src, Size>,
    element: Parse<'tok, 'src, Type>,
) -> Parse<'tok, 'src, Type> {
    let sizes =
        size.clone().map_with(|size, e| (size, e.span())).repeated().collect::<Vec<(Size, Span)>>();
    let nest = |(sizes, element): (Vec<(Size, Span)>, Type)| {
        sizes.into_iter().rev().fold(element, |element, (size, at)| Type {
            span: at.to(element.span),
            kind: TypeKind::Array(size, Box::new(element)),
        })
    };
    sizes.then(element).map(nest).boxed()
}

/// `pair [n] i64`, or a type without arguments.
fn applied<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, Type>,
    size: &Parse<'tok, 'src, Size>,
) -> Parse<'tok, 'src, Type> {
    let closed = closed(ty);
    // An argument could follow every type, so to name it in messages would not help the user.
    let bare = qual_name(type_name()).map_with(|name, e| named(name, Vec::new(), e.span()));
    let argument = choice((
        size.clone().map(TypeArg::Size),
        bare.map(TypeArg::Type),
        closed.clone().map(TypeArg::Type),
    ));
    let arguments = argument.repeated().collect::<Vec<_>>();
    let name = qual_name(ident(ExpectedItem::Type))
        .then(arguments)
        .map_with(|(name, arguments), e| named(name, arguments, e.span()));
    name.or(closed).boxed()
}

/// The name of a type that is an argument: no word that begins the next item of a module type.
fn type_name<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Ident> {
    let is_type = |token| !matches!(token, Token::Name(name) if ITEM_WORDS.contains(&name));
    token_that(is_type).rewind().ignore_then(quiet_ident()).boxed()
}

fn named(name: QualName, arguments: Vec<TypeArg>, span: Span) -> Type {
    Type { kind: TypeKind::Name(name, arguments), span }
}

/// A type that needs no brackets around it as an argument, except a name.
fn closed<'tok, 'src: 'tok>(ty: &Parse<'tok, 'src, Type>) -> Parse<'tok, 'src, Type> {
    let variable = select! { Token::TypeVar(name) = e => {
        let name = Ident { name: Name::new(name), span: e.span() };
        named(QualName { quals: Vec::new(), name }, Vec::new(), e.span())
    }};
    choice((variable, parenthesised(ty), record(ty))).boxed()
}

/// `(t)`, `(a, b)`, `()`.
fn parenthesised<'tok, 'src: 'tok>(ty: &Parse<'tok, 'src, Type>) -> Parse<'tok, 'src, Type> {
    quiet_sign(Token::Open(Opening::Round))
        .ignore_then(ty.clone().separated_by(sign(Token::Comma)).collect::<Vec<_>>())
        .then_ignore(close(Bracket::Round))
        .map_with(|mut types, e| match types.pop() {
            Some(only) if types.is_empty() => Type { kind: only.kind, span: e.span() },
            last => {
                types.extend(last);
                Type { kind: TypeKind::Tuple(types), span: e.span() }
            }
        })
        .boxed()
}

/// `{x: a, y: b}`.
fn record<'tok, 'src: 'tok>(ty: &Parse<'tok, 'src, Type>) -> Parse<'tok, 'src, Type> {
    let field = field().then_ignore(sign(Token::Colon)).then(ty.clone());
    quiet_sign(Token::Open(Opening::Curly))
        .ignore_then(field.separated_by(sign(Token::Comma)).collect::<Vec<_>>())
        .then_ignore(close(Bracket::Curly))
        .map_with(|fields, e| Type { kind: TypeKind::Record(fields), span: e.span() })
        .boxed()
}
