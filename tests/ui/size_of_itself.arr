-- The sizes of `++` are those of the operator of a reduction only if they are 0: `n = n + n`.
entry total [n] (xs: [n]f64): f64 = reduce (++) 0 xs
entry joined [n] [m] (xss: [n][m]f64): [m]f64 = reduce (++) (replicate m 0.0) xss
