-- $ arrc run FILE first -3
entry first (n: i64): i64 = length (iota n)
