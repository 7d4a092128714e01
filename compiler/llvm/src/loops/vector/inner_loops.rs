//! Loops in a step, for several steps at once (outer-loop vectorisation): each lane runs the loop of its own step.
//!
//! If the trip count is the same in all lanes, the loop has that trip count. Otherwise a lane is masked when its own
//! loop has ended: it runs on without effect, and the loop ends when no lane is alive. A fold keeps the order of its
//! steps, since each lane has an accumulator of its own.
//!
//! Invariant: a masked lane changes no carried value and cannot fail. The loop is left at once when a lane fails, since
//! with that lane's further values it might never end.
//!
//! ```text
//! r = loop 1.0 for m do (\r i -> …)      %i = phi i64, %r = phi <16 x double>; while %i < %m
//! k = loop x while (\y -> y > 1) do …    %on = phi <16 x i1>, %y = phi <16 x i64>; while any %on & (%y > 1)
//!                                        %y' = %on ? … : %y
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{
    Block, End, Length, LoopForm, Position, Procedure, Range, Start, Stmt, Worker,
};
use arrc_syntax::ids::{AccId, SecondaryMap, VarId};
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{
    BasicValue, BasicValueEnum, InstructionOpcode, IntValue, PhiValue, VectorValue,
};

use super::inner_bodies::{inner_body, inner_range};
use super::lanes::Lanes;
use super::plan::StepArray;
use super::vector_loop::VectorLoop;
use crate::loops::pass::note_contractions;
use crate::unit::built;

/// The trip count of a loop in the lanes, or the condition under which it goes on.
#[derive(Clone, Copy)]
enum LaneTripCount<'ctx, 'p> {
    /// The same trip count in all lanes.
    Same(IntValue<'ctx>),
    /// A trip count for each lane.
    Each(VectorValue<'ctx>),
    /// As long as this holds.
    While(&'p Worker),
}

impl PartialEq for LaneTripCount<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Same(one), Self::Same(other)) => one == other,
            (Self::Each(one), Self::Each(other)) => one == other,
            (Self::While(one), Self::While(other)) => std::ptr::eq(*one, *other),
            (Self::Same(_) | Self::Each(_) | Self::While(_), _) => false,
        }
    }
}

/// A fold before its loop.
struct StartedFold<'ctx, 'p> {
    accs: Vec<(AccId, VectorValue<'ctx>)>,
    limit: LaneTripCount<'ctx, 'p>,
}

/// The end of one side of a uniform branch, one that all lanes take.
struct BranchEnd<'ctx> {
    /// The block in which it ends.
    end: BasicBlock<'ctx>,
    values: Vec<Lanes<'ctx>>,
    /// The lanes that would fail.
    bad: Option<VectorValue<'ctx>>,
}

/// A step of a loop: its number, and the lanes in which it counts.
#[derive(Clone, Copy)]
struct LaneIteration<'ctx> {
    index: IntValue<'ctx>,
    flags: Option<VectorValue<'ctx>>,
}

