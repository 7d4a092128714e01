//! A sort in place by the digits of keys, from the highest one on.
//!
//! It needs no vectors, and takes time in proportion to the number of keys whatever they are. So it also sorts what [`super::avx2`] could
//! not part well.
//!
//! Invariant: as many steps as keys for each of at most eight digits. A bucket that has no position of the window stays as it is.
//!
//! ```text
//! 0x21 0x10 0x22   high digits: 0x10 | 0x21 0x22   low digits of each bucket: 0x10 | 0x21 | 0x22
//! ```

use core::ops::Range;

use super::Stop;

/// Keys up to which insertion takes less time than counting digits. No benchmark shows it on processors with AVX2.
const FEW: usize = 48;

/// The values of a digit.
const VALUES: usize = 256;

/// Keys with digits of eight bits.
pub(super) trait Digits: Copy {
    /// How many digits they have.
    const COUNT: u32;

    /// The number with the order of the keys.
    fn number(self) -> u64;

    /// The digit behind that many bits.
    fn digit(self, shift: u32) -> usize {
        (self.number() >> shift) as usize % VALUES
    }
}

impl Digits for i32 {
    const COUNT: u32 = 4;

    fn number(self) -> u64 {
        u64::from((self ^ Self::MIN).cast_unsigned())
    }
}

impl Digits for i64 {
    const COUNT: u32 = 8;

    fn number(self) -> u64 {
        (self ^ Self::MIN).cast_unsigned()
    }
}

impl Digits for f64 {
    const COUNT: u32 = 8;

    fn number(self) -> u64 {
        let bits = self.to_bits().cast_signed();
        (bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()).number()
    }
}

/// Puts the positions of a window in order.
///
/// # Safety
/// There are `count` keys, and the window lies in them.
pub(super) unsafe fn sort<K: Digits>(
    keys: *mut K,
    count: usize,
    window: Range<usize>,
    stop: Stop<'_>,
) {
    // SAFETY: by contract.
    unsafe { by_digit(keys, count, window, 8 * (K::COUNT - 1), stop) };
}

/// # Safety
/// As for [`sort`].
unsafe fn by_digit<K: Digits>(
    keys: *mut K,
    count: usize,
    window: Range<usize>,
    shift: u32,
    stop: Stop<'_>,
) {
    // SAFETY: by contract. A digit is less than the number of buckets, and each bucket has as many keys as were counted.
    unsafe {
        if count <= FEW {
            return insert(keys, count);
        }
        if stop.before(count) {
            return;
        }
        let (mut next, mut ends) = ([0_usize; VALUES], [0_usize; VALUES]);
        for at in 0..count {
            *ends.get_unchecked_mut((*keys.add(at)).digit(shift)) += 1;
        }
        let mut sum = 0;
        for (next, end) in next.iter_mut().zip(&mut ends) {
            *next = sum;
            sum += *end;
            *end = sum;
        }
        for (bucket, &end) in ends.iter().enumerate() {
            while *next.get_unchecked(bucket) < end {
                let here = keys.add(*next.get_unchecked(bucket));
                let mut key = *here;
                let mut digit = key.digit(shift);
                while digit != bucket {
                    let to = next.get_unchecked_mut(digit);
                    key = keys.add(*to).replace(key);
                    *to += 1;
                    digit = key.digit(shift);
                }
                *here = key;
                *next.get_unchecked_mut(bucket) += 1;
            }
        }
        let mut first = 0;
        for &end in &ends {
            let inside = window.start.max(first)..window.end.min(end);
            if shift > 0 && inside.start < inside.end {
                let inside = inside.start - first..inside.end - first;
                by_digit(keys.add(first), end - first, inside, shift - 8, stop);
            }
            first = end;
        }
    }
}

/// Puts all keys in order.
///
/// # Safety
/// There are `count` keys.
unsafe fn insert<K: Digits>(keys: *mut K, count: usize) {
    // SAFETY: by contract.
    unsafe {
        for at in 1..count {
            let key = *keys.add(at);
            let mut to = at;
            while to > 0 && (*keys.add(to - 1)).number() > key.number() {
                *keys.add(to) = *keys.add(to - 1);
                to -= 1;
            }
            *keys.add(to) = key;
        }
    }
}
