//! The statements of a loop, for several steps at once.
//!
//! Invariant: `values` has the values of the loop's variables in the current part; a variable that is not in it was
//! bound before the loop. A flag says for each lane whether its step is active here.
//!
//! ```text
//! x = nextI i xs            load <8 x i32> at i
//! p = (> 0) x               icmp sgt <8 x i32>
//! guard (j) c with p        bits of p; c = j + popcount
//!   writeVecI j ys x          kept lanes, stored at j
//! ```

use std::collections::BTreeMap;

use arrc_fusion::cnf::{Assertion, Atom, Operation};
use arrc_loops::concrete::{Block, Nest, Position, Step, Stmt};
use arrc_syntax::ids::{AccId, SecondaryMap, VarId};
use arrc_syntax::prim::{BinOp, Rounding, Scalar, UnOp};
use arrc_syntax::source::Span;
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{InstructionOpcode, InstructionValue, IntValue, VectorValue};

use super::divide::Reciprocal;
use super::lanes::Lanes;
use super::local_arrays;
use super::plan::{Plan, Role, is_constant_divisor, is_current};
use super::state::KeptLanes;
use super::state::{AccumulatorState, ChoiceFold};
use super::store_coalescing::coalesces_stores;
use super::streaming_stores;
use super::streaming_stores::Stores;
use super::tile::Tile;
use super::vector_loop::{Extremes, StepNumbers, VectorLoop};
use super::vector_strips;
use crate::loops::pass::{Pass, Steps};
use crate::scalar::BinaryOperation;
use crate::scalar::fast_math::contract;
use crate::unit::built;

/// The variable that a step of a block binds, if the step is an operation on two operands.
pub(super) fn binds(step: &Step) -> Option<VarId> {
    if let Step::Scalar { var, op: Operation::Bin(..), .. } = step { Some(*var) } else { None }
}

impl<'a, 'b, 'u, 'ctx, 'p> VectorLoop<'a, 'b, 'u, 'ctx, 'p> {
    pub(super) fn new(
        pass: &'a mut Pass<'b, 'u, 'ctx, 'p>,
        plan: Plan,
        stores: Stores,
        reciprocals: BTreeMap<VarId, Reciprocal<'ctx>>,
        choices: Vec<ChoiceFold<'p>>,
    ) -> Self {
        let values = vec![SecondaryMap::new(); plan.parts as usize];
        let length = pass.length(&pass.procedure.nest.length);
        let beyond_cache = streaming_stores::is_beyond(&pass.body.code, &plan, length);
        let isa = pass.body.code.unit.isa;
        let locals = local_arrays::places(pass, &plan);
        let buffers = vector_strips::buffers(pass, &plan);
        Self {
            locals,
            buffers,
            pass,
            plan,
            isa,
            stores,
            extremes: Extremes::Exact,
            past: Vec::new(),
            beyond_cache,
            reciprocals,
            choices,
            values,
            state: AccumulatorState::default(),
            seen: SecondaryMap::new(),
            tile: Tile::default(),
            iteration: None,
            part: 0,
            place: StepNumbers::default(),
            counts: None,
            bad: None,
            exit: None,
        }
    }

    /// One step of the vector loop, at position `at`.
    pub(super) fn all_parts(&mut self, run: Steps<'ctx, 'p>, at: IntValue<'ctx>) {
        self.place = self.place_at(at);
        self.inside(run.body, run.inner, None);
        self.store_past();
    }

    /// Makes the stores past the caches, with all parts of a vector together: a cache line that is only partly filled
    /// is written in pieces.
    fn store_past(&mut self) {
        let mut past = std::mem::take(&mut self.past);
        past.sort_by_key(|(vec, ..)| *vec);
        for (vec, lanes, position) in past {
            let (scalar, _) = self.pass.body.array_type(vec);
            let store = self.store(vec, lanes, position);
            self.pass.body.code.stream(store, scalar.bytes() * self.plan.lanes);
        }
    }

