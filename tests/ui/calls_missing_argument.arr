def f (xs: [3]f64): f64 = reduce (+) 0
