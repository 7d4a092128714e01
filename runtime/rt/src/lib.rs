//! What compiled Arr programs run on: memory, errors and contexts behind a C ABI.
//!
//! Users call the symbols `arr_…` ([`context`]), compiled code the symbols `arr_rt_…` ([`call`],
//! [`buffer`], [`slice`], [`extend`], [`dense`]).
//!
//! Invariant: nothing here aborts, panics, prints, installs a handler or runs before `main`.
//! Whatever goes wrong becomes a code and a message in the context, and the context can be used
//! again. So this crate uses of Rust's library only what leaves no trace in a linked program: no
//! containers (they abort when memory runs out), no formatting and no indexing (they may panic),
//! no locks. It is built without checks for overflow and as one unit, since either would bring the
//! machinery of panics, and with it code that runs before `main`, into every program. The test
//! `programs_contain_nothing_of_the_rust_library` of `arr_runtime` sees to that.
//!
//! ```text
//! arr_context_new ─▶ entry ─▶ arr_rt_enter ─▶ arr_rt_alloc … ─▶ arr_rt_detach ─▶ arr_rt_leave(0)
//!                                        └──▶ arr_rt_fail, or NULL ─▶ arr_rt_leave(code): all released
//! ```
#![cfg_attr(not(test), no_std)]

// For one thing that `core` has not: thread-local variables.
#[cfg(not(test))]
extern crate std;

pub mod buffer;
pub mod call;
pub mod context;
pub mod dense;
pub mod extend;
pub mod external;
mod heap;
mod lock;
mod memory;
mod message;
pub mod options;
mod pool;
pub mod slice;
mod stack;

#[cfg(test)]
mod testing;

// Headers, array structs and the uniform calls all say `int64_t` and pointer in eight bytes each.
const _: () = assert!(size_of::<usize>() == 8, "the runtime is made for 64-bit machines");

use core::ffi::c_char;

/// The link-time check: every object that arrc makes refers to this symbol, so that an object and a
/// runtime of another ABI do not link.
///
/// It also names every function that the header declares. So whoever refers to the symbol pulls all
/// of them out of the archive, which a shared library needs: its users call functions that its own
/// objects do not.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static arr_runtime_abi_4: Abi = Abi {
    version: 4,
    public: [
        Function(context::arr_context_new as *const ()),
        Function(context::arr_context_free as *const ()),
        Function(context::arr_context_error as *const ()),
        Function(context::arr_context_error_code as *const ()),
        Function(context::arr_context_stats as *const ()),
        Function(external::arr_context_fail as *const ()),
        Function(external::arr_buffer_new as *const ()),
        Function(context::arr_context_trim as *const ()),
        Function(buffer::arr_buffer_release as *const ()),
        Function(arr_version as *const ()),
    ],
};

/// The type of [`arr_runtime_abi_4`]: a `uint32_t`, then what the linker has to keep.
#[repr(C)]
pub struct Abi {
    /// The number in the symbol's name.
    pub version: u32,
    public: [Function; 10],
}

#[repr(transparent)]
struct Function(#[allow(dead_code, reason = "read by the linker")] *const ());

// SAFETY: the address of a function, which nobody writes through.
unsafe impl Sync for Function {}

/// The version of arrc that the runtime belongs to, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn arr_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
