//! Reads at arbitrary indices, checked for many steps at once, and the index that an error names.

use crate::support::native::{CArray, arg, lend, load, options, out};
use arrc_llvm::OptLevel;

/// Elements of a table, and their sum.
const GATHER_SUM: &str = "
entry gather_sum [n] [m] (table: [n]i32) (is: [m]i64): ([m]i32, i32) =
  let ys = gather table is in (ys, sum ys)
";
/// The place that the error messages point at.
const GATHERED: &str = "test.arr:3:12";

/// The sum of some elements of a table.
const GATHER_KEPT: &str = "
entry gather_kept [n] [m] (table: [n]i32) (is: [m]i64) (least: i64): i32 =
  sum (gather table (filter (> least) is))
";

#[test]
fn the_place_outside_is_found_wherever_it_is_in_a_block() {
    let native = load(GATHER_SUM, &options(OptLevel::O3));
    let table: Vec<i32> = (0..100).map(|at| 3 * at + 1).collect();
    for length in (1..=67).chain([128]) {
        let is: Vec<i64> = (0..length).map(|at| at * 37 % 100).collect();
        let (mut ys, mut sum) = (CArray::<i32, 1>::EMPTY, 0_i32);
        let mut call = |is: &[i64]| {
            let result = native.call(
                "gather_sum",
                &[out(&mut ys), out(&mut sum)],
                &[arg(&lend(&table)), arg(&lend(is))],
            );
            result.map(|()| (native.take(&ys), sum))
        };
        let expected: Vec<i32> =
            is.iter().map(|&at| table[usize::try_from(at).expect("not negative")]).collect();
        let total = expected.iter().sum::<i32>();
        assert_eq!(call(&is), Ok((expected, total)), "{length}");
        for culprit in 0..is.len() {
            for outside in [-1, 100, i64::MIN, i64::MAX] {
                let mut wrong = is.clone();
                wrong[culprit] = outside;
                // The error names the first index out of bounds, not a later one.
                *wrong.last_mut().expect("an index") =
                    if culprit + 1 < is.len() { 777 } else { outside };
                let message = format!("{GATHERED} 1 [table] {outside} 100");
                assert_eq!(call(&wrong), Err(message), "{culprit} of {length}");
            }
        }
    }
    // Nothing is read of an empty table.
    let empty: [i32; 0] = [];
    let (mut ys, mut sum) = (CArray::<i32, 1>::EMPTY, 0_i32);
    let is = vec![0_i64; 64];
    let result = native.call(
        "gather_sum",
        &[out(&mut ys), out(&mut sum)],
        &[arg(&lend(&empty)), arg(&lend(&is))],
    );
    assert_eq!(result, Err(format!("{GATHERED} 1 [table] 0 0")));
}

#[test]
fn what_a_guard_leaves_out_is_neither_read_nor_checked() {
    let native = load(GATHER_KEPT, &options(OptLevel::O3));
    let table: Vec<i32> = (0..50).map(|at| 5 * at - 7).collect();
    for length in 0_i64..=67 {
        for every in [1, 2, 3, 7, 40] {
            // Indices below -100 are left out.
            let place = |at: i64| if at % every == 0 { at * 11 % 50 } else { i64::MIN / 2 + at };
            let is: Vec<i64> = (0..length).map(place).collect();
            let expected: i32 = is
                .iter()
                .filter(|&&at| at > -100)
                .map(|&at| table[usize::try_from(at).expect("not negative")])
                .sum();
            let mut sum = 0_i32;
            let least = -100_i64;
            let mut call = |is: &[i64]| {
                let inputs = [arg(&lend(&table)), arg(&lend(is)), arg(&least)];
                native.call("gather_kept", &[out(&mut sum)], &inputs).map(|()| sum)
            };
            assert_eq!(call(&is), Ok(expected), "{length}, {every}");
            for culprit in 0..is.len() {
                let mut wrong = is.clone();
                wrong[culprit] = 50;
                let message = "test.arr:3:7 1 [table] 50 50".to_owned();
                assert_eq!(call(&wrong), Err(message), "{culprit} of {length}, {every}");
            }
        }
    }
}
