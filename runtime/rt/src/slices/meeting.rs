//! A place where threads that have ended leave what they made, for the next thread that ends.
//!
//! Invariant: at most one thing is there, and only the thread that takes it has it then.
//!
//! ```text
//! b leaves 2; a takes 2 and leaves 2 + 1; c takes 3 and leaves 3 + 4   ⇒   7 is there
//! ```

use core::ptr::{NonNull, null_mut};

use crate::atomic::{AtomicPtr, Ordering};

/// The place.
pub(super) struct Meeting<T>(AtomicPtr<T>);

impl<T> Meeting<T> {
    /// Nothing is there.
    pub(super) fn empty() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// Leaves something of this thread's. As long as something is there, this thread takes it and joins it with its
    /// own.
    pub(super) fn leave(&self, own: NonNull<T>, mut join: impl FnMut(NonNull<T>)) {
        loop {
            while let Some(other) = self.take() {
                join(other);
            }
            let left = self.0.compare_exchange(
                null_mut(),
                own.as_ptr(),
                Ordering::AcqRel,
                Ordering::Relaxed,
            );
            // Otherwise another thread has ended in between.
            if left.is_ok() {
                return;
            }
        }
    }

    /// Takes what is there.
    pub(super) fn take(&self) -> Option<NonNull<T>> {
        NonNull::new(self.0.swap(null_mut(), Ordering::AcqRel))
    }
}

#[cfg(all(test, loom))]
mod interleavings {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    type Sum = UnsafeCell<i64>;

    /// Leaves a number. Two numbers join to their sum, and the other's memory is freed.
    fn leave(meeting: &Meeting<Sum>, number: i64) {
        let own = NonNull::from(Box::leak(Box::new(UnsafeCell::new(number))));
        meeting.leave(own, |other| {
            // SAFETY: both are this thread's, and loom reports if another thread touches them.
            unsafe {
                let more = Box::from_raw(other.as_ptr()).into_inner();
                own.as_ref().with_mut(|sum| *sum += more);
            }
        });
    }

    fn sum_of(threads: i64) {
        let meeting = Arc::new(Meeting::empty());
        let helpers: Vec<_> = (1..threads)
            .map(|number| {
                let meeting = Arc::clone(&meeting);
                thread::spawn(move || leave(&meeting, 1 << number))
            })
            .collect();
        leave(&meeting, 1);
        for helper in helpers {
            helper.join().expect("no thread panics");
        }
        let all = meeting.take().expect("the last thread left the sum");
        // SAFETY: all threads have ended.
        let all = unsafe { Box::from_raw(all.as_ptr()) }.into_inner();
        assert_eq!(all, (1 << threads) - 1);
        assert!(meeting.take().is_none());
    }

    #[test]
    fn what_threads_leave_is_joined() {
        loom::model(|| sum_of(2));
        loom::model(|| sum_of(3));
    }
}
