//! Guards in guards that run behind: over what was kept, in whole vectors, when there is enough of it.
//!
//! Under a mask, a guard in a guard costs what it would cost if everything were kept: it moves vectors of
//! which few lanes count. But what the outer guard keeps is stored, so the inner one can read it from there,
//! next to each other and still in the first cache. It runs when the outer one is [`BEHIND`] elements ahead,
//! up to the last whole vectors, and after the loop once more for the rest.
//!
//! Invariant: nothing that runs behind can fail, and it needs of a step only what the outer guard stores, so
//! the order of its own steps is all that matters; and that stays. Its accumulators, and how far it came,
//! are part of the loop's state: a step that is left early is one that neither guard has seen.
//!
//! ```text
//! guard (j) c with p        kept lanes of x, stored at j
//!   write j ys x            if c - d >= 512
//!   q = odd x          ⇒      for d in steps of two vectors, up to c
//!   guard (k) e with q          x = load ys at d;  q = odd x;  kept lanes of x, stored at k
//!     write k zs x
//! ```

use std::collections::{BTreeMap, BTreeSet};

use arrc_core::ids::VarId;
use arrc_core::ir::cnf::Atom;
use arrc_core::ir::procedure::concrete::{
    Block, Function, Guard, Nest, Position, Procedure, Step, Stmt,
};
use inkwell::IntPredicate;
use inkwell::values::{BasicValue, IntValue, VectorValue};

use super::body::VectorLoop;
use super::guard::Kept;
use super::lanes::Lanes;
use super::phis;
use super::reduce::State;
use crate::loops::Run;
use crate::scalar::vector_of;
use crate::unit::built;

/// How many elements the outer guard is ahead when the inner ones run. Fewer of them are a loop that ends
/// before the processor has learnt when.
const BEHIND: u64 = 512;

/// What guards in a guard need so that they can run behind.
#[derive(Clone, Debug)]
pub(super) struct Behind {
    /// The variables that are read from where the outer guard stores them.
    stored: BTreeMap<VarId, VarId>,
    /// The statements of the outer guard that are run again.
    again: Vec<usize>,
}

impl Behind {
    /// Whether the guards in this one can run behind, and should: one of them stores what it keeps. `inside`
    /// are the variables of the loop, and by `divisors` a division cannot fail.
    pub(super) fn of(
        guard: &Guard,
        (procedure, function): (&Procedure, &Function),
        inside: &BTreeSet<VarId>,
        divisors: &BTreeSet<VarId>,
    ) -> Option<Self> {
        if !guard.inner.iter().any(stores) {
            return None;
        }
        let mut needs =
            Needs { procedure, function, divisors, uses: BTreeSet::new(), binds: BTreeSet::new() };
        guard.inner.iter().try_for_each(|nest| needs.nest(nest))?;
        let memory = stored(guard);
        let mut behind = Self { stored: BTreeMap::new(), again: Vec::new() };
        needs.uses = needs.uses.difference(&needs.binds).copied().collect();
        for (at, stmt) in guard.body.iter().enumerate().rev() {
            needs.read(&memory, &mut behind.stored);
            if binds(stmt).iter().any(|var| needs.uses.contains(var)) {
                needs.binds.clear();
                needs.stmt(stmt)?;
                needs.uses = needs.uses.difference(&needs.binds).copied().collect();
                behind.again.insert(0, at);
            }
        }
        needs.read(&memory, &mut behind.stored);
        needs.uses.is_disjoint(inside).then_some(behind)
    }
}

/// Whether what a nest keeps is stored.
fn stores(nest: &Nest) -> bool {
    match nest {
        Nest::Loop(_) => false,
        Nest::Guard(guard) => {
            guard.body.iter().any(|stmt| matches!(stmt, Stmt::Write { .. }))
                || guard.inner.iter().any(stores)
        }
    }
}

/// The variables that a guard stores next to each other, and where.
fn stored(guard: &Guard) -> BTreeMap<VarId, VarId> {
    let mut stored = BTreeMap::new();
    for stmt in guard.body.iter().rev() {
        match stmt {
            Stmt::Write { vec, index, elem: Atom::Var(elem), placed: false }
                if *index == Position::Var(guard.index) =>
            {
                stored.insert(*elem, *vec);
            }
            Stmt::Copy { elem, from: Atom::Var(from) } => {
                if let Some(&vec) = stored.get(elem) {
                    stored.insert(*from, vec);
                }
            }
            Stmt::Write { .. }
            | Stmt::Copy { .. }
            | Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Apply { .. }
            | Stmt::Read { .. }
            | Stmt::Update { .. }
            | Stmt::Reserve { .. }
            | Stmt::Current { .. } => {}
        }
    }
    stored
}

