//! Operations on numbers that are correct, and rarely meant: a `^` where a power is meant, a quotient of integers that
//! becomes a float, constants that wrap, and comparisons that the range of a type decides.
//!
//! Invariant: only what the user's own text says is reported: constants count where they are written as numbers. Nothing here
//! changes the program.
//!
//! ```text
//! i ^ 2               ⇒   A0709: `^` is the exclusive or, and not a power
//! f64.i64 (a / b)     ⇒   A0720: the quotient is rounded before it becomes a float
//! (-4: u8), 10 ** 10  ⇒   A0721: `-4` is 252 in `u8`
//! (x: u8) >= 0        ⇒   A0722: this is always true
//! ```

mod constants;
mod report;
#[cfg(test)]
mod tests;

use self::constants::Overflow;
use self::report::Reporter;
use crate::core::{Body, Expr, ExprKind, Program, Type};
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::prim::{BinOp, Const, Relation, Scalar, UnOp};
use arrc_syntax::source::{Sources, Span};
use arrc_syntax::stack::with_enough_stack;

/// The bases and exponents with which a `^` is probably a power.
const BASES: [&str; 2] = ["2", "10"];
const EXPONENTS: [&str; 3] = ["2", "3", "4"];

/// The traps of a program, sorted by place. Libraries are not checked.
#[must_use]
pub fn traps(program: &Program, sources: &Sources) -> Vec<Diagnostic> {
    let mut finder = TrapFinder { report: Reporter { sources }, found: Vec::new() };
    for def in program.defs.values().filter(|def| !program.library.contains(&def.span.file)) {
        if let Body::Expr(body) = &def.body {
            finder.expr(body);
        }
    }
    let mut found = finder.found;
    diagnostics::sort(&mut found);
    // Core has one copy of a local function for each of its types.
    found.dedup_by_key(|report| report.primary.as_ref().map(|label| label.span));
    found
}

/// The walk over a program.
struct TrapFinder<'s> {
    report: Reporter<'s>,
    found: Vec<Diagnostic>,
}

/// An operation on two scalars, as written.
#[derive(Clone, Copy)]
struct Infix<'e> {
    op: BinOp,
    /// Where the operator stands.
    sign: Span,
    /// Where the whole operation stands.
    span: Span,
    left: &'e Expr,
    right: &'e Expr,
    /// The type of the operands.
    ty: Scalar,
}

impl<'e> Infix<'e> {
    fn of(expr: &'e Expr) -> Option<Self> {
        let ExprKind::App(function, args) = &expr.kind else { return None };
        let (ExprKind::BinOp(op), [left, right]) = (&function.kind, args.as_slice()) else {
            return None;
        };
        let Type::Scalar(ty) = left.ty else { return None };
        Some(Self { op: *op, sign: function.span, span: expr.span, left, right, ty })
    }
}

