//! A context for the unit tests of this crate, without `unsafe` at each use.
//!
//! Invariant: it is freed once, when it is dropped.

use std::ffi::{CStr, c_int};
use std::ptr::NonNull;

use arr_abi::layout::{Options, Site, Stats};

use crate::buffer::{Buffer, arr_rt_alloc};
use crate::call::{arr_rt_code, arr_rt_enter, arr_rt_leave};
use crate::context::{
    Context, arr_context_error, arr_context_free, arr_context_new, arr_context_stats,
};

/// The place in the source of the tests' allocations.
pub(crate) static SITE: TestSite = TestSite(Site {
    file: c"f.arr".as_ptr(),
    what: c"iota".as_ptr(),
    line: 1,
    column: 2,
    caller: core::ptr::null(),
});

pub(crate) struct TestSite(pub(crate) Site);

// SAFETY: points to constants.
unsafe impl Sync for TestSite {}

pub(crate) struct TestContext(NonNull<Context>);

impl TestContext {
    pub(crate) fn new(options: &Options) -> Self {
        // SAFETY: whole options.
        let context = unsafe { arr_context_new(options) };
        Self(NonNull::new(context).expect("a context for a test"))
    }

    pub(crate) fn pointer(&self) -> *mut Context {
        self.0.as_ptr()
    }

    pub(crate) fn get(&self) -> &Context {
        // SAFETY: alive until dropped.
        unsafe { self.0.as_ref() }
    }

    pub(crate) fn enter(&self) {
        // SAFETY: alive until dropped.
        assert_eq!(unsafe { arr_rt_enter(self.pointer()) }, 0);
    }

    pub(crate) fn leave(&self, code: c_int) -> c_int {
        // SAFETY: the tests enter before, and do not use the call's buffers after.
        unsafe { arr_rt_leave(self.pointer(), code) }
    }

    pub(crate) fn alloc(&self, count: i64, elem_bytes: i64) -> Option<NonNull<Buffer>> {
        // SAFETY: alive until dropped.
        NonNull::new(unsafe { arr_rt_alloc(self.pointer(), count, elem_bytes, &raw const SITE.0) })
    }

    pub(crate) fn code(&self) -> c_int {
        // SAFETY: alive until dropped.
        unsafe { arr_rt_code(self.pointer()) }
    }

    pub(crate) fn error(&self) -> String {
        // SAFETY: alive until dropped; messages end in NUL.
        let text = unsafe { CStr::from_ptr(arr_context_error(self.pointer())) };
        text.to_str().expect("the tests' names are UTF-8").to_owned()
    }

    pub(crate) fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        // SAFETY: alive until dropped.
        unsafe { arr_context_stats(self.pointer(), &raw mut stats) };
        stats
    }
}

impl Drop for TestContext {
    fn drop(&mut self) {
        // SAFETY: the last use.
        unsafe { arr_context_free(self.pointer()) };
    }
}
