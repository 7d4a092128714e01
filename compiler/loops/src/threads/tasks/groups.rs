//! Finds the steps of a block that may run at the same time, and puts them into tasks.
//!
//! A step belongs to the task whose results it uses. A pass, loop or call that uses none begins a task. Other steps
//! that use none come before all tasks, or go into the last task if they may fail. Assertions that use none come before
//! all tasks: a later task may read what they make safe, and tasks begin before those in front of them have ended.
//! Releases, and operations on the results of several tasks, come behind all tasks.
//!
//! Invariant: the tasks of a group use no results of each other, and an array that ends in a task is used by no other
//! task. Other steps that may fail keep their order: the steps of a task come before those of the next one. So the
//! first failure in the order of the tasks is the first failure in the order of the group's steps.
//!
//! ```text
//! a = fold f xs; m = length ys; b = a * 2; c = fold g ys      ⇒   m = length ys; { a = fold f xs; b = a * 2 } { c = fold g ys }
//! ```

use std::ops::Range;

use arr_abi::layout::FORKED;
use indexmap::{IndexMap, IndexSet};

use crate::concrete::def_use::{defines, uses};
use crate::concrete::{Block, Function, Program, Step};
use crate::threads::tasks::roles::{StepRole, ends};
use arrc_syntax::ids::VarId;

/// A group has at most this many steps, so that long blocks take no quadratic time. No benchmark shows it alone.
const LONGEST: usize = 128;

/// A step of a block, or the calls of a fork.
pub(super) struct TaskUnit {
    pub(super) steps: Vec<Step>,
    role: StepRole,
    pub(super) uses: IndexSet<VarId>,
    pub(super) defines: Vec<VarId>,
    /// The arrays that end with it.
    pub(super) ends: Vec<VarId>,
    /// Whether it cannot fail.
    is_sure: bool,
}

impl TaskUnit {
    /// A unit of a function; `may_call` says which calls may run beside passes.
    pub(super) fn new(
        steps: &[Step],
        (program, function): (&Program, &Function),
        in_loop: bool,
        may_call: impl FnOnce(&Step) -> bool,
    ) -> Self {
        let (role, is_sure) = match steps {
            [step @ Step::Call { .. }] => {
                (if may_call(step) { StepRole::Work } else { StepRole::Stays }, false)
            }
            [step] => (StepRole::of(step, in_loop, &function.tables.vars), !fails(step, function)),
            _ => (StepRole::Stays, false),
        };
        let is_array = |&var: &VarId| function.tables.vars[var].ty.is_array();
        Self {
            role,
            uses: steps.iter().flat_map(uses).collect(),
            defines: steps.iter().flat_map(defines).collect(),
            ends: steps.iter().flat_map(|step| ends(program, step)).filter(is_array).collect(),
            is_sure,
            steps: steps.to_vec(),
        }
    }

    /// Whether a group may begin with it.
    pub(super) fn can_begin_group(&self) -> bool {
        self.role == StepRole::Work
    }

    fn is_call(&self) -> bool {
        matches!(self.steps[..], [Step::Call { .. }])
    }

    fn is_check(&self) -> bool {
        self.role == StepRole::Small && self.steps.iter().any(asserts)
    }

    fn is_view(&self) -> bool {
        self.steps.iter().any(|step| step.view().is_some())
    }
}

fn fails(step: &Step, function: &Function) -> bool {
    let is_sure = matches!(step, Step::Release { .. } | Step::Slice { .. } | Step::Reshape { .. })
        || matches!(step, Step::Array { elems, .. } if elems.is_empty());
    !is_sure && step.may_fail(&function.tables.vars)
}

/// Whether a step is an assertion, or chooses between steps with one.
fn asserts(step: &Step) -> bool {
    let inside = |block: &Block| block.steps.iter().any(asserts);
    matches!(step, Step::Assert { .. }) || step.branches().into_iter().flatten().any(inside)
}

/// The views of a function, each with the array in whose memory it is.
#[derive(Default)]
pub(super) struct ViewSources(IndexMap<VarId, VarId>);

impl ViewSources {
    pub(super) fn note(&mut self, step: &Step) {
        self.0.extend(step.view());
    }

    pub(super) fn contains(&self, var: VarId) -> bool {
        self.0.contains_key(&var)
    }

    /// The array in whose memory the elements of an array are.
    pub(super) fn root(&self, mut array: VarId) -> VarId {
        while let Some(&of) = self.0.get(&array) {
            array = of;
        }
        array
    }
}

