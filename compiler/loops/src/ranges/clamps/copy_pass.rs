//! Copies of passes under new names.
//!
//! Invariant: a copy binds variables of its own, so a block can have it beside the pass.
//!
//! ```text
//! pass { s_acc = newAcc 0 … x = nextI i xs; s_acc := s_acc + x … s = read s_acc }
//! ⇒ pass { s_acc = newAcc 0 … x.2 = nextI i.2 xs; s_acc := s_acc + x.2 … s.2 = read s_acc }
//! ```

use indexmap::IndexMap;

use crate::concrete::{Block, End, Memory, Names, Plain, Procedure, Start, Step, Stmt};
use arrc_fusion::cnf::Var;
use arrc_syntax::ids::{PrimaryMap, VarId};

/// Whether a pass can be copied: it has one loop, the arrays that it makes are in memory of their own, and its steps
/// consist of operations on scalars and on elements of arrays.
pub(super) fn can_copy(pass: &Procedure<Plain>) -> bool {
    let mut is_simple = pass.nest.inner.is_empty();
    is_simple &= pass.start.iter().all(|start| match start {
        Start::NewVec { memory, .. } => matches!(memory, Memory::New),
        Start::NewAcc { .. } | Start::CheckSize { .. } => true,
    });
    pass.nest.for_each_stmt(&mut |stmt| {
        is_simple &= match stmt {
            Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => is_scalar(&worker.body),
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Write { .. } => true,
            Stmt::Reserve { .. } => false,
        };
    });
    is_simple
}

fn is_scalar(block: &Block<Plain>) -> bool {
    block.steps.iter().all(|step| match step {
        Step::Scalar { .. }
        | Step::Index { .. }
        | Step::Length { .. }
        | Step::Assert { .. }
        | Step::Replace { .. } => true,
        Step::If { then, otherwise, .. } => is_scalar(then) && is_scalar(otherwise),
        Step::Row { .. }
        | Step::Slice { .. }
        | Step::Call { .. }
        | Step::Append { .. }
        | Step::Array { .. }
        | Step::Sort { .. }
        | Step::Constant { .. }
        | Step::Reshape { .. }
        | Step::Loop { .. }
        | Step::Copy { .. }
        | Step::Unique { .. }
        | Step::Share { .. }
        | Step::Release { .. }
        | Step::Pass(_) => false,
    })
}

/// A copy of a pass that [`can_copy`].
pub(super) fn copy(pass: &Procedure<Plain>, vars: &mut PrimaryMap<VarId, Var>) -> Procedure<Plain> {
    let mut copy = pass.clone();
    let mut names = CopyNames { vars, names: IndexMap::new() };
    for start in &mut copy.start {
        if let Start::NewVec { vec, .. } = start {
            *vec = names.bound(*vec);
        }
    }
    copy.nest.counter = names.bound(copy.nest.counter);
    copy.nest.body.iter_mut().for_each(|stmt| stmt.rename(&mut names));
    for end in &mut copy.end {
        match end {
            End::Read { result, .. } => *result = names.bound(*result),
            End::Slice { vec, length: _ } => *vec = names.var(*vec),
        }
    }
    copy.yields.iter_mut().for_each(|var| *var = names.var(*var));
    copy
}

/// The names in a copy.
struct CopyNames<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    names: IndexMap<VarId, VarId>,
}

impl Names<Plain> for CopyNames<'_> {
    fn var(&self, var: VarId) -> VarId {
        self.names.get(&var).copied().unwrap_or(var)
    }

    fn bound(&mut self, var: VarId) -> VarId {
        let new = self.vars.push(self.vars[var].clone());
        self.names.insert(var, new);
        new
    }
}
