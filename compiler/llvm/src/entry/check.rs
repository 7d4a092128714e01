//! The checks of outputs and inputs before the computation begins.
//!
//! Invariant: after the checks there is a place for each output, every extent is at least 0, an array with
//! elements has data, and the inputs have the sizes of the function's type. The function itself checks sizes that are
//! sums or products of others.

use std::collections::BTreeMap;

use arr_abi::ErrorCode;
use arrc_fusion::cnf::{Extent, SizeDef};
use arrc_loops::concrete::Function;
use arrc_syntax::ids::SizeId;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;
use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use crate::code::FunctionBuilder;
use crate::unit::built;
use crate::value::LoweredValue;

/// An array as the caller gave it.
pub(super) struct ArrayInput<'ctx> {
    /// Its name, for messages.
    pub(super) name: String,
    /// Its elements' type.
    pub(super) elem: Scalar,
    /// Its type's extents.
    pub(super) extents: Vec<Extent>,
    /// The struct.
    pub(super) place: PointerValue<'ctx>,
    /// Its first element.
    pub(super) data: PointerValue<'ctx>,
    /// Its extents.
    pub(super) shape: Vec<IntValue<'ctx>>,
    /// Its strides, in elements.
    pub(super) stride: Vec<IntValue<'ctx>>,
}

/// An input component.
pub(super) enum Argument<'ctx> {
    /// A scalar.
    Scalar(LoweredValue<'ctx>),
    /// An array.
    Array(ArrayInput<'ctx>),
}

impl<'ctx> Argument<'ctx> {
    /// The array, unless it is a scalar.
    pub(super) fn as_array(&self) -> Option<&ArrayInput<'ctx>> {
        match self {
            Self::Array(input) => Some(input),
            Self::Scalar(_) => None,
        }
    }
}

/// Fails unless there is a place for each output.
pub(super) fn outputs<'a, 'ctx: 'a>(
    code: &mut FunctionBuilder<'_, 'ctx, '_>,
    span: Span,
    outputs: impl Iterator<Item = (&'a String, &'a PointerValue<'ctx>)>,
) {
    for (name, &place) in outputs {
        let site = code.unit.site(span, name);
        let there = built(code.b.build_is_not_null(place, ""));
        let zero = code.size(0);
        code.check(there, ErrorCode::Argument, site, [zero, zero]);
    }
}

/// Fails unless the inputs fit the entry's type. Returns the sizes that are known then.
pub(super) fn inputs<'ctx>(
    code: &mut FunctionBuilder<'_, 'ctx, '_>,
    span: Span,
    function: &Function,
    arguments: &[Argument<'ctx>],
) -> SizeBindings<'ctx> {
    let arrays = || arguments.iter().filter_map(Argument::as_array);
    for input in arrays() {
        presence(code, span, input);
    }
    let mut sizes = SizeBindings::new(function, arguments);
    for input in arrays() {
        for (dim, (&extent, &size)) in input.extents.iter().zip(&input.shape).enumerate() {
            sizes.define_size(function, extent, size, &dimension(input, dim));
        }
    }
    for input in arrays() {
        sizes.check_array(code, input, span);
    }
    sizes
}

/// Whether the elements lie one after the other, so that they can be used where they are.
pub(crate) fn is_dense<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    shape: &[IntValue<'ctx>],
    stride: &[IntValue<'ctx>],
) -> IntValue<'ctx> {
    let one = code.size(1);
    let mut expected = one;
    let mut dense = code.types.i1.const_all_ones();
    for (&extent, &stride) in shape.iter().zip(stride).rev() {
        // The stride of a dimension with at most one element is not used.
        let short = code.compare(IntPredicate::SLE, extent, one);
        let right = code.compare(IntPredicate::EQ, stride, expected);
        let here = built(code.b.build_or(short, right, ""));
        dense = built(code.b.build_and(dense, here, ""));
        expected = code.product(expected, extent);
    }
    dense
}

/// A dimension of an input, as the user knows it.
fn dimension(input: &ArrayInput<'_>, dim: usize) -> String {
    if input.shape.len() == 1 {
        return input.name.clone();
    }
    format!("dimension {} of {}", dim + 1, input.name)
}

