//! Indices that are counters of loops with as many steps as the array has elements, and sizes that are lengths of
//! arrays: they need no check, in any step. Elements that are the same in all steps of a pass are read before it.
//!
//! Invariant: an index is marked `inside` only if it is natural and below its extent wherever the step runs. A size is
//! not checked only if it is natural.
//!
//! ```text
//! loopI i (length r) body { j = i; x = b[j, k] }   ⇒   x = inside b[j, k]       where r : [n]f64, b : [n][m]f64, and k < m
//! ```

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::collapse;
use super::element_counts::{CounterAnalysis, ElementCount};
use crate::concrete::def_use;
use crate::concrete::{
    Block, Function, Loop, LoopForm, Mapper, Plain, Position, Procedure, Start, Step, Stmt, Worker,
};
use crate::ranges::split::loop_invariants::HoistableReads;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;

/// Marks the indices of a function that are counters of loops as long as the dimension.
pub(crate) fn mark(function: Function<Plain>) -> Function<Plain> {
    let Function { name, span, params, owned, appends, body, results, tables, recursive } =
        function;
    let mut counters = CounterAnalysis {
        vars: &tables.vars,
        sizes: &tables.sizes,
        lengths: BTreeMap::new(),
        below: BTreeMap::new(),
        inside: IndexSet::new(),
        scope: params.iter().copied().collect(),
    };
    let body = counters.block(body);
    Function { name, span, params, owned, appends, body, results, tables, recursive }
}

impl CounterAnalysis<'_> {
    /// Notes that a variable has the value of an atom.
    fn same(&mut self, var: VarId, from: Atom) {
        if let Atom::Var(from) = from
            && let Some(&count) = self.below.get(&from)
        {
            self.below.insert(var, count);
        }
    }

    fn params(&mut self, params: &[VarId], args: &[Atom]) {
        for (&param, &arg) in params.iter().zip(args) {
            self.same(param, arg);
        }
    }

    fn is_inside(&self, array: VarId, indices: &[Atom]) -> bool {
        indices.iter().enumerate().all(|(dim, &index)| {
            let Some(extent) = self.extent(array, dim) else { return false };
            match (index, extent) {
                (Atom::Const(index), ElementCount::Const(extent)) => {
                    (0..extent).contains(&index.bits.cast_signed())
                }
                (Atom::Const(_), ElementCount::Size(_) | ElementCount::Value(_)) => false,
                (Atom::Var(index), extent) => match (self.below.get(&index), extent) {
                    (Some(ElementCount::Const(count)), ElementCount::Const(extent)) => {
                        *count <= extent
                    }
                    (count, extent) => count == Some(&extent),
                },
            }
        })
    }
}

impl Mapper for CounterAnalysis<'_> {
    type From = Plain;
    type To = Plain;

    fn block(&mut self, block: Block<Plain>) -> Block<Plain> {
        let mut steps = Vec::new();
        let around = self.scope.len();
        for step in block.steps {
            let mut step = self.step(step);
            let before =
                HoistableReads { scope: &self.scope, inside: &self.inside }.hoisted(&mut step);
            for step in before.into_iter().chain([step]) {
                self.scope.extend(def_use::defines(&step));
                steps.push(step);
            }
        }
        self.scope.truncate(around);
        Block { steps, results: block.results }
    }

    fn worker(&mut self, worker: Worker<Plain>) -> Worker<Plain> {
        let around = self.scope.len();
        self.scope.extend(&worker.params);
        let body = self.block(worker.body);
        self.scope.truncate(around);
        Worker { params: worker.params, body }
    }

    fn step(&mut self, step: Step<Plain>) -> Step<Plain> {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are as they were")]
        match step {
            Step::Length { var, array, dim } => {
                if let Some(count) = self.extent(array, dim) {
                    self.lengths.insert(var, count);
                }
                Step::Length { var, array, dim }
            }
            Step::Index { var, array, indices, inside, span } => {
                let is_inside = self.is_inside(array, &indices);
                if is_inside {
                    self.inside.insert(var);
                }
                let inside = inside || is_inside;
                Step::Index { var, array, indices, inside, span }
            }
            Step::Row { var, array, indices, inside, span } => {
                let inside = inside || self.is_inside(array, &indices);
                Step::Row { var, array, indices, inside, span }
            }
            Step::Loop { vars, form: LoopForm::For { count }, init, worker, span } => {
                let below = self.count(count);
                if let Some(&counter) = worker.params.get(init.len()) {
                    self.below.insert(counter, below);
                }
                let form = LoopForm::For { count };
                Step::Loop { vars, form, init, worker: self.worker(worker), span }
            }
            step => self.same_step(step),
        }
    }

    fn pass(&mut self, pass: Procedure<Plain>) -> Procedure<Plain> {
        let Procedure { name, accs, slices, mut start, nest, end, yields } = pass;
        start.retain(|start| match start {
            Start::CheckSize { size: Atom::Var(size), .. } => !self.lengths.contains_key(size),
            Start::CheckSize { size: Atom::Const(size), .. } => size.bits.cast_signed() < 0,
            Start::NewVec { .. } | Start::NewAcc { .. } => true,
        });
        let nest = self.counted_loop(nest);
        let mut pass = Procedure { name, accs, slices, start, nest, end, yields };
        pass.nest.collapsed = collapse::depth(&pass, self);
        pass
    }

    fn counted_loop(&mut self, nest: Loop<Plain>) -> Loop<Plain> {
        if let Some(count) = self.length(&nest.length) {
            self.below.insert(nest.counter, count);
        }
        self.same_loop(nest)
    }

    fn stmt(&mut self, stmt: Stmt<Plain>) -> Stmt<Plain> {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others hand no positions on")]
        match &stmt {
            Stmt::Position { elem, index: Position::Var(counter) } => {
                self.same(*elem, Atom::Var(*counter));
            }
            Stmt::Copy { elem, from } => self.same(*elem, *from),
            Stmt::Apply { worker: Worker { params, .. }, args, .. } => self.params(params, args),
            Stmt::Update { accs, worker: Worker { params, .. }, args, .. } => {
                self.params(&params[accs.len()..], args);
            }
            _ => {}
        }
        self.same_stmt(stmt)
    }
}
