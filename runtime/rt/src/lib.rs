//! What compiled Arr programs run on: memory, errors and contexts behind a C ABI.
//!
//! Users call the symbols `arr_…` ([`context`]), compiled code the symbols `arr_rt_…` ([`call`],
//! [`buffer`], [`slice`], [`extend`], [`dense`]).
//!
//! Invariant: nothing here aborts, panics, prints, installs a handler or runs before `main`.
//! Whatever goes wrong becomes a code and a message in the context, and the context can be used
//! again. So this crate uses only parts of Rust's library that leave no trace in a linked program: no containers (they
//! abort when memory runs out), no formatting and no indexing (they may panic), no locks. It is built without checks
//! for overflow and as one unit, since either would bring the machinery of panics, and with it code that runs before
//! `main`, into every program. The test `programs_contain_nothing_of_the_rust_library` of `arr_runtime` sees to that.
//!
//! ```text
//! arr_context_new ─▶ entry ─▶ arr_rt_enter ─▶ arr_rt_alloc … ─▶ arr_rt_detach ─▶ arr_rt_leave(0)
//!                                        └──▶ arr_rt_fail, or NULL ─▶ arr_rt_leave(code): all released
//! ```
#![cfg_attr(not(test), no_std)]

// `std` is needed for thread-local variables, which `core` does not have.
#[cfg(not(test))]
extern crate std;

mod atomic;
mod awake;
pub mod buffer;
pub mod call;
mod cancel;
mod clock;
pub mod context;
pub mod cpu;
pub mod dense;
pub mod destinations;
pub mod extend;
pub mod external;
mod heap;
mod ledger;
mod list;
mod lock;
mod memory;
mod message;
pub mod options;
mod pace;
mod pool;
mod references;
mod roster;
pub mod slice;
pub mod slices;
mod small;
pub mod sort;
mod stack;
pub mod tasks;
mod team;
pub mod trace;

#[cfg(test)]
mod testing;

use core::ffi::c_char;

use arr_abi::function::{self, Abi, Compiled, Public};

use crate::buffer::{
    Buffer, arr_buffer_release, arr_rt_alloc, arr_rt_release, arr_rt_reserve, arr_rt_retain,
};
use crate::call::{
    arr_rt_code, arr_rt_enter, arr_rt_fail, arr_rt_fail_with, arr_rt_leave, arr_rt_pass,
};
use crate::context::{
    Context, arr_context_cancel, arr_context_error, arr_context_error_code, arr_context_free,
    arr_context_new, arr_context_stats, arr_context_trim,
};
use crate::cpu::arr_rt_cpu_level;
use crate::dense::{arr_rt_dense, arr_rt_gather};
use crate::destinations::arr_rt_overlap;
use crate::extend::arr_rt_extend;
use crate::external::{arr_buffer_new, arr_context_fail, arr_rt_external_failed, arr_rt_take};
use crate::slice::{arr_rt_detach, arr_rt_slice};
use crate::slices::arr_rt_slices;
use crate::sort::{arr_rt_order, arr_rt_sort_32, arr_rt_sort_64, arr_rt_sort_f64};
use crate::tasks::arr_rt_fork;
use crate::trace::arr_rt_trace;

/// The symbol for the check at link time, with the functions of the header.
#[unsafe(export_name = arr_abi::symbol!())]
pub static ABI: Abi<Context, Buffer> = Abi {
    version: function::VERSION,
    public: Public {
        arr_context_new,
        arr_context_free,
        arr_context_error,
        arr_context_error_code,
        arr_context_stats,
        arr_context_fail,
        arr_buffer_new,
        arr_context_cancel,
        arr_context_trim,
        arr_buffer_release,
        arr_version,
    },
};

/// The functions that compiled code calls, with their declared types. A program that contains this runtime and loads
/// compiled code needs them. They are a constant, so that they take no room if nothing refers to them.
pub const COMPILED: Compiled<Context, Buffer> = Compiled {
    arr_rt_enter,
    arr_rt_leave,
    arr_rt_alloc,
    arr_rt_reserve,
    arr_rt_extend,
    arr_rt_retain,
    arr_rt_release,
    arr_rt_slice,
    arr_rt_detach,
    arr_rt_fail,
    arr_rt_fail_with,
    arr_rt_pass,
    arr_rt_code,
    arr_rt_external_failed,
    arr_rt_take,
    arr_rt_slices,
    arr_rt_fork,
    arr_rt_dense,
    arr_rt_sort_32,
    arr_rt_sort_64,
    arr_rt_sort_f64,
    arr_rt_order,
    arr_rt_gather,
    arr_rt_cpu_level,
    arr_rt_overlap,
    arr_rt_trace,
};

/// The version of arrc that the runtime belongs to, such as `0.2.0`.
#[unsafe(no_mangle)]
pub extern "C" fn arr_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
