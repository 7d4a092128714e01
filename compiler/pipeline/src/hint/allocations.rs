//! Arrays that each step of a pass allocates anew.
//!
//! Invariant: a warning is given only about arrays in the steps of passes that are in no scratch buffer. The loops of
//! the program itself may make an array in each step.
//!
//! ```text
//! map (\x -> let ys = loop ys = [x] for i < x do if i < 9 then ys ++ [i] else ys ++ [9, x] in ys[x]) xs
//! ⇒ warning[A0714]: an array is allocated in each of the n steps of a pass
//! ```

use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::explain::limits::Limits;
use crate::explain::symbols::Symbols;
use arrc_fusion::cnf::Atom;
use arrc_fusion::tables::Tables;
use arrc_loops::concrete::{
    Block, Complete, Function, Memory, Procedure, Start, Step, Stmt, Visit, Worker,
};
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::ids::{FileId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::source::{Call, CallId, Calls, Span};

/// The arrays that the steps of a function's passes allocate. The places of the warnings are in the files `own`, which
/// the user can change.
#[must_use]
pub fn allocations(function: &Function, calls: &Calls, own: &BTreeSet<FileId>) -> Vec<Diagnostic> {
    let find = |limit| {
        let mut search = AllocationSearch {
            tables: &function.tables,
            calls,
            own,
            around: Some(function.span).filter(|span| own.contains(&span.file)),
            steps: Vec::new(),
            extended: IndexSet::new(),
            symbols: Symbols::new(&function.tables),
            limits: Limits::new(&function.tables, limit),
            found: IndexSet::new(),
        };
        search.block(&function.body);
        (search.found, search.limits.compared)
    };
    let (found, compared) = find(None);
    let mut short = compared.limits().map(|limit| (limit, find(Some(limit)).0));
    let short = short.find(|(_, short)| short.len() < found.len());
    let condition = |array: &StepAllocation| {
        let (limit, _) = short.as_ref().filter(|(_, short)| !short.contains(array))?;
        Some(compared.reach(*limit))
    };
    found.iter().map(|array| warning(array, condition(array))).collect()
}

/// An array that steps allocate.
#[derive(PartialEq, Eq, Hash)]
struct StepAllocation {
    span: Span,
    name: Option<String>,
    /// The library function that makes it and is called at the place, if the user's own code does not make it.
    maker: Option<Name>,
    /// How many steps there are, if the program has a name for it.
    steps: Option<String>,
    why: AllocationCause,
}

/// The reason why an array is allocated in each step.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum AllocationCause {
    /// It is extended by `++`.
    Append,
    /// Its length is known only when it is made.
    Grows,
    /// It is a copy of an array that is still needed in its old state.
    Copy,
    /// It is still used after the step ends.
    Outlives,
}

/// The warning on an array. `condition` says when it is allocated, if it is not always.
fn warning(
    StepAllocation { span, name, maker, steps, why }: &StepAllocation,
    condition: Option<String>,
) -> Diagnostic {
    let (label, help) = match why {
        AllocationCause::Append => (
            "it grows, and each step needs memory for it",
            "let one place in the loop append to it, or make it by `tabulate` or `scan` if its length is known",
        ),
        AllocationCause::Grows => (
            "its length is known only when it is made",
            "what is computed from its elements, such as a `reduce`, needs no array if nothing else does",
        ),
        AllocationCause::Copy => (
            "it is copied, since the array is still needed as it was",
            "take the old elements before the update, or let each step update what it was given",
        ),
        AllocationCause::Outlives => (
            "it is still used when the step has ended",
            "carry what is used of it as scalars, or update what the step was given with `with`",
        ),
    };
    let subject = match (name, maker) {
        (Some(name), _) => format!("the array `{name}`"),
        (None, Some(maker)) => format!("an array that `{maker}` makes"),
        (None, None) => "an array".to_owned(),
    };
    let each =
        steps.as_ref().map_or("each step".to_owned(), |steps| format!("each of the {steps} steps"));
    let condition = condition.map_or_else(String::new, |condition| format!(" if {condition}"));
    let message = format!("{subject} is allocated in {each} of a pass{condition}");
    Diagnostic::warning(Code::ARRAY_IN_STEP, *span, message).label(label).help(help)
}

