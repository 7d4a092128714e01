//! `let`: patterns and functions, one after the other.
//!
//! Invariant: behind the word `let` nothing fails: a binding with a mistake in it is reported, and
//! the ones behind it are read as usual.
//!
//! ```text
//! let a = 1 let f x = x + a in f 2   ⇒   Let(a, 1, LetFun(f, …, f 2))
//! let [k] ys: [k]t = e in k          ⇒   Let([k] (ys: [k]t), e, k)
//! ```

use chumsky::prelude::*;

use super::expressions::Grammar;
use super::patterns::{Parameters, parameters, size_binder};
use super::{
    Parse, keyword, operator, paths, quiet_ident, quiet_sign, sign, skip_while, stop, stops,
};
use crate::ast::{Accessor, Def, DefKind, Expr, ExprKind, Ident, Pat, PatKind, Type};
use crate::parse::error::SyntaxError;
use crate::parse::expected::{Expected, ExpectedItem, ParseError};
use crate::parse::token::{Bracket, Keyword, Opening, Token};
use crate::source::Span;

/// One or more bindings and the body of the last.
pub(super) fn lets<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    chain: &Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, Expr> {
    let body = keyword(Keyword::In).ignore_then(grammar.expr.clone());
    binding(grammar, chain)
        .repeated()
        .at_least(1)
        .collect::<Vec<_>>()
        .then(body.or_not())
        .then_ignore(stop())
        .validate(|(bindings, body), _, emitter| {
            let body = body.unwrap_or_else(|| {
                let last = bindings.last().expect("there is at least one binding");
                let at = Span { start: last.value.span.end, ..last.value.span };
                if last.value.kind != ExprKind::Error {
                    emitter.emit(ParseError::Known(SyntaxError::LetWithoutBody {
                        binding: last.begin,
                        at,
                    }));
                }
                Expr { kind: ExprKind::Error, span: at }
            });
            bindings.into_iter().rev().fold(body, |body, binding| binding.around(body))
        })
        .boxed()
}

/// `let head = value`.
struct Binding {
    /// The word `let`.
    begin: Span,
    head: LetTarget,
    value: Expr,
}

impl Binding {
    fn around(self, body: Expr) -> Expr {
        let span = self.begin.to(body.span);
        let kind = match self.head {
            LetTarget::Pat(pat) => {
                ExprKind::Let(Box::new(pat), Box::new(self.value), Box::new(body))
            }
            LetTarget::Part { name, steps } => {
                ExprKind::LetUpdate(name, steps, Box::new(self.value), Box::new(body))
            }
            LetTarget::Function { name, parameters, result } => {
                let def = Def {
                    kind: DefKind::Def,
                    doc: None,
                    attrs: Vec::new(),
                    span: name.span.to(self.value.span),
                    name,
                    sizes: parameters.sizes,
                    shapes: parameters.shapes,
                    types: parameters.types,
                    params: parameters.params,
                    result,
                    body: Some(self.value),
                };
                ExprKind::LetFun(Box::new(def), Box::new(body))
            }
        };
        Expr { kind, span }
    }
}

/// What a `let` binds.
enum LetTarget {
    Pat(Pat),
    Part { name: Ident, steps: Vec<Accessor> },
    Function { name: Ident, parameters: Parameters, result: Option<Type> },
}

fn binding<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    chain: &Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, Binding> {
    let value = sign(Token::Equals).ignore_then(grammar.expr.clone());
    let good = head(grammar, chain).then(value.clone());
    // A head with a mistake in it goes up to the `=`.
    let skipped = skip_while(|token| token != Token::Equals && !stops(token)).map_with(|(), e| {
        let span: Span = e.span();
        LetTarget::Pat(Pat { kind: PatKind::Error, span })
    });
    let bad = skipped.then(value.or_not()).map_with(|(head, value), e| {
        let end = Span { start: e.span().end, ..e.span() };
        (head, value.unwrap_or(Expr { kind: ExprKind::Error, span: end }))
    });
    keyword(Keyword::Let)
        .then(good.recover_with(via_parser(bad)))
        .map(|(begin, (head, value))| Binding { begin, head, value })
        .boxed()
}

fn head<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    chain: &Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, LetTarget> {
    let sign_name = quiet_sign(Token::Open(Opening::Round))
        .ignore_then(operator())
        .then_ignore(sign(Token::Close(Bracket::Round)))
        .map_with(|name, e| Pat { kind: PatKind::Name(name), span: e.span() });
    let result = sign(Token::Colon).ignore_then(grammar.ty.clone()).or_not();
    let begins_step = quiet_sign(Token::Dot).or(quiet_sign(Token::Open(Opening::Index))).rewind();
    let part = quiet_ident()
        .then_ignore(begins_step)
        .then(paths::steps(chain))
        .then_ignore(sign(Token::Equals).rewind())
        .map(|(name, steps)| LetTarget::Part { name, steps });
    let sizes = size_binder().repeated().collect::<Vec<_>>();
    let whole = sizes
        .then(sign_name.or(grammar.whole_pat.clone()))
        .then(parameters(&grammar.pat))
        .then(result)
        .map_with(|(((sizes, pat), parameters), result), e| {
            (sizes, (pat, parameters, result, e.span()))
        })
        .validate(|(sizes, (pat, parameters, result, span)), _, emitter| {
            let head = whole_head(pat, parameters, result, span);
            head.and_then(|head| sized_head(sizes, head, span)).unwrap_or_else(|error| {
                emitter.emit(error);
                LetTarget::Pat(Pat { kind: PatKind::Error, span })
            })
        });
    part.or(whole).boxed()
}

/// A head behind names for sizes, if there are any.
fn sized_head(sizes: Vec<Ident>, head: LetTarget, span: Span) -> Result<LetTarget, ParseError> {
    let Some(at) = sizes.first().map(|size| size.span) else { return Ok(head) };
    if let LetTarget::Pat(pat) = head {
        return Ok(LetTarget::Pat(Pat { kind: PatKind::Sized(sizes, Box::new(pat)), span }));
    }
    // A function has its size parameters behind its name.
    Err(ParseError::Unexpected { at, expected: Expected::only(ExpectedItem::Pattern) })
}

fn whole_head(
    pat: Pat,
    parameters: Parameters,
    result: Option<Type>,
    span: Span,
) -> Result<LetTarget, ParseError> {
    let Parameters { sizes, shapes, types, params } = &parameters;
    let parameter = sizes
        .iter()
        .chain(shapes)
        .chain(types)
        .map(|name| name.span)
        .chain(params.iter().map(|pat| pat.span))
        .next();
    match (pat, parameter, result) {
        (pat, None, None) => Ok(LetTarget::Pat(pat)),
        (pat, None, Some(ty)) => {
            // Behind the names for sizes.
            let span = Span { start: pat.span.start, ..span };
            Ok(LetTarget::Pat(Pat { kind: PatKind::Typed(Box::new(pat), ty), span }))
        }
        (Pat { kind: PatKind::Name(name), .. }, Some(_), result) => {
            Ok(LetTarget::Function { name, parameters, result })
        }
        // Only a function has parameters.
        (_, Some(at), _) => {
            Err(ParseError::Unexpected { at, expected: Expected::only(ExpectedItem::Equals) })
        }
    }
}
