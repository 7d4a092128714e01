-- $ arrc run FILE twice 2.5
entry twice (x: i64): i64 = 2 * x
