//! Modules: `module m = n`, `open m`, `import "x"`, and how a `module m = {` begins.
//!
//! Invariant: the declarations between the braces of a module are not read here: each
//! is cut out and read for itself, as those of a file are.
//!
//! ```text
//! local module m = import "lib/m"   ⇒   Module(m, Import "lib/m")
//! ```

use chumsky::prelude::*;

use super::{
    Parse, close, ident, keyword, qual_name, quiet_sign, sign, skip_rest, skip_while, token_that,
};
use crate::ast::{Decl, Ident, Import, ModuleDef, ModuleExpr, Open};
use crate::names::Name;
use crate::parse::error::{SyntaxError, UnsupportedModuleFeature};
use crate::parse::expected::{ExpectedItem, ParseError};
use crate::parse::text;
use crate::parse::token::{Bracket, Keyword, Opening, Token};
use crate::source::Span;

/// What stands before the declarations of a module.
pub(crate) struct ModuleHead {
    /// Whether the word `local` is before it.
    pub(crate) is_local: bool,
    /// The name.
    pub(crate) name: Ident,
    /// From the word `module`, or `local`, to the opening brace.
    pub(crate) span: Span,
    /// The opening brace.
    pub(crate) brace: Span,
    /// Whether it has parameters, so that its declarations mean nothing by themselves.
    pub(crate) has_parameters: bool,
}

/// `module m = {`, up to the end of the tokens.
pub(crate) fn module_head<'tok, 'src: 'tok>() -> Parse<'tok, 'src, ModuleHead> {
    let brace = sign(Token::Open(Opening::Curly));
    keyword(Keyword::Local)
        .or_not()
        .then_ignore(keyword(Keyword::Module))
        .then(ident(ExpectedItem::Name))
        .then(parameters())
        .then_ignore(sign(Token::Equals))
        .then(brace)
        .map_with(|(((local, name), has_parameters), brace), e| ModuleHead {
            is_local: local.is_some(),
            name,
            span: e.span(),
            brace,
            has_parameters,
        })
        .boxed()
}

/// Parameters and types of modules, which the language does not have. Gives whether there are parameters.
fn parameters<'tok, 'src: 'tok>() -> Parse<'tok, 'src, bool> {
    let replaced = quiet_sign(Token::Keyword(Keyword::With))
        .then(skip_while(|token| token != Token::Equals))
        .then(quiet_sign(Token::Equals));
    let ty = || skip_while(|token| !matches!(token, Token::Equals | Token::Keyword(Keyword::With)));
    let ty = move || ty().then(replaced.clone().then(ty()).repeated());
    let parameter = sign(Token::Open(Opening::Round))
        .rewind()
        .ignore_then(ty().map_with(|_, e| e.span()))
        .map(|at| (at, UnsupportedModuleFeature::Parameters));
    let ascription = sign(Token::Colon)
        .ignore_then(ty().map_with(|_, e| e.span()))
        .map(|at| (at, UnsupportedModuleFeature::Ascription));
    parameter
        .or(ascription)
        .or_not()
        .validate(|found, _, emitter| {
            let Some((at, what)) = found else { return false };
            emitter.emit(ParseError::Known(SyntaxError::ParametricModule { at, what }));
            what == UnsupportedModuleFeature::Parameters
        })
        .boxed()
}

/// `module m = n`, `module m = import "x"`.
pub(super) fn module<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Option<Decl>> {
    let good = ident(ExpectedItem::Name)
        .then_ignore(parameters())
        .then_ignore(sign(Token::Equals))
        .then(module_expr())
        .then_ignore(end())
        .map(Some);
    let module_type = keyword(Keyword::Type).then_ignore(skip_rest()).validate(|at, _, emitter| {
        let what = UnsupportedModuleFeature::Types;
        emitter.emit(ParseError::Known(SyntaxError::ParametricModule { at, what }));
        None
    });
    let bad = ident(ExpectedItem::Name).or_not().then(skip_rest().map_with(|(), e| e.span()));
    let bad = bad.map(|(name, rest)| Some((name?, ModuleExpr::Error(rest))));
    keyword(Keyword::Module)
        .ignore_then(choice((module_type, good)).recover_with(via_parser(bad)))
        .map_with(|parts, e| {
            let (name, body) = parts?;
            Some(Decl::Module(ModuleDef { doc: None, name, body, span: e.span() }))
        })
        .boxed()
}

