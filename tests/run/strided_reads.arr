-- Elements at multiples of the counter, and at quotients of it, without a check in each step.

-- ==
-- entry: pooled
-- input { [[1i32, 2i32, 3i32], [4i32, 0i32, 6i32], [7i32, 8i32, 9i32]] } output { [[4i32]] }
-- random input { [16][19]i32 } auto output
-- random input { [9][70]i32 } auto output
-- input { empty([0][5]i32) } output { empty([0][2]i32) }
-- input { empty([5][0]i32) } output { empty([2][0]i32) }
entry pooled [h] [w] (a: [h][w]i32): [][]i32 =
  tabulate_2d (h / 2) (w / 2) (\i j ->
    i32.max (i32.max a[2 * i, 2 * j] a[2 * i, 2 * j + 1])
      (i32.max a[2 * i + 1, 2 * j] a[2 * i + 1, 2 * j + 1]))

-- ==
-- entry: doubled
-- input { [[1u8, 2u8]] } output { [[1u8, 1u8, 2u8, 2u8], [1u8, 1u8, 2u8, 2u8]] }
-- random input { [7][21]u8 } auto output
-- input { empty([2][0]u8) } output { empty([4][0]u8) }
entry doubled [h] [w] (a: [h][w]u8): [][]u8 = tabulate_2d (2 * h) (2 * w) (\i j -> a[i / 2, j / 2])

-- Downwards, from an offset.
-- ==
-- entry: thirds
-- input { [0, 1, 2, 3, 4, 5, 6, 7] 3 0 } output { [7, 4, 1] }
-- input { [0, 1, 2, 3, 4, 5, 6, 7] 3 1 } output { [6, 3, 0] }
-- input { [0, 1, 2, 3, 4, 5, 6, 7] 3 2 } error: index -1 is out of bounds for an array of length 8
-- input { [0, 1, 2, 3, 4, 5, 6, 7] 4 0 } error: index -2 is out of bounds for an array of length 8
-- input { [0, 1, 2, 3, 4, 5, 6, 7] 2 -1 } error: index 8 is out of bounds for an array of length 8
entry thirds [n] (xs: [n]i64) (m: i64) (from: i64): [m]i64 =
  tabulate m (\i -> xs[n - 1 - from - 3 * i])

-- Upwards, more than there are.
-- ==
-- entry: every
-- input { [0i32, 1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32] 3 } output { [1i32, 5i32, 9i32] }
-- input { [0i32, 1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32] 4 } error: index 9 is out of bounds for an array of length 9
-- input { [0i32, 1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32] 5 } error: index 9 is out of bounds for an array of length 9
-- input { empty([0]i32) 0 } output { empty([0]i32) }
entry every [n] (xs: [n]i32) (m: i64): [m]i32 = map (\i -> xs[3 * i] + 1 + xs[i]) (iota m)

-- Quotients of numbers below 0 are below 0. Some steps read nothing.
-- ==
-- entry: shifted
-- input { [10, 20, 30] 7 -1 } error: index -1 is out of bounds for an array of length 3
-- input { [10, 20, 30] 7 1 } output { [10, 10, 20, 20, 20, 30, 30] }
-- input { [10, 20, 30] 7 2 } output { [10, 20, 20, 20, 30, 30, 30] }
-- input { [10, 20, 30] 7 3 } error: index 3 is out of bounds for an array of length 3
-- input { empty([0]i64) 0 0 } output { empty([0]i64) }
entry shifted [n] (xs: [n]i64) (m: i64) (by: i64): [m]i64 = tabulate m (\i -> xs[(i + by) / 3])

-- Far from 0, where products wrap.
-- ==
-- entry: far
-- input { [1, 2, 3] 2305843009213693952 } output { [1, 2, 3] }
-- input { [1, 2, 3] 2305843009213693953 } error: index 8 is out of bounds for an array of length 3
entry far [n] (xs: [n]i64) (k: i64): [n]i64 = tabulate n (\i -> xs[8 * (k + i) - 7 * i])
