//! Sorts on every processor that this one can be: with its vectors, and without.

use core::ops::Range;

use arr_abi::sorting::{DOWN, FLOAT, UNSIGNED};
use libc::{MAP_ANONYMOUS, MAP_PRIVATE, PROT_NONE, PROT_READ, PROT_WRITE, c_void};

use super::order::arr_rt_order;
use super::{Key, Stop, arr_rt_sort_32, arr_rt_sort_64, arr_rt_sort_f64, radix};

/// Numbers without a pattern.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }
}

/// Sorts keys by the vectors of this processor, if it has some, and by digits; compares the window with the keys in order.
fn check<K: Key + core::fmt::Debug>(keys: &[K], window: Range<usize>) {
    let mut expected = keys.to_vec();
    expected.sort_by_key(|key| key.number());
    for by_digits in [false, true] {
        let (mut sorted, window) = (keys.to_vec(), window.clone());
        let (start, count) = (sorted.as_mut_ptr(), keys.len());
        // SAFETY: there are that many keys, and callers choose a window in them.
        unsafe {
            if by_digits {
                radix::sort(start, count, window.clone(), Stop(None));
            } else {
                K::sort(start, count, window.clone(), Stop(None));
            }
        }
        assert_eq!(sorted[window.clone()], expected[window.clone()], "{} keys", keys.len());
        sorted.sort_by_key(|key| key.number());
        assert_eq!(sorted, expected, "no key is lost");
    }
}

fn check_all(keys: &[i64]) {
    let all = 0..keys.len();
    check(keys, all.clone());
    check(&keys.iter().map(|&key| key as i32).collect::<Vec<_>>(), all.clone());
    check(&keys.iter().map(|&key| key as f64).collect::<Vec<_>>(), all);
}

/// Networks exchange keys without regard to their values. So they put all keys in order if they put those of two values in order.
#[test]
fn networks_put_zeros_and_ones_in_order() {
    for count in 0..=16 {
        for bits in 0..1_u32 << count {
            let keys: Vec<_> = (0..count).map(|at| i64::from(bits >> at & 1)).collect();
            check_all(&keys);
        }
    }
}

/// The networks for more keys, with each number of ones, in many orders.
#[test]
fn longer_networks_put_zeros_and_ones_in_order() {
    let mut random = Random(7);
    for count in 17..=257 {
        for ones in [1, count / 3, count / 2, count - 1] {
            let mut keys: Vec<_> = (0..count).map(|at| i64::from(at < ones)).collect();
            (1..count).for_each(|at| keys.swap(at, random.below(at + 1)));
            check_all(&keys);
        }
    }
}

#[test]
fn keys_of_each_pattern_are_sorted() {
    let mut random = Random(1);
    for count in [258_usize, 300, 511, 1000, 1023, 1024, 5000, 70_000] {
        let patterns: [Box<dyn Fn(usize, u64) -> i64>; 9] = [
            Box::new(|_, random| random.cast_signed()),
            Box::new(|_, random| (random % 3) as i64),
            Box::new(|_, random| (random % 1000) as i64 - 500),
            Box::new(|at, _| at as i64),
            Box::new(|at, _| -(at as i64)),
            Box::new(|at, _| (at % 100) as i64),
            Box::new(move |at, _| at.min(count - at) as i64),
            Box::new(|_, _| 5),
            Box::new(|_, random| if random % 2 == 0 { i64::MAX } else { i64::MIN }),
        ];
        for pattern in patterns {
            check_all(&(0..count).map(|at| pattern(at, random.next())).collect::<Vec<_>>());
        }
    }
}

#[test]
fn only_the_window_is_in_order() {
    let mut random = Random(3);
    for count in [1_usize, 9, 100, 257, 1000, 10_000] {
        for values in [2, 100, usize::MAX >> 34] {
            let keys: Vec<_> = (0..count).map(|_| random.below(values) as i64).collect();
            for _ in 0..20 {
                let (one, other) = (random.below(count + 1), random.below(count + 1));
                check(&keys, one.min(other)..one.max(other));
                let at = random.below(count);
                check(&keys, at..at + 1);
            }
        }
    }
}

