-- `map`, `filter`, `reduce` and the others on arrays whose elements are arrays.

-- ==
-- entry: increments
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2, 3, 4], [5, 6, 7]] }
-- input { [[7]] } output { [[8]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
entry increments [n] [m] (xss: [n][m]i32): [n][m]i32 = map (\row -> map (+ 1) row) xss

-- ==
-- entry: sums
-- input { [[1, 2, 3], [4, 5, 6]] } output { [6, 15] }
-- input { empty([0][3]i32) } output { empty([0]i32) }
-- input { empty([2][0]i32) } output { [0, 0] }
entry sums [n] [m] (xss: [n][m]i32): [n]i32 = map (reduce (+) 0) xss

-- ==
-- entry: added
-- input { [[1, 2], [3, 4]] [[10, 20], [30, 40]] } output { [[11, 22], [33, 44]] }
-- input { empty([0][2]i32) empty([0][2]i32) } output { empty([0][2]i32) }
-- input { [[1, 2]] [[1], [2]] } error: size
entry added [n] [m] (a: [n][m]i32) (b: [n][m]i32): [n][m]i32 = map2 (map2 (+)) a b

-- Rows and scalars side by side.
-- ==
-- entry: scaled
-- input { [[1.0, 2.0], [3.0, 4.0]] [10.0, 100.0] } output { [[10.0, 20.0], [300.0, 400.0]] }
entry scaled [n] [m] (xss: [n][m]f64) (ks: [n]f64): [n][m]f64 =
  map2 (\row k -> map (* k) row) xss ks

-- A worker that gives a row and a scalar.
-- ==
-- entry: both
-- input { [[1, 2], [3, 4]] } output { [[2, 4], [6, 8]] [3, 7] }
-- input { empty([0][2]i32) } output { empty([0][2]i32) empty([0]i32) }
entry both [n] [m] (xss: [n][m]i32): ([n][m]i32, [n]i32) =
  unzip (map (\row -> (map (* 2) row, reduce (+) 0 row)) xss)

-- A row that is used twice.
-- ==
-- entry: normalised
-- input { [[1.0, 3.0], [2.0, 2.0]] } output { [[0.25, 0.75], [0.5, 0.5]] }
entry normalised [n] [m] (xss: [n][m]f64): [n][m]f64 =
  map (\row -> let sum = f64.sum row in map (/ sum) row) xss

-- ==
-- entry: positive_rows
-- input { [[1, -2], [3, 4], [-5, 6]] } output { [[3, 4], [-5, 6]] }
-- input { [[-1, -2]] } output { empty([0][2]i32) }
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
-- input { empty([2][0]i32) } output { empty([0][0]i32) }
entry positive_rows [n] [m] (xss: [n][m]i32): ?[k].[k][m]i32 =
  filter (\row -> reduce (+) 0 row > 0) xss

-- Filtered rows fuse with what comes before and after.
-- ==
-- entry: kept_sums
-- input { [[1, -2], [3, 4], [-5, 6]] } output { [9, 3] 12 }
-- input { empty([0][2]i32) } output { empty([0]i32) 0 }
entry kept_sums [n] [m] (xss: [n][m]i32): ?[k].([k]i32, i32) =
  let kept = filter (\row -> reduce (+) 0 row > 2) (map (map (+ 1)) xss)
  let sums = map (reduce (+) 0) kept
  in (sums, reduce (+) 0 sums)

-- Filtering inside of rows, where only the count leaves.
-- ==
-- entry: count_positive
-- input { [[1, -2], [3, 4], [-5, -6]] } output { [1i64, 2i64, 0i64] }
entry count_positive [n] [m] (xss: [n][m]i32): [n]i64 =
  map (\row -> length (filter (> 0) row)) xss

-- ==
-- entry: zipped
-- input { [[1, 2], [3, 4]] [[true, false], [false, true]] } output { [[1, 0], [0, 4]] }
entry zipped [n] [m] (xss: [n][m]i32) (bss: [n][m]bool): [n][m]i32 =
  map (\(xs, bs) -> map2 (\x b -> if b then x else 0) xs bs) (zip xss bss)

-- ==
-- entry: unzipped
-- input { [[1, 2], [3, 4]] } output { [[2, 3], [4, 5]] [[1, 4], [9, 16]] }
entry unzipped [n] [m] (xss: [n][m]i32): ([n][m]i32, [n][m]i32) =
  unzip (map (\row -> unzip (map (\x -> (x + 1, x * x)) row)) xss)

-- ==
-- entry: gathered
-- input { [[1, 2], [3, 4], [5, 6]] [2i64, 0i64, 2i64] } output { [[5, 6], [1, 2], [5, 6]] }
-- input { [[1, 2]] empty([0]i64) } output { empty([0][2]i32) }
-- input { [[1, 2]] [1i64] } error: index 1 is out of bounds for an array of length 1
entry gathered [n] [m] [k] (xss: [n][m]i32) (is: [k]i64): [k][m]i32 = gather xss is

-- ==
-- entry: gathered_sums
-- input { [[1, 2], [3, 4], [5, 6]] [2i64, 0i64, 2i64] } output { [11, 3, 11] }
entry gathered_sums [n] [m] [k] (xss: [n][m]i32) (is: [k]i64): [k]i32 =
  map (reduce (+) 0) (gather xss is)

-- ==
-- entry: crossed
-- input { [[1, 2], [3, 4]] [[5, 6, 7], [8, 9, 10]] } output { [15, 24, 45, 72] [2i64, 2i64, 2i64, 2i64] }
-- input { empty([0][2]i32) [[1]] } output { empty([0]i32) empty([0]i64) }
entry crossed [a] [b] [c] [d] (xss: [a][b]i32) (yss: [c][d]i32): ([a * c]i32, [a * c]i64) =
  unzip (map (\(xs, ys) -> (xs[0] * (reduce (+) 0 ys - 3), length xs)) (cross xss yss))

-- ==
-- entry: crossed_rows
-- input { [[1, 2], [3, 4]] [5, 6] } output { [[1, 2], [1, 2], [3, 4], [3, 4]] [5, 6, 5, 6] }
entry crossed_rows [a] [b] [c] (xss: [a][b]i32) (ys: [c]i32): ([a * c][b]i32, [a * c]i32) =
  unzip (cross xss ys)

-- ==
-- entry: appended
-- input { [[1, 2]] [[3, 4], [5, 6]] } output { [[1, 2], [3, 4], [5, 6]] }
-- input { empty([0][2]i32) [[3, 4]] } output { [[3, 4]] }
-- input { [[1, 2]] empty([0][2]i32) } output { [[1, 2]] }
-- input { empty([0][2]i32) empty([0][2]i32) } output { empty([0][2]i32) }
entry appended [n] [k] [m] (a: [n][m]i32) (b: [k][m]i32): [n + k][m]i32 = a ++ b

-- ==
-- entry: appended_inside
-- input { [[1, 2], [3, 4]] } output { [[1, 2, 1, 2], [3, 4, 3, 4]] }
entry appended_inside [n] [m] (xss: [n][m]i32): [n][m + m]i32 = map (\row -> row ++ row) xss

-- ==
-- entry: cubes
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[[2, 3], [4, 5]], [[6, 7], [8, 9]]] [10, 26] 36 }
-- input { empty([0][2][3]i32) } output { empty([0][2][3]i32) empty([0]i32) 0 }
-- input { empty([1][0][3]i32) } output { empty([1][0][3]i32) [0] 0 }
entry cubes [a] [b] [c] (xsss: [a][b][c]i32): ([a][b][c]i32, [a]i32, i32) =
  let sums = map (\xss -> reduce (+) 0 (map (reduce (+) 0) xss)) xsss
  in (map (map (map (+ 1))) xsss, sums, reduce (+) 0 sums)

