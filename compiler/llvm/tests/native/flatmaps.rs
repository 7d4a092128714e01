//! Flatmaps: parts with few elements without a branch, and parts of any length by growing vectors.

use crate::support::native::{CArray, Native, arg, lend, load, options, out};
use arrc_llvm::OptLevel;

/// `x, x + 1 …`, `x & mask` elements. A bound on that number is known only if the mask is a constant.
fn parts(mask: &str) -> String {
    format!(
        r"entry parts [n] (xs: [n]i32) (mask: i32): ?[k].[k]i32 =
          flatmap (\x -> map (\i -> x + i32.i64 i) (iota (i64.i32 (x & {mask})))) xs"
    )
}

/// The result of the program.
fn run(native: &Native, xs: &[i32], mask: i32) -> Result<Vec<i32>, String> {
    let mut ys = CArray::<i32, 1>::EMPTY;
    native.call("parts", &[out(&mut ys)], &[arg(&lend(xs)), arg(&mask)])?;
    Ok(native.take(&ys))
}

#[test]
fn parts_come_one_after_the_other() {
    let kinds = [(3, "3"), (7, "7"), (15, "15"), (1, "1"), (63, "mask"), (3, "mask")];
    for (mask, written) in kinds {
        for level in [OptLevel::O0, OptLevel::O3] {
            let native = load(&parts(written), &options(level));
            for length in (0..70).chain([257]) {
                let xs: Vec<i32> = (0..length).map(|at| at * 37 % 101 - 20).collect();
                let part = |&x: &i32| (0..x & mask).map(move |at| x + at);
                let expected: Vec<i32> = xs.iter().flat_map(part).collect();
                assert_eq!(run(&native, &xs, mask), Ok(expected), "{mask} as {written}, {level:?}");
            }
        }
    }
}

#[test]
fn what_cannot_grow_fails_and_leaves_nothing() {
    let native = load(&parts("mask"), &options(OptLevel::O3));
    let xs = vec![1023; 100];
    assert_eq!(run(&native, &xs, 1023).map(|ys| ys.len()), Ok(102_300));
    native.limit(100_000);
    assert!(run(&native, &xs, 1023).is_err(), "there is no such memory");
    assert_eq!(run(&native, &[5], 1023), Ok(vec![5, 6, 7, 8, 9]));
}
