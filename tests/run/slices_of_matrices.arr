-- Slices of several dimensions, mixed with indices.

-- ==
-- entry: rows
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[4, 5, 6], [7, 8, 9]] [[3, 2, 1], [6, 5, 4], [9, 8, 7]] }
entry rows [n] [m] (xs: [n][m]i32): ([n - 1][m]i32, [n][m]i32) = (xs[1:], xs[:, ::-1])

-- ==
-- entry: block
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 1i64 3i64 0i64 2i64 } output { [[4, 5], [7, 8]] }
-- input { [[1, 2, 3], [4, 5, 6]] 0i64 1i64 1i64 3i64 } output { [[2, 3]] }
-- input { [[1, 2, 3], [4, 5, 6]] 0i64 3i64 0i64 1i64 } error: slice 0:3 is out of bounds for an array of length 2
-- input { [[1, 2, 3], [4, 5, 6]] 0i64 1i64 0i64 4i64 } error: slice 0:4 is out of bounds for an array of length 3
entry block [n] [m] (xs: [n][m]i32) (a: i64) (b: i64) (c: i64) (d: i64): [b - a][d - c]i32 =
  xs[a:b, c:d]

-- ==
-- entry: mixed
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 } output { [5, 6] [2, 5] }
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 } error: index 2 is out of bounds for an array of length 2
entry mixed [n] [m] (xs: [n][m]i32) (i: i64): ([m - 1]i32, [n]i32) = (xs[i, 1:], xs[:, 1])

-- ==
-- entry: coerced
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] }
-- input { [[1, 2, 5], [3, 4, 6]] } error: cannot be \[2\]i32: the array's length is 3
-- input { [[1, 2]] } error: cannot be \[2\]\[2\]i32: the array's length is 1
entry coerced [n] [m] (xs: [n][m]i32): [2][2]i32 = xs :> [2][2]i32
