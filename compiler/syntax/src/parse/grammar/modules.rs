//! Modules: `module m (P: t) : u = f n`, `open m`, `import "x"`, and how a `module m = {` begins.
//!
//! Invariant: the declarations between the braces of a module are not read here: each is cut out and read for itself,
//! as those of a file are. Braces inside of a module expression stand in the tree without their declarations, until
//! these are read.
//!
//! ```text
//! local module m = f (import "lib/m")   ⇒   Module(m, Apply(f, Import "lib/m"))
//! ```

use chumsky::prelude::*;

use super::expressions::Grammar;
use super::module_types::{module_type, result_type};
use super::{
    Parse, bracketed, close, ident, keyword, qual_name, quiet_sign, sign, skip_rest, token_that,
};
use crate::ast::{
    Decl, Ident, Import, ModuleDef, ModuleExpr, ModuleParam, ModuleType, ModuleTypeDef, Open,
};
use crate::names::Name;
use crate::parse::expected::ExpectedItem;
use crate::parse::text;
use crate::parse::token::{Bracket, Keyword, Opening, Token};
use crate::source::Span;

/// What stands before the declarations of a module.
pub(crate) struct ModuleHead {
    /// Whether the word `local` is before it.
    pub(crate) is_local: bool,
    /// The name.
    pub(crate) name: Ident,
    /// The modules that it is given.
    pub(crate) params: Vec<ModuleParam>,
    /// Its type.
    pub(crate) ascription: Option<ModuleType>,
    /// From the word `module`, or `local`, to the opening brace.
    pub(crate) span: Span,
    /// The opening brace.
    pub(crate) brace: Span,
}

/// `module m (P: t) : u = {`, up to the end of the tokens.
pub(crate) fn module_head<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, ModuleHead> {
    let brace = sign(Token::Open(Opening::Curly));
    keyword(Keyword::Local)
        .or_not()
        .then_ignore(keyword(Keyword::Module))
        .then(interface(grammar))
        .then_ignore(sign(Token::Equals))
        .then(brace)
        .map_with(|((local, (name, params, ascription)), brace), e| ModuleHead {
            is_local: local.is_some(),
            name,
            params,
            ascription,
            span: e.span(),
            brace,
        })
        .boxed()
}

/// What stands between the word `module` and the `=`.
type Interface = (Ident, Vec<ModuleParam>, Option<ModuleType>);

fn interface<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, Interface> {
    ident(ExpectedItem::Name)
        .then(parameter(grammar).repeated().collect::<Vec<_>>())
        .then(ascription(&module_type(grammar)).or_not())
        .map(|((name, params), ascription)| (name, params, ascription))
        .boxed()
}

/// `(P: t)`.
fn parameter<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, ModuleParam> {
    quiet_sign(Token::Open(Opening::Round))
        .ignore_then(ident(ExpectedItem::Name))
        .then_ignore(sign(Token::Colon))
        .then(module_type(grammar))
        .then_ignore(sign(Token::Close(Bracket::Round)))
        .map_with(|(name, ty), e| ModuleParam { name, ty, span: e.span() })
        .boxed()
}

/// `: t`, also `:> t`.
fn ascription<'tok, 'src: 'tok>(
    ty: &Parse<'tok, 'src, ModuleType>,
) -> Parse<'tok, 'src, ModuleType> {
    let sign = sign(Token::Colon).or(quiet_sign(Token::Coerce));
    sign.ignore_then(ty.clone()).boxed()
}

/// `module m = n`, `module m = import "x"`, `module type t = u`.
pub(super) fn module<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, Option<Decl>> {
    let good = interface(grammar)
        .then_ignore(sign(Token::Equals))
        .then(module_expr(grammar))
        .then_ignore(end())
        .map(Some);
    let rest = || ident(ExpectedItem::Name).or_not().then(skip_rest().map_with(|(), e| e.span()));
    let bad = rest().map(|(name, rest)| Some(((name?, Vec::new(), None), ModuleExpr::Error(rest))));
    let plain = good.recover_with(via_parser(bad)).map_with(|parts, e| {
        let ((name, params, ascription), body) = parts?;
        let span = e.span();
        Some(Decl::Module(ModuleDef { doc: None, name, params, ascription, body, span }))
    });
    let good = ident(ExpectedItem::Name)
        .then_ignore(sign(Token::Equals))
        .then(module_type(grammar))
        .then_ignore(end())
        .map(Some);
    let bad = rest().map(|(name, rest)| Some((name?, ModuleType::Error(rest))));
    let ty = quiet_sign(Token::Keyword(Keyword::Type))
        .ignore_then(good.recover_with(via_parser(bad)))
        .map_with(|parts, e| {
            let (name, body) = parts?;
            Some(Decl::ModuleType(ModuleTypeDef { doc: None, name, body, span: e.span() }))
        });
    keyword(Keyword::Module)
        .ignore_then(ty.or(plain))
        .map_with(|decl: Option<Decl>, e| {
            let mut decl = decl?;
            match &mut decl {
                Decl::Module(ModuleDef { span, .. })
                | Decl::ModuleType(ModuleTypeDef { span, .. }) => *span = e.span(),
                Decl::Def(_) | Decl::Type(_) | Decl::Open(_) | Decl::Import(_) | Decl::Local(_) => {
                    panic!("a module is declared here")
                }
            }
            Some(decl)
        })
        .boxed()
}

