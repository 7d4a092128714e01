-- Loops over positions in the steps of another one: the positions are counted, and stored for none of them.

-- ==
-- entry: table
-- input { 0i64 } output { empty([0][0]i64) }
-- input { 3i64 } output { [[0i64, 0i64, 0i64], [0i64, 1i64, 2i64], [0i64, 2i64, 4i64]] }
-- allocates 1
entry table (n: i64): [n][n]i64 =
  map (\i -> map (\j -> i * j) (iota n)) (iota n)

-- The inner loop reads an array at its own position, so without a check.
-- ==
-- entry: sums
-- input { [1.0, 2.0, 4.0] } output { [5.0, 5.0, 7.0] }
-- allocates 1
-- structure { loops 2 }
entry sums [n] (xs: [n]f64): [n]f64 =
  map (\i -> f64.sum (map (\j -> if i == j then 0 else f64.max xs[i] xs[j] - 0.5) (iota n)))
    (iota n)

-- Three loops.
-- ==
-- entry: cube
-- input { 2i64 } output { [[[0i64, 0i64], [0i64, 0i64]], [[0i64, 0i64], [0i64, 1i64]]] }
-- allocates 1
entry cube (n: i64): [n][n][n]i64 =
  map (\i -> map (\j -> map (\k -> i * j * k) (iota n)) (iota n)) (iota n)
