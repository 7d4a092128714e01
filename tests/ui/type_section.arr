entry demo [n] (xs: [n]f64): [n]f64 = map (* true) xs
entry other [n] (xs: [n]f64): [n]bool = map (> 1i64) xs