/// Fails on a negative extent, or elements without data.
pub(super) fn presence<'ctx>(
    code: &mut FunctionBuilder<'_, 'ctx, '_>,
    span: Span,
    input: &ArrayInput<'ctx>,
) {
    let site = code.unit.site(span, &input.name);
    let zero = code.size(0);
    for &extent in &input.shape {
        let ok = code.compare(IntPredicate::SGE, extent, zero);
        code.check(ok, ErrorCode::Argument, site, [extent, zero]);
    }
    let count = code.count(&input.shape);
    let empty = code.compare(IntPredicate::EQ, count, zero);
    let present = built(code.b.build_is_not_null(input.data, ""));
    let ok = built(code.b.build_or(empty, present, ""));
    code.check(ok, ErrorCode::Argument, site, [count, zero]);
}

/// The sizes of an entry's type that are known before the call, each with its origin in words.
pub(super) struct SizeBindings<'ctx> {
    known: BTreeMap<SizeId, KnownSize<'ctx>>,
}

#[derive(Clone)]
struct KnownSize<'ctx> {
    value: IntValue<'ctx>,
    origin: String,
    /// Whether an input has it.
    is_of_input: bool,
}

impl<'ctx> SizeBindings<'ctx> {
    /// The sizes that scalar parameters give. The entry's function compares sizes that have to be computed.
    fn new(function: &Function, arguments: &[Argument<'ctx>]) -> Self {
        let given = function.tables.sizes.iter().filter_map(|(id, size)| {
            let SizeDef::Value(var) = size.def else { return None };
            let at = function.params.iter().position(|&param| param == var)?;
            let Argument::Scalar(LoweredValue::Scalar(BasicValueEnum::IntValue(value))) =
                arguments[at]
            else {
                return None;
            };
            let origin = declared(&function.tables.vars[var].name);
            Some((id, KnownSize { value, origin, is_of_input: false }))
        });
        Self { known: given.collect() }
    }

    /// The first array with a size defines its value.
    fn define_size(
        &mut self,
        function: &Function,
        extent: Extent,
        value: IntValue<'ctx>,
        name: &str,
    ) {
        if let Extent::Size(id) = extent
            && function.tables.sizes[id].def == SizeDef::Param
        {
            let known = || KnownSize { value, origin: name.to_owned(), is_of_input: true };
            self.known.entry(id).or_insert_with(known);
        }
    }

    /// Fails unless an array has the sizes of its type, as far as they are known.
    pub(super) fn check_array(
        &self,
        code: &mut FunctionBuilder<'_, 'ctx, '_>,
        array: &ArrayInput<'ctx>,
        span: Span,
    ) {
        for (dim, (&extent, &size)) in array.extents.iter().zip(&array.shape).enumerate() {
            self.check(code, extent, (size, &dimension(array, dim)), span);
        }
    }

    fn check(
        &self,
        code: &mut FunctionBuilder<'_, 'ctx, '_>,
        extent: Extent,
        (size, name): (IntValue<'ctx>, &str),
        span: Span,
    ) {
        let Some(expected) = self.expected(code, extent) else { return };
        if expected.value == size {
            return;
        }
        // The message names two inputs in their order, and an input before anything else.
        let mut sides = [(expected.origin.as_str(), expected.value), (name, size)];
        if !expected.is_of_input {
            sides.reverse();
        }
        let site = code.unit.site(span, &sides.map(|(name, _)| name).join("\n"));
        let ok = code.compare(IntPredicate::EQ, size, expected.value);
        code.check(ok, ErrorCode::Shape, site, sides.map(|(_, size)| size));
    }

    /// Whether the value of a size is known before the call.
    pub(super) fn is_known(&self, extent: Extent) -> bool {
        match extent {
            Extent::Const(_) => true,
            Extent::Size(id) => self.known.contains_key(&id),
        }
    }

    fn expected(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        extent: Extent,
    ) -> Option<KnownSize<'ctx>> {
        match extent {
            Extent::Const(size) => Some(KnownSize {
                value: code.size(size.cast_unsigned()),
                origin: declared(&size.to_string()),
                is_of_input: false,
            }),
            Extent::Size(id) => self.known.get(&id).cloned(),
        }
    }
}

/// A size that the entry's type declares, in words.
fn declared(size: &str) -> String {
    format!("its type [{size}]")
}
