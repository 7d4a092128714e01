//! The code of one LLVM function under construction: its blocks, its loops, and arithmetic of sizes.
//!
//! Invariant: between two calls the builder is at the end of a block without a terminator.
//!
//! ```text
//! code.begin_loop(0, n):      br loop   loop: %i = phi …   %more = icmp slt %i, %n   br %more, body, done   body:
//! ```

mod checks;
mod memory;

use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{
    BasicMetadataValueEnum, BasicValueEnum, FunctionValue, InstructionValue, IntValue, PhiValue,
    PointerValue,
};
use inkwell::{IntPredicate, values::BasicValue};

use crate::unit::lines::FunctionLines;
use crate::unit::types::Types;
use crate::unit::{Unit, built};

/// How often a likely branch goes its likely way, for each time that it goes the other way. No benchmark shows it
/// alone.
const LIKELY: u64 = 1000;

/// The builder of a function: the function under construction.
pub(crate) struct FunctionBuilder<'u, 'ctx, 'p> {
    /// The module.
    pub(crate) unit: &'u mut Unit<'ctx, 'p>,
    /// The types.
    pub(crate) types: Types<'ctx>,
    /// The function.
    pub(crate) function: FunctionValue<'ctx>,
    /// Where instructions go.
    pub(crate) b: Builder<'ctx>,
    /// The runtime's context: the function's first parameter.
    pub(crate) context: PointerValue<'ctx>,
    /// The behaviour of a failing function.
    pub(crate) on_failure: OnFailure,
    /// The line information of the function, if the module has it.
    pub(crate) lines: Option<FunctionLines<'ctx>>,
    /// Whether it calls itself. Then the code that takes and gives back small buffers is inlined.
    pub(crate) is_recursive: bool,
    /// The first block, which has the allocas only.
    entry: BasicBlock<'ctx>,
    /// The second block, where the instructions begin.
    start: BasicBlock<'ctx>,
}

/// The behaviour of a failing function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnFailure {
    /// Returns the code.
    Return,
    /// Ends the call, which releases everything, and returns the code.
    Leave,
}

/// A counted loop whose body is being built.
#[derive(Debug)]
pub(crate) struct CountedLoop<'ctx> {
    /// The counter, `i64`.
    pub(crate) counter: IntValue<'ctx>,
    phi: PhiValue<'ctx>,
    header: BasicBlock<'ctx>,
    exit: BasicBlock<'ctx>,
}

impl<'u, 'ctx, 'p> FunctionBuilder<'u, 'ctx, 'p> {
    /// A function without instructions yet.
    pub(crate) fn new(
        unit: &'u mut Unit<'ctx, 'p>,
        function: FunctionValue<'ctx>,
        on_failure: OnFailure,
    ) -> Self {
        let context = function.get_first_param().expect("the first parameter is the context");
        let context = context.into_pointer_value();
        context.set_name("ctx");
        Self::with_context(unit, function, (context, on_failure))
    }

    /// The same for a function that neither fails nor allocates.
    pub(crate) fn without_context(
        unit: &'u mut Unit<'ctx, 'p>,
        function: FunctionValue<'ctx>,
    ) -> Self {
        let none = unit.types.ptr.const_null();
        Self::with_context(unit, function, (none, OnFailure::Return))
    }

    fn with_context(
        unit: &'u mut Unit<'ctx, 'p>,
        function: FunctionValue<'ctx>,
        (context, on_failure): (PointerValue<'ctx>, OnFailure),
    ) -> Self {
        let entry = unit.context.append_basic_block(function, "entry");
        let start = unit.context.append_basic_block(function, "start");
        let b = unit.context.create_builder();
        b.position_at_end(start);
        let types = unit.types;
        let is_recursive = false;
        let lines = None;
        Self { unit, types, function, b, context, on_failure, is_recursive, lines, entry, start }
    }

    /// Adds line information to the function, if the module has it. Debuggers show the function under `name`.
    pub(crate) fn begin_lines(&mut self, name: &str, span: Span) {
        self.lines = self.unit.begin_lines(self.function, name, span);
        self.at(span);
    }

    /// Sets the source place of the instructions that follow.
    pub(crate) fn at(&self, span: Span) {
        if let Some(line) = self.lines.and_then(|lines| self.unit.line(lines, span)) {
            self.b.set_current_debug_location(line);
        }
    }

    /// Ends the function. Nothing may be added afterwards.
    pub(crate) fn finish(self) {
        self.b.position_at_end(self.entry);
        built(self.b.build_unconditional_branch(self.start));
    }

    /// A new block at the end of the function.
    pub(crate) fn block(&self, name: &str) -> BasicBlock<'ctx> {
        self.unit.context.append_basic_block(self.function, name)
    }

