-- $ arrc run FILE total [1, 2, 3]
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs
