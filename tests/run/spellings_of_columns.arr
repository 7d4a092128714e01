-- Programs over columns: with `transpose` around a `map` over columns, and with rows or indices. See `spellings_of_rows.arr`.

-- ==
-- entry: scaled scaled_columns scaled_by_map scaled_by_index scaled_of_made
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]] }
-- input { empty([0][3]f64) } output { empty([0][3]f64) }
-- input { empty([2][0]f64) } output { empty([2][0]f64) }
entry scaled [n][m] (a: [n][m]f64): [n][m]f64 = map (map (* 2)) a

entry scaled_columns [n][m] (a: [n][m]f64): [n][m]f64 = transpose (map (\c -> map (* 2) c) (transpose a))

entry scaled_by_map [n][m] (a: [n][m]f64): [n][m]f64 = transpose (map (map (* 2)) (transpose a))

entry scaled_by_index [n][m] (a: [n][m]f64): [n][m]f64 =
  transpose (tabulate m (\j -> tabulate n (\i -> a[i, j] * 2)))

entry scaled_of_made [n][m] (a: [n][m]f64): [n][m]f64 =
  transpose (tabulate m (\j -> let c = map (\r -> r[j]) a in map (* 2) c))

-- ==
-- entry: joined joined_columns joined_by_index
-- input { 2.0 [[1.0, 2.0], [3.0, 4.0]] [[10.0, 20.0], [30.0, 40.0]] } output { [[12.0, 24.0], [36.0, 48.0]] }
entry joined [n][m] (s: f64) (a: [n][m]f64) (b: [n][m]f64): [n][m]f64 =
  map2 (map2 (\x y -> s * x + y)) a b

entry joined_columns [n][m] (s: f64) (a: [n][m]f64) (b: [n][m]f64): [n][m]f64 =
  transpose (map2 (map2 (\x y -> s * x + y)) (transpose a) (transpose b))

entry joined_by_index [n][m] (s: f64) (a: [n][m]f64) (b: [n][m]f64): [n][m]f64 =
  transpose (map2 (\c d -> tabulate n (\i -> s * c[i] + d[i])) (transpose a) (transpose b))

-- ==
-- entry: by_factors by_factors_of_columns by_factors_by_index
-- input { [[1.0, 2.0], [3.0, 4.0]] [2.0, 10.0] } output { [[2.0, 20.0], [6.0, 40.0]] }
entry by_factors [n][m] (a: [n][m]f64) (f: [m]f64): [n][m]f64 = tabulate_2d n m (\i j -> a[i, j] * f[j])

entry by_factors_of_columns [n][m] (a: [n][m]f64) (f: [m]f64): [n][m]f64 =
  transpose (map2 (\c x -> map (* x) c) (transpose a) f)

entry by_factors_by_index [n][m] (a: [n][m]f64) (f: [m]f64): [n][m]f64 =
  map (\r -> tabulate m (\j -> r[j] * f[j])) a
