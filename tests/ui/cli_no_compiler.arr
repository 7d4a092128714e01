-- $ CC=no-such-cc arrc run FILE twice 3
entry twice (x: i64): i64 = 2 * x
