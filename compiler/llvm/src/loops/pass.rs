//! A pass that is being lowered: its accumulators, lengths and positions, which every way to run its steps reads.
//!
//! Invariant: accumulators and counters are allocas of the frame that only this pass touches, which
//! LLVM turns into registers; everything else is a value. An accumulator owns its array.
//!
//! ```text
//! s = newAcc 0    store 0, %s        s := x + s    %s1 = load %s …  store …
//! ```

use arrc_fusion::cnf::{Atom, FoldOrder, Type};
use arrc_loops::concrete::{Length, Nest, Position, Procedure, Start, Stmt, WrittenCount};
use arrc_syntax::ids::{AccId, SecondaryMap, VarId};
use arrc_syntax::prim::{BinOp, Const, Scalar};
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::nesting::Level;
use super::scalar::signed_zeros::Zero;
use super::scalar::strip_buffers::StripGuard;
use crate::function::function_body::Body;
use crate::scalar::BinaryOperation;
use crate::value::LoweredValue;

/// The steps of a loop: some steps of a pass that are lowered as one loop.
#[derive(Clone, Copy)]
pub(super) struct Steps<'ctx, 'p> {
    pub(super) procedure: &'p Procedure,
    /// The counter of their loop.
    pub(super) counter: VarId,
    /// The first step.
    pub(super) from: IntValue<'ctx>,
    /// The first step after it.
    pub(super) to: IntValue<'ctx>,
    /// The statements of each step.
    pub(super) body: &'p [Stmt],
    /// The nests of each step, which run after the body.
    pub(super) inner: &'p [Nest],
    /// The arrays that end with each step.
    pub(super) release: &'p [VarId],
}

/// A pass that is being lowered.
pub(super) struct Pass<'b, 'u, 'ctx, 'p> {
    pub(super) body: &'b mut Body<'u, 'ctx, 'p>,
    pub(super) procedure: &'p Procedure,
    /// Whether it runs in the steps of another pass.
    pub(super) level: Level,
    /// The address of each accumulator.
    pub(super) accs: SecondaryMap<AccId, Option<PointerValue<'ctx>>>,
    /// The accumulators that are never the negative zero.
    pub(super) positive: SecondaryMap<AccId, bool>,
    /// In a slice: the carries of accumulators that steps read and that begin anew in the slice.
    pub(super) carries: SecondaryMap<AccId, Option<(BinOp, BasicValueEnum<'ctx>)>>,
    /// The vectors that grow.
    pub(super) growing: SecondaryMap<VarId, Option<GrowingVector<'ctx>>>,
    /// The guard behind the strip of steps that is being lowered, if there is one.
    pub(super) behind: Option<StripGuard<'ctx>>,
    /// The elements of a step that have been loaded together with those of another one.
    pub(super) loaded: SecondaryMap<VarId, Option<BasicValueEnum<'ctx>>>,
    /// The steps of the slice, if the function runs a slice of the steps.
    pub(super) slice: Option<SliceSteps<'ctx>>,
    /// The order in which the loop combines elements, once it is lowered.
    pub(super) grouping: Option<Grouping>,
    /// The order in which it has to combine them.
    pub(super) required_grouping: Option<Grouping>,
    /// The number of steps that run at once where steps have loops, once the loop is lowered.
    pub(super) at_once: Option<u32>,
}

/// The order in which a loop combines elements with an accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grouping {
    /// One after the other.
    Single,
    /// In vectors of this many lanes, as far as there are whole ones.
    Vectors(u32),
    /// One of these, chosen at run time.
    Depends,
}

/// The steps that a function runs.
#[derive(Clone, Copy)]
pub(super) struct SliceSteps<'ctx> {
    pub(super) from: IntValue<'ctx>,
    pub(super) to: IntValue<'ctx>,
    /// The first step that the counters of guards count.
    pub(super) first: IntValue<'ctx>,
    /// Whether these are all steps, or a strip of them whose elements were gathered.
    pub(super) is_strip: bool,
}

/// A vector that grows.
#[derive(Clone, Copy)]
pub(super) struct GrowingVector<'ctx> {
    /// The place that holds its buffer.
    pub(super) owner: PointerValue<'ctx>,
    /// The place that holds the bytes of elements that there is room for.
    pub(super) capacity: PointerValue<'ctx>,
    /// Whether the buffer is a scratch buffer, which owns the memory.
    pub(super) is_scratch: bool,
    /// The place in the source for an allocation that fails.
    pub(super) site: PointerValue<'ctx>,
}

