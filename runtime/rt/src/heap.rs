//! The arrays of a context: the memory that they take, and the list of those that the running call made.
//!
//! An array counts with its capacity from its creation on, since a limit bounds the capacities. The bytes in use are
//! the same, except for arrays in pages of their own whose length is not known yet: untouched pages take no memory, so
//! such an array counts from when its length is known.
//!
//! Invariant: a heap lives until its context and all its buffers are freed. So an array that a call returned may be
//! freed before or after the context. The list holds the buffers that the running call allocated and neither
//! freed nor handed to the caller; between calls it is empty.
//!
//! A call begins and ends without the lock, if it leaves nothing to be done. Its beginning is a number that it counts up: whoever uses the ledger
//! next sees it, and begins to count anew. That changes no statistics, since the ledger is the same as when the call began.

use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use arr_abi::layout::{HEADER, Options, Stats};

use crate::buffer::{Buffer, OVERHEAD};
use crate::ledger::{Ledger, spare_of, to_u128};
use crate::list::List;
use crate::lock::Lock;
use crate::memory::{Allocator, Block, Origin};
use crate::message::Shortage;
use crate::options;
use crate::small::{Size, Small};

/// The most unused bytes that arrays keep, to avoid copies. `scripts/bench filter_max_i32` keeps half, among others:
/// such a filter took 0.6 of the time without the copy, in the cache. The limit was not measured by itself.
const MAX_SPARED: usize = 1 << 20;
/// An array that grows into its pages counts this many bytes ahead, so that not every append updates the ledger. No
/// benchmark shows it alone.
const AHEAD: usize = 64 << 10;
/// Under a memory limit, this part of the limit may be counted ahead: one byte in `SPARED_OF_LIMIT`. No benchmark shows
/// it alone.
const SPARED_OF_LIMIT: usize = 64;
/// The most bytes of small buffers that a context keeps between calls. `scripts/bench quadtree_points` has many of
/// them. Not measured by itself.
const SMALL_LIMIT: usize = 1 << 20;

/// How much of a new buffer will be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Room {
    /// All of it.
    Exact,
    /// That is known later.
    AtMost,
}

/// The state that a context and its buffers share.
pub(crate) struct Heap {
    allocator: Allocator,
    limit: usize,
    /// The most bytes that are kept of freed arrays.
    pool_limit: usize,
    /// The block of the heap itself.
    block: Block,
    /// The buffers of the running call, except small ones. It is changed under the lock, or by the thread of the entry when all others have
    /// ended what they did for the call.
    list: List,
    /// How many calls have begun. Only a call that begins changes it.
    calls: AtomicUsize,
    /// The small buffers of the context, as in the ledger, for the thread of its call.
    small: AtomicPtr<Small>,
    /// What [`Small::taken`] was when the last one began.
    taken_before: [AtomicUsize; 2],
    /// The bytes in the pool when the lock was last free.
    pooled: AtomicUsize,
    ledger: Lock<Ledger>,
}

impl Heap {
    /// A heap with one reference, the caller's. It is made in its place: a copy of it would not fit the smallest
    /// stacks.
    pub(crate) fn create(options: &Options) -> Option<NonNull<Self>> {
        let allocator = Allocator { hook: options::hook(options) };
        Self::make(allocator, options.memory_limit, options::pool_limit(options))
    }

    /// A heap beside this one, for a worker of its context; `None` if there is no memory, or a limit, which holds for all
    /// threads together.
    pub(crate) fn beside(&self) -> Option<NonNull<Self>> {
        if self.limit > 0 {
            return None;
        }
        Self::make(self.allocator, 0, self.pool_limit)
    }

