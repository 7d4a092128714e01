//! Checks: a condition that does not hold ends the function with a code.
//!
//! Invariant: after a check the builder is in the block in which the condition holds.
//!
//! ```text
//! code.check(ok, ErrorCode::Index, site, [i, n]):      br ok, next, fail
//!                                              fail: %code = call @arr_rt_fail(…)   ret %code
//!                                              next:
//! ```

use arr_abi::ErrorCode;
use arr_abi::function::RuntimeFn;
use arr_abi::layout::{CANCELLED, STACK_LIMIT};
use inkwell::values::{IntValue, PointerValue};
use inkwell::{AtomicOrdering, IntPredicate};

use super::{FunctionBuilder, OnFailure};
use crate::unit::built;
use crate::unit::types::rank;

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// Fails if a sum or product of sizes is the largest size: an array without data may have that number of rows.
    pub(crate) fn check_room(&self, size: IntValue<'ctx>, site: PointerValue<'ctx>) {
        let largest = self.size(i64::MAX.unsigned_abs());
        let ok = self.compare(IntPredicate::NE, size, largest);
        self.check(ok, ErrorCode::Size, site, [size, largest]);
    }

    /// Fails unless `ok`. The meaning of the numbers depends on the failure.
    pub(crate) fn check(
        &self,
        ok: IntValue<'ctx>,
        failure: ErrorCode,
        site: PointerValue<'ctx>,
        numbers: [IntValue<'ctx>; 2],
    ) {
        let (next, fail) = (self.block("ok"), self.block("fail"));
        self.branch(ok, next, fail);
        self.b.position_at_end(fail);
        let number = self.types.i32.const_int(u64::from(failure.number().cast_unsigned()), false);
        let [a, b] = numbers;
        let args = [self.context.into(), number.into(), site.into(), a.into(), b.into()];
        let code = self.call_runtime(RuntimeFn::Fail, &args).into_int_value();
        self.fail_with(code);
        self.b.position_at_end(next);
    }

    /// Fails if the call has been cancelled.
    pub(crate) fn check_cancelled(&self) {
        let limit = self.byte_offset(self.context, STACK_LIMIT);
        let limit = self.load_shared(self.types.i64, limit, AtomicOrdering::Monotonic);
        // The load is volatile, so that each iteration of a loop repeats it.
        let load = limit.as_instruction().expect("a load is an instruction");
        load.set_volatile(true).expect("a load can be volatile");
        let cancelled = self.types.i64.const_int(CANCELLED as u64, false);
        let ok = self.compare(IntPredicate::NE, limit, cancelled);
        let numbers = [self.size(0); 2];
        self.check(ok, ErrorCode::Cancelled, self.types.ptr.const_null(), numbers);
    }

    /// Fails unless `ok`. The site has the text of the message, with places for `values`.
    pub(crate) fn check_with(
        &self,
        ok: IntValue<'ctx>,
        failure: ErrorCode,
        site: PointerValue<'ctx>,
        values: &[IntValue<'ctx>],
    ) {
        let (next, fail) = (self.block("ok"), self.block("fail"));
        self.branch(ok, next, fail);
        self.b.position_at_end(fail);
        let ty = self.types.i64.array_type(rank(values));
        let memory = self.alloca(ty.into(), "values");
        for (place, &value) in (0..).zip(values) {
            let at = self.offset(self.types.i64.into(), memory, self.size(place));
            self.store(at, value);
        }
        let number = self.types.i32.const_int(u64::from(failure.number().cast_unsigned()), false);
        let args = [self.context.into(), number.into(), site.into(), memory.into()];
        let code = self.call_runtime(RuntimeFn::FailWith, &args).into_int_value();
        self.fail_with(code);
        self.b.position_at_end(next);
    }

    /// Fails with `code` unless it is 0. `site` describes the call that returned the code.
    pub(crate) fn check_code(&self, code: IntValue<'ctx>, site: Option<PointerValue<'ctx>>) {
        let (next, fail) = (self.block("ok"), self.block("fail"));
        let ok = self.compare(IntPredicate::EQ, code, self.types.i32.const_zero());
        self.branch(ok, next, fail);
        self.b.position_at_end(fail);
        let code = match site {
            None => code,
            Some(site) => {
                let args = [self.context.into(), code.into(), site.into()];
                self.call_runtime(RuntimeFn::Pass, &args).into_int_value()
            }
        };
        self.fail_with(code);
        self.b.position_at_end(next);
    }

    /// If `buffer` is null, fails with the error that the runtime has noted.
    pub(crate) fn check_buffer(&self, buffer: PointerValue<'ctx>) {
        let (next, fail) = (self.block("ok"), self.block("fail"));
        let absent = built(self.b.build_is_null(buffer, ""));
        self.branch(absent, fail, next);
        self.b.position_at_end(fail);
        let code = self.call_runtime(RuntimeFn::Code, &[self.context.into()]);
        self.fail_with(code.into_int_value());
        self.b.position_at_end(next);
    }

    pub(crate) fn fail_with(&self, code: IntValue<'ctx>) {
        let code = match self.on_failure {
            OnFailure::Return => code,
            OnFailure::Leave => {
                let args = [self.context.into(), code.into()];
                self.call_runtime(RuntimeFn::Leave, &args).into_int_value()
            }
        };
        built(self.b.build_return(Some(&code)));
    }
}
