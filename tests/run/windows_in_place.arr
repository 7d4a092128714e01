-- A pass makes its result in the window of the array that the result replaces, if it reads no other element of the window.

-- Each element of a box is computed from itself.
-- ==
-- entry: doubled
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] } output { [[1.0, 2.0, 3.0], [4.0, 10.0, 6.0], [7.0, 8.0, 9.0]] }
-- allocates 1
-- input { [[1.0, 2.0]] } error: slice 1:0 is out of bounds for an array of length 1
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[1.0, 2.0], [3.0, 4.0]] }
-- random input { [9][37]f64 } auto output
entry doubled [n] [m] (a: [n][m]f64): [n][m]f64 =
  a with [1:n - 1, 1:m - 1] = map (map (* 2)) a[1:n - 1, 1:m - 1]

-- A step of an elimination: each element, one of the row above the window, and one of the column before it.
-- ==
-- entry: eliminated
-- input { [[2.0, 4.0, 6.0], [1.0, 3.0, 5.0], [0.5, 1.0, 4.0]] } auto output
-- allocates 1
-- random input { [5][5]f64 } auto output
-- random input { [13][29]f64 } auto output
-- random input { [34][34]f64 } auto output
entry eliminated [n] [m] (a: [n][m]f64): [n][m]f64 =
  loop a = copy a for k < i64.min n m do
    let e = i64.min m (k + 19)
    let pivots = a[k, k + 1:e]
    in a
         with [k + 1:, k + 1:e] =
           map2 (\row l -> map2 (\x u -> x - l * u) row pivots) a[k + 1:, k + 1:e] a[k + 1:, k]

-- A part of a row, computed from itself and another row.
-- ==
-- entry: rows
-- input { 1i64 [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] } auto output
-- allocates 1
-- random input { 2i64 [7][41]i64 } auto output
-- input { 4i64 [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } error: slice
entry rows [n] [m] (c: i64) (a: *[n][m]i64): [n][m]i64 =
  loop a for k < n - 1 do
    a with [k + 1, c:] = map2 (\x y -> 3 * x - y) a[k + 1, c:] a[k, c:]

-- A part of an array of numbers.
-- ==
-- entry: middle
-- input { 1i64 3i64 [1i64, 2i64, 3i64, 4i64] } output { [1i64, 20i64, 30i64, 4i64] }
-- allocates 1
-- input { 0i64 4i64 [1i64, 2i64, 3i64, 4i64] } output { [10i64, 20i64, 30i64, 40i64] }
-- input { 2i64 2i64 [1i64, 2i64, 3i64, 4i64] } output { [1i64, 2i64, 3i64, 4i64] }
-- input { 9i64 9i64 [1i64, 2i64, 3i64, 4i64] } output { [1i64, 2i64, 3i64, 4i64] }
-- input { 3i64 5i64 [1i64, 2i64, 3i64, 4i64] } error: slice 3:5 is out of bounds for an array of length 4
-- input { 3i64 1i64 [1i64, 2i64, 3i64, 4i64] } error: slice 3:1 is out of bounds for an array of length 4
-- random input { 3i64 90i64 [100]i64 } auto output
entry middle [n] (i: i64) (j: i64) (xs: [n]i64): [n]i64 = xs with [i:j] = map (* 10) xs[i:j]

-- The array is a copy that is made before the pass, which may read all elements of the array before.
-- ==
-- entry: smoothed
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]] } auto output
-- allocates 1
-- random input { [11][23]f64 } auto output
entry smoothed [n] [m] (a: [n][m]f64): [n][m]f64 =
  a
    with [1:n - 1, 1:m - 1] =
      map4 (map4 (\up down left right -> 0.25 * (up + down + left + right)))
        a[:n - 2, 1:m - 1] a[2:, 1:m - 1] a[1:n - 1, :m - 2] a[1:n - 1, 2:]

-- Each element is computed from one that the window has too: the result is copied into the window.
-- ==
-- entry: shifted
-- input { 3i64 [1i64, 2i64, 3i64, 4i64, 5i64] } auto output
-- random input { 2i64 [70]i64 } auto output
-- input { 2i64 empty([0]i64) } error: slice :-1 is out of bounds
entry shifted [n] (k: i64) (xs: [n]i64): [n]i64 =
  loop xs = copy xs for _ < k do xs with [1:] = map2 (\x y -> 2 * x - y) xs[:n - 1] xs[1:]

-- ==
-- entry: relaxed
-- random input { 3i64 [6][19]f64 } auto output
entry relaxed [n] [m] (k: i64) (a: [n][m]f64): [n][m]f64 =
  loop a = copy a for _ < k do
    a with [:n - 1, :] = tabulate_2d (n - 1) m (\i j -> 0.5 * a[i, j] + 0.5 * a[i + 1, j])

-- The sum of a row is read before the row is written, and then each element of the row.
-- ==
-- entry: normalised
-- random input { 2i64 [6][19]f64 } auto output
entry normalised [n] [m] (c: i64) (a: *[n][m]f64): [n][m]f64 =
  loop a for k < n do a with [k, c:] = (let s = 1 + f64.sum a[k, c:] in map (/ s) a[k, c:])

