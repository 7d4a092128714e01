//! Brackets: every opening one gets its closing one before anything is parsed, and words such as `in`
//! are put in where the lines show that they are missing.
//!
//! Invariant: in each declaration that comes out, brackets are balanced and of equal shape, and the
//! tree that the parser makes of it is at most as deep as [`MAX_BRACKETS`] and [`MAX_DEPTH`] allow.
//! The parser can therefore skip a bracket with a mistake in it and go on behind it, and recursion
//! over the tree is bounded.
//!
//! ```text
//! def f = g (1 + 2   ⇒   def f = g (1 + 2)   and the report that the bracket is open
//! def h = 3              def h = 3
//! ```

use std::ops::Range;

use super::balancer;
use super::balancer::Balancer;
use super::error::{SyntaxError, UnclosedEvidence};
use super::token::{Bracket, Keyword, Token};
use crate::parse::declaration_heads;
use crate::parse::declaration_heads::Bodies;
use crate::source::Span;

/// How many brackets may be open at once.
pub(super) const MAX_BRACKETS: usize = 256;

/// How many phrases may stand in one another, counted over operators, `let`s, `if`s and so on.
pub(super) const MAX_DEPTH: u32 = 5_000;

/// What a part of the tokens is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChunkKind {
    /// A declaration, or what stands before the first one.
    Declaration,
    /// `module m = {`.
    Begin,
    /// The `}` of a module; without tokens if it is missing.
    End,
}

/// A part of the tokens that is read by itself.
pub(super) struct Chunk {
    /// What it is.
    pub(super) part: ChunkKind,
    /// Its tokens, as indices of [`Balanced::tokens`]; none if it is nested too deeply.
    pub(super) tokens: Range<usize>,
    /// The start of a line that begins at the declaration's column, in no bracket, although it can only be an argument
    /// of the text above; none if there is no such line.
    pub(super) line: Option<usize>,
    /// The errors in its brackets.
    pub(super) errors: Vec<SyntaxError>,
}

/// A file's tokens with balanced brackets, cut into declarations.
pub(super) struct Balanced<'src> {
    /// The tokens with their places.
    pub(super) tokens: Vec<(Token<'src>, Span)>,
    /// The declarations, in order.
    pub(super) chunks: Vec<Chunk>,
}

/// Cuts `tokens` of the file `text` before each declaration, and around the braces of modules, and
/// balances the brackets of each part.
pub(super) fn balance<'src>(tokens: &[(Token<'src>, Span)], text: &str) -> Balanced<'src> {
    // Lines say where a module ends only if no brace does.
    cut(tokens, text, ModuleDelimiter::Braces)
        .or_else(|| cut(tokens, text, ModuleDelimiter::Lines))
        .expect("with lines")
}

fn cut<'src>(
    tokens: &[(Token<'src>, Span)],
    text: &str,
    ends: ModuleDelimiter,
) -> Option<Balanced<'src>> {
    let mut cutter = DeclarationSplitter {
        tokens,
        text,
        ends,
        out: Balanced { tokens: Vec::with_capacity(tokens.len()), chunks: Vec::new() },
        modules: Vec::new(),
        headless: None,
        bodies: Bodies::default(),
    };
    let mut first = 0;
    while first < tokens.len() {
        first = cutter.part(first);
    }
    if ends == ModuleDelimiter::Braces && !cutter.modules.is_empty() {
        return None;
    }
    cutter.end();
    Some(cutter.out)
}

/// Where modules end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ModuleDelimiter {
    /// At their braces.
    Braces,
    /// Also before a declaration that begins at the module's column, if the module's contents begin further to the
    /// right.
    Lines,
}

/// A module around.
struct OpenModule {
    /// Its opening brace.
    brace: Span,
    /// The column of its word.
    column: usize,
    /// The column of the first declaration in it.
    body: Option<usize>,
}

/// Cuts a file into parts.
struct DeclarationSplitter<'tok, 'src> {
    tokens: &'tok [(Token<'src>, Span)],
    text: &'tok str,
    out: Balanced<'src>,
    ends: ModuleDelimiter,
    /// The modules around.
    modules: Vec<OpenModule>,
    /// A token that begins a definition which has no word before it.
    headless: Option<usize>,
    /// What is known of `let`s in the place of declarations.
    bodies: Bodies,
}

