//! Loops in ranges: the steps in which the conditions on a loop's counter hold as in most of them run
//! without those conditions.
//!
//! At the edges of a stencil another element is read than inside, or none. A test of that in each step
//! keeps LLVM from vectorising the loop, as does the check of each index. So a loop gets a range: from
//! where to where its conditions are decided and its elements surely there is computed before it, and
//! the steps of the range do neither test nor check. All other steps are done as before, in their order.
//!
//! Invariant: what a program gives or how it fails does not change.
//!
//! ```text
//! loopI i (n) body { x = (\i -> { c = i == 0; x = if c then … else { j = i - 1; x = xs[j]; … }; … }) i … }
//! ⇒ loopI i (n) body { … } range from 1 to min n (length xs + 1) body { x = (\i -> { j = i - 1; x = inside xs[j]; … }) i … }
//! ```

mod bounds;
mod conditions;
mod form;
mod likely;
mod special;
mod steps;
#[cfg(test)]
mod tests;

use indexmap::IndexSet;

use self::likely::Likely;
use self::special::Known;
use crate::ids::{PrimaryMap, SizeId, VarId};
use crate::ir::cnf::{Atom, SizeInfo, Type, Var};
use crate::ir::procedure::concrete::{
    Block, Function, Guard, Loop, LoopForm, Nest, Procedure, Program, Range, Step, Stmt, Worker,
};
use crate::names::Name;
use crate::pass::lifetimes;
use crate::prim::Scalar;

/// Gives loops their ranges.
#[must_use]
pub fn split(program: Program) -> Program {
    let Program { functions, externals, entries, calls } = program;
    let functions = functions.into_iter().map(|(_, function)| {
        let Function { name, span, params, owned, body, results, mut vars, sizes, recursive } =
            function;
        let mut split = Split {
            vars: &mut vars,
            sizes: &sizes,
            likely: Likely::default(),
            scope: params.iter().copied().collect(),
        };
        let body = split.block(body);
        Function { name, span, params, owned, body, results, vars, sizes, recursive }
    });
    Program { functions: functions.collect(), externals, entries, calls }
}

/// A function whose loops are split.
struct Split<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// What the scalars so far are likely to be.
    likely: Likely,
    /// Variables that are surely in scope.
    scope: IndexSet<VarId>,
}

impl Split<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut steps = Vec::new();
        let around = self.scope.len();
        for step in block.steps {
            let step = self.step(step, &mut steps);
            self.likely.note(&step, self.vars, self.sizes);
            self.scope.extend(lifetimes::defines(&step));
            steps.push(step);
        }
        self.scope.truncate(around);
        Block { steps, results: block.results }
    }

    /// A step; what must come before it goes to `before`.
    fn step(&mut self, step: Step, before: &mut Vec<Step>) -> Step {
        match step {
            Step::If { vars, cond, takes, then, otherwise } => {
                let [then, otherwise] = [then, otherwise].map(|branch| self.block(branch));
                Step::If { vars, cond, takes, then, otherwise }
            }
            Step::Loop { vars, form, init, worker } => {
                let form = match form {
                    LoopForm::For { .. } => form,
                    LoopForm::While { cond } => LoopForm::While { cond: self.worker(cond) },
                };
                Step::Loop { vars, form, init, worker: self.worker(worker) }
            }
            Step::Pass(pass) => {
                let (code, nest) = self.counted_loop(pass.nest);
                before.extend(code);
                Step::Pass(Procedure { nest, ..pass })
            }
            Step::Un { .. }
            | Step::Bin { .. }
            | Step::Fma { .. }
            | Step::Index { .. }
            | Step::Row { .. }
            | Step::Length { .. }
            | Step::Assert { .. }
            | Step::Call { .. }
            | Step::Append { .. }
            | Step::Array { .. }
            | Step::Constant { .. }
            | Step::Reshape { .. }
            | Step::Replace { .. }
            | Step::Copy { .. }
            | Step::Unique { .. }
            | Step::Share { .. }
            | Step::Release { .. } => step,
        }
    }

    /// A loop, and the code before it. If it gets a range, only that range's inner loops get some: few
    /// steps are elsewhere.
    fn counted_loop(&mut self, nest: Loop) -> (Vec<Step>, Loop) {
        if nest.most.is_some() {
            // So few steps are not worth it.
            let (body, inner) = self.inside(nest.body, nest.inner);
            return (Vec::new(), Loop { body, inner, ..nest });
        }
        let known = Known { likely: &self.likely, scope: &self.scope, sizes: self.sizes };
        let Some(copy) = special::copy(&nest, known, self.vars) else {
            let (body, inner) = self.inside(nest.body, nest.inner);
            return (Vec::new(), Loop { body, inner, ..nest });
        };
        let (body, inner) = self.inside(copy.body, copy.inner);
        let [from, to] = copy.bounds;
        let range = Range { from, to, body, inner, release: Vec::new() };
        (copy.before, Loop { ranges: vec![range], ..nest })
    }

    /// The body of a loop or guard, and what is nested in it.
    fn inside(&mut self, body: Vec<Stmt>, inner: Vec<Nest>) -> (Vec<Stmt>, Vec<Nest>) {
        let mut body = body.into_iter().map(|stmt| self.stmt(stmt)).collect::<Vec<_>>();
        let mut nests = Vec::new();
        for nest in inner {
            nests.push(match nest {
                Nest::Loop(nest) => {
                    let (code, nest) = self.counted_loop(nest);
                    let nest = self.bounds_in(code, nest, &mut body);
                    Nest::Loop(nest)
                }
                Nest::Guard(Guard { index, counter, flag, body, inner, release }) => {
                    let (body, inner) = self.inside(body, inner);
                    Nest::Guard(Guard { index, counter, flag, body, inner, release })
                }
            });
        }
        (body, nests)
    }

    fn stmt(&mut self, stmt: Stmt) -> Stmt {
        match stmt {
            Stmt::Apply { elems, worker, args } => {
                Stmt::Apply { elems, worker: self.worker(worker), args }
            }
            Stmt::Update { accs, order, worker, args } => {
                Stmt::Update { accs, order, worker: self.worker(worker), args }
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Current { .. }
            | Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Reserve { .. }
            | Stmt::Write { .. } => stmt,
        }
    }

    /// A loop in the step of another one, where the ends of its ranges are computed too.
    fn bounds_in(&mut self, code: Vec<Step>, mut nest: Loop, body: &mut Vec<Stmt>) -> Loop {
        let bounds = nest.ranges.iter_mut().flat_map(|range| [&mut range.from, &mut range.to]);
        let mut bounds = bounds.collect::<Vec<_>>();
        if bounds.is_empty() {
            return nest;
        }
        let results = bounds.iter().map(|bound| **bound).collect();
        let mut elems = Vec::new();
        for bound in &mut bounds {
            let ty = Type::Scalar(Scalar::I64);
            let elem = self.vars.push(Var { name: Name::new("bound"), ty });
            **bound = Atom::Var(elem);
            elems.push(elem);
        }
        let worker = Worker { params: Vec::new(), body: Block { steps: code, results } };
        body.push(Stmt::Apply { elems, worker, args: Vec::new() });
        nest
    }

    fn worker(&mut self, worker: Worker) -> Worker {
        let around = self.scope.len();
        self.scope.extend(&worker.params);
        let body = self.block(worker.body);
        self.scope.truncate(around);
        Worker { params: worker.params, body }
    }
}
