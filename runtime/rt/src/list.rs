//! A list of buffers, linked in both directions.
//!
//! Invariant: the buffers on it are alive, and on no other list. Its users ensure that one thread at a time changes it. Any thread may
//! ask whether it is empty.

use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::buffer::Buffer;

/// Where the list begins. All zero is the empty list.
#[repr(transparent)]
pub(crate) struct List {
    newest: AtomicPtr<Buffer>,
}

impl List {
    /// A list of nothing.
    pub(crate) fn new() -> Self {
        Self { newest: AtomicPtr::new(null_mut()) }
    }

    /// The buffer that came last.
    pub(crate) fn newest(&self) -> Option<NonNull<Buffer>> {
        NonNull::new(self.newest.load(Ordering::Relaxed))
    }

    fn begin_with(&self, buffer: Option<NonNull<Buffer>>) {
        self.newest.store(buffer.map_or(null_mut(), NonNull::as_ptr), Ordering::Relaxed);
    }

    /// Puts a buffer on the list.
    ///
    /// # Safety
    /// The buffer is alive and on no list.
    pub(crate) unsafe fn link(&self, buffer: NonNull<Buffer>) {
        let newest = self.newest();
        // SAFETY: by contract, and buffers on the list are alive.
        unsafe {
            (*buffer.as_ptr()).older = newest;
            (*buffer.as_ptr()).newer = None;
            (*buffer.as_ptr()).linked = true;
            if let Some(older) = newest {
                (*older.as_ptr()).newer = Some(buffer);
            }
        }
        self.begin_with(Some(buffer));
    }

    /// Takes a buffer off the list. Gives whether it was on it.
    ///
    /// # Safety
    /// The buffer is alive and on no other list.
    pub(crate) unsafe fn unlink(&self, buffer: NonNull<Buffer>) -> bool {
        // SAFETY: by contract, and buffers on the list are alive.
        unsafe {
            if !(*buffer.as_ptr()).linked {
                return false;
            }
            (*buffer.as_ptr()).linked = false;
            let older = (*buffer.as_ptr()).older.take();
            let newer = (*buffer.as_ptr()).newer.take();
            if let Some(older) = older {
                (*older.as_ptr()).newer = newer;
            }
            match newer {
                Some(newer) => (*newer.as_ptr()).older = older,
                None => self.begin_with(older),
            }
        }
        true
    }

    /// Calls a function with each buffer, which stays on the list.
    pub(crate) fn each(&self, mut act: impl FnMut(NonNull<Buffer>)) {
        let mut at = self.newest();
        while let Some(buffer) = at {
            // SAFETY: buffers on the list are alive.
            at = unsafe { buffer.as_ref() }.older;
            act(buffer);
        }
    }
}
