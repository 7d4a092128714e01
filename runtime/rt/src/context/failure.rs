//! How the last call of a context ended: its code, its message, and what the external that ran last said.
//!
//! Invariant: the first failure of a call stands; what fails after it may fail because of it.

use core::ffi::{CStr, c_char, c_int};
use core::sync::atomic::{AtomicBool, Ordering};

use arr_abi::ErrorCode;
use arr_abi::layout::Site;

use super::Context;
use crate::lock::Lock;
use crate::message::{Message, Refused, Shortage};

/// The outcome of the last call.
pub(super) struct Outcome {
    failure: Lock<Failure>,
    /// Whether something was noted since the outcome was cleared. It is set under the lock. Most calls do not fail, and the next call
    /// has nothing to clear then.
    noted: AtomicBool,
}

impl Outcome {
    /// Initialises the outcome at `place`: nothing has failed.
    ///
    /// # Safety
    /// `place` can be written.
    pub(super) unsafe fn init(place: *mut Self) {
        // SAFETY: by contract; each field is written.
        unsafe {
            Lock::init(&raw mut (*place).failure, |failure| Failure::init(failure));
            (&raw mut (*place).noted).write(AtomicBool::new(false));
        }
    }

    /// Calls `look` with the outcome, which it leaves as it is.
    fn with<R>(&self, look: impl FnOnce(&Failure) -> R) -> R {
        self.failure.with(|failure| look(failure))
    }

    /// Calls `note` with the outcome, which it may change.
    fn note<R>(&self, note: impl FnOnce(&mut Failure) -> R) -> R {
        self.failure.with(|failure| {
            self.noted.store(true, Ordering::Relaxed);
            note(failure)
        })
    }

    /// Removes the error code and the messages of the last call.
    #[inline]
    fn clear(&self) {
        if self.noted.load(Ordering::Relaxed) {
            self.clear_noted();
        }
    }

    #[cold]
    fn clear_noted(&self) {
        self.failure.with(|failure| {
            failure.code = 0;
            failure.message.clear();
            failure.said.clear();
            self.noted.store(false, Ordering::Relaxed);
        });
    }
}

/// How a call failed.
struct Failure {
    /// 0 while nothing failed.
    code: c_int,
    message: Message,
    /// The message with which the external that runs, or ran last, explains its failure.
    said: Message,
    /// The code of that failure.
    said_code: ErrorCode,
}

impl Failure {
    /// Initialises the outcome at `place`: nothing has failed.
    ///
    /// # Safety
    /// `place` can be written.
    unsafe fn init(place: *mut Self) {
        // SAFETY: by contract; each field is written.
        unsafe {
            (&raw mut (*place).code).write(0);
            Message::init(&raw mut (*place).message);
            Message::init(&raw mut (*place).said);
            (&raw mut (*place).said_code).write(ErrorCode::External);
        }
    }
}

/// Why the last call failed; empty if it did not. Valid until the next call or the context's end.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_context_error(context: *const Context) -> *const c_char {
    const NO_CONTEXT: &CStr = c"the context is NULL";
    // SAFETY: by contract.
    match unsafe { context.as_ref() } {
        Some(context) => context.outcome.with(|failure| failure.message.as_ptr()),
        None => NO_CONTEXT.as_ptr(),
    }
}

/// The code that the last call returned; 0 if it did not fail.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_context_error_code(context: *const Context) -> c_int {
    // SAFETY: by contract.
    match unsafe { context.as_ref() } {
        Some(context) => context.code(),
        None => ErrorCode::Argument.number(),
    }
}

impl Context {
    /// Takes over the failure of a worker of the context.
    pub(crate) fn fail_as(&self, worker: &Self) {
        worker.outcome.with(|from| {
            self.outcome.note(|failure| {
                failure.code = from.code;
                failure.message.copy_from(&from.message);
            });
        });
    }

    /// The code to report for a failure. Cancelling a call changes its stack limit so that the stack check fails too.
    /// Such a failure is reported as a cancellation.
    pub(crate) fn code_of(&self, code: c_int) -> c_int {
        if self.is_cancelled() && code == ErrorCode::Stack.number() {
            return ErrorCode::Cancelled.number();
        }
        code
    }

