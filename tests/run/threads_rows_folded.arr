-- Folds of a matrix whose rows another pass makes: the fold of each row is a loop in the step. Blocks of rows are joined.

-- ==
-- entry: relaxed
-- input { 1 } auto output
-- input { 2 } auto output
-- input { 70 } auto output
entry relaxed (n: i64): ([n][n]f64, f64) =
  let a = tabulate_2d n n (\i j -> f64.i64 ((i * 31 + j * 17) % 101) / 7)
  let b = tabulate_2d n n (\i j ->
    if i > 0 && j > 0 && i < n - 1 && j < n - 1
    then 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    else a[i, j])
  in (b, reduce f64.max 0 (map2 (\x y -> f64.abs (y - x)) (flatten a) (flatten b)))

-- | A sum of floats, and a count of integers, of the same rows.
-- ==
-- entry: summed
-- input { 0 3 } auto output
-- input { 130 9 } auto output
entry summed (n: i64) (m: i64): ([n][m]f64, f64, i64) =
  let b = tabulate_2d n m (\i j -> f64.i64 ((i * 7 + j * 3) % 13) / 3)
  in (b, f64.sum (flatten b), i64.sum (map (\x -> i64.bool (x > 2)) (flatten b)))

-- | A fold in order is not regrouped.
-- ==
-- entry: in_order
-- input { 140 5 } auto output
entry in_order (n: i64) (m: i64): ([n][m]f64, f64) =
  let b = tabulate_2d n m (\i j -> f64.i64 ((i * 5 + j * 11) % 17) / 3)
  in (b, fold (\s x -> s / 3 + x) 0 (flatten b))
