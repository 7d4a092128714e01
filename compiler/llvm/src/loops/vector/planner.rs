//! Whether a pass runs in vectors of our own, and how.
//!
//! Invariant: a [`Plan`] is only made for a loop in which everything can run for several steps at once:
//! what may fail can be noticed before its step has had an effect, and what depends on the order of
//! the steps is one of the forms that [`super::reduce`] and [`super::body`] know.
//!
//! ```text
//! x = nextI i xs; p = (> 0) x; guard (j) c with p { writeVecI j ys x }   ⇒  8 lanes, 2 vectors a step
//! … s := (+) s x in order, of f64                                        ⇒  Why::Order
//! ```

use std::collections::{BTreeMap, BTreeSet};

use arrc_core::ids::{AccId, SecondaryMap, VarId};
use arrc_core::ir::cnf::{Atom, Order, Type};
use arrc_core::ir::procedure::concrete::{
    Block, Function, Guard, Loop, Nest, Position, Procedure, Step, Stmt, Worker,
};
use arrc_core::prim::{BinOp, Cost, Scalar};

use super::super::{Level, Run};
use super::behind::Behind;
use super::operator::{chooses, in_any_order, separate};
use super::plan::{Move, Plan, Role, is_current};
use super::spread;
use crate::loops::scalar::begins_as_number;
use crate::note::Why;
use crate::target::isa::Isa;

/// How many elements a table of permutations is for, at most.
const TABLE_LANES: u32 = 8;
/// How many bytes a store past the caches has at least.
const LEAST_STREAMED: u32 = 16;
/// How many vectors a step has at most; of a `cross`, how many elements of the left array.
const MOST_PARTS: u32 = 4;
/// How many elements a vector has at most.
const MOST_LANES: u32 = 16;

/// The plan for steps of a pass of a function.
pub(super) fn plan(
    run: Run<'_, '_>,
    function: &Function,
    isa: Isa,
    level: Level,
) -> Result<Plan, Why> {
    let procedure = run.procedure;
    let few = spread::inner(run);
    let plan = Plan {
        lanes: 0,
        parts: 0,
        spread: few.map_or(1, spread::lanes_of),
        roles: SecondaryMap::new(),
        divisors: BTreeSet::new(),
        gathered: BTreeSet::new(),
        moving: BTreeMap::new(),
        widest: 1,
        has_rest: false,
        gains: false,
        tiled: false,
        compacts: false,
        streams: Vec::new(),
        behind: BTreeMap::new(),
        traffic: 0,
    };
    let mut planner = Planner {
        procedure,
        function,
        isa,
        plan,
        inside: BTreeSet::new(),
        varying: BTreeSet::new(),
        counter: procedure.nest.counter,
        few: few.map(|inner| inner.counter),
        masked: 0,
        level,
        extremes: false,
        may_fail: false,
    };
    if procedure.accs.values().any(|acc| acc.ty.as_scalar().is_none()) {
        return Err(Why::Rows);
    }
    if !run.release.is_empty() {
        return Err(Why::Rows);
    }
    planner.inside.insert(procedure.nest.counter);
    planner.varying.insert(procedure.nest.counter);
    match few {
        Some(inner) => planner.spread(run.body, inner)?,
        None => planner.steps(run.body, run.inner, None)?,
    }
    planner.finish()
}

struct Planner<'p> {
    procedure: &'p Procedure,
    function: &'p Function,
    isa: Isa,
    plan: Plan,
    /// The variables of the loop.
    inside: BTreeSet<VarId>,
    /// Those that differ from step to step.
    varying: BTreeSet<VarId>,
    /// The counter of the loop that is planned.
    counter: VarId,
    /// The counter of the few steps in each step.
    few: Option<VarId>,
    /// The least or greatest floats are looked for, for which LLVM takes many instructions.
    extremes: bool,
    /// Something in the loop may fail.
    may_fail: bool,
    /// Whether the pass runs in the steps of another.
    level: Level,
    /// In how many guards and branches.
    masked: u32,
}

