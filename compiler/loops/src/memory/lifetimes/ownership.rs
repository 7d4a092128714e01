//! Removes checks of ownership before updates of arrays whose memory certainly has one owner.
//!
//! An array that a pass, an append, a literal or a copy makes has one owner until a step shares it. A value that a
//! loop carries has one owner if its initial value and the body's result have. Then the check for the body's updates
//! is done once, before the loop.
//!
//! Invariant: an update writes an array that has one owner, or a result of `unique`.
//!
//! ```text
//! zs = loop xs.2 for n do (\ys i -> { ys.2 = unique ys; ys.3 = ys.2 with [i] = 0; yield (ys.3) })
//! ⇒ xs.3 = unique xs.2; zs = loop xs.3 for n do (\ys i -> { ys.3 = ys with [i] = 0; yield (ys.3) })
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::access::Context;
use crate::concrete::def_use;
use crate::concrete::{
    Block, Complete, End, LoopForm, Mapper, Memory, Procedure, Start, Step, Stmt, Worker,
};
use crate::memory::reuse::overwrite::Known;
use crate::memory::reuse::{overwrite, rows_in_place, windows, write_into_part};
use arrc_fusion::cnf::{Atom, Operation, SizeInfo, Var};
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::{AccId, PrimaryMap, SizeId, VarId};
use arrc_syntax::source::Span;

/// Removes the checks of a function's body that are not needed, and moves other checks before loops.
///
/// An array that is copied, where it was shared before, may have one owner from then on. So a second round follows,
/// which removes more checks.
///
/// `rebound` has the views behind the checks, with the same views in front of them.
pub(super) fn ownership(
    body: Block,
    params: &[VarId],
    rebound: &IndexMap<VarId, VarId>,
    tables: &mut Tables,
) -> Block {
    match round(body, params, rebound, tables) {
        (body, false) => body,
        (body, true) => round(body, params, rebound, tables).0,
    }
}

/// The body, and whether a share became a copy.
fn round(
    body: Block,
    params: &[VarId],
    rebound: &IndexMap<VarId, VarId>,
    tables: &mut Tables,
) -> (Block, bool) {
    let Tables { vars, sizes, .. } = tables;
    let mut facts = OwnershipAnalysis::new(vars, sizes);
    facts.shared.extend(params);
    facts.block(&body);
    let wanted = facts.wanted();
    let shared = facts.shared(&wanted);
    let mut rewrite = CheckPlacement {
        wanted,
        shared,
        context: Context::default(),
        rebound,
        vars,
        sizes,
        known: Vec::new(),
        views: IndexMap::new(),
        copies: false,
    };
    (rewrite.block(body), rewrite.copies)
}

/// The analysis of ownership: what the steps of a function determine about the owners and aliases of its arrays.
struct OwnershipAnalysis<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// Arrays that may have more than one owner.
    shared: IndexSet<VarId>,
    /// The second array may be the first one under another name.
    flows: Vec<(VarId, VarId)>,
    /// The first array is the initial value of the second one, which a loop carries.
    inits: Vec<(VarId, VarId)>,
    /// The first array is a view of the second one: it has no owner. If the view is shared, both are.
    views: IndexMap<VarId, VarId>,
    /// A step of a pass reads an accumulator as the first array. The next step updates the accumulator as the second
    /// one. Views of the first one end with its step.
    seen: Vec<(VarId, VarId)>,
    /// Arrays that must have one owner, with the place of the update.
    checked: IndexMap<VarId, Span>,
    /// The numbers and views of the blocks.
    context: Context<'a>,
}

impl<'a> OwnershipAnalysis<'a> {
    fn new(vars: &'a PrimaryMap<VarId, Var>, sizes: &'a PrimaryMap<SizeId, SizeInfo>) -> Self {
        Self {
            vars,
            sizes,
            shared: IndexSet::new(),
            flows: Vec::new(),
            inits: Vec::new(),
            views: IndexMap::new(),
            seen: Vec::new(),
            checked: IndexMap::new(),
            context: Context::default(),
        }
    }