    fn make(allocator: Allocator, limit: usize, pool_limit: usize) -> Option<NonNull<Self>> {
        let block = allocator.allocate(size_of::<Self>())?;
        let heap: NonNull<Self> = block.start.cast();
        let place = heap.as_ptr();
        // SAFETY: the block is new, long enough, and aligned for anything; each field is written.
        unsafe {
            (&raw mut (*place).allocator).write(allocator);
            (&raw mut (*place).limit).write(limit);
            (&raw mut (*place).pool_limit).write(pool_limit);
            (&raw mut (*place).block).write(block);
            (&raw mut (*place).list).write(List::new());
            (&raw mut (*place).calls).write(AtomicUsize::new(0));
            (&raw mut (*place).small).write(AtomicPtr::new(null_mut()));
            (&raw mut (*place).taken_before).write([const { AtomicUsize::new(0) }; 2]);
            (&raw mut (*place).pooled).write(AtomicUsize::new(0));
            Lock::init(&raw mut (*place).ledger, |ledger: *mut Ledger| {
                Ledger::init(ledger, allocator, pool_limit);
            });
        }
        Some(heap)
    }

    /// Ends the use of a heap by its context; the last user frees the heap.
    ///
    /// # Safety
    /// The context does not use the heap any more.
    pub(crate) unsafe fn release(heap: NonNull<Self>) {
        // SAFETY: by contract, and the heap is alive as long as it has users.
        unsafe {
            let is_last = heap.as_ref().with(Ledger::leave);
            Self::free_if(is_last, heap);
        }
    }

    /// Frees the heap if the last user has left it.
    ///
    /// # Safety
    /// If the last user has left, no thread uses the heap any more, and no thread holds its mutex.
    #[inline]
    unsafe fn free_if(is_last: bool, heap: NonNull<Self>) {
        if is_last {
            // SAFETY: by contract.
            unsafe { Self::destroy(heap) };
        }
    }

    /// # Safety
    /// The heap and its block have no user any more.
    #[cold]
    unsafe fn destroy(heap: NonNull<Self>) {
        // SAFETY: by contract.
        unsafe {
            let (allocator, block) = (heap.as_ref().allocator, heap.as_ref().block);
            heap.drop_in_place();
            allocator.free(block);
        }
    }

    /// Calls a function with the ledger, while no other thread has it.
    fn with<R>(&self, act: impl FnOnce(&mut Ledger) -> R) -> R {
        self.ledger.with(|ledger| {
            // Whoever sees the number sees what the call stored before it.
            let calls = self.calls.load(Ordering::Acquire);
            if ledger.calls != calls {
                ledger.begin_call(calls);
            }
            let result = act(ledger);
            self.pooled.store(ledger.pool.bytes(), Ordering::Relaxed);
            result
        })
    }

    /// The source of all memory, of arrays and of everything else.
    pub(crate) fn allocator(&self) -> Allocator {
        self.allocator
    }

    /// A buffer for `count` elements with one reference, of the running call.
    ///
    /// # Safety
    /// `heap` is alive.
    pub(crate) unsafe fn allocate_elements(
        heap: NonNull<Self>,
        count: i64,
        elem_bytes: i64,
        room: Room,
    ) -> Result<NonNull<Buffer>, Shortage> {
        let capacity = capacity_of(count, elem_bytes)?;
        // SAFETY: by contract.
        unsafe { Self::allocate(heap, capacity, room) }
    }

    /// A new small buffer. `None` if the size is not small, or there is no memory.
    ///
    /// # Safety
    /// `heap` is alive, and the running call of its context, which has these small buffers, is of this thread.
    pub(crate) unsafe fn allocate_small(
        heap: NonNull<Self>,
        small: &Small,
        capacity: usize,
    ) -> Option<NonNull<Buffer>> {
        // SAFETY: by contract.
        unsafe {
            let this = heap.as_ref();
            let size = Size::of(capacity).filter(|_| this.allocator.hook.is_none())?;
            let bytes = size.capacity + OVERHEAD;
            // The block is long enough and not in use, and the heap counts it.
            let adopt = |block| {
                let buffer = Buffer::write(block, heap, size.capacity);
                small.adopt(buffer, size.list);
                buffer
            };
            let kept = this.with(|ledger| {
                ledger.hold(bytes, this.limit).ok()?;
                Some(ledger.pool.take(bytes).map(|block| {
                    ledger.users += 1;
                    adopt(block)
                }))
            })?;
            if kept.is_some() {
                return kept;
            }
            let Some(block) = this.fresh(bytes) else {
                this.with(|ledger| ledger.held -= bytes);
                return None;
            };
            Some(this.with(|ledger| {
                ledger.users += 1;
                adopt(block)
            }))
        }
    }

