//! With-loops as trees.
//!
//! Invariant: as in [`super::exprs`]; all bounds are vectors, the upper ones exclusive, and components have names.
//!
//! ```text
//! . <= iv <= .   ⇒   [0i64] <= [iv_0] < [n]
//! ```

use super::super::{Expr, Generator, Operator, Pat, With};
use super::exprs::ExprPrinter;
use super::{ident, nowhere};
use arrc_syntax::ast;

impl ExprPrinter<'_> {
    /// A with-loop.
    pub(super) fn with_loop(&mut self, data: &With) -> ast::With {
        let shape = data.shape.as_ref().map(|shape| self.vector(shape));
        let operators = data.operators.iter().map(|operator| {
            let kind = match operator {
                Operator::Genarray(default) => {
                    let default = default.as_ref().map(|default| self.expr(default));
                    let shape = shape.clone().expect("an array that is made has a shape");
                    ast::OperatorKind::Genarray(shape, default)
                }
                Operator::Modarray(array) => ast::OperatorKind::Modarray(self.expr(array)),
                Operator::Fold(op, neutral) => {
                    ast::OperatorKind::Fold(self.expr(op), self.expr(neutral))
                }
            };
            ast::Operator { kind, span: nowhere() }
        });
        let operators = operators.collect();
        let generators = data.generators.iter().map(|generator| self.generator(generator));
        ast::With { generators: generators.collect(), operators }
    }

    fn generator(&mut self, generator: &Generator) -> ast::Generator {
        let [lower, upper] =
            [&generator.lower, &generator.upper].map(|bound| ast::Bound::Expr(self.vector(bound)));
        let grid =
            generator.grid.as_ref().map(|grid| [&grid[0], &grid[1]].map(|part| self.vector(part)));
        let (step, width) = grid.map_or((None, None), |[step, width]| (Some(step), Some(width)));
        let names = generator.index.iter().map(|pat| match pat {
            Pat::Var(var, _) => Some(ident(self.names.bind(*var))),
            Pat::Wild | Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..) | Pat::Const(..) => {
                None
            }
        });
        let index = ast::IndexName::Components(names.collect(), nowhere());
        let body = self.expr(&generator.body);
        let span = nowhere();
        let (is_above, is_below) = (false, true);
        ast::Generator { lower, is_above, index, is_below, upper, step, width, body, span }
    }

    fn vector(&mut self, components: &[Expr]) -> ast::Expr {
        let items = components.iter().map(|component| self.expr(component)).collect();
        ast::Expr { kind: ast::ExprKind::Array(items), span: nowhere() }
    }
}
