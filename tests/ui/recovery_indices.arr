entry e [n] (xs: [n]i64): i64 = xs[0
entry f [n] (xs: [n]i64): i64 = xs[]
entry g [n] (xs: [n]i64): i64 = xs [0] + xs[1:2:3:4][0]
