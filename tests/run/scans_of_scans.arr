-- Scans of what other scans give, in one pass.

-- ==
-- entry: exclusive_of_inclusive
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64, 18i64, 19i64] } output { [0i64, 1i64, 4i64, 10i64, 20i64, 35i64, 56i64, 84i64, 120i64, 165i64, 220i64, 286i64, 364i64, 455i64, 560i64, 680i64, 816i64, 969i64, 1140i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- structure { loops 1 }
entry exclusive_of_inclusive [n] (xs: [n]i64): [n]i64 = exscan (+) 0 (scan (+) 0 xs)

-- ==
-- entry: inclusive_of_exclusive
-- input { [1i64, 2i64, 3i64, 4i64] } output { [0i64, 1i64, 4i64, 10i64] }
entry inclusive_of_exclusive [n] (xs: [n]i64): [n]i64 = scan (+) 0 (exscan (+) 0 xs)

-- ==
-- entry: exclusive_of_exclusive
-- input { [1i64, 2i64, 3i64, 4i64] } output { [0i64, 0i64, 1i64, 4i64] }
entry exclusive_of_exclusive [n] (xs: [n]i64): [n]i64 = exscan (+) 0 (exscan (+) 0 xs)

-- ==
-- entry: of_filtered
-- input { [1.0, 2.0, 3.0, 4.0] } output { [0.0, 3.0, 6.0] }
entry of_filtered [n] (xs: [n]f64): ?[k].[k]f64 = exscan f64.max 0 (filter (> 1) (scan (+) 0 xs))

-- Both scans, and a sum of the first one.
-- ==
-- entry: with_sum
-- input { [1i64, 2i64, 3i64, 4i64] } output { 20i64 [0i64, 1i64, 3i64, 6i64] [1i64, 3i64, 6i64, 10i64] }
entry with_sum [n] (xs: [n]i64): (i64, [n]i64, [n]i64) =
  let ys = scan (+) 0 xs in (i64.sum ys, exscan i64.max 0 ys, ys)
