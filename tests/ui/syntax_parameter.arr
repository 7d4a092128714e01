entry demo (x: i64) [n] (xs: [n]i64): i64 = x + xs[0]