impl<'ctx> Pass<'_, '_, 'ctx, '_> {
    /// How many elements were written; none if the vector is full.
    pub(super) fn written(&self, written: &WrittenCount) -> Option<IntValue<'ctx>> {
        match written {
            WrittenCount::All => None,
            WrittenCount::Counted(counter) => Some(self.acc(*counter).into_int_value()),
            WrittenCount::Rows(rows, row) => {
                Some(self.body.code.mul_index(self.written(rows)?, self.length(row)))
            }
        }
    }

    pub(super) fn length(&self, length: &Length) -> IntValue<'ctx> {
        self.body.length(length)
    }

    pub(super) fn position(&self, position: &Position) -> IntValue<'ctx> {
        self.body.position(position)
    }

    /// The first value of an accumulator; none for an entry counter.
    pub(super) fn init(&self, acc: AccId) -> Option<Atom> {
        init(self.procedure, acc)
    }

    pub(super) fn acc_type(&self, acc: AccId) -> Scalar {
        self.procedure.accs[acc].ty.as_scalar().unwrap_or_else(|| panic!("{acc} is a scalar"))
    }

    /// The zeros that an accumulator can be.
    pub(super) fn zero(&self, acc: AccId) -> Zero {
        if self.positive[acc] { Zero::Positive } else { Zero::EitherSign }
    }

    /// The value of an accumulator.
    pub(super) fn acc_value(&self, acc: AccId) -> LoweredValue<'ctx> {
        match &self.procedure.accs[acc].ty {
            Type::Scalar(_) => LoweredValue::Scalar(self.acc(acc)),
            array @ Type::Array { .. } => self.body.code.load_result(array, self.acc_place(acc)),
        }
    }

    /// The value of an accumulator that steps read.
    pub(super) fn seen(&mut self, acc: AccId, own: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        let Some((op, carry)) = self.carries[acc] else { return own };
        let (ty, span) = (self.acc_type(acc), self.body.function.span);
        self.body.code.binary(BinaryOperation { op, ty, args: [carry, own], span })
    }

    /// Gives an accumulator a value that it owns.
    pub(super) fn fill_acc(&self, acc: AccId, value: &LoweredValue<'ctx>) {
        match (&self.procedure.accs[acc].ty, value) {
            (Type::Scalar(_), LoweredValue::Scalar(value)) => self.set_acc(acc, *value),
            (ty, value) => self.body.code.store_result(ty, value, self.acc_place(acc)),
        }
    }

    /// The value of a scalar accumulator.
    pub(super) fn acc(&self, acc: AccId) -> BasicValueEnum<'ctx> {
        let name = &self.procedure.accs[acc].name;
        self.body.code.load(
            self.body.code.types.scalar(self.acc_type(acc)),
            self.acc_place(acc),
            name,
        )
    }

    /// Changes the value of a scalar accumulator.
    pub(super) fn set_acc(&self, acc: AccId, value: BasicValueEnum<'ctx>) {
        self.body.code.store(self.acc_place(acc), value);
    }

    fn acc_place(&self, acc: AccId) -> PointerValue<'ctx> {
        self.accs[acc]
            .unwrap_or_else(|| panic!("{acc} is an accumulator of {}", self.procedure.name))
    }
}

/// The first value of an accumulator; none for an entry counter.
fn init(procedure: &Procedure, acc: AccId) -> Option<Atom> {
    procedure.start.iter().find_map(|start| match start {
        Start::NewAcc { acc: new, init } if *new == acc => Some(*init),
        Start::NewAcc { .. } | Start::CheckSize { .. } | Start::NewVec { .. } => None,
    })
}

/// Notes the parameters of an update to which products are added that need not be rounded by themselves.
pub(super) fn note_contractions(
    contracts: &mut SecondaryMap<VarId, bool>,
    procedure: &Procedure,
    (accs, order, params): (&[AccId], FoldOrder, &[VarId]),
) {
    for (&param, &acc) in params.iter().zip(accs) {
        contracts[param] = adds_up(procedure, acc, order);
    }
}

/// Whether updates of an accumulator may be reassociated, and no step reads it before the end.
pub(super) fn adds_up(procedure: &Procedure, acc: AccId, order: FoldOrder) -> bool {
    let mut is_seen = false;
    procedure.nest.for_each_stmt(&mut |stmt| {
        is_seen |= matches!(stmt, Stmt::Current { acc: seen, .. } if *seen == acc);
    });
    order != FoldOrder::Strict && !is_seen
}

/// Whether an accumulator begins as a float that is known not to be NaN: then the least or greatest of it
/// and other floats never is.
pub(super) fn begins_as_number(procedure: &Procedure, acc: AccId) -> bool {
    let is_number = |value: Const| value.ty.is_float() && !value.as_f64().is_nan();
    matches!(init(procedure, acc), Some(Atom::Const(init)) if is_number(init))
}

/// Every statement of a loop with guards.
pub(super) fn stmts<'p>(run: Steps<'_, 'p>) -> Vec<&'p Stmt> {
    fn of<'p>(inner: &'p [Nest], into: &mut Vec<&'p Stmt>) {
        for nest in inner {
            match nest {
                Nest::Loop(inner) => {
                    into.extend(&inner.body);
                    of(&inner.inner, into);
                }
                Nest::Guard(guard) => {
                    into.extend(&guard.body);
                    of(&guard.inner, into);
                }
            }
        }
    }
    let mut stmts = run.body.iter().collect();
    of(run.inner, &mut stmts);
    stmts
}
