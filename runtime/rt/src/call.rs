//! The frame of a call: every compiled entry begins with [`arr_rt_enter`] and, if that returns 0,
//! ends with [`arr_rt_leave`].
//!
//! Invariant: between the two the context is busy, and after the second only the detached buffers of the call are left.
//! Compiled functions return a code. A function that gets another code than 0 returns it at once and releases nothing,
//! since `arr_rt_leave` will do so.
//!
//! A buffer that is passed in belongs to an earlier call and is on no list: a call may read it, and
//! may retain it only where it cannot fail any more, because a failed call would not undo that.

use core::ffi::c_int;
use core::sync::atomic::Ordering;

use arr_abi::ErrorCode;
use arr_abi::layout::Site;

use crate::context::{Context, this_thread};

/// Begins a call. Returns 0, or a code with which the entry returns at once, without
/// [`arr_rt_leave`]: the context is NULL, or another call runs in it (whose error stays).
///
/// # Safety
/// `context` is NULL or from `arr_context_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_enter(context: *mut Context) -> c_int {
    // SAFETY: by contract.
    let Some(context) = (unsafe { context.as_ref() }) else { return ErrorCode::Argument.number() };
    if !context.begin() {
        return ErrorCode::Busy.number();
    }
    context.caller.store(this_thread(), Ordering::Relaxed);
    context.clear_failure();
    if !context.team.begin_call() {
        return refuse_threads(context);
    }
    context.begin_call();
    0
}

/// Refuses a call that asks for several threads where there is neither a pool nor a host that lends them.
#[cold]
fn refuse_threads(context: &Context) -> c_int {
    let code = ErrorCode::Argument.number();
    let threads = i64::try_from(context.team.asked()).unwrap_or(i64::MAX).cast_unsigned();
    const TEXT: &core::ffi::CStr = c"the options ask for \x02 threads, and there is no pool: link libarr_parallel.a before libarr_runtime.a, or set `parallel`";
    let site = Site {
        file: core::ptr::null(),
        what: TEXT.as_ptr(),
        line: 0,
        column: 0,
        caller: core::ptr::null(),
    };
    // SAFETY: the text has a place for one number.
    unsafe { context.fail_with(code, &raw const site, &raw const threads) };
    context.stack_limit.end();
    code
}

/// Ends a call that returns `code`, frees every buffer that was not detached, and returns `code`.
///
/// # Safety
/// `context` is one for which `arr_rt_enter` returned 0; the call's buffers are not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_leave(context: *mut Context, code: c_int) -> c_int {
    // SAFETY: by contract.
    let Some(context) = (unsafe { context.as_ref() }) else { return code };
    // SAFETY: by contract.
    unsafe { context.end_memory() };
    context.destinations.store(core::ptr::null_mut(), Ordering::Relaxed);
    if code != 0 {
        context.end_failed(code);
    }
    context.stack_limit.end();
    code
}

/// Notes why the running call fails, and returns `code`. [`arr_abi::reason::write`] says what `site`'s text, `a` and
/// `b` mean.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`; `site` is NULL or a site with NULL or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_fail(
    context: *mut Context,
    code: c_int,
    site: *const Site,
    a: i64,
    b: i64,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        if let Some(context) = context.as_ref() {
            let code = context.code_of(code);
            context.fail(code, site, a, b);
            return code;
        }
    }
    code
}

/// Notes why the running call fails, and returns `code`. The message is `site`'s text, in which the
/// bytes 1 to 5 stand for `values`, in order: an `i64`, a `u64`, a truth value, the bits of an `f64`,
/// those of an `f32`.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`; `site` is NULL or a site with NULL or C strings;
/// `values` points to as many values as the text has places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_fail_with(
    context: *mut Context,
    code: c_int,
    site: *const Site,
    values: *const u64,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        if let Some(context) = context.as_ref() {
            context.fail_with(code, site, values);
        }
    }
    code
}

/// Notes a call that the failure passes through, and returns `code`. The site's text is the name of
/// the function that was called.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`; `site` is NULL or a site with NULL or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_pass(
    context: *mut Context,
    code: c_int,
    site: *const Site,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        if let Some(context) = context.as_ref() {
            context.pass(site);
        }
    }
    code
}

