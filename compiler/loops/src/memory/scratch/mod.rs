//! An array that a step of a loop makes, and that ends with the step, is made in a scratch buffer, which all steps
//! use.
//!
//! The outermost enclosing pass or loop owns the buffer. It is as large as the largest array so far, so that an array
//! whose length does not change is allocated once. If each step of an inner loop makes a new array from the array of
//! the step before, the arrays are in two such buffers alternately (double buffering). So are the arrays that the steps
//! of an outermost loop make for each other, if all of them have the same shape: the result of the loop takes its
//! buffer over.
//!
//! Invariant: no part of such an array is shared or passed to a call, and it ends in the step that makes it. An array
//! in alternating buffers ends in the next step of its loop, or with the result of the loop, or is the result of the
//! outermost loop.
//!
//! ```text
//! ys <- (\x -> { pass { t = newVecI k … }; s = …; release t; yield (s) }) xs
//! ⇒ ys <- (\x -> { pass { t = newVecI k scratch … }; s = …; release t; yield (s) }) xs
//! ```

mod growing_buffers;
mod step_arrays;

use indexmap::IndexSet;

use self::step_arrays::{
    ENDED, ResultIndices, Scratch, accumulator, always_becomes, becomes, begins_with, end_here,
    extending, made, reads_accumulator, set_memory, step_results,
};
use crate::concrete::{
    Block, Complete, End, Guard, Loop, LoopForm, Memory, Nest, Procedure, Start, Step, Stmt, Visit,
    VisitMut, Worker,
};
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{AccId, PrimaryMap, VarId};

/// Moves arrays that the steps of a function's loops make to scratch buffers, where that is possible.
pub(super) fn scratch(mut body: Block, vars: &PrimaryMap<VarId, Var>) -> Block {
    CopyingAppends { inside: false }.block(&mut body);
    let mut uses = ArrayAliases::default();
    uses.block(&body);
    let escaping = uses.escaping();
    Scratch { escaping, vars, inside: false }.block(&mut body);
    body
}

/// The walk over blocks that makes the appends in steps of passes copy their first part, if the same block makes it.
/// The part and the result can be in scratch buffers then, while the runtime would move the part to larger memory. The
/// loops of the program itself may append to large arrays, which have room more often than small ones.
struct CopyingAppends {
    /// Whether the block is in the step of a pass.
    inside: bool,
}

impl CopyingAppends {
    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while self.inside && at < block.steps.len() {
            let (before, rest) = block.steps.split_at_mut(at);
            let copied = copied_part(before, &mut rest[0]);
            block.steps.splice(at + 1..at + 1, copied.map(|array| Step::Release { array }));
            at += 1;
        }
        block.steps.iter_mut().for_each(|step| step.visit_mut(self));
    }
}

/// The array that an append extends, if one of the steps `before` makes it: it becomes the first of the parts.
fn copied_part(before: &[Step], append: &mut Step) -> Option<VarId> {
    let Step::Append { extends, parts, placed: false, .. } = append else { return None };
    let makes = |step: &Step, array: &VarId| {
        matches!(step, Step::Append { var, .. } if var == array) || made(step).contains(array)
    };
    let array = extends.filter(|array| before.iter().any(|step| makes(step, array)))?;
    *extends = None;
    parts.insert(0, array);
    Some(array)
}

impl VisitMut<'_, Complete> for CopyingAppends {
    fn branch(&mut self, block: &mut Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &mut Worker) {
        self.block(&mut worker.body);
    }

    fn pass(&mut self, pass: &mut Procedure) {
        let before = std::mem::replace(&mut self.inside, true);
        pass.nest.for_each_stmt_mut(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&mut worker.body);
            }
        });
        self.inside = before;
    }
}

/// The aliases among the arrays of a function, and the arrays that have several owners.
#[derive(Default)]
struct ArrayAliases {
    /// The first array is a part of the second one, or another name for it.
    parts: Vec<(VarId, VarId)>,
    /// Arrays that get another owner.
    shared: IndexSet<VarId>,
}

