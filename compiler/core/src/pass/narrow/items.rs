//! What is done in a pass, piece by piece, and which pieces the results need.
//!
//! Invariant: the statements, loops and guards inside the pass's loop are numbered in the order of the text: the statements of
//! a body, then what is nested in it, each nest before what is in it.

use indexmap::{IndexMap, IndexSet};

use crate::ids::{AccId, PrimaryMap, VarId};
use crate::ir::cnf::Var;
use crate::ir::procedure::concrete::{
    Block, End, Guard, Length, Loop, Nest, Plain, Procedure, Step, Stmt, Worker, Written,
};
use crate::pass::lifetimes::{self, variable};

/// A worker with more steps is not copied.
const CHEAP: usize = 16;

/// What one statement makes and another needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Need {
    /// A variable; a vector stands for its elements.
    Var(VarId),
    /// An accumulator.
    Acc(AccId),
}

/// A statement, a loop or a guard.
struct Item {
    needs: IndexSet<Need>,
    /// The loop or guard around it.
    parent: Option<usize>,
    /// Whether it may be in several parts.
    copied: bool,
}

/// What is in a pass.
pub(super) struct Items {
    items: Vec<Item>,
    makers: IndexMap<Need, Vec<usize>>,
    ends: Vec<IndexSet<Need>>,
}

