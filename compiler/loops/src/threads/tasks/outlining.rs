//! Outlining: makes functions of the tasks of a group, and calls of these functions that fork.
//!
//! A task becomes a function that has copies of the tables of the function around it. So its variables and sizes keep
//! their ids. Its parameters are the outer variables that its steps use, and its results are those variables of its own
//! that later steps use. It owns the parameters that end in it.
//!
//! Invariant: such a function is no entry, does not recurse, and is called once.
//!
//! ```text
//! { a = fold f xs; b = a * 2 } { c = fold g ys }
//! ⇒ b = fork h.2 xs; c = call h.3 ys
//! ```

use arr_abi::layout::FORKED;
use indexmap::IndexSet;

use super::groups::{Group, Task, TaskUnit, ViewSources};
use crate::concrete::def_use::{defines, shaped};
use crate::concrete::{Block, Function, Program, Step, groups};
use crate::threads::tasks::roles::may_be_work;
use arrc_fusion::cnf::{Atom, Callee, Extent, SizeDef, Type};
use arrc_syntax::ids::{FuncId, SecondaryMap, SizeId, VarId};
use arrc_syntax::names::Name;

/// A function has at most this many parts, since each has a copy of its tables. It bounds the time of the compiler. No
/// benchmark shows it alone.
const MOST: usize = 128;

/// The groups of one function.
pub(super) struct TaskOutliner<'a> {
    program: &'a mut Program,
    id: FuncId,
    /// The functions that call functions of C.
    effects: &'a SecondaryMap<FuncId, bool>,
    /// The functions that use several threads themselves.
    spread: &'a SecondaryMap<FuncId, bool>,
    /// The variables that are bound before the step.
    bound: IndexSet<VarId>,
    views: ViewSources,
    in_loop: bool,
    /// How many parts were made.
    made: usize,
}

/// The values that are live out of a task: later steps of the block use them.
struct LiveOut {
    vars: IndexSet<VarId>,
    sizes: IndexSet<SizeId>,
}

/// A function that a task becomes, with the variables that it takes and gives.
struct OutlinedTask {
    params: Vec<VarId>,
    owned: Vec<VarId>,
    results: Vec<VarId>,
}

impl<'a> TaskOutliner<'a> {
    /// Groups the steps of a function that does not recurse.
    pub(super) fn outline_tasks(
        program: &'a mut Program,
        id: FuncId,
        effects: &'a SecondaryMap<FuncId, bool>,
        spread: &'a SecondaryMap<FuncId, bool>,
    ) {
        let mut body = std::mem::take(&mut program.functions[id].body);
        let bound = program.functions[id].params.iter().copied().collect();
        let views = ViewSources::default();
        let mut parts =
            Self { program, id, effects, spread, bound, views, in_loop: false, made: 0 };
        parts.block(&mut body);
        parts.program.functions[id].body = body;
    }

    fn function(&self) -> &Function {
        &self.program.functions[self.id]
    }

    fn block(&mut self, block: &mut Block) {
        let outside = self.bound.len();
        for step in &mut block.steps {
            self.inside(step);
            self.bound.extend(defines(step));
            self.views.note(step);
        }
        self.bound.truncate(outside);
        // A group needs two steps. Without them, the variables that the steps use are not computed: in a chain of
        // branches, each block would visit all blocks inside it.
        if block.steps.iter().filter(|step| may_be_work(step)).nth(1).is_none() {
            return;
        }
        let units: Vec<_> = groups(&block.steps).map(|steps| self.unit(steps)).collect();
        let mut steps = Vec::new();
        let mut at = 0;
        while let Some(unit) = units.get(at) {
            let begins = unit.can_begin_group() && self.made + FORKED <= MOST;
            let group = if begins { Group::begin(&units, at, &self.views) } else { None };
            let made = group.and_then(|group| {
                let steps = self.forked(&units, &group, &block.results)?;
                Some((steps, group.range.end))
            });
            let (made, next) = made.unwrap_or_else(|| (unit.steps.clone(), at + 1));
            self.bound.extend(made.iter().flat_map(defines));
            steps.extend(made);
            at = next;
        }
        self.bound.truncate(outside);
        block.steps = steps;
    }

