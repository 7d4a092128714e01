//! Stencils that read many rows: LLVM's back end does not look into the addresses of the rows.

use crate::support::native::{CArray, arg, load, options, out};
use crate::support::source::ir;
use arrc_llvm::OptLevel;

/// The sum of an element and the six around it, where there are six.
const STENCILS: &str = r"
entry star [n] [m] [o] (a: [n][m][o]i64): [n][m][o]i64 =
  let inner n i = 0 < i && i < n - 1
  in with { (. <= [i, j, k] <= .) :
              if inner n i && inner m j && inner o k
              then a[i - 1, j, k] + a[i + 1, j, k] + a[i, j - 1, k] + a[i, j + 1, k] + a[i, j, k - 1] + a[i, j, k + 1] + a[i, j, k]
              else a[i, j, k] }
       : genarray ([n, m, o])
";

/// Few rows: one that is read, and one that is made.
const PAIRS: &str = r"
entry pairs [n] [m] (a: [n][m]i64): [n][m]i64 = map (\row -> map (\j -> row[j] + row[m - 1 - j]) (iota m)) a
";

fn star(shape: [usize; 3], a: &[i64]) -> Vec<i64> {
    let [n, m, o] = shape;
    let at = |i: usize, j: usize, k: usize| a[(i * m + j) * o + k];
    let inner = |n: usize, i: usize| 0 < i && i + 1 < n;
    let mut found = Vec::new();
    for i in 0..n {
        for j in 0..m {
            for k in 0..o {
                let beside = if inner(n, i) && inner(m, j) && inner(o, k) {
                    at(i - 1, j, k)
                        + at(i + 1, j, k)
                        + at(i, j - 1, k)
                        + at(i, j + 1, k)
                        + at(i, j, k - 1)
                        + at(i, j, k + 1)
                } else {
                    0
                };
                found.push(beside + at(i, j, k));
            }
        }
    }
    found
}

#[test]
fn results_are_those_of_the_stencil() {
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O3] {
        let native = load(STENCILS, &options(level));
        for shape in [[0, 3, 3], [1, 1, 1], [3, 3, 3], [4, 5, 6], [5, 9, 17], [3, 4, 40]] {
            let [n, m, o] = shape.map(|size| i64::try_from(size).expect("sizes are small"));
            let a: Vec<i64> = (0..n * m * o).map(|at| at * 7919 % 1009).collect();
            let array = CArray {
                data: a.as_ptr(),
                shape: [n, m, o],
                stride: [m * o, o, 1],
                owner: std::ptr::null_mut(),
            };
            let mut found = CArray::<i64, 3>::EMPTY;
            native.call("star", &[out(&mut found)], &[arg(&array)]).expect("nothing fails");
            assert_eq!(found.shape, [n, m, o]);
            assert_eq!(native.take(&found), star(shape, &a));
        }
    }
}

#[test]
fn many_addresses_of_rows_are_hidden() {
    let is_hidden = |ir: &str| ir.contains("asm \"\", \"=r,0\"");
    assert!(is_hidden(&ir(STENCILS, "x86_64-linux-gnu", "x86-64-v3")));
    assert!(!is_hidden(&ir(PAIRS, "x86_64-linux-gnu", "x86-64-v3")));
    assert!(!is_hidden(&ir(STENCILS, "aarch64-linux-gnu", "generic")), "ARM has more registers");
}
