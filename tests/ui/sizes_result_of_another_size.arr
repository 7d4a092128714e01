def f [n] (xs: [n]i64): [n]i64 = filter (> 0) xs
