-- $ arrc run FILE total 5
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs
