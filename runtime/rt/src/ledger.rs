//! The bytes that the buffers of a heap take, and those that are kept for the next ones.
//!
//! Invariant: a ledger is only accessed under the lock of its heap. All small buffers of the context count as held, but
//! only those in use count as live.

use core::ptr::NonNull;

use crate::buffer::{Buffer, OVERHEAD};
use crate::memory::{Allocator, Block};
use crate::message::Shortage;
use crate::pool::Pool;
use crate::small::Small;

/// The counters of a heap, under one lock: a call may free its arrays while the caller's other threads free arrays of
/// earlier calls.
pub(crate) struct Ledger {
    /// The context, if it has not ended, and the buffers: they need the heap.
    pub(crate) users: usize,
    /// The small buffers of the context, until it ends.
    pub(crate) small: Option<NonNull<Small>>,
    /// How many calls have begun, as far as the ledger knows. The counters of the last call below are those of this one.
    pub(crate) calls: usize,
    /// The bytes that the buffers may take.
    pub(crate) held: usize,
    /// The part of them that is the capacity of buffers whose used bytes are not known yet.
    pub(crate) open: usize,
    /// The most in use at once.
    pub(crate) peak: usize,
    /// The unused part of the live bytes, as far as [`crate::heap::Heap::may_spare`] allowed it.
    pub(crate) spare: usize,
    pub(crate) call_allocations: u64,
    pub(crate) call_bytes: u64,
    pub(crate) call_left_over: u64,
    pub(crate) pool: Pool,
}

impl Ledger {
    /// Makes an empty ledger at its place.
    ///
    /// # Safety
    /// `place` can be written.
    pub(crate) unsafe fn init(place: *mut Self, allocator: Allocator, pool_limit: usize) {
        // SAFETY: by contract; each field is written.
        unsafe {
            (&raw mut (*place).users).write(1);
            (&raw mut (*place).small).write(None);
            (&raw mut (*place).calls).write(0);
            (&raw mut (*place).held).write(0);
            (&raw mut (*place).open).write(0);
            (&raw mut (*place).peak).write(0);
            (&raw mut (*place).spare).write(0);
            (&raw mut (*place).call_allocations).write(0);
            (&raw mut (*place).call_bytes).write(0);
            (&raw mut (*place).call_left_over).write(0);
            Pool::init(&raw mut (*place).pool, allocator, pool_limit);
        }
    }
}

/// The spare bytes of a buffer.
///
/// # Safety
/// The buffer is alive, and the heap's lock is held.
pub(crate) unsafe fn spare_of(buffer: NonNull<Buffer>) -> usize {
    // SAFETY: by contract.
    let spare = unsafe { buffer.as_ref() }.spare;
    usize::try_from(spare).unwrap_or(0)
}

impl Ledger {
    /// Notes that a call has begun. The ledger is told later, by the first one who uses it: the bytes of ordinary buffers are the same as
    /// when the call began, except for small buffers that it has returned since. These count in the peak anyway.
    pub(crate) fn begin_call(&mut self, calls: usize) {
        self.calls = calls;
        self.peak = self.ordinary();
        self.call_allocations = 0;
        self.call_bytes = 0;
        self.call_left_over = 0;
    }

    /// Ends the use of the heap by its context or a buffer. Whether that was the last user: then the thread frees the heap.
    pub(crate) fn leave(&mut self) -> bool {
        self.users -= 1;
        self.users == 0
    }

    /// Counts a buffer before it exists, so that several threads cannot exceed the limit together.
    pub(crate) fn reserve(&mut self, capacity: usize, limit: usize) -> Result<usize, Shortage> {
        let none = Shortage { bytes: to_u128(capacity), limit: 0, live: 0 };
        let bytes = capacity.checked_add(OVERHEAD).ok_or(none)?;
        self.hold(bytes, limit)
            .map_err(|shortage| Shortage { bytes: to_u128(capacity), ..shortage })?;
        Ok(bytes)
    }

    /// Counts `bytes` more. Only for the running call.
    #[inline]
    pub(crate) fn hold(&mut self, bytes: usize, limit: usize) -> Result<(), Shortage> {
        self.mark();
        match self.held.checked_add(bytes) {
            Some(held) if limit == 0 => self.held = held,
            Some(_) | None => self.hold_within(bytes, limit)?,
        }
        Ok(())
    }

    /// The same with a limit, or where the number of bytes is too large.
    #[cold]
    fn hold_within(&mut self, bytes: usize, limit: usize) -> Result<(), Shortage> {
        let over = |held: usize| limit > 0 && held.saturating_add(bytes) > limit;
        if over(self.held) {
            self.shrink_small(0);
        }
        let shortage = Shortage { bytes: to_u128(bytes), limit, live: self.held };
        let held = self.held.checked_add(bytes).ok_or(Shortage { limit: 0, ..shortage })?;
        if over(self.held) {
            return Err(shortage);
        }
        self.held = held;
        if limit > 0 {
            self.pool.shrink(limit - held + bytes);
        }
        Ok(())
    }

