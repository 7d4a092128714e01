//! The positions of numbers in order.
//!
//! Where the keys have few values, the keys of each value are counted. Otherwise a key and its position are packed into 64 bits, the key in
//! front; these are sorted as numbers. So equal keys keep their order. Where the keys have more bits than there is room for, their highest
//! bits are sorted first, and then each run of keys that agree in those.
//!
//! Invariant: all of it is in the memory of the result.
//!
//! ```text
//! keys 7 5 5   packed 2·4+0 0·4+1 0·4+2   sorted 1 2 8   positions 1 2 0
//! ```

use core::ffi::c_void;

use arr_abi::sorting::{DOWN, FLOAT, UNSIGNED};

use super::{Key, Stop, in_vectors};
use crate::context::Context;

/// The most values of keys that are counted. `scripts/bench --sorts order_i32` has ten values: 100,000 keys of them
/// take 469 µs, and random ones 1,121 (processor time, AVX2, loaded machine). The limit was not measured by itself.
const COUNTED: usize = 1024;

/// The most keys of a run that are put in order by insertion. `scripts/bench order_i64` shows the effect of another
/// number. Not measured by itself.
const FEW: usize = 12;

/// Keys, by their positions.
struct Keys<'a, T, F> {
    from: *const T,
    /// The integer with the order of a number.
    key: F,
    lowest: i64,
    /// The lowest bits, which are the same in all keys.
    same: u32,
    /// The bits of a position.
    bits: u32,
    stop: Stop<'a>,
}

/// The positions of `count` numbers of 64 bits in an order of [`arr_abi::sorting`]. Stops early if the call is cancelled.
///
/// # Safety
/// The context is NULL, or one in which a call runs. Both arrays have `count` numbers, and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_order(
    context: *const Context,
    from: *const c_void,
    to: *mut c_void,
    count: i64,
    order: i32,
) {
    let (to, count) = (to.cast(), usize::try_from(count).unwrap_or(0));
    let flip = -i64::from(order & DOWN);
    // SAFETY: by contract.
    unsafe {
        let stop = Stop(context.as_ref());
        if order & FLOAT != 0 {
            sort(from.cast(), to, count, |x: f64| double(x) ^ flip, stop);
        } else {
            let flip = flip ^ if order & UNSIGNED != 0 { i64::MIN } else { 0 };
            sort(from.cast(), to, count, |x: i64| x ^ flip, stop);
        }
    }
}

/// An integer with the order of a double. Equal doubles have the same one.
fn double(x: f64) -> i64 {
    let x = if x.is_nan() { f64::NAN.abs() } else { x + 0.0 };
    let bits = x.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// # Safety
/// As for [`arr_rt_order`].
unsafe fn sort<T: Copy>(
    from: *const T,
    to: *mut i64,
    count: usize,
    key: impl Fn(T) -> i64,
    stop: Stop<'_>,
) {
    if count == 0 {
        return;
    }
    // SAFETY: by contract.
    unsafe {
        let first = key(from.read());
        let number = &key;
        let (lowest, highest, differ, falls) = in_vectors(count, move || {
            let (mut lowest, mut highest, mut differ, mut falls) = (first, first, 0, false);
            let mut before = first;
            for at in 0..count {
                let number = number(from.add(at).read());
                lowest = lowest.min(number);
                highest = highest.max(number);
                differ |= number ^ first;
                falls |= number < before;
                before = number;
                to.add(at).write(at as i64);
            }
            (lowest, highest, differ, falls)
        });
        if !falls {
            return;
        }
        let (same, bits) = (differ.trailing_zeros(), usize::BITS - (count - 1).leading_zeros());
        let range = highest.wrapping_sub(lowest).cast_unsigned() >> same;
        let keys = Keys { from, key, lowest, same, bits, stop };
        if range < COUNTED as u64 && count > range as usize {
            keys.count(to, count);
        } else {
            keys.refine(to, count, u64::BITS - range.leading_zeros());
        }
    }
}

impl<T: Copy, F: Fn(T) -> i64> Keys<'_, T, F> {
    /// The key at a position: 0 for the lowest.
    ///
    /// # Safety
    /// There is a number.
    unsafe fn at(&self, place: usize) -> u64 {
        // SAFETY: by contract.
        let key = (self.key)(unsafe { self.from.add(place).read() });
        key.wrapping_sub(self.lowest).cast_unsigned() >> self.same
    }

    /// Sorts all positions by their keys, which are less than [`COUNTED`].
    ///
    /// # Safety
    /// There are `count` positions, and the numbers have them.
    unsafe fn count(&self, to: *mut i64, count: usize) {
        let mut next = [0_usize; COUNTED];
        // SAFETY: by contract.
        unsafe {
            for at in 0..count {
                *next.get_unchecked_mut(self.at(at) as usize) += 1;
            }
            let mut sum = 0;
            for next in &mut next {
                sum += core::mem::replace(next, sum);
            }
            for at in 0..count {
                let next = next.get_unchecked_mut(self.at(at) as usize);
                to.add(*next).write(at as i64);
                *next += 1;
            }
        }
    }

    /// Sorts positions, which are ascending, by the lowest bits of their keys. The bits above agree.
    ///
    /// # Safety
    /// There are `count` positions, and the numbers have them.
    unsafe fn refine(&self, to: *mut i64, count: usize, bits: u32) {
        let taken = bits.min(u64::BITS - self.bits);
        let rest = bits - taken;
        // SAFETY: by contract.
        unsafe {
            self.stop.between(count, |some| {
                for at in some {
                    let place = *to.add(at);
                    // The bits above those that are taken leave no trace: they are shifted out, or agree.
                    let key = self.at(place as usize) >> rest << (u64::BITS - taken);
                    let packed = (key >> (u64::BITS - taken) << self.bits) | place.cast_unsigned();
                    *to.add(at) = packed.cast_signed() ^ i64::MIN;
                }
            });
            if self.stop.now() {
                return;
            }
            i64::sort(to, count, 0..count, self.stop);
            if self.stop.now() {
                return;
            }
            let key = |at: usize| (*to.add(at) ^ i64::MIN).cast_unsigned() >> self.bits;
            let place = ((1_u64 << self.bits) - 1).cast_signed();
            let mut from = 0;
            while from < count {
                let same = key(from);
                let mut end = from;
                while end < count && key(end) == same {
                    *to.add(end) &= place;
                    end += 1;
                }
                if rest > 0 && end - from > FEW {
                    self.refine(to.add(from), end - from, rest);
                } else if rest > 0 && end - from > 1 {
                    self.insert(to.add(from), end - from);
                }
                from = end;
            }
        }
    }

    /// Sorts positions, which are ascending, by insertion.
    ///
    /// # Safety
    /// As for [`Self::refine`].
    unsafe fn insert(&self, to: *mut i64, count: usize) {
        // SAFETY: by contract.
        unsafe {
            for at in 1..count {
                let place = *to.add(at);
                let key = self.at(place as usize);
                let mut hole = at;
                while hole > 0 && self.at(*to.add(hole - 1) as usize) > key {
                    *to.add(hole) = *to.add(hole - 1);
                    hole -= 1;
                }
                *to.add(hole) = place;
            }
        }
    }
}
