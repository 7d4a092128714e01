//! The step of a loop that makes an array or a row of it, with the positions that the loops around determine.
//!
//! Invariant: all names of one position have the same value in the step.
//!
//! ```text
//! loopI i (n) { pass { row = newVecI m in ys[i]; loopI j (m) { k = index j; … } } }      positions: {i}, {j, k}
//! ```

use indexmap::IndexSet;

use crate::concrete::{Memory, Position, Procedure, Start, Stmt, Worker};
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;

/// The loop whose step is looked at.
pub(super) struct LoopLevel {
    /// The vector that it writes: the whole one, or a row of it.
    pub(super) vec: VarId,
    pub(super) counter: VarId,
    /// The names of the counters of the loops around and of its own, the outermost first.
    pub(super) positions: Vec<IndexSet<VarId>>,
}

impl LoopLevel {
    /// The step that consists of those statements, of a loop that writes a vector in steps of the loops around.
    pub(super) fn of(
        body: &[Stmt],
        (vec, counter): (VarId, VarId),
        around: &[IndexSet<VarId>],
    ) -> Self {
        let named = body.iter().filter_map(|stmt| {
            let Stmt::Position { elem, index } = stmt else { return None };
            (*index == Position::Var(counter)).then_some(*elem)
        });
        let own = named.chain([counter]).collect();
        Self { vec, counter, positions: around.iter().cloned().chain([own]).collect() }
    }

    /// The same step in a worker, whose parameters may be positions too.
    pub(super) fn within(&self, worker: &Worker, args: &[Atom]) -> Self {
        let mut positions = self.positions.clone();
        for names in &mut positions {
            let pairs = worker.params.iter().zip(args);
            let named =
                pairs.filter(|(_, arg)| matches!(arg, Atom::Var(var) if names.contains(var)));
            let named: Vec<_> = named.map(|(param, _)| *param).collect();
            names.extend(named);
        }
        Self { vec: self.vec, counter: self.counter, positions }
    }

    /// Whether indices are the positions of all loops.
    pub(super) fn is_at(&self, indices: &[Atom]) -> bool {
        let mut pairs = indices.iter().zip(&self.positions);
        indices.len() == self.positions.len()
            && pairs.all(|(at, names)| matches!(at, Atom::Var(var) if names.contains(var)))
    }

    /// The row of the vector that a pass makes.
    pub(super) fn row(&self, pass: &Procedure) -> Option<VarId> {
        pass.start.iter().find_map(|start| match start {
            Start::NewVec { vec, memory: Memory::Row(place), .. }
                if place.vec == self.vec && place.index == Position::Var(self.counter) =>
            {
                Some(*vec)
            }
            Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => None,
        })
    }
}
