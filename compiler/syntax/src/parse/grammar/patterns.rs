//! Patterns and the parameters of functions.
//!
//! Invariant: a pattern outside of brackets is one that needs none, so that parameters can stand
//! side by side.
//!
//! ```text
//! def f [n] 'a (x: [n]a) (_, {y, z = w}) v
//! ```

use chumsky::prelude::*;

use super::{
    Parse, close, constructor, field_number, fields, ident, numbered, open_square, operator,
    quiet_sign, sign, tuple_items, types,
};
use crate::ast::{Ident, Pat, PatKind, Sign, Type};
use crate::names::Name;
use crate::parse::expected::ExpectedItem;
use crate::parse::token::{Bracket, Opening, Token};

/// What stands between the name of a function and its result type.
#[derive(Default)]
pub(super) struct Parameters {
    /// `[n]`.
    pub(super) sizes: Vec<Ident>,
    /// `[..s]`.
    pub(super) shapes: Vec<Ident>,
    /// `'a`.
    pub(super) types: Vec<Ident>,
    /// The parameters themselves.
    pub(super) params: Vec<Pat>,
}

/// Parameters, if there are any: sizes and types, then patterns.
pub(super) fn parameters<'tok, 'src: 'tok>(
    pat: &Parse<'tok, 'src, Pat>,
) -> Parse<'tok, 'src, Parameters> {
    binders()
        .then(pat.clone().labelled(ExpectedItem::Parameter).repeated().collect::<Vec<_>>())
        .map(|(binders, params)| Parameters { params, ..binders })
        .boxed()
}

/// `[n]`.
pub(super) fn size_binder<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Ident> {
    open_square()
        .ignore_then(ident(ExpectedItem::Name))
        .then_ignore(sign(Token::Close(Bracket::Square)))
        .boxed()
}

/// `[n] 'a`, in any order.
pub(super) fn binders<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Parameters> {
    enum Binder {
        Size(Ident),
        Shape(Ident),
        Type(Ident),
    }
    let size = size_binder();
    let variable =
        select! { Token::TypeVar(name) = e => Ident { name: Name::new(name), span: e.span() } };
    let shape = types::shape_name().map(Binder::Shape);
    let binder = shape.or(size.map(Binder::Size)).or(variable.map(Binder::Type));
    binder
        .repeated()
        .collect::<Vec<_>>()
        .map(|binders| {
            let mut out = Parameters::default();
            for binder in binders {
                match binder {
                    Binder::Size(name) => out.sizes.push(name),
                    Binder::Shape(name) => out.shapes.push(name),
                    Binder::Type(name) => out.types.push(name),
                }
            }
            out
        })
        .boxed()
}

/// A pattern that needs no brackets around it.
pub(super) fn pattern<'tok, 'src: 'tok>(ty: &Parse<'tok, 'src, Type>) -> Parse<'tok, 'src, Pat> {
    let ty = ty.clone();
    recursive(|pat| {
        let pat = pat.boxed();
        let wild = quiet_sign(Token::Underscore).to(PatKind::Wild);
        let name = ident(ExpectedItem::Pattern).map(PatKind::Name);
        let operator = quiet_sign(Token::Open(Opening::Round))
            .ignore_then(operator())
            .then_ignore(quiet_sign(Token::Close(Bracket::Round)))
            .map(PatKind::Name);
        let constructor = constructor().map(|name| PatKind::Constructor(name, Vec::new()));
        let inside = typed(&whole(&pat), &ty);
        choice((wild, name, operator, constructor, literal(), tuple(&inside), record(&inside, &ty)))
            .map_with(|kind, e| Pat { kind, span: e.span() })
            .labelled(ExpectedItem::Pattern)
    })
    .boxed()
}

/// A pattern, also a constructor with its payloads.
pub(super) fn whole<'tok, 'src: 'tok>(pat: &Parse<'tok, 'src, Pat>) -> Parse<'tok, 'src, Pat> {
    constructor()
        .then(pat.clone().repeated().collect::<Vec<_>>())
        .map_with(|(name, pats), e| Pat { kind: PatKind::Constructor(name, pats), span: e.span() })
        .or(pat.clone())
        .labelled(ExpectedItem::Pattern)
        .boxed()
}

/// `1`, `-1`, `true`.
fn literal<'tok, 'src: 'tok>() -> Parse<'tok, 'src, PatKind> {
    let minus = quiet_sign(Token::Operator("-")).or_not();
    let literal = select! { Token::Literal(literal) => literal };
    minus
        .then(literal)
        .map(|(minus, literal)| {
            let sign = if minus.is_some() { Sign::Minus } else { Sign::Plus };
            PatKind::Literal(literal, sign)
        })
        .boxed()
}

/// `p: t`, or `p` alone.
pub(super) fn typed<'tok, 'src: 'tok>(
    pat: &Parse<'tok, 'src, Pat>,
    ty: &Parse<'tok, 'src, Type>,
) -> Parse<'tok, 'src, Pat> {
    let ascription = sign(Token::Colon).ignore_then(ty.clone());
    pat.clone()
        .then(ascription.or_not())
        .map_with(|(pat, ty), e| match ty {
            Some(ty) => Pat { kind: PatKind::Typed(Box::new(pat), ty), span: e.span() },
            None => pat,
        })
        .boxed()
}

/// `(p, q)`, `(p, q,)`, `()`, and `(p)`, which is `p`.
fn tuple<'tok, 'src: 'tok>(pat: &Parse<'tok, 'src, Pat>) -> Parse<'tok, 'src, PatKind> {
    quiet_sign(Token::Open(Opening::Round))
        .ignore_then(tuple_items(pat))
        .then_ignore(close(Bracket::Round))
        .map(|mut pats| match pats.pop() {
            Some(only) if pats.is_empty() => only.kind,
            last => {
                pats.extend(last);
                PatKind::Tuple(pats)
            }
        })
        .boxed()
}

/// `{x = p, y, z: t}`.
fn record<'tok, 'src: 'tok>(
    pat: &Parse<'tok, 'src, Pat>,
    ty: &Parse<'tok, 'src, Type>,
) -> Parse<'tok, 'src, PatKind> {
    enum FieldPattern {
        Pat(Pat),
        Type(Type),
    }
    let given = sign(Token::Equals).ignore_then(pat.clone()).map(FieldPattern::Pat);
    let ascribed = sign(Token::Colon).ignore_then(ty.clone()).map(FieldPattern::Type);
    let number = field_number().then(given.clone().map(Some));
    let field = ident(ExpectedItem::Field).then(given.or(ascribed).or_not()).or(number).map_with(
        |(name, value), e| {
            let bound = Pat { kind: PatKind::Name(name.clone()), span: name.span };
            let pat = match value {
                None => bound,
                Some(FieldPattern::Pat(pat)) => pat,
                Some(FieldPattern::Type(ty)) => {
                    Pat { kind: PatKind::Typed(Box::new(bound), ty), span: e.span() }
                }
            };
            (name, pat)
        },
    );
    quiet_sign(Token::Open(Opening::Curly))
        .ignore_then(fields(field.boxed()))
        .then_ignore(close(Bracket::Curly))
        .validate(|fields, _, emitter| match numbered(fields, emitter) {
            Ok(pats) => PatKind::Tuple(pats),
            Err(fields) => PatKind::Record(fields),
        })
        .boxed()
}