-- Two passes over each row, one over the rows.
-- ==
-- entry: twice
-- input { [[1, 2], [3, 4]] } output { [[4, 6], [8, 10]] }
entry twice [n] [m] (xss: [n][m]i32): [n][m]i32 =
  xss |> map (map (+ 1)) |> map (map (* 2))

-- A row that the next worker takes apart.
-- ==
-- entry: made_and_summed
-- input { [[1, 2], [3, 4]] } output { [5, 9] }
entry made_and_summed [n] [m] (xss: [n][m]i32): [n]i32 =
  map (\row -> reduce (+) 0 row) (map (\row -> map (+ 1) row) xss)

-- Made rows that are both summed and kept.
-- ==
-- entry: made_summed_kept
-- input { [[1, 2], [3, 4]] } output { [5, 9] [[2, 3], [4, 5]] 20 }
entry made_summed_kept [n] [m] (xss: [n][m]i32): ([n]i32, [n][m]i32, i32) =
  let yss = map (map (+ 1)) xss
  let sums = map (reduce (+) 0) yss
  let products = map (reduce (*) 1) yss
  in (sums, yss, if sums[0] == 5 then products[1] else 0)

-- An outer array as the row of each result.
-- ==
-- entry: same_row
-- input { [1, 2, 3] 2i64 } output { [[1, 2, 3], [1, 2, 3]] }
-- input { [1, 2, 3] 0i64 } output { empty([0][3]i32) }
entry same_row [m] (xs: [m]i32) (n: i64): [n][m]i32 = map (\_ -> xs) (iota n)

-- Rows of an array that was made here, and is needed whole.
-- ==
-- entry: outer_products
-- input { [1, 2, 3] } output { [[4, 6, 8], [6, 9, 12], [8, 12, 16]] }
entry outer_products [n] (xs: [n]i32): [n][n]i32 =
  let ys = map (+ 1) xs
  in map (\x -> map (* x) ys) ys

-- The size of the rows is known only when it is computed.
-- ==
-- entry: rows_of_kept
-- input { [1, -2, 3] } output { [[2, 4], [4, 6]] }
-- input { [-1] } output { empty([0][0]i32) }
entry rows_of_kept [n] (xs: [n]i32): ?[k].[k][k]i32 =
  let kept = filter (> 0) xs
  in map (\x -> map (+ x) kept) kept

-- Only the length of the filtered array is used, as the length of rows.
-- ==
-- entry: zeros_of_kept
-- input { [1, -2, 3] 2i64 } output { [[0, 0], [0, 0]] }
-- input { [-1] 2i64 } output { empty([2][0]i32) }
-- input { [1, 2] 0i64 } output { empty([0][2]i32) }
entry zeros_of_kept [n] (xs: [n]i32) (rows: i64): ?[k].[rows][k]i32 =
  let k = length (filter (> 0) xs)
  in generate rows (\_ -> replicate k 0)
