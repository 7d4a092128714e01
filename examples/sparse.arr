-- Sparse matrices in compressed rows (CSR): the values that are not zero and their columns, row after
-- row, and for each row the offset at which its values begin. There is one offset more than rows.
--
-- Shows combinators over parts of an array within a `map`, whose arrays never exist in memory: each element
-- of the product is summed up on the way; a scan that starts anew where the flags say so; arrays that a loop
-- updates in place; and a loop that ends when its result is near enough.
--
--     arrc run examples/sparse.arr multiply '[0, 2, 2, 3]' '[0, 2, 1]' '[1.5, 2, -1]' '[10, 20, 30]'
--
-- How many loops each strategy makes, which the tests hold it to:
-- ==
-- structure multiply none { clusters 1 } ilp { clusters 1 }
-- structure multiply.a none { clusters 2 } ilp { clusters 1 arrays 0 }

-- | Row i of a matrix times a vector.
def row_times [k] [z] [m] (offsets: [k]i64) (columns: [z]i64) (values: [z]f64) (xs: [m]f64)
    (i: i64): f64 =
  let start = offsets[i]
  let term j = values[start + j] * xs[columns[start + j]]
  in f64.sum (map term (iota (offsets[i + 1] - start)))

-- | The product of a matrix of k - 1 rows and a vector.
-- ==
-- entry: multiply
-- "[[1.5, 0, 2], [0, 0, 0], [0, -1, 0]]"
-- input { [0i64, 2i64, 2i64, 3i64] [0i64, 2i64, 1i64] [1.5, 2.0, -1.0] [10.0, 20.0, 30.0] }
-- output { [75.0, 0.0, -20.0] }
-- "no values"
-- input { [0i64, 0i64, 0i64] empty([0]i64) empty([0]f64) [1.0] } output { [0.0, 0.0] }
-- "no rows"
-- input { [0i64] empty([0]i64) empty([0]f64) [1.0] } output { empty([0]f64) }
-- "no column 3"
-- input { [0i64, 1i64] [3i64] [1.0] [1.0, 2.0, 3.0] } error: index 3 is out of bounds for an array of length 3
-- "a row that ends before it begins"
-- input { [1i64, 0i64] [0i64] [1.0] [1.0] } error: negative size -1
entry multiply [k] [z] [m] (offsets: [k]i64) (columns: [z]i64) (values: [z]f64)
    (xs: [m]f64): [k - 1]f64 =
  map (row_times offsets columns values xs) (iota (k - 1))

-- | The same, by one scan of all values, which starts anew where a row begins: as much work for a few long
-- rows as for many short ones.
-- ==
-- entry: multiply_by_scan
-- input { [0i64, 2i64, 2i64, 3i64] [0i64, 2i64, 1i64] [1.5, 2.0, -1.0] [10.0, 20.0, 30.0] }
-- output { [75.0, 0.0, -20.0] }
-- input { [0i64, 0i64, 0i64] empty([0]i64) empty([0]f64) [1.0] } output { [0.0, 0.0] }
-- input { [0i64] empty([0]i64) empty([0]f64) [1.0] } output { empty([0]f64) }
entry multiply_by_scan [k] [z] [m]
    (offsets: [k]i64) (columns: [z]i64) (values: [z]f64) (xs: [m]f64): [k - 1]f64 =
  let terms = map2 (*) values (gather xs columns)
  let begins = spread z false offsets (replicate k true)
  let join (begun, sum) (begins, term) = (begun || begins, if begins then term else sum + term)
  let (_, sums) = unzip (scan join (false, 0) (zip begins terms))
  let row i = if offsets[i + 1] > offsets[i] then sums[offsets[i + 1] - 1] else 0
  in map row (iota (k - 1))

-- | The matrix of k rows whose values are given one by one, as row, column and value, in any order. Values
-- of one place stay apart, which means their sum.
-- ==
-- entry: compress
-- input { 3i64 [2i64, 0i64, 0i64] [1i64, 0i64, 2i64] [-1.0, 1.5, 2.0] }
-- output { [0i64, 2i64, 2i64, 3i64] [0i64, 2i64, 1i64] [1.5, 2.0, -1.0] }
-- input { 2i64 empty([0]i64) empty([0]i64) empty([0]f64) }
-- output { [0i64, 0i64, 0i64] empty([0]i64) empty([0]f64) }
entry compress [z] (k: i64) (rows: [z]i64) (columns: [z]i64)
    (values: [z]f64): ([k + 1]i64, [z]i64, [z]f64) =
  let offsets = exscan (+) 0 (hist (+) 0 (k + 1) rows (replicate z 1))
  -- Each value goes to the first place of its row that is still free.
  let (_, places) =
    loop (free, places) = (offsets, replicate z 0) for i < z do
      let row = rows[i]
      in (free with [row] = free[row] + 1, places with [i] = free[row])
  in (offsets, spread z 0 places columns, spread z 0 places values)

-- | The product of two vectors.
def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

-- | The solution of A x = b for a symmetric, positive definite matrix A by the method of conjugate
-- gradients, from x = 0: x when the residual is at most `tolerance` times as long as b, or after n steps;
-- and the steps that it took.
-- ==
-- entry: solve
-- "[[4, 1], [1, 3]]"
-- input { [0i64, 2i64, 4i64] [0i64, 1i64, 0i64, 1i64] [4.0, 1.0, 1.0, 3.0] [1.0, 2.0] 1e-12 }
-- output { [0.09090909090909091, 0.6363636363636364] 2i64 }
-- "nothing to do"
-- input { [0i64, 1i64] [0i64] [2.0] [0.0] 1e-12 } output { [0.0] 0i64 }
-- "not square"
-- input { [0i64, 1i64, 2i64] [0i64, 0i64] [1.0, 1.0] [1.0] 1e-12 } error: must be equal
entry solve [n] [z]
    (offsets: [n + 1]i64) (columns: [z]i64) (values: [z]f64) (b: [n]f64)
    (tolerance: f64): ([n]f64, i64) =
  let enough = tolerance * tolerance * dot b b
  let (xs, _, _, _, steps) =
    loop (xs, residual, direction, left, steps) = (replicate n 0, b, b, dot b b, 0)
        while left > enough && steps < n do
      let image = multiply offsets columns values direction
      let far = left / dot direction image
      let xs = map2 (\x d -> x + far * d) xs direction
      let residual = map2 (\r i -> r - far * i) residual image
      let still = dot residual residual
      let direction = map2 (\r d -> r + still / left * d) residual direction
      in (xs, residual, direction, still, steps + 1)
  in (xs, steps)
