-- A matrix is made in the place of the one before, though each row reads another row and a column of that.

-- ==
-- entry: through
-- input { 3i64 [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] } auto output
-- random input { 5i64 [5][9]i64 } auto output
-- random input { 17i64 [17][17]i64 } auto output
-- random input { 2i64 [33][2]i64 } auto output
-- input { 0i64 empty([0][3]i64) } output { empty([0][3]i64) }
entry through [n] [m] (k: i64) (d: *[n][m]i64): [n][m]i64 =
  loop d for t < i64.min k (i64.min n m) do
    tabulate n (\i -> tabulate m (\j -> d[i, j] + 3 * d[i, t] - d[t, j]))

-- A negative way to itself changes the row that the others read: they read what it was.
-- ==
-- entry: shortest
-- input { [[-1i64, 2i64], [3i64, 4i64]] } auto output
-- random input { [16][16]i64 } auto output
-- structure { allocated 3 }
entry shortest [n] (d: [n][n]i64): [n][n]i64 =
  loop d for k < n do tabulate n (\i -> tabulate n (\j -> i64.min d[i, j] (d[i, k] + d[k, j])))

-- Two rows and two columns.
-- ==
-- entry: bordered
-- random input { 4i64 [7][7]f64 } auto output
entry bordered [n] (k: i64) (d: [n][n]f64): [n][n]f64 =
  loop d for t < k do
    tabulate n (\i -> tabulate n (\j -> 0.5 * d[i, j] + d[i, t] * d[0, j] - d[t, j] * d[i, 0]))

-- The old matrix is needed after the pass, an element of a third row is read, or one in another order: it is not in place.
-- ==
-- entry: kept
-- random input { 3i64 [5][5]i64 } auto output
entry kept [n] (k: i64) (d: [n][n]i64): ([n][n]i64, [n][n]i64) =
  loop (d, e) = (d, d) for t < k do
    (tabulate n (\i -> tabulate n (\j -> d[i, j] + d[i, t] + d[t, j])), d)

-- ==
-- entry: mixed
-- random input { 3i64 [5][5]i64 } auto output
entry mixed [n] (k: i64) (d: [n][n]i64): [n][n]i64 =
  loop d for _ < k do
    tabulate n (\i -> tabulate n (\j -> d[i, j] + d[n - 1 - i, j] + d[i, n - 1 - j] + d[j, i]))

-- Only its own elements.
-- ==
-- entry: doubled
-- random input { 3i64 [5][6]i64 } auto output
-- structure { allocated 1 }
entry doubled [n] [m] (k: i64) (d: [n][m]i64): [n][m]i64 =
  loop d for t < k do tabulate n (\i -> tabulate m (\j -> 2 * d[i, j] + t))
