//! Vectors of 32 bytes: eight integers, four long ones, or four doubles.
//!
//! Invariant: each function does what its name says to the lanes, and nothing else. Loads and stores need no alignment.
//!
//! ```text
//! parted 7 2 9 4 by 0101   ⇒   2 4 7 9        merged 1 5 6 2   ⇒   1 2 5 6
//! ```

use core::arch::x86_64::*;

use crate::sort::radix::Digits;

/// A vector of keys.
pub(in crate::sort) trait Lanes: Copy {
    /// The keys.
    type Key: Digits + PartialOrd;
    /// How many keys there are in a vector.
    const COUNT: usize;
    /// A key that is not less than any other.
    const LAST: Self::Key;

    unsafe fn load(from: *const Self::Key) -> Self;
    /// The first `count` keys, and behind them [`Self::LAST`].
    unsafe fn load_some(from: *const Self::Key, count: usize) -> Self;
    unsafe fn store(self, to: *mut Self::Key);
    unsafe fn all(key: Self::Key) -> Self;
    unsafe fn min(self, other: Self) -> Self;
    unsafe fn max(self, other: Self) -> Self;
    /// A bit for each key that is greater than that of the other vector.
    unsafe fn above(self, other: Self) -> usize;
    /// The keys whose bit is set behind the others.
    unsafe fn parted(self, bits: usize) -> Self;
    /// The keys from the last one on.
    unsafe fn reversed(self) -> Self;
    /// The keys in order, if they ascend and then descend, or the other way round.
    unsafe fn merged(self) -> Self;
    /// The keys in order.
    unsafe fn sorted(self) -> Self;
    /// Puts each of as many vectors as a vector has keys in order.
    unsafe fn sort_square(rows: *mut Self);
}

/// For each set of lanes, the other lanes, and those of the set behind them. Each of them has `WIDTH` numbers.
const fn parted_lanes<const SETS: usize, const WIDTH: usize>() -> [[u8; 8]; SETS] {
    let mut all = [[0; 8]; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut to, mut part) = (0, 0);
        while part < 2 {
            let mut at = 0;
            while at < 8 {
                if set >> (at / WIDTH) & 1 == part {
                    all[set][to] = at as u8;
                    to += 1;
                }
                at += 1;
            }
            part += 1;
        }
        set += 1;
    }
    all
}

static PARTED_EIGHT: [[u8; 8]; 256] = parted_lanes::<256, 1>();
static PARTED_FOUR: [[u8; 8]; 16] = parted_lanes::<16, 2>();

/// Puts the lower one of each two keys of two vectors in front.
#[inline(always)]
pub(super) unsafe fn exchange<L: Lanes>(rows: *mut L, first: usize, second: usize) {
    // SAFETY: by contract.
    unsafe {
        let (x, y) = (*rows.add(first), *rows.add(second));
        *rows.add(first) = x.min(y);
        *rows.add(second) = x.max(y);
    }
}

/// Eight integers of 32 bits.
#[derive(Clone, Copy)]
pub(in crate::sort) struct Ints(__m256i);

impl Ints {
    /// The lower one of each two keys, and in the lanes of `HIGH` the higher one.
    #[inline(always)]
    unsafe fn step<const HIGH: i32>(self, other: __m256i) -> Self {
        // SAFETY: the processor has the instructions.
        unsafe {
            let (low, high) = (_mm256_min_epi32(self.0, other), _mm256_max_epi32(self.0, other));
            Self(_mm256_blend_epi32::<HIGH>(low, high))
        }
    }
}