impl<'src> DeclarationSplitter<'_, 'src> {
    /// One part, from `first` to the returned place.
    fn part(&mut self, first: usize) -> usize {
        if !self.modules.is_empty() && self.tokens[first].0 == Token::Close(Bracket::Curly) {
            self.modules.pop();
            self.push_balanced(ChunkKind::End, first, first + 1);
            return first + 1;
        }
        let begin = declaration_heads::begin(self.tokens, first);
        if begin.is_some() && self.ends == ModuleDelimiter::Lines && self.leaves_module(first) {
            return first;
        }
        let brace = begin.and_then(|word| declaration_heads::module_brace(self.tokens, word));
        if let Some(brace) = brace {
            let attributes = declaration_heads::attributes(self.tokens, first);
            let column = if self.ends == ModuleDelimiter::Lines { self.column(first) } else { 0 };
            self.modules.push(OpenModule { brace: self.tokens[brace].1, column, body: None });
            self.push_balanced(ChunkKind::Begin, attributes, brace + 1);
            if self.modules.len() > MAX_BRACKETS {
                return self.too_deep(brace);
            }
            return brace + 1;
        }
        self.declaration(first, begin)
    }

    /// Whether the module around ends before the declaration at `first`, as the lines show.
    fn leaves_module(&mut self, first: usize) -> bool {
        let column = self.column(first);
        let Some(module) = self.modules.last_mut() else { return false };
        let body = *module.body.get_or_insert(column);
        let leaves = column <= module.column && body > module.column;
        if leaves {
            let (open, noticed) = (module.brace, self.tokens[first].1);
            let bracket = Bracket::Curly;
            let by = UnclosedEvidence::Declaration;
            self.end_module(vec![SyntaxError::Unclosed {
                open,
                bracket,
                noticed,
                by,
                close: None,
            }]);
        }
        leaves
    }

    /// Ends the module around, whose brace nothing closes.
    fn end_module(&mut self, errors: Vec<SyntaxError>) {
        self.modules.pop();
        let end = self.out.tokens.len();
        let (part, tokens, line) = (ChunkKind::End, end..end, None);
        self.out.chunks.push(Chunk { part, tokens, line, errors });
    }

    /// How far a token is from the beginning of its line.
    fn column(&self, token: usize) -> usize {
        balancer::column(self.text, self.tokens[token].1)
    }

    /// Adds a part whose brackets are balanced.
    fn push_balanced(&mut self, part: ChunkKind, first: usize, end: usize) {
        let start = self.out.tokens.len();
        self.out.tokens.extend_from_slice(&self.tokens[first..end]);
        let tokens = start..self.out.tokens.len();
        self.out.chunks.push(Chunk { part, tokens, line: None, errors: Vec::new() });
    }

    /// Modules are nested too deeply: the rest of the file is skipped.
    fn too_deep(&mut self, brace: usize) -> usize {
        let chunk = self.out.chunks.last_mut().expect("the module's beginning was just cut");
        chunk.errors.push(SyntaxError::TooDeep { at: self.tokens[brace].1 });
        for _ in self.modules.drain(..) {
            let end = self.out.tokens.len();
            let tokens = end..end;
            self.out.chunks.push(Chunk {
                part: ChunkKind::End,
                tokens,
                line: None,
                errors: Vec::new(),
            });
        }
        self.tokens.len()
    }

    /// A declaration, whose word is at `begin`.
    fn declaration(&mut self, first: usize, begin: Option<usize>) -> usize {
        let seen = first.checked_sub(1).map_or(0, |before| self.tokens[before].1.end as usize);
        let mut balancer = Balancer::new(&mut self.out.tokens, self.text, seen);
        let mut next = first;
        if self.tokens[first].0 != Token::Keyword(Keyword::Let) {
            if self.headless == Some(first) {
                balancer.headless(self.tokens[first].1);
            }
        } else if self.bodies.is_body(self.tokens, first) {
            balancer.body_alone();
        } else {
            balancer.top_let(self.tokens[first].1);
            next += 1;
        }
        while next < self.tokens.len() {
            if Some(next) == begin && self.tokens[next].0 == Token::Keyword(Keyword::Let) {
                balancer.top_let(self.tokens[next].1);
                next += 1;
                continue;
            }
            let is_head = next == first || begin.is_some_and(|begin| next <= begin);
            let ends_module = !self.modules.is_empty() && balancer.ends_module(self.tokens[next].0);
            // The braces of a module type contain no declarations. The braces of a module that is an argument of
            // another one belong to the declaration around.
            let is_type =
                begin.is_some_and(|begin| declaration_heads::module_type(self.tokens, begin));
            let is_given =
                begin.is_some_and(|at| declaration_heads::applies_module(self.tokens, at));
            let stays = (is_type && balancer.has_open()) || (is_given && balancer.has_brace());
            let cuts = !stays && balancer.cuts_before(self.tokens, next, self.text);
            if !is_head && (ends_module || cuts) {
                break;
            }
            // Behind a whole definition, `let` begins the next one if it has no `in`.
            if !is_head
                && self.tokens[next].0 == Token::Keyword(Keyword::Let)
                && balancer.is_complete()
                && !self.bodies.is_body(self.tokens, next)
            {
                break;
            }
            balancer.token(self.tokens[next], next);
            next += 1;
            if let Some(line) = balancer.cut.take() {
                (next, self.headless) = (line, Some(line));
                break;
            }
        }
        let end = self.tokens.get(next).map(|(_, span)| *span);
        let chunk = balancer.finish(end);
        self.out.chunks.push(chunk);
        next
    }

    /// Closes the modules that are still open, and reports the innermost one.
    fn end(&mut self) {
        let Some((_, last)) = self.tokens.last() else { return };
        let noticed = Span { start: last.end, ..*last };
        let by = UnclosedEvidence::FileEnd;
        let mut unclosed = self.modules.last().map(|module| {
            let (open, bracket) = (module.brace, Bracket::Curly);
            SyntaxError::Unclosed { open, bracket, noticed, by, close: None }
        });
        while !self.modules.is_empty() {
            self.end_module(unclosed.take().into_iter().collect());
        }
    }
}
