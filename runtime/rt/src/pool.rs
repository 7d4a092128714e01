//! Blocks that arrays gave up and that later arrays of the same context take: a page that was
//! touched once costs nothing the second time, a fresh one more than what is computed for the
//! elements in it.
//!
//! Invariant: a pool holds at most its limit, counted in bytes that are in memory; what would
//! exceed it pushes out what has been there longest. Nobody else uses the blocks in it.
//!
//! ```text
//! call 1   alloc 80 MB ─▶ pages      release ─▶ pool
//! call 2   alloc 80 MB ◀───────────────────────┘
//! ```

use crate::memory::{Allocator, Block, Origin};

/// Blocks that a pool holds at most.
const SLOTS: usize = 32;
/// Smaller blocks are left to the C library, which is as quick with them.
const SMALLEST: usize = 64 << 10;

/// What a context keeps of the memory that its arrays gave up.
pub(crate) struct Pool {
    allocator: Allocator,
    limit: usize,
    slots: [Option<Kept>; SLOTS],
    bytes: usize,
    /// Counts the blocks that came.
    clock: u64,
}

#[derive(Clone, Copy)]
struct Kept {
    block: Block,
    /// When it came.
    since: u64,
}

impl Pool {
    /// An empty pool for blocks of an allocator.
    pub(crate) const fn new(allocator: Allocator, limit: usize) -> Self {
        Self { allocator, limit, slots: [None; SLOTS], bytes: 0, clock: 0 }
    }

    /// Bytes of memory in the pool.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The smallest block that has at least `bytes` bytes, if there is one that does not keep more
    /// than twice as many in memory.
    pub(crate) fn take(&mut self, bytes: usize) -> Option<Block> {
        let enough = |kept: &Kept| {
            kept.block.bytes >= bytes && kept.block.touched <= bytes.saturating_mul(2)
        };
        let slot = self
            .slots
            .iter_mut()
            .filter(|slot| slot.as_ref().is_some_and(enough))
            .min_by_key(|slot| slot.map_or(usize::MAX, |kept| kept.block.bytes))?;
        let block = slot.take()?.block;
        self.bytes -= block.touched;
        Some(block)
    }

    /// Keeps a block, or gives it back if it is not worth it.
    ///
    /// # Safety
    /// The block is from the pool's allocator, and nobody uses it any more.
    pub(crate) unsafe fn give(&mut self, block: Block) {
        let hooked = matches!(block.origin, Origin::Hook { .. });
        if hooked || block.bytes < SMALLEST || block.touched > self.limit {
            // SAFETY: by contract.
            unsafe { self.allocator.free(block) };
            return;
        }
        self.shrink(self.limit - block.touched);
        if self.slots.iter().all(Option::is_some) {
            self.drop_oldest();
        }
        self.clock += 1;
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(Kept { block, since: self.clock });
            self.bytes += block.touched;
        }
    }

    /// Gives blocks back until no more than `bytes` bytes of memory remain.
    pub(crate) fn shrink(&mut self, bytes: usize) {
        while self.bytes > bytes && self.drop_oldest() {}
    }

    /// Gives every block back.
    pub(crate) fn clear(&mut self) {
        while self.drop_oldest() {}
    }

    /// Keeps nothing from now on.
    pub(crate) fn close(&mut self) {
        self.clear();
        self.limit = 0;
    }

    fn drop_oldest(&mut self) -> bool {
        let age = |slot: &&mut Option<Kept>| slot.map_or(u64::MAX, |kept| kept.since);
        let oldest = self.slots.iter_mut().filter(|slot| slot.is_some()).min_by_key(age);
        let Some(kept) = oldest.and_then(Option::take) else { return false };
        self.bytes -= kept.block.touched;
        // SAFETY: from this allocator, and nobody's since it came here.
        unsafe { self.allocator.free(kept.block) };
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

    /// A block of which every byte was used.
    fn block(bytes: usize) -> Block {
        let block = ALLOCATOR.allocate(bytes).expect("memory for a test");
        Block { touched: block.bytes, ..block }
    }

    fn give(pool: &mut Pool, block: Block) {
        // SAFETY: the tests use no block after they gave it.
        unsafe { pool.give(block) };
    }

    #[test]
    fn what_was_given_is_taken_again() {
        let mut pool = Pool::new(ALLOCATOR, 1 << 30);
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
    fn the_oldest_go_first() {
        let mut pool = Pool::new(ALLOCATOR, 1 << 20);
        let blocks = [400 << 10, 300 << 10, 200 << 10, 500 << 10].map(block);
        blocks.iter().for_each(|&block| give(&mut pool, block));
        assert_eq!(pool.bytes(), 1000 << 10, "the first had to go");
        pool.shrink(600 << 10);
        assert_eq!(pool.bytes(), 500 << 10);
        pool.close();
        assert_eq!(pool.bytes(), 0);
        give(&mut pool, block(100 << 10));
        assert_eq!(pool.bytes(), 0, "a closed pool keeps nothing");
    }

    #[test]
    fn more_blocks_than_slots() {
        let mut pool = Pool::new(ALLOCATOR, 1 << 30);
        (0..SLOTS + 5).for_each(|_| give(&mut pool, block(64 << 10)));
        assert_eq!(pool.bytes(), SLOTS * (64 << 10));
    }

    #[test]
    fn a_reservation_counts_as_what_was_touched_of_it() {
        let mut pool = Pool::new(ALLOCATOR, 1 << 20);
        let reserved = ALLOCATOR.allocate(64 << 20).expect("address space for a test");
        assert_eq!(reserved.touched, 0);
        give(&mut pool, Block { touched: 1 << 20, ..reserved });
        assert_eq!(pool.bytes(), 1 << 20);
        assert!(pool.take(32 << 20).is_some_and(|block| {
            give(&mut pool, block);
            block.bytes == 64 << 20
        }));
    }
}
