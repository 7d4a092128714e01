-- Sparse matrices in compressed rows (CSR): the values that are not zero and their columns, row after
-- row, and for each row the offset at which its values begin. There is one offset more than rows.
--
-- Shows loops over parts of an array within a `map`, none of whose arrays exist in memory: each element
-- of the result is summed up on the way.
--
--     arrc run examples/sparse.arr multiply '[0, 2, 2, 3]' '[0, 2, 1]' '[1.5, 2, -1]' '[10, 20, 30]'
--
-- How many loops each strategy makes, which the tests hold it to:
-- ==
-- structure multiply none { clusters 3 } ilp { clusters 1 arrays 0 }

-- | Row i of a matrix times a vector.
def row_times [k] [z] [m] (offsets: [k]i64) (columns: [z]i64) (values: [z]f64) (xs: [m]f64) (i: i64): f64 =
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
entry multiply [k] [z] [m] (offsets: [k]i64) (columns: [z]i64) (values: [z]f64) (xs: [m]f64): [k - 1]f64 =
  map (row_times offsets columns values xs) (iota (k - 1))