    /// The arrays that flow into an array that must have one owner, without a copy in between.
    fn wanted(&self) -> IndexMap<VarId, Span> {
        let mut wanted = self.checked.clone();
        let mut before = 0;
        while wanted.len() > before {
            before = wanted.len();
            for (from, to) in self.flows.iter().chain(&self.inits) {
                if let Some(&span) = wanted.get(to) {
                    wanted.entry(*from).or_insert(span);
                }
            }
        }
        wanted
    }

    /// The arrays that may have more than one owner, if the initial values of the wanted carried values are checked.
    fn shared(&self, wanted: &IndexMap<VarId, Span>) -> IndexSet<VarId> {
        self.closure(self.shared.clone(), &self.seen, wanted)
    }

    fn closure(
        &self,
        mut shared: IndexSet<VarId>,
        seen: &[(VarId, VarId)],
        wanted: &IndexMap<VarId, Span>,
    ) -> IndexSet<VarId> {
        let unchecked = self.inits.iter().filter(|(_, to)| !wanted.contains_key(to));
        let flows = self.flows.iter().chain(seen).chain(unchecked).copied();
        let views = self.views.iter().map(|(&view, &array)| (view, array));
        let flows = flows.chain(views).collect::<Vec<_>>();
        let mut before = 0;
        while shared.len() > before {
            before = shared.len();
            for (from, to) in &flows {
                if shared.contains(from) {
                    shared.insert(*to);
                }
            }
        }
        shared
    }

    fn block(&mut self, block: &Block) {
        block.steps.iter().for_each(|step| self.step(step));
        let (vars, sizes, context) = (self.vars, self.sizes, &self.context);
        let rows = rows_in_place::wanted(&block.steps, context, vars);
        let vectors = overwrite::wanted(&block.steps, Known { vars, sizes, context });
        for (array, span) in vectors.into_iter().chain(rows) {
            self.checked.entry(array).or_insert(span);
        }
    }

