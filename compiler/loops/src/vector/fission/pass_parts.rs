//! The part of a pass that makes some of its results.
//!
//! Invariant: each part has its own names for the variables that several parts bind; all other variables keep their
//! names.

use indexmap::{IndexMap, IndexSet};

use super::items::Items;
use crate::concrete::{End, Guard, Loop, Names, Nest, Plain, Procedure, Start, Stmt, Worker};
use crate::procedure::Acc;
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{AccId, PrimaryMap, VarId};

/// The parts of a pass, made one after the other.
pub(super) struct PassParts<'a> {
    pass: &'a Procedure<Plain>,
    vars: &'a mut PrimaryMap<VarId, Var>,
    /// The items that earlier parts contain.
    done: Vec<bool>,
    is_first: bool,
}

/// One part in the making.
struct PassPart<'s> {
    vars: &'s mut PrimaryMap<VarId, Var>,
    done: &'s mut [bool],
    /// The items that it contains.
    kept: IndexSet<usize>,
    /// The number of the next item.
    next: usize,
    names: IndexMap<VarId, VarId>,
    accs: IndexMap<AccId, AccId>,
}

impl<'a> PassParts<'a> {
    pub(super) fn new(
        pass: &'a Procedure<Plain>,
        vars: &'a mut PrimaryMap<VarId, Var>,
        items: usize,
    ) -> Self {
        Self { pass, vars, done: vec![false; items], is_first: true }
    }

    /// The part with these ends of the pass.
    pub(super) fn slice(&mut self, ends: &[usize], items: &Items) -> Procedure<Plain> {
        let Procedure { name, accs, slices, start, nest, end, yields } = self.pass;
        let end: Vec<_> = ends.iter().map(|&at| &end[at]).collect();
        let made: IndexSet<VarId> = end.iter().map(|end| result(end)).collect();
        let is_first = std::mem::take(&mut self.is_first);
        let mut slice = PassPart {
            vars: self.vars,
            done: &mut self.done,
            kept: items.dependencies_of(ends).collect(),
            next: 0,
            names: IndexMap::new(),
            accs: IndexMap::new(),
        };
        let mut new_accs = PrimaryMap::new();
        let written = items.accs_written(&slice.kept);
        for (acc, info) in accs.iter().filter(|(acc, _)| written.contains(acc)) {
            slice.accs.insert(acc, new_accs.push(Acc::clone(info)));
        }
        let start = start.iter().filter_map(|start| match start {
            // Sizes are checked once, before all parts.
            Start::CheckSize { .. } => is_first.then(|| start.clone()),
            Start::NewVec { vec, .. } => made.contains(vec).then(|| start.clone()),
            Start::NewAcc { acc, init } => {
                slice.accs.get(acc).map(|&acc| Start::NewAcc { acc, init: *init })
            }
        });
        let start = start.collect();
        let Loop { counter, length, most, body, inner, .. } = nest;
        let new_counter = if is_first { *counter } else { slice.fresh(*counter) };
        let (body, inner) = slice.body(body, inner);
        let end = end.into_iter().map(|end| slice.end(end)).collect();
        Procedure {
            name: name.clone(),
            accs: new_accs,
            slices: *slices,
            start,
            nest: Loop {
                counter: new_counter,
                length: length.clone(),
                most: *most,
                collapsed: 0,
                body,
                inner,
                release: Vec::new(),
                ranges: Vec::new(),
            },
            end,
            yields: yields.iter().copied().filter(|var| made.contains(var)).collect(),
        }
    }
}

/// The variable that an end binds.
fn result(end: &End) -> VarId {
    match end {
        End::Read { result, .. } => *result,
        End::Slice { vec, .. } => *vec,
    }
}

