-- Loops that carry a matrix whose rows are read while rows of the next one are made.

-- The whole row is read for each element, after elements of it could be overwritten.
-- ==
-- entry: times_sum
-- input { 1i64 [[1i64, 2i64, 3i64]] } output { [[6i64, 12i64, 18i64]] }
-- input { 2i64 [[1i64, 2i64], [3i64, 4i64]] } output { [[27i64, 54i64], [1029i64, 1372i64]] }
-- input { 3i64 empty([2][0]i64) } output { empty([2][0]i64) }
-- random input { 2i64 [9][17]i64 } auto output
entry times_sum [n] [m] (k: i64) (a: *[n][m]i64): [n][m]i64 =
  loop a for _ < k do map (\row -> map (\x -> i64.sum (map (* x) row)) row) a

-- ==
-- entry: power power_by_index
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64]] [[1i64, 2i64], [3i64, 4i64]] } output { [[7i64, 10i64], [15i64, 22i64]] }
-- input { 2i64 [[1i64, 2i64], [3i64, 4i64]] [[1i64, 2i64], [3i64, 4i64]] } output { [[37i64, 54i64], [81i64, 118i64]] }
-- random input { 3i64 [9][9]i64 [9][9]i64 } auto output
entry power [n] (k: i64) (a: *[n][n]i64) (b: [n][n]i64): [n][n]i64 =
  loop a for _ < k do map (\row -> map (\col -> i64.sum (map2 (*) row col)) (transpose b)) a
entry power_by_index [n] (k: i64) (a: *[n][n]i64) (b: [n][n]i64): [n][n]i64 =
  loop a for _ < k do
    tabulate n (\i -> tabulate n (\j -> i64.sum (tabulate n (\q -> a[i, q] * b[q, j]))))

-- In a branch of the step only.
-- ==
-- entry: even_sums
-- input { 1i64 [[1i64, 2i64, 3i64], [4i64, 6i64, 5i64]] } output { [[1i64, 12i64, 3i64], [60i64, 90i64, 5i64]] }
-- random input { 2i64 [9][17]i64 } auto output
entry even_sums [n] [m] (k: i64) (a: *[n][m]i64): [n][m]i64 =
  loop a for _ < k do
    map (\row -> map (\x -> if x % 2 == 0 then i64.sum (map (* x) row) else x) row) a

-- The row is read before elements of it are made: it is made in its place.
-- ==
-- entry: shares shares_by_index shares_of_two
-- input { 1i64 [[1.0, 2.0, 1.0], [4.0, 2.0, 2.0]] } output { [[0.25, 0.5, 0.25], [0.5, 0.25, 0.25]] }
-- random input { 3i64 [9][17]f64 } auto output
-- structure shares.loop { arrays 0 }
entry shares [n] [m] (k: i64) (a: *[n][m]f64): [n][m]f64 =
  loop a for _ < k do map (\row -> let s = f64.sum row in map (/ s) row) a
entry shares_by_index [n] [m] (k: i64) (a: *[n][m]f64): [n][m]f64 =
  loop a for _ < k do
    tabulate n (\i -> let s = f64.sum a[i] in tabulate m (\j -> a[i, j] / s))
entry shares_of_two [n] [m] (k: i64) (a: *[n][m]f64): [n][m]f64 =
  loop a for _ < k do
    let sums = map f64.sum a in map2 (\row s -> map (\x -> x / s) row) a sums

-- The first element of the row is read by all of them.
-- ==
-- entry: less_first
-- input { 1i64 [[1i64, 2i64, 3i64], [4i64, 6i64, 5i64]] } output { [[0i64, 1i64, 2i64], [0i64, 2i64, 1i64]] }
-- random input { 2i64 [9][17]i64 } auto output
entry less_first [n] [m] (k: i64) (a: *[n][m]i64): [n][m]i64 =
  loop a for _ < k do map (\row -> map (\x -> x - row[0]) row) a

-- Of each two rows, one is read by the step of the other one.
-- ==
-- entry: reversed_sums
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64]] } output { [[4i64, 6i64], [4i64, 6i64]] }
-- random input { 3i64 [9][17]i64 } auto output
entry reversed_sums [n] [m] (k: i64) (a: *[n][m]i64): [n][m]i64 =
  loop a for _ < k do tabulate n (\i -> map2 (+) a[i] a[n - 1 - i])

-- A view that is bound before the pass.
-- ==
-- entry: added_front
-- input { [1i64, 2i64, 3i64, 4i64] } output { [2i64, 4i64, 6i64, 8i64] }
-- random input { [33]i64 } auto output
entry added_front [n] (xs: [n]i64): [n]i64 =
  let ys = scan (+) 0 xs
  let front = ys[0:n]
  let behind = [0] ++ ys[:n - 1]
  in map3 (\x y z -> x + y - z) front xs behind