/// Keys between pages that cannot be read or written.
#[test]
fn nothing_outside_of_the_keys_is_touched() {
    const PAGE: usize = 4096;
    let mut random = Random(9);
    // SAFETY: the mapping is private, and the keys lie in its middle pages.
    unsafe {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS;
        let map = libc::mmap(core::ptr::null_mut(), 4 * PAGE, PROT_NONE, flags, -1, 0);
        assert_ne!(map, libc::MAP_FAILED);
        let inside = map.cast::<u8>().add(PAGE);
        assert_eq!(libc::mprotect(inside.cast::<c_void>(), 2 * PAGE, PROT_READ | PROT_WRITE), 0);
        for count in (0..300).chain([511, 777, 1024]) {
            for at_end in [false, true] {
                fill_and_sort::<i64>(inside, 2 * PAGE, (count, at_end), &mut random, |x| x);
                fill_and_sort::<i32>(inside, 2 * PAGE, (count, at_end), &mut random, |x| x as i32);
                fill_and_sort::<f64>(inside, 2 * PAGE, (count, at_end), &mut random, |x| x as f64);
            }
        }
        assert_eq!(libc::munmap(map, 4 * PAGE), 0);
    }
}

/// # Safety
/// There are so many bytes, and they have room for the keys.
unsafe fn fill_and_sort<K: Key>(
    place: *mut u8,
    bytes: usize,
    (count, at_end): (usize, bool),
    random: &mut Random,
    key: impl Fn(i64) -> K,
) {
    // SAFETY: by contract.
    unsafe {
        let keys =
            if at_end { place.add(bytes - count * size_of::<K>()) } else { place }.cast::<K>();
        (0..count).for_each(|at| keys.add(at).write(key(random.next().cast_signed())));
        K::sort(keys, count, 0..count, Stop(None));
        let keys = core::slice::from_raw_parts(keys, count);
        assert!(keys.is_sorted());
    }
}

/// Pivots that part badly: after as many parts as a good quicksort never needs, the keys are sorted by digits.
#[cfg(target_arch = "x86_64")]
#[test]
fn bad_pivots_end_in_a_sort_by_digits() {
    use super::avx2;
    if !avx2::is_there() {
        return;
    }
    let mut random = Random(5);
    let mut keys: Vec<_> = (0..10_000).map(|_| random.next().cast_signed()).collect();
    let count = keys.len();
    // SAFETY: there are that many keys, and the processor has the vectors.
    unsafe { avx2::sort_within::<avx2::Longs>(keys.as_mut_ptr(), count, 0..count, 2, Stop(None)) };
    assert!(keys.is_sorted());
}

type Sort = unsafe extern "C" fn(
    *const crate::context::Context,
    *const c_void,
    *mut c_void,
    i64,
    i64,
    i64,
    i32,
);

fn sorted<T: Copy + Default>(sort: Sort, from: &[T], order: i32) -> Vec<T> {
    let mut to = vec![T::default(); from.len()];
    let count = i64::try_from(from.len()).expect("a small array");
    // SAFETY: both arrays have that many numbers.
    unsafe {
        let arrays = (from.as_ptr().cast(), to.as_mut_ptr().cast());
        sort(core::ptr::null(), arrays.0, arrays.1, count, 0, count, order);
    }
    to
}

fn order_of<T>(from: &[T], order: i32) -> Vec<usize> {
    let mut to = vec![0_i64; from.len()];
    let count = i64::try_from(from.len()).expect("a small array");
    // SAFETY: both arrays have that many numbers.
    unsafe {
        let arrays = (from.as_ptr().cast(), to.as_mut_ptr().cast());
        arr_rt_order(core::ptr::null(), arrays.0, arrays.1, count, order);
    }
    to.into_iter().map(|at| usize::try_from(at).expect("a position")).collect()
}