    /// A buffer for `capacity` bytes of elements with one reference, on the list of the call.
    ///
    /// # Safety
    /// `heap` is alive.
    pub(crate) unsafe fn allocate(
        heap: NonNull<Self>,
        capacity: usize,
        room: Room,
    ) -> Result<NonNull<Buffer>, Shortage> {
        // SAFETY: by contract.
        let this = unsafe { heap.as_ref() };
        // SAFETY: the blocks are long enough and not in use.
        let begin = |ledger: &mut Ledger, block| unsafe {
            Self::begin(heap, ledger, block, capacity, room)
        };
        let (bytes, kept) = this.with(|ledger| {
            let bytes = ledger.reserve(capacity, this.limit)?;
            let kept = ledger.pool.take(bytes);
            Ok((bytes, kept.map(|block| begin(ledger, block))))
        })?;
        if let Some(buffer) = kept {
            return Ok(buffer);
        }
        let Some(block) = this.fresh(bytes) else {
            this.with(|ledger| ledger.held -= bytes);
            return Err(Shortage { bytes: to_u128(capacity), limit: 0, live: 0 });
        };
        Ok(this.with(|ledger| begin(ledger, block)))
    }

    /// A buffer in a block, on the list of the call.
    ///
    /// # Safety
    /// `heap` is alive and has that ledger, which holds the capacity and the overhead; the block has as many bytes and
    /// is not in use.
    unsafe fn begin(
        heap: NonNull<Self>,
        ledger: &mut Ledger,
        block: Block,
        capacity: usize,
        room: Room,
    ) -> NonNull<Buffer> {
        // SAFETY: by contract; new buffers are on no list.
        unsafe {
            ledger.users += 1;
            let buffer = Buffer::write(block, heap, capacity);
            if (room, block.origin) == (Room::AtMost, Origin::Pages) {
                (*buffer.as_ptr()).open = true;
                ledger.open += capacity;
            }
            ledger.note(capacity);
            heap.as_ref().list.link(buffer);
            buffer
        }
    }

    /// Takes a buffer off the list, if it is on it, and frees it.
    ///
    /// # Safety
    /// The buffer is of this heap and is not used any more. A small one is of the call that runs in this thread.
    pub(crate) unsafe fn free(heap: NonNull<Self>, buffer: NonNull<Buffer>) {
        // SAFETY: the buffer is a user of the heap, and leaves it last.
        unsafe {
            let this = heap.as_ref();
            if buffer.as_ref().is_small() {
                if let Some(small) = this.small.load(Ordering::Relaxed).as_ref() {
                    small.give(buffer);
                }
                return;
            }
            let is_last = this.with(|ledger| {
                this.list.unlink(buffer);
                ledger.forget(buffer);
                ledger.give(Buffer::block(buffer), this.limit);
                ledger.leave()
            });
            Self::free_if(is_last, heap);
        }
    }

    /// A block of at least `bytes` bytes: a kept one, or a new one. `None` if there is no memory.
    pub(crate) fn block(&self, bytes: usize) -> Option<Block> {
        if let Some(kept) = self.with(|ledger| ledger.pool.take(bytes)) {
            return Some(kept);
        }
        self.fresh(bytes)
    }

    /// The same, of a block that counts as an array of the running call does.
    pub(crate) fn counted_block(&self, bytes: usize) -> Option<Block> {
        let held = self.with(|ledger| {
            let held = ledger.hold(bytes, self.limit);
            ledger.mark();
            held
        });
        held.ok()?;
        let block = self.block(bytes);
        if block.is_none() {
            self.with(|ledger| ledger.held -= bytes);
        }
        block
    }

    /// Takes back a block that was counted as `bytes`.
    ///
    /// # Safety
    /// As for [`Self::give`].
    pub(crate) unsafe fn give_counted(&self, block: Block, bytes: usize) {
        self.with(|ledger| {
            ledger.mark();
            ledger.held -= bytes;
            // SAFETY: by contract.
            unsafe { ledger.give(block, self.limit) };
        });
    }

