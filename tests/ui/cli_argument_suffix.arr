-- $ arrc run FILE twice 2i32
entry twice (x: i64): i64 = 2 * x
