-- Rows and slices that are read when their array has changed: they have the elements of before.

import "linalg"

-- ==
-- entry: exchanged
-- input { [[1, 2], [3, 4], [5, 6]] 0i64 2i64 } output { [[5, 6], [3, 4], [1, 2]] }
-- input { [[1, 2], [3, 4], [5, 6]] 1i64 1i64 } output { [[1, 2], [3, 4], [5, 6]] }
-- input { [[1, 2], [3, 4], [5, 6]] 1i64 3i64 } error: index 3 is out of bounds for an array of length 3
entry exchanged [n] [m] (a: [n][m]i32) (i: i64) (j: i64): [n][m]i32 =
  let (upper, lower) = (a[i], a[j])
  in (a with [i] = lower) with [j] = upper

-- The rows from the last to the first, by exchanges in place.
-- ==
-- entry: turned
-- input { [[1, 2], [3, 4], [5, 6], [7, 8], [9, 0]] } output { [[9, 0], [7, 8], [5, 6], [3, 4], [1, 2]] }
entry turned [n] [m] (a: [n][m]i32): [n][m]i32 =
  loop a = map (map (+ 0)) a for i < n / 2 do
    let upper = a[i]
    let lower = a[n - 1 - i]
    let a[i] = lower
    let a[n - 1 - i] = upper
    in a

-- Both of three rows that are read later are copied, and the part of one.
-- ==
-- entry: moved
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 2i64 } output { [[7, 8, 9], [1, 2, 3], [4, 5, 6]] 2 }
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 0i64 } output { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 0 }
entry moved [n] [m] (a: [n][m]i32) (k: i64): ([n][m]i32, i32) =
  loop (a, s) = (map (map (+ 0)) a, 0) for _i < k do
    let (x, y, z) = (a[0], a[1], a[2])
    let tail = z[1:]
    let a[0] = y
    let a[1] = z
    let a[2] = x
    in (a, s + tail[0] - y[1] + x[1] - (if s == 0 then 2 else 0))

-- A slice that is read later.
-- ==
-- entry: ends
-- input { [1, 2, 3, 4, 5] 2i64 } output { [3, 6, 3, 4, 7] }
entry ends [n] (xs: [n]i32) (k: i64): [n]i32 =
  loop xs = map (+ 0) xs for _i < k do
    let first = xs[:2]
    let xs[0] = xs[2]
    let xs[n - 1] = xs[n - 1] + first[1] - 1
    in xs with [1] = first[0] + 3 - xs[0] + first[1] + (if xs[2] == xs[0] then first[0] - 2 else 0)

-- A row that an earlier use of the array needs too, and one in a branch.
-- ==
-- entry: chosen
-- input { [[1, 2], [3, 4]] true } output { [[3, 4], [1, 2]] 10 }
-- input { [[1, 2], [3, 4]] false } output { [[1, 2], [3, 4]] 10 }
entry chosen [n] (a: [n][2]i32) (swap: bool): ([n][2]i32, i32) =
  let a = map (map (+ 0)) a
  let total = i32.sum (flatten a)
  in if swap
     then let upper = a[0]
          let b = a with [0] = a[1]
          in (b with [1] = upper, total)
     else (a, total)

-- The array itself is used later: it is copied as before.
-- ==
-- entry: kept
-- input { [[1, 2], [3, 4]] } output { [[3, 4], [3, 4]] [1, 2] 1 }
entry kept [n] (a: [n][2]i32): ([n][2]i32, [2]i32, i32) =
  let a = map (map (+ 0)) a
  let upper = a[0]
  let b = a with [0] = a[1]
  in (b, upper, a[0, 0])

-- ==
-- entry: solved
-- input { [[0.0, 2.0, 1.0], [1.0, 0.0, 0.0], [3.0, 0.0, 1.0]] [5.0, 1.0, 4.0] } output { [1.0, 2.0, 1.0] -2.0 }
entry solved [n] (a: [n][n]f64) (b: [n]f64): ([n]f64, f64) = (solve a b, determinant a)
