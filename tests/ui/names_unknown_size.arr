def f [n] (xs: [n]i64) (ys: [m]i64) (zs: [len]i64) = n