    /// The blocks in a step that runs once in its block.
    fn inside(&mut self, step: &mut Step) {
        if let Step::If { then, otherwise, .. } = step {
            self.block(then);
            self.block(otherwise);
        } else if let Step::Loop { worker, .. } = step {
            let (outside, in_loop) = (self.bound.len(), self.in_loop);
            self.bound.extend(worker.params.iter().copied());
            self.in_loop = true;
            self.block(&mut worker.body);
            self.bound.truncate(outside);
            self.in_loop = in_loop;
        }
    }

    fn unit(&self, steps: &[Step]) -> TaskUnit {
        TaskUnit::new(steps, (self.program, self.function()), self.in_loop, |call| {
            self.may_call(call)
        })
    }

    /// Whether a call of a recursive function may run beside passes: its arrays tell how much work it has, and it uses
    /// one thread.
    fn may_call(&self, call: &Step) -> bool {
        let Step::Call { callee: Callee::Function(callee), .. } = call else { return false };
        self.program.functions[*callee].recursive
            && !self.effects[*callee]
            && !self.spread[*callee]
            && !self.program.measures(self.function(), call).is_empty()
    }

    /// The steps of a group, with its tasks as calls that fork; none if a task cannot be a function.
    fn forked(&mut self, units: &[TaskUnit], group: &Group, results: &[Atom]) -> Option<Vec<Step>> {
        let before: Vec<_> = steps(units, &group.before).collect();
        let outside = self.bound.len();
        self.bound.extend(before.iter().flat_map(|step| defines(step)));
        let later = self.live_out(units, group, results);
        let parts: Option<Vec<_>> =
            group.tasks.iter().map(|task| self.part(units, task, &later)).collect();
        self.bound.truncate(outside);
        let tasks = group.tasks.iter().zip(parts?);
        let mut calls: Vec<_> = tasks.map(|(task, part)| self.call(units, task, part)).collect();
        let last = calls.len() - 1;
        for call in &mut calls[..last] {
            if let Step::Call { forks, .. } = call {
                *forks = true;
            }
        }
        let behind = steps(units, &group.behind.units);
        let around = before.into_iter().cloned();
        Some(around.chain(calls).chain(behind.cloned()).collect())
    }

    /// What the steps behind the tasks of a group use.
    fn live_out(&self, units: &[TaskUnit], group: &Group, results: &[Atom]) -> LiveOut {
        let rest = group.range.end..units.len();
        let places: Vec<_> = group.behind.units.iter().copied().chain(rest).collect();
        let mut later = LiveOut { vars: IndexSet::new(), sizes: IndexSet::new() };
        later.vars.extend(results.iter().filter_map(|result| match result {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        }));
        later.vars.extend(places.iter().flat_map(|&place| &units[place].uses));
        for step in steps(units, &places) {
            self.need_shapes(step, &mut later);
        }
        later
    }

    /// Notes the sizes in the shapes of arrays that a step makes, and the variables that have them.
    fn need_shapes(&self, step: &Step, needs: &mut LiveOut) {
        let tables = &self.function().tables;
        for var in shaped(step) {
            for &extent in tables.vars[var].ty.shape() {
                self.need(extent, needs);
            }
        }
    }

    fn need(&self, extent: Extent, needs: &mut LiveOut) {
        let Extent::Size(size) = extent else { return };
        if !needs.sizes.insert(size) {
            return;
        }
        match self.function().tables.sizes[size].def {
            SizeDef::Param | SizeDef::Exists => {}
            SizeDef::Value(var) => {
                needs.vars.insert(var);
            }
            SizeDef::Sum(left, right) | SizeDef::Product(left, right) => {
                self.need(left, needs);
                self.need(right, needs);
            }
        }
    }

