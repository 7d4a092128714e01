//! The number of references to something that several threads share.
//!
//! Invariant: the thread that gives up the last reference frees the thing. A thread that has the only reference may write
//! to it. In both cases, the thread sees all accesses by the threads that have given up their references.
//!
//! ```text
//! a: reads, releases 2 → 1;  b: sees 1, writes in place, releases 1 → 0, frees
//! ```

use crate::atomic::{AtomicU32, Ordering, fence};

/// The number of references.
#[repr(transparent)]
pub(crate) struct References(AtomicU32);

impl References {
    /// The caller's reference, which is the only one.
    pub(crate) fn one() -> Self {
        Self(AtomicU32::new(1))
    }

    /// One more, by a thread that has one.
    pub(crate) fn retain(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// One less. Whether it was the last one: then the thread may free the thing.
    pub(crate) fn release(&self) -> bool {
        // Only a thread that has a reference adds references. So if this thread has the only one, no other thread changes the number, and
        // it need not be subtracted. Most arrays have one reference, and a load costs less than an atomic subtraction.
        if self.is_alone() {
            return true;
        }
        let is_last = self.0.fetch_sub(1, Ordering::Release) == 1;
        if is_last {
            fence(Ordering::Acquire);
        }
        is_last
    }

    /// The number, where no other thread has a reference.
    pub(crate) fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Sets the number, where no other thread has a reference.
    pub(crate) fn set(&self, count: u32) {
        self.0.store(count, Ordering::Relaxed);
    }

    /// Whether the thread's reference is the only one: then it may write. Compiled code has the same load. It reads what the last of
    /// the others has stored when it gave up its reference, so all that they did is seen.
    pub(crate) fn is_alone(&self) -> bool {
        self.0.load(Ordering::Acquire) == 1
    }
}

#[cfg(all(test, loom))]
mod interleavings {
    use std::ptr::NonNull;

    use loom::alloc::Track;
    use loom::cell::UnsafeCell;
    use loom::thread;

    use super::*;

    /// An array of one element. Loom reports if threads touch the element at the same time, and if it is never freed.
    struct Array {
        count: References,
        element: UnsafeCell<Track<i64>>,
    }

    /// A reference to an array.
    struct Owner(NonNull<Array>);

    // SAFETY: the reference counts order all accesses to the element. Loom reports an access that they do not order.
    unsafe impl Send for Owner {}

    impl Owner {
        fn new(element: i64) -> Self {
            let element = UnsafeCell::new(Track::new(element));
            Self(NonNull::from(Box::leak(Box::new(Array { count: References::one(), element }))))
        }

        fn array(&self) -> &Array {
            // SAFETY: the reference keeps it alive.
            unsafe { self.0.as_ref() }
        }

        fn get(&self) -> i64 {
            // SAFETY: loom reports if another thread writes meanwhile.
            self.array().element.with(|element| unsafe { *(*element).get_ref() })
        }

        /// Writes in place if this is the only reference, and into a copy otherwise.
        fn replace(self, element: i64) -> Self {
            if !self.array().count.is_alone() {
                return Self::new(element);
            }
            // SAFETY: loom reports if another thread reads meanwhile.
            self.array().element.with_mut(|place| unsafe { *(*place).get_mut() = element });
            self
        }
    }

    impl Clone for Owner {
        fn clone(&self) -> Self {
            self.array().count.retain();
            Self(self.0)
        }
    }

    impl Drop for Owner {
        fn drop(&mut self) {
            if self.array().count.release() {
                // Loom reports if another thread reads meanwhile.
                self.array().element.with_mut(|_| ());
                // SAFETY: the last reference is gone.
                drop(unsafe { Box::from_raw(self.0.as_ptr()) });
            }
        }
    }

    #[test]
    fn the_last_of_three_threads_frees() {
        loom::model(|| {
            let array = Owner::new(5);
            let helpers = [array.clone(), array.clone()]
                .map(|own| thread::spawn(move || assert_eq!(own.get(), 5)));
            assert_eq!(array.get(), 5);
            drop(array);
            for helper in helpers {
                helper.join().expect("no thread panics");
            }
        });
    }

    #[test]
    fn threads_that_replace_an_element_see_their_own_array() {
        loom::model(|| {
            let array = Owner::new(5);
            let own = array.clone();
            let helper = thread::spawn(move || {
                let more = own.clone();
                assert_eq!(own.get(), 5);
                drop(own);
                assert_eq!(more.get(), 5);
                assert_eq!(more.replace(6).get(), 6);
            });
            assert_eq!(array.replace(7).get(), 7);
            helper.join().expect("no thread panics");
        });
    }
}
