def double (x: i64): i64 = 2 * x

entry demo (x: i64): i64 = double x x
