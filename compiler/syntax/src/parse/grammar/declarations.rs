//! Declarations: `def`, `entry`, `external`, `intrinsic` and `type`, with what stands before them.
//!
//! Invariant: behind the first word nothing fails, so that a mistake in the head of a definition
//! does not hide those in its body.
//!
//! ```text
//! entry f [n] (xs: [n]i64): i64 = reduce (+) 0 xs
//! type pair 'a = (a, a)
//! ```

use chumsky::prelude::*;

use super::expressions::Grammar;
use super::patterns::{Parameters, binders, parameters};
use super::{
    Parse, attributes, bracketed, ident, keyword, module_types, modules, operator, quiet_sign,
    sign, skip_rest, skip_while, stops, token_that,
};
use crate::ast::{
    Attr, Decl, Def, DefKind, Expr, ExprKind, Ident, Local, Pat, PatKind, Type, TypeDef, TypeKind,
};
use crate::parse::expected::{Expected, ExpectedItem, ParseError};
use crate::parse::token::{Bracket, Keyword, Opening, Token};
use crate::source::Span;

/// A declaration, up to the end of the tokens; none if not even its name can be read.
pub(crate) fn declaration<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, Option<Decl>> {
    let decl = choice((
        definition(grammar),
        bodiless(grammar, Keyword::Intrinsic, DefKind::Intrinsic),
        bodiless(grammar, Keyword::External, DefKind::External),
        type_definition(grammar),
        modules::module(grammar),
        modules::open(grammar),
        modules::import(),
    ));
    let local = keyword(Keyword::Local).or_not().then(decl).map(|(local, decl)| {
        let decl = decl?;
        Some(match local {
            Some(word) => Decl::Local(Local { span: word.to(decl.span()), decl: Box::new(decl) }),
            None => decl,
        })
    });
    attributes::attribute()
        .repeated()
        .collect::<Vec<_>>()
        .then(local)
        .map_with(|(attrs, decl), e| Some(with_attributes(decl?, attrs, e.span())))
        .boxed()
}

/// The declaration with the attributes before it. `span` covers both.
fn with_attributes(decl: Decl, attrs: Vec<Attr>, span: Span) -> Decl {
    if attrs.is_empty() {
        return decl;
    }
    match decl {
        Decl::Def(def) => Decl::Def(Def { attrs, span, ..def }),
        Decl::Local(local) => {
            let decl = Box::new(with_attributes(*local.decl, attrs, span));
            Decl::Local(Local { decl, span })
        }
        // These declarations define no function, so no attribute has a meaning on them.
        decl @ (Decl::Type(_)
        | Decl::Module(_)
        | Decl::ModuleType(_)
        | Decl::Open(_)
        | Decl::Import(_)) => decl,
    }
}

/// What stands between the keyword and the `=`.
struct DefHead {
    name: Ident,
    parameters: Parameters,
    result: Option<Type>,
}

impl DefHead {
    fn into_decl(self, kind: DefKind, body: Option<Expr>, span: Span) -> Decl {
        let Self { name, parameters: Parameters { sizes, shapes, types, params }, result } = self;
        let attrs = Vec::new();
        let doc = None;
        let def = Def { kind, doc, attrs, name, sizes, shapes, types, params, result, body, span };
        Decl::Def(def)
    }
}

fn definition<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, Option<Decl>> {
    let begin =
        keyword(Keyword::Def).to(DefKind::Def).or(keyword(Keyword::Entry).to(DefKind::Entry));
    let body = sign(Token::Equals).ignore_then(grammar.expr.clone());
    let good = head(grammar).map(Some).then(body.clone());
    let bad = bad_head(ident(ExpectedItem::Name)).map(|name| name.map(DefHead::unreadable));
    let bad = bad.then(body.or_not()).map_with(|(head, body), e| {
        let end = Span { start: e.span().end, ..e.span() };
        (head, body.unwrap_or(Expr { kind: ExprKind::Error, span: end }))
    });
    begin
        .then(good.recover_with(via_parser(bad)))
        .map_with(|(kind, (head, body)), e| (kind, head, body, e.span()))
        .then(trailing_tokens())
        .validate(|((kind, head, body, span), leftover), _, emitter| {
            // Behind a body with a mistake in it, this is a consequence of the mistake.
            if body.kind != ExprKind::Error {
                leftover.into_iter().for_each(|error| emitter.emit(error));
            }
            Some(head?.into_decl(kind, Some(body), span))
        })
        .boxed()
}

