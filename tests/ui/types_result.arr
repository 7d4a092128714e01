def f (xs: [3]i32): f64 = let x = xs[0] in x
