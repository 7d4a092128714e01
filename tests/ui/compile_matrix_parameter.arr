entry demo [n] [m] (a: [n][m]f64): f64 = a[0, 0]
