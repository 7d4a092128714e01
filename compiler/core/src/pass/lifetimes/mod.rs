//! Each array gets the end of its life: a release after its last use, or an owner in the block around.
//!
//! Invariant: each array that a block owns is released or yielded by it exactly once, and what a block
//! yields is its own (see [`Block`]).
//!
//! ```text
//! { ys = f xs; zs = g ys; yield (zs, zs, xs) }
//! ⇒ { ys = f xs; zs = g ys; release ys; zs' = share zs; xs' = share xs; yield (zs, zs', xs') }
//! ```

use indexmap::{IndexMap, IndexSet};

mod mentions;
#[cfg(test)]
mod tests;

use crate::ids::{PrimaryMap, VarId};
use crate::ir::cnf::{Atom, Var};
use crate::ir::procedure::concrete::{
    Block, Function, Guard, Loop, Nest, Procedure, Program, Step, Stmt, Worker,
};

/// Gives each array of the program the end of its life.
#[must_use]
pub fn lifetimes(program: Program) -> Program {
    let Program { functions, entries } = program;
    let functions = functions.into_iter().map(|(_, function)| {
        let Function { body, mut vars, name, span, params, results, sizes, recursive } = function;
        let body = Lifetimes { vars: &mut vars }.block(body);
        Function { name, span, params, body, results, vars, sizes, recursive }
    });
    Program { functions: functions.collect(), entries }
}

/// The lifetimes of one function.
struct Lifetimes<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
}

impl Lifetimes<'_> {
    fn block(&mut self, block: Block) -> Block {
        let Block { steps, mut results } = block;
        let steps = steps.into_iter().map(|step| self.step(step)).collect::<Vec<_>>();
        // When each array that the block owns is used last; its making counts.
        let mut last = IndexMap::<VarId, usize>::new();
        for (index, step) in steps.iter().enumerate() {
            let made = mentions::defines(step).into_iter().filter(|&var| self.is_array(var));
            last.extend(made.map(|var| (var, index)));
            for used in mentions::uses(step) {
                last.entry(used).and_modify(|last| *last = index);
            }
        }
        let shares = self.share_results(&mut results, &mut last);
        let mut done = Vec::new();
        for (index, step) in steps.into_iter().enumerate() {
            done.push(step);
            let dead = last.iter().filter(|&(_, &last)| last == index);
            done.extend(dead.map(|(&array, _)| Step::Release { array }));
        }
        done.extend(shares);
        Block { steps: done, results }
    }

    /// What the block yields is taken out of the arrays that it releases; what it may not give away,
    /// or has given away already, it shares.
    fn share_results(
        &mut self,
        results: &mut [Atom],
        last: &mut IndexMap<VarId, usize>,
    ) -> Vec<Step> {
        let mut shares = Vec::new();
        for result in results {
            let Atom::Var(array) = *result else { continue };
            if self.is_array(array) && last.shift_remove(&array).is_none() {
                let var = self.vars.push(self.vars[array].clone());
                shares.push(Step::Share { var, array });
                *result = Atom::Var(var);
            }
        }
        shares
    }

    fn step(&mut self, step: Step) -> Step {
        match step {
            Step::If { vars, cond, then, otherwise } => {
                let [then, otherwise] = [then, otherwise].map(|branch| self.block(branch));
                Step::If { vars, cond, then, otherwise }
            }
            Step::Pass(pass) => {
                Step::Pass(Procedure { nest: self.counted_loop(pass.nest), ..pass })
            }
            Step::Un { .. }
            | Step::Bin { .. }
            | Step::Index { .. }
            | Step::Length { .. }
            | Step::Call { .. }
            | Step::Append { .. }
            | Step::Array { .. }
            | Step::Share { .. }
            | Step::Release { .. } => step,
        }
    }

    fn counted_loop(&mut self, nest: Loop) -> Loop {
        let Loop { counter, length, body, inner, .. } = nest;
        let (body, release) = self.stmts(body);
        Loop { counter, length, body, inner: self.nests(inner), release }
    }

    fn nests(&mut self, nests: Vec<Nest>) -> Vec<Nest> {
        let nest = |nest| match nest {
            Nest::Loop(nest) => Nest::Loop(self.counted_loop(nest)),
            Nest::Guard(Guard { index, counter, flag, body, inner, .. }) => {
                let (body, release) = self.stmts(body);
                let inner = self.nests(inner);
                Nest::Guard(Guard { index, counter, flag, body, inner, release })
            }
        };
        nests.into_iter().map(nest).collect()
    }

    /// The statements with the bodies of their workers done, and the array elements that they make.
    fn stmts(&mut self, stmts: Vec<Stmt>) -> (Vec<Stmt>, Vec<VarId>) {
        let mut made = IndexSet::new();
        let stmts = stmts.into_iter().map(|stmt| match stmt {
            Stmt::Apply { elems, worker, args } => {
                made.extend(elems.iter().copied().filter(|&elem| self.is_array(elem)));
                Stmt::Apply { elems, worker: self.worker(worker), args }
            }
            Stmt::Update { accs, order, worker, args } => {
                Stmt::Update { accs, order, worker: self.worker(worker), args }
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Write { .. } => stmt,
        });
        let stmts = stmts.collect();
        (stmts, made.into_iter().collect())
    }

    fn worker(&mut self, worker: Worker) -> Worker {
        Worker { params: worker.params, body: self.block(worker.body) }
    }

    fn is_array(&self, var: VarId) -> bool {
        self.vars[var].ty.is_array()
    }
}