impl ArrayAliases {
    /// The arrays that may outlive the step that makes them.
    fn escaping(self) -> IndexSet<VarId> {
        let mut escaping = self.shared;
        let mut before = 0;
        while escaping.len() > before {
            before = escaping.len();
            for (part, whole) in &self.parts {
                if escaping.contains(part) {
                    escaping.insert(*whole);
                }
            }
        }
        escaping
    }

    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            self.parts.extend(step.view());
            if let Step::Share { array, .. } = step {
                self.shared.insert(*array);
            } else if let Step::Call { args, .. } = step {
                self.shared.extend(args.iter().filter_map(Atom::as_var));
            } else if let Step::Append { var, extends: Some(array), .. } = step {
                self.parts.push((*var, *array));
            } else if let Step::Loop { form: LoopForm::While { cond }, worker, .. } = step {
                self.names(&cond.params, worker.params.iter().copied().map(Atom::Var));
            }
            step.visit(self);
        }
    }

    /// Notes other names for arrays.
    fn names(&mut self, names: &[VarId], arrays: impl Iterator<Item = Atom>) {
        let pairs = names.iter().zip(arrays);
        self.parts.extend(pairs.filter_map(|(&name, array)| Some((name, array.as_var()?))));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others name no array anew")]
        match stmt {
            Stmt::Next { elem, array, .. } | Stmt::Read { elem, array, .. } => {
                self.parts.push((*elem, *array));
            }
            Stmt::Copy { elem, from } => self.names(&[*elem], std::iter::once(*from)),
            Stmt::Apply { worker, args, .. } => {
                self.names(&worker.params, args.iter().copied());
                self.block(&worker.body);
            }
            Stmt::Update { accs, worker, args, .. } => {
                self.names(&worker.params[accs.len()..], args.iter().copied());
                self.block(&worker.body);
            }
            Stmt::Current { elem, .. } => {
                self.shared.insert(*elem);
            }
            _ => {}
        }
    }
}

impl Visit<'_, Complete> for ArrayAliases {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        pass.nest.for_each_stmt(&mut |stmt| self.stmt(stmt));
    }
}

