//! Expressions: operands, operators, and what stands behind them.
//!
//! Invariant: from tight to loose, these are atoms with fields and indices, applications, prefixes,
//! infix operators, `with`, ranges, `:` and `:>`. A `let`, an `if` and a function reach as far to the right as
//! they can.
//!
//! ```text
//! - f x.y * 2 |> g : i64   ⇒   (((-(f x.y)) * 2) |> g) : i64
//! ```

use chumsky::prelude::*;

use super::{
    Parse, atoms, attributes, infix, keyword, lets, loops, matches, paths, patterns, qual_operator,
    quiet_sign, sign, stop, types, with_recovery, withs,
};
use crate::ast::{Accessor, Expr, ExprKind, Pat, QualName, Range, RangeEnd, Type};
use crate::parse::error::SyntaxError;
use crate::parse::expected::{ExpectedItem, ParseError};
use crate::parse::token::{Keyword, Token};
use crate::source::Span;

/// The phrases that the grammar's parts refer to.
pub(crate) struct Grammar<'tok, 'src> {
    /// A whole expression; never fails.
    pub(super) expr: Parse<'tok, 'src, Expr>,
    /// A type.
    pub(super) ty: Parse<'tok, 'src, Type>,
    /// A pattern that needs no brackets around it.
    pub(super) pat: Parse<'tok, 'src, Pat>,
    /// A pattern, also a constructor with its payloads.
    pub(super) whole_pat: Parse<'tok, 'src, Pat>,
}

/// The parts of a whole expression.
pub(super) struct ExprParsers<'tok, 'src> {
    /// Operands and operators.
    pub(super) chain: Parse<'tok, 'src, Expr>,
    /// The text behind them, up to the end of the expression.
    pub(super) tail: Parse<'tok, 'src, ExprTail>,
}

/// The text behind operands and operators.
pub(super) enum ExprTail {
    /// Updates and ascriptions, which may be none.
    Whole {
        /// `with x[i].y = e`.
        updates: Vec<(Vec<Accessor>, Expr)>,
        /// `..b..<c`.
        range: Option<Box<RangeTail>>,
        /// `: t`, `:> t`.
        types: Vec<(AscriptionKind, Type)>,
    },
    /// The operator of a section.
    Section(QualName),
}

impl ExprTail {
    /// The expression that this makes of `expr`.
    pub(super) fn applied_to(self, expr: Expr) -> Expr {
        match self {
            Self::Section(operator) => {
                let span = expr.span.to(operator.span());
                Expr { kind: ExprKind::SectionLeft(Box::new(expr), operator), span }
            }
            Self::Whole { updates, range, types } => {
                let updated = updates.into_iter().fold(expr, |expr, (steps, value)| {
                    let span = expr.span.to(value.span);
                    let kind = ExprKind::Update(Box::new(expr), steps, Box::new(value));
                    Expr { kind, span }
                });
                let ranged = match range {
                    Some(range) => range.applied_to(updated),
                    None => updated,
                };
                types.into_iter().fold(ranged, |expr, (typing, ty)| {
                    let span = expr.span.to(ty.span);
                    let kind = match typing {
                        AscriptionKind::Is => ExprKind::Ascribe(Box::new(expr), ty),
                        AscriptionKind::MustBe => ExprKind::Coerce(Box::new(expr), ty),
                    };
                    Expr { kind, span }
                })
            }
        }
    }
}

/// The annotation of an expression's type.
#[derive(Clone, Copy)]
pub(super) enum AscriptionKind {
    /// `:`.
    Is,
    /// `:>`.
    MustBe,
}

/// A range behind its first number.
pub(super) struct RangeTail {
    second: Option<Expr>,
    end: (RangeEnd, Span),
    last: Expr,
}

impl RangeTail {
    fn applied_to(self, first: Expr) -> Expr {
        let Self { second, end, last } = self;
        let span = first.span.to(last.span);
        Expr { kind: ExprKind::Range(Box::new(Range { first, second, end, last })), span }
    }
}

/// The grammar of expressions and what they are made of.
pub(crate) fn grammar<'tok, 'src: 'tok>() -> Grammar<'tok, 'src> {
    let expr = recursive(|expr| {
        let grammar = grammar_within(expr.boxed());
        let chain = recursive(|chain| {
            let chain = chain.boxed();
            let tail = tail(&grammar, &chain);
            chain_of(&grammar, &ExprParsers { chain, tail })
        });
        let chain = chain.boxed();
        let whole =
            chain.clone().then(tail(&grammar, &chain)).map(|(expr, tail)| tail.applied_to(expr));
        with_recovery(whole.labelled(ExpectedItem::Expression))
    });
    grammar_within(expr.boxed())
}

fn grammar_within<'tok, 'src: 'tok>(expr: Parse<'tok, 'src, Expr>) -> Grammar<'tok, 'src> {
    let ty = types::ty(&expr);
    let pat = patterns::pattern(&ty);
    let whole_pat = patterns::whole(&pat);
    Grammar { expr, ty, pat, whole_pat }
}

fn tail<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    chain: &Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, ExprTail> {
    let update = quiet_sign(Token::Keyword(Keyword::With))
        .ignore_then(paths::path(chain))
        .then_ignore(sign(Token::Equals))
        .then(chain.clone());
    let is = quiet_sign(Token::Colon).to(AscriptionKind::Is);
    let must_be = quiet_sign(Token::Coerce).to(AscriptionKind::MustBe);
    let ascription = is.or(must_be).then(grammar.ty.clone());
    let second = quiet_sign(Token::Step).ignore_then(chain.clone());
    let end = select! { Token::Range(end) = e => (end, e.span()) };
    let range = second
        .or_not()
        .then(end)
        .then(chain.clone())
        .map(|((second, end), last)| Box::new(RangeTail { second, end, last }));
    update
        .repeated()
        .collect()
        .then(range.or_not())
        .then(ascription.repeated().collect())
        .map(|((updates, range), types)| ExprTail::Whole { updates, range, types })
        .boxed()
}