    fn step(&mut self, step: &Step) {
        self.context.note_step(step, self.vars);
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others neither look at whole arrays nor give any"
        )]
        match step {
            Step::Share { var, array } => self.shared.extend([*var, *array]),
            // The data of a constant has no owner.
            Step::Constant { var, .. } => {
                self.shared.insert(*var);
            }
            Step::Unique { array, span, .. } => {
                self.checked.entry(*array).or_insert(*span);
            }
            // A function may return its arguments.
            Step::Call { vars, args, .. } => {
                self.shared.extend(vars);
                self.shared.extend(args.iter().filter_map(Atom::as_var));
            }
            Step::Row { var, array, .. }
            | Step::Slice { var, array, .. }
            | Step::Reshape { var, array, .. } => {
                self.view(*var, *array);
            }
            Step::If { vars, then, otherwise, .. } => {
                for branch in [then, otherwise] {
                    self.block(branch);
                    self.flow(&branch.results, vars);
                }
            }
            Step::Loop { vars, form, init, worker, .. } => self.repeated(vars, form, init, worker),
            Step::Pass(pass) => self.pass(pass),
            _ => {}
        }
    }

    fn repeated(&mut self, vars: &[VarId], form: &LoopForm, init: &[Atom], worker: &Worker) {
        match form {
            LoopForm::For { .. } => {}
            LoopForm::While { cond } => {
                self.block(&cond.body);
                // The condition has its own names for the carried values.
                let looked = worker.params.iter().zip(&cond.params);
                self.flows.extend(looked.flat_map(|(&a, &b)| [(a, b), (b, a)]));
            }
        }
        self.block(&worker.body);
        self.flow(&worker.body.results, &worker.params);
        self.flows.extend(worker.params.iter().copied().zip(vars.iter().copied()));
        let inits = init.iter().zip(&worker.params);
        self.inits.extend(inits.filter_map(|(init, &to)| Some((init.as_var()?, to))));
    }

    fn pass(&mut self, pass: &Procedure) {
        let mut seen = IndexSet::new();
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Current { elem, .. } = stmt {
                seen.insert(*elem);
            }
        });
        pass.nest.for_each_stmt(&mut |stmt| self.stmt(stmt, &seen));
        let params = accumulators(pass);
        self.looked_at(pass, &params);
        for start in &pass.start {
            if let Start::NewAcc { acc, init } = start {
                let params = params.get(acc).into_iter().flatten();
                let pairs = params.filter_map(|&param| Some((init.as_var()?, param)));
                self.inits.extend(pairs);
            }
        }
        for end in &pass.end {
            if let End::Read { result, acc } = end {
                let params = params.get(acc).into_iter().flatten();
                self.flows.extend(params.map(|&param| (param, *result)));
            }
        }
    }

    /// Reads of accumulators in a step. The step is an owner of the array that it reads until its end, so a later
    /// update in the same step finds two owners. An update in the next step finds one, unless another variable shares
    /// the array.
    fn looked_at(&mut self, pass: &Procedure, params: &IndexMap<AccId, Vec<VarId>>) {
        let mut updated = IndexSet::<AccId>::new();
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Update { accs, .. } = stmt {
                updated.extend(accs);
            }
            if let Stmt::Current { elem, acc } = stmt {
                let params = params.get(acc).into_iter().flatten();
                if updated.contains(acc) {
                    self.seen.extend(params.map(|&param| (*elem, param)));
                } else {
                    self.shared.extend(params);
                }
            }
        });
    }

    fn flow(&mut self, from: &[Atom], to: &[VarId]) {
        let pairs = from.iter().zip(to);
        self.flows.extend(pairs.filter_map(|(from, &to)| Some((from.as_var()?, to))));
    }

    /// A part of an array under another name.
    fn view(&mut self, part: VarId, array: VarId) {
        if self.vars[part].ty.is_array() {
            self.views.insert(part, array);
        }
    }

    /// Whether a name is a view, which has no owner.
    fn is_view(&self, name: VarId) -> bool {
        self.views.contains_key(&name)
    }

    /// A statement of a pass whose steps read these values of accumulators.
    fn stmt(&mut self, stmt: &Stmt, seen: &IndexSet<VarId>) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others share nothing")]
        match stmt {
            Stmt::Next { elem, array, .. } | Stmt::Read { elem, array, .. } => {
                self.view(*elem, *array);
            }
            Stmt::Copy { elem, from } => {
                self.shared.insert(*elem);
                self.shared.extend(from.as_var());
            }
            // Elements that are arrays belong to the pass, and all of its statements can read them.
            Stmt::Apply { elems, worker, args } => {
                self.shared.extend(elems);
                self.applied(worker, args, seen);
                // A view that is lent has a name in the step, too.
                self.shared.extend(def_use::outer_views(worker).into_keys());
            }
            // The body owns the accumulators, and returns their next values.
            Stmt::Update { accs, worker, args, .. } => {
                let elems = &worker.params[accs.len()..];
                self.shared
                    .extend(elems.iter().copied().chain(args.iter().filter_map(Atom::as_var)));
                self.block(&worker.body);
                self.flow(&worker.body.results, &worker.params);
            }
            _ => {}
        }
    }

    /// A worker that only looks at its arguments. It may give another owner to each of them, except to those that are
    /// `seen`, where its body tells.
    fn applied(&mut self, worker: &Worker, args: &[Atom], seen: &IndexSet<VarId>) {
        for (&param, arg) in worker.params.iter().zip(args) {
            match arg.as_var() {
                Some(arg) if seen.contains(&arg) || self.is_view(arg) => self.view(param, arg),
                arg => self.shared.extend(arg.into_iter().chain([param])),
            }
        }
        self.block(&worker.body);
    }
}

/// The parameters that stand for each accumulator of a pass.
fn accumulators(pass: &Procedure) -> IndexMap<AccId, Vec<VarId>> {
    let mut params = IndexMap::<AccId, Vec<VarId>>::new();
    pass.nest.for_each_stmt(&mut |stmt| {
        if let Stmt::Update { accs, worker, .. } = stmt {
            for (&acc, &param) in accs.iter().zip(&worker.params) {
                params.entry(acc).or_default().push(param);
            }
        }
    });
    params
}

/// The rewrite of blocks, which puts the checks where they belong.
struct CheckPlacement<'a> {
    wanted: IndexMap<VarId, Span>,
    shared: IndexSet<VarId>,
    /// The numbers and views of the blocks.
    context: Context<'a>,
    /// The views behind the checks, and the same views in front of them.
    rebound: &'a IndexMap<VarId, VarId>,
    /// The comparisons, sums and assertions before the current block, of the blocks around.
    known: Vec<Step>,
    /// The views so far, and the arrays in whose memory they are.
    views: IndexMap<VarId, VarId>,
    /// Whether a share became a copy.
    copies: bool,
    vars: &'a mut PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
}

