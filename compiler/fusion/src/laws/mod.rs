//! Laws of the operators of `reduce` and `scan`: they are associative, and their initial values are neutral. Each
//! operator is applied to sample values, and a law that does not hold for some of them is reported.
//!
//! Invariant: a report has values for which the law does not hold by more than rounding, so it is never wrong about
//! them. The samples depend on the operator only. An operator that cannot be run alone is not judged.
//!
//! ```text
//! reduce (\x y -> x - y) 0 xs   ⇒   A0707: `op (op 0 0) 1` is -1, and `op 0 (op 0 1)` is 1
//! reduce i64.max 0 xs           ⇒   A0708: `op 0 -1` is 0
//! ```

mod operator;
mod report;
mod samples;

use std::collections::BTreeSet;

use self::operator::Operator;
use crate::cnf::{Atom, Block, FoldOrder, Op, Operation, Program, Worker};
use crate::tables::Tables;
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::FileId;
use arrc_syntax::prim::Reassociation;

/// The laws that do not hold for operators in the files, in a program that has not been simplified yet.
#[must_use]
pub fn laws(program: &Program, own: &BTreeSet<FileId>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for function in program.functions.values() {
        let mut look = LawChecker { program, tables: &function.tables, own, found: &mut found };
        look.block(&function.body);
    }
    diagnostics::sort(&mut found);
    found.dedup_by(|a, b| a.code == b.code && place(a) == place(b));
    found
}

/// Whether a reduction or a scan has an operator that is not known to be associative, or an initial value that is not
/// known to be neutral.
#[must_use]
pub fn are_in_doubt(program: &Program) -> bool {
    let mut found = false;
    for function in program.functions.values() {
        function.body.for_each_op(&mut |op| {
            if let Op::Fold {
                order: FoldOrder::Associative | FoldOrder::Commutative,
                worker,
                init,
                ..
            }
            | Op::Scan { worker, init, .. } = op
            {
                found |= !is_lawful(worker, init);
            }
        });
    }
    found
}

/// Whether the operator is one of the language's that is associative, with its neutral element.
fn is_lawful(worker: &Worker, init: &[Atom]) -> bool {
    let ([bind], [Atom::Const(init)]) = (worker.body.binds.as_slice(), init) else { return false };
    let (&[x, y], &[result]) = (worker.params.as_slice(), worker.body.results.as_slice()) else {
        return false;
    };
    let Op::Scalar(Operation::Bin(op, [left, right])) = bind.op else { return false };
    let is_plain = [left, right] == [Atom::Var(x), Atom::Var(y)]
        && bind.vars.iter().any(|&var| Atom::Var(var) == result);
    is_plain
        && op.fold() != Reassociation::Ordered
        && op.row().neutral.is_some_and(|neutral| neutral.of(init.ty) == *init)
}

fn place(diagnostic: &Diagnostic) -> Option<arrc_syntax::source::Span> {
    diagnostic.primary.as_ref().map(|label| label.span)
}

/// The walk over a function.
struct LawChecker<'a, 'f> {
    program: &'a Program,
    tables: &'a Tables,
    own: &'f BTreeSet<FileId>,
    found: &'f mut Vec<Diagnostic>,
}

impl<'a> LawChecker<'a, '_> {
    fn block(&mut self, block: &'a Block) {
        for bind in &block.binds {
            if let Op::Fold {
                order: FoldOrder::Associative | FoldOrder::Commutative,
                worker,
                init,
                ..
            }
            | Op::Scan { worker, init, .. } = &bind.op
                && let Some(operator) = Operator::new(self.program, self.tables, worker, init)
                && let Some(span) = report::place(bind.span, worker, self.own)
            {
                self.found.extend(report::laws(&operator, span));
            }
            for inner in bind.op.inner() {
                self.block(inner.block);
            }
        }
    }
}