impl Scratch<'_> {
    fn block(&mut self, block: &mut Block) {
        if self.inside {
            self.move_to_scratch(block, end_here);
        } else {
            let loops = block.steps.iter_mut().filter(|step| !matches!(step, Step::If { .. }));
            loops.for_each(|step| {
                step_results(step)
                    .into_iter()
                    .for_each(|array| self.move_results(step, array, array))
            });
        }
        block.steps.iter_mut().for_each(|step| step.visit_mut(self));
    }

    /// Moves the arrays of a block whose end `fits`: arrays that its steps make, and arrays that the steps of its
    /// loops make for each other.
    fn move_to_scratch(&self, block: &mut Block, fits: impl Fn(&ResultIndices) -> bool) {
        for at in 0..block.steps.len() {
            let ends = |array: &VarId| {
                self.end_results(block, at + 1, *array).is_some_and(|ends| fits(&ends))
            };
            let made = made(&block.steps[at]).into_iter().chain(extending(&block.steps[at]));
            let made = made.filter(ends).collect::<Vec<_>>();
            let given = step_results(&block.steps[at]).into_iter().filter(ends).collect::<Vec<_>>();
            let step = &mut block.steps[at];
            made.into_iter().for_each(|array| set_memory(&Memory::Scratch, step, array));
            for array in given {
                self.move_results(step, array, array);
                self.grows(step, array);
            }
        }
    }

    /// Moves the results of a step: arrays that its branches make, and arrays that the steps of a loop pass to the
    /// next step. `last` is the result of the outermost loop.
    fn move_results(&self, step: &mut Step, given: VarId, last: VarId) {
        if let Step::If { vars, then, otherwise, .. } = step {
            if let Some(place) = vars.iter().position(|&var| var == given) {
                for branch in [then, otherwise] {
                    self.move_to_scratch(branch, |ends| becomes(ends, place));
                }
            }
        } else if let Step::Loop { vars, worker, .. } = step {
            if let Some(place) = vars.iter().position(|&var| var == given) {
                self.move_next_value(worker, place, last);
            }
        } else if let Step::Pass(pass) = step
            && let Some(acc) = accumulator(pass, given)
            && !reads_accumulator(pass, acc)
        {
            pass.nest.for_each_stmt_mut(&mut |stmt| {
                if let Stmt::Update { accs, worker, .. } = stmt
                    && let Some(place) = accs.iter().position(|&of| of == acc)
                {
                    self.move_next_value(worker, place, last);
                }
            });
        }
    }

    /// Moves the arrays that a worker makes as the next value of a parameter. The parameter must end in the worker,
    /// or be yielded in the same place.
    fn move_next_value(&self, worker: &mut Worker, place: usize, last: VarId) {
        if self.carries(worker, place).is_some() {
            self.double_buffer(&mut worker.body, place, [worker.params[place], last]);
        }
    }

    /// Moves the arrays that a block, its branches and its loops make and yield in that place, as the next value of a
    /// parameter. For each place in the program, an iteration makes at most one array, and reads the array of the
    /// iteration before. An array that the iteration may drop is not moved: the array of the iteration before would be
    /// in the buffer of the next one.
    fn double_buffer(&self, block: &mut Block, place: usize, [param, last]: [VarId; 2]) {
        for at in 0..block.steps.len() {
            let yields = |array: &VarId| {
                self.end_results(block, at + 1, *array)
                    .is_some_and(|ends| always_becomes(&ends, place))
            };
            // The result of an outermost loop must not have more memory than it needs. The sizes in its type are known
            // outside of the loop, so they are the same in all steps.
            let is_alike = |array: VarId| self.vars[array].ty == self.vars[last].ty;
            let fits = |array: &VarId| self.inside || is_alike(param) && is_alike(*array);
            let made = made(&block.steps[at]).into_iter().filter(yields).filter(fits);
            let made = made.collect::<Vec<_>>();
            let given = step_results(&block.steps[at]).into_iter().find(yields);
            let step = &mut block.steps[at];
            made.into_iter().for_each(|array| set_memory(&Memory::DoubleBuffer, step, array));
            let Some(given) = given else { continue };
            if let Step::If { vars, then, otherwise, .. } = step {
                let place = vars.iter().position(|&var| var == given);
                let place = place.expect("it is a result of the branches");
                self.double_buffer(then, place, [param, last]);
                self.double_buffer(otherwise, place, [param, last]);
            } else if fits(&given) && begins_with(step, given, param) {
                self.move_results(step, given, last);
            }
        }
    }

    /// Where an array ends that the block owns before the step at `from`. None if another owner may have it by then,
    /// or if its end is not followed.
    fn end_results(&self, block: &Block, from: usize, array: VarId) -> Option<ResultIndices> {
        let mut now = array;
        for (at, step) in block.steps.iter().enumerate().skip(from) {
            if self.escaping.contains(&now) {
                return None;
            }
            #[allow(
                clippy::wildcard_enum_match_arm,
                reason = "the others leave arrays as they are"
            )]
            let next = match step {
                Step::Release { array } if *array == now => {
                    return Some(ResultIndices::from([ENDED]));
                }
                Step::Replace { var, array, .. } if *array == now => *var,
                Step::Append { var, extends: Some(array), .. } if *array == now => *var,
                Step::If { vars, takes, then, otherwise, .. } if takes.contains(&now) => {
                    let mut places = self.end_results(then, 0, now)?;
                    places.extend(self.end_results(otherwise, 0, now)?);
                    return self.ends_of_all(block, at + 1, &places, vars);
                }
                Step::Unique { array, .. } if *array == now => return None,
                Step::Loop { vars, init, worker, .. } => {
                    let place = init.iter().position(|&init| init == Atom::Var(now));
                    let Some(place) = place else { continue };
                    let places = self.carried_results(worker, place)?;
                    return self.ends_of_all(block, at + 1, &places, vars);
                }
                Step::Pass(pass) => match self.after_pass(pass, now)? {
                    Some(next) => next,
                    None => return Some(ResultIndices::from([ENDED])),
                },
                _ => continue,
            };
            now = next;
        }
        let place = block.results.iter().position(|&result| result == Atom::Var(now));
        (!self.escaping.contains(&now)).then_some(())?;
        place.map(|place| ResultIndices::from([place]))
    }

    /// Where an array ends that has become one of these results of a step before that at `from`, or has ended in it.
    fn ends_of_all(
        &self,
        block: &Block,
        from: usize,
        places: &ResultIndices,
        vars: &[VarId],
    ) -> Option<ResultIndices> {
        let mut all = ResultIndices::new();
        for &place in places {
            match vars.get(place) {
                Some(&var) => all.extend(self.end_results(block, from, var)?),
                None => all.extend([ENDED]),
            }
        }
        Some(all)
    }

    /// The results of a loop that a carried value may become: steps may exchange arrays.
    fn carried_results(&self, worker: &Worker, place: usize) -> Option<ResultIndices> {
        let mut places = ResultIndices::from([place]);
        let mut at = 0;
        while let Some(&place) = places.get_index(at) {
            let param = worker.params.get(place);
            places.extend(param.map_or(Some(ResultIndices::new()), |&param| {
                self.end_results(&worker.body, 0, param)
            })?);
            at += 1;
        }
        Some(places)
    }

    /// The variable of an array after a pass. It is the array itself, the vector that overwrites it, or the result of
    /// the accumulator that begins with it. `Some(None)` if the array ended in the pass, and `None` if that is not
    /// certain.
    #[allow(clippy::option_option, reason = "no answer is another thing than no array")]
    fn after_pass(&self, pass: &Procedure, array: VarId) -> Option<Option<VarId>> {
        if let Some((vec, _)) = pass.replaces().find(|(_, over)| *over == array) {
            return Some(Some(vec));
        }
        let began = pass.start.iter().find_map(|start| match start {
            Start::NewAcc { acc, init } if *init == Atom::Var(array) => Some(*acc),
            Start::NewAcc { .. } | Start::NewVec { .. } | Start::CheckSize { .. } => None,
        });
        let Some(acc) = began else { return Some(Some(array)) };
        self.accumulates(pass, acc)?;
        Some(pass.end.iter().find_map(|end| match end {
            End::Read { result, acc: read } if *read == acc => Some(*result),
            End::Read { .. } | End::Slice { .. } => None,
        }))
    }

    /// Whether the initial value of an accumulator ends in the pass, or becomes its final value.
    fn accumulates(&self, pass: &Procedure, acc: AccId) -> Option<()> {
        let mut all = (!reads_accumulator(pass, acc)).then_some(());
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Update { accs, worker, .. } = stmt
                && let Some(place) = accs.iter().position(|&of| of == acc)
                && self.carries(worker, place).is_none()
            {
                all = None;
            }
        });
        all
    }

    /// Whether the array parameter of a worker ends in the worker, or is yielded in the same place, changed or not.
    fn carries(&self, worker: &Worker, place: usize) -> Option<()> {
        let ends = self.end_results(&worker.body, 0, worker.params[place])?;
        ends.iter().all(|&end| end == place || end == ENDED).then_some(())
    }

    /// Moves the elements that a step of a pass makes for its other statements.
    fn move_elements(&self, body: &mut [Stmt], release: &[VarId]) {
        for stmt in body {
            let Stmt::Apply { elems, worker, .. } = stmt else { continue };
            self.move_to_scratch(&mut worker.body, |ends| {
                let ends_with_step = |&place: &usize| {
                    let elem = elems.get(place);
                    elem.is_none_or(|elem| release.contains(elem) && !self.escaping.contains(elem))
                };
                !end_here(ends) && ends.iter().all(ends_with_step)
            });
        }
    }

    fn nest(&mut self, nest: &mut Loop) {
        let Loop { body, inner, release, ranges, .. } = nest;
        self.within(body, inner, release);
        for variant in ranges.iter_mut().flat_map(|range| &mut range.variants) {
            self.within(&mut variant.body, &mut variant.inner, &variant.release);
        }
    }

    fn within(&mut self, body: &mut [Stmt], inner: &mut [Nest], release: &[VarId]) {
        self.move_elements(body, release);
        for stmt in body {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&mut worker.body);
            }
        }
        for nest in inner {
            match nest {
                Nest::Loop(nest) => self.nest(nest),
                Nest::Guard(Guard { body, inner, release, .. }) => {
                    self.within(body, inner, release);
                }
            }
        }
    }

    /// Calls `work` for the steps of a loop.
    fn in_steps(&mut self, work: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.inside, true);
        work(self);
        self.inside = before;
    }
}

impl VisitMut<'_, Complete> for Scratch<'_> {
    fn branch(&mut self, block: &mut Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &mut Worker) {
        self.in_steps(|this| this.block(&mut worker.body));
    }

    fn pass(&mut self, pass: &mut Procedure) {
        self.in_steps(|this| this.nest(&mut pass.nest));
    }
}