#[test]
fn integers_are_sorted_in_each_order() {
    let numbers = [0_u32, 1, 7, u32::MAX, 1 << 31, (1 << 31) - 1, 7];
    let mut expected = numbers;
    expected.sort_unstable();
    assert_eq!(sorted(arr_rt_sort_32, &numbers, UNSIGNED), expected);
    expected.reverse();
    assert_eq!(sorted(arr_rt_sort_32, &numbers, UNSIGNED | DOWN), expected);
    let signed = numbers.map(u32::cast_signed);
    let mut expected = signed;
    expected.sort_unstable();
    assert_eq!(sorted(arr_rt_sort_32, &signed, 0), expected);
    expected.reverse();
    assert_eq!(sorted(arr_rt_sort_32, &signed, DOWN), expected);
    let wide = [0, i64::MIN, i64::MAX, -1, 5];
    assert_eq!(sorted(arr_rt_sort_64, &wide, 0), [i64::MIN, -1, 0, 5, i64::MAX]);
    assert_eq!(sorted(arr_rt_sort_64, &wide, DOWN), [i64::MAX, 5, 0, -1, i64::MIN]);
    assert_eq!(sorted(arr_rt_sort_64, &wide, UNSIGNED), [0, 5, i64::MAX, i64::MIN, -1]);
}

/// The order of the library: `nan` above all numbers, equal to itself, and zeros of both signs equal.
fn precedes(x: f64, y: f64, order: i32) -> bool {
    let precedes = |x: f64, y: f64| x < y || !x.is_nan() && y.is_nan();
    if order & DOWN == 0 { precedes(x, y) } else { precedes(y, x) }
}

fn stable(numbers: &[f64], order: i32) -> Vec<usize> {
    let mut places: Vec<_> = (0..numbers.len()).collect();
    places.sort_by(|&x, &y| {
        let (x, y) = (numbers[x], numbers[y]);
        precedes(y, x, order).cmp(&precedes(x, y, order))
    });
    places
}

#[test]
fn floats_are_sorted_stably() {
    let mut random = Random(11);
    let some = [
        0.0,
        -0.0,
        f64::NAN,
        -f64::NAN,
        f64::from_bits(0x7ff8_0000_0000_0001),
        f64::INFINITY,
        f64::NEG_INFINITY,
        1.5,
        -1.5,
        f64::MIN_POSITIVE / 2.0,
    ];
    for count in [1_usize, 2, 3, 10, 50, 200, 1000, 5000] {
        for values in [2, 3, 7, some.len()] {
            let numbers: Vec<f64> = (0..count).map(|_| some[random.below(values)]).collect();
            let single: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
            for order in [FLOAT, FLOAT | DOWN] {
                let places = stable(&numbers, order);
                assert_eq!(order_of(&numbers, order), places);
                let expected = places.iter().map(|&at| numbers[at].to_bits());
                let found = sorted(arr_rt_sort_f64, &numbers, order);
                assert!(found.iter().map(|x| x.to_bits()).eq(expected), "{numbers:?}");
                let expected = stable(&numbers, order).into_iter().map(|at| single[at].to_bits());
                let found = sorted(arr_rt_sort_32, &single, order);
                let singles_agree = values < some.len();
                assert!(!singles_agree || found.iter().map(|x| x.to_bits()).eq(expected));
            }
        }
    }
}

#[test]
fn positions_of_equal_keys_ascend() {
    let mut random = Random(13);
    let patterns: [fn(u64) -> i64; 7] = [
        |random| random.cast_signed(),
        |random| (random % 10) as i64,
        |random| (random % 10) as i64 - 5,
        |random| (random % 100_000) as i64 * 1000,
        // The highest bits agree in many keys.
        |random| (((random % 4) << 62) | (random % 1000)).cast_signed(),
        |random| (((random % 50) << 40) | ((random >> 20) % 3)).cast_signed(),
        |_| 3,
    ];
    for count in [0_usize, 1, 2, 20, 300, 5000] {
        for pattern in patterns {
            let keys: Vec<i64> = (0..count).map(|_| pattern(random.next())).collect();
            let mut expected: Vec<_> = (0..count).collect();
            expected.sort_by_key(|&at| keys[at]);
            assert_eq!(order_of(&keys, 0), expected);
            let mut expected: Vec<_> = (0..count).collect();
            expected.sort_by_key(|&at| core::cmp::Reverse(keys[at]));
            assert_eq!(order_of(&keys, DOWN), expected);
            let mut expected: Vec<_> = (0..count).collect();
            expected.sort_by_key(|&at| keys[at].cast_unsigned());
            assert_eq!(order_of(&keys, UNSIGNED), expected);
        }
    }
}
