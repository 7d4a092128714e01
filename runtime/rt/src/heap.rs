//! The arrays of a context: the memory that they take, and the list of those that the running call made.
//!
//! An array counts with its capacity from its creation on, since a limit bounds the capacities. The bytes in use are
//! the same, except for arrays in pages of their own whose length is not known yet: untouched pages take no memory, so
//! such an array counts from when its length is known.
//!
//! Invariant: a heap lives until its context and all its buffers are freed. So an array that a call returned may be
//! freed before or after the context. The ledger's list holds the buffers that the running call allocated and neither
//! freed nor handed to the caller; between calls it is empty.

use core::ptr::NonNull;

use arr_abi::layout::{HEADER, Options, Stats};

use crate::atomic::AtomicUsize;
use crate::buffer::{Buffer, OVERHEAD};
use crate::ledger::{Ledger, spare_of, to_u128};
use crate::lock::Lock;
use crate::memory::{Allocator, Block, Origin};
use crate::message::Shortage;
use crate::options;
use crate::references::References;
use crate::small::{Size, Small};

/// The most unused bytes that arrays keep, to avoid copies.
const MAX_SPARED: usize = 1 << 20;
/// An array that grows into its pages counts this many bytes ahead, so that not every append updates the ledger.
const AHEAD: usize = 64 << 10;
/// Under a memory limit, this part of the limit may be counted ahead: one byte in `SPARED_OF_LIMIT`.
const SPARED_OF_LIMIT: usize = 64;
/// The most bytes of small buffers that a context keeps between calls.
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
    references: References<AtomicUsize>,
    allocator: Allocator,
    limit: usize,
    /// The most bytes that are kept of freed arrays.
    pool_limit: usize,
    /// The block of the heap itself.
    block: Block,
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
        let heap = Self::make(self.allocator, 0, self.pool_limit)?;
        // SAFETY: it is new.
        unsafe { heap.as_ref() }.begin_call();
        Some(heap)
    }

    fn make(allocator: Allocator, limit: usize, pool_limit: usize) -> Option<NonNull<Self>> {
        let block = allocator.allocate(size_of::<Self>())?;
        let heap: NonNull<Self> = block.start.cast();
        let place = heap.as_ptr();
        // SAFETY: the block is new, long enough, and aligned for anything; each field is written.
        unsafe {
            (&raw mut (*place).references).write(References::one());
            (&raw mut (*place).allocator).write(allocator);
            (&raw mut (*place).limit).write(limit);
            (&raw mut (*place).pool_limit).write(pool_limit);
            (&raw mut (*place).block).write(block);
            Lock::init(&raw mut (*place).ledger, |ledger: *mut Ledger| {
                Ledger::init(ledger, allocator, pool_limit);
            });
        }
        Some(heap)
    }

    /// Gives up one reference; the last one frees the heap.
    ///
    /// # Safety
    /// The reference is the caller's, who does not use the heap any more.
    pub(crate) unsafe fn release(heap: NonNull<Self>) {
        // SAFETY: the caller's reference keeps it alive up to here.
        if unsafe { !heap.as_ref().references.release() } {
            return;
        }
        // SAFETY: that was the last reference, so the heap and its block have no other user.
        unsafe {
            let (allocator, block) = (heap.as_ref().allocator, heap.as_ref().block);
            heap.drop_in_place();
            allocator.free(block);
        }
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
            let kept = this.ledger.with(|ledger| {
                ledger.hold(bytes, this.limit).ok()?;
                Some(ledger.pool.take(bytes).map(adopt))
            })?;
            if kept.is_some() {
                return kept;
            }
            let Some(block) = this.fresh(bytes) else {
                this.ledger.with(|ledger| ledger.held -= bytes);
                return None;
            };
            Some(this.ledger.with(|_| adopt(block)))
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
        let (bytes, kept) = this.ledger.with(|ledger| {
            let bytes = ledger.reserve(capacity, this.limit)?;
            let kept = ledger.pool.take(bytes);
            Ok((bytes, kept.map(|block| begin(ledger, block))))
        })?;
        if let Some(buffer) = kept {
            return Ok(buffer);
        }
        let Some(block) = this.fresh(bytes) else {
            this.ledger.with(|ledger| ledger.held -= bytes);
            return Err(Shortage { bytes: to_u128(capacity), limit: 0, live: 0 });
        };
        Ok(this.ledger.with(|ledger| begin(ledger, block)))
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
        // SAFETY: by contract; the reference just taken is the buffer's, and new buffers are on no list.
        unsafe {
            heap.as_ref().references.retain();
            let buffer = Buffer::write(block, heap, capacity);
            if (room, block.origin) == (Room::AtMost, Origin::Pages) {
                (*buffer.as_ptr()).open = true;
                ledger.open += capacity;
            }
            ledger.note(capacity);
            ledger.list.link(buffer);
            buffer
        }
    }

    /// Takes a buffer off the list, if it is on it, and frees it.
    ///
    /// # Safety
    /// The buffer is of this heap and is not used any more. A small one is of the call that runs in this thread.
    pub(crate) unsafe fn free(heap: NonNull<Self>, buffer: NonNull<Buffer>) {
        // SAFETY: the buffer's reference keeps the heap alive, and is given up last.
        unsafe {
            let this = heap.as_ref();
            if buffer.as_ref().is_small() {
                if let Some(small) = this.ledger.with(|ledger| ledger.small) {
                    small.as_ref().give(buffer);
                }
                return;
            }
            this.ledger.with(|ledger| {
                ledger.list.unlink(buffer);
                ledger.forget(buffer);
                ledger.give(Buffer::block(buffer), this.limit);
            });
            Self::release(heap);
        }
    }

    /// A block of at least `bytes` bytes: a kept one, or a new one. `None` if there is no memory.
    pub(crate) fn block(&self, bytes: usize) -> Option<Block> {
        if let Some(kept) = self.ledger.with(|ledger| ledger.pool.take(bytes)) {
            return Some(kept);
        }
        self.fresh(bytes)
    }

    /// The same, of a block that counts as an array of the running call does.
    pub(crate) fn counted_block(&self, bytes: usize) -> Option<Block> {
        let held = self.ledger.with(|ledger| {
            let held = ledger.hold(bytes, self.limit);
            ledger.mark();
            held
        });
        held.ok()?;
        let block = self.block(bytes);
        if block.is_none() {
            self.ledger.with(|ledger| ledger.held -= bytes);
        }
        block
    }

    /// Takes back a block that was counted as `bytes`.
    ///
    /// # Safety
    /// As for [`Self::give`].
    pub(crate) unsafe fn give_counted(&self, block: Block, bytes: usize) {
        self.ledger.with(|ledger| {
            ledger.mark();
            ledger.held -= bytes;
            // SAFETY: by contract.
            unsafe { ledger.give(block, self.limit) };
        });
    }

    /// A new block of at least `bytes` bytes. `None` if there is no memory.
    fn fresh(&self, bytes: usize) -> Option<Block> {
        let bytes = self.ledger.with(|ledger| ledger.pool.size(bytes));
        self.allocator.allocate(bytes).or_else(|| {
            // The kept blocks may be the reason for the lack of memory.
            self.ledger.with(|ledger| {
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
        self.ledger.with(|ledger| unsafe { ledger.give(block, self.limit) });
    }

    /// Gives back the memory that is kept for the next arrays. The small buffers of a running call stay.
    pub(crate) fn trim(&self) {
        self.ledger.with(|ledger| {
            if !ledger.in_call {
                ledger.shrink_small(0);
            }
            ledger.pool.clear();
        });
    }

    /// Gives the context a place for small buffers.
    pub(crate) fn open(&self, small: NonNull<Small>) {
        self.ledger.with(|ledger| ledger.small = Some(small));
    }

    /// Ends the context: from now on nothing is kept.
    pub(crate) fn close(&self) {
        self.ledger.with(|ledger| {
            ledger.shrink_small(0);
            ledger.peak = ledger.peak();
            ledger.small = None;
            ledger.pool.close();
        });
    }

    /// Takes a buffer off the list of the call: it belongs to the caller now.
    ///
    /// # Safety
    /// The buffer belongs to this heap, and is alive. A small one belongs to the call that runs in this thread.
    pub(crate) unsafe fn detach(&self, buffer: NonNull<Buffer>) {
        self.ledger.with(|ledger| {
            ledger.mark();
            // SAFETY: by contract; an ordinary buffer has a reference to its heap.
            unsafe {
                match ledger.small().filter(|_| buffer.as_ref().is_small()) {
                    Some(small) => {
                        small.let_go(buffer);
                        self.references.retain();
                    }
                    None => {
                        ledger.list.unlink(buffer);
                    }
                }
            }
        });
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
        self.ledger.with(|ledger| {
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
        self.ledger.with(|ledger| unsafe {
            ledger.mark();
            ledger.forget(old);
            ledger.held += new.as_ref().capacity + OVERHEAD;
            ledger.mark();
            if ledger.list.unlink(old) {
                ledger.list.link(new);
            }
        });
    }

    /// Notes that the elements of a buffer use `used` bytes, not more than it has.
    ///
    /// # Safety
    /// The buffer is of this heap and alive, and the bytes behind are not used.
    pub(crate) unsafe fn cut(&self, buffer: NonNull<Buffer>, used: usize) {
        // SAFETY: by contract; what a buffer counts for is changed under the lock.
        self.ledger.with(|ledger| unsafe {
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
        self.ledger.with(|ledger| unsafe {
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
                self.ledger.with(|ledger| (ledger.list.unlink(buffer), ledger.pool.take(twice)));
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
            self.ledger.with(|ledger| {
                if linked {
                    ledger.list.link(new);
                }
                ledger.note(grown.bytes - block.bytes);
            });
            new
        }
    }

    /// Begins a call, which is counted from here.
    pub(crate) fn begin_call(&self) {
        self.ledger.with(|ledger| {
            ledger.in_call = true;
            if let Some(small) = ledger.small() {
                small.begin();
            }
            ledger.peak = ledger.live();
            ledger.call_allocations = 0;
            ledger.call_bytes = 0;
            ledger.call_left_over = 0;
        });
    }

    /// Ends a call: all of its buffers are freed, whatever refers to them. Keeps at most that many bytes; gives how many bytes
    /// other heaps may keep.
    ///
    /// # Safety
    /// `heap` is alive, and the call's buffers are not used any more.
    pub(crate) unsafe fn end_call(heap: NonNull<Self>, most: usize) -> usize {
        // SAFETY: the caller's reference keeps the heap alive while the buffers give up theirs;
        // buffers on the list are alive.
        unsafe {
            let this = heap.as_ref();
            loop {
                let ended = this.ledger.with(|ledger| match ledger.list.newest() {
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

    /// Ends a call that has small buffers only.
    ///
    /// # Safety
    /// The ledger is the heap's, and the call's buffers are not used any more.
    unsafe fn end(&self, ledger: &mut Ledger, most: usize) -> usize {
        // SAFETY: by contract.
        let left_over = unsafe { ledger.small().map_or(0, |small| small.end()) };
        ledger.call_left_over += left_over;
        ledger.shrink_small(SMALL_LIMIT.min(self.pool_limit));
        ledger.in_call = false;
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
        // SAFETY: by contract; ordinary buffers have a reference to their heap.
        unsafe {
            let this = heap.as_ref();
            this.ledger.with(|ledger| {
                ledger.mark();
                small.each_used(|buffer| {
                    small.let_go(buffer);
                    this.references.retain();
                    ledger.list.link(buffer);
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
        self.ledger.with(|ledger| {
            let [allocations, bytes] = ledger.small().map_or([0, 0], Small::taken);
            Stats {
                bytes_live: number(ledger.live()),
                bytes_peak: number(ledger.peak()),
                call_allocations: ledger.call_allocations + allocations,
                call_bytes: ledger.call_bytes + bytes,
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
