entry later (xs: []f64) (n: i64): [n]f64 = xs
entry twice (ys: []f64) (k: i64) = later ys k
entry partly (ys: []f64) = later ys
