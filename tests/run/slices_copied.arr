-- `a with [k, from:to] = row` copies a row at once, if all of it is in bounds.

-- ==
-- entry: row
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 1i64 [10, 20] } output { [[1, 2, 3], [4, 10, 20]] }
-- input { [[1, 2, 3], [4, 5, 6]] 0i64 3i64 empty([0]i64) } output { [[1, 2, 3], [4, 5, 6]] }
-- input { [[1, 2, 3], [4, 5, 6]] 0i64 0i64 [7, 8, 9] } output { [[7, 8, 9], [4, 5, 6]] }
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 2i64 [10, 20] } error: slice
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 1i64 [10, 20] } error: index 2
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 -1i64 [10, 20] } error: slice
entry row [h] [w] [n] (a: *[h][w]i64) (k: i64) (from: i64) (r: [n]i64): [h][w]i64 =
  a with [k, from:from + n] = r

-- The same as a loop: it fails where it is the first time out of bounds.
-- ==
-- entry: each
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 1i64 2i64 [10, 20] } output { [[1, 2, 3], [4, 10, 20]] }
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 1i64 1i64 [10, 20] } output { [[1, 2, 3], [4, 10, 6]] }
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 1i64 -5i64 [10, 20] } output { [[1, 2, 3], [4, 5, 6]] }
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 2i64 2i64 [10, 20] } error: index 3 is out of bounds for an array of length 3
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 0i64 3i64 [10, 20] } error: index 2 is out of bounds for an array of length 2
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 -1i64 2i64 [10, 20] } error: index -1 is out of bounds for an array of length 3
-- input { [[1, 2, 3], [4, 5, 6]] -1i64 0i64 2i64 [10, 20] } error: index -1 is out of bounds for an array of length 2
-- input { [[1, 2, 3], [4, 5, 6]] 9i64 0i64 0i64 [10, 20] } output { [[1, 2, 3], [4, 5, 6]] }
entry each [h] [w] [n] (a: *[h][w]i64) (k: i64) (from: i64) (count: i64) (r: [n]i64): [h][w]i64 =
  loop a for i < count do a with [k, from + i] = r[i]

-- The row is one of another matrix, and the part is the whole array.
-- ==
-- entry: whole
-- input { [1.5, 2.5, 3.5] [[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] 1i64 } output { [7.0, 8.0, 9.0] }
-- input { [1.5, 2.5, 3.5] [[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] 2i64 } error: index 2 is out of bounds for an array of length 2
entry whole [h] [w] (a: *[w]f64) (b: [h][w]f64) (k: i64): [w]f64 =
  loop a for i < w do a with [i] = b[k, i]

-- It copies from itself, an element at a time.
-- ==
-- entry: smear
-- input { [1, 2, 3, 4, 5] 2i64 } output { [1, 2, 1, 2, 1] }
entry smear [n] (a: *[n]i64) (d: i64): [n]i64 =
  loop a for i < n - d do a with [d + i] = a[i]

-- A block of a matrix.
-- ==
-- entry: block
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 1i64 1i64 } output { [[1, 2, 3], [4, 10, 12], [7, 16, 18]] }
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 0i64 2i64 } output { [[1, 2, 6], [4, 5, 12], [7, 8, 18]] }
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 3i64 3i64 } output { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
entry block [h] [w] (a: *[h][w]i64) (y: i64) (x: i64): [h][w]i64 =
  a with [y:, x:] = map (map (* 2)) a[y:, x:]
