entry a (x: i64): f64 = f64.i64 (x * 2.5)
entry b (x: i64): i64 = 0.5 + x
entry c [n] (xs: [n]i64): i64 = reduce (+) 0.0 xs
