//! Accumulators whose values the steps of a pass use, such as those of scans.
//!
//! A block needs the value that such an accumulator has before its first step: its carry. If each block first
//! computes what its own steps add, the carries of all blocks are known, and then the blocks can run at the same
//! time. So each step runs twice: first only the statements on which the accumulators depend, and then all
//! statements.
//!
//! If the order of an operation does not matter, the accumulator begins with the carry. An operation on floats begins
//! with the neutral element, and steps use the carry combined with the value of the block so far. So the carry is the
//! same on any number of threads.
//!
//! ```text
//! x = nextI i xs                       first: s := s + x
//! s := s + x                           then, for f64: s := s + x; y = carry + s; writeI i ys y
//! y = read s; writeI i ys y
//! ```

use std::collections::BTreeSet;

use super::phase::Phase;
use super::program::{Guard, Nest, Procedure, Start, Stmt};
use crate::concrete::def_use::uses_of;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::BinOp;

/// An accumulator whose value the steps use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scan {
    /// The accumulator.
    pub acc: AccId,
    /// Its operation.
    pub op: BinOp,
    /// Whether the order of the operations makes no difference.
    pub is_exact: bool,
}

/// The accumulators whose values the steps use, and whether blocks can run at the same time.
pub(super) struct ReadAccumulators {
    /// The accumulators.
    pub(super) accs: BTreeSet<AccId>,
    /// Whether the total of a block depends on the blocks before it.
    pub(super) is_ordered: bool,
}

impl ReadAccumulators {
    pub(super) fn of<P: Phase>(pass: &Procedure<P>) -> Self {
        let mut accs = BTreeSet::new();
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Current { acc, .. } = stmt {
                accs.insert(*acc);
            }
        });
        let mut seen = Self { is_ordered: false, accs };
        if !seen.accs.is_empty() {
            let nest = &pass.nest;
            seen.is_ordered |= !nest.ranges.is_empty() || !nest.release.is_empty();
            seen.inside(&nest.body, &nest.inner, &mut BTreeSet::new());
        }
        seen
    }

    /// Looks through the statements and nests of a step. `seen` are the variables that depend on the values of
    /// accumulators.
    fn inside<P: Phase>(
        &mut self,
        body: &[Stmt<P>],
        inner: &[Nest<P>],
        seen: &mut BTreeSet<VarId>,
    ) {
        for stmt in body {
            let is_seen = matches!(stmt, Stmt::Current { .. });
            if !is_seen && !uses_of(stmt).iter().any(|var| seen.contains(var)) {
                continue;
            }
            seen.extend(stmt.defines());
            if let Stmt::Update { accs, .. } = stmt {
                self.is_ordered |= accs.iter().any(|acc| self.accs.contains(acc));
            }
        }
        for nest in inner {
            match nest {
                Nest::Loop(_) => self.is_ordered = true,
                Nest::Guard(Guard { flag, body, inner, release, .. }) => {
                    let depends = matches!(flag, Atom::Var(flag) if seen.contains(flag));
                    self.is_ordered |= depends || !release.is_empty();
                    self.inside(body, inner, seen);
                }
            }
        }
    }
}

impl<P: Phase> Procedure<P> {
    /// The pass with the statements on which the accumulators of its scans depend, and no others (a program slice). It
    /// makes no arrays.
    #[must_use]
    pub fn restricted_to_scans(&self, scans: &[Scan]) -> Self {
        let mut only = ScanDependences { scans, used: BTreeSet::new() };
        let mut pass = self.clone();
        pass.start.retain(|start| matches!(start, Start::NewAcc { .. }));
        (pass.end, pass.yields) = (Vec::new(), Vec::new());
        only.inside(&mut pass.nest.body, &mut pass.nest.inner);
        pass
    }
}

/// Finds the variables on which the accumulators of scans depend.
struct ScanDependences<'a> {
    scans: &'a [Scan],
    used: BTreeSet<VarId>,
}

impl ScanDependences<'_> {
    /// Removes all other statements, from the last to the first.
    fn inside<P: Phase>(&mut self, body: &mut Vec<Stmt<P>>, inner: &mut Vec<Nest<P>>) {
        for at in (0..inner.len()).rev() {
            let Nest::Guard(guard) = &mut inner[at] else { continue };
            self.inside(&mut guard.body, &mut guard.inner);
            if guard.body.is_empty() && guard.inner.is_empty() {
                inner.remove(at);
            } else if let Atom::Var(flag) = guard.flag {
                self.used.insert(flag);
            }
        }
        for at in (0..body.len()).rev() {
            if self.needs(&body[at]) {
                self.used.extend(uses_of(&body[at]));
            } else {
                body.remove(at);
            }
        }
    }

    fn is_inexact(&self, acc: AccId) -> bool {
        self.scans.iter().any(|scan| scan.acc == acc && !scan.is_exact)
    }

    fn needs<P: Phase>(&self, stmt: &Stmt<P>) -> bool {
        match stmt {
            Stmt::Update { accs, .. } => {
                accs.iter().any(|acc| self.scans.iter().any(|scan| scan.acc == *acc))
            }
            // For floats the reads stay: they keep the elements in the order of the steps.
            Stmt::Current { acc, .. } => self.is_inexact(*acc),
            Stmt::Write { .. } | Stmt::Reserve { .. } => false,
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Apply { .. }
            | Stmt::Read { .. } => stmt.defines().iter().any(|var| self.used.contains(var)),
        }
    }
}
