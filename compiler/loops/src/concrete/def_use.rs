//! The variables that a concrete step defines and uses, nested blocks and passes included.
//!
//! Invariant: `uses` may contain variables that the step binds inside itself. Since a variable is bound once in its
//! function, they are not variables of the enclosing block.
//!
//! ```text
//! zs = if c then { f xs } else { ys }     defines zs, uses c, xs, ys
//! ```

use indexmap::{IndexMap, IndexSet};

use super::phase::Phase;
use super::program::{
    Block, End, Guard, Loop, Memory, Nest, Procedure, RowLocation, Start, Stmt, Subarray, Variant,
    Worker,
};
use super::step::{LoopForm, Step};
use super::stmt::{VisitPlace, VisitStmt};
use super::visit::Visit;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;

/// The variables that a step binds in its block.
#[must_use]
pub fn defines<P: Phase>(step: &Step<P>) -> Vec<VarId> {
    struct DefinedVariables(Vec<VarId>);
    impl<P: Phase> Visit<'_, P> for DefinedVariables {
        fn define(&mut self, var: &VarId) {
            self.0.push(*var);
        }

        fn pass(&mut self, pass: &Procedure<P>) {
            self.0.extend(&pass.yields);
        }
    }
    let mut defines = DefinedVariables(Vec::new());
    step.visit(&mut defines);
    defines.0
}

/// The variables that a step uses.
#[must_use]
pub fn uses<P: Phase>(step: &Step<P>) -> IndexSet<VarId> {
    let mut mentions = UsedVariables::default();
    mentions.step(step);
    mentions.used
}

/// The arrays made somewhere in a step whose shapes are given by their types: vectors of passes, and constants.
#[must_use]
pub fn shaped<P: Phase>(step: &Step<P>) -> IndexSet<VarId> {
    let mut mentions = UsedVariables::default();
    mentions.step(step);
    mentions.shaped
}

/// The variables that a loop uses, and the arrays made in its steps whose shapes are given by their types.
#[must_use]
pub fn uses_in_nest<P: Phase>(nest: &Loop<P>) -> [IndexSet<VarId>; 2] {
    let mut mentions = UsedVariables::default();
    mentions.counted_loop(nest);
    [mentions.used, mentions.shaped]
}

/// The variables that the body of a guard and the nests inside it use. The flag is not among them.
#[must_use]
pub fn uses_in_guard<P: Phase>(guard: &Guard<P>) -> IndexSet<VarId> {
    let mut mentions = UsedVariables::default();
    mentions.stmts(&guard.body);
    mentions.nests(&guard.inner);
    mentions.used
}

/// The variables that a statement uses.
pub fn uses_of<P: Phase>(stmt: &Stmt<P>) -> IndexSet<VarId> {
    let mut mentions = UsedVariables::default();
    mentions.stmts(std::slice::from_ref(stmt));
    mentions.used
}

/// The variables that a pass uses, except for the initial values of its accumulators.
pub fn uses_beside_inits<P: Phase>(pass: &Procedure<P>) -> IndexSet<VarId> {
    let mut mentions = UsedVariables::default();
    mentions.in_pass(pass, false);
    mentions.used
}

/// The variables that the body of a worker uses.
pub fn uses_in<P: Phase>(worker: &Worker<P>) -> IndexSet<VarId> {
    let mut mentions = UsedVariables::default();
    mentions.block(&worker.body);
    mentions.used
}

/// The results of a worker that are views of arrays which its body does not bind, with these arrays.
#[must_use]
pub fn outer_views<P: Phase>(worker: &Worker<P>) -> IndexMap<VarId, VarId> {
    let Block { steps, results } = &worker.body;
    let views = steps.iter().filter_map(Step::view).collect::<IndexMap<_, _>>();
    if views.is_empty() {
        return views;
    }
    let made = steps.iter().flat_map(defines).collect::<IndexSet<_>>();
    let results = results.iter().filter_map(Atom::as_var).filter(|view| views.contains_key(view));
    let shown = results.filter_map(|view| {
        let chain = std::iter::successors(Some(view), |view| views.get(view).copied());
        Some((view, chain.last().filter(|array| !made.contains(array))?))
    });
    shown.collect()
}

/// The variables that the condition and the body of a loop use.
pub fn uses_inside<P: Phase>(form: &LoopForm<P>, worker: &Worker<P>) -> IndexSet<VarId> {
    let mut mentions = UsedVariables::default();
    mentions.repeated(form, worker);
    mentions.used
}

