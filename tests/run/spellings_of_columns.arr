-- Programs over columns: with `transpose` around a `map` over columns, and with rows or indices. See `spellings_of_rows.arr`.

-- ==
-- entry: scaled scaled_columns scaled_by_map scaled_by_index scaled_of_made
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]] }
-- input { empty([0][3]f64) } output { empty([0][3]f64) }
-- input { empty([2][0]f64) } output { empty([2][0]f64) }
entry scaled [n] [m] (a: [n][m]f64): [n][m]f64 = map (map (* 2)) a

entry scaled_columns [n] [m] (a: [n][m]f64): [n][m]f64 =
  transpose (map (\c -> map (* 2) c) (transpose a))

entry scaled_by_map [n] [m] (a: [n][m]f64): [n][m]f64 = transpose (map (map (* 2)) (transpose a))

entry scaled_by_index [n] [m] (a: [n][m]f64): [n][m]f64 =
  transpose (tabulate m (\j -> tabulate n (\i -> a[i, j] * 2)))

entry scaled_of_made [n] [m] (a: [n][m]f64): [n][m]f64 =
  transpose (tabulate m (\j -> let c = map (\r -> r[j]) a in map (* 2) c))

-- ==
-- entry: joined joined_columns joined_by_index
-- input { 2.0 [[1.0, 2.0], [3.0, 4.0]] [[10.0, 20.0], [30.0, 40.0]] } output { [[12.0, 24.0], [36.0, 48.0]] }
entry joined [n] [m] (s: f64) (a: [n][m]f64) (b: [n][m]f64): [n][m]f64 =
  map2 (map2 (\x y -> s * x + y)) a b

entry joined_columns [n] [m] (s: f64) (a: [n][m]f64) (b: [n][m]f64): [n][m]f64 =
  transpose (map2 (map2 (\x y -> s * x + y)) (transpose a) (transpose b))

entry joined_by_index [n] [m] (s: f64) (a: [n][m]f64) (b: [n][m]f64): [n][m]f64 =
  transpose (map2 (\c d -> tabulate n (\i -> s * c[i] + d[i])) (transpose a) (transpose b))

-- ==
-- entry: by_factors by_factors_of_columns by_factors_by_index
-- input { [[1.0, 2.0], [3.0, 4.0]] [2.0, 10.0] } output { [[2.0, 20.0], [6.0, 40.0]] }
entry by_factors [n] [m] (a: [n][m]f64) (f: [m]f64): [n][m]f64 =
  tabulate_2d n m (\i j -> a[i, j] * f[j])

entry by_factors_of_columns [n] [m] (a: [n][m]f64) (f: [m]f64): [n][m]f64 =
  transpose (map2 (\c x -> map (* x) c) (transpose a) f)

entry by_factors_by_index [n] [m] (a: [n][m]f64) (f: [m]f64): [n][m]f64 =
  map (\r -> tabulate m (\j -> r[j] * f[j])) a

-- A recurrence down each column.
-- ==
-- entry: running running_columns running_of_elements running_by_index running_of_made running_from_column running_in_order
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { [[1.0, 2.0], [3.5, 5.0], [6.75, 8.5]] }
-- input { empty([0][2]f64) } output { empty([0][2]f64) }
-- input { empty([3][0]f64) } output { empty([3][0]f64) }
-- random input { [40][37]f64 } auto output
def recurrence [n] (c: [n]f64): [n]f64 =
  let (_, r) = loop (p, r) = (0.0, replicate n 0.0) for i < n do
    let q = 0.5 * p + c[i]
    in (q, r with [i] = q)
  in r

entry running [n] [m] (a: [n][m]f64): [n][m]f64 =
  let (_, r) = loop (p, r) = (replicate m 0.0, replicate n (replicate m 0.0)) for i < n do
    let q = map2 (\p x -> 0.5 * p + x) p a[i]
    in (q, r with [i] = q)
  in r

entry running_columns [n] [m] (a: [n][m]f64): [n][m]f64 = transpose (map recurrence (transpose a))

entry running_of_elements [n] [m] (a: [n][m]f64): [n][m]f64 =
  transpose (tabulate m (\j -> recurrence a[:, j]))

entry running_by_index [n] [m] (a: [n][m]f64): [n][m]f64 =
  transpose (tabulate m (\j ->
    let (_, r) = loop (p, r) = (0.0, replicate n 0.0) for i < n do
      let q = 0.5 * p + a[i, j]
      in (q, r with [i] = q)
    in r))

entry running_of_made [n] [m] (a: [n][m]f64): [n][m]f64 =
  transpose (map (\j -> recurrence (map (\r -> r[j]) a)) (iota m))

entry running_from_column [n] [m] (a: [n][m]f64): [n][m]f64 =
  let t = transpose a
  let u = map (\j -> recurrence t[j]) (iota m)
  in tabulate_2d n m (\i j -> u[j, i])

entry running_in_order [n] [m] (a: [n][m]f64): [n][m]f64 =
  transpose (map (\c ->
    let (_, _, r) = loop (i, p, r) = (0, 0.0, replicate n 0.0) for x in c do
      let q = 0.5 * p + x
      in (i + 1, q, r with [i] = q)
    in r) (transpose a))

-- Columns divided by their sums.
-- ==
-- entry: shares shares_of_columns shares_by_index
-- input { [[1.0, 2.0], [3.0, 6.0]] } output { [[0.25, 0.25], [0.75, 0.75]] }
-- input { empty([0][2]f64) } output { empty([0][2]f64) }
-- input { empty([2][0]f64) } output { empty([2][0]f64) }
entry shares [n] [m] (a: [n][m]f64): [n][m]f64 =
  let s = reduce (map2 (+)) (replicate m 0.0) a
  in map (\r -> map2 (/) r s) a

entry shares_of_columns [n] [m] (a: [n][m]f64): [n][m]f64 =
  transpose (map (\c -> let s = f64.sum c in map (/ s) c) (transpose a))

entry shares_by_index [n] [m] (a: [n][m]f64): [n][m]f64 =
  transpose (tabulate m (\j -> let c = a[:, j] in let s = f64.sum c in tabulate n (\i -> c[i] / s)))
