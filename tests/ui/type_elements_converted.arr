entry a [n] (xs: [n]i64): f64 = f64.sum xs
entry b [n] (xs: [n]i64): [n]f64 = xs
