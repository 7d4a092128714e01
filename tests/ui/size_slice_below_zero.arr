entry all_but_the_last [n] (xs: [n]i32): [n-1]i32 = xs[:-1]
