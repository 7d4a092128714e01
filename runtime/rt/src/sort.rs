//! Sorts of numbers of 32 and 64 bits.
//!
//! Numbers become keys: `i32` for 32 bits, `f64` for doubles, and `i64` for other numbers of 64 bits. Keys are sorted in place, in
//! vectors where the processor has them ([`avx2`]), or else by their digits ([`radix`]). Both put only the positions of a window in
//! order; so a selection is a sort with a small window.
//!
//! Equal integers are the same. Equal floats may differ in the sign of zero, and in the bits of `nan`; they are put in the order of the
//! source afterwards. So all sorts are stable.
//!
//! Invariant: the results at the positions in the window are those of a stable sort in the library's order, on every processor. Nothing
//! outside of the arrays is read or written.
//!
//! ```text
//! 2.0 nan -0.0 0.0   keys 2 inf -0 0   sorted -0 0 2 inf, or 0 -0 2 inf   mended -0.0 0.0 2.0 nan
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
mod order;
mod radix;
#[cfg(all(test, not(loom)))]
mod tests;

use core::ffi::c_void;
use core::ops::Range;

use arr_abi::sorting::{DOWN, FLOAT, UNSIGNED};

use crate::context::Context;

pub use self::order::arr_rt_order;
use self::radix::Digits;

/// A sort asks whether its call is cancelled before it parts this many keys or more.
const LONG: usize = 1 << 16;

/// Whether a sort should stop.
#[derive(Clone, Copy)]
struct Stop<'a>(Option<&'a Context>);

impl Stop<'_> {
    /// Whether the call is cancelled, if so many keys are left that asking costs little.
    fn before(self, count: usize) -> bool {
        count >= LONG && self.now()
    }

    /// Whether the call is cancelled.
    fn now(self) -> bool {
        self.0.is_some_and(Context::is_cancelled)
    }

    /// Does something with `count` numbers, some at a time, until the call is cancelled.
    #[inline(always)]
    fn between(self, count: usize, mut work: impl FnMut(Range<usize>)) {
        for from in (0..count).step_by(LONG) {
            if self.before(count) {
                return;
            }
            work(from..count.min(from + LONG));
        }
    }
}

/// Numbers that are sorted in place.
trait Key: Digits + PartialOrd {
    /// Puts the positions of a window in order.
    ///
    /// # Safety
    /// There are `count` keys, none of which is `nan`, and the window lies in them.
    unsafe fn sort(keys: *mut Self, count: usize, window: Range<usize>, stop: Stop<'_>);
}

macro_rules! keys {
    ($($key:ty = $lanes:ident),*) => {$(
        impl Key for $key {
            unsafe fn sort(keys: *mut Self, count: usize, window: Range<usize>, stop: Stop<'_>) {
                #[cfg(target_arch = "x86_64")]
                if avx2::is_there() {
                    // SAFETY: by contract, and the processor has the instructions.
                    return unsafe { avx2::sort::<avx2::$lanes>(keys, count, window, stop) };
                }
                // SAFETY: by contract.
                unsafe { radix::sort(keys, count, window, stop) }
            }
        }
    )*};
}

keys!(i32 = Ints, i64 = Longs, f64 = Doubles);

/// For fewer numbers, a call takes longer than vectors save. No benchmark shows it alone: `scripts/bench --sorts`
/// begins at 1,000 numbers.
#[cfg(target_arch = "x86_64")]
const VECTORS: usize = 64;

/// Does work on so many numbers in vectors, if the processor has them and the compiler finds how.
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "no vectors are known"))]
pub(crate) fn in_vectors<R>(count: usize, work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if count >= VECTORS && avx2::is_there() {
        // SAFETY: the processor has the instructions.
        return unsafe { avx2::with_vectors(work) };
    }
    work()
}

/// Floats, and their keys. Zeros of both signs may have different keys next to each other.
trait Float: Copy {
    /// The type of the keys. It is as large as the float.
    type Key: Key;

    /// The key of a number in an order. A `nan` has the key of infinity, or one beyond it.
    fn key(self, down: bool) -> Self::Key;

    /// The number that has this key.
    fn of(key: Self::Key, down: bool) -> Self;

    /// Whether it is no number.
    fn is_nan(self) -> bool;

    /// Whether it is zero with a sign.
    fn is_minus_zero(self) -> bool;

    /// Whether it is above, or below, zero.
    fn is_beyond_zero(self, above: bool) -> bool;
}

impl Float for f32 {
    type Key = i32;

    fn key(self, down: bool) -> i32 {
        let bits =
            if self.is_nan() { Self::INFINITY.to_bits() } else { self.to_bits() }.cast_signed();
        turned(bits) ^ -i32::from(down)
    }

    fn of(key: i32, down: bool) -> Self {
        Self::from_bits(turned(key ^ -i32::from(down)).cast_unsigned())
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }

    fn is_minus_zero(self) -> bool {
        self.to_bits() == (-0.0_f32).to_bits()
    }

    fn is_beyond_zero(self, above: bool) -> bool {
        if above { self > 0.0 } else { self < 0.0 }
    }
}

/// The integer with the order of a float, by its bits; and the other way round.
fn turned(bits: i32) -> i32 {
    bits ^ ((bits >> 31).cast_unsigned() >> 1).cast_signed()
}

impl Float for f64 {
    type Key = Self;

    fn key(self, down: bool) -> Self {
        let number = if self.is_nan() { Self::INFINITY } else { self };
        Self::of(number, down)
    }

    fn of(key: Self, down: bool) -> Self {
        // Without a branch, the loops over numbers become vectors.
        Self::from_bits(key.to_bits() ^ (u64::from(down) << 63))
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }

