-- $ arrc run FILE thrice 3
entry once (x: i64): i64 = x
entry twice (x: i64): i64 = 2 * x
