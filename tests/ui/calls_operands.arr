def f (a: i32) (b: f64) = a * b