    /// The block that instructions go to.
    pub(crate) fn current_block(&self) -> BasicBlock<'ctx> {
        self.b.get_insert_block().expect("the builder is in a block")
    }

    /// Ends the block with a jump.
    pub(crate) fn jump(&self, to: BasicBlock<'ctx>) {
        built(self.b.build_unconditional_branch(to));
    }

    /// Ends the block with a choice.
    pub(crate) fn branch(
        &self,
        cond: IntValue<'ctx>,
        then: BasicBlock<'ctx>,
        otherwise: BasicBlock<'ctx>,
    ) {
        built(self.b.build_conditional_branch(cond, then, otherwise));
    }

    /// A branch that nearly always goes the first way.
    pub(crate) fn branch_likely(
        &self,
        cond: IntValue<'ctx>,
        then: BasicBlock<'ctx>,
        otherwise: BasicBlock<'ctx>,
    ) {
        let context = self.unit.context;
        let branch = built(self.b.build_conditional_branch(cond, then, otherwise));
        let weight = |weight| self.types.i32.const_int(weight, false).into();
        let weights = [context.metadata_string("branch_weights").into(), weight(LIKELY), weight(1)];
        let kind = context.get_kind_id("prof");
        branch.set_metadata(context.metadata_node(&weights), kind).expect("the weights are a node");
    }

    /// Branches on a condition that depends on elements. Conditions that LLVM joins to it are computed together,
    /// without a jump for each of them.
    pub(crate) fn branch_on_element(
        &self,
        cond: IntValue<'ctx>,
        then: BasicBlock<'ctx>,
        otherwise: BasicBlock<'ctx>,
    ) {
        let branch = built(self.b.build_conditional_branch(cond, then, otherwise));
        let context = self.unit.context;
        let kind = context.get_kind_id("unpredictable");
        branch.set_metadata(context.metadata_node(&[]), kind).expect("the mark is a node");
    }

    /// An `i64`.
    pub(crate) fn size(&self, value: u64) -> IntValue<'ctx> {
        self.types.i64.const_int(value, false)
    }

    /// A constant.
    pub(crate) fn constant(&self, value: Const) -> BasicValueEnum<'ctx> {
        let bits = match value.ty.bytes() {
            8 => value.bits,
            bytes => value.bits & ((1 << (8 * bytes)) - 1),
        };
        match value.ty {
            // It is made from its bits, since a float literal would lose the payload of a NaN.
            Scalar::F32 => {
                let bits = self.types.i32.const_int(bits, false);
                built(self.b.build_bit_cast(bits, self.types.float(value.ty), ""))
            }
            Scalar::F64 => {
                let bits = self.types.i64.const_int(bits, false);
                built(self.b.build_bit_cast(bits, self.types.float(value.ty), ""))
            }
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64 => self.types.int(value.ty).const_int(bits, false).into(),
        }
    }

    /// Whether two pointers are the same.
    pub(crate) fn same_place(
        &self,
        a: PointerValue<'ctx>,
        b: PointerValue<'ctx>,
    ) -> IntValue<'ctx> {
        built(self.b.build_int_compare(IntPredicate::EQ, a, b, ""))
    }

    /// One of several values: a phi, by the block that control comes from.
    pub(crate) fn phi_of<V, const N: usize>(&self, incoming: [(V, BasicBlock<'ctx>); N]) -> V
    where
        V: BasicValue<'ctx> + TryFrom<BasicValueEnum<'ctx>>,
    {
        let phi = built(self.b.build_phi(incoming[0].0.as_basic_value_enum().get_type(), ""));
        for (value, block) in &incoming {
            phi.add_incoming(&[(value, *block)]);
        }
        V::try_from(phi.as_basic_value())
            .unwrap_or_else(|_| panic!("a phi is of the type of its values"))
    }

    /// `a < b` and the like.
    pub(crate) fn compare(
        &self,
        how: IntPredicate,
        a: IntValue<'ctx>,
        b: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        built(self.b.build_int_compare(how, a, b, ""))
    }

    /// Calls an intrinsic.
    pub(crate) fn call_intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'ctx>],
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let args: Vec<BasicMetadataValueEnum<'ctx>> = args.iter().map(|&arg| arg.into()).collect();
        let call = built(self.b.build_call(self.unit.intrinsic(name, types), &args, ""));
        call.try_as_basic_value().expect_basic("the intrinsic returns a value")
    }

    /// `a * b` of two sizes. On overflow it is the largest size, which no memory has.
    pub(crate) fn product(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let i64 = self.types.i64;
        let both =
            self.call_intrinsic("llvm.smul.with.overflow", &[i64.into()], &[a.into(), b.into()]);
        let both = both.into_struct_value();
        let product = built(self.b.build_extract_value(both, 0, ""));
        let overflow = built(self.b.build_extract_value(both, 1, "")).into_int_value();
        let largest = i64.const_int(i64::MAX.unsigned_abs(), false).into();
        built(self.b.build_select(overflow, largest, product, "")).into_int_value()
    }

    /// `a + b` of two sizes. On overflow it is the largest size, which no memory has.
    pub(crate) fn sum(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let (i64, args) = (self.types.i64.into(), [a.into(), b.into()]);
        self.call_intrinsic("llvm.sadd.sat", &[i64], &args).into_int_value()
    }

    /// The value, or 0 if it is negative.
    pub(crate) fn at_least_zero(&self, value: IntValue<'ctx>) -> IntValue<'ctx> {
        self.at_least(value, self.types.i64.const_zero())
    }

    /// The greater one of two sizes.
    pub(crate) fn at_least(&self, value: IntValue<'ctx>, least: IntValue<'ctx>) -> IntValue<'ctx> {
        let i64 = self.types.i64.into();
        self.call_intrinsic("llvm.smax", &[i64], &[value.into(), least.into()]).into_int_value()
    }

    /// The number of elements of a shape.
    pub(crate) fn count(&self, shape: &[IntValue<'ctx>]) -> IntValue<'ctx> {
        shape.iter().copied().reduce(|a, b| self.product(a, b)).expect("arrays have a dimension")
    }

    /// Begins a loop from step `first` to `length`; the builder is then in its body.
    pub(crate) fn begin_loop(
        &self,
        first: IntValue<'ctx>,
        length: IntValue<'ctx>,
    ) -> CountedLoop<'ctx> {
        let (header, inside, exit) = (self.block("loop"), self.block("body"), self.block("done"));
        let before = self.current_block();
        self.jump(header);
        self.b.position_at_end(header);
        let phi = built(self.b.build_phi(self.types.i64, "i"));
        phi.add_incoming(&[(&first, before)]);
        let counter = phi.as_basic_value().into_int_value();
        let more = self.compare(IntPredicate::SLT, counter, length);
        self.branch(more, inside, exit);
        self.b.position_at_end(inside);
        CountedLoop { counter, phi, header, exit }
    }

    /// Ends the body of a loop; the builder is then behind the loop. Returns the branch back.
    pub(crate) fn end_loop(&self, counted: &CountedLoop<'ctx>) -> InstructionValue<'ctx> {
        self.end_loop_by(counted, self.size(1))
    }

    /// The same for a loop whose counter grows by more than one.
    pub(crate) fn end_loop_by(
        &self,
        counted: &CountedLoop<'ctx>,
        step: IntValue<'ctx>,
    ) -> InstructionValue<'ctx> {
        self.end_loop_at(counted, self.add_index(counted.counter, step))
    }

    /// The same for a loop whose next counter has been computed.
    pub(crate) fn end_loop_at(
        &self,
        counted: &CountedLoop<'ctx>,
        next: IntValue<'ctx>,
    ) -> InstructionValue<'ctx> {
        counted.phi.add_incoming(&[(&next, self.current_block())]);
        let back = built(self.b.build_unconditional_branch(counted.header));
        self.b.position_at_end(counted.exit);
        back
    }

    /// `a + b` of positions, which never overflows: memory ends before.
    pub(crate) fn add_index(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let sum = built(self.b.build_int_nuw_add(a, b, ""));
        never_wraps(sum);
        sum
    }

    /// `a * b` of positions, which never overflows: memory ends before.
    pub(crate) fn mul_index(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let product = built(self.b.build_int_nuw_mul(a, b, ""));
        never_wraps(product);
        product
    }
}

fn never_wraps(value: IntValue<'_>) {
    // A constant has been computed already.
    if let Some(instruction) = value.as_instruction() {
        instruction.set_no_signed_wrap_flag(true).expect("sums and products have the flag");
    }
}
