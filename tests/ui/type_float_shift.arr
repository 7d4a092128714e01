entry demo (x: f64): f64 = x << 2