// SAFETY of what follows: the processor has the instructions, and callers see to what is loaded and stored.
#[allow(clippy::undocumented_unsafe_blocks, reason = "one sentence says it for all")]
impl Lanes for Ints {
    type Key = i32;
    const COUNT: usize = 8;
    const LAST: i32 = i32::MAX;

    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        unsafe { Self(_mm256_loadu_si256(from.cast())) }
    }

    #[inline(always)]
    unsafe fn load_some(from: *const i32, count: usize) -> Self {
        unsafe {
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let there = _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), lanes);
            let some = _mm256_maskload_epi32(from, there);
            Self(_mm256_blendv_epi8(Self::all(Self::LAST).0, some, there))
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i32) {
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn all(key: i32) -> Self {
        unsafe { Self(_mm256_set1_epi32(key)) }
    }

    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        unsafe { Self(_mm256_min_epi32(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        unsafe { Self(_mm256_max_epi32(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn above(self, other: Self) -> usize {
        unsafe {
            let above = _mm256_cmpgt_epi32(self.0, other.0);
            _mm256_movemask_ps(_mm256_castsi256_ps(above)) as usize
        }
    }

    #[inline(always)]
    unsafe fn parted(self, bits: usize) -> Self {
        unsafe {
            let lanes = _mm_loadl_epi64(PARTED_EIGHT.as_ptr().add(bits).cast());
            Self(_mm256_permutevar8x32_epi32(self.0, _mm256_cvtepu8_epi32(lanes)))
        }
    }

    #[inline(always)]
    unsafe fn reversed(self) -> Self {
        unsafe {
            let lanes = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
            Self(_mm256_permutevar8x32_epi32(self.0, lanes))
        }
    }

    #[inline(always)]
    unsafe fn merged(self) -> Self {
        unsafe {
            let x = self.step::<0xf0>(_mm256_permute4x64_epi64::<0x4e>(self.0));
            let x = x.step::<0xcc>(_mm256_shuffle_epi32::<0x4e>(x.0));
            x.step::<0xaa>(_mm256_shuffle_epi32::<0xb1>(x.0))
        }
    }

    #[inline(always)]
    unsafe fn sorted(self) -> Self {
        unsafe {
            let x = self.step::<0xaa>(_mm256_shuffle_epi32::<0xb1>(self.0));
            let x = x.step::<0xcc>(_mm256_shuffle_epi32::<0x1b>(x.0));
            let x = x.step::<0xaa>(_mm256_shuffle_epi32::<0xb1>(x.0));
            let x = x.step::<0xf0>(x.reversed().0);
            let x = x.step::<0xcc>(_mm256_shuffle_epi32::<0x4e>(x.0));
            x.step::<0xaa>(_mm256_shuffle_epi32::<0xb1>(x.0))
        }
    }

    #[inline(always)]
    unsafe fn sort_square(rows: *mut Self) {
        const NETWORK: [(usize, usize); 19] = [
            (0, 2),
            (1, 3),
            (4, 6),
            (5, 7),
            (0, 4),
            (1, 5),
            (2, 6),
            (3, 7),
            (0, 1),
            (2, 3),
            (4, 5),
            (6, 7),
            (2, 4),
            (3, 5),
            (1, 4),
            (3, 6),
            (1, 2),
            (3, 4),
            (5, 6),
        ];
        unsafe {
            for (first, second) in NETWORK {
                exchange(rows, first, second);
            }
            let mut pairs = [_mm256_setzero_si256(); 8];
            for at in 0..4 {
                let (x, y) = ((*rows.add(2 * at)).0, (*rows.add(2 * at + 1)).0);
                *pairs.get_unchecked_mut(2 * at) = _mm256_unpacklo_epi32(x, y);
                *pairs.get_unchecked_mut(2 * at + 1) = _mm256_unpackhi_epi32(x, y);
            }
            let mut fours = [_mm256_setzero_si256(); 8];
            for at in 0..4 {
                let place = at / 2 * 4 + at % 2;
                let (x, y) = (*pairs.get_unchecked(place), *pairs.get_unchecked(place + 2));
                let to = at / 2 * 4 + at % 2 * 2;
                *fours.get_unchecked_mut(to) = _mm256_unpacklo_epi64(x, y);
                *fours.get_unchecked_mut(to + 1) = _mm256_unpackhi_epi64(x, y);
            }
            for at in 0..4 {
                let (x, y) = (*fours.get_unchecked(at), *fours.get_unchecked(at + 4));
                *rows.add(at) = Self(_mm256_permute2x128_si256::<0x20>(x, y));
                *rows.add(at + 4) = Self(_mm256_permute2x128_si256::<0x31>(x, y));
            }
        }
    }
}

/// Four integers of 64 bits.
#[derive(Clone, Copy)]
pub(in crate::sort) struct Longs(__m256i);

/// Four doubles.
#[derive(Clone, Copy)]
pub(in crate::sort) struct Doubles(__m256d);

#[allow(clippy::undocumented_unsafe_blocks, reason = "the processor has the instructions")]
impl Longs {
    #[inline(always)]
    unsafe fn doubles(self) -> __m256d {
        unsafe { _mm256_castsi256_pd(self.0) }
    }

    #[inline(always)]
    unsafe fn of_doubles(doubles: __m256d) -> Self {
        unsafe { Self(_mm256_castpd_si256(doubles)) }
    }

    /// The keys of the other vector in the lanes that are set.
    #[inline(always)]
    unsafe fn choose(self, other: Self, set: __m256i) -> Self {
        unsafe {
            let set = _mm256_castsi256_pd(set);
            Self::of_doubles(_mm256_blendv_pd(self.doubles(), other.doubles(), set))
        }
    }

    #[inline(always)]
    unsafe fn smallest(self, other: Self) -> Self {
        unsafe { self.choose(other, _mm256_cmpgt_epi64(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn greatest(self, other: Self) -> Self {
        unsafe { other.choose(self, _mm256_cmpgt_epi64(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn mask(self, other: Self) -> i32 {
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(self.0, other.0))) }
    }

    #[inline(always)]
    unsafe fn spread(key: i64) -> Self {
        unsafe { Self(_mm256_set1_epi64x(key)) }
    }

    /// As [`Ints::step`]. One choice takes less time than a minimum, a maximum and a choice.
    #[inline(always)]
    unsafe fn step<const HIGH: i32>(self, other: __m256d) -> Self {
        unsafe {
            let ones = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
            let high = _mm256_castpd_si256(_mm256_blend_pd::<HIGH>(_mm256_setzero_pd(), ones));
            let other = Self::of_doubles(other);
            let above = _mm256_cmpgt_epi64(self.0, other.0);
            self.choose(other, _mm256_xor_si256(above, high))
        }
    }
}

#[allow(clippy::undocumented_unsafe_blocks, reason = "the processor has the instructions")]
impl Doubles {
    #[inline(always)]
    unsafe fn doubles(self) -> __m256d {
        self.0
    }

    #[inline(always)]
    unsafe fn of_doubles(doubles: __m256d) -> Self {
        Self(doubles)
    }

    #[inline(always)]
    unsafe fn smallest(self, other: Self) -> Self {
        unsafe { Self(_mm256_min_pd(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn greatest(self, other: Self) -> Self {
        unsafe { Self(_mm256_max_pd(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn mask(self, other: Self) -> i32 {
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn spread(key: f64) -> Self {
        unsafe { Self(_mm256_set1_pd(key)) }
    }

    /// As [`Ints::step`].
    #[inline(always)]
    unsafe fn step<const HIGH: i32>(self, other: __m256d) -> Self {
        unsafe {
            let (low, high) = (_mm256_min_pd(self.0, other), _mm256_max_pd(self.0, other));
            Self(_mm256_blend_pd::<HIGH>(low, high))
        }
    }
}

/// Vectors of four keys differ in how they compare.
macro_rules! four_lanes {
    ($lanes:ident, $key:ty, $last:expr) => {
        // SAFETY of what follows: as for `Ints`.
        #[allow(clippy::undocumented_unsafe_blocks, reason = "one sentence says it for all")]
        impl Lanes for $lanes {
            type Key = $key;
            const COUNT: usize = 4;
            const LAST: $key = $last;

            #[inline(always)]
            unsafe fn load(from: *const $key) -> Self {
                unsafe { Self::of_doubles(_mm256_loadu_pd(from.cast())) }
            }

            #[inline(always)]
            unsafe fn load_some(from: *const $key, count: usize) -> Self {
                unsafe {
                    let lanes = _mm256_setr_epi64x(0, 1, 2, 3);
                    let there = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), lanes);
                    let some = _mm256_maskload_pd(from.cast(), there);
                    let rest = Self::spread(Self::LAST).doubles();
                    Self::of_doubles(_mm256_blendv_pd(rest, some, _mm256_castsi256_pd(there)))
                }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $key) {
                unsafe { _mm256_storeu_pd(to.cast(), self.doubles()) }
            }

            #[inline(always)]
            unsafe fn all(key: $key) -> Self {
                unsafe { Self::spread(key) }
            }

            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                unsafe { self.smallest(other) }
            }

            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                unsafe { self.greatest(other) }
            }

            #[inline(always)]
            unsafe fn above(self, other: Self) -> usize {
                unsafe { self.mask(other) as usize }
            }

            #[inline(always)]
            unsafe fn parted(self, bits: usize) -> Self {
                unsafe {
                    let lanes = _mm_loadl_epi64(PARTED_FOUR.as_ptr().add(bits).cast());
                    let (keys, lanes) =
                        (_mm256_castpd_ps(self.doubles()), _mm256_cvtepu8_epi32(lanes));
                    let parted = _mm256_permutevar8x32_ps(keys, lanes);
                    Self::of_doubles(_mm256_castps_pd(parted))
                }
            }

            #[inline(always)]
            unsafe fn reversed(self) -> Self {
                unsafe { Self::of_doubles(_mm256_permute4x64_pd::<0x1b>(self.doubles())) }
            }

            #[inline(always)]
            unsafe fn merged(self) -> Self {
                unsafe {
                    let x = self.step::<0b1100>(_mm256_permute4x64_pd::<0x4e>(self.doubles()));
                    x.step::<0b1010>(_mm256_permute_pd::<0b0101>(x.doubles()))
                }
            }

            #[inline(always)]
            unsafe fn sorted(self) -> Self {
                unsafe {
                    let x = self.step::<0b1010>(_mm256_permute_pd::<0b0101>(self.doubles()));
                    let x = x.step::<0b1100>(x.reversed().doubles());
                    x.step::<0b1010>(_mm256_permute_pd::<0b0101>(x.doubles()))
                }
            }

            #[inline(always)]
            unsafe fn sort_square(rows: *mut Self) {
                unsafe {
                    for (first, second) in [(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)] {
                        exchange(rows, first, second);
                    }
                    let (a, b) = ((*rows).doubles(), (*rows.add(1)).doubles());
                    let (c, d) = ((*rows.add(2)).doubles(), (*rows.add(3)).doubles());
                    let (e, f) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
                    let (g, h) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
                    *rows = Self::of_doubles(_mm256_permute2f128_pd::<0x20>(e, g));
                    *rows.add(1) = Self::of_doubles(_mm256_permute2f128_pd::<0x20>(f, h));
                    *rows.add(2) = Self::of_doubles(_mm256_permute2f128_pd::<0x31>(e, g));
                    *rows.add(3) = Self::of_doubles(_mm256_permute2f128_pd::<0x31>(f, h));
                }
            }
        }
    };
}

four_lanes!(Longs, i64, i64::MAX);
four_lanes!(Doubles, f64, f64::INFINITY);
