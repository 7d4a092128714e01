//! Blocks of freed arrays, which later arrays of the same context use again. A page that was touched before costs
//! nothing, but a fresh page costs more than the computation of its elements.
//!
//! Small blocks come in few sizes, so that the next array of about that size fits, and lie on a list for
//! each: recursive programs make and free many small arrays.
//!
//! Invariant: a pool holds at most its limit, counted in bytes that are in memory; a block that would exceed it
//! replaces the oldest one. The blocks in it are not in use.
//!
//! ```text
//! call 1   alloc 80 MB ─▶ pages      release ─▶ pool
//! call 2   alloc 80 MB ◀───────────────────────┘
//! ```

use core::ptr::NonNull;

use crate::memory::{Allocator, Block, Origin};

/// Blocks that a pool holds at most: a recursion has several of each size at each of its levels.
/// `scripts/bench quadtree` is such a recursion. Not measured by itself.
const SLOTS: usize = 128;
/// Smaller blocks are on lists. No benchmark shows it alone.
const SMALLEST: usize = 64 << 10;
/// The sizes of small blocks: four to each power of two, from 128 bytes on. No benchmark shows it alone.
const SIZES: usize = 36;
/// The most bytes on the lists. No benchmark shows it alone.
const SMALL_LIMIT: usize = 1 << 20;

/// The memory of freed arrays that a context keeps.
pub(crate) struct Pool {
    allocator: Allocator,
    limit: usize,
    /// The first `kept` ones have a block each, in any order: few blocks are found without a look at all slots.
    slots: [Option<Kept>; SLOTS],
    kept: usize,
    bytes: usize,
    /// Counts the blocks that were given to the pool.
    clock: u64,
    /// The first small block of each size.
    small: [Option<NonNull<Small>>; SIZES],
    small_bytes: usize,
}

/// The contents of a free small block.
struct Small {
    next: Option<NonNull<Small>>,
}

/// The list of blocks for `bytes` bytes, and the bytes of its blocks.
fn size_class(bytes: usize) -> Option<(usize, usize)> {
    if bytes > SMALLEST {
        return None;
    }
    // `128 << power` is the largest such number below `bytes`, and the sizes above it differ by a quarter of it.
    let last = bytes.max(129) - 1;
    let power = (last >> 7).ilog2() as usize;
    let quarter = (last >> (power + 5)) & 3;
    let class = power * 4 + quarter;
    (class < SIZES).then(|| (class, (128 + 32 * (quarter + 1)) << power))
}

#[derive(Clone, Copy)]
struct Kept {
    block: Block,
    /// The time when it was given to the pool.
    since: u64,
}

impl Pool {
    /// Makes an empty pool for blocks of an allocator in its place, since it is too large for small stacks.
    ///
    /// # Safety
    /// `place` can be written.
    pub(crate) unsafe fn init(place: *mut Self, allocator: Allocator, limit: usize) {
        // SAFETY: by contract; each element of the two lists is written.
        unsafe {
            (&raw mut (*place).allocator).write(allocator);
            (&raw mut (*place).limit).write(limit);
            (&raw mut (*place).kept).write(0);
            (&raw mut (*place).bytes).write(0);
            (&raw mut (*place).clock).write(0);
            (&raw mut (*place).small_bytes).write(0);
            let slots = (&raw mut (*place).slots).cast::<Option<Kept>>();
            (0..SLOTS).for_each(|at| slots.add(at).write(None));
            let small = (&raw mut (*place).small).cast::<Option<NonNull<Small>>>();
            (0..SIZES).for_each(|at| small.add(at).write(None));
        }
    }