    /// A new block of at least `bytes` bytes. `None` if there is no memory.
    fn fresh(&self, bytes: usize) -> Option<Block> {
        let bytes = self.with(|ledger| ledger.pool.size(bytes));
        self.allocator.allocate(bytes).or_else(|| {
            // The kept blocks may be the reason for the lack of memory.
            self.with(|ledger| {
                ledger.shrink_small(0);
                ledger.pool.clear();
            });
            self.allocator.allocate(bytes)
        })
    }

    /// Takes a block back, to keep it for the next array.
    ///
    /// # Safety
    /// The block is of this heap and is not used any more.
    pub(crate) unsafe fn give(&self, block: Block) {
        // SAFETY: by contract.
        self.with(|ledger| unsafe { ledger.give(block, self.limit) });
    }

    /// Gives back the memory that is kept for the next arrays. The small buffers stay, unless the thread holds the context.
    pub(crate) fn trim(&self, is_idle: bool) {
        self.with(|ledger| {
            if is_idle {
                ledger.shrink_small(0);
            }
            ledger.pool.clear();
        });
    }

    /// Gives the context a place for small buffers.
    pub(crate) fn open(&self, small: NonNull<Small>) {
        self.small.store(small.as_ptr(), Ordering::Relaxed);
        self.with(|ledger| ledger.small = Some(small));
    }

    /// Ends the context: from now on nothing is kept.
    pub(crate) fn close(&self) {
        self.small.store(null_mut(), Ordering::Relaxed);
        self.with(|ledger| {
            ledger.shrink_small(0);
            ledger.peak = ledger.peak();
            ledger.small = None;
            ledger.pool.close();
        });
    }

    /// Takes a buffer off the list of the call: it belongs to the caller now.
    ///
    /// # Safety
    /// The buffer belongs to this heap, and is alive. The call runs in this thread, and no other thread works for it any more.
    pub(crate) unsafe fn detach(&self, buffer: NonNull<Buffer>) {
        // No lock is needed. Only this thread uses the small buffers now, and the list: a thread that frees an array of an earlier call finds
        // that it is not on the list, and leaves the list as it is.
        // SAFETY: by contract; the pointer is removed before the context ends.
        unsafe {
            if !buffer.as_ref().is_small() {
                self.list.unlink(buffer);
            } else if let Some(small) = self.small.load(Ordering::Relaxed).as_ref() {
                small.let_go(buffer);
            }
        }
    }

    /// Whether a buffer may keep `bytes` unused bytes, besides those that other buffers keep.
    ///
    /// # Safety
    /// The buffer is of this heap, and alive.
    pub(crate) unsafe fn may_spare(&self, mut buffer: NonNull<Buffer>, bytes: usize) -> bool {
        let most = match self.limit {
            0 => MAX_SPARED,
            limit => MAX_SPARED.min(limit / SPARED_OF_LIMIT),
        };
        self.with(|ledger| {
            // SAFETY: by contract; the field is changed under the lock.
            let before = unsafe { spare_of(buffer) };
            let (Ok(spare), after) = (u32::try_from(bytes), ledger.spare - before + bytes) else {
                return false;
            };
            if after > most {
                return false;
            }
            ledger.spare = after;
            // SAFETY: as above.
            unsafe { buffer.as_mut() }.spare = spare;
            true
        })
    }

    /// Replaces `old` by `new` on the list and in the counters.
    ///
    /// # Safety
    /// Both are of this heap and alive, and `new` is on no list and not counted.
    pub(crate) unsafe fn replace(&self, old: NonNull<Buffer>, new: NonNull<Buffer>) {
        // SAFETY: by contract; the list and what buffers count for are changed under the lock.
        self.with(|ledger| unsafe {
            ledger.mark();
            ledger.forget(old);
            ledger.held += new.as_ref().capacity + OVERHEAD;
            ledger.mark();
            if self.list.unlink(old) {
                self.list.link(new);
            }
        });
    }

