//! Whether a loop can run in vectors of ours.
//!
//! Invariant: a loop has [`LoopFacts`] only if everything in it can run for several steps at once. A failure can be
//! noticed before its step has had an effect, and computations that depend on the order of the steps have one of the
//! forms that [`super::reductions`] and [`super::body`] know.
//!
//! ```text
//! x = nextI i xs; p = (> 0) x; guard (j) c with p { writeVecI j ys x }   ⇒  compacts; c: Counter
//! … s := (+) s x in order, of f64                                        ⇒  Obstacle::Order
//! ```

mod addresses;
mod arrays;
mod consecutive;
mod inner;
mod steps;

use std::collections::BTreeSet;

use arrc_fusion::cnf::in_any_order;
use arrc_fusion::cnf::{Atom, Extent, FoldOrder, Type};
use arrc_loops::concrete::{
    Function, Guard, Loop, Nest, Position, Procedure, SegmentedFold, Stmt, Worker, segmented_folds,
};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{BinOp, Reassociation, Scalar};

use super::deferred_guards::DeferredInputs;
use super::lanes_of_steps;
use super::masked_guards::reads_elements;
use super::plan::{LoopFacts, Role, RowReductions, StepArray, Stride, is_current};
use super::row_reductions;
use super::shape::LEAST_LANES;
use crate::loops::pass::Steps;
use crate::loops::pass::begins_as_number;
use crate::loops::scalar::fold_operators::chooses;
use crate::loops::scalar::strip_buffers::DeferredGuard;
use crate::loops::scalar::strip_guards;
use crate::note::Obstacle;
use crate::target::isa::Isa;

/// The most elements of a row that straight-line code reads. `scripts/bench row_sums` has rows of three: 0.81 of the
/// time of C, and 1.6 with reads by lanes.
const MAX_IN_ROW: i64 = 16;

/// The fewest operations for each element that is read lane by lane with which a step with slow operations runs in
/// vectors. `scripts/bench mesh_step` takes 0.40 of the time of C at 20,000 steps, before 1.05 (AVX-512).
const FEWEST_A_READ: u32 = 4;

/// The facts about steps of a pass, if these can run in vectors.
pub(super) fn facts(
    run: Steps<'_, '_>,
    function: &Function,
    isa: Isa,
) -> Result<LoopFacts, Obstacle> {
    facts_of(run, function, isa, false)
}

/// The same for steps that run in several rows at once. There, folds may read rows of another matrix, since all rows
/// share its elements.
pub(super) fn facts_of_rows(
    run: Steps<'_, '_>,
    function: &Function,
    isa: Isa,
) -> Result<LoopFacts, Obstacle> {
    facts_of(run, function, isa, true)
}

fn facts_of(
    run: Steps<'_, '_>,
    function: &Function,
    isa: Isa,
    in_rows: bool,
) -> Result<LoopFacts, Obstacle> {
    if run.inner.is_empty() && !in_rows && isa != Isa::Sse2 {
        let facts = facts_with((run, in_rows), function, isa, true);
        if facts.as_ref().is_ok_and(counts_narrow) {
            return facts;
        }
    }
    facts_with((run, in_rows), function, isa, false)
}

/// Whether a pass does nothing but count steps and combine elements, and its elements are narrow. Lanes of 8 bytes are
/// added faster.
fn counts_narrow(facts: &LoopFacts) -> bool {
    let simple = |role: &Option<Role>| matches!(role, None | Some(Role::Each(_) | Role::Count));
    let counts = facts.has(|role| role == Role::Count) && facts.roles.values().all(simple);
    counts && facts.widest_value < 8 && facts.written.is_empty() && !facts.loops
}

