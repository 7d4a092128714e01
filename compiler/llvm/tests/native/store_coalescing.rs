//! Filters of several arrays by one flag: the kept elements of two vectors are stored at once while they are few.

use crate::support::native::{CArray, Native, arg, lend, load, options, out};
use arrc_llvm::OptLevel;

/// The positive elements, and the same as elements of other types, each an array.
const AS_EACH: &str = "
entry as_each [n] (xs: [n]i64): ?[k].([k]i64, [k]f64, [k]i32, [k]i8, [k]bool) =
  let ys = filter (> 0) xs
  in (ys, map f64.i64 ys, map i32.i64 ys, map i8.i64 ys, map bool.i64 ys)
";

#[test]
fn dense_and_sparse_stretches_are_kept_in_order() {
    let native = load(AS_EACH, &options(OptLevel::O3));
    // For each stretch: how many of how many elements are kept.
    let stretches: [&[(usize, usize)]; 7] = [
        &[(1, 4); 60],
        &[(0, 64), (8, 8), (0, 24), (7, 8), (1, 8), (0, 100), (8, 16), (0, 8), (8, 8)],
        &[(2, 8); 40],
        &[(3, 8); 40],
        &[(0, 500), (100, 100), (0, 40), (1, 3), (0, 2000), (9, 9), (5, 16), (1, 1)],
        &[(1, 1); 100],
        &[(0, 17)],
    ];
    for stretches in stretches {
        let mut xs: Vec<i64> = Vec::new();
        for &(kept, of) in stretches {
            let value = |at: usize| i64::try_from(xs.len() + at).expect("small") % 1000 + 1;
            let next: Vec<i64> =
                (0..of).map(|at| if at % of < kept { value(at) } else { -value(at) }).collect();
            xs.extend(next);
        }
        check(&native, &xs);
    }
}

#[test]
fn every_set_of_flags_is_kept_in_order() {
    let native = load(AS_EACH, &options(OptLevel::O3));
    let mut xs = Vec::new();
    for flags in 0_u64..1 << 16 {
        // Enough elements are dropped that few are kept, and the 16 begin with a step of the loop.
        let flag = |at: i64| if at < 16 { flags >> at & 1 == 1 } else { false };
        xs.extend((0..48).map(|at| if flag(at) { at + 1 } else { -1 }));
    }
    check(&native, &xs);
}

fn check(native: &Native, xs: &[i64]) {
    let kept: Vec<i64> = xs.iter().copied().filter(|&x| x > 0).collect();
    let (mut ys, mut floats) = (CArray::<i64, 1>::EMPTY, CArray::<f64, 1>::EMPTY);
    let (mut words, mut bytes) = (CArray::<i32, 1>::EMPTY, CArray::<i8, 1>::EMPTY);
    let mut flags = CArray::<bool, 1>::EMPTY;
    let outputs =
        [out(&mut ys), out(&mut floats), out(&mut words), out(&mut bytes), out(&mut flags)];
    native.call("as_each", &outputs, &[arg(&lend(xs))]).expect("no error");
    assert_eq!(native.take(&ys), kept);
    #[allow(clippy::cast_precision_loss, reason = "at most 1000")]
    let expected: Vec<f64> = kept.iter().map(|&x| x as f64).collect();
    assert_eq!(native.take(&floats), expected);
    #[allow(clippy::cast_possible_truncation, reason = "as the program does it")]
    let expected: Vec<(i32, i8)> = kept.iter().map(|&x| (x as i32, x as i8)).collect();
    let (narrow, narrower): (Vec<i32>, Vec<i8>) = expected.into_iter().unzip();
    assert_eq!(native.take(&words), narrow);
    assert_eq!(native.take(&bytes), narrower);
    assert_eq!(native.take(&flags), vec![true; kept.len()]);
}
