entry demo [n] (xs: [n]i64): i64 = xs[1.5] + xs[true]
