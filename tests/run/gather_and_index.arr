-- `a[i]` and `gather`, inside of the array and outside.

-- ==
-- entry: element
-- input { [10, 20, 30] 0i64 } output { 10 }
-- input { [10, 20, 30] 2i64 } output { 30 }
-- input { [10, 20, 30] 3i64 } error: (program|gather_and_index)\.arr:\d+:\d+: index 3 is out of bounds for an array of length 3
-- input { [10, 20, 30] -1i64 } error: index -1 is out of bounds for an array of length 3
-- input { empty([0]i32) 0i64 } error: index 0 is out of bounds for an array of length 0
entry element [n] (xs: [n]i32) (i: i64): i32 = xs[i]

-- ==
-- entry: picked
-- input { [1.5, 2.5, 3.5] [2i64, 0i64, 0i64, 1i64] } output { [3.5, 1.5, 1.5, 2.5] }
-- input { [1.5] empty([0]i64) } output { empty([0]f64) }
-- input { empty([0]f64) empty([0]i64) } output { empty([0]f64) }
-- input { [1.5, 2.5] [0i64, 7i64] } error: index 7 is out of bounds for an array of length 2
-- input { [1.5, 2.5] [-1i64, 0i64] } error: index -1 is out of bounds for an array of length 2
-- input { empty([0]f64) [0i64] } error: index 0 is out of bounds for an array of length 0
entry picked [n] [m] (xs: [n]f64) (is: [m]i64): [m]f64 = gather xs is

-- The indices of a gather fuse: they are computed where they are needed.
-- ==
-- entry: reversed
-- input { [1, 2, 3] } output { [3, 2, 1] }
-- input { [1] } output { [1] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry reversed [n] (xs: [n]i32): [n]i32 = gather xs (map (\i -> n - 1 - i) (iota n))

-- ==
-- entry: at_some
-- input { [10, 20, 30, 40] [3i64, -1i64, 0i64] } output { [40, 10] 50 }
entry at_some [n] [m] (xs: [n]i32) (is: [m]i64): ?[k].([k]i32, i32) =
  let ys = gather xs (filter (>= 0) is)
  in (ys, reduce (+) 0 ys)

-- ==
-- entry: of_records
-- input { [1, 2] [true, false] [1i64, 1i64, 0i64] } output { [2, 2, 1] [false, false, true] }
entry of_records [n] [m] (xs: [n]i32) (bs: [n]bool) (is: [m]i64): ([m]i32, [m]bool) =
  unzip (gather (zip xs bs) is)

-- Two indices, only one of which is wrong.
-- ==
-- entry: neighbours
-- input { [1, 2, 4] } output { [1, 2] }
-- input { [1] } output { empty([0]i32) }
entry neighbours [n] (xs: [n]i32): ?[k].[k]i32 = map (\i -> xs[i + 1] - xs[i]) (iota (n - 1))

-- ==
-- entry: too_far
-- input { [1, 2, 4] } error: index 3 is out of bounds for an array of length 3
entry too_far [n] (xs: [n]i32): [n]i32 = map (\i -> xs[i + 1] - xs[i]) (iota n)

-- Of an array that was made here.
-- ==
-- entry: of_made
-- input { 5i64 3i64 } output { 9i64 }
-- input { 5i64 5i64 } error: index 5 is out of bounds for an array of length 5
entry of_made (n: i64) (i: i64): i64 = (map (\x -> x * x) (iota n))[i]

-- | Elements of each row of a matrix, at places that are the same for all rows.
-- ==
-- entry: of_rows
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] [2i64, 0i64] } output { [4i64, 10i64] [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- input { [[1i64], [2i64], [3i64], [4i64], [5i64], [6i64], [7i64], [8i64], [9i64]] [0i64] }
-- output { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] [[1i64], [2i64], [3i64], [4i64], [5i64], [6i64], [7i64], [8i64], [9i64]] }
-- input { empty([2][0]i64) empty([0]i64) } output { [0i64, 0i64] empty([2][0]i64) }
-- input { [[1i64, 2i64], [4i64, 5i64]] [1i64, 2i64] } error: index 2 is out of bounds for an array of length 2
-- input { [[1i64, 2i64], [4i64, 5i64]] [-1i64] } error: index -1 is out of bounds for an array of length 2
entry of_rows [n] [m] [k] (xss: [n][m]i64) (is: [k]i64): ([n]i64, [n][m]i64) =
  (map (\xs -> i64.sum (gather xs is)) xss,
   map (\xs -> loop ys = gather xs (iota m) for i < m do ys with [i] = xs[i]) xss)

-- | The same, summed up in a loop of its own for each row.
-- ==
-- entry: of_rows_by_count
-- input { [0.0, 0.0] [[1.0, 2.0], [4.0, 5.0]] } output { [3.0, 9.0] [[2.0, 3.0], [8.0, 9.0]] }
-- input { [0.0] [[1.0]] } output { [1.0] [[1.0]] }
-- input { empty([0]f64) empty([0][0]f64) } output { empty([0]f64) empty([0][0]f64) }
entry of_rows_by_count [n] (as: [n]f64) (xss: [n][n]f64): ([n]f64, [n][n]f64) =
  (map (\xs -> f64.sum (gather xs (iota n))) xss,
   map
     (\xs ->
       loop ys = gather xs (iota n) for i < n do
         ys with [i] = ys[i] + as[i] + xs[0] * f64.i64 (n - 1)) xss)