/// Tokens behind a whole definition: an error at the first one.
fn trailing_tokens<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Option<ParseError>> {
    let first = any().map_with(|token, e| {
        let expected = if token == Token::Keyword(Keyword::Let) {
            Expected::only(ExpectedItem::Declaration)
        } else {
            [ExpectedItem::Operator, ExpectedItem::Argument].into_iter().collect()
        };
        ParseError::Unexpected { at: e.span(), expected }
    });
    first.then_ignore(skip_rest()).or_not().boxed()
}

impl DefHead {
    /// Stands for a head in which only the name could be read.
    fn unreadable((name, rest): (Ident, Span)) -> Self {
        let params = vec![Pat { kind: PatKind::Error, span: rest }];
        Self { name, parameters: Parameters { params, ..Parameters::default() }, result: None }
    }
}

/// The name, if it can be read, and the tokens up to the `=` or where a body seems to begin.
fn bad_head<'tok, 'src: 'tok>(
    name: Parse<'tok, 'src, Ident>,
) -> Parse<'tok, 'src, Option<(Ident, Span)>> {
    let rest = skip_while(|token| {
        let begins_body =
            matches!(token, Token::Keyword(Keyword::If) | Token::Backslash | Token::Operator(_));
        token != Token::Equals && !stops(token) && !begins_body
    });
    // Text behind the end of the head belongs to no body that could be read.
    let lost = quiet_sign(Token::Equals).rewind().ignored().or(skip_rest());
    name.or_not()
        .then(rest.map_with(|(), e| e.span()))
        .then_ignore(lost)
        .map(|(name, rest)| Some((name?, rest)))
        .boxed()
}

/// A definition without a body.
fn bodiless<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    word: Keyword,
    kind: DefKind,
) -> Parse<'tok, 'src, Option<Decl>> {
    let good = head(grammar).then_ignore(end()).map(Some);
    keyword(word)
        .ignore_then(good.recover_with(via_parser(skip_rest().map(|()| None))))
        .map_with(move |head, e| Some(head?.into_decl(kind, None, e.span())))
        .boxed()
}

fn head<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, DefHead> {
    let sign_name = quiet_sign(Token::Open(Opening::Round))
        .ignore_then(operator())
        .then_ignore(sign(Token::Close(Bracket::Round)));
    let result = sign(Token::Colon).ignore_then(grammar.ty.clone()).or_not().boxed();
    let prefix = ident(ExpectedItem::Name).or(sign_name).then(parameters(&grammar.pat));
    infix(grammar)
        .or(prefix.boxed())
        .then(result)
        .map(|((name, parameters), result)| DefHead { name, parameters, result })
        .boxed()
}

/// `x + y`: an operator between its parameters.
fn infix<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, (Ident, Parameters)> {
    let is_sign = |token| matches!(token, Token::Operator(_) | Token::Backquoted(_));
    let is_name = |token| matches!(token, Token::Name(_) | Token::Underscore);
    let round = quiet_sign(Token::Open(Opening::Round)).rewind().ignore_then(bracketed());
    let first = token_that(is_name).or(round.boxed());
    first
        .then(token_that(is_sign))
        .rewind()
        .ignore_then(grammar.pat.clone())
        .then(operator())
        .then(grammar.pat.clone())
        .map(|((left, name), right)| {
            (name, Parameters { params: vec![left, right], ..Parameters::default() })
        })
        .boxed()
}

fn type_definition<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, Option<Decl>> {
    let body = sign(Token::Equals).ignore_then(grammar.ty.clone());
    let name = module_types::lift().ignore_then(ident(ExpectedItem::Name));
    let good = name.then(binders()).then(body).then_ignore(end());
    let bad = ident(ExpectedItem::Name).or_not().then(skip_rest().map_with(|(), e| e.span()));
    let bad = bad.map(|(name, rest)| {
        let body = Type { kind: TypeKind::Error, span: rest };
        Some(((name?, Parameters::default()), body))
    });
    keyword(Keyword::Type)
        .ignore_then(good.map(Some).recover_with(via_parser(bad)))
        .validate(|parts, e, emitter| {
            let ((name, Parameters { sizes, shapes, types, .. }), body) = parts?;
            // A type has one number of dimensions.
            if let Some(shape) = shapes.first() {
                let expected = Expected::only(ExpectedItem::Name);
                emitter.emit(ParseError::Unexpected { at: shape.span, expected });
            }
            Some(Decl::Type(TypeDef { doc: None, name, sizes, types, body, span: e.span() }))
        })
        .boxed()
}
