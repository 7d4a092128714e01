//! Powers of integers, by repeated squaring.
//!
//! Invariant: one helper a width; signed and unsigned share it, since products wrap the same and the
//! exponent is not negative.
//!
//! ```text
//! pow b e = loop (b, e, r = 1) while e != 0 do (b * b, e >> 1, if odd e then r * b else r)
//! ```

use arrc_syntax::prim::Scalar;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::IntType;
use inkwell::values::{FunctionValue, InstructionOpcode, IntValue};

use crate::code::FunctionBuilder;
use crate::unit::{FASTCC, Unit, built};

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// `base ** exponent`, after the exponent was checked not to be negative.
    pub(super) fn int_pow(
        &self,
        ty: Scalar,
        [base, exponent]: [IntValue<'ctx>; 2],
    ) -> IntValue<'ctx> {
        let helper = helper(self.unit, self.types.int(ty));
        let call = built(self.b.build_call(helper, &[base.into(), exponent.into()], ""));
        call.set_call_convention(FASTCC);
        call.try_as_basic_value().expect_basic("a power is a value").into_int_value()
    }
}

fn helper<'ctx>(unit: &Unit<'ctx, '_>, ty: IntType<'ctx>) -> FunctionValue<'ctx> {
    let name = format!("arr.pow.i{}", ty.get_bit_width());
    if let Some(known) = unit.module.get_function(&name) {
        return known;
    }
    let signature = ty.fn_type(&[ty.into(), ty.into()], false);
    let function = unit.module.add_function(&name, signature, Some(Linkage::Internal));
    function.set_call_conventions(FASTCC);
    unit.describe(function);
    for (attribute, value) in [("willreturn", 0), ("memory", 0)] {
        function.add_attribute(AttributeLoc::Function, unit.attribute(attribute, value));
    }
    define(unit, function, ty);
    function
}

fn define<'ctx>(unit: &Unit<'ctx, '_>, function: FunctionValue<'ctx>, ty: IntType<'ctx>) {
    use InstructionOpcode as I;
    let b = unit.context.create_builder();
    let block = |name| unit.context.append_basic_block(function, name);
    let (entry, head, body, done) = (block("entry"), block("head"), block("body"), block("done"));
    let param = |n| function.get_nth_param(n).expect("base and exponent").into_int_value();
    let one = ty.const_int(1, false);
    let op = |how, x: IntValue<'ctx>, y| built(b.build_binop(how, x, y, "")).into_int_value();

    b.position_at_end(entry);
    built(b.build_unconditional_branch(head));
    b.position_at_end(head);
    let [square, rest, result] =
        ["square", "rest", "result"].map(|name| built(b.build_phi(ty, name)));
    let value = |phi: inkwell::values::PhiValue<'ctx>| phi.as_basic_value().into_int_value();
    let more =
        built(b.build_int_compare(inkwell::IntPredicate::NE, value(rest), ty.const_zero(), ""));
    built(b.build_conditional_branch(more, body, done));

    b.position_at_end(body);
    let odd = built(b.build_int_truncate(value(rest), unit.types.i1, ""));
    let multiplied = op(I::Mul, value(result), value(square));
    let new_result = built(b.build_select(odd, multiplied, value(result), "")).into_int_value();
    let new_square = op(I::Mul, value(square), value(square));
    let new_rest = op(I::LShr, value(rest), one);
    built(b.build_unconditional_branch(head));
    square.add_incoming(&[(&param(0), entry), (&new_square, body)]);
    rest.add_incoming(&[(&param(1), entry), (&new_rest, body)]);
    result.add_incoming(&[(&one, entry), (&new_result, body)]);

    b.position_at_end(done);
    built(b.build_return(Some(&value(result))));
}
