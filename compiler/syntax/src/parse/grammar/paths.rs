//! The way from a value to a part of it: what stands behind `with`, in a section, and behind the name of a
//! `let` that updates.
//!
//! Invariant: a path has at least one step, and a step at least one field or index.
//!
//! ```text
//! r with x[i, j:k].y = e   ⇒   Field(x) At(i, j:k) Field(y)
//! ```

use chumsky::prelude::*;

use super::{
    Parse, close, field, ident_at, open_square, quiet_sign, sign, skip_while, stop, stops,
    token_that,
};
use crate::ast::{Accessor, Dim, Expr, ExprKind, Ident, Literal, Slice};
use crate::parse::expected::ExpectedItem;
use crate::parse::token::{Bracket, Opening, Token};

/// `x[i].y`, `[i].y`, `0.x`, `.0.1`: at least one step; without a dot before them, `0.1` is a number.
pub(super) fn path<'tok, 'src: 'tok>(
    chain: &Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, Vec<Accessor>> {
    let first = field().or(number()).map(Accessor::Field).or(bracket(open_square(), chain));
    quiet_sign(Token::Dot)
        .or_not()
        .ignore_then(first)
        .then(steps(chain))
        .map(|(first, mut steps)| {
            steps.insert(0, first);
            steps
        })
        .boxed()
}

/// `.x[i].y`: there may be none.
pub(super) fn steps<'tok, 'src: 'tok>(
    chain: &Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, Vec<Accessor>> {
    let field = quiet_sign(Token::Dot).ignore_then(field()).map(Accessor::Field);
    let open = quiet_sign(Token::Open(Opening::Index)).ignored().boxed();
    field.or(bracket(open, chain)).repeated().collect().boxed()
}

/// The number of a component behind `with`, where no dot is before it.
fn number<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Ident> {
    let number = select! {
        Token::Literal(Literal::Int(number, None)) = e => ident_at(&number.to_string(), e.span())
    };
    number.labelled(ExpectedItem::Field).boxed()
}

fn bracket<'tok, 'src: 'tok>(
    open: Parse<'tok, 'src, ()>,
    chain: &Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, Accessor> {
    open.ignore_then(dims(chain)).then_ignore(close(Bracket::Square)).map(Accessor::At).boxed()
}

/// `i, j:k`: at least one.
pub(super) fn dims<'tok, 'src: 'tok>(
    chain: &Parse<'tok, 'src, Expr>,
) -> Parse<'tok, 'src, Vec<Dim>> {
    let colon = quiet_sign(Token::Colon);
    let ends = token_that(|token| {
        matches!(token, Token::Colon | Token::Comma | Token::Close(Bracket::Square))
    });
    // Behind a colon a bound may be missing, but what stands there is one.
    let bound = ends.rewind().to(None).or(chain.clone().map(Some)).boxed();
    let behind = colon.clone().ignore_then(bound.clone());
    let bounds = behind.clone().then(behind.or_not()).boxed();
    let slice = |first: Option<Expr>, (last, step): (Option<Expr>, Option<Option<Expr>>), span| {
        Dim::Slice(Slice { first, last, step: step.flatten(), span })
    };
    let open = colon
        .rewind()
        .ignore_then(bounds.clone())
        .map_with(move |bounds, e| slice(None, bounds, e.span()));
    let begun =
        chain.clone().then(bounds.or_not()).map_with(move |(first, bounds), e| match bounds {
            Some(bounds) => slice(Some(first), bounds, e.span()),
            None => Dim::Index(first),
        });
    let skipped = skip_while(|token| !stops(token))
        .map_with(|(), e| Dim::Index(Expr { kind: ExprKind::Error, span: e.span() }));
    let dim = open.or(begun).then_ignore(stop()).recover_with(via_parser(skipped));
    dim.separated_by(sign(Token::Comma)).at_least(1).collect().boxed()
}