fn facts_with(
    (run, in_rows): (Steps<'_, '_>, bool),
    function: &Function,
    isa: Isa,
    counting: bool,
) -> Result<LoopFacts, Obstacle> {
    let procedure = run.procedure;
    let inner = lanes_of_steps::inner(run);
    let row_reductions = if run.inner.is_empty() && !in_rows {
        row_reductions::of(run.body, function, isa)
    } else {
        RowReductions::default()
    };
    let mut walk = LegalityChecker {
        procedure,
        function,
        isa,
        facts: LoopFacts {
            inner_lanes: inner.map(lanes_of_steps::lanes_of),
            in_rows,
            row_reductions,
            widest: 1,
            widest_value: 1,
            ..LoopFacts::default()
        },
        inside: BTreeSet::from([run.counter]),
        varying: BTreeSet::from([run.counter]),
        counter: run.counter,
        inner_counter: inner.map(|inner| inner.counter),
        masked: 0,
        ends_by_lane: 0,
        searches: 0,
        inner: 0,
        in_rows,
        counting,
        values: addresses::values(run.body, run.inner),
        reads_row: false,
        reads_column: false,
        is_slow: false,
        lane_reads: 0,
        has_loop: false,
        places_row: false,
        runs: BTreeSet::new(),
    };
    match inner {
        Some(inner) => walk.spread(run.body, inner)?,
        None => walk.steps(run.body, run.inner, None)?,
    }
    if walk.reads_column && !walk.has_loop && !walk.is_slow {
        return Err(Obstacle::Position);
    }
    let LegalityChecker { has_loop, is_slow, lane_reads, places_row, .. } = walk;
    let only_reduces = !walk.facts.row_reductions.is_empty() && lane_reads == 0;
    let mut facts = walk.facts;
    facts.columns = walk.reads_column && !has_loop;
    facts.repeats = repeats(run, &facts, function);
    if !run.release.iter().all(|array| facts.arrays.contains_key(array)) {
        return Err(Obstacle::Rows);
    }
    if facts.inner_loops.mostly_store() {
        return Err(Obstacle::Stores);
    }
    // LLVM stores a row of a few scalars as well, but runs a loop of the step one step at a time.
    if places_row && !has_loop {
        return Err(Obstacle::Rows);
    }
    // A guard runs when the parts of all steps have been made; a frame has one buffer.
    if !facts.arrays.is_empty() && (!run.inner.is_empty() || function.recursive) {
        return Err(Obstacle::Rows);
    }
    // LLVM reads such rows in groups, and our code reads them lane by lane. But LLVM vectorises no step that checks
    // indices. There, slow operations and many others take longer than to read lanes, if there are a few.
    let computes = is_slow && facts.operations >= FEWEST_A_READ * lane_reads;
    let has_few_lanes = isa.register() / facts.widest < LEAST_LANES;
    let is_open = facts.scattered && isa.compares_indices() && computes && !has_few_lanes;
    if !has_loop
        && !is_open
        && !only_reduces
        && facts.locals.is_empty()
        && has_short_rows(&facts, function)
    {
        return Err(Obstacle::Rows);
    }
    let is_simple =
        |role: &Option<Role>| matches!(role, None | Some(Role::Counter | Role::Each(_)));
    let counter = facts.deferred.as_ref().map(|deferred| deferred.counter);
    if facts.compacts && isa == Isa::Sse2 {
        Err(Obstacle::Compaction)
    } else if counter.is_some_and(|counter| !strip_guards::is_separate(run, counter)) {
        Err(Obstacle::Scan)
    } else if inner.is_some() && !(facts.compacts && facts.roles.values().all(is_simple)) {
        Err(Obstacle::InnerLoop)
    } else {
        Ok(facts)
    }
}

/// Whether all arrays of the steps are rows, and a row has a few elements.
fn has_short_rows(facts: &LoopFacts, function: &Function) -> bool {
    let is_short = |held: &StepArray| {
        let StepArray::Row(matrix) = held else { return false };
        let Type::Array { shape, .. } = &function.tables.vars[*matrix].ty else { return false };
        matches!(shape[..], [_, Extent::Const(length)] if length <= MAX_IN_ROW)
    };
    !facts.arrays.is_empty() && facts.arrays.values().all(is_short)
}