/// The variables that have been met so far.
#[derive(Default)]
struct UsedVariables {
    used: IndexSet<VarId>,
    shaped: IndexSet<VarId>,
}

impl UsedVariables {
    fn block<P: Phase>(&mut self, block: &Block<P>) {
        for step in &block.steps {
            self.step(step);
        }
        self.atoms(&block.results);
    }

    fn step<P: Phase>(&mut self, step: &Step<P>) {
        if let Step::Constant { var, .. } = step {
            self.shaped.insert(*var);
        }
        if let Step::Array { memory: Memory::Row(RowLocation { index, .. }), .. }
        | Step::Sort { memory: Memory::Row(RowLocation { index, .. }), .. } = step
        {
            index.visit(self);
        }
        step.visit(self);
    }

    fn repeated<P: Phase>(&mut self, form: &LoopForm<P>, worker: &Worker<P>) {
        match form {
            LoopForm::For { count } => self.atoms(&[*count]),
            LoopForm::While { cond } => self.block(&cond.body),
        }
        self.block(&worker.body);
    }

    fn in_pass<P: Phase>(&mut self, pass: &Procedure<P>, inits: bool) {
        for start in &pass.start {
            match start {
                Start::CheckSize { size, .. } => self.atoms(&[*size]),
                Start::NewVec { vec, capacity, memory, .. } => {
                    self.shaped.insert(*vec);
                    capacity.visit(self);
                    match memory {
                        Memory::New | Memory::Scratch | Memory::DoubleBuffer => {}
                        Memory::Row(RowLocation { index, .. }) => index.visit(self),
                        Memory::Over(array) | Memory::Behind(array) => {
                            self.used.insert((*array).into());
                        }
                        Memory::Part(Subarray { array, indices, view, .. }) => {
                            self.used.insert((*array).into());
                            self.used.extend(view.map(Into::into));
                            self.atoms(indices);
                        }
                    }
                }
                Start::NewAcc { init, .. } if inits => self.atoms(&[*init]),
                Start::NewAcc { .. } => {}
            }
        }
        self.counted_loop(&pass.nest);
        for end in &pass.end {
            match end {
                End::Slice { length, .. } => length.visit(self),
                End::Read { .. } => {}
            }
        }
    }

    fn counted_loop<P: Phase>(&mut self, nest: &Loop<P>) {
        let Loop { length, body, inner, ranges, .. } = nest;
        length.visit(self);
        self.stmts(body);
        self.nests(inner);
        for range in ranges {
            range.bounds().for_each(|bound| self.atoms(&[bound.into()]));
            for Variant { body, inner, .. } in &range.variants {
                self.stmts(body);
                self.nests(inner);
            }
        }
    }

    fn nests<P: Phase>(&mut self, nests: &[Nest<P>]) {
        for nest in nests {
            match nest {
                Nest::Loop(nest) => self.counted_loop(nest),
                Nest::Guard(Guard { flag, body, inner, .. }) => {
                    self.atoms(&[*flag]);
                    self.stmts(body);
                    self.nests(inner);
                }
            }
        }
    }

    fn stmts<P: Phase>(&mut self, stmts: &[Stmt<P>]) {
        stmts.iter().for_each(|stmt| stmt.visit(self));
    }

    fn atoms(&mut self, atoms: &[Atom]) {
        self.used.extend(atoms.iter().filter_map(|atom| match atom {
            Atom::Const(_) => None,
            Atom::Var(var) => Some(*var),
        }));
    }
}

impl VisitPlace<'_> for UsedVariables {
    fn atom(&mut self, atom: &Atom) {
        self.atoms(&[*atom]);
    }

    fn array(&mut self, array: &VarId) {
        self.used.insert(*array);
    }

    fn index(&mut self, index: &VarId) {
        self.used.insert(*index);
    }
}

impl<P: Phase> VisitStmt<'_, P> for UsedVariables {
    fn worker(&mut self, worker: &Worker<P>) {
        self.block(&worker.body);
    }
}

impl<P: Phase> Visit<'_, P> for UsedVariables {
    fn atom(&mut self, atom: &Atom) {
        self.atoms(&[*atom]);
    }

    fn array(&mut self, array: &VarId) {
        self.used.insert(*array);
    }

    fn owned(&mut self, array: &P::Owned) {
        self.used.insert((*array).into());
    }

    fn branch(&mut self, block: &Block<P>) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker<P>) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure<P>) {
        self.in_pass(pass, true);
    }
}
