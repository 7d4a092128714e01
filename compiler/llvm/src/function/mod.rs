//! Functions of the program as LLVM functions that only compiled code calls.
//!
//! Invariant: parameters are borrowed, except those that the function owns; the caller owns the results. A function
//! that fails returns its code at once and releases nothing, since the end of the call does so.
//!
//! ```text
//! side (a_x: f64, ps: [n]f64) -> ([m]f64, f64)
//! ⇒ fastcc i32 @arr.side(ptr ctx, double a_x, ptr ps, ptr ps.owner, i64 n, ptr out0, ptr out1)
//!
//! sides (ps: [n]f64) (to : *[k]f64) -> (++[k]f64)
//! ⇒ fastcc i32 @arr.sides(ptr ctx, ptr ps, ptr ps.owner, i64 n, ptr record)
//! ```

pub(crate) mod aliasing;
pub(crate) mod append_record;
pub(crate) mod block;
mod copies;
pub(crate) mod declare;
mod forks;
pub(crate) mod function_body;
pub(crate) mod listing;
pub(crate) mod outlining;
pub(crate) mod record_fields;
mod repeat;
mod superword_sums;
mod superword_terms;
mod switch;

use arrc_fusion::cnf::Type;
use arrc_loops::concrete::Function;
use arrc_syntax::ids::{FuncId, VarId};
use inkwell::attributes::AttributeLoc;
use inkwell::values::{
    BasicMetadataValueEnum, BasicValueEnum, FunctionValue, IntValue, PointerValue,
};

use self::declare::{declare_with, words};
use self::function_body::Body;
use self::record_fields::{HandedValue, RecordField};
use crate::code::FunctionBuilder;
use crate::unit::types::{Types, rank};
use crate::unit::{FASTCC, Unit, built};
use crate::value::{Array, LoweredValue};
/// The bytes of a pointer, and of a size.
const WORD: u32 = 8;

/// Declares and defines every function of the program.
pub(crate) fn define_all(unit: &mut Unit<'_, '_>) {
    let program = unit.program;
    unit.functions = program.functions.values().map(|function| declare(unit, function)).collect();
    for (id, function) in program.functions.iter() {
        define(unit, id, function);
    }
}

fn declare<'ctx>(unit: &Unit<'ctx, '_>, function: &Function) -> FunctionValue<'ctx> {
    let (own, appended) = params(function);
    let params: Vec<_> = own.iter().map(|&param| &function.tables.vars[param].ty).collect();
    let results = results(function);
    // The prefix is in no name of C, since LLVM recognises functions of libm by their names.
    let name = format!("arr.{}", function.name);
    let declared = declare_with(unit, &name, &params, !appended.is_empty(), &results);
    let mut at = 1;
    for (param, ty) in own.iter().zip(params) {
        let destinations = unit.destinations(function).iter();
        let is_replaced = destinations.filter_map(|found| found.replaced).any(|var| var == *param);
        if ty.is_array() && !function.owned.contains(param) && !is_replaced {
            // A finished array is written by its only owner only, or if the caller gives its memory for a result.
            for name in ["noalias", "readonly"] {
                declared.add_attribute(AttributeLoc::Param(at), unit.attribute(name, 0));
            }
        }
        at += words(ty);
    }
    declared
}

/// The parameters of a function: those that are values, and the arrays to which it appends.
fn params(function: &Function) -> (&[VarId], &[VarId]) {
    function.params.split_at(function.params.len() - function.appends.len())
}

/// The results of a function that it does not append to arrays.
fn results(function: &Function) -> Vec<&Type> {
    let results = function.results.iter().enumerate();
    results.filter(|(at, _)| !function.appends.contains(at)).map(|(_, ty)| ty).collect()
}

