def f (n: i64) (y: f64) = let x: f64 = n in (y : f32)