impl<'p> Planner<'p> {
    fn finish(mut self) -> Result<Plan, Why> {
        let compacts = self.plan.compacts;
        let most = match self.isa {
            Isa::Sse2 if compacts => return Err(Why::Compaction),
            Isa::Ssse3 | Isa::Avx2 | Isa::Neon if compacts => TABLE_LANES,
            Isa::Sse2 | Isa::Ssse3 | Isa::Avx2 | Isa::Neon | Isa::Avx512 => MOST_LANES,
        };
        self.plan.lanes = (self.isa.register() / self.plan.widest).min(most);
        let is_simple =
            |role: &Option<Role>| matches!(role, None | Some(Role::Counter | Role::Each(_)));
        if self.few.is_some()
            && !(compacts
                && self.plan.lanes >= self.plan.spread * spread::LEAST
                && self.plan.roles.values().all(is_simple))
        {
            return Err(Why::InnerLoop);
        }
        // LLVM takes many instructions for the least of floats, but reads better what is only moved.
        self.plan.gains |= self.extremes && self.plan.gathered.is_empty();
        // Folds of floats wait for each other; vectors that are stored do not. What goes past the caches is
        // best written some lines at a time.
        let waits = self.extremes && !self.plan.compacts;
        let many = self.plan.tiled || waits || !self.plan.gains;
        // A scalar step waits for the one before. A choice remembers steps of one size.
        let chooses = self.plan.roles.values().any(|&role| role == Some(Role::Choice));
        self.plan.has_rest =
            waits && self.plan.gains && !self.plan.tiled && !chooses && !self.may_fail;
        self.plan.parts = if many { MOST_PARTS } else { 2 };
        let whole = |&vec: &VarId| {
            let elem = self.function.vars[vec].ty.scalars();
            self.isa.streams()
                && !compacts
                && !self.plan.tiled
                && self.plan.lanes * elem.bytes() >= LEAST_STREAMED
        };
        self.plan.streams = self.plan.streams.iter().copied().filter(whole).collect();
        if self.plan.gains || !self.plan.streams.is_empty() {
            Ok(self.plan)
        } else {
            Err(Why::Plain)
        }
    }

    fn steps(
        &mut self,
        body: &'p [Stmt],
        inner: &'p [Nest],
        guard: Option<&'p Guard>,
    ) -> Result<(), Why> {
        for (at, stmt) in body.iter().enumerate() {
            self.stmt(stmt, guard)?;
            if let Stmt::Update { accs, .. } = stmt {
                self.seen(accs, body, at)?;
            }
        }
        for nest in inner {
            match nest {
                Nest::Loop(nest) if guard.is_none() && inner.len() == 1 => self.tile(body, nest)?,
                Nest::Loop(_) => return Err(Why::InnerLoop),
                Nest::Guard(guard) if !guard.release.is_empty() => return Err(Why::Rows),
                Nest::Guard(guard) => {
                    self.plan.roles[guard.counter] = Some(Role::Counter);
                    self.masked += 1;
                    self.steps(&guard.body, &guard.inner, Some(guard))?;
                    self.masked -= 1;
                    if self.few.is_some() {
                        continue;
                    }
                    let (divisors, of) = (&self.plan.divisors, (self.procedure, self.function));
                    let behind = Behind::of(guard, of, &self.inside, divisors);
                    self.plan.behind.extend(behind.map(|behind| (guard.counter, behind)));
                }
            }
        }
        Ok(())
    }

    /// A loop of few steps in the loop, which become lanes: see [`super::spread`].
    fn spread(&mut self, outer: &'p [Stmt], inner: &'p Loop) -> Result<(), Why> {
        if !outer.iter().all(binds) {
            return Err(Why::InnerLoop);
        }
        self.steps(outer, &[], None)?;
        self.define(inner.counter, true)?;
        self.steps(&[], &inner.inner, None)
    }

