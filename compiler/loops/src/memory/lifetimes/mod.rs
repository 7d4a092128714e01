//! Decides where the life of each array ends: it is released after its last use, is given to the enclosing block, or
//! is overwritten by the pass that uses it last.
//!
//! Invariant: each array that a block owns is released or yielded by it exactly once, and a block owns the arrays
//! that it yields (see [`Block`]). The worker of a step lends views of arrays that live longer than the step.
//!
//! ```text
//! { ys = f xs; zs = g ys; yield (zs, zs, xs) }
//! ⇒ { ys = f xs; zs = g ys; release ys; zs' = share zs; xs' = share xs; yield (zs, zs', xs') }
//! ```

mod owned_params;
mod ownership;

use crate::memory::reuse::append_in_place;
use crate::memory::reuse::delay_updates;
use crate::memory::scratch;
use indexmap::{IndexMap, IndexSet};

use crate::concrete::def_use;
use crate::concrete::{
    Block, Complete, Function, Mapper, Memory, Program, Ranged, Start, Step, StepBody, Stmt, Worker,
};
use arrc_fusion::cnf::{Atom, Callee, Var};
use arrc_syntax::ids::{FuncId, PrimaryMap, VarId};
use arrc_syntax::source::Span;

/// Decides where the life of each array of the program ends.
#[must_use]
pub fn lifetimes(program: Program<Ranged>) -> Program {
    let Program { mut functions, externals, entries, calls } = program;
    let called = entries.iter().map(|entry| entry.function).collect::<IndexSet<_>>();
    for (_, function) in functions.iter_mut().filter(|(id, _)| !called.contains(id)) {
        function.owned = owned_params::owned_params(function);
    }
    let takes = |function: &Function<Ranged>| {
        function.params.iter().map(|param| function.owned.contains(param)).collect()
    };
    let takes: PrimaryMap<FuncId, Vec<bool>> = functions.values().map(takes).collect();
    let functions = functions.into_iter().map(|(_, function)| {
        let Function { name, span, params, owned, appends, body, results, mut tables, recursive } =
            function;
        let vars = &mut tables.vars;
        let [views, copies, rebound] = [(); 3].map(|()| IndexMap::new());
        let bound = IndexMap::new();
        let [lent, current] = [(); 2].map(|()| IndexSet::new());
        let mut lifetimes =
            Lifetimes { vars, takes: &takes, views, bound, rebound, copies, lent, current };
        let body = lifetimes.owning(body, &owned);
        let rebound = lifetimes.rebound;
        let body = append_in_place::append_in_place(body, &mut tables);
        let body = ownership::ownership(body, &params, &rebound, &mut tables);
        let body = scratch::scratch(body, &tables.vars);
        Function { name, span, params, owned, appends, body, results, tables, recursive }
    });
    Program { functions: functions.collect(), externals, entries, calls }
}

/// The lifetimes of one function.
struct Lifetimes<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    /// For each function, whether it takes over each of its arguments.
    takes: &'a PrimaryMap<FuncId, Vec<bool>>,
    /// The views that were met, including those of enclosing blocks, and the arrays in whose memory they are.
    views: IndexMap<VarId, VarId>,
    /// The steps that bind these views.
    bound: IndexMap<VarId, Step<Ranged>>,
    /// Views of arrays that are known to have one owner, and the same views of the arrays before.
    rebound: IndexMap<VarId, VarId>,
    /// The views whose elements are copied, and the copies.
    copies: IndexMap<VarId, VarId>,
    /// The views that workers lend to steps of passes, and the elements that these are there.
    lent: IndexSet<VarId>,
    /// The elements that are arrays of accumulators. An update in the same step may change them.
    current: IndexSet<VarId>,
}

