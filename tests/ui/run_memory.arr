-- $ arrc run FILE many 1000000000000000000
entry many (n: i64): [n]i64 = iota n
