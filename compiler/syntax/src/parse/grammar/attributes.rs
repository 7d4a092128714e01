//! Attributes: `#[name]`, `#[name(argument, …)]`, `#[name(10)]`.
//!
//! Invariant: what an attribute means, and whether it means anything, is not asked here.
//!
//! ```text
//! #[effect(io)]   ⇒   Attr(effect, [Attr(io)])
//! ```

use chumsky::prelude::*;

use super::{Parse, close, ident_at, quiet_sign, sign};
use crate::ast::{Attr, Literal};
use crate::parse::expected::ExpectedItem;
use crate::parse::token::{Bracket, Opening, Token};

/// `#[a]`.
pub(super) fn attribute<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Attr> {
    quiet_sign(Token::Open(Opening::Attribute))
        .ignore_then(content())
        .then_ignore(close(Bracket::Square))
        .boxed()
}

/// `a`, `a(b, c)`.
fn content<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Attr> {
    recursive(|attr| {
        let name = select! {
            Token::Name(name) = e => ident_at(name, e.span()),
            Token::Literal(Literal::Int(number, None)) = e => {
                ident_at(&number.to_string(), e.span())
            }
        };
        let args = attr
            .separated_by(sign(Token::Comma))
            .collect::<Vec<_>>()
            .delimited_by(quiet_sign(Token::Open(Opening::Round)), close(Bracket::Round));
        name.labelled(ExpectedItem::Attribute).then(args.or_not()).map_with(|(name, args), e| {
            Attr { name, args: args.unwrap_or_default(), span: e.span() }
        })
    })
    .boxed()
}
