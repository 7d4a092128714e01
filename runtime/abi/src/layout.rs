//! The layout of the memory that the runtime shares with compiled code and with C.
//!
//! Invariant: `Options` only ever grows at its end. All addresses and sizes have eight bytes.

use core::ffi::{c_char, c_void};
use core::mem::offset_of;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize};

use crate::ctype::{CType, HasCType};

// Array structs and the uniform calls have pointers and `int64_t` in eight bytes each.
const _: () = assert!(size_of::<usize>() == 8, "the runtime is made for 64-bit machines");

/// Bytes from a buffer to its first element.
pub const HEADER: usize = 64;
/// Bytes behind the elements that belong to the buffer, so that whole vectors can be read and written.
pub const SLACK: usize = 64;
/// The alignment of a buffer and its first element.
pub const BUFFER_ALIGN: usize = 64;
/// Bytes from a buffer to the number of references to it, of four bytes.
pub const COUNT: usize = 0;
/// Bytes from a buffer to the number of the free list of [`Small`] that it came from, of four bytes. 0: the buffer is
/// not a small one of the running call.
pub const LIST: usize = 4;
/// Bytes from a buffer to the number of bytes of elements that it may hold.
pub const CAPACITY: usize = 8;
/// Bytes from a context to the lowest address that a frame of the running call may have.
pub const STACK_LIMIT: usize = 0;
/// The limit of a call that has been cancelled: no frame is above it.
pub const CANCELLED: usize = usize::MAX;

/// Bytes from a context to its [`Small`].
pub const SMALL: usize = 8;
/// Bytes from a context to the least number of elements for which calls become tasks; 0: they do not. It is behind the small
/// buffers, for which the runtime has two more words.
pub const TASKS: usize = SMALL + size_of::<Small<()>>() + 2 * size_of::<usize>();
/// Bytes from a context to the time below which a pass is one call in the thread that comes to it, in picoseconds: an estimate of
/// less is never worth several threads. It stays the same as long as the context lives. Only passes whose accumulators need
/// no blocks ask for it.
pub const SHORT: usize = TASKS + size_of::<usize>();
/// Bytes from a context to the address of a [`Destination`] for each result of the running call. NULL: the caller gives
/// no memory for results.
pub const DESTINATIONS: usize = SHORT + size_of::<u64>();
/// The base-2 logarithm of the step from one size of small buffers to the next, in bytes.
pub const STEP_SHIFT: u32 = 6;
/// How many sizes of small buffers there are. A buffer for `bytes` bytes of elements is small if
/// `bytes >> STEP_SHIFT < SIZES`. Then it has room for `((bytes >> STEP_SHIFT) + 1) << STEP_SHIFT` bytes, and comes from
/// the list `(bytes >> STEP_SHIFT) + 1`.
pub const SIZES: usize = 16;
/// Bytes from a free small buffer to the next one on its list: where its elements were.
pub const NEXT: usize = HEADER;

/// Runs a range of steps of a sliced pass, writes the accumulators of these steps, changes elements of bins, and
/// appends elements to vectors.
/// `carries` are the accumulators that steps read. Before the call they have their values before the first step, and
/// afterwards those behind the last step.
pub type SliceFn<Context> = unsafe extern "C" fn(
    context: *mut Context,
    frame: *const c_void,
    from: i64,
    to: i64,
    totals: *mut c_void,
    bins: *const Bins,
    filled: *mut Filled,
    carries: *mut c_void,
) -> i32;
/// Writes what a range of steps adds to the accumulators that steps read.
pub type SumFn<Context> = unsafe extern "C" fn(
    context: *mut Context,
    frame: *const c_void,
    from: i64,
    to: i64,
    carries: *mut c_void,
) -> i32;
/// Changes all elements of bins, depending on other bins of as many elements.
pub type BinsFn<Context> = unsafe extern "C" fn(
    context: *mut Context,
    frame: *const c_void,
    bins: *const Bins,
    others: *const Bins,
) -> i32;
/// Appends the changes that a range of steps makes to bins to a list, and leaves the bins as they are. The list has room for one
/// change of each step.
pub type ListFn<Context> = unsafe extern "C" fn(
    context: *mut Context,
    frame: *const c_void,
    from: i64,
    to: i64,
    bins: *const Bins,
    changes: *mut Changes,
) -> i32;
/// Changes bins as a list says. It does not fail.
pub type MakeFn<Context> = unsafe extern "C" fn(
    context: *mut Context,
    frame: *const c_void,
    bins: *const Bins,
    changes: *const Changes,
) -> i32;
/// Combines the accumulators of some steps (`left`) with the accumulators of the steps that follow.
pub type JoinFn<Context> = unsafe extern "C" fn(
    context: *mut Context,
    frame: *const c_void,
    left: *mut c_void,
    right: *const c_void,
) -> i32;

