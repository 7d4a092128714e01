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
mod forks;
pub(crate) mod listing;
pub(crate) mod outlining;
mod repeat;
mod superword_sums;
mod switch;

use std::rc::Rc;

use arr_abi::ErrorCode;
use arr_abi::layout::STACK_LIMIT;
use arrc_fusion::cnf::{Atom, Extent, SizeDef, Type};
use arrc_loops::concrete::Function;
use arrc_syntax::ids::{FuncId, SecondaryMap, SizeId, VarId};
use arrc_syntax::prim::Scalar;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, FunctionValue, IntValue, PointerValue,
};
use inkwell::{AtomicOrdering, IntPredicate};

use self::append_record::{HandedValue, RecordField};
use self::superword_sums::SuperwordSums;
use crate::array::scratch::ScratchBuffers;
use crate::code::{FunctionBuilder, OnFailure};
use crate::function::aliasing::Aliasing;
use crate::function::listing::Listing;
use crate::loops::Zero;
use crate::loops::{Collapsed, Strip};
use crate::unit::types::{Types, rank};
use crate::unit::{FASTCC, Unit, built};
use crate::value::{Array, LoweredValue};

/// The body of a function of the program under construction.
pub(crate) struct Body<'u, 'ctx, 'p> {
    /// The LLVM function.
    pub(crate) code: FunctionBuilder<'u, 'ctx, 'p>,
    /// The function.
    pub(crate) function: &'p Function,
    /// The value of each variable that is bound.
    pub(crate) values: SecondaryMap<VarId, Option<LoweredValue<'ctx>>>,
    /// The arrays that are in records.
    pub(crate) fields: SecondaryMap<VarId, Option<RecordField<'ctx>>>,
    /// The sizes of the arrays in scope.
    pub(crate) sizes: SecondaryMap<SizeId, Option<IntValue<'ctx>>>,
    /// The variables that are an accumulator of a fold whose order is free.
    pub(crate) free_order: SecondaryMap<VarId, bool>,
    /// Whether folds keep their order, though it is free.
    pub(crate) keeps_order: bool,
    /// Whether this is a step that lanes left over. Its loops combine elements one after the other, as a lane does.
    pub(crate) is_left_over: bool,
    /// The accumulators that no step reads before the end, and the products in terms that are added to them. A product
    /// that is added to the former, and the latter, need not be rounded by themselves.
    pub(crate) contracts: SecondaryMap<VarId, bool>,
    /// The variables that are accumulators which begin as a number, and the zeros that they can be. A maximum or
    /// minimum in them is never NaN.
    pub(crate) extremes: SecondaryMap<VarId, Option<Zero>>,
    /// The comparisons that do not hold.
    pub(crate) never: SecondaryMap<VarId, bool>,
    /// The literals without memory, since they are only appended.
    pub(crate) literals: SecondaryMap<VarId, Option<&'p [Atom]>>,
    /// The sums of bytes that are computed in vectors.
    runs: SuperwordSums,
    /// The buffer of [`ROOM`] bytes in the frame, once a pass needs it.
    buffer: Option<PointerValue<'ctx>>,
    /// The scratch buffers of the outermost pass or loop around, if there is one.
    pub(crate) scratch: Option<ScratchBuffers<'ctx>>,
    /// The loops around a pass that run as one loop with its own, if there are any.
    pub(crate) collapsed: Option<Collapsed<'ctx>>,
    /// The strip of columns that the enclosing loop makes, if it does not make whole rows.
    pub(crate) strip: Option<Strip<'ctx>>,
    /// The alias scopes of the pass around, if there is one.
    pub(crate) aliasing: Option<Rc<Aliasing<'ctx>>>,
    /// Where changes of bins are listed, if the steps do not make them.
    pub(crate) listing: Option<Listing<'ctx>>,
}

/// The size of the buffer in a frame, in bytes: it fits in the first-level cache.
/// `scripts/bench filtered_histogram_i64` has a strip in it. Not measured by itself.
pub(crate) const ROOM: u32 = 1 << 15;
/// Further bytes behind it: an array without elements may be the last one in the buffer, and a lane that fails stores
/// to its first element.
const SLACK: u32 = 256;
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
        if ty.is_array() && !function.owned.contains(param) {
            // A finished array is never written, except by its only owner.
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

/// Declares a function that takes values of types, and gives values of types.
pub(crate) fn declare_as<'ctx>(
    unit: &Unit<'ctx, '_>,
    name: &str,
    params: &[&Type],
    results: &[&Type],
) -> FunctionValue<'ctx> {
    declare_with(unit, name, params, false, results)
}