    /// The numbers of a step whose first lane is at a position.
    pub(super) fn place_at(&self, at: IntValue<'ctx>) -> StepNumbers<'ctx> {
        let code = &self.pass.body.code;
        let elements = u64::from(self.plan.steps(self.plan.parts));
        let shift = code.size(u64::from(elements.trailing_zeros()));
        let step_count = built(code.b.build_right_shift(at, shift, false, ""));
        let first = |part| code.add_index(at, code.size(u64::from(self.plan.steps(part))));
        StepNumbers { at: (0..self.plan.parts).map(first).collect(), step_count: Some(step_count) }
    }

    /// Leaves the loop if a condition that all lanes assert does not hold in one of them, before a step reads an
    /// element at an index that the assertion makes safe.
    fn leave_unless(&mut self, cond: Atom) {
        let code = &self.pass.body.code;
        let holds = match self.lanes(cond) {
            Lanes::Same(cond) => cond.into_int_value(),
            Lanes::Each(cond) => {
                built(code.b.build_not(code.any(built(code.b.build_not(cond, ""))), ""))
            }
        };
        let (from, next) = (code.current_block(), code.block("vector.asserted"));
        let exit = self.exit.as_mut().expect("an assertion is in a loop over vectors");
        code.branch(holds, next, exit.to);
        exit.from.push(from);
        code.b.position_at_end(next);
    }

    /// Leaves the loop if a lane would have failed; returns the block from which it does.
    pub(super) fn leave_if_bad(&mut self, to: BasicBlock<'ctx>) -> Option<BasicBlock<'ctx>> {
        let bad = self.bad?;
        let code = &self.pass.body.code;
        let next = code.block("vector.next");
        let from = code.current_block();
        code.branch(code.any(bad), to, next);
        code.b.position_at_end(next);
        Some(from)
    }

    /// Lets each part be at a position of its own.
    pub(super) fn place_each(&mut self, places: &[IntValue<'ctx>]) {
        self.place.at = places.to_vec();
    }

    /// Lets all parts be at one position.
    pub(super) fn all_at(&mut self, at: IntValue<'ctx>) {
        self.place.at = vec![at; self.plan.parts as usize];
    }

    pub(super) fn at(&self) -> IntValue<'ctx> {
        self.place.at[self.part]
    }

    /// The position of the first lane of all.
    pub(super) fn step_at(&self) -> IntValue<'ctx> {
        self.place.at[0]
    }

    /// The number of steps that the counters of guards have counted.
    pub(super) fn counted_steps(&self) -> IntValue<'ctx> {
        match self.pass.slice {
            None => self.step_at(),
            Some(slice) => {
                built(self.pass.body.code.b.build_int_sub(self.step_at(), slice.first, ""))
            }
        }
    }