    /// Forgets how the last call ended.
    pub(crate) fn clear_failure(&self) {
        self.outcome.clear();
    }

    /// The code of the running call's failure; 0 if nothing failed.
    pub(crate) fn code(&self) -> c_int {
        self.outcome.with(|failure| failure.code)
    }

    /// Notes why the running call fails. The first reason stands, since later failures may be its consequences.
    ///
    /// # Safety
    /// `site` is NULL or a site with NULL or C strings.
    pub(crate) unsafe fn fail(&self, code: c_int, site: *const Site, a: i64, b: i64) {
        self.outcome.note(|failure| {
            if failure.code == 0 {
                failure.code = code;
                // SAFETY: by contract.
                unsafe { failure.message.describe(code, site, a, b) };
            }
        });
    }

    /// Notes why the running call fails, in the words of the site.
    ///
    /// # Safety
    /// As for [`Message::describe_with`].
    pub(crate) unsafe fn fail_with(&self, code: c_int, site: *const Site, values: *const u64) {
        self.outcome.note(|failure| {
            if failure.code == 0 {
                failure.code = code;
                // SAFETY: by contract.
                unsafe { failure.message.describe_with(site, values) };
            }
        });
    }

    /// Keeps the message of an external about its failure.
    pub(crate) fn say(&self, code: ErrorCode, text: &[u8]) {
        self.outcome.note(|failure| {
            failure.said_code = code;
            failure.said.say(text);
        });
    }

    /// Notes that an external asked for an array of a negative size.
    pub(crate) fn say_size(&self, size: i64) {
        self.outcome.note(|failure| {
            failure.said_code = ErrorCode::External;
            failure.said.say_size(size);
        });
    }

    /// Notes that an external got no memory.
    pub(crate) fn say_shortage(&self, shortage: Shortage) {
        self.outcome.note(|failure| {
            failure.said_code = ErrorCode::Memory;
            // SAFETY: NULL is no site.
            unsafe { failure.said.describe_shortage(shortage, core::ptr::null()) };
        });
    }

    /// Notes that an external failed, by its message or its code; gives the code that the call fails with.
    ///
    /// # Safety
    /// As for [`Self::fail`].
    pub(crate) unsafe fn fail_external(&self, code: c_int, site: *const Site) -> c_int {
        self.outcome.note(|failure| {
            let said = failure.said_code;
            failure.said_code = ErrorCode::External;
            if failure.code == 0 {
                failure.code = said.number();
                // SAFETY: by contract.
                unsafe { failure.message.describe_external(&failure.said, code, site) };
            }
            failure.code
        })
    }

    /// Notes that an external gave an invalid array; returns the code with which the call fails.
    ///
    /// # Safety
    /// As for [`Self::fail`].
    pub(crate) unsafe fn refuse_external(&self, refused: Refused, site: *const Site) -> c_int {
        self.outcome.note(|failure| {
            if failure.code == 0 {
                failure.code = ErrorCode::External.number();
                // SAFETY: by contract.
                unsafe { failure.message.describe_refused(refused, site) };
            }
            failure.code
        })
    }

    /// Adds a call to the message of the failure: the failure ended this call too.
    ///
    /// # Safety
    /// `site` is NULL or a site with NULL or C strings.
    pub(crate) unsafe fn pass(&self, site: *const Site) {
        // SAFETY: by contract.
        self.outcome.note(|failure| unsafe { failure.message.push_call(site) });
    }

    /// Ends a call that returns a code other than 0. A reason that was given before stands.
    #[cold]
    pub(crate) fn end_failed(&self, code: c_int) {
        // SAFETY: NULL is no site.
        unsafe { self.fail(code, core::ptr::null(), 0, 0) };
        self.outcome.note(|failure| failure.message.finish());
    }

    /// Notes that memory is short, as [`Self::fail`] does.
    ///
    /// # Safety
    /// As for [`Self::fail`].
    pub(crate) unsafe fn fail_for_memory(&self, shortage: Shortage, site: *const Site) {
        self.outcome.note(|failure| {
            if failure.code == 0 {
                failure.code = ErrorCode::Memory.number();
                // SAFETY: by contract.
                unsafe { failure.message.describe_shortage(shortage, site) };
            }
        });
    }
}
