//! Accumulators of several steps at once.
//!
//! Each vector of a step has accumulators of its own, so that they do not wait for each other. After the loop, all of
//! them are combined with the accumulator's value before the loop.
//!
//! An accumulator that is chosen from the elements starts with its value before the loop in all lanes, and remembers
//! the step in which it was chosen. So the earlier one of two choices is known.
//!
//! A scan moves elements through the lanes. Where it begins anew, a lane takes none from the lanes before: the flags
//! move as the elements do.
//!
//! Invariant: the elements are those that the steps would combine one by one. Their order differs only where
//! [`super::legality`] found that it does not matter.
//!
//! ```text
//! s0 = s0 + (p0 ? x0 : 0)    s1 = s1 + (p1 ? x1 : 0)    …    s = s + lanes of (s0 + s1)
//! ```

use arrc_fusion::cnf::Atom;
use arrc_fusion::cnf::neutral;
use arrc_loops::concrete::{SegmentStart, SegmentedFold, Step, Stmt, Worker, segmented_folds};
use arrc_syntax::ids::{AccId, SecondaryMap};
use arrc_syntax::prim::{BinOp, Reassociation, Scalar};
use inkwell::IntPredicate;
use inkwell::types::BasicType;
use inkwell::values::{BasicValueEnum, InstructionOpcode, IntValue, VectorValue};

use super::lanes::Lanes;
use super::plan::{LoopFacts, Role};
use super::profitability::folds_row;
use super::state::{AccumulatorState, ChoiceFold};
use super::streaming_stores::Stores;
use super::vector_loop::VectorLoop;
use crate::loops::pass::{Steps, begins_as_number};
use crate::loops::scalar::fold_operators::{Choice, choice};
use crate::scalar::fast_math::contract;
use crate::scalar::vector_of;
use crate::unit::built;

