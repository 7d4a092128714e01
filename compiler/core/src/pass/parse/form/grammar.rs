//! The grammar of forms, from tokens to a tree.
//!
//! Invariant: the text is read to its end, or there is an error that says what could stand at its place.
//!
//! ```text
//! def f (x: i64): i64 = let y = x + 1i64 in y   ⇒   Function { name: f, … }
//! ```

use chumsky::prelude::*;

use super::super::expected::{Expected, ParseError, What};
use super::super::grammar::{Parse, ident, keyword, open_square, quiet_sign, sign};
use super::super::text;
use super::super::token::{Bracket, Keyword, Opening, Token};
use super::tree::{
    Bind, Binder, Block, Decl, Function, Kind, Lambda, Loop, LoopForm, Param, Size, Term, Type,
};
use crate::ir::ast::{Ident, Literal};
use crate::names::Name;
use crate::prim::{Const, Scalar};

/// A whole form.
pub(super) fn declarations<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Vec<Decl>> {
    external()
        .or(function())
        .labelled(What::Declaration)
        .repeated()
        .collect()
        .then_ignore(end())
        .boxed()
}

fn external<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Decl> {
    let attribute = sign(Token::Open(Opening::Attribute))
        .ignore_then(any().and_is(sign(Token::Close(Bracket::Square)).not()).repeated())
        .then_ignore(close(Bracket::Square));
    attribute
        .or_not()
        .then_ignore(keyword(Keyword::External))
        .then(ident(What::Name))
        .then(param().repeated().collect())
        .then_ignore(sign(Token::Colon))
        .then(types())
        .map(|(((effect, name), params), results)| Decl::External {
            effect: effect.is_some(),
            name,
            params,
            results,
        })
        .boxed()
}

fn function<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Decl> {
    let entry = keyword(Keyword::Entry).map(|at| (true, at));
    let entry = entry.or(keyword(Keyword::Def).map(|at| (false, at)));
    let size = open_square().ignore_then(ident(What::Name)).then_ignore(close(Bracket::Square));
    let exists = quiet_sign(Token::Question)
        .ignore_then(size.clone().repeated())
        .then_ignore(sign(Token::Dot));
    entry
        .then(ident(What::Name))
        .then(size.repeated().collect())
        .then(param().repeated().collect())
        .then_ignore(sign(Token::Colon))
        .then_ignore(exists.or_not())
        .then(types())
        .then_ignore(sign(Token::Equals))
        .then(block())
        .map(|((((((is_entry, at), name), sizes), params), results), body)| {
            Decl::Function(Function { is_entry, at, name, sizes, params, results, body })
        })
        .boxed()
}

fn param<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Param> {
    let owned = quiet_sign(Token::Operator("*")).or_not().map(|mark| mark.is_some());
    let param = ident(What::Name).then_ignore(sign(Token::Colon)).then(owned).then(ty());
    round(param.map(|((name, owned), ty)| Param { name, owned, ty }).boxed())
}

/// One type, or several in brackets.
fn types<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Vec<Type>> {
    ty().map(|ty| vec![ty]).or(round(listed(ty()))).boxed()
}

fn ty<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Type> {
    let dim = size().or_not().map(|size| size.unwrap_or(Size::Any));
    let dim = open_square().ignore_then(dim).then_ignore(close(Bracket::Square));
    let elem = select! { Token::Name(name) if Scalar::from_name(name).is_some() => name };
    dim.repeated()
        .collect()
        .then(elem.labelled(What::Type))
        .map_with(|(shape, elem), e| {
            let elem = Scalar::from_name(elem).expect("it was looked up above");
            Type { shape, elem, at: e.span() }
        })
        .boxed()
}

fn size<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Size> {
    recursive(|size| {
        let minus = quiet_sign(Token::Operator("-")).or_not();
        let number = minus.then(select! { Token::Literal(Literal::Int(value, None)) => value });
        let number = number.map(|(minus, value)| {
            let value = i64::try_from(value).unwrap_or(i64::MAX);
            Size::Const(if minus.is_some() { -value } else { value })
        });
        let factor = number.or(ident(What::Name).map(Size::Name)).or(round(size));
        let times = quiet_sign(Token::Operator("*")).ignore_then(factor.clone());
        let product = factor
            .foldl(times.repeated(), |left, right| Size::Product(Box::new(left), Box::new(right)));
        let plus = quiet_sign(Token::Operator("+")).to(false);
        let plus = plus.or(quiet_sign(Token::Operator("-")).to(true));
        product.clone().foldl(plus.then(product).repeated(), |left, (minus, right)| {
            let right = if let (true, Size::Const(value)) = (minus, &right) {
                Size::Const(-value)
            } else {
                right
            };
            Size::Sum(Box::new(left), Box::new(right))
        })
    })
    .boxed()
}

