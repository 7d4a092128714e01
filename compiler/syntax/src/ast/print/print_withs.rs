//! With-loops as text.
//!
//! Invariant: as in [`super`]. A bound stands in parentheses if a part of it would be read as a part of the
//! generator.
//!
//! ```text
//! With { upper: a < b, … }   ⇒   with { ([0] <= iv < (a < b)) : e } : fold (f, 0)
//! ```

use super::Printer;
use super::exprs::{Precedence, tightness};
use crate::ast::{Bound, Expr, ExprKind, Generator, IndexName, Operator, OperatorKind, With};

impl Printer {
    /// `with { … } : …`.
    pub(super) fn with_loop(&mut self, data: &With) {
        self.text("with { ");
        for (number, generator) in data.generators.iter().enumerate() {
            self.text(if number > 0 { "; " } else { "" });
            self.generator(generator);
        }
        self.text(" } : ");
        match data.operators.as_slice() {
            [operator] => self.operation(operator),
            operators => {
                self.text("(");
                self.list(operators, Self::operation);
                self.text(")");
            }
        }
    }

    fn generator(&mut self, generator: &Generator) {
        let below = |is_strict| if is_strict { " < " } else { " <= " };
        self.text("(");
        self.bound(&generator.lower);
        self.text(below(generator.is_above));
        match &generator.index {
            IndexName::Vector(name) => self.text(&name.name),
            IndexName::Components(names, _) => self.between("[", names, "]", |printer, names| {
                printer.list(names, |printer, name| {
                    printer.text(name.as_ref().map_or("_", |name| &name.name));
                });
            }),
        }
        self.text(below(generator.is_below));
        self.bound(&generator.upper);
        for (word, part) in [(" step ", &generator.step), (" width ", &generator.width)] {
            if let Some(part) = part {
                self.text(word);
                self.bound_expr(part);
            }
        }
        self.text(") : ");
        self.nested(&generator.body);
    }

    fn bound(&mut self, bound: &Bound) {
        match bound {
            Bound::Edge(_) => self.text("."),
            Bound::Expr(expr) => self.bound_expr(expr),
        }
    }

    fn bound_expr(&mut self, expr: &Expr) {
        if is_bound(expr) {
            self.expr(expr);
        } else {
            self.between("(", expr, ")", Self::nested);
        }
    }

    fn operation(&mut self, operator: &Operator) {
        match &operator.kind {
            OperatorKind::Genarray(shape, default) => {
                self.between("genarray (", shape, "", Self::nested);
                if let Some(default) = default {
                    self.between(", ", default, "", Self::nested);
                }
                self.text(")");
            }
            OperatorKind::Modarray(array) => {
                self.text("modarray ");
                self.at_least(Precedence::Primary, array);
            }
            OperatorKind::Fold(op, neutral) => {
                self.between("fold (", op, ", ", Self::nested);
                self.between("", neutral, ")", Self::nested);
            }
        }
    }
}

/// Whether an expression is read as a bound without parentheses around it.
fn is_bound(expr: &Expr) -> bool {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others need no parentheses anywhere")]
    match &expr.kind {
        ExprKind::Infix(left, operator, right) => {
            let is_below = matches!(operator.name.name.as_str(), "<" | "<=");
            !(is_below && operator.quals.is_empty()) && is_bound(left) && is_bound(right)
        }
        ExprKind::Neg(operand) | ExprKind::Not(operand) => is_bound(operand),
        ExprKind::Apply(_, args) | ExprKind::Constructor(_, args) => !args.iter().any(is_word),
        kind => tightness(kind) == Precedence::Primary,
    }
}

/// Whether an expression is the name `step` or `width`.
fn is_word(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(path)
        if path.quals.is_empty() && matches!(path.name.name.as_str(), "step" | "width"))
}
