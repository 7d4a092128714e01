//! Loops that carry values from step to step.
//!
//! Invariant: carried values are in registers, descriptors of arrays too; a loop takes as much
//! stack as one step.
//!
//! ```text
//! header: %i = phi [0, before], [%i', step]   %xs = phi [%xs0, before], [%xs', step]
//!         br %i < %n, body, done
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Block, LoopForm, Step, Worker};
use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PhiValue};

use crate::function::function_body::Body;
use crate::loops::change_row;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// How many steps of code a loop executes between two checks whether the call is cancelled: some milliseconds.
const RUN: u64 = 1 << 22;

/// The condition under which a loop goes on.
#[derive(Clone, Copy)]
enum LoopCondition<'ctx, 'p> {
    /// From the first number to the one before the last.
    Counted([IntValue<'ctx>; 2]),
    /// As long as the condition holds.
    Holds(&'p Worker),
}

/// The phi of a value that the loop carries.
enum CarriedPhi<'ctx> {
    Scalar(PhiValue<'ctx>),
    Array { data: PhiValue<'ctx>, owner: PhiValue<'ctx>, shape: Vec<PhiValue<'ctx>> },
}

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Lowers a loop, and returns the final carried values.
    pub(crate) fn repeat(
        &mut self,
        form: &'p LoopForm,
        init: &[LoweredValue<'ctx>],
        worker: &'p Worker,
    ) -> Vec<LoweredValue<'ctx>> {
        let is_outermost = self.aliasing.is_none();
        let looks = is_outermost && may_run_long(form, worker);
        match form {
            LoopForm::While { cond } => {
                self.emit_loop(LoopCondition::Holds(cond), looks, init, worker)
            }
            LoopForm::For { count } => {
                let [first, to] = [self.code.size(0), self.int(*count)];
                let from = if let [LoweredValue::Array(row)] = init {
                    change_row(self, worker, [first, to], row)
                } else {
                    None
                };
                let bounds = [from.unwrap_or(first), to];
                if is_outermost && !looks && !is_short(*count) {
                    self.in_runs(bounds, init, worker)
                } else {
                    self.emit_loop(LoopCondition::Counted(bounds), looks, init, worker)
                }
            }
        }
    }

    /// A loop that counts and does arithmetic only, in runs of about [`RUN`] steps of code. It fails between them if
    /// the call is cancelled; the loop of a run is left to LLVM.
    fn in_runs(
        &mut self,
        [from, to]: [IntValue<'ctx>; 2],
        init: &[LoweredValue<'ctx>],
        worker: &'p Worker,
    ) -> Vec<LoweredValue<'ctx>> {
        let steps = u64::try_from(worker.body.steps.len()).unwrap_or(RUN).max(1);
        let most = self.code.size((RUN / steps).max(1));
        let [run, more, exit] = ["run", "run.more", "run.done"].map(|name| self.code.block(name));
        let before = self.code.current_block();
        self.code.jump(run);
        self.code.b.position_at_end(run);
        let carried: Vec<_> = init.iter().map(|init| self.carried(init)).collect();
        let at = built(self.code.b.build_phi(self.code.types.i64, "at"));
        let first = at.as_basic_value().into_int_value();
        let left = built(self.code.b.build_int_sub(to, first, ""));
        let is_last = self.code.compare(IntPredicate::SLE, left, most);
        let next = self.code.select(is_last, to.into(), self.code.add_index(first, most).into());
        let next = next.into_int_value();
        let values: Vec<_> = carried.iter().map(CarriedPhi::value).collect();
        let results = self.emit_loop(LoopCondition::Counted([first, next]), false, &values, worker);
        self.code.branch(is_last, exit, more);
        self.code.b.position_at_end(more);
        self.code.check_cancelled();
        let again = self.code.current_block();
        at.add_incoming(&[(&from, before), (&next, again)]);
        for (phi, (init, result)) in carried.iter().zip(init.iter().zip(&results)) {
            phi.add_phi_input(init, before);
            phi.add_phi_input(result, again);
        }
        self.code.jump(run);
        self.code.b.position_at_end(exit);
        results
    }

    /// The iterations of a loop; where it `looks`, each iteration fails if the call is cancelled.
    fn emit_loop(
        &mut self,
        until: LoopCondition<'ctx, 'p>,
        looks: bool,
        init: &[LoweredValue<'ctx>],
        worker: &'p Worker,
    ) -> Vec<LoweredValue<'ctx>> {
        let [header, inside, exit] = ["loop", "body", "done"].map(|name| self.code.block(name));
        let before = self.code.current_block();
        self.code.jump(header);
        self.code.b.position_at_end(header);
        let carried: Vec<_> = init.iter().map(|init| self.carried(init)).collect();
        for (phi, init) in carried.iter().zip(init) {
            phi.add_phi_input(init, before);
        }
        let mut values: Vec<_> = carried.iter().map(CarriedPhi::value).collect();
        let (counter, more) = match until {
            LoopCondition::Counted([from, to]) => {
                let counter = built(self.code.b.build_phi(self.code.types.i64, ""));
                counter.add_incoming(&[(&from, before)]);
                let at = counter.as_basic_value().into_int_value();
                (Some(counter), self.code.compare(IntPredicate::SLT, at, to))
            }
            LoopCondition::Holds(cond) => (None, self.holds(cond, &values)),
        };
        self.code.branch(more, inside, exit);

        self.code.b.position_at_end(inside);
        if looks {
            self.code.check_cancelled();
        }
        values.extend(counter.map(|counter| LoweredValue::Scalar(counter.as_basic_value())));
        let next = self.inside(&worker.params, &values, &worker.body);
        let step = self.code.current_block();
        for (phi, next) in carried.iter().zip(&next) {
            phi.add_phi_input(next, step);
        }
        if let Some(counter) = counter {
            let one = self.code.size(1);
            let next = self.code.add_index(counter.as_basic_value().into_int_value(), one);
            counter.add_incoming(&[(&next, step)]);
        }
        self.code.jump(header);
        self.code.b.position_at_end(exit);
        carried.iter().map(CarriedPhi::value).collect()
    }

    fn holds(&mut self, cond: &'p Worker, values: &[LoweredValue<'ctx>]) -> IntValue<'ctx> {
        match &self.inside(&cond.params, values, &cond.body)[..] {
            [LoweredValue::Scalar(flag)] => flag.into_int_value(),
            _ => panic!("a condition yields one scalar"),
        }
    }

    /// A block of the loop with its parameters. The sizes that it binds hold only in it.
    fn inside(
        &mut self,
        params: &[VarId],
        values: &[LoweredValue<'ctx>],
        block: &'p Block,
    ) -> Vec<LoweredValue<'ctx>> {
        let sizes = self.sizes.clone();
        for (&param, value) in params.iter().zip(values) {
            self.bind(param, value.clone());
        }
        let results = self.block(block);
        self.sizes = sizes;
        results
    }

    fn carried(&self, like: &LoweredValue<'ctx>) -> CarriedPhi<'ctx> {
        let phi = |value: BasicValueEnum<'ctx>| built(self.code.b.build_phi(value.get_type(), ""));
        match like {
            LoweredValue::Scalar(value) => CarriedPhi::Scalar(phi(*value)),
            LoweredValue::Array(array) => CarriedPhi::Array {
                data: phi(array.data.into()),
                owner: phi(array.owner.into()),
                shape: array.shape.iter().map(|&size| phi(size.into())).collect(),
            },
            LoweredValue::Vector(_) => panic!("a vector under construction is not carried"),
        }
    }
}

/// Whether a loop may run for long, so that it has to check whether the call is cancelled. A loop that only counts and
/// computes checks that between runs.
fn may_run_long(form: &LoopForm, worker: &Worker) -> bool {
    let lasts = |step: &Step| matches!(step, Step::Pass(_) | Step::Call { .. } | Step::Loop { .. });
    matches!(form, LoopForm::While { .. }) || worker.body.steps.iter().any(lasts)
}

/// Whether a trip count is known and small.
fn is_short(count: Atom) -> bool {
    matches!(count, Atom::Const(count) if count.bits.cast_signed() < 1 << 16)
}

impl<'ctx> CarriedPhi<'ctx> {
    fn value(&self) -> LoweredValue<'ctx> {
        match self {
            Self::Scalar(phi) => LoweredValue::Scalar(phi.as_basic_value()),
            Self::Array { data, owner, shape } => LoweredValue::Array(Array {
                data: data.as_basic_value().into_pointer_value(),
                owner: owner.as_basic_value().into_pointer_value(),
                shape: shape.iter().map(|size| size.as_basic_value().into_int_value()).collect(),
            }),
        }
    }

    /// Adds the value that the header gets from that block.
    fn add_phi_input(
        &self,
        value: &LoweredValue<'ctx>,
        from: inkwell::basic_block::BasicBlock<'ctx>,
    ) {
        match (self, value) {
            (Self::Scalar(phi), LoweredValue::Scalar(value)) => phi.add_incoming(&[(value, from)]),
            (Self::Array { data, owner, shape }, LoweredValue::Array(array)) => {
                data.add_incoming(&[(&array.data, from)]);
                owner.add_incoming(&[(&array.owner, from)]);
                for (phi, size) in shape.iter().zip(&array.shape) {
                    phi.add_incoming(&[(size, from)]);
                }
            }
            (Self::Scalar(_) | Self::Array { .. }, _) => {
                panic!("a loop carries values of the same types")
            }
        }
    }
}