fn block<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Block> {
    recursive(|block| {
        let term = term(block.boxed());
        let binding = keyword(Keyword::Let)
            .ignore_then(pattern())
            .then_ignore(sign(Token::Equals))
            .then(term.clone())
            .map(|(vars, value)| Bind { vars, value });
        let binds = binding.repeated().at_least(1).collect().then_ignore(keyword(Keyword::In));
        binds.or_not().then(term).map(|(binds, last): (Option<Vec<Bind>>, Term)| Block {
            binds: binds.unwrap_or_default(),
            last,
        })
    })
    .boxed()
}

/// A variable, or several in brackets.
fn pattern<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Vec<Binder>> {
    binder().map(|binder| vec![binder]).or(round(listed(binder()))).boxed()
}

fn binder<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Binder> {
    let told = sign(Token::Colon).ignore_then(ty()).or_not();
    name().then(told).map(|(name, ty)| Binder { name, ty }).boxed()
}

/// A variable's name, or `_`.
fn name<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Option<Ident>> {
    quiet_sign(Token::Underscore).to(None).or(ident(What::Name).map(Some)).boxed()
}

/// `\x (a, b) -> …`.
fn lambda<'tok, 'src: 'tok>(block: Parse<'tok, 'src, Block>) -> Parse<'tok, 'src, Lambda> {
    let alone = name().map(|name| vec![Binder { name, ty: None }]);
    let params = alone.or(round(listed(binder()))).repeated().collect();
    quiet_sign(Token::Backslash)
        .ignore_then(params)
        .then_ignore(sign(Token::Arrow))
        .then(block)
        .map(|(params, body)| Lambda { params, body })
        .boxed()
}

fn term<'tok, 'src: 'tok>(block: Parse<'tok, 'src, Block>) -> Parse<'tok, 'src, Term> {
    recursive(|term| {
        let term = term.boxed();
        let operand = operand(block.clone(), term.clone());
        let infix = select! { Token::Operator(sign) => sign.to_owned() }.labelled(What::Operator);
        let applied = applied(operand.clone());
        let infix = applied.clone().then(infix.then(operand.clone()).or_not()).map(
            |(left, rest)| match rest {
                Some((sign, right)) => Kind::Infix(Box::new(left), sign, Box::new(right)),
                None => left.kind,
            },
        );
        let choice = keyword(Keyword::If)
            .ignore_then(term.clone())
            .then_ignore(keyword(Keyword::Then))
            .then(block.clone())
            .then_ignore(keyword(Keyword::Else))
            .then(block.clone())
            .map(|((cond, then), otherwise)| {
                Kind::If(Box::new(cond), Box::new(then), Box::new(otherwise))
            });
        // One of the codes is called like a keyword.
        let external = keyword(Keyword::External);
        let external = external.map(|span| Ident { name: Name::new("external"), span });
        let fault = ident(What::Name).or(external);
        let assert = keyword(Keyword::Assert)
            .ignore_then(operand.clone())
            .then_ignore(keyword(Keyword::Else))
            .then(fault)
            .then(operand.repeated().collect())
            .map(|((cond, fault), message)| Kind::Assert(Box::new(cond), fault, message));
        choice_of(vec![choice.boxed(), assert.boxed(), repeated(block, term), infix.boxed()])
    })
    .boxed()
}

fn choice_of<'tok, 'src: 'tok>(kinds: Vec<Parse<'tok, 'src, Kind>>) -> Parse<'tok, 'src, Term> {
    choice(kinds).map_with(|kind, e| Term { kind, at: e.span() }).boxed()
}

/// `loop … = … for … do …`.
fn repeated<'tok, 'src: 'tok>(
    block: Parse<'tok, 'src, Block>,
    term: Parse<'tok, 'src, Term>,
) -> Parse<'tok, 'src, Kind> {
    let counted = keyword(Keyword::For)
        .ignore_then(ident(What::Name))
        .then_ignore(sign(Token::Operator("<")))
        .then(term.clone())
        .map(|(counter, count)| LoopForm::For(counter, count));
    let endless = keyword(Keyword::While)
        .ignore_then(round(lambda(block.clone())))
        .then_ignore(term.clone())
        .map(LoopForm::While);
    keyword(Keyword::Loop)
        .ignore_then(pattern())
        .then_ignore(sign(Token::Equals))
        .then(term)
        .then(counted.or(endless))
        .then_ignore(keyword(Keyword::Do))
        .then(block)
        .map(|(((carried, init), form), body)| {
            Kind::Loop(Box::new(Loop { carried, init, form, body }))
        })
        .boxed()
}

/// An operand, with arguments behind it if it is a name.
fn applied<'tok, 'src: 'tok>(operand: Parse<'tok, 'src, Term>) -> Parse<'tok, 'src, Term> {
    let negated = quiet_sign(Token::Operator("-")).ignore_then(operand.clone()).map(negated);
    let not = quiet_sign(Token::Bang)
        .ignore_then(operand.clone())
        .map(|of| Kind::Prefix("!", Box::new(of)));
    let plain = operand.clone().then(operand.repeated().collect::<Vec<_>>());
    let plain = plain.try_map(|(first, args), span| {
        if args.is_empty() {
            return Ok(first.kind);
        }
        let Kind::Name(name) = first.kind else {
            let at = args.first().map_or(span, |arg| arg.at);
            return Err(ParseError::Unexpected { at, expected: Expected::only(What::Operator) });
        };
        Ok(Kind::Apply(name, args))
    });
    choice_of(vec![negated.boxed(), not.boxed(), plain.boxed()])
}

