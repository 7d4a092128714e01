entry demo (xs: [n]i64): [m]i64 = map (+ 1) xs
