//! The functions of the runtime: those that compiled code calls, and those that the header declares.
//!
//! Invariant: a signature stands here and nowhere else in Rust. The code generator declares functions by it.
//! The runtime puts its definitions into [`Compiled`] and [`Public`], whose fields have these types, so that
//! a definition of another type does not compile. A test compares the C headers.

use core::ffi::{c_char, c_void};

use crate::ctype::{Buffer, CType, Context, HasCType};
use crate::layout::{Bins, Destination, Filled, Forked, Options, Site, Sliced, Stats, Trips};

/// A function as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its symbol.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [CType],
    /// Its result.
    pub result: CType,
    /// The guarantees for calls of it, besides that they return and do not unwind.
    pub promise: Promise,
}

/// A guarantee for calls of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    /// No further guarantee.
    None,
    /// The result is memory that nothing else points to: stores to it change no other array.
    Fresh,
    /// It is only called when something fails.
    Cold,
}

macro_rules! functions {
    (
        $(#[$about:meta])* $names:ident
        $(#[$defined:meta])* $definitions:ident
        $($(#[$doc:meta])* $variant:ident = $name:ident($($param:ty),*) -> $result:ty, $promise:ident;)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $names {
            $($(#[$doc])* $variant,)*
        }

        impl $names {
            /// All of them.
            pub const ALL: [Self; [$(Promise::$promise),*].len()] = [$(Self::$variant),*];

            /// Their symbols.
            pub const NAMES: [&str; Self::ALL.len()] = [$(stringify!($name)),*];

            /// How it is declared.
            #[must_use]
            pub const fn function(self) -> Function {
                match self {
                    $(Self::$variant => Function {
                        name: stringify!($name),
                        params: const { &[$(<$param>::TYPE),*] },
                        result: <$result>::TYPE,
                        promise: Promise::$promise,
                    },)*
                }
            }
        }

        $(#[$defined])*
        #[repr(C)]
        pub struct $definitions<Context, Buffer> {
            $($(#[$doc])* pub $name: unsafe extern "C" fn($($param),*) -> $result,)*
        }

        impl<Context, Buffer> core::fmt::Debug for $definitions<Context, Buffer> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($definitions)).finish_non_exhaustive()
            }
        }

        impl<Context, Buffer> $definitions<Context, Buffer> {
            /// The addresses of the definitions, in the order of the names.
            #[must_use]
            pub fn addresses(&self) -> [*const c_void; $names::ALL.len()] {
                [$(self.$name as *const c_void),*]
            }
        }

        impl<Context, Buffer> Copy for $definitions<Context, Buffer> {}

        impl<Context, Buffer> Clone for $definitions<Context, Buffer> {
            fn clone(&self) -> Self {
                *self
            }
        }
    };
}

functions! {
    /// The functions that compiled code calls.
    RuntimeFn
    /// Their definitions, by the runtime's own types of contexts and buffers.
    Compiled
    /// Begins a call: 0, or the code that the entry returns.
    Enter = arr_rt_enter(*mut Context) -> i32, None;
    /// Ends a call with that code; releases everything that was not detached.
    Leave = arr_rt_leave(*mut Context, i32) -> i32, None;
    /// A buffer for a number of elements of a number of bytes; NULL on failure.
    Alloc = arr_rt_alloc(*mut Context, i64, i64, *const Site) -> *mut Buffer, Fresh;
    /// The same for an upper bound that `Slice` will lower.
    Reserve = arr_rt_reserve(*mut Context, i64, i64, *const Site) -> *mut Buffer, Fresh;
    /// Takes over the owner: a buffer with one reference that begins with the used bytes at the data, and has room for more
    /// bytes; NULL on failure.
    Extend = arr_rt_extend(*mut Context, *mut Buffer, *const c_void, i64, i64, *const Site) -> *mut Buffer, None;
    /// Adds a reference.
    Retain = arr_rt_retain(*mut Buffer) -> (), None;
    /// Removes a reference.
    Release = arr_rt_release(*mut Buffer) -> (), None;
    /// Gives back the memory behind the used bytes; may move the buffer.
    Slice = arr_rt_slice(*mut Buffer, i64) -> *mut Buffer, None;
    /// The buffer outlives the call; otherwise as `Slice`.
    Detach = arr_rt_detach(*mut Buffer, i64) -> *mut Buffer, None;
    /// Notes why the call fails, in the words of [`crate::reason::write`], and returns the code.
    Fail = arr_rt_fail(*mut Context, i32, *const Site, i64, i64) -> i32, Cold;
    /// The same in the site's words, with values in them.
    FailWith = arr_rt_fail_with(*mut Context, i32, *const Site, *const u64) -> i32, Cold;
    /// Notes a call that the failure passes through, and returns the code.
    Pass = arr_rt_pass(*mut Context, i32, *const Site) -> i32, Cold;
    /// The code of the failure that was noted.
    Code = arr_rt_code(*const Context) -> i32, Cold;
    /// Notes that a function of C failed, and returns the call's code.
    ExternalFailed = arr_rt_external_failed(*mut Context, i32, *const Site) -> i32, Cold;
    /// Takes over an array of that rank and element size from a function of C: afterwards it is dense and belongs to
    /// the program.
    Take = arr_rt_take(*mut Context, *mut c_void, i64, i64, *const Site) -> i32, None;
    /// Runs a sliced pass, given its trip counts, its frame, room for accumulators, the bins that it changes, the vectors that it fills, and the
    /// accumulators that steps read.
    Slices = arr_rt_slices(*mut Context, *const Sliced<Context>, *const Trips, *mut c_void, *mut c_void, *const Bins, *mut Filled, *mut c_void) -> i32, None;
    /// Runs calls that do not depend on each other, given their frame, and the number of elements that they work on.
    Fork = arr_rt_fork(*mut Context, *const Forked<Context>, *mut c_void, i64) -> i32, None;
    /// A row-major copy of data by shape, strides, rank and element size; NULL on failure.
    Dense = arr_rt_dense(*mut Context, *const c_void, *const i64, *const i64, i64, i64) -> *mut Buffer, Fresh;
    /// Sorts numbers of 32 bits from one array to another, given their number, a window of positions, and an order of
    /// [`crate::sorting`]. Stops early if the call is cancelled.
    Sort32 = arr_rt_sort_32(*const Context, *const c_void, *mut c_void, i64, i64, i64, i32) -> (), None;
    /// The same of integers of 64 bits.
    Sort64 = arr_rt_sort_64(*const Context, *const c_void, *mut c_void, i64, i64, i64, i32) -> (), None;
    /// The same of doubles.
    SortF64 = arr_rt_sort_f64(*const Context, *const c_void, *mut c_void, i64, i64, i64, i32) -> (), None;
    /// The positions of numbers of 64 bits in an order of [`crate::sorting`].
    Order = arr_rt_order(*const Context, *const c_void, *mut c_void, i64, i32) -> (), None;
    /// A row-major copy of some positions of the first dimension, in memory of the caller.
    Gather = arr_rt_gather(*const c_void, *const i64, *const i64, i64, i64, i64, i64, *mut c_void) -> (), None;
    /// The highest level of x86-64 that the processor has, as in `x86-64-v3`. 1 for other processors.
    CpuLevel = arr_rt_cpu_level() -> i32, None;
    /// How many of a number of destinations share memory with an array, given its data, shape, strides, rank and element
    /// size. No pass writes to them.
    Overlap = arr_rt_overlap(*mut Destination, i64, *const c_void, *const i64, *const i64, i64, i64) -> i32, None;
    /// Prints a value, given its place with the description of its type, and pointers to its name and its components
    /// ([`crate::trace`]).
    Trace = arr_rt_trace(*const Site, *const *const c_void) -> (), None;
}

functions! {
    /// The functions that every header declares. The header documents them.
    PublicFn
    /// Their definitions, by the runtime's own types of contexts and buffers.
    Public
    /// A context.
    ContextNew = arr_context_new(*const Options) -> *mut Context, None;
    /// Frees a context.
    ContextFree = arr_context_free(*mut Context) -> (), None;
    /// Why the last call failed.
    ContextError = arr_context_error(*const Context) -> *const c_char, None;
    /// What the last call returned.
    ContextErrorCode = arr_context_error_code(*const Context) -> i32, None;
    /// The memory statistics of the context.
    ContextStats = arr_context_stats(*const Context, *mut Stats) -> (), None;
    /// Why an external fails.
    ContextFail = arr_context_fail(*mut Context, *const c_char) -> i32, None;
    /// Memory for a result of an external.
    BufferNew = arr_buffer_new(*mut Context, *const i64, i64, i64, *mut *mut Buffer) -> *mut c_void, None;
    /// Stops the running call.
    ContextCancel = arr_context_cancel(*mut Context) -> (), None;
    /// Gives back memory that is kept.
    ContextTrim = arr_context_trim(*mut Context) -> (), None;
    /// Frees the memory of a returned array.
    BufferRelease = arr_buffer_release(*mut Context, *mut Buffer) -> (), None;
    /// The runtime's version.
    Version = arr_version() -> *const c_char, None;
}

/// The symbol that only a runtime of this ABI has, as a literal.
#[macro_export]
macro_rules! symbol {
    () => {
        "arr_runtime_abi_10"
    };
}

/// The number in [`symbol`], which counts the changes of this crate that old objects do not fit.
pub const VERSION: u32 = 10;

/// The functions of the pool of threads.
pub const POOL_FUNCTIONS: [&str; 2] = [crate::layout::POOL, "arr_parallel_threads"];

/// The symbol that only a pool of this ABI has, as a literal. If the linker is asked for it, the pool is linked,
/// wherever its library stands on the command line.
#[macro_export]
macro_rules! pool_symbol {
    () => {
        "arr_parallel_abi_10"
    };
}

/// The same as a constant.
pub const POOL_SYMBOL: &str = pool_symbol!();

/// The value at [`symbol`]. So that objects and a runtime of different ABIs do not link, all objects refer to it. It
/// refers to every function that the header declares, and so pulls all of them out of the archive. A shared library
/// needs them, since its users call functions that its own objects do not call.
#[repr(C)]
pub struct Abi<Context, Buffer> {
    /// [`VERSION`].
    pub version: u32,
    /// The functions of the header.
    pub public: Public<Context, Buffer>,
}
