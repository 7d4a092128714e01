//! Passes, compiled and run.

use crate::support::native::{CArray, arg, lend, load, options, out};
use arrc_llvm::OptLevel;

const LEVELS: [OptLevel; 4] = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];

/// Each element plus one.
const INC: &str = "entry inc [n] (xs: [n]i32): [n]i32 = map (+ 1) xs";

/// Paper 002, figure 9.
const FILTER_MAX: &str = "
entry filter_max [n] (vec1: [n]i64): ?[k].([k]i64, i64) =
  let vec3 = filter (> 0) (map (+ 1) vec1) in (vec3, reduce i64.max 0 vec3)
";

/// All pairs, their positions, and their sum.
const CROSS: &str = r"
entry crossed [n] [m] (xs: [n]i64) (ys: [m]i64): ([n * m]i64, [n * m]i64, i64) =
  let zs = map (\(x, y) -> x * 10 + y) (cross xs ys)
  in (zs, map (\(i, z) -> i + z - z) (zip (iota (n * m)) zs), sum zs)
";

/// Errors of each kind.
const GENERATE: &str = r"
entry generated [m] (n: i64) (k: i64) (d: i64) (xs: [m]i64): ?[l].[l]i64 =
  generate n (\i -> xs[i * k] / d)
";

/// For each `x`, the array of all `x + y`, as its sum and its middle element.
const NESTED: &str = r"
entry nested [n] [m] (xs: [n]i64) (ys: [m]i64): [n]i64 =
  map (\x -> let ts = map (+ x) ys in sum ts + ts[m / 2]) xs
";

/// Two nested guards with a division by the element, which must stay behind the branch.
const GUARDS: &str = r"
entry guards [n] (xs: [n]i32): ?[k][l].([k]i32, [l]i32, i32, i32, i32, i64) =
  let kept = filter (!= 0) xs
  let quotients = map (\x -> 100 / x) kept
  let small = filter (< 5) quotients
  let (low, last) = fold (\(l, _) e -> (i32.min l e, e)) (1000, -1) kept
  in (quotients, map i32.i64 (iota (length small)), sum small, low, last, length small)
";

/// Sizes that are known from types.
const SIZES: &str = "
entry sizes [n] (xs: [n][3]i64) (ys: [n]i64) (row: i64) (column: i64): (i64, i64, i64) =
  (length ys, length (xs[row]), xs[row, column])
";

#[test]
fn map_adds_to_each_element() {
    for level in LEVELS {
        let native = load(INC, &options(level));
        for length in [0, 1, 7, 8, 100, 1001] {
            let xs: Vec<i32> = (0..length).map(|x| if x == 3 { i32::MAX } else { 3 * x }).collect();
            let mut ys = CArray::<i32, 1>::EMPTY;
            native.call("inc", &[out(&mut ys)], &[arg(&lend(&xs))]).expect("no error");
            let expected: Vec<i32> = xs.iter().map(|x| x.wrapping_add(1)).collect();
            assert_eq!(native.take(&ys), expected);
        }
    }
}

#[test]
fn filter_max_is_one_pass() {
    for level in LEVELS {
        let native = load(FILTER_MAX, &options(level));
        for length in [0, 1, 2, 9, 1000] {
            let xs: Vec<i64> = (0..length).map(|x| (x * 7919) % 101 - 50).collect();
            let (mut ys, mut mx) = (CArray::<i64, 1>::EMPTY, 0_i64);
            native
                .call("filter_max", &[out(&mut ys), out(&mut mx)], &[arg(&lend(&xs))])
                .expect("no error");
            let expected: Vec<i64> = xs.iter().map(|x| x + 1).filter(|&x| x > 0).collect();
            assert_eq!(mx, expected.iter().copied().max().unwrap_or(0));
            assert_eq!(native.take(&ys), expected);
        }
    }
}

#[test]
fn cross_pairs_everything() {
    for level in LEVELS {
        let native = load(CROSS, &options(level));
        for (n, m) in [(0, 3), (3, 0), (1, 1), (4, 33)] {
            let (xs, ys): (Vec<i64>, Vec<i64>) = ((0..n).collect(), (5..5 + m).collect());
            let (mut zs, mut ats, mut sum) =
                (CArray::<i64, 1>::EMPTY, CArray::<i64, 1>::EMPTY, 0_i64);
            let outputs = [out(&mut zs), out(&mut ats), out(&mut sum)];
            native
                .call("crossed", &outputs, &[arg(&lend(&xs)), arg(&lend(&ys))])
                .expect("no error");
            let expected: Vec<i64> =
                xs.iter().flat_map(|x| ys.iter().map(move |y| x * 10 + y)).collect();
            assert_eq!(sum, expected.iter().sum::<i64>());
            assert_eq!(native.take(&zs), expected);
            assert_eq!(native.take(&ats), (0..n * m).collect::<Vec<i64>>());
        }
        // The product of the lengths exceeds every size: an error, not a short array.
        let endless = CArray::<i64, 1> { shape: [1 << 40], ..lend(&[0]) };
        let (mut zs, mut ats, mut sum) = (CArray::<i64, 1>::EMPTY, CArray::<i64, 1>::EMPTY, 0_i64);
        let outputs = [out(&mut zs), out(&mut ats), out(&mut sum)];
        let error = native.call("crossed", &outputs, &[arg(&endless), arg(&endless)]);
        assert_eq!(error, Err(format!("test.arr:3:12 3 [zs] {0} {0}", i64::MAX)));
    }
}