/// A choice that has been made: the values of the accumulators, and the positions of the chosen elements.
struct ChosenElements<'ctx> {
    values: Vec<VectorValue<'ctx>>,
    positions: VectorValue<'ctx>,
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// The accumulators before the first step.
    pub(super) fn first_state(&mut self) -> AccumulatorState<'ctx> {
        let (lanes, parts) = (self.plan.lanes, self.plan.parts as usize);
        let mut state = AccumulatorState::default();
        for acc in self.pass.procedure.accs.keys() {
            let Some(role) = self.plan.facts.roles[acc] else { continue };
            state.accs[acc] = match role {
                Role::Counter | Role::Count => vec![self.pass.acc(acc)],
                Role::Each(op) => {
                    let neutral = self.carried(acc, op, self.splat(self.neutral(acc, op)));
                    let mut state = vec![neutral.into(); parts];
                    if self.begins_in_lane(acc, op) {
                        let code = &self.pass.body.code;
                        let (before, zero) = (self.pass.acc(acc), code.types.i32.const_zero());
                        let first = code.b.build_insert_element(neutral, before, zero, "");
                        state[0] = built(first).into();
                    }
                    state
                }
                Role::Scan(_) | Role::Exscan(_) => vec![self.splat(self.pass.acc(acc)).into()],
                Role::Choice => vec![self.splat(self.pass.acc(acc)).into(); parts],
            };
            state.signs[acc] = self.first_signs(acc);
        }
        let deferred = self.plan.facts.deferred.as_ref().map(|deferred| &deferred.counter);
        for &counter in self.plan.facts.behind.keys().chain(deferred) {
            state.behind[counter] = vec![self.pass.acc(counter)];
        }
        let minus_one = self.step_number(self.pass.body.code.size(u64::MAX));
        for first in self.choices.iter().map(|choice| choice.accs[0]) {
            let code = &self.pass.body.code;
            state.steps[first] = vec![code.splat(minus_one.into(), lanes).into(); parts];
        }
        state
    }

    /// The number of a step, in the form that choices remember.
    pub(super) fn step_number(&self, number: IntValue<'ctx>) -> IntValue<'ctx> {
        let code = &self.pass.body.code;
        let ty = if self.plan.facts.widest == 8 { code.types.i64 } else { code.types.i32 };
        built(code.b.build_int_truncate_or_bit_cast(number, ty, ""))
    }

    fn splat(&self, value: BasicValueEnum<'ctx>) -> VectorValue<'ctx> {
        self.pass.body.code.splat(value, self.plan.lanes)
    }

    /// The neutral element of an accumulator.
    fn neutral(&self, acc: AccId, op: BinOp) -> BasicValueEnum<'ctx> {
        let init = self.pass.init(acc).expect("an accumulator of a fold has a first value");
        let neutral = neutral(op, self.pass.acc_type(acc), init);
        self.pass.body.scalar(neutral.expect("operations whose order is free have one"))
    }

    /// `acc… := worker acc… elem…`, where the flags hold; the elements are bound.
    pub(super) fn fold(
        &mut self,
        accs: &[AccId],
        worker: &'p Worker,
        flags: Option<VectorValue<'ctx>>,
    ) {
        match segmented_folds(worker, accs.len()) {
            Some(segments) => {
                for step in &worker.body.steps {
                    if !segments.iter().any(|segment| changes(step, segment)) {
                        self.step(step, flags);
                    }
                }
                for (&acc, segment) in accs.iter().zip(&segments) {
                    self.combine(acc, segment, flags);
                }
            }
            None => self.choose(accs, worker, flags),
        }
    }

    fn combine(
        &mut self,
        acc: AccId,
        SegmentedFold { fold, anew }: &SegmentedFold,
        flags: Option<VectorValue<'ctx>>,
    ) {
        if self.plan.facts.roles[acc] == Some(Role::Count) {
            return self.count(acc, fold.elem, flags);
        }
        let mut elem = self.each(fold.elem);
        let mut begins = anew.map(|anew| self.begins(anew));
        if let (Some(anew), Some(begins)) = (anew, begins) {
            elem = self.pass.body.code.blend(begins, self.each(anew.first), elem);
        }
        let and = |a, b| self.pass.body.code.lanes_op(InstructionOpcode::And, a, b);
        let flags = match (flags, self.counts) {
            (Some(flags), Some(counts)) => Some(and(flags, counts)),
            (flags, counts) => flags.or(counts),
        };
        if let Some(flags) = flags {
            let neutral = self.splat(self.neutral(acc, fold.op));
            elem = self.pass.body.code.blend(flags, elem, neutral);
            begins = begins.map(|begins| and(begins, flags));
        }
        if self.plan.facts.roles[acc].is_some_and(Role::is_scan) {
            return self.scan(acc, fold.op, elem, begins);
        }
        let old = self.state.accs[acc][self.part].into_vector_value();
        let elem = self.carried(acc, fold.op, elem);
        let new = self
            .combine_unsigned(acc, old, elem)
            .unwrap_or_else(|| self.combine_lanes(acc, fold.op, old, elem));
        self.state.accs[acc][self.part] = new.into();
    }

    /// Adds the number of lanes in which the flag of an element holds to an accumulator.
    ///
    /// The flags of a vector become the bits of an integer. So the accumulator, which is often wider than the elements,
    /// does not limit the lanes.
    fn count(&mut self, acc: AccId, elem: Atom, flags: Option<VectorValue<'ctx>>) {
        let Atom::Var(elem) = elem else { panic!("only a variable has a flag") };
        let flag = self.each(self.plan.facts.flags[&elem]);
        let code = &self.pass.body.code;
        let and = |a, b| code.lanes_op(InstructionOpcode::And, a, b);
        let flag = [flags, self.counts].into_iter().flatten().fold(flag, and);
        let count = code.count_of(code.wide_bits(flag));
        let before = self.state.accs[acc][0].into_int_value();
        let ty = before.get_type();
        let count = built(code.b.build_int_truncate_or_bit_cast(count, ty, ""));
        self.state.accs[acc][0] = built(code.b.build_int_add(before, count, "")).into();
    }

    /// The lanes in which an accumulator begins anew.
    fn begins(&self, anew: SegmentStart) -> VectorValue<'ctx> {
        let cond = self.each(anew.cond);
        if anew.when { cond } else { built(self.pass.body.code.b.build_not(cond, "")) }
    }

    /// Whether the steps combine elements in any order, and may be repeated apart from that, since a repeated step
    /// stores the same elements.
    pub(super) fn ends_in_vector(&self, run: Steps<'ctx, 'p>) -> bool {
        let each = |role: &Option<Role>| matches!(role, None | Some(Role::Each(_) | Role::Count));
        let writes = |stmt: &Stmt| matches!(stmt, Stmt::Write { .. });
        // A store past the caches must be aligned.
        let may_store = self.stores == Stores::Cached
            && run.procedure.overwrites().next().is_none()
            && self.plan.facts.arrays.is_empty();
        run.inner.is_empty()
            && (may_store || !run.body.iter().any(writes))
            && self.plan.facts.roles.values().all(each)
    }

    /// Runs the vector of steps at `at`. If fewer steps are left, it runs the vector that ends with the last step,
    /// whose first lanes have already been combined.
    pub(super) fn ends_with(&mut self, run: Steps<'ctx, 'p>, at: IntValue<'ctx>) {
        let code = &self.pass.body.code;
        let last = built(code.b.build_int_sub(run.to, code.size(u64::from(self.plan.lanes)), ""));
        let i64 = code.types.i64.into();
        let first = code.call_intrinsic("llvm.smin", &[i64], &[at.into(), last.into()]);
        let first = first.into_int_value();
        let seen = code.splat(built(code.b.build_int_sub(at, first, "")).into(), self.plan.lanes);
        let new = code.lanes_compare(IntPredicate::UGE, code.count_up(self.plan.lanes), seen);
        self.counts = Some(new);
        self.all_parts(run, first);
        self.counts = None;
    }

    /// Whether the last vector may repeat steps of the vector before: the steps are idempotent. A step that reads the
    /// element that it overwrites is not idempotent. If a step of the last vector fails, the scalar loop runs those
    /// that are new.
    pub(super) fn may_repeat(&self, run: Steps<'ctx, 'p>) -> bool {
        let LoopFacts { loops, roles, repeats, .. } = &self.plan.facts;
        let over = run.procedure.overwrites().next().is_some();
        if *repeats && self.plan.has_rest {
            return self.plan.parts == 1 && !over && self.stores == Stores::Cached;
        }
        let each = |role: &Option<Role>| matches!(role, None | Some(Role::Each(_)));
        *loops && !over && run.inner.is_empty() && roles.values().all(each)
    }

    /// Runs the steps from `made` on, which are fewer than a vector has, by the vector that ends with the last step.
    /// Its first lanes have already been combined. Returns the step after the last one.
    pub(super) fn last_vector(
        &mut self,
        run: Steps<'ctx, 'p>,
        made: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        let code = &self.pass.body.code;
        let [last, next] = ["vector.last", "vector.end"].map(|name| code.block(name));
        let before = code.current_block();
        code.branch(code.compare(IntPredicate::NE, made, run.to), last, next);
        code.b.position_at_end(last);
        let at = built(code.b.build_int_sub(run.to, code.size(u64::from(self.plan.lanes)), ""));
        let seen = built(code.b.build_int_sub(made, at, ""));
        let seen = code.splat(seen.into(), self.plan.lanes);
        let flags = code.lanes_compare(IntPredicate::UGE, code.count_up(self.plan.lanes), seen);
        let mut none = self.state.clone();
        (self.part, self.place) = (0, self.place_at(at));
        for stmt in run.body {
            if matches!(stmt, Stmt::Update { .. }) {
                self.stmt_where(stmt, Some(flags));
            } else {
                self.stmt(stmt, None);
            }
        }
        let code = &self.pass.body.code;
        let after = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let mut state = self.state.clone();
        self.meet([(&mut none, before), (&mut state, after)]);
        run.to
    }

    /// An accumulator combined with another element.
    fn combine_lanes(
        &self,
        acc: AccId,
        op: BinOp,
        old: VectorValue<'ctx>,
        elem: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let (code, ty) = (&self.pass.body.code, self.pass.acc_type(acc));
        let is_extreme = matches!(op, BinOp::Min | BinOp::Max);
        if is_extreme && begins_as_number(self.pass.procedure, acc) {
            code.lanes_extreme_of(op, ty, [old, elem], self.pass.zero(acc))
        } else {
            let value = code.apply(op, ty, [old.into(), elem.into()]);
            if op == BinOp::Add && ty.is_float() {
                contract(value);
            }
            value.into_vector_value()
        }
    }

    fn choose(&mut self, accs: &[AccId], worker: &'p Worker, flags: Option<VectorValue<'ctx>>) {
        let (part, first) = (self.part, accs[0]);
        let old: Vec<_> =
            accs.iter().map(|&acc| self.state.accs[acc][part].into_vector_value()).collect();
        for (&param, &old) in worker.params.iter().zip(&old) {
            self.bind(param, Lanes::Each(old));
        }
        let mut keeps = self.chooses_left(worker, flags);
        let step = self.step_number(self.step_count());
        let step = self.splat(step.into());
        let new: Vec<_> =
            worker.params[accs.len()..].iter().map(|&param| self.each_var(param)).collect();
        let code = &self.pass.body.code;
        if let Some(flags) = flags {
            let out = built(code.b.build_not(flags, ""));
            keeps = code.lanes_op(InstructionOpcode::Or, keeps, out);
        }
        for ((&acc, old), new) in accs.iter().zip(old).zip(new) {
            self.state.accs[acc][part] = code.blend(keeps, old, new).into();
        }
        let steps = &mut self.state.steps[first][part];
        *steps = code.blend(keeps, steps.into_vector_value(), step).into();
    }

    /// The lanes in which an operator that chooses takes the accumulators. Its parameters are bound.
    fn chooses_left(
        &mut self,
        worker: &'p Worker,
        flags: Option<VectorValue<'ctx>>,
    ) -> VectorValue<'ctx> {
        let (left, right) = worker.params.split_at(worker.params.len() / 2);
        self.left_in(&worker.body, (left, right), flags)
    }

    fn left_in(
        &mut self,
        block: &'p arrc_loops::concrete::Block,
        sides: (&[arrc_syntax::ids::VarId], &[arrc_syntax::ids::VarId]),
        flags: Option<VectorValue<'ctx>>,
    ) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        let ty = code.types.i1.vec_type(self.plan.lanes);
        match choice(block, sides).expect("the plan found that the operator chooses") {
            Choice::Left => self.splat(self.pass.body.code.types.i1.const_all_ones().into()),
            Choice::Right => ty.const_zero(),
            Choice::If { cond, then, otherwise } => {
                let (_, before) = block.steps.split_last().expect("it ends with an if");
                for step in before {
                    self.step(step, flags);
                }
                let cond = self.each(cond);
                let [yes, no] = self.branches(cond, flags);
                let a = self.left_in(then, sides, Some(yes));
                let b = self.left_in(otherwise, sides, Some(no));
                self.pass.body.code.blend(cond, a, b)
            }
        }
    }

    /// Gives each accumulator its final value from the state.
    pub(super) fn finish(&mut self, state: &AccumulatorState<'ctx>) {
        for acc in self.pass.procedure.accs.keys() {
            let Some(role) = self.plan.facts.roles[acc] else { continue };
            let values = &state.accs[acc];
            match role {
                Role::Counter | Role::Count => self.pass.set_acc(acc, values[0]),
                Role::Scan(_) | Role::Exscan(_) => {
                    let value = self.pass.body.code.lane(values[0].into_vector_value(), 0);
                    self.pass.set_acc(acc, value);
                }
                Role::Each(op) => self.finish_each(acc, op, values),
                Role::Choice => {}
            }
        }
        for at in 0..self.choices.len() {
            self.finish_choice(at, state);
        }
    }

    fn finish_each(&mut self, acc: AccId, op: BinOp, values: &[BasicValueEnum<'ctx>]) {
        let mut all = self.over_lanes(acc, op, values);
        if !self.begins_in_lane(acc, op) {
            let before = self.splat(self.pass.acc(acc));
            all = self.combine_lanes(acc, op, before, all);
        }
        self.pass.set_acc(acc, self.pass.body.code.lane(all, 0));
    }

    /// Whether the first lane begins with the value of an accumulator before the loop. The sum of a short row then
    /// waits for one addition fewer.
    fn begins_in_lane(&self, acc: AccId, op: BinOp) -> bool {
        let is_sum = op == BinOp::Add && self.pass.acc_type(acc).is_float();
        is_sum && folds_row(&self.plan.facts, self.pass.level)
    }

    /// Combines the parts of each accumulator, so that it has one.
    pub(super) fn join_parts(&mut self) {
        let joined: Vec<_> = self.joinable().collect();
        for (acc, op) in joined {
            let parts = std::mem::take(&mut self.state.accs[acc]).into_iter();
            let two = |a, b| self.combine_lanes(acc, op, a, b);
            let all = parts.map(|part| part.into_vector_value()).reduce(two);
            self.state.accs[acc] = vec![all.expect("a loop has a part").into()];
        }
    }

    /// Leaves one part of each accumulator in a state before the first step, in which the other parts are neutral.
    pub(super) fn drop_parts(&self, state: &mut AccumulatorState<'ctx>) {
        self.joinable().for_each(|(acc, _)| state.accs[acc].truncate(1));
    }

    /// The accumulators whose parts can be combined before the last step.
    fn joinable(&self) -> impl Iterator<Item = (AccId, BinOp)> {
        self.pass.procedure.accs.keys().filter_map(|acc| match self.plan.facts.roles[acc] {
            Some(Role::Each(op)) if !self.is_mask(acc, op) => Some((acc, op)),
            Some(
                Role::Each(_)
                | Role::Counter
                | Role::Count
                | Role::Scan(_)
                | Role::Exscan(_)
                | Role::Choice,
            )
            | None => None,
        })
    }

    /// The lanes of all parts combined, in each lane.
    pub(super) fn over_lanes(
        &self,
        acc: AccId,
        op: BinOp,
        values: &[BasicValueEnum<'ctx>],
    ) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        let two = |a, b| self.combine_lanes(acc, op, a, b);
        let parts = values.iter().map(|part| part.into_vector_value());
        let parts = parts.map(|part| if self.is_mask(acc, op) { self.of_mask(part) } else { part });
        let mut all = parts.reduce(&two).expect("a loop has a part");
        for distance in distances(self.plan.lanes) {
            all = two(all, rotated(code, all, distance));
        }
        all
    }

    /// Whether an accumulator is carried as a mask.
    fn is_mask(&self, acc: AccId, op: BinOp) -> bool {
        self.pass.acc_type(acc) == Scalar::Bool && matches!(op, BinOp::And | BinOp::Or)
    }

    /// Lanes of an accumulator in the form that the loop carries.
    fn carried(&self, acc: AccId, op: BinOp, lanes: VectorValue<'ctx>) -> VectorValue<'ctx> {
        if self.is_mask(acc, op) { self.as_mask(lanes, self.plan.facts.widest) } else { lanes }
    }

    fn finish_choice(&mut self, at: usize, state: &AccumulatorState<'ctx>) {
        let (accs, worker) = (self.choices[at].accs, self.choices[at].worker);
        let part = |part: usize| {
            let values =
                accs.iter().map(|&acc| state.accs[acc][part].into_vector_value()).collect();
            let step = state.steps[accs[0]][part].into_vector_value();
            ChosenElements { values, positions: self.positions(step, part) }
        };
        let parts: Vec<_> = (0..self.plan.parts as usize).map(part).collect();
        let mut all = None;
        for part in parts {
            all = Some(match all {
                None => part,
                Some(all) => self.earlier(worker, all, part),
            });
        }
        let mut all = all.expect("a loop has a part");
        for distance in distances(self.plan.lanes) {
            let code = &self.pass.body.code;
            let rotate = |&lanes: &VectorValue<'ctx>| rotated(code, lanes, distance);
            let other = ChosenElements {
                values: all.values.iter().map(rotate).collect(),
                positions: rotate(&all.positions),
            };
            all = self.earlier(worker, all, other);
        }
        for (&acc, &value) in accs.iter().zip(&all.values) {
            self.pass.set_acc(acc, self.pass.body.code.lane(value, 0));
        }
    }

    /// The positions of elements that were chosen in these steps.
    fn positions(&self, steps: VectorValue<'ctx>, part: usize) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        let ty = vector_of(code.types.scalar(Scalar::I64), self.plan.lanes);
        let steps = if steps.get_type() == ty {
            steps
        } else {
            let wide = InstructionOpcode::SExt;
            built(code.b.build_cast(wide, steps, ty.as_basic_type_enum(), "")).into_vector_value()
        };
        let block = code.size(u64::from(self.plan.lanes * self.plan.parts));
        let first = code.size(u64::from(self.plan.lanes) * part as u64);
        let start = code.lanes_op(InstructionOpcode::Mul, steps, self.splat(block.into()));
        let lane = code.lanes_op(
            InstructionOpcode::Add,
            code.count_up(self.plan.lanes),
            self.splat(first.into()),
        );
        code.lanes_op(InstructionOpcode::Add, start, lane)
    }

    /// The operator on two choices; the earlier one is the first argument.
    fn earlier(
        &mut self,
        worker: &'p Worker,
        a: ChosenElements<'ctx>,
        b: ChosenElements<'ctx>,
    ) -> ChosenElements<'ctx> {
        let code = &self.pass.body.code;
        let in_order = code.lanes_compare(IntPredicate::SLE, a.positions, b.positions);
        let sort = |a, b| [code.blend(in_order, a, b), code.blend(in_order, b, a)];
        let values: Vec<_> = a.values.iter().zip(&b.values).map(|(&a, &b)| sort(a, b)).collect();
        let positions = sort(a.positions, b.positions);
        let (left, right) = worker.params.split_at(values.len());
        for ((&left, &right), [first, second]) in left.iter().zip(right).zip(&values) {
            self.bind(left, Lanes::Each(*first));
            self.bind(right, Lanes::Each(*second));
        }
        let keeps = self.chooses_left(worker, None);
        let code = &self.pass.body.code;
        let take = |[first, second]: &[VectorValue<'ctx>; 2]| code.blend(keeps, *first, *second);
        ChosenElements { values: values.iter().map(take).collect(), positions: take(&positions) }
    }

    /// The running values of an accumulator through the lanes, computed by shifts of doubling distance. In the lanes
    /// `begins` it begins anew.
    fn scan(
        &mut self,
        acc: AccId,
        op: BinOp,
        elems: VectorValue<'ctx>,
        begins: Option<VectorValue<'ctx>>,
    ) {
        let (ty, lanes) = (self.pass.acc_type(acc), self.plan.lanes);
        let mut segment_starts = begins.map(|begins| self.as_mask(begins, ty.bytes()));
        let mut sums = elems;
        let mut distance = 1;
        while distance < lanes {
            sums = self.joined_with_before((acc, op), sums, distance, segment_starts);
            segment_starts = segment_starts.map(|mask| self.or_before(mask, distance));
            distance *= 2;
        }
        let before = self.state.accs[acc][0].into_vector_value();
        let code = &self.pass.body.code;
        let last = |sums| code.shuffle(sums, sums, (0..lanes).map(|_| lanes - 1));
        let joined = |before: VectorValue<'ctx>, sums: VectorValue<'ctx>| {
            code.apply(op, ty, [before.into(), sums.into()]).into_vector_value()
        };
        let mut seen = match segment_starts {
            Some(mask) if op.fold() == Reassociation::Choice => {
                self.unless(mask, joined(before, sums), sums)
            }
            Some(mask) => {
                joined(self.unless(mask, before, self.splat(self.neutral(acc, op))), sums)
            }
            None => joined(before, sums),
        };
        // The next step waits for this value: without flags, it waits for one operation.
        let carry = if segment_starts.is_some() { last(seen) } else { joined(before, last(sums)) };
        self.state.accs[acc][0] = carry.into();
        if self.plan.facts.roles[acc] == Some(Role::Exscan(op)) {
            let order = (0..lanes).map(|at| if at == 0 { lanes } else { at - 1 });
            seen = code.shuffle(seen, before, order);
        }
        self.seen[acc] = Some(seen);
    }

    /// Each lane combined with the lane at a distance before it, except where an accumulator has begun anew between
    /// them.
    fn joined_with_before(
        &self,
        (acc, op): (AccId, BinOp),
        sums: VectorValue<'ctx>,
        distance: u32,
        segment_starts: Option<VectorValue<'ctx>>,
    ) -> VectorValue<'ctx> {
        let (code, ty, lanes) = (&self.pass.body.code, self.pass.acc_type(acc), self.plan.lanes);
        let joined = |shifted: VectorValue<'ctx>| {
            code.apply(op, ty, [shifted.into(), sums.into()]).into_vector_value()
        };
        // The first lanes come from the second vector.
        let order = (0..lanes).map(|at| if at < distance { lanes } else { at - distance });
        match segment_starts {
            // The initial value is not neutral in a later segment, so a lane without a partner keeps its value.
            Some(mask) if op.fold() == Reassociation::Choice => {
                let shifted = code.shuffle(sums, sums, order);
                self.unless(self.with_first(mask, distance), joined(shifted), sums)
            }
            segment_starts => {
                let neutral = self.splat(self.neutral(acc, op));
                let shifted = code.shuffle(sums, neutral, order);
                joined(segment_starts.map_or(shifted, |mask| self.unless(mask, shifted, neutral)))
            }
        }
    }

    /// The lanes of `a` where a mask is clear, and those of `b` where it is set.
    fn unless(
        &self,
        mask: VectorValue<'ctx>,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        self.pass.body.code.blend(self.of_mask(mask), b, a)
    }
}

