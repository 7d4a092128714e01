//! Passes over arrays that may have strides: the elements of some steps at a time are gathered into a buffer (strip
//! mining).
//!
//! If all of the arrays are dense, there is one strip, and nothing is gathered. The loop has its code once: it reads
//! from an address that is that of the array, or so far before the buffer that the first element of the strip is at its
//! beginning.
//!
//! Invariant: the steps run in their order, so results do not depend on the strips. Which arrays these are says
//! `Program::gathered`.
//!
//! ```text
//! s := s + xs[i] for i < n
//! ⇒ for each strip from..to { dense ? x = xs : (gather xs[from..to] into b; x = b - from); s := s + x[i] for from <= i < to }
//! ```

use arr_abi::function::RuntimeFn;
use arrc_loops::concrete::{Loop, Stmt};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, PhiValue, PointerValue};

use crate::entry::is_dense;
use crate::loops::pass::{Pass, SliceSteps};
use crate::unit::built;
use crate::unit::types::rank;
use crate::value::{Array, LoweredValue};

/// The elements of a strip, if a step has one of them: they stay in the first-level cache. No benchmark shows it alone.
/// The sum of every other one of 10^7 numbers takes 6.4 ms, and took 8.2 with a copy (best of 7, AVX2, other work on
/// the machine).
const STRIP: u64 = 4096;
/// The fewest steps of a strip: some cache lines of each column of a matrix that lies in memory by columns, so that a
/// page is looked up once for several lines. No benchmark shows it alone. The sum by rows of 2000 by 2000 numbers in
/// Fortran's order takes 7.7 ms, and took 12 with a copy (best of 7, AVX2, other work on the machine).
const ROWS: u64 = 32;

