entry demo [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map (+) xs ys
