-- Sparse matrices of f64 in compressed rows (CSR): the values that are not zero with their columns, row after row, and
-- for each row the place where its values begin. Functions that need the number of columns take it as an argument.
--
--     import "sparse"
--     entry product [z] (n: i64) (rows: [z]i64) (columns: [z]i64) (values: [z]f64) (xs: []f64): [n]f64 =
--       matvec (of_coo n rows columns values) xs

-- | A matrix of n rows with z values: those of row i are from offsets[i] up to but without offsets[i + 1].
type csr [n] [z] = {offsets: [n + 1]i64, columns: [z]i64, values: [z]f64}

-- | The matrix of n rows whose values are given one by one, as row, column and value, in any order. In each row they
-- are in the order of their columns, and values of one place are added up. An error at run time if a row is outside.
def of_coo [z] (n: i64) (rows: [z]i64) (columns: [z]i64) (values: [z]f64): ?[y].csr [n] [y] =
  let by_column = order_of (<=) columns
  let (offsets, order) = group_collect n (\i -> rows[i]) id by_column
  let is_first i =
    i == 0 || rows[order[i - 1]] != rows[order[i]] || columns[order[i - 1]] != columns[order[i]]
  let starts = filter is_first (iota z)
  let y = length starts
  let sum_of j =
    let end = if j + 1 < y then starts[j + 1] else z
    in f64.sum (map (\i -> values[order[starts[j] + i]]) (iota (end - starts[j])))
  let before = exscan (+) 0 (map (\i -> i64.bool (i < z && is_first i)) (iota (z + 1)))
  in { offsets = map (\at -> before[at]) offsets
     , columns = map (\at -> columns[order[at]]) starts
     , values = generate y sum_of }

-- | The row of each value.
def rows_of [n] [z] (a: csr [n] [z]): *[z]i64 =
  loop rows = replicate z 0 for i < n do
    loop rows for j in a.offsets[i]..<a.offsets[i + 1] do rows with [j] = i

-- | The rows, the columns and the values, one by one.
def to_coo [n] [z] (a: csr [n] [z]): ([z]i64, [z]i64, [z]f64) = (rows_of a, a.columns, a.values)

-- | The values of a matrix that are not zero.
def of_dense [n] [m] (a: [n][m]f64): ?[z].csr [n] [z] =
  let flat = flatten a
  let places = filter (\at -> flat[at] != 0) (iota (n * m))
  let counts = map (\row -> i64.sum (map (\x -> i64.bool (x != 0)) row)) a
  let ends = scan (+) 0 counts
  in { offsets = generate (n + 1) (\i -> if i == 0 then 0 else ends[i - 1])
     , columns = map (% m) places
     , values = gather flat places }

-- | The matrix with m columns as an array of its rows, zeros included. An error at run time if a column is outside.
def to_dense [n] [z] (m: i64) (a: csr [n] [z]): *[n][m]f64 =
  loop b = replicate n (replicate m 0) for i < n do
    loop b for j in a.offsets[i]..<a.offsets[i + 1] do
      b with [i, a.columns[j]] = b[i, a.columns[j]] + a.values[j]

-- | The m columns as rows. Their values are in the order of the rows that they come from.
def transpose [n] [z] (m: i64) (a: csr [n] [z]): csr [m] [z] =
  let rows = rows_of a
  let (offsets, places) = group_collect m (\j -> a.columns[j]) id (iota z)
  in {offsets, columns = gather rows places, values = gather a.values places}

-- | The matrix times a vector: one pass.
def matvec [n] [z] [m] (a: csr [n] [z]) (xs: [m]f64): *[n]f64 =
  map (\i ->
    let (from, to) = (a.offsets[i], a.offsets[i + 1])
    in f64.sum (map2 (\j x -> x * xs[j]) a.columns[from:to] a.values[from:to]))
    (iota n)

-- | The transposed matrix times a vector: the sums of m columns, without the transposed matrix.
def matvec_t [n] [z] (m: i64) (a: csr [n] [z]) (xs: [n]f64): *[m]f64 =
  loop ys = replicate m 0 for i < n do
    loop ys for j in a.offsets[i]..<a.offsets[i + 1] do
      ys with [a.columns[j]] = ys[a.columns[j]] + a.values[j] * xs[i]

-- | The matrix times a dense matrix: each row is a sum of rows.
def matmul [n] [z] [m] [p] (a: csr [n] [z]) (b: [m][p]f64): *[n][p]f64 =
  map (\i ->
    loop row = replicate p 0 for j in a.offsets[i]..<a.offsets[i + 1] do
      map2 (\x y -> x + a.values[j] * y) row b[a.columns[j]])
    (iota n)

-- | The matrix with other values in the places of these.
def map_values [n] [z] (f: f64 -> f64) (a: csr [n] [z]): csr [n] [z] =
  a with values = map f a.values
