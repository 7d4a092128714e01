//! Module types: what a module must have.
//!
//! Invariant: the words `val` and `include` begin an item only here. They are no types, so that a type ends before
//! them.
//!
//! ```text
//! {type t val op: t -> t -> t} with t = i64   ⇒   With(Specs [type t, val op], t = i64)
//! ```

use chumsky::prelude::*;

use super::expressions::Grammar;
use super::patterns::{Parameters, binders};
use super::{
    Parse, attributes, close, ident, keyword, operator, qual_name, quiet_sign, sign, token_that,
};
use crate::ast::{
    Def, DefKind, Ident, Include, Lift, ModuleSpec, ModuleType, Refinement, Spec, TypeSpec,
};
use crate::parse::expected::ExpectedItem;
use crate::parse::token::{Bracket, Keyword, Opening, Token};
use crate::source::Span;

/// The words that begin an item and are no keywords elsewhere.
pub(super) const ITEM_WORDS: [&str; 2] = ["val", "include"];

/// A module type.
pub(super) fn module_type<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, ModuleType> {
    recursive(|ty| arrow(&ty.boxed(), grammar)).boxed()
}

/// A module type before an arrow that is not its own.
pub(super) fn result_type<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, ModuleType> {
    refined(&module_type(grammar), grammar)
}

/// `(P: t) -> u`, `t -> u`, `t`.
fn arrow<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, ModuleType>,
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, ModuleType> {
    let arrow = quiet_sign(Token::Arrow).ignore_then(ty.clone());
    let is_named = quiet_sign(Token::Open(Opening::Round))
        .then(token_that(|token| matches!(token, Token::Name(_))))
        .then(quiet_sign(Token::Colon));
    let named = is_named
        .rewind()
        .ignore_then(quiet_sign(Token::Open(Opening::Round)))
        .ignore_then(ident(ExpectedItem::Name))
        .then_ignore(sign(Token::Colon))
        .then(ty.clone())
        .then_ignore(close(Bracket::Round))
        .then_ignore(sign(Token::Arrow))
        .then(ty.clone())
        .map_with(|((name, param), result), e| {
            ModuleType::Function(Some(name), Box::new(param), Box::new(result), e.span())
        });
    let plain =
        refined(ty, grammar).then(arrow.or_not()).map_with(|(param, result), e| match result {
            Some(result) => ModuleType::Function(None, Box::new(param), Box::new(result), e.span()),
            None => param,
        });
    named.or(plain).boxed()
}

/// `t with u = i64`.
fn refined<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, ModuleType>,
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, ModuleType> {
    let refinement = qual_name(ident(ExpectedItem::Type))
        .then(binders())
        .then_ignore(sign(Token::Equals))
        .then(grammar.ty.clone())
        .map_with(|((name, Parameters { sizes, types, .. }), body), e| Refinement {
            name,
            sizes,
            types,
            body,
            span: e.span(),
        });
    let with = quiet_sign(Token::Keyword(Keyword::With)).ignore_then(refinement);
    atom(ty, grammar)
        .map_with(|ty, e| (ty, e.span()))
        .then(with.repeated().collect::<Vec<Refinement>>())
        .map(|((ty, first), refinements): ((ModuleType, Span), _)| {
            refinements.into_iter().fold(ty, |ty, refinement| {
                let span = first.to(refinement.span);
                ModuleType::With(Box::new(ty), Box::new(refinement), span)
            })
        })
        .boxed()
}

fn atom<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, ModuleType>,
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, ModuleType> {
    let parentheses = quiet_sign(Token::Open(Opening::Round))
        .ignore_then(ty.clone())
        .then_ignore(close(Bracket::Round));
    let specs = quiet_sign(Token::Open(Opening::Curly))
        .ignore_then(spec(ty, grammar).repeated().collect::<Vec<_>>())
        .then_ignore(sign(Token::Close(Bracket::Curly)))
        .map_with(|specs, e| ModuleType::Specs(specs, e.span()));
    let name = select! { Token::Name(name) = e => super::ident_at(name, e.span()) };
    let name = qual_name(name.boxed()).map(ModuleType::Name);
    choice((name, parentheses, specs)).labelled(ExpectedItem::ModuleType).boxed()
}

/// One item between the braces.
fn spec<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, ModuleType>,
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, Spec> {
    let module = keyword(Keyword::Module)
        .ignore_then(ident(ExpectedItem::Name))
        .then_ignore(sign(Token::Colon))
        .then(ty.clone())
        .map_with(|(name, ty), e| Spec::Module(ModuleSpec { name, ty, span: e.span() }));
    let include = word("include")
        .ignore_then(ty.clone())
        .map_with(|ty, e| Spec::Include(Include { ty, span: e.span() }));
    let item = choice((value(grammar), abstract_type(grammar), module, include));
    let item = item.labelled(ExpectedItem::ModuleItem);
    attributes::attribute().repeated().ignore_then(item).boxed()
}

/// `val f [n] 'a: [n]a -> a`.
fn value<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, Spec> {
    word("val")
        .ignore_then(value_name())
        .then(binders())
        .then_ignore(sign(Token::Colon))
        .then(grammar.ty.clone())
        .map_with(|((name, Parameters { sizes, shapes, types, .. }), ty), e| {
            Spec::Value(Def {
                kind: DefKind::Value,
                doc: None,
                attrs: Vec::new(),
                name,
                sizes,
                shapes,
                types,
                params: Vec::new(),
                result: Some(ty),
                body: None,
                span: e.span(),
            })
        })
        .boxed()
}

/// A name, `(+)`, or `+`.
fn value_name<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Ident> {
    let sign_name = quiet_sign(Token::Open(Opening::Round))
        .ignore_then(operator())
        .then_ignore(sign(Token::Close(Bracket::Round)));
    let bang = quiet_sign(Token::Bang).map(|span| super::ident_at("!", span));
    choice((ident(ExpectedItem::Name), sign_name, operator(), bang)).boxed()
}

/// `type t`, `type^ t 'a = (a, a)`.
fn abstract_type<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, Spec> {
    keyword(Keyword::Type)
        .ignore_then(lift())
        .then(ident(ExpectedItem::Name))
        .then(binders())
        .then(sign(Token::Equals).ignore_then(grammar.ty.clone()).or_not())
        .map_with(|(((lift, name), Parameters { sizes, types, .. }), body), e| {
            Spec::Type(TypeSpec { lift, name, sizes, types, body, span: e.span() })
        })
        .boxed()
}

/// `^`, `~`, or nothing.
pub(super) fn lift<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Lift> {
    let any = quiet_sign(Token::Operator(Lift::Any.mark())).to(Lift::Any);
    let sized = quiet_sign(Token::Operator(Lift::Sized.mark())).to(Lift::Sized);
    choice((any, sized)).or_not().map(|lift| lift.unwrap_or(Lift::Data)).boxed()
}

/// A word that is no keyword.
fn word<'tok, 'src: 'tok>(word: &'static str) -> Parse<'tok, 'src, ()> {
    token_that(move |token| token == Token::Name(word)).boxed()
}
