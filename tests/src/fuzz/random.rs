//! Random numbers that depend on a seed and the number of the case alone.
//!
//! Invariant: no state outlives a case.

/// A source of random numbers: SplitMix64.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a case.
    #[must_use]
    pub fn new(seed: u64, case: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ case.rotate_left(32));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 {
            return 0;
        }
        usize::try_from(self.next() % limit as u64).expect("it is below a usize")
    }

    /// One of several.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
