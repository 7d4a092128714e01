//! The types of arguments, results and fields, in Rust, C and machine code.
//!
//! Invariant: the two declarations of a type stand for the same bytes; a test compares every function and
//! every field with the C headers.

use core::ffi::{c_char, c_void};

use crate::layout::{
    AllocFn, Bins, Destination, Filled, Forked, FreeFn, Options, ParallelFn, Site, Sliced, Stats,
    Trips,
};

/// `arr_context`. Compiled code knows its field at [`crate::layout::STACK_LIMIT`]; only the runtime knows the others.
pub enum Context {}
/// `arr_buffer`. Compiled code knows the constants of [`crate::layout`]; only the runtime knows the rest.
pub enum Buffer {}

/// The form of a type in the code generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// No value.
    Nothing,
    /// An integer of 32 bits.
    Int32,
    /// An integer of 64 bits.
    Int64,
    /// Any pointer except one to a buffer.
    Pointer,
    /// A pointer to a buffer, which is aligned.
    Buffer,
    /// This many integers of 64 bits.
    Words(u32),
}

/// A type of the ABI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CType {
    /// The type in C.
    pub c: &'static str,
    /// The type in machine code.
    pub kind: Kind,
}

/// A type of Rust that C has as well.
pub trait HasCType {
    /// The type in C.
    const TYPE: CType;
}

macro_rules! types {
    ($($ty:ty = $kind:expr, $c:literal;)*) => {
        $(impl HasCType for $ty {
            const TYPE: CType = CType { c: $c, kind: $kind };
        })*
    };
}

types! {
    () = Kind::Nothing, "void";
    i32 = Kind::Int32, "int";
    u32 = Kind::Int32, "uint32_t";
    i64 = Kind::Int64, "int64_t";
    u64 = Kind::Int64, "uint64_t";
    usize = Kind::Int64, "size_t";
    *const c_char = Kind::Pointer, "const char *";
    *const c_void = Kind::Pointer, "const void *";
    *const *const c_void = Kind::Pointer, "const void *const *";
    *const i64 = Kind::Pointer, "const int64_t *";
    *const u64 = Kind::Pointer, "const uint64_t *";
    *mut c_void = Kind::Pointer, "void *";
    *mut Context = Kind::Pointer, "arr_context *";
    *const Context = Kind::Pointer, "const arr_context *";
    *mut Buffer = Kind::Buffer, "arr_buffer *";
    *mut *mut Buffer = Kind::Pointer, "arr_buffer **";
    *const Site = Kind::Pointer, "const arr_site *";
    *const Options = Kind::Pointer, "const arr_options *";
    *mut Stats = Kind::Pointer, "arr_stats *";
    Option<AllocFn> = Kind::Pointer, "arr_alloc_fn *";
    Option<FreeFn> = Kind::Pointer, "arr_free_fn *";
    Option<ParallelFn> = Kind::Pointer, "arr_parallel_fn *";
    *const Sliced<Context> = Kind::Pointer, "const arr_sliced *";
    *const Forked<Context> = Kind::Pointer, "const arr_forked *";
    *const Trips = Kind::Pointer, "const arr_trips *";
    *const Bins = Kind::Pointer, "const arr_bins *";
    *mut Filled = Kind::Pointer, "arr_filled *";
    *mut Destination = Kind::Pointer, "arr_destination *";
}
