//! Stencils that read a row at several distances: with AVX-512, the vectors between two others are lanes of these.

use crate::support::native::{CArray, arg, lend, load, options, out};
use crate::support::source::ir;
use arrc_llvm::OptLevel;

/// Reads at five distances along a row, at three, at two that are further apart than a vector, and an update in place,
/// which stores between the reads of two turns. Elements of 8, 4 and 2 bytes.
const STENCILS: &str = r"
entry five [n] [m] (a: [n][m]f64): [n][m]f64 =
  with { ([0, 2] <= [i, j] < [n, m - 2]) :
           16 * (a[i, j - 1] + a[i, j + 1]) - (a[i, j - 2] + a[i, j + 2]) - 30 * a[i, j] } : modarray a

entry three [n] [m] (a: [n][m]f32): [n][m]f32 =
  with { ([0, 3] <= [i, j] < [n, m - 3]) : 0.25 * (a[i, j - 3] + a[i, j + 3]) + a[i, j] } : modarray a

entry apart [n] [m] (a: [n][m]i64): [n][m]i64 =
  with { ([0, 9] <= [i, j] < [n, m - 9]) : a[i, j - 9] + 3 * a[i, j + 9] + a[i, j + 1] + 5 * a[i, j + 2] } : modarray a

entry narrow [n] [m] (a: [n][m]i16): [n][m]i16 =
  with { ([0, 1] <= [i, j] < [n, m - 1]) : a[i, j - 1] + a[i, j + 1] + a[i, j] } : modarray a

entry repeated [n] (a: [n]f64): [n]f64 =
  loop a for _ < 3 do
    with { ([2] <= [j] < [n - 2]) : 0.25 * ((a[j - 2] + a[j + 2]) + (a[j - 1] + a[j + 1])) - a[j] } : modarray a
";

fn matrix<T>(a: &[T], [n, m]: [usize; 2]) -> CArray<T, 2> {
    let [n, m] = [n, m].map(|size| i64::try_from(size).expect("sizes are small"));
    CArray { data: a.as_ptr(), shape: [n, m], stride: [m, 1], owner: std::ptr::null_mut() }
}

/// The elements with those at least `margin` away from the ends of their rows replaced.
fn changed<T: Copy>(a: &[T], m: usize, margin: usize, new: impl Fn(&[T], usize) -> T) -> Vec<T> {
    let rows = a.chunks(m).flat_map(|row| {
        let new = &new;
        let inner = move |j| margin <= j && j + margin < m;
        (0..m).map(move |j| if inner(j) { new(row, j) } else { row[j] })
    });
    rows.collect()
}

#[test]
fn results_are_those_of_the_stencils() {
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O3] {
        let native = load(STENCILS, &options(level));
        for m in [1, 4, 5, 6, 11, 12, 13, 19, 20, 21, 27, 28, 36, 37, 67, 100, 131] {
            let shape = [3, m];
            let whole = |at: usize| i16::try_from(at * 7919 % 1009).expect("it is small");
            let numbers: Vec<i16> = (0..3 * m).map(whole).collect();

            let a: Vec<f64> = numbers.iter().map(|&number| f64::from(number)).collect();
            let mut found = CArray::<f64, 2>::EMPTY;
            native.call("five", &[out(&mut found)], &[arg(&matrix(&a, shape))]).expect("it runs");
            let five = |row: &[f64], j: usize| {
                16.0 * (row[j - 1] + row[j + 1]) - (row[j - 2] + row[j + 2]) - 30.0 * row[j]
            };
            assert_eq!(native.take(&found), changed(&a, m, 2, five));

            let mut found = CArray::<f64, 1>::EMPTY;
            native.call("repeated", &[out(&mut found)], &[arg(&lend(&a[..m]))]).expect("it runs");
            let next = |a: &[f64]| {
                changed(a, m, 2, |row, j| {
                    0.25 * ((row[j - 2] + row[j + 2]) + (row[j - 1] + row[j + 1])) - row[j]
                })
            };
            assert_eq!(native.take(&found), next(&next(&next(&a[..m]))));

            let a: Vec<f32> = numbers.iter().map(|&number| f32::from(number)).collect();
            let mut found = CArray::<f32, 2>::EMPTY;
            native.call("three", &[out(&mut found)], &[arg(&matrix(&a, shape))]).expect("it runs");
            let three = |row: &[f32], j: usize| 0.25 * (row[j - 3] + row[j + 3]) + row[j];
            assert_eq!(native.take(&found), changed(&a, m, 3, three));

            let a: Vec<i64> = numbers.iter().map(|&number| i64::from(number)).collect();
            let mut found = CArray::<i64, 2>::EMPTY;
            native.call("apart", &[out(&mut found)], &[arg(&matrix(&a, shape))]).expect("it runs");
            let apart =
                |row: &[i64], j: usize| row[j - 9] + 3 * row[j + 9] + row[j + 1] + 5 * row[j + 2];
            assert_eq!(native.take(&found), changed(&a, m, 9, apart));

            let mut found = CArray::<i16, 2>::EMPTY;
            let input = matrix(&numbers, shape);
            native.call("narrow", &[out(&mut found)], &[arg(&input)]).expect("it runs");
            let narrow = |row: &[i16], j: usize| row[j - 1] + row[j + 1] + row[j];
            assert_eq!(native.take(&found), changed(&numbers, m, 1, narrow));
        }
    }
}

/// A loop with more arithmetic than reads: lanes would take longer than loads.
const POLYNOMIAL: &str = r"
entry polynomial [n] [m] (a: [n][m]f64): [n][m]f64 =
  let p x = ((((x * x - 3) * x + 5) * x - 7) * x + 9) * x - 11
  in with { ([0, 1] <= [i, j] < [n, m - 1]) : p a[i, j - 1] + p a[i, j] * p a[i, j + 1] } : modarray a
";

#[test]
fn vectors_between_others_are_their_lanes() {
    // The vector one element behind the first: where the last vector is four elements behind the first, and where the
    // vector of the next part of the turn is behind the first.
    let behind = |last: u32| {
        let lanes = (1..8).chain([last]).map(|lane| format!("i32 {lane}"));
        format!("<8 x i32> <{}>", lanes.collect::<Vec<_>>().join(", "))
    };
    let code = |cpu| ir(STENCILS, "x86_64-linux-gnu", cpu);
    let (with, without) = (code("x86-64-v4"), code("x86-64-v3"));
    for lanes in [behind(12), behind(8)] {
        assert!(with.contains(&lanes), "{lanes} in\n{with}");
        assert!(!without.contains(&lanes), "AVX2 takes several instructions for that");
    }
    let arithmetic = ir(POLYNOMIAL, "x86_64-linux-gnu", "x86-64-v4");
    assert!(arithmetic.contains("load <8 x double>"));
    assert!(![behind(14), behind(8)].iter().any(|lanes| arithmetic.contains(lanes)));
}