/// A constant with the other sign, or what negates a variable.
fn negated(of: Term) -> Kind {
    let Kind::Const(value) = of.kind else { return Kind::Prefix("-", Box::new(of)) };
    if value.ty.is_float() {
        Kind::Const(Const::float(value.ty, -value.as_f64()))
    } else if value.ty.is_integer() {
        // The lowest number has no positive counterpart: it was wrapped when it was read.
        Kind::Const(Const::int(value.ty, -value.as_i128()))
    } else {
        Kind::Prefix("-", Box::new(of))
    }
}

/// What needs no brackets around it.
fn operand<'tok, 'src: 'tok>(
    block: Parse<'tok, 'src, Block>,
    term: Parse<'tok, 'src, Term>,
) -> Parse<'tok, 'src, Term> {
    let list = |term| listed(term).then_ignore(close(Bracket::Square));
    let text = select! { Token::Text(content) => Kind::Text(text::unescaped(content).to_string()) };
    let literal = select! { Token::Literal(literal) => literal }.try_map(|literal, at| {
        constant(literal).ok_or(ParseError::Unexpected { at, expected: Expected::only(What::Type) })
    });
    let indices = sign(Token::Open(Opening::Index)).ignore_then(list(term.clone()));
    let replaced = keyword(Keyword::With)
        .ignore_then(open_square())
        .ignore_then(list(term.clone()))
        .then_ignore(sign(Token::Equals))
        .then(term.clone());
    let field = quiet_sign(Token::Dot).ignore_then(ident(What::Name));
    let named = ident(What::Expression)
        .then(field.or_not())
        .then(indices.map(Ok).or(replaced.map(Err)).or_not())
        .map(|((name, field), rest)| match (field, rest) {
            (_, Some(Ok(indices))) => Kind::Index(name, indices),
            (_, Some(Err((indices, value)))) => Kind::Replace(name, indices, Box::new(value)),
            (Some(field), None) => named(&name.name, &field.name),
            (None, None) => Kind::Name(name.name.to_string()),
        });
    let literals = sign(Token::Open(Opening::Square)).ignore_then(list(term.clone()));
    let empty = sign(Token::Open(Opening::Square))
        .then(close(Bracket::Square))
        .then(sign(Token::Colon))
        .ignore_then(ty());
    let inside = lambda(block)
        .map(|lambda| Kind::Lambda(Box::new(lambda)))
        .or(empty.map(Kind::Empty))
        .or(listed(term).map(|mut terms| match terms.len() {
            1 => terms.remove(0).kind,
            _ => Kind::Tuple(terms),
        }));
    choice_of(vec![
        named.boxed(),
        literal.map(Kind::Const).boxed(),
        round(inside.boxed()),
        literals.map(Kind::List).boxed(),
        text.boxed(),
    ])
}

/// `f64.inf`, or the name of a function in a module.
fn named(module: &str, name: &str) -> Kind {
    let float = Scalar::from_name(module).filter(|ty| ty.is_float());
    match (float, name) {
        (Some(ty), "inf") => Kind::Const(Const::float(ty, f64::INFINITY)),
        (Some(ty), "nan") => Kind::Const(Const::float(ty, f64::NAN)),
        _ => Kind::Name(format!("{module}.{name}")),
    }
}

/// A literal that says its type.
fn constant(literal: Literal) -> Option<Const> {
    Some(match literal {
        Literal::Bool(value) => Const::bool(value),
        Literal::Int(value, ty) => match ty? {
            ty if ty.is_integer() => Const::int(ty, i128::try_from(value).ok()?),
            _ => return None,
        },
        Literal::Float(value, ty) => {
            let ty = ty.filter(|ty| ty.is_float())?;
            Const::float(ty, value.value(ty))
        }
    })
}

fn listed<'tok, 'src: 'tok, O: 'tok>(item: Parse<'tok, 'src, O>) -> Parse<'tok, 'src, Vec<O>> {
    item.separated_by(sign(Token::Comma)).collect().boxed()
}

/// In round brackets.
fn round<'tok, 'src: 'tok, O: 'tok>(
    inside: impl Parser<'tok, super::super::grammar::Tokens<'tok, 'src>, O, extra::Err<ParseError>>
    + Clone
    + 'tok,
) -> Parse<'tok, 'src, O> {
    inside.delimited_by(sign(Token::Open(Opening::Round)), close(Bracket::Round)).boxed()
}

fn close<'tok, 'src: 'tok>(bracket: Bracket) -> Parse<'tok, 'src, ()> {
    sign(Token::Close(bracket)).ignored().boxed()
}
