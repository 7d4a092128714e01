//! The body of a function that is being lowered: the values of its variables, and what the passes and loops around the
//! current place demand.
//!
//! Invariant: a variable that is bound has a value which dominates the current place. This file is below all lowering:
//! each part of it adds methods to [`Body`], and the state needs none of them.
//!
//! ```text
//! j = i - 1        bind: j ↦ %j = sub i64 %i, 1        scalar j: %j
//! ```

use std::collections::BTreeSet;
use std::rc::Rc;

use arr_abi::ErrorCode;
use arr_abi::layout::STACK_LIMIT;
use arrc_fusion::cnf::{Atom, Extent, SizeDef, Type, Var};
use arrc_loops::concrete::Function;
use arrc_syntax::ids::{SecondaryMap, SizeId, VarId};
use arrc_syntax::prim::Scalar;
use inkwell::values::{BasicValue, BasicValueEnum, FunctionValue, IntValue, PointerValue};
use inkwell::{AtomicOrdering, IntPredicate};

use super::record_fields::RecordField;
use super::superword_terms::SuperwordSums;
use crate::array::scratch_buffers::ScratchBuffers;
use crate::code::{FunctionBuilder, OnFailure};
use crate::function::aliasing::Aliasing;
use crate::loops::nesting::{Collapsed, Strip};
use crate::loops::scalar::signed_zeros::Zero;
use crate::unit::variables::{Declared, Variables};
use crate::unit::{Unit, built};
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
    pub(super) runs: SuperwordSums,
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
    /// What debuggers know.
    variables: Variables<'ctx>,
}

/// The list of changes that steps append to.
#[derive(Clone)]
pub(crate) struct Listing<'ctx> {
    /// The variables that hold the bins.
    pub(crate) arrays: BTreeSet<VarId>,
    /// The neutral element of the operation.
    pub(crate) neutral: BasicValueEnum<'ctx>,
    /// The numbers of the bins, as `u32`.
    pub(crate) places: PointerValue<'ctx>,
    /// The operands.
    pub(crate) values: PointerValue<'ctx>,
    /// The place that holds the number of changes.
    pub(crate) count: PointerValue<'ctx>,
}

/// The size of the buffer in a frame, in bytes: it fits in the first-level cache.
/// `scripts/bench filtered_histogram_i64` has a strip in it. Not measured by itself.
pub(crate) const ROOM: u32 = 1 << 15;

/// Further bytes behind it: an array without elements may be the last one in the buffer, and a lane that fails stores
/// to its first element.
const SLACK: u32 = 256;

impl<'u, 'ctx, 'p> Body<'u, 'ctx, 'p> {
    /// A body, or a part of one, without steps yet.
    pub(crate) fn new(
        unit: &'u mut Unit<'ctx, 'p>,
        llvm: FunctionValue<'ctx>,
        function: &'p Function,
    ) -> Self {
        let mut code = FunctionBuilder::new(unit, llvm, OnFailure::Return);
        code.is_recursive = function.recursive;
        code.begin_lines(&function.name, function.span);
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
            variables: Variables::default(),
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
        self.tell_debuggers(var, &value);
        self.values[var] = Some(value);
        self.fields[var] = None;
    }

    fn tell_debuggers(&mut self, var: VarId, value: &LoweredValue<'ctx>) {
        let Var { name, ty } = &self.function.tables.vars[var];
        let declared = Declared { name, scalar: ty.scalars(), is_array: ty.is_array() };
        let value = match value {
            LoweredValue::Scalar(value) => *value,
            LoweredValue::Array(array) | LoweredValue::Vector(array) => array.data.into(),
        };
        self.code.tell_variable(&mut self.variables, var, &declared, value);
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
                let [a, b] = SizeDef::both([a, b], |part| self.summand(part));
                Some(built(self.code.b.build_int_add(a?, b?, "")))
            }
            SizeDef::Product(a, b) => {
                let [a, b] = SizeDef::both([a, b], |part| self.summand(part));
                Some(self.code.product(a?, b?))
            }
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
    pub(super) fn check_stack(&mut self) {
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