    /// The variables that a task takes and gives. None if a size would not be known in it or behind it, or if it reads
    /// a view of an array that ends in it.
    fn part(&self, units: &[TaskUnit], task: &Task, later: &LiveOut) -> Option<OutlinedTask> {
        let own: IndexSet<_> =
            task.units.iter().flat_map(|&at| &units[at].defines).copied().collect();
        let ended: IndexSet<_> =
            task.units.iter().flat_map(|&at| &units[at].ends).copied().collect();
        let mut needs = LiveOut { vars: IndexSet::new(), sizes: IndexSet::new() };
        needs.vars.extend(task.units.iter().flat_map(|&at| &units[at].uses));
        steps(units, &task.units).for_each(|step| self.need_shapes(step, &mut needs));
        let outer = |var: &&VarId| !own.contains(*var) && self.bound.contains(*var);
        let mut params: IndexSet<_> = needs.vars.iter().filter(outer).copied().collect();
        for &size in &needs.sizes {
            let is_made = own.iter().any(|&var| self.counts(var, size));
            if self.is_of_array(size) && !is_made && !self.is_known(size, &params) {
                params.insert(self.array_of(size)?);
            }
        }
        let owned: Vec<_> = params.iter().filter(|&var| ended.contains(var)).copied().collect();
        // The array is freed while the view, which the function only borrows, can still be read.
        let is_behind =
            |var: &VarId| self.views.contains(*var) && owned.contains(&self.views.root(*var));
        let results: Vec<_> = own.iter().filter(|&var| later.vars.contains(var)).copied().collect();
        let is_lost = |&size: &SizeId| {
            let is_known = self.is_known(size, &self.bound) || self.is_known(size, &results);
            self.is_of_array(size) && self.is_known(size, &own) && !is_known
        };
        let is_whole = !params.iter().any(is_behind) && !later.sizes.iter().any(is_lost);
        is_whole.then(|| OutlinedTask { params: params.into_iter().collect(), owned, results })
    }

    /// Whether a size is known from the shape of an array only.
    fn is_of_array(&self, size: SizeId) -> bool {
        matches!(self.function().tables.sizes[size].def, SizeDef::Param | SizeDef::Exists)
    }

    /// Whether one of some variables is an array that has a size in its shape.
    fn is_known<'v>(&self, size: SizeId, vars: impl IntoIterator<Item = &'v VarId>) -> bool {
        vars.into_iter().any(|&var| self.has_size(var, size))
    }

    /// Whether a size is the number of elements of an array, or of rows of an array.
    fn counts(&self, var: VarId, size: SizeId) -> bool {
        self.function().tables.vars[var].ty.shape().first() == Some(&Extent::Size(size))
    }

    fn has_size(&self, var: VarId, size: SizeId) -> bool {
        self.function().tables.vars[var].ty.shape().contains(&Extent::Size(size))
    }

    /// A parameter of the function that has a size in its shape, and that is alive to the end.
    fn array_of(&self, size: SizeId) -> Option<VarId> {
        let function = self.function();
        let mut params = function.params.iter().copied();
        params.find(|&param| self.has_size(param, size) && !function.owned.contains(&param))
    }

    /// The call that a task becomes.
    fn call(&mut self, units: &[TaskUnit], task: &Task, part: OutlinedTask) -> Step {
        let mut steps: Vec<_> = steps(units, &task.units).cloned().collect();
        if task.is_call {
            return steps.remove(0);
        }
        let OutlinedTask { params, owned, results } = part;
        let atoms = |vars: &[VarId]| vars.iter().copied().map(Atom::Var).collect::<Vec<_>>();
        let function = self.function();
        let types = results.iter().map(|&var| function.tables.vars[var].ty.clone());
        let made = Function {
            name: self.name(),
            span: function.span,
            params: params.clone(),
            owned,
            appends: Vec::new(),
            results: types.collect::<Vec<Type>>(),
            body: Block { steps, results: atoms(&results) },
            tables: function.tables.clone(),
            recursive: false,
        };
        let span = function.span;
        self.made += 1;
        let callee = Callee::Function(self.program.functions.push(made));
        Step::Call { forks: false, vars: results, callee, args: atoms(&params), span }
    }

    /// A name for a function that no other function has.
    fn name(&self) -> Name {
        let of = &self.function().name;
        let mut names = (2..).map(|number| format!("{of}.{number}"));
        let is_free = |name: &String| self.program.functions.values().all(|of| of.name != *name);
        names.find(is_free).expect("there is no last number").into()
    }
}

/// The steps of some units.
fn steps<'u>(units: &'u [TaskUnit], places: &[usize]) -> impl Iterator<Item = &'u Step> {
    places.iter().flat_map(|&place| &units[place].steps)
}