/// `open m`, `open import "x"`.
pub(super) fn open<'tok, 'src: 'tok>(
    grammar: &Grammar<'tok, 'src>,
) -> Parse<'tok, 'src, Option<Decl>> {
    let good = module_expr(grammar).then_ignore(end()).map(Some);
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

/// `f m : t`, `\(P: t) -> m`.
fn module_expr<'tok, 'src: 'tok>(grammar: &Grammar<'tok, 'src>) -> Parse<'tok, 'src, ModuleExpr> {
    recursive(|module| {
        let function = quiet_sign(Token::Backslash)
            .ignore_then(parameter(grammar))
            .then(ascription(&result_type(grammar)).or_not())
            .then_ignore(sign(Token::Arrow))
            .then(module.clone())
            .map_with(|((param, result), body), e| {
                let (param, result) = (Box::new(param), result.map(Box::new));
                ModuleExpr::Function(param, result, Box::new(body), e.span())
            });
        let applied = atom(&module.boxed()).map_with(|module, e| (module, e.span()));
        let applied = applied.repeated().at_least(1).collect::<Vec<(ModuleExpr, Span)>>();
        let ascription = ascription(&module_type(grammar)).map_with(|ty, e| (ty, e.span()));
        let whole = applied
            .then(ascription.repeated().collect::<Vec<(ModuleType, Span)>>())
            .map(|(modules, types)| types.into_iter().fold(apply(modules), ascribe).0);
        choice((whole, function)).labelled(ExpectedItem::Module)
    })
    .boxed()
}

fn apply(modules: Vec<(ModuleExpr, Span)>) -> (ModuleExpr, Span) {
    let applied = modules.into_iter().reduce(|(function, first), (given, last)| {
        let span = first.to(last);
        (ModuleExpr::Apply(Box::new(function), Box::new(given), span), span)
    });
    applied.expect("there is at least one module")
}

fn ascribe(
    (module, first): (ModuleExpr, Span),
    (ty, last): (ModuleType, Span),
) -> (ModuleExpr, Span) {
    let span = first.to(last);
    (ModuleExpr::Ascribe(Box::new(module), Box::new(ty), span), span)
}

/// A module that needs no parentheses as an argument.
fn atom<'tok, 'src: 'tok>(module: &Parse<'tok, 'src, ModuleExpr>) -> Parse<'tok, 'src, ModuleExpr> {
    let import = quiet_sign(Token::Keyword(Keyword::Import)).ignore_then(path()).map_with(
        |(path, path_span), e| ModuleExpr::Import(Import { path, path_span, span: e.span() }),
    );
    let parentheses = quiet_sign(Token::Open(Opening::Round))
        .ignore_then(module.clone())
        .then_ignore(close(Bracket::Round));
    let name = select! { Token::Name(name) = e => super::ident_at(name, e.span()) };
    let name = qual_name(name.boxed()).map(ModuleExpr::Name);
    let braces = token_that(|token| token == Token::Open(Opening::Curly))
        .rewind()
        .ignore_then(bracketed())
        .map_with(|(), e| ModuleExpr::Body(Vec::new(), e.span()));
    choice((name, import, parentheses, braces)).boxed()
}

/// The path of an import, and its place.
fn path<'tok, 'src: 'tok>() -> Parse<'tok, 'src, (Name, Span)> {
    let path = select! { Token::Text(path) = e => (text::unescaped(path), e.span()) };
    path.labelled(ExpectedItem::Path).boxed()
}