/// The header of a loop.
struct LoopHeader<'ctx> {
    block: BasicBlock<'ctx>,
    index: PhiValue<'ctx>,
    /// The lanes whose loop goes on, where their conditions say so.
    alive: Option<PhiValue<'ctx>>,
    /// The lanes that run this step.
    left: Option<VectorValue<'ctx>>,
    /// The lanes that would fail.
    bad: Option<PhiValue<'ctx>>,
    carried: Vec<PhiValue<'ctx>>,
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// `vars = loop init …`.
    pub(super) fn repeat(
        &mut self,
        vars: &[VarId],
        (form, init): (&'p LoopForm, &[Atom]),
        worker: &'p Worker,
        flags: Option<VectorValue<'ctx>>,
    ) {
        let (params, counter) = worker.params.split_at(init.len());
        let scalars = params.iter().zip(init).filter(|(param, _)| self.held(**param).is_none());
        let carried = scalars.map(|(param, &init)| {
            let is_same = self.plan.facts.uniform.contains(param);
            if is_same { self.lanes(init) } else { Lanes::Each(self.each(init)) }
        });
        let first = carried.collect::<Vec<_>>();
        let limit = match form {
            LoopForm::For { count } => self.limit(*count),
            LoopForm::While { cond } => LaneTripCount::While(cond),
        };
        let from = self.pass.body.code.size(0);
        let last = self.emit_loop(first, (from, limit), flags, |this, iteration, carried| {
            for (param, &value) in this.scalars(params).into_iter().zip(carried) {
                this.bind(param, value);
            }
            for &counter in counter {
                this.bind(counter, Lanes::Same(iteration.index.into()));
            }
            this.block(&worker.body, iteration.flags)
        });
        for (var, value) in self.scalars(vars).into_iter().zip(last) {
            self.bind(var, value);
        }
    }

    /// A pass that makes nothing but folds.
    pub(super) fn folds(&mut self, pass: &'p Procedure, flags: Option<VectorValue<'ctx>>) {
        self.folds_of([self.part].into(), pass, flags);
    }

    /// The same for several parts: in one loop if it has the same length for all of them, or else one after the other.
    pub(super) fn folds_of(
        &mut self,
        parts: Vec<usize>,
        pass: &'p Procedure,
        flags: Option<VectorValue<'ctx>>,
    ) {
        let started = parts.iter().map(|&part| {
            self.enter_part(part);
            self.begin_folds(pass, flags)
        });
        let mut started = started.collect::<Vec<_>>();
        let first_iteration = self.only_span(&parts, &mut started);
        let joint = started.windows(2).all(|pair| pair[0].limit == pair[1].limit);
        if !joint {
            for part in parts {
                self.folds_of(vec![part], pass, flags);
            }
            return;
        }
        let body = inner_body(&pass.nest).expect("the plan has only plain folds");
        let order = started[0].accs.iter().map(|(acc, _)| *acc).collect::<Vec<_>>();
        let first = started.iter().flat_map(|started| &started.accs);
        let first = first.map(|(_, value)| Lanes::Each(*value)).collect();
        for stmt in body {
            if let Stmt::Update { accs, order, worker, .. } = stmt {
                let update = (&accs[..], *order, &worker.params[..]);
                note_contractions(&mut self.pass.body.contracts, pass, update);
            }
        }
        let count = order.len();
        let last = self.emit_loop(
            first,
            (first_iteration, started[0].limit),
            flags,
            |this, iteration, carried| {
                let next = parts.iter().enumerate().map(|(at, &part)| {
                    let carried = &carried[at * count..][..count];
                    this.enter_part(part);
                    let values = carried.iter().map(|&value| Some(this.in_each(value)));
                    let mut accs = order.iter().copied().zip(values).collect();
                    this.bind(pass.nest.counter, Lanes::Same(iteration.index.into()));
                    for stmt in body {
                        this.fold_stmt(stmt, iteration, &mut accs);
                    }
                    order.iter().map(|&acc| Lanes::Each(value(&accs, acc))).collect::<Vec<_>>()
                });
                next.collect::<Vec<_>>().concat()
            },
        );
        for (at, part) in parts.into_iter().enumerate() {
            self.enter_part(part);
            let last = &last[at * count..][..count];
            for end in &pass.end {
                let End::Read { result, acc } = end else { continue };
                if self.held(*result).is_some() {
                    continue;
                }
                let at = order.iter().position(|of| of == acc).expect("an accumulator has a start");
                self.bind(*result, last[at]);
            }
        }
    }

    /// Restricts the folds of a tile that runs in spans to the iterations of the current span. They continue with the
    /// values that the span before has stored. Returns the first iteration.
    fn only_span(
        &mut self,
        parts: &[usize],
        started: &mut [StartedFold<'ctx, 'p>],
    ) -> IntValue<'ctx> {
        let Some(span) = self.tile.span else { return self.pass.body.code.size(0) };
        for started in started.iter_mut() {
            started.limit = LaneTripCount::Same(span.to);
        }
        let Some(vec) = span.partial else { return span.from };
        let code = &self.pass.body.code;
        let [reload, next] = ["span.reload", "span.next"].map(|name| code.block(name));
        let before = code.current_block();
        let first = code.compare(IntPredicate::EQ, span.from, code.size(0));
        code.branch(first, next, reload);
        code.b.position_at_end(reload);
        let stored = parts.iter().map(|&part| {
            self.enter_part(part);
            self.reload(vec, None)
        });
        let stored = stored.collect::<Vec<_>>();
        let code = &self.pass.body.code;
        let after = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        for (started, stored) in started.iter_mut().zip(stored) {
            for (_, acc) in &mut started.accs {
                *acc = code.phi_of([(*acc, before), (stored, after)]);
            }
        }
        span.from
    }

    /// The code before the loop of a fold.
    fn begin_folds(
        &mut self,
        pass: &'p Procedure,
        flags: Option<VectorValue<'ctx>>,
    ) -> StartedFold<'ctx, 'p> {
        let mut accs = Vec::new();
        for start in &pass.start {
            match start {
                Start::NewAcc { acc, .. } if pass.accs[*acc].ty.is_array() => {}
                Start::NewAcc { acc, init } => accs.push((*acc, self.each(*init))),
                Start::CheckSize { size, .. } => self.check_size(*size, flags),
                // The vector already has its place.
                Start::NewVec { .. } => {}
            }
        }
        let limit = match &pass.nest.length {
            Length::Value(length) => self.limit(*length),
            Length::Array(array) if self.held(*array).is_some() => {
                let held = self.held(*array).expect("it is an array of the step");
                LaneTripCount::Same(self.held_length(held))
            }
            length @ (Length::Array(_) | Length::Product(..)) => {
                LaneTripCount::Same(self.pass.length(length))
            }
        };
        if let Some(range) = inner_range(&pass.nest) {
            self.is_whole(range, limit, flags);
        }
        StartedFold { accs, limit }
    }

    /// A statement of an inner fold.
    fn fold_stmt(
        &mut self,
        stmt: &'p Stmt,
        iteration: LaneIteration<'ctx>,
        accs: &mut SecondaryMap<AccId, Option<VectorValue<'ctx>>>,
    ) {
        match stmt {
            // A part of an array is read by its indices.
            Stmt::Next { elem, .. } if self.held(*elem).is_some() => {}
            Stmt::Next { elem, index: Position::Var(counter), array }
                if let Some(held @ StepArray::Part(_)) = self.held(*array) =>
            {
                let value = self.read_held(held, &[Atom::Var(*counter)], true, None);
                self.bind(*elem, value);
            }
            Stmt::Next { elem, array, .. } if self.held(*array).is_some() => {
                let held = self.held(*array).expect("it is an array of the step");
                let value = self.in_panel(*elem).unwrap_or_else(|| {
                    Lanes::Each(self.load_held(held, Lanes::Same(iteration.index.into())))
                });
                self.bind(*elem, value);
            }
            Stmt::Next { elem, array, .. } => {
                let value = self.load_one(*array, iteration.index);
                self.bind(*elem, Lanes::Same(value));
            }
            Stmt::Position { elem, .. } => self.bind(*elem, Lanes::Same(iteration.index.into())),
            Stmt::Update { accs: of, worker, args, .. } => {
                let (before, elems) = worker.params.split_at(of.len());
                self.bind_all(elems, args);
                let scalars =
                    before.iter().zip(of).filter(|(param, _)| self.held(**param).is_none());
                let scalars = scalars.map(|(&param, &acc)| (param, acc)).collect::<Vec<_>>();
                for &(param, acc) in &scalars {
                    self.bind(param, Lanes::Each(value(accs, acc)));
                }
                let after = self.block(&worker.body, iteration.flags);
                for ((_, acc), value) in scalars.into_iter().zip(after) {
                    accs[acc] = Some(self.in_each(value));
                }
            }
            Stmt::Current { elem, acc } => self.bind(*elem, Lanes::Each(value(accs, *acc))),
            Stmt::Copy { .. } | Stmt::Apply { .. } | Stmt::Read { .. } => {
                self.stmt_where(stmt, iteration.flags);
            }
            Stmt::Write { vec, elem, .. } => {
                let held = self.held(*vec).expect("an inner pass makes only arrays of the step");
                let at = Lanes::Same(iteration.index.into());
                self.store_held(held, at, self.each(*elem), iteration.flags);
            }
            Stmt::Reserve { .. } => panic!("an inner pass makes no array that grows"),
        }
    }

    /// A choice that is the same in all lanes: a branch that all lanes take or none.
    pub(super) fn uniform_branch(
        &mut self,
        vars: &[VarId],
        cond: IntValue<'ctx>,
        [then, otherwise]: [&'p Block; 2],
        flags: Option<VectorValue<'ctx>>,
    ) {
        let names = ["across.then", "across.else", "across.next"];
        let [yes, no, next] = names.map(|name| self.pass.body.code.block(name));
        self.pass.body.code.branch(cond, yes, no);
        let before = self.bad;
        let sides = [(yes, then), (no, otherwise)].map(|(begin, block)| {
            self.bad = before;
            self.pass.body.code.b.position_at_end(begin);
            let values = self.block(block, flags);
            BranchEnd { end: self.pass.body.code.current_block(), bad: self.bad, values }
        });
        let is_same =
            |at: usize| sides.iter().all(|side| matches!(side.values[at], Lanes::Same(_)));
        let is_bad = sides.iter().any(|side| side.bad != before);
        let ended = sides.iter().map(|side| {
            let code = &self.pass.body.code;
            code.b.position_at_end(side.end);
            let each = |at: usize| {
                if is_same(at) {
                    side.values[at]
                } else {
                    Lanes::Each(self.in_each(side.values[at]))
                }
            };
            let values = (0..side.values.len()).map(each).collect::<Vec<_>>();
            let none = code.types.i1.vec_type(self.plan.lanes).const_zero();
            code.jump(next);
            (values, side.bad.unwrap_or(none), side.end)
        });
        let [(yes, yes_bad, from_yes), (no, no_bad, from_no)] =
            <[_; 2]>::try_from(ended.collect::<Vec<_>>())
                .unwrap_or_else(|_| panic!("a choice has two ways"));
        self.pass.body.code.b.position_at_end(next);
        self.bad = before;
        if is_bad {
            self.bad = Some(self.pass.body.code.phi_of([(yes_bad, from_yes), (no_bad, from_no)]));
        }
        for ((var, yes), no) in self.scalars(vars).into_iter().zip(yes).zip(no) {
            let value =
                self.pass.body.code.phi_of([(yes.value(), from_yes), (no.value(), from_no)]);
            self.bind(var, yes.like(value));
        }
    }

    fn limit(&self, count: Atom) -> LaneTripCount<'ctx, 'p> {
        match self.lanes(count) {
            Lanes::Same(count) => LaneTripCount::Same(count.into_int_value()),
            Lanes::Each(count) => LaneTripCount::Each(count),
        }
    }

    /// A negative size fails.
    fn check_size(&mut self, size: Atom, flags: Option<VectorValue<'ctx>>) {
        let size = self.each(size);
        let zero = size.get_type().const_zero();
        let fails = self.pass.body.code.lanes_compare(IntPredicate::SLT, size, zero);
        self.fails_where(fails, flags);
    }

    /// Leaves the steps to the scalar loop if the range is not the whole loop.
    fn is_whole(
        &mut self,
        range: &Range,
        limit: LaneTripCount<'ctx, 'p>,
        flags: Option<VectorValue<'ctx>>,
    ) {
        let length = match limit {
            LaneTripCount::Same(length) => {
                self.pass.body.code.splat(length.into(), self.plan.lanes)
            }
            LaneTripCount::Each(length) => length,
            LaneTripCount::While(_) => panic!("a pass has a length"),
        };
        let [from, to] = [range.from, range.to].map(|bound| self.each(bound));
        let code = &self.pass.body.code;
        let late = code.lanes_compare(IntPredicate::SGT, from, from.get_type().const_zero());
        let early = code.lanes_compare(IntPredicate::SLT, to, length);
        let fails = code.lanes_op(InstructionOpcode::Or, late, early);
        self.fails_where(fails, flags);
    }

    /// Emits a loop that carries values, and returns their final values.
    fn emit_loop(
        &mut self,
        first: Vec<Lanes<'ctx>>,
        (from, limit): (IntValue<'ctx>, LaneTripCount<'ctx, 'p>),
        flags: Option<VectorValue<'ctx>>,
        mut iteration: impl FnMut(&mut Self, LaneIteration<'ctx>, &[Lanes<'ctx>]) -> Vec<Lanes<'ctx>>,
    ) -> Vec<Lanes<'ctx>> {
        let limit = self.limit_where(limit, flags);
        let [inside, done] =
            ["across.body", "across.done"].map(|name| self.pass.body.code.block(name));
        let mut header = self.header(&first, (from, limit), flags);
        let carried = header.carried.iter().zip(&first);
        let carried =
            carried.map(|(phi, first)| first.like(phi.as_basic_value())).collect::<Vec<_>>();
        let index = header.index.as_basic_value().into_int_value();
        let (more, flags) = self.continues(&mut header, limit, &carried, flags);
        let bad = self.bad;
        let code = &self.pass.body.code;
        code.branch(more, inside, done);
        code.b.position_at_end(inside);
        let around = self.iteration.replace(index);
        let next = iteration(self, LaneIteration { index, flags }, &carried);
        self.iteration = around;
        let next = next.into_iter().zip(&carried).map(|(next, &before)| match before {
            Lanes::Same(_) => next,
            Lanes::Each(before) => {
                let next = self.in_each(next);
                let code = &self.pass.body.code;
                Lanes::Each(flags.map_or(next, |flags| code.blend(flags, next, before)))
            }
        });
        let next = next.collect::<Vec<_>>();
        self.end_iteration(&header, &next);
        self.pass.body.code.b.position_at_end(done);
        self.bad = bad;
        carried
    }

    /// A counted loop has no step if no lane takes part.
    fn limit_where(
        &self,
        limit: LaneTripCount<'ctx, 'p>,
        flags: Option<VectorValue<'ctx>>,
    ) -> LaneTripCount<'ctx, 'p> {
        let (LaneTripCount::Same(count), Some(flags)) = (limit, flags) else { return limit };
        let code = &self.pass.body.code;
        let none = code.size(0).into();
        LaneTripCount::Same(code.select(code.any(flags), count.into(), none).into_int_value())
    }

    /// Begins a loop.
    fn header(
        &mut self,
        first: &[Lanes<'ctx>],
        (from, limit): (IntValue<'ctx>, LaneTripCount<'ctx, 'p>),
        flags: Option<VectorValue<'ctx>>,
    ) -> LoopHeader<'ctx> {
        let alive = match limit {
            LaneTripCount::While(_) => Some(self.carried_mask(flags.unwrap_or(self.all_lanes()))),
            LaneTripCount::Same(_) | LaneTripCount::Each(_) => None,
        };
        let code = &self.pass.body.code;
        let (before, block) = (code.current_block(), code.block("across"));
        let none = code.types.i1.vec_type(self.plan.lanes);
        code.jump(block);
        code.b.position_at_end(block);
        let phi = |first: BasicValueEnum<'ctx>| {
            let phi = built(code.b.build_phi(first.get_type(), ""));
            phi.add_incoming(&[(&first, before)]);
            phi
        };
        let index = phi(from.into());
        let alive = alive.map(|alive| phi(alive.into()));
        let bad = self.bad.unwrap_or(none.const_zero());
        let bad = self.plan.facts.may_fail.then(|| phi(bad.into()));
        let carried = first.iter().map(|first| phi(first.value())).collect();
        self.bad = bad.map(|bad| bad.as_basic_value().into_vector_value());
        LoopHeader { block, index, alive, left: None, bad, carried }
    }

    /// Whether a loop runs another step, and in which lanes.
    fn continues(
        &mut self,
        header: &mut LoopHeader<'ctx>,
        limit: LaneTripCount<'ctx, 'p>,
        carried: &[Lanes<'ctx>],
        flags: Option<VectorValue<'ctx>>,
    ) -> (IntValue<'ctx>, Option<VectorValue<'ctx>>) {
        let index = header.index.as_basic_value().into_int_value();
        let (mut more, flags) = match limit {
            LaneTripCount::Same(count) => {
                (self.pass.body.code.compare(IntPredicate::SLT, index, count), flags)
            }
            LaneTripCount::Each(counts) => {
                let code = &self.pass.body.code;
                let index = code.splat(index.into(), self.plan.lanes);
                let alive = code.lanes_compare(IntPredicate::SLT, index, counts);
                let alive = flags
                    .map_or(alive, |flags| code.lanes_op(InstructionOpcode::And, flags, alive));
                (code.any(alive), Some(alive))
            }
            LaneTripCount::While(cond) => {
                for (param, &value) in self.scalars(&cond.params).into_iter().zip(carried) {
                    self.bind(param, value);
                }
                let alive = header.alive.expect("a loop with a condition says which lanes go on");
                let mask = alive.as_basic_value().into_vector_value();
                let alive = self.of_mask(mask);
                match (self.block(&cond.body, Some(alive))[0], flags) {
                    (Lanes::Same(more), None) => (more.into_int_value(), None),
                    (more @ (Lanes::Same(_) | Lanes::Each(_)), _) => {
                        let more = self.carried_mask(self.in_each(more));
                        let alive =
                            self.pass.body.code.lanes_op(InstructionOpcode::And, mask, more);
                        header.left = Some(alive);
                        (self.any_of_mask(alive), Some(self.of_mask(alive)))
                    }
                }
            }
        };
        if let Some(bad) = self.bad {
            let code = &self.pass.body.code;
            let good = built(code.b.build_not(code.any(bad), ""));
            more = built(code.b.build_and(more, good, ""));
        }
        (more, flags)
    }

    /// Ends a step of a loop.
    fn end_iteration(&self, header: &LoopHeader<'ctx>, next: &[Lanes<'ctx>]) {
        let code = &self.pass.body.code;
        let index = header.index.as_basic_value().into_int_value();
        let index = code.add_index(index, code.size(1));
        let latch = code.current_block();
        header.index.add_incoming(&[(&index, latch)]);
        let alive = header
            .alive
            .map(|phi| (phi, header.left.unwrap_or(self.carried_mask(self.all_lanes()))));
        let none = code.types.i1.vec_type(self.plan.lanes).const_zero();
        let bad = header.bad.map(|phi| (phi, self.bad.unwrap_or(none)));
        for (phi, value) in alive.into_iter().chain(bad) {
            phi.add_incoming(&[(&value as &dyn BasicValue<'ctx>, latch)]);
        }
        for (phi, value) in header.carried.iter().zip(next) {
            phi.add_incoming(&[(&value.value(), latch)]);
        }
        code.jump(header.block);
    }

    /// Flags as wide as the other carried values.
    fn carried_mask(&self, flags: VectorValue<'ctx>) -> VectorValue<'ctx> {
        self.as_mask(flags, self.plan.facts.widest_carried)
    }

    /// A flag that holds in every lane.
    fn all_lanes(&self) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        code.splat(code.types.i1.const_all_ones().into(), self.plan.lanes)
    }

    /// A value in each lane.
    pub(super) fn in_each(&self, value: Lanes<'ctx>) -> VectorValue<'ctx> {
        match value {
            Lanes::Each(value) => value,
            Lanes::Same(value) => self.pass.body.code.splat(value, self.plan.lanes),
        }
    }
}

/// The value of an accumulator.
fn value<'ctx>(
    accs: &SecondaryMap<AccId, Option<VectorValue<'ctx>>>,
    acc: AccId,
) -> VectorValue<'ctx> {
    accs[acc].expect("an accumulator has a start")
}