/// Whether a step gives an accumulator its new value.
fn changes(step: &Step, SegmentedFold { fold, anew }: &SegmentedFold) -> bool {
    match anew {
        Some(anew) => matches!(step, Step::If { vars, .. } if vars.contains(&anew.result)),
        None => super::body::binds(step) == Some(fold.result),
    }
}

/// The folds among the statements that choose, by the roles of their accumulators.
pub(super) fn choices<'p>(
    stmts: impl Iterator<Item = &'p Stmt>,
    roles: &SecondaryMap<AccId, Option<Role>>,
) -> Vec<ChoiceFold<'p>> {
    let choice = |stmt: &'p Stmt| {
        let Stmt::Update { accs, worker, .. } = stmt else { return None };
        (roles[accs[0]] == Some(Role::Choice)).then_some(ChoiceFold { accs, worker })
    };
    stmts.filter_map(choice).collect()
}

/// The distances at which lanes are combined: halves, quarters, … of a vector.
fn distances(lanes: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(lanes / 2), |&distance| Some(distance / 2))
        .take_while(|&distance| distance > 0)
}

fn rotated<'ctx>(
    code: &crate::code::FunctionBuilder<'_, 'ctx, '_>,
    lanes: VectorValue<'ctx>,
    distance: u32,
) -> VectorValue<'ctx> {
    let count = lanes.get_type().get_size();
    code.shuffle(lanes, lanes, (0..count).map(|at| (at + distance) % count))
}
