//! `match`: a value and its cases.
//!
//! Invariant: a case reaches up to the next `case`, so a `match` inside a case takes all cases behind
//! it, unless it stands in parentheses.
//!
//! ```text
//! match e case #some x -> x case #none -> 0   ⇒   Match(e, [#some x -> x, #none -> 0])
//! ```

use chumsky::prelude::*;

use super::expressions::Grammar;
use super::{Parse, keyword, sign, skip_while, stop, stops};
use crate::ast::{Case, Expr, ExprKind, Pat, PatKind};
use crate::parse::token::{Keyword, Token};

/// A `match` with at least one case.
pub(super) fn matching<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, Expr> {
    let cases = case(grammar).repeated().at_least(1).collect::<Vec<_>>();
    keyword(Keyword::Match)
        .ignore_then(grammar.expr.clone())
        .then(cases)
        .then_ignore(stop())
        .map_with(|(value, cases), e| Expr {
            kind: ExprKind::Match(Box::new(value), cases),
            span: e.span(),
        })
        .boxed()
}

/// `case p -> e`. A pattern with a mistake in it is reported and stands as an error.
fn case<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, Case> {
    let body = sign(Token::Arrow).ignore_then(grammar.expr.clone());
    let good = grammar.whole_pat.clone().then(body.clone());
    let skipped = skip_while(|token| token != Token::Arrow && !stops(token))
        .map_with(|(), e| Pat { kind: PatKind::Error, span: e.span() });
    let bad = skipped.then(body.or_not()).map_with(|(pat, body), e| {
        let end = crate::source::Span { start: e.span().end, ..e.span() };
        (pat, body.unwrap_or(Expr { kind: ExprKind::Error, span: end }))
    });
    keyword(Keyword::Case)
        .ignore_then(good.recover_with(via_parser(bad)))
        .map_with(|(pat, body), e| Case { pat, body, span: e.span() })
        .boxed()
}
