//! The functions by which several threads change many bins: one lists the changes of some steps, the other one makes
//! listed changes.
//!
//! The runtime sorts the changes by parts of the bins in between, so that a thread makes those of one part at a time,
//! and its bins stay in the cache. Changes of a bin keep the order of the steps.
//!
//! ```text
//! for i < n { k = keys[i]; bins := bins with [k] = bins[k] + xs[i] }
//! ⇒ i32 @arr.f.list(ctx, frame, from, to, bins, changes)   for from <= i < to { places[c] = keys[i]; values[c] = xs[i]; c = c + 1 }
//!   i32 @arr.f.make(ctx, frame, bins, changes)             for i < c { bins[places[i]] += values[i] }
//! ```

use arrc_loops::concrete::ListedBins;
use arrc_syntax::prim::Scalar;
use inkwell::types::StructType;
use inkwell::values::{FunctionValue, PointerValue};

use super::{SliceSteps, SlicedPass, declare, lower_with_scopes, param};
use crate::code::FunctionBuilder;
use crate::emit;
use crate::function::function_body::Body;
use crate::function::function_body::Listing;
use crate::loops::pass::Pass;
use crate::loops::scalar::guards;
use crate::loops::scalar::unrolled_updates::TOGETHER;
use crate::scalar::BinaryOperation;
use crate::unit::built;

/// The fields of [`arr_abi::layout::Changes`].
#[derive(Clone, Copy)]
enum ChangesField {
    Places,
    Values,
    Count,
}

impl<'ctx, 'p> SlicedPass<'ctx, 'p> {
    /// The functions that list changes of bins and make them. `None` if the pass has no bins whose changes can be
    /// listed.
    pub(super) fn define_changes(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
    ) -> Option<[FunctionValue<'ctx>; 2]> {
        let listed = self.listed.as_ref()?;
        let list = self.define_list(pass, listed);
        Some([list, self.define_make(pass, listed)])
    }

    fn define_list(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
        listed: &ListedBins,
    ) -> FunctionValue<'ctx> {
        let types = pass.body.code.types;
        let params = [
            types.ptr.into(),
            types.ptr.into(),
            types.i64.into(),
            types.i64.into(),
            types.ptr.into(),
            types.ptr.into(),
        ];
        let llvm = declare(pass.body, "list", &params);
        let notes = pass.body.code.unit.notes.len();
        let (mut inner, shared) = self.begin(pass.body, llvm);
        inner.begin_scratch_of(&self.procedure.nest, &shared);
        let [from, to] = [2, 3].map(|at| param(llvm, at).into_int_value());
        let [bins, changes] = [4, 5].map(|at| param(llvm, at).into_pointer_value());
        let code = &inner.code;
        let [places, values] = [ChangesField::Places, ChangesField::Values].map(|field| {
            code.load(code.types.ptr, place(code, changes, field), "").into_pointer_value()
        });
        let count = code.alloca(code.types.i64.into(), "changes");
        let before = code.load(code.types.i64, place(code, changes, ChangesField::Count), "");
        code.store(count, before);
        let neutral = code.constant(listed.neutral);
        let arrays = listed.arrays.clone();
        inner.listing = Some(Listing { arrays, neutral, places, values, count });
        lower_with_scopes(&mut inner, self.procedure, |pass| {
            pass.allocate_accs();
            guards::counters(&self.procedure.nest)
                .into_iter()
                .for_each(|acc| pass.zero_counter(acc));
            self.binned.begin(pass, bins);
            pass.slice = Some(SliceSteps { from, to, first: from, is_strip: false });
            pass.outermost(&self.procedure.nest);
        });
        let code = &inner.code;
        let after = code.load(code.types.i64, count, "");
        code.store(place(code, changes, ChangesField::Count), after);
        inner.end_scratch();
        inner.return_results(&[], &[]);
        // The notes on the slices say how the pass runs.
        pass.body.code.unit.notes.truncate(notes);
        llvm
    }

    /// The function that makes changes. Passes with the same operation and type of bins share it.
    fn define_make(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
        listed: &ListedBins,
    ) -> FunctionValue<'ctx> {
        let (elem, op) = (pass.procedure.accs[listed.bins.acc].ty.scalars(), listed.bins.op);
        if let Some(&make) = pass.body.code.unit.makes.get(&(elem, op)) {
            return make;
        }
        let llvm = declare(pass.body, "make", &[pass.body.code.types.ptr.into(); 4]);
        let mut inner = Body::new(pass.body.code.unit, llvm, pass.body.function);
        let [bins, changes] = [2, 3].map(|at| param(llvm, at).into_pointer_value());
        let code = &inner.code;
        let data = self.binned.data(code, bins, 0);
        let [places, values] = [ChangesField::Places, ChangesField::Values].map(|field| {
            code.load(code.types.ptr, place(code, changes, field), "").into_pointer_value()
        });
        let count = code.load(code.types.i64, place(code, changes, ChangesField::Count), "");
        let counted = code.begin_loop(code.size(0), count.into_int_value());
        let number =
            code.load_scalar(Scalar::U32, code.element(Scalar::U32, places, counted.counter));
        let number = built(code.b.build_int_z_extend(number.into_int_value(), code.types.i64, ""));
        let bin = code.element(elem, data, number);
        let operand = code.element(elem, values, counted.counter);
        let args = [bin, operand].map(|at| code.load_scalar(elem, at));
        let span = inner.function.span;
        let value = inner.code.binary(BinaryOperation { op, ty: elem, args, span });
        let code = &inner.code;
        code.store(bin, code.in_memory(elem, value));
        let latch = code.end_loop(&counted);
        emit::loop_metadata::unroll(code.unit.context, latch, TOGETHER);
        inner.return_results(&[], &[]);
        pass.body.code.unit.makes.insert((elem, op), llvm);
        llvm
    }
}

fn place<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    changes: PointerValue<'ctx>,
    field: ChangesField,
) -> PointerValue<'ctx> {
    let fields = [code.types.ptr.into(), code.types.ptr.into(), code.types.i64.into()];
    let ty: StructType<'_> = code.unit.context.struct_type(&fields, false);
    built(code.b.build_struct_gep(ty, changes, field as u32, ""))
}
