//! The tokens of a form, from left to right, and the syntax that the forms share: names, constants, sizes and types.
//!
//! Invariant: a place of the text is looked at again only after [`Cursor::rewind`].
//!
//! ```text
//! xs.2 : [n + 1]f64   ⇒   name xs.2, a sign, type of shape [Sum(n, 1)]
//! ```

use super::tree::{Param, ResultType, Size, Type};
use super::{ReadResult, error_at, signature};
use crate::cnf::External;
use arrc_syntax::ast::{Ident, Literal};
use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::names::Name;
use arrc_syntax::parse::text;
use arrc_syntax::parse::token::{Bracket, Keyword, Opening, Token};
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::{Sources, Span};

/// A token and its place.
pub(super) type Placed<'t> = (Token<'t>, Span);

/// The tokens, and how far they are read.
pub struct Cursor<'t> {
    sources: &'t Sources,
    tokens: &'t [Placed<'t>],
    at: usize,
}

/// A place to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint(usize);

impl Checkpoint {
    /// How many tokens are before it.
    pub fn number(self) -> usize {
        self.0
    }
}

impl<'t> Cursor<'t> {
    /// At the first of the tokens.
    pub fn new(sources: &'t Sources, tokens: &'t [Placed<'t>]) -> Self {
        Self { sources, tokens, at: 0 }
    }

    /// A name with a number that is nowhere in the text.
    pub fn unused(&self, base: &str) -> Name {
        let mut numbered = (2..).map(|number| format!("{base}{number}"));
        let free = numbered
            .find(|name| self.tokens.iter().all(|(token, _)| *token != Token::Name(name.as_str())));
        free.expect("there is no last number").into()
    }

    /// The place of the next token, to come back to.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint(self.at)
    }

    /// Goes back to a place.
    pub fn rewind(&mut self, to: Checkpoint) {
        self.at = to.0;
    }

