//! Loops.
//!
//! Invariant: behind the word `loop` the parts come in one order: a pattern, its initial value, how
//! long the loop goes on, and the body, which reaches as far to the right as it can.
//!
//! ```text
//! loop (a, b) = (0, 1) for i < n do (b, a + b)   ⇒   Loop { pat, init, For(i, n), body }
//! loop x while x < n do 2 * x                     ⇒   Loop { x, no init, While(x < n), body }
//! ```

use chumsky::prelude::*;

use super::expressions::Grammar;
use super::patterns::size_binder;
use super::{Parse, keyword, quiet_sign, sign};
use crate::ast::{Expr, ExprKind, Ident, Loop, LoopForm, Pat, PatKind};
use crate::parse::expected::{Expected, ExpectedItem, ParseError};
use crate::parse::token::{Keyword, Token};

/// `loop p = e for i < n do e`.
pub(super) fn loop_expr<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, Expr> {
    let sizes = size_binder().repeated().collect::<Vec<_>>();
    let pat = sizes.then(grammar.pat.clone().labelled(ExpectedItem::Pattern));
    let pat = pat.map_with(|(sizes, pat), e| {
        if sizes.is_empty() {
            return pat;
        }
        Pat { kind: PatKind::Sized(sizes, Box::new(pat)), span: e.span() }
    });
    let init = sign(Token::Equals).ignore_then(grammar.expr.clone()).or_not();
    keyword(Keyword::Loop)
        .ignore_then(pat)
        .then(init)
        .then(form(grammar))
        .then_ignore(keyword(Keyword::Do))
        .then(grammar.expr.clone())
        .map_with(|(((pat, init), form), body), e| {
            let kind = ExprKind::Loop(Box::new(Loop { pat, init, form, body }));
            Expr { kind, span: e.span() }
        })
        .boxed()
}

/// `for i < n`, `for p in xs`, `while e`.
fn form<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, LoopForm> {
    let below = quiet_sign(Token::Operator("<")).to(true);
    let within = keyword(Keyword::In).to(false);
    let over = keyword(Keyword::For)
        .ignore_then(grammar.pat.clone().labelled(ExpectedItem::Pattern))
        .then(below.or(within).labelled(ExpectedItem::ForBound))
        .then(grammar.expr.clone())
        .validate(|((pat, counted), expr), _, emitter| {
            if !counted {
                return LoopForm::In(pat, expr);
            }
            if let PatKind::Name(counter) = pat.kind {
                return LoopForm::For(counter, expr);
            }
            if pat.kind == PatKind::Wild {
                return LoopForm::For(Ident { name: "_".into(), span: pat.span }, expr);
            }
            // Only a name can count.
            if pat.kind != PatKind::Error {
                let expected = Expected::only(ExpectedItem::Name);
                emitter.emit(ParseError::Unexpected { at: pat.span, expected });
            }
            LoopForm::In(pat, Expr { kind: ExprKind::Error, ..expr })
        });
    let as_long = keyword(Keyword::While).ignore_then(grammar.expr.clone()).map(LoopForm::While);
    over.or(as_long).boxed()
}