    fn is_minus_zero(self) -> bool {
        self.to_bits() == (-0.0_f64).to_bits()
    }

    fn is_beyond_zero(self, above: bool) -> bool {
        if above { self > 0.0 } else { self < 0.0 }
    }
}

/// The positions in an array that compiled code asks for.
fn window(count: i64, first: i64, end: i64) -> (usize, Range<usize>) {
    let place = |at: i64| usize::try_from(at.min(count)).unwrap_or(0);
    let (count, first) = (place(count), place(first));
    (count, first..place(end).max(first))
}

/// Sorts integers whose order is that of signed ones after these bits are flipped.
///
/// # Safety
/// The arrays have `count` integers each, and do not overlap. The window lies in them.
unsafe fn integers<K>(
    from: *const K,
    to: *mut K,
    (count, window): (usize, Range<usize>),
    flip: K,
    stop: Stop<'_>,
) where
    K: Key + PartialEq + Default + core::ops::BitXor<Output = K>,
{
    // SAFETY: by contract.
    unsafe {
        in_vectors(count, move || {
            stop.between(count, |some| {
                some.for_each(|at| to.add(at).write(from.add(at).read() ^ flip));
            });
        });
        K::sort(to, count, window.clone(), stop);
        if flip != K::default() {
            let first = window.start;
            stop.between(window.len(), |some| {
                for at in some {
                    to.add(first + at).write(to.add(first + at).read() ^ flip);
                }
            });
        }
    }
}

/// # Safety
/// The arrays have `count` floats each, and do not overlap. The window lies in them.
unsafe fn floats<F: Float>(
    from: *const F,
    to: *mut F,
    (count, window): (usize, Range<usize>),
    down: bool,
    stop: Stop<'_>,
) {
    let keys: *mut F::Key = to.cast();
    // SAFETY: by contract; a key is as large as a float.
    unsafe {
        let (nans, zeros) = in_vectors(count, move || {
            let (mut nans, mut zeros) = (0, 0);
            stop.between(count, |some| {
                for at in some {
                    let number = from.add(at).read();
                    nans += usize::from(number.is_nan());
                    zeros += usize::from(number.is_minus_zero());
                    keys.add(at).write(number.key(down));
                }
            });
            (nans, zeros)
        });
        F::Key::sort(keys, count, window.clone(), stop);
        let (start, wanted) = (window.start, window.len());
        in_vectors(count, move || {
            stop.between(wanted, |some| {
                for at in some {
                    to.add(start + at).write(F::of(keys.add(start + at).read(), down));
                }
            });
        });
        if nans + zeros > 0 && !stop.now() {
            mend(from, to, count, window, down, nans);
        }
    }
}

/// Puts zeros and `nan` in the order of the source.
///
/// # Safety
/// As for [`floats`].
unsafe fn mend<F: Float>(
    from: *const F,
    to: *mut F,
    count: usize,
    window: Range<usize>,
    down: bool,
    nans: usize,
) {
    // SAFETY: by contract.
    unsafe {
        let before = (0..count).filter(|&at| from.add(at).read().is_beyond_zero(down)).count();
        let (mut zero, mut nan) = if down { (nans + before, 0) } else { (before, count - nans) };
        for at in 0..count {
            let number = from.add(at).read();
            let is_nan = number.is_nan();
            if !is_nan && (number.is_beyond_zero(true) || number.is_beyond_zero(false)) {
                continue;
            }
            let place = if is_nan { &mut nan } else { &mut zero };
            if window.contains(place) {
                to.add(*place).write(number);
            }
            *place += 1;
        }
    }
}

/// Sorts numbers of 32 bits from one array to another, in an order of [`arr_abi::sorting`], at the positions in a window. Stops early if
/// the call is cancelled.
///
/// # Safety
/// The context is NULL, or one in which a call runs. The arrays have `count` numbers each, and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_sort_32(
    context: *const Context,
    from: *const c_void,
    to: *mut c_void,
    count: i64,
    first: i64,
    end: i64,
    order: i32,
) {
    let places = window(count, first, end);
    // SAFETY: by contract.
    unsafe {
        let stop = Stop(context.as_ref());
        if order & FLOAT != 0 {
            floats::<f32>(from.cast(), to.cast(), places, order & DOWN != 0, stop);
        } else {
            let sign = if order & UNSIGNED != 0 { i32::MIN } else { 0 };
            integers(from.cast(), to.cast(), places, sign ^ -(order & DOWN), stop);
        }
    }
}

/// The same of integers of 64 bits.
///
/// # Safety
/// As for [`arr_rt_sort_32`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_sort_64(
    context: *const Context,
    from: *const c_void,
    to: *mut c_void,
    count: i64,
    first: i64,
    end: i64,
    order: i32,
) {
    let places = window(count, first, end);
    let sign = if order & UNSIGNED != 0 { i64::MIN } else { 0 };
    let flip = sign ^ -i64::from(order & DOWN);
    // SAFETY: by contract.
    unsafe { integers(from.cast(), to.cast(), places, flip, Stop(context.as_ref())) };
}

/// The same of doubles.
///
/// # Safety
/// As for [`arr_rt_sort_32`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_sort_f64(
    context: *const Context,
    from: *const c_void,
    to: *mut c_void,
    count: i64,
    first: i64,
    end: i64,
    order: i32,
) {
    let places = window(count, first, end);
    let down = order & DOWN != 0;
    // SAFETY: by contract.
    unsafe { floats::<f64>(from.cast(), to.cast(), places, down, Stop(context.as_ref())) };
}