-- Both arrays of a record, from one pass.
-- ==
-- entry: swapped
-- input { 1i64 [1i64, 2i64, 3i64] [10i64, 20i64, 30i64] } output { [1i64, 20i64, 30i64] [10i64, 2i64, 3i64] }
-- random input { 5i64 [40]i64 [40]i64 } auto output
entry swapped [n] (c: i64) (xs: [n]i64) (ys: [n]i64): ([n]i64, [n]i64) =
  let both = zip xs ys
  in unzip (both with [c:] = map (\(x, y) -> (y, x)) both[c:])

-- What is assigned has another length, a size is negative, or a step fails.
-- ==
-- entry: unequal
-- input { 3i64 [1i64, 2i64, 3i64, 4i64] } output { [1i64, 0i64, 1i64, 4i64] }
-- input { 4i64 [1i64, 2i64, 3i64, 4i64] } error: a slice of length 2 cannot be replaced by an array of length 3
-- input { 0i64 [1i64, 2i64, 3i64, 4i64] } error: negative
-- input { 9i64 [1i64] } error: slice 1:3 is out of bounds for an array of length 1
entry unequal [n] (m: i64) (xs: *[n]i64): [n]i64 = xs with [1:3] = tabulate (m - 1) id

-- ==
-- entry: divided
-- input { 2i64 [4i64, 6i64, 8i64] } output { [4i64, 3i64, 4i64] }
-- input { 0i64 [4i64, 6i64, 8i64] } error: division by zero
-- input { 0i64 [4i64] } error: slice 1:3 is out of bounds
entry divided [n] (by: i64) (xs: *[n]i64): [n]i64 = xs with [1:3] = map (// by) xs[1:3]

-- A matrix that a branch copies, and whose windows the steps of a loop change: the next step has it.
-- ==
-- entry: exchanged
-- input { [[0.0, 1.0], [1.0, 0.0]] } output { [[1.0, 0.0], [0.0, 1.0]] }
-- random input { [7][7]f64 } auto output
entry exchanged [n] (a: [n][n]f64): [n][n]f64 =
  loop a = copy a for k < n do
    let p = if k + 1 < n && f64.abs a[k + 1, k] > f64.abs a[k, k] then k + 1 else k
    let a =
      if p == k then a
      else let (upper, lower) = (copy a[k], copy a[p]) in (a with [k] = lower) with [p] = upper
    let a[k + 1:, k + 1:] =
      map2 (\row l -> map2 (\x u -> x - l * u) row a[k, k + 1:]) a[k + 1:, k + 1:] a[k + 1:, k]
    in a

-- A factor of each row is an element of its window, or of a fold of the window's row.
-- ==
-- entry: gauss
-- input { [[2.0, 4.0, 6.0], [1.0, 3.0, 5.0], [0.5, 1.0, 4.0]] } output { [[2.0, 4.0, 6.0], [0.0, 1.0, 2.0], [0.0, 0.0, 2.5]] }
-- allocates 1
-- random input { [1][1]f64 } auto output
-- random input { [37][37]f64 } auto output
entry gauss [n] (a: [n][n]f64): [n][n]f64 =
  loop a = copy a for k < n - 1 do
    a
      with [k + 1:, k:] =
        map (\row -> let l = row[0] / a[k, k] in map2 (\x u -> x - l * u) row a[k, k:])
          a[k + 1:, k:]

-- ==
-- entry: scaled
-- input { [[2i64, 4i64, 6i64], [1i64, 3i64, 5i64], [2i64, 1i64, 4i64]] } auto output
-- random input { [23][23]i64 } auto output
entry scaled [n] (a: *[n][n]i64): [n][n]i64 =
  loop a for k < n - 1 do
    a
      with [k:, k:] =
        map (\row -> let s = i64.sum row + row[1] in map (\x -> 3 * x - s) row) a[k:, k:]

-- The first element of a row is read behind its change: the last one, of the row above, and of the row itself.
-- ==
-- entry: above
-- input { [[2i64, 4i64, 6i64], [1i64, 3i64, 5i64], [2i64, 1i64, 4i64]] } auto output
-- random input { [23][23]i64 } auto output
entry above [n] (a: *[n][n]i64): [n][n]i64 =
  loop a for k < n - 1 do
    a
      with [k:, k:] =
        tabulate_2d (n - k) (n - k)
          (\i j -> a[k + i, k + j] + 2 * a[k + i, k] + 5 * a[k + i, n - 1])

-- The pivot may not be there.
-- ==
-- entry: beyond
-- input { 0 [[2i64, 4i64], [1i64, 3i64]] } auto output
-- input { 2 [[2i64, 4i64], [1i64, 3i64]] } error: index [1, 2] is out of bounds
-- random input { 0 [9][9]i64 } auto output
entry beyond [n] (c: i64) (a: *[n][n]i64): [n][n]i64 =
  loop a for k < n - 1 do
    a with [k + 1:, k:] = map (map (\x -> x - a[k, k + c])) a[k + 1:, k:]