/// A pass whose steps may run in slices. A slice is some blocks in a row.
#[repr(C)]
#[derive(Debug)]
pub struct Sliced<Context> {
    /// Runs steps.
    pub slice: SliceFn<Context>,
    /// Combines the accumulators of blocks; none if the pass has no accumulators.
    pub join: Option<JoinFn<Context>>,
    /// The bytes of the accumulators of a block.
    pub bytes: usize,
    /// How many arrays have elements that steps change in any order.
    pub bins: usize,
    /// Fills bins of a thread; the others are those of the pass. None if there are no bins.
    pub first: Option<BinsFn<Context>>,
    /// Adds the elements of other bins.
    pub merge: Option<BinsFn<Context>>,
    /// Lists the changes of bins; none if they cannot be made later than the steps run.
    pub list: Option<ListFn<Context>>,
    /// Makes listed changes.
    pub make: Option<MakeFn<Context>>,
    /// How many vectors the steps append elements to.
    pub vectors: usize,
    /// Computes what a block adds to the accumulators that steps read; none if there are no such accumulators.
    pub sum: Option<SumFn<Context>>,
    /// Combines these accumulators with what the next block adds.
    pub carry: Option<JoinFn<Context>>,
    /// Their bytes.
    pub carried: usize,
    /// How long the steps take, as far as it is known.
    pub pace: *const Pace,
    /// [`POOL`]. So the object itself refers to it, and a linker that finds the pool's library before the runtime's
    /// takes the pool.
    pub pool: ParallelFn,
}

/// How long a pass or a fork takes, compared with its estimate. Compiled code has one for each of them, of zeros at first. Only the
/// runtime reads and writes it, for all contexts of the process.
#[repr(C)]
#[derive(Debug, Default)]
pub struct Pace {
    /// The measured time for an estimated time of [`Pace::ONE`]; 0: nothing was measured.
    pub ratio: AtomicU32,
    /// How many times it could have been measured.
    pub passes: AtomicU32,
}

impl Pace {
    /// The ratio of work that takes as long as estimated.
    pub const ONE: u32 = 1024;
}

/// One of several calls: reads its arguments from the frame, and leaves its results there. `follows` is 1 if the call before it has
/// ended in the same context, so that it can append to what that gave, and otherwise 0.
pub type TaskFn<Context> =
    unsafe extern "C" fn(context: *mut Context, frame: *mut c_void, follows: i32) -> i32;

/// Calls that do not depend on each other.
#[repr(C)]
#[derive(Debug)]
pub struct Forked<Context> {
    /// The calls, in their order.
    pub calls: *const TaskFn<Context>,
    /// How many there are: [`FORKED`] at most.
    pub count: usize,
    /// How long the calls take, as far as it is known.
    pub pace: *const Pace,
    /// [`POOL`], as in [`Sliced`].
    pub pool: ParallelFn,
    /// Whether several threads can share each loop of the functions that the calls run.
    pub sliced: bool,
}

/// The estimated time for an element of a recursion, in picoseconds. The estimate is that some ten levels each read the
/// element once. Calls without recursion count as many elements as fit into their own time.
pub const ELEMENT: u64 = 32_000;

/// The most calls that are tasks together.
pub const FORKED: usize = 8;

/// How a sliced pass runs.
#[repr(C)]
#[derive(Debug)]
pub struct Trips {
    /// The trip count.
    pub steps: i64,
    /// The steps of a block.
    pub block: i64,
    /// The estimated time of a step, in picoseconds; 0 if only one thread may run the steps.
    pub cost: i64,
}

/// An array whose elements steps change by an operation that may be done in any order.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bins {
    /// Its first element.
    pub data: *mut u8,
    /// The bytes of an element.
    pub width: usize,
    /// How many elements it has.
    pub count: usize,
}