    /// The next token, if there is one.
    pub fn peek(&self) -> Option<Token<'t>> {
        self.peek_at(0)
    }

    fn peek_at(&self, tokens: usize) -> Option<Token<'t>> {
        self.tokens.get(self.at + tokens).map(|&(token, _)| token)
    }

    /// Where the next token is, or the end.
    pub fn span(&self) -> Span {
        let end = self.tokens.last().map(|(_, last)| Span { start: last.end, ..*last });
        let next = self.tokens.get(self.at).map(|&(_, span)| span);
        next.or(end).unwrap_or(Span::new(FileId::new(0), 0, 0))
    }

    /// The span from a place to the last token that was read.
    pub(super) fn since(&self, Checkpoint(start): Checkpoint) -> Span {
        let (_, first) = self.tokens[start];
        let (_, last) = self.tokens[self.at.clamp(start + 1, self.tokens.len()) - 1];
        first.to(last)
    }

    /// The column of the next token. A line is a part of the line above that begins further to the left.
    pub fn column(&self) -> u32 {
        self.sources.line_col(self.span()).column
    }

    /// The mistake that something else stands here.
    ///
    /// # Errors
    /// Always.
    pub fn expected<T>(&self, what: &str) -> ReadResult<T> {
        error_at(self.span(), format!("{what} is wanted"))
    }

    /// Takes the token if it comes next.
    pub fn take(&mut self, token: Token<'_>) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    /// Takes a token that must come next.
    ///
    /// # Errors
    /// If another token comes.
    pub fn sign(&mut self, token: Token<'_>) -> ReadResult<()> {
        if self.take(token) { Ok(()) } else { self.expected(&format!("{token:?}")) }
    }

    /// Takes an opening bracket.
    ///
    /// # Errors
    /// If another token comes.
    pub fn open(&mut self, bracket: Opening) -> ReadResult<()> {
        self.sign(Token::Open(bracket))
    }

    /// Takes a closing bracket if it comes next.
    pub fn closes(&mut self, bracket: Bracket) -> bool {
        self.take(Token::Close(bracket))
    }

    /// Takes a closing bracket.
    ///
    /// # Errors
    /// If another token comes.
    pub fn close(&mut self, bracket: Bracket) -> ReadResult<()> {
        self.sign(Token::Close(bracket))
    }

    /// Takes a keyword if it comes next.
    pub fn keyword(&mut self, keyword: Keyword) -> bool {
        self.take(Token::Keyword(keyword))
    }

    /// Takes a name if it comes next.
    pub fn word(&mut self, word: &str) -> bool {
        self.take(Token::Name(word))
    }

    /// Takes a name that must come next.
    ///
    /// # Errors
    /// If another token comes.
    pub fn wants(&mut self, word: &str) -> ReadResult<()> {
        if self.word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// Takes a word if an operand follows it: alone it is a variable.
    pub fn applies(&mut self, word: &str) -> bool {
        self.is_operand(1) && self.word(word)
    }

    /// Takes `inside` in front of an element, `inside xs[i]`. In front of an argument it is a function of that name.
    pub fn inside(&mut self) -> bool {
        let here = self.checkpoint();
        let is_element = self.word("inside")
            && self.name().is_ok()
            && self.peek() == Some(Token::Open(Opening::Index));
        self.rewind(here);
        is_element && self.word("inside")
    }

    /// Whether an operand comes next that is not a constant with a sign.
    pub(super) fn begins_operand(&self) -> bool {
        self.is_operand(0)
    }

    fn is_operand(&self, ahead: usize) -> bool {
        matches!(
            self.peek_at(ahead),
            Some(
                Token::Name(_) | Token::Open(Opening::Round | Opening::Square) | Token::Literal(_)
            )
        )
    }

    /// Whether a block of combinator normal form can end here.
    pub fn ends_block(&self) -> bool {
        matches!(
            self.peek(),
            None | Some(
                Token::Close(_)
                    | Token::Keyword(
                        Keyword::Let | Keyword::In | Keyword::Else | Keyword::Def | Keyword::Entry
                    )
            )
        )
    }

    /// A text, if it comes next.
    pub(super) fn text(&mut self) -> Option<Name> {
        let Some(Token::Text(content)) = self.peek() else { return None };
        self.at += 1;
        Some(text::unescaped(content))
    }

    /// The operation that stands before its operands: `f64.max`, `!` or `-`.
    pub(super) fn prefix(&mut self) -> Option<String> {
        if self.take(Token::Bang) {
            return Some("!".to_owned());
        }
        if self.minus() {
            return Some("-".to_owned());
        }
        self.function()
    }

    /// A variable's name, with the number that tells it from others.
    pub fn name(&mut self) -> ReadResult<Ident> {
        let start = self.checkpoint();
        let Some(Token::Name(first)) = self.peek() else { return self.expected("a name") };
        self.at += 1;
        let mut name = first.to_owned();
        while let (Some(Token::Dot), Some(Token::FieldNumber(number))) =
            (self.peek(), self.peek_at(1))
        {
            name = format!("{name}.{number}");
            self.at += 2;
        }
        Ok(Ident { name: name.into(), span: self.since(start) })
    }

    /// The next variable's name, without taking it.
    pub fn peek_ident(&mut self) -> ReadResult<Ident> {
        let start = self.checkpoint();
        let name = self.name();
        self.rewind(start);
        name
    }

    /// A word, which may be a keyword.
    pub(super) fn any_word(&mut self) -> Option<&'t str> {
        let word = match self.peek() {
            Some(Token::Name(name)) => Some(name),
            Some(Token::Keyword(Keyword::External)) => Some("external"),
            _ => None,
        };
        self.at += usize::from(word.is_some());
        word
    }

    /// The name of a pass, which is that of a block: names with dots between.
    pub fn path(&mut self) -> ReadResult<Name> {
        let start = self.checkpoint();
        self.name()?;
        while self.take(Token::Dot) {
            self.at += 1;
        }
        Ok(self.sources.text(self.since(start)).into())
    }

    /// Takes a whole number if one comes next.
    pub fn number(&mut self) -> Option<u32> {
        let Some(Token::Literal(Literal::Int(value, None))) = self.peek() else { return None };
        self.at += 1;
        u32::try_from(value).ok()
    }

    /// The sign between two operands.
    pub fn infix(&mut self) -> Option<&'t str> {
        let Some(Token::Operator(sign)) = self.peek() else { return None };
        self.at += 1;
        Some(sign)
    }

    /// A minus that is not that of a constant.
    fn minus(&mut self) -> bool {
        let is_constant = matches!(self.peek_at(1), Some(Token::Literal(_)))
            || self.peek_at(2) == Some(Token::Dot)
                && !matches!(self.peek_at(3), Some(Token::FieldNumber(_)));
        !is_constant && self.take(Token::Operator("-"))
    }

    /// `length`, or `length.1`, before an array: the dimension.
    pub fn length(&mut self) -> Option<usize> {
        if self.applies("length") {
            return Some(0);
        }
        let (Token::Name("length"), Token::Dot, Token::FieldNumber(dim), Token::Name(_)) =
            (self.peek()?, self.peek_at(1)?, self.peek_at(2)?, self.peek_at(3)?)
        else {
            return None;
        };
        self.at += 3;
        dim.parse().ok()
    }

    /// Whether a function comes next.
    pub fn begins_worker(&mut self) -> bool {
        let start = self.checkpoint();
        let begins = self.peek() == Some(Token::Open(Opening::Round)) || self.function().is_some();
        self.rewind(start);
        begins
    }

    /// The function of scalars that is named next: `i64.max`.
    pub fn function(&mut self) -> Option<String> {
        let (Token::Name(module), Token::Dot, Token::Name(name)) =
            (self.peek()?, self.peek_at(1)?, self.peek_at(2)?)
        else {
            return None;
        };
        if non_finite(module, name).is_some() {
            return None;
        }
        self.at += 3;
        Some(format!("{module}.{name}"))
    }

    /// A constant, if it comes next.
    pub fn constant(&mut self) -> ReadResult<Option<Const>> {
        let start = self.checkpoint();
        let negative = self.take(Token::Operator("-"));
        let value = if let Some(Token::Literal(literal)) = self.peek() {
            let Some(value) = constant(literal) else {
                return self.expected("a constant with its type");
            };
            self.at += 1;
            value
        } else if let (Some(Token::Name(module)), Some(Token::Dot), Some(Token::Name(name))) =
            (self.peek(), self.peek_at(1), self.peek_at(2))
            && let Some(value) = non_finite(module, name)
        {
            self.at += 3;
            value
        } else {
            self.rewind(start);
            return Ok(None);
        };
        Ok(Some(if negative { negated(value) } else { value }))
    }

    /// The items between separators, up to a closing bracket.
    pub fn list<T>(
        &mut self,
        bracket: Bracket,
        mut item: impl FnMut(&mut Self) -> ReadResult<T>,
    ) -> ReadResult<Vec<T>> {
        let mut items = Vec::new();
        while !self.closes(bracket) {
            if !items.is_empty() {
                self.sign(Token::Comma)?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A type.
    ///
    /// # Errors
    /// The first mistake in it.
    pub fn ty(&mut self) -> ReadResult<Type> {
        let start = self.checkpoint();
        let mut shape = Vec::new();
        while self.take(Token::Open(Opening::Square)) || self.take(Token::Open(Opening::Index)) {
            let any = self.peek() == Some(Token::Close(Bracket::Square));
            shape.push(if any { Size::Any } else { self.size()? });
            self.close(Bracket::Square)?;
        }
        let elem =
            if let Some(Token::Name(name)) = self.peek() { Scalar::from_name(name) } else { None };
        let Some(elem) = elem else { return self.expected("a type") };
        self.at += 1;
        Ok(Type { shape, elem, at: self.since(start) })
    }

    /// `#[effect(io)] external f (x: []f64): i64`, if it comes next.
    pub fn external(&mut self) -> ReadResult<Option<(Ident, External)>> {
        let effect = self.peek() == Some(Token::Open(Opening::Attribute));
        if effect {
            self.skip();
        }
        if !self.keyword(Keyword::External) {
            return Ok(None);
        }
        let name = self.name()?;
        let trace = self.text().map(|described| described.to_string());
        let params = self.params()?;
        self.sign(Token::Colon)?;
        let results = self.types()?;
        let external = signature::external(effect, &name, &params, &results, trace);
        Ok(Some((name, external)))
    }

    /// One type, or several in brackets.
    pub(super) fn types(&mut self) -> ReadResult<Vec<Type>> {
        if self.take(Token::Open(Opening::Round)) {
            return self.list(Bracket::Round, Self::ty);
        }
        Ok(vec![self.ty()?])
    }

    /// The results of a function: one, or several in brackets.
    pub(super) fn results(&mut self) -> ReadResult<Vec<ResultType>> {
        if self.take(Token::Open(Opening::Round)) {
            return self.list(Bracket::Round, Self::result_type);
        }
        Ok(vec![self.result_type()?])
    }

    /// `[n]i64`, or `++[n]i64`.
    fn result_type(&mut self) -> ReadResult<ResultType> {
        let appended = self.take(Token::Operator("++"));
        Ok(ResultType { appended, ty: self.ty()? })
    }

    /// `(xs : *[n]i64)`, any number of times.
    pub(super) fn params(&mut self) -> ReadResult<Vec<Param>> {
        let mut params = Vec::new();
        while self.take(Token::Open(Opening::Round)) {
            let name = self.name()?;
            self.sign(Token::Colon)?;
            let owned = self.take(Token::Operator("*"));
            params.push(Param { name, owned, ty: self.ty()? });
            self.close(Bracket::Round)?;
        }
        Ok(params)
    }

    /// `[n][m]`.
    pub(super) fn sizes(&mut self) -> ReadResult<Vec<Ident>> {
        let mut sizes = Vec::new();
        while self.take(Token::Open(Opening::Square)) || self.take(Token::Open(Opening::Index)) {
            sizes.push(self.name()?);
            self.close(Bracket::Square)?;
        }
        Ok(sizes)
    }

    fn size(&mut self) -> ReadResult<Size> {
        let mut sum = self.product()?;
        loop {
            let minus = self.take(Token::Operator("-"));
            if !minus && !self.take(Token::Operator("+")) {
                return Ok(sum);
            }
            let right = match (minus, self.product()?) {
                (true, Size::Const(value)) => Size::Const(-value),
                (_, right) => right,
            };
            sum = Size::Sum(Box::new(sum), Box::new(right));
        }
    }

    fn product(&mut self) -> ReadResult<Size> {
        let mut product = self.shifted()?;
        while self.take(Token::Operator("*")) {
            product = Size::Product(Box::new(product), Box::new(self.shifted()?));
        }
        Ok(product)
    }

    fn shifted(&mut self) -> ReadResult<Size> {
        let size = self.factor()?;
        if !self.take(Token::Operator("<<")) {
            return Ok(size);
        }
        let at = self.span();
        let Size::Const(doublings @ 0..1000) = self.factor()? else {
            return error_at(at, "a size is doubled fewer than 1000 times");
        };
        Ok(Size::Shifted(Box::new(size), doublings))
    }

    fn factor(&mut self) -> ReadResult<Size> {
        if self.take(Token::Open(Opening::Round)) {
            let size = self.size()?;
            self.close(Bracket::Round)?;
            return Ok(size);
        }
        let minus = self.take(Token::Operator("-"));
        if let Some(Token::Literal(Literal::Int(value, None))) = self.peek() {
            self.at += 1;
            let value = i64::try_from(value).unwrap_or(i64::MAX);
            return Ok(Size::Const(if minus { -value } else { value }));
        }
        self.name().map(Size::Name)
    }

    /// Moves over the next token, or if that is an opening bracket, over all up to the closing one.
    pub fn skip(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            self.at += 1;
            if let Token::Open(_) = token {
                depth += 1;
            } else if let Token::Close(_) = token {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                return;
            }
        }
    }
}

/// `f64.inf`, `f64.nan`.
fn non_finite(module: &str, name: &str) -> Option<Const> {
    let ty = Scalar::from_name(module).filter(|ty| ty.is_float())?;
    match name {
        "inf" => Some(Const::float(ty, f64::INFINITY)),
        "nan" => Some(Const::float(ty, f64::NAN)),
        _ => None,
    }
}

fn negated(value: Const) -> Const {
    if value.ty.is_float() {
        return Const::float(value.ty, -value.as_f64());
    }
    // The lowest number has no positive counterpart: it was wrapped when it was read.
    Const::int(value.ty, -value.as_i128())
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
