-- A slice that is needed in memory is a view of its array, if nothing changes the array while the slice is used.

-- ==
-- entry: correlation
-- input { [1.0, 2.0, 3.0, 4.0] 1i64 3i64 } output { [5.0, 10.0, 15.0, 20.0] }
-- allocates 1
-- input { [1.0, 2.0, 3.0, 4.0] 4i64 4i64 } output { [0.0, 0.0, 0.0, 0.0] }
-- input { [1.0, 2.0, 3.0, 4.0] 9i64 9i64 } output { [0.0, 0.0, 0.0, 0.0] }
-- input { [1.0, 2.0, 3.0, 4.0] 3i64 5i64 } error: slice 3:5 is out of bounds for an array of length 4
entry correlation [n] (xs: [n]f64) (from: i64) (to: i64): [n]f64 =
  let part = xs[from:to]
  in map (\x -> f64.sum (map (* x) part)) xs

-- Each step takes a slice of its row and reads all of it for each column.
-- ==
-- entry: products
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] 1i64 } output { [[2.0, 3.0, 5.0], [5.0, 6.0, 11.0]] }
-- allocates 1
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] 2i64 } error: slice
entry products [n] [m] [k] (a: [n][m]f64) (b: [k][2]f64) (from: i64): [n][k]f64 =
  map (\row -> map (\column -> f64.sum (map2 (*) row column)) b) a[:, from:from + 2]

-- The array is changed while a copy of the slice is used.
-- ==
-- entry: exchanged
-- input { [1, 2, 3, 4, 5, 6] } output { [4, 5, 6, 1, 2, 3] }
-- input { [1, 2] } output { [2, 1] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry exchanged [n] (xs: *[n]i64): [n]i64 =
  let h = n / 2
  let low = copy xs[:h]
  let xs[:h] = xs[n - h:]
  let xs[n - h:] = low
  in xs

-- The slice is given away: it is a copy, with an owner.
-- ==
-- entry: both
-- input { [1, 2, 3] 1i64 } output { [2, 3] [[2, 3], [4, 6], [6, 9]] }
-- input { [1, 2, 3] 3i64 } output { empty([0]i64) empty([3][0]i64) }
entry both [n] (xs: [n]i64) (from: i64): ?[k].([k]i64, [n][k]i64) =
  let part = xs[from:]
  in (part, map (\x -> map (* x) part) xs)

-- An index beside a slice is checked, if the slice has no elements as well.
-- ==
-- entry: column
-- input { [[1, 2], [3, 4]] 0i64 2i64 1i64 } output { [2, 4] }
-- input { [[1, 2], [3, 4]] 1i64 1i64 1i64 } output { empty([0]i64) }
-- input { [[1, 2], [3, 4]] 1i64 1i64 2i64 } error: index 2 is out of bounds for an array of length 2
-- input { [[1, 2], [3, 4]] 0i64 2i64 -1i64 } error: index -1 is out of bounds for an array of length 2
-- input { [[1, 2], [3, 4]] 0i64 3i64 5i64 } error: slice 0:3 is out of bounds for an array of length 2
entry column [h] [w] (a: [h][w]i64) (from: i64) (to: i64) (k: i64): ?[m].[m]i64 =
  a[from:to, k]

-- A window read in steps of a loop, which changes other rows of the matrix.
-- ==
-- entry: reduced
-- input { [[2.0, 4.0, 6.0], [1.0, 3.0, 5.0], [1.0, 1.0, 9.0]] } output { [[2.0, 4.0, 6.0], [0.5, 1.0, 2.0], [0.5, -1.0, 8.0]] }
entry reduced [n] (a: *[n][n]f64): [n][n]f64 =
  loop a for k < n do
    let row = copy a[k, k + 1:]
    in loop a for i in k + 1..<n do
         let l = a[i, k] / a[k, k]
         let a[i, k] = l
         let a[i, k + 1:] = map2 (\x u -> x - l * u) a[i, k + 1:] row
         in a

-- An array that is made of a slice is read at random: indices beyond the slice are errors, also where the array has the element.
-- ==
-- entry: picked
-- input { [1.0, 2.0, 3.0, 4.0] 2i64 [0i64, 1i64] } output { [6.0, 8.0] }
-- input { [1.0, 2.0, 3.0, 4.0] 1i64 [0i64, 3i64] } error: index 3 is out of bounds for an array of length 3
-- input { [1.0, 2.0, 3.0, 4.0] 2i64 [900000000000i64] } error: index 900000000000 is out of bounds for an array of length 2
-- input { [1.0, 2.0, 3.0, 4.0] 2i64 [-1i64] } error: index -1 is out of bounds for an array of length 2
entry picked [n] [m] (xs: [n]f64) (k: i64) (is: [m]i64): [m]f64 =
  let part = map (* 2) xs[k:]
  in map (\i -> part[i]) is

-- ==
-- entry: corner
-- input { [[1.0, 2.0], [3.0, 4.0]] 1i64 0i64 } output { 4.0 }
-- input { [[1.0, 2.0], [3.0, 4.0]] 0i64 1i64 } output { 4.0 }
-- input { [[1.0, 2.0], [3.0, 4.0]] 1i64 1i64 } error: index 1 is out of bounds for an array of length 1
entry corner [n] [m] (xss: [n][m]f64) (k: i64) (j: i64): f64 =
  (map (map (+ 0)) xss[k:, k:])[j, j]

-- A slice that does not depend on the step stays behind its check: no step, and no step that needs it, reads it.
-- ==
-- entry: turns
-- input { [1.0, 2.0, 3.0] 1i64 2i64 } output { 10.0 }
-- input { [1.0, 2.0, 3.0] 900000000000i64 0i64 } output { 0.0 }
-- input { [1.0, 2.0, 3.0] 900000000000i64 1i64 } error: slice
entry turns [n] (xs: [n]f64) (k: i64) (m: i64): f64 =
  loop s = 0 for _ < m do s + f64.sum xs[k:k + 2]

-- ==
-- entry: chosen
-- input { [1.0, 2.0, 3.0] 1i64 5i64 } output { [0.0, 0.0, 0.0, 10.0, 14.0] }
-- input { [1.0, 2.0, 3.0] 900000000000i64 3i64 } output { [0.0, 0.0, 0.0] }
-- input { [1.0, 2.0, 3.0] -5i64 4i64 } error: slice
entry chosen [n] (xs: [n]f64) (k: i64) (m: i64): ?[p].[p]f64 =
  map
    (\i ->
      if i > 2
      then let part = xs[k:k + 2] in f64.sum (map (\x -> x * part[0]) part) + f64.i64 (4 * (i - 3))
      else 0) (iota m)

-- ==
-- entry: chosen_row
-- input { [[1.0, 2.0], [3.0, 4.0]] 0i64 2i64 } output { [[1.0, 2.0], [4.0, 6.0]] }
-- input { [[1.0, 2.0], [3.0, 4.0]] 1i64 0i64 } output { empty([0][2]f64) }
-- input { [[1.0, 2.0], [3.0, 4.0]] 7i64 1i64 } error: index 7 is out of bounds for an array of length 2
entry chosen_row [n] (xss: [n][2]f64) (k: i64) (m: i64): [m][2]f64 =
  map (\i -> map2 (\x y -> x + f64.i64 i * y) xss[k + i, 0:2] xss[k, 0:2]) (iota m)
