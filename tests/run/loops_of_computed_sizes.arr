-- What a loop carries has a size that is computed from numbers. A step makes the next array, and computes its size again.

-- ==
-- entry: with_tabulate with_map with_replicate with_generate in_fold
-- input { 2i64 5i64 } output { [3.0, 3.0, 3.0] }
-- input { 5i64 5i64 } output { empty([0]f64) }
-- input { 3i64 2i64 } error: negative size -1 in replicate
entry with_tabulate (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _t < 3 do tabulate (n - k) (\i -> o[i] + 1)

entry with_map (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _t < 3 do map (+ 1) o

entry with_replicate (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _t < 3 do map2 (+) (replicate (n - k) 1) o

entry with_generate (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _t < 3 do map2 (\i x -> x + f64.i64 (i - i + 1)) (iota (n - k)) o

entry in_fold (k: i64) (n: i64): [n - k]f64 =
  loop o = replicate (n - k) 0 for _x in [1, 2, 3] do tabulate (n - k) (\i -> o[i] + 1)

-- Rows, products of sizes, and two arrays.
-- ==
-- entry: rows
-- input { 1i64 3i64 } output { [[2i64, 2i64], [2i64, 2i64]] [4i64, 4i64, 4i64] }
entry rows (k: i64) (n: i64): ([n - k][2 * k]i64, [k * n]i64) =
  loop (a, b) = (replicate (n - k) (replicate (2 * k) 0), replicate (k * n) 2) for _t < 2 do
    (tabulate_2d (n - k) (2 * k) (\i j -> a[i, j] + 1), tabulate (k * n) (\i -> b[i] + 1))

-- ==
-- entry: by_while
-- input { 1i64 3i64 } output { [4i64, 4i64] }
entry by_while (k: i64) (n: i64): [n - k]i64 =
  (loop (o, c) = (replicate (n - k) 0, 0) while c < 4 do
     (tabulate (n - k) (\i -> o[i] + 1), c + 1)).0