impl Bins {
    /// The size limit of private bins, in bytes: the total size of all bins of a pass. Up to this limit, each thread has a copy of
    /// the bins. Measured on two threads, with a last-level cache of 32 MiB, as parts of the time of one thread: 0.6 with 1.5 to 4 MiB of
    /// bins, 0.65 to 0.85 with 6 MiB, and 0.85 to 1.25 with 8 MiB.
    pub const COPIED: u64 = 4 << 20;
    /// The least size of an array of bins, in bytes, whose updates are partitioned. Measured on two threads, with a last-level cache
    /// of 32 MiB, as parts of the time of one thread that updates the bins directly: 1.15 with 1 Mi bins of 8 bytes, 0.6 with
    /// 2 Mi, 0.45 with 4 Mi, and 0.4 with 16 Mi.
    pub const LISTED: u64 = 12 << 20;

    /// The bytes of all elements.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.count as u64).saturating_mul(self.width as u64)
    }
}

/// Changes of an array of bins, in the order of the steps.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Changes {
    /// The number of the bin that each one changes.
    pub places: *mut u32,
    /// The operand of each one, as wide as a bin.
    pub values: *mut u8,
    /// How many there are.
    pub count: usize,
}

/// A vector to which steps append elements.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Filled {
    /// Its first element.
    pub data: *mut u8,
    /// The bytes of an element.
    pub width: i64,
    /// How many elements it has.
    pub count: i64,
    /// The first step whose elements it has.
    pub first: i64,
}

/// The function by which the pool lends its threads. The runtime has a weak definition of it, which does nothing.
pub const POOL: &str = "arr_parallel_for";

/// Calls a function `copies` times at most, on any threads, and returns when all calls have returned. `user` is the option
/// `parallel_user`.
pub type ParallelFn = unsafe extern "C" fn(
    user: *mut c_void,
    copies: i64,
    body: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
);

/// The small buffers of a context. While a call runs, they are the call's: compiled code takes them and gives them back
/// without a lock. All counters wrap.
#[repr(C)]
#[derive(Debug)]
pub struct Small<Buffer> {
    /// How many buffers the call took.
    pub allocations: AtomicUsize,
    /// The bytes of these, [`HEADER`] and [`SLACK`] included.
    pub taken: AtomicUsize,
    /// The bytes of those that were given back.
    pub returned: AtomicUsize,
    /// The largest difference of the two since the runtime last looked.
    pub peak: AtomicUsize,
    /// The first free buffer of each size. List 0 is not used. The last list is always empty: it stands for all larger
    /// sizes.
    pub lists: [AtomicPtr<Buffer>; SIZES + 2],
}

/// `arr_alloc_fn`: memory for `bytes` bytes, aligned as by `malloc`, or NULL.
pub type AllocFn = unsafe extern "C" fn(user: *mut c_void, bytes: usize) -> *mut c_void;
/// `arr_free_fn`: takes back what the allocation function gave, with the same `bytes`.
pub type FreeFn = unsafe extern "C" fn(user: *mut c_void, memory: *mut c_void, bytes: usize);
/// The function that the compiler makes beside each entry, for any signature: its name is the entry's, and behind it
/// [`UNIFORM`]. The lists have a pointer to a scalar or an array struct for each output and each input.
pub type Uniform<Context> =
    unsafe extern "C" fn(*mut Context, *const *mut c_void, *const *const c_void) -> i32;
/// The suffix of the names of uniform functions.
pub const UNIFORM: &str = "__uniform";

/// The suffix of the names of functions that write arrays to memory of the caller.
pub const INTO: &str = "_into";
/// The suffixes of the names of an entry's functions: first those that each entry has, then those for arrays in memory of
/// the caller.
pub const SUFFIXES: [[&str; 2]; 2] = [["", UNIFORM], [INTO, "__uniform_into"]];

/// Memory of the caller for an array that a call gives.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Destination {
    /// Its first element.
    pub data: *mut u8,
    /// How many elements a pass may write there. 0 if another array of the call is in the same memory: then the result
    /// is copied there at the end of the call.
    pub count: usize,
    /// The bytes of the memory.
    pub bytes: usize,
    /// How many inputs share the memory.
    pub inputs: usize,
}

/// A field of a struct.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, the same in C.
    pub name: &'static str,
    /// Bytes from the beginning of the struct.
    pub offset: usize,
    /// Its type.
    pub ty: CType,
}

/// A struct that C has as well.
pub trait Layout {
    /// Its name in C.
    const NAME: &str;
    /// Its fields.
    const FIELDS: &[Field];
}