/// Whether the steps store elements at their own positions, and do nothing else but combine elements exactly.
fn repeats(run: Steps<'_, '_>, facts: &LoopFacts, function: &Function) -> bool {
    let stores = !facts.written.is_empty() || run.procedure.overwrites().next().is_some();
    let is_plain = run.inner.is_empty() && folds_exactly(run, facts, function);
    stores && is_plain && !facts.may_fail && !facts.loops && facts.arrays.is_empty()
}

/// Whether all folds give the same bits, in whatever order they combine the elements.
fn folds_exactly(run: Steps<'_, '_>, facts: &LoopFacts, function: &Function) -> bool {
    let mut folds = Vec::new();
    for stmt in run.body {
        if let Stmt::Update { accs, worker, .. } = stmt {
            folds.extend(accs.iter().copied().zip(&worker.params));
        }
    }
    let is_exact = |(acc, param): (AccId, &VarId)| {
        let is_float = function.tables.vars[*param].ty.scalars().is_float();
        match facts.roles.get(acc) {
            Some(Some(Role::Each(op))) => !is_float || matches!(op, BinOp::Min | BinOp::Max),
            Some(
                Some(Role::Counter | Role::Count | Role::Scan(_) | Role::Exscan(_) | Role::Choice)
                | None,
            )
            | None => false,
        }
    };
    folds.into_iter().all(is_exact)
}

/// A walk through the loop, which ends at the first statement that cannot run in vectors.
#[derive(Clone)]
struct LegalityChecker<'p> {
    procedure: &'p Procedure,
    function: &'p Function,
    isa: Isa,
    facts: LoopFacts,
    /// The variables of the loop.
    inside: BTreeSet<VarId>,
    /// The variables that differ from step to step.
    varying: BTreeSet<VarId>,
    /// The counter of the loop that is walked through.
    counter: VarId,
    /// The counter of the few steps in each step.
    inner_counter: Option<VarId>,
    /// The number of enclosing guards, branches and loops that some lanes may have left.
    masked: u32,
    /// How many enclosing `while` loops end earlier in some lanes than in others.
    ends_by_lane: u32,
    /// How many of these branch in each iteration. One step at a time, the processor mispredicts these branches, which
    /// takes longer than to read elements lane by lane. A loop that only follows links mispredicts its end, and most
    /// lanes wait for the longest way.
    searches: u32,
    /// The number of enclosing loops of a step.
    inner: u32,
    /// Whether several rows are made at once.
    in_rows: bool,
    /// Whether sums of flags are counts.
    counting: bool,
    /// The variables that are used as values, and not only to read arrays at them.
    values: BTreeSet<VarId>,
    /// An element of a row was read.
    reads_row: bool,
    /// An element was read whose row differs between lanes.
    reads_column: bool,
    /// A step divides floats, or computes a root or an elementary function.
    is_slow: bool,
    /// The elements that a step reads lane by lane.
    lane_reads: u32,
    /// A step has a loop.
    has_loop: bool,
    /// A step makes a row in its place in the result.
    places_row: bool,
    /// The arrays that the steps read at their positions, or at a distance from them.
    runs: BTreeSet<VarId>,
}

impl<'p> LegalityChecker<'p> {
    fn steps(
        &mut self,
        body: &'p [Stmt],
        inner: &'p [Nest],
        guard: Option<&'p Guard>,
    ) -> Result<(), Obstacle> {
        for (at, stmt) in body.iter().enumerate() {
            self.stmt(stmt, guard)?;
            if let Stmt::Update { accs, .. } = stmt {
                self.seen(accs, body, at)?;
            }
        }
        for nest in inner {
            match nest {
                Nest::Loop(nest) if guard.is_none() && inner.len() == 1 => self.tile(body, nest)?,
                Nest::Loop(_) => return Err(Obstacle::InnerLoop),
                Nest::Guard(guard) => self.guard_or_defer(guard)?,
            }
        }
        Ok(())
    }

