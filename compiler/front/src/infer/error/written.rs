//! The text of operands, from which changes of the program are proposed.
//!
//! Invariant: a conversion applies to the whole operand: brackets are added where they are needed.
//!
//! ```text
//! x * i + 1, for `x * i` by `f64.i64`   ⇒   f64.i64 (x * i) + 1
//! ```

use super::Origin;
use arrc_syntax::ast::{Expr, ExprKind};
use arrc_syntax::source::Span;

/// An operand.
#[derive(Clone, Debug)]
pub(crate) struct QuotedOperand {
    /// Its text, without brackets around it.
    text: String,
    span: Span,
    brackets: Brackets,
}

/// The longest text, in bytes, that a sentence repeats.
const LONGEST: usize = 40;

/// The brackets around an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Brackets {
    /// It needs none.
    Needless,
    /// It has them.
    There,
    /// It has none, but needs them as an argument.
    Missing,
}

impl QuotedOperand {
    pub(crate) fn of(expr: &Expr) -> Self {
        let brackets = match last_part(expr) {
            None => Brackets::Needless,
            Some(last) if last.end < expr.span.end => Brackets::There,
            Some(_) => Brackets::Missing,
        };
        Self { text: expr.to_string(), span: expr.span, brackets }
    }

    /// Its text, without brackets around it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether its text can stand in a sentence.
    pub(crate) fn is_short(&self) -> bool {
        self.text.len() <= LONGEST && !self.text.contains('\n')
    }

    /// Its text beside an operator.
    pub(crate) fn operand(&self) -> String {
        match self.brackets {
            Brackets::Needless | Brackets::Missing => self.text.clone(),
            Brackets::There => format!("({})", self.text),
        }
    }

    /// Its text, as an argument of a function.
    pub(crate) fn applied(&self, function: &str) -> String {
        match self.brackets {
            Brackets::Needless => format!("{function} {}", self.text),
            Brackets::There | Brackets::Missing => format!("{function} ({})", self.text),
        }
    }

    /// The changes that make it an argument of a function.
    pub(crate) fn apply(&self, function: &str) -> Vec<Origin> {
        match self.brackets {
            Brackets::Needless | Brackets::There => {
                vec![(self.span.before(), format!("{function} "))]
            }
            Brackets::Missing => around(self.span, function),
        }
    }
}

/// The changes that make the whole text at a place an argument of a function, in brackets.
pub(crate) fn around(span: Span, function: &str) -> Vec<Origin> {
    let end = Span { start: span.end, ..span };
    vec![(span.before(), format!("{function} (")), (end, ")".to_owned())]
}

/// The last part of an expression whose form does not end with a bracket, or none if it does.
fn last_part(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Text(_)
        | ExprKind::Name(_)
        | ExprKind::Hole
        | ExprKind::Opened(..)
        | ExprKind::SectionRight(..)
        | ExprKind::SectionLeft(..)
        | ExprKind::SectionPath(_)
        | ExprKind::Tuple(_)
        | ExprKind::Record(_)
        | ExprKind::Array(_)
        | ExprKind::Index(..)
        | ExprKind::Slice(..)
        | ExprKind::Field(..)
        | ExprKind::With(_)
        | ExprKind::Error => None,
        ExprKind::Apply(_, args) | ExprKind::Constructor(_, args) => {
            args.last().map(|last| last.span)
        }
        ExprKind::Infix(_, _, last)
        | ExprKind::Neg(last)
        | ExprKind::Not(last)
        | ExprKind::Attr(_, last)
        | ExprKind::Lambda(_, _, last)
        | ExprKind::Let(_, _, last)
        | ExprKind::LetFun(_, last)
        | ExprKind::LetUpdate(_, _, _, last)
        | ExprKind::If(_, _, last)
        | ExprKind::Update(_, _, last)
        | ExprKind::Assert(_, last) => Some(last.span),
        ExprKind::Loop(data) => Some(data.body.span),
        ExprKind::Match(value, cases) => {
            Some(cases.last().map_or(value.span, |case| case.body.span))
        }
        ExprKind::Range(range) => Some(range.last.span),
        ExprKind::Ascribe(_, ty) | ExprKind::Coerce(_, ty) => Some(ty.span),
    }
}
