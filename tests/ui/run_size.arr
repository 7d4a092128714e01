-- $ arrc run FILE total -3
entry total (n: i64): i64 = reduce (+) 0 (map (* 2) (iota n))
