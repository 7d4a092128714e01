//! Passes over arrays that may have strides: the elements of some steps at a time are gathered into a buffer (strip
//! mining).
//!
//! If all of the arrays are dense, there is one strip, and nothing is gathered. Nor is anything if the elements of the
//! outermost dimension are dense and long, as the rows of a window of a matrix: each strip is one of them, read where it
//! lies. The loop has its code once: it reads from an address that is that of the array, or so far before the buffer, or the
//! row, that the first element of the strip is at its beginning.
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

/// The fewest elements of a row that is a strip of its own. Rows of 1,000 numbers, 24 apart, were summed in 1.0 to 1.1 of the
/// time of clang, and in 3.0 when they were gathered. No benchmark shows it alone.
const LONG_ROW: u64 = 64;

/// An array that may have strides.
struct StridedInput<'ctx> {
    var: VarId,
    array: Array<'ctx>,
    /// The elements of a step.
    row: IntValue<'ctx>,
    /// The distance between the elements of two steps.
    apart: IntValue<'ctx>,
    is_dense: IntValue<'ctx>,
    /// Whether it is dense, or the elements of a step are, and are many.
    has_rows: IntValue<'ctx>,
}

/// How the elements of a pass are read.
struct Reading<'ctx> {
    /// All arrays are dense.
    are_dense: IntValue<'ctx>,
    /// All arrays are dense or have long dense rows.
    have_rows: IntValue<'ctx>,
    /// The steps of a strip.
    most: IntValue<'ctx>,
    /// A buffer for each array.
    buffers: Vec<Array<'ctx>>,
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
        let whole = built(self.body.code.b.build_int_sub(to, from, ""));
        let Reading { are_dense, have_rows, most, buffers } = self.reading(&inputs, whole);
        let code = &self.body.code;
        let [strip, strided, row, gather, ready, next, done] =
            ["strip", "strip.strided", "row", "gather", "gathered", "strip.next", "strip.done"]
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
        code.branch(are_dense, ready, strided);
        code.b.position_at_end(strided);
        code.check_cancelled();
        code.branch(have_rows, row, gather);
        code.b.position_at_end(row);
        let rows: Vec<_> = inputs.iter().map(|input| self.row_in_place(input, first)).collect();
        code.jump(ready);
        code.b.position_at_end(gather);
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
            .zip(rows.into_iter().zip(gathered))
            .map(|(input, (in_place, buffer))| {
                self.merged(&[(input.array.data, strip), (in_place, row), (buffer, from_gather)])
            })
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
        let strides = self.body.strides(var);
        let [is_dense, are_rows] =
            [0, 1].map(|from| is_dense(code, &array.shape[from..], &strides[from..]));
        let is_long = code.compare(IntPredicate::SGE, row, code.size(LONG_ROW));
        let has_rows = built(code.b.build_and(are_rows, is_long, ""));
        let has_rows = built(code.b.build_or(is_dense, has_rows, ""));
        StridedInput { var, array, row, apart: strides[0], is_dense, has_rows }
    }

    /// How a pass reads its arrays. If all are dense, one strip has all steps, and if all have long rows, it has one.
    fn reading(&mut self, inputs: &[StridedInput<'ctx>], whole: IntValue<'ctx>) -> Reading<'ctx> {
        let code = &self.body.code;
        let [are_dense, have_rows] = [
            inputs.iter().map(|input| input.is_dense).collect::<Vec<_>>(),
            inputs.iter().map(|input| input.has_rows).collect(),
        ]
        .map(|flags| {
            let all = flags.into_iter().reduce(|all, one| built(code.b.build_and(all, one, "")));
            all.expect("there is an array")
        });
        let [strided, buffered, next] =
            ["strided", "buffered", "strips"].map(|name| code.block(name));
        let before = code.current_block();
        code.branch(are_dense, next, strided);
        code.b.position_at_end(strided);
        code.branch(have_rows, next, buffered);
        code.b.position_at_end(buffered);
        let (steps, made) = self.strip_buffers(inputs, whole);
        let code = &self.body.code;
        let from_buffered = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let most = built(code.b.build_phi(code.types.i64, "strip.most"));
        most.add_incoming(&[(&whole, before), (&code.size(1), strided), (&steps, from_buffered)]);
        let most = most.as_basic_value().into_int_value();
        let null = code.types.ptr.const_null();
        let buffers = made.into_iter().map(|Array { data, owner, shape }| {
            let [data, owner] = [data, owner]
                .map(|made| self.merged(&[(null, before), (null, strided), (made, from_buffered)]));
            Array { data, owner, shape }
        });
        Reading { are_dense, have_rows, most, buffers: buffers.collect() }
    }

    /// The number of steps whose elements are gathered together, and a buffer for each array.
    fn strip_buffers(
        &mut self,
        inputs: &[StridedInput<'ctx>],
        whole: IntValue<'ctx>,
    ) -> (IntValue<'ctx>, Vec<Array<'ctx>>) {
        let code = &self.body.code;
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
        (steps, made)
    }

    /// The address where the array would begin, if the row of a step is read where it lies.
    fn row_in_place(&self, input: &StridedInput<'ctx>, step: IntValue<'ctx>) -> PointerValue<'ctx> {
        let code = &self.body.code;
        let (elem, _) = self.body.array_type(input.var);
        let more = built(code.b.build_int_sub(input.apart, input.row, ""));
        let more = built(code.b.build_int_mul(step, more, ""));
        // The stride of a single row is not used.
        let more = code.select(input.is_dense, code.size(0).into(), more.into()).into_int_value();
        code.outside(elem, input.array.data, more)
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

    /// The pointer that comes from one of several blocks.
    fn merged(&self, from: &[(PointerValue<'ctx>, BasicBlock<'ctx>)]) -> PointerValue<'ctx> {
        let code = &self.body.code;
        let phi: PhiValue<'ctx> = built(code.b.build_phi(code.types.ptr, ""));
        for (value, block) in from {
            phi.add_incoming(&[(value, *block)]);
        }
        phi.as_basic_value().into_pointer_value()
    }
}
