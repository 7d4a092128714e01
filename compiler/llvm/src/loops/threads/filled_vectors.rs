//! Vectors that the steps of a sliced pass append elements to, as [`arr_abi::layout::FilledVector`] describes them.
//!
//! A slice fills vectors that the runtime gives it: those of the pass if one thread makes all steps, or buffers of the
//! thread, whose elements the runtime moves behind those of the slices before.
//!
//! Invariant: a slice appends at most one element a step to each vector.
//!
//! ```text
//! ys has k elements   ⇒   filled = { { ys, 8, 0 } }; slices …; k = filled[0].count
//! ```

use arrc_loops::concrete::FilledVector;
use inkwell::types::StructType;
use inkwell::values::{IntValue, PointerValue};

use crate::code::FunctionBuilder;
use crate::loops::pass::Pass;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// The fields of [`arr_abi::layout::FilledVector`].
#[derive(Clone, Copy)]
enum FilledField {
    Data,
    Width,
    Count,
    First,
}

/// The vectors of a pass.
pub(in crate::loops) struct FilledVectors<'ctx> {
    all: Vec<FilledVector>,
    /// The type of one of them in memory.
    ty: StructType<'ctx>,
}

impl<'ctx> FilledVectors<'ctx> {
    pub(in crate::loops) fn new(
        code: &FunctionBuilder<'_, 'ctx, '_>,
        all: Vec<FilledVector>,
    ) -> Self {
        let types = code.types;
        let i64 = types.i64.into();
        let ty = code.unit.context.struct_type(&[types.ptr.into(), i64, i64, i64], false);
        Self { all, ty }
    }

    /// How many there are.
    pub(in crate::loops) fn count(&self) -> u64 {
        u64::try_from(self.all.len()).expect("there are few")
    }

    /// Describes the vectors of the pass, which have no elements yet; null if there are none.
    pub(in crate::loops) fn describe(&self, pass: &Pass<'_, '_, 'ctx, '_>) -> PointerValue<'ctx> {
        let code = &pass.body.code;
        if self.all.is_empty() {
            return code.types.ptr.const_null();
        }
        let count = u32::try_from(self.all.len()).expect("there are few");
        let filled = code.slot(self.ty.array_type(count).into(), "filled");
        for (at, vector) in self.all.iter().enumerate() {
            let array = pass.body.var(vector.vec).vector(vector.vec);
            let (elem, _) = pass.body.array_type(vector.vec);
            let mut width = code.size(elem.bytes().into());
            for &extent in &array.shape[1..] {
                width = code.product(width, extent);
            }
            code.store(self.place(code, filled, at, FilledField::Data), array.data);
            code.store(self.place(code, filled, at, FilledField::Width), width);
            for field in [FilledField::Count, FilledField::First] {
                code.store(self.place(code, filled, at, field), code.size(0));
            }
        }
        filled
    }

    /// In a slice: binds the vectors to those that the runtime gives, and makes the counters count their elements.
    pub(in crate::loops) fn begin(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, '_>,
        filled: PointerValue<'ctx>,
    ) {
        for (at, vector) in self.all.iter().enumerate() {
            let code = &pass.body.code;
            let data =
                code.load(code.types.ptr, self.place(code, filled, at, FilledField::Data), "data");
            let owner = code.types.ptr.const_null();
            let shape = pass.body.var(vector.vec).vector(vector.vec).shape.clone();
            let array = Array { data: data.into_pointer_value(), owner, shape };
            pass.body.bind_same(vector.vec, LoweredValue::Vector(array));
        }
        self.take_counts(pass, filled);
    }

    /// In a slice: the first step that the counters of guards count, if that is before the slice.
    pub(in crate::loops) fn first_step(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        filled: PointerValue<'ctx>,
    ) -> Option<IntValue<'ctx>> {
        let place =
            (!self.all.is_empty()).then(|| self.place(code, filled, 0, FilledField::First))?;
        Some(code.load(code.types.i64, place, "first").into_int_value())
    }

    /// Sets the counters to the numbers of elements in the vectors.
    pub(super) fn take_counts(&self, pass: &Pass<'_, '_, 'ctx, '_>, filled: PointerValue<'ctx>) {
        let code = &pass.body.code;
        for (at, vector) in self.all.iter().enumerate() {
            let place = self.place(code, filled, at, FilledField::Count);
            pass.set_acc(vector.counter, code.load(code.types.i64, place, "count"));
        }
    }

    /// In a slice: stores how many elements the vectors have.
    pub(super) fn give_counts(&self, pass: &Pass<'_, '_, 'ctx, '_>, filled: PointerValue<'ctx>) {
        let code = &pass.body.code;
        for (at, vector) in self.all.iter().enumerate() {
            code.store(self.place(code, filled, at, FilledField::Count), pass.acc(vector.counter));
        }
    }

    fn place(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        filled: PointerValue<'ctx>,
        at: usize,
        field: FilledField,
    ) -> PointerValue<'ctx> {
        let at = code.size(u64::try_from(at).expect("there are few"));
        let field = code.types.i32.const_int(field as u64, false);
        // SAFETY: there are as many vectors, and four fields.
        built(unsafe { code.b.build_in_bounds_gep(self.ty, filled, &[at, field], "") })
    }
}