    /// Counts a buffer with `bytes` of elements, if they are more than before. It will use all of them.
    ///
    /// # Safety
    /// The buffer is alive, and counted.
    pub(crate) unsafe fn count(
        &mut self,
        mut buffer: NonNull<Buffer>,
        capacity: usize,
        limit: usize,
    ) -> Result<(), Shortage> {
        // SAFETY: by contract.
        let buffer = unsafe { buffer.as_mut() };
        let more = capacity.saturating_sub(buffer.capacity);
        self.hold(more, limit)
            .map_err(|shortage| Shortage { bytes: to_u128(capacity), ..shortage })?;
        buffer.capacity += more;
        if buffer.open {
            self.open += more;
        }
        self.spare -= usize::try_from(buffer.spare).unwrap_or(0);
        buffer.spare = 0;
        self.mark();
        Ok(())
    }

    /// Stops counting a buffer.
    ///
    /// # Safety
    /// The buffer is alive, and counted.
    pub(crate) unsafe fn forget(&mut self, buffer: NonNull<Buffer>) {
        self.peak = self.peak();
        // SAFETY: by contract.
        unsafe {
            let capacity = buffer.as_ref().capacity;
            self.held -= capacity + OVERHEAD;
            if buffer.as_ref().open {
                self.open -= capacity;
            }
            self.spare -= spare_of(buffer);
        }
    }

    /// Notes that the call got memory for `bytes` of elements.
    pub(crate) fn note(&mut self, bytes: usize) {
        self.call_allocations += 1;
        self.call_bytes += u64::try_from(bytes).unwrap_or(u64::MAX);
        self.mark();
    }

    /// Notes the peak of the bytes in use. Only for the running call.
    ///
    /// It must be called before and after the call's ordinary buffers take more, since [`Small`] notes only the peak of
    /// small buffers between two calls of this.
    pub(crate) fn mark(&mut self) {
        self.peak = self.peak();
        if let Some(small) = self.small() {
            small.look();
        }
    }

    /// The most in use at once.
    pub(crate) fn peak(&self) -> usize {
        self.peak.max(self.ordinary() + self.small().map_or(0, Small::peak))
    }

    /// The bytes in use.
    pub(crate) fn live(&self) -> usize {
        self.ordinary() + self.small().map_or(0, Small::live)
    }

    /// The bytes that are kept for the next arrays. While a call runs, another thread may see its counters between two changes.
    pub(crate) fn kept(&self) -> usize {
        let free = |small: &Small| small.bytes().saturating_sub(small.live());
        self.pool.bytes() + self.small().map_or(0, free)
    }

    /// The bytes that ordinary buffers use. It must be asked for before [`Small::peak`], which depends on it.
    fn ordinary(&self) -> usize {
        self.held - self.open - self.small().map_or(0, Small::bytes)
    }

    /// The small buffers of the context.
    pub(crate) fn small(&self) -> Option<&Small> {
        // SAFETY: the pointer is removed before the context ends.
        self.small.map(|small| unsafe { small.as_ref() })
    }

    /// Frees unused small buffers until the rest has at most `most` bytes. Only for the running
    /// call, or between calls.
    pub(crate) fn shrink_small(&mut self, most: usize) {
        // SAFETY: as in [`Self::small`]. The borrow does not hold on to the ledger.
        let Some(small) = self.small.map(|small| unsafe { &*small.as_ptr() }) else { return };
        if small.bytes() <= most {
            return;
        }
        // SAFETY: free buffers are not in use.
        unsafe {
            small.shrink(most, |buffer| {
                self.users -= 1;
                self.held -= buffer.as_ref().capacity + OVERHEAD;
                self.pool.give(Buffer::block(buffer));
            });
        }
    }

    /// Keeps a block for the next array, or gives it back.
    ///
    /// # Safety
    /// The block is of this heap and is not used any more.
    #[inline]
    pub(crate) unsafe fn give(&mut self, block: Block, limit: usize) {
        // SAFETY: by contract.
        unsafe { self.pool.give(block) };
        if limit > 0 {
            self.shrink_within(limit);
        }
    }

    /// Gives back kept blocks that the limit leaves no room for.
    #[cold]
    fn shrink_within(&mut self, limit: usize) {
        self.pool.shrink(limit.saturating_sub(self.held));
    }
}

pub(crate) fn to_u128(bytes: usize) -> u128 {
    u128::try_from(bytes).unwrap_or(u128::MAX)
}
