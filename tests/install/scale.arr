def scale (x: f64): f64 = 2 * x
