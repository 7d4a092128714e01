//! The LLVM types of scalars and arrays.
//!
//! Invariant: types that C and the runtime see have the layout of `arr_abi`.
//!
//! ```text
//! f64          double                                    in registers and in memory
//! bool         i1 in registers                           i8 in memory, as C's bool
//! [n][m]f64    { ptr data, [2 x i64] shape, [2 x i64] stride, ptr owner }   for C
//!              { ptr data, ptr owner, [2 x i64] shape }                     between our functions
//! ```

use arr_abi::ctype::Kind;
use arr_abi::layout::{ArrayField, Layout, Site};
use arrc_fusion::cnf::Type;
use arrc_syntax::prim::Scalar;
use inkwell::AddressSpace;
use inkwell::context::Context;
use inkwell::types::{BasicTypeEnum, FloatType, IntType, PointerType, StructType};

/// The types of one context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Types<'ctx> {
    context: &'ctx Context,
    /// Truth in registers.
    pub(crate) i1: IntType<'ctx>,
    /// Truth in memory.
    pub(crate) i8: IntType<'ctx>,
    /// Codes.
    pub(crate) i32: IntType<'ctx>,
    /// Sizes and indices.
    pub(crate) i64: IntType<'ctx>,
    /// Pointers to anything.
    pub(crate) ptr: PointerType<'ctx>,
}

impl<'ctx> Types<'ctx> {
    /// The types of `context`.
    pub(crate) fn new(context: &'ctx Context) -> Self {
        Self {
            context,
            i1: context.bool_type(),
            i8: context.i8_type(),
            i32: context.i32_type(),
            i64: context.i64_type(),
            ptr: context.ptr_type(AddressSpace::default()),
        }
    }

    /// The type of an integer or truth value in registers.
    ///
    /// # Panics
    /// If `scalar` is a float.
    pub(crate) fn int(&self, scalar: Scalar) -> IntType<'ctx> {
        match scalar {
            Scalar::Bool => self.i1,
            Scalar::I8 | Scalar::U8 => self.i8,
            Scalar::I16 | Scalar::U16 => self.context.i16_type(),
            Scalar::I32 | Scalar::U32 => self.i32,
            Scalar::I64 | Scalar::U64 => self.i64,
            Scalar::F32 | Scalar::F64 => panic!("{scalar} is no integer type"),
        }
    }

    /// The type of a float.
    ///
    /// # Panics
    /// If `scalar` is not a float.
    pub(crate) fn float(&self, scalar: Scalar) -> FloatType<'ctx> {
        match scalar {
            Scalar::F32 => self.context.f32_type(),
            Scalar::F64 => self.context.f64_type(),
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64 => panic!("{scalar} is no float type"),
        }
    }

    /// The type of a scalar in registers.
    pub(crate) fn scalar(&self, scalar: Scalar) -> BasicTypeEnum<'ctx> {
        if scalar.is_float() { self.float(scalar).into() } else { self.int(scalar).into() }
    }

    /// The type of a scalar in memory.
    pub(crate) fn memory(&self, scalar: Scalar) -> BasicTypeEnum<'ctx> {
        if scalar == Scalar::Bool { self.i8.into() } else { self.scalar(scalar) }
    }

    /// A type of the ABI; none if the type has no values.
    pub(crate) fn of(&self, kind: Kind) -> Option<BasicTypeEnum<'ctx>> {
        match kind {
            Kind::Nothing => None,
            Kind::Int32 => Some(self.i32.into()),
            Kind::Int64 => Some(self.i64.into()),
            Kind::Pointer | Kind::Buffer => Some(self.ptr.into()),
            Kind::Words(count) => Some(self.i64.array_type(count).into()),
        }
    }

    /// The struct of an array in C.
    pub(crate) fn c_array(&self, rank: u32) -> StructType<'ctx> {
        let field = |field| match field {
            ArrayField::Data | ArrayField::Owner => self.ptr.into(),
            ArrayField::Shape | ArrayField::Stride => self.i64.array_type(rank).into(),
        };
        self.context.struct_type(&ArrayField::ALL.map(field), false)
    }

    /// A result of one of our functions in memory.
    pub(crate) fn result(&self, ty: &Type) -> BasicTypeEnum<'ctx> {
        match ty {
            Type::Scalar(scalar) => self.memory(*scalar),
            Type::Array { shape, .. } => {
                let sizes = self.i64.array_type(rank(shape)).into();
                self.context.struct_type(&[self.ptr.into(), self.ptr.into(), sizes], false).into()
            }
        }
    }

    /// The constant that describes a place to the runtime.
    pub(crate) fn site(&self) -> StructType<'ctx> {
        let fields = Site::FIELDS.iter().filter_map(|field| self.of(field.ty.kind));
        self.context.struct_type(&fields.collect::<Vec<_>>(), false)
    }
}

/// The number of dimensions, as LLVM counts.
pub(crate) fn rank<T>(shape: &[T]) -> u32 {
    u32::try_from(shape.len()).expect("arrays have few dimensions")
}