/// The elements that a statement binds.
fn binds(stmt: &Stmt) -> &[VarId] {
    match stmt {
        Stmt::Next { elem, .. }
        | Stmt::Position { elem, .. }
        | Stmt::Copy { elem, .. }
        | Stmt::Read { elem, .. }
        | Stmt::Current { elem, .. } => std::slice::from_ref(elem),
        Stmt::Apply { elems, .. } => elems,
        Stmt::Update { .. } | Stmt::Reserve { .. } | Stmt::Write { .. } => &[],
    }
}

/// What statements use and bind; none if they need their own step, or may fail.
struct Needs<'a> {
    procedure: &'a Procedure,
    function: &'a Function,
    divisors: &'a BTreeSet<VarId>,
    uses: BTreeSet<VarId>,
    binds: BTreeSet<VarId>,
}

impl Needs<'_> {
    /// Takes from memory what is there.
    fn read(&mut self, memory: &BTreeMap<VarId, VarId>, into: &mut BTreeMap<VarId, VarId>) {
        into.extend(memory.iter().filter(|(var, _)| self.uses.contains(var)));
        self.uses.retain(|var| !memory.contains_key(var));
    }

    fn nest(&mut self, nest: &Nest) -> Option<()> {
        let Nest::Guard(guard) = nest else { return None };
        self.atom(guard.flag);
        guard.body.iter().try_for_each(|stmt| self.stmt(stmt))?;
        guard.inner.iter().try_for_each(|nest| self.nest(nest))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<()> {
        self.binds.extend(binds(stmt));
        match stmt {
            Stmt::Copy { from, .. } => self.atom(*from),
            // What is stored over an array may lie before what of it has not been read yet, and goes past its
            // end after the loop.
            Stmt::Write { vec, .. }
                if self.procedure.overwrites().any(|(over, _)| over == *vec) =>
            {
                return None;
            }
            Stmt::Write { elem, .. } => self.atom(*elem),
            Stmt::Apply { worker, args, .. } | Stmt::Update { worker, args, .. } => {
                args.iter().for_each(|&arg| self.atom(arg));
                self.binds.extend(&worker.params);
                self.block(&worker.body)?;
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Read { .. }
            | Stmt::Reserve { .. }
            | Stmt::Current { .. } => return None,
        }
        Some(())
    }

    fn block(&mut self, block: &Block) -> Option<()> {
        block.steps.iter().try_for_each(|step| self.step(step))?;
        block.results.iter().for_each(|&result| self.atom(result));
        Some(())
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Un { var, arg, .. } => {
                self.atom(*arg);
                self.binds.insert(*var);
            }
            Step::Bin { var, op, args, .. } => {
                let fails = match args[1] {
                    Atom::Const(divisor) => op.traps(divisor.ty) && divisor.bits == 0,
                    Atom::Var(divisor) => {
                        let ty = self.function.vars[divisor].ty.as_scalar()?;
                        op.traps(ty) && !self.divisors.contains(&divisor)
                    }
                };
                if fails {
                    return None;
                }
                args.iter().for_each(|&arg| self.atom(arg));
                self.binds.insert(*var);
            }
            Step::Length { var, .. } => {
                self.binds.insert(*var);
            }
            Step::If { vars, cond, then, otherwise, .. } => {
                self.atom(*cond);
                self.block(then)?;
                self.block(otherwise)?;
                self.binds.extend(vars);
            }
            Step::Index { .. }
            | Step::Assert { .. }
            | Step::Fma { .. }
            | Step::Row { .. }
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
            | Step::Pass(_) => return None,
        }
        Some(())
    }

    fn atom(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            self.uses.insert(var);
        }
    }
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// Runs the guards in a guard up to the last whole vectors, if it is far ahead.
    pub(super) fn keep_up(&mut self, guard: &'p Guard, behind: &Behind) {
        let code = &self.pass.body.code;
        let ahead = self.ahead(guard);
        let is_far = code.compare(IntPredicate::UGE, ahead, code.size(BEHIND));
        let [far, near] = ["vector.behind", "vector.near"].map(|name| code.block(name));
        let from = code.here();
        code.branch(is_far, far, near);
        code.b.position_at_end(far);
        let mut before = self.state.clone();
        self.whole_vectors(guard, behind);
        let code = &self.pass.body.code;
        let caught_up = code.here();
        code.jump(near);
        code.b.position_at_end(near);
        let mut after = self.state.clone();
        self.meet([(&mut before, from), (&mut after, caught_up)]);
    }

    /// After the loop: runs every guard in a guard that is behind for what is left.
    pub(super) fn catch_up(&mut self, run: Run<'ctx, 'p>) {
        self.catch_up_in(run.inner);
    }

    fn catch_up_in(&mut self, inner: &'p [Nest]) {
        for nest in inner {
            let Nest::Guard(guard) = nest else { continue };
            if let Some(behind) = self.plan.facts.behind.get(&guard.counter).cloned() {
                self.whole_vectors(guard, &behind);
                self.rest(guard, &behind);
            }
            self.catch_up_in(&guard.inner);
        }
    }

    /// How many elements a guard has kept that the guards in it have not seen.
    fn ahead(&self, guard: &Guard) -> IntValue<'ctx> {
        let (kept, seen) = (self.state.accs[guard.counter][0], self.seen_of(guard));
        built(self.pass.body.code.b.build_int_sub(kept.into_int_value(), seen, ""))
    }

    fn seen_of(&self, guard: &Guard) -> IntValue<'ctx> {
        self.state.behind[guard.counter][0].into_int_value()
    }

    /// Runs the guards in a guard for whole steps of vectors that it has kept.
    fn whole_vectors(&mut self, guard: &'p Guard, behind: &Behind) {
        let code = &self.pass.body.code;
        let step = u64::from(self.plan.lanes * self.plan.parts);
        let [header, inside, done] = ["vector.kept.step", "vector.kept.inside", "vector.kept.done"]
            .map(|name| code.block(name));
        let enter = code.here();
        code.jump(header);
        code.b.position_at_end(header);
        let mut first = self.state.clone();
        let mut state = first.clone();
        let phis = phis(self, &mut state, [(&mut first, enter)]);
        self.state = state.clone();
        let code = &self.pass.body.code;
        let more = code.compare(IntPredicate::UGE, self.ahead(guard), code.size(step));
        code.branch(more, inside, done);
        code.b.position_at_end(inside);
        let from = self.seen_of(guard);
        self.again(guard, behind, None);
        let code = &self.pass.body.code;
        self.state.behind[guard.counter][0] = code.add_index(from, code.size(step)).into();
        let latch = code.here();
        for (phi, value) in phis.iter().zip(self.state.values()) {
            phi.add_incoming(&[(value, latch)]);
        }
        let code = &self.pass.body.code;
        code.jump(header);
        code.b.position_at_end(done);
        self.state = state;
    }

    /// Runs the guards in a guard for what it has kept and they have not seen: fewer elements than a step has.
    fn rest(&mut self, guard: &'p Guard, behind: &Behind) {
        let ahead = self.ahead(guard);
        let lanes = u64::from(self.plan.lanes);
        let kept: Vec<_> = (0..u64::from(self.plan.parts))
            .map(|part| {
                let code = &self.pass.body.code;
                let first = code.splat(code.size(part * lanes).into(), self.plan.lanes);
                let lane = code.lanes_op(
                    inkwell::values::InstructionOpcode::Add,
                    first,
                    code.count_up(self.plan.lanes),
                );
                let ahead = code.splat(ahead.into(), self.plan.lanes);
                let flags = code.lanes_compare(IntPredicate::ULT, lane, ahead);
                Kept { flags, bits: code.wide_bits(flags), position: self.seen_of(guard) }
            })
            .collect();
        self.again(guard, behind, Some(&kept));
        self.state.behind[guard.counter][0] = self.state.accs[guard.counter][0];
    }

    /// The guards in a guard, for a step of vectors of what it has kept, where the flags hold.
    fn again(&mut self, guard: &'p Guard, behind: &Behind, kept: Option<&[Kept<'ctx>]>) {
        let here = std::mem::take(&mut self.place);
        self.place = self.place_at(self.seen_of(guard));
        for part in 0..self.plan.parts as usize {
            self.part = part;
            let flags = kept.map(|kept| kept[part].flags);
            for (&var, &vec) in &behind.stored {
                let lanes = self.reload(vec, flags);
                self.bind(var, Lanes::Each(lanes));
            }
            for &at in &behind.again {
                self.stmt_where(&guard.body[at], flags);
            }
        }
        self.inside(&[], &guard.inner, kept);
        self.place = here;
    }

    /// What was stored at the lanes' positions; anything where the flags do not hold.
    fn reload(&self, vec: VarId, flags: Option<VectorValue<'ctx>>) -> VectorValue<'ctx> {
        let body = &self.pass.body;
        let code = &body.code;
        let (elem, _) = body.array_type(vec);
        let at = code.element(elem, body.var(vec).vector(vec).data, self.at());
        let ty = vector_of(code.types.memory(elem), self.plan.lanes);
        let loaded = match flags {
            None => built(code.b.build_load(ty, at, "")),
            Some(flags) => {
                let ptr = at.get_type().into();
                let zero = ty.const_zero().into();
                code.call_intrinsic(
                    "llvm.masked.load",
                    &[ty.into(), ptr],
                    &[at.into(), flags.into(), zero],
                )
            }
        };
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        if flags.is_none() {
            load.set_alignment(elem.bytes()).expect("loads have an alignment");
        }
        if let Some(aliasing) = &body.aliasing {
            aliasing.describe_own(code, load, vec);
        }
        self.in_registers(elem, loaded.into_vector_value())
    }

    /// Goes on with a state that has come from several blocks.
    pub(super) fn meet<const N: usize>(
        &mut self,
        ways: [(&mut State<'ctx>, inkwell::basic_block::BasicBlock<'ctx>); N],
    ) {
        let mut state = self.state.clone();
        phis(self, &mut state, ways);
        self.state = state;
    }
}
