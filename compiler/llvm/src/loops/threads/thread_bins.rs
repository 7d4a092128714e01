//! Arrays whose elements the steps of a sliced pass change by exact operations, as [`arr_abi::layout::Bins`]
//! describes them.
//!
//! A slice is given the arrays that it changes: those of the pass if one thread makes all steps, or arrays of the
//! thread's own. The runtime joins these at the end, in any order.
//!
//! ```text
//! bins := bins with [k] = bins[k] + x
//! ⇒ i32 @arr.f.slice(ctx, frame, from, to, totals, bins, …)   bins[0].data[k] += x; …
//!   i32 @arr.f.first(ctx, frame, bins, all)                   bins[0].data[…] = 0
//!   i32 @arr.f.merge(ctx, frame, bins, others)                bins[0].data[…] += others[0].data[…]
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::Bins;
use arrc_syntax::prim::Scalar;
use inkwell::types::StructType;
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};

use super::slice_functions::{declare, param};
use crate::code::FunctionBuilder;
use crate::function::function_body::Body;
use crate::loops::pass::Pass;
use crate::scalar::BinaryOperation;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// The fields of [`arr_abi::layout::Bins`].
#[derive(Clone, Copy)]
enum BinsField {
    Data,
    Width,
    Count,
}

/// The arrays of a pass whose elements its steps change.
pub(in crate::loops) struct BinArrays<'ctx> {
    /// The arrays, each with the type of its elements.
    all: Vec<(Bins, Scalar)>,
    /// The type of [`arr_abi::layout::Bins`], which describes one of them.
    ty: StructType<'ctx>,
}

impl<'ctx> BinArrays<'ctx> {
    pub(in crate::loops) fn new(pass: &Pass<'_, '_, 'ctx, '_>, all: Vec<Bins>) -> Self {
        let code = &pass.body.code;
        let i64 = code.types.i64.into();
        let ty = code.unit.context.struct_type(&[code.types.ptr.into(), i64, i64], false);
        let elem = |bins: &Bins| pass.procedure.accs[bins.acc].ty.scalars();
        let all = all.into_iter().map(|bins| (bins, elem(&bins))).collect();
        Self { all, ty }
    }

    /// The number of these arrays.
    pub(in crate::loops) fn count(&self) -> u64 {
        u64::try_from(self.all.len()).expect("there are few")
    }

