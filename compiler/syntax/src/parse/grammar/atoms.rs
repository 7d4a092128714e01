//! Expressions that need no brackets around them, and what can follow them without a space.
//!
//! Invariant: a dotted path of names is one qualified name; a component of a bracket or a number is
//! a field.
//!
//! ```text
//! f64.sqrt   ⇒   Name(f64.sqrt)
//! (p).x.0    ⇒   Field(Field(p, x), 0)
//! (+ 1)      ⇒   SectionRight(+, 1)
//! ```

use chumsky::prelude::*;

use super::expressions::{ExprParsers, ExprTail, Grammar};
use super::{
    Parse, close, constructor, field, field_number, fields, ident, ident_at, items, numbered,
    operator, paths, qual_operator, quiet_sign, sign, with_recovery,
};
use crate::ast::{Dim, Expr, ExprKind, Ident, QualName};
use crate::parse::expected::ExpectedItem;
use crate::parse::text;
use crate::parse::token::{Bracket, Opening, Token};
use crate::source::Span;

/// An atom with its fields and indices: `a[i].x`.
pub(super) fn primary<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Expr> {
    let field = quiet_sign(Token::Dot).ignore_then(field()).map(PostfixOperation::Field);
    let index = quiet_sign(Token::Open(Opening::Index))
        .ignore_then(paths::dims(&parts.chain))
        .then_ignore(close(Bracket::Square))
        .map(PostfixOperation::Index);
    let operator = quiet_sign(Token::Dot)
        .ignore_then(quiet_sign(Token::Open(Opening::Round)))
        .ignore_then(operator())
        .then_ignore(sign(Token::Close(Bracket::Round)))
        .map(PostfixOperation::Operator);
    let opened = quiet_sign(Token::Dot)
        .ignore_then(quiet_sign(Token::Open(Opening::Round)))
        .ignore_then(bracket_contents(grammar, parts))
        .map_with(|kind, e| PostfixOperation::Opened(Expr { kind, span: e.span() }));
    let suffix = choice((operator, field, index, opened)).map_with(|suffix, e| (suffix, e.span()));
    let suffixes = suffix.repeated().collect::<Vec<(PostfixOperation, Span)>>();
    let join = |(atom, suffixes): (Expr, Vec<(PostfixOperation, Span)>)| {
        suffixes.into_iter().fold(atom, with_suffix)
    };
    atom(grammar, parts).then(suffixes).map(join).labelled(ExpectedItem::Expression).boxed()
}

enum PostfixOperation {
    Field(Ident),
    /// `.(+)`, behind a path.
    Operator(Ident),
    /// `.(e)`, behind a path.
    Opened(Expr),
    Index(Vec<Dim>),
}

fn with_suffix(expr: Expr, (suffix, at): (PostfixOperation, Span)) -> Expr {
    let span = expr.span.to(at);
    let kind = match (suffix, expr) {
        (PostfixOperation::Index(dims), expr) => indexed(Box::new(expr), dims),
        // A path without parentheses continues with the name. Digits cannot be the name of a definition.
        (PostfixOperation::Field(field), Expr { kind: ExprKind::Name(mut path), span })
            if span == path.span() && !field.name.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            path.quals.push(std::mem::replace(&mut path.name, field));
            ExprKind::Name(path)
        }
        (PostfixOperation::Operator(name), Expr { kind: ExprKind::Name(mut path), .. }) => {
            path.quals.push(std::mem::replace(&mut path.name, name));
            ExprKind::Name(path)
        }
        (PostfixOperation::Opened(body), Expr { kind: ExprKind::Name(path), .. }) => {
            ExprKind::Opened(path, Box::new(body))
        }
        // An expression that is no path is no module: the name resolution says so.
        (PostfixOperation::Opened(_), expr) => ExprKind::Field(Box::new(expr), ident_at("(…)", at)),
        // An expression that is no path has no operators: the name resolution says so.
        (PostfixOperation::Field(field) | PostfixOperation::Operator(field), expr) => {
            ExprKind::Field(Box::new(expr), field)
        }
    };
    Expr { kind, span }
}

fn indexed(array: Box<Expr>, dims: Vec<Dim>) -> ExprKind {
    if dims.iter().any(|dim| matches!(dim, Dim::Slice(_))) {
        return ExprKind::Slice(array, dims);
    }
    let index = |dim| match dim {
        Dim::Index(index) => Some(index),
        Dim::Slice(_) => None,
    };
    ExprKind::Index(array, dims.into_iter().filter_map(index).collect())
}

