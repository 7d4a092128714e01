//! The bytes that a step of a pass moves to and from memory.
//!
//! Elements that the steps go through in order count, and so do elements of rows. Reads at other positions do not
//! count, since they may hit the cache.

use indexmap::IndexSet;

use super::TripCounts;
use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Guard, Loop, Memory, Nest, Procedure, Start, Step, Stmt, Worker};
use arrc_syntax::ids::VarId;

impl TripCounts<'_> {
    /// The bytes that a step of a pass reads and writes.
    pub(super) fn traffic_of_step(&self, pass: &Procedure) -> u64 {
        let mut moved = TrafficCounter { facts: self, rows: IndexSet::new(), made: made(pass) };
        moved.step_of(&pass.nest, true)
    }
}

/// The arrays that a pass makes in memory other than scratch buffers.
fn made(pass: &Procedure) -> IndexSet<VarId> {
    let made = pass.start.iter().filter_map(|start| match start {
        Start::NewVec { memory: Memory::Scratch | Memory::DoubleBuffer, .. }
        | Start::CheckSize { .. }
        | Start::NewAcc { .. } => None,
        Start::NewVec { vec, .. } => Some(*vec),
    });
    made.collect()
}

/// Counts the bytes; it has the arrays whose elements count.
struct TrafficCounter<'a> {
    facts: &'a TripCounts<'a>,
    /// The rows that a step reads.
    rows: IndexSet<VarId>,
    /// The arrays that it writes.
    made: IndexSet<VarId>,
}

impl TrafficCounter<'_> {
    /// The bytes of a step of a loop. In the outermost loop, all arrays that it goes through count.
    fn step_of(&mut self, nest: &Loop, is_outermost: bool) -> u64 {
        self.inside(&nest.body, &nest.inner, is_outermost)
    }

    fn inside(&mut self, body: &[Stmt], inner: &[Nest], is_outermost: bool) -> u64 {
        let own =
            body.iter().map(|stmt| self.stmt(stmt, is_outermost)).fold(0, u64::saturating_add);
        inner.iter().fold(own, |sum, nest| {
            sum.saturating_add(match nest {
                Nest::Loop(nest) => {
                    self.facts.trips_of(nest).saturating_mul(self.step_of(nest, false))
                }
                Nest::Guard(Guard { body, inner, .. }) => self.inside(body, inner, is_outermost),
            })
        })
    }

    fn stmt(&mut self, stmt: &Stmt, is_outermost: bool) -> u64 {
        match stmt {
            Stmt::Next { elem, array, .. } if is_outermost || self.rows.contains(array) => {
                let ty = &self.facts.vars[*elem].ty;
                // If the shape of a row is constant, the steps read each element of the row. If not, they read the
                // elements that their loops go through.
                let Some(count) = ty.scalar_count() else {
                    self.rows.insert(*elem);
                    return 0;
                };
                u64::from(ty.scalars().bytes()).saturating_mul(count as u64)
            }
            Stmt::Write { vec, elem, placed: false, .. } if self.made.contains(vec) => {
                let is_row =
                    matches!(elem, Atom::Var(elem) if self.facts.vars[*elem].ty.is_array());
                let ty = &self.facts.vars[*vec].ty;
                let elements = if is_row { self.facts.elements(ty, 1) } else { 1 };
                elements.saturating_mul(ty.scalars().bytes().into())
            }
            Stmt::Apply { worker, args, .. } => self.worker(worker, args),
            Stmt::Update { accs, worker, args, .. } => {
                let (_, elems) = worker.params.split_at(accs.len());
                self.alias(elems, args);
                self.steps(&worker.body.steps)
            }
            Stmt::Next { .. }
            | Stmt::Write { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Reserve { .. } => 0,
        }
    }

    fn worker(&mut self, worker: &Worker, args: &[Atom]) -> u64 {
        self.alias(&worker.params, args);
        self.steps(&worker.body.steps)
    }

    /// Marks parameters that stand for rows as rows.
    fn alias(&mut self, params: &[VarId], args: &[Atom]) {
        for (&param, arg) in params.iter().zip(args) {
            if matches!(arg, Atom::Var(arg) if self.rows.contains(arg)) {
                self.rows.insert(param);
            }
        }
    }

    fn steps(&mut self, steps: &[Step]) -> u64 {
        let bytes = steps.iter().map(|step| {
            let Step::Pass(pass) = step else { return 0 };
            self.made.extend(placed(pass));
            self.facts.trips_of(&pass.nest).saturating_mul(self.step_of(&pass.nest, false))
        });
        bytes.fold(0, u64::saturating_add)
    }
}

/// The row that a pass in a step makes in its place in another array.
fn placed(pass: &Procedure) -> Option<VarId> {
    pass.start.iter().find_map(|start| match start {
        Start::NewVec { vec, memory: Memory::Row(_) | Memory::Part(_), .. } => Some(*vec),
        Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => None,
    })
}
