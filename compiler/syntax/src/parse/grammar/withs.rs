//! With-loops.
//!
//! Invariant: the words of a with-loop, such as `step`, are names everywhere else. In the bounds of a generator, `step`
//! and `width` are no arguments.
//!
//! ```text
//! with { ([0] <= [i] < f n step 2) : i } : fold (+, 0)   ⇒   With { upper: f n, step: 2, … }
//! ```

use chumsky::prelude::*;
use chumsky::primitive::select;

use super::expressions::{ExprParsers, Grammar, applied, prefixed};
use super::{
    Parse, atoms, close, ident, infix, open_square, qual_operator, quiet_sign, sign, token_that,
};
use crate::ast::{
    Bound, Expr, ExprKind, Generator, IndexName, Operator, OperatorKind, QualName, With,
};
use crate::parse::expected::ExpectedItem;
use crate::parse::token::{Bracket, Keyword, Opening, Token};

/// `with { (a <= iv < b) : e; … } : genarray (s, d)`.
pub(super) fn with_loop<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Expr> {
    let generators = generator(grammar, parts)
        .labelled(ExpectedItem::Generator)
        .separated_by(quiet_sign(Token::Semicolon))
        .allow_trailing()
        .at_least(1)
        .collect::<Vec<_>>();
    let one = operator(grammar, parts);
    let several = quiet_sign(Token::Open(Opening::Round))
        .ignore_then(one.clone().separated_by(sign(Token::Comma)).at_least(1).collect())
        .then_ignore(close(Bracket::Round));
    let operators = one.map(|one| vec![one]).or(several);
    quiet_sign(Token::Keyword(Keyword::With))
        .ignore_then(quiet_sign(Token::Open(Opening::Curly)).labelled(ExpectedItem::OpenCurly))
        .ignore_then(generators)
        .then_ignore(close(Bracket::Curly))
        .then_ignore(sign(Token::Colon))
        .then(operators)
        .map_with(|(generators, operators), e| {
            let kind = ExprKind::With(Box::new(With { generators, operators }));
            Expr { kind, span: e.span() }
        })
        .boxed()
}

/// `(a <= iv < b step s width w) : e`.
fn generator<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Generator> {
    let bound = bound(grammar, parts);
    let edge = quiet_sign(Token::Dot).map(Bound::Edge);
    let end = edge.or(bound.clone().map(Bound::Expr)).boxed();
    let strict = quiet_sign(Token::Operator("<")).to(true);
    let below =
        strict.or(quiet_sign(Token::Operator("<=")).to(false)).labelled(ExpectedItem::Below);
    let behind = |name| word(name).ignore_then(bound.clone()).or_not();
    quiet_sign(Token::Open(Opening::Round))
        .ignore_then(end.clone())
        .then(below.clone())
        .then(index())
        .then(below)
        .then(end)
        .then(behind("step"))
        .then(behind("width"))
        .then_ignore(close(Bracket::Round))
        .map_with(|parts, e| (parts, e.span()))
        .then_ignore(sign(Token::Colon))
        .then(grammar.expr.clone())
        .map(|((parts, span), body)| {
            let ((((((lower, is_above), index), is_below), upper), step), width) = parts;
            Generator { lower, is_above, index, is_below, upper, step, width, body, span }
        })
        .boxed()
}

/// `iv`, `[i, _]`.
fn index<'tok, 'src: 'tok>() -> Parse<'tok, 'src, IndexName> {
    let unnamed = quiet_sign(Token::Underscore).to(None);
    let component = ident(ExpectedItem::Name).map(Some).or(unnamed);
    let names = component.separated_by(sign(Token::Comma)).at_least(1).collect();
    let components = open_square()
        .ignore_then(names)
        .then_ignore(close(Bracket::Square))
        .map_with(|names, e| IndexName::Components(names, e.span()));
    ident(ExpectedItem::Name).map(IndexName::Vector).or(components).boxed()
}

/// An expression without comparisons, in which `step` and `width` are no arguments.
fn bound<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Expr> {
    let primary = atoms::primary(grammar, parts);
    let argument = word("step").or(word("width")).not().ignore_then(primary.clone()).boxed();
    let operand = prefixed(applied(primary, argument)).labelled(ExpectedItem::Expression).boxed();
    let below = token_that(|token| matches!(token, Token::Operator("<" | "<=")));
    let operator = below.not().ignore_then(qual_operator());
    let rest = operator.then(operand.clone()).repeated().collect::<Vec<_>>();
    operand.then(rest).map(|(first, rest)| infix::tree(first, rest)).boxed()
}

/// `genarray (s, d)`, `modarray a`, `fold (op, ne)`.
fn operator<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Operator> {
    let comma = sign(Token::Comma);
    let open = quiet_sign(Token::Open(Opening::Round)).labelled(ExpectedItem::OpenRound).boxed();
    let more = comma.clone().ignore_then(grammar.expr.clone());
    let shape = grammar.expr.clone().then(more.clone().or_not());
    let genarray = word("genarray")
        .ignore_then(open.clone())
        .ignore_then(shape)
        .then_ignore(close(Bracket::Round))
        .map(|(shape, default)| OperatorKind::Genarray(shape, default));
    let modarray =
        word("modarray").ignore_then(atoms::primary(grammar, parts)).map(OperatorKind::Modarray);
    let sign_alone = qual_operator()
        .then_ignore(comma.rewind())
        .map(|name: QualName| Expr { span: name.span(), kind: ExprKind::Name(name) });
    let fold = word("fold")
        .ignore_then(open)
        .ignore_then(sign_alone.or(grammar.expr.clone()))
        .then(more)
        .then_ignore(close(Bracket::Round))
        .map(|(op, neutral)| OperatorKind::Fold(op, neutral));
    choice((genarray, modarray, fold))
        .map_with(|kind, e| Operator { kind, span: e.span() })
        .labelled(ExpectedItem::Operation)
        .boxed()
}

/// A name that is a word of with-loops.
fn word<'tok, 'src: 'tok>(word: &'static str) -> Parse<'tok, 'src, ()> {
    select(move |token, _| (token == Token::Name(word)).then_some(())).boxed()
}
