//! What compiled Arr programs run on: memory, errors and contexts behind a C ABI, and a Rust caller.
//!
//! Two layers use this crate. Compiled programs and the C programs around them link its static
//! library: users call the symbols `arr_…` ([`context`]), compiled code the symbols `arr_rt_…`
//! ([`call`], [`buffer`], [`dense`]). Rust programs (the driver, the tests) use [`host`] to call a
//! compiled shared library, [`header`] for the C declarations and [`locate`] to find the static
//! library.
//!
//! Invariant: nothing behind the C ABI aborts, panics, prints, installs a handler or runs before
//! `main`; whatever goes wrong becomes a code and a message in the context, and the context can be
//! used again. That is why these modules take memory from the C library and not from `std`, whose
//! containers abort when memory runs out.
//!
//! ```text
//! arr_context_new ─▶ entry ─▶ arr_rt_enter ─▶ arr_rt_alloc … ─▶ arr_rt_detach ─▶ arr_rt_leave(0)
//!                                        └──▶ arr_rt_fail, or NULL ─▶ arr_rt_leave(code): all released
//! ```

pub mod buffer;
pub mod call;
pub mod codes;
pub mod context;
pub mod dense;
pub mod header;
mod heap;
pub mod host;
pub mod locate;
mod memory;
mod message;
pub mod options;
mod stack;

#[cfg(test)]
mod testing;

// Headers, array structs and the uniform calls all say `int64_t` and pointer in eight bytes each.
const _: () = assert!(size_of::<usize>() == 8, "the runtime is made for 64-bit machines");

use std::ffi::c_char;

/// The link-time check: every object that arrc makes refers to this symbol, so that an object and a
/// runtime of another ABI do not link.
///
/// It also names every function that the header declares. So whoever refers to the symbol pulls all
/// of them out of the archive, which a shared library needs: its users call functions that its own
/// objects do not.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static arr_runtime_abi_1: Abi = Abi {
    version: 1,
    public: [
        Function(context::arr_context_new as *const ()),
        Function(context::arr_context_free as *const ()),
        Function(context::arr_context_error as *const ()),
        Function(context::arr_context_error_code as *const ()),
        Function(context::arr_context_stats as *const ()),
        Function(buffer::arr_buffer_release as *const ()),
        Function(arr_version as *const ()),
    ],
};

/// The type of [`arr_runtime_abi_1`]: a `uint32_t`, then what the linker has to keep.
#[repr(C)]
pub struct Abi {
    /// The number in the symbol's name.
    pub version: u32,
    public: [Function; 7],
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