    /// Bytes of memory in the pool.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.small_bytes
    }

    /// The bytes of a new block that is requested with `bytes` bytes.
    pub(crate) fn size(&self, bytes: usize) -> usize {
        match size_class(bytes) {
            Some((_, size)) if self.allocator.hook.is_none() => size,
            Some(_) | None => bytes,
        }
    }

    /// The smallest block that has at least `bytes` bytes, if there is one that does not keep more
    /// than twice as many in memory.
    #[inline]
    pub(crate) fn take(&mut self, bytes: usize) -> Option<Block> {
        let Some((class, size)) = size_class(bytes) else { return self.take_large(bytes) };
        let first = self.small[class]?;
        // SAFETY: blocks on a list are free, and their heads were written when they were given to the pool.
        self.small[class] = unsafe { first.as_ref() }.next;
        self.small_bytes -= size;
        let start = first.cast();
        Some(Block { start, bytes: size, touched: size, origin: Origin::Malloc })
    }

    /// The same, for a block that is larger than those on the lists. It is not inlined, so that the small one, which is taken much
    /// more often, stays in registers.
    #[inline(never)]
    fn take_large(&mut self, bytes: usize) -> Option<Block> {
        let enough = |kept: &Kept| {
            kept.block.bytes >= bytes && kept.block.touched <= bytes.saturating_mul(2)
        };
        let (at, _) = self
            .all_kept()
            .filter(|(_, kept)| enough(kept))
            .min_by_key(|(_, kept)| kept.block.bytes)?;
        self.take_from(at)
    }

    /// The blocks in the slots, each with the number of its slot.
    fn all_kept(&self) -> impl Iterator<Item = (usize, &Kept)> {
        let slots = self.slots.iter().take(self.kept).enumerate();
        slots.filter_map(|(at, slot)| slot.as_ref().map(|kept| (at, kept)))
    }

    /// Takes the block of a slot. The last one takes its place.
    fn take_from(&mut self, at: usize) -> Option<Block> {
        let last = self.slots.get_mut(self.kept.checked_sub(1)?)?.take();
        self.kept -= 1;
        let taken = if at == self.kept { last } else { self.slots.get_mut(at)?.replace(last?) };
        let block = taken?.block;
        self.bytes -= block.touched;
        Some(block)
    }

    /// Keeps a block, or gives it back if it is not worth it.
    ///
    /// # Safety
    /// The block is from the pool's allocator and is not used any more.
    #[inline]
    pub(crate) unsafe fn give(&mut self, block: Block) {
        if let Some((class, size)) = size_class(block.bytes)
            && (block.origin, block.bytes) == (Origin::Malloc, size)
            && self.small_bytes + size <= SMALL_LIMIT.min(self.limit)
        {
            let first: NonNull<Small> = block.start.cast();
            // SAFETY: the block is free, long enough and aligned.
            unsafe { first.write(Small { next: self.small[class] }) };
            self.small[class] = Some(first);
            self.small_bytes += size;
            return;
        }
        // SAFETY: by contract.
        unsafe { self.give_large(block) };
    }

    /// The same, for a block that is on none of the lists.
    ///
    /// # Safety
    /// As for [`Self::give`].
    #[inline(never)]
    unsafe fn give_large(&mut self, block: Block) {
        let hooked = matches!(block.origin, Origin::Hook { .. });
        if hooked || block.bytes < SMALLEST || block.touched > self.limit {
            // SAFETY: by contract.
            unsafe { self.allocator.free(block) };
            return;
        }
        self.shrink(self.limit - block.touched);
        if self.kept == SLOTS {
            self.drop_oldest();
        }
        self.clock += 1;
        if let Some(slot) = self.slots.get_mut(self.kept) {
            *slot = Some(Kept { block, since: self.clock });
            self.kept += 1;
            self.bytes += block.touched;
        }
    }

    /// Gives blocks back until no more than `bytes` bytes of memory remain.
    pub(crate) fn shrink(&mut self, bytes: usize) {
        if self.small_bytes > bytes {
            self.clear_small();
        }
        while self.bytes() > bytes && self.drop_oldest() {}
    }

    /// Gives every block back.
    pub(crate) fn clear(&mut self) {
        self.clear_small();
        while self.drop_oldest() {}
    }

    fn clear_small(&mut self) {
        for first in &mut self.small {
            while let Some(small) = *first {
                // SAFETY: blocks on a list are free; the C library gave them, and does not need to be
                // told their sizes.
                unsafe {
                    *first = small.as_ref().next;
                    let start = small.cast();
                    let origin = Origin::Malloc;
                    self.allocator.free(Block { start, bytes: 0, touched: 0, origin });
                }
            }
        }
        self.small_bytes = 0;
    }

    /// Keeps nothing from now on.
    pub(crate) fn close(&mut self) {
        self.clear();
        self.limit = 0;
    }

    fn drop_oldest(&mut self) -> bool {
        let oldest = self.all_kept().min_by_key(|(_, kept)| kept.since).map(|(at, _)| at);
        let Some(block) = oldest.and_then(|at| self.take_from(at)) else { return false };
        // SAFETY: from this allocator, and free since it came here.
        unsafe { self.allocator.free(block) };
        true
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOCATOR: Allocator = Allocator { hook: None };

    /// A block whose bytes were all used.
    fn block(bytes: usize) -> Block {
        let block = ALLOCATOR.allocate(bytes).expect("memory for a test");
        Block { touched: block.bytes, ..block }
    }

    fn give(pool: &mut Pool, block: Block) {
        // SAFETY: the tests use no block after they gave it.
        unsafe { pool.give(block) };
    }

    fn pool(limit: usize) -> Pool {
        let mut pool = std::mem::MaybeUninit::uninit();
        // SAFETY: the pool is made before it is used.
        unsafe {
            Pool::init(pool.as_mut_ptr(), ALLOCATOR, limit);
            pool.assume_init()
        }
    }

    #[test]
    fn what_was_given_is_taken_again() {
        let mut pool = pool(1 << 30);
        let blocks = [100 << 10, 8 << 20, 300 << 10].map(block);
        blocks.iter().for_each(|&block| give(&mut pool, block));
        assert_eq!(pool.bytes(), blocks.iter().map(|block| block.bytes).sum());
        assert!(pool.take(10 << 20).is_none(), "none is long enough");
        assert!(pool.take(1 << 20).is_none(), "far too long");
        assert_eq!(pool.take(200 << 10).map(|block| block.start), Some(blocks[2].start));
        let large = pool.take(5 << 20).expect("the block of pages");
        assert_eq!(large.start, blocks[1].start);
        assert_eq!(pool.bytes(), blocks[0].bytes);
        give(&mut pool, blocks[2]);
        give(&mut pool, large);
    }

    #[test]
    fn small_blocks_come_in_few_sizes() {
        let mut before = (0, 0);
        for bytes in 0..=SMALLEST {
            let (class, size) = size_class(bytes).expect("it is small");
            assert!(size >= bytes && size <= (bytes + bytes / 4 + 32).max(160), "{bytes}: {size}");
            assert!((class, size) == before || class == before.0 + 1 || bytes == 0, "{bytes}");
            assert_eq!(size % 32, 0);
            before = (class, size);
        }
        assert_eq!(before, (SIZES - 1, SMALLEST));
        assert!(size_class(SMALLEST + 1).is_none());
    }

    #[test]
    fn small_blocks_are_taken_again() {
        let mut pool = pool(1 << 30);
        let of = |pool: &Pool, bytes: usize| block(pool.size(bytes));
        let (a, b) = (of(&pool, 200), of(&pool, 1000));
        assert!(pool.take(200).is_none());
        give(&mut pool, a);
        give(&mut pool, b);
        assert_eq!(pool.bytes(), a.bytes + b.bytes);
        assert_eq!(pool.take(1000).map(|block| block.start), Some(b.start));
        assert!(pool.take(1000).is_none());
        assert_eq!(pool.take(a.bytes - 10).map(|block| block.start), Some(a.start));
        (0..100).for_each(|_| give(&mut pool, block(60 << 10)));
        assert!(pool.bytes() <= SMALL_LIMIT);
        give(&mut pool, a);
        give(&mut pool, b);
        pool.shrink(0);
        assert_eq!(pool.bytes(), 0);
    }

    #[test]
    fn the_oldest_go_first() {
        let mut pool = pool(1 << 20);
        let blocks = [400 << 10, 300 << 10, 200 << 10, 500 << 10].map(block);
        blocks.iter().for_each(|&block| give(&mut pool, block));
        let later: usize = blocks[1..].iter().map(|block| block.touched).sum();
        assert_eq!(pool.bytes(), later, "the first had to go");
        pool.shrink(600 << 10);
        assert_eq!(pool.bytes(), blocks[3].touched);
        pool.close();
        assert_eq!(pool.bytes(), 0);
        give(&mut pool, block(100 << 10));
        assert_eq!(pool.bytes(), 0, "a closed pool keeps nothing");
    }

    #[test]
    fn more_blocks_than_slots() {
        let mut pool = pool(1 << 30);
        (0..SLOTS + 5).for_each(|_| give(&mut pool, block(68 << 10)));
        assert_eq!(pool.bytes(), SLOTS * (68 << 10));
    }

    #[test]
    fn a_reservation_counts_as_what_was_touched_of_it() {
        let mut pool = pool(1 << 20);
        let reserved = ALLOCATOR.allocate(64 << 20).expect("address space for a test");
        assert_eq!(reserved.touched, 0);
        give(&mut pool, Block { touched: 1 << 20, ..reserved });
        assert_eq!(pool.bytes(), 1 << 20);
        assert!(pool.take(32 << 20).is_some_and(|block| {
            give(&mut pool, block);
            block.bytes == reserved.bytes
        }));
    }
}
