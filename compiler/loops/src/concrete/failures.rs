//! Which steps can fail.
//!
//! Invariant: a step that cannot fail needs no check before it. A step about which nothing is known counts as one that
//! can fail; so does a step that allocates.
//!
//! ```text
//! t = x / 3                        total, pure
//! t = inside xs[i]                 pure: it reads an element
//! zs = share ys                    total: it binds an array
//! t = xs[i]; reserveI ys 3 m       may fail
//! ```

use super::phase::Phase;
use super::program::{Block, Guard, Loop, Memory, Nest, Start, Stmt};
use super::step::Step;
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};

impl<P: Phase> Step<P> {
    /// Whether the step has no blocks, reads no element, and cannot fail.
    #[must_use]
    pub fn is_total(&self, vars: &PrimaryMap<VarId, Var>) -> bool {
        match self.operation() {
            Some((_, operation)) => !operation.fails(vars),
            None => {
                matches!(self, Self::Length { .. } | Self::Constant { .. } | Self::Share { .. })
            }
        }
    }

    /// Whether the step has no blocks, does nothing but bind a scalar, and cannot fail.
    #[must_use]
    pub fn is_pure(&self, vars: &PrimaryMap<VarId, Var>) -> bool {
        match self.operation() {
            Some((_, operation)) => !operation.fails(vars),
            None => matches!(self, Self::Length { .. } | Self::Index { inside: true, .. }),
        }
    }

    /// Whether the step is pure, or chooses between blocks of such steps.
    #[must_use]
    pub fn is_pure_choice(&self, vars: &PrimaryMap<VarId, Var>) -> bool {
        let in_block = |block: &Block<P>| block.steps.iter().all(|step| step.is_pure_choice(vars));
        self.branches().map_or_else(|| self.is_pure(vars), |both| both.into_iter().all(in_block))
    }

    /// Whether the step or a step inside it can fail.
    #[must_use]
    pub fn may_fail(&self, vars: &PrimaryMap<VarId, Var>) -> bool {
        FailureCheck { natural: &[], vars }.step(self)
    }
}

impl<P: Phase> Stmt<P> {
    /// Whether the statement or a step inside it can fail.
    #[must_use]
    pub fn may_fail(&self, vars: &PrimaryMap<VarId, Var>) -> bool {
        FailureCheck { natural: &[], vars }.stmt(self)
    }
}

impl<P: Phase> Loop<P> {
    /// Whether a step of the loop can fail, where these numbers are not negative.
    #[must_use]
    pub fn may_fail(&self, natural: &[Atom], vars: &PrimaryMap<VarId, Var>) -> bool {
        FailureCheck { natural, vars }.nest(self)
    }
}

/// What can fail, where some numbers are not negative.
#[derive(Clone, Copy)]
struct FailureCheck<'a> {
    natural: &'a [Atom],
    vars: &'a PrimaryMap<VarId, Var>,
}

impl FailureCheck<'_> {
    fn nest<P: Phase>(self, nest: &Loop<P>) -> bool {
        nest.variants().any(|(body, inner)| self.inside(body, inner))
    }

    fn inside<P: Phase>(self, body: &[Stmt<P>], inner: &[Nest<P>]) -> bool {
        let nested = |nest: &Nest<P>| match nest {
            Nest::Loop(nest) => self.nest(nest),
            Nest::Guard(Guard { body, inner, .. }) => self.inside(body, inner),
        };
        body.iter().any(|stmt| self.stmt(stmt)) || inner.iter().any(nested)
    }

    fn stmt<P: Phase>(self, stmt: &Stmt<P>) -> bool {
        match stmt {
            Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => self.block(&worker.body),
            Stmt::Read { .. } | Stmt::Reserve { .. } => true,
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Current { .. }
            | Stmt::Write { .. } => false,
        }
    }

    fn block<P: Phase>(self, block: &Block<P>) -> bool {
        block.steps.iter().any(|step| self.step(step))
    }

    fn step<P: Phase>(self, step: &Step<P>) -> bool {
        if let Some(branches) = step.branches() {
            return branches.into_iter().any(|branch| self.block(branch));
        }
        if let Step::Pass(pass) = step {
            let begins = pass.start.iter().all(|start| match start {
                Start::CheckSize { size, .. } => self.natural.contains(size),
                Start::NewVec { memory, .. } => matches!(memory, Memory::Row(_)),
                Start::NewAcc { .. } => true,
            });
            return !begins || self.nest(&pass.nest);
        }
        let is_view = matches!(step, Step::Slice { .. } | Step::Row { inside: true, .. });
        !(step.is_pure(self.vars) || step.is_total(self.vars) || is_view)
    }
}

#[cfg(test)]
mod tests {
    use crate::concrete::{Plain, parse};
    use arrc_syntax::ids::{EntityRef, FuncId};

    const STEPS: &str = "function f (xs : [n]i64) (x : i64) : i64
= { third = x / 3i64
  ; known = inside xs[x]
  ; (same : [n]i64) = share xs
  ; checked = xs[x]
  ; part = x / checked
  ; yield (part) }
";

    #[test]
    fn divisions_by_constants_and_reads_inside_do_not_fail() {
        let program = parse::<Plain>(STEPS).expect("it is a program");
        let function = &program.functions[FuncId::new(0)];
        let vars = &function.tables.vars;
        let total = function.body.steps.iter().map(|step| step.is_total(vars));
        assert_eq!(total.collect::<Vec<_>>(), [true, false, true, false, false]);
        let pure = function.body.steps.iter().map(|step| step.is_pure(vars));
        assert_eq!(pure.collect::<Vec<_>>(), [true, true, false, false, false]);
        let fails = function.body.steps.iter().map(|step| step.may_fail(vars));
        assert_eq!(fails.collect::<Vec<_>>(), [false, false, false, true, true]);
    }
}