    /// Stores the descriptions of the arrays of the pass, and returns their address. It is null if there are no
    /// arrays.
    pub(in crate::loops) fn describe(&self, pass: &Pass<'_, '_, 'ctx, '_>) -> PointerValue<'ctx> {
        let code = &pass.body.code;
        if self.all.is_empty() {
            return code.types.ptr.const_null();
        }
        let count = u32::try_from(self.all.len()).expect("there are few");
        let places = code.slot(self.ty.array_type(count).into(), "bins");
        for (at, (bins, elem)) in self.all.iter().enumerate() {
            let LoweredValue::Array(array) = pass.acc_value(bins.acc) else {
                panic!("{} is an array", bins.acc)
            };
            let (width, count) = (code.size(elem.bytes().into()), code.count(&array.shape));
            code.store(self.place(code, places, at, BinsField::Data), array.data);
            code.store(self.place(code, places, at, BinsField::Width), width);
            code.store(self.place(code, places, at, BinsField::Count), count);
        }
        places
    }

    /// At the start of a slice, binds the accumulators to the arrays that the runtime gives. These arrays have no
    /// owner.
    pub(in crate::loops) fn begin(
        &self,
        pass: &Pass<'_, '_, 'ctx, '_>,
        places: PointerValue<'ctx>,
    ) {
        for (at, (bins, _)) in self.all.iter().enumerate() {
            let Some(Atom::Var(init)) = pass.init(bins.acc) else {
                panic!("{} begins as an array", bins.acc)
            };
            let code = &pass.body.code;
            let data = self.data(code, places, at);
            let shape = pass.body.array(init).shape;
            let array = Array { data, owner: code.types.ptr.const_null(), shape };
            pass.fill_acc(bins.acc, &LoweredValue::Array(array));
        }
    }

    /// The function that initialises the elements of a thread's arrays, and the function that combines the elements
    /// of some arrays with those of others. `None` if there are no arrays. Passes with the same operations and types
    /// of elements share these functions.
    pub(in crate::loops) fn define<'p>(
        &self,
        body: &mut Body<'_, 'ctx, 'p>,
    ) -> Option<[FunctionValue<'ctx>; 2]> {
        if self.all.is_empty() {
            return None;
        }
        let key: Vec<_> = self.all.iter().map(|(bins, elem)| (*elem, bins.op)).collect();
        if let Some(&defined) = body.code.unit.bins.get(&key) {
            return Some(defined);
        }
        let first = self.define_loops(body, "first", |body, bins, elem, [_, of_pass]| {
            match bins.neutral(elem) {
                Some(neutral) => body.code.constant(neutral),
                None => body.code.load_scalar(elem, of_pass),
            }
        });
        let span = body.function.span;
        let merge = self.define_loops(body, "merge", |body, bins, elem, places| {
            let args = places.map(|place| body.code.load_scalar(elem, place));
            body.code.binary(BinaryOperation { op: bins.op, ty: elem, args, span })
        });
        body.code.unit.bins.insert(key, [first, merge]);
        Some([first, merge])
    }

    /// A function of two lists of arrays. It gives each element of the first arrays a new value, which may depend on
    /// the old value and on the element of the second arrays at the same position.
    fn define_loops<'p>(
        &self,
        body: &mut Body<'_, 'ctx, 'p>,
        what: &str,
        value: impl Fn(
            &mut Body<'_, 'ctx, 'p>,
            Bins,
            Scalar,
            [PointerValue<'ctx>; 2],
        ) -> BasicValueEnum<'ctx>,
    ) -> FunctionValue<'ctx> {
        let ptr = body.code.types.ptr.into();
        let llvm = declare(body, what, &[ptr; 4]);
        let mut inner = Body::new(body.code.unit, llvm, body.function);
        let both = [2, 3].map(|at| param(llvm, at).into_pointer_value());
        for (at, &(bins, elem)) in self.all.iter().enumerate() {
            let code = &inner.code;
            let arrays = both.map(|places| self.data(code, places, at));
            let counted = code.begin_loop(code.size(0), self.elements(code, both[0], at));
            let places = arrays.map(|data| code.element(elem, data, counted.counter));
            let value = value(&mut inner, bins, elem, places);
            let code = &inner.code;
            code.store(places[0], code.in_memory(elem, value));
            code.end_loop(&counted);
        }
        inner.return_results(&[], &[]);
        llvm
    }

    /// The first element of one of the arrays.
    pub(in crate::loops) fn data(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        places: PointerValue<'ctx>,
        at: usize,
    ) -> PointerValue<'ctx> {
        let data = code.load(code.types.ptr, self.place(code, places, at, BinsField::Data), "data");
        data.into_pointer_value()
    }

    fn elements(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        places: PointerValue<'ctx>,
        at: usize,
    ) -> IntValue<'ctx> {
        let place = self.place(code, places, at, BinsField::Count);
        code.load(code.types.i64, place, "count").into_int_value()
    }

    fn place(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        places: PointerValue<'ctx>,
        at: usize,
        field: BinsField,
    ) -> PointerValue<'ctx> {
        let at = code.size(u64::try_from(at).expect("there are few"));
        let field = code.types.i32.const_int(field as u64, false);
        // SAFETY: `at` is below the number of arrays, and a description has three fields.
        built(unsafe { code.b.build_in_bounds_gep(self.ty, places, &[at, field], "") })
    }
}
