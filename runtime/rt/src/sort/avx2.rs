//! Sorts in vectors of 32 bytes.
//!
//! A quicksort: [`part`] moves the keys that are not less than a pivot behind the others, a vector at a time, in place. Up to
//! [`ROWS`] vectors are sorted by [`networks`].
//!
//! If a pivot is not above all keys less than the part, no key of the part is less than it: then those that are equal to it are in order.
//! So keys of few values take as many steps as there are values. Where pivots part badly for too long, the rest is sorted by digits.
//!
//! Invariant: vectors are loaded and stored inside of the array. Where fewer keys are left, the loads are masked.
//!
//! ```text
//! pivot 5: 7 2 9 4   ⇒   mask 0101   ⇒   2 4 7 9 stored at the left end, and at the right end: 2 4 … 7 9
//! ```

mod lanes;
mod networks;

use core::ops::Range;

use super::Stop;
use super::radix;
use crate::atomic::{AtomicU8, Ordering};
use crate::cpu::arr_rt_cpu_level;
use lanes::Lanes;
pub(super) use lanes::{Doubles, Ints, Longs};
use networks::{ROWS, sort_few};

/// How many vectors [`part`] loads before it stores them. `scripts/bench sort_i64` shows the effect of another number.
/// Not measured by itself.
const LOADED: usize = 8;
/// How often it does so until it asks whether the call is cancelled.
const TURNS: usize = 1 << 11;

/// Whether the processor has the instructions of this module: 0 if nobody has asked, then 1 for no, and 2 for yes.
static IS_THERE: AtomicU8 = AtomicU8::new(0);

/// Whether the processor, and the system, have the vectors of this module.
pub(super) fn is_there() -> bool {
    match IS_THERE.load(Ordering::Relaxed) {
        0 => {
            // Level 3 has AVX2 and POPCNT.
            let is_there = !cfg!(miri) && arr_rt_cpu_level() >= 3;
            IS_THERE.store(1 + u8::from(is_there), Ordering::Relaxed);
            is_there
        }
        known => known == 2,
    }
}

/// Does work in vectors of this module, where the compiler finds how.
///
/// # Safety
/// The processor has the instructions.
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn with_vectors<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// The places of keys that have been loaded, and may be overwritten: between `left` and `from`, and between `end` and `right`.
struct Gaps<L: Lanes> {
    left: *mut L::Key,
    from: *mut L::Key,
    end: *mut L::Key,
    right: *mut L::Key,
}

impl<L: Lanes> Gaps<L> {
    /// How many keys are left to load.
    #[inline(always)]
    unsafe fn rest(&self) -> usize {
        // SAFETY: they are in one array.
        unsafe { self.end.offset_from_unsigned(self.from) }
    }

    /// Takes `count` keys from the side that has less room.
    #[inline(always)]
    unsafe fn take(&mut self, count: usize) -> *mut L::Key {
        // SAFETY: by contract there are that many.
        unsafe {
            let room = self.from.offset_from_unsigned(self.left);
            if room <= self.right.offset_from_unsigned(self.end) {
                let taken = self.from;
                self.from = taken.add(count);
                taken
            } else {
                self.end = self.end.sub(count);
                self.end
            }
        }
    }

    /// Stores the keys of a vector whose bit is set at the right, and the others at the left. The room of a vector on both sides is
    /// overwritten.
    #[inline(always)]
    unsafe fn put(&mut self, keys: L, bits: usize) {
        let right = bits.count_ones() as usize;
        // SAFETY: by contract there is room on both sides.
        unsafe {
            let parted = keys.parted(bits);
            parted.store(self.left);
            parted.store(self.right.sub(L::COUNT));
            self.left = self.left.add(L::COUNT - right);
            self.right = self.right.sub(right);
        }
    }
}

