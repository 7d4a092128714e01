entry demo [n] (xs: [n]i64): i64 = reduce (+) 0 (map (+ 1] xs)
