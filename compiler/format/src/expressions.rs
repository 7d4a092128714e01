//! Expressions, except those of several clauses.
//!
//! Invariant: arguments fill lines, and lines that begin with one are indented by two. A function whose body takes
//! lines of its own does not begin one, unless the user lets it.
//!
//! ```text
//! map (\x ->
//!   let y = f x
//!   in y * y) xs
//! ```

use arrc_syntax::ast::{Accessor, Dim, Expr, ExprKind, Slice, operators};
use arrc_syntax::stack::with_enough_stack;

use crate::layout::{Commas, Doc, Gap, Layout};

/// How the first line of an expression that takes several lines ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Opening {
    /// It takes one line, or its lines belong together.
    Closed,
    /// It is a function or a call with one, and the lines of the function's body follow.
    Function,
    /// It is a loop, and the lines of its body follow.
    Loop,
}

impl<'a> Layout<'a> {
    /// An expression.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Doc<'a> {
        let (_, last) = self.ends(expr.span);
        self.expr_to(expr, last)
    }

    /// An expression whose last token is `last`.
    pub(crate) fn expr_to(&mut self, expr: &Expr, last: usize) -> Doc<'a> {
        self.opening(expr, last).0
    }

    /// An expression whose last token is `last`, and how its first line ends.
    fn opening(&mut self, expr: &Expr, last: usize) -> (Doc<'a>, Opening) {
        with_enough_stack(|| {
            let around = self.layers_around(self.at(), last, own_parentheses(&expr.kind));
            let before = self.breaks();
            let mut opening = Opening::Closed;
            let is_function = matches!(expr.kind, ExprKind::Lambda(..));
            let doc = self.in_parentheses(around, |layout| {
                let (doc, calls_function) = if let ExprKind::Apply(function, args) = &expr.kind {
                    layout.call(function, args)
                } else {
                    (layout.kind(expr, last - around), false)
                };
                if layout.breaks() > before && around == 0 {
                    if is_function || calls_function {
                        opening = Opening::Function;
                    } else if let ExprKind::Loop(_) = &expr.kind {
                        opening = Opening::Loop;
                    }
                }
                if around == 0 || is_function || calls_function { doc } else { doc.align() }
            });
            (doc, opening)
        })
    }

    /// A function and its arguments, and whether an argument is a function that takes several lines.
    fn call(&mut self, function: &Expr, args: &[Expr]) -> (Doc<'a>, bool) {
        let mut doc = self.expr(function);
        let mut is_open = false;
        for arg in args {
            let (arg, opens) = self.argument(arg);
            doc = doc.append(arg);
            is_open |= opens;
        }
        (doc, is_open)
    }

    /// An argument, with what stands before it. A function in parentheses that takes several lines stays on the line of
    /// what it is an argument of, unless the user begins a line with it.
    fn argument(&mut self, arg: &Expr) -> (Doc<'a>, bool) {
        let (first, last) = self.ends(arg.span);
        let begins_line = self.begins_line();
        let gap = self.gap(Gap::Line);
        let can_open = matches!(arg.kind, ExprKind::Lambda(..) | ExprKind::Apply(..));
        if !can_open || self.layers(first, last) != 1 {
            return (gap.append(self.expr(arg)).group().nest(2), false);
        }
        let open = self.token().append(self.gap(Gap::Tight));
        let (inner, opening) = self.opening(arg, last - 1);
        let close = self.then(Gap::Tight);
        if opening == Opening::Function && !begins_line {
            return (self.space().append(open).append(inner).append(close), true);
        }
        let hangs = opening == Opening::Function || matches!(arg.kind, ExprKind::Lambda(..));
        let inner = if hangs { inner } else { inner.align() };
        (gap.append(open).append(inner).append(close).group().nest(2), false)
    }

    /// Whether no parentheses stand around an expression.
    pub(crate) fn is_bare(&self, expr: &Expr) -> bool {
        let (first, last) = self.ends(expr.span);
        self.layers_around(first, last, own_parentheses(&expr.kind)) == 0
    }

    /// The value behind a `=` or an arrow: on its line, or on lines below. A loop or a function that takes several lines
    /// begins on the line before it.
    pub(crate) fn value(&mut self, value: &Expr) -> Doc<'a> {
        let begins_line = self.begins_line();
        let gap = self.gap(Gap::Line);
        let (_, last) = self.ends(value.span);
        let (doc, opening) = self.opening(value, last);
        if opening != Opening::Closed && !begins_line {
            return self.below_or_behind(doc);
        }
        gap.append(doc).group().nest(2)
    }

    /// An expression up to `last`, without the parentheses around it.
    fn kind(&mut self, expr: &Expr, last: usize) -> Doc<'a> {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Name(_) | ExprKind::Text(_) | ExprKind::Hole => {
                self.tight(last)
            }
            ExprKind::Apply(function, args) => self.call(function, args).0,
            ExprKind::Constructor(_, args) => {
                let name = self.token();
                args.iter().fold(name, |doc, arg| doc.append(self.argument(arg).0))
            }
            ExprKind::Assert(condition, value) => {
                let word = self.token();
                let condition = self.argument(condition).0;
                word.append(condition).append(self.argument(value).0)
            }
            ExprKind::Infix(..) => self.chain(expr),
            ExprKind::Neg(operand) | ExprKind::Not(operand) => {
                let sign = self.token();
                // Two signs beside each other would be one operator, or a comment.
                let is_sign = self.next().starts_with(is_operator_char);
                let gap = self.gap(if is_sign { Gap::Space } else { Gap::Tight });
                sign.append(gap).append(self.expr(operand))
            }
            ExprKind::SectionRight(_, operand) => {
                let open = self.token().append(self.then(Gap::Tight)).append(self.gap(Gap::Space));
                open.append(self.expr(operand).align()).append(self.then(Gap::Tight)).group()
            }
            ExprKind::SectionLeft(operand, _) => {
                let is_own = self.opens("(", last);
                let open =
                    if is_own { self.token().append(self.gap(Gap::Tight)) } else { self.nil() };
                let doc = open.append(self.expr(operand).align()).append(self.then(Gap::Space));
                if is_own { doc.append(self.then(Gap::Tight)).group() } else { doc }
            }
            ExprKind::SectionPath(steps) => {
                let open = self.token().append(self.gap(Gap::Tight));
                open.append(self.path(steps)).append(self.then(Gap::Tight))
            }
            ExprKind::Opened(_, body) => {
                let open = self.tokens().partner(last).expect("brackets match in such a text");
                let doc = self.tight(open);
                let doc = doc.append(self.gap(Gap::Tight));
                doc.append(self.expr_to(body, last - 1).align())
                    .append(self.then(Gap::Tight))
                    .group()
            }
            ExprKind::Let(..) | ExprKind::LetFun(..) | ExprKind::LetUpdate(..) => self.lets(expr),
            ExprKind::Lambda(params, result, body) => {
                let mut doc = self.token().append(self.gap(Gap::Tight));
                for (number, param) in params.iter().enumerate() {
                    let gap = if number > 0 { self.gap(Gap::Flow) } else { self.nil() };
                    doc = doc.append(gap.append(self.pat(param)).group().nest(4));
                }
                if let Some(result) = result {
                    doc = doc.append(self.then(Gap::Tight)).append(self.gap(Gap::Space));
                    doc = doc.append(self.ty(result));
                }
                doc.append(self.then(Gap::Space)).append(self.value(body))
            }
            ExprKind::If(..) => self.conditional(expr),
            ExprKind::Match(value, cases) => self.cases(value, cases),
            ExprKind::Tuple(items) => {
                let commas = commas_of(items);
                if self.opens("{", last) {
                    self.fields(items, |layout, item| layout.field(item))
                } else if self.opens("(", last) {
                    self.brackets(items, commas, Self::expr)
                } else {
                    self.commas(items, commas, Self::expr).append(self.last_comma())
                }
            }
            ExprKind::Array(items) => self.brackets(items, commas_of(items), Self::expr),
            ExprKind::Record(fields) => self.fields(fields, |layout, (name, value)| {
                if value.span.start == name.span.start {
                    return layout.token();
                }
                layout.field(value)
            }),
            ExprKind::Update(whole, steps, value) => {
                let whole = self.expr(whole);
                let mut update = self.gap(Gap::Line).append(self.token());
                update = update.append(self.gap(Gap::Space)).append(self.path(steps));
                update = update.append(self.then(Gap::Space)).append(self.value(value));
                whole.append(update.group().nest(2))
            }
            ExprKind::Loop(data) => self.loops(data),
            ExprKind::With(data) => self.with_loop(data),
            ExprKind::Index(array, indices) => {
                let array = self.expr(array);
                array.append(self.gap(Gap::Tight)).append(self.brackets(
                    indices,
                    Commas::Fill,
                    Self::expr,
                ))
            }
            ExprKind::Slice(array, dims) => {
                let array = self.expr(array);
                array.append(self.gap(Gap::Tight)).append(self.brackets(
                    dims,
                    Commas::Fill,
                    Self::dim,
                ))
            }
            ExprKind::Field(record, _) => {
                let record = self.expr(record).append(self.then(Gap::Tight));
                // What is in parentheses there means nothing, which is reported with the names.
                record.append(self.gap(Gap::Tight)).append(self.as_written(last))
            }
            ExprKind::Range(range) => {
                let mut doc = self.expr(&range.first);
                for part in range.second.iter().chain([&range.last]) {
                    doc = doc.append(self.then(Gap::Tight)).append(self.gap(Gap::Tight));
                    doc = doc.append(self.expr(part));
                }
                doc
            }
            ExprKind::Ascribe(inner, ty) | ExprKind::Coerce(inner, ty) => {
                let inner = self.expr(inner);
                let ty = self
                    .before_operator()
                    .append(self.token())
                    .append(self.gap(Gap::Space))
                    .append(self.ty(ty));
                inner.append(ty.group().nest(2))
            }
            ExprKind::Attr(_, body) => {
                let attr = self.tight_brackets();
                attr.append(self.gap(Gap::Line)).append(self.expr(body)).group().align()
            }
            ExprKind::Error => unreachable!("a text with mistakes is not formatted"),
        }
    }

    /// A name or a number of a field, and its value.
    fn field(&mut self, value: &Expr) -> Doc<'a> {
        self.token().append(self.then(Gap::Space)).append(self.value(value))
    }

    /// `x[i].y`, `.x`.
    pub(crate) fn path(&mut self, steps: &[Accessor]) -> Doc<'a> {
        let mut doc = self.nil();
        for (number, step) in steps.iter().enumerate() {
            if number > 0 {
                doc = doc.append(self.gap(Gap::Tight));
            }
            if self.next() == "." {
                doc = doc.append(self.token()).append(self.gap(Gap::Tight));
            }
            doc = doc.append(match step {
                Accessor::Field(_) => self.token(),
                Accessor::At(dims) => self.brackets(dims, Commas::Fill, Self::dim),
            });
        }
        doc
    }

    /// `i`, `i:j:s`.
    fn dim(&mut self, dim: &Dim) -> Doc<'a> {
        let Slice { first, last, step, .. } = match dim {
            Dim::Index(index) => return self.expr(index),
            Dim::Slice(slice) => slice,
        };
        let mut doc = match first {
            Some(first) => self.expr(first).append(self.then(Gap::Tight)),
            None => self.token(),
        };
        if let Some(last) = last {
            doc = doc.append(self.gap(Gap::Tight)).append(self.expr(last));
        }
        if self.next() == ":" {
            doc = doc.append(self.then(Gap::Tight));
        }
        if let Some(step) = step {
            doc = doc.append(self.gap(Gap::Tight)).append(self.expr(step));
        }
        doc
    }
}