    /// A loop in the loop, if it is alone there, and all that comes of it is folds: see [`super::tile`].
    fn tile(&mut self, outer: &'p [Stmt], inner: &'p Loop) -> Result<(), Why> {
        let is_flat = inner.inner.is_empty() && inner.release.is_empty();
        let folds = |stmt: &Stmt| binds(stmt) || matches!(stmt, Stmt::Update { .. });
        if !is_flat || !outer.iter().all(binds) || !inner.body.iter().all(folds) {
            return Err(Why::InnerLoop);
        }
        self.counter = inner.counter;
        self.inside.insert(inner.counter);
        self.varying.insert(inner.counter);
        for stmt in &inner.body {
            self.stmt(stmt, None)?;
        }
        let each = |role: &Option<Role>| matches!(role, None | Some(Role::Each(_)));
        if self.may_fail || !self.plan.roles.values().all(each) {
            return Err(Why::InnerLoop);
        }
        self.plan.tiled = true;
        self.plan.gains = true;
        Ok(())
    }

    /// An accumulator that is seen on the way must be a simple scan, seen next to where it changes.
    fn seen(&mut self, accs: &[AccId], body: &'p [Stmt], at: usize) -> Result<(), Why> {
        let sees = |stmt: &Stmt, of: AccId| matches!(stmt, Stmt::Current { acc, .. } if *acc == of);
        for &acc in accs {
            let seen = body.iter().filter(|stmt| sees(stmt, acc)).count();
            if seen == 0 {
                continue;
            }
            let before = body[..at].iter().position(|stmt| sees(stmt, acc));
            let Some(Role::Each(op)) = self.plan.roles[acc] else { return Err(Why::Scan) };
            let role = match before {
                None => Role::Scan(op),
                // Nothing lies between, so that it can be seen after it changed.
                Some(before) if body[before..at].iter().all(is_current) => Role::Exscan(op),
                Some(_) => return Err(Why::Scan),
            };
            if seen > 1 {
                return Err(Why::Scan);
            }
            self.plan.roles[acc] = Some(role);
            self.plan.gains = true;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'p Stmt, guard: Option<&'p Guard>) -> Result<(), Why> {
        match stmt {
            Stmt::Next { elem, index, array } => {
                self.at_step(index)?;
                self.goes_through(*array)?;
                self.define(*elem, true)
            }
            Stmt::Position { elem, index } => {
                if self.few.is_none_or(|few| *index != Position::Var(few)) {
                    self.at_step(index)?;
                }
                self.moves(*elem, self.few.is_none().then_some(Move::Straight));
                self.define(*elem, true)
            }
            Stmt::Copy { elem, from } => {
                self.moves(*elem, self.moving(*from));
                self.define(*elem, self.varies(*from))
            }
            Stmt::Apply { elems, worker, args } => {
                self.worker(worker, args)?;
                for (&elem, &result) in elems.iter().zip(&worker.body.results) {
                    self.moves(elem, self.moving(result));
                    self.define(elem, true)?;
                }
                Ok(())
            }
            Stmt::Read { elem, array, index, .. } => {
                self.gather(*array, &[*index], false)?;
                self.define(*elem, true)
            }
            Stmt::Update { accs, order, worker, args } => self.update(accs, *order, worker, args),
            Stmt::Reserve { .. } => Err(Why::InnerLoop),
            // Judged where it is updated; one that never is stays what it was.
            Stmt::Current { elem, .. } => self.define(*elem, true),
            Stmt::Write { vec, index, .. } => {
                self.goes_through(*vec)?;
                match guard {
                    None => {
                        if self.procedure.overwrites().all(|(over, _)| over != *vec) {
                            self.plan.streams.push(*vec);
                        }
                        self.at_step(index)
                    }
                    Some(guard) if *index == Position::Var(guard.index) => {
                        self.plan.compacts = true;
                        self.plan.gains = true;
                        Ok(())
                    }
                    Some(_) => Err(Why::Position),
                }
            }
        }
    }

    fn update(
        &mut self,
        accs: &[AccId],
        order: Order,
        worker: &'p Worker,
        args: &[Atom],
    ) -> Result<(), Why> {
        for &param in &worker.params[..accs.len()] {
            self.define(param, true)?;
        }
        self.params(&worker.params[accs.len()..], args)?;
        self.block(&worker.body)?;
        let ty = |acc: AccId| self.procedure.accs[acc].ty.as_scalar();
        if let Some(separate) = separate(worker, accs.len()) {
            for (&acc, fold) in accs.iter().zip(separate) {
                let ty = ty(acc).ok_or(Why::Rows)?;
                if !in_any_order(fold.op, ty, order) {
                    return Err(Why::Order);
                }
                let is_extreme = matches!(fold.op, BinOp::Min | BinOp::Max) && ty.is_float();
                self.extremes |= is_extreme && begins_as_number(self.procedure, acc);
                self.plan.roles[acc] = Some(Role::Each(fold.op));
            }
            return Ok(());
        }
        if order == Order::Strict || !chooses(worker, accs.len()) {
            return Err(Why::Operator);
        }
        for &acc in accs {
            self.plan.roles[acc] = Some(Role::Choice);
        }
        self.plan.gains = true;
        Ok(())
    }

    fn worker(&mut self, worker: &'p Worker, args: &[Atom]) -> Result<(), Why> {
        self.params(&worker.params, args)?;
        self.block(&worker.body)
    }

    fn params(&mut self, params: &[VarId], args: &[Atom]) -> Result<(), Why> {
        for (&param, &arg) in params.iter().zip(args) {
            self.moves(param, self.moving(arg));
            self.define(param, self.varies(arg))?;
        }
        Ok(())
    }

    fn block(&mut self, block: &'p Block) -> Result<(), Why> {
        block.steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &'p Step) -> Result<(), Why> {
        match step {
            Step::Un { var, op, arg } => {
                let ty = self.scalar_type(*arg).ok_or(Why::Rows)?;
                if !self.in_lanes(op.cost(ty)) {
                    return Err(Why::Call);
                }
                self.define(*var, self.varies(*arg))
            }
            Step::Bin { var, op, args, .. } => {
                let ty = self.scalar_type(args[0]).ok_or(Why::Rows)?;
                self.operation(*op, ty, *args)?;
                self.moves(*var, self.move_by(*op, *args));
                self.define(*var, op.traps(ty) || args.iter().any(|&arg| self.varies(arg)))
            }
            Step::Index { var, array, indices, inside, .. } => {
                self.gather(*array, indices, *inside)?;
                self.define(*var, true)
            }
            Step::Length { var, .. } => self.define(*var, false),
            Step::Assert { .. } => {
                self.may_fail = true;
                Ok(())
            }
            Step::If { vars, then, otherwise, .. } => {
                self.masked += 1;
                self.block(then)?;
                self.block(otherwise)?;
                self.masked -= 1;
                let results = then.results.iter().zip(&otherwise.results);
                for (&var, (&a, &b)) in vars.iter().zip(results) {
                    let both = self.moving(a).and(self.moving(b));
                    self.moves(var, both.map(|_| Move::Jumping));
                    self.define(var, true)?;
                }
                Ok(())
            }
            // A call on machines that have no such instruction.
            Step::Fma { .. } => Err(Why::Call),
            Step::Row { .. }
            | Step::Call { .. }
            | Step::Append { .. }
            | Step::Array { .. }
            | Step::Constant { .. }
            | Step::Reshape { .. }
            | Step::Loop { .. }
            | Step::Replace { .. }
            | Step::Copy { .. }
            | Step::Unique { .. }
            | Step::Share { .. }
            | Step::Release { .. }
            | Step::Pass(_) => Err(Why::Control),
        }
    }

    fn operation(&mut self, op: BinOp, ty: Scalar, args: [Atom; 2]) -> Result<(), Why> {
        if !self.in_lanes(op.cost(ty)) {
            return Err(Why::Call);
        }
        self.may_fail |= op.traps(ty);
        if op.traps(ty)
            && let Atom::Var(divisor) = args[1]
            && !self.inside.contains(&divisor)
        {
            self.plan.divisors.insert(divisor);
            self.plan.gains = true;
        }
        Ok(())
    }

    /// Whether an operation on lanes is instructions.
    fn in_lanes(&self, cost: Cost) -> bool {
        match cost {
            Cost::Quick | Cost::Slow => true,
            Cost::Rounding => self.isa.rounds(),
            Cost::QuickAlone | Cost::Call => false,
        }
    }

    fn moving(&self, atom: Atom) -> Option<Move> {
        self.plan.moves(atom)
    }

    fn moves(&mut self, var: VarId, moves: Option<Move>) {
        self.plan.moving.remove(&var);
        self.plan.moving.extend(moves.map(|moves| (var, moves)));
    }

    /// Whether an operation moves the position by what is the same in all steps.
    fn move_by(&self, op: BinOp, [a, b]: [Atom; 2]) -> Option<Move> {
        let from = |a, b| self.moving(a).filter(|_| !self.varies(b));
        if op == BinOp::Add {
            from(a, b).or(from(b, a))
        } else {
            from(a, b).filter(|_| op == BinOp::Sub)
        }
    }

    /// LLVM does not vectorise a loop with a check in it, as where indices are anything or positions turn
    /// round; where they are only moved, it can often prove that they are inside.
    fn gather(&mut self, array: VarId, indices: &[Atom], inside: bool) -> Result<(), Why> {
        self.dimensions(array, indices.len())?;
        let (&last, rows) = indices.split_last().ok_or(Why::Rows)?;
        if rows.iter().any(|&row| self.varies(row)) {
            return Err(Why::Position);
        }
        if inside && self.masked == 0 && self.moving(last) == Some(Move::Straight) {
            return Ok(());
        }
        self.may_fail = true;
        self.plan.gains |= match self.moving(last) {
            Some(Move::Straight) => false,
            Some(Move::Jumping) => true,
            // In a step of another pass there may be few of them, which pay for the way in and out.
            None => {
                self.varies(last) && self.isa.compares_indices() && self.level == Level::Outermost
            }
        };
        self.plan.gathered.insert(array);
        Ok(())
    }

    fn at_step(&self, index: &Position) -> Result<(), Why> {
        let here = *index == Position::Var(self.counter);
        if here { Ok(()) } else { Err(Why::Position) }
    }

    fn goes_through(&mut self, array: VarId) -> Result<(), Why> {
        self.dimensions(array, 1)?;
        let elem = self.function.vars[array].ty.scalars();
        self.plan.traffic += elem.bytes();
        Ok(())
    }

    fn dimensions(&mut self, array: VarId, count: usize) -> Result<(), Why> {
        match &self.function.vars[array].ty {
            Type::Array { elem, shape } if shape.len() == count => {
                self.plan.widest = self.plan.widest.max(elem.bytes());
                Ok(())
            }
            Type::Array { .. } | Type::Scalar(_) => Err(Why::Rows),
        }
    }

    fn define(&mut self, var: VarId, varies: bool) -> Result<(), Why> {
        let ty = self.function.vars[var].ty.as_scalar().ok_or(Why::Rows)?;
        if varies {
            self.varying.insert(var);
            // Lengths and positions of few steps are small numbers, which LLVM makes narrow.
            if self.few.is_none() {
                self.plan.widest = self.plan.widest.max(ty.bytes());
            }
        } else {
            self.varying.remove(&var);
        }
        self.inside.insert(var);
        Ok(())
    }

    fn varies(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.varying.contains(&var))
    }

    fn scalar_type(&self, atom: Atom) -> Option<Scalar> {
        match atom {
            Atom::Const(value) => Some(value.ty),
            Atom::Var(var) => self.function.vars[var].ty.as_scalar(),
        }
    }
}

/// Whether a statement does nothing but bind a variable to what is at its own position.
fn binds(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Next { .. } | Stmt::Position { .. } | Stmt::Copy { .. } | Stmt::Apply { .. } => true,
        Stmt::Read { .. }
        | Stmt::Update { .. }
        | Stmt::Current { .. }
        | Stmt::Reserve { .. }
        | Stmt::Write { .. } => false,
    }
}
