-- $ arrc build FILE --emit=core
-- The equations between sizes that hold at run time only: a line for each dimension of an argument, and for each size
-- that `:>` compares.
entry told [n] [k] (xs: [n]i64) (ys: [2*k]i64) (zs: [n]i64) (ws: [n+k]f64): i64 =
  length xs + length ys + length zs + length ws

entry numbers (xs: []i64) (n: i64) = map2 (+) xs (iota n)

entry parts [n] [m] (p: {a: [n+1]i64, b: [m](i64, [n][3]f64)}, (c, _): ([m]i64, [m]i64)) = length p.a + length c

entry shorter [n] (xs: [3*n+2]i64) (k: i64) = (xs :> [k]i64, k)

entry rows (xs: [][]i64) (ys: [][]i64) = map2 (map2 (+)) xs ys