/// How many parentheses belong to an expression itself.
fn own_parentheses(kind: &ExprKind) -> usize {
    match kind {
        ExprKind::Tuple(_)
        | ExprKind::SectionRight(..)
        | ExprKind::SectionLeft(..)
        | ExprKind::SectionPath(_) => 1,
        ExprKind::Name(path) => {
            usize::from(path.quals.is_empty() && !operators::is_word(&path.name.name))
        }
        ExprKind::Literal(_)
        | ExprKind::Apply(..)
        | ExprKind::Text(_)
        | ExprKind::Infix(..)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Opened(..)
        | ExprKind::Lambda(..)
        | ExprKind::Let(..)
        | ExprKind::LetFun(..)
        | ExprKind::If(..)
        | ExprKind::Match(..)
        | ExprKind::Constructor(..)
        | ExprKind::Record(_)
        | ExprKind::Update(..)
        | ExprKind::Loop(_)
        | ExprKind::With(_)
        | ExprKind::LetUpdate(..)
        | ExprKind::Array(_)
        | ExprKind::Index(..)
        | ExprKind::Field(..)
        | ExprKind::Slice(..)
        | ExprKind::Range(_)
        | ExprKind::Ascribe(..)
        | ExprKind::Coerce(..)
        | ExprKind::Assert(..)
        | ExprKind::Attr(..)
        | ExprKind::Hole
        | ExprKind::Error => 0,
    }
}