    /// Notes that the elements of a buffer use `used` bytes, not more than it has.
    ///
    /// # Safety
    /// The buffer is of this heap and alive, and the bytes behind are not used.
    pub(crate) unsafe fn cut(&self, buffer: NonNull<Buffer>, used: usize) {
        // SAFETY: by contract; what a buffer counts for is changed under the lock.
        self.with(|ledger| unsafe {
            ledger.mark();
            let capacity = buffer.as_ref().capacity;
            if buffer.as_ref().open {
                (*buffer.as_ptr()).open = false;
                ledger.open -= capacity;
            }
            ledger.held -= capacity - used;
            ledger.mark();
            (*buffer.as_ptr()).capacity = used;
        });
    }

    /// Lets a buffer use at least `needed` bytes of its block for elements.
    ///
    /// # Safety
    /// The buffer is of this heap, alive and not shared; its block has that many bytes and the overhead.
    pub(crate) unsafe fn widen(
        &self,
        buffer: NonNull<Buffer>,
        needed: usize,
    ) -> Result<(), Shortage> {
        // SAFETY: by contract; what a buffer counts for is changed under the lock.
        self.with(|ledger| unsafe {
            let room = Buffer::room(buffer);
            let ahead = if Buffer::is_in_pages(buffer) && !buffer.as_ref().open {
                room.min(needed.saturating_add(AHEAD))
            } else {
                room
            };
            ledger
                .count(buffer, ahead, self.limit)
                .or_else(|_| ledger.count(buffer, needed, self.limit))
        })
    }

    /// Moves a buffer with pages of its own to a block with room for at least `needed` bytes of elements, if there is
    /// one: a kept block, to which the used bytes are copied, or its own pages with further pages behind them. The
    /// buffer counts for no more than before.
    ///
    /// # Safety
    /// The buffer is of this heap and alive, its elements use `used` bytes, and it is not shared; its old address is not
    /// used afterwards.
    pub(crate) unsafe fn stretch(
        &self,
        buffer: NonNull<Buffer>,
        used: usize,
        needed: usize,
    ) -> NonNull<Buffer> {
        // SAFETY: by contract. Only this call uses its list; while the buffer is not on it, no other reference exists.
        unsafe {
            let (block, room) = (Buffer::block(buffer), Buffer::room(buffer));
            if needed <= room || block.origin != Origin::Pages {
                return buffer;
            }
            // Doubling the room takes addresses, but no memory.
            let twice = needed.max(room.saturating_mul(2)).saturating_add(OVERHEAD);
            let (linked, kept) =
                self.with(|ledger| (self.list.unlink(buffer), ledger.pool.take(twice)));
            let grown = match kept {
                Some(kept) => {
                    let bytes = HEADER + used;
                    kept.start.copy_from_nonoverlapping(block.start, bytes);
                    self.give(block);
                    Block { touched: kept.touched.max(bytes), ..kept }
                }
                None => {
                    let grown = self.allocator.grow(block, twice);
                    self.allocator.grow(grown, needed.saturating_add(OVERHEAD))
                }
            };
            let new = Buffer::moved_to(grown);
            self.with(|ledger| {
                if linked {
                    self.list.link(new);
                }
                ledger.note(grown.bytes - block.bytes);
            });
            new
        }
    }

    /// Begins a call, which is counted from here. The small buffers are those of the heap.
    pub(crate) fn begin_call(&self, small: &Small) {
        for (before, now) in self.taken_before.iter().zip(small.taken()) {
            before.store(now, Ordering::Relaxed);
        }
        small.look();
        let calls = self.calls.load(Ordering::Relaxed).wrapping_add(1);
        self.calls.store(calls, Ordering::Release);
    }

    /// Ends a call: all of its buffers are freed, whatever refers to them. Keeps at most that many bytes; gives how many bytes
    /// other heaps may keep. The small buffers are those of the heap.
    ///
    /// # Safety
    /// `heap` is alive, and the call's buffers are not used any more.
    pub(crate) unsafe fn end_call(heap: NonNull<Self>, small: &Small, most: usize) -> usize {
        // SAFETY: by contract.
        unsafe {
            match heap.as_ref().ended(small, most) {
                Some(most) => most,
                None => Self::end_with_rest(heap, most),
            }
        }
    }

