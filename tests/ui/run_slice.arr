-- $ arrc run FILE middle [1,2,3] 2 7
entry middle [n] (xs: [n]i64) (i: i64) (j: i64): [j - i]i64 = xs[i:j]
