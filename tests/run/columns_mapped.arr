-- Sums of columns whose rows are made of other rows, and of elements: vectors of the row go through all steps.

-- ==
-- entry: weighted
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] [10i32, 100i32] } output { [410i32, 520i32, 630i32] }
-- random input { [9][1]i32 [9]i32 } auto output
-- random input { [9][2]i32 [9]i32 } auto output
-- random input { [9][5]i32 [9]i32 } auto output
-- random input { [9][17]i32 [9]i32 } auto output
-- random input { [9][70]i32 [9]i32 } auto output
-- random input { [1][70]i32 [1]i32 } auto output
-- random input { [0][70]i32 [0]i32 } auto output
-- random input { [9][0]i32 [9]i32 } auto output
-- random input { [300][301]i32 [300]i32 } auto output
entry weighted [n] [m] (a: [n][m]i32) (x: [n]i32): [m]i32 =
  reduce (map2 (+)) (replicate m 0) (map2 (\row x -> map (* x) row) a x)

-- ==
-- entry: deviations
-- input { [1i32, 2i32] [[1i32, 3i32], [4i32, 5i32]] } output { [9i32, 10i32] }
-- random input { [33]i32 [8][33]i32 } auto output
-- random input { [3]i32 [100][3]i32 } auto output
-- random input { [100]i32 [0][100]i32 } auto output
entry deviations [n] [m] (means: [m]i32) (a: [n][m]i32): [m]i32 =
  reduce (map2 (+)) (replicate m 0) (map (\row -> map2 (\x u -> (x - u) * (x - u)) row means) a)

-- In the order of the rows.
-- ==
-- entry: decayed
-- input { [0.5, 2.0] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [6.0, 9.0, 12.0] }
-- random input { [9]f64 [9][21]f64 } auto output
entry decayed [n] [m] (ks: [n]f64) (a: [n][m]f64): [m]f64 =
  loop s = replicate m 0 for (k, row) in zip ks a do map2 (\x s -> k * s + x) row s

-- A row that a position tells.
-- ==
-- entry: picked
-- input { [1i64, 0i64, 1i64] [[1i32, 2i32, 3i32], [10i32, 20i32, 30i32]] } output { [21i32, 42i32, 63i32] }
-- input { [1i64, 2i64, 1i64] [[1i32, 2i32, 3i32], [10i32, 20i32, 30i32]] } error: out of bounds
-- input { [1i64, 2i64] [[1i32], [2i32]] } error: out of bounds
entry picked [n] [h] [m] (is: [n]i64) (a: [h][m]i32): [m]i32 =
  loop s = replicate m 0 for i in is do map2 (+) a[i] s
