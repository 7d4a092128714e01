-- $ arrc run --target-cpu=pentium12 FILE twice 3
entry twice (x: i64): i64 = 2 * x