impl PassPart<'_> {
    /// A new variable in place of one that several parts bind.
    fn fresh(&mut self, var: VarId) -> VarId {
        let new = self.vars.push(self.vars[var].clone());
        self.names.insert(var, new);
        new
    }

    /// The variable that a part binds: the old one, or a new one if an earlier part binds the old one.
    fn bound(&mut self, var: VarId, again: bool) -> VarId {
        if again { self.fresh(var) } else { var }
    }

    /// Goes on to the next item. Gives nothing if this part does not contain it, and otherwise whether an earlier part
    /// does.
    fn item(&mut self) -> Option<bool> {
        let at = self.next;
        self.next += 1;
        self.kept.contains(&at).then(|| std::mem::replace(&mut self.done[at], true))
    }

    fn body(
        &mut self,
        body: &[Stmt<Plain>],
        inner: &[Nest<Plain>],
    ) -> (Vec<Stmt<Plain>>, Vec<Nest<Plain>>) {
        let mut stmts = Vec::new();
        for stmt in body {
            if let Some(again) = self.item() {
                stmts.push(self.stmt(stmt, again));
            }
        }
        let mut nests = Vec::new();
        for nest in inner {
            nests.extend(self.nest(nest));
        }
        (stmts, nests)
    }

    fn nest(&mut self, nest: &Nest<Plain>) -> Option<Nest<Plain>> {
        let item = self.item();
        match nest {
            Nest::Loop(Loop { counter, length, most, body, inner, .. }) => {
                let length = length.renamed(&mut PartNames { slice: self, again: false });
                let counter = self.bound(*counter, item == Some(true));
                let (body, inner) = self.body(body, inner);
                item.map(|_| {
                    let (release, ranges) = (Vec::new(), Vec::new());
                    let (most, collapsed) = (*most, 0);
                    Nest::Loop(Loop {
                        counter,
                        length,
                        most,
                        collapsed,
                        body,
                        inner,
                        release,
                        ranges,
                    })
                })
            }
            Nest::Guard(Guard { index, counter, flag, body, inner, .. }) => {
                let flag = self.atom(*flag);
                let index = self.bound(*index, item == Some(true));
                let (body, inner) = self.body(body, inner);
                item.map(|_| {
                    let (counter, release) = (self.acc(*counter), Vec::new());
                    Nest::Guard(Guard { index, counter, flag, body, inner, release })
                })
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt<Plain>, again: bool) -> Stmt<Plain> {
        let mut stmt = stmt.clone();
        stmt.rename(&mut PartNames { slice: self, again });
        stmt
    }

    fn end(&mut self, end: &End) -> End {
        match end {
            End::Read { result, acc } => End::Read { result: *result, acc: self.acc(*acc) },
            End::Slice { vec, length } => {
                let length = length.renamed(&mut PartNames { slice: self, again: false });
                End::Slice { vec: *vec, length }
            }
        }
    }

    fn acc(&self, acc: AccId) -> AccId {
        self.accs[&acc]
    }

    fn var(&self, var: VarId) -> VarId {
        self.names.get(&var).copied().unwrap_or(var)
    }

    fn atom(&self, atom: Atom) -> Atom {
        match atom {
            Atom::Const(_) => atom,
            Atom::Var(var) => Atom::Var(self.var(var)),
        }
    }
}

/// Gives the variables that a statement uses and binds their names in the part.
struct PartNames<'p, 's> {
    slice: &'p mut PassPart<'s>,
    /// Whether an earlier part contains the statement too.
    again: bool,
}

impl Names<Plain> for PartNames<'_, '_> {
    fn var(&self, var: VarId) -> VarId {
        self.slice.var(var)
    }

    fn acc(&self, acc: AccId) -> AccId {
        self.slice.acc(acc)
    }

    fn bound(&mut self, var: VarId) -> VarId {
        self.slice.bound(var, self.again)
    }

    fn worker(&mut self, worker: &mut Worker<Plain>) {
        if self.again {
            worker.params.iter_mut().for_each(|param| *param = self.bound(*param));
            worker.body.rename(self);
        }
    }
}