impl Lifetimes<'_> {
    /// A block that owns these arrays from its beginning on.
    fn owning(&mut self, block: Block<Ranged>, owned: &[VarId]) -> Block {
        let Block { steps, mut results } = block;
        let mut steps = delay_updates::updates_last(steps, &results, self.vars);
        self.copies.extend(delay_updates::copied_rows(&mut steps, &results, owned, self.vars));
        let mut last = self.last_uses(&steps, &results, owned);
        let end = steps.len() + 1;
        let shares = self.share_results(&mut results, &mut last);
        let mut ending = vec![IndexSet::new(); end + 1];
        for (array, last) in last {
            ending[last].insert(array);
        }
        let mut ending = ending.into_iter();
        let mut next = || ending.next().expect("each step, the beginning and the end have a place");
        let mut done = releases(next()).collect::<Vec<_>>();
        for step in steps {
            let mut dead = next();
            let copy = self.copy_of(&step);
            let step = self.ending(step, &mut dead, &mut done);
            done.push(step);
            done.extend(copy);
            done.extend(releases(dead));
        }
        done.extend(shares);
        done.extend(releases(next()));
        Block { steps: done, results }
    }

    /// For each array that the block owns, the number of steps up to its last use. Its definition counts as a use,
    /// and so do uses of its views. If the block yields a view of it, its last use is after all steps.
    fn last_uses(
        &mut self,
        steps: &[Step<Ranged>],
        results: &[Atom],
        owned: &[VarId],
    ) -> IndexMap<VarId, usize> {
        for step in steps {
            if let Some((view, array)) = step.view() {
                self.views.insert(view, array);
                self.bound.insert(view, step.clone());
            }
        }
        let mut last = owned.iter().map(|&array| (array, 0)).collect::<IndexMap<_, _>>();
        for (step, count) in steps.iter().zip(1..) {
            // If no array is live before the step, its uses are not computed: in a chain of branches, each step would
            // visit all blocks inside it.
            let used = if last.is_empty() { IndexSet::new() } else { def_use::uses(step) };
            if let Some((view, _)) = step.view() {
                last.extend(self.copies.get(&view).map(|&copy| (copy, count)));
            } else {
                let made = def_use::defines(step).into_iter().filter(|&var| self.is_array(var));
                last.extend(made.map(|var| (var, count)));
            }
            for used in used.into_iter().flat_map(|used| self.view_chain(used)) {
                last.entry(used).and_modify(|last| *last = count);
            }
        }
        for result in results {
            let Atom::Var(result) = *result else { continue };
            for array in self.view_chain(result).skip(1) {
                last.entry(array).and_modify(|last| *last = steps.len() + 1);
            }
        }
        last
    }

    /// The step that copies the elements of the view which the step binds, if they are copied.
    fn copy_of(&self, step: &Step<Ranged>) -> Option<Step> {
        let Step::Row { var: array, span, .. } = *step else { return None };
        let var = *self.copies.get(&array)?;
        Some(Step::Copy { var, array, memory: Memory::New, span })
    }

    /// The array and, if it is a view, the arrays in whose memory it is.
    fn view_chain(&self, var: VarId) -> impl Iterator<Item = VarId> {
        std::iter::successors(Some(var), |var| self.views.get(var).copied())
    }

    /// The arrays, and those in whose memory they are.
    fn in_memory_of(&self, arrays: IndexSet<VarId>) -> IndexSet<VarId> {
        arrays.into_iter().flat_map(|array| self.view_chain(array)).collect()
    }

    /// Removes the results of the block from the arrays that it releases. A result that the block does not own, or
    /// has yielded already, is shared.
    fn share_results(
        &mut self,
        results: &mut [Atom],
        last: &mut IndexMap<VarId, usize>,
    ) -> Vec<Step> {
        let mut shares = Vec::new();
        for result in results {
            let Atom::Var(array) = *result else { continue };
            if self.is_array(array)
                && last.shift_remove(&array).is_none()
                && !self.lent.contains(&array)
            {
                let var = self.renamed_copy(array);
                shares.push(Step::Share { var, array });
                *result = Atom::Var(var);
            }
        }
        shares
    }

    /// Translates a step after which the arrays of `dead` end. The arrays that it takes over are removed from `dead`.
    /// Steps that must come before it are added to `done`.
    fn ending(
        &mut self,
        step: Step<Ranged>,
        dead: &mut IndexSet<VarId>,
        done: &mut Vec<Step>,
    ) -> Step {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others take nothing over")]
        match step {
            Step::If { vars, cond, then, otherwise, .. } => {
                let takes = dead.iter().copied().filter(|array| !vars.contains(array));
                let takes = takes.collect::<Vec<_>>();
                dead.retain(|array| vars.contains(array));
                let [then, otherwise] = [then, otherwise].map(|branch| self.owning(branch, &takes));
                Step::If { vars, cond, takes, then, otherwise }
            }
            Step::Loop { vars, form, mut init, worker, span } => {
                let inside = self.in_memory_of(def_use::uses_inside(&form, &worker));
                for each in &mut init {
                    self.carry(each, &inside, dead, done);
                }
                let form = self.form(form);
                Step::Loop { vars, form, init, worker: self.loop_body(worker), span }
            }
            Step::Replace { var, array: before, indices, target, mut value, placed, span } => {
                let array = self.writable(before, span, dead, done);
                self.view_again(&mut value, (before, array), done);
                Step::Replace { var, array, indices, target, value, placed, span }
            }
            Step::Call { forks, vars, callee, mut args, span } => {
                match callee {
                    Callee::Function(function) => self.hand_over(function, &mut args, dead, done),
                    // A C function only borrows its arguments.
                    Callee::External(_) => {}
                }
                Step::Call { forks, vars, callee, args, span }
            }
            Step::Pass(mut pass) => {
                let beside = self.in_memory_of(def_use::uses_beside_inits(&pass));
                for start in &mut pass.start {
                    if let Start::NewAcc { init, .. } = start {
                        self.carry(init, &beside, dead, done);
                    }
                }
                self.step(Step::Pass(pass))
            }
            Step::Append {
                var,
                extends: None,
                mut parts,
                room,
                placed,
                cut,
                memory: Memory::New,
                span,
            } => {
                // Its memory may move, so nothing may use it from there on.
                let mut others = parts[1..].iter().flat_map(|&part| self.view_chain(part));
                let ends = others.all(|other| other != parts[0]) && dead.swap_remove(&parts[0]);
                let extends = ends.then(|| parts.remove(0));
                let memory = Memory::New;
                Step::Append { var, extends, parts, room, placed, cut, memory, span }
            }
            _ => self.step(step),
        }
    }

    /// A loop's body owns the arrays that the loop carries.
    fn loop_body(&mut self, worker: Worker<Ranged>) -> Worker {
        let owned = worker.params.iter().copied().filter(|&param| self.is_array(param));
        let owned = owned.collect::<Vec<_>>();
        let body = self.owning(worker.body, &owned);
        Worker { params: worker.params, body }
    }

    /// An array with the elements of `array` that may be written: the array itself if it ends here and has one owner,
    /// or else a copy.
    fn writable(
        &mut self,
        array: VarId,
        span: Span,
        dead: &mut IndexSet<VarId>,
        done: &mut Vec<Step>,
    ) -> VarId {
        let own = self.renamed_copy(array);
        done.push(if dead.swap_remove(&array) {
            Step::Unique { var: own, array, span }
        } else {
            Step::Copy { var: own, array, memory: Memory::New, span }
        });
        own
    }

    /// If the value is a view of the array `before`, which `unique` ended, it becomes the same view of the array `now`.
    fn view_again(
        &mut self,
        value: &mut Atom,
        (before, now): (VarId, VarId),
        done: &mut Vec<Step>,
    ) {
        let Some(view) = value.as_var().filter(|&view| view != before) else { return };
        if !matches!(done.last(), Some(Step::Unique { var, .. }) if *var == now)
            || self.view_chain(view).all(|array| array != before)
        {
            return;
        }
        let views = self.view_chain(view).take_while(|&array| array != before).collect::<Vec<_>>();
        let mut of = now;
        for view in views.into_iter().rev() {
            let same = self.renamed_copy(view);
            let mut step = self.bound[&view].clone();
            if let Step::Row { var, array, .. }
            | Step::Slice { var, array, .. }
            | Step::Reshape { var, array, .. } = &mut step
            {
                (*var, *array) = (same, of);
            }
            done.push(self.step(step));
            self.rebound.insert(same, view);
            of = same;
        }
        *value = Atom::Var(of);
    }

    /// An initial value of a loop or an accumulator. An array that ends with it is taken over, and any other array is
    /// shared.
    fn carry(
        &mut self,
        init: &mut Atom,
        inside: &IndexSet<VarId>,
        dead: &mut IndexSet<VarId>,
        done: &mut Vec<Step>,
    ) {
        let Atom::Var(array) = *init else { return };
        let takes = !inside.contains(&array) && dead.swap_remove(&array);
        if self.is_array(array) && !takes {
            let var = self.renamed_copy(array);
            done.push(Step::Share { var, array });
            *init = Atom::Var(var);
        }
    }

    /// The arguments that a function takes over. An array is given away if it ends with the call and no other
    /// argument can be the same array. Any other array is shared.
    fn hand_over(
        &mut self,
        function: FuncId,
        args: &mut [Atom],
        dead: &mut IndexSet<VarId>,
        done: &mut Vec<Step>,
    ) {
        let given = args.to_vec();
        for (at, arg) in args.iter_mut().enumerate() {
            if !self.takes[function][at] {
                continue;
            }
            let others = given.iter().enumerate().filter(|(other, _)| *other != at);
            let others = others.filter_map(|(_, other)| other.as_var());
            let others = self.in_memory_of(others.collect());
            self.carry(arg, &others, dead, done);
        }
    }

    /// Lends the results of a worker that are views of arrays from outside of it. These arrays live longer than the step
    /// which gets the views, so it needs no share of them.
    fn lend(&mut self, elems: &[VarId], worker: &Worker<Ranged>, args: &[Atom]) {
        let views = def_use::outer_views(worker);
        for (&elem, result) in elems.iter().zip(&worker.body.results) {
            let Some((&view, array)) = result.as_var().and_then(|view| views.get_key_value(&view))
            else {
                continue;
            };
            let arg = worker.params.iter().position(|param| param == array).map(|at| args[at]);
            let stays = arg.and_then(|arg| arg.as_var());
            if stays.is_none_or(|arg| !self.current.contains(&arg)) {
                self.lent.extend([view, elem]);
            }
        }
    }

    /// A new variable with the name and type of `array`.
    fn renamed_copy(&mut self, array: VarId) -> VarId {
        self.vars.push(self.vars[array].clone())
    }

    fn is_array(&self, var: VarId) -> bool {
        self.vars[var].ty.is_array()
    }
}

