//! What is asked of a step before it becomes part of a task.
//!
//! Invariant: a step that does not fit stays in its block, where it runs in its place.

use std::slice;

use crate::concrete::{
    Block, Complete, Cost, Memory, Procedure, Program, ReplacedPart, Start, Step, Stmt, Visit,
    Worker,
};
use crate::threads::slice::is_short;
use arrc_fusion::cnf::{Atom, Callee, Var};
use arrc_syntax::ids::{FuncId, PrimaryMap, SecondaryMap, VarId};

/// The role of a step among those of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepRole {
    /// It may be worth a thread of its own.
    Work,
    /// It may be in a task, or before all tasks if it cannot fail.
    Small,
    /// It is never in a task.
    Stays,
}

impl StepRole {
    /// The role of a step that is no call. `in_loop`: the step is inside a loop, which may own scratch buffers.
    pub(super) fn of(step: &Step, in_loop: bool, vars: &PrimaryMap<VarId, Var>) -> Self {
        let fits = match step {
            Step::Scalar { .. }
            | Step::Index { .. }
            | Step::Row { .. }
            | Step::Slice { .. }
            | Step::Reshape { .. }
            | Step::Length { .. }
            | Step::Assert { .. }
            | Step::Constant { .. }
            | Step::Share { .. }
            | Step::Copy { memory: Memory::New, .. } => return Self::Small,
            Step::Replace { target, placed, .. } => {
                let stays = *placed || *target == ReplacedPart::Window;
                return if stays { Self::Stays } else { Self::Small };
            }
            Step::Pass(pass) => {
                makes_own_arrays(pass) && TaskObstacles::of(step, in_loop).fits_in_task()
            }
            Step::If { .. } | Step::Loop { .. } => TaskObstacles::of(step, in_loop).fits_in_task(),
            Step::Copy { .. }
            | Step::Sort { .. }
            | Step::Array { .. }
            | Step::Append { .. }
            | Step::Unique { .. }
            | Step::Release { .. }
            | Step::Call { .. } => false,
        };
        let is_bounded = matches!(step, Step::Pass(pass) if pass.nest.most.is_some());
        match fits {
            false => Self::Stays,
            true if is_bounded || is_short(&Cost::in_order(slice::from_ref(step), vars)) => {
                Self::Small
            }
            true => Self::Work,
        }
    }
}

/// Whether a step is of a kind that may be work for a thread of its own.
pub(super) fn may_be_work(step: &Step) -> bool {
    matches!(step, Step::Pass(_) | Step::If { .. } | Step::Loop { .. } | Step::Call { .. })
}

/// Whether a step may move in front of a call that is independent of it, or behind it if it releases an array.
pub(super) fn can_move(step: &Step, vars: &PrimaryMap<VarId, Var>) -> bool {
    match step {
        Step::Release { .. } | Step::Assert { .. } => true,
        Step::Array { elems, .. } => elems.is_empty(),
        Step::Pass(pass) => is_new(pass) && !TaskObstacles::of(step, false).calls,
        Step::Scalar { .. }
        | Step::Index { .. }
        | Step::Row { .. }
        | Step::Slice { .. }
        | Step::Reshape { .. }
        | Step::Length { .. }
        | Step::Constant { .. }
        | Step::Share { .. }
        | Step::Sort { .. }
        | Step::Copy { .. }
        | Step::Append { .. }
        | Step::Replace { .. }
        | Step::Unique { .. }
        | Step::If { .. }
        | Step::Loop { .. }
        | Step::Call { .. } => step.is_total(vars),
    }
}

/// Whether a pass makes arrays in new memory only, and changes no others.
fn is_new(pass: &Procedure) -> bool {
    pass.start.iter().all(|start| match start {
        Start::NewVec { memory, .. } => matches!(memory, Memory::New),
        Start::NewAcc { init, .. } => matches!(init, Atom::Const(_)),
        Start::CheckSize { .. } => true,
    }) && pass.replaces().next().is_none()
}

/// Whether the arrays of a pass are in memory of their own, or in that of arrays which end with the pass.
fn makes_own_arrays(pass: &Procedure) -> bool {
    pass.start.iter().all(|start| match start {
        Start::NewVec { memory, .. } => matches!(memory, Memory::New | Memory::Over(_)),
        Start::CheckSize { .. } | Start::NewAcc { .. } => true,
    })
}