#[test]
fn what_fails_says_where_and_leaves_nothing() {
    for level in LEVELS {
        let native = load(GENERATE, &options(level));
        let xs: Vec<i64> = (0..10).map(|x| x * x).collect();
        let call = |n: i64, k: i64, d: i64| {
            let mut ys = CArray::<i64, 1>::EMPTY;
            let xs = lend(&xs);
            let inputs = [arg(&n), arg(&k), arg(&d), arg(&xs)];
            let result = native.call("generated", &[out(&mut ys)], &inputs);
            if result.is_err() {
                assert!(
                    ys.data.is_null() && ys.owner.is_null() && ys.shape == [0] && ys.stride == [0]
                );
            }
            result.map(|()| native.take(&ys))
        };
        assert_eq!(call(5, 2, 3), Ok(vec![0, 1, 5, 12, 21]));
        assert_eq!(call(0, 2, 0), Ok(vec![]));
        assert_eq!(call(6, 2, 1), Err("test.arr:3:21 1 [xs] 10 10".to_owned()));
        assert_eq!(call(2, -1, 1), Err("test.arr:3:21 1 [xs] -1 10".to_owned()));
        assert_eq!(call(3, 1, 0), Err("test.arr:3:21 2 [/] 0 0".to_owned()));
        assert_eq!(
            call(-7, 1, 1),
            Err("test.arr:3:3 3 [negative size \u{1} in generate] -7 1".to_owned())
        );
        native.limit(79);
        assert_eq!(call(10, 0, 1), Err("test.arr:3:3 5 [a] 10 8".to_owned()));
    }
}

#[test]
fn workers_may_have_passes() {
    for level in LEVELS {
        let native = load(NESTED, &options(level));
        let (xs, ys): (Vec<i64>, Vec<i64>) = ((0..20).collect(), (0..33).collect());
        let mut rs = CArray::<i64, 1>::EMPTY;
        native
            .call("nested", &[out(&mut rs)], &[arg(&lend(&xs)), arg(&lend(&ys))])
            .expect("no error");
        let of = |x: &i64| ys.iter().map(|y| x + y).sum::<i64>() + x + ys[ys.len() / 2];
        let expected: Vec<i64> = xs.iter().map(of).collect();
        assert_eq!(native.take(&rs), expected);
    }
}

#[test]
fn guards_nest_and_do_not_run_what_may_fail() {
    for level in LEVELS {
        let native = load(GUARDS, &options(level));
        let xs: Vec<i32> = (0..100).map(|x| (x * 37) % 61 - 30).chain([0]).collect();
        let (mut qs, mut ats) = (CArray::<i32, 1>::EMPTY, CArray::<i32, 1>::EMPTY);
        let (mut sum, mut first, mut last, mut n) = (0, 0, 0, 0_i64);
        let outputs = [
            out(&mut qs),
            out(&mut ats),
            out(&mut sum),
            out(&mut first),
            out(&mut last),
            out(&mut n),
        ];
        native.call("guards", &outputs, &[arg(&lend(&xs))]).expect("no error");
        let kept: Vec<i32> = xs.iter().copied().filter(|&x| x != 0).collect();
        let quotients: Vec<i32> =
            kept.iter().map(|&x| (100_f64 / f64::from(x)).floor() as i32).collect();
        let small: Vec<i32> = quotients.iter().copied().filter(|&q| q < 5).collect();
        assert_eq!(native.take(&qs), quotients);
        let length = i32::try_from(small.len()).expect("small");
        assert_eq!(native.take(&ats), (0..length).collect::<Vec<i32>>());
        assert_eq!((sum, n), (small.iter().sum(), i64::from(length)));
        assert_eq!((Some(&first), Some(&last)), (kept.iter().min(), kept.last()));
    }
}

/// A pass that knows the lengths of its arrays only from their type: `[n][3]i64`.
#[test]
fn extents_of_types_are_known() {
    let native = load(SIZES, &options(OptLevel::O2));
    let xs: Vec<i64> = (0..6).collect();
    let matrix =
        CArray { data: xs.as_ptr(), shape: [2, 3], stride: [3, 1], owner: std::ptr::null_mut() };
    let (mut rows, mut columns, mut x) = (0_i64, 0_i64, 0_i64);
    let mut call = |matrix: &CArray<i64, 2>, ys: &[i64], row: i64, column: i64| {
        let outputs = [out(&mut rows), out(&mut columns), out(&mut x)];
        let ys = lend(ys);
        let inputs = [arg(matrix), arg(&ys), arg(&row), arg(&column)];
        native.call("sizes", &outputs, &inputs).map(|()| (rows, columns, x))
    };
    assert_eq!(call(&matrix, &[0, 0], 1, 1), Ok((2, 3, 4)));
    // The transpose of a matrix of three rows.
    let transposed = CArray { stride: [1, 2], ..matrix };
    assert_eq!(call(&transposed, &[0, 0], 1, 1), Ok((2, 3, 3)));
    assert_eq!(call(&matrix, &[0, 0], 1, 3), Err("test.arr:3:33 1 [xs] 3 3".to_owned()));
    assert_eq!(call(&matrix, &[0, 0], 2, 0), Err("test.arr:3:33 1 [xs] 2 2".to_owned()));
    assert_eq!(
        call(&matrix, &[0], 0, 0),
        Err("test.arr:2:7 4 [dimension 1 of xs|ys] 2 1".to_owned())
    );
    let narrow = CArray { shape: [2, 2], ..matrix };
    assert_eq!(
        call(&narrow, &[0, 0], 0, 0),
        Err("test.arr:2:7 4 [dimension 2 of xs|its type [3]] 2 3".to_owned())
    );
}
