//! The walk over a pass that resolves names: what each statement and step accesses.
//!
//! Invariant: each use of an array is an access or gives it another name. A step that is not known is an
//! [`Kind::Escape`] of all arrays that it uses.
//!
//! ```text
//! r = row a[i]; x = r[j + 1]      read a[i, j + 1]
//! ```

use arrc_fusion::cnf::{Atom, Extent, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use indexmap::IndexMap;

use super::views::View;
use super::{Access, AccessLoop, Accesses, Affine, Kind, LoopIndex, Place, Positions};
use crate::affine::AffineForms;
use crate::concrete::def_use;
use crate::concrete::{
    Block, Guard, Length, Loop, LoopForm, Memory, Nest, Phase, Position, Procedure, RowLocation,
    Start, Step, Stmt, Worker,
};

/// What is known where a pass begins: the numbers that steps computed, and the arrays that views show.
#[derive(Default)]
pub struct Context<'a> {
    /// The context around.
    outer: Option<&'a Context<'a>>,
    forms: AffineForms<'a>,
    views: IndexMap<VarId, View>,
}

impl<'a> Context<'a> {
    /// The same context, to add to it.
    #[must_use]
    pub fn inside(&'a self) -> Self {
        Self { outer: Some(self), forms: self.forms.inside(), views: IndexMap::new() }
    }

    /// Notes a step before the pass, of its block or of one around.
    pub fn note_step<P: Phase>(&mut self, step: &Step<P>, vars: &PrimaryMap<VarId, Var>) {
        self.forms.note_step(step);
        match step {
            Step::Row { var, array, indices, .. } => {
                let view = self.view(*array, vars).at(&self.numbers(indices));
                self.views.insert(*var, view);
            }
            Step::Slice { var, array, indices, count } => {
                let (first, row) = indices.split_last().expect("a slice begins somewhere");
                let row = self.view(*array, vars).at(&self.numbers(row));
                let [first, count] = [*first, *count].map(|number| self.forms.of(number));
                self.views.insert(*var, row.slice(first.as_ref(), count.as_ref()));
            }
            Step::Reshape { var, array, .. } => {
                let view = self.view(*array, vars).unknown();
                self.views.insert(*var, view);
            }
            Step::Scalar { .. }
            | Step::Index { .. }
            | Step::Length { .. }
            | Step::Assert { .. }
            | Step::If { .. }
            | Step::Call { .. }
            | Step::Append { .. }
            | Step::Array { .. }
            | Step::Sort { .. }
            | Step::Constant { .. }
            | Step::Loop { .. }
            | Step::Replace { .. }
            | Step::Copy { .. }
            | Step::Unique { .. }
            | Step::Share { .. }
            | Step::Release { .. }
            | Step::Pass(_) => {}
        }
    }

    /// Notes that a pass makes a vector in the place of a part of an array: the part at these indices.
    pub fn place_part(
        &mut self,
        vec: VarId,
        (array, indices): (VarId, &[Atom]),
        vars: &PrimaryMap<VarId, Var>,
    ) {
        let view = self.view(array, vars).at(&self.numbers(indices));
        self.views.insert(vec, view);
    }

    /// As [`Self::place_part`], for a window that begins at the indices and has these extents in the last dimensions.
    pub fn place_window(&mut self, vec: VarId, array: VarId, indices: &[Atom], extents: &[Atom]) {
        let [indices, extents] = [indices, extents].map(|numbers| self.numbers(numbers));
        self.views.insert(vec, View::window(array, indices, extents));
    }

    /// The positions of the base that a name shows.
    #[must_use]
    pub fn region(&self, name: VarId, vars: &PrimaryMap<VarId, Var>) -> Vec<Positions> {
        self.view(name, vars).region()
    }

    fn numbers(&self, atoms: &[Atom]) -> Vec<Option<Affine>> {
        atoms.iter().map(|&atom| self.forms.of(atom)).collect()
    }

