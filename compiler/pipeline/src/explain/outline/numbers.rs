//! The numbers of the passes of a function.
//!
//! Invariant: passes are numbered in the order in which they run first, those of a step behind the pass or loop that has
//! the step.
//!
//! ```text
//! f_1; loop { f.loop_1 }; f_2   ⇒   f_1: 1, f.loop_1: 2, f_2: 3
//! ```

use std::collections::BTreeMap;

use arrc_fusion::cnf::Callee;
use arrc_loops::concrete::{Block, Complete, Procedure, Program, Step, Stmt, Visit, Worker};

/// The number of each pass of a program by the name of its procedure. `counts` says whether a procedure is a pass, and
/// not a loop that only fills accumulators.
pub(in crate::explain) fn pass_numbers(
    program: &Program,
    counts: &dyn Fn(&str) -> bool,
) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    let functions = program.functions.iter();
    for (_, function) in functions.filter(|(id, _)| !program.is_part(*id)) {
        let mut walk = NumberPasses { program, counts, next: 1, numbers: BTreeMap::new() };
        walk.block(&function.body);
        all.extend(walk.numbers);
    }
    all
}

struct NumberPasses<'a> {
    program: &'a Program,
    counts: &'a dyn Fn(&str) -> bool,
    next: usize,
    numbers: BTreeMap<String, usize>,
}

impl NumberPasses<'_> {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            if let Step::Call { callee: Callee::Function(callee), .. } = step
                && self.program.is_part(*callee)
            {
                self.block(&self.program.functions[*callee].body);
            }
            step.visit(self);
        }
    }
}

impl Visit<'_, Complete> for NumberPasses<'_> {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        if (self.counts)(&pass.name) && !self.numbers.contains_key(pass.name.as_str()) {
            self.numbers.insert(pass.name.to_string(), self.next);
            self.next += 1;
        }
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        });
    }
}