/// An array that may have strides.
struct StridedInput<'ctx> {
    var: VarId,
    array: Array<'ctx>,
    /// The elements of a step.
    row: IntValue<'ctx>,
    is_dense: IntValue<'ctx>,
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// The arrays that may have strides and that the steps of a loop read.
    pub(in crate::loops) fn gathered(&self, nest: &'p Loop) -> Vec<VarId> {
        let strided = self.body.code.unit.gathered(self.body.function);
        let mut read = Vec::new();
        if strided.is_empty() {
            return read;
        }
        nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Next { array, .. } = stmt
                && strided.contains(array)
                && !read.contains(array)
            {
                read.push(*array);
            }
        });
        read
    }

    /// The loop of a pass, strip by strip.
    pub(in crate::loops) fn in_gathered_strips(&mut self, nest: &'p Loop, vars: &[VarId]) {
        let length = self.length(&nest.length);
        let around = self.slice;
        let zero = self.body.code.size(0);
        let [from, to] = around.map_or([zero, length], |slice| [slice.from, slice.to]);
        let inputs: Vec<_> = vars.iter().map(|&var| self.strided_input(var)).collect();
        let are_dense = inputs.iter().map(|input| input.is_dense);
        let code = &self.body.code;
        let are_dense = are_dense
            .reduce(|all, one| built(code.b.build_and(all, one, "")))
            .expect("there is an array");
        let whole = built(code.b.build_int_sub(to, from, ""));
        let (most, buffers) = self.buffers(&inputs, are_dense, whole);
        let code = &self.body.code;
        let [strip, gather, ready, next, done] =
            ["strip", "gather", "gathered", "strip.next", "strip.done"]
                .map(|name| code.block(name));
        let before = code.current_block();
        code.jump(strip);
        code.b.position_at_end(strip);
        let at = built(code.b.build_phi(code.types.i64, "strip.at"));
        let first = at.as_basic_value().into_int_value();
        let left = built(code.b.build_int_sub(to, first, ""));
        let is_last = code.compare(IntPredicate::SLE, left, most);
        let count = code.select(is_last, left.into(), most.into()).into_int_value();
        let end = code.add_index(first, count);
        code.branch(are_dense, ready, gather);
        code.b.position_at_end(gather);
        code.check_cancelled();
        let gathered: Vec<_> = inputs
            .iter()
            .zip(&buffers)
            .map(|(input, buffer)| self.gather(input, buffer.data, [first, count]))
            .collect();
        let code = &self.body.code;
        let from_gather = code.current_block();
        code.jump(ready);
        code.b.position_at_end(ready);
        let data: Vec<_> = inputs
            .iter()
            .zip(gathered)
            .map(|(input, buffer)| self.either([(input.array.data, strip), (buffer, from_gather)]))
            .collect();
        for (input, data) in inputs.iter().zip(data) {
            let owner = self.body.code.types.ptr.const_null();
            let shape = input.array.shape.clone();
            self.body.bind_same(input.var, LoweredValue::Array(Array { data, owner, shape }));
        }
        let sizes = self.body.sizes.clone();
        let of_all = around.map_or(zero, |slice| slice.first);
        self.slice =
            Some(SliceSteps { from: first, to: end, first: of_all, is_strip: around.is_none() });
        self.in_order(nest);
        self.slice = around;
        self.body.sizes = sizes;
        let code = &self.body.code;
        code.branch(is_last, done, next);
        code.b.position_at_end(next);
        code.jump(strip);
        at.add_incoming(&[(&from, before), (&end, next)]);
        code.b.position_at_end(done);
        for (input, buffer) in inputs.into_iter().zip(&buffers) {
            self.body.code.release(buffer);
            self.body.bind_same(input.var, LoweredValue::Array(input.array));
        }
    }

    fn strided_input(&self, var: VarId) -> StridedInput<'ctx> {
        let array = self.body.array(var);
        let code = &self.body.code;
        let row =
            array.shape[1..].iter().fold(code.size(1), |row, &extent| code.product(row, extent));
        let is_dense = is_dense(code, &array.shape, &self.body.strides(var));
        StridedInput { var, array, row, is_dense }
    }

    /// The number of steps of a strip, and a buffer for each array. Dense arrays need none, and one strip has all
    /// steps.
    fn buffers(
        &mut self,
        inputs: &[StridedInput<'ctx>],
        are_dense: IntValue<'ctx>,
        whole: IntValue<'ctx>,
    ) -> (IntValue<'ctx>, Vec<Array<'ctx>>) {
        let code = &self.body.code;
        let [strided, next] = ["strided", "strips"].map(|name| code.block(name));
        let before = code.current_block();
        code.branch(are_dense, next, strided);
        code.b.position_at_end(strided);
        let row = inputs.iter().fold(code.size(1), |row, input| code.at_least(input.row, row));
        let steps = built(code.b.build_int_unsigned_div(code.size(STRIP), row, ""));
        let steps = code.at_least(steps, code.size(ROWS));
        let is_short = code.compare(IntPredicate::SLT, whole, steps);
        let steps = code.select(is_short, whole.into(), steps.into()).into_int_value();
        let mut made = Vec::new();
        for input in inputs {
            let (elem, _) = self.body.array_type(input.var);
            let name = self.body.function.tables.vars[input.var].name.clone();
            let site = self.body.code.unit.site(self.body.function.span, &name);
            let mut shape = input.array.shape.clone();
            shape[0] = steps;
            made.push(self.body.code.allocate(elem, shape, site));
        }
        let code = &self.body.code;
        let from_strided = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let most = built(code.b.build_phi(code.types.i64, "strip.most"));
        most.add_incoming(&[(&whole, before), (&steps, from_strided)]);
        let null = code.types.ptr.const_null();
        let buffers = made.into_iter().map(|Array { data, owner, shape }| {
            let [data, owner] =
                [data, owner].map(|made| self.either([(null, before), (made, from_strided)]));
            Array { data, owner, shape }
        });
        (most.as_basic_value().into_int_value(), buffers.collect())
    }

    /// Gathers the elements of some steps, and returns the address where the array would begin.
    fn gather(
        &self,
        input: &StridedInput<'ctx>,
        buffer: PointerValue<'ctx>,
        [first, count]: [IntValue<'ctx>; 2],
    ) -> PointerValue<'ctx> {
        let StridedInput { var, array, row, .. } = input;
        let code = &self.body.code;
        let (elem, _) = self.body.array_type(*var);
        let dims = rank(&array.shape);
        // The strides lie behind the shape.
        let before = code.size((-i64::from(dims)).cast_unsigned());
        let shape = code.element(Scalar::I64, array.owner, before);
        let sizes = [code.size(u64::from(dims)), code.size(u64::from(elem.bytes())), first, count];
        let [dims, bytes, first_step, steps] = sizes.map(Into::into);
        let args = [
            array.data.into(),
            shape.into(),
            array.owner.into(),
            dims,
            bytes,
            first_step,
            steps,
            buffer.into(),
        ];
        code.run_runtime(RuntimeFn::Gather, &args);
        let before = built(code.b.build_int_neg(code.mul_index(first, *row), ""));
        code.outside(elem, buffer, before)
    }

    fn either(&self, from: [(PointerValue<'ctx>, BasicBlock<'ctx>); 2]) -> PointerValue<'ctx> {
        let code = &self.body.code;
        let phi: PhiValue<'ctx> = built(code.b.build_phi(code.types.ptr, ""));
        for (value, block) in &from {
            phi.add_incoming(&[(value, *block)]);
        }
        phi.as_basic_value().into_pointer_value()
    }
}