/// The same for a function that may append to the arrays of a record.
fn declare_with<'ctx>(
    unit: &Unit<'ctx, '_>,
    name: &str,
    params: &[&Type],
    has_record: bool,
    results: &[&Type],
) -> FunctionValue<'ctx> {
    let types = unit.types;
    let mut words: Vec<BasicMetadataTypeEnum<'ctx>> = vec![types.ptr.into()];
    for ty in params {
        match ty {
            Type::Scalar(scalar) => words.push(types.scalar(*scalar).into()),
            Type::Array { shape, .. } => {
                words.extend([BasicMetadataTypeEnum::from(types.ptr); 2]);
                words.extend(shape.iter().map(|_| BasicMetadataTypeEnum::from(types.i64)));
            }
        }
    }
    let record = rank(&words);
    words.extend(has_record.then(|| BasicMetadataTypeEnum::from(types.ptr)));
    let first_out = rank(&words);
    words.extend(results.iter().map(|_| BasicMetadataTypeEnum::from(types.ptr)));
    let signature = types.i32.fn_type(&words, false);
    let declared = unit.module.add_function(name, signature, Some(Linkage::Internal));
    declared.set_call_conventions(FASTCC);
    unit.describe(declared);
    for name in if has_record { ["noalias", "nonnull"].as_slice() } else { &[] } {
        declared.add_attribute(AttributeLoc::Param(record), unit.attribute(name, 0));
    }
    for at in first_out..rank(&words) {
        for name in ["noalias", "writeonly", "nonnull"] {
            declared.add_attribute(AttributeLoc::Param(at), unit.attribute(name, 0));
        }
    }
    declared
}

