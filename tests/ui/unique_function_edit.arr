def set [n] (xs: *[n]i64): *[n]i64 = xs with [0] = 1
entry all [m] [n] (xss: [m][n]i64): [m][n]i64 = map set xss