macro_rules! layouts {
    ($($(#[$doc:meta])* $name:ident = $c:literal { $($(#[$about:meta])* $field:ident: $ty:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            #[derive(Clone, Copy, Debug)]
            pub struct $name {
                $($(#[$about])* pub $field: $ty,)*
            }

            impl Layout for $name {
                const NAME: &str = $c;
                const FIELDS: &[Field] = &[$(Field {
                    name: stringify!($field),
                    offset: offset_of!($name, $field),
                    ty: <$ty>::TYPE,
                }),*];
            }
        )*
    };
}

layouts! {
    /// A place in a program, and the text of a message about it.
    Site = "arr_site" {
        /// The source file's name.
        file: *const c_char,
        /// What the message names: a combinator, a function, a parameter, or two with `\n` between.
        what: *const c_char,
        /// From 1.
        line: u32,
        /// From 1.
        column: u32,
        /// The place of the call, if the code was copied here from a called function; its `what` is that function.
        /// Otherwise NULL.
        caller: *const Site,
    }

    /// The options of a context. The C header documents them.
    Options = "arr_options" {
        /// `sizeof(arr_options)` as the caller knows it.
        size: usize,
        /// The most bytes that the arrays of the context may take or reserve together; 0: no limit.
        memory_limit: usize,
        /// The most bytes of stack that a call may use; 0: the thread's stack.
        stack_limit: usize,
        /// Where memory comes from; with `free`, or neither.
        alloc: Option<AllocFn>,
        /// Where memory goes back to.
        free: Option<FreeFn>,
        /// Passed to `alloc` and `free`.
        user: *mut c_void,
        /// The most bytes that the context keeps of freed arrays; 0: the default.
        pool_limit: usize,
        /// The most threads that a call uses, the caller's included; 0: all that the process may use.
        threads: usize,
        /// Lends threads of the host; none: those of the pool that is linked, if one is.
        parallel: Option<ParallelFn>,
        /// Passed to `parallel`.
        parallel_user: *mut c_void,
        /// The least work for which a pass uses several threads, in nanoseconds; 0: 100 microseconds.
        grain: u64,
    }

    /// The memory statistics of a context. Bytes count [`HEADER`] and [`SLACK`] for each array besides its elements. An
    /// array of less than 1 KiB may count for up to 64 bytes more.
    #[derive(PartialEq, Eq, Default)]
    Stats = "arr_stats" {
        /// Bytes in use now, outputs that were not yet freed included.
        bytes_live: u64,
        /// The most bytes in use at once since the last call began.
        bytes_peak: u64,
        /// Arrays that the last call allocated, and how often they got more memory to grow.
        call_allocations: u64,
        /// Bytes of elements that the last call allocated or reserved, overhead not included.
        call_bytes: u64,
        /// Arrays that the last call had neither released nor returned when it ended.
        call_left_over: u64,
        /// Bytes of freed arrays, kept for the next ones.
        bytes_kept: u64,
        /// The threads that the last call could use, the caller's included.
        threads: u64,
        /// How many passes of the last call ran in slices on several threads.
        parallel_passes: u64,
    }
}

impl Options {
    /// The default options.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self {
            size: size_of::<Self>(),
            memory_limit: 0,
            stack_limit: 0,
            alloc: None,
            free: None,
            user: core::ptr::null_mut(),
            pool_limit: 0,
            threads: 0,
            parallel: None,
            parallel_user: core::ptr::null_mut(),
            grain: 0,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

/// A field of C's struct of an array, in words of eight bytes: `data shape[0] … stride[0] … owner`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayField {
    /// The first element.
    Data,
    /// How many elements there are in each dimension.
    Shape,
    /// The distances of neighbours in each dimension, in elements.
    Stride,
    /// The buffer that contains the elements; NULL if the memory belongs to the caller.
    Owner,
}

impl ArrayField {
    /// The fields, in their order.
    pub const ALL: [Self; 4] = [Self::Data, Self::Shape, Self::Stride, Self::Owner];

    /// The word that the field begins with, in an array of `rank` dimensions.
    #[inline]
    #[must_use]
    pub const fn word(self, rank: usize) -> usize {
        match self {
            Self::Data => 0,
            Self::Shape => 1,
            Self::Stride => 1 + rank,
            Self::Owner => 1 + 2 * rank,
        }
    }

    /// How many words an array of `rank` dimensions has.
    #[must_use]
    pub const fn words(rank: usize) -> usize {
        Self::Owner.word(rank) + 1
    }
}