impl TrapFinder<'_> {
    /// An expression. A chain of `let`s is walked in a loop, since programs have long ones.
    fn expr(&mut self, mut expr: &Expr) {
        while let ExprKind::Let(_, value, body) = &expr.kind {
            self.expr(value);
            expr = body;
        }
        with_enough_stack(|| self.kind(expr));
    }

    /// Checks an expression. Checks its parts too, unless a warning about the expression covers them.
    fn kind(&mut self, expr: &Expr) {
        let found = self.trap(expr);
        let is_explained = found.as_ref().is_some_and(report::explains_parts);
        self.found.extend(found);
        if !is_explained {
            expr.for_each_child(&mut |child| self.expr(child));
        }
    }

    fn trap(&self, expr: &Expr) -> Option<Diagnostic> {
        if let Some(value) = self.literal(expr) {
            let exact = self.exact(expr, value)?;
            let overflow = Overflow { exact, value };
            return (!overflow.is_exact()).then(|| self.report.wrapped(expr.span, overflow));
        }
        if let Some((convert, quotient)) = float_quotient(expr) {
            return Some(self.report.quotient(expr.span, convert, quotient));
        }
        let infix = Infix::of(expr).filter(|infix| infix.ty.is_integer())?;
        if infix.op == BinOp::Xor && self.is_power(infix) {
            return Some(self.report.power(infix, self.beside(infix)));
        }
        self.decided(infix).or_else(|| self.overflow(infix))
    }

    /// The constant, if it is written as a number.
    fn literal(&self, expr: &Expr) -> Option<Const> {
        let ExprKind::Const(value) = &expr.kind else { return None };
        let is_number = |c: char| c.is_ascii_digit();
        let text = self.report.bare(expr.span);
        let digits = text.strip_prefix('-').unwrap_or(text).trim_start();
        (value.ty.is_integer() && digits.starts_with(is_number)).then_some(*value)
    }

    /// The value of a constant as it is written: of an unsigned type, it may have a sign.
    fn exact(&self, expr: &Expr, value: Const) -> Option<i128> {
        let is_negative = self.report.bare(expr.span).starts_with('-');
        let written = value.as_i128();
        let is_wrapped = is_negative && written > 0;
        is_wrapped.then(|| written - (1_i128 << (8 * value.ty.bytes()))).or(Some(written))
    }

    /// Whether the exclusive or has a base or an exponent of a power beside its sign, and no operand that is made of bits.
    /// Numbers with another base than ten are bits.
    fn is_power(&self, infix: Infix<'_>) -> bool {
        let is_one = |expr: &Expr, among: &[&str]| {
            self.literal(expr).is_some() && among.contains(&self.report.bare(expr.span))
        };
        let [base, exponent] = self.beside(infix);
        let is_meant = is_one(base, &BASES) || is_one(exponent, &EXPONENTS);
        is_meant && !is_of_bits(infix.left) && !is_of_bits(infix.right)
    }

    /// The operands beside a sign as one reads them, since other operators bind more tightly than the exclusive or: 10 and 6
    /// in `n * 10 ^ 6`.
    fn beside<'e>(&self, infix: Infix<'e>) -> [&'e Expr; 2] {
        let (mut left, mut right) = (infix.left, infix.right);
        while let Some(inner) = self.report.open_infix(left) {
            left = inner.right;
        }
        while let Some(inner) = self.report.open_infix(right) {
            right = inner.left;
        }
        [left, right]
    }

    /// The report on a comparison with a constant that the type decides.
    fn decided(&self, infix: Infix<'_>) -> Option<Diagnostic> {
        let relation = infix.op.row().relation?;
        let (relation, value) = match (self.literal(infix.left), self.literal(infix.right)) {
            (None, Some(value)) => (relation, value),
            (Some(value), None) => (swapped(relation), value),
            _ => return None,
        };
        let (is_lowest, is_highest) =
            (value == Const::lowest(infix.ty), value == Const::highest(infix.ty));
        let holds = match (relation, is_lowest, is_highest) {
            (Relation::Lt, true, _) | (Relation::Gt, _, true) => false,
            (Relation::Ge, true, _) | (Relation::Le, _, true) => true,
            _ => return None,
        };
        Some(self.report.decided(infix, holds, value))
    }

    /// The report on an operation on constants whose result is not in the range of the type.
    fn overflow(&self, infix: Infix<'_>) -> Option<Diagnostic> {
        let (left, right) = (self.literal(infix.left)?, self.literal(infix.right)?);
        let overflow = constants::overflow(infix.op, left, right)?;
        Some(self.report.wrapped(infix.span, overflow))
    }
}

/// The relation of two exchanged operands.
fn swapped(relation: Relation) -> Relation {
    match relation {
        Relation::Eq | Relation::Ne => relation,
        Relation::Lt => Relation::Gt,
        Relation::Le => Relation::Ge,
        Relation::Gt => Relation::Lt,
        Relation::Ge => Relation::Le,
    }
}

/// A quotient of integers that is converted to a float: the conversion and the quotient.
fn float_quotient(expr: &Expr) -> Option<(Span, Infix<'_>)> {
    let ExprKind::App(function, args) = &expr.kind else { return None };
    let (ExprKind::UnOp(UnOp::To(to)), [arg]) = (&function.kind, args.as_slice()) else {
        return None;
    };
    let whole = Infix::of(arg)?;
    let is_trap = to.is_float() && whole.ty.is_integer() && has_quotient(whole);
    is_trap.then_some((function.span, whole))
}

/// Whether an operation is a quotient, or a product with one.
fn has_quotient(infix: Infix<'_>) -> bool {
    let is_part = |side: &Expr| Infix::of(side).is_some_and(has_quotient);
    let has_part = || is_part(infix.left) || is_part(infix.right);
    infix.op == BinOp::Div || infix.op == BinOp::Mul && has_part()
}

/// Whether a value is made by operations on bits.
fn is_of_bits(expr: &Expr) -> bool {
    Infix::of(expr).is_some_and(|infix| {
        [BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Shl, BinOp::Shr].contains(&infix.op)
    })
}
