def f (xs: [3 / 2]i64) (x: f64) (ys: [x]i64) (zs: [length xs]i64) (us: [1u8]i64) = xs
