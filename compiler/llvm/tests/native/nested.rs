//! Guards in guards: inner guards that are deferred and run over the stored elements of the outer one.

use crate::support::native::{CArray, arg, lend, load, options, out};
use arrc_llvm::OptLevel;

/// The positive elements, the odd ones among them, and the sum of the odd ones.
fn odd_of_positive(ty: &str) -> String {
    format!(
        r"entry odd_of_positive [n] (xs: [n]{ty}): ?[k][l].([k]{ty}, [l]{ty}, {ty}) =
          let kept = filter (> 0) xs
          let odd = filter (\x -> x & 1 == 1) kept
          in (kept, odd, sum odd)"
    )
}

#[test]
fn guards_that_run_behind_keep_the_same() {
    check::<i32>("i32");
    check::<i64>("i64");
    check::<i16>("i16");
}

/// Lengths around those of vectors and of the inner guard's strips; few, some or all elements
/// are kept by each guard.
fn check<T: Copy + PartialEq + std::fmt::Debug + TryFrom<i64>>(ty: &str) {
    let native = load(&odd_of_positive(ty), &options(OptLevel::O3));
    let lengths =
        (0..68).chain([127, 500, 511, 512, 513, 543, 544, 545, 600, 1024, 1055, 1100, 4097]);
    for length in lengths {
        for (few, rare) in [(1, 1), (1, 2), (2, 2), (3, 7), (40, 1), (40, 3), (1, 90), (5000, 5000)]
        {
            let value = |at: i64| {
                let even = 2 * (at % 50) + 2;
                let odd = if at / few % rare == 0 { even + 1 } else { even };
                if at % few == few / 2 { odd } else { -odd }
            };
            let xs: Vec<i64> = (0..length).map(value).collect();
            let kept: Vec<i64> = xs.iter().copied().filter(|&x| x > 0).collect();
            let odd: Vec<i64> = kept.iter().copied().filter(|x| x & 1 == 1).collect();
            let narrow = |values: &[i64]| -> Vec<T> {
                let one = |&value| T::try_from(value).ok().expect("a small number");
                values.iter().map(one).collect()
            };
            let (mut all, mut some) = (CArray::<T, 1>::EMPTY, CArray::<T, 1>::EMPTY);
            let mut sum = 0_i64;
            native
                .call(
                    "odd_of_positive",
                    &[out(&mut all), out(&mut some), out(&mut sum)],
                    &[arg(&lend(&narrow(&xs)))],
                )
                .expect("no error");
            assert_eq!(native.take(&all), narrow(&kept), "{length}, {few}, {rare}: {ty}");
            assert_eq!(native.take(&some), narrow(&odd), "{length}, {few}, {rare}: {ty}");
            let mask = i64::MAX >> (64 - 8 * size_of::<T>()) << 1 | 1;
            let expected = odd.iter().sum::<i64>() & mask;
            assert_eq!(sum & mask, expected, "{length}, {few}, {rare}: {ty}");
        }
    }
}
