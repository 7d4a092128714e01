entry demo (x: f64) (xs: [x]f64): f64 = xs[0]