    /// The same where something is left to be done.
    ///
    /// # Safety
    /// As for [`Self::end_call`].
    #[cold]
    unsafe fn end_with_rest(heap: NonNull<Self>, most: usize) -> usize {
        // SAFETY: the caller's reference keeps the heap alive while the buffers give up theirs;
        // buffers on the list are alive.
        unsafe {
            let this = heap.as_ref();
            loop {
                let ended = this.with(|ledger| match this.list.newest() {
                    Some(left) => {
                        ledger.call_left_over += 1;
                        Err(left)
                    }
                    None => Ok(this.end(ledger, most)),
                });
                match ended {
                    Ok(most) => return most,
                    Err(left) => Self::free(heap, left),
                }
            }
        }
    }

    /// The same where nothing is left to be done, as after most calls. `None` if something is.
    ///
    /// The threads of the call have ended what they did for it, so its buffers do not change. Another thread may free an array of an earlier call
    /// meanwhile. That it gives to the pool is seen here or not, as if it came later.
    fn ended(&self, small: &Small, most: usize) -> Option<usize> {
        let bytes = small.bytes();
        let is_left = self.list.newest().is_some() || small.live() > 0;
        if is_left || bytes > self.most_small() {
            return None;
        }
        most.checked_sub(bytes)?.checked_sub(self.pooled.load(Ordering::Relaxed))
    }

    /// The most bytes of small buffers that are kept between calls.
    fn most_small(&self) -> usize {
        SMALL_LIMIT.min(self.pool_limit)
    }

    /// Ends a call that has small buffers only.
    ///
    /// # Safety
    /// The ledger is the heap's, and the call's buffers are not used any more.
    unsafe fn end(&self, ledger: &mut Ledger, most: usize) -> usize {
        // SAFETY: by contract.
        let left_over = unsafe { ledger.small().map_or(0, |small| small.end()) };
        ledger.call_left_over += left_over;
        ledger.shrink_small(self.most_small());
        let small = ledger.kept() - ledger.pool.bytes();
        ledger.pool.shrink(most.saturating_sub(small));
        most.saturating_sub(ledger.kept())
    }

    /// Ends a task of a context with these small buffers: those in use become ordinary buffers of the call.
    ///
    /// # Safety
    /// `heap` is alive, its context is of this thread, and the small buffers are the context's.
    pub(crate) unsafe fn hand_over(heap: NonNull<Self>, small: &Small) {
        if small.live() == 0 {
            return;
        }
        // SAFETY: by contract.
        unsafe {
            let this = heap.as_ref();
            this.with(|_| {
                small.each_used(|buffer| {
                    small.let_go(buffer);
                    this.list.link(buffer);
                });
            });
        }
    }

    /// The most bytes that are kept between calls.
    pub(crate) fn most_kept(&self) -> usize {
        self.pool_limit
    }

    /// The statistics of the memory.
    pub(crate) fn stats(&self) -> Stats {
        let number = |bytes| u64::try_from(bytes).unwrap_or(u64::MAX);
        let [count_before, bytes_before] =
            self.taken_before.each_ref().map(|before| before.load(Ordering::Relaxed));
        self.with(|ledger| {
            let [count, bytes] = ledger.small().map_or([count_before, bytes_before], Small::taken);
            let count = count.wrapping_sub(count_before);
            let bytes = bytes.wrapping_sub(bytes_before).saturating_sub(count * OVERHEAD);
            Stats {
                bytes_live: number(ledger.live()),
                bytes_peak: number(ledger.peak()),
                call_allocations: ledger.call_allocations + number(count),
                call_bytes: ledger.call_bytes + number(bytes),
                call_left_over: ledger.call_left_over,
                bytes_kept: number(ledger.kept()),
                threads: 0,
                parallel_passes: 0,
            }
        })
    }
}

/// The bytes of `count` elements.
pub(crate) fn capacity_of(count: i64, elem_bytes: i64) -> Result<usize, Shortage> {
    let elements = usize::try_from(count).ok();
    let bytes = usize::try_from(elem_bytes).ok();
    elements.zip(bytes).and_then(|(count, bytes)| count.checked_mul(bytes)).ok_or(Shortage {
        bytes: u128::from(count.unsigned_abs()) * u128::from(elem_bytes.unsigned_abs()),
        limit: 0,
        live: 0,
    })
}
