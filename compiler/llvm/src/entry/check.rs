//! The checks of outputs and inputs before the computation begins.
//!
//! Invariant: after the checks there is a place for each output, every extent is at least 0, an array with
//! elements has data, and the inputs have the sizes of the function's type. The function itself checks sizes that are
//! sums or products of others.

use arr_abi::ErrorCode;
use arrc_fusion::cnf::{Extent, SizeDef};
use arrc_loops::concrete::Function;
use arrc_syntax::ids::{SecondaryMap, SizeId, VarId};
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

/// Fails unless the inputs fit the entry's type.
pub(super) fn inputs<'ctx>(
    code: &mut FunctionBuilder<'_, 'ctx, '_>,
    span: Span,
    function: &Function,
    arguments: &[Argument<'ctx>],
) {
    let arrays = || arguments.iter().filter_map(as_array);
    for input in arrays() {
        presence(code, span, input);
    }
    let mut sizes = SizeBindings { code, function, arguments, known: SecondaryMap::new() };
    for input in arrays() {
        for (dim, (&extent, &size)) in input.extents.iter().zip(&input.shape).enumerate() {
            sizes.define_sizes(extent, size, &dimension(input, dim));
        }
    }
    for input in arrays() {
        for (dim, (&extent, &size)) in input.extents.iter().zip(&input.shape).enumerate() {
            sizes.check(extent, size, &dimension(input, dim), span);
        }
    }
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

fn as_array<'a, 'ctx>(argument: &'a Argument<'ctx>) -> Option<&'a ArrayInput<'ctx>> {
    match argument {
        Argument::Array(input) => Some(input),
        Argument::Scalar(_) => None,
    }
}

/// Fails on a negative extent, or elements without data.
fn presence<'ctx>(code: &mut FunctionBuilder<'_, 'ctx, '_>, span: Span, input: &ArrayInput<'ctx>) {
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

/// The known sizes of the entry's type.
struct SizeBindings<'a, 'u, 'ctx, 'p> {
    code: &'a mut FunctionBuilder<'u, 'ctx, 'p>,
    function: &'a Function,
    arguments: &'a [Argument<'ctx>],
    known: SecondaryMap<SizeId, Option<(IntValue<'ctx>, String)>>,
}

impl<'ctx> SizeBindings<'_, '_, 'ctx, '_> {
    /// The first array with a size defines its value.
    fn define_sizes(&mut self, extent: Extent, size: IntValue<'ctx>, name: &str) {
        if let Extent::Size(id) = extent
            && self.function.tables.sizes[id].def == SizeDef::Param
        {
            self.known[id].get_or_insert_with(|| (size, name.to_owned()));
        }
    }

    /// Fails unless an array has the size of its type.
    fn check(&mut self, extent: Extent, size: IntValue<'ctx>, name: &str, span: Span) {
        let Some((expected, origin)) = self.expected(extent) else { return };
        if expected == size {
            return;
        }
        // The message names two inputs in their order, and an input before anything else.
        let is_input = matches!(extent, Extent::Size(id) if self.known[id].is_some());
        let mut sides = [(origin.as_str(), expected), (name, size)];
        if !is_input {
            sides.reverse();
        }
        let site = self.code.unit.site(span, &sides.map(|(name, _)| name).join("\n"));
        let ok = self.code.compare(IntPredicate::EQ, size, expected);
        self.code.check(ok, ErrorCode::Shape, site, sides.map(|(_, size)| size));
    }

    /// The value of a size, and its origin in words.
    fn expected(&self, extent: Extent) -> Option<(IntValue<'ctx>, String)> {
        let id = match extent {
            Extent::Const(size) => {
                return Some((self.code.size(size.cast_unsigned()), declared(&size.to_string())));
            }
            Extent::Size(id) => id,
        };
        if let Some(known) = &self.known[id] {
            return Some(known.clone());
        }
        match self.function.tables.sizes[id].def {
            SizeDef::Param | SizeDef::Exists => None,
            SizeDef::Value(var) => {
                Some((self.scalar(var)?, declared(&self.function.tables.vars[var].name)))
            }
            // The entry's function compares sizes that have to be computed.
            SizeDef::Sum(..) | SizeDef::Product(..) => None,
        }
    }

    /// A parameter that is a scalar.
    fn scalar(&self, var: VarId) -> Option<IntValue<'ctx>> {
        let at = self.function.params.iter().position(|&param| param == var)?;
        match &self.arguments[at] {
            Argument::Scalar(LoweredValue::Scalar(BasicValueEnum::IntValue(value))) => Some(*value),
            Argument::Scalar(_) | Argument::Array(_) => None,
        }
    }
}

/// A size that the entry's type declares, in words.
fn declared(size: &str) -> String {
    format!("its type [{size}]")
}