    /// What a name shows.
    fn view(&self, array: VarId, vars: &PrimaryMap<VarId, Var>) -> View {
        let known = std::iter::successors(Some(self), |inner| inner.outer)
            .find_map(|inner| inner.views.get(&array));
        known.cloned().unwrap_or_else(|| View::whole(array, vars[array].ty.rank()))
    }
}

impl Accesses {
    /// The accesses of a pass.
    #[must_use]
    pub fn of_pass<P: Phase>(
        pass: &Procedure<P>,
        context: &Context<'_>,
        vars: &PrimaryMap<VarId, Var>,
    ) -> Self {
        let found = Self::default();
        let (context, reads) = (context.inside(), IndexMap::new());
        let mut resolver = Resolver { vars, context, found, path: Vec::new(), choices: 0, reads };
        resolver.pass(pass);
        resolver.found
    }
}

struct Resolver<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    context: Context<'a>,
    found: Accesses,
    path: Vec<Place>,
    /// The number of choices so far.
    choices: usize,
    /// For each element that was read, its access.
    reads: IndexMap<VarId, usize>,
}

impl Resolver<'_> {
    /// An access of a part of a view.
    fn access(&mut self, by: VarId, indices: &[Option<Affine>], kind: Kind) {
        let view = self.view(by).at(indices);
        let (base, region) = (view.base, view.region());
        let path = self.path.clone();
        self.found.list.push(Access { base, by, region, kind, path, stores: None });
    }

    fn read(&mut self, elem: VarId, array: VarId, indices: &[Option<Affine>]) {
        if self.is_array(elem) {
            let view = self.view(array).at(indices);
            self.context.views.insert(elem, view);
            self.found.names.insert(elem, array);
        } else {
            self.reads.insert(elem, self.found.list.len());
            self.access(array, indices, Kind::Read(Some(elem)));
        }
    }

    fn write(&mut self, vec: VarId, index: &Position, elem: Atom) {
        let stores = self.read_before(elem);
        self.access(vec, &[self.position(index)], Kind::Write(elem));
        self.found.list.last_mut().expect("the access was added").stores = stores;
    }

    /// The elements that a value was read from, if they are known.
    fn read_before(&self, value: Atom) -> Option<(VarId, Vec<Positions>)> {
        if let Some(array) = self.as_array(value) {
            let view = self.view(array);
            return Some((view.base, view.region()));
        }
        let form = self.context.forms.of(value)?;
        let read = form.as_symbol().and_then(|symbol| self.reads.get(&symbol))?;
        let Access { base, region, .. } = &self.found.list[*read];
        Some((*base, region.clone()))
    }

    /// Reads all elements that a name shows.
    fn whole(&mut self, atom: Atom) {
        if let Some(array) = self.as_array(atom) {
            self.access(array, &[], Kind::Read(None));
        }
    }

    fn escape(&mut self, atom: Atom) {
        if let Some(array) = self.as_array(atom) {
            self.access(array, &[], Kind::Escape);
        }
    }

    fn view(&self, array: VarId) -> View {
        self.context.view(array, self.vars)
    }

    /// Notes that a name has the value of an atom.
    fn rename(&mut self, var: VarId, to: Atom) {
        if let Some(array) = self.as_array(to) {
            let view = self.view(array);
            self.context.views.insert(var, view);
            self.found.names.insert(var, array);
        } else {
            self.context.forms.rename(var, to);
        }
    }

    fn rename_all(&mut self, vars: &[VarId], to: &[Atom]) {
        vars.iter().zip(to).for_each(|(&var, &to)| self.rename(var, to));
    }

    fn is_array(&self, var: VarId) -> bool {
        self.vars[var].ty.is_array()
    }

    fn as_array(&self, atom: Atom) -> Option<VarId> {
        atom.as_var().filter(|&var| self.is_array(var))
    }

    /// Notes that steps of the current loop bind numbers.
    fn bind(&mut self, vars: impl IntoIterator<Item = VarId>) {
        if let Some(home) = self.innermost() {
            self.found.homes.extend(vars.into_iter().map(|var| (var, home)));
        }
    }

    fn innermost(&self) -> Option<LoopIndex> {
        self.path.iter().rev().find_map(|place| match place {
            Place::Loop(of) => Some(*of),
            Place::Branch { .. } => None,
        })
    }

    fn in_loop(&mut self, counter: Option<VarId>, inside: impl FnOnce(&mut Self)) {
        let of = self.found.loops.len();
        self.found.loops.push(AccessLoop { counter, parent: self.innermost() });
        self.path.push(Place::Loop(of));
        self.bind(counter);
        inside(self);
        self.path.pop();
    }

    /// The bodies of a choice, of which one runs.
    fn choice<T>(&mut self, arms: Vec<T>, inside: impl Fn(&mut Self, T)) {
        let choice = self.choices;
        self.choices += 1;
        for (arm, body) in arms.into_iter().enumerate() {
            self.path.push(Place::Branch { choice, arm });
            inside(self, body);
            self.path.pop();
        }
    }

    fn pass<P: Phase>(&mut self, pass: &Procedure<P>) {
        for start in &pass.start {
            match start {
                Start::CheckSize { .. } => {}
                Start::NewAcc { init, .. } => self.escape(*init),
                Start::NewVec { vec, memory, .. } => self.memory(*vec, memory),
            }
        }
        self.counted_loop(&pass.nest);
        self.bind(pass.yields.iter().copied());
    }

    /// The place of a new vector or array.
    fn memory<P: Phase>(&mut self, vec: VarId, memory: &Memory<P>) {
        match memory {
            Memory::New | Memory::Scratch | Memory::DoubleBuffer => {}
            Memory::Row(RowLocation { vec: of, index, over: _ }) => {
                let view = self.view(*of).at(&[self.position(index)]);
                self.context.views.insert(vec, view);
            }
            Memory::Over(array) | Memory::Behind(array) => {
                self.escape(Atom::Var((*array).into()));
            }
            Memory::Part(part) => self.escape(Atom::Var(part.array.into())),
        }
    }

    /// An array that a step makes at once, perhaps in its place.
    fn made<P: Phase>(&mut self, var: VarId, memory: &Memory<P>) {
        self.memory(var, memory);
        self.access(var, &[], Kind::Write(Atom::Var(var)));
    }

    fn counted_loop<P: Phase>(&mut self, nest: &Loop<P>) {
        self.in_loop(Some(nest.counter), |inside| {
            inside.choice(nest.variants().collect(), |inside, (body, inner)| {
                inside.body(body, inner);
            });
        });
    }

    fn body<P: Phase>(&mut self, body: &[Stmt<P>], inner: &[Nest<P>]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
        for nest in inner {
            match nest {
                Nest::Loop(nest) => self.counted_loop(nest),
                Nest::Guard(Guard { index, body, inner, .. }) => {
                    if let Some(around) = self.innermost() {
                        self.found.guards.insert(*index, around);
                    }
                    self.bind([*index]);
                    self.body(body, inner);
                }
            }
        }
    }

    fn stmt<P: Phase>(&mut self, stmt: &Stmt<P>) {
        self.bind(stmt.defines());
        match stmt {
            Stmt::Next { elem, index, array } => self.read(*elem, *array, &[self.position(index)]),
            Stmt::Read { elem, array, index, .. } => {
                self.read(*elem, *array, &[self.context.forms.of(*index)]);
            }
            Stmt::Position { elem, index } => {
                if let Some(form) = self.position(index) {
                    self.context.forms.set(*elem, form);
                }
            }
            Stmt::Copy { elem, from } => self.rename(*elem, *from),
            Stmt::Apply { elems, worker, args } => {
                self.worker(worker, &worker.params, args);
                self.rename_all(elems, &worker.body.results);
            }
            Stmt::Update { accs, worker, args, .. } => {
                self.worker(worker, &worker.params[accs.len()..], args);
                worker.body.results.iter().for_each(|&result| self.escape(result));
            }
            Stmt::Current { .. } | Stmt::Reserve { .. } => {}
            Stmt::Write { vec, index, elem, placed } => {
                if !placed {
                    self.whole(*elem);
                    self.write(*vec, index, *elem);
                }
            }
        }
    }

    fn worker<P: Phase>(&mut self, worker: &Worker<P>, params: &[VarId], args: &[Atom]) {
        self.bind(worker.params.iter().copied());
        self.rename_all(params, args);
        self.block(&worker.body);
    }

    fn block<P: Phase>(&mut self, block: &Block<P>) {
        block.steps.iter().for_each(|step| self.step(step));
    }

    fn step<P: Phase>(&mut self, step: &Step<P>) {
        self.bind(def_use::defines(step));
        self.context.note_step(step, self.vars);
        self.found.names.extend(step.view());
        match step {
            Step::Scalar { .. }
            | Step::Row { .. }
            | Step::Slice { .. }
            | Step::Reshape { .. }
            | Step::Length { .. }
            | Step::Assert { .. }
            | Step::Constant { .. }
            | Step::Release { .. } => {}
            Step::Index { var, array, indices, .. } => {
                self.read(*var, *array, &self.context.numbers(indices));
            }
            Step::If { then, otherwise, .. } => {
                self.choice(vec![then, otherwise], |inside, branch| {
                    inside.block(branch);
                    branch.results.iter().for_each(|&result| inside.escape(result));
                });
            }
            Step::Call { args, .. } => args.iter().for_each(|&arg| self.escape(arg)),
            Step::Append { var, extends, parts, memory, .. } => {
                parts.iter().for_each(|&part| self.whole(Atom::Var(part)));
                extends.iter().for_each(|&array| self.escape(Atom::Var(array.into())));
                self.made(*var, memory);
            }
            Step::Array { var, elems, memory, .. } => {
                elems.iter().for_each(|&elem| self.whole(elem));
                self.made(*var, memory);
            }
            Step::Sort { var, array, memory, .. } => {
                self.whole(Atom::Var(*array));
                self.made(*var, memory);
            }
            Step::Copy { var, array, memory, .. } => {
                self.whole(Atom::Var((*array).into()));
                self.made(*var, memory);
            }
            Step::Loop { form, init, worker, .. } => self.repeated(form, init, worker),
            Step::Replace { array, value, .. } => {
                self.whole(*value);
                self.escape(Atom::Var(*array));
            }
            Step::Unique { array, .. } => self.escape(Atom::Var((*array).into())),
            Step::Share { array, .. } => self.escape(Atom::Var(*array)),
            Step::Pass(pass) => self.pass(pass),
        }
    }

    fn repeated<P: Phase>(&mut self, form: &LoopForm<P>, init: &[Atom], worker: &Worker<P>) {
        init.iter().for_each(|&init| self.escape(init));
        let counter = match form {
            LoopForm::For { .. } => worker.params.last().copied(),
            LoopForm::While { .. } => None,
        };
        self.in_loop(counter, |inside| {
            if let LoopForm::While { cond } = form {
                inside.worker(cond, &[], &[]);
            }
            inside.worker(worker, &[], &[]);
            worker.body.results.iter().for_each(|&result| inside.escape(result));
        });
    }

    /// The form of a position. That of a product is one if the length is a constant.
    fn position(&self, position: &Position) -> Option<Affine> {
        match position {
            Position::Var(index) => self.context.forms.of(Atom::Var(*index)),
            Position::Product { outer, length, inner } => {
                let rows = self.position(outer)?;
                let inner = self.context.forms.of(Atom::Var(*inner))?;
                Some(inner.plus(self.constant(length)?, &rows))
            }
        }
    }

    fn constant(&self, length: &Length) -> Option<i64> {
        match length {
            Length::Array(array) => match self.vars[*array].ty.shape() {
                [Extent::Const(extent), ..] => Some(*extent),
                _ => None,
            },
            Length::Value(number) => self.context.forms.of(*number)?.as_constant(),
            Length::Product(left, right) => self.constant(left)?.checked_mul(self.constant(right)?),
        }
    }
}