    /// A guard that runs in vectors, or one that is deferred.
    fn guard_or_defer(&mut self, guard: &'p Guard) -> Result<(), Obstacle> {
        let before = self.clone();
        let outcome = self.guard(guard);
        if outcome.is_ok() && !scans_and_reads(guard) {
            return Ok(());
        }
        let after = std::mem::replace(self, before);
        let is_first =
            self.inner_counter.is_none() && !self.in_rows && self.facts.deferred.is_none();
        let of = (self.procedure, self.function);
        let steps = (self.counter, &self.inside);
        let Some(mut deferred) = DeferredGuard::of(guard, of, steps).filter(|_| is_first) else {
            *self = after;
            return outcome;
        };
        deferred.keeps_all &= self.masked == 0;
        self.facts.deferred = Some(deferred);
        self.facts.roles[guard.counter] = Some(Role::Counter);
        self.facts.compacts = true;
        Ok(())
    }

    fn guard(&mut self, guard: &'p Guard) -> Result<(), Obstacle> {
        if !guard.release.is_empty() {
            return Err(Obstacle::Rows);
        }
        self.facts.roles[guard.counter] = Some(Role::Counter);
        let is_first = self.facts.deferred.is_none();
        self.masked += 1;
        self.steps(&guard.body, &guard.inner, Some(guard))?;
        self.masked -= 1;
        if self.inner_counter.is_some() || is_first && self.facts.deferred.is_some() {
            return Ok(());
        }
        let (divisors, of) = (&self.facts.divisors, (self.procedure, self.function));
        let behind = DeferredInputs::of(guard, of, &self.inside, divisors);
        self.facts.behind.extend(behind.map(|behind| (guard.counter, behind)));
        Ok(())
    }

    /// A loop of few steps in the loop, which become lanes: see [`super::lanes_of_steps`].
    fn spread(&mut self, outer: &'p [Stmt], inner: &'p Loop) -> Result<(), Obstacle> {
        if !outer.iter().all(binds) {
            return Err(Obstacle::InnerLoop);
        }
        self.steps(outer, &[], None)?;
        self.define(inner.counter, true)?;
        self.steps(&[], &inner.inner, None)
    }

    /// A loop in the loop, if it is alone there and makes only folds: see [`super::cross_tiles`].
    fn tile(&mut self, outer: &'p [Stmt], inner: &'p Loop) -> Result<(), Obstacle> {
        let is_flat = inner.inner.is_empty() && inner.release.is_empty();
        let folds = |stmt: &Stmt| binds(stmt) || matches!(stmt, Stmt::Update { .. });
        if !is_flat || !outer.iter().all(binds) || !inner.body.iter().all(folds) {
            return Err(Obstacle::InnerLoop);
        }
        self.counter = inner.counter;
        self.inside.insert(inner.counter);
        self.varying.insert(inner.counter);
        for stmt in &inner.body {
            self.stmt(stmt, None)?;
        }
        let each = |role: &Option<Role>| matches!(role, None | Some(Role::Each(_)));
        if self.facts.may_fail || self.facts.loops || !self.facts.roles.values().all(each) {
            return Err(Obstacle::InnerLoop);
        }
        self.facts.tiled = true;
        Ok(())
    }

