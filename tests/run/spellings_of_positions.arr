-- Passes over all elements of a matrix by one position, and by rows and columns: see `spellings_of_rows.arr`.

-- ==
-- entry: doubled doubled_by_position doubled_by_difference doubled_of_positions doubled_by_quotient
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]] }
-- input { empty([0][3]f64) } output { empty([0][3]f64) }
-- input { empty([2][0]f64) } output { empty([2][0]f64) }
entry doubled [n] [m] (a: [n][m]f64): [n][m]f64 = tabulate_2d n m (\i j -> a[i, j] * 2)

entry doubled_by_position [n] [m] (a: [n][m]f64): [n][m]f64 =
  unflatten (tabulate (n * m) (\t -> a[t / m, t % m] * 2))

entry doubled_by_difference [n] [m] (a: [n][m]f64): [n][m]f64 =
  unflatten (tabulate (n * m) (\t -> let i = t / m in a[i, t - i * m] * 2))

entry doubled_of_positions [n] [m] (a: [n][m]f64): [n][m]f64 =
  unflatten (map (\t -> a[t / m, t % m] * 2) (iota (n * m)))

entry doubled_by_quotient [n] [m] (a: [n][m]f64): [n][m]f64 =
  unflatten (tabulate (n * m) (\t -> a[t // m, t %% m] * 2))

-- A loop that fills an array, and a pass.
-- ==
-- entry: filled filled_in_order filled_of_elements filled_from_copy
-- input { [1.0, 2.0, 3.0] } output { [3.0, 5.0, 7.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry filled [n] (xs: [n]f64): [n]f64 = tabulate n (\i -> xs[i] * 2 + 1)

entry filled_in_order [n] (xs: [n]f64): [n]f64 =
  loop r = replicate n 0 for i < n do r with [i] = xs[i] * 2 + 1

entry filled_of_elements [n] (xs: [n]f64): [n]f64 =
  loop r = replicate n 5 for i < n do let x = xs[i] in r with [i] = x * 2 + 1

entry filled_from_copy [n] (xs: [n]f64): [n]f64 =
  loop r = copy xs for i < n do r with [i] = r[i] * 2 + 1

-- A matrix that loops fill by rows or by columns.
-- ==
-- entry: sums sums_by_rows sums_by_columns sums_by_elements
-- input { [1i64, 2i64] [[10i64, 20i64, 30i64], [40i64, 50i64, 60i64]] } output { [[11i64, 21i64, 31i64], [42i64, 52i64, 62i64]] }
-- input { empty([0]i64) empty([0][3]i64) } output { empty([0][3]i64) }
entry sums [n] [m] (xs: [n]i64) (a: [n][m]i64): [n][m]i64 =
  tabulate_2d n m (\i j -> xs[i] + a[i, j])

entry sums_by_rows [n] [m] (xs: [n]i64) (a: [n][m]i64): [n][m]i64 =
  loop r = replicate n (replicate m 0) for i < n do r with [i] = map (+ xs[i]) a[i]

entry sums_by_columns [n] [m] (xs: [n]i64) (a: [n][m]i64): [n][m]i64 =
  loop r = replicate n (replicate m 0) for j < m do
    loop r = r for i < n do r with [i, j] = xs[i] + a[i, j]

entry sums_by_elements [n] [m] (xs: [n]i64) (a: [n][m]i64): [n][m]i64 =
  loop r = replicate n (replicate m 0) for i < n do
    loop r = r for j < m do r with [i, j] = xs[i] + a[i, j]

-- The product of a matrix and a vector, in order.
-- ==
-- entry: applied applied_in_order applied_by_sums
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [1.0, 10.0] } output { [21.0, 43.0, 65.0] }
-- input { empty([0][2]f64) [1.0, 2.0] } output { empty([0]f64) }
-- input { empty([2][0]f64) empty([0]f64) } output { [0.0, 0.0] }
entry applied [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  tabulate n (\i -> fold (+) 0 (tabulate m (\j -> a[i, j] * x[j])))

entry applied_in_order [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  loop y = replicate n 0 for i < n do
    let s = loop s = 0 for j < m do s + a[i, j] * x[j]
    in y with [i] = s

entry applied_by_sums [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 =
  loop y = replicate n 0 for i < n do
    let y = y with [i] = 0
    in loop y = y for j < m do y with [i] = y[i] + a[i, j] * x[j]

-- A pass over positions whose elements another pass takes stores nothing.
-- ==
-- entry: sum_of_positions
-- structure sum_of_positions ilp { clusters 1 arrays 0 }
-- input { [1i64, 2i64] [10i64, 20i64, 30i64] } output { 147i64 }
entry sum_of_positions [n] [m] (x: [n]i64) (y: [m]i64): i64 =
  i64.sum (tabulate (n * m) (\t -> x[t / m] * 3 + y[t % m]))

-- ==
-- entry: even_of_positions
-- structure even_of_positions ilp { clusters 1 arrays 0 }
-- input { [1i64, 2i64] [10i64, 21i64] } output { [10i64, 20i64, 42i64] }
entry even_of_positions [n] [m] (x: [n]i64) (y: [m]i64): []i64 =
  filter (\v -> v % 2 == 0) (tabulate (n * m) (\t -> x[t / m] * y[t % m]))
