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
use arrc_syntax::prim::{BinOp, Const, Scalar};
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

    /// The operation that an expression is, if it has no parentheses.
    pub(super) fn open_infix<'e>(&self, expr: &'e Expr) -> Option<Infix<'e>> {
        Infix::of(expr).filter(|_| !self.sources.text(expr.span).starts_with('('))
    }

    /// `i ^ 2`.
    pub(super) fn power(&self, infix: Infix<'_>, beside: [&Expr; 2]) -> Diagnostic {
        let [base, exponent] = beside.map(|expr| self.sources.text(expr.span));
        let message = "`^` is the exclusive or of integers, not a power";
        let warning = Diagnostic::warning(Code::XOR_AS_POWER, infix.sign, message)
            .label("compares the bits of two numbers")
            .fix(format!("a power is written `{base} ** {exponent}`"), [(infix.sign, "**")]);
        let bits = |expr: &&Expr| {
            let ExprKind::Const(value) = &expr.kind else { return None };
            Some((expr.span, format!("{:#x}", value.as_i128())))
        };
        let edits: Vec<(Span, String)> = beside.iter().filter_map(bits).collect();
        if edits.is_empty() {
            return warning;
        }
        let shown: Vec<String> = edits.iter().map(|(_, bits)| format!("`{bits}`")).collect();
        let text = "if the exclusive or is meant, write the number as bits";
        warning.fix(format!("{text}: {}", shown.join(" and ")), edits)
    }

    /// `f64.i64 (a / b)`.
    pub(super) fn quotient(&self, span: Span, convert: Span, whole: Infix<'_>) -> Diagnostic {
        let name = self.sources.text(convert);
        let message =
            format!("this quotient of `{}` is rounded before it becomes a float", whole.ty.name());
        let edit = (span, self.enclosed(span, self.converted(whole, name)));
        Diagnostic::warning(Code::INTEGER_QUOTIENT, whole.span, message)
            .label("drops what is behind the point")
            .also(convert, "the conversion comes too late")
            .fix("convert the operands, not the quotient", [edit])
            .help("if the rounded quotient is meant, give it a name with `let`")
    }

    /// A product or a quotient, with its operands converted.
    fn converted(&self, infix: Infix<'_>, function: &str) -> String {
        let side = |operand: &Expr| match (&operand.kind, Infix::of(operand)) {
            (ExprKind::Const(_), _) if self.is_plain_number(operand.span) => {
                self.bare(operand.span).to_owned()
            }
            (_, Some(inner)) if [BinOp::Div, BinOp::Mul].contains(&inner.op) => {
                let text = self.converted(inner, function);
                let is_enclosed = self.sources.text(operand.span).starts_with('(');
                if is_enclosed { format!("({text})") } else { text }
            }
            _ => format!("{function} {}", self.operand(operand)),
        };
        format!("{} {} {}", side(infix.left), infix.op.name(), side(infix.right))
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
        let warning = match wider(ty, exact) {
            Some(wider) => warning.note(format!("`{}` has {exact}", wider.name())),
            None => warning,
        };
        let value = value.as_i128().to_string();
        warning.fix(format!("if the wrapped number is meant, write `{value}`"), [(span, value)])
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
        warning.help(
            "compare numbers of a type with a sign, such as `i64`, or leave the comparison out",
        )
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