/// The code of the running call's failure. A function returns it after it got NULL.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_code(context: *const Context) -> c_int {
    // SAFETY: by contract.
    match unsafe { context.as_ref() } {
        Some(context) => context.code(),
        None => ErrorCode::Argument.number(),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::c_void;
    use std::sync::atomic::AtomicI64;

    use super::*;
    use crate::buffer::{arr_buffer_release, arr_rt_release, arr_rt_retain};
    use crate::context::{
        arr_context_cancel, arr_context_error, arr_context_error_code, arr_context_free,
        arr_context_new,
    };
    use crate::slice::arr_rt_detach;
    use crate::testing::{SITE, TestContext};
    use arr_abi::layout::Options;

    #[test]
    fn a_failing_call_loses_everything_whatever_counts_say() {
        let context = TestContext::new(&Options::new());
        context.enter();
        for count in 0..5 {
            let buffer = context.alloc(count, 8).expect("memory for a test").as_ptr();
            // SAFETY: alive.
            unsafe { arr_rt_retain(buffer) };
        }
        // SAFETY: a context in a call.
        let code = unsafe { arr_rt_fail(context.pointer(), 1, &raw const SITE.0, 7, 5) };
        assert_eq!(context.leave(code), 1);
        assert_eq!(context.error(), "f.arr:1:2: index 7 is out of bounds for an array of length 5");
        assert_eq!((context.stats().bytes_live, context.stats().call_left_over), (0, 5));

        context.enter();
        assert_eq!((context.error().as_str(), context.code()), ("", 0), "a new call begins clean");
        assert_eq!(context.leave(0), 0);
    }

    #[test]
    fn outputs_outlive_the_next_call_even_one_that_fails() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let output = context.alloc(10, 8).expect("memory for a test").as_ptr();
        // SAFETY: alive.
        unsafe { arr_rt_detach(output, 80) };
        assert_eq!(context.leave(0), 0);

        context.enter();
        assert!(context.alloc(10, 8).is_some());
        assert_eq!(context.leave(2), 2);
        assert_eq!(context.error(), "division by zero");
        assert_eq!(context.stats().bytes_live, 128 + 128);
        // SAFETY: the caller's reference.
        unsafe { arr_buffer_release(context.pointer(), output) };
        assert_eq!(context.stats().bytes_live, 0);
    }

    #[test]
    fn the_first_reason_stands() {
        let context = TestContext::new(&Options::new());
        context.enter();
        assert!(context.alloc(-1, 8).is_none());
        // SAFETY: a context in a call.
        let code = unsafe { arr_rt_fail(context.pointer(), 2, &raw const SITE.0, 0, 0) };
        assert_eq!((code, context.code()), (2, 3));
        assert_eq!(context.leave(context.code()), 3);
        assert_eq!(context.error(), "f.arr:1:2: negative size -1 in iota");
    }

    #[test]
    fn a_call_that_does_nothing_is_counted_as_such() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let output = context.alloc(1000, 8).expect("memory for a test").as_ptr();
        assert!(context.alloc(1, 8).is_some() && context.alloc(2000, 8).is_some());
        // SAFETY: alive.
        unsafe { arr_rt_detach(output, 8000) };
        assert_eq!((context.leave(0), context.stats().call_left_over), (0, 2));
        assert_eq!(context.stats().call_allocations, 3);
        assert_eq!(context.stats().bytes_peak, 8000 + 64 + 16_000 + 3 * 128);
        // Nothing of the next two calls touches the counters, until they are asked for.
        for _ in 0..2 {
            context.enter();
            assert_eq!(context.leave(0), 0);
        }
        let stats = context.stats();
        assert_eq!((stats.call_allocations, stats.call_bytes, stats.call_left_over), (0, 0, 0));
        assert_eq!((stats.bytes_live, stats.bytes_peak), (8128, 8128));
        // An array that is freed in a call counted when the call began.
        context.enter();
        // SAFETY: the caller's reference.
        unsafe { arr_buffer_release(context.pointer(), output) };
        assert_eq!((context.stats().bytes_live, context.stats().bytes_peak), (0, 8128));
        assert_eq!(context.leave(0), 0);
    }

    #[test]
    fn nothing_is_cancelled_between_calls() {
        let context = TestContext::new(&Options::new());
        for _ in 0..2 {
            // SAFETY: the context is alive.
            unsafe { arr_context_cancel(context.pointer()) };
            context.enter();
            assert!(!context.get().is_cancelled());
            // SAFETY: as above.
            unsafe { arr_context_cancel(context.pointer()) };
            assert!(context.get().is_cancelled());
            // SAFETY: a context in a call.
            let code = unsafe { arr_rt_fail(context.pointer(), 6, &raw const SITE.0, 0, 0) };
            assert_eq!(context.leave(code), ErrorCode::Cancelled.number());
        }
        context.enter();
        assert_eq!(context.leave(0), 0);
    }

    #[test]
    fn a_busy_context_refuses_and_keeps_its_call() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let buffer = context.alloc(1, 8).expect("memory for a test").as_ptr();
        let address = context.pointer().expose_provenance();
        let another_thread = std::thread::spawn(move || {
            // SAFETY: the context is alive, and stays since it is busy.
            unsafe { arr_context_free(std::ptr::with_exposed_provenance_mut(address)) };
        });
        another_thread.join().expect("nothing panics");
        // SAFETY: the context is alive, and the buffer.
        unsafe {
            assert_eq!(arr_rt_enter(context.pointer()), ErrorCode::Busy.number());
            arr_rt_release(buffer);
        }
        assert_eq!(context.leave(0), 0);
        context.enter();
        assert_eq!(context.leave(0), 0);
    }

    #[test]
    fn a_call_that_was_left_ends_with_its_context() {
        static HELD: AtomicI64 = AtomicI64::new(0);
        unsafe extern "C" fn give(_: *mut c_void, bytes: usize) -> *mut c_void {
            HELD.fetch_add(i64::try_from(bytes).expect("small"), Ordering::Relaxed);
            // SAFETY: plain allocation.
            unsafe { libc::malloc(bytes) }
        }
        unsafe extern "C" fn take(_: *mut c_void, memory: *mut c_void, bytes: usize) {
            HELD.fetch_sub(i64::try_from(bytes).expect("small"), Ordering::Relaxed);
            // SAFETY: from `give`.
            unsafe { libc::free(memory) }
        }
        let options = Options { alloc: Some(give), free: Some(take), ..Options::new() };
        let context = TestContext::new(&options);
        context.enter();
        assert!(context.alloc(1000, 8).is_some());
        drop(context);
        assert_eq!(HELD.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn no_context_is_an_error_like_others() {
        let none = std::ptr::null_mut();
        // SAFETY: NULL is fine.
        unsafe {
            assert_eq!(arr_rt_enter(none), ErrorCode::Argument.number());
            assert_eq!(arr_context_error_code(none), ErrorCode::Argument.number());
            assert_eq!(std::ffi::CStr::from_ptr(arr_context_error(none)), c"the context is NULL");
            assert_eq!(arr_rt_code(none), ErrorCode::Argument.number());
            assert_eq!(arr_rt_fail(none, 1, std::ptr::null(), 0, 0), 1);
            assert_eq!(arr_rt_leave(none, 4), 4);
            arr_context_free(none);
        }
    }

    #[test]
    fn the_stack_limit_holds_during_a_call() {
        let context = TestContext::new(&Options { stack_limit: 10_000, ..Options::new() });
        let limit = || context.get().stack_limit.get();
        assert_eq!(limit(), 0);
        context.enter();
        let mark = 0_u8;
        let here = (&raw const mark).addr();
        assert!(limit() < here + 10_000 && here.abs_diff(limit()) < 20_000);
        assert_eq!(context.leave(0), 0);
        assert_eq!(limit(), 0);
    }

    #[test]
    fn a_hook_gives_and_gets_all_memory() {
        static HELD: AtomicI64 = AtomicI64::new(0);
        unsafe extern "C" fn give(user: *mut c_void, bytes: usize) -> *mut c_void {
            assert_eq!(user.addr(), 77);
            HELD.fetch_add(i64::try_from(bytes).expect("small"), Ordering::Relaxed);
            // SAFETY: plain allocation.
            unsafe { libc::malloc(bytes) }
        }
        unsafe extern "C" fn take(user: *mut c_void, memory: *mut c_void, bytes: usize) {
            assert_eq!(user.addr(), 77);
            HELD.fetch_sub(i64::try_from(bytes).expect("small"), Ordering::Relaxed);
            // SAFETY: from `give`.
            unsafe { libc::free(memory) }
        }
        let user = std::ptr::without_provenance_mut(77);
        let options = Options { alloc: Some(give), free: Some(take), user, ..Options::new() };
        let context = TestContext::new(&options);
        assert!(HELD.load(Ordering::Relaxed) > 0);
        context.enter();
        for count in [1, 1000, 1 << 20] {
            let buffer = context.alloc(count, 8).expect("memory for a test");
            assert_eq!(buffer.as_ptr().addr() % 64, 0);
        }
        assert!(HELD.load(Ordering::Relaxed) > 8 << 20);
        let output = context.alloc(9, 8).expect("memory for a test").as_ptr();
        // SAFETY: alive.
        unsafe { arr_rt_detach(output, 80) };
        assert_eq!(context.leave(0), 0);
        drop(context);
        assert!(HELD.load(Ordering::Relaxed) > 0, "the output keeps what it needs");
        // SAFETY: the caller's reference; the context is gone, and not needed.
        unsafe { arr_buffer_release(std::ptr::null_mut(), output) };
        assert_eq!(HELD.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_hook_without_memory_makes_no_context() {
        unsafe extern "C" fn none(_: *mut c_void, _: usize) -> *mut c_void {
            std::ptr::null_mut()
        }
        unsafe extern "C" fn take(_: *mut c_void, _: *mut c_void, _: usize) {}
        let options = Options { alloc: Some(none), free: Some(take), ..Options::new() };
        // SAFETY: whole options.
        assert!(unsafe { arr_context_new(&raw const options) }.is_null());
    }

    #[test]
    fn outputs_can_be_freed_by_any_thread_while_calls_run() {
        let context = TestContext::new(&Options::new());
        let mut freeing = Vec::new();
        for _ in 0..50 {
            context.enter();
            let output = context.alloc(10, 8).expect("memory for a test").as_ptr();
            assert!(context.alloc(10, 8).is_some());
            // SAFETY: alive.
            unsafe { arr_rt_detach(output, 80) };
            assert_eq!(context.leave(0), 0);
            let output = output.expose_provenance();
            freeing.push(std::thread::spawn(move || {
                // SAFETY: the only reference, handed to this thread.
                unsafe { arr_rt_release(std::ptr::with_exposed_provenance_mut(output)) }
            }));
        }
        for thread in freeing {
            thread.join().expect("releasing does not panic");
        }
        assert_eq!(context.stats().bytes_live, 0);
    }
}
