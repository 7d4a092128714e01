-- Arrays of arrays with tuples and records in them: one array for each scalar.

type point = {x: f64, y: f64}

-- ==
-- entry: pairs
-- input { [[1, 2]] [[true, false]] } output { [[2, 3]] [[false, true]] }
-- input { empty([0][2]i32) empty([0][2]bool) } output { empty([0][2]i32) empty([0][2]bool) }
entry pairs [n] [m] (xss: [n][m](i32, bool)): [n][m](i32, bool) =
  map (map (\(x, b) -> (x + 1, !b))) xss

-- ==
-- entry: labelled
-- input { [1, 2] [[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]] } output { [2, 3] [[3.0, 5.0, 7.0], [9.0, 11.0, 13.0]] [7.5, 16.5] }
-- input { empty([0]i32) empty([0][3]f64) } output { empty([0]i32) empty([0][3]f64) empty([0]f64) }
entry labelled [n] [m] (xs: [n](i32, [m]f64)): ([n](i32, [m]f64), [n]f64) =
  (map (\(label, row) -> (label + 1, map (* 2) row)) xs, map (\(_, row) -> f64.sum row) xs)

-- ==
-- entry: records
-- input { [[1.0, 2.0], [3.0, 4.0]] [[0.0, 0.0], [1.0, 1.0]] } output { [[1.0, 4.0], [10.0, 17.0]] }
entry records [n] [m] (pss: [n][m]point): [n][m]f64 = map (map (\p -> p.x * p.x + p.y * p.y)) pss

-- ==
-- entry: record_of_matrices
-- input { [[1.0, 2.0]] [[3.0, 4.0]] } output { [[4.0, 6.0]] [[-2.0, -2.0]] }
entry record_of_matrices [n] [m] (a: {left: [n][m]f64, right: [n][m]f64}):
    {sum: [n][m]f64, difference: [n][m]f64} =
  {sum = map2 (map2 (+)) a.left a.right, difference = map2 (map2 (-)) a.left a.right}

-- ==
-- entry: rows_of_records
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[1.0, 2.0], [3.0, 4.0]] [3.0, 7.0] }
entry rows_of_records [n] [m] (xss: [n][m]f64): ([n][m]f64, [n]f64) =
  let rs = map (\row -> {row, sum = f64.sum row}) xss
  in (map (.row) rs, map (.sum) rs)

-- ==
-- entry: filtered_records
-- input { [1, 5, 3] [[1, 2], [3, 4], [5, 6]] } output { [5, 3] [[3, 4], [5, 6]] }
entry filtered_records [n] [m] (ks: [n]i32) (xss: [n][m]i32): ?[k].([k]i32, [k][m]i32) =
  unzip (filter (\(k, _) -> k > 2) (zip ks xss))

-- The component of a row that nobody uses is not made.
-- ==
-- entry: one_of_two
-- input { [[1, 2], [3, 4]] } output { [3, 7] }
entry one_of_two [n] [m] (xss: [n][m]i32): [n]i32 =
  map (\(s, _) -> s) (map (\row -> (reduce (+) 0 row, map (* 2) row)) xss)

-- ==
-- entry: zip_of_rows
-- input { [[1, 2], [3, 4]] [[5, 6, 7], [8, 9, 10]] } output { [21, 34] }
entry zip_of_rows [n] [a] [b] (xss: [n][a]i32) (yss: [n][b]i32): [n]i32 =
  map (\(xs, ys) -> reduce (+) 0 xs + reduce (+) 0 ys) (zip xss yss)
