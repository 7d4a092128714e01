//! Guards that run step by step behind strips of vectors: updates, folds in order, and errors at their place.

use crate::support::native::{CArray, Native, arg, lend, load, options, out};
use crate::support::source::ir;
use arrc_llvm::OptLevel;

/// Lengths around vectors and around strips of 1,024 steps.
const LENGTHS: [i32; 14] = [0, 1, 15, 16, 17, 33, 1000, 1023, 1024, 1025, 1040, 2048, 3001, 5000];

fn numbers(length: i32) -> Vec<i32> {
    (0..length).map(|at| (at * 7919 + 13) % 1009 - 500).collect()
}

fn at_each_level(program: &str, check: impl Fn(&Native)) {
    for level in [OptLevel::O0, OptLevel::O3] {
        check(&load(program, &options(level)));
    }
}

const HISTOGRAM: &str = r"
    entry bins [n] (xs: [n]i32): [64]i64 =
      let ys = filter (> 0) xs
      in hist (+) 0 64 (map (\y -> i64.i32 (y % 64)) ys) (map i64.i32 ys)";

#[test]
fn histograms_of_filters() {
    at_each_level(HISTOGRAM, |native| {
        for length in LENGTHS {
            let xs = numbers(length);
            let mut expected = vec![0; 64];
            for &x in xs.iter().filter(|&&x| x > 0) {
                expected[usize::try_from(x % 64).expect("not negative")] += i64::from(x);
            }
            let mut bins = CArray::<i64, 1>::EMPTY;
            native.call("bins", &[out(&mut bins)], &[arg(&lend(&xs))]).expect("nothing fails");
            assert_eq!(native.take(&bins), expected, "{length}");
        }
    });
}

#[test]
fn a_strip_asks_for_the_elements_of_the_next() {
    let code = ir(HISTOGRAM, "x86_64-linux-gnu", "x86-64-v3");
    let lines: Vec<&str> = code.lines().map(str::trim).collect();
    let calls = lines.windows(2).filter(|two| two[1].contains("call void @llvm.prefetch"));
    let addresses: Vec<&str> = calls.map(|two| two[0]).collect();
    assert!(!addresses.is_empty(), "{code}");
    let is_next = |address: &&str| address.ends_with("i64 4096");
    assert!(addresses.iter().all(is_next), "1,024 steps of four bytes: {addresses:?}");
    let sum = "entry total [n] (xs: [n]i32): i32 = reduce (+) 0 xs";
    assert!(!ir(sum, "x86_64-linux-gnu", "x86-64-v3").contains("prefetch"));
}

/// A fold in order, that also depends on the position in the filter and in the array, and a filter in a filter.
const FOLDS: &str = r"
    entry folds [n] (xs: [n]i32): (f64, i64, f32) =
      let kept = filter (\(_, x) -> x % 3 != 0) (indexed xs)
      let halves = fold (\acc (_, x) -> acc / 2 + f64.i32 x) 0 kept
      let places = fold_index (\acc k (i, x) -> acc * 31 + k * i + i64.i32 x) 7 kept
      let odd = fold (\acc (_, x) -> acc / 3 + f32.i32 x) 0 (filter (\(_, x) -> x % 2 == 1) kept)
      in (halves, places, odd)";

#[test]
fn folds_in_order_of_filters() {
    at_each_level(FOLDS, |native| {
        for length in LENGTHS {
            let xs = numbers(length);
            let kept: Vec<_> = (0_i64..).zip(&xs).filter(|(_, x)| **x % 3 != 0).collect();
            let halves = kept.iter().fold(0.0, |acc, (_, x)| acc / 2.0 + f64::from(**x));
            let places = (0_i64..).zip(&kept).fold(7_i64, |acc, (k, (i, x))| {
                acc.wrapping_mul(31).wrapping_add(k * i).wrapping_add(i64::from(**x))
            });
            let odd = kept.iter().filter(|(_, x)| x.rem_euclid(2) == 1);
            #[allow(clippy::cast_precision_loss, reason = "the numbers are small")]
            let odd = odd.fold(0.0_f32, |acc, (_, x)| acc / 3.0 + **x as f32);
            let (mut a, mut b, mut c) = (0.0_f64, 0_i64, 0.0_f32);
            let outs = [out(&mut a), out(&mut b), out(&mut c)];
            native.call("folds", &outs, &[arg(&lend(&xs))]).expect("nothing fails");
            assert_eq!((a, b, c), (halves, places, odd), "{length}");
        }
    });
}

/// The update fails for an index outside, and the filter's flag for a division by zero.
const FAILING: &str = r"
    entry failing [n] (k: i64) (xs: [n]i32) (ys: [n]i32): [8]i64 =
      let kept = filter (\(x, y) -> x / y > 0) (zip xs ys)
      in loop bins = replicate 8 0 for (x, _) in kept do
           bins with [i64.i32 x * k] = bins[i64.i32 x * k] + 1";

#[test]
fn the_first_error_by_position_is_told() {
    at_each_level(FAILING, |native| {
        for length in [10_usize, 40, 1500, 4000] {
            for [outside, zero] in [[3, 5], [5, 3], [9, 9]] {
                let at = |part: usize| part * length / 10;
                let mut xs = vec![1; length];
                let mut ys = vec![1; length];
                if let Some(x) = xs.get_mut(at(outside)) {
                    *x = 9;
                }
                if let Some(y) = ys.get_mut(at(zero)) {
                    *y = 0;
                }
                let mut bins = CArray::<i64, 1>::EMPTY;
                let args = (1_i64, lend(&xs), lend(&ys));
                let result = native.call(
                    "failing",
                    &[out(&mut bins)],
                    &[arg(&args.0), arg(&args.1), arg(&args.2)],
                );
                let message = result.expect_err("both are errors");
                let divides = message.contains("[/]");
                assert_eq!(divides, zero <= outside, "{length} {outside} {zero}: {message}");
            }
        }
    });
}
