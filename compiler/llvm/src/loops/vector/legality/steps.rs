//! The steps of workers: which operations have vector code, and which results move with the counter.
//!
//! Invariant: a step that is legal has a result for each lane, or the same one for all lanes.
//!
//! ```text
//! y = (+ 1i64) x, x = the counter   ⇒   y moves straight
//! z = call f x                      ⇒   Obstacle::Control
//! ```

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{Block, Step, Worker};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Cost, Rounding, Scalar, UnOp};

use super::super::divide::{divides_lanes, is_wide_divisor};
use super::super::plan::{Stride, is_constant_divisor};
use super::LegalityChecker;
use crate::note::Obstacle;

/// How many quick operations a slow one counts as: it has as many temporary values. No benchmark shows it alone.
const SLOW: u32 = 8;

impl<'p> LegalityChecker<'p> {
    pub(super) fn worker(&mut self, worker: &'p Worker, args: &[Atom]) -> Result<(), Obstacle> {
        self.params(&worker.params, args)?;
        self.block(&worker.body)
    }

    pub(super) fn params(&mut self, params: &[VarId], args: &[Atom]) -> Result<(), Obstacle> {
        for (&param, &arg) in params.iter().zip(args) {
            self.same_array(param, arg);
            self.moves(param, self.moving(arg));
            self.same_flag(param, arg);
            self.define(param, self.varies(arg))?;
        }
        Ok(())
    }

