//! Accumulators that the steps of a sliced pass read, as those of scans.
//!
//! A slice gets the carries, which are the accumulators before its first step, and stores the accumulators after its
//! last step. So that slices can run at the same time, another function computes only what the steps add.
//!
//! ```text
//! i32 @arr.f.slice(ctx, frame, from, to, totals, filled, carries)   s = -0; … s = s + x; y = carries.s + s; …; carries.s += s
//! i32 @arr.f.sum(ctx, frame, from, to, sums)                        s = -0; … s = s + x; sums.s = s
//! i32 @arr.f.carry(ctx, frame, carries, sums)                       carries.s = carries.s + sums.s
//! ```

use arrc_fusion::cnf::neutral;
use arrc_loops::concrete::Scan;
use arrc_syntax::ids::AccId;
use arrc_syntax::prim::Const;
use inkwell::types::StructType;
use inkwell::values::{BasicValueEnum, PointerValue};

use crate::code::FunctionBuilder;
use crate::loops::pass::Pass;
use crate::scalar::BinaryOperation;
use crate::unit::built;

/// The accumulators of a pass that its steps read.
pub(in crate::loops) struct CarriedScans<'ctx> {
    scans: Vec<Scan>,
    /// Their type in memory.
    ty: StructType<'ctx>,
}

impl<'ctx> CarriedScans<'ctx> {
    pub(in crate::loops) fn new(pass: &Pass<'_, '_, 'ctx, '_>, scans: Vec<Scan>) -> Self {
        let code = &pass.body.code;
        let fields: Vec<_> =
            scans.iter().map(|scan| code.types.memory(pass.acc_type(scan.acc))).collect();
        let ty = code.unit.context.struct_type(&fields, false);
        Self { scans, ty }
    }

    pub(in crate::loops) fn is_empty(&self) -> bool {
        self.scans.is_empty()
    }

    /// Whether the order of operations makes no difference to any of them.
    pub(in crate::loops) fn is_exact(&self) -> bool {
        self.scans.iter().all(|scan| scan.is_exact)
    }

    pub(in crate::loops) fn scans(&self) -> &[Scan] {
        &self.scans
    }

    pub(in crate::loops) fn ty(&self) -> StructType<'ctx> {
        self.ty
    }

    /// Puts the accumulators into memory as the first carries; null if there are none.
    pub(in crate::loops) fn describe(&self, pass: &Pass<'_, '_, 'ctx, '_>) -> PointerValue<'ctx> {
        let code = &pass.body.code;
        if self.is_empty() {
            return code.types.ptr.const_null();
        }
        let carries = code.slot(self.ty.into(), "carries");
        for scan in &self.scans {
            self.store(pass, carries, scan.acc, pass.acc(scan.acc));
        }
        carries
    }

    /// Sets the accumulators to the carries after the last step.
    pub(in crate::loops) fn take(
        &self,
        pass: &Pass<'_, '_, 'ctx, '_>,
        carries: PointerValue<'ctx>,
    ) {
        for scan in &self.scans {
            pass.set_acc(scan.acc, self.load(pass, carries, scan.acc));
        }
    }

    /// In a slice: the accumulators begin with the carries, or anew.
    pub(in crate::loops) fn begin(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, '_>,
        carries: PointerValue<'ctx>,
    ) {
        for scan in &self.scans {
            let carry = self.load(pass, carries, scan.acc);
            if scan.is_exact {
                pass.set_acc(scan.acc, carry);
            } else {
                begin_anew(pass, scan);
                pass.carries[scan.acc] = Some((scan.op, carry));
            }
        }
    }

    /// In a slice: stores the carries after the last step.
    pub(in crate::loops) fn end(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, '_>,
        carries: PointerValue<'ctx>,
    ) {
        for scan in &self.scans {
            let value = pass.seen(scan.acc, pass.acc(scan.acc));
            self.store(pass, carries, scan.acc, value);
        }
    }

    /// In the function that computes what steps add: begins with neutral sums.
    pub(super) fn begin_sums(&self, pass: &Pass<'_, '_, 'ctx, '_>) {
        self.scans.iter().for_each(|scan| begin_anew(pass, scan));
    }

    /// In that function: stores what the steps add.
    pub(super) fn end_sums(&self, pass: &Pass<'_, '_, 'ctx, '_>, sums: PointerValue<'ctx>) {
        for scan in &self.scans {
            self.store(pass, sums, scan.acc, pass.acc(scan.acc));
        }
    }

    /// Combines the carries with the sums of steps.
    pub(in crate::loops) fn join(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, '_>,
        [carries, sums]: [PointerValue<'ctx>; 2],
    ) {
        for &Scan { acc, op, .. } in &self.scans {
            let args = [carries, sums].map(|from| self.load(pass, from, acc));
            let (ty, span) = (pass.acc_type(acc), pass.body.function.span);
            let value = pass.body.code.binary(BinaryOperation { op, ty, args, span });
            self.store(pass, carries, acc, value);
        }
    }

    fn load(
        &self,
        pass: &Pass<'_, '_, 'ctx, '_>,
        from: PointerValue<'ctx>,
        acc: AccId,
    ) -> BasicValueEnum<'ctx> {
        let code = &pass.body.code;
        code.load_scalar(pass.acc_type(acc), self.place(code, from, acc))
    }

    fn store(
        &self,
        pass: &Pass<'_, '_, 'ctx, '_>,
        to: PointerValue<'ctx>,
        acc: AccId,
        value: BasicValueEnum<'ctx>,
    ) {
        let code = &pass.body.code;
        code.store(self.place(code, to, acc), code.in_memory(pass.acc_type(acc), value));
    }

    fn place(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        of: PointerValue<'ctx>,
        acc: AccId,
    ) -> PointerValue<'ctx> {
        let at = self.scans.iter().position(|scan| scan.acc == acc).expect("it is one of them");
        let at = u32::try_from(at).expect("there are few");
        built(code.b.build_struct_gep(self.ty, of, at, ""))
    }
}

/// The accumulator begins with the neutral element of its operation.
fn begin_anew(pass: &Pass<'_, '_, '_, '_>, scan: &Scan) {
    let init = pass.init(scan.acc).unwrap_or(Const::i64(0).into());
    let first = neutral(scan.op, pass.acc_type(scan.acc), init);
    let first = first.unwrap_or_else(|| panic!("{:?} joins, so it has a neutral element", scan.op));
    pass.set_acc(scan.acc, pass.body.scalar(first));
}
