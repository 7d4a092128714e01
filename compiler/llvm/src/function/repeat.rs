//! Loops that carry values from step to step.
//!
//! Invariant: carried values are in registers, descriptors of arrays too; a loop takes as much
//! stack as one step.
//!
//! ```text
//! header: %i = phi [0, before], [%i', step]   %xs = phi [%xs0, before], [%xs', step]
//!         br %i < %n, body, done
//! ```

use arrc_core::ids::VarId;
use arrc_core::ir::cnf::Atom;
use arrc_core::ir::procedure::concrete::{Block, LoopForm, Step, Worker};
use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PhiValue};

use crate::function::Body;
use crate::unit::built;
use crate::value::{Array, Value};

/// A value that is carried.
enum Carried<'ctx> {
    Scalar(PhiValue<'ctx>),
    Array { data: PhiValue<'ctx>, owner: PhiValue<'ctx>, shape: Vec<PhiValue<'ctx>> },
}

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Lowers a loop, and returns what it carries in the end.
    pub(crate) fn repeat(
        &mut self,
        form: &'p LoopForm,
        init: &[Value<'ctx>],
        worker: &'p Worker,
    ) -> Vec<Value<'ctx>> {
        let [header, inside, exit] = ["loop", "body", "done"].map(|name| self.code.block(name));
        let before = self.code.here();
        self.code.jump(header);
        self.code.b.position_at_end(header);
        let carried: Vec<_> = init.iter().map(|init| self.carried(init)).collect();
        let zero = Value::Scalar(self.code.types.i64.const_zero().into());
        let counter = match form {
            LoopForm::For { .. } => Some(self.carried(&zero)),
            LoopForm::While { .. } => None,
        };
        for (phi, init) in carried.iter().chain(&counter).zip(init.iter().chain([&zero])) {
            phi.comes(init, before);
        }
        let mut values: Vec<_> = carried.iter().map(Carried::value).collect();
        let more = match form {
            LoopForm::For { count } => self.counts(counter.as_ref(), *count),
            LoopForm::While { cond } => self.holds(cond, &values),
        };
        self.code.branch(more, inside, exit);

        self.code.b.position_at_end(inside);
        if self.aliasing.is_none() && may_last(form, worker) {
            self.code.check_cancelled();
        }
        values.extend(counter.as_ref().map(Carried::value));
        let next = self.inside(&worker.params, &values, &worker.body);
        let step = self.code.here();
        for (phi, next) in carried.iter().zip(&next) {
            phi.comes(next, step);
        }
        if let Some(Carried::Scalar(phi)) = &counter {
            let one = self.code.size(1);
            let next = self.code.add_index(phi.as_basic_value().into_int_value(), one);
            phi.add_incoming(&[(&next, step)]);
        }
        self.code.jump(header);
        self.code.b.position_at_end(exit);
        carried.iter().map(Carried::value).collect()
    }

    /// Whether the counter is below the count.
    fn counts(&self, counter: Option<&Carried<'ctx>>, count: Atom) -> IntValue<'ctx> {
        let Some(Carried::Scalar(phi)) = counter else {
            panic!("a counted loop has a counter");
        };
        let counter = phi.as_basic_value().into_int_value();
        self.code.compare(IntPredicate::SLT, counter, self.int(count))
    }

    fn holds(&mut self, cond: &'p Worker, values: &[Value<'ctx>]) -> IntValue<'ctx> {
        match &self.inside(&cond.params, values, &cond.body)[..] {
            [Value::Scalar(flag)] => flag.into_int_value(),
            _ => panic!("a condition yields one scalar"),
        }
    }

    /// A block of the loop with its parameters. The sizes that it makes known are its own.
    fn inside(
        &mut self,
        params: &[VarId],
        values: &[Value<'ctx>],
        block: &'p Block,
    ) -> Vec<Value<'ctx>> {
        let sizes = self.sizes.clone();
        for (&param, value) in params.iter().zip(values) {
            self.bind(param, value.clone());
        }
        let results = self.block(block);
        self.sizes = sizes;
        results
    }

    fn carried(&self, like: &Value<'ctx>) -> Carried<'ctx> {
        let phi = |value: BasicValueEnum<'ctx>| built(self.code.b.build_phi(value.get_type(), ""));
        match like {
            Value::Scalar(value) => Carried::Scalar(phi(*value)),
            Value::Array(array) => Carried::Array {
                data: phi(array.data.into()),
                owner: phi(array.owner.into()),
                shape: array.shape.iter().map(|&size| phi(size.into())).collect(),
            },
            Value::Vector(_) => panic!("a vector under construction is not carried"),
        }
    }
}

/// Whether it may take long until a loop ends, so that it has to see whether the call is cancelled. A loop that counts and does
/// arithmetic only is left to LLVM.
fn may_last(form: &LoopForm, worker: &Worker) -> bool {
    let lasts = |step: &Step| matches!(step, Step::Pass(_) | Step::Call { .. } | Step::Loop { .. });
    matches!(form, LoopForm::While { .. }) || worker.body.steps.iter().any(lasts)
}

impl<'ctx> Carried<'ctx> {
    fn value(&self) -> Value<'ctx> {
        match self {
            Self::Scalar(phi) => Value::Scalar(phi.as_basic_value()),
            Self::Array { data, owner, shape } => Value::Array(Array {
                data: data.as_basic_value().into_pointer_value(),
                owner: owner.as_basic_value().into_pointer_value(),
                shape: shape.iter().map(|size| size.as_basic_value().into_int_value()).collect(),
            }),
        }
    }

    /// What it is when the header is reached from that block.
    fn comes(&self, value: &Value<'ctx>, from: inkwell::basic_block::BasicBlock<'ctx>) {
        match (self, value) {
            (Self::Scalar(phi), Value::Scalar(value)) => phi.add_incoming(&[(value, from)]),
            (Self::Array { data, owner, shape }, Value::Array(array)) => {
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
