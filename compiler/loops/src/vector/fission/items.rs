//! The statements, loops and guards of a pass, and those that each result needs.
//!
//! Invariant: the statements, loops and guards inside the pass's loop are numbered in the order of the text: the
//! statements of a body, then its nests, each nest before its contents.

use indexmap::{IndexMap, IndexSet};

use crate::concrete::def_use;
use crate::concrete::{
    Block, End, Guard, Length, Loop, Nest, Plain, Procedure, Step, Stmt, VisitPlace, VisitStmt,
    Worker,
};
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{AccId, PrimaryMap, VarId};

/// A worker with more steps is not copied. No benchmark shows it alone.
const CHEAP: usize = 16;

/// A dependence: a value that one statement makes and another one needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Dependence {
    /// A variable; a vector stands for its elements.
    Var(VarId),
    /// An accumulator.
    Acc(AccId),
}

/// A statement, a loop or a guard.
struct Item {
    needs: IndexSet<Dependence>,
    /// The loop or guard around it.
    parent: Option<usize>,
    /// Whether it may be in several parts.
    copied: bool,
}

/// The items of a pass.
pub(super) struct Items {
    items: Vec<Item>,
    makers: IndexMap<Dependence, Vec<usize>>,
    ends: Vec<IndexSet<Dependence>>,
}

impl Items {
    /// The items of a pass. There are none if a worker mentions the counter of the pass's loop, since each part has a
    /// counter of its own.
    pub(super) fn new(pass: &Procedure<Plain>, vars: &PrimaryMap<VarId, Var>) -> Option<Self> {
        let mut items = Self { items: Vec::new(), makers: IndexMap::new(), ends: Vec::new() };
        let mut captured = IndexSet::new();
        items.body(&pass.nest.body, &pass.nest.inner, None, (vars, &mut captured));
        if captured.contains(&pass.nest.counter) {
            return None;
        }
        // A copy would have another name, which the worker does not know.
        for var in captured {
            for &maker in items.makers.get(&Dependence::Var(var)).into_iter().flatten() {
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

    /// The items that some ends of the pass depend on.
    pub(super) fn dependencies_of(&self, ends: &[usize]) -> impl Iterator<Item = usize> {
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
            Dependence::Acc(acc) => {
                makers.iter().any(|maker| items.contains(maker)).then_some(*acc)
            }
            Dependence::Var(_) => None,
        });
        written.collect()
    }

    fn makers_of<'a>(
        &'a self,
        needs: &'a IndexSet<Dependence>,
    ) -> impl Iterator<Item = usize> + 'a {
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
            captured.extend(worker(stmt).into_iter().flat_map(def_use::uses_in));
            self.add(makes, Item { needs: needs(stmt), parent, copied });
        }
        for nest in inner {
            match nest {
                Nest::Loop(Loop { counter, length, body, inner, .. }) => {
                    let item = Item { needs: of_length(length), parent, copied: true };
                    let at = self.add(vec![Dependence::Var(*counter)], item);
                    self.body(body, inner, Some(at), (vars, captured));
                }
                Nest::Guard(Guard { index, counter, flag, body, inner, .. }) => {
                    let needs = flag.as_var().map(Dependence::Var).into_iter().collect();
                    let makes = vec![Dependence::Var(*index), Dependence::Acc(*counter)];
                    let at = self.add(makes, Item { needs, parent, copied: true });
                    self.body(body, inner, Some(at), (vars, captured));
                }
            }
        }
    }

    fn add(&mut self, makes: Vec<Dependence>, item: Item) -> usize {
        let at = self.items.len();
        makes.into_iter().for_each(|need| self.makers.entry(need).or_default().push(at));
        self.items.push(item);
        at
    }
}

/// What a statement makes, and whether it may be in several parts.
fn made(stmt: &Stmt<Plain>, vars: &PrimaryMap<VarId, Var>) -> (Vec<Dependence>, bool) {
    let mut made = Definitions { needs: Vec::new(), only_binds: true };
    stmt.visit(&mut made);
    let scalars = stmt.defines().iter().all(|&elem| !vars[elem].ty.is_array());
    let cheap = worker(stmt).is_none_or(|worker| is_cheap(&worker.body));
    (made.needs, made.only_binds && scalars && cheap)
}

/// What a statement makes.
struct Definitions {
    needs: Vec<Dependence>,
    /// Whether it only binds elements, and looks at no accumulator.
    only_binds: bool,
}

impl VisitPlace<'_> for Definitions {
    fn acc(&mut self, _: &AccId) {
        self.only_binds = false;
    }
}

impl VisitStmt<'_, Plain> for Definitions {
    fn vec(&mut self, vec: &VarId) {
        self.only_binds = false;
        self.needs.push(Dependence::Var(*vec));
    }

    fn change(&mut self, acc: &AccId) {
        self.only_binds = false;
        self.needs.push(Dependence::Acc(*acc));
    }

    fn define(&mut self, elem: &VarId) {
        self.needs.push(Dependence::Var(*elem));
    }
}

fn worker(stmt: &Stmt<Plain>) -> Option<&Worker<Plain>> {
    let (Stmt::Apply { worker, .. } | Stmt::Update { worker, .. }) = stmt else { return None };
    Some(worker)
}

/// Whether a worker is a few scalar operations.
fn is_cheap(block: &Block<Plain>) -> bool {
    let counts = |step: &Step<Plain>| {
        matches!(step, Step::Scalar { .. } | Step::Index { .. } | Step::Length { .. })
    };
    block.number_of_steps(&counts).is_some_and(|steps| steps <= CHEAP)
}

/// Collects what positions, lengths and statements need.
#[derive(Default)]
struct DependenceCollector(IndexSet<Dependence>);

impl VisitPlace<'_> for DependenceCollector {
    fn atom(&mut self, atom: &Atom) {
        self.0.extend(atom.as_var().map(Dependence::Var));
    }

    fn array(&mut self, array: &VarId) {
        self.0.insert(Dependence::Var(*array));
    }

    fn index(&mut self, index: &VarId) {
        self.0.insert(Dependence::Var(*index));
    }

    fn acc(&mut self, acc: &AccId) {
        self.0.insert(Dependence::Acc(*acc));
    }
}

impl VisitStmt<'_, Plain> for DependenceCollector {
    fn worker(&mut self, worker: &Worker<Plain>) {
        self.0.extend(def_use::uses_in(worker).into_iter().map(Dependence::Var));
    }
}

fn needs(stmt: &Stmt<Plain>) -> IndexSet<Dependence> {
    let mut needs = DependenceCollector::default();
    stmt.visit(&mut needs);
    needs.0
}

fn of_length(length: &Length) -> IndexSet<Dependence> {
    let mut needs = DependenceCollector::default();
    length.visit(&mut needs);
    needs.0
}

fn of_end(end: &End) -> IndexSet<Dependence> {
    match end {
        End::Read { acc, .. } => IndexSet::from([Dependence::Acc(*acc)]),
        End::Slice { vec, length } => {
            let mut needs = DependenceCollector(IndexSet::from([Dependence::Var(*vec)]));
            length.visit(&mut needs);
            needs.0
        }
    }
}
