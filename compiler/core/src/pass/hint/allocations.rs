//! Arrays that each step of a pass allocates anew.
//!
//! Invariant: a warning is given only about arrays in the steps of passes that are in no scratch buffer. The loops of
//! the program itself may make an array in each step.
//!
//! ```text
//! map (\x -> length (iota x ++ iota 3)) xs
//! ⇒ warning[A0714]: each step allocates an array
//! ```

use indexmap::IndexSet;

use crate::diagnostics::{Code, Diagnostic};
use crate::ids::VarId;
use crate::ir::procedure::concrete::{
    Block, Complete, Function, Memory, Procedure, Start, Step, Stmt, Visit, Worker,
};
use crate::ir::tables::Tables;
use crate::source::Span;

/// The arrays that the steps of a function's passes allocate.
#[must_use]
pub fn allocations(function: &Function) -> Vec<Diagnostic> {
    let mut search = Search {
        tables: &function.tables,
        in_pass: false,
        extended: IndexSet::new(),
        found: IndexSet::new(),
    };
    search.block(&function.body);
    let found = search.found.into_iter();
    found.map(|(span, name, why)| warning(span, name.as_deref(), why)).collect()
}

/// The reason why an array is allocated in each step.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Why {
    /// It is made of others by `++`.
    Append,
    /// Its length is known only when it is made.
    Grows,
    /// It is a copy of an array that is still needed in its old state.
    Copy,
    /// It is still used after the step ends.
    Outlives,
}

fn warning(span: Span, name: Option<&str>, why: Why) -> Diagnostic {
    let (label, help) = match why {
        Why::Append => (
            "`++` makes an array of its own",
            "write both parts as one: `tabulate`, with a condition on the position, needs no array",
        ),
        Why::Grows => (
            "its length is known only when it is made",
            "what is computed from its elements, such as a `reduce`, needs no array if nothing else does",
        ),
        Why::Copy => (
            "it is copied, since the array is still needed as it was",
            "take the old elements before the update, or let each step update what it was given",
        ),
        Why::Outlives => (
            "it is still used when the step has ended",
            "carry what is used of it as scalars, or update what the step was given with `with`",
        ),
    };
    let subject = name.map_or("an array".to_owned(), |name| format!("the array `{name}`"));
    Diagnostic::warning(
        Code::ARRAY_IN_STEP,
        span,
        format!("{subject} is allocated in each step of a pass"),
    )
    .label(label)
    .help(help)
}

struct Search<'a> {
    tables: &'a Tables,
    /// Whether the block is in the step of a pass.
    in_pass: bool,
    /// The arrays that appends extend. The warning about the append covers them.
    extended: IndexSet<VarId>,
    found: IndexSet<(Span, Option<String>, Why)>,
}

impl Search<'_> {
    fn note(&mut self, array: VarId, span: Span, why: Why) {
        if self.in_pass && !self.extended.contains(&array) {
            self.found.insert((span, self.tables.given(array).map(ToString::to_string), why));
        }
    }

    fn block(&mut self, block: &Block) {
        self.extended.extend(block.steps.iter().filter_map(|step| {
            if let Step::Append { extends, .. } = step { *extends } else { None }
        }));
        for step in &block.steps {
            if let Step::Array { var, memory: Memory::New, elems, span, .. } = step
                && !elems.is_empty()
            {
                self.note(*var, *span, Why::Outlives);
            } else if let Step::Append { var, placed: false, span, .. } = step {
                self.note(*var, *span, Why::Append);
            } else if let Step::Copy { var, memory: Memory::New, span, .. }
            | Step::Unique { var, span, .. } = step
            {
                self.note(*var, *span, Why::Copy);
            }
            step.visit(self);
        }
    }
}

impl Visit<'_, Complete> for Search<'_> {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        let growing = pass.growing();
        for start in &pass.start {
            if let Start::NewVec { vec, memory: Memory::New, span, .. } = start {
                let why = if growing.contains(vec) { Why::Grows } else { Why::Outlives };
                self.note(*vec, *span, why);
            }
        }
        let before = std::mem::replace(&mut self.in_pass, true);
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        });
        self.in_pass = before;
    }
}