/// Which commas of a tuple or an array end lines.
fn commas_of(items: &[Expr]) -> Commas {
    if are_short(items) { Commas::Fill } else { Commas::Alike }
}

/// Whether items are numbers and the like, of which a line can have many.
fn are_short(items: &[Expr]) -> bool {
    items.iter().all(|item| match &item.kind {
        ExprKind::Literal(_) | ExprKind::Name(_) | ExprKind::Text(_) => true,
        ExprKind::Neg(operand) => matches!(operand.kind, ExprKind::Literal(_)),
        ExprKind::Apply(..)
        | ExprKind::Infix(..)
        | ExprKind::Not(_)
        | ExprKind::SectionRight(..)
        | ExprKind::SectionLeft(..)
        | ExprKind::SectionPath(_)
        | ExprKind::Opened(..)
        | ExprKind::Lambda(..)
        | ExprKind::Let(..)
        | ExprKind::LetFun(..)
        | ExprKind::If(..)
        | ExprKind::Match(..)
        | ExprKind::Constructor(..)
        | ExprKind::Tuple(_)
        | ExprKind::Record(_)
        | ExprKind::Update(..)
        | ExprKind::Loop(_)
        | ExprKind::With(_)
        | ExprKind::LetUpdate(..)
        | ExprKind::Array(_)
        | ExprKind::Index(..)
        | ExprKind::Field(..)
        | ExprKind::Slice(..)
        | ExprKind::Range(_)
        | ExprKind::Ascribe(..)
        | ExprKind::Coerce(..)
        | ExprKind::Assert(..)
        | ExprKind::Attr(..)
        | ExprKind::Hole
        | ExprKind::Error => false,
    })
}

pub(crate) fn is_operator_char(c: char) -> bool {
    matches!(c, '+' | '-' | '*' | '/' | '%' | '=' | '!' | '>' | '<' | '|' | '&' | '^')
}