    pub(super) fn step_count(&self) -> IntValue<'ctx> {
        self.place.step_count.expect("statements are in a step")
    }

    pub(super) fn bind(&mut self, var: VarId, lanes: Lanes<'ctx>) {
        self.values[self.part][var] = Some(lanes);
    }

    /// The value of an atom.
    pub(super) fn lanes(&self, atom: Atom) -> Lanes<'ctx> {
        match atom {
            Atom::Const(value) => Lanes::Same(self.pass.body.code.constant(value)),
            Atom::Var(var) => {
                let own = self.values[self.part][var];
                own.unwrap_or_else(|| Lanes::Same(self.pass.body.scalar(atom)))
            }
        }
    }

    /// The value of an atom, in each lane.
    pub(super) fn each(&self, atom: Atom) -> VectorValue<'ctx> {
        self.in_each(self.lanes(atom))
    }

    pub(super) fn each_var(&self, var: VarId) -> VectorValue<'ctx> {
        self.each(Atom::Var(var))
    }

    /// The flags of the two branches of an `if`.
    pub(super) fn branches(
        &self,
        cond: VectorValue<'ctx>,
        flags: Option<VectorValue<'ctx>>,
    ) -> [VectorValue<'ctx>; 2] {
        let code = &self.pass.body.code;
        let not = built(code.b.build_not(cond, ""));
        [cond, not].map(|cond| match flags {
            None => cond,
            Some(flags) => code.lanes_op(InstructionOpcode::And, flags, cond),
        })
    }

    /// Notes that the lanes of `fails` would fail where the flags hold.
    pub(super) fn fails_where(
        &mut self,
        fails: VectorValue<'ctx>,
        flags: Option<VectorValue<'ctx>>,
    ) {
        use InstructionOpcode as I;
        let code = &self.pass.body.code;
        let fails = flags.map_or(fails, |flags| code.lanes_op(I::And, fails, flags));
        self.bad = Some(self.bad.map_or(fails, |bad| code.lanes_op(I::Or, bad, fails)));
    }

    /// The statements of all parts, and then the nests. In a guard, `kept` has the lanes that it keeps.
    pub(super) fn inside(
        &mut self,
        body: &'p [Stmt],
        inner: &'p [Nest],
        kept: Option<&[KeptLanes<'ctx>]>,
    ) {
        match kept {
            Some(&[first, second]) if coalesces_stores(&self.plan, self.isa, body) => {
                self.coalesced_statements(body, [first, second]);
            }
            Some(_) | None => self.each_part(&self.in_order(body), kept),
        }
        for nest in inner {
            match nest {
                Nest::Loop(inner) => self.inner_loop(inner),
                Nest::Guard(guard) => self.guard(guard, kept),
            }
        }
    }

    /// The statements of all parts, with the kept lanes of each.
    pub(super) fn each_part(&mut self, stmts: &[&'p Stmt], kept: Option<&[KeptLanes<'ctx>]>) {
        for part in 0..self.plan.parts as usize {
            self.part = part;
            for stmt in stmts {
                self.stmt(stmt, kept.map(|kept| kept[part]));
            }
        }
    }

    /// The statements, reordered so that updates of accumulators come before their reads, even if a read gets the value
    /// before the update.
    fn in_order(&self, body: &'p [Stmt]) -> Vec<&'p Stmt> {
        let mut ordered: Vec<&'p Stmt> = Vec::new();
        for stmt in body {
            let mut seen = Vec::new();
            if let Stmt::Update { accs, .. } = stmt
                && matches!(self.plan.facts.roles[accs[0]], Some(Role::Exscan(_)))
            {
                // The update may need values that are read from other accumulators.
                let sees =
                    |stmt: &Stmt| matches!(stmt, Stmt::Current { acc, .. } if accs.contains(acc));
                let from =
                    ordered.iter().rposition(|stmt| !is_current(stmt)).map_or(0, |at| at + 1);
                seen.extend(ordered.extract_if(from.., |stmt| sees(stmt)));
            }
            ordered.push(stmt);
            ordered.extend(seen);
        }
        ordered
    }

    /// A statement. It stores only the kept elements.
    pub(super) fn stmt(&mut self, stmt: &'p Stmt, kept: Option<KeptLanes<'ctx>>) {
        if let Stmt::Write { vec, index, elem, .. } = stmt {
            self.write(*vec, index, *elem, kept);
        } else if let (Stmt::Position { elem, index: Position::Var(index) }, Some(kept)) =
            (stmt, kept)
            && kept.index == Some(*index)
        {
            let positions = self.kept_positions(kept);
            self.bind(*elem, Lanes::Each(positions));
        } else {
            self.stmt_where(stmt, kept.map(|kept| kept.flags));
        }
    }

    /// The positions of the kept elements of the lanes.
    fn kept_positions(&self, kept: KeptLanes<'ctx>) -> VectorValue<'ctx> {
        use InstructionOpcode as I;
        let (code, lanes) = (&self.pass.body.code, self.plan.lanes);
        let numbers = code.types.i64.vec_type(lanes);
        let ones = built(code.b.build_cast(I::ZExt, kept.flags, numbers, "")).into_vector_value();
        // The number of kept lanes before each lane: a prefix sum within the vector.
        let none = numbers.const_zero();
        let shifted = |sums, distance: u32| {
            let order = (0..lanes).map(|at| if at < distance { lanes } else { at - distance });
            code.shuffle(sums, none, order)
        };
        let mut sums = shifted(ones, 1);
        let mut distance = 1;
        while distance < lanes {
            sums = code.lanes_op(I::Add, sums, shifted(sums, distance));
            distance *= 2;
        }
        code.lanes_op(I::Add, sums, code.splat(kept.position.into(), lanes))
    }

    /// A statement that stores nothing, where the flags hold.
    pub(super) fn stmt_where(&mut self, stmt: &'p Stmt, flags: Option<VectorValue<'ctx>>) {
        match stmt {
            Stmt::Next { elem, .. } if self.held(*elem).is_some() => {
                self.begin_part(*elem);
                self.copy_row(*elem);
            }
            Stmt::Next { elem, array, .. } => {
                let lanes = self.load(*array);
                self.bind(*elem, Lanes::Each(lanes));
            }
            Stmt::Position { elem, index } => {
                let own = match index {
                    Position::Var(var) => self.values[self.part][*var],
                    Position::Product { .. } => None,
                };
                let positions = Lanes::Each(self.positions_here());
                self.bind(*elem, own.unwrap_or(positions));
            }
            Stmt::Copy { elem, from } => self.bind_all(&[*elem], &[*from]),
            Stmt::Apply { elems, worker, args } => {
                self.bind_all(&worker.params, args);
                let results = self.block(&worker.body, flags);
                for (elem, result) in self.scalars(elems).into_iter().zip(results) {
                    self.bind(elem, result);
                }
            }
            Stmt::Read { elem, array, index, .. } => {
                let lanes = match self.held(*array) {
                    Some(held) => self.read_held(held, &[*index], false, flags),
                    None => self.gather(*array, &[*index], false, flags),
                };
                self.bind(*elem, lanes);
            }
            Stmt::Update { accs, worker, args, .. } => {
                self.bind_all(&worker.params[accs.len()..], args);
                self.fold(accs, worker, flags);
            }
            Stmt::Current { elem, acc } => {
                let own = self.seen[*acc].expect("a scan is seen after it changed");
                let value = self.with_carry(*acc, own);
                self.bind(*elem, Lanes::Each(value));
            }
            Stmt::Reserve { .. } => panic!("the plan has no loop in a loop"),
            Stmt::Write { .. } => panic!("a store is where something is kept"),
        }
    }

    /// The value of an accumulator that steps read.
    fn with_carry(&self, acc: AccId, own: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let Some((op, carry)) = self.pass.carries[acc] else { return own };
        let code = &self.pass.body.code;
        let carry = code.splat(carry, self.plan.lanes);
        let ty = self.pass.acc_type(acc);
        code.apply(op, ty, [carry.into(), own.into()]).into_vector_value()
    }

    /// The positions of the lanes' steps.
    pub(super) fn positions_here(&self) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        let first = code.splat(self.at().into(), self.plan.lanes);
        let step = code.lanes_of(self.plan.lanes, |lane| lane / self.plan.facts.spread());
        code.lanes_op(InstructionOpcode::Add, first, step)
    }

    pub(super) fn block(
        &mut self,
        block: &'p Block,
        flags: Option<VectorValue<'ctx>>,
    ) -> Vec<Lanes<'ctx>> {
        for step in &block.steps {
            self.step(step, flags);
        }
        let scalar = |&&result: &&Atom| match result {
            Atom::Const(_) => true,
            Atom::Var(var) => self.held(var).is_none(),
        };
        block.results.iter().filter(scalar).map(|&result| self.lanes(result)).collect()
    }

    /// Binds the variables to the values of the atoms, except variables that are arrays of the step.
    pub(super) fn bind_all(&mut self, vars: &[VarId], atoms: &[Atom]) {
        let scalars = vars.iter().zip(atoms).filter(|(var, _)| self.held(**var).is_none());
        let lanes = scalars.map(|(&var, &atom)| (var, self.lanes(atom))).collect::<Vec<_>>();
        for (var, lanes) in lanes {
            self.bind(var, lanes);
        }
    }

    pub(super) fn step(&mut self, step: &'p Step, flags: Option<VectorValue<'ctx>>) {
        step.span().iter().for_each(|span| self.pass.body.code.at(*span));
        if self.row_reduction_step(step) || self.array_step(step, flags) {
            return;
        }
        #[allow(clippy::wildcard_enum_match_arm, reason = "the plan has no other steps")]
        match step {
            Step::Scalar { var, op: Operation::Un(op, arg), .. } => {
                let value = self.unary(*op, *arg);
                self.bind(*var, value);
            }
            Step::Scalar { var, op: Operation::Bin(op, args), span } => {
                let value = self.binary(*op, *args, *span, flags);
                self.bind(*var, value);
            }
            Step::Scalar { var, op: Operation::MulAdd(rounding, args), .. } => {
                let value = self.mul_add(*rounding, *args);
                self.bind(*var, value);
            }
            Step::Index { var, array, indices, inside, .. } => {
                let lanes = match self.in_panel(*var) {
                    Some(lanes) => lanes,
                    None => self.gather(*array, indices, *inside, flags),
                };
                self.bind(*var, lanes);
            }
            Step::Length { var, array, dim } => {
                let extent = self.pass.body.var(*array).array(*array).shape[*dim];
                self.bind(*var, Lanes::Same(extent.into()));
            }
            Step::Assert { check: Assertion { cond, .. }, .. } => {
                if flags.is_none() {
                    self.leave_unless(*cond);
                } else {
                    let fails = built(self.pass.body.code.b.build_not(self.each(*cond), ""));
                    self.fails_where(fails, flags);
                }
            }
            Step::If { vars, cond, then, otherwise, .. } => {
                let cond = match self.lanes(*cond) {
                    Lanes::Same(cond) => {
                        return self.uniform_branch(
                            vars,
                            cond.into_int_value(),
                            [then, otherwise],
                            flags,
                        );
                    }
                    Lanes::Each(cond) => cond,
                };
                let [yes, no] = self.branches(cond, flags);
                let a = self.block(then, Some(yes));
                let b = self.block(otherwise, Some(no));
                for (var, (a, b)) in self.scalars(vars).into_iter().zip(a.into_iter().zip(b)) {
                    let [a, b] = [a, b].map(|value| self.in_each(value));
                    let chosen = self.pass.body.code.blend(cond, a, b);
                    self.bind(var, Lanes::Each(chosen));
                }
            }
            Step::Loop { vars, form, init, worker, .. } => {
                self.repeat(vars, (form, init), worker, flags);
            }
            Step::Pass(pass) => self.folds(pass, flags),
            _ => panic!("the plan has no such step: {step:?}"),
        }
    }

    fn unary(&self, op: UnOp, arg: Atom) -> Lanes<'ctx> {
        let ty = self.pass.body.scalar_type(arg);
        let code = &self.pass.body.code;
        match self.lanes(arg) {
            Lanes::Same(value) => Lanes::Same(code.unary(op, ty, value)),
            Lanes::Each(value) => Lanes::Each(code.unary(op, ty, value.into()).into_vector_value()),
        }
    }

    fn binary(
        &mut self,
        op: BinOp,
        args: [Atom; 2],
        span: Span,
        flags: Option<VectorValue<'ctx>>,
    ) -> Lanes<'ctx> {
        let ty = self.pass.body.scalar_type(args[0]);
        if op.traps(ty) && !self.is_same_division(args) {
            return Lanes::Each(self.divide((op, ty), args, flags));
        }
        if let [Lanes::Same(a), Lanes::Same(b)] = args.map(|arg| self.lanes(arg)) {
            let value = self.pass.body.code.binary(BinaryOperation { op, ty, args: [a, b], span });
            return Lanes::Same(value);
        }
        let [a, b] = args.map(|arg| self.each(arg));
        let value = self.pass.body.code.apply(op, ty, [a.into(), b.into()]);
        if ty.is_float() && self.pass.body.may_contract(op, args) {
            contract(value);
        }
        Lanes::Each(value.into_vector_value())
    }

    fn mul_add(&self, rounding: Rounding, args: [Atom; 3]) -> Lanes<'ctx> {
        let code = &self.pass.body.code;
        if let [Lanes::Same(a), Lanes::Same(b), Lanes::Same(c)] = args.map(|arg| self.lanes(arg)) {
            return Lanes::Same(code.mul_add(rounding, [a, b, c]));
        }
        let args = args.map(|arg| self.each(arg).into());
        Lanes::Each(code.mul_add(rounding, args).into_vector_value())
    }

    /// Whether the dividend is the same in all lanes, and the divisor is a constant other than 0.
    fn is_same_division(&self, [dividend, divisor]: [Atom; 2]) -> bool {
        matches!(self.lanes(dividend), Lanes::Same(_)) && is_constant_divisor(divisor)
    }

    fn divide(
        &mut self,
        (op, ty): (BinOp, Scalar),
        args: [Atom; 2],
        flags: Option<VectorValue<'ctx>>,
    ) -> VectorValue<'ctx> {
        let [a, b] = args.map(|arg| self.each(arg));
        if let Atom::Var(divisor) = args[1]
            && let Some(by) = self.reciprocals.get(&divisor)
        {
            return self.pass.body.code.divide_by(by, (op, ty), a);
        }
        let code = &self.pass.body.code;
        if let Atom::Const(divisor) = args[1]
            && divisor.bits != 0
        {
            return code.divide_by_constant(divisor, (op, ty), a);
        }
        let zero = code.lanes_compare(IntPredicate::EQ, b, b.get_type().const_zero());
        let divisor = code.blend(zero, code.constant_lanes(ty, 1, self.plan.lanes), b);
        let value = code.divide_by_lanes(divisor, (op, ty), a);
        self.fails_where(zero, flags);
        value
    }

    fn write(&mut self, vec: VarId, _: &Position, elem: Atom, kept: Option<KeptLanes<'ctx>>) {
        if let Atom::Var(array) = elem
            && let Some(held) = self.held(array)
        {
            return self.write_rows(vec, held);
        }
        let mut lanes = self.in_memory(vec, elem);
        let position = match kept {
            None if self.stores == Stores::Streamed && self.plan.streams.contains(&vec) => {
                return self.past.push((vec, lanes, self.at()));
            }
            None => self.at(),
            Some(kept) => {
                let code = &mut self.pass.body.code;
                lanes = code.kept(self.isa, lanes, kept.flags, kept.bits);
                kept.position
            }
        };
        self.store(vec, lanes, position);
    }

    /// Elements in the form that an array stores.
    pub(super) fn in_memory(&self, vec: VarId, elem: Atom) -> VectorValue<'ctx> {
        let (scalar, _) = self.pass.body.array_type(vec);
        self.lanes_in_memory(scalar, self.each(elem))
    }

    /// Stores a vector of elements as they are in memory.
    pub(super) fn store(
        &self,
        vec: VarId,
        lanes: VectorValue<'ctx>,
        position: IntValue<'ctx>,
    ) -> InstructionValue<'ctx> {
        let body = &self.pass.body;
        let (scalar, _) = body.array_type(vec);
        let at = body.code.element(scalar, body.var(vec).vector(vec).data, position);
        let store = built(body.code.b.build_store(at, lanes));
        store.set_alignment(scalar.bytes()).expect("stores have an alignment");
        if let Some(aliasing) = &body.aliasing {
            aliasing.describe_own(&body.code, store, vec);
        }
        store
    }
}
