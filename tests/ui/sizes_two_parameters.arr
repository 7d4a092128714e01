def f [n] [m] (xs: [n]i64) (ys: [m]i64) = zip xs ys