/// Looks for what keeps a step out of a task: calls, passes that run on several threads themselves, and scratch buffers
/// of a loop around the step.
struct TaskObstacles {
    in_loop: bool,
    calls: bool,
    /// Whether there are passes in slices, or scratch buffers of the loop around.
    shares: bool,
}

impl TaskObstacles {
    fn of(step: &Step, in_loop: bool) -> Self {
        let mut fit = Self { in_loop, calls: false, shares: false };
        fit.step(step);
        fit
    }

    /// Whether nothing keeps the step out of a task.
    fn fits_in_task(&self) -> bool {
        !self.calls && !self.shares
    }

    fn step(&mut self, step: &Step) {
        self.calls |= matches!(step, Step::Call { .. });
        if let Step::Array { memory, .. }
        | Step::Sort { memory, .. }
        | Step::Copy { memory, .. }
        | Step::Append { memory, .. } = step
        {
            self.memory(memory);
        }
        step.visit(self);
    }

    fn block(&mut self, block: &Block) {
        block.steps.iter().for_each(|step| self.step(step));
    }

    fn memory(&mut self, memory: &Memory) {
        self.shares |= self.in_loop && matches!(memory, Memory::Scratch | Memory::DoubleBuffer);
    }
}

impl Visit<'_, Complete> for TaskObstacles {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        self.shares |= pass.slices.is_some();
        for start in &pass.start {
            if let Start::NewVec { memory, .. } = start {
                self.memory(memory);
            }
        }
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        });
    }
}

/// The arrays that end with a step. There may be scalars among them.
pub(super) fn ends(program: &Program, step: &Step) -> Vec<VarId> {
    let arrays = |atoms: &[Atom]| atoms.iter().filter_map(|atom| atom.as_var()).collect();
    match step {
        Step::Release { array } | Step::Unique { array, .. } => vec![*array],
        Step::Replace { array, .. } => vec![*array],
        Step::Append { extends, .. } => extends.iter().copied().collect(),
        Step::If { takes, .. } => takes.clone(),
        Step::Loop { init, .. } => arrays(init),
        Step::Call { callee: Callee::Function(callee), args, .. } => {
            let callee = &program.functions[*callee];
            let pairs = callee.params.iter().zip(args);
            let owned = pairs.filter(|(param, _)| callee.owned.contains(param));
            owned.filter_map(|(_, arg)| arg.as_var()).collect()
        }
        Step::Pass(pass) => {
            let inits = pass.start.iter().filter_map(|start| match start {
                Start::NewAcc { init, .. } => init.as_var(),
                Start::NewVec { .. } | Start::CheckSize { .. } => None,
            });
            inits.chain(pass.replaces().map(|(_, array)| array)).collect()
        }
        Step::Scalar { .. }
        | Step::Index { .. }
        | Step::Row { .. }
        | Step::Slice { .. }
        | Step::Length { .. }
        | Step::Assert { .. }
        | Step::Call { callee: Callee::External(_), .. }
        | Step::Array { .. }
        | Step::Sort { .. }
        | Step::Constant { .. }
        | Step::Reshape { .. }
        | Step::Copy { .. }
        | Step::Share { .. } => Vec::new(),
    }
}

/// The functions that use several threads: they have forks, or passes that are sliced, or call such functions.
pub(super) fn parallel_functions(program: &Program) -> SecondaryMap<FuncId, bool> {
    let mut spread = SecondaryMap::new();
    loop {
        let before = spread.clone();
        for (id, function) in program.functions.iter() {
            let mut search = ParallelismSearch { known: &before, found: false };
            search.block(&function.body);
            spread[id] = search.found;
        }
        if spread == before {
            return spread;
        }
    }
}

/// Looks for what runs on several threads.
struct ParallelismSearch<'a> {
    known: &'a SecondaryMap<FuncId, bool>,
    found: bool,
}

impl ParallelismSearch<'_> {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            if let Step::Call { forks, callee: Callee::Function(callee), .. } = step {
                self.found |= *forks || self.known[*callee];
            }
            step.visit(self);
        }
    }
}

impl Visit<'_, Complete> for ParallelismSearch<'_> {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        self.found |= pass.slices.is_some();
    }
}