fn chain_of<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Expr> {
    let operand = operand(grammar, parts);
    let rest = qual_operator().then(operand.clone()).repeated().collect::<Vec<_>>();
    operand.then(rest).map(|(first, rest)| infix::tree(first, rest)).boxed()
}

fn operand<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Expr> {
    let core = choice((
        lets::lets(grammar, &parts.chain),
        conditional(grammar),
        loops::loop_expr(grammar),
        withs::with_loop(grammar, parts),
        matches::matching(grammar),
        lambda(grammar),
        assertion(grammar, parts),
        attributed(grammar),
        application(grammar, parts),
    ));
    prefixed(core.boxed()).labelled(ExpectedItem::Expression).boxed()
}

/// `core` behind any number of `-` and `!`.
pub(super) fn prefixed<'tok, 'src: 'tok>(core: Parse<'tok, 'src, Expr>) -> Parse<'tok, 'src, Expr> {
    let minus = quiet_sign(Token::Operator("-")).to(ExprKind::Neg as fn(Box<Expr>) -> ExprKind);
    let bang = quiet_sign(Token::Bang).to(ExprKind::Not as fn(Box<Expr>) -> ExprKind);
    let prefix = minus.or(bang).map_with(|make, e| (make, e.span()));
    let prefixes = prefix.repeated().collect::<Vec<(fn(Box<Expr>) -> ExprKind, Span)>>();
    prefixes
        .then(core)
        .map(|(prefixes, core)| {
            prefixes.into_iter().rev().fold(core, |operand, (make, at)| {
                let span = at.to(operand.span);
                Expr { kind: make(Box::new(operand)), span }
            })
        })
        .boxed()
}

fn application<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Expr> {
    let primary = atoms::primary(grammar, parts);
    applied(primary.clone(), primary)
}

/// A function and its arguments, if it has any.
pub(super) fn applied<'tok, 'src: 'tok>(
    primary: Parse<'tok, 'src, Expr>,
    argument: Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, Expr> {
    let arguments = argument.labelled(ExpectedItem::Argument).repeated().collect::<Vec<_>>();
    primary
        .then(arguments)
        .map(|(function, arguments)| match arguments.last() {
            None => function,
            Some(last) => {
                let span = function.span.to(last.span);
                // The constructor is not in parentheses. One in parentheses already has all its payloads.
                if let ExprKind::Constructor(name, _) = &function.kind
                    && function.span == name.span
                {
                    let kind = ExprKind::Constructor(name.clone(), arguments);
                    return Expr { kind, span };
                }
                Expr { kind: ExprKind::Apply(Box::new(function), arguments), span }
            }
        })
        .boxed()
}

/// `assert c e`.
fn assertion<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Expr> {
    let primary = atoms::primary(grammar, parts);
    quiet_sign(Token::Keyword(Keyword::Assert))
        .ignore_then(primary.clone())
        .then(primary)
        .map_with(|(condition, value), e| Expr {
            kind: ExprKind::Assert(Box::new(condition), Box::new(value)),
            span: e.span(),
        })
        .boxed()
}

/// `\x y: t -> e`.
fn lambda<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, Expr> {
    let params = grammar
        .pat
        .clone()
        .labelled(ExpectedItem::Parameter)
        .repeated()
        .at_least(1)
        .collect::<Vec<_>>();
    let result = types::lambda_result(&grammar.ty, &grammar.expr);
    let result = quiet_sign(Token::Colon).ignore_then(result).or_not();
    quiet_sign(Token::Backslash)
        .ignore_then(params)
        .then(result)
        .then_ignore(sign(Token::Arrow))
        .then(grammar.expr.clone())
        .map_with(|((params, result), body), e| Expr {
            kind: ExprKind::Lambda(params, result.map(Box::new), Box::new(body)),
            span: e.span(),
        })
        .boxed()
}

/// `#[a] e`, as far to the right as it can.
fn attributed<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, Expr> {
    attributes::attribute()
        .then(grammar.expr.clone())
        .map_with(|(attr, body), e| Expr {
            kind: ExprKind::Attr(attr, Box::new(body)),
            span: e.span(),
        })
        .boxed()
}

/// `if c then a else b`; a missing part is reported and stands as an error.
fn conditional<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, Expr> {
    let condition = keyword(Keyword::If).then(grammar.expr.clone());
    let part = |word: Keyword| keyword(word).ignore_then(grammar.expr.clone()).or_not();
    condition
        .then(part(Keyword::Then))
        .then(part(Keyword::Else))
        .then_ignore(stop())
        .validate(|(((begin, condition), yes), no), _, emitter| {
            let behind = |expr: &Expr| Span { start: expr.span.end, ..expr.span };
            let missing = |at: Span| Expr { kind: ExprKind::Error, span: at };
            let mut report = |before: &Expr, at: Span, missing: &'static str| {
                if before.kind != ExprKind::Error {
                    emitter.emit(ParseError::Known(SyntaxError::IncompleteIf {
                        condition: begin,
                        at,
                        missing,
                    }));
                }
            };
            let yes = yes.unwrap_or_else(|| {
                report(&condition, behind(&condition), "then");
                missing(behind(&condition))
            });
            let no = no.unwrap_or_else(|| {
                report(&yes, behind(&yes), "else");
                missing(behind(&yes))
            });
            let span = begin.to(no.span);
            Expr { kind: ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)), span }
        })
        .boxed()
}
