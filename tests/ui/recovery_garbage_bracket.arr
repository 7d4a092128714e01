f (r: i64
entry g (r: f64): f64 = r
