//! The values of variables while their function is lowered.
//!
//! Invariant: everything is an SSA value. No descriptor is in memory, so no loop reads one again.

use arrc_syntax::ids::VarId;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

/// A variable's value.
#[derive(Clone, Debug)]
pub(crate) enum LoweredValue<'ctx> {
    /// A scalar.
    Scalar(BasicValueEnum<'ctx>),
    /// An array.
    Array(Array<'ctx>),
    /// A vector under construction: written, not read.
    Vector(Array<'ctx>),
}

/// An array: dense, row-major.
#[derive(Clone, Debug)]
pub(crate) struct Array<'ctx> {
    /// The first element; any pointer if the array is empty.
    pub(crate) data: PointerValue<'ctx>,
    /// The buffer that contains the elements; null if the array has no owner.
    pub(crate) owner: PointerValue<'ctx>,
    /// The extents, `i64`, none negative.
    pub(crate) shape: Vec<IntValue<'ctx>>,
}

impl<'ctx> LoweredValue<'ctx> {
    /// The scalar.
    ///
    /// # Panics
    /// If it is none; `var` is for the message.
    pub(crate) fn scalar(&self, var: VarId) -> BasicValueEnum<'ctx> {
        match self {
            Self::Scalar(value) => *value,
            Self::Array(_) | Self::Vector(_) => panic!("{var} is used as the scalar that it is"),
        }
    }

    /// The array.
    ///
    /// # Panics
    /// If it is none; `var` is for the message.
    pub(crate) fn array(&self, var: VarId) -> &Array<'ctx> {
        match self {
            Self::Array(array) => array,
            Self::Scalar(_) | Self::Vector(_) => panic!("{var} is used as the array that it is"),
        }
    }

    /// The vector under construction.
    ///
    /// # Panics
    /// If it is none; `var` is for the message.
    pub(crate) fn vector(&self, var: VarId) -> &Array<'ctx> {
        match self {
            Self::Vector(vector) => vector,
            Self::Scalar(_) | Self::Array(_) => panic!("{var} is used as the vector that it is"),
        }
    }
}
