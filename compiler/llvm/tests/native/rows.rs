//! Arrays of several dimensions: their elements are rows.

use crate::support::native::{CArray, arg, lend, load, options, out};
use arrc_llvm::OptLevel;

/// Over the rows of `xss`: their sums, the rows doubled, those with a sum above 0, and `xss[is[i]]`.
const ROWS: &str = "
entry rows [n] [m] (xss: [n][m]i64) (is: [n]i64): ?[k].([n]i64, [n][m]i64, [k][m]i64, [n][m]i64) =
  (map sum xss, map (map (* 2)) xss, filter (\\row -> sum row > 0) xss, gather xss is)
";

#[test]
fn rows_are_read_made_filtered_and_gathered() {
    for level in [OptLevel::O0, OptLevel::O3] {
        let native = load(ROWS, &options(level));
        let (n, m) = (5_i64, 9_i64);
        let xs: Vec<i64> = (0..n * m).map(|x| (x * 31) % 17 - 8).collect();
        let matrix = CArray {
            data: xs.as_ptr(),
            shape: [n, m],
            stride: [m, 1],
            owner: std::ptr::null_mut(),
        };
        let call = |is: &[i64]| {
            let mut sums = CArray::<i64, 1>::EMPTY;
            let [mut twice, mut kept, mut picks] = [CArray::<i64, 2>::EMPTY; 3];
            let outputs = [out(&mut sums), out(&mut twice), out(&mut kept), out(&mut picks)];
            native.call("rows", &outputs, &[arg(&matrix), arg(&lend(is))])?;
            assert_eq!((twice.shape, picks.shape), ([n, m], [n, m]));
            Ok::<_, String>((
                native.take(&sums),
                native.take(&twice),
                (kept.shape[0], native.take(&kept)),
                native.take(&picks),
            ))
        };
        let rows: Vec<&[i64]> = xs.chunks(9).collect();
        let (sums, twice, kept, picks) = call(&[4, 0, 0, 2, 1]).expect("no error");
        assert_eq!(sums, rows.iter().map(|row| row.iter().sum::<i64>()).collect::<Vec<_>>());
        assert_eq!(twice, xs.iter().map(|x| 2 * x).collect::<Vec<_>>());
        let good: Vec<_> = rows.iter().filter(|row| row.iter().sum::<i64>() > 0).collect();
        assert!(!good.is_empty() && good.len() < rows.len());
        assert_eq!(kept, (good.len() as i64, good.iter().flat_map(|row| row.to_vec()).collect()));
        assert_eq!(
            picks,
            [4, 0, 0, 2, 1].iter().flat_map(|&at| rows[at].to_vec()).collect::<Vec<_>>()
        );
        assert_eq!(call(&[0, 1, 2, 3, 5]).map(|_| ()), Err("test.arr:3:72 1 [xss] 5 5".to_owned()));
    }
}
