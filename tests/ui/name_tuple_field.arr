entry demo (t: (i64, f64)): i64 = t.0 + t.2
