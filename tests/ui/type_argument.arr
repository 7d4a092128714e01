def scale (k: f64) (x: f64): f64 = k * x

entry main (n: i64) (x: f64): f64 = scale n x
