//! Blocks: one step after the other.
//!
//! Invariant: after a step, the variables that it binds are values that dominate what follows.

use arrc_fusion::cnf::{Assertion, Atom, Callee, Operation};
use arrc_loops::concrete::{Block, Memory, ReplacedPart, Step};
use arrc_syntax::check::Piece;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::Span;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, IntValue};

use super::function_body::Body;
use super::record_fields::HandedValue;
use crate::function::switch::ComparisonTree;
use crate::loops::lower_pass;
use crate::loops::scalar::signed_zeros::Zero;
use crate::scalar::BinaryOperation;
use crate::scalar::fast_math::{contract, reassociate};
use crate::unit::built;
use crate::value::{Array, LoweredValue};

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Lowers a block, and returns its results.
    pub(crate) fn block(&mut self, block: &'p Block) -> Vec<LoweredValue<'ctx>> {
        let results = self.block_held(block);
        results.into_iter().map(|result| result.value(&self.code)).collect()
    }

    /// The same, where results may stay in records.
    pub(crate) fn block_held(&mut self, block: &'p Block) -> Vec<HandedValue<'ctx>> {
        if let Some(search) = ComparisonTree::of(block) {
            return self.switch(&search);
        }
        self.note_literals(block);
        self.steps(block);
        block.results.iter().map(|&result| self.held(result)).collect()
    }

    pub(crate) fn step(&mut self, step: &'p Step) {
        if self.is_in_run(step) {
            return;
        }
        step.span().iter().for_each(|span| self.code.at(*span));
        let read = self.read_fields(Self::in_registers(step));
        self.lower_step(step);
        self.forget_fields(read);
    }

    fn lower_step(&mut self, step: &'p Step) {
        match step {
            Step::Scalar { var, op: Operation::Un(op, arg), .. } => {
                let value = self.code.unary(*op, self.scalar_type(*arg), self.scalar(*arg));
                self.bind(*var, LoweredValue::Scalar(value));
            }
            Step::Scalar { var, op: Operation::Bin(..), .. } if self.never[*var] => {
                let no = self.code.types.i1.const_zero();
                self.bind(*var, LoweredValue::Scalar(no.into()));
            }
            Step::Scalar { var, op: Operation::Bin(op, args), span } => {
                let value = self.binary(*op, *args, *span);
                self.bind(*var, LoweredValue::Scalar(value));
            }
            Step::Scalar { var, op: Operation::MulAdd(rounding, args), .. } => {
                let args = args.map(|arg| self.scalar(arg));
                self.bind(*var, LoweredValue::Scalar(self.code.mul_add(*rounding, args)));
            }
            Step::Index { var, array, indices, inside, span } if self.lists(*array) => {
                let value = self.listed_element(*array, indices, (!inside).then_some(*span));
                self.bind(*var, value);
            }
            Step::Index { var, array, indices, inside: true, .. }
            | Step::Row { var, array, indices, inside: true, .. } => {
                let value = self.index_inside(*array, indices);
                self.bind(*var, value);
            }
            Step::Index { var, array, indices, inside: false, span }
            | Step::Row { var, array, indices, inside: false, span } => {
                let value = self.index(*array, indices, *span);
                self.bind(*var, value);
            }
            Step::Slice { var, array, indices, count } => {
                let value = self.slice(*array, indices, *count);
                self.bind(*var, value);
            }
            Step::Length { var, array, dim } => {
                let extent = self.array(*array).shape[*dim];
                // `bind` would rename the size for all its uses.
                self.bind_same(*var, LoweredValue::Scalar(extent.into()));
            }
            Step::Assert { check, span } => self.assert(check, *span),
            Step::If { vars, cond, takes: _, then, otherwise } => {
                let results = self.choose(*cond, then, otherwise);
                for (&var, result) in vars.iter().zip(results) {
                    self.bind_held(var, result);
                }
            }
            Step::Call { forks: _, vars, callee, args, span } => {
                let results = self.call(*callee, args, *span);
                for (&var, result) in vars.iter().zip(results) {
                    self.bind_held(var, result);
                }
            }
            Step::Append { var, extends: Some(array), parts, placed: true, cut, .. } => {
                self.join(*var, *array, parts[0]);
                self.shrink_if(*cut, *var);
            }
            Step::Append { var, extends, parts, room, cut, memory, span, .. } => {
                self.append(*var, *extends, (parts, room, *cut), memory, *span);
                self.shrink_if(*cut && room.is_empty(), *var);
            }
            Step::Array { var, .. } if self.literals[*var].is_some() => {}
            Step::Release { array } if self.literals[*array].is_some() => {}
            Step::Array { var, elem, elems, memory, span } => {
                self.array_literal(*var, (*elem, elems), memory, *span);
            }
            Step::Sort { var, sorting, array, window, memory, span } => {
                let sorted = self.sort(*var, (*sorting, *array, *window), memory, *span);
                self.bind(*var, LoweredValue::Array(sorted));
            }
            Step::Constant { var, data } => self.constant_array(*var, data),
            Step::Reshape { var, array, shape } => {
                let Array { data, owner, .. } = self.array(*array);
                let shape = shape.iter().map(|&extent| self.int(extent)).collect();
                self.bind(*var, LoweredValue::Array(Array { data, owner, shape }));
            }
            Step::Loop { .. } | Step::Pass(_) if self.scratch.is_none() => {
                self.with_scratch(step);
            }
            Step::Loop { vars, form, init, worker, .. } => {
                let init: Vec<_> = init.iter().map(|&init| self.atom(init)).collect();
                for (&var, result) in vars.iter().zip(self.repeat_or_copy(form, &init, worker)) {
                    self.bind(var, result);
                }
            }
            Step::Replace { var, array, indices, target, value, placed, span } => {
                let checked = (*target == ReplacedPart::Checked).then_some(*span);
                if self.lists(*array) {
                    self.list_change(*array, indices, *value, checked);
                } else if !placed {
                    self.replace(*array, indices, *value, checked);
                }
                self.bind(*var, LoweredValue::Array(self.array(*array)));
            }
            Step::Copy { var, array, memory, span } => {
                let copy = self.copy_into(*var, *array, memory, *span);
                self.bind(*var, LoweredValue::Array(copy));
            }
            Step::Unique { var, array, span } => {
                let unique = self.unique(*var, *array, *span);
                self.bind(*var, LoweredValue::Array(unique));
            }
            Step::Share { var, array } => {
                let shared = self.array(*array);
                self.code.retain(&shared);
                self.bind(*var, LoweredValue::Array(shared));
            }
            Step::Release { array } => self.code.release(self.var(*array).array(*array)),
            Step::Pass(procedure) => lower_pass(self, procedure),
        }
    }

    fn call(&mut self, callee: Callee, args: &[Atom], span: Span) -> Vec<HandedValue<'ctx>> {
        let args = args.iter().map(|&arg| self.held(arg));
        match callee {
            Callee::Function(function) => {
                let args = args.collect();
                let site = self.code.unit.call_site(span, function);
                self.code.call_function(function, args, site)
            }
            Callee::External(external) => {
                let args: Vec<_> = args.map(|arg| arg.value(&self.code)).collect();
                let results = self.code.call_external(external, &args, span);
                results.into_iter().map(HandedValue::Value).collect()
            }
        }
    }

    /// A copy of an array in that memory.
    fn copy_into(
        &mut self,
        var: VarId,
        array: VarId,
        memory: &'p Memory,
        span: Span,
    ) -> Array<'ctx> {
        let name = self.function.tables.vars[array].name.clone();
        let site = self.code.unit.site(span, &name);
        let (elem, _) = self.array_type(var);
        let from = self.array(array);
        self.copy_or_replace(var, array, || {
            let copy = self.memory_of(var, memory, (elem, from.shape.clone()), site);
            self.code.copy_array(elem, &from, copy.data);
            copy
        })
    }

    /// The operand that is an accumulator which begins as a number, and the zeros that it can be.
    fn extreme_of(&self, args: [Atom; 2]) -> Option<(usize, Zero)> {
        args.into_iter().enumerate().find_map(|(at, arg)| match arg {
            Atom::Var(var) => self.extremes[var].map(|zero| (at, zero)),
            Atom::Const(_) => None,
        })
    }

    fn binary(&mut self, op: BinOp, args: [Atom; 2], span: Span) -> BasicValueEnum<'ctx> {
        let ty = self.scalar_type(args[0]);
        let values = args.map(|arg| self.scalar(arg));
        let is_extreme = ty.is_float() && matches!(op, BinOp::Min | BinOp::Max);
        let value = match self.extreme_of(args).filter(|_| is_extreme) {
            Some((number, Zero::Positive)) => {
                self.code.nearer(op, [values[number], values[1 - number]])
            }
            Some((_, Zero::EitherSign)) => self.code.extreme_number(op, values),
            None => self.code.binary(BinaryOperation { op, ty, args: values, span }),
        };
        if ty.is_float()
            && matches!(op, BinOp::Add | BinOp::Mul)
            && args.iter().any(|&arg| self.is_free(arg))
        {
            reassociate(value, args.iter().any(|&arg| self.contracts(arg)));
        } else if ty.is_float() && self.may_contract(op, args) {
            contract(value);
        }
        value
    }

    /// Fails unless the condition holds.
    fn assert(&mut self, Assertion { cond, failure }: &Assertion, span: Span) {
        let text: String = failure.message.iter().map(|piece| self.template(piece)).collect();
        let site = self.code.unit.site(span, &text);
        let values = Piece::values(&failure.message).map(|&value| self.bits(value));
        let values: Vec<_> = values.collect();
        self.code.check_with(self.int(*cond), failure.code, site, &values);
    }

    /// A part of a message in the runtime's format. A value is a byte that says how to show it.
    fn template(&self, piece: &Piece<Atom>) -> String {
        let kind = match piece {
            Piece::Text(text) => return text.clone(),
            Piece::Value(value) => match self.scalar_type(*value) {
                Scalar::Bool => 3,
                Scalar::F64 => 4,
                Scalar::F32 => 5,
                Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => 1,
                Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => 2,
            },
        };
        char::from(kind).into()
    }

    /// A scalar in the form that the runtime takes.
    fn bits(&self, atom: Atom) -> IntValue<'ctx> {
        let (b, types) = (&self.code.b, &self.code.types);
        let value = match self.scalar_type(atom) {
            Scalar::F32 => built(b.build_bit_cast(self.scalar(atom), types.i32, "")),
            Scalar::F64 => built(b.build_bit_cast(self.scalar(atom), types.i64, "")),
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64 => self.scalar(atom),
        };
        let value = value.into_int_value();
        if self.scalar_type(atom).is_signed() {
            built(b.build_int_s_extend(value, types.i64, ""))
        } else {
            built(b.build_int_z_extend(value, types.i64, ""))
        }
    }

    /// Whether an atom is an accumulator that may be combined in any order.
    fn is_free(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(_) => false,
            Atom::Var(var) => self.free_order[var],
        }
    }

    /// Whether an operation is a product, or adds to one that need not be rounded by itself.
    pub(crate) fn may_contract(&self, op: BinOp, args: [Atom; 2]) -> bool {
        let is_sum = matches!(op, BinOp::Add | BinOp::Sub);
        op == BinOp::Mul || is_sum && args.iter().any(|&arg| self.contracts(arg))
    }

    /// Whether an atom is a product that is not rounded by itself, or an accumulator to which such products are added.
    fn contracts(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(_) => false,
            Atom::Var(var) => self.contracts[var],
        }
    }

    fn choose(
        &mut self,
        cond: Atom,
        then: &'p Block,
        otherwise: &'p Block,
    ) -> Vec<HandedValue<'ctx>> {
        let [yes, no] = ["then", "else"].map(|name| self.code.block(name));
        self.code.branch(self.int(cond), yes, no);
        self.joined(&[(yes, then), (no, otherwise)])
    }

    /// A value that comes from either of two blocks.
    pub(crate) fn merge(
        &self,
        incoming: [(LoweredValue<'ctx>, BasicBlock<'ctx>); 2],
    ) -> LoweredValue<'ctx> {
        let [(a, from_a), (b, from_b)] = incoming;
        match (a, b) {
            (LoweredValue::Scalar(a), LoweredValue::Scalar(b)) => {
                LoweredValue::Scalar(self.code.phi_of([(a, from_a), (b, from_b)]))
            }
            (LoweredValue::Array(a), LoweredValue::Array(b)) => {
                LoweredValue::Array(self.code.merge_arrays([(&a, from_a), (&b, from_b)]))
            }
            (LoweredValue::Scalar(_) | LoweredValue::Array(_) | LoweredValue::Vector(_), _) => {
                panic!("branches yield values of the same types")
            }
        }
    }
}
