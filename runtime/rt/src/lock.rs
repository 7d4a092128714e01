//! A value that one thread at a time accesses.
//!
//! Invariant: the value is accessed only while the mutex is held. The mutex is the system's, since that of Rust's
//! library needs the machinery of panics.

use core::cell::UnsafeCell;

/// A value behind a lock. It must not move once it is shared.
pub(crate) struct Lock<T> {
    mutex: UnsafeCell<libc::pthread_mutex_t>,
    value: UnsafeCell<T>,
}

impl<T> Lock<T> {
    /// Makes a free lock at its place, and the value in it by `value`: both may be too large
    /// for the stack.
    ///
    /// # Safety
    /// `place` can be written, and `value` writes a value.
    pub(crate) unsafe fn init(place: *mut Self, value: impl FnOnce(*mut T)) {
        // SAFETY: by contract; a cell has the layout of its value.
        unsafe {
            (&raw mut (*place).mutex).write(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER));
            value((&raw mut (*place).value).cast());
        }
    }

    /// The same for a small value, which may move until it is shared.
    pub(crate) fn new(value: T) -> Self {
        Self {
            mutex: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER),
            value: UnsafeCell::new(value),
        }
    }

    /// Calls `act` with the value, while no other thread has it. `act` must not take the same lock.
    pub(crate) fn with<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: the mutex is initialised, and does not move while it is shared. Locking a plain
        // mutex cannot fail, and nothing unwinds between the two. The value is ours in between.
        unsafe {
            libc::pthread_mutex_lock(self.mutex.get());
            let result = act(&mut *self.value.get());
            libc::pthread_mutex_unlock(self.mutex.get());
            result
        }
    }
}

impl<T> Lock<T> {
    /// Calls `look` with the value until it finds something. While it finds nothing, the thread sleeps until
    /// [`Signal::wake_all`].
    pub(crate) fn wait<R>(&self, signal: &Signal, mut look: impl FnMut(&mut T) -> Option<R>) -> R {
        // SAFETY: as in [`Self::with`]; a thread that waits holds the mutex again when the wait is over.
        unsafe {
            libc::pthread_mutex_lock(self.mutex.get());
            let found = loop {
                match look(&mut *self.value.get()) {
                    Some(found) => break found,
                    None => {
                        libc::pthread_cond_wait(signal.condition.get(), self.mutex.get());
                    }
                }
            };
            libc::pthread_mutex_unlock(self.mutex.get());
            found
        }
    }
}

/// A signal that wakes the threads that wait for a change of a value. It must not move once it is shared.
pub(crate) struct Signal {
    condition: UnsafeCell<libc::pthread_cond_t>,
}

impl Signal {
    /// One for which no thread waits.
    pub(crate) fn new() -> Self {
        Self { condition: UnsafeCell::new(libc::PTHREAD_COND_INITIALIZER) }
    }

    /// Wakes all threads that wait, since the value has changed.
    pub(crate) fn wake_all(&self) {
        // SAFETY: the condition is initialised, and does not move while it is shared.
        unsafe { libc::pthread_cond_broadcast(self.condition.get()) };
    }
}

impl Drop for Signal {
    fn drop(&mut self) {
        // SAFETY: no thread waits any more.
        unsafe { libc::pthread_cond_destroy(self.condition.get()) };
    }
}

impl<T> Drop for Lock<T> {
    fn drop(&mut self) {
        // SAFETY: no other thread uses the lock any more, so it is free.
        unsafe { libc::pthread_mutex_destroy(self.mutex.get()) };
    }
}

#[cfg(test)]
mod tests {
    use super::Lock;

    #[test]
    fn threads_take_turns() {
        struct Shared(Lock<u32>);
        // SAFETY: the number is touched under the lock.
        unsafe impl Sync for Shared {}
        let mut lock = std::mem::MaybeUninit::<Lock<u32>>::uninit();
        // SAFETY: the lock is made before it is used, and not moved once it is shared.
        let shared = Shared(unsafe {
            Lock::init(lock.as_mut_ptr(), |value| value.write(0));
            lock.assume_init()
        });
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let shared = &shared;
                scope.spawn(move || (0..1000).for_each(|_| shared.0.with(|number| *number += 1)));
            }
        });
        assert_eq!(shared.0.with(|number| *number), 4000);
    }
}
