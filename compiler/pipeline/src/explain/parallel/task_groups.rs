//! Passes and loops of a block that run at the same time, as tasks.
//!
//! Invariant: the work of a task is that of its passes, as they are explained one by one, and of its loops.
//!
//! ```text
//! a = fork h.2 xs; b = call h.3 ys     ⇒   2 tasks: pass 1; pass 2
//! ```

use std::collections::BTreeMap;

use super::machine;
use super::machine::Estimate;
use super::{PassParallelism, TripCounts};
use arrc_fusion::cnf::Callee;
use arrc_loops::concrete::{Block, Complete, Cost, Function, Program, Step, Visit, Worker};

/// Tasks that run at the same time.
#[derive(Clone, Debug)]
pub struct TaskGroup {
    /// The passes of each task, by their names. A task may also have loops, and no passes.
    pub passes: Vec<Vec<String>>,
    /// The estimate of the model for all tasks together.
    pub estimate: Estimate,
}

/// The groups of tasks in the blocks of a program, calls of recursive functions left out.
pub(super) fn tasks(
    program: &Program,
    passes: &BTreeMap<String, PassParallelism>,
) -> Vec<TaskGroup> {
    let mut search = TaskCollector { program, passes, found: Vec::new() };
    program.functions.values().for_each(|function| search.block(&function.body));
    search.found
}

struct TaskCollector<'a> {
    program: &'a Program,
    passes: &'a BTreeMap<String, PassParallelism>,
    found: Vec<TaskGroup>,
}

impl TaskCollector<'_> {
    fn block(&mut self, block: &Block) {
        for group in block.groups() {
            let parts = if group.len() > 1 { self.parts(group) } else { None };
            if let Some(parts) = parts {
                self.found.push(self.tasks(&parts));
            }
            group.iter().for_each(|step| step.visit(self));
        }
    }

    /// The parts of functions that are called; none if there are other calls.
    fn parts(&self, calls: &[Step]) -> Option<Vec<&Function>> {
        let part = |call: &Step| {
            let Step::Call { callee: Callee::Function(callee), .. } = call else { return None };
            let is_part = self.program.is_part(*callee);
            is_part.then(|| &self.program.functions[*callee])
        };
        calls.iter().map(part).collect()
    }

    fn tasks(&self, parts: &[&Function]) -> TaskGroup {
        let name = |step: &Step| {
            if let Step::Pass(pass) = step { Some(pass.name.to_string()) } else { None }
        };
        let names = |part: &&Function| part.body.steps.iter().filter_map(name).collect();
        let estimates: Vec<_> = parts.iter().map(|part| self.estimate(part)).collect();
        TaskGroup {
            passes: parts.iter().map(names).collect(),
            estimate: machine::of_tasks(&estimates),
        }
    }

    /// The estimate for a task on one core.
    fn estimate(&self, part: &Function) -> Estimate {
        let facts = TripCounts { vars: &part.tables.vars };
        let mut all = machine::of_work(0);
        for step in &part.body.steps {
            let pass = if let Step::Pass(pass) = step {
                self.passes.get(pass.name.as_str())
            } else {
                None
            };
            let one = pass.map_or_else(
                || {
                    machine::of_work(
                        facts.time(&Cost::in_order(std::slice::from_ref(step), facts.vars)),
                    )
                },
                |pass| pass.estimate,
            );
            all = machine::in_sequence(all, one);
        }
        all
    }
}

impl Visit<'_, Complete> for TaskCollector<'_> {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }
}
