def f (c: bool) (x: i32) (y: f64) = if c then x else y
