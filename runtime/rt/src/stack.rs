//! The limit of a call's stack.
//!
//! Invariant: below the limit there is room for functions that do not check the limit: functions that do not recurse,
//! the mathematical functions and this runtime.

use core::cell::Cell;

/// The most bytes of a stack that are kept for functions that do not check the limit.
const MAX_MARGIN: usize = 256 << 10;
/// The bytes that a call may use of a stack with unknown bounds.
const UNKNOWN_STACK: usize = 64 << 10;

/// The addresses between which a thread's stack lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bounds {
    low: usize,
    high: usize,
}

std::thread_local! {
    /// To ask the system, the main thread reads its memory map, so each thread asks once. A plain value without
    /// destructor: a library can be unloaded while the thread lives on.
    static BOUNDS: Cell<Option<Bounds>> = const { Cell::new(None) };
}

/// The lowest address that a frame of a call that starts here may have, if the call may use `option` bytes (0: the
/// thread's stack).
#[inline]
pub(crate) fn limit(option: usize) -> usize {
    let mark = 0_u8;
    let here = core::hint::black_box(&raw const mark).addr();
    limit_from(here, thread_bounds(), option)
}

fn limit_from(here: usize, bounds: Option<Bounds>, option: usize) -> usize {
    let lowest = match bounds {
        Some(Bounds { low, high }) if (low..high).contains(&here) => {
            low + ((high - low) / 8).min(MAX_MARGIN)
        }
        // A coroutine has a stack of its own, which the thread does not know. Then the option of the caller holds, or
        // else a small default.
        Some(_) | None if option > 0 => 0,
        Some(_) | None => here.saturating_sub(UNKNOWN_STACK),
    };
    if option == 0 { lowest } else { lowest.max(here.saturating_sub(option)) }
}

fn thread_bounds() -> Option<Bounds> {
    let known = BOUNDS.try_with(Cell::get).ok().flatten();
    known.or_else(find_bounds)
}

#[cold]
fn find_bounds() -> Option<Bounds> {
    let bounds = ask_for_bounds();
    // In a thread that is ending, the value may be gone; then it asks again.
    let _ = BOUNDS.try_with(|cached| cached.set(bounds));
    bounds
}

#[cfg(target_os = "linux")]
fn ask_for_bounds() -> Option<Bounds> {
    let mut attributes = core::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: fills the attributes of the running thread, if it returns 0.
    if unsafe { libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) } != 0 {
        return None;
    }
    let (mut start, mut size, mut guard) = (core::ptr::null_mut(), 0, 0);
    // SAFETY: the attributes were filled above and are destroyed once, here.
    let failed = unsafe {
        let attributes = attributes.as_mut_ptr();
        let failed = libc::pthread_attr_getstack(attributes, &raw mut start, &raw mut size)
            | libc::pthread_attr_getguardsize(attributes, &raw mut guard);
        libc::pthread_attr_destroy(attributes);
        failed
    };
    // Some C libraries count the guard pages as stack.
    let bounds =
        Bounds { low: start.addr().checked_add(guard)?, high: start.addr().checked_add(size)? };
    (failed == 0 && bounds.low < bounds.high).then_some(bounds)
}

#[cfg(not(target_os = "linux"))]
fn ask_for_bounds() -> Option<Bounds> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: Bounds = Bounds { low: 1 << 20, high: 9 << 20 };

    #[test]
    fn the_margin_is_kept() {
        assert_eq!(limit_from(8 << 20, Some(STACK), 0), (1 << 20) + MAX_MARGIN);
        let small = Bounds { low: 1 << 20, high: (1 << 20) + (64 << 10) };
        assert_eq!(limit_from(small.high - 100, Some(small), 0), small.low + (8 << 10));
    }

    #[test]
    fn an_option_only_takes_away() {
        assert_eq!(limit_from(8 << 20, Some(STACK), 1 << 20), 7 << 20);
        assert_eq!(limit_from(8 << 20, Some(STACK), usize::MAX), (1 << 20) + MAX_MARGIN);
    }

    #[test]
    fn unknown_stacks_get_little_or_what_the_option_says() {
        for bounds in [None, Some(STACK)] {
            assert_eq!(limit_from(100 << 20, bounds, 0), (100 << 20) - UNKNOWN_STACK);
            assert_eq!(limit_from(100 << 20, bounds, 1 << 20), 99 << 20);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_knows_its_stack() {
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let joined = thread
            .spawn(|| {
                let mark = 0_u8;
                let here = (&raw const mark).addr();
                let bounds = thread_bounds().expect("Linux tells");
                assert!((bounds.low..bounds.high).contains(&here));
                assert!(bounds.high - bounds.low <= 3 << 20, "{bounds:?}");
                let limit = limit(0);
                assert!(limit > bounds.low && limit < here && here - limit < 2 << 20);
            })
            .expect("a thread for a test")
            .join();
        assert!(joined.is_ok());
    }
}