/// Moves keys behind the others: those that are greater than the pivot or, if `EQUAL` says so, equal to it. Gives the number of the others.
///
/// # Safety
/// There are more than `2 * LOADED` vectors of keys.
#[target_feature(enable = "avx2,popcnt")]
#[inline(never)]
unsafe fn part<L: Lanes, const EQUAL: bool>(
    keys: *mut L::Key,
    count: usize,
    pivot: L::Key,
    stop: Stop<'_>,
) -> usize {
    // SAFETY: by contract. As many vectors as are in registers are missing in the gaps. So both have room when a vector is put.
    unsafe {
        let pivots = L::all(pivot);
        let bits = |keys: L| {
            if EQUAL { pivots.above(keys) ^ ((1 << L::COUNT) - 1) } else { keys.above(pivots) }
        };
        let (some, over) = (LOADED * L::COUNT, count % L::COUNT);
        let last = keys.add(count - over);
        let mut rest = [L::LAST; 8];
        for at in 0..over {
            *rest.get_unchecked_mut(at) = *last.add(at);
        }
        let mut first = [pivots; 2 * LOADED];
        for at in 0..LOADED {
            *first.get_unchecked_mut(at) = L::load(keys.add(at * L::COUNT));
            *first.get_unchecked_mut(LOADED + at) = L::load(last.sub(some).add(at * L::COUNT));
        }
        let mut gaps = Gaps::<L> {
            left: keys,
            from: keys.add(some),
            end: last.sub(some),
            right: keys.add(count),
        };
        while gaps.rest() >= some {
            if stop.before(gaps.rest()) {
                // Keys are missing, since the call fails.
                return gaps.left.offset_from_unsigned(keys);
            }
            for _ in 0..(gaps.rest() / some).min(TURNS) {
                let from = gaps.take(some);
                let mut loaded = [pivots; LOADED];
                for at in 0..LOADED {
                    *loaded.get_unchecked_mut(at) = L::load(from.add(at * L::COUNT));
                }
                for keys in loaded {
                    gaps.put(keys, bits(keys));
                }
            }
        }
        while gaps.rest() > 0 {
            let keys = L::load(gaps.take(L::COUNT));
            gaps.put(keys, bits(keys));
        }
        // The last vector needs all the room that is left, so single keys come before it.
        for at in 0..2 * LOADED - 1 {
            let keys = *first.get_unchecked(at);
            gaps.put(keys, bits(keys));
        }
        for at in 0..over {
            let key = *rest.get_unchecked(at);
            let is_right = if EQUAL { key >= pivot } else { key > pivot };
            *gaps.left = key;
            *gaps.right.sub(1) = key;
            gaps.left = gaps.left.add(usize::from(!is_right));
            gaps.right = gaps.right.sub(usize::from(is_right));
        }
        let keys_left = *first.get_unchecked(2 * LOADED - 1);
        gaps.put(keys_left, bits(keys_left));
        gaps.left.offset_from_unsigned(keys)
    }
}

/// The key in the middle of a sample. Samples have 16 to 64 keys: `scripts/bench sort_i64` shows the effect of other
/// sizes. They were not measured by themselves.
#[target_feature(enable = "avx2,popcnt")]
#[inline(never)]
unsafe fn middle<L: Lanes>(keys: *const L::Key, count: usize, random: &mut u64) -> L::Key {
    let size = match count {
        0..1024 => 16,
        1024..8192 => 32,
        _ => 64,
    };
    let mut sample = [L::LAST; 64];
    let step = count / size;
    // SAFETY: the sample has that many keys, and each is in its part of the array.
    unsafe {
        for at in 0..size {
            *random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let place = at * step + (*random >> 33) as usize % step;
            *sample.get_unchecked_mut(at) = *keys.add(place);
        }
        sort_few::<L>(sample.as_mut_ptr(), size);
        *sample.get_unchecked(size / 2)
    }
}

/// Puts the positions of a window in order. No key is less than `least`.
#[target_feature(enable = "avx2,popcnt")]
unsafe fn quicksort<L: Lanes>(
    mut keys: *mut L::Key,
    mut count: usize,
    mut window: Range<usize>,
    mut least: Option<L::Key>,
    mut depth: u32,
    random: &mut u64,
    stop: Stop<'_>,
) {
    // SAFETY: by contract.
    unsafe {
        while count > ROWS * L::COUNT {
            if depth == 0 {
                return radix::sort(keys, count, window, stop);
            }
            if stop.before(count) {
                return;
            }
            depth -= 1;
            let pivot = middle::<L>(keys, count, random);
            let is_least = least.is_some_and(|least| least >= pivot);
            let left = if is_least {
                part::<L, false>(keys, count, pivot, stop)
            } else {
                part::<L, true>(keys, count, pivot, stop)
            };
            // The keys at the left are equal, or they are less than the pivot.
            if !is_least && window.start < left {
                if window.end <= left {
                    count = left;
                    continue;
                }
                quicksort::<L>(keys, left, window.start..left, least, depth, random, stop);
            }
            if window.end <= left {
                return;
            }
            least = Some(pivot);
            keys = keys.add(left);
            count -= left;
            window = window.start.saturating_sub(left)..window.end - left;
        }
        sort_few::<L>(keys, count);
    }
}

/// Puts the positions of a window in order.
///
/// # Safety
/// The processor has the instructions, there are `count` keys, and the window lies in them.
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn sort<L: Lanes>(
    keys: *mut L::Key,
    count: usize,
    window: Range<usize>,
    stop: Stop<'_>,
) {
    let depth = 2 * (usize::BITS - count.leading_zeros());
    // SAFETY: by contract.
    unsafe { sort_within::<L>(keys, count, window, depth, stop) };
}

/// The same, where keys are parted so often at most, one part in the other.
///
/// # Safety
/// As for [`sort`].
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn sort_within<L: Lanes>(
    keys: *mut L::Key,
    count: usize,
    window: Range<usize>,
    depth: u32,
    stop: Stop<'_>,
) {
    if window.is_empty() {
        return;
    }
    // SAFETY: by contract.
    unsafe { quicksort::<L>(keys, count, window, None, depth, &mut (count as u64), stop) };
}
