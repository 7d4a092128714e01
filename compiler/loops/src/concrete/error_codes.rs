//! The codes that the checks of a function end it with.
//!
//! Invariant: a call of the function fails with one of these codes, or with one that depends on no step: the entry's
//! checks of its arguments, memory that runs out, arrays with too many elements, and calls that are cancelled.
//!
//! ```text
//! function f xs i = { x = xs[i]; y = i / x; yield (y) }   ⇒   {index, division}
//! ```

use std::collections::BTreeSet;

use arr_abi::ErrorCode;
use arrc_fusion::cnf::{Callee, External, Var};
use arrc_syntax::ids::{ExternalId, FuncId, PrimaryMap, VarId};
use arrc_syntax::prim::Trap;

use super::phase::Complete;
use super::program::{Block, Procedure, Program, Start, Stmt, Worker};
use super::step::{ReplacedPart, Step};
use super::visit::Visit;

impl Program {
    /// The codes of the checks in a function, and in the functions that it calls.
    #[must_use]
    pub fn error_codes(&self, function: FuncId) -> BTreeSet<ErrorCode> {
        let (mut codes, mut seen, mut left) = (BTreeSet::new(), BTreeSet::new(), vec![function]);
        while let Some(id) = left.pop() {
            if seen.insert(id) {
                let function = &self.functions[id];
                if function.recursive {
                    codes.insert(ErrorCode::Stack);
                }
                let vars = &function.tables.vars;
                let externals = &self.externals;
                Checks { vars, externals, codes: &mut codes, called: &mut left }
                    .block(&function.body);
            }
        }
        codes
    }
}

/// A visitor that collects the error codes of the checks in a function, and the functions that it calls.
struct Checks<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    externals: &'a PrimaryMap<ExternalId, External>,
    codes: &'a mut BTreeSet<ErrorCode>,
    called: &'a mut Vec<FuncId>,
}

impl Checks<'_> {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            self.codes.extend(self.code(step));
            if let Step::Call { callee: Callee::Function(id), .. } = step {
                self.called.push(*id);
            }
            step.visit(self);
        }
    }

    /// The code of the step's own check.
    fn code(&self, step: &Step) -> Option<ErrorCode> {
        if let Some((_, operation)) = step.operation() {
            let (op, [left, _]) = operation.binary().filter(|_| operation.fails(self.vars))?;
            return op.trap(left.ty(self.vars).scalars()).map(Trap::code);
        }
        if let Step::Assert { check, .. } = step {
            return Some(check.failure.code);
        }
        if let Step::Call { callee: Callee::External(id), .. } = step {
            // A trace cannot fail.
            return self.externals[*id].trace.is_none().then_some(ErrorCode::External);
        }
        let reads_anywhere = matches!(
            step,
            Step::Index { inside: false, .. }
                | Step::Row { inside: false, .. }
                | Step::Replace { target: ReplacedPart::Checked, .. }
        );
        reads_anywhere.then_some(ErrorCode::Index)
    }
}

impl Visit<'_, Complete> for Checks<'_> {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        if pass.start.iter().any(|start| matches!(start, Start::CheckSize { .. })) {
            self.codes.insert(ErrorCode::Size);
        }
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
            if matches!(stmt, Stmt::Read { .. }) {
                self.codes.insert(ErrorCode::Index);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use arr_abi::ErrorCode;
    use arrc_syntax::ids::{EntityRef, FuncId};

    use crate::concrete::{Complete, parse};

    #[test]
    fn checks_have_their_codes() {
        let text = "function f (xs : [n]i64) (i : i64) : i64
= { x = xs[i]
  ; same = inside xs[0i64]
  ; third = x / 3i64
  ; y = i / x
  ; yield (y) }
";
        let program = parse::<Complete>(text).expect("it is a program");
        let codes = program.error_codes(FuncId::new(0));
        assert_eq!(codes.into_iter().collect::<Vec<_>>(), [ErrorCode::Index, ErrorCode::Division]);
    }
}