/// The units of a task, by their places, and what they do.
#[derive(Default)]
pub(super) struct Task {
    pub(super) units: Vec<usize>,
    given: IndexSet<VarId>,
    /// The variables that it uses, and the arrays behind views among them.
    used: IndexSet<VarId>,
    is_sure: bool,
    /// Whether it is a call.
    pub(super) is_call: bool,
}

impl Task {
    fn add(&mut self, (place, unit): (usize, &TaskUnit), views: &ViewSources) {
        self.units.push(place);
        self.given.extend(&unit.defines);
        let used = unit.uses.iter().chain(&unit.ends);
        self.used.extend(used.flat_map(|&var| [var, views.root(var)]));
        self.is_sure &= unit.is_sure;
    }

    fn gives(&self, unit: &TaskUnit) -> bool {
        unit.uses.iter().any(|var| self.given.contains(var))
    }
}

/// Steps that run at the same time, and those around them.
#[derive(Default)]
pub(super) struct Group {
    /// The units that run before the tasks.
    pub(super) before: Vec<usize>,
    pub(super) tasks: Vec<Task>,
    /// The units that run behind them. None of them can fail.
    pub(super) behind: Task,
    /// The units of the group.
    pub(super) range: Range<usize>,
}

/// The place of a unit in a group.
enum Place {
    Before,
    New,
    Task(usize),
    Behind,
}

impl Group {
    /// The group that begins with a unit, if there are several tasks in it.
    pub(super) fn begin(units: &[TaskUnit], at: usize, views: &ViewSources) -> Option<Self> {
        let mut group = Self { range: at..at, ..Self::default() };
        for (place, unit) in units.iter().enumerate().skip(at).take(LONGEST) {
            match group.place(unit, views) {
                None => break,
                Some(Place::Before) => group.before.push(place),
                Some(Place::Behind) => group.behind.add((place, unit), views),
                Some(Place::New) => {
                    let mut task =
                        Task { is_sure: true, is_call: unit.is_call(), ..Task::default() };
                    task.add((place, unit), views);
                    group.tasks.push(task);
                }
                Some(Place::Task(task)) => group.tasks[task].add((place, unit), views),
            }
            group.range.end = place + 1;
        }
        (group.tasks.len() > 1).then_some(group)
    }

    fn place(&self, unit: &TaskUnit, views: &ViewSources) -> Option<Place> {
        let ended: IndexSet<_> = unit.ends.iter().map(|&array| views.root(array)).collect();
        let needs = |task: &Task| ended.iter().any(|array| task.used.contains(array));
        let touches = |task: &Task| task.gives(unit) || needs(task);
        let touched: Vec<_> =
            (0..self.tasks.len()).filter(|&at| touches(&self.tasks[at])).collect();
        let is_late = touches(&self.behind);
        if matches!(unit.steps[..], [Step::Release { .. }]) {
            let place = if is_late { Place::Behind } else { self.place_of_release(&touched, unit) };
            return Some(place);
        }
        let place = match touched[..] {
            _ if is_late => None,
            [] => self.place_of_free(unit),
            // A function gives no views, since it owns its results.
            [_] if unit.is_view() => None,
            [task] => {
                let behind_it = &self.tasks[task + 1..];
                let keeps_order = unit.is_sure || behind_it.iter().all(|task| task.is_sure);
                let fits =
                    unit.role != StepRole::Stays && !unit.is_call() && !self.tasks[task].is_call;
                (keeps_order && fits).then_some(Place::Task(task))
            }
            _ => None,
        };
        let may_wait = unit.is_sure && unit.role == StepRole::Small && unit.ends.is_empty();
        place.or_else(|| may_wait.then_some(Place::Behind))
    }

    /// The place of a release: in the task that made the array, or behind the tasks that use it.
    fn place_of_release(&self, touched: &[usize], unit: &TaskUnit) -> Place {
        match *touched {
            [] => Place::Before,
            [task] => {
                let task_of = &self.tasks[task];
                let is_made = unit.ends.iter().all(|array| task_of.given.contains(array));
                if is_made && !task_of.is_call { Place::Task(task) } else { Place::Behind }
            }
            _ => Place::Behind,
        }
    }

    /// The place of a unit that needs no task.
    fn place_of_free(&self, unit: &TaskUnit) -> Option<Place> {
        if unit.role == StepRole::Work {
            return (self.tasks.len() < FORKED).then_some(Place::New);
        }
        let keeps_order = unit.is_sure || self.tasks.iter().all(|task| task.is_sure);
        if (keeps_order || unit.is_check()) && unit.ends.is_empty() {
            return Some(Place::Before);
        }
        let last = self.tasks.len().checked_sub(1)?;
        let fits = unit.role == StepRole::Small && !unit.is_view() && !self.tasks[last].is_call;
        fits.then_some(Place::Task(last))
    }
}