impl Items {
    /// What is in a pass; none if a worker mentions the counter of the pass's loop, which each part has under another name.
    pub(super) fn new(pass: &Procedure<Plain>, vars: &PrimaryMap<VarId, Var>) -> Option<Self> {
        let mut items = Self { items: Vec::new(), makers: IndexMap::new(), ends: Vec::new() };
        let mut captured = IndexSet::new();
        items.body(&pass.nest.body, &pass.nest.inner, None, (vars, &mut captured));
        if captured.contains(&pass.nest.counter) {
            return None;
        }
        // A copy would have another name, which the worker does not know.
        for var in captured {
            for &maker in items.makers.get(&Need::Var(var)).into_iter().flatten() {
                items.items[maker].copied = false;
            }
        }
        items.ends = pass.end.iter().map(of_end).collect();
        Some(items)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether an item may be in several parts.
    pub(super) fn is_copied(&self, item: usize) -> bool {
        self.items[item].copied
    }

    /// What must be done for ends of the pass.
    pub(super) fn behind(&self, ends: &[usize]) -> impl Iterator<Item = usize> {
        let mut found = IndexSet::new();
        ends.iter().for_each(|&end| found.extend(self.makers_of(&self.ends[end])));
        let mut at = 0;
        while let Some(&item) = found.get_index(at) {
            let Item { needs, parent, .. } = &self.items[item];
            found.extend(self.makers_of(needs).chain(*parent));
            at += 1;
        }
        found.into_iter()
    }

    /// The accumulators that some of the items write.
    pub(super) fn accs_written(&self, items: &IndexSet<usize>) -> IndexSet<AccId> {
        let written = self.makers.iter().filter_map(|(need, makers)| match need {
            Need::Acc(acc) => makers.iter().any(|maker| items.contains(maker)).then_some(*acc),
            Need::Var(_) => None,
        });
        written.collect()
    }

    fn makers_of<'a>(&'a self, needs: &'a IndexSet<Need>) -> impl Iterator<Item = usize> + 'a {
        needs.iter().filter_map(|need| self.makers.get(need)).flatten().copied()
    }

    fn body(
        &mut self,
        body: &[Stmt<Plain>],
        inner: &[Nest<Plain>],
        parent: Option<usize>,
        (vars, captured): (&PrimaryMap<VarId, Var>, &mut IndexSet<VarId>),
    ) {
        for stmt in body {
            let (makes, copied) = made(stmt, vars);
            captured.extend(worker(stmt).into_iter().flat_map(lifetimes::uses_in));
            self.add(makes, Item { needs: needs(stmt), parent, copied });
        }
        for nest in inner {
            match nest {
                Nest::Loop(Loop { counter, length, body, inner, .. }) => {
                    let mut needs = IndexSet::new();
                    of_length(length, &mut needs);
                    let item = Item { needs, parent, copied: true };
                    let at = self.add(vec![Need::Var(*counter)], item);
                    self.body(body, inner, Some(at), (vars, captured));
                }
                Nest::Guard(Guard { index, counter, flag, body, inner, .. }) => {
                    let needs = variable(flag).map(Need::Var).into_iter().collect();
                    let makes = vec![Need::Var(*index), Need::Acc(*counter)];
                    let at = self.add(makes, Item { needs, parent, copied: true });
                    self.body(body, inner, Some(at), (vars, captured));
                }
            }
        }
    }

    fn add(&mut self, makes: Vec<Need>, item: Item) -> usize {
        let at = self.items.len();
        makes.into_iter().for_each(|need| self.makers.entry(need).or_default().push(at));
        self.items.push(item);
        at
    }
}

/// What a statement makes, and whether it may be in several parts.
fn made(stmt: &Stmt<Plain>, vars: &PrimaryMap<VarId, Var>) -> (Vec<Need>, bool) {
    let scalar = |var: VarId| !vars[var].ty.is_array();
    match stmt {
        Stmt::Next { elem, .. }
        | Stmt::Position { elem, .. }
        | Stmt::Copy { elem, .. }
        | Stmt::Read { elem, .. } => (vec![Need::Var(*elem)], scalar(*elem)),
        Stmt::Apply { elems, worker, .. } => {
            let cheap = elems.iter().all(|&elem| scalar(elem)) && is_cheap(&worker.body);
            (elems.iter().map(|&elem| Need::Var(elem)).collect(), cheap)
        }
        Stmt::Update { accs, .. } => (accs.iter().map(|&acc| Need::Acc(acc)).collect(), false),
        Stmt::Current { elem, .. } => (vec![Need::Var(*elem)], false),
        Stmt::Reserve { vec, .. } | Stmt::Write { vec, .. } => (vec![Need::Var(*vec)], false),
    }
}

fn worker(stmt: &Stmt<Plain>) -> Option<&Worker<Plain>> {
    let (Stmt::Apply { worker, .. } | Stmt::Update { worker, .. }) = stmt else { return None };
    Some(worker)
}

/// Whether a worker is a few scalar operations.
fn is_cheap(block: &Block<Plain>) -> bool {
    fn steps(block: &Block<Plain>) -> Option<usize> {
        let step = |step: &Step<Plain>| {
            if let Step::If { then, otherwise, .. } = step {
                return Some(1 + steps(then)? + steps(otherwise)?);
            }
            let cheap = matches!(
                step,
                Step::Un { .. }
                    | Step::Bin { .. }
                    | Step::Fma { .. }
                    | Step::Index { .. }
                    | Step::Length { .. }
            );
            cheap.then_some(1)
        };
        block.steps.iter().map(step).sum()
    }
    steps(block).is_some_and(|steps| steps <= CHEAP)
}

/// What a statement needs.
fn needs(stmt: &Stmt<Plain>) -> IndexSet<Need> {
    let mut needs: IndexSet<Need> = lifetimes::uses_of(stmt).into_iter().map(Need::Var).collect();
    if let Stmt::Current { acc, .. } = stmt {
        needs.insert(Need::Acc(*acc));
    }
    if let Stmt::Reserve { written, .. } = stmt {
        of_written(written, &mut needs);
    }
    needs
}

fn of_end(end: &End) -> IndexSet<Need> {
    match end {
        End::Read { acc, .. } => IndexSet::from([Need::Acc(*acc)]),
        End::Slice { vec, length } => {
            let mut needs = IndexSet::from([Need::Var(*vec)]);
            of_written(length, &mut needs);
            needs
        }
    }
}

fn of_written(written: &Written, needs: &mut IndexSet<Need>) {
    match written {
        Written::All => {}
        Written::Counted(acc) => {
            needs.insert(Need::Acc(*acc));
        }
        Written::Rows(rows, length) => {
            of_written(rows, needs);
            of_length(length, needs);
        }
    }
}

fn of_length(length: &Length, needs: &mut IndexSet<Need>) {
    match length {
        Length::Array(array) => {
            needs.insert(Need::Var(*array));
        }
        Length::Value(size) => {
            needs.extend(variable(size).map(Need::Var));
        }
        Length::Product(a, b) => {
            of_length(a, needs);
            of_length(b, needs);
        }
    }
}
