entry demo (x: i64): (i64, (f64, bool)) = (x, (1.5, x))