    pub(super) fn block(&mut self, block: &'p Block) -> Result<(), Obstacle> {
        block.steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &'p Step) -> Result<(), Obstacle> {
        if let Some(judged) = self.row_reduction_step(step).or_else(|| self.array_step(step)) {
            return judged;
        }
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others are control flow, or work on whole arrays"
        )]
        match step {
            Step::Scalar { var, op: Operation::Un(op, arg), .. } => {
                let ty = self.scalar_type(*arg).ok_or(Obstacle::Rows)?;
                if !self.in_lanes(op.cost(ty)) {
                    return Err(Obstacle::Call);
                }
                self.note_operation(self.varies(*arg), op.cost(ty), ty);
                self.facts.is_slow |= self.varies(*arg) && self.converts_slowly(*op, ty);
                self.facts.halves |= self.varies(*arg) && self.converts_by_halves(*op, ty);
                if self.counting && ty == Scalar::Bool && self.varies(*arg) && is_number(*op) {
                    self.facts.flags.insert(*var, *arg);
                }
                self.define(*var, self.varies(*arg))
            }
            Step::Scalar { var, op: Operation::Bin(op, args), .. } => self.binary(*var, *op, *args),
            Step::Index { var, array, indices, inside, .. } => {
                let varies = self.gather(*array, indices, *inside)?;
                self.define(*var, varies)
            }
            Step::Length { var, .. } => self.define(*var, false),
            Step::Assert { .. } => {
                self.facts.may_fail = true;
                Ok(())
            }
            Step::If { vars, cond, then, otherwise, .. } => {
                self.branches(vars, self.varies(*cond), [then, otherwise])
            }
            Step::Loop { vars, form, init, worker, .. } => self.repeat(vars, form, init, worker),
            Step::Pass(pass) => self.folds(pass),
            // On machines without such an instruction, this is a call.
            Step::Scalar { op: Operation::MulAdd(Rounding::Once, _), .. } => Err(Obstacle::Call),
            Step::Scalar { var, op: Operation::MulAdd(Rounding::Any, args), .. } => {
                self.mul_add(*var, *args)
            }
            _ => Err(Obstacle::Control),
        }
    }

    fn binary(&mut self, var: VarId, op: BinOp, args: [Atom; 2]) -> Result<(), Obstacle> {
        let ty = self.scalar_type(args[0]).ok_or(Obstacle::Rows)?;
        if self.inner > 0 && args.iter().any(|&arg| self.varies(arg)) {
            self.in_inner_loop(op, ty, args[1])?;
        }
        self.operation(op, ty, args)?;
        let varies = args.iter().any(|&arg| self.varies(arg));
        self.note_operation(varies, op.cost(ty), ty);
        self.facts.is_slow |= varies && self.in_inner_loop(op, ty, args[1]).is_err();
        self.moves(var, self.move_by(op, args));
        let in_each = op.traps(ty) && !is_constant_divisor(args[1]);
        self.define(var, in_each || varies)
    }

    /// A product and a sum.
    fn mul_add(&mut self, var: VarId, args: [Atom; 3]) -> Result<(), Obstacle> {
        let ty = self.scalar_type(args[0]).ok_or(Obstacle::Rows)?;
        let varies = args.iter().any(|&arg| self.varies(arg));
        for op in [BinOp::Mul, BinOp::Add] {
            self.note_operation(varies, op.cost(ty), ty);
        }
        self.define(var, varies)
    }

    /// A choice. Where lanes differ in it, they run both branches under masks.
    fn branches(
        &mut self,
        vars: &[VarId],
        differs: bool,
        [then, otherwise]: [&'p Block; 2],
    ) -> Result<(), Obstacle> {
        self.facts.inner_loops.diverges |= differs && self.inner > 0;
        self.masked += u32::from(differs);
        self.block(then)?;
        self.block(otherwise)?;
        self.masked -= u32::from(differs);
        let results = then.results.iter().zip(&otherwise.results);
        for (&var, (&a, &b)) in vars.iter().zip(results) {
            if self.held(a) != self.held(b) {
                return Err(Obstacle::Control);
            }
            self.same_array(var, a);
            let forward = |atom| self.moving(atom).is_some_and(|moves| moves != Stride::Backward);
            let jumps = forward(a) && forward(b);
            self.moves(var, jumps.then_some(Stride::Jumping));
            self.define(var, differs || self.varies(a) || self.varies(b))?;
        }
        Ok(())
    }

    /// Notes an operation on elements of some type. An elementary function has many.
    fn note_operation(&mut self, varies: bool, cost: Cost, ty: Scalar) {
        self.is_slow |= varies && ty.is_float() && matches!(cost, Cost::Slow | Cost::Elementary);
        let operations = match (varies, self.inner) {
            (false, _) => return,
            (true, 0) => &mut self.facts.operations,
            (true, _) => &mut self.facts.inner_loops.operations,
        };
        *operations += if cost == Cost::Quick { 1 } else { SLOW };
        if self.inner > 0 {
            // A root or a quotient is one instruction, which waits for its operands.
            let is_one = cost == Cost::Quick || (cost == Cost::Slow && ty.is_float());
            self.facts.inner_loops.values += if is_one { 1 } else { SLOW };
        }
    }

    fn operation(&mut self, op: BinOp, ty: Scalar, args: [Atom; 2]) -> Result<(), Obstacle> {
        if !self.in_lanes(op.cost(ty)) {
            return Err(Obstacle::Call);
        }
        if !op.traps(ty) || !self.varies(args[0]) && is_constant_divisor(args[1]) {
            return Ok(());
        }
        self.facts.may_fail = true;
        match args[1] {
            Atom::Const(divisor) => {
                self.facts.divides |= self.varies(args[0]) && is_wide_divisor(divisor);
            }
            Atom::Var(divisor) if !self.inside.contains(&divisor) => {
                self.facts.divisors.insert(divisor);
            }
            Atom::Var(divisor) if self.divides_lanes(ty, divisor) => self.facts.divides = true,
            // LLVM divides such lanes one by one.
            Atom::Var(_) if self.inner > 0 => return Err(Obstacle::Division),
            Atom::Var(_) => {}
        }
        Ok(())
    }

    /// Whether lanes are divided at once.
    ///
    /// In a loop of a step, a divisor that is the same in all lanes is often a counter. Then scalar code can be faster:
    ///
    /// - LLVM may unroll the steps, so that the divisor is a constant, and short integers are divided by a
    ///   multiplication.
    /// - In a `while` loop, it is trial division, which ends early in most lanes and late in a few.
    fn divides_lanes(&self, ty: Scalar, divisor: VarId) -> bool {
        let is_own = self.inner == 0 || self.varies(Atom::Var(divisor));
        let is_wide = ty.bytes() == 8 && self.ends_by_lane == 0;
        (is_own || is_wide) && divides_lanes(self.isa)
    }

    /// Whether an operation of that cost is done on lanes by instructions, without calls.
    pub(super) fn in_lanes(&self, cost: Cost) -> bool {
        match cost {
            Cost::Quick | Cost::Slow | Cost::Elementary => true,
            Cost::Rounding => self.isa.rounds(),
            Cost::QuickAlone | Cost::Call => false,
        }
    }

    /// Whether an operation converts 64-bit integers to floats, or the reverse, without an instruction for it.
    fn converts_slowly(&self, op: UnOp, from: Scalar) -> bool {
        is_wide_conversion(op, from)
            && !self.isa.multiplies_wide()
            && !self.converts_by_halves(op, from)
    }

    /// Whether an operation converts 64-bit integers to floats, or the reverse, in vectors of ours only.
    fn converts_by_halves(&self, op: UnOp, from: Scalar) -> bool {
        let is_single = op == UnOp::To(Scalar::F32);
        is_wide_conversion(op, from) && !is_single && self.isa.converts_by_halves()
    }

    pub(super) fn moving(&self, atom: Atom) -> Option<Stride> {
        self.facts.moves(atom)
    }

    pub(super) fn moves(&mut self, var: VarId, moves: Option<Stride>) {
        self.facts.moving.remove(&var);
        self.facts.moving.extend(moves.map(|moves| (var, moves)));
    }

    /// How the result of an operation moves with the counter: one operand moves, and the other one is the same in all
    /// lanes. `None` for other operations and operands.
    fn move_by(&self, op: BinOp, [a, b]: [Atom; 2]) -> Option<Stride> {
        let from = |a, b| self.moving(a).filter(|_| !self.varies(b));
        if op == BinOp::Add {
            return from(a, b).or(from(b, a));
        }
        if matches!(op, BinOp::Min | BinOp::Max) {
            return match from(a, b).or(from(b, a))? {
                Stride::Straight | Stride::Clamped => Some(Stride::Clamped),
                Stride::Jumping => Some(Stride::Jumping),
                Stride::Backward => None,
            };
        }
        let turned = from(b, a).filter(|&moves| moves == Stride::Straight);
        let moves = from(a, b).or(turned.map(|_| Stride::Backward));
        moves.filter(|_| op == BinOp::Sub)
    }
}

/// Whether an operation makes an integer of a flag.
fn is_number(op: UnOp) -> bool {
    matches!(op, UnOp::To(to) if to.is_integer())
}

/// Whether an operation converts 64-bit integers to floats, or the reverse.
fn is_wide_conversion(op: UnOp, from: Scalar) -> bool {
    let UnOp::To(to) = op else { return false };
    let is = |a: Scalar, b: Scalar| matches!(a, Scalar::I64 | Scalar::U64) && b.is_float();
    is(from, to) || is(to, from)
}
