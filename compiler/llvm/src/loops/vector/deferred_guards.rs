//! Inner guards that can be deferred: they run over the kept elements of the outer guard, in whole vectors, when there
//! are enough of them.
//!
//! Under a mask, an inner guard costs as much as if the outer guard kept everything: it compacts vectors in which few
//! lanes count. But the kept elements of the outer guard are stored. So the inner guard can read them from there, where
//! they are consecutive and still in the first-level cache. [`super::inner_guards`] runs it.
//!
//! Invariant: a deferred guard cannot fail, and needs only the stored elements of the outer guard's steps. Its own
//! steps stay in their order. Its accumulators and its progress are part of the loop's state: if a step is left early,
//! neither guard has seen it.
//!
//! ```text
//! guard (j) c with p        kept lanes of x, stored at j
//!   write j ys x            if c - d >= 512
//!   q = odd x          ⇒      for d in steps of two vectors, up to c
//!   guard (k) e with q          x = load ys at d;  q = odd x;  kept lanes of x, stored at k
//!     write k zs x
//! ```

use std::collections::{BTreeMap, BTreeSet};

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{Block, Function, Guard, Nest, Position, Procedure, Step, Stmt};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Rounding;
/// The inputs of the guards in a guard that are deferred.
#[derive(Clone, Debug)]
pub(super) struct DeferredInputs {
    /// The variables that are read from where the outer guard stores them.
    pub(super) stored: BTreeMap<VarId, VarId>,
    /// The statements of the outer guard that are run again.
    pub(super) again: Vec<usize>,
}

impl DeferredInputs {
    /// The inputs of the guards in this guard, if these guards can and should be deferred. They should be if one of
    /// them stores its kept elements. `inside` are the variables of the loop, and a division by one of `divisors`
    /// cannot fail.
    pub(super) fn of(
        guard: &Guard,
        (procedure, function): (&Procedure, &Function),
        inside: &BTreeSet<VarId>,
        divisors: &BTreeSet<VarId>,
    ) -> Option<Self> {
        if !guard.inner.iter().any(stores) {
            return None;
        }
        let mut needs = StatementInputs {
            procedure,
            function,
            divisors,
            uses: BTreeSet::new(),
            binds: BTreeSet::new(),
        };
        guard.inner.iter().try_for_each(|nest| needs.nest(nest))?;
        let memory = stored(guard);
        let mut behind = Self { stored: BTreeMap::new(), again: Vec::new() };
        needs.uses = needs.uses.difference(&needs.binds).copied().collect();
        for (at, stmt) in guard.body.iter().enumerate().rev() {
            needs.read(&memory, &mut behind.stored);
            if stmt.defines().iter().any(|var| needs.uses.contains(var)) {
                needs.binds.clear();
                needs.stmt(stmt)?;
                needs.uses = needs.uses.difference(&needs.binds).copied().collect();
                behind.again.insert(0, at);
            }
        }
        needs.read(&memory, &mut behind.stored);
        needs.uses.is_disjoint(inside).then_some(behind)
    }
}

/// Whether a nest stores its kept elements.
fn stores(nest: &Nest) -> bool {
    match nest {
        Nest::Loop(_) => false,
        Nest::Guard(guard) => {
            guard.body.iter().any(|stmt| matches!(stmt, Stmt::Write { .. }))
                || guard.inner.iter().any(stores)
        }
    }
}

/// The variables that a guard stores at consecutive positions, with their vectors.
fn stored(guard: &Guard) -> BTreeMap<VarId, VarId> {
    let mut stored = BTreeMap::new();
    for stmt in guard.body.iter().rev() {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others bind nothing that is stored")]
        match stmt {
            Stmt::Write { vec, index, elem: Atom::Var(elem), placed: false }
                if *index == Position::Var(guard.index) =>
            {
                stored.insert(*elem, *vec);
            }
            Stmt::Copy { elem, from: Atom::Var(from) } => {
                if let Some(&vec) = stored.get(elem) {
                    stored.insert(*from, vec);
                }
            }
            _ => {}
        }
    }
    stored
}

/// The variables that statements use and bind. Statements that depend on their own step, or may fail, are rejected.
struct StatementInputs<'a> {
    procedure: &'a Procedure,
    function: &'a Function,
    divisors: &'a BTreeSet<VarId>,
    uses: BTreeSet<VarId>,
    binds: BTreeSet<VarId>,
}

impl StatementInputs<'_> {
    /// Loads the elements that are in memory.
    fn read(&mut self, memory: &BTreeMap<VarId, VarId>, into: &mut BTreeMap<VarId, VarId>) {
        into.extend(memory.iter().filter(|(var, _)| self.uses.contains(var)));
        self.uses.retain(|var| !memory.contains_key(var));
    }

    fn nest(&mut self, nest: &Nest) -> Option<()> {
        let Nest::Guard(guard) = nest else { return None };
        self.atom(guard.flag);
        guard.body.iter().try_for_each(|stmt| self.stmt(stmt))?;
        guard.inner.iter().try_for_each(|nest| self.nest(nest))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<()> {
        self.binds.extend(stmt.defines());
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others need their own step, or may fail"
        )]
        match stmt {
            Stmt::Copy { from, .. } => self.atom(*from),
            // A store over an array may hit elements that have not been read yet, and goes past its
            // end after the loop.
            Stmt::Write { vec, .. }
                if self.procedure.overwrites().any(|(over, _)| over == *vec) =>
            {
                return None;
            }
            Stmt::Write { elem, .. } => self.atom(*elem),
            Stmt::Apply { worker, args, .. } | Stmt::Update { worker, args, .. } => {
                args.iter().for_each(|&arg| self.atom(arg));
                self.binds.extend(&worker.params);
                self.block(&worker.body)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn block(&mut self, block: &Block) -> Option<()> {
        block.steps.iter().try_for_each(|step| self.step(step))?;
        block.results.iter().for_each(|&result| self.atom(result));
        Some(())
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others need their own step, or may fail"
        )]
        match step {
            Step::Scalar { op: Operation::MulAdd(Rounding::Once, _), .. } => return None,
            Step::Scalar { var, op, .. } => {
                let divisor = op.binary().and_then(|(_, [_, divisor])| divisor.as_var());
                let is_checked = divisor.is_some_and(|divisor| self.divisors.contains(&divisor));
                if op.fails(&self.function.tables.vars) && !is_checked {
                    return None;
                }
                op.args().iter().for_each(|&arg| self.atom(arg));
                self.binds.insert(*var);
            }
            Step::Length { var, .. } => {
                self.binds.insert(*var);
            }
            Step::If { vars, cond, then, otherwise, .. } => {
                self.atom(*cond);
                self.block(then)?;
                self.block(otherwise)?;
                self.binds.extend(vars);
            }
            _ => return None,
        }
        Some(())
    }

    fn atom(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            self.uses.insert(var);
        }
    }
}