fn atom<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, Expr> {
    let literal = select! { Token::Literal(literal) => ExprKind::Literal(literal) };
    let text = select! { Token::Text(text) => ExprKind::Text(text::unescaped(text)) };
    let hole = quiet_sign(Token::Hole).to(ExprKind::Hole);
    let bad = select! { Token::Bad => ExprKind::Error };
    let name = ident(ExpectedItem::Expression)
        .map(|name| ExprKind::Name(QualName { quals: Vec::new(), name }));
    let constructor = constructor().map(|name| ExprKind::Constructor(name, Vec::new()));
    let brackets = choice((parenthesised(grammar, parts), array(grammar), record(grammar)));
    choice((literal, name, constructor, brackets, text, hole, bad))
        .map_with(|kind, e| Expr { kind, span: e.span() })
        .boxed()
}

/// `[a, b]`, `[]`.
fn array<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, ExprKind> {
    let empty = sign(Token::Close(Bracket::Square)).to(Vec::new());
    let full = items(grammar.expr.clone(), Bracket::Square).then_ignore(close(Bracket::Square));
    quiet_sign(Token::Open(Opening::Square))
        .ignore_then(empty.or(full))
        .map(ExprKind::Array)
        .boxed()
}

/// `{x, y = e}`, and `{0 = d, 1 = e}`, which is `(d, e)`.
fn record<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, ExprKind> {
    let value = sign(Token::Equals).ignore_then(grammar.expr.clone());
    let field = ident(ExpectedItem::Field).then(value.clone().or_not());
    let field = field.or(field_number().then(value.map(Some)));
    let field = field.map(|(name, value)| {
        let value = value.unwrap_or_else(|| {
            let path = QualName { quals: Vec::new(), name: name.clone() };
            Expr { span: name.span, kind: ExprKind::Name(path) }
        });
        (name, value)
    });
    quiet_sign(Token::Open(Opening::Curly))
        .ignore_then(fields(field.boxed()))
        .then_ignore(close(Bracket::Curly))
        .validate(|fields, _, emitter| match numbered(fields, emitter) {
            Ok(items) => ExprKind::Tuple(items),
            Err(fields) => ExprKind::Record(fields),
        })
        .boxed()
}

/// All that begins with `(`: a unit, a tuple, an operator or a section, or just parentheses.
fn parenthesised<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, ExprKind> {
    let end = sign(Token::Close(Bracket::Round));
    // `!` stands before its operand, but is a function like the others.
    let bang = quiet_sign(Token::Bang).map(|at| ident_at("!", at));
    let bang = bang.map(|name| QualName { quals: Vec::new(), name });
    let name = qual_operator().or(bang).then_ignore(end.clone()).map(ExprKind::Name);
    // `(- 1)` is a negative number.
    let sign_only = quiet_sign(Token::Operator("-")).not().ignore_then(qual_operator());
    let right = sign_only
        .then(grammar.expr.clone())
        .then_ignore(close(Bracket::Round))
        .map(|(operator, operand)| ExprKind::SectionRight(operator, Box::new(operand)));
    let path = quiet_sign(Token::Dot)
        .rewind()
        .ignore_then(paths::path(&parts.chain))
        .then_ignore(end.clone())
        .map(ExprKind::SectionPath);
    let unit = end.to(ExprKind::Tuple(Vec::new()));
    quiet_sign(Token::Open(Opening::Round))
        .ignore_then(choice((unit, name, right, path, bracket_contents(grammar, parts))))
        .boxed()
}

/// `1 +)`, `e)`, `a, b)`.
fn bracket_contents<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
    parts: &ExprParsers<'tok, 'src>,
) -> Parse<'tok, 'src, ExprKind> {
    let operator = qual_operator().then_ignore(quiet_sign(Token::Close(Bracket::Round)).rewind());
    let tail = operator.map(ExprTail::Section).or(parts.tail.clone());
    let first = parts.chain.clone().then(tail).map(|(expr, tail)| tail.applied_to(expr));
    let more = sign(Token::Comma)
        .ignore_then(items(grammar.expr.clone(), Bracket::Round))
        .or_not()
        .map(Option::unwrap_or_default);
    with_recovery(first)
        .then(more)
        .then_ignore(close(Bracket::Round))
        .map(|(first, mut more)| {
            if more.is_empty() {
                return first.kind;
            }
            more.insert(0, first);
            ExprKind::Tuple(more)
        })
        .boxed()
}