struct AllocationSearch<'a> {
    tables: &'a Tables,
    calls: &'a Calls,
    own: &'a BTreeSet<FileId>,
    /// The place of the pass around in the user's files, or that of the function.
    around: Option<Span>,
    /// The passes around, from the outside, each with the number of its steps if the program has a name for it.
    steps: Vec<Option<String>>,
    /// The arrays that appends extend. The warning about the append covers them.
    extended: IndexSet<VarId>,
    symbols: Symbols,
    limits: Limits,
    found: IndexSet<StepAllocation>,
}

impl AllocationSearch<'_> {
    fn note(&mut self, array: VarId, span: Span, why: AllocationCause) {
        if !self.steps.is_empty() && !self.extended.contains(&array) {
            let Some((maker, span)) = self.place(span) else { return };
            let name = self.tables.user_name(array).filter(|_| maker.is_none());
            let name = name.map(ToString::to_string);
            let steps: Option<Vec<String>> = self.steps.iter().cloned().collect();
            let steps = steps.map(|all| all.join(" * "));
            self.found.insert(StepAllocation { span, name, maker, steps, why });
        }
    }

    /// The place in the user's files from which code comes, and the library function that is called there if the code
    /// is the library's. The place of the pass around if there is none.
    fn place(&self, span: Span) -> Option<(Option<Name>, Span)> {
        let (mut maker, mut place) = (None, span);
        while !self.own.contains(&place.file) {
            let Some(Call { name, at }) = self.calls.get(place.calls) else {
                return self.around.map(|around| (maker, around));
            };
            (maker, place) = (Some(name.clone()), *at);
        }
        Some((maker, Span { calls: CallId::NONE, ..place }))
    }

    /// Notes the arrays that an append of a block extends, and the initial values of loops whose steps extend them.
    fn extends(&mut self, block: &Block) {
        for step in block.steps.iter().rev() {
            if let Step::Append { extends: Some(array), placed: false, .. } = step {
                self.extended.insert(*array);
            }
            if let Step::Loop { init, worker, .. } = step {
                self.extends(&worker.body);
                let inits = init.iter().zip(&worker.params);
                let grow = inits.filter(|(_, param)| self.extended.contains(*param));
                let grow: Vec<Atom> = grow.map(|(&init, _)| init).collect();
                self.extended.extend(grow.iter().filter_map(Atom::as_var));
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.extends(block);
        for step in &block.steps {
            self.symbols.step(step, self.tables);
            if let Step::Array { var, memory: Memory::New, elems, span, .. } = step
                && !elems.is_empty()
            {
                self.note(*var, *span, AllocationCause::Outlives);
            } else if let Step::Sort { var, memory: Memory::New, span, .. } = step {
                self.note(*var, *span, AllocationCause::Outlives);
            } else if let Step::Append {
                var,
                extends,
                placed: false,
                memory: Memory::New,
                span,
                ..
            } = step
            {
                self.note(
                    *var,
                    *span,
                    extends.map_or(AllocationCause::Outlives, |_| AllocationCause::Append),
                );
            } else if let Step::Copy { var, memory: Memory::New, span, .. }
            | Step::Unique { var, span, .. } = step
            {
                self.note(*var, *span, AllocationCause::Copy);
            } else if let Step::Length { var, .. } = step {
                self.limits.length(*var);
            } else if let Some((var, operation)) = step.operation() {
                let text = |length: VarId| self.symbols.scalar(length.into(), self.tables);
                self.limits.operation(var, operation, text);
            }
            let mut only = None;
            if let Step::If { cond, then, otherwise, .. } = step {
                let decision = self.limits.decision(*cond);
                only = decision.map(|holds| if holds { then } else { otherwise });
            }
            match only {
                Some(branch) => self.block(branch),
                None => step.visit(self),
            }
        }
    }
}

impl Visit<'_, Complete> for AllocationSearch<'_> {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        let growing = pass.growing();
        let before = self.around;
        for start in &pass.start {
            if let Start::NewVec { vec, memory: Memory::New, span, .. } = start {
                let why = if growing.contains(vec) {
                    AllocationCause::Grows
                } else {
                    AllocationCause::Outlives
                };
                self.note(*vec, *span, why);
            }
        }
        self.around =
            made_at(pass).and_then(|span| self.place(span)).map_or(before, |(_, span)| Some(span));
        self.steps.push(self.symbols.length(&pass.nest.length, self.tables));
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        });
        self.steps.pop();
        self.around = before;
    }
}

/// The place of the first array that a pass makes.
fn made_at(pass: &Procedure) -> Option<Span> {
    pass.start.iter().find_map(|start| match start {
        Start::NewVec { span, .. } => Some(*span),
        Start::NewAcc { .. } | Start::CheckSize { .. } => None,
    })
}
