-- An array that each step allocates is told by `arrc check` as well, also where a function of the library makes it; what a buffer holds
-- is not.
entry grown [n] (xs: [n]i64): [n]i64 =
  map (\x -> let ys = loop ys = [x] for i < x do if i < 9 then ys ++ [i] else ys ++ [9, x] in ys[x]) xs

entry by_turns [n][m] (k: i64) (xss: [n][m]f64): [n]f64 =
  map (\xs -> f64.sum (loop v = xs for _ < k do map (\i -> v[m - 1 - i] + 1) (iota m))) xss

entry column_parts [n] [m] (xss: [m][n]i64): [n]i64 =
  map (\column -> i64.maximum (flatmap (\_ -> column) (iota 3))) (transpose xss)