    /// An accumulator that steps read must be a simple scan, and be read next to its update.
    fn seen(&mut self, accs: &[AccId], body: &'p [Stmt], at: usize) -> Result<(), Obstacle> {
        let sees = |stmt: &Stmt, of: AccId| matches!(stmt, Stmt::Current { acc, .. } if *acc == of);
        for &acc in accs {
            let seen = body.iter().filter(|stmt| sees(stmt, acc)).count();
            if seen == 0 {
                continue;
            }
            let before = body[..at].iter().position(|stmt| sees(stmt, acc));
            let Some(Role::Each(op) | Role::Scan(op)) = self.facts.roles[acc] else {
                return Err(Obstacle::Scan);
            };
            let role = match before {
                None => Role::Scan(op),
                // Only other reads come between, so the update can come first.
                Some(before) if body[before..at].iter().all(is_current) => Role::Exscan(op),
                Some(_) => return Err(Obstacle::Scan),
            };
            if seen > 1 {
                return Err(Obstacle::Scan);
            }
            self.facts.roles[acc] = Some(role);
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'p Stmt, guard: Option<&'p Guard>) -> Result<(), Obstacle> {
        match stmt {
            Stmt::Next { elem, index, array } => {
                self.at_step(index)?;
                if self.function.tables.vars[*elem].ty.is_array() {
                    return self.row(*elem, *array);
                }
                self.goes_through(*array)?;
                self.runs.insert(*array);
                self.define(*elem, true)
            }
            Stmt::Position { elem, index }
                if guard.is_some_and(|guard| *index == Position::Var(guard.index)) =>
            {
                self.define(*elem, true)
            }
            Stmt::Position { elem, index } => {
                if self.inner_counter.is_none_or(|inner| *index != Position::Var(inner)) {
                    self.at_step(index)?;
                }
                self.moves(*elem, self.inner_counter.is_none().then_some(Stride::Straight));
                self.define(*elem, true)
            }
            Stmt::Copy { elem, from } => {
                self.same_array(*elem, *from);
                self.moves(*elem, self.moving(*from));
                self.same_flag(*elem, *from);
                self.define(*elem, self.varies(*from))
            }
            Stmt::Apply { elems, worker, args } => self.apply(elems, worker, args),
            Stmt::Read { elem, array, index, .. } => self.read(*elem, *array, *index),
            Stmt::Update { accs, order, worker, args } => self.update(accs, *order, worker, args),
            Stmt::Reserve { .. } => Err(Obstacle::InnerLoop),
            // The update of the accumulator is checked instead. An accumulator without an update keeps its value.
            Stmt::Current { elem, .. } => self.define(*elem, true),
            Stmt::Write { vec, index, elem, .. }
                if self.function.tables.vars[*vec].ty.rank() > 1 =>
            {
                if guard.is_some() {
                    return Err(Obstacle::Rows);
                }
                self.write_row(*vec, index, *elem)
            }
            Stmt::Write { vec, index, .. } => self.write(*vec, index, guard),
        }
    }

    fn apply(
        &mut self,
        elems: &[VarId],
        worker: &'p Worker,
        args: &[Atom],
    ) -> Result<(), Obstacle> {
        self.worker(worker, args)?;
        for (&elem, &result) in elems.iter().zip(&worker.body.results) {
            self.same_array(elem, result);
            self.moves(elem, self.moving(result));
            self.same_flag(elem, result);
            self.define(elem, true)?;
        }
        Ok(())
    }

    /// A row that is written: only an array of the step itself is in lanes.
    fn write_row(&mut self, vec: VarId, index: &Position, row: Atom) -> Result<(), Obstacle> {
        if !matches!(self.held(row), Some(StepArray::Local(_))) {
            return Err(Obstacle::Rows);
        }
        self.dimensions(vec, 2)?;
        self.at_step(index)
    }

    /// An element that is written at the position of the step, or behind a guard at the guard's.
    fn write(
        &mut self,
        vec: VarId,
        index: &Position,
        guard: Option<&'p Guard>,
    ) -> Result<(), Obstacle> {
        self.goes_through(vec)?;
        match guard {
            None => {
                if self.procedure.overwrites().all(|(over, _)| over != vec) {
                    self.facts.written.push(vec);
                }
                self.at_step(index)
            }
            Some(guard) if *index == Position::Var(guard.index) => {
                self.facts.compacts = true;
                Ok(())
            }
            Some(_) => Err(Obstacle::Position),
        }
    }

    fn update(
        &mut self,
        accs: &[AccId],
        order: FoldOrder,
        worker: &'p Worker,
        args: &[Atom],
    ) -> Result<(), Obstacle> {
        if self.counts(accs, worker, args) {
            return Ok(());
        }
        for &param in &worker.params[..accs.len()] {
            self.define(param, true)?;
        }
        self.params(&worker.params[accs.len()..], args)?;
        let before = std::mem::replace(&mut self.facts.may_fail, false);
        self.block(&worker.body)?;
        let may_fail = std::mem::replace(&mut self.facts.may_fail, before);
        self.facts.may_fail |= may_fail;
        if let Some(segments) = segmented_folds(worker, accs.len()) {
            let mut each = accs.iter().zip(segments);
            return each.try_for_each(|(&acc, segment)| self.segment(acc, order, segment));
        }
        // The operator also combines the lanes after the last step, where no step is left that could fail.
        if order == FoldOrder::Strict || may_fail || !chooses(worker, accs.len()) {
            return Err(Obstacle::Operator);
        }
        for &acc in accs {
            self.facts.roles[acc] = Some(Role::Choice);
        }
        Ok(())
    }

    /// Whether an update adds a flag to an accumulator.
    fn counts(&mut self, accs: &[AccId], worker: &'p Worker, args: &[Atom]) -> bool {
        let (&[acc], &[arg]) = (accs, args) else { return false };
        let (Some(segments), [before, elem]) = (segmented_folds(worker, 1), &worker.params[..])
        else {
            return false;
        };
        let [SegmentedFold { fold, anew: None }] = &segments[..] else { return false };
        let adds = fold.op == BinOp::Add && fold.elem == Atom::Var(*elem);
        if !adds || worker.body.steps.len() != 1 || !self.same_flag(*elem, arg) {
            return false;
        }
        self.inside.extend([*before, *elem, fold.result]);
        self.facts.roles[acc] = Some(Role::Count);
        true
    }

    /// Makes a variable the number of the flag whose number an atom is; says whether the atom is such a number.
    fn same_flag(&mut self, var: VarId, from: Atom) -> bool {
        let Atom::Var(from) = from else { return false };
        let flag = self.facts.flags.get(&from).copied();
        self.facts.flags.extend(flag.map(|flag| (var, flag)));
        flag.is_some()
    }

    /// An accumulator that is combined with an element, or begins anew. A guard gives masked lanes the neutral element.
    /// The initial value of a minimum is not neutral in a later segment, so behind a guard only sums may begin anew.
    /// Flags are not scanned in lanes: LLVM would expand each mask to a vector of integers.
    fn segment(&mut self, acc: AccId, order: FoldOrder, of: SegmentedFold) -> Result<(), Obstacle> {
        let op = of.fold.op;
        let ty = self.procedure.accs[acc].ty.as_scalar().ok_or(Obstacle::Rows)?;
        let has_neutral = op.fold() == Reassociation::Sum;
        if of.anew.is_some() && !has_neutral && (self.masked > 0 || ty == Scalar::Bool) {
            return Err(Obstacle::Operator);
        }
        if !in_any_order(op, ty, order) {
            return Err(Obstacle::Order);
        }
        let is_extreme = matches!(op, BinOp::Min | BinOp::Max) && ty.is_float();
        self.facts.extremes |= is_extreme && begins_as_number(self.procedure, acc);
        self.facts.segmented |= of.anew.is_some();
        let role = if of.anew.is_some() { Role::Scan(op) } else { Role::Each(op) };
        self.facts.roles[acc] = Some(role);
        Ok(())
    }

    /// An element of an array; whether it differs between lanes.
    fn gather(&mut self, array: VarId, indices: &[Atom], inside: bool) -> Result<bool, Obstacle> {
        self.dimensions(array, indices.len())?;
        let (&last, rows) = indices.split_last().ok_or(Obstacle::Rows)?;
        if rows.iter().any(|&row| self.varies(row)) {
            return self.columns(array, inside);
        }
        let (varies, moving) = (self.varies(last), self.moving(last));
        let is_near = matches!(moving, Some(Stride::Straight | Stride::Clamped));
        if self.inner > 0 && varies && !is_near && self.searches == 0 {
            return Err(Obstacle::Scattered);
        }
        let is_run = matches!(moving, Some(Stride::Straight | Stride::Backward));
        if inside && self.masked == 0 && (!varies || is_run) {
            let is_forward = moving == Some(Stride::Straight);
            self.facts.neighbours |= varies && is_forward && !self.runs.insert(array);
            return Ok(varies);
        }
        self.facts.may_fail = true;
        self.facts.jumps |= moving == Some(Stride::Jumping);
        // LLVM reads whole vectors backwards, and reverses them.
        let is_run = match moving {
            None | Some(Stride::Clamped) => false,
            Some(Stride::Straight | Stride::Jumping) => true,
            Some(Stride::Backward) => inside,
        };
        self.lane_reads += u32::from(varies && moving.is_none());
        // An index that needs no check is no reason for vectors of ours.
        self.facts.scattered |= varies && !is_run && !inside;
        self.facts.gathered.insert(array);
        Ok(varies)
    }

    /// Reads an element at an index: of an array of the step, or of one that all steps read.
    fn read(&mut self, elem: VarId, array: VarId, index: Atom) -> Result<(), Obstacle> {
        if self.held(Atom::Var(array)).is_some() {
            return self.indexed(elem, array, &[index], false);
        }
        let varies = self.gather(array, &[index], false)?;
        self.define(elem, varies)
    }

    fn at_step(&self, index: &Position) -> Result<(), Obstacle> {
        let here = *index == Position::Var(self.counter);
        if here { Ok(()) } else { Err(Obstacle::Position) }
    }

    fn goes_through(&mut self, array: VarId) -> Result<(), Obstacle> {
        self.dimensions(array, 1)?;
        let elem = self.function.tables.vars[array].ty.scalars();
        self.facts.traffic += elem.bytes();
        Ok(())
    }

    fn dimensions(&mut self, array: VarId, count: usize) -> Result<(), Obstacle> {
        match &self.function.tables.vars[array].ty {
            Type::Array { elem, shape } if shape.len() == count => {
                self.facts.widest = self.facts.widest.max(elem.bytes());
                self.facts.widest_value = self.facts.widest_value.max(elem.bytes());
                Ok(())
            }
            Type::Array { .. } | Type::Scalar(_) => Err(Obstacle::Rows),
        }
    }

    fn define(&mut self, var: VarId, varies: bool) -> Result<(), Obstacle> {
        self.inside.insert(var);
        if self.facts.arrays.contains_key(&var) {
            return Ok(());
        }
        let ty = self.function.tables.vars[var].ty.as_scalar().ok_or(Obstacle::Rows)?;
        if varies && self.facts.flags.contains_key(&var) {
            self.varying.insert(var);
        } else if varies {
            self.varying.insert(var);
            // A position that only tells where an array is read is a scalar.
            if self.inner > 0 && self.moving(Atom::Var(var)) != Some(Stride::Straight) {
                self.facts.widest_carried = self.facts.widest_carried.max(ty.bytes());
            }
            // Lengths and positions of few steps are small numbers, which LLVM makes narrow.
            if self.inner_counter.is_none() && !self.is_address(var) {
                self.facts.widest = self.facts.widest.max(ty.bytes());
            }
            if self.moving(Atom::Var(var)) != Some(Stride::Straight) {
                self.facts.widest_value = self.facts.widest_value.max(ty.bytes());
            }
        } else {
            self.varying.remove(&var);
        }
        Ok(())
    }

    /// Whether a variable is the position, moved, and only tells where arrays are read.
    fn is_address(&self, var: VarId) -> bool {
        self.moving(Atom::Var(var)) == Some(Stride::Straight) && !self.values.contains(&var)
    }

    fn varies(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.varying.contains(&var))
    }

    fn scalar_type(&self, atom: Atom) -> Option<Scalar> {
        match atom {
            Atom::Const(value) => Some(value.ty),
            Atom::Var(var) => self.function.tables.vars[var].ty.as_scalar(),
        }
    }
}

/// Whether a guard scans the kept elements, and reads elements of arrays. Lanes take longer for that than the kept
/// steps alone.
fn scans_and_reads(guard: &Guard) -> bool {
    guard.body.iter().any(is_current) && guard.body.iter().any(reads_elements)
}

/// Whether a statement only binds a variable to the element at its own position.
fn binds(stmt: &Stmt) -> bool {
    matches!(
        stmt,
        Stmt::Next { .. } | Stmt::Position { .. } | Stmt::Copy { .. } | Stmt::Apply { .. }
    )
}
