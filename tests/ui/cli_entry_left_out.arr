-- $ arrc run FILE 3
entry once (x: i64): i64 = x
entry twice (x: i64): i64 = 2 * x
