//! The warnings about operations that are rarely meant.
//!
//! Invariant: a proposed edit keeps the program well-typed, and is written with the user's own operands.
//!
//! ```text
//! f64.i64 (a / b)   ⇒   f64.i64 a / f64.i64 b
//! ```

use super::Infix;
use super::constants::Overflow;
use crate::core::{Expr, ExprKind};
use crate::parentheses::bare;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::{Sources, Span};

/// What makes the warnings.
pub(super) struct Reporter<'s> {
    pub(super) sources: &'s Sources,
}

/// Whether a report also explains what could be reported on parts of the operation.
pub(super) fn explains_parts(report: &Diagnostic) -> bool {
    report.code == Code::CONSTANT_COMPARISON
}

impl Reporter<'_> {
    /// The text of an expression without the parentheses around it.
    pub(super) fn bare(&self, span: Span) -> &str {
        bare(self.sources.text(span))
    }

    /// An operand as it can stand in any operation.
    fn operand(&self, operand: &Expr) -> String {
        let text = self.sources.text(operand.span);
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '\'');
        let is_atom = text.chars().all(is_word) || text.starts_with('(') && text.ends_with(')');
        if is_atom { text.to_owned() } else { format!("({text})") }
    }

    /// `i ^ 2`.
    pub(super) fn power(&self, infix: Infix<'_>) -> Diagnostic {
        let text = |expr: &Expr| self.sources.text(expr.span);
        let message = "`^` is the exclusive or of integers, not a power";
        let warning = Diagnostic::warning(Code::XOR_AS_POWER, infix.sign, message)
            .label(format!("`{} ^ {}`", text(infix.left), text(infix.right)))
            .fix("a power is written `**`", [(infix.sign, "**")]);
        let number = [infix.right, infix.left].into_iter().find_map(|expr| match &expr.kind {
            ExprKind::Const(value) => Some(*value),
            _ => None,
        });
        match number {
            Some(value) => warning.help(format!(
                "if the exclusive or is meant, write the number as bits: `{:#x}`",
                value.as_i128()
            )),
            None => warning,
        }
    }

    /// `f64.i64 (a / b)`.
    pub(super) fn quotient(&self, span: Span, convert: Span, quotient: Infix<'_>) -> Diagnostic {
        let name = self.sources.text(convert);
        let ty = quotient.ty.name();
        let side = |operand: &Expr| match &operand.kind {
            ExprKind::Const(_) if self.is_plain_number(operand.span) => {
                self.bare(operand.span).to_owned()
            }
            _ => format!("{name} {}", self.operand(operand)),
        };
        let both = format!("{} / {}", side(quotient.left), side(quotient.right));
        let message = format!("this quotient of `{ty}` is rounded before it becomes a float");
        Diagnostic::warning(Code::INTEGER_QUOTIENT, quotient.span, message)
            .label("drops what is behind the point")
            .also(convert, "the conversion comes too late")
            .fix("convert the operands, not the quotient", [(span, self.enclosed(span, both))])
            .help("if the rounded quotient is meant, give it a name with `let`")
    }

    /// Whether a text is a number that may be of any type.
    fn is_plain_number(&self, span: Span) -> bool {
        self.bare(span).chars().all(|c| c.is_ascii_digit())
    }

    /// A quotient that takes the place of an expression, with parentheses where it had some, or needs some.
    fn enclosed(&self, span: Span, text: String) -> String {
        let all = &*self.sources.get(span.file).text;
        let before = all.get(..span.start as usize).unwrap_or_default().trim_end();
        let after = all.get(span.end as usize..).unwrap_or_default().trim_start();
        let binds = before.ends_with(['*', '/', '%']) || after.starts_with("**");
        if binds || self.sources.text(span).starts_with('(') { format!("({text})") } else { text }
    }

    /// `-4` of a type without a sign, and `10 ** 10` of `i32`.
    pub(super) fn wrapped(&self, span: Span, overflow: Overflow) -> Diagnostic {
        let Overflow { exact, value } = overflow;
        let (text, ty) = (self.bare(span), value.ty);
        let message = format!("`{text}` is {} in `{}`", value.as_i128(), ty.name());
        let warning = Diagnostic::warning(Code::WRAPPED_CONSTANT, span, message)
            .label(format!("wraps: {}", range(ty)));
        match wider(ty, exact) {
            Some(wider) => warning.help(format!(
                "`{}` has {exact}; if the wrapped number is meant, write {}",
                wider.name(),
                value.as_i128()
            )),
            None => warning.help(format!("if this is meant, write {}", value.as_i128())),
        }
    }

    /// `(x: u8) >= 0`.
    pub(super) fn decided(&self, infix: Infix<'_>, holds: bool, value: Const) -> Diagnostic {
        let word = if holds { "always" } else { "never" };
        let message = format!("this comparison is {word} true");
        let constant = [infix.left, infix.right].map(|side| self.bare(side.span));
        let is_wrapped = constant.iter().any(|text| text.starts_with('-')) && value.as_i128() > 0;
        let warning = Diagnostic::warning(Code::CONSTANT_COMPARISON, infix.span, message)
            .label(range(infix.ty));
        let warning = if is_wrapped {
            let text = constant.into_iter().find(|text| text.starts_with('-')).unwrap_or_default();
            warning.note(format!("`{text}` is {} in `{}`", value.as_i128(), infix.ty.name()))
        } else {
            warning
        };
        if infix.ty.is_signed() {
            return warning.help("compare with another number, or leave the comparison out");
        }
        warning.help("compare numbers of a type with a sign, such as `i64`, or leave the comparison out")
    }
}

/// The range of a type in words.
fn range(ty: Scalar) -> String {
    let [lowest, highest] = [Const::lowest(ty), Const::highest(ty)].map(|limit| limit.as_i128());
    format!("a number of `{}` is from {lowest} to {highest}", ty.name())
}

/// The first type with a wider range that has a value.
fn wider(ty: Scalar, value: i128) -> Option<Scalar> {
    let types = [Scalar::I16, Scalar::I32, Scalar::I64, Scalar::U64];
    types.into_iter().find(|wider| {
        let limits = [Const::lowest(*wider), Const::highest(*wider)].map(|limit| limit.as_i128());
        wider.bytes() >= ty.bytes() && (limits[0]..=limits[1]).contains(&value)
    })
}