/// `open m`, `open import "x"`.
pub(super) fn open<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Option<Decl>> {
    let good = module_expr().then_ignore(end()).map(Some);
    keyword(Keyword::Open)
        .ignore_then(good.recover_with(via_parser(skip_rest().map(|()| None))))
        .map_with(|module, e| Some(Decl::Open(Open { module: module?, span: e.span() })))
        .boxed()
}

/// `import "x"` as a declaration.
pub(super) fn import<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Option<Decl>> {
    let good = path().then_ignore(end()).map(Some);
    keyword(Keyword::Import)
        .ignore_then(good.recover_with(via_parser(skip_rest().map(|()| None))))
        .map_with(|path, e| {
            let (path, path_span) = path?;
            Some(Decl::Import(Import { path, path_span, span: e.span() }))
        })
        .boxed()
}

fn module_expr<'tok, 'src: 'tok>() -> Parse<'tok, 'src, ModuleExpr> {
    recursive(|module| {
        let import =
            keyword(Keyword::Import).ignore_then(path()).map_with(|(path, path_span), e| {
                ModuleExpr::Import(Import { path, path_span, span: e.span() })
            });
        let parentheses =
            module.delimited_by(sign(Token::Open(Opening::Round)), close(Bracket::Round));
        let name = qual_name(ident(ExpectedItem::Module)).map(ModuleExpr::Name);
        let whole = choice((name, import, parentheses)).then(given().or_not());
        let whole = whole.map_with(|(module, given), e| match given {
            Some(()) => ModuleExpr::Error(e.span()),
            None => module,
        });
        choice((whole, module_function())).labelled(ExpectedItem::Module)
    })
    .boxed()
}

/// An argument of a module, or its type: the language has neither.
fn given<'tok, 'src: 'tok>() -> Parse<'tok, 'src, ()> {
    let argument = token_that(|token| {
        matches!(
            token,
            Token::Name(_)
                | Token::Open(Opening::Round | Opening::Curly | Opening::Index)
                | Token::Keyword(Keyword::Import)
        )
    });
    let argument = argument.rewind().to(UnsupportedModuleFeature::Arguments);
    let ascription = quiet_sign(Token::Colon).rewind().to(UnsupportedModuleFeature::Ascription);
    argument
        .or(ascription)
        .then(skip_while(|_| true).map_with(|(), e| e.span()))
        .validate(|(what, at), _, emitter| {
            emitter.emit(ParseError::Known(SyntaxError::ParametricModule { at, what }));
        })
        .boxed()
}

/// `\ (m: t) -> { … }`, which the language does not have.
fn module_function<'tok, 'src: 'tok>() -> Parse<'tok, 'src, ModuleExpr> {
    quiet_sign(Token::Backslash)
        .then(skip_while(|_| true))
        .map_with(|_, e| e.span())
        .validate(|at, _, emitter| {
            let what = UnsupportedModuleFeature::Parameters;
            emitter.emit(ParseError::Known(SyntaxError::ParametricModule { at, what }));
            ModuleExpr::Error(at)
        })
        .boxed()
}

/// The path of an import, and its place.
fn path<'tok, 'src: 'tok>() -> Parse<'tok, 'src, (Name, Span)> {
    let path = select! { Token::Text(path) = e => (text::unescaped(path), e.span()) };
    path.labelled(ExpectedItem::Path).boxed()
}
