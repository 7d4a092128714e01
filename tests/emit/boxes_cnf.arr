-- $ arrc build FILE --emit=cnf
-- The sums of a box are computed where its rows are made, and the rows are not stored.
entry boxes [n] [m] (a: [n][m]f64) (k: i64) (l: i64): [n]f64 =
  tabulate n (\i ->
    let (ws, vs) = unzip (flatten (tabulate_2d k l (\p q -> let w = f64.i64 (p + q) in (w, w * a[i, q]))))
    in f64.sum vs / f64.sum ws)

-- A sum of another array, beside it.
entry besides [n] [m] (a: [n][m]f64) (b: [n][m]f64): f64 =
  let c = map (map (* 2)) a
  in f64.sum (map2 (*) (flatten c) (flatten b))
