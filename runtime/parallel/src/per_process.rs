//! A value of each process.
//!
//! Invariant: a child of `fork` never touches the value of its parent, which another thread may have been changing. Values
//! are never freed, since other threads may use them.
//!
//! ```text
//! get(1) ⇒ a new value a;  get(1) ⇒ a;  fork;  get(2) ⇒ a new value b
//! ```

#[cfg(not(all(test, loom)))]
use std::sync::atomic::{AtomicPtr, Ordering};

#[cfg(all(test, loom))]
use loom::sync::atomic::{AtomicPtr, Ordering};

use std::ptr::null_mut;

/// The value of the process that asked last.
pub(crate) struct OfProcess<T>(AtomicPtr<Value<T>>);

struct Value<T> {
    process: u32,
    value: T,
}

impl<T: Default + Sync> OfProcess<T> {
    /// There is no value yet.
    #[cfg(not(all(test, loom)))]
    pub(crate) const fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    #[cfg(all(test, loom))]
    pub(crate) fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// The value of this process.
    pub(crate) fn get(&self, process: u32) -> &T {
        let mut at = self.0.load(Ordering::Acquire);
        loop {
            // SAFETY: a value is never freed once others can see it.
            if let Some(there) = unsafe { at.as_ref() }.filter(|there| there.process == process) {
                return &there.value;
            }
            let new = Box::into_raw(Box::new(Value { process, value: T::default() }));
            match self.0.compare_exchange(at, new, Ordering::AcqRel, Ordering::Acquire) {
                // SAFETY: as above.
                Ok(_) => return unsafe { &(*new).value },
                Err(other) => {
                    // SAFETY: no other thread has seen it.
                    drop(unsafe { Box::from_raw(new) });
                    at = other;
                }
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Mutex;

    use super::OfProcess;

    #[test]
    fn a_child_leaves_the_value_of_its_parent() {
        let values = OfProcess::<Mutex<i32>>::new();
        let parent = values.get(1);
        let held = parent.lock().expect("no thread panics");
        assert!(std::ptr::eq(values.get(1), parent));
        *values.get(2).lock().expect("no thread panics") = 7;
        assert_eq!(*values.get(2).lock().expect("no thread panics"), 7);
        assert_eq!(*held, 0);
    }
}

#[cfg(all(test, loom))]
mod interleavings {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    use super::OfProcess;

    struct Made(UnsafeCell<i64>);

    impl Default for Made {
        fn default() -> Self {
            let made = UnsafeCell::new(0);
            // Loom reports if another thread reads this value before it is complete.
            made.with_mut(|made| unsafe { *made = 5 });
            Self(made)
        }
    }

    // SAFETY: the tests only read it once it is made.
    unsafe impl Sync for Made {}

    #[test]
    fn threads_of_a_process_get_the_same_complete_value() {
        loom::model(|| {
            let values = Arc::new(OfProcess::<Made>::new());
            // The value of the parent.
            let parent = std::ptr::from_ref(values.get(1)).addr();
            let helper = {
                let values = Arc::clone(&values);
                thread::spawn(move || {
                    let value = values.get(2);
                    // SAFETY: as above.
                    assert_eq!(value.0.with(|value| unsafe { *value }), 5);
                    std::ptr::from_ref(value).addr()
                })
            };
            let own = values.get(2);
            // SAFETY: as above.
            assert_eq!(own.0.with(|value| unsafe { *value }), 5);
            let own = std::ptr::from_ref(own).addr();
            assert_eq!(helper.join().expect("no thread panics"), own);
            assert_ne!(own, parent);
        });
    }
}
