entry demo (x: i64): f64 = x + 1