impl Mapper for Lifetimes<'_> {
    type From = Ranged;
    type To = Complete;

    fn block(&mut self, block: Block<Ranged>) -> Block {
        self.owning(block, &[])
    }

    /// The worker of an update owns the accumulators.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others make no array")]
    fn stmt(&mut self, stmt: Stmt<Ranged>) -> Stmt<Complete> {
        match stmt {
            Stmt::Update { accs, order, worker: Worker { params, body }, args } => {
                let taken = params.iter().copied().take(accs.len());
                let taken = taken.filter(|&param| self.is_array(param)).collect::<Vec<_>>();
                let body = self.owning(body, &taken);
                return Stmt::Update { accs, order, worker: Worker { params, body }, args };
            }
            Stmt::Apply { ref elems, ref worker, ref args } => self.lend(elems, worker, args),
            Stmt::Current { elem, .. } => {
                self.current.insert(elem);
            }
            Stmt::Copy { elem, from: Atom::Var(from) } if self.current.contains(&from) => {
                self.current.insert(elem);
            }
            _ => {}
        }
        self.same_stmt(stmt)
    }

    /// A step of a pass releases the array elements that it makes.
    fn inside(&mut self, (body, inner, _): StepBody<Ranged>) -> StepBody<Complete> {
        let body = body.into_iter().map(|stmt| self.stmt(stmt)).collect::<Vec<_>>();
        let mut made = IndexSet::new();
        for stmt in &body {
            if matches!(stmt, Stmt::Apply { .. } | Stmt::Current { .. }) {
                let elems = stmt.defines().into_iter();
                made.extend(elems.filter(|elem| self.is_array(*elem) && !self.lent.contains(elem)));
            }
        }
        let inner = inner.into_iter().map(|nest| self.nest(nest)).collect();
        (body, inner, made.into_iter().collect())
    }
}

fn releases(arrays: IndexSet<VarId>) -> impl Iterator<Item = Step> {
    arrays.into_iter().map(|array| Step::Release { array })
}
