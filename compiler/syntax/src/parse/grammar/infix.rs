//! From a flat list of operands and operators to a tree.
//!
//! Invariant: the tree groups as [`operators::fixity`] says. The list is read once, with a stack of
//! our own: how tightly an operator of the user binds depends on its prefix, which is no fixed table
//! of levels, and a chain of thousands of operators must not need thousands of calls.
//!
//! ```text
//! a, [(+, b), (*, c)]   ⇒   a + (b * c)
//! ```

use crate::ast::operators;
use crate::ast::operators::{Assoc, Fixity};
use crate::ast::{Expr, ExprKind, QualName};

/// The tree of `first` and the operators and operands that follow it.
pub(super) fn tree(first: Expr, rest: Vec<(QualName, Expr)>) -> Expr {
    let mut last = first;
    let mut open: Vec<(Expr, QualName, Fixity)> = Vec::new();
    for (operator, operand) in rest {
        let fixity = operators::fixity(&operator.name.name);
        last = reduce(&mut open, last, |above| takes_left(above, fixity));
        open.push((last, operator, fixity));
        last = operand;
    }
    reduce(&mut open, last, |_| true)
}

/// Whether the operator `above`, to the left of an operand, takes it from the one to the right.
fn takes_left(above: Fixity, right: Fixity) -> bool {
    above.level > right.level || (above.level == right.level && above.assoc == Assoc::Left)
}

fn reduce(
    open: &mut Vec<(Expr, QualName, Fixity)>,
    last: Expr,
    takes: impl Fn(Fixity) -> bool,
) -> Expr {
    let mut last = last;
    while let Some((left, operator, _)) = open.pop_if(|(_, _, fixity)| takes(*fixity)) {
        let span = left.span.to(last.span);
        last = Expr { kind: ExprKind::Infix(Box::new(left), operator, Box::new(last)), span };
    }
    last
}