/// How many parameters of LLVM stand for a parameter of a type.
fn words(ty: &Type) -> u32 {
    match ty {
        Type::Scalar(_) => 1,
        Type::Array { shape, .. } => 2 + rank(shape),
    }
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

impl<'u, 'ctx, 'p> Body<'u, 'ctx, 'p> {
    /// A body, or a part of one, without steps yet.
    pub(crate) fn new(
        unit: &'u mut Unit<'ctx, 'p>,
        llvm: FunctionValue<'ctx>,
        function: &'p Function,
    ) -> Self {
        let mut code = FunctionBuilder::new(unit, llvm, OnFailure::Return);
        code.is_recursive = function.recursive;
        Self {
            code,
            function,
            values: SecondaryMap::new(),
            fields: SecondaryMap::new(),
            sizes: SecondaryMap::new(),
            free_order: SecondaryMap::new(),
            keeps_order: false,
            is_left_over: false,
            contracts: SecondaryMap::new(),
            extremes: SecondaryMap::new(),
            never: SecondaryMap::new(),
            literals: SecondaryMap::new(),
            runs: SuperwordSums::default(),
            buffer: None,
            scratch: None,
            collapsed: None,
            strip: None,
            aliasing: None,
            listing: None,
        }
    }

    /// The buffer in the frame. All passes of the function share it, one after the other, so that the frame stays
    /// small: functions that do not recurse do not check the stack.
    pub(crate) fn buffer(&mut self) -> PointerValue<'ctx> {
        if let Some(buffer) = self.buffer {
            return buffer;
        }
        let ty = self.code.types.i8.array_type(ROOM + SLACK);
        let buffer = self.code.alloca(ty.into(), "buffer");
        let alloca = buffer.as_instruction_value().expect("memory of a frame is an instruction");
        alloca.set_alignment(64).expect("memory of a frame has an alignment");
        self.buffer = Some(buffer);
        buffer
    }

    /// Ends the function with its results.
    pub(crate) fn return_results(
        self,
        results: &[(&Type, LoweredValue<'ctx>)],
        outs: &[PointerValue<'ctx>],
    ) {
        for ((ty, result), &out) in results.iter().zip(outs) {
            self.code.store_result(ty, result, out);
        }
        let ok = self.code.types.i32.const_zero();
        built(self.code.b.build_return(Some(&ok)));
        self.code.finish();
    }

    /// The type of a variable.
    pub(crate) fn type_of(&self, var: VarId) -> &'p Type {
        &self.function.tables.vars[var].ty
    }

    /// The type of an atom that is a scalar.
    pub(crate) fn scalar_type(&self, atom: Atom) -> Scalar {
        match atom {
            Atom::Const(value) => value.ty,
            Atom::Var(var) => {
                self.type_of(var).as_scalar().unwrap_or_else(|| panic!("{var} is a scalar"))
            }
        }
    }

    /// The elements' type and the number of dimensions of an array variable.
    pub(crate) fn array_type(&self, var: VarId) -> (Scalar, usize) {
        match self.type_of(var) {
            Type::Array { elem, shape } => (*elem, shape.len()),
            Type::Scalar(_) => panic!("{var} is an array"),
        }
    }

    /// Binds a variable to a value that was made for it, and gets its name.
    pub(crate) fn bind(&mut self, var: VarId, value: LoweredValue<'ctx>) {
        if let LoweredValue::Scalar(value) = &value {
            value.set_name(&self.function.tables.vars[var].name);
        }
        self.bind_same(var, value);
    }

    /// Binds a variable to a value that other variables have too.
    pub(crate) fn bind_same(&mut self, var: VarId, value: LoweredValue<'ctx>) {
        if let (Type::Array { shape, .. }, LoweredValue::Array(array)) = (self.type_of(var), &value)
        {
            for (&extent, &size) in shape.iter().zip(&array.shape) {
                if let Extent::Size(id) = extent {
                    self.sizes[id].get_or_insert(size);
                }
            }
        }
        self.values[var] = Some(value);
        self.fields[var] = None;
    }

    /// The value of a variable.
    pub(crate) fn var(&self, var: VarId) -> &LoweredValue<'ctx> {
        self.values[var].as_ref().unwrap_or_else(|| {
            panic!("{var} is bound before it is used in {}", self.function.name);
        })
    }

    /// The value of an atom.
    pub(crate) fn atom(&self, atom: Atom) -> LoweredValue<'ctx> {
        match atom {
            Atom::Const(value) => LoweredValue::Scalar(self.code.constant(value)),
            Atom::Var(var) => self.var(var).clone(),
        }
    }

    /// A scalar.
    pub(crate) fn scalar(&self, atom: Atom) -> BasicValueEnum<'ctx> {
        match atom {
            Atom::Const(value) => self.code.constant(value),
            Atom::Var(var) => self.var(var).scalar(var),
        }
    }

    /// A scalar that is an integer or a truth value.
    pub(crate) fn int(&self, atom: Atom) -> IntValue<'ctx> {
        self.scalar(atom).into_int_value()
    }

    /// An array.
    pub(crate) fn array(&self, var: VarId) -> Array<'ctx> {
        self.var(var).array(var).clone()
    }

    /// An extent of an array's type, if it is known here. One that would be negative, which no array
    /// has, is 0.
    pub(crate) fn extent(&self, extent: Extent) -> Option<IntValue<'ctx>> {
        let is_told = match extent {
            Extent::Const(_) => true,
            Extent::Size(id) => self.sizes[id].is_some(),
        };
        let value = self.summand(extent)?;
        Some(if is_told { value } else { self.code.at_least_zero(value) })
    }

    /// An extent as a part of another, where it may be negative.
    fn summand(&self, extent: Extent) -> Option<IntValue<'ctx>> {
        let id = match extent {
            Extent::Const(size) => return Some(self.code.size(size.cast_unsigned())),
            Extent::Size(id) => id,
        };
        if self.sizes[id].is_some() {
            return self.sizes[id];
        }
        match self.function.tables.sizes[id].def {
            SizeDef::Param | SizeDef::Exists => None,
            SizeDef::Value(var) => Some(self.values[var].as_ref()?.scalar(var).into_int_value()),
            SizeDef::Sum(a, b) => {
                Some(built(self.code.b.build_int_add(self.summand(a)?, self.summand(b)?, "")))
            }
            SizeDef::Product(a, b) => Some(self.code.product(self.summand(a)?, self.summand(b)?)),
        }
    }

    /// Binds the parameters, sizes before the others, and returns the places of the results.
    pub(crate) fn bind_params(
        &mut self,
        sizes: &[SizeId],
        params: &[VarId],
    ) -> Vec<PointerValue<'ctx>> {
        let mut words = self.code.function.get_param_iter().skip(1);
        let mut next = || words.next().expect("the signature has every parameter");
        for &size in sizes {
            self.sizes[size] = Some(next().into_int_value());
        }
        for &param in params {
            let var = &self.function.tables.vars[param];
            let value = match &var.ty {
                Type::Scalar(_) => LoweredValue::Scalar(next()),
                Type::Array { shape, .. } => {
                    let (data, owner) = (next().into_pointer_value(), next().into_pointer_value());
                    data.set_name(&var.name);
                    owner.set_name(&format!("{}.owner", var.name));
                    // Equal sizes in the type become one value, so that LLVM sees that they are equal.
                    let shape = shape.iter().map(|&extent| {
                        let given = next().into_int_value();
                        match extent {
                            Extent::Const(size) => self.code.size(size.cast_unsigned()),
                            Extent::Size(size) => *self.sizes[size].get_or_insert(given),
                        }
                    });
                    LoweredValue::Array(Array { data, owner, shape: shape.collect() })
                }
            };
            self.bind(param, value);
        }
        words.map(BasicValueEnum::into_pointer_value).collect()
    }

    /// Fails if the frame lies beyond the limit that the context has.
    fn check_stack(&mut self) {
        let code = &mut self.code;
        let site = code.unit.site(self.function.span, &self.function.name);
        let limit = code.byte_offset(code.context, STACK_LIMIT);
        let limit = code.load_shared(code.types.i64, limit, AtomicOrdering::Monotonic);
        let level = code.types.i32.const_zero().into();
        let frame = code.call_intrinsic("llvm.frameaddress", &[code.types.ptr.into()], &[level]);
        let frame =
            built(code.b.build_ptr_to_int(frame.into_pointer_value(), code.types.i64, "frame"));
        let ok = code.compare(IntPredicate::UGE, frame, limit);
        code.check(ok, ErrorCode::Stack, site, [code.size(0), code.size(0)]);
    }
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