fn define<'ctx, 'p>(unit: &mut Unit<'ctx, 'p>, id: FuncId, function: &'p Function) {
    let llvm = unit.functions[id];
    let mut body = Body::new(unit, llvm, function);
    let (own, appended) = params(function);
    let mut places = body.bind_params(&[], own).into_iter();
    let record = if appended.is_empty() { None } else { places.next() };
    if let Some(record) = record {
        for (&param, field) in appended.iter().zip(RecordField::all(record, appended.len())) {
            body.bind_field(param, field);
        }
    }
    if function.recursive {
        body.check_stack();
    }
    let results = body.block_held(&function.body);
    body.give_held(results, (record, places.as_slice()));
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// Calls a function of the program; fails if it does, with the call's site if there is one.
    pub(crate) fn call_function(
        &self,
        function: FuncId,
        mut args: Vec<HandedValue<'ctx>>,
        site: Option<PointerValue<'ctx>>,
    ) -> Vec<HandedValue<'ctx>> {
        let callee = &self.unit.program.functions[function];
        let appended = args.split_off(args.len() - callee.appends.len());
        let record = (!appended.is_empty()).then(|| self.record(&appended));
        let args: Vec<_> = args.into_iter().map(|arg| arg.value(self)).collect();
        let llvm = self.unit.functions[function];
        let values = self.call_with(llvm, &results(callee), (&args, record), site);
        let mut values = values.into_iter().map(HandedValue::Value);
        let mut fields =
            record.into_iter().flat_map(|record| RecordField::all(record, appended.len()));
        let results = (0..callee.results.len()).map(|at| {
            let appended = callee.appends.contains(&at);
            let next = if appended { fields.next().map(HandedValue::Field) } else { values.next() };
            next.expect("a call gives each result")
        });
        results.collect()
    }

    /// Calls a function that gives values of types.
    pub(crate) fn call(
        &self,
        callee: FunctionValue<'ctx>,
        results: &[&Type],
        args: &[LoweredValue<'ctx>],
        site: Option<PointerValue<'ctx>>,
    ) -> Vec<LoweredValue<'ctx>> {
        self.call_with(callee, results, (args, None), site)
    }

    /// The same for a function that may append to the arrays of a record.
    fn call_with(
        &self,
        callee: FunctionValue<'ctx>,
        results: &[&Type],
        (args, record): (&[LoweredValue<'ctx>], Option<PointerValue<'ctx>>),
        site: Option<PointerValue<'ctx>>,
    ) -> Vec<LoweredValue<'ctx>> {
        let mut values: Vec<BasicMetadataValueEnum<'ctx>> = vec![self.context.into()];
        for arg in args {
            match arg {
                LoweredValue::Scalar(scalar) => values.push((*scalar).into()),
                LoweredValue::Array(array) | LoweredValue::Vector(array) => {
                    values.extend([array.data, array.owner].map(BasicMetadataValueEnum::from));
                    values
                        .extend(array.shape.iter().map(|&size| BasicMetadataValueEnum::from(size)));
                }
            }
        }
        values.extend(record.map(BasicMetadataValueEnum::from));
        let outs: Vec<_> =
            results.iter().map(|ty| self.alloca(self.types.result(ty), "result")).collect();
        values.extend(outs.iter().map(|&out| BasicMetadataValueEnum::from(out)));
        let call = built(self.b.build_call(callee, &values, "code"));
        call.set_call_convention(FASTCC);
        let code = call.try_as_basic_value().expect_basic("functions return a code");
        self.check_code(code.into_int_value(), site);
        results.iter().zip(outs).map(|(ty, out)| self.load_result(ty, out)).collect()
    }

    /// Writes a value to memory of its type's layout.
    pub(crate) fn store_result(
        &self,
        ty: &Type,
        value: &LoweredValue<'ctx>,
        out: PointerValue<'ctx>,
    ) {
        match (ty, value) {
            (Type::Scalar(scalar), LoweredValue::Scalar(value)) => {
                self.store(out, self.in_memory(*scalar, *value));
            }
            (Type::Array { shape, .. }, LoweredValue::Array(array)) => {
                let fields = ResultFields::new(self.types, ty);
                self.store(out, array.data);
                self.store(fields.at(self, out, 1), array.owner);
                let sizes = self.sizes(&array.shape);
                assert_eq!(array.shape.len(), shape.len(), "a result has its type's dimensions");
                self.store(fields.at(self, out, 2), sizes);
            }
            (Type::Scalar(_) | Type::Array { .. }, _) => panic!("a result has its type, {ty:?}"),
        }
    }

    /// Reads a value from memory of its type's layout.
    pub(crate) fn load_result(&self, ty: &Type, out: PointerValue<'ctx>) -> LoweredValue<'ctx> {
        match ty {
            Type::Scalar(scalar) => {
                let loaded = self.load_forwarded((self.types.memory(*scalar), scalar.bytes()), out);
                LoweredValue::Scalar(self.in_register(*scalar, loaded))
            }
            Type::Array { shape, .. } => {
                let fields = ResultFields::new(self.types, ty);
                let [data, owner] = [out, fields.at(self, out, 1)].map(|place| {
                    self.load_forwarded((self.types.ptr.into(), WORD), place).into_pointer_value()
                });
                let sizes = fields.at(self, out, 2);
                let size = |dim| {
                    let place = self.byte_offset(sizes, dim * size_of::<i64>());
                    self.load_forwarded((self.types.i64.into(), WORD), place).into_int_value()
                };
                let shape = (0..shape.len()).map(size).collect();
                LoweredValue::Array(Array { data, owner, shape })
            }
        }
    }

    /// The strides of a dense array, in elements.
    pub(crate) fn strides(&self, shape: &[IntValue<'ctx>]) -> Vec<IntValue<'ctx>> {
        let mut strides = vec![self.size(1)];
        for &extent in shape.iter().skip(1).rev() {
            let inner = *strides.last().expect("the innermost stride is 1");
            strides.push(self.product(inner, extent));
        }
        strides.reverse();
        strides
    }

    /// Sizes as one value, as they lie in memory.
    pub(crate) fn sizes(&self, shape: &[IntValue<'ctx>]) -> BasicValueEnum<'ctx> {
        let empty = self.types.i64.array_type(rank(shape)).get_poison();
        let all = (0..).zip(shape).fold(empty, |sizes, (at, &size)| {
            built(self.b.build_insert_value(sizes, size, at, "")).into_array_value()
        });
        all.into()
    }
}

/// Where the fields of an array result are.
struct ResultFields<'ctx>(inkwell::types::StructType<'ctx>);

impl<'ctx> ResultFields<'ctx> {
    fn new(types: Types<'ctx>, ty: &Type) -> Self {
        Self(types.result(ty).into_struct_type())
    }

    fn at(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        out: PointerValue<'ctx>,
        field: u32,
    ) -> PointerValue<'ctx> {
        built(code.b.build_struct_gep(self.0, out, field, ""))
    }
}