impl Mapper for CheckPlacement<'_> {
    type From = Complete;
    type To = Complete;

    fn block(&mut self, block: Block) -> Block {
        let Block { steps, results } = block;
        let mut done = Vec::new();
        let mut known = IndexMap::<VarId, VarId>::new();
        let around = self.known.len();
        for mut step in steps {
            if matches!(step, Step::Scalar { op: Operation::Bin(..), .. } | Step::Assert { .. }) {
                self.known.push(step.clone());
            }
            #[allow(clippy::wildcard_enum_match_arm, reason = "the others have no checks")]
            match &mut step {
                Step::Unique { var, array, .. } if !self.shared.contains(&*array) => {
                    known.insert(*var, *array);
                    continue;
                }
                Step::Row { var, array, .. }
                | Step::Slice { var, array, .. }
                | Step::Reshape { var, array, .. } => {
                    if known.contains_key(&*array)
                        && let Some(&before) = self.rebound.get(&*var)
                    {
                        known.insert(*var, before);
                        continue;
                    }
                    *array = known.get(array).copied().unwrap_or(*array);
                }
                Step::Replace { array, value, .. } => {
                    *array = known.get(array).copied().unwrap_or(*array);
                    *value = checked_before(*value, &known);
                }
                Step::Pass(pass) => {
                    let params = accumulators(pass);
                    for start in &mut pass.start {
                        if let Start::NewVec { memory: Memory::Part(part), .. } = start {
                            part.array = known.get(&part.array).copied().unwrap_or(part.array);
                        }
                        if let Start::NewAcc { acc, init } = start {
                            *init = checked_before(*init, &known);
                            for &param in params.get(acc).into_iter().flatten() {
                                self.check(init, param, &mut done);
                            }
                        }
                    }
                }
                Step::Loop { init, worker, .. } => {
                    for (each, &param) in init.iter_mut().zip(&worker.params) {
                        *each = checked_before(*each, &known);
                        self.check(each, param, &mut done);
                    }
                }
                _ => {}
            }
            self.views.extend(step.view());
            self.context.note_step(&step, self.vars);
            done.push(self.step(step));
        }
        let Self { shared, context, sizes, .. } = &*self;
        let steps = overwrite::passes(done, shared, Known { vars: self.vars, sizes, context });
        let steps = rows_in_place::passes(steps, &self.shared, &self.context, self.vars);
        self.known.truncate(around);
        let steps = windows::passes(steps, &results, (&self.known, &self.views), self.vars);
        let steps = write_into_part::passes(steps, &results, &self.views, self.vars);
        Block { steps, results }
    }
}

/// The array that a removed check was about, or the value itself.
fn checked_before(value: Atom, known: &IndexMap<VarId, VarId>) -> Atom {
    let array = value.as_var().and_then(|var| known.get(&var));
    array.map_or(value, |&array| Atom::Var(array))
}

impl CheckPlacement<'_> {
    /// Checks the initial value of a loop, if the body needs no check then.
    fn check(&mut self, init: &mut Atom, param: VarId, done: &mut Vec<Step>) {
        let Some(array) = init.as_var() else { return };
        if let Some(&span) = self.wanted.get(&param)
            && self.shared.contains(&array)
            && !self.shared.contains(&param)
        {
            let var = self.vars.push(self.vars[array].clone());
            let share = |step: &Step| matches!(step, Step::Share { var, .. } if *var == array);
            let place = done.iter().rposition(share);
            // If only such steps came in between, the other owner still exists, so the share becomes a copy.
            let others = place.map(|place| &done[place + 1..]).unwrap_or_default();
            let still = others.iter().all(|step| {
                matches!(step, Step::Share { .. } | Step::Copy { .. } | Step::Unique { .. })
            });
            match place.filter(|_| still).map(|place| &mut done[place]) {
                Some(step @ Step::Share { .. }) => {
                    let Step::Share { array, .. } = *step else { panic!("a share was found") };
                    *step = Step::Copy { var, array, memory: Memory::New, span };
                    self.copies = true;
                }
                Some(_) | None => done.push(Step::Unique { var, array, span }),
            }
            *init = Atom::Var(var);
        }
    }
}
